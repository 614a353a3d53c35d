-- Twin of migrations/postgres/0051_api_keys.sql.

-- Keys of programs that call the API in the name of the member of staff who made them. A revoked key is deleted.
CREATE TABLE staff_keys (
    id           TEXT PRIMARY KEY,
    staff_id     TEXT NOT NULL REFERENCES staff (id),
    -- What it is for, in its owner's words
    name         TEXT NOT NULL,
    -- That of calls with the key
    role         TEXT NOT NULL
        CHECK (role IN ('viewer', 'interviewer', 'reviewer', 'decider', 'finance', 'owner')),
    -- 1 for calls that change nothing, 0 for all that the role includes
    read_only    INTEGER NOT NULL CHECK (read_only IN (0, 1)),
    -- SHA-256 of the secret, hexadecimal
    digest       TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    last_used_at INTEGER
) STRICT;
CREATE UNIQUE INDEX staff_keys_digest ON staff_keys (digest);
CREATE INDEX staff_keys_staff ON staff_keys (staff_id, created_at);
