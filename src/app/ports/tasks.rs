//! What staff have to do, and what that needs of the store.

use async_trait::async_trait;

use super::{AuditEntry, Millis, Stored};
use crate::domain::task::TaskKind;

/// Something for staff to do or to know.
#[derive(Debug, Clone)]
pub struct Task {
    pub id: String,
    pub kind: TaskKind,
    /// `application:ID`
    pub subject: String,
    /// What else has to be known, as a JSON object.
    pub detail: serde_json::Value,
    pub created_at: Millis,
    pub due_at: Option<Millis>,
}

#[async_trait]
pub trait Tasks: Send + Sync {
    /// Whether there is an open task of this kind about the subject.
    async fn has_task(&self, subject: &str, kind: TaskKind) -> Stored<bool>;
    /// Those of an application that are open, oldest first.
    async fn open_tasks(&self, application_id: &str) -> Stored<Vec<Task>>;
    /// Closes the tasks of a kind about the subject. There was none: false.
    async fn finish_tasks(&self, subject: &str, kind: TaskKind, audit: &AuditEntry) -> Stored<bool>;
    /// Closes one of an application, by somebody who has looked at it. Closed already: false.
    async fn tick_off(
        &self,
        application_id: &str,
        task_id: &str,
        by: &str,
        note: &str,
        audit: &AuditEntry,
    ) -> Stored<bool>;
    /// Closes up to `limit` open tasks, in the order of their ids behind `after`, that a later change of stage should have closed;
    /// the id of the last one that was looked at, `None` at the end.
    async fn close_overtaken_tasks(&self, after: &str, limit: i64, now: Millis) -> Stored<Option<String>>;
}
