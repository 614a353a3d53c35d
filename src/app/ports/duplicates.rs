//! Applications of what may be one person.

use async_trait::async_trait;
use jiff::civil::Date;

use super::{AuditEntry, Millis, Stored};

/// What somebody is known by.
#[derive(Debug, Clone, Copy)]
pub struct Likeness<'a> {
    pub date_of_birth: Date,
    /// By [`name_key`](domain::listing::name_key).
    pub name_key: &'a str,
    pub phone_number: &'a str,
}

/// What staff found out about two applications.
#[derive(Debug, Clone)]
pub struct DuplicateVerdict {
    /// The one that goes on; none when they are of two people.
    pub kept_id: Option<String>,
    /// Whether the other one was withdrawn for it.
    pub withdrew: bool,
    pub judged_by: String,
    pub judged_at: Millis,
}

/// An application of another account that is alike.
#[derive(Debug, Clone)]
pub struct Alike {
    pub application_id: String,
    pub verdict: Option<DuplicateVerdict>,
}

#[async_trait]
pub trait Duplicates: Send + Sync {
    /// Listed applications of other accounts with the same birth date, and the same name or phone number; newest
    /// submission first.
    async fn alike(
        &self,
        application_id: &str,
        applicant_id: &str,
        like: Likeness<'_>,
        limit: i64,
    ) -> Stored<Vec<Alike>>;
    /// Keeps what was found out about a pair, in the place of what was found out before.
    async fn judge(&self, pair: [&str; 2], verdict: &DuplicateVerdict, audit: &[AuditEntry]) -> Stored<()>;
    /// Takes back what was found out about a pair. Nothing was: false.
    async fn forget_verdict(&self, pair: [&str; 2], audit: &[AuditEntry]) -> Stored<bool>;
}
