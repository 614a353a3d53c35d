//! Documents: what an application calls for, the files that were sent, and staff's decisions about them.
//!
//! A file arrives in parts, each a separate object in the storage and safe there before its row says so ([`uploads`]).
//! Once all have arrived it is checked and kept as one object ([`checks`]). Bytes are written before the row that names
//! them and removed after it, so that a crash in between leaves objects that no row names; [`sweep`] finds those.

mod care;
mod checks;
mod holding;
mod kept;
mod lost;
mod reviews;
mod sweep;
mod uploads;

use std::ops::Range;

use serde_json::json;

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::error::{Error, Refusal};
use crate::ports::{StorageError, StoredBytes};
use domain::application::Application;
use domain::documents::{
    FileState, MAX_FILES, Need, Review, ReviewDecision, Slot, SlotKind, SlotState, StoredDocument, StoredFile,
    called_for, state_of,
};
use domain::questionnaire::QuestionSet;
use domain::status::Stage;
use store::SlotReview;

pub use care::CARE_PAUSE;
pub use checks::{CHECKS_LEFT_BEHIND, Claim};
pub use holding::{HOLD_PAUSE, MARKER, StorageOwner, Strange, Taking, is_marked, standing};
pub use kept::{KeptObjects, check_objects};
pub use reviews::ReviewVerdict;
pub use sweep::{QUARANTINE, RECONCILE_PAUSE, ours};
pub use uploads::{Body, Broken, Checksum, FormUpload, Upload};

/// Folders in the storage: files as they are kept, and the parts of uploads in progress.
const DOCUMENTS: &str = "documents";
const UPLOADS: &str = "uploads";
/// Signed copies of contracts.
pub(crate) const CONTRACTS: &str = "contracts";

/// A document and the files that were sent for it.
#[derive(Debug, Clone)]
pub struct SlotView {
    pub slot: Slot,
    pub state: SlotState,
    pub review: Option<Review>,
    /// The member of staff who made that decision.
    pub decided_by: Option<String>,
    /// Oldest first.
    pub files: Vec<FileView>,
}

#[derive(Debug, Clone)]
pub struct FileView {
    pub file: StoredDocument,
    /// Whether it was sent before a replacement was requested.
    pub replaced: bool,
    pub removable: bool,
}

impl SlotView {
    /// Identifies this view: it changes when somebody decides, or a file is added or removed. Consists of the state,
    /// the time of the last decision, and the newest file.
    pub fn seen(&self) -> String {
        let decided = self.review.as_ref().map_or(0, |review| review.at);
        let newest = self.files.iter().map(|view| view.file.created_at).max().unwrap_or_default();
        format!("{}.{decided}.{newest}", self.state.as_str())
    }
}

/// All of an applicant's documents.
#[derive(Debug, Clone)]
pub struct Documents {
    /// Documents that the answers call for.
    pub slots: Vec<SlotView>,
    /// Documents with files that are no longer called for.
    pub others: Vec<SlotView>,
    /// How many more files can be stored.
    pub room: i64,
}

/// A summary for other pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentsSummary {
    /// Documents that we have or no longer need.
    pub settled: usize,
    pub called_for: usize,
    /// Open documents without which we cannot decide.
    pub required: usize,
}

impl DocumentsSummary {
    fn of(documents: impl Iterator<Item = (Need, SlotState)>) -> DocumentsSummary {
        let mut summary = DocumentsSummary { settled: 0, called_for: 0, required: 0 };
        for (need, state) in documents {
            summary.called_for += 1;
            summary.settled += usize::from(state.is_settled());
            summary.required += usize::from(need.is_missing(state));
        }
        summary
    }
}

impl Documents {
    pub fn summary(&self) -> DocumentsSummary {
        DocumentsSummary::of(self.slots.iter().map(|view| (view.slot.need, view.state)))
    }

    fn view(&self, kind: SlotKind) -> Option<&SlotView> {
        self.slots.iter().chain(&self.others).find(|view| view.slot.kind == kind)
    }
}

/// Everything stored about an applicant's documents.
struct Sent {
    files: Vec<StoredDocument>,
    reviews: Vec<SlotReview>,
}

impl Sent {
    fn view(&self, slot: Slot) -> SlotView {
        let review = self.reviews.iter().find(|review| review.slot == slot.kind).map(|review| review.review.clone());
        let files: Vec<&StoredDocument> = self.files.iter().filter(|file| file.slot == slot.kind).collect();
        let counted: Vec<StoredFile> =
            files.iter().map(|file| StoredFile { state: file.state, created_at: file.created_at }).collect();
        let state = state_of(review.as_ref(), &counted);
        let replaced_until =
            review.as_ref().filter(|review| review.decision == ReviewDecision::Replace).map(|review| review.at);
        let files = files.into_iter().map(|file| FileView {
            replaced: file.state == FileState::Received && replaced_until.is_some_and(|at| file.created_at <= at),
            removable: state != SlotState::Accepted || file.state != FileState::Received,
            file: file.clone(),
        });
        let decided_by = self.reviews.iter().find(|review| review.slot == slot.kind).map(|one| one.staff_id.clone());
        SlotView { slot, state, files: files.collect(), review, decided_by }
    }
}

/// Whether documents of an application at this stage still matter.
pub(crate) fn matter_at(stage: Stage) -> bool {
    matches!(
        stage,
        Stage::Submitted
            | Stage::Changes
            | Stage::Booked
            | Stage::NoShow
            | Stage::Held
            | Stage::Waitlisted
            | Stage::Offered
            | Stage::Confirmed
            | Stage::Lapsed
    )
}

impl App {
    /// Lists what the application calls for, and what was sent.
    ///
    /// # Errors
    /// [`Refusal::NoApplication`]
    pub async fn list_documents(&self, who: &SignedIn, known: Option<&Application>) -> Result<Documents, Error> {
        let application = known.ok_or(Refusal::NoApplication)?;
        self.documents_of(&who.applicant.id, application).await
    }

    /// The progress of a submitted application's documents; `None` while they do not matter.
    pub async fn documents_summary(&self, application: &Application) -> Result<Option<DocumentsSummary>, Error> {
        if !matter_at(application.stage) {
            return Ok(None);
        }
        let slots = self.slots_of(application).await?;
        let stored = self.store.document_states(&application.applicant_id, &application.id).await?;
        let states = slots.into_iter().map(|slot| {
            let files = stored.files.iter().filter(|(kind, _)| *kind == slot.kind);
            let files: Vec<StoredFile> = files.map(|(_, file)| *file).collect();
            let review = stored.reviews.iter().find(|(kind, _)| *kind == slot.kind).map(|(_, review)| review);
            (slot.need, state_of(review, &files))
        });
        Ok(Some(DocumentsSummary::of(states)))
    }

    /// The documents that the applicant still has to send for a submitted application; required ones first.
    pub async fn wanted_documents(&self, application: &Application) -> Result<Vec<Slot>, Error> {
        if !matter_at(application.stage) {
            return Ok(Vec::new());
        }
        let documents = self.documents_of(&application.applicant_id, application).await?;
        let mut wanted: Vec<Slot> =
            documents.slots.into_iter().filter(|view| view.state.is_open()).map(|view| view.slot).collect();
        wanted.sort_by_key(|slot| slot.need != Need::Required);
        Ok(wanted)
    }

    pub(crate) async fn documents_of(&self, applicant_id: &str, application: &Application) -> Result<Documents, Error> {
        let sent = self.sent(applicant_id, application).await?;
        let stored = sent.files.iter().filter(|file| file.state != FileState::Refused).count();
        let slots: Vec<SlotView> = self.slots_of(application).await?.into_iter().map(|slot| sent.view(slot)).collect();
        let mut others: Vec<SlotView> = Vec::new();
        for file in &sent.files {
            let shown = slots.iter().chain(&others).any(|view| view.slot.kind == file.slot);
            if !shown {
                others.push(sent.view(file.slot.slot()));
            }
        }
        let room = (MAX_FILES - i64::try_from(stored).unwrap_or(MAX_FILES)).max(0);
        Ok(Documents { slots, others, room })
    }

    async fn sent(&self, applicant_id: &str, application: &Application) -> Result<Sent, Error> {
        let files = self.store.documents(applicant_id).await?;
        Ok(Sent { files, reviews: self.store.reviews(&application.id).await? })
    }

    /// The documents that an application calls for; those from its program's questions last.
    async fn slots_of(&self, application: &Application) -> Result<Vec<Slot>, Error> {
        let set = self.questions_of(application).await?;
        let answers = application.answers.asked_by(&set);
        let data = answers.data();
        let asked = answers.asked_files(&set).into_iter().filter_map(Slot::of_question);
        Ok(called_for(application.program, &data).chain(asked).collect())
    }

    /// The keys of required file questions without a file. Skips the lookup if no question requires one.
    pub(crate) async fn unsent_files(
        &self,
        application: &Application,
        set: &QuestionSet,
    ) -> Result<Vec<String>, Error> {
        let questions = set.questions.iter().filter(|question| question.required);
        let slots: Vec<(&str, Slot)> =
            questions.filter_map(|question| Some((question.key.as_str(), Slot::of_question(question)?))).collect();
        if slots.is_empty() {
            return Ok(Vec::new());
        }
        let sent = self.sent(&application.applicant_id, application).await?;
        let unsent = slots.into_iter().filter(|(_, slot)| !sent.view(slot.clone()).state.is_there());
        Ok(unsent.map(|(key, _)| key.to_owned()).collect())
    }

    /// A file of this applicant.
    ///
    /// # Errors
    /// [`Refusal::DocumentNotFound`]
    pub async fn own_document(&self, who: &SignedIn, id: &str) -> Result<StoredDocument, Error> {
        // Our ids are letters, digits and dashes; nothing else is looked up.
        let is_id = (1..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let found = if is_id { self.store.document(id).await? } else { None };
        let own = found.filter(|document| document.applicant_id == who.applicant.id);
        Ok(own.ok_or(Refusal::DocumentNotFound)?)
    }

    /// A kept file of this applicant, for reading.
    ///
    /// # Errors
    /// [`Refusal::DocumentNotFound`], also for one that is not checked yet.
    pub async fn kept_document(&self, who: &SignedIn, id: &str) -> Result<StoredDocument, Error> {
        let document = self.own_document(who, id).await?;
        if document.state == FileState::Received { Ok(document) } else { Err(Refusal::DocumentNotFound.into()) }
    }

    /// Reads the bytes of a kept file.
    ///
    /// # Errors
    /// [`Refusal::DocumentNotFound`] for one that the storage has lost, which is then requested again; storage errors.
    pub async fn read_document(&self, document: &StoredDocument, range: Range<u64>) -> Result<StoredBytes, Error> {
        let object = document.object.as_deref().ok_or(Refusal::DocumentNotFound)?;
        match self.storage.get(object, range).await {
            Err(StorageError::Missing) => {
                self.ask_again_for(document).await?;
                Err(Refusal::DocumentNotFound.into())
            }
            found => Ok(found?),
        }
    }

    /// Removes a file, whatever its state.
    ///
    /// # Errors
    /// [`Refusal::DocumentNotFound`], [`Refusal::SlotClosed`] for one that was accepted.
    pub async fn remove_document(
        &self,
        who: &SignedIn,
        known: Option<&Application>,
        id: &str,
    ) -> Result<StoredDocument, Error> {
        let document = self.own_document(who, id).await?;
        if let Some(application) = known {
            let documents = self.documents_of(&who.applicant.id, application).await?;
            let mut files = documents.view(document.slot).into_iter().flat_map(|view| &view.files);
            if files.any(|view| view.file.id == document.id && !view.removable) {
                return Err(Refusal::SlotClosed.into());
            }
        }
        let detail = json!({ "slot": document.slot.as_str(), "state": document.state.as_str() });
        let subject = format!("document:{}", document.id);
        let audit = self.by_applicant(&who.applicant.id, subject, "document.removed", detail);
        let states = [FileState::Uploading, FileState::Checking, FileState::Received, FileState::Refused];
        if !self.forget(&document, &states, Some(&audit)).await? {
            return Err(Refusal::DocumentNotFound.into());
        }
        Ok(document)
    }
}
