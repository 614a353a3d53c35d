//! An application from its first answer to its submission, and the conversation about it.

pub mod acts;
pub mod changes;
pub mod conversation;
pub mod copy;
pub(crate) mod drafts;
pub mod progress;
pub(crate) mod questionnaires;
pub(crate) mod recent_saves;
pub mod saving;
pub mod submission;
