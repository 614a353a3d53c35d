//! What the end of drafts needs from outside.

use async_trait::async_trait;

use super::{Applicant, Application, Millis, NewMail, Stored};

/// Drafts that were never submitted. Whoever saves answers or sends a file touches theirs.
#[async_trait]
pub trait Drafts: Send + Sync {
    /// Drafts that nobody has touched since `before`, and whose applicants were not told of it. Oldest first.
    async fn untouched_drafts(&self, before: Millis, limit: i64) -> Stored<Vec<(Applicant, Application)>>;
    /// Notes that the applicant is told, and writes the mail; false when the draft is not at this revision any more.
    async fn warn_of_expiry(&self, application: &Application, mail: &NewMail, now: Millis) -> Stored<bool>;
    /// Drafts whose applicants were told before `before` and have not touched them since.
    async fn expired_drafts(&self, before: Millis, limit: i64) -> Stored<Vec<(Applicant, Application)>>;
    /// The names of all that the storage keeps for the applicant.
    async fn objects_of(&self, applicant_id: &str) -> Stored<Vec<String>>;
}
