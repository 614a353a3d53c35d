-- Twin of migrations/postgres/0015_list_views.sql.

-- A view of the list that somebody named. Whoever made it has it; the shared ones everybody has.
CREATE TABLE list_views (
    id         TEXT PRIMARY KEY,
    staff_id   TEXT NOT NULL REFERENCES staff (id),
    name       TEXT NOT NULL,
    -- The query of its address.
    query      TEXT NOT NULL,
    shared     INTEGER NOT NULL CHECK (shared IN (0, 1)),
    created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX list_views_name ON list_views (staff_id, name);
CREATE INDEX list_views_shared ON list_views (name) WHERE shared = 1;

-- The stage, for figures: each is counted in an index alone.
ALTER TABLE listings ADD COLUMN stage TEXT NOT NULL DEFAULT '';
UPDATE listings SET stage = (SELECT a.stage FROM applications a WHERE a.id = listings.application_id);
CREATE INDEX listings_stage_submitted ON listings (stage, submitted_at);
CREATE INDEX listings_stage_waiting ON listings (stage, waiting_since);
CREATE INDEX applications_released ON applications (released_at, submitted_at, stage) WHERE released_at IS NOT NULL;

-- What rows are put in order by stands with their facets, so that the rows of one facet are read in order too. Words that
-- are searched for begin with w: and have no such index.
ALTER TABLE listing_terms ADD COLUMN submitted_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE listing_terms ADD COLUMN waiting_since INTEGER NOT NULL DEFAULT 0;
ALTER TABLE listing_terms ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
UPDATE listing_terms SET (submitted_at, waiting_since, name_key) = (SELECT l.submitted_at, l.waiting_since, l.name_key
    FROM listings l WHERE l.application_id = listing_terms.application_id)
    WHERE term < 'w:';
CREATE INDEX listing_terms_submitted ON listing_terms (term, submitted_at, application_id) WHERE term < 'w:';
CREATE INDEX listing_terms_waiting ON listing_terms (term, waiting_since, application_id) WHERE term < 'w:';
CREATE INDEX listing_terms_name ON listing_terms (term, name_key, application_id) WHERE term < 'w:';
