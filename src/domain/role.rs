//! Staff roles.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A staff role. See `permission.rs` for what each may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Viewer,
    Interviewer,
    Reviewer,
    Decider,
    Finance,
    Owner,
}

impl Role {
    pub const ALL: [Role; 6] =
        [Role::Viewer, Role::Interviewer, Role::Reviewer, Role::Decider, Role::Finance, Role::Owner];

    /// Returns the name as stored and as typed on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Viewer => "viewer",
            Role::Interviewer => "interviewer",
            Role::Reviewer => "reviewer",
            Role::Decider => "decider",
            Role::Finance => "finance",
            Role::Owner => "owner",
        }
    }

    /// Returns the label for staff.
    pub fn title(self) -> &'static str {
        match self {
            Role::Viewer => "Viewer",
            Role::Interviewer => "Interviewer",
            Role::Reviewer => "Reviewer",
            Role::Decider => "Decider",
            Role::Finance => "Finance",
            Role::Owner => "Owner",
        }
    }

    /// Describes the role in one sentence.
    pub fn purpose(self) -> &'static str {
        match self {
            Role::Viewer => "Sees applications, without personal data.",
            Role::Interviewer => "Holds interviews and scores them.",
            Role::Reviewer => "Reads applications, checks documents, asks for changes.",
            Role::Decider => "Decides, and lets applicants see the decision.",
            Role::Finance => "Looks after contracts and payments.",
            Role::Owner => "May do everything, also with accounts and settings.",
        }
    }

    pub fn parse(text: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.as_str() == text)
    }
}
