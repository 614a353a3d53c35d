//! What second factors need of the store: those of staff, and those of applicants.

use async_trait::async_trait;

use super::{Audience, AuditEntry, NewMail, Stored};

/// An account of either kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountKey<'a> {
    pub audience: Audience,
    pub id: &'a str,
}

/// An authenticator app that is set up.
#[derive(Debug, Clone)]
pub struct NewSecondFactor {
    pub seed: String,
    /// The half minute of the code that proved it.
    pub step: i64,
    /// Digests of the recovery codes.
    pub recovery: Vec<String>,
}

#[async_trait]
pub trait SecondFactors: Send + Sync {
    /// Sets up an authenticator app, with recovery codes, and ends every session but `keep`. There is one: false.
    async fn set_second_factor(
        &self,
        account: AccountKey<'_>,
        new: &NewSecondFactor,
        keep: &str,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool>;
    /// Removes the authenticator app, with the recovery codes where no passkey is left, and ends every session but `keep`. There was
    /// none: false.
    async fn drop_second_factor(
        &self,
        account: AccountKey<'_>,
        keep: &str,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool>;
    /// Removes the authenticator app, all passkeys and recovery codes, and ends every session. There was nothing: false.
    async fn reset_second_factor(&self, account: AccountKey<'_>, audit: &AuditEntry, mail: &NewMail) -> Stored<bool>;
    /// Takes the code of a half minute, unless it or a later one was taken before.
    async fn take_code(&self, account: AccountKey<'_>, step: i64) -> Stored<bool>;
    /// Takes a recovery code, unless it was taken before.
    async fn take_recovery_code(&self, account: AccountKey<'_>, digest: &str, audit: &AuditEntry) -> Stored<bool>;
    /// How many are left.
    async fn recovery_codes(&self, account: AccountKey<'_>) -> Stored<i64>;
    /// These in the place of those before. There is no second factor: false.
    async fn replace_recovery_codes(
        &self,
        account: AccountKey<'_>,
        digests: &[String],
        audit: &AuditEntry,
    ) -> Stored<bool>;
}
