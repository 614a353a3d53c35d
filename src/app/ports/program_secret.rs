//! What the database keeps of the program's secret.

use async_trait::async_trait;

use super::{Audience, Stored};

/// Something that is of no use without the program's secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptWithSecret {
    pub kind: SecretUse,
    /// The row's.
    pub id: String,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretUse {
    /// The seed of a second factor.
    Code(Audience),
    /// A mail that waits.
    Mail,
}

/// Which secret the database is used with, and what a change of it has to bring along.
#[async_trait]
pub trait ProgramSecret: Send + Sync {
    /// The fingerprint of the secret that everything here is kept with. `None` before a server has run.
    async fn secret_in_use(&self) -> Stored<Option<String>>;
    /// Notes it, where none was noted before.
    async fn note_secret(&self, fingerprint: &str) -> Stored<()>;
    async fn kept_with_secret(&self) -> Stored<Vec<KeptWithSecret>>;
    /// Puts each new text in the place of the one before, and notes the secret that they are sealed with. Whether that was
    /// done: not when another process has changed the secret from `from` meanwhile.
    async fn change_secret(&self, from: &str, to: &str, resealed: &[(KeptWithSecret, String)]) -> Stored<bool>;
}
