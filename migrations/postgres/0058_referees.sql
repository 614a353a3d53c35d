-- Twin of migrations/sqlite/0058_referees.sql.

-- Whom applicants have named as referees, and what these have told us.
CREATE TABLE referees (
    id             TEXT COLLATE "C" PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id),
    name           TEXT NOT NULL,
    email          TEXT NOT NULL,
    email_key      TEXT NOT NULL,
    relationship   TEXT NOT NULL,
    -- Empty if none was given
    organization   TEXT NOT NULL,
    language       TEXT NOT NULL,
    -- 1 if the applicant waived the right to read the reference
    waived         BIGINT NOT NULL CHECK (waived IN (0, 1)),
    state          TEXT NOT NULL CHECK (state IN ('named', 'asked', 'received', 'declined', 'removed')),
    created_at     BIGINT NOT NULL,
    asked_at       BIGINT,
    reminded_at    BIGINT,
    -- Scheduled reminders that are behind us
    reminders      BIGINT NOT NULL DEFAULT 0,
    opened_at      BIGINT,
    finished_at    BIGINT,
    -- SHA-256 of the secret in the link, hexadecimal
    digest         TEXT,
    -- The secret itself, sealed, for reminders
    link           TEXT,
    -- Program and version of the questionnaire that they answer, once they have begun
    program        TEXT CHECK (program IN ('ba', 'msc')),
    version        BIGINT,
    -- JSON, as answers of applicants
    answers        TEXT NOT NULL DEFAULT '{}',
    -- Why they declined
    reason         TEXT NOT NULL DEFAULT '',
    letter_name    TEXT,
    letter_object  TEXT,
    letter_size    BIGINT,
    letter_hash    TEXT
);
CREATE INDEX referees_application ON referees (application_id, created_at);
CREATE UNIQUE INDEX referees_email ON referees (application_id, email_key)
    WHERE state IN ('named', 'asked', 'received');
CREATE UNIQUE INDEX referees_digest ON referees (digest);
CREATE INDEX referees_letter ON referees (letter_object) WHERE letter_object IS NOT NULL;
CREATE INDEX referees_waiting ON referees (state, asked_at) WHERE state IN ('named', 'asked');

-- The version of the questionnaire that was asked when the application was submitted, and how many references it needs
-- by that.
ALTER TABLE applications ADD COLUMN references_version BIGINT;
ALTER TABLE applications ADD COLUMN references_needed BIGINT NOT NULL DEFAULT 0;
