//! Password hashing with argon2id.
//!
//! One hash takes some twenty milliseconds of a core and 19 MiB, on purpose. So each runs on its own thread, which
//! nothing else can block, with no more at a time than there are cores. A caller who would have to wait too long gets
//! an error instead of slowing everyone down.

use std::sync::Arc;
use std::thread::{self, available_parallelism};
use std::time::Duration;

use argon2::password_hash::PasswordHasher as _;
use argon2::password_hash::PasswordVerifier as _;
use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, Version};
use async_trait::async_trait;
use tokio::sync::{Semaphore, oneshot};

use app::ports::{Overloaded, PasswordCheck, PasswordHasher};

/// OWASP's second recommendation: 19 MiB, two passes, one lane.
/// <https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id>
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// How long a caller waits for a turn.
const PATIENCE: Duration = Duration::from_secs(5);

/// The hash of a password that nobody knows, with the parameters above. It is checked when there is no account.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$CeZbl3rwbTJK3+3gnQ9+Ag$MzIfAFOU/MxaSu+eT4Fh1MM7Edzeu9T++FX904kiTT8";

/// Hashes with argon2id, as many passwords at a time as there are cores.
#[derive(Debug, Clone)]
pub struct Argon2Hasher {
    turns: Arc<Semaphore>,
    patience: Duration,
    params: Params,
}

impl Default for Argon2Hasher {
    fn default() -> Self {
        Self::new(available_parallelism().map_or(1, usize::from), PATIENCE)
    }
}

impl Argon2Hasher {
    /// Hashes up to `at_once` passwords at a time; a caller who would wait longer than `patience` is turned away.
    pub fn new(at_once: usize, patience: Duration) -> Self {
        Self { turns: Arc::new(Semaphore::new(at_once)), patience, params: params() }
    }

    /// Hashes with the smallest parameters there are, for tests that are not about passwords.
    pub fn for_tests() -> Self {
        let params = Params::new(Params::MIN_M_COST, Params::MIN_T_COST, Params::MIN_P_COST, None);
        Self { params: params.expect("the smallest values are in the ranges of argon2"), ..Self::default() }
    }

    async fn take_turn<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Overloaded> {
        let turn = tokio::time::timeout(self.patience, self.turns.clone().acquire_owned()).await;
        let turn = turn.map_err(|_| Overloaded)?.expect("the semaphore is never closed");
        let (tell, answer) = oneshot::channel();
        let hashing = move || {
            // Held until the work is done, even if the request that asked for it is gone.
            let _turn = turn;
            let _ = tell.send(work());
        };
        let begun = thread::Builder::new().name("password".into()).spawn(hashing);
        begun.map_err(|error| {
            tracing::error!(error = &error as &dyn std::error::Error, "no thread could be started to hash a password");
            Overloaded
        })?;
        answer.await.map_err(|_| Overloaded)
    }
}

#[async_trait]
impl PasswordHasher for Argon2Hasher {
    async fn hash(&self, password: String) -> Result<String, Overloaded> {
        let argon2 = argon2(self.params.clone());
        self.take_turn(move || {
            let hash: PasswordHash =
                argon2.hash_password(password.as_bytes()).expect("valid parameters and a random salt");
            hash.to_string()
        })
        .await
    }

    async fn verify(&self, password: String, hash: Option<String>) -> Result<PasswordCheck, Overloaded> {
        let params = self.params.clone();
        self.take_turn(move || {
            let Some(hash) = hash else {
                check(&password, NOBODY, &params);
                return PasswordCheck { matches: false, outdated: false };
            };
            check(&password, &hash, &params)
        })
        .await
    }
}

fn argon2(params: Params) -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn params() -> Params {
    Params::new(MEMORY_KIB, PASSES, LANES, None).expect("the constants are in the ranges of argon2")
}

/// Does the work with the parameters of the stored hash, which is outdated if they are not the current ones. A hash that
/// cannot be read matches nothing.
fn check(password: &str, hash: &str, current: &Params) -> PasswordCheck {
    let Ok(hash) = PasswordHash::new(hash) else {
        tracing::error!("a stored password hash cannot be read");
        return PasswordCheck { matches: false, outdated: false };
    };
    let costs = |params: &Params| (params.m_cost(), params.t_cost(), params.p_cost());
    let is_current = Params::try_from(&hash).is_ok_and(|stored| costs(&stored) == costs(current))
        && hash.algorithm == Algorithm::Argon2id.ident();
    let matches = argon2(current.clone()).verify_password(password.as_bytes(), &hash).is_ok();
    PasswordCheck { matches, outdated: !is_current }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_matches_its_own_hash_only() {
        let hasher = Argon2Hasher::default();
        let hash = hasher.hash("correct horse battery".into()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        let verdict = hasher.verify("correct horse battery".into(), Some(hash.clone())).await.unwrap();
        assert_eq!(verdict, PasswordCheck { matches: true, outdated: false });
        for wrong in ["correct horse battery ", "Correct horse battery", ""] {
            let verdict = hasher.verify(wrong.into(), Some(hash.clone())).await.unwrap();
            assert!(!verdict.matches, "{wrong:?}");
        }
    }

    #[tokio::test]
    async fn two_hashes_of_one_password_differ() {
        let hasher = Argon2Hasher::default();
        assert_ne!(hasher.hash("same".into()).await.unwrap(), hasher.hash("same".into()).await.unwrap());
    }

    #[tokio::test]
    async fn a_hash_of_older_parameters_matches_and_is_outdated() {
        let weaker = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(8_192, 1, 1, None).unwrap());
        let other = Argon2::new(Algorithm::Argon2i, Version::V0x13, params());
        for old in [weaker, other] {
            let hash: PasswordHash = old.hash_password(b"long ago").unwrap();
            let verdict = Argon2Hasher::default().verify("long ago".into(), Some(hash.to_string())).await.unwrap();
            assert_eq!(verdict, PasswordCheck { matches: true, outdated: true });
        }
    }

    #[tokio::test]
    async fn a_broken_hash_matches_nothing() {
        for broken in ["", "plain", "$argon2id$v=19$m=19456,t=2,p=1$"] {
            let verdict = Argon2Hasher::default().verify("plain".into(), Some(broken.into())).await.unwrap();
            assert!(!verdict.matches, "{broken:?}");
        }
    }

    #[test]
    fn nobodys_hash_costs_what_a_real_one_does() {
        assert_eq!(check("", NOBODY, &params()), PasswordCheck { matches: false, outdated: false });
        let nobody = PasswordHash::new(NOBODY).unwrap();
        let real: PasswordHash = argon2(params()).hash_password(b"real").unwrap();
        assert_eq!(nobody.params, real.params);
        assert_eq!(nobody.hash.unwrap().len(), real.hash.unwrap().len());
    }

    #[tokio::test]
    async fn whoever_would_wait_too_long_is_turned_away() {
        let hasher = Argon2Hasher::new(1, Duration::from_millis(30));
        let turn = hasher.turns.clone().acquire_owned().await.unwrap();
        assert_eq!(hasher.hash("one too many".into()).await, Err(Overloaded));
        drop(turn);
        assert!(hasher.hash("one at a time".into()).await.is_ok());
    }
}
