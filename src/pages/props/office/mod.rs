//! What the screens of the office need that is not beside their handlers. They are in English.

pub mod access;
pub mod account;
pub mod acts;
pub mod admins;
pub mod answers;
pub mod applications;
pub mod conversation;
pub mod decisions;
pub mod deliveries;
pub mod documents;
pub mod dossier;
pub mod duplicates;
pub mod emails;
pub mod fee_codes;
pub mod figures;
pub mod imports;
pub mod insight;
pub mod notes;
pub mod open_days;
pub mod prospects;
pub mod questionnaires;
pub mod readings;
pub mod settings;
pub mod sheets;
pub mod sign_on;
pub mod timeline;
pub mod waitlist;
pub mod webhooks;
pub mod work;

use serde::Serialize;

/// Undoes the last change: a form, or the page of the act that does it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "OfficeUndo"))]
pub struct Undo {
    pub href: String,
    /// What to post there; empty if it is a page.
    pub fields: Vec<(&'static str, String)>,
}

/// A value to choose, and whether it is the chosen one.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "OfficeChoice"))]
pub struct Choice {
    pub value: String,
    pub label: String,
}
