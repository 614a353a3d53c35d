-- Twin of migrations/postgres/0033_storage_claim.sql.

-- Which database this is, and what the marker in its storage says: one row, once a server has looked.
CREATE TABLE storage_claim (
    id           INTEGER PRIMARY KEY CHECK (id = 1),
    database_id  TEXT NOT NULL,
    -- What the marker is to say. None before there was a storage.
    stamp        TEXT,
    -- What it said before, in case that the newest never got there.
    former_stamp TEXT,
    stamped_at   INTEGER NOT NULL,
    -- Why the storage is taken for another database's.
    strange      TEXT,
    -- Why the last comparison of the storage with the rows stopped.
    stopped      TEXT
) STRICT;

-- Objects of the storage that no row names.
CREATE TABLE storage_unnamed (
    object    TEXT PRIMARY KEY,
    found_at  INTEGER NOT NULL,
    -- When it may be deleted. None: never.
    goes_at   INTEGER,
    -- 1 when somebody, or a row that is gone, said what becomes of it; 0 when it was only found.
    confirmed INTEGER NOT NULL
) STRICT;
