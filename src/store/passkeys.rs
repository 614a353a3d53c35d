//! Passkeys of staff and of applicants: one set of statements over two tables.

use super::Db;
use super::in_place::row;
use super::query::args;
use super::second_factors::Statements as SecondFactorStatements;
use crate::{AuditEntry, NewMail, Stored};
use domain::account::AccountKey;
use domain::moments::Millis;
use domain::passkey::{Credential, Passkey};
use domain::session::Audience;

/// The outcome of adding a passkey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasskeyAdded {
    Done,
    /// The account has as many as allowed.
    TooMany,
    /// The account has this one already.
    There,
}

struct Statements {
    of_account: &'static str,
    by_credential: &'static str,
    /// Only if the account has fewer than allowed.
    count_up: &'static str,
    count_down: &'static str,
    insert: &'static str,
    delete: &'static str,
    used: &'static str,
}

macro_rules! columns {
    ($passkeys:literal, $owner:literal, $by:literal, $order:literal) => {
        concat!(
            "SELECT id, ",
            $owner,
            " AS owner, credential_id, key, user_agent, created_at, last_used_at FROM ",
            $passkeys,
            " WHERE ",
            $by,
            " = $1",
            $order
        )
    };
}

macro_rules! statements {
    ($accounts:literal, $passkeys:literal, $owner:literal) => {
        Statements {
            of_account: columns!($passkeys, $owner, $owner, " ORDER BY created_at DESC, id DESC"),
            by_credential: columns!($passkeys, $owner, "credential_id", ""),
            count_up: concat!("UPDATE ", $accounts, " SET passkeys = passkeys + 1 WHERE id = $1 AND passkeys < $2"),
            count_down: concat!("UPDATE ", $accounts, " SET passkeys = passkeys - 1 WHERE id = $1"),
            insert: concat!(
                "INSERT INTO ",
                $passkeys,
                " (id, ",
                $owner,
                ", credential_id, key, user_agent, created_at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING"
            ),
            delete: concat!("DELETE FROM ", $passkeys, " WHERE ", $owner, " = $1 AND id = $2"),
            used: concat!("UPDATE ", $passkeys, " SET key = $2, last_used_at = $3 WHERE id = $1"),
        }
    };
}

static STAFF: Statements = statements!("staff", "staff_passkeys", "staff_id");
static APPLICANTS: Statements = statements!("applicants", "passkeys", "applicant_id");

fn statements(audience: Audience) -> &'static Statements {
    match audience {
        Audience::Applicant => &APPLICANTS,
        Audience::Admin => &STAFF,
    }
}

row! {
    struct PasskeyRow {
        id: String,
        owner: String,
        credential_id: String,
        key: String,
        user_agent: String,
        created_at: i64,
        last_used_at: Option<i64>,
    }
}

impl From<PasskeyRow> for Passkey {
    fn from(row: PasskeyRow) -> Passkey {
        Passkey {
            id: row.id,
            credential: Credential { id: row.credential_id, key: row.key },
            user_agent: row.user_agent,
            created_at: row.created_at,
            last_used_at: row.last_used_at,
        }
    }
}

impl Db {
    /// Returns the account's passkeys, newest first.
    pub async fn passkeys(&self, account: AccountKey<'_>) -> Stored<Vec<Passkey>> {
        let rows: Vec<PasskeyRow> = self.fetch_all(statements(account.audience).of_account, args![account.id]).await?;
        Ok(rows.into_iter().map(Passkey::from).collect())
    }

    /// Returns a passkey, with the id of its account.
    pub async fn passkey(&self, audience: Audience, credential_id: &str) -> Stored<Option<(String, Passkey)>> {
        let sql = statements(audience).by_credential;
        let row: Option<PasskeyRow> = self.fetch_optional(sql, args![credential_id]).await?;
        Ok(row.map(|row| (row.owner.clone(), row.into())))
    }

    /// Adds a passkey, up to `limit`. `first` is the digests of recovery codes and the session that stays open, if it
    /// is the account's first second factor.
    pub async fn add_passkey(
        &self,
        account: AccountKey<'_>,
        passkey: &Passkey,
        limit: i64,
        first: Option<(&[String], &str)>,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<PasskeyAdded> {
        let sql = statements(account.audience);
        let mut tx = self.begin().await?;
        if tx.execute(sql.count_up, args![account.id, limit]).await? == 0 {
            return Ok(PasskeyAdded::TooMany);
        }
        let Passkey { id, credential, user_agent, created_at, .. } = passkey;
        let values = args![id, account.id, &credential.id, &credential.key, user_agent, *created_at];
        if tx.execute(sql.insert, values).await? == 0 {
            return Ok(PasskeyAdded::There);
        }
        if let Some((recovery, keep)) = first {
            let sql = SecondFactorStatements::of(account);
            sql.write_recovery_codes(&mut tx, account, recovery).await?;
            sql.end_sessions(&mut tx, account, keep, audit.at).await?;
        }
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(PasskeyAdded::Done)
    }

    /// Removes a passkey; the recovery codes go with the last second factor. Returns false if there is no such passkey.
    pub async fn remove_passkey(
        &self,
        account: AccountKey<'_>,
        id: &str,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool> {
        let sql = statements(account.audience);
        let mut tx = self.begin().await?;
        if tx.execute(sql.delete, args![account.id, id]).await? == 0 {
            return Ok(false);
        }
        tx.execute(sql.count_down, args![account.id]).await?;
        SecondFactorStatements::of(account).drop_unneeded_recovery_codes(&mut tx, account).await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Notes that a passkey was used, and how its key is stored from now on.
    pub async fn passkey_used(&self, audience: Audience, id: &str, key: &str, now: Millis) -> Stored<()> {
        self.execute(statements(audience).used, args![id, key, now]).await?;
        Ok(())
    }
}
