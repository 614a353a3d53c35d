-- Twin of migrations/postgres/0044_readings.sql.

-- Who is asked to read an application and to score it by the rubric of its program, and what they say.
CREATE TABLE readings (
    application_id TEXT NOT NULL REFERENCES applications (id),
    reader_id      TEXT NOT NULL REFERENCES staff (id),
    asked_by       TEXT NOT NULL REFERENCES staff (id),
    asked_at       INTEGER NOT NULL,
    -- The last day on which it is expected: YYYY-MM-DD
    due_on         TEXT,
    -- All below is null until it is sent.
    sent_at        INTEGER,
    scale          INTEGER,
    -- The criteria as they were, with their points: JSON
    points         TEXT,
    -- The weighted mean in thousandths of what was to be had
    score          INTEGER,
    recommendation TEXT,
    comment        TEXT,
    PRIMARY KEY (application_id, reader_id)
) STRICT;
CREATE INDEX readings_of_reader ON readings (reader_id, sent_at);
