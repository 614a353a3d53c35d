//! Adapters of the ports of documents: the storage of their bytes, the checks of files, and tables read from them.

mod budget;
mod clamd;
mod docx;
mod heic;
mod images;
mod inspector;
mod pdf;
mod storage;
mod tables;

pub use clamd::{Clamd, ClamdAddress};
pub use inspector::Inspector;
pub use storage::{ObjectStorage, OpenError};
pub use tables::Tables;
