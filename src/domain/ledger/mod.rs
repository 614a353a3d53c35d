//! The ledger of one application: double-entry bookkeeping in whole cents of a single currency.
//!
//! A transaction consists of entries that sum to zero: positive amounts are debits, negative ones credits. Nothing is
//! changed or removed; a mistake is corrected by a reversal. Balances are derived.
//!
//! Money received for a line (an instalment, a source's share, or the application fee) settles only that line. Any
//! excess is kept as unapplied until it is refunded, so that nobody ever owes a negative amount.

mod account;
mod book;
mod line;
mod record;
mod refunds;

pub use account::{Account, Entry};
pub use book::{Book, Kind, LedgerError, Method, Payment, Transaction, TransactionDraft};
pub use line::Line;
pub use record::{BookingRequest, Ledger, PaymentReminder, Posted, RequestState, cause};
