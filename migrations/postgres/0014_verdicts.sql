-- Twin of migrations/sqlite/0014_verdicts.sql.

-- When a draft is released by itself, and in whose name.
ALTER TABLE decisions ADD COLUMN release_at BIGINT;
ALTER TABLE decisions ADD COLUMN release_by TEXT REFERENCES staff (id);
CREATE INDEX decisions_waiting ON decisions (drafted_at, id) WHERE state = 'draft';
CREATE INDEX decisions_held ON decisions (released_at, id) WHERE state = 'released';

-- When somebody of the staff can be met: what bookable times are made from.
CREATE TABLE interview_rules (
    staff_id   TEXT PRIMARY KEY REFERENCES staff (id),
    -- IANA; the clock that the times are on
    time_zone  TEXT NOT NULL,
    minutes    BIGINT NOT NULL CHECK (minutes > 0),
    -- Minutes between two interviews
    buffer     BIGINT NOT NULL CHECK (buffer >= 0),
    -- Hours that applicants book ahead at least
    notice     BIGINT NOT NULL CHECK (notice >= 0),
    -- JSON list of weekday (1 is Monday), start and end
    weekly     TEXT NOT NULL,
    -- JSON list of day, start and end; a day off has neither
    exceptions TEXT NOT NULL,
    revision   BIGINT NOT NULL,
    changed_by TEXT NOT NULL REFERENCES staff (id),
    changed_at BIGINT NOT NULL
);

ALTER TABLE interview_slots ADD COLUMN by_rule BIGINT NOT NULL DEFAULT 0 CHECK (by_rule IN (0, 1));
-- Hours that applicants book it ahead at least
ALTER TABLE interview_slots ADD COLUMN notice BIGINT NOT NULL DEFAULT 0;
-- Not offered any more since; its row stays for the interviews that were booked in it.
ALTER TABLE interview_slots ADD COLUMN closed_at BIGINT;

-- The secret address at which a calendar program reads somebody's interviews.
CREATE TABLE calendar_feeds (
    staff_id   TEXT PRIMARY KEY REFERENCES staff (id),
    digest     TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX calendar_feeds_digest ON calendar_feeds (digest);

-- What an interviewer thought of somebody whom they met.
CREATE TABLE score_sheets (
    interview_id   TEXT PRIMARY KEY REFERENCES interviews (id),
    -- JSON list of criterion and points
    points         TEXT NOT NULL,
    recommendation TEXT NOT NULL CHECK (recommendation IN ('accept', 'unsure', 'reject')),
    comment        TEXT,
    revision       BIGINT NOT NULL,
    written_by     TEXT NOT NULL REFERENCES staff (id),
    written_at     BIGINT NOT NULL
);
