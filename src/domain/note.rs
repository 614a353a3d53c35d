//! Staff notes about an application.

use crate::moments::Millis;

/// A note that a member of staff wrote for the others.
#[derive(Debug, Clone)]
pub struct Note {
    pub id: String,
    pub application_id: String,
    pub staff_id: String,
    pub text: String,
    /// Starts at 1 and increases with every change of the text.
    pub revision: i64,
    /// When it was pinned to the top.
    pub pinned_at: Option<Millis>,
    pub created_at: Millis,
    pub edited_at: Option<Millis>,
}
