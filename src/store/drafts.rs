//! Abandoned drafts.

use super::Db;
use super::query::{Tx, args};
use super::rows::{OwnedRow, applicant_columns, application_columns};
use crate::{NewMail, Stored};
use domain::account::Applicant;
use domain::application::Application;
use domain::moments::Millis;

/// Drafts with their applicants.
macro_rules! drafts {
    ($condition:literal) => {
        concat!(
            "SELECT ",
            applicant_columns!(),
            ", ",
            application_columns!(),
            " FROM applications JOIN applicants ON applicants.id = applications.applicant_id \
             WHERE applications.stage = 'draft' AND applications.submitted_at IS NULL AND ",
            $condition,
            " ORDER BY applications.created_at, applications.id LIMIT $2"
        )
    };
}

fn read(rows: Vec<OwnedRow>) -> Stored<Vec<(Applicant, Application)>> {
    rows.into_iter().map(|row| Ok((row.applicant.try_into()?, row.application.try_into()?))).collect()
}

/// Drafts that were never submitted. Saving answers, sending a file, naming a referee and a reference touch a draft.
impl Db {
    /// Returns drafts that nobody has touched since `before` and whose applicants were not warned, oldest first.
    pub async fn untouched_drafts(&self, before: Millis, limit: i64) -> Stored<Vec<(Applicant, Application)>> {
        let sql = drafts!(
            "applications.created_at < $1 AND applications.updated_at < $1 AND NOT EXISTS \
             (SELECT 1 FROM documents d WHERE d.applicant_id = applications.applicant_id AND d.updated_at >= $1) \
             AND NOT EXISTS (SELECT 1 FROM referees r WHERE r.application_id = applications.id \
             AND COALESCE(r.finished_at, r.asked_at, r.created_at) >= $1) \
             AND (draft_warned_at IS NULL OR draft_warned_at <= applications.updated_at OR EXISTS \
             (SELECT 1 FROM documents d WHERE d.applicant_id = applications.applicant_id \
             AND d.updated_at >= draft_warned_at) \
             OR EXISTS (SELECT 1 FROM referees r WHERE r.application_id = applications.id \
             AND COALESCE(r.finished_at, r.asked_at, r.created_at) >= draft_warned_at))"
        );
        read(self.scan(sql, args![before, limit]).await?)
    }

    /// Notes that the applicant is warned, and writes the mail. Returns false if the draft is no longer at this
    /// revision.
    pub async fn warn_of_expiry(&self, application: &Application, mail: &NewMail, now: Millis) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE applications SET draft_warned_at = $3 WHERE id = $1 AND revision = $2 AND stage = 'draft' \
                   AND (draft_warned_at IS NULL OR draft_warned_at < $3)";
        if tx.execute(sql, args![&application.id, application.revision, now]).await? == 0 {
            return Ok(false);
        }
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns drafts whose applicants were warned before `before` and have not touched them since.
    pub async fn expired_drafts(&self, before: Millis, limit: i64) -> Stored<Vec<(Applicant, Application)>> {
        let sql = drafts!(
            "draft_warned_at < $1 AND draft_warned_at > applications.updated_at AND NOT EXISTS \
             (SELECT 1 FROM documents d WHERE d.applicant_id = applications.applicant_id \
             AND d.updated_at >= draft_warned_at) \
             AND NOT EXISTS (SELECT 1 FROM referees r WHERE r.application_id = applications.id \
             AND COALESCE(r.finished_at, r.asked_at, r.created_at) >= draft_warned_at)"
        );
        read(self.scan(sql, args![before, limit]).await?)
    }

    /// Returns the names of everything that the storage keeps for the applicant.
    pub async fn objects_of(&self, applicant_id: &str) -> Stored<Vec<String>> {
        let sql = "SELECT object FROM documents WHERE applicant_id = $1 AND object IS NOT NULL UNION ALL \
                   SELECT p.object FROM document_parts p JOIN documents d ON d.id = p.document_id \
                   WHERE d.applicant_id = $1 UNION ALL \
                   SELECT c.file_object FROM contracts c JOIN applications a ON a.id = c.application_id \
                   WHERE a.applicant_id = $1 AND c.file_object IS NOT NULL UNION ALL \
                   SELECT r.letter_object FROM referees r JOIN applications b ON b.id = r.application_id \
                   WHERE b.applicant_id = $1 AND r.letter_object IS NOT NULL";
        let rows: Vec<(String,)> = self.fetch_all(sql, args![applicant_id]).await?;
        Ok(rows.into_iter().map(|(object,)| object).collect())
    }
}

/// Removes a draft that was never submitted with all that belongs to it. The applicant's files go with it, unless they
/// may belong to an application that is on record; the caller then removes their bytes.
pub(super) async fn delete(tx: &mut Tx, application: &Application) -> Stored<()> {
    let Application { id, applicant_id, .. } = application;
    delete_application(tx, id).await?;
    for sql in [
        "DELETE FROM document_parts WHERE document_id IN (SELECT id FROM documents WHERE applicant_id = $1) \
         AND NOT EXISTS (SELECT 1 FROM applications WHERE applicant_id = $1 AND submitted_at IS NOT NULL)",
        "DELETE FROM documents WHERE applicant_id = $1 \
         AND NOT EXISTS (SELECT 1 FROM applications WHERE applicant_id = $1 AND submitted_at IS NOT NULL)",
    ] {
        tx.execute(sql, args![applicant_id]).await?;
    }
    Ok(())
}

/// Deletes an application that nobody has submitted here, with what staff and jobs keep about it.
pub(super) async fn delete_application(tx: &mut Tx, id: &str) -> Stored<()> {
    let subject = format!("application:{id}");
    for sql in ["DELETE FROM jobs WHERE subject = $1", "DELETE FROM staff_tasks WHERE subject = $1"] {
        tx.execute(sql, args![&subject]).await?;
    }
    super::imports::forget(tx, id).await?;
    for sql in [
        "DELETE FROM outbox WHERE template IN ('reference-request', 'reference-reminder') AND about_applicant_id = \
         (SELECT applicant_id FROM applications WHERE id = $1) \
         AND recipient IN (SELECT email FROM referees WHERE application_id = $1)",
        "DELETE FROM application_viewers WHERE application_id = $1",
        "DELETE FROM application_tags WHERE application_id = $1",
        "DELETE FROM listing_terms WHERE application_id = $1",
        "DELETE FROM listings WHERE application_id = $1",
        "DELETE FROM stage_changes WHERE application_id = $1",
        "DELETE FROM document_reviews WHERE application_id = $1",
        "DELETE FROM referees WHERE application_id = $1",
        "DELETE FROM applications WHERE id = $1",
    ] {
        tx.execute(sql, args![id]).await?;
    }
    Ok(())
}
