-- Twin of migrations/postgres/0007_decisions.sql.

-- The latest release of a decision, and the stage before it: what the applicant sees until the hold is over.
ALTER TABLE applications ADD COLUMN released_at INTEGER;
ALTER TABLE applications ADD COLUMN released_from TEXT;

-- What was decided, from the draft on. A decision that was released is never changed any more but in its state.
CREATE TABLE decisions (
    id             TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id),
    state          TEXT NOT NULL CHECK (state IN ('draft', 'replaced', 'released', 'recalled', 'reversed')),
    outcome        TEXT NOT NULL CHECK (outcome IN ('accept', 'reject')),
    -- JSON list of texts
    conditions     TEXT NOT NULL,
    -- JSON list of reason and whether the applicant sees it
    reasons        TEXT NOT NULL,
    -- Why there was no interview, where none was held
    waiver         TEXT,
    -- YYYY-MM
    intake         TEXT NOT NULL,
    template       TEXT NOT NULL,
    -- The letter as the applicant gets it
    letter         TEXT NOT NULL,
    drafted_by     TEXT NOT NULL REFERENCES staff (id),
    drafted_at     INTEGER NOT NULL,
    released_by    TEXT REFERENCES staff (id),
    released_at    INTEGER
) STRICT;
CREATE UNIQUE INDEX decisions_draft ON decisions (application_id) WHERE state = 'draft';
CREATE UNIQUE INDEX decisions_released ON decisions (application_id) WHERE state = 'released';
CREATE INDEX decisions_application ON decisions (application_id, drafted_at);

-- The place that a released acceptance offers, and what the applicant replied.
CREATE TABLE offers (
    decision_id TEXT PRIMARY KEY REFERENCES decisions (id),
    opened_at   INTEGER NOT NULL,
    -- The first moment at which it cannot be replied to any more
    open_until  INTEGER NOT NULL,
    reply       TEXT CHECK (reply IN ('accept', 'decline')),
    reason      TEXT,
    replied_at  INTEGER
) STRICT;

-- Wishes to start later, and those that were granted.
CREATE TABLE deferrals (
    id             TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id),
    state          TEXT NOT NULL CHECK (state IN ('asked', 'answered', 'granted', 'ended')),
    -- YYYY-MM
    intake         TEXT NOT NULL,
    reason         TEXT,
    created_at     INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX deferrals_asked ON deferrals (application_id) WHERE state = 'asked';
CREATE UNIQUE INDEX deferrals_granted ON deferrals (application_id) WHERE state = 'granted';
CREATE INDEX deferrals_application ON deferrals (application_id, created_at);
