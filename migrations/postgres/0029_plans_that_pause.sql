-- Twin of migrations/sqlite/0029_plans_that_pause.sql.

-- Instalments that are due later because studies were put off. The plan keeps its first date; each row moves what was not
-- settled then, oldest first.
CREATE TABLE plan_pauses (
    application_id  TEXT NOT NULL REFERENCES funding_plans (application_id),
    -- Counts up from 1 for each application
    number          BIGINT NOT NULL CHECK (number > 0),
    -- The first instalment that moved
    from_instalment BIGINT NOT NULL CHECK (from_instalment > 0),
    months          BIGINT NOT NULL CHECK (months > 0),
    moved_at        BIGINT NOT NULL,
    PRIMARY KEY (application_id, number)
);

-- What applicants were told of instalments that no card pays: each once for the day on which it is due.
CREATE TABLE payment_reminders (
    application_id TEXT NOT NULL REFERENCES applications (id),
    -- instalment-1
    line           TEXT NOT NULL,
    -- before, overdue-1, overdue-2, overdue-3
    kind           TEXT NOT NULL,
    -- YYYY-MM-DD
    due_on         TEXT NOT NULL,
    told_at        BIGINT NOT NULL,
    PRIMARY KEY (application_id, line, kind, due_on)
);
