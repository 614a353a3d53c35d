//! Views of the figures that have a name, and who gets them by mail.

use async_trait::async_trait;

use super::{AuditEntry, Millis, NewMail, Stored, ViewSaved};

/// A view of the figures that somebody named. Everybody has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FigureReport {
    pub id: String,
    /// Who made it.
    pub staff_id: String,
    pub name: String,
    /// The query of its address.
    pub query: String,
    /// Whether the one who asks gets it by mail.
    pub is_mailed: bool,
}

/// A report that is to be mailed to somebody.
#[derive(Debug, Clone)]
pub struct DueReport {
    pub report_id: String,
    pub name: String,
    pub query: String,
    pub staff_id: String,
    pub email: String,
    pub due_at: Millis,
}

#[async_trait]
pub trait FigureReports: Send + Sync {
    /// All, by name, as this member of staff has them.
    async fn figure_reports(&self, staff_id: &str) -> Stored<Vec<FigureReport>>;
    /// The same id again changes nothing and is done. Of all there are `most`.
    async fn save_figure_report(&self, report: &FigureReport, most: i64, audit: &AuditEntry) -> Stored<ViewSaved>;
    /// Whether it was there. Nobody gets it by mail any more.
    async fn delete_figure_report(&self, id: &str, audit: &AuditEntry) -> Stored<bool>;
    /// Mails it to somebody from then on, or not any more; whether it is there.
    async fn mail_figure_report(&self, id: &str, staff_id: &str, due_at: Option<Millis>) -> Stored<bool>;
    /// What is due to people who can still log in.
    async fn due_figure_reports(&self, now: Millis, limit: i64) -> Stored<Vec<DueReport>>;
    /// Writes the mail and when the next one is due, unless that was done or stopped meanwhile.
    async fn figure_report_mailed(&self, due: &DueReport, next_at: Millis, mail: &NewMail) -> Stored<()>;
}
