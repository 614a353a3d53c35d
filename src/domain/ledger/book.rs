//! What may be posted to a ledger, given what it already contains.

use jiff::civil::Date;

use super::{Account, Entry, Line};
use crate::funding::Instalment;
use crate::sentence::Sentence;
use crate::text;

/// The kind of a transaction.
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

    /// Returns the name as stored and exported.
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

    /// Returns the label.
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

/// How money was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    Transfer,
    Cheque,
    /// Payment of an invoice by a sponsor.
    Invoice,
    /// Payment on the provider's hosted page.
    Card,
}

impl Method {
    pub const ALL: [Method; 4] = [Method::Transfer, Method::Cheque, Method::Invoice, Method::Card];
    /// Methods that Finance records by hand.
    pub const OFFLINE: [Method; 3] = [Method::Transfer, Method::Cheque, Method::Invoice];

    /// Returns the name as stored and exported.
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

    /// Returns the label.
    pub fn label(self) -> Sentence {
        match self {
            Method::Transfer => text!("Bank transfer"),
            Method::Cheque => text!("Check"),
            Method::Invoice => text!("Invoice"),
            Method::Card => text!("Card"),
        }
    }

    /// Returns the account that receives the money.
    fn account(self) -> Account {
        if self == Method::Card { Account::Clearing } else { Account::Cash }
    }
}

/// A transaction in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    pub id: String,
    pub draft: TransactionDraft,
}

/// A transaction to be posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionDraft {
    pub kind: Kind,
    /// Idempotency key: `charge:application-fee`, `payment:card:pi_1`. Unique within the application's ledger.
    pub cause: String,
    pub line: Option<Line>,
    /// The transaction that it refunds or reverses.
    pub about: Option<String>,
    pub method: Option<Method>,
    /// For a payment: the day it arrived, if noted.
    pub received_on: Option<Date>,
    pub entries: Vec<Entry>,
    /// Check number, reference of a transfer, or reason for a refund, waiver or reversal.
    pub note: String,
}

impl TransactionDraft {
    /// Returns its amount in cents.
    pub fn cents(&self) -> i64 {
        self.entries.iter().map(|entry| entry.cents).filter(|cents| *cents > 0).sum()
    }

    /// Whether it charges the application fee. Such a charge stays: a fee that is not to be paid is waived.
    pub fn charges_fee(&self) -> bool {
        self.kind == Kind::Charge && self.line == Some(Line::ApplicationFee)
    }
}

/// A payment that was received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// Identifies the payment whenever it is reported again.
    pub reference: String,
    /// What it is for, and the full amount of that line; `None` if the money cannot be matched.
    pub line: Option<(Line, i64)>,
    pub cents: i64,
    pub method: Method,
    /// The day it arrived, if different from the day it is recorded.
    pub received_on: Option<Date>,
    pub note: String,
}

/// Why nothing is posted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LedgerError {
    /// Not positive, or too large.
    Amount,
    /// More than what remains of the payment.
    TooMuch,
    /// There is no such transaction, or it is of a kind with which this is not done.
    NotFound,
    /// Already reversed, or itself a reversal.
    Reversed,
    /// A balance would become negative: later transactions must be reversed first.
    Negative,
    NothingOwed,
}

impl LedgerError {
    /// Returns a stable, machine-readable code.
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

    /// Tells staff what to do.
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

/// Maximum amount of a transaction, in cents: a million dollars.
const MAX: i64 = 100_000_000;

/// All transactions of one application, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Book {
    pub transactions: Vec<Transaction>,
}

impl Book {
    /// Returns the balance of an account, positive on the account's normal side.
    pub fn balance(&self, account: Account) -> i64 {
        let sum: i64 = self.entries().filter(|(_, entry)| entry.account == account).map(|(_, entry)| entry.cents).sum();
        if account.is_credit() { -sum } else { sum }
    }

    /// Returns the cents owed for a charged line.
    pub fn owed(&self, line: Line) -> i64 {
        let of_line = self.entries().filter(|(draft, _)| draft.line == Some(line));
        of_line.filter(|(_, entry)| entry.account == Account::Receivable).map(|(_, entry)| entry.cents).sum()
    }

    pub fn is_charged(&self, line: Line) -> bool {
        self.charges().any(|(charged, _)| charged == line)
    }

    /// Returns the unpaid cents of an instalment, whether charged or not.
    pub fn still_to_pay(&self, instalment: &Instalment) -> i64 {
        let line = Line::Instalment(instalment.number);
        if self.is_charged(line) { self.owed(line) } else { instalment.cents }
    }

    /// Iterates over charged lines with their cents, without reversed charges.
    pub fn charges(&self) -> impl Iterator<Item = (Line, i64)> {
        let charges = self.transactions.iter().filter(|it| it.draft.kind == Kind::Charge && !self.is_reversed(&it.id));
        charges.filter_map(|charge| Some((charge.draft.line?, charge.draft.cents())))
    }

    /// Adds a draft as if it were posted, so that decisions can take it into account.
    pub fn expect(&mut self, draft: &TransactionDraft) {
        self.transactions.push(Transaction { id: String::new(), draft: draft.clone() });
    }

    /// Returns the cents received for a line and not refunded.
    pub fn paid(&self, line: Line) -> i64 {
        let of_line = self.entries().filter(|(draft, _)| draft.line == Some(line));
        of_line
            .filter(|(_, entry)| matches!(entry.account, Account::Cash | Account::Clearing))
            .map(|(_, e)| e.cents)
            .sum()
    }

    /// Whether a line was charged and nothing is owed for it any more.
    pub fn is_settled(&self, line: Line) -> bool {
        self.is_charged(line) && self.owed(line) == 0
    }

    /// Returns the cents of a payment that can be refunded.
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

    /// Returns the charge of a line, unless it is already charged.
    ///
    /// # Errors
    /// [`LedgerError::Amount`]
    pub fn charge(&self, line: Line, cents: i64) -> Result<Option<TransactionDraft>, LedgerError> {
        check(cents)?;
        let entries = vec![Entry::debit(Account::Receivable, cents), Entry::credit(Account::Income, cents)];
        // A reversed charge can be followed by another, under a new name.
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

    /// Returns a payment, and the charge of its line if it is not posted yet; nothing if the payment is already posted.
    /// Any excess over what is owed for the line stays unapplied.
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

    /// Returns a refund of part of a payment, taken from its unapplied money first; `None` if already posted.
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
        // Credits are negative: what remains has not been taken by earlier refunds.
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

    /// Returns the last waiver or write-off of a line that is not reversed.
    pub fn forgiven(&self, line: Line) -> Option<&Transaction> {
        self.transactions.iter().rev().find(|it| {
            it.draft.line == Some(line)
                && matches!(it.draft.kind, Kind::Waiver | Kind::WriteOff)
                && !self.is_reversed(&it.id)
        })
    }

    /// Returns a waiver or write-off of what is owed for a line; `None` if already posted.
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

    /// Returns the reversal of a transaction; `None` if it is already reversed.
    ///
    /// # Errors
    /// [`LedgerError::NotFound`], also for the charge of an application fee, [`LedgerError::Reversed`] for a reversal,
    /// [`LedgerError::Negative`]
    pub fn reverse(&self, id: &str, note: &str) -> Result<Option<TransactionDraft>, LedgerError> {
        let reversed = self.find(id).filter(|it| !it.draft.charges_fee()).ok_or(LedgerError::NotFound)?;
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

    /// Whether an account, or the amount owed for the line, would become negative.
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

    /// Iterates over refunds of a payment that were not reversed.
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
        // A payment cannot be reversed while a refund depends on it.
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
