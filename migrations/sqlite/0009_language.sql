-- Twin of migrations/postgres/0009_language.sql.

-- What mails to the applicant are written in, and pages where no other language was chosen.
ALTER TABLE applicants ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
