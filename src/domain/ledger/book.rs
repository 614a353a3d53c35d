//! What may be written into a ledger, decided by what stands in it.

use jiff::civil::Date;

use super::{Account, Entry, Line};
use crate::funding::Instalment;
use crate::sentence::Sentence;
use crate::text;

/// What a transaction is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Charge,
    Payment,
    Refund,
    Waiver,
    WriteOff,
    Reversal,
}

impl Kind {
    pub const ALL: [Kind; 6] =
        [Kind::Charge, Kind::Payment, Kind::Refund, Kind::Waiver, Kind::WriteOff, Kind::Reversal];

    /// As stored and exported.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Charge => "charge",
            Kind::Payment => "payment",
            Kind::Refund => "refund",
            Kind::Waiver => "waiver",
            Kind::WriteOff => "write_off",
            Kind::Reversal => "reversal",
        }
    }

    pub fn parse(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// For people.
    pub fn label(self) -> Sentence {
        match self {
            Kind::Charge => text!("Charge"),
            Kind::Payment => text!("Payment"),
            Kind::Refund => text!("Refund"),
            Kind::Waiver => text!("Waiver"),
            Kind::WriteOff => text!("Write-off"),
            Kind::Reversal => text!("Reversal"),
        }
    }
}

/// How money came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    Transfer,
    Cheque,
    /// A sponsor that was invoiced.
    Invoice,
    /// By the provider's hosted page.
    Card,
}

impl Method {
    pub const ALL: [Method; 4] = [Method::Transfer, Method::Cheque, Method::Invoice, Method::Card];
    /// Those that Finance notes.
    pub const OFFLINE: [Method; 3] = [Method::Transfer, Method::Cheque, Method::Invoice];

    /// As stored and exported.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Transfer => "transfer",
            Method::Cheque => "cheque",
            Method::Invoice => "invoice",
            Method::Card => "card",
        }
    }

    pub fn parse(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.as_str() == name)
    }

    /// For people.
    pub fn label(self) -> Sentence {
        match self {
            Method::Transfer => text!("Bank transfer"),
            Method::Cheque => text!("Check"),
            Method::Invoice => text!("Invoice"),
            Method::Card => text!("Card"),
        }
    }

    /// The account that its money comes to.
    fn account(self) -> Account {
        if self == Method::Card { Account::Clearing } else { Account::Cash }
    }
}

/// A transaction as it stands in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    pub id: String,
    pub draft: TransactionDraft,
}

/// A transaction to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionDraft {
    pub kind: Kind,
    /// What it is written for, told so that it is written once: `charge:instalment-3`, `payment:card:pi_1`. Unique in the
    /// ledger of the application.
    pub cause: String,
    pub line: Option<Line>,
    /// The transaction that it refunds or reverses.
    pub about: Option<String>,
    pub method: Option<Method>,
    /// Of a payment: the day on which it arrived, where that was noted.
    pub received_on: Option<Date>,
    pub entries: Vec<Entry>,
    /// The number of a check, what a transfer says, or why something was refunded, waived or reversed.
    pub note: String,
}

impl TransactionDraft {
    /// Cents that it is about.
    pub fn cents(&self) -> i64 {
        self.entries.iter().map(|entry| entry.cents).filter(|cents| *cents > 0).sum()
    }
}

/// Money that was received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// What names it wherever it is told of again.
    pub reference: String,
    /// What it is for, and how much that is in all; none for money that nobody can place.
    pub line: Option<(Line, i64)>,
    pub cents: i64,
    pub method: Method,
    /// The day on which it arrived, where that is not the day on which it is noted.
    pub received_on: Option<Date>,
    pub note: String,
}

/// Why something is not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LedgerError {
    /// Not more than nothing, or more than can be counted.
    Amount,
    /// More than is left of what was paid.
    TooMuch,
    /// There is no such transaction, or none of that kind.
    NotFound,
    /// It is reversed already, or is a reversal.
    Reversed,
    /// A balance would be less than nothing: what came after it has to be reversed first.
    Negative,
    /// Nothing is owed.
    NothingOwed,
}

impl LedgerError {
    /// Stable and machine-readable.
    pub fn code(self) -> &'static str {
        match self {
            LedgerError::Amount => "ledger.amount",
            LedgerError::TooMuch => "ledger.too_much",
            LedgerError::NotFound => "ledger.not_found",
            LedgerError::Reversed => "ledger.reversed",
            LedgerError::Negative => "ledger.negative",
            LedgerError::NothingOwed => "ledger.nothing_owed",
        }
    }

    /// What to do, for staff.
    pub fn sentence(self) -> Sentence {
        match self {
            LedgerError::Amount => Sentence::new("Enter an amount of more than $0 and at most $1,000,000."),
            LedgerError::TooMuch => Sentence::new("This is more than is left of the payment."),
            LedgerError::NotFound => Sentence::new("There is no such entry. Load the page again."),
            LedgerError::Reversed => Sentence::new("This entry is reversed already."),
            LedgerError::Negative => Sentence::new("Something was built on this entry since. Reverse that first."),
            LedgerError::NothingOwed => Sentence::new("Nothing is owed for this."),
        }
    }
}

/// Most cents of one transaction: a million dollars.
const MAX: i64 = 100_000_000;

/// All transactions of one application, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Book {
    pub transactions: Vec<Transaction>,
}

impl Book {
    /// The balance of an account: what it has, whichever side that is on.
    pub fn balance(&self, account: Account) -> i64 {
        let sum: i64 = self.entries().filter(|(_, entry)| entry.account == account).map(|(_, entry)| entry.cents).sum();
        if account.is_credit() { -sum } else { sum }
    }

    /// Cents that are owed for a line that was charged.
    pub fn owed(&self, line: Line) -> i64 {
        let of_line = self.entries().filter(|(draft, _)| draft.line == Some(line));
        of_line.filter(|(_, entry)| entry.account == Account::Receivable).map(|(_, entry)| entry.cents).sum()
    }

    pub fn is_charged(&self, line: Line) -> bool {
        self.charges().any(|(charged, _)| charged == line)
    }

    /// Cents of an instalment that are not paid, charged or not.
    pub fn still_to_pay(&self, instalment: &Instalment) -> i64 {
        let line = Line::Instalment(instalment.number);
        if self.is_charged(line) { self.owed(line) } else { instalment.cents }
    }

    /// Lines that were charged, with their cents, unless that was reversed.
    pub fn charges(&self) -> impl Iterator<Item = (Line, i64)> {
        let charges = self.transactions.iter().filter(|it| it.draft.kind == Kind::Charge && !self.is_reversed(&it.id));
        charges.filter_map(|charge| Some((charge.draft.line?, charge.draft.cents())))
    }

    /// The same ledger as if this were written: for what is decided about the two together.
    pub fn expect(&mut self, draft: &TransactionDraft) {
        self.transactions.push(Transaction { id: String::new(), draft: draft.clone() });
    }

    /// Cents that were received for a line and not given back.
    pub fn paid(&self, line: Line) -> i64 {
        let of_line = self.entries().filter(|(draft, _)| draft.line == Some(line));
        of_line
            .filter(|(_, entry)| matches!(entry.account, Account::Cash | Account::Clearing))
            .map(|(_, e)| e.cents)
            .sum()
    }

    /// Whether nothing of a line is owed any more.
    pub fn is_settled(&self, line: Line) -> bool {
        self.is_charged(line) && self.owed(line) == 0
    }

    /// What can be refunded of a payment.
    pub fn refundable(&self, payment: &Transaction) -> i64 {
        if payment.draft.kind != Kind::Payment || self.is_reversed(&payment.id) {
            return 0;
        }
        payment.draft.cents() - self.standing_refunds(&payment.id).map(TransactionDraft::cents).sum::<i64>()
    }

    pub fn is_reversed(&self, id: &str) -> bool {
        let mut about = self.transactions.iter().filter(|it| it.draft.about.as_deref() == Some(id));
        about.any(|it| it.draft.kind == Kind::Reversal)
    }

    pub fn find(&self, id: &str) -> Option<&Transaction> {
        self.transactions.iter().find(|transaction| transaction.id == id)
    }

    pub fn find_cause(&self, cause: &str) -> Option<&Transaction> {
        self.transactions.iter().find(|transaction| transaction.draft.cause == cause)
    }

    /// The charge of a line, unless it was charged.
    ///
    /// # Errors
    /// [`LedgerError::Amount`]
    pub fn charge(&self, line: Line, cents: i64) -> Result<Option<TransactionDraft>, LedgerError> {
        check(cents)?;
        let entries = vec![Entry::debit(Account::Receivable, cents), Entry::credit(Account::Income, cents)];
        // One that was reversed may be followed by another, under a name of its own.
        let is_one = |it: &&Transaction| it.draft.kind == Kind::Charge && it.draft.line == Some(line);
        let cause = match self.transactions.iter().filter(is_one).count() {
            0 => format!("charge:{line}"),
            before => format!("charge:{line}:{}", before + 1),
        };
        let draft = TransactionDraft {
            kind: Kind::Charge,
            cause,
            line: Some(line),
            about: None,
            method: None,
            received_on: None,
            entries,
            note: String::new(),
        };
        Ok((!self.is_charged(line)).then_some(draft))
    }

    /// A payment, with the charge that it is for where that is not written yet; nothing when it is written. What is more than
    /// is owed for its line stays unapplied.
    ///
    /// # Errors
    /// [`LedgerError::Amount`]
    pub fn pay(&self, payment: &Payment) -> Result<Vec<TransactionDraft>, LedgerError> {
        check(payment.cents)?;
        let cause = format!("payment:{}", payment.reference);
        if self.find_cause(&cause).is_some() {
            return Ok(Vec::new());
        }
        let mut drafts = Vec::new();
        let mut owed = 0;
        if let Some((line, whole)) = payment.line {
            let charge = self.charge(line, whole)?;
            owed = if charge.is_some() { whole } else { self.owed(line) };
            drafts.extend(charge);
        }
        let settles = payment.cents.min(owed);
        let entries = [
            Entry::debit(payment.method.account(), payment.cents),
            Entry::credit(Account::Receivable, settles),
            Entry::credit(Account::Unapplied, payment.cents - settles),
        ];
        drafts.push(TransactionDraft {
            kind: Kind::Payment,
            cause,
            line: payment.line.map(|(line, _)| line),
            about: None,
            method: Some(payment.method),
            received_on: payment.received_on,
            entries: entries.into_iter().filter(|entry| entry.cents != 0).collect(),
            note: payment.note.clone(),
        });
        Ok(drafts)
    }

    /// Money of a payment that goes back, first of what was unapplied; nothing when it is written.
    ///
    /// # Errors
    /// [`LedgerError::Amount`], [`LedgerError::NotFound`], [`LedgerError::TooMuch`]
    pub fn refund(
        &self,
        payment: &str,
        cents: i64,
        reference: &str,
        note: &str,
    ) -> Result<Option<TransactionDraft>, LedgerError> {
        check(cents)?;
        let cause = format!("refund:{reference}");
        if self.find_cause(&cause).is_some() {
            return Ok(None);
        }
        let payment = self.find(payment).filter(|it| it.draft.kind == Kind::Payment).ok_or(LedgerError::NotFound)?;
        if cents > self.refundable(payment) {
            return Err(LedgerError::TooMuch);
        }
        let unapplied = |draft: &TransactionDraft| -> i64 {
            draft.entries.iter().filter(|entry| entry.account == Account::Unapplied).map(|entry| entry.cents).sum()
        };
        // Credits are negative: what is left of them is what no refund has taken.
        let left = -unapplied(&payment.draft) - self.standing_refunds(&payment.id).map(unapplied).sum::<i64>();
        let of_unapplied = cents.min(left);
        let account = payment.draft.method.map_or(Account::Cash, Method::account);
        let entries = [
            Entry::debit(Account::Unapplied, of_unapplied),
            Entry::debit(Account::Refunds, cents - of_unapplied),
            Entry::credit(account, cents),
        ];
        Ok(Some(TransactionDraft {
            kind: Kind::Refund,
            cause,
            line: payment.draft.line,
            about: Some(payment.id.clone()),
            method: payment.draft.method,
            received_on: None,
            entries: entries.into_iter().filter(|entry| entry.cents != 0).collect(),
            note: note.to_owned(),
        }))
    }

    /// What is owed for a line is not asked for any more: as a waiver or a write-off. Nothing when it is written.
    ///
    /// # Errors
    /// [`LedgerError::NothingOwed`]
    pub fn forgive(
        &self,
        line: Line,
        kind: Kind,
        reference: &str,
        note: &str,
    ) -> Result<Option<TransactionDraft>, LedgerError> {
        let cause = format!("{}:{reference}", kind.as_str());
        if self.find_cause(&cause).is_some() {
            return Ok(None);
        }
        let owed = self.owed(line);
        if owed <= 0 {
            return Err(LedgerError::NothingOwed);
        }
        let account = if kind == Kind::WriteOff { Account::WriteOffs } else { Account::Waivers };
        Ok(Some(TransactionDraft {
            kind: if kind == Kind::WriteOff { kind } else { Kind::Waiver },
            cause,
            line: Some(line),
            about: None,
            method: None,
            received_on: None,
            entries: vec![Entry::debit(account, owed), Entry::credit(Account::Receivable, owed)],
            note: note.to_owned(),
        }))
    }

    /// The opposite of a transaction, once; nothing when it is reversed already.
    ///
    /// # Errors
    /// [`LedgerError::NotFound`], [`LedgerError::Reversed`] for a reversal, [`LedgerError::Negative`]
    pub fn reverse(&self, id: &str, note: &str) -> Result<Option<TransactionDraft>, LedgerError> {
        let reversed = self.find(id).ok_or(LedgerError::NotFound)?;
        if reversed.draft.kind == Kind::Reversal {
            return Err(LedgerError::Reversed);
        }
        if self.is_reversed(id) {
            return Ok(None);
        }
        let opposite = |entry: &Entry| Entry { cents: -entry.cents, ..*entry };
        let draft = TransactionDraft {
            kind: Kind::Reversal,
            cause: format!("reversal:{id}"),
            line: reversed.draft.line,
            about: Some(id.to_owned()),
            method: reversed.draft.method,
            received_on: None,
            entries: reversed.draft.entries.iter().map(opposite).collect(),
            note: note.to_owned(),
        };
        let has_refunds = reversed.draft.kind == Kind::Payment && self.standing_refunds(id).next().is_some();
        if has_refunds || self.would_be_negative(&draft) {
            return Err(LedgerError::Negative);
        }
        Ok(Some(draft))
    }

    /// Whether an account, or what is owed for the line, would be less than nothing.
    fn would_be_negative(&self, draft: &TransactionDraft) -> bool {
        let after = |account: Account| -> i64 {
            let change: i64 =
                draft.entries.iter().filter(|entry| entry.account == account).map(|entry| entry.cents).sum();
            self.balance(account) + if account.is_credit() { -change } else { change }
        };
        let owed = draft.line.map_or(0, |line| {
            let change: i64 =
                draft.entries.iter().filter(|it| it.account == Account::Receivable).map(|it| it.cents).sum();
            self.owed(line) + change
        });
        owed < 0 || Account::ALL.into_iter().any(|account| after(account) < 0)
    }

    /// Refunds of a payment that are not reversed.
    fn standing_refunds<'a>(&'a self, payment: &'a str) -> impl Iterator<Item = &'a TransactionDraft> {
        let refunds = self.transactions.iter().filter(move |it| {
            it.draft.kind == Kind::Refund && it.draft.about.as_deref() == Some(payment) && !self.is_reversed(&it.id)
        });
        refunds.map(|refund| &refund.draft)
    }

    fn entries(&self) -> impl Iterator<Item = (&TransactionDraft, &Entry)> {
        self.transactions.iter().flat_map(|it| it.draft.entries.iter().map(|entry| (&it.draft, entry)))
    }
}

fn check(cents: i64) -> Result<(), LedgerError> {
    if (1..=MAX).contains(&cents) { Ok(()) } else { Err(LedgerError::Amount) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use crate::funding::SourceKind;

    impl Book {
        fn write(&mut self, drafts: impl IntoIterator<Item = TransactionDraft>) {
            for draft in drafts {
                let id = format!("t{}", self.transactions.len());
                self.transactions.push(Transaction { id, draft });
            }
        }
    }

    const FIRST: Line = Line::Instalment(1);

    fn payment(reference: &str, cents: i64, method: Method) -> Payment {
        Payment {
            reference: reference.into(),
            line: Some((FIRST, 10_000)),
            cents,
            method,
            received_on: None,
            note: String::new(),
        }
    }

    #[test]
    fn a_payment_brings_its_charge_along_and_is_written_once() {
        let mut book = Book::default();
        let card = payment("card:pi_1", 10_000, Method::Card);
        book.write(book.pay(&card).unwrap());
        assert_eq!(book.transactions.len(), 2);
        assert!(book.is_settled(FIRST));
        assert_eq!((book.paid(FIRST), book.balance(Account::Clearing)), (10_000, 10_000));
        assert_eq!(book.pay(&card), Ok(vec![]));
        assert_eq!(book.charge(FIRST, 10_000), Ok(None));
    }

    #[test]
    fn what_is_paid_twice_is_unapplied_and_goes_back() {
        let mut book = Book::default();
        book.write(book.pay(&payment("card:pi_1", 10_000, Method::Card)).unwrap());
        book.write(book.pay(&payment("offline:1", 10_000, Method::Cheque)).unwrap());
        assert_eq!((book.balance(Account::Receivable), book.balance(Account::Unapplied)), (0, 10_000));
        let cheque = book.transactions.last().unwrap().clone();
        book.write(book.refund(&cheque.id, 10_000, "r1", "Paid twice").unwrap());
        assert_eq!(book.refund(&cheque.id, 10_000, "r1", "Paid twice"), Ok(None));
        assert_eq!(book.refund(&cheque.id, 1, "r2", ""), Err(LedgerError::TooMuch));
        assert_eq!((book.balance(Account::Unapplied), book.balance(Account::Refunds)), (0, 0));
        assert_eq!(book.balance(Account::Cash), 0);
        // What it was built on cannot be taken away under it.
        assert_eq!(book.reverse(&cheque.id, ""), Err(LedgerError::Negative));
    }

    #[test]
    fn a_mistake_is_reversed_once() {
        let mut book = Book::default();
        book.write(book.charge(FIRST, 10_000).unwrap());
        book.write(book.pay(&payment("offline:1", 4_000, Method::Transfer)).unwrap());
        assert_eq!(book.owed(FIRST), 6_000);
        assert_eq!(book.reverse("t0", ""), Err(LedgerError::Negative));
        book.write(book.reverse("t1", "Another applicant’s").unwrap());
        assert_eq!(book.owed(FIRST), 10_000);
        assert_eq!(book.reverse("t1", ""), Ok(None));
        assert_eq!(book.reverse("t2", ""), Err(LedgerError::Reversed));
        assert_eq!(book.reverse("t9", ""), Err(LedgerError::NotFound));
        book.write(book.forgive(FIRST, Kind::Waiver, "w1", "Granted").unwrap());
        assert_eq!((book.owed(FIRST), book.balance(Account::Waivers)), (0, 10_000));
        assert_eq!(book.forgive(FIRST, Kind::WriteOff, "w2", ""), Err(LedgerError::NothingOwed));
    }

    #[test]
    fn a_charge_that_was_reversed_may_come_again() {
        let mut book = Book::default();
        book.write(book.charge(FIRST, 10_000).unwrap());
        book.write(book.reverse("t0", "Another plan").unwrap());
        assert!(!book.is_charged(FIRST));
        book.write(book.pay(&payment("offline:1", 10_000, Method::Cheque)).unwrap());
        assert_eq!(book.transactions[2].draft.cause, "charge:instalment-1:2");
        assert_eq!((book.owed(FIRST), book.charges().count(), book.is_settled(FIRST)), (0, 1, true));
    }

    #[test]
    fn in_any_order_of_events_the_ledger_balances_and_nothing_is_negative() {
        for seed in 0..200 {
            let mut chance = Chance::new(seed);
            let mut book = Book::default();
            for step in 0..60 {
                let line = match chance.up_to(4) {
                    0 => Line::Source(SourceKind::GiBill),
                    number => Line::Instalment(u32::try_from(number).unwrap()),
                };
                let cents = 1 + chance.up_to(30_000);
                let reference = chance.up_to(20).to_string();
                let any = format!("t{}", chance.up_to(1 + book.transactions.len() as i64));
                let method = Method::ALL[usize::try_from(chance.up_to(4)).unwrap()];
                let known = (chance.up_to(5) > 0).then_some((line, 20_000));
                let drafts = match chance.up_to(6) {
                    0 => book.charge(line, 20_000).map(|it| it.into_iter().collect()),
                    1 | 2 => book.pay(&Payment {
                        reference,
                        line: known,
                        cents,
                        method,
                        received_on: None,
                        note: String::new(),
                    }),
                    3 => book.refund(&any, cents, &reference, "").map(|it| it.into_iter().collect()),
                    4 => book.forgive(line, Kind::WriteOff, &reference, "").map(|it| it.into_iter().collect()),
                    _ => book.reverse(&any, "").map(|it| it.into_iter().collect()),
                };
                let drafts: Vec<TransactionDraft> = drafts.unwrap_or_default();
                let context = format!("seed {seed}, step {step}: {drafts:?}");
                for draft in &drafts {
                    assert_eq!(draft.entries.iter().map(|entry| entry.cents).sum::<i64>(), 0, "{context}");
                    assert!(draft.entries.len() >= 2 && draft.entries.iter().all(|it| it.cents != 0), "{context}");
                }
                book.write(drafts);
                for account in Account::ALL {
                    assert!(book.balance(account) >= 0, "{context} {account:?}");
                }
                for number in 1..4 {
                    assert!(book.owed(Line::Instalment(number)) >= 0, "{context}");
                }
            }
            let mut lines: Vec<String> = book.charges().map(|(line, _)| line.to_string()).collect();
            let charged = lines.len();
            lines.sort_unstable();
            lines.dedup();
            assert_eq!(lines.len(), charged, "a line is charged once");
            let mut causes: Vec<&str> = book.transactions.iter().map(|it| it.draft.cause.as_str()).collect();
            causes.sort_unstable();
            causes.dedup();
            assert_eq!(causes.len(), book.transactions.len(), "each cause is written once");
        }
    }
}
