-- Twin of migrations/sqlite/0016_questionnaires_and_settings.sql.

-- Who of the staff published it; null for the first questions of a product.
ALTER TABLE questionnaires ADD COLUMN published_by TEXT REFERENCES staff (id);
-- The earlier version whose questions these are again.
ALTER TABLE questionnaires ADD COLUMN restored_from BIGINT;
-- Put away: listed apart from the others.
ALTER TABLE questionnaires ADD COLUMN archived_at BIGINT;

-- The questions of a program that staff are writing: at most one draft for each.
CREATE TABLE questionnaire_drafts (
    program    TEXT PRIMARY KEY CHECK (program IN ('ba', 'msc')),
    revision   BIGINT NOT NULL CHECK (revision > 0),
    -- JSON object by src/domain/questionnaire/draft.rs, as it was typed: it may hold mistakes.
    content    TEXT NOT NULL,
    changed_at BIGINT NOT NULL,
    changed_by TEXT NOT NULL REFERENCES staff (id)
);

-- What Owners set, version by version; the highest version of a name holds. Rows are added and never changed.
CREATE TABLE settings (
    -- By src/domain/settings
    name          TEXT NOT NULL,
    version       BIGINT NOT NULL CHECK (version > 0),
    -- JSON object
    value         TEXT NOT NULL,
    changed_at    BIGINT NOT NULL,
    changed_by    TEXT NOT NULL REFERENCES staff (id),
    -- The earlier version whose value this is again; 0 for what the product came with.
    restored_from BIGINT,
    PRIMARY KEY (name, version)
);

-- The record is searched by who did it, and by time.
CREATE INDEX audit_actor ON audit (actor, happened_at);
CREATE INDEX audit_newest ON audit (happened_at, id);

-- How often a field of a form was filled in so that it was not taken. Counts alone: nothing of what was typed, and nobody.
CREATE TABLE field_errors (
    -- 2026-05-31, UTC
    day    TEXT NOT NULL,
    -- The field, as errors name it
    path   TEXT NOT NULL,
    errors BIGINT NOT NULL,
    PRIMARY KEY (day, path)
);
