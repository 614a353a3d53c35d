//! Documents: which ones an application calls for, the state of each, and what a file must be.

mod files;
mod record;
mod slots;
mod states;

pub use files::{FileName, FileType, MAX_BYTES, MAX_FILES, MAX_MEGABYTES, Rejection, is_test_virus};
pub use record::{StoredDocument, UPLOAD_HOURS};
pub use slots::{Need, QuestionFile, Slot, SlotKind, called_for, of_answers};
pub use states::{FileState, Review, ReviewDecision, SlotState, StoredFile, state_of};
