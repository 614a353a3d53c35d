//! Confirmation of the address of a new account.

use super::Db;
use super::outbox::confirm_address;
use super::query::{Tx, args};
use super::rows::{ApplicantRow, applicant_columns};
use crate::{AuditEntry, NewMail, Stored};
use domain::account::Applicant;
use domain::moments::Millis;

/// A link sent by mail.
#[derive(Debug, Clone)]
pub struct MailedLink {
    /// Digest of its secret.
    pub digest: String,
    pub expires_at: Millis,
}

impl Db {
    /// Stores a new link to confirm the account's address; older ones no longer work. Returns false if it is already
    /// confirmed.
    pub async fn renew_email_confirmation(
        &self,
        applicant_id: &str,
        link: &MailedLink,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "SELECT id FROM applicants WHERE id = $1 AND email_confirmed_at IS NULL AND closed_at IS NULL";
        let unconfirmed: Vec<(String,)> = tx.fetch_all(sql, args![applicant_id]).await?;
        if unconfirmed.is_empty() {
            return Ok(false);
        }
        put_email_confirmation(&mut tx, applicant_id, link).await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns whose address a mailed secret confirms, even after it has. Confirms nothing.
    pub async fn email_confirmation_owner(&self, digest: &str, now: Millis) -> Stored<Option<Applicant>> {
        let sql = concat!(
            "SELECT ",
            applicant_columns!(),
            " FROM email_confirmations JOIN applicants ON applicants.id = applicant_id \
             WHERE digest = $1 AND expires_at > $2"
        );
        let row: Option<ApplicantRow> = self.fetch_optional(sql, args![digest, now]).await?;
        row.map(Applicant::try_from).transpose()
    }

    /// Confirms the address, and sends what was held back in the last week. Returns false if it is already confirmed,
    /// or the link no longer works.
    pub async fn confirm_email(&self, digest: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "SELECT applicant_id FROM email_confirmations WHERE digest = $1 AND expires_at > $2";
        let found: Vec<(String,)> = tx.fetch_all(sql, args![digest, audit.at]).await?;
        let Some((applicant_id,)) = found.first() else { return Ok(false) };
        if !confirm_address(&mut tx, applicant_id, audit.at).await? {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }
}

/// Stores one row per account, so that only the newest link works. It stays until it expires: a second click finds that
/// all is well.
pub(super) async fn put_email_confirmation(tx: &mut Tx, applicant_id: &str, link: &MailedLink) -> Stored<()> {
    let MailedLink { digest, expires_at } = link;
    tx.execute(
        "INSERT INTO email_confirmations (applicant_id, digest, expires_at) VALUES ($1, $2, $3) \
         ON CONFLICT (applicant_id) DO UPDATE SET digest = excluded.digest, expires_at = excluded.expires_at",
        args![applicant_id, digest, *expires_at],
    )
    .await?;
    Ok(())
}

/// Removes the links, which went to an address that the account no longer has.
pub(super) async fn drop_email_confirmation(tx: &mut Tx, applicant_id: &str) -> Stored<()> {
    tx.execute("DELETE FROM email_confirmations WHERE applicant_id = $1", args![applicant_id]).await?;
    Ok(())
}
