//! Finance's view across all applications: what is due when, what needs attention, and what comes in month by month.

use jiff::ToSpan;
use jiff::civil::Date;

use super::funding::{Funding, SourceKind, SourceState};
use super::ledger::{Account, Book, Line};
use crate::account::Applicant;
use crate::application::Application;
use crate::ledger::{Ledger, Posted};
use crate::moments::Millis;

/// Number of days from today within which something counts as due.
pub const DUE_DAYS: i64 = 30;
/// Number of months in the figures, and how many of them lie in the past.
pub const MONTHS: usize = 12;
const MONTHS_BEFORE: i64 = 6;

/// The lists on Finance's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoneyList {
    /// Falling due in the next [`DUE_DAYS`] days.
    Due,
    Overdue,
    /// Refused charges of saved cards.
    Failed,
    /// Refunds that need a decision or that the provider has not made.
    Refunds,
    /// Waiting for approval by a second person.
    Approvals,
    /// Money that could not be matched.
    Unmatched,
}

impl MoneyList {
    pub const ALL: [MoneyList; 6] = [
        MoneyList::Due,
        MoneyList::Overdue,
        MoneyList::Failed,
        MoneyList::Refunds,
        MoneyList::Approvals,
        MoneyList::Unmatched,
    ];

    /// Returns the name used in URLs.
    pub fn as_str(self) -> &'static str {
        match self {
            MoneyList::Due => "due",
            MoneyList::Overdue => "overdue",
            MoneyList::Failed => "failed",
            MoneyList::Refunds => "refunds",
            MoneyList::Approvals => "approvals",
            MoneyList::Unmatched => "unmatched",
        }
    }

    pub fn parse(name: &str) -> Option<MoneyList> {
        MoneyList::ALL.into_iter().find(|list| list.as_str() == name)
    }

    /// Returns the label for staff.
    pub fn label(self) -> &'static str {
        match self {
            MoneyList::Due => "Due",
            MoneyList::Overdue => "Overdue",
            MoneyList::Failed => "Failed",
            MoneyList::Refunds => "Refunds waiting",
            MoneyList::Approvals => "To approve",
            MoneyList::Unmatched => "Unmatched",
        }
    }
}

/// A line of a plan with its due date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueLine {
    pub line: Line,
    pub due: Date,
    /// Cents due, less what was waived or written off.
    pub expected: i64,
    /// Unpaid cents.
    pub open: i64,
}

/// Returns the lines of a plan with their due dates; none if the plan does not add up. What other payers have confirmed
/// is due with the first instalment, as no other date is known.
pub fn lines(funding: &Funding, book: &Book) -> Vec<DueLine> {
    if !funding.adds_up() {
        return Vec::new();
    }
    let schedule = funding.schedule();
    let first = schedule.first().map_or(funding.plan.first_due, |line| line.due);
    let others = funding
        .sources
        .iter()
        .filter(|source| source.kind != SourceKind::SelfPay && source.state == SourceState::Confirmed)
        .map(|source| (Line::Source(source.kind), first, source.cents));
    let own = schedule.into_iter().map(|line| (Line::Instalment(line.number), line.due, line.cents));
    let due_line = |(line, due, cents): (Line, Date, i64)| DueLine {
        line,
        due,
        expected: cents - forgiven(book, line),
        open: if book.is_charged(line) { book.owed(line) } else { cents },
    };
    others.chain(own).map(due_line).collect()
}

/// Returns the cents of a line that were waived or written off.
fn forgiven(book: &Book, line: Line) -> i64 {
    let of_line = book.transactions.iter().filter(|it| it.draft.line == Some(line));
    let entries = of_line.flat_map(|it| &it.draft.entries);
    entries.filter(|it| matches!(it.account, Account::Waivers | Account::WriteOffs)).map(|it| it.cents).sum()
}

/// Returns the first day of each month in the figures around `today`, and of the month after them.
pub fn months(today: Date) -> Vec<Date> {
    let this = today.first_of_month();
    (0..=MONTHS as i64).map(|index| this.saturating_add((index - MONTHS_BEFORE).months())).collect()
}

/// One month of the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Month {
    pub first: Date,
    /// Cents due under the plans.
    pub expected: i64,
    /// Cents received, less refunds.
    pub received: i64,
}

/// The applicant whose money it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payer {
    pub application_id: String,
    pub reference: Option<String>,
    /// Empty if erased.
    pub first_name: String,
    pub last_name: String,
}

/// The plan of somebody who has to pay now, and their ledger.
#[derive(Debug, Clone)]
pub struct Paying {
    pub payer: Payer,
    pub funding: Funding,
    pub ledger: Ledger,
}

/// The kind of an entry on Finance's lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoneyKind {
    /// A line of a plan.
    Line,
    /// A refused charge of a saved card.
    Charge,
    /// A task for staff to decide about a refund.
    RefundTask,
    /// A refund requested from the provider.
    CardRefund,
    /// A booking that a second person has to approve.
    BookingRequest,
    /// A notification from the provider that could not be matched.
    Event,
    /// Money in the ledger that is not applied to anything owed.
    Unapplied,
}

impl MoneyKind {
    /// Returns the name as sent.
    pub fn as_str(self) -> &'static str {
        match self {
            MoneyKind::Line => "line",
            MoneyKind::Charge => "charge",
            MoneyKind::RefundTask => "refund-task",
            MoneyKind::CardRefund => "card-refund",
            MoneyKind::BookingRequest => "booking-request",
            MoneyKind::Event => "event",
            MoneyKind::Unapplied => "unapplied",
        }
    }

    pub fn parse(name: &str) -> Option<MoneyKind> {
        [
            MoneyKind::Line,
            MoneyKind::Charge,
            MoneyKind::RefundTask,
            MoneyKind::CardRefund,
            MoneyKind::BookingRequest,
            MoneyKind::Event,
            MoneyKind::Unapplied,
        ]
        .into_iter()
        .find(|kind| kind.as_str() == name)
    }
}

/// An entry on one of Finance's lists.
#[derive(Debug, Clone)]
pub struct MoneyItem {
    pub kind: MoneyKind,
    /// Unique within its list.
    pub id: String,
    /// The time by which the list is sorted: when the wait began, or the due date.
    pub at: Millis,
    /// `None` if unknown.
    pub payer: Option<Payer>,
    pub line: Option<Line>,
    pub due: Option<Date>,
    pub cents: Option<i64>,
    /// `failed`, `stopped`; `asked`, `refused`; the kind of the event or of the booking to approve; otherwise empty.
    pub state: String,
    /// What the provider said, the reason for a refund, or what an event is about.
    pub note: String,
}

impl MoneyItem {
    /// Returns when the wait began; `None` for what is merely due.
    pub fn since(&self) -> Option<Millis> {
        Some(self.at).filter(|_| self.kind != MoneyKind::Line)
    }

    pub fn place(&self) -> MoneyPlace {
        MoneyPlace { at: self.at, id: self.id.clone() }
    }
}

/// A transaction in any ledger.
#[derive(Debug, Clone)]
pub struct BookedLine {
    pub payer: Payer,
    /// `ba` or `msc`
    pub program: String,
    pub posted: Posted,
}

/// A contract signed by both parties.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedContract {
    pub number: i64,
    pub template_version: i64,
    pub code: String,
}

/// An enrolled applicant, with what the student system needs to know.
#[derive(Debug, Clone)]
pub struct Enrolled {
    pub applicant: Applicant,
    pub application: Application,
    /// `2026-08`
    pub intake: Option<String>,
    pub enrolled_at: Millis,
    pub funding: Option<Funding>,
    pub contract: Option<SignedContract>,
}

/// A position in a list, after which its next page begins.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct MoneyPlace {
    pub at: Millis,
    pub id: String,
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::funding::{FundingEntry, Source};
    use crate::ledger::{Kind, Method, Payment, Transaction, TransactionDraft};

    fn funding() -> Funding {
        let amounts = vec![(SourceKind::Employer, 200_000), (SourceKind::SelfPay, 100_000)];
        let entry = FundingEntry { amounts, up_front: 40_000, monthly: 30_000 };
        let mut funding = entry.funding(300_000, date(2026, 1, 31), None);
        confirm(&mut funding.sources);
        funding
    }

    fn confirm(sources: &mut [Source]) {
        sources.iter_mut().for_each(|source| source.state = SourceState::Confirmed);
    }

    fn write(book: &mut Book, drafts: impl IntoIterator<Item = TransactionDraft>) {
        for draft in drafts {
            let id = format!("t{}", book.transactions.len());
            book.transactions.push(Transaction { id, draft });
        }
    }

    #[test]
    fn a_line_is_open_until_it_is_paid_or_forgiven() {
        let funding = funding();
        let mut book = Book::default();
        let listed = |book: &Book| -> Vec<(String, String, i64, i64)> {
            let columns = |it: DueLine| (it.line.to_string(), it.due.to_string(), it.expected, it.open);
            lines(&funding, book).into_iter().map(columns).collect()
        };
        let line = |name: &str, due: &str, expected, open| (name.to_owned(), due.to_owned(), expected, open);
        assert_eq!(
            listed(&book),
            [
                line("source-employer", "2026-01-31", 200_000, 200_000),
                line("instalment-1", "2026-01-31", 40_000, 40_000),
                line("instalment-2", "2026-02-28", 30_000, 30_000),
                line("instalment-3", "2026-03-31", 30_000, 30_000),
            ]
        );
        let payment = Payment {
            reference: "1".into(),
            line: Some((Line::Instalment(1), 40_000)),
            cents: 15_000,
            method: Method::Cheque,
            received_on: None,
            note: String::new(),
        };
        let paid = book.pay(&payment).unwrap();
        write(&mut book, paid);
        let charged = book.charge(Line::Instalment(2), 30_000).unwrap();
        write(&mut book, charged);
        let waived = book.forgive(Line::Instalment(2), Kind::Waiver, "w", "Granted").unwrap();
        write(&mut book, waived);
        assert_eq!(listed(&book)[1], line("instalment-1", "2026-01-31", 40_000, 25_000));
        assert_eq!(listed(&book)[2], line("instalment-2", "2026-02-28", 0, 0));
    }

    #[test]
    fn what_is_not_sure_is_not_due() {
        let mut funding = funding();
        funding.sources[0].state = SourceState::Pending;
        assert_eq!(lines(&funding, &Book::default()).len(), 3);
        funding.sources[0].state = SourceState::Refused;
        assert_eq!(lines(&funding, &Book::default()), []);
    }

    #[test]
    fn the_months_are_those_around_today() {
        let months = months(date(2026, 8, 31));
        assert_eq!((months.len(), months[0], months[6]), (13, date(2026, 2, 1), date(2026, 8, 1)));
        assert_eq!(months[12], date(2027, 2, 1));
    }

    #[test]
    fn a_list_is_read_back_by_its_name() {
        for list in MoneyList::ALL {
            assert_eq!(MoneyList::parse(list.as_str()), Some(list));
            assert!(!list.label().is_empty());
        }
        assert_eq!(MoneyList::parse("all"), None);
    }
}
