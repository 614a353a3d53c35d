-- Twin of migrations/postgres/0010_staff_accounts.sql.

ALTER TABLE staff ADD COLUMN name TEXT NOT NULL DEFAULT '';
-- What the secret of the authenticator app is derived from, together with the program's own; null without a second factor.
ALTER TABLE staff ADD COLUMN code_seed TEXT;
-- The half minute of the last code that was taken: it and those before it are not taken again.
ALTER TABLE staff ADD COLUMN code_step INTEGER NOT NULL DEFAULT 0;
-- Removed from the office. The row stays for what refers to it, without an address.
ALTER TABLE staff ADD COLUMN removed_at INTEGER;

-- When the password (and the code) was given last.
ALTER TABLE staff_sessions ADD COLUMN stepped_up_at INTEGER NOT NULL DEFAULT 0;
-- The password was right, and the code is awaited until then; null for a session that is open.
ALTER TABLE staff_sessions ADD COLUMN code_until INTEGER;

-- Codes for who has lost their authenticator app. Each is removed when it is used.
CREATE TABLE staff_recovery_codes (
    staff_id TEXT NOT NULL REFERENCES staff (id),
    -- SHA-256, hexadecimal
    digest   TEXT NOT NULL,
    PRIMARY KEY (staff_id, digest)
) STRICT;

-- Invitations that were neither taken nor revoked.
CREATE TABLE staff_invitations (
    id         TEXT PRIMARY KEY,
    email      TEXT NOT NULL,
    -- The address in lower case
    email_key  TEXT NOT NULL,
    role       TEXT NOT NULL
        CHECK (role IN ('viewer', 'interviewer', 'reviewer', 'decider', 'finance', 'owner')),
    -- SHA-256 of the mailed secret, hexadecimal
    digest     TEXT NOT NULL,
    invited_by TEXT NOT NULL REFERENCES staff (id),
    created_at INTEGER NOT NULL,
    -- When the mail was sent last.
    sent_at    INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX staff_invitations_email ON staff_invitations (email_key);
CREATE UNIQUE INDEX staff_invitations_digest ON staff_invitations (digest);

-- What holds for every member of staff: one row.
CREATE TABLE staff_rules (
    id                  INTEGER PRIMARY KEY CHECK (id = 1),
    -- Since when everybody must have a second factor.
    second_factor_since INTEGER
) STRICT;
INSERT INTO staff_rules (id, second_factor_since) VALUES (1, NULL);
