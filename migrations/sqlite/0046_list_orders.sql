-- Twin of migrations/postgres/0046_list_orders.sql.

-- The list in the order of interviews.
CREATE INDEX listings_tab_interview ON listings (tab, interview_at, application_id) WHERE interview_at IS NOT NULL;
CREATE INDEX listings_action_interview ON listings (interview_at, application_id)
    WHERE needs_action = 1 AND interview_at IS NOT NULL;

-- A stage of what needs action: of some stages nearly nothing does, and all of them would be looked through for it.
CREATE INDEX listings_action_stage_waiting ON listings (stage, waiting_since, application_id) WHERE needs_action = 1;
CREATE INDEX listings_action_stage_submitted ON listings (stage, submitted_at, application_id) WHERE needs_action = 1;
CREATE INDEX listings_action_stage_name ON listings (stage, name_key, application_id) WHERE needs_action = 1;

-- What each member of staff sees of the rows of the list, unless a view says otherwise: the part of a view's address.
CREATE TABLE list_layouts (
    staff_id TEXT PRIMARY KEY REFERENCES staff (id),
    layout   TEXT NOT NULL
) STRICT;
