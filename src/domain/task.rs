//! What staff have to do about an application, and when it no longer has to be done.

use super::permission::Permission;
use super::role::Role;
use super::status::Stage;
use crate::moments::Millis;
use crate::program::Program;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskKind {
    /// The applicant or the system changed the stage.
    Alert,
    /// The applicant submitted the changes that staff had asked for.
    Changes,
    /// The application has been in its stage for too long.
    Slow,
    InterviewWishes,
    ScoreSheet,
    ReleaseFailed,
    Deferral,
    Contract,
    Countersign,
    Funding,
    Dunning,
    CardPayment,
    Refund,
    Approval,
    LedgerFault,
    /// More was paid than is owed.
    Overpaid,
    /// The applicant asks for a waiver of the application fee.
    FeeWaiver,
    DocumentLost,
    DocumentCheck,
    Interview,
    NoShow,
    DecisionDraft,
    DecisionRelease,
    Lapsed,
    /// The applicant has written a message.
    Message,
    /// A reader is asked to read and score the application.
    Reading,
    /// A place is free, and the application is the first in line.
    PlaceFree,
}

impl TaskKind {
    pub const ALL: [TaskKind; 27] = [
        TaskKind::Alert,
        TaskKind::Changes,
        TaskKind::Slow,
        TaskKind::InterviewWishes,
        TaskKind::ScoreSheet,
        TaskKind::ReleaseFailed,
        TaskKind::Deferral,
        TaskKind::Contract,
        TaskKind::Countersign,
        TaskKind::Funding,
        TaskKind::Dunning,
        TaskKind::CardPayment,
        TaskKind::Refund,
        TaskKind::Approval,
        TaskKind::LedgerFault,
        TaskKind::Overpaid,
        TaskKind::FeeWaiver,
        TaskKind::DocumentLost,
        TaskKind::DocumentCheck,
        TaskKind::Interview,
        TaskKind::NoShow,
        TaskKind::DecisionDraft,
        TaskKind::DecisionRelease,
        TaskKind::Lapsed,
        TaskKind::Message,
        TaskKind::Reading,
        TaskKind::PlaceFree,
    ];

    /// Returns the stored name.
    pub const fn as_str(self) -> &'static str {
        match self {
            TaskKind::Alert => "alert",
            TaskKind::Changes => "changes",
            TaskKind::Slow => "slow",
            TaskKind::InterviewWishes => "interview-wishes",
            TaskKind::ScoreSheet => "score-sheet",
            TaskKind::ReleaseFailed => "release-failed",
            TaskKind::Deferral => "deferral",
            TaskKind::Contract => "contract",
            TaskKind::Countersign => "countersign",
            TaskKind::Funding => "funding",
            TaskKind::Dunning => "dunning",
            TaskKind::CardPayment => "card-payment",
            TaskKind::Refund => "refund",
            TaskKind::Approval => "approval",
            TaskKind::LedgerFault => "ledger-fault",
            TaskKind::Overpaid => "overpaid",
            TaskKind::FeeWaiver => "fee-waiver",
            TaskKind::DocumentLost => "document-lost",
            TaskKind::DocumentCheck => "document-check",
            TaskKind::Interview => "interview",
            TaskKind::NoShow => "no-show",
            TaskKind::DecisionDraft => "decision-draft",
            TaskKind::DecisionRelease => "decision-release",
            TaskKind::Lapsed => "lapsed",
            TaskKind::Message => "message",
            TaskKind::Reading => "reading",
            TaskKind::PlaceFree => "place-free",
        }
    }

    pub fn parse(text: &str) -> Option<TaskKind> {
        TaskKind::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Returns what is to be done, as shown to staff.
    pub const fn title(self) -> &'static str {
        match self {
            TaskKind::Alert => "See what has changed",
            TaskKind::Changes => "Read the changes that came back",
            TaskKind::Slow => "Waiting for too long",
            TaskKind::InterviewWishes => "Offer a time that suits the applicant",
            TaskKind::ScoreSheet => "Fill in the score sheet",
            TaskKind::ReleaseFailed => "Release the decision: the planned release failed",
            TaskKind::Deferral => "Answer the wish to start later",
            TaskKind::Contract => "Prepare and send the contract",
            TaskKind::Countersign => "Countersign the contract",
            TaskKind::Funding => "Look at the funding plan",
            TaskKind::Dunning => "Ask for the overdue payment",
            TaskKind::CardPayment => "Look at a payment by card",
            TaskKind::Refund => "Send the refund",
            TaskKind::Approval => "Approve or decline a booking",
            TaskKind::LedgerFault => "See why the ledger does not add up",
            TaskKind::Overpaid => "Give back what was paid too much",
            TaskKind::FeeWaiver => "Decide about the waiver of the fee",
            TaskKind::DocumentLost => "Ask for the lost document again",
            TaskKind::DocumentCheck => "Check the documents",
            TaskKind::Interview => "Hold the interview",
            TaskKind::NoShow => "See to the missed interview",
            TaskKind::DecisionDraft => "Draft the decision",
            TaskKind::DecisionRelease => "Release the decision",
            TaskKind::Lapsed => "Reopen the lapsed offer, or end the application",
            TaskKind::Message => "Answer the applicant",
            TaskKind::Reading => "Read and score the application",
            TaskKind::PlaceFree => "Offer the free place",
        }
    }

    /// Returns the same in one or two words, for menus.
    pub const fn label(self) -> &'static str {
        match self {
            TaskKind::Alert => "News",
            TaskKind::Changes => "Changes",
            TaskKind::Slow => "Overdue",
            TaskKind::InterviewWishes => "Times wanted",
            TaskKind::ScoreSheet => "Score sheets",
            TaskKind::ReleaseFailed => "Failed releases",
            TaskKind::Deferral => "Later starts",
            TaskKind::Contract => "Contracts",
            TaskKind::Countersign => "Signatures",
            TaskKind::Funding => "Funding",
            TaskKind::Dunning => "Overdue payments",
            TaskKind::CardPayment => "Card payments",
            TaskKind::Refund => "Refunds",
            TaskKind::Approval => "Approvals",
            TaskKind::LedgerFault => "Ledger",
            TaskKind::Overpaid => "Overpayments",
            TaskKind::FeeWaiver => "Fee waivers",
            TaskKind::DocumentLost => "Lost documents",
            TaskKind::DocumentCheck => "Documents",
            TaskKind::Interview => "Interviews",
            TaskKind::NoShow => "Missed interviews",
            TaskKind::DecisionDraft => "Drafts",
            TaskKind::DecisionRelease => "Releases",
            TaskKind::Lapsed => "Lapsed offers",
            TaskKind::Message => "Messages",
            TaskKind::Reading => "Readings",
            TaskKind::PlaceFree => "Free places",
        }
    }

    /// Returns the permission needed to do the task.
    pub const fn permission(self) -> Permission {
        match self {
            TaskKind::Alert
            | TaskKind::Changes
            | TaskKind::Slow
            | TaskKind::Deferral
            | TaskKind::NoShow
            | TaskKind::Lapsed => Permission::Review,
            TaskKind::InterviewWishes | TaskKind::Interview => Permission::Interview,
            TaskKind::ScoreSheet | TaskKind::Reading => Permission::Score,
            TaskKind::DecisionDraft => Permission::Decide,
            TaskKind::DecisionRelease | TaskKind::ReleaseFailed | TaskKind::PlaceFree => Permission::Release,
            TaskKind::Contract => Permission::ManageContracts,
            TaskKind::Countersign => Permission::Countersign,
            TaskKind::Funding
            | TaskKind::Dunning
            | TaskKind::CardPayment
            | TaskKind::Refund
            | TaskKind::Approval
            | TaskKind::LedgerFault
            | TaskKind::Overpaid
            | TaskKind::FeeWaiver => Permission::ManageFinance,
            TaskKind::DocumentLost | TaskKind::DocumentCheck => Permission::ReviewDocuments,
            TaskKind::Message => Permission::WriteToApplicants,
        }
    }

    /// Returns the kinds of task that somebody with this role can do.
    pub fn of_role(role: Role) -> impl Iterator<Item = TaskKind> {
        TaskKind::ALL.into_iter().filter(move |kind| role.may(kind.permission()))
    }

    /// Whether it follows from the state of the application alone, and stays while that requires it.
    pub const fn is_standing(self) -> bool {
        matches!(
            self,
            TaskKind::DocumentCheck
                | TaskKind::Overpaid
                | TaskKind::Interview
                | TaskKind::NoShow
                | TaskKind::DecisionDraft
                | TaskKind::DecisionRelease
                | TaskKind::Lapsed
        )
    }

    /// Whether it is assigned to the interviewer instead of the application's owner.
    pub const fn is_of_interviewer(self) -> bool {
        matches!(self, TaskKind::Interview | TaskKind::ScoreSheet)
    }

    /// Whether it stays with its assignee when the application gets another owner.
    pub const fn is_personal(self) -> bool {
        self.is_of_interviewer() || matches!(self, TaskKind::Reading)
    }

    /// Whether it stays open when the application reaches this stage. Otherwise its cause is gone, and it is closed
    /// along with the change.
    pub fn outlives_change_to(self, stage: Stage) -> bool {
        match self {
            // Tied to the stage that is left.
            TaskKind::Alert | TaskKind::Changes | TaskKind::Slow | TaskKind::InterviewWishes => false,
            TaskKind::ScoreSheet => matches!(stage, Stage::Held | Stage::Waitlisted),
            TaskKind::ReleaseFailed => stage == Stage::Held,
            TaskKind::PlaceFree => stage == Stage::Waitlisted,
            TaskKind::Deferral => matches!(stage, Stage::Offered | Stage::Confirmed | Stage::Enrolled),
            TaskKind::Contract | TaskKind::Countersign | TaskKind::Funding | TaskKind::Dunning => {
                matches!(stage, Stage::Offered | Stage::Confirmed | Stage::Enrolled | Stage::Deferred)
            }
            TaskKind::FeeWaiver => matches!(stage, Stage::Draft | Stage::Submitted | Stage::Changes),
            TaskKind::DocumentLost => !matches!(stage, Stage::Rejected | Stage::Archived),
            TaskKind::Reading => stage.is_undecided(),
            // Rejected applicants have questions, too.
            TaskKind::Message => stage != Stage::Archived,
            // Money is owed no matter what becomes of the application.
            TaskKind::CardPayment | TaskKind::Refund | TaskKind::Approval | TaskKind::LedgerFault => true,
            // For as long as the state requires it, which is checked wherever the state changes.
            TaskKind::DocumentCheck
            | TaskKind::Overpaid
            | TaskKind::Interview
            | TaskKind::NoShow
            | TaskKind::DecisionDraft
            | TaskKind::DecisionRelease
            | TaskKind::Lapsed => true,
        }
    }

    /// Whether it is a task for Finance.
    pub const fn is_about_money(self) -> bool {
        matches!(
            self,
            TaskKind::Funding
                | TaskKind::Dunning
                | TaskKind::CardPayment
                | TaskKind::Refund
                | TaskKind::Approval
                | TaskKind::LedgerFault
                | TaskKind::Overpaid
                | TaskKind::FeeWaiver
        )
    }

    /// Whether this role may mark it as done.
    pub fn may_be_ticked_off_by(self, role: Role) -> bool {
        let is_theirs = role.may(Permission::Assign) || self.is_about_money() && role.may(Permission::ManageFinance);
        self.is_ticked_off() && is_theirs
    }

    /// Whether somebody marks it as done. The other tasks close once what they ask for has been done.
    pub const fn is_ticked_off(self) -> bool {
        matches!(
            self,
            TaskKind::Alert
                | TaskKind::Changes
                | TaskKind::Slow
                | TaskKind::ReleaseFailed
                | TaskKind::Funding
                | TaskKind::Dunning
                | TaskKind::CardPayment
                | TaskKind::LedgerFault
                | TaskKind::DocumentLost
                | TaskKind::Message
        )
    }
}

/// Whose tasks to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Whose {
    #[default]
    Mine,
    Unassigned,
    Everybody,
}

impl Whose {
    pub const ALL: [Whose; 3] = [Whose::Mine, Whose::Unassigned, Whose::Everybody];

    /// Returns the name used in URLs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Whose::Mine => "mine",
            Whose::Unassigned => "unassigned",
            Whose::Everybody => "team",
        }
    }

    pub fn parse(text: &str) -> Option<Whose> {
        Whose::ALL.into_iter().find(|whose| whose.as_str() == text)
    }
}

/// The state from which the standing tasks follow. Times are in Unix milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances {
    pub stage: Stage,
    /// When it reached that stage.
    pub stage_since: i64,
    /// Whether it is not read yet, because the application fee is due.
    pub fee_due: bool,
    /// When the oldest unchecked document arrived.
    pub unchecked_since: Option<i64>,
    pub interview: Option<Appointment>,
    pub draft: Option<Drafted>,
    /// When the excess payment was first there.
    pub overpaid_since: Option<i64>,
}

#[derive(Debug, Clone, Copy)]
pub struct Appointment {
    pub booked_at: i64,
    pub starts_at: i64,
}

/// A decision that has not been released yet.
#[derive(Debug, Clone, Copy)]
pub struct Drafted {
    pub at: i64,
    /// Whether it will be released automatically.
    pub is_planned: bool,
    pub is_acceptance: bool,
}

/// A task that follows from the state of an application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StandingTask {
    pub kind: TaskKind,
    pub since: i64,
    pub due: Option<i64>,
}

impl Circumstances {
    pub fn tasks(&self) -> Vec<StandingTask> {
        let at = |kind, since| StandingTask { kind, since, due: None };
        let of_stage = match self.stage {
            Stage::Booked => self.interview.map(|interview| StandingTask {
                due: Some(interview.starts_at),
                ..at(TaskKind::Interview, interview.booked_at)
            }),
            Stage::NoShow => Some(at(TaskKind::NoShow, self.stage_since)),
            Stage::Lapsed => Some(at(TaskKind::Lapsed, self.stage_since)),
            // On the waitlist, the acceptance was discarded.
            Stage::Held | Stage::Waitlisted => match self.draft {
                None => Some(at(TaskKind::DecisionDraft, self.stage_since)),
                Some(draft) if draft.is_planned => None,
                // It waits for a place.
                Some(draft) if draft.is_acceptance && self.stage == Stage::Waitlisted => None,
                Some(draft) => Some(at(TaskKind::DecisionRelease, draft.at)),
            },
            _ => None,
        };
        let is_unread = self.fee_due && matches!(self.stage, Stage::Submitted | Stage::Changes);
        let is_open =
            !is_unread && !matches!(self.stage, Stage::None | Stage::Draft | Stage::Rejected | Stage::Archived);
        let unchecked = self.unchecked_since.filter(|_| is_open).map(|since| at(TaskKind::DocumentCheck, since));
        // Money is owed no matter what becomes of the application.
        let overpaid = self.overpaid_since.map(|since| at(TaskKind::Overpaid, since));
        of_stage.into_iter().chain(unchecked).chain(overpaid).collect()
    }
}

/// Something for staff to do or to take note of.
#[derive(Debug, Clone)]
pub struct Task {
    pub id: String,
    pub kind: TaskKind,
    /// `application:ID`
    pub subject: String,
    /// Further details, as a JSON object.
    pub detail: serde_json::Value,
    pub created_at: Millis,
    pub due_at: Option<Millis>,
}

/// A position in the task list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskPlace {
    /// When it is due, or else when it was created.
    pub moment: Millis,
    pub id: String,
}

/// A task with the application it concerns.
#[derive(Debug, Clone)]
pub struct ListedTask {
    pub task: Task,
    pub application_id: String,
    pub first_name: String,
    pub last_name: String,
    pub reference: Option<String>,
    pub program: Program,
    pub stage: Stage,
    /// Id and name of the assignee.
    pub owner: Option<(String, String)>,
}

impl TaskPlace {
    /// Returns the form used in URLs.
    pub fn to_text(&self) -> String {
        format!("{}.{}", self.moment, self.id)
    }

    pub fn parse(text: &str) -> Option<TaskPlace> {
        let (moment, id) = text.split_once('.')?;
        let is_id = id.len() <= 100 && !id.contains('\0');
        Some(TaskPlace { moment: moment.parse().ok()?, id: id.to_owned() }).filter(|_| is_id)
    }
}

impl Task {
    pub fn place(&self) -> TaskPlace {
        TaskPlace { moment: self.due_at.unwrap_or(self.created_at), id: self.id.clone() }
    }
}

impl ListedTask {
    /// Hides the person from roles that may not know them, and uses the reference number as the name.
    #[must_use]
    pub fn without_person(self) -> ListedTask {
        let last_name = self.reference.clone().unwrap_or_default();
        ListedTask { first_name: String::new(), last_name, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_read_as_it_is_stored() {
        for kind in TaskKind::ALL {
            assert_eq!(TaskKind::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(TaskKind::parse("unknown"), None);
    }

    #[test]
    fn what_is_over_leaves_open_only_what_is_about_money() {
        let outlives = |kind: &TaskKind, stage| !kind.is_standing() && kind.outlives_change_to(stage);
        let open = |stage| TaskKind::ALL.into_iter().filter(|kind| outlives(kind, stage)).collect::<Vec<_>>();
        let money = [TaskKind::CardPayment, TaskKind::Refund, TaskKind::Approval, TaskKind::LedgerFault];
        assert_eq!(open(Stage::Archived), money);
        let rejected = open(Stage::Rejected).into_iter().filter(|kind| *kind != TaskKind::Message).collect::<Vec<_>>();
        assert_eq!(rejected, money);
    }

    #[test]
    fn what_stands_follows_from_the_state() {
        let held = Circumstances {
            stage: Stage::Held,
            stage_since: 5,
            fee_due: false,
            unchecked_since: Some(3),
            interview: Some(Appointment { booked_at: 1, starts_at: 4 }),
            draft: None,
            overpaid_since: None,
        };
        let kinds = |state: Circumstances| state.tasks().into_iter().map(|task| task.kind).collect::<Vec<_>>();
        assert_eq!(kinds(held), [TaskKind::DecisionDraft, TaskKind::DocumentCheck]);
        let drafted = Circumstances { draft: Some(Drafted { at: 6, is_planned: false, is_acceptance: true }), ..held };
        assert_eq!(kinds(drafted), [TaskKind::DecisionRelease, TaskKind::DocumentCheck]);
        let planned = Circumstances { draft: Some(Drafted { at: 6, is_planned: true, is_acceptance: true }), ..held };
        assert_eq!(kinds(planned), [TaskKind::DocumentCheck]);
        let booked = Circumstances { stage: Stage::Booked, unchecked_since: None, ..held };
        assert_eq!(booked.tasks(), [StandingTask { kind: TaskKind::Interview, since: 1, due: Some(4) }]);
        let waiting = Circumstances { stage: Stage::Waitlisted, unchecked_since: None, ..held };
        assert_eq!(kinds(waiting), [TaskKind::DecisionDraft]);
        assert_eq!(kinds(Circumstances { draft: drafted.draft, ..waiting }), []);
        let rejected = Some(Drafted { at: 6, is_planned: false, is_acceptance: false });
        assert_eq!(kinds(Circumstances { draft: rejected, ..waiting }), [TaskKind::DecisionRelease]);
        let submitted = Circumstances { stage: Stage::Submitted, interview: None, ..held };
        assert_eq!(kinds(submitted), [TaskKind::DocumentCheck]);
        assert_eq!(kinds(Circumstances { fee_due: true, ..submitted }), []);
        assert_eq!(kinds(Circumstances { stage: Stage::Rejected, ..held }), []);
        assert_eq!(kinds(Circumstances { stage: Stage::Archived, ..held }), []);
        let overpaid = Circumstances { stage: Stage::Archived, overpaid_since: Some(7), ..held };
        assert_eq!(overpaid.tasks(), [StandingTask { kind: TaskKind::Overpaid, since: 7, due: None }]);
        assert!(held.tasks().iter().all(|task| task.kind.is_standing() && !task.kind.is_ticked_off()));
    }

    #[test]
    fn every_role_but_the_viewer_has_something_to_do() {
        for role in Role::ALL {
            assert_eq!(TaskKind::of_role(role).next().is_none(), role == Role::Viewer, "{role:?}");
        }
        assert_eq!(TaskKind::of_role(Role::Owner).count(), TaskKind::ALL.len());
    }
}
