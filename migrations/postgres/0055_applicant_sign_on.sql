-- Twin of migrations/sqlite/0055_applicant_sign_on.sql.

-- 1 if applicants log in with it, and not staff
ALTER TABLE identity_providers ADD COLUMN for_applicants BIGINT NOT NULL DEFAULT 0 CHECK (for_applicants IN (0, 1));

-- Applicants who log in with an identity provider.
CREATE TABLE applicant_identities (
    provider_id  TEXT COLLATE "C" NOT NULL REFERENCES identity_providers (id),
    -- What the provider knows them by
    subject      TEXT COLLATE "C" NOT NULL,
    applicant_id TEXT COLLATE "C" NOT NULL REFERENCES applicants (id),
    linked_at    BIGINT NOT NULL,
    PRIMARY KEY (provider_id, subject)
);
CREATE UNIQUE INDEX applicant_identities_applicant ON applicant_identities (applicant_id, provider_id);
