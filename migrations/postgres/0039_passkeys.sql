-- Twin of migrations/sqlite/0039_passkeys.sql.

-- How many rows of the account there are below: whether there is a second factor is asked with every request.
ALTER TABLE applicants ADD COLUMN passkeys BIGINT NOT NULL DEFAULT 0;
ALTER TABLE staff ADD COLUMN passkeys BIGINT NOT NULL DEFAULT 0;

CREATE TABLE passkeys (
    id            TEXT PRIMARY KEY,
    applicant_id  TEXT NOT NULL REFERENCES applicants (id),
    -- The browser's name for it, base64url
    credential_id TEXT NOT NULL,
    -- The public key and what is checked with it, as webauthn-rs writes it
    key           TEXT NOT NULL,
    -- Of the browser that made it
    user_agent    TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    last_used_at  BIGINT
);
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id);
CREATE INDEX passkeys_applicant ON passkeys (applicant_id);

CREATE TABLE staff_passkeys (
    id            TEXT PRIMARY KEY,
    staff_id      TEXT NOT NULL REFERENCES staff (id),
    credential_id TEXT NOT NULL,
    key           TEXT NOT NULL,
    user_agent    TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    last_used_at  BIGINT
);
CREATE UNIQUE INDEX staff_passkeys_credential ON staff_passkeys (credential_id);
CREATE INDEX staff_passkeys_staff ON staff_passkeys (staff_id);
