//! What applicants and staff write to each other.

use crate::moments::Millis;

/// One message about an application.
#[derive(Debug, Clone)]
pub struct ConversationMessage {
    pub id: String,
    pub application_id: String,
    /// Who of the office wrote it; none for the applicant.
    pub staff_id: Option<String>,
    pub text: String,
    pub created_at: Millis,
    /// When the applicant first had what the office wrote before them.
    pub read_at: Option<Millis>,
}

impl ConversationMessage {
    /// Staff wrote it, and the applicant has not had it before them.
    pub fn is_unread(&self) -> bool {
        self.staff_id.is_some() && self.read_at.is_none()
    }
}
