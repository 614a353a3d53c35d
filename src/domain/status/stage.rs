//! The stages, which are finer than the status sent by the API.

use std::fmt;

use super::{Status, Words};
use crate::sentence::Sentence;
use crate::text;

/// The step of an application within its status. The stage is stored; the status follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// There is no application.
    None,
    Draft,
    /// Submitted, and with staff until an interview is booked.
    Submitted,
    /// Staff asked for changes: the named sections can be edited.
    Changes,
    Booked,
    Held,
    NoShow,
    /// An acceptance is drafted, and waits for a place of its intake.
    Waitlisted,
    /// A decision that the applicant may see and reply to.
    Offered,
    /// The applicant accepted the offer.
    Confirmed,
    /// Not replied to in time: staff look into it.
    Lapsed,
    Rejected,
    Enrolled,
    Deferred,
    /// Declined or withdrawn: one of the applicant's past applications; the status is `none`.
    Archived,
}

impl Stage {
    pub const ALL: [Stage; 15] = [
        Stage::None,
        Stage::Draft,
        Stage::Submitted,
        Stage::Changes,
        Stage::Booked,
        Stage::Held,
        Stage::NoShow,
        Stage::Waitlisted,
        Stage::Offered,
        Stage::Confirmed,
        Stage::Lapsed,
        Stage::Rejected,
        Stage::Enrolled,
        Stage::Deferred,
        Stage::Archived,
    ];

    /// Returns its status, which guards and the API use.
    pub const fn status(self) -> Status {
        match self {
            Stage::None | Stage::Archived => Status::None,
            Stage::Draft | Stage::Submitted | Stage::Changes => Status::Incomplete,
            Stage::Booked | Stage::Held | Stage::NoShow | Stage::Waitlisted => Status::Scheduled,
            Stage::Offered | Stage::Confirmed | Stage::Lapsed => Status::Accepted,
            Stage::Rejected => Status::Rejected,
            Stage::Enrolled => Status::Enrolled,
            Stage::Deferred => Status::Deferred,
        }
    }

    /// Returns the stored name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Stage::None => "none",
            Stage::Draft => "draft",
            Stage::Submitted => "submitted",
            Stage::Changes => "changes",
            Stage::Booked => "booked",
            Stage::Held => "held",
            Stage::NoShow => "no_show",
            Stage::Waitlisted => "waitlisted",
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

    /// Whether it is with staff and not decided yet.
    pub const fn is_undecided(self) -> bool {
        use Stage::{Booked, Changes, Held, NoShow, Submitted, Waitlisted};
        matches!(self, Submitted | Changes | Booked | Held | NoShow | Waitlisted)
    }

    /// Whether the applicant knows the decision.
    pub const fn is_decided(self) -> bool {
        use Stage::{Confirmed, Deferred, Enrolled, Lapsed, Offered, Rejected};
        matches!(self, Offered | Confirmed | Lapsed | Rejected | Deferred | Enrolled)
    }

    /// Whether the applicant can change answers: all of them in a draft, in other stages those that staff asked for.
    pub const fn is_editable(self) -> bool {
        matches!(self, Stage::Draft | Stage::Changes)
    }

    /// Returns what it means to the applicant.
    pub fn words(self) -> Words {
        let words = |title, meaning, whose_turn| Words { title, meaning, whose_turn };
        match self {
            Stage::None | Stage::Archived => words(
                text!("No application yet"),
                text!("You have an account, and no application at the moment."),
                text!("It is your turn: start an application when you are ready."),
            ),
            Stage::Draft => words(
                text!("In progress"),
                text!("You have started your application and not yet submitted it. Only you can see your answers."),
                text!("It is your turn: complete your answers. You can stop and come back at any time."),
            ),
            Stage::Submitted => words(
                text!("Submitted"),
                text!("We have your application, and we are reading it."),
                text!("It is your turn: book your interview."),
            ),
            Stage::Changes => words(
                text!("Changes needed"),
                text!("We have read your application and asked you to change something."),
                text!("It is your turn: make the changes that we asked for, and submit your application again."),
            ),
            Stage::Booked => words(
                text!("Interview booked"),
                text!("We have your application and will meet you for an interview."),
                text!("It is your turn and ours: we meet at the time you booked."),
            ),
            Stage::Held => words(
                text!("Interview held"),
                text!("We have met, and we are deciding on your application."),
                text!("It is our turn: we will write to you when there is a decision."),
            ),
            Stage::NoShow => words(
                text!("Interview missed"),
                text!("We waited for you, and could not meet you at the time you booked."),
                text!("It is your turn: write to us to find another time."),
            ),
            Stage::Waitlisted => words(
                text!("You are on the waitlist"),
                text!(
                    "We would like you to study with us, but all places are taken at the moment. If one becomes free, we will offer it to you."
                ),
                text!("It is our turn: we will write to you when there is news. You do not need to do anything."),
            ),
            Stage::Offered => words(
                text!("Accepted"),
                text!("We would like you to study with us."),
                text!("It is your turn: reply to our offer."),
            ),
            Stage::Confirmed => words(
                text!("Offer accepted"),
                text!("You have told us that you want to study with us."),
                text!("First, plan how you will pay. Then we will send you the contract."),
            ),
            Stage::Lapsed => words(
                text!("Offer expired"),
                text!("The deadline to reply to our offer has passed."),
                text!("It is your turn: write to us if you still want the place."),
            ),
            Stage::Rejected => words(
                text!("Not accepted"),
                text!("We cannot offer you a place this time."),
                text!("Nothing is pending. You may apply again."),
            ),
            Stage::Enrolled => words(
                text!("Enrolled"),
                text!("You are a student of the institute."),
                text!("Nothing is pending. We will write to you before your intake starts."),
            ),
            Stage::Deferred => words(
                text!("Deferred"),
                text!("Your place is reserved for a later intake."),
                text!("It is our turn: we will write to you before that intake starts."),
            ),
        }
    }

    /// Returns an application at this stage as the subject of a sentence.
    pub(super) fn subject(self) -> Sentence {
        match self {
            Stage::None => text!("An application that was not started"),
            Stage::Draft => text!("An incomplete application"),
            Stage::Submitted => text!("A submitted application"),
            Stage::Changes => text!("An application that is being changed"),
            Stage::Booked => text!("An application with a booked interview"),
            Stage::Held => text!("An application whose interview was held"),
            Stage::NoShow => text!("An application whose interview was missed"),
            Stage::Waitlisted => text!("An application on the waitlist"),
            Stage::Offered => text!("An accepted application"),
            Stage::Confirmed => text!("An application whose offer was accepted"),
            Stage::Lapsed => text!("An application whose offer lapsed"),
            Stage::Rejected => text!("A rejected application"),
            Stage::Enrolled => text!("An enrolled application"),
            Stage::Deferred => text!("A deferred application"),
            Stage::Archived => text!("An archived application"),
        }
    }
}

/// Formats as `incomplete/draft`, or as `rejected` if the stage is the whole status.
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
