-- Twin of migrations/postgres/0057_inquiries.sql.

-- People who want to hear from us before they apply: one row for each address.
CREATE TABLE prospects (
    id                TEXT PRIMARY KEY,
    email             TEXT NOT NULL,
    -- What they are compared by: address and first name in lower case
    email_key         TEXT NOT NULL,
    name_key          TEXT NOT NULL DEFAULT '',
    -- Empty if they gave none
    first_name        TEXT NOT NULL,
    program           TEXT NOT NULL CHECK (program IN ('ba', 'msc')),
    wants_openings    INTEGER NOT NULL CHECK (wants_openings IN (0, 1)),
    wants_brochure    INTEGER NOT NULL CHECK (wants_brochure IN (0, 1)),
    language          TEXT NOT NULL,
    -- What was asked last, until it is confirmed
    asked_at          INTEGER,
    asked_first_name  TEXT,
    asked_program     TEXT CHECK (asked_program IN ('ba', 'msc')),
    asked_openings    INTEGER CHECK (asked_openings IN (0, 1)),
    asked_brochure    INTEGER CHECK (asked_brochure IN (0, 1)),
    asked_language    TEXT,
    -- SHA-256 of the secret that was mailed last to confirm it, hexadecimal
    confirm_digest    TEXT,
    confirm_until     INTEGER,
    -- The secret that mails carry
    unsubscribe_token TEXT NOT NULL,
    -- Code of the latest intake that they have heard of; empty before they confirm
    known_intake      TEXT NOT NULL,
    told_at           INTEGER,
    created_at        INTEGER NOT NULL,
    confirmed_at      INTEGER,
    last_act_at       INTEGER NOT NULL,
    -- Who they became
    applicant_id      TEXT REFERENCES applicants (id)
) STRICT;
CREATE UNIQUE INDEX prospects_email ON prospects (email_key);
CREATE UNIQUE INDEX prospects_confirm ON prospects (confirm_digest);
CREATE UNIQUE INDEX prospects_unsubscribe ON prospects (unsubscribe_token);
CREATE INDEX prospects_created ON prospects (created_at, id);
CREATE INDEX prospects_applicant ON prospects (applicant_id) WHERE applicant_id IS NOT NULL;

-- Days on which people come to see the institute.
CREATE TABLE open_days (
    id           TEXT PRIMARY KEY,
    title        TEXT NOT NULL,
    title_es     TEXT,
    -- NULL: both
    program      TEXT CHECK (program IN ('ba', 'msc')),
    starts_at    INTEGER NOT NULL,
    minutes      INTEGER NOT NULL,
    -- An address, or the link to a video call
    place        TEXT NOT NULL,
    places       INTEGER NOT NULL CHECK (places > 0),
    cancelled_at INTEGER,
    -- Increases with each change, also in calendars
    sequence     INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    created_by   TEXT NOT NULL REFERENCES staff (id)
) STRICT;
CREATE INDEX open_days_start ON open_days (starts_at, id);

-- Who has booked: one row for each address and day. Whoever changes the places of a day locks its row first.
CREATE TABLE open_day_bookings (
    id           TEXT PRIMARY KEY,
    open_day_id  TEXT NOT NULL REFERENCES open_days (id),
    email        TEXT NOT NULL,
    -- The address in lower case
    email_key    TEXT NOT NULL,
    first_name   TEXT NOT NULL,
    last_name    TEXT NOT NULL,
    people       INTEGER NOT NULL CHECK (people > 0),
    language     TEXT NOT NULL,
    -- The secret that mails carry
    token        TEXT NOT NULL,
    -- Increases with each change, also in calendars
    sequence     INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    reminded_at  INTEGER,
    cancelled_at INTEGER,
    -- NULL until somebody has noted it
    came         INTEGER CHECK (came IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX open_day_bookings_email ON open_day_bookings (open_day_id, email_key);
CREATE UNIQUE INDEX open_day_bookings_token ON open_day_bookings (token);
CREATE INDEX open_day_bookings_person ON open_day_bookings (email_key);

-- Where a mail program ends such mails without asking anybody (RFC 8058).
ALTER TABLE outbox ADD COLUMN unsubscribe_url TEXT;
-- Mails to people without an account, which are deleted once we know nobody with the address.
CREATE INDEX outbox_strangers ON outbox (created_at) WHERE template IN ('inquiry-confirmation', 'brochure', 'openings',
    'open-day-booked', 'open-day-changed', 'open-day-reminder', 'open-day-cancelled', 'open-day-booking-cancelled');
