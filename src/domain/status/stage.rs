//! The stages, finer than the status that the wire has.

use std::fmt;

use super::{Status, Words};

/// The step of an application inside its status. It is what is stored; the status follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// There is no application.
    None,
    Draft,
    /// Sent, and in the hands of staff until an interview is booked.
    Submitted,
    /// Staff asked for changes: the named sections can be edited.
    Changes,
    Booked,
    Held,
    NoShow,
    /// A decision that the applicant may see, and reply to.
    Offered,
    /// The applicant took the offer.
    Confirmed,
    /// Nobody replied in time: staff look at it.
    Lapsed,
    Rejected,
    Enrolled,
    Deferred,
    /// Declined or withdrawn: one of the applicant's past applications, while `none` is active.
    Archived,
}

impl Stage {
    pub const ALL: [Stage; 14] = [
        Stage::None,
        Stage::Draft,
        Stage::Submitted,
        Stage::Changes,
        Stage::Booked,
        Stage::Held,
        Stage::NoShow,
        Stage::Offered,
        Stage::Confirmed,
        Stage::Lapsed,
        Stage::Rejected,
        Stage::Enrolled,
        Stage::Deferred,
        Stage::Archived,
    ];

    /// What the guards and the wire go by.
    pub const fn status(self) -> Status {
        match self {
            Stage::None | Stage::Archived => Status::None,
            Stage::Draft | Stage::Submitted | Stage::Changes => Status::Incomplete,
            Stage::Booked | Stage::Held | Stage::NoShow => Status::Scheduled,
            Stage::Offered | Stage::Confirmed | Stage::Lapsed => Status::Accepted,
            Stage::Rejected => Status::Rejected,
            Stage::Enrolled => Status::Enrolled,
            Stage::Deferred => Status::Deferred,
        }
    }

    /// As stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Stage::None => "none",
            Stage::Draft => "draft",
            Stage::Submitted => "submitted",
            Stage::Changes => "changes",
            Stage::Booked => "booked",
            Stage::Held => "held",
            Stage::NoShow => "no_show",
            Stage::Offered => "offered",
            Stage::Confirmed => "confirmed",
            Stage::Lapsed => "lapsed",
            Stage::Rejected => "rejected",
            Stage::Enrolled => "enrolled",
            Stage::Deferred => "deferred",
            Stage::Archived => "archived",
        }
    }

    pub fn parse(text: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|stage| stage.as_str() == text)
    }

    /// Whether the applicant can change the answers.
    pub const fn is_editable(self) -> bool {
        matches!(self, Stage::Draft)
    }

    /// What it says to the applicant.
    pub fn words(self) -> Words {
        let words = |title, meaning, whose_turn| Words { title, meaning, whose_turn };
        match self {
            Stage::None | Stage::Archived => words(
                "No application yet",
                "You have an account, and no application at the moment.",
                "It is your turn: start an application when you are ready.",
            ),
            Stage::Draft => words(
                "In progress",
                "Your application is started and not yet sent. Only you can see your answers.",
                "It is your turn: complete your answers. You can stop and come back at any time.",
            ),
            Stage::Submitted => words(
                "Submitted",
                "We have your application, and we read it.",
                "It is our turn: we write to you about an interview.",
            ),
            Stage::Changes => words(
                "Changes needed",
                "We have read your application and asked you to change something.",
                "It is your turn: look at our email, and write to us if something is not clear.",
            ),
            Stage::Booked => words(
                "Interview booked",
                "We have your application and will meet you for an interview.",
                "It is both our turns: we meet at the time you booked.",
            ),
            Stage::Held => words(
                "Interview held",
                "We have met, and we decide about your application.",
                "It is our turn: we write to you when there is a decision.",
            ),
            Stage::NoShow => words(
                "Interview missed",
                "We waited for you, and could not meet you at the time you booked.",
                "It is your turn: write to us to find another time.",
            ),
            Stage::Offered => {
                words("Accepted", "We would like you to study with us.", "It is your turn: reply to our offer.")
            }
            Stage::Confirmed => words(
                "Offer taken",
                "You have told us that you want to study with us.",
                "It is our turn: we write to you about the contract.",
            ),
            Stage::Lapsed => words(
                "Offer over",
                "The time to reply to our offer is over.",
                "It is your turn: write to us if you still want the place.",
            ),
            Stage::Rejected => {
                words("Not accepted", "We cannot offer you a place this time.", "Nothing is open. You may apply again.")
            }
            Stage::Enrolled => words(
                "Enrolled",
                "You are a student of the institute.",
                "Nothing is open. We write to you before your intake starts.",
            ),
            Stage::Deferred => words(
                "Deferred",
                "Your place is kept for a later intake.",
                "It is our turn: we write to you before that intake starts.",
            ),
        }
    }

    /// An application of this stage, as the subject of a sentence.
    pub(super) fn subject(self) -> &'static str {
        match self {
            Stage::None => "An application that was not started",
            Stage::Draft => "An incomplete application",
            Stage::Submitted => "A submitted application",
            Stage::Changes => "An application that is being changed",
            Stage::Booked => "An application with a booked interview",
            Stage::Held => "An application whose interview was held",
            Stage::NoShow => "An application whose interview was missed",
            Stage::Offered => "An accepted application",
            Stage::Confirmed => "An application whose offer was taken",
            Stage::Lapsed => "An application whose offer lapsed",
            Stage::Rejected => "A rejected application",
            Stage::Enrolled => "An enrolled application",
            Stage::Deferred => "A deferred application",
            Stage::Archived => "An archived application",
        }
    }
}

/// `incomplete/draft`, and `rejected` where the stage is the whole status.
impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (status, stage) = (self.status().as_str(), self.as_str());
        if status == stage { f.write_str(status) } else { write!(f, "{status}/{stage}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_is_read_back_and_every_status_has_one() {
        for stage in Stage::ALL {
            assert_eq!(Stage::parse(stage.as_str()), Some(stage));
        }
        assert_eq!(Stage::parse("incomplete"), None);
        for status in Status::ALL {
            assert!(Stage::ALL.iter().any(|stage| stage.status() == status), "{status:?}");
        }
    }

    #[test]
    fn a_stage_is_shown_with_its_status() {
        for (stage, shown) in [
            (Stage::None, "none"),
            (Stage::Draft, "incomplete/draft"),
            (Stage::NoShow, "scheduled/no_show"),
            (Stage::Rejected, "rejected"),
            (Stage::Archived, "none/archived"),
        ] {
            assert_eq!(stage.to_string(), shown);
        }
    }
}
