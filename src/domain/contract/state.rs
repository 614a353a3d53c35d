//! The states of a contract, and the single table of which party can move it from which state to which.

use crate::permission::Permission;
use crate::role::Role;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContractState {
    /// Being prepared by staff, and not visible to the applicant.
    Draft,
    /// The text is frozen; the applicant can read and sign it.
    Sent,
    /// The applicant has opened it.
    Viewed,
    /// Signed by the applicant, but not by the institute.
    Signed,
    Countersigned,
    Declined,
    /// Withdrawn by staff, or because the application ended.
    Voided,
    /// Not signed in time.
    Expired,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContractAct {
    Prepare,
    Send,
    View,
    /// Agrees to sign electronically instead of on paper.
    Consent,
    Sign,
    /// Records a signature on paper.
    RecordPaper,
    Countersign,
    Decline,
    Void,
    Expire,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Party {
    Applicant,
    Staff(Role),
    System,
}

enum Who {
    Applicant,
    Staff(Permission),
    System,
}

impl Who {
    fn includes(&self, party: Party) -> bool {
        match (self, party) {
            (Who::Applicant, Party::Applicant) | (Who::System, Party::System) => true,
            (Who::Staff(permission), Party::Staff(role)) => role.may(*permission),
            _ => false,
        }
    }
}

struct Rule {
    act: ContractAct,
    from: &'static [ContractState],
    to: ContractState,
    who: &'static [Who],
}

use ContractAct as A;
use ContractState as S;

const MANAGE: Who = Who::Staff(Permission::ManageContracts);

/// A contract that was not signed in time expires, even if it was never opened.
static TABLE: [Rule; 9] = [
    Rule { act: A::Send, from: &[S::Draft], to: S::Sent, who: &[MANAGE] },
    Rule { act: A::View, from: &[S::Sent], to: S::Viewed, who: &[Who::Applicant] },
    Rule { act: A::Consent, from: &[S::Sent, S::Viewed], to: S::Viewed, who: &[Who::Applicant] },
    Rule { act: A::Sign, from: &[S::Viewed], to: S::Signed, who: &[Who::Applicant] },
    Rule { act: A::RecordPaper, from: &[S::Sent, S::Viewed], to: S::Signed, who: &[MANAGE] },
    Rule { act: A::Countersign, from: &[S::Signed], to: S::Countersigned, who: &[Who::Staff(Permission::Countersign)] },
    Rule { act: A::Decline, from: &[S::Sent, S::Viewed], to: S::Declined, who: &[Who::Applicant] },
    Rule {
        act: A::Void,
        from: &[S::Draft, S::Sent, S::Viewed, S::Signed, S::Countersigned],
        to: S::Voided,
        who: &[MANAGE, Who::System],
    },
    Rule { act: A::Expire, from: &[S::Sent, S::Viewed], to: S::Expired, who: &[Who::System] },
];

/// Returns the state that an act leads to; `None` if it is not possible from here or not for this party.
pub fn decide(from: ContractState, act: ContractAct, party: Party) -> Option<ContractState> {
    let rule = TABLE.iter().find(|rule| rule.act == act && rule.from.contains(&from))?;
    rule.who.iter().any(|who| who.includes(party)).then_some(rule.to)
}

impl ContractState {
    pub const ALL: [ContractState; 8] =
        [S::Draft, S::Sent, S::Viewed, S::Signed, S::Countersigned, S::Declined, S::Voided, S::Expired];

    /// Returns the name as stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            S::Draft => "draft",
            S::Sent => "sent",
            S::Viewed => "viewed",
            S::Signed => "signed",
            S::Countersigned => "countersigned",
            S::Declined => "declined",
            S::Voided => "voided",
            S::Expired => "expired",
        }
    }

    pub fn parse(text: &str) -> Option<ContractState> {
        S::ALL.into_iter().find(|state| state.as_str() == text)
    }

    /// Returns the label for staff.
    pub fn label(self) -> &'static str {
        match self {
            S::Draft => "Draft",
            S::Sent => "Sent",
            S::Viewed => "Viewed",
            S::Signed => "Signed",
            S::Countersigned => "Countersigned",
            S::Declined => "Declined",
            S::Voided => "Voided",
            S::Expired => "Expired",
        }
    }

    /// Whether the applicant can still sign it.
    pub fn is_open(self) -> bool {
        matches!(self, S::Sent | S::Viewed)
    }

    /// Whether something remains to be done with it. An application has at most one such contract.
    pub fn is_under_way(self) -> bool {
        matches!(self, S::Draft | S::Sent | S::Viewed | S::Signed)
    }
}

impl ContractAct {
    pub const ALL: [ContractAct; 10] = [
        A::Prepare,
        A::Send,
        A::View,
        A::Consent,
        A::Sign,
        A::RecordPaper,
        A::Countersign,
        A::Decline,
        A::Void,
        A::Expire,
    ];

    /// Returns the name as stored and hashed.
    pub fn as_str(self) -> &'static str {
        match self {
            A::Prepare => "prepared",
            A::Send => "sent",
            A::View => "viewed",
            A::Consent => "consented",
            A::Sign => "signed",
            A::RecordPaper => "signed_on_paper",
            A::Countersign => "countersigned",
            A::Decline => "declined",
            A::Void => "voided",
            A::Expire => "expired",
        }
    }

    pub fn parse(text: &str) -> Option<ContractAct> {
        A::ALL.into_iter().find(|act| act.as_str() == text)
    }

    /// Returns the state of a contract whose latest act this is.
    pub fn leads_to(self) -> ContractState {
        match self {
            A::Prepare => S::Draft,
            A::Send => S::Sent,
            A::View | A::Consent => S::Viewed,
            A::Sign | A::RecordPaper => S::Signed,
            A::Countersign => S::Countersigned,
            A::Decline => S::Declined,
            A::Void => S::Voided,
            A::Expire => S::Expired,
        }
    }

    /// Returns what was done, for the certificate and for staff.
    pub fn label(self) -> &'static str {
        match self {
            A::Prepare => "Prepared",
            A::Send => "Sent",
            A::View => "Opened",
            A::Consent => "Agreed to sign electronically",
            A::Sign => "Signed",
            A::RecordPaper => "Signature on paper noted",
            A::Countersign => "Countersigned",
            A::Decline => "Declined",
            A::Void => "Voided",
            A::Expire => "Expired",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everybody who can act on a contract.
    fn parties() -> impl Iterator<Item = Party> {
        [Party::Applicant, Party::System].into_iter().chain(Role::ALL.map(Party::Staff))
    }

    #[test]
    fn what_is_over_stays_over() {
        for over in [S::Declined, S::Voided, S::Expired] {
            for act in A::ALL {
                assert!(parties().all(|party| decide(over, act, party).is_none()), "{over:?} {act:?}");
            }
        }
    }

    #[test]
    fn who_may_do_what() {
        let office = |role| Party::Staff(role);
        for (from, act, party, to) in [
            (S::Draft, A::Send, office(Role::Finance), Some(S::Sent)),
            (S::Draft, A::Send, office(Role::Decider), None),
            (S::Draft, A::View, Party::Applicant, None),
            (S::Draft, A::Sign, Party::Applicant, None),
            (S::Sent, A::View, Party::Applicant, Some(S::Viewed)),
            (S::Viewed, A::View, Party::Applicant, None),
            (S::Sent, A::Sign, Party::Applicant, None),
            (S::Viewed, A::Sign, Party::Applicant, Some(S::Signed)),
            (S::Viewed, A::Sign, office(Role::Owner), None),
            (S::Viewed, A::RecordPaper, office(Role::Owner), Some(S::Signed)),
            (S::Viewed, A::Decline, Party::Applicant, Some(S::Declined)),
            (S::Signed, A::Decline, Party::Applicant, None),
            (S::Signed, A::Countersign, office(Role::Decider), Some(S::Countersigned)),
            (S::Signed, A::Countersign, office(Role::Finance), None),
            (S::Viewed, A::Countersign, office(Role::Owner), None),
            (S::Countersigned, A::Void, office(Role::Finance), Some(S::Voided)),
            (S::Signed, A::Void, Party::System, Some(S::Voided)),
            (S::Signed, A::Void, Party::Applicant, None),
            (S::Viewed, A::Expire, Party::System, Some(S::Expired)),
            (S::Signed, A::Expire, Party::System, None),
        ] {
            assert_eq!(decide(from, act, party), to, "{from:?} {act:?} {party:?}");
        }
    }

    #[test]
    fn an_act_leads_where_its_row_says() {
        assert!(TABLE.iter().all(|rule| rule.act.leads_to() == rule.to));
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        assert!(S::ALL.into_iter().all(|state| ContractState::parse(state.as_str()) == Some(state)));
        assert!(A::ALL.into_iter().all(|act| ContractAct::parse(act.as_str()) == Some(act)));
    }
}
