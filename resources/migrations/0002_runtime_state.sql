-- What the engine knew when the program ended. Written behind; losing the last quarter of a second of it is allowed.

CREATE TABLE domain_circuit_breakers (
    name TEXT PRIMARY KEY NOT NULL,
    state TEXT NOT NULL DEFAULT 'CLOSED',
    failure_count INTEGER DEFAULT 0,
    last_failure_time INTEGER,
    options TEXT
) STRICT;

CREATE TABLE connection_health (
    connection_id TEXT PRIMARY KEY NOT NULL REFERENCES provider_connections (id) ON DELETE CASCADE,
    test_status TEXT NOT NULL DEFAULT '',
    rate_limited_until INTEGER,
    rate_limited_since INTEGER,
    backoff_level INTEGER NOT NULL DEFAULT 0,
    last_error_type TEXT NOT NULL DEFAULT '',
    error_code INTEGER NOT NULL DEFAULT 0,
    last_error TEXT NOT NULL DEFAULT '',
    last_error_at INTEGER,
    last_used_at INTEGER,
    last_tested INTEGER,
    evidence TEXT
) STRICT;
