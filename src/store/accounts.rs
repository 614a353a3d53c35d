//! Applicants' accounts: registration, profile, password, resets.

use super::Db;
use super::applications::insert_application;
use super::email_confirmations::put_email_confirmation;
use super::error::missing;
use super::listings::relist_applicant;
use super::outbox::confirm_address;
use super::prospects::become_applicant;
use super::query::{Tx, args};
use super::rows::{ApplicantRow, applicant_columns};
use super::sessions::insert_session;
use crate::{AuditEntry, MailedLink, NewMail, NewSession, Stored};
use domain::account::{Applicant, Profile};
use domain::application::Application;
use domain::moments::Millis;

impl Db {
    /// Creates an account with its first session, its application if it came from a program's page, and the link that
    /// confirms its address if one was mailed.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("email")`.
    pub async fn register(
        &self,
        applicant: &Applicant,
        session: &NewSession,
        (application, link): (Option<&Application>, Option<&MailedLink>),
        audit: &[AuditEntry],
        mails: &[NewMail],
    ) -> Stored<()> {
        let mut tx = self.begin().await?;
        insert_applicant(&mut tx, applicant).await?;
        insert_session(&mut tx, &applicant.id, session, None).await?;
        if let Some(application) = application {
            insert_application(&mut tx, application).await?;
        }
        if let Some(link) = link {
            put_email_confirmation(&mut tx, &applicant.id, link).await?;
        }
        for entry in audit {
            tx.audit(entry).await?;
        }
        for mail in mails {
            tx.mail(mail).await?;
        }
        tx.commit().await
    }

    pub async fn applicant_by_id(&self, id: &str) -> Stored<Option<Applicant>> {
        let sql = concat!("SELECT ", applicant_columns!(), " FROM applicants WHERE id = $1 AND closed_at IS NULL");
        let row: Option<ApplicantRow> = self.fetch_optional(sql, args![id]).await?;
        row.map(Applicant::try_from).transpose()
    }

    /// Finds an applicant by lower-case address.
    pub async fn applicant_by_email(&self, email_key: &str) -> Stored<Option<Applicant>> {
        let sql = concat!("SELECT ", applicant_columns!(), " FROM applicants WHERE email_key = $1");
        let row: Option<ApplicantRow> = self.fetch_optional(sql, args![email_key]).await?;
        row.map(Applicant::try_from).transpose()
    }

    pub async fn save_profile(&self, applicant_id: &str, profile: &Profile, audit: &AuditEntry) -> Stored<()> {
        let mut tx = self.begin().await?;
        let changed = tx
            .execute(
                "UPDATE applicants SET first_name = $2, last_name = $3, date_of_birth = $4, phone_number = $5, \
                 country = $6, state = $7, time_zone = $8, language = $10, \
                 reminders_off_at = CASE WHEN $9 IS NULL THEN NULL ELSE COALESCE(reminders_off_at, $9) END \
                 WHERE id = $1",
                args![
                    applicant_id,
                    &profile.first_name,
                    &profile.last_name,
                    &profile.date_of_birth.to_string(),
                    &profile.phone_number,
                    &profile.country,
                    profile.state.as_deref(),
                    &profile.time_zone,
                    (!profile.reminders).then_some(audit.at),
                    profile.language.as_str(),
                ],
            )
            .await?;
        if changed == 0 {
            return Err(missing("applicant", applicant_id));
        }
        relist_applicant(&mut tx, applicant_id).await?;
        tx.audit(audit).await?;
        tx.commit().await
    }

    /// Stores a new hash of the same password, with newer parameters, only if the hash is still `old`.
    pub async fn rehash(&self, applicant_id: &str, old: &str, new: &str) -> Stored<()> {
        let sql = "UPDATE applicants SET password_hash = $3 WHERE id = $1 AND password_hash = $2";
        self.execute(sql, args![applicant_id, old, new]).await?;
        Ok(())
    }

    /// Replaces the password that was checked, ends every session but `keep`, voids every open reset and drops a change
    /// of the address. Returns false and changes nothing if the password has changed meanwhile.
    pub async fn change_password(
        &self,
        applicant_id: &str,
        (old, new): (&str, &str),
        keep: Option<&str>,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        end_pending(&mut tx, applicant_id).await?;
        // Of two changes at once, or a change and a reset, the second waits for the row and then finds another hash.
        let sql = "UPDATE applicants SET password_hash = $3 WHERE id = $1 AND password_hash = $2 AND closed_at IS NULL";
        if tx.execute(sql, args![applicant_id, old, new]).await? == 0 {
            return Ok(false);
        }
        revoke_sessions(&mut tx, applicant_id, keep, audit.at).await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Locks or unlocks an account; locking ends its sessions. Returns false if there is no such account.
    pub async fn set_disabled(&self, applicant_id: &str, disabled: bool, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let since = disabled.then_some(audit.at);
        let sql = "UPDATE applicants SET disabled_at = $2 WHERE id = $1";
        if tx.execute(sql, args![applicant_id, since]).await? == 0 {
            return Ok(false);
        }
        if disabled {
            revoke_sessions(&mut tx, applicant_id, None, audit.at).await?;
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Creates a reset that can be used until `expires_at`, and replaces an older one of the account.
    pub async fn create_reset(
        &self,
        applicant_id: &str,
        digest: &str,
        expires_at: Millis,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<()> {
        let mut tx = self.begin().await?;
        // One row per account, so that only the newest can ever be used.
        tx.execute(
            "INSERT INTO password_resets (applicant_id, digest, expires_at) VALUES ($1, $2, $3) \
             ON CONFLICT (applicant_id) DO UPDATE SET digest = excluded.digest, expires_at = excluded.expires_at",
            args![applicant_id, digest, expires_at],
        )
        .await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await
    }

    /// Returns whose reset it is, if it can still be used. Does not use it up.
    pub async fn reset_owner(&self, digest: &str, now: Millis) -> Stored<Option<Applicant>> {
        let sql = concat!(
            "SELECT ",
            applicant_columns!(),
            " FROM password_resets JOIN applicants ON applicants.id = applicant_id \
             WHERE digest = $1 AND expires_at > $2"
        );
        let row: Option<ApplicantRow> = self.fetch_optional(sql, args![digest, now]).await?;
        row.map(Applicant::try_from).transpose()
    }

    /// Uses up the reset, sets the password, ends all sessions, drops a change of the address and confirms the current
    /// one; if it was not, second factors go as well. Returns false and changes nothing if it was already used, replaced or
    /// has expired.
    pub async fn spend_reset(&self, digest: &str, hash: &str, audit: &AuditEntry, mail: &NewMail) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "SELECT applicant_id FROM password_resets WHERE digest = $1 AND expires_at > $2";
        let found: Vec<(String,)> = tx.fetch_all(sql, args![digest, audit.at]).await?;
        let Some((applicant_id,)) = found.first() else { return Ok(false) };
        tx.execute("DELETE FROM email_changes WHERE applicant_id = $1", args![applicant_id]).await?;
        // Of two at once, or a reset and a change, the second waits for the row and then finds it gone.
        if tx.execute("DELETE FROM password_resets WHERE digest = $1", args![digest]).await? == 0 {
            return Ok(false);
        }
        set_password(&mut tx, applicant_id, hash).await?;
        // Whoever has the secret can read the account's mail. Whoever registered the address need not be the same.
        if confirm_address(&mut tx, applicant_id, audit.at).await? {
            for sql in [
                "DELETE FROM passkeys WHERE applicant_id = $1",
                "DELETE FROM recovery_codes WHERE applicant_id = $1",
                "UPDATE applicants SET code_seed = NULL, passkeys = 0 WHERE id = $1",
            ] {
                tx.execute(sql, args![applicant_id]).await?;
            }
        }
        revoke_sessions(&mut tx, applicant_id, None, audit.at).await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }
}

pub(super) async fn insert_applicant(tx: &mut Tx, applicant: &Applicant) -> Stored<()> {
    let Applicant {
        id,
        email,
        profile,
        password_hash,
        code_seed,
        passkeys,
        disabled_at,
        created_at,
        email_confirmed_at,
    } = applicant;
    tx.execute(
        "INSERT INTO applicants (id, email, email_key, first_name, last_name, date_of_birth, phone_number, country, \
         state, time_zone, reminders_off_at, password_hash, disabled_at, created_at, language, \
         email_confirmed_at, code_seed, passkeys) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)",
        args![
            id,
            email,
            &email.to_lowercase(),
            &profile.first_name,
            &profile.last_name,
            &profile.date_of_birth.to_string(),
            &profile.phone_number,
            &profile.country,
            profile.state.as_deref(),
            &profile.time_zone,
            (!profile.reminders).then_some(*created_at),
            password_hash,
            *disabled_at,
            *created_at,
            profile.language.as_str(),
            *email_confirmed_at,
            code_seed.as_deref(),
            *passkeys,
        ],
    )
    .await?;
    become_applicant(tx, id, &email.to_lowercase(), *created_at).await
}

async fn set_password(tx: &mut Tx, applicant_id: &str, hash: &str) -> Stored<()> {
    let sql = "UPDATE applicants SET password_hash = $2 WHERE id = $1";
    match tx.execute(sql, args![applicant_id, hash]).await? {
        0 => Err(missing("applicant", applicant_id)),
        _ => Ok(()),
    }
}

/// Removes what was mailed to the account and not used yet. Whoever changes these rows and the account locks them in
/// this order, the account last, to avoid deadlocks.
pub(super) async fn end_pending(tx: &mut Tx, applicant_id: &str) -> Stored<()> {
    tx.execute("DELETE FROM email_changes WHERE applicant_id = $1", args![applicant_id]).await?;
    tx.execute("DELETE FROM password_resets WHERE applicant_id = $1", args![applicant_id]).await?;
    Ok(())
}

/// Ends the account's open sessions, all but `keep`.
pub(super) async fn revoke_sessions(tx: &mut Tx, applicant_id: &str, keep: Option<&str>, now: Millis) -> Stored<()> {
    // No session has an empty id.
    tx.execute(
        "UPDATE sessions SET revoked_at = $3 WHERE applicant_id = $1 AND id <> $2 AND revoked_at IS NULL",
        args![applicant_id, keep.unwrap_or_default(), now],
    )
    .await?;
    Ok(())
}
