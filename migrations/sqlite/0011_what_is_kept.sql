-- Twin of migrations/postgres/0011_what_is_kept.sql.

-- When the applicant was last told that the untouched draft is going to be deleted.
ALTER TABLE applications ADD COLUMN draft_warned_at INTEGER;
-- By what no save changes, so that saving stays as cheap as it is.
CREATE INDEX applications_drafts ON applications (created_at) WHERE stage = 'draft';

-- Why a wish to start later was not granted, for the applicant, and when that was said.
ALTER TABLE deferrals ADD COLUMN refusal TEXT;
ALTER TABLE deferrals ADD COLUMN refused_at INTEGER;

-- Whom a mail is about that goes to somebody else, so that it can be erased with them.
ALTER TABLE outbox ADD COLUMN about_applicant_id TEXT REFERENCES applicants (id);
CREATE INDEX outbox_about ON outbox (about_applicant_id) WHERE about_applicant_id IS NOT NULL;
UPDATE outbox SET about_applicant_id = (SELECT a.applicant_id FROM applications a
    WHERE a.reference IS NOT NULL AND outbox.body_text LIKE '%' || a.reference || '%' LIMIT 1)
    WHERE template LIKE 'interviewer-%';

-- Why, in the applicant's own words. They leave the record of who did what, where nothing can ever be erased.
ALTER TABLE stage_changes ADD COLUMN reason TEXT;
UPDATE stage_changes SET reason = (SELECT json_extract(a.detail, '$.reason') FROM audit a
    WHERE a.subject = 'application:' || stage_changes.application_id AND a.happened_at = stage_changes.happened_at
    AND a.action IN ('application.withdrawn', 'interview.cancelled') LIMIT 1)
    WHERE act IN ('withdraw', 'cancel');
DROP TRIGGER audit_no_update;
UPDATE audit SET detail = json_remove(detail, '$.reason')
    WHERE action IN ('application.withdrawn', 'interview.cancelled', 'offer.declined', 'offer.accepted');
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;

-- Numbers that an application was called by before it moved to the other program. They still find it.
CREATE TABLE former_references (
    reference      TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id)
) STRICT;
CREATE INDEX former_references_application ON former_references (application_id);
