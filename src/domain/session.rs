//! Sessions of applicants and staff.

use crate::moments::Millis;

/// The kind of account a token is for: its `aud`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    Applicant,
    Admin,
}

impl Audience {
    pub fn as_str(self) -> &'static str {
        match self {
            Audience::Applicant => "applicant",
            Audience::Admin => "admin",
        }
    }

    /// What the record calls such an account.
    pub fn kind(self) -> &'static str {
        match self {
            Audience::Applicant => "applicant",
            Audience::Admin => "staff",
        }
    }
}

/// A session that has been neither revoked nor expired.
#[derive(Debug, Clone)]
pub struct Session {
    pub id: String,
    pub created_at: Millis,
    pub last_seen_at: Millis,
    pub expires_at: Millis,
    pub user_agent: String,
}
