-- Twin of migrations/sqlite/0004_questionnaires.sql.

-- The questions that staff ask the applicants of a program, version by version. What was published is never changed.
CREATE TABLE questionnaires (
    id           TEXT PRIMARY KEY,
    program      TEXT NOT NULL CHECK (program IN ('ba', 'msc')),
    -- Counts up for each program, from 1.
    version      BIGINT NOT NULL CHECK (version > 0),
    state        TEXT NOT NULL CHECK (state IN ('draft', 'published', 'retired')),
    -- JSON object
    definition   TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    published_at BIGINT
);
CREATE UNIQUE INDEX questionnaires_version ON questionnaires (program, version);
CREATE UNIQUE INDEX questionnaires_published ON questionnaires (program) WHERE state = 'published';

-- What staff ask an applicant to change after the submission.
CREATE TABLE change_requests (
    id             TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id),
    -- JSON array of the sections that are open for it
    sections       TEXT NOT NULL,
    message        TEXT NOT NULL,
    -- The last day for it: 2026-05-31
    due_on         TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    -- When it was met or taken back
    closed_at      BIGINT
);
CREATE UNIQUE INDEX change_requests_open ON change_requests (application_id) WHERE closed_at IS NULL;
