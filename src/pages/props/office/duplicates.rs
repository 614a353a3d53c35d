//! Applications that may be from the same person.

use serde::Serialize;

use super::dossier::Frame;
use crate::page::FormState;

/// Something that two applications have, and whether it is the same.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AlikeLine {
    pub what: &'static str,
    pub here: String,
    pub there: String,
    pub same: bool,
}

/// Another application that may be from the same person.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PossibleDuplicate {
    pub id: String,
    pub name: String,
    pub reference: String,
    /// The same page of that application.
    pub href: String,
    pub lines: Vec<AlikeLine>,
    /// The verdict, by whom and when.
    pub verdict: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdminDuplicatesProps {
    pub frame: Frame,
    pub duplicates: Vec<PossibleDuplicate>,
    pub form: FormState,
}
