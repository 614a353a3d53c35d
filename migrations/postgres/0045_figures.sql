-- Twin of migrations/sqlite/0045_figures.sql.

-- When applications were started, and how far they are: figures are counted in it alone.
CREATE INDEX applications_created ON applications (created_at, program, stage, id);

-- A view of the figures that somebody named. Everybody has it.
CREATE TABLE figure_reports (
    id         TEXT COLLATE "C" PRIMARY KEY,
    staff_id   TEXT COLLATE "C" NOT NULL REFERENCES staff (id),
    name       TEXT NOT NULL,
    -- The query of its address
    query      TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX figure_reports_name ON figure_reports (name);

-- Who gets a report by mail every week, and when the next time is.
CREATE TABLE figure_report_mails (
    report_id TEXT COLLATE "C" NOT NULL REFERENCES figure_reports (id),
    staff_id  TEXT COLLATE "C" NOT NULL REFERENCES staff (id),
    due_at    BIGINT NOT NULL,
    PRIMARY KEY (report_id, staff_id)
);
CREATE INDEX figure_report_mails_due ON figure_report_mails (due_at);
