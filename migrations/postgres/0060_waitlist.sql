-- Twin of migrations/sqlite/0060_waitlist.sql.

-- Applications that wait for a place of an intake. A row stays when its application has left the line, so that it comes
-- back to where it was.
CREATE TABLE waitlist (
    application_id TEXT PRIMARY KEY REFERENCES applications (id),
    -- YYYY-MM
    intake         TEXT NOT NULL,
    -- The place given by hand, lower first; NULL: in the order of joining
    priority       BIGINT,
    joined_at      BIGINT NOT NULL,
    joined_by      TEXT NOT NULL REFERENCES staff (id),
    -- The drafted acceptance with which it joined
    decision_id    TEXT NOT NULL,
    left_at        BIGINT,
    -- The act by which it left
    left_how       TEXT
);
CREATE INDEX waitlist_line ON waitlist (intake, joined_at) WHERE left_at IS NULL;

-- A row for each program and intake whose places were ever counted. Whoever takes a place locks it first.
CREATE TABLE counted_intakes (
    program TEXT NOT NULL CHECK (program IN ('ba', 'msc')),
    intake  TEXT NOT NULL,
    PRIMARY KEY (program, intake)
);

-- Whoever may hold a place of an intake is found by it.
CREATE INDEX decisions_places ON decisions (intake, application_id) WHERE state = 'released' AND outcome = 'accept';
CREATE INDEX deferrals_intake ON deferrals (intake, application_id) WHERE state IN ('granted', 'ended');
