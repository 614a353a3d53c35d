-- Twin of migrations/postgres/0012_listings.sql.

-- Who of the staff looks after it.
ALTER TABLE applications ADD COLUMN assigned_to TEXT REFERENCES staff (id);

CREATE TABLE application_tags (
    application_id TEXT NOT NULL REFERENCES applications (id),
    tag            TEXT NOT NULL,
    PRIMARY KEY (application_id, tag)
) STRICT;
CREATE INDEX application_tags_tag ON application_tags (tag);

-- What the office's list is searched, filtered and put in order by. Follows from the application: it is written anew in the
-- transaction that changes one of these, and can be made again at any time.
CREATE TABLE listings (
    application_id TEXT PRIMARY KEY REFERENCES applications (id),
    -- By src/domain/listing
    tab            TEXT NOT NULL,
    needs_action   INTEGER NOT NULL CHECK (needs_action IN (0, 1)),
    name_key       TEXT NOT NULL,
    submitted_at   INTEGER NOT NULL,
    -- In its stage since then
    waiting_since  INTEGER NOT NULL,
    interview_at   INTEGER
) STRICT;
CREATE INDEX listings_waiting ON listings (waiting_since, application_id);
CREATE INDEX listings_submitted ON listings (submitted_at, application_id);
CREATE INDEX listings_name ON listings (name_key, application_id);
CREATE INDEX listings_tab_waiting ON listings (tab, waiting_since, application_id);
CREATE INDEX listings_tab_submitted ON listings (tab, submitted_at, application_id);
CREATE INDEX listings_tab_name ON listings (tab, name_key, application_id);
CREATE INDEX listings_action_waiting ON listings (waiting_since, application_id) WHERE needs_action = 1;
CREATE INDEX listings_action_submitted ON listings (submitted_at, application_id) WHERE needs_action = 1;
CREATE INDEX listings_action_name ON listings (name_key, application_id) WHERE needs_action = 1;
CREATE INDEX listings_interview ON listings (interview_at, application_id) WHERE interview_at IS NOT NULL;

CREATE TABLE listing_terms (
    term           TEXT NOT NULL,
    application_id TEXT NOT NULL REFERENCES listings (application_id) ON DELETE CASCADE,
    PRIMARY KEY (term, application_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX listing_terms_application ON listing_terms (application_id, term);
