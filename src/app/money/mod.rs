//! Payment plans, the application fee, the ledger, card payments, and Finance's view of them.

pub mod card_payments;
pub(crate) mod cost_sheet;
pub mod fees;
pub mod finance;
pub mod funding;
pub(crate) mod ledger;
pub(crate) mod payment_reminders;
pub mod plans;
pub(crate) mod receipts;
