//! API keys of staff.

use super::Db;
use super::error::unreadable;
use super::in_place::{joined_row, row};
use super::query::args;
use super::rows::{StaffRow, staff_columns};
use crate::{AuditEntry, NewMail, StoreError, Stored};
use domain::api_key::{ApiKey, MAX_KEYS};
use domain::moments::Millis;
use domain::role::Role;
use domain::session::Session;
use domain::staff::{Staff, StaffSession};

/// Named differently from the columns of staff, which are read with them.
macro_rules! key_columns {
    () => {
        "k.id AS key_id, k.staff_id AS key_owner, k.name AS key_name, k.role AS key_role, k.read_only, \
         k.created_at AS key_created_at, k.expires_at AS key_expires_at, k.last_used_at"
    };
}

row! {
    struct KeyRow {
        key_id: String,
        key_owner: String,
        key_name: String,
        key_role: String,
        read_only: i64,
        key_created_at: i64,
        key_expires_at: i64,
        last_used_at: Option<i64>,
    }
}

impl TryFrom<KeyRow> for ApiKey {
    type Error = StoreError;

    fn try_from(row: KeyRow) -> Result<Self, StoreError> {
        Ok(ApiKey {
            role: Role::parse(&row.key_role).ok_or_else(|| unreadable("staff_keys.role", &row.key_id))?,
            id: row.key_id,
            staff_id: row.key_owner,
            name: row.key_name,
            read_only: row.read_only != 0,
            created_at: row.key_created_at,
            expires_at: row.key_expires_at,
            last_used_at: row.last_used_at,
        })
    }
}

row! {
    struct RuleRow {
        second_factor_since: Option<i64>,
    }
}

joined_row! {
    struct KeyAndStaff {
        key: KeyRow,
        staff: StaffRow,
        rule: RuleRow,
    }
}

impl Db {
    /// Returns false if its owner has as many keys as they may, or is no longer active.
    pub async fn create_api_key(&self, key: &ApiKey, digest: &str, audit: &AuditEntry, mail: &NewMail) -> Stored<bool> {
        let mut tx = self.begin().await?;
        // Changes nothing, but makes concurrent requests of the same account wait for each other.
        let sql = "UPDATE staff SET name = name WHERE id = $1 AND suspended_at IS NULL AND removed_at IS NULL \
                   AND (SELECT COUNT(*) FROM staff_keys WHERE staff_id = $1) < $2";
        if tx.execute(sql, args![&key.staff_id, MAX_KEYS]).await? == 0 {
            return Ok(false);
        }
        tx.execute(
            "INSERT INTO staff_keys (id, staff_id, name, role, read_only, digest, created_at, expires_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            args![
                &key.id,
                &key.staff_id,
                &key.name,
                key.role.as_str(),
                i64::from(key.read_only),
                digest,
                key.created_at,
                key.expires_at,
            ],
        )
        .await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// The keys of a member of staff, including expired ones, newest first.
    pub async fn api_keys(&self, staff_id: &str) -> Stored<Vec<ApiKey>> {
        let sql = concat!(
            "SELECT ",
            key_columns!(),
            " FROM staff_keys k WHERE k.staff_id = $1 ORDER BY k.created_at DESC, k.id DESC"
        );
        let rows: Vec<KeyRow> = self.fetch_all(sql, args![staff_id]).await?;
        rows.into_iter().map(ApiKey::try_from).collect()
    }

    /// Returns false if the member of staff has no such key.
    pub async fn revoke_api_key(&self, staff_id: &str, id: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        if tx.execute("DELETE FROM staff_keys WHERE staff_id = $1 AND id = $2", args![staff_id, id]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// The key with this digest as a session of its owner in the key's role; `None` once it has expired or is revoked,
    /// and while its owner is suspended, removed, or has a role that does not include the key's.
    pub async fn session_of_api_key(&self, digest: &str, now: Millis) -> Stored<Option<StaffSession>> {
        let sql = concat!(
            "SELECT ",
            key_columns!(),
            ", ",
            staff_columns!(),
            ", r.second_factor_since FROM staff_keys k JOIN staff m ON m.id = k.staff_id \
             JOIN staff_rules r ON r.id = 1 WHERE k.digest = $1 AND k.expires_at > $2 AND m.suspended_at IS NULL \
             AND m.removed_at IS NULL"
        );
        let Some(row) = self.reserved().fetch_optional::<KeyAndStaff>(sql, args![digest, now]).await? else {
            return Ok(None);
        };
        let (key, owner) = (ApiKey::try_from(row.key)?, Staff::try_from(row.staff)?);
        if !owner.role.includes(key.role) {
            return Ok(None);
        }
        let session = Session {
            id: key.id.clone(),
            created_at: key.created_at,
            last_seen_at: now,
            expires_at: key.expires_at,
            user_agent: String::new(),
        };
        Ok(Some(StaffSession {
            session,
            staff: Staff { role: key.role, ..owner },
            stepped_up_at: 0,
            second_factor_required: row.rule.second_factor_since.is_some(),
            provider: None,
            key: Some(key),
        }))
    }

    /// Updates when the key was last used.
    pub async fn api_key_used(&self, id: &str, now: Millis) -> Stored<()> {
        let sql = "UPDATE staff_keys SET last_used_at = $2 WHERE id = $1 AND COALESCE(last_used_at, 0) < $2";
        self.execute(sql, args![id, now]).await?;
        Ok(())
    }
}
