-- Twin of migrations/postgres/0006_interviews.sql.

-- Times that a member of staff can be met at.
CREATE TABLE interview_slots (
    id         TEXT PRIMARY KEY,
    staff_id   TEXT NOT NULL REFERENCES staff (id),
    starts_at  INTEGER NOT NULL,
    minutes    INTEGER NOT NULL CHECK (minutes > 0),
    created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX interview_slots_staff ON interview_slots (staff_id, starts_at);
CREATE INDEX interview_slots_start ON interview_slots (starts_at, id);

-- Whose a slot is. Its key is what lets nobody else have it.
CREATE TABLE slot_claims (
    slot_id        TEXT PRIMARY KEY REFERENCES interview_slots (id),
    application_id TEXT NOT NULL REFERENCES applications (id),
    -- Kept until then for somebody who is making up their mind; null for an interview.
    held_until     INTEGER
) STRICT;
CREATE INDEX slot_claims_application ON slot_claims (application_id);

-- Every booking there was, as the calendar entry that it is: moved in place, and kept when its slot is freed.
CREATE TABLE interviews (
    id             TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id),
    slot_id        TEXT NOT NULL REFERENCES interview_slots (id),
    -- Of the calendar entry; rises with every change.
    sequence       INTEGER NOT NULL,
    -- How often the applicant has moved it.
    moves          INTEGER NOT NULL,
    booked_at      INTEGER NOT NULL,
    -- Cancelled, or not needed any more: the slot is not its own since.
    freed_at       INTEGER,
    outcome        TEXT CHECK (outcome IN ('held', 'no_show'))
) STRICT;
CREATE UNIQUE INDEX interviews_slot ON interviews (slot_id) WHERE freed_at IS NULL;
CREATE UNIQUE INDEX interviews_open ON interviews (application_id) WHERE freed_at IS NULL AND outcome IS NULL;
CREATE INDEX interviews_application ON interviews (application_id, booked_at, id);

-- Times that an applicant wishes for, until an interview is booked.
CREATE TABLE interview_wishes (
    application_id TEXT PRIMARY KEY REFERENCES applications (id),
    first_at       INTEGER NOT NULL,
    second_at      INTEGER NOT NULL,
    third_at       INTEGER NOT NULL,
    sent_at        INTEGER NOT NULL
) STRICT;

-- JSON: name, contentType, text. Null without one.
ALTER TABLE outbox ADD COLUMN attachment TEXT;
