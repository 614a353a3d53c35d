//! Entries for the record of who did what.

use std::future::Future;

use serde_json::Value;

use crate::App;
use store::AuditEntry;

tokio::task_local! {
    static API_KEY: String;
}

/// Runs the work done with an API key, so that each entry it writes to the record names the key.
pub async fn with_api_key<T>(key_id: &str, work: impl Future<Output = T>) -> T {
    API_KEY.scope(key_id.to_owned(), work).await
}

impl App {
    /// An entry about something an applicant did. `subject` is `application:ID` or `applicant:ID`.
    pub(crate) fn by_applicant(
        &self,
        applicant_id: &str,
        subject: String,
        action: &'static str,
        detail: Value,
    ) -> AuditEntry {
        self.audit_entry(format!("applicant:{applicant_id}"), subject, action, detail)
    }

    pub(crate) fn audit_entry(
        &self,
        actor: String,
        subject: String,
        action: &'static str,
        mut detail: Value,
    ) -> AuditEntry {
        if let (Ok(key), Some(members)) = (API_KEY.try_with(Clone::clone), detail.as_object_mut()) {
            members.insert("apiKey".into(), key.into());
        }
        AuditEntry { id: self.random.id(), at: self.clock.now(), actor, subject, action, detail }
    }
}
