-- What the user configured. Times are milliseconds since 1970, lists and documents are JSON text, and a secret is never
-- here: *_secret_ref and secret_ref are keys into the secret store.

CREATE TABLE provider_connections (
    id TEXT PRIMARY KEY NOT NULL,
    provider TEXT NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    priority INTEGER NOT NULL DEFAULT 1,
    is_active INTEGER NOT NULL DEFAULT 1,
    secret_ref TEXT NOT NULL DEFAULT '',
    key_hint TEXT NOT NULL DEFAULT '',
    base_url TEXT NOT NULL DEFAULT '',
    proxy_url TEXT NOT NULL DEFAULT '',
    proxy_secret_ref TEXT NOT NULL DEFAULT '',
    default_model TEXT NOT NULL DEFAULT '',
    models_json TEXT NOT NULL DEFAULT '[]',
    disable_cooling INTEGER NOT NULL DEFAULT 0,
    passthrough_models INTEGER,
    max_concurrent INTEGER,
    http2 INTEGER NOT NULL DEFAULT 0,
    "group" TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE provider_nodes (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    prefix TEXT NOT NULL DEFAULT '',
    base_url TEXT NOT NULL DEFAULT '',
    chat_path TEXT NOT NULL DEFAULT '',
    models_path TEXT NOT NULL DEFAULT '',
    custom_headers_json TEXT NOT NULL DEFAULT '[]',
    created_at INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL DEFAULT 0
) STRICT;

-- `data` is the combo's document: {"version":2,"strategy":…,"targets":[…]}.
CREATE TABLE combos (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL UNIQUE,
    data TEXT NOT NULL,
    sort_order INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE model_aliases (
    name TEXT PRIMARY KEY NOT NULL,
    model TEXT NOT NULL
) STRICT;

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    key_prefix TEXT NOT NULL DEFAULT '',
    key_hash TEXT NOT NULL UNIQUE,
    allowed_models TEXT NOT NULL DEFAULT '[]',
    allowed_connections TEXT NOT NULL DEFAULT '[]',
    scopes TEXT NOT NULL DEFAULT '[]',
    is_active INTEGER NOT NULL DEFAULT 1,
    no_log INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER,
    created_at INTEGER NOT NULL DEFAULT 0
) STRICT;

-- "settings" holds one row for each section of the settings document, "facts" small named facts.
CREATE TABLE key_value (
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (namespace, key)
) STRICT;
