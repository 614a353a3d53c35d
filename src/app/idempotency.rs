//! Idempotency keys (`Idempotency-Key`, the hidden keys of forms): a request repeated under the same key is done once,
//! and a different one is refused instead of being answered as if it were done.

use crate::App;
use crate::error::{Error, Refusal};
use store::{KeyUse, Stored};

/// A key in use.
#[derive(Debug)]
pub struct KeyClaim {
    id: String,
    is_new: bool,
}

impl App {
    /// The id of what is created under a key: the same for the same text.
    pub fn id_of(&self, text: &str) -> String {
        uuid_of(&self.tokens.digest(text))
    }

    /// Records what is sent under a key. `scope` is the key with everything that qualifies it.
    ///
    /// # Errors
    /// [`Refusal::KeyReused`]
    pub async fn claim_key(&self, scope: &str, content: &str) -> Result<KeyClaim, Error> {
        let id = self.tokens.digest(scope);
        match self.store.use_key(&id, &self.tokens.digest(content), self.clock.now()).await? {
            KeyUse::New => Ok(KeyClaim { id, is_new: true }),
            KeyUse::Same => Ok(KeyClaim { id, is_new: false }),
            KeyUse::Other => Err(Refusal::KeyReused.into()),
        }
    }

    /// Whether something was sent under a key before.
    pub(crate) async fn is_key_used(&self, scope: &str) -> Stored<bool> {
        self.store.is_key_used(&self.tokens.digest(scope)).await
    }

    /// Releases a key after a failed request, so that it can be corrected and sent again.
    pub async fn give_back_key(&self, claim: KeyClaim) {
        if claim.is_new
            && let Err(error) = self.store.forget_key(&claim.id).await
        {
            tracing::warn!(error = &error as &dyn std::error::Error, "a key could not be given back");
        }
    }

    /// Does what was sent under a key.
    ///
    /// # Errors
    /// [`Refusal::KeyReused`], and the errors of the work.
    pub(crate) async fn under_key<T>(
        &self,
        scope: &str,
        content: &str,
        doing: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let claim = self.claim_key(scope, content).await?;
        let done = doing.await;
        // If the failure is ours, it may have been done.
        if done.as_ref().is_err_and(|error| !matches!(error, Error::Unavailable(_) | Error::Internal(_))) {
            self.give_back_key(claim).await;
        }
        done
    }
}

/// Derives an id from a digest: a UUID of version 8, to look like our other ids.
fn uuid_of(digest: &str) -> String {
    let part = |from: usize, to: usize| &digest[from..to];
    format!("{}-{}-8{}-8{}-{}", part(0, 8), part(8, 12), part(12, 15), part(15, 18), part(18, 30))
}
