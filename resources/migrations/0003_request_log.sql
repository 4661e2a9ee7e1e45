-- One row for each client request. `seq` is its start (milliseconds since 1970) times 2^20 plus a number that keeps it
-- unique, so the table itself is in order of time: paging and pruning are ranges of its primary key and need no index.
-- Durations are microseconds, -1 = did not come to it. `detail` is a JSON document that only the detail pane reads.

CREATE TABLE call_logs (
    seq INTEGER PRIMARY KEY NOT NULL,
    timestamp INTEGER GENERATED ALWAYS AS (seq >> 20) VIRTUAL,
    id TEXT NOT NULL,
    status INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    failed INTEGER NOT NULL,
    provider TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    account TEXT NOT NULL,
    model TEXT NOT NULL,
    requested_model TEXT NOT NULL,
    path TEXT NOT NULL,
    error_summary TEXT NOT NULL,
    method TEXT NOT NULL,
    request_type TEXT NOT NULL,
    combo_name TEXT NOT NULL,
    api_key_id TEXT NOT NULL,
    api_key_name TEXT NOT NULL,
    client TEXT NOT NULL,
    stream INTEGER NOT NULL,
    duration INTEGER NOT NULL,
    added INTEGER NOT NULL,
    first_frame INTEGER NOT NULL,
    request_bytes INTEGER NOT NULL,
    response_bytes INTEGER NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    tokens_cache_read INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    detail TEXT NOT NULL
) STRICT;

CREATE INDEX call_logs_id ON call_logs (id);

-- The history's "failures only" reads this alone instead of passing over every success.
CREATE INDEX call_logs_failures ON call_logs (seq) WHERE failed = 1;
