//! Messages between applicants and staff.

use crate::moments::Millis;

/// A message about an application.
#[derive(Debug, Clone)]
pub struct ConversationMessage {
    pub id: String,
    pub application_id: String,
    /// The member of staff who wrote it; `None` if the applicant did.
    pub staff_id: Option<String>,
    pub text: String,
    pub created_at: Millis,
    /// When the applicant first saw a message from staff.
    pub read_at: Option<Millis>,
}

impl ConversationMessage {
    /// Whether staff wrote it and the applicant has not seen it yet.
    pub fn is_unread(&self) -> bool {
        self.staff_id.is_some() && self.read_at.is_none()
    }
}
