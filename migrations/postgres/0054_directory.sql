-- Twin of migrations/sqlite/0054_directory.sql.

-- The token that an identity provider sends its users and groups with, as a digest; null if it does not.
ALTER TABLE identity_providers ADD COLUMN scim_token TEXT COLLATE "C";
ALTER TABLE identity_providers ADD COLUMN scim_token_at BIGINT;
ALTER TABLE identity_providers ADD COLUMN scim_used_at BIGINT;
-- Grows with each change of the users and groups
ALTER TABLE identity_providers ADD COLUMN directory_version BIGINT NOT NULL DEFAULT 0;
-- 1 if the rules for roles have changed since accounts last followed them
ALTER TABLE identity_providers ADD COLUMN accounts_due BIGINT NOT NULL DEFAULT 0 CHECK (accounts_due IN (0, 1));
CREATE UNIQUE INDEX identity_providers_scim ON identity_providers (scim_token) WHERE scim_token IS NOT NULL;

-- The users of a provider.
CREATE TABLE directory_users (
    id           TEXT COLLATE "C" PRIMARY KEY,
    provider_id  TEXT COLLATE "C" NOT NULL REFERENCES identity_providers (id),
    -- What the provider knows them by
    external_id  TEXT,
    user_name    TEXT NOT NULL,
    email        TEXT NOT NULL,
    display_name TEXT NOT NULL,
    given_name   TEXT NOT NULL,
    family_name  TEXT NOT NULL,
    active       BIGINT NOT NULL CHECK (active IN (0, 1)),
    -- Their account, once they have had a role
    staff_id     TEXT COLLATE "C" REFERENCES staff (id),
    created_at   BIGINT NOT NULL,
    changed_at   BIGINT NOT NULL
);
CREATE INDEX directory_users_provider ON directory_users (provider_id);
CREATE INDEX directory_users_staff ON directory_users (staff_id) WHERE staff_id IS NOT NULL;

-- Its groups.
CREATE TABLE directory_groups (
    id          TEXT COLLATE "C" PRIMARY KEY,
    provider_id TEXT COLLATE "C" NOT NULL REFERENCES identity_providers (id),
    external_id TEXT,
    name        TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    changed_at  BIGINT NOT NULL
);
CREATE INDEX directory_groups_provider ON directory_groups (provider_id);

CREATE TABLE directory_members (
    group_id TEXT COLLATE "C" NOT NULL REFERENCES directory_groups (id),
    user_id  TEXT COLLATE "C" NOT NULL REFERENCES directory_users (id),
    PRIMARY KEY (group_id, user_id)
);
CREATE INDEX directory_members_user ON directory_members (user_id);

-- The provider that suspended an account, so that it can resume it; null if an Owner did. Without a foreign key, which
-- would be a circle: a provider refers to whoever added it.
ALTER TABLE staff ADD COLUMN suspended_by TEXT COLLATE "C";
