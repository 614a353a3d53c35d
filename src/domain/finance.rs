//! What Finance looks at over all applications: what is due when, what waits for somebody, and what comes in month by month.

use jiff::ToSpan;
use jiff::civil::Date;

use super::funding::{Funding, SourceKind, SourceState};
use super::ledger::{Account, Book, Line};

/// Days from today on in which something counts as due.
pub const DUE_DAYS: i64 = 30;
/// Months of the figures, and how many of them are over.
pub const MONTHS: usize = 12;
const MONTHS_BEFORE: i64 = 6;

/// The lists of Finance's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoneyList {
    /// What falls due in the next [`DUE_DAYS`] days.
    Due,
    Overdue,
    /// Charges of saved cards that were refused.
    Failed,
    /// Refunds that somebody has to decide about or that the provider has not done.
    Refunds,
    /// What a second person has to approve.
    Approvals,
    /// Money that nobody could place.
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

    /// As in addresses.
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

    /// For staff.
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

/// A line of a plan with its day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueLine {
    pub line: Line,
    pub due: Date,
    /// Cents that it asks for, without what was waived or written off.
    pub expected: i64,
    /// Cents of it that are not paid.
    pub open: i64,
}

/// The lines of a plan that adds up, with their days; none of one that does not. What somebody else has said that they pay is
/// due with the first instalment: no other day is known.
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
    let told = |(line, due, cents): (Line, Date, i64)| DueLine {
        line,
        due,
        expected: cents - forgiven(book, line),
        open: if book.is_charged(line) { book.owed(line) } else { cents },
    };
    others.chain(own).map(told).collect()
}

/// Cents of a line that nobody has to pay any more.
fn forgiven(book: &Book, line: Line) -> i64 {
    let of_line = book.transactions.iter().filter(|it| it.draft.line == Some(line));
    let entries = of_line.flat_map(|it| &it.draft.entries);
    entries.filter(|it| matches!(it.account, Account::Waivers | Account::WriteOffs)).map(|it| it.cents).sum()
}

/// The first days of the months around `today`, and of the one after them.
pub fn months(today: Date) -> Vec<Date> {
    let this = today.first_of_month();
    (0..=MONTHS as i64).map(|index| this.saturating_add((index - MONTHS_BEFORE).months())).collect()
}

/// A month of the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Month {
    pub first: Date,
    /// Cents that plans ask for in it.
    pub expected: i64,
    /// Cents that came in it, less those that went back.
    pub received: i64,
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
        let told = |book: &Book| -> Vec<(String, String, i64, i64)> {
            let told = |it: DueLine| (it.line.to_string(), it.due.to_string(), it.expected, it.open);
            lines(&funding, book).into_iter().map(told).collect()
        };
        let line = |name: &str, due: &str, expected, open| (name.to_owned(), due.to_owned(), expected, open);
        assert_eq!(
            told(&book),
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
        assert_eq!(told(&book)[1], line("instalment-1", "2026-01-31", 40_000, 25_000));
        assert_eq!(told(&book)[2], line("instalment-2", "2026-02-28", 0, 0));
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
