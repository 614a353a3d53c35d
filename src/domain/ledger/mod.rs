//! The ledger of one application: double entries in whole cents, of one currency.
//!
//! A transaction is a few entries that sum to zero: what is positive is a debit, what is negative a credit. Nothing is changed
//! or taken out; a mistake is reversed by a transaction of its own. Balances are derived.
//!
//! Money that is received for a line (an instalment, or what a source pays) settles that line and no other. What is more than
//! the line asks for is kept apart as unapplied, until it is refunded: so nobody ever owes less than nothing.

mod account;
mod book;
mod line;
mod record;
mod refunds;

pub use account::{Account, Entry};
pub use book::{Book, Kind, LedgerError, Method, Payment, Transaction, TransactionDraft};
pub use line::Line;
pub use record::{BookingRequest, Ledger, PaymentTold, Posted, RequestState, cause};
