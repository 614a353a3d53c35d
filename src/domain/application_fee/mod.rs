//! The application fee: what it is, whom it is waived for, and how far it is. A submitted application is read once its
//! fee is paid or waived.
//!
//! What is charged, paid and waived is in the ledger, under [`Line::ApplicationFee`]; the state of a fee follows from
//! it. Only a fee that is waived from the beginning is not charged at all.

mod code;
mod rules;

pub use code::{FeeCode, FeeCodeEntry, NewFeeCode};
pub use rules::FeeRules;

use serde::Serialize;

use crate::body;
use crate::body::{lines, required};
use crate::intake::Intake;
use crate::ledger::{Book, Line};
use crate::moments::Millis;
use crate::sentence::Sentence;
use crate::status::Words;
use crate::text;

/// The value of [`Facet::Fee`](crate::listing::Facet::Fee) for applications without a fee.
pub const NO_FEE: &str = "none";
/// Maximum number of characters in an applicant's reasons for a waiver.
pub const MAX_STATEMENT_LENGTH: usize = 1_000;

/// How far a fee is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema, ts_rs::TS)]
#[serde(rename_all = "lowercase")]
pub enum FeeState {
    Due,
    Paid,
    Waived,
}

impl FeeState {
    pub const ALL: [FeeState; 3] = [FeeState::Due, FeeState::Paid, FeeState::Waived];

    /// Returns the name as stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            FeeState::Due => "due",
            FeeState::Paid => "paid",
            FeeState::Waived => "waived",
        }
    }

    pub fn parse(name: &str) -> Option<FeeState> {
        FeeState::ALL.into_iter().find(|state| state.as_str() == name)
    }

    /// Returns the label for staff.
    pub fn label(self) -> &'static str {
        match self {
            FeeState::Due => "Fee due",
            FeeState::Paid => "Fee paid",
            FeeState::Waived => "Fee waived",
        }
    }
}

/// What waived a fee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema, ts_rs::TS)]
#[serde(rename_all = "lowercase")]
pub enum WaivedBy {
    /// A rule of the setting, when the application was submitted.
    Rule,
    /// A code that the applicant entered.
    Code,
    Staff,
}

impl WaivedBy {
    pub const ALL: [WaivedBy; 3] = [WaivedBy::Rule, WaivedBy::Code, WaivedBy::Staff];

    /// Returns the name as stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            WaivedBy::Rule => "rule",
            WaivedBy::Code => "code",
            WaivedBy::Staff => "staff",
        }
    }

    pub fn parse(name: &str) -> Option<WaivedBy> {
        WaivedBy::ALL.into_iter().find(|by| by.as_str() == name)
    }
}

/// Whom a fee is waived for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema, ts_rs::TS)]
#[serde(rename_all = "lowercase")]
pub enum FeeRule {
    /// Applicants affiliated with the military.
    Military,
    /// Employees of the Department of Defense.
    Dod,
    /// Applicants in financial need, if staff approve.
    Need,
}

impl FeeRule {
    pub const ALL: [FeeRule; 3] = [FeeRule::Military, FeeRule::Dod, FeeRule::Need];

    /// Returns the name as stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            FeeRule::Military => "military",
            FeeRule::Dod => "dod",
            FeeRule::Need => "need",
        }
    }

    pub fn parse(name: &str) -> Option<FeeRule> {
        FeeRule::ALL.into_iter().find(|rule| rule.as_str() == name)
    }

    /// Returns the label.
    pub fn label(self) -> Sentence {
        match self {
            FeeRule::Military => text!("Military affiliation"),
            FeeRule::Dod => text!("Department of Defense"),
            FeeRule::Need => text!("Financial need"),
        }
    }

    /// Tells the applicant why there is nothing to pay.
    pub fn why(self) -> Sentence {
        match self {
            FeeRule::Military => text!("You do not pay it, because you are affiliated with the military."),
            FeeRule::Dod => text!("You do not pay it, because you work for the Department of Defense."),
            FeeRule::Need => text!("You do not pay it: we have approved your request for a waiver."),
        }
    }
}

body! {
    /// The reasons for which an applicant asks for a waiver.
    pub struct FeeNeedStatement {
        /// 1 to 1,000 characters.
        pub statement: String = required(
            lines(text!("The reason"), MAX_STATEMENT_LENGTH),
            text!("Tell us in a few words why you cannot pay the fee."),
        ),
    }
}

/// The fee of an application that would be submitted now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeeAhead {
    /// Always positive.
    pub cents: i64,
    pub intake: Intake,
    /// The rule by which it is waived.
    pub waived: Option<FeeRule>,
}

/// The fee of an application, fixed by a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplicationFee {
    pub application_id: String,
    /// Always positive.
    pub cents: i64,
    /// The intake whose fee it is.
    pub intake: Intake,
    pub state: FeeState,
    pub waived_by: Option<WaivedBy>,
    /// The rule by which it is waived.
    pub rule: Option<FeeRule>,
    /// The id of the code that waived it.
    pub code_id: Option<String>,
    /// Staff's reason for waiving it; not for the applicant.
    pub reason: Option<String>,
    /// The applicant's request for a waiver, whatever became of it.
    pub need: Option<FeeNeed>,
    /// When it was paid or waived.
    pub decided_at: Option<Millis>,
    /// `staff:ID`, `applicant:ID`, `provider` or `system`.
    pub decided_by: Option<String>,
    pub created_at: Millis,
}

/// An applicant's request to waive the fee because of financial need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeeNeed {
    /// The applicant's reasons.
    pub statement: String,
    pub asked_at: Millis,
    pub refusal: Option<NeedRefusal>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeedRefusal {
    /// The reason, for the applicant.
    pub sentence: String,
    pub at: Millis,
    /// The id of a member of staff.
    pub by: String,
}

/// Who writes to a fee's line of the ledger, and when.
#[derive(Debug, Clone, Copy)]
pub struct FeeWriting<'a> {
    pub at: Millis,
    pub by: &'a str,
    /// The id of the code that is used.
    pub code: Option<&'a str>,
    /// Staff's reason for waiving it. The ledger, which is never erased, does not have it.
    pub reason: Option<&'a str>,
}

impl ApplicationFee {
    /// Returns the fee that a submission at `at` fixes.
    pub fn fixed(application_id: &str, ahead: FeeAhead, at: Millis) -> ApplicationFee {
        let FeeAhead { cents, intake, waived: rule } = ahead;
        ApplicationFee {
            application_id: application_id.to_owned(),
            cents,
            intake,
            state: if rule.is_some() { FeeState::Waived } else { FeeState::Due },
            waived_by: rule.map(|_| WaivedBy::Rule),
            rule,
            code_id: None,
            reason: None,
            need: None,
            decided_at: rule.map(|_| at),
            decided_by: rule.map(|_| "system".to_owned()),
            created_at: at,
        }
    }

    pub fn is_due(&self) -> bool {
        self.state == FeeState::Due
    }

    /// Whether a request for a waiver awaits staff.
    pub fn need_waits(&self) -> bool {
        self.is_due() && self.need.as_ref().is_some_and(|need| need.refusal.is_none())
    }

    /// Tells the applicant why it is waived, if it is.
    pub fn why_waived(&self) -> Option<Sentence> {
        let why = match (self.waived_by?, self.rule) {
            (_, Some(rule)) => rule.why(),
            (WaivedBy::Code, None) => text!("You do not pay it, because you have used a code."),
            (WaivedBy::Rule | WaivedBy::Staff, None) => text!("You do not pay it: we have waived it."),
        };
        Some(why)
    }

    /// Returns what it means to the applicant that a submitted application is not read yet; `None` once it is.
    pub fn words(&self) -> Option<Words> {
        self.is_due().then(|| Words {
            title: text!("Submitted"),
            meaning: text!("We have your application, and we will read it once the application fee is paid or waived."),
            whose_turn: if self.need_waits() {
                text!("It is our turn: we are looking at your request for a waiver of the application fee.")
            } else {
                text!("It is your turn: pay the application fee.")
            },
        })
    }

    /// Returns the fee as it is once its line in the ledger is as in `book`; `None` if that changes nothing.
    pub fn after(&self, book: &Book, writing: FeeWriting<'_>) -> Option<ApplicationFee> {
        let line = Line::ApplicationFee;
        let state = if book.owed(line) > 0 {
            FeeState::Due
        } else if book.forgiven(line).is_some() {
            FeeState::Waived
        } else {
            FeeState::Paid
        };
        if state == self.state {
            return None;
        }
        let is_settled = state != FeeState::Due;
        let by = if writing.code.is_some() { WaivedBy::Code } else { WaivedBy::Staff };
        let waived_by = (state == FeeState::Waived).then_some(by);
        let by_staff = waived_by == Some(WaivedBy::Staff);
        Some(ApplicationFee {
            state,
            waived_by,
            rule: (by_staff && self.need_waits()).then_some(FeeRule::Need),
            code_id: writing.code.filter(|_| waived_by.is_some()).map(str::to_owned),
            reason: writing.reason.filter(|_| by_staff).map(str::to_owned),
            decided_at: is_settled.then_some(writing.at),
            decided_by: is_settled.then(|| writing.by.to_owned()),
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::{Kind, LedgerError, Method, Payment, Transaction, TransactionDraft};

    const LINE: Line = Line::ApplicationFee;

    fn fee() -> ApplicationFee {
        ApplicationFee {
            application_id: "a".into(),
            cents: 7_500,
            intake: Intake::parse("2026-08").unwrap(),
            state: FeeState::Due,
            waived_by: None,
            rule: None,
            code_id: None,
            reason: None,
            need: None,
            decided_at: None,
            decided_by: None,
            created_at: 1,
        }
    }

    fn write(book: &mut Book, drafts: impl IntoIterator<Item = TransactionDraft>) {
        for draft in drafts {
            let id = format!("t{}", book.transactions.len());
            book.transactions.push(Transaction { id, draft });
        }
    }

    fn charged() -> Book {
        let mut book = Book::default();
        let charge = book.charge(LINE, 7_500).unwrap();
        write(&mut book, charge);
        book
    }

    fn pay(book: &mut Book, reference: &str, cents: i64) {
        let payment = Payment {
            reference: reference.into(),
            line: Some((LINE, 7_500)),
            cents,
            method: Method::Cheque,
            received_on: None,
            note: String::new(),
        };
        let drafts = book.pay(&payment).unwrap();
        write(book, drafts);
    }

    const BY_STAFF: FeeWriting<'_> = FeeWriting { at: 5, by: "staff:s", code: None, reason: None };

    #[test]
    fn a_fee_is_paid_when_nothing_is_owed_and_due_again_when_that_was_a_mistake() {
        let mut book = charged();
        assert_eq!(fee().after(&book, BY_STAFF), None);
        pay(&mut book, "1", 7_000);
        assert_eq!(fee().after(&book, BY_STAFF), None, "a part of it is not enough");
        pay(&mut book, "2", 500);
        let paid = fee().after(&book, BY_STAFF).unwrap();
        assert_eq!(
            (paid.state, paid.decided_at, paid.decided_by.as_deref()),
            (FeeState::Paid, Some(5), Some("staff:s"))
        );
        assert_eq!((paid.waived_by, paid.why_waived().is_none()), (None, true));
        assert_eq!(paid.after(&book, BY_STAFF), None);
        let reversal = book.reverse("t2", "It bounced").unwrap();
        write(&mut book, reversal);
        assert_eq!(paid.after(&book, BY_STAFF), Some(fee()));
    }

    #[test]
    fn whoever_waives_it_is_told_apart() {
        let mut book = charged();
        let waiver = book.forgive(LINE, Kind::Waiver, "w", "").unwrap();
        write(&mut book, waiver);
        let waived = fee().after(&book, FeeWriting { reason: Some("Granted"), ..BY_STAFF }).unwrap();
        assert_eq!((waived.state, waived.waived_by, waived.rule), (FeeState::Waived, Some(WaivedBy::Staff), None));
        assert_eq!(waived.reason.as_deref(), Some("Granted"));
        let by_code = FeeWriting { at: 5, by: "applicant:a", code: Some("c"), reason: None };
        let waived = fee().after(&book, by_code).unwrap();
        assert_eq!((waived.waived_by, waived.code_id.as_deref()), (Some(WaivedBy::Code), Some("c")));
        assert_eq!(waived.reason, None);
        let need = FeeNeed { statement: "I cannot".into(), asked_at: 2, refusal: None };
        let asked = ApplicationFee { need: Some(need), ..fee() };
        assert!(asked.need_waits());
        let approved = asked.after(&book, BY_STAFF).unwrap();
        assert_eq!((approved.rule, approved.need_waits()), (Some(FeeRule::Need), false));
        let reversal = book.reverse("t1", "By mistake").unwrap();
        write(&mut book, reversal);
        assert_eq!(approved.after(&book, BY_STAFF), Some(asked));
    }

    #[test]
    fn its_charge_stays() {
        assert_eq!(charged().reverse("t0", "Never due"), Err(LedgerError::NotFound));
    }

    #[test]
    fn names_are_read_back() {
        assert!(FeeState::ALL.into_iter().all(|state| FeeState::parse(state.as_str()) == Some(state)));
        assert!(WaivedBy::ALL.into_iter().all(|by| WaivedBy::parse(by.as_str()) == Some(by)));
        assert!(FeeRule::ALL.into_iter().all(|rule| FeeRule::parse(rule.as_str()) == Some(rule)));
        assert!(FeeState::parse(NO_FEE).is_none());
    }
}
