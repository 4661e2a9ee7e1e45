-- What was asked and what it took, by day: outlives the rows of the request log, whose limits delete them. `day` is the local date of
-- whoever ran the program, as days since 1970-01-01. Names are those last seen, for connections and keys that are gone by now.
-- `uncounted`: answers whose upstream did not tell how many tokens they took.

CREATE TABLE usage_daily (
    day INTEGER NOT NULL,
    provider TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    model TEXT NOT NULL,
    api_key_id TEXT NOT NULL,
    account TEXT NOT NULL DEFAULT '',
    api_key_name TEXT NOT NULL DEFAULT '',
    requests INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    uncounted INTEGER NOT NULL DEFAULT 0,
    tokens_in INTEGER NOT NULL DEFAULT 0,
    tokens_out INTEGER NOT NULL DEFAULT 0,
    tokens_cache_read INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (day, provider, connection_id, model, api_key_id)
) STRICT;

-- The bare columns are those of the newest row of each group (max(seq)).
INSERT INTO usage_daily (day, provider, connection_id, model, api_key_id, account, api_key_name, requests, failed, uncounted, tokens_in,
    tokens_out, tokens_cache_read)
SELECT day, provider, connection_id, model, api_key_id, account, api_key_name, requests, failed, uncounted, tokens_in, tokens_out,
    tokens_cache_read
FROM (
    SELECT CAST(strftime('%s', timestamp / 1000, 'unixepoch', 'localtime') AS INTEGER) / 86400 AS day,
        provider, connection_id, model, api_key_id, account, api_key_name,
        count(*) AS requests, sum(failed) AS failed,
        sum(outcome = 'answered' AND tokens_in < 0 AND tokens_out < 0 AND request_type <> 'count_tokens') AS uncounted,
        sum(max(tokens_in, 0)) AS tokens_in, sum(max(tokens_out, 0)) AS tokens_out, sum(max(tokens_cache_read, 0)) AS tokens_cache_read,
        max(seq)
    FROM call_logs
    GROUP BY 1, 2, 3, 4, 5
);

-- What the user pays for a model: US dollars for a million tokens. Without `cached`, cached input costs what other input does.

CREATE TABLE model_prices (
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    input REAL NOT NULL,
    output REAL NOT NULL,
    cached REAL,
    PRIMARY KEY (provider, model)
) STRICT;
