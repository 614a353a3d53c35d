//! Adapters of the ports of documents: the storage of their bytes, and the checks of files.

mod budget;
mod clamd;
mod docx;
mod heic;
mod images;
mod inspector;
mod pdf;
mod storage;

pub use clamd::{Clamd, ClamdAddress};
pub use inspector::Inspector;
pub use storage::{ObjectStorage, OpenError};
