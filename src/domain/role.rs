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

/// What some roles may do with an application and others may not. Reading is not among it: every role may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// Book and move interviews for an applicant, and record them.
    Interview,
    /// Ask for changes, defer, and withdraw for an applicant.
    Review,
    /// Draft a decision, and reverse one.
    Decide,
    /// Let the applicant see a decision.
    Release,
    /// Enrol where the system did not.
    Enrol,
}

impl Capability {
    pub const ALL: [Capability; 5] =
        [Capability::Interview, Capability::Review, Capability::Decide, Capability::Release, Capability::Enrol];

    /// The word for who has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Capability::Interview => "interviewing staff",
            Capability::Review => "reviewing staff",
            Capability::Decide => "deciding staff",
            Capability::Release => "releasing staff",
            Capability::Enrol => "enrolling staff",
        }
    }
}

impl Role {
    /// Whether the role includes the capability. Roles of admissions build on each other; Finance is beside them.
    pub fn may(self, capability: Capability) -> bool {
        match capability {
            Capability::Interview => matches!(self, Role::Interviewer | Role::Reviewer | Role::Decider | Role::Owner),
            Capability::Review => matches!(self, Role::Reviewer | Role::Decider | Role::Owner),
            Capability::Decide | Capability::Release => matches!(self, Role::Decider | Role::Owner),
            Capability::Enrol => matches!(self, Role::Decider | Role::Finance | Role::Owner),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_may_do_what() {
        for (role, capabilities) in [
            (Role::Viewer, &[][..]),
            (Role::Interviewer, &[Capability::Interview][..]),
            (Role::Reviewer, &[Capability::Interview, Capability::Review][..]),
            (Role::Decider, &Capability::ALL[..]),
            (Role::Finance, &[Capability::Enrol][..]),
            (Role::Owner, &Capability::ALL[..]),
        ] {
            let may: Vec<Capability> = Capability::ALL.into_iter().filter(|capability| role.may(*capability)).collect();
            assert_eq!(may, capabilities, "{role:?}");
        }
    }
}
