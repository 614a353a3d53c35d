-- Twin of migrations/sqlite/0053_sign_on.sql.

-- Identity providers, which staff log in with.
CREATE TABLE identity_providers (
    id              TEXT COLLATE "C" PRIMARY KEY,
    name            TEXT NOT NULL,
    issuer          TEXT NOT NULL,
    client_id       TEXT NOT NULL,
    -- Sealed with the program's secret
    client_secret   TEXT NOT NULL,
    role_claim      TEXT NOT NULL,
    -- JSON: groups by role, and the role of everybody else
    roles           TEXT NOT NULL,
    -- 1 if it asks for a second factor
    second_factor   BIGINT NOT NULL CHECK (second_factor IN (0, 1)),
    -- 1 if its emails count as verified although its tokens do not say so
    verified_emails BIGINT NOT NULL CHECK (verified_emails IN (0, 1)),
    created_at      BIGINT NOT NULL,
    created_by      TEXT COLLATE "C" NOT NULL REFERENCES staff (id)
);

-- Who logs in with one.
CREATE TABLE staff_identities (
    provider_id TEXT COLLATE "C" NOT NULL REFERENCES identity_providers (id),
    -- What the provider knows them by
    subject     TEXT COLLATE "C" NOT NULL,
    staff_id    TEXT COLLATE "C" NOT NULL REFERENCES staff (id),
    linked_at   BIGINT NOT NULL,
    PRIMARY KEY (provider_id, subject)
);
CREATE INDEX staff_identities_staff ON staff_identities (staff_id);

-- The provider that opened a session, and what it calls its own.
ALTER TABLE staff_sessions ADD COLUMN provider_id TEXT COLLATE "C" REFERENCES identity_providers (id);
ALTER TABLE staff_sessions ADD COLUMN provider_session TEXT;
CREATE INDEX staff_sessions_provider ON staff_sessions (provider_id) WHERE provider_id IS NOT NULL;
