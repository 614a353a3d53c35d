//! What a member of staff may do.

use serde::Serialize;

/// A staff role, least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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

    /// The name as stored and as typed on the command line.
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

    pub fn parse(text: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.as_str() == text)
    }
}
