//! Changes of an account's address.

use super::Db;
use super::accounts::{end_pending, revoke_sessions};
use super::email_confirmations::drop_email_confirmation;
use super::in_place::joined_row;
use super::listings::relist_applicant;
use super::outbox::confirm_address;
use super::prospects::become_applicant;
use super::query::args;
use super::rows::{ApplicantRow, EmailChangeRow, applicant_columns, email_change_columns};
use crate::{AuditEntry, NewMail, Stored};
use domain::account::{Applicant, EmailConfirmation};
use domain::moments::Millis;

joined_row! {
    struct ChangeAndApplicant {
        change: EmailChangeRow,
        applicant: ApplicantRow,
    }
}

/// A change of an account's address, which takes effect once both addresses have confirmed it.
#[derive(Debug, Clone)]
pub struct EmailChange {
    pub applicant_id: String,
    /// The new address.
    pub email: String,
    /// Digests of the secrets that were mailed to the two addresses.
    pub old_digest: String,
    pub new_digest: String,
    pub old_confirmed_at: Option<Millis>,
    pub new_confirmed_at: Option<Millis>,
    pub created_at: Millis,
    pub expires_at: Millis,
}

impl Db {
    /// Stores a change, in place of an older one of the account.
    pub async fn save_email_change(&self, change: &EmailChange, audit: &AuditEntry, mails: &[NewMail]) -> Stored<()> {
        let EmailChange {
            applicant_id, email, old_digest, new_digest, created_at, expires_at, old_confirmed_at, ..
        } = change;
        let mut tx = self.begin().await?;
        // One row per account, so that only the newest can ever be confirmed.
        tx.execute(
            "INSERT INTO email_changes (applicant_id, email, old_digest, new_digest, created_at, expires_at, \
             old_confirmed_at) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (applicant_id) DO UPDATE SET \
             email = excluded.email, old_digest = excluded.old_digest, new_digest = excluded.new_digest, \
             old_confirmed_at = excluded.old_confirmed_at, new_confirmed_at = NULL, created_at = excluded.created_at, expires_at = excluded.expires_at",
            args![applicant_id, email, old_digest, new_digest, *created_at, *expires_at, *old_confirmed_at],
        )
        .await?;
        tx.audit(audit).await?;
        for mail in mails {
            tx.mail(mail).await?;
        }
        tx.commit().await
    }

    /// Sets new secrets for the addresses that have not confirmed yet, and a new expiry. Returns false if no change is
    /// open.
    pub async fn renew_email_change(
        &self,
        change: &EmailChange,
        audit: &AuditEntry,
        mails: &[NewMail],
    ) -> Stored<bool> {
        let EmailChange { applicant_id, email, old_digest, new_digest, expires_at, .. } = change;
        let mut tx = self.begin().await?;
        let sql = "UPDATE email_changes SET expires_at = $5, \
                   old_digest = CASE WHEN old_confirmed_at IS NULL THEN $3 ELSE old_digest END, \
                   new_digest = CASE WHEN new_confirmed_at IS NULL THEN $4 ELSE new_digest END \
                   WHERE applicant_id = $1 AND email = $2 AND expires_at > $6";
        let args = args![applicant_id, email, old_digest, new_digest, *expires_at, audit.at];
        if tx.execute(sql, args).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        for mail in mails {
            tx.mail(mail).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Returns the account's open change.
    pub async fn email_change(&self, applicant_id: &str, now: Millis) -> Stored<Option<EmailChange>> {
        let sql = concat!(
            "SELECT ",
            email_change_columns!(),
            " FROM email_changes WHERE email_changes.applicant_id = $1 AND expires_at > $2"
        );
        let row: Option<EmailChangeRow> = self.fetch_optional(sql, args![applicant_id, now]).await?;
        Ok(row.map(EmailChange::from))
    }

    /// Returns the open change that a mailed secret belongs to. Confirms nothing.
    pub async fn email_change_by_secret(&self, digest: &str, now: Millis) -> Stored<Option<(EmailChange, Applicant)>> {
        let sql = concat!(
            "SELECT ",
            email_change_columns!(),
            ", ",
            applicant_columns!(),
            " FROM email_changes JOIN applicants ON applicants.id = email_changes.applicant_id \
             WHERE (old_digest = $1 OR new_digest = $1) AND expires_at > $2"
        );
        let row: Option<ChangeAndApplicant> = self.fetch_optional(sql, args![digest, now]).await?;
        row.map(|row| Ok((row.change.into(), row.applicant.try_into()?))).transpose()
    }

    /// Notes that the address with this secret has confirmed the change. Once both have, the account gets the new
    /// address, every session but `keep` ends, and `changed` is recorded.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("email")` if another account has the address meanwhile. Nothing is changed then.
    pub async fn confirm_email_change(
        &self,
        digest: &str,
        keep: Option<&str>,
        confirmed: &AuditEntry,
        (changed, mails): (&AuditEntry, &[NewMail]),
    ) -> Stored<EmailConfirmation> {
        let mut tx = self.begin().await?;
        // Of two at once, the second waits for the row and then sees what the first has confirmed.
        let sql = "UPDATE email_changes SET \
                   old_confirmed_at = COALESCE(old_confirmed_at, CASE WHEN old_digest = $1 THEN $2 END), \
                   new_confirmed_at = COALESCE(new_confirmed_at, CASE WHEN new_digest = $1 THEN $2 END) \
                   WHERE (old_digest = $1 OR new_digest = $1) AND expires_at > $2 \
                   RETURNING applicant_id, email, old_confirmed_at, new_confirmed_at";
        let rows: Vec<(String, String, Option<i64>, Option<i64>)> =
            tx.fetch_all(sql, args![digest, confirmed.at]).await?;
        let Some((applicant_id, email, old, new)) = rows.first() else { return Ok(EmailConfirmation::Gone) };
        tx.audit(confirmed).await?;
        if old.is_none() || new.is_none() {
            tx.commit().await?;
            return Ok(EmailConfirmation::Waiting);
        }
        end_pending(&mut tx, applicant_id).await?;
        drop_email_confirmation(&mut tx, applicant_id).await?;
        let sql = "UPDATE applicants SET email = $2, email_key = $3 WHERE id = $1";
        tx.execute(sql, args![applicant_id, email, &email.to_lowercase()]).await?;
        confirm_address(&mut tx, applicant_id, changed.at).await?;
        become_applicant(&mut tx, applicant_id, &email.to_lowercase(), changed.at).await?;
        relist_applicant(&mut tx, applicant_id).await?;
        revoke_sessions(&mut tx, applicant_id, keep, changed.at).await?;
        tx.audit(changed).await?;
        for mail in mails {
            tx.mail(mail).await?;
        }
        tx.commit().await?;
        Ok(EmailConfirmation::Changed)
    }

    /// Drops the account's change. Returns false if there was none.
    pub async fn drop_email_change(&self, applicant_id: &str, audit: &AuditEntry, mails: &[NewMail]) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "DELETE FROM email_changes WHERE applicant_id = $1";
        if tx.execute(sql, args![applicant_id]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        for mail in mails {
            tx.mail(mail).await?;
        }
        tx.commit().await?;
        Ok(true)
    }
}
