-- Twin of migrations/sqlite/0034_confirmed_addresses.sql.

-- Since when the address is known to be read by whoever has the account. NULL: not yet; nothing but the mail that asks for it,
-- and a password reset, is sent there.
ALTER TABLE applicants ADD COLUMN email_confirmed_at BIGINT;
UPDATE applicants SET email_confirmed_at = created_at;

-- Since when a mail is held back: it is read in the product alone. Its state says 'kept' then.
ALTER TABLE outbox ADD COLUMN held_at BIGINT;

-- The mailed link that confirms the address of a new account: the newest one.
CREATE TABLE email_confirmations (
    applicant_id TEXT PRIMARY KEY REFERENCES applicants (id),
    -- SHA-256 of the mailed secret, hexadecimal
    digest       TEXT NOT NULL,
    expires_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX email_confirmations_digest ON email_confirmations (digest);
CREATE INDEX email_confirmations_expiry ON email_confirmations (expires_at);
