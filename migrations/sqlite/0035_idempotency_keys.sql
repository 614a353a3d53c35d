-- Twin of migrations/postgres/0035_idempotency_keys.sql.

-- What was sent under an Idempotency-Key, so that nothing else is taken for it.
CREATE TABLE idempotency_keys (
    -- Digest of the key, whose it is, and the call.
    id      TEXT PRIMARY KEY,
    -- Digest of the body.
    digest  TEXT NOT NULL,
    used_at INTEGER NOT NULL
) STRICT;
