-- Twin of migrations/sqlite/0056_imports.sql.

-- Tables of applicants and applications that come from elsewhere.
CREATE TABLE imports (
    id          TEXT COLLATE "C" PRIMARY KEY,
    name        TEXT NOT NULL,
    format      TEXT NOT NULL,
    -- JSON: a list of texts
    headers     TEXT COLLATE "C" NOT NULL,
    -- JSON: which column is for what
    mapping     TEXT NOT NULL,
    state       TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    created_by  TEXT COLLATE "C" NOT NULL REFERENCES staff (id),
    started_at  BIGINT,
    finished_at BIGINT,
    undone_at   BIGINT
);
CREATE INDEX imports_created ON imports (created_at);

CREATE TABLE import_rows (
    import_id        TEXT COLLATE "C" NOT NULL REFERENCES imports (id),
    -- As the sheet numbers it
    number           BIGINT NOT NULL,
    -- JSON: a list of texts; null once they are no longer needed
    cells            TEXT,
    state            TEXT COLLATE "C" NOT NULL,
    -- JSON: what is wrong with it
    problems         TEXT NOT NULL,
    -- What later rows must not repeat: the address, if its application goes on here, and the former number
    active_email_key TEXT COLLATE "C",
    former_reference TEXT COLLATE "C",
    PRIMARY KEY (import_id, number)
);
CREATE INDEX import_rows_state ON import_rows (import_id, state, number);

-- Where an application comes from.
CREATE TABLE imported_applications (
    application_id   TEXT PRIMARY KEY REFERENCES applications (id),
    import_id        TEXT COLLATE "C" NOT NULL REFERENCES imports (id),
    row_number       BIGINT NOT NULL,
    former_reference TEXT COLLATE "C",
    -- The intake it was for, of one that is over
    intake           TEXT,
    -- 1 if the account was made for it
    made_account     BIGINT NOT NULL CHECK (made_account IN (0, 1)),
    imported_at      BIGINT NOT NULL
);
CREATE UNIQUE INDEX imported_applications_row ON imported_applications (import_id, row_number);
CREATE UNIQUE INDEX imported_applications_reference ON imported_applications (former_reference)
    WHERE former_reference IS NOT NULL;
