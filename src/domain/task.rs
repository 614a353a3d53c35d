//! What staff have to do about an application, and when that is over.

use super::permission::Permission;
use super::role::Role;
use super::status::Stage;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskKind {
    /// The applicant or the system changed the stage.
    Alert,
    /// It waits in its stage for longer than it should.
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
    DocumentLost,
}

impl TaskKind {
    pub const ALL: [TaskKind; 15] = [
        TaskKind::Alert,
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
        TaskKind::DocumentLost,
    ];

    /// As it is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            TaskKind::Alert => "alert",
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
            TaskKind::DocumentLost => "document-lost",
        }
    }

    pub fn parse(text: &str) -> Option<TaskKind> {
        TaskKind::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// What is to be done, as staff read it.
    pub const fn title(self) -> &'static str {
        match self {
            TaskKind::Alert => "See what has changed",
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
            TaskKind::DocumentLost => "Ask for the lost document again",
        }
    }

    /// Whether it stays open when the application comes to this stage. Otherwise its cause is gone, and it is closed with the
    /// change.
    pub fn outlives_change_to(self, stage: Stage) -> bool {
        match self {
            // Of the stage that is left.
            TaskKind::Alert | TaskKind::Slow | TaskKind::InterviewWishes => false,
            TaskKind::ScoreSheet | TaskKind::ReleaseFailed => stage == Stage::Held,
            TaskKind::Deferral => matches!(stage, Stage::Offered | Stage::Confirmed | Stage::Enrolled),
            TaskKind::Contract | TaskKind::Countersign | TaskKind::Funding | TaskKind::Dunning => {
                matches!(stage, Stage::Offered | Stage::Confirmed | Stage::Enrolled | Stage::Deferred)
            }
            TaskKind::DocumentLost => !matches!(stage, Stage::Rejected | Stage::Archived),
            // Money is owed whatever becomes of the application.
            TaskKind::CardPayment | TaskKind::Refund | TaskKind::Approval | TaskKind::LedgerFault => true,
        }
    }

    /// Whether it is Finance's.
    pub const fn is_about_money(self) -> bool {
        matches!(
            self,
            TaskKind::Funding
                | TaskKind::Dunning
                | TaskKind::CardPayment
                | TaskKind::Refund
                | TaskKind::Approval
                | TaskKind::LedgerFault
        )
    }

    /// Whether this role may say that it is done.
    pub fn may_be_ticked_off_by(self, role: Role) -> bool {
        let is_theirs = role.may(Permission::Assign) || self.is_about_money() && role.may(Permission::ManageFinance);
        self.is_ticked_off() && is_theirs
    }

    /// Whether somebody says that it is done. The others are done by what they ask for.
    pub const fn is_ticked_off(self) -> bool {
        matches!(
            self,
            TaskKind::Alert
                | TaskKind::Slow
                | TaskKind::ReleaseFailed
                | TaskKind::Funding
                | TaskKind::Dunning
                | TaskKind::CardPayment
                | TaskKind::LedgerFault
                | TaskKind::DocumentLost
        )
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
        let open = |stage| TaskKind::ALL.into_iter().filter(|kind| kind.outlives_change_to(stage)).collect::<Vec<_>>();
        let money = [TaskKind::CardPayment, TaskKind::Refund, TaskKind::Approval, TaskKind::LedgerFault];
        assert_eq!(open(Stage::Archived), money);
        assert_eq!(open(Stage::Rejected), money);
    }
}
