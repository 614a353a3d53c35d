-- Twin of migrations/sqlite/0019_duplicates.sql.

-- What staff found out about two applications that may be of one person. Taken back, a row is deleted; the record tells.
CREATE TABLE duplicates (
    -- The smaller id first, so that a pair has one row.
    one_id    TEXT NOT NULL REFERENCES applications (id),
    other_id  TEXT NOT NULL REFERENCES applications (id),
    -- The one that goes on; null for two people.
    kept_id   TEXT REFERENCES applications (id),
    -- Whether the other one was withdrawn for it, which taking it back undoes.
    withdrew  BIGINT NOT NULL CHECK (withdrew IN (0, 1)),
    judged_by TEXT NOT NULL REFERENCES staff (id),
    judged_at BIGINT NOT NULL,
    PRIMARY KEY (one_id, other_id)
);
CREATE INDEX duplicates_other ON duplicates (other_id);
CREATE INDEX applicants_phone ON applicants (phone_number);
