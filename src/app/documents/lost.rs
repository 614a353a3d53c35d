//! Files that rows name but the storage does not have: one of the two was restored without the other.

use futures::StreamExt;
use serde_json::json;

use crate::error::Error;
use crate::ports::StorageError;
use crate::{App, mails};
use domain::application::ApplicationKey;
use domain::documents::{Rejection, StoredDocument};
use domain::task::{Task, TaskKind};
use store::lost_detail;

impl App {
    /// Asks the applicant to send a kept file again, and tells staff.
    ///
    /// # Errors
    /// Store errors, and a storage error if it is completely empty: then it is not mounted, or not ours.
    pub(super) async fn ask_again_for(&self, document: &StoredDocument) -> Result<(), Error> {
        if self.storage.list().await.next().await.is_none() {
            return Err(StorageError::Unavailable("the storage is empty".into()).into());
        }
        tracing::error!(document = document.id, "a kept file is not in the storage: it is asked for again");
        let now = self.clock.now();
        let slot = document.slot.as_str();
        let detail = json!({ "slot": slot, "sha256": document.sha256 });
        let audit = self.audit_entry("system".into(), format!("document:{}", document.id), "document.lost", detail);
        let active = match self.store.active_application(&document.applicant_id).await? {
            Some(active) => self.store.application(ApplicationKey::Id(&active.id)).await?,
            None => None,
        };
        let notice = match active {
            Some((applicant, application)) => {
                let task = Task {
                    id: self.random.id(),
                    kind: TaskKind::DocumentLost,
                    subject: format!("application:{}", application.id),
                    detail: lost_detail(slot),
                    created_at: now,
                    due_at: None,
                };
                let documents = self.documents_of(&applicant.id, &application).await?;
                let label = documents.view(document.slot).map(|view| view.slot.label.clone());
                let wording = self.wording().await;
                let mail = |label| {
                    let (program, reason) = (application.program, Rejection::Lost.sentence());
                    mails::document_needed_again(&wording, &applicant, program, label, reason)
                };
                label.map(|label| (task, mail(label)))
            }
            None => None,
        };
        let notice = notice.as_ref().map(|(task, mail)| (task, mail));
        self.store.lose_document(document, now, &audit, notice).await?;
        Ok(())
    }
}
