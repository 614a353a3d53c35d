//! Idempotency keys.

use super::Db;
use super::query::args;
use crate::Stored;
use domain::moments::Millis;

/// What a key was used for before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyUse {
    New,
    Same,
    Other,
}

impl Db {
    /// Records what is sent under a key, unless something is recorded already. Both are given as digests.
    pub async fn use_key(&self, id: &str, digest: &str, now: Millis) -> Stored<KeyUse> {
        let sql = "INSERT INTO idempotency_keys (id, digest, used_at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING";
        if self.execute(sql, args![id, digest, now]).await? > 0 {
            return Ok(KeyUse::New);
        }
        let known: Vec<(String,)> =
            self.fetch_all("SELECT digest FROM idempotency_keys WHERE id = $1", args![id]).await?;
        // It may have been given back meanwhile, by a concurrent request with the same content.
        Ok(if known.iter().all(|(known,)| known == digest) { KeyUse::Same } else { KeyUse::Other })
    }

    /// Whether something is recorded under a key.
    pub async fn is_key_used(&self, id: &str) -> Stored<bool> {
        let known: Vec<(String,)> =
            self.fetch_all("SELECT digest FROM idempotency_keys WHERE id = $1", args![id]).await?;
        Ok(!known.is_empty())
    }

    /// Forgets a key that was not used after all.
    pub async fn forget_key(&self, id: &str) -> Stored<()> {
        self.execute("DELETE FROM idempotency_keys WHERE id = $1", args![id]).await.map(drop)
    }
}
