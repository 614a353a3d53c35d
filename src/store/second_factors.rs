//! Second factors of staff and of applicants: one set of statements over two sets of tables.

use super::Db;
use super::query::{Tx, args};
use crate::{AuditEntry, NewMail, Stored};
use domain::account::AccountKey;
use domain::moments::Millis;
use domain::session::Audience;

/// An authenticator app that is being set up.
#[derive(Debug, Clone)]
pub struct NewSecondFactor {
    pub seed: String,
    /// The half minute of the code that proved it.
    pub step: i64,
    /// Digests of the recovery codes.
    pub recovery: Vec<String>,
}

pub(super) struct Statements {
    set: &'static str,
    drop: &'static str,
    take_code: &'static str,
    /// Changes nothing, but waits for a concurrent change of the second factor.
    lock: &'static str,
    take_recovery_code: &'static str,
    count_recovery_codes: &'static str,
    delete_recovery_codes: &'static str,
    delete_unneeded_recovery_codes: &'static str,
    insert_recovery_code: &'static str,
    end_sessions: &'static str,
    reset: &'static str,
    delete_passkeys: &'static str,
}

macro_rules! statements {
    ($accounts:literal, $sessions:literal, $codes:literal, $passkeys:literal, $owner:literal) => {
        Statements {
            set: concat!(
                "UPDATE ",
                $accounts,
                " SET code_seed = $2, code_step = $3 WHERE id = $1 AND code_seed IS NULL"
            ),
            drop: concat!("UPDATE ", $accounts, " SET code_seed = NULL WHERE id = $1 AND code_seed IS NOT NULL"),
            take_code: concat!(
                "UPDATE ",
                $accounts,
                " SET code_step = $2 WHERE id = $1 AND code_step < $2 AND code_seed IS NOT NULL"
            ),
            lock: concat!(
                "UPDATE ",
                $accounts,
                " SET code_step = code_step WHERE id = $1 AND (code_seed IS NOT NULL OR passkeys > 0)"
            ),
            take_recovery_code: concat!("DELETE FROM ", $codes, " WHERE ", $owner, " = $1 AND digest = $2"),
            count_recovery_codes: concat!("SELECT COUNT(*) FROM ", $codes, " WHERE ", $owner, " = $1"),
            delete_recovery_codes: concat!("DELETE FROM ", $codes, " WHERE ", $owner, " = $1"),
            delete_unneeded_recovery_codes: concat!(
                "DELETE FROM ",
                $codes,
                " WHERE ",
                $owner,
                " = $1 AND EXISTS (SELECT 1 FROM ",
                $accounts,
                " a WHERE a.id = $1 AND a.code_seed IS NULL AND a.passkeys = 0)"
            ),
            insert_recovery_code: concat!("INSERT INTO ", $codes, " (", $owner, ", digest) VALUES ($1, $2)"),
            end_sessions: concat!(
                "UPDATE ",
                $sessions,
                " SET revoked_at = $3 WHERE ",
                $owner,
                " = $1 AND id <> $2 AND revoked_at IS NULL"
            ),
            reset: concat!(
                "UPDATE ",
                $accounts,
                " SET code_seed = NULL, passkeys = 0 WHERE id = $1 AND (code_seed IS NOT NULL OR passkeys > 0)"
            ),
            delete_passkeys: concat!("DELETE FROM ", $passkeys, " WHERE ", $owner, " = $1"),
        }
    };
}

static STAFF: Statements = statements!("staff", "staff_sessions", "staff_recovery_codes", "staff_passkeys", "staff_id");
static APPLICANTS: Statements = statements!("applicants", "sessions", "recovery_codes", "passkeys", "applicant_id");

impl Statements {
    pub(super) fn of(account: AccountKey<'_>) -> &'static Statements {
        match account.audience {
            Audience::Applicant => &APPLICANTS,
            Audience::Admin => &STAFF,
        }
    }

    pub(super) async fn write_recovery_codes(
        &self,
        tx: &mut Tx,
        account: AccountKey<'_>,
        digests: &[String],
    ) -> Stored<()> {
        tx.execute(self.delete_recovery_codes, args![account.id]).await?;
        for digest in digests {
            tx.execute(self.insert_recovery_code, args![account.id, digest]).await?;
        }
        Ok(())
    }

    /// Deletes the recovery codes of an account that has no second factor.
    pub(super) async fn drop_unneeded_recovery_codes(&self, tx: &mut Tx, account: AccountKey<'_>) -> Stored<()> {
        tx.execute(self.delete_unneeded_recovery_codes, args![account.id]).await?;
        Ok(())
    }

    /// Ends all sessions but `keep`; none has an empty id.
    pub(super) async fn end_sessions(
        &self,
        tx: &mut Tx,
        account: AccountKey<'_>,
        keep: &str,
        now: Millis,
    ) -> Stored<()> {
        tx.execute(self.end_sessions, args![account.id, keep, now]).await?;
        Ok(())
    }
}

impl Db {
    /// Sets up an authenticator app, with recovery codes, and ends every session but `keep`. Returns false if there
    /// already is one.
    pub async fn set_second_factor(
        &self,
        account: AccountKey<'_>,
        new: &NewSecondFactor,
        keep: &str,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool> {
        let sql = Statements::of(account);
        let mut tx = self.begin().await?;
        if tx.execute(sql.set, args![account.id, &new.seed, new.step]).await? == 0 {
            return Ok(false);
        }
        sql.write_recovery_codes(&mut tx, account, &new.recovery).await?;
        sql.end_sessions(&mut tx, account, keep, audit.at).await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Removes the authenticator app, and the recovery codes if no passkey is left, and ends every session but `keep`.
    /// Returns false if there was none.
    pub async fn drop_second_factor(
        &self,
        account: AccountKey<'_>,
        keep: &str,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool> {
        let sql = Statements::of(account);
        let mut tx = self.begin().await?;
        if tx.execute(sql.drop, args![account.id]).await? == 0 {
            return Ok(false);
        }
        sql.drop_unneeded_recovery_codes(&mut tx, account).await?;
        sql.end_sessions(&mut tx, account, keep, audit.at).await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Removes the authenticator app, all passkeys and recovery codes, and ends every session. Returns false if there
    /// was nothing.
    pub async fn reset_second_factor(
        &self,
        account: AccountKey<'_>,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool> {
        let sql = Statements::of(account);
        let mut tx = self.begin().await?;
        if tx.execute(sql.reset, args![account.id]).await? == 0 {
            return Ok(false);
        }
        tx.execute(sql.delete_passkeys, args![account.id]).await?;
        sql.write_recovery_codes(&mut tx, account, &[]).await?;
        sql.end_sessions(&mut tx, account, "", audit.at).await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Uses up the code of a half minute, unless it or a later one was used before.
    pub async fn take_code(&self, account: AccountKey<'_>, step: i64) -> Stored<bool> {
        Ok(self.execute(Statements::of(account).take_code, args![account.id, step]).await? == 1)
    }

    /// Uses up a recovery code, unless it was used before.
    pub async fn take_recovery_code(&self, account: AccountKey<'_>, digest: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        if tx.execute(Statements::of(account).take_recovery_code, args![account.id, digest]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Counts the recovery codes that are left.
    pub async fn recovery_codes(&self, account: AccountKey<'_>) -> Stored<i64> {
        let sql = Statements::of(account).count_recovery_codes;
        let counts: Vec<(i64,)> = self.fetch_all(sql, args![account.id]).await?;
        Ok(counts.first().copied().unwrap_or_default().0)
    }

    /// Replaces the recovery codes. Returns false if there is no second factor.
    pub async fn replace_recovery_codes(
        &self,
        account: AccountKey<'_>,
        digests: &[String],
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let sql = Statements::of(account);
        let mut tx = self.begin().await?;
        if tx.execute(sql.lock, args![account.id]).await? == 0 {
            return Ok(false);
        }
        sql.write_recovery_codes(&mut tx, account, digests).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }
}
