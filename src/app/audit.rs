//! Entries for the record of who did what.

use serde_json::Value;

use crate::App;
use store::AuditEntry;

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
        detail: Value,
    ) -> AuditEntry {
        AuditEntry { id: self.random.id(), at: self.clock.now(), actor, subject, action, detail }
    }
}
