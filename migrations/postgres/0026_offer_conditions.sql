-- Twin of migrations/sqlite/0026_offer_conditions.sql.

-- What staff found out about each condition of an offer. Of a condition without a row nothing is known yet; the record tells
-- what a row said before.
CREATE TABLE offer_conditions (
    decision_id TEXT NOT NULL REFERENCES decisions (id),
    -- Its place in the decision's list, from 1
    number      BIGINT NOT NULL CHECK (number > 0),
    state       TEXT NOT NULL CHECK (state IN ('met', 'waived', 'failed')),
    -- What shows that it is met, or why it is waived or failed
    note        TEXT NOT NULL,
    -- Counts up from 1 with every change
    revision    BIGINT NOT NULL,
    judged_by   TEXT NOT NULL REFERENCES staff (id),
    judged_at   BIGINT NOT NULL,
    PRIMARY KEY (decision_id, number)
);
CREATE INDEX applications_accepted ON applications (id) WHERE stage = 'confirmed';
