//! What the office looks at to see how the product is used: the record of who did what, and which fields go wrong.

use async_trait::async_trait;
use serde_json::Value;

use super::{Millis, Stored};

/// What is looked for in the record. All of it must be so; nothing is asked of what is `None`.
#[derive(Debug, Clone, Default)]
pub struct AuditQuery {
    /// Who did it, or whom it was done to: `staff:ID`, `applicant:ID`.
    pub person: Option<String>,
    /// What it was done to: `application:ID`.
    pub subject: Option<String>,
    /// The act, or how it begins: `questionnaire.`
    pub action: Option<String>,
    pub from: Option<Millis>,
    /// Before this.
    pub until: Option<Millis>,
    /// Older than this entry.
    pub before: Option<(Millis, String)>,
    pub limit: i64,
}

/// A line of the record.
#[derive(Debug, Clone)]
pub struct AuditLine {
    pub id: String,
    pub at: Millis,
    pub actor: String,
    pub subject: String,
    pub action: String,
    pub detail: Value,
}

#[async_trait]
pub trait Insight: Send + Sync {
    /// Newest first.
    async fn search_audit(&self, query: &AuditQuery) -> Stored<Vec<AuditLine>>;
    /// The reference numbers of those of these applications that have one, by their ids.
    async fn references(&self, application_ids: &[&str]) -> Stored<Vec<(String, String)>>;
    /// Adds to the counts of that day, and forgets days before `oldest`.
    async fn count_field_errors(&self, day: &str, counts: &[(String, i64)], oldest: &str) -> Stored<()>;
    /// The fields with most errors since that day, most first.
    async fn field_errors(&self, since: &str, limit: i64) -> Stored<Vec<(String, i64)>>;
}
