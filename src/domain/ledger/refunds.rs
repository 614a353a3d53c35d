//! How much of the payments to refund after a withdrawal.

use super::{Account, Book, Kind, Line, Transaction};

impl Book {
    /// Returns the cents of a payment still to be refunded if `percent` of what was paid is. Unapplied money is
    /// refunded in full, the application fee is not, earlier refunds are deducted, and fractions of a cent are rounded
    /// up.
    pub fn going_back(&self, payment: &Transaction, percent: i64) -> i64 {
        let left = self.refundable(payment);
        if left == 0 {
            return 0;
        }
        let paid = payment.draft.cents();
        let unapplied: i64 =
            -payment.draft.entries.iter().filter(|it| it.account == Account::Unapplied).map(|it| it.cents).sum::<i64>();
        let percent = if payment.draft.line == Some(Line::ApplicationFee) { 0 } else { percent.clamp(0, 100) };
        let share = ((paid - unapplied) * percent + 99) / 100;
        let gone = paid - left;
        (unapplied + share - gone).clamp(0, left)
    }

    /// Returns the total over all payments.
    pub fn going_back_in_all(&self, percent: i64) -> i64 {
        self.transactions.iter().map(|payment| self.going_back(payment, percent)).sum()
    }

    /// Returns the cents received and neither refunded nor reversed, without application fees.
    pub fn received(&self) -> i64 {
        let payments = self.transactions.iter().filter(|it| it.draft.kind == Kind::Payment);
        payments.map(|payment| self.going_back(payment, 100)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use crate::ledger::{Method, Payment, TransactionDraft};

    fn write(book: &mut Book, drafts: impl IntoIterator<Item = TransactionDraft>) {
        for draft in drafts {
            let id = format!("t{}", book.transactions.len());
            book.transactions.push(Transaction { id, draft });
        }
    }

    fn paid(book: &mut Book, reference: &str, cents: i64, owed: i64) -> Transaction {
        let line = (owed > 0).then_some((Line::Instalment(1), owed));
        let payment = Payment {
            reference: reference.into(),
            line,
            cents,
            method: Method::Transfer,
            received_on: None,
            note: String::new(),
        };
        let drafts = book.pay(&payment).unwrap();
        write(book, drafts);
        book.transactions.last().unwrap().clone()
    }

    #[test]
    fn a_share_of_what_was_owed_and_all_of_what_was_not() {
        let mut book = Book::default();
        let payment = paid(&mut book, "1", 10_001, 10_001);
        let twice = paid(&mut book, "2", 500, 10_001);
        let of = |book: &Book, percent| (book.going_back(&payment, percent), book.going_back(&twice, percent));
        assert_eq!((of(&book, 100), of(&book, 50), of(&book, 0)), ((10_001, 500), (5_001, 500), (0, 500)));
        assert_eq!((book.going_back_in_all(50), book.received()), (5_501, 10_501));
        // Earlier refunds count, whoever made them.
        let refund = book.refund(&payment.id, 5_000, "r", "").unwrap();
        write(&mut book, refund);
        assert_eq!((of(&book, 50), of(&book, 0)), ((1, 500), (0, 500)));
        let reversal = book.reverse(&twice.id, "").unwrap();
        write(&mut book, reversal);
        assert_eq!((of(&book, 100).1, book.received()), (0, 5_001));
    }

    #[test]
    fn the_application_fee_stays_and_what_was_paid_too_much_for_it_does_not() {
        let mut book = Book::default();
        let payment = Payment {
            reference: "1".into(),
            line: Some((Line::ApplicationFee, 7_500)),
            cents: 8_000,
            method: Method::Card,
            received_on: None,
            note: String::new(),
        };
        let drafts = book.pay(&payment).unwrap();
        write(&mut book, drafts);
        assert_eq!((book.going_back_in_all(100), book.received()), (500, 500));
        let payment = book.transactions.last().unwrap();
        assert_eq!(book.refundable(payment), 8_000, "Finance may give back more");
    }

    #[test]
    fn no_more_goes_back_than_is_there_and_never_twice() {
        for seed in 0..200 {
            let mut chance = Chance::new(seed);
            let mut book = Book::default();
            for step in 0..12 {
                let owed = if chance.up_to(3) == 0 { 0 } else { 20_000 };
                let payment = paid(&mut book, &step.to_string(), 1 + chance.up_to(15_000), owed);
                let percent = chance.up_to(101);
                let suggested = book.going_back(&payment, percent);
                assert!((0..=book.refundable(&payment)).contains(&suggested));
                assert!(suggested <= book.going_back(&payment, 100));
                if suggested > 0 {
                    let refund = book.refund(&payment.id, suggested, &step.to_string(), "").unwrap();
                    write(&mut book, refund);
                }
                assert_eq!(book.going_back(&payment, percent), 0, "seed {seed}");
            }
            assert_eq!(book.going_back_in_all(100), book.received(), "seed {seed}");
        }
    }
}
