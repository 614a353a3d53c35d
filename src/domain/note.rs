//! Notes of staff about an application.

use crate::moments::Millis;

/// What somebody of the office wrote about an application for the others.
#[derive(Debug, Clone)]
pub struct Note {
    pub id: String,
    pub application_id: String,
    pub staff_id: String,
    pub text: String,
    /// Counts up with every change of the text, from 1.
    pub revision: i64,
    /// Since when it stands above the others.
    pub pinned_at: Option<Millis>,
    pub created_at: Millis,
    pub edited_at: Option<Millis>,
}
