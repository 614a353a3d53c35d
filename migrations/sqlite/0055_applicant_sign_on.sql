-- Twin of migrations/postgres/0055_applicant_sign_on.sql.

-- 1 if applicants log in with it, and not staff
ALTER TABLE identity_providers ADD COLUMN for_applicants INTEGER NOT NULL DEFAULT 0 CHECK (for_applicants IN (0, 1));

-- Applicants who log in with an identity provider.
CREATE TABLE applicant_identities (
    provider_id  TEXT NOT NULL REFERENCES identity_providers (id),
    -- What the provider knows them by
    subject      TEXT NOT NULL,
    applicant_id TEXT NOT NULL REFERENCES applicants (id),
    linked_at    INTEGER NOT NULL,
    PRIMARY KEY (provider_id, subject)
) STRICT;
CREATE UNIQUE INDEX applicant_identities_applicant ON applicant_identities (applicant_id, provider_id);
