//! Finance's bookings in an application's ledger: payments made outside the provider, refunds, waivers, write-offs and
//! reversals. Each is written once under the key of its form. Those that need a second person wait for approval.

use jiff::ToSpan;
use jiff::civil::Date;

use super::Dossier;
use super::second_person::Clearance;
use crate::error::{Error, Refusal};
use crate::money::card_payments::RefundWish;
use crate::money::fees::goes_on;
use crate::money::funding::has_place;
use crate::money::ledger::{Unbooked, Writing};
use crate::office::audit_search::day;
use crate::{App, mails};
use domain::funding::Funding;
use domain::input::{FieldError, Input, several_lines};
use domain::ledger::{Book, BookingRequest, Kind, LedgerError, Line, Method, Payment, RequestState, TransactionDraft};
use domain::money::cents;
use domain::permission::{Gate, Permission};
use domain::staff::StaffSession;

/// How many days ago a payment recorded now can have arrived.
const MAX_DAYS_AGO: i64 = 731;
/// Maximum number of characters in a note.
pub(super) const MAX_NOTE_LENGTH: usize = 500;

/// A booking by Finance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FinanceBooking {
    /// A payment received, for a line or without a known purpose.
    Payment {
        line: Option<Line>,
        cents: i64,
        method: Method,
        /// The day it arrived, if not today.
        received_on: Option<Date>,
        note: String,
    },
    /// A refund of a payment.
    Refund {
        payment: String,
        cents: i64,
        reason: String,
    },
    /// Waives or writes off what is owed for a line.
    Forgive {
        line: Line,
        kind: Kind,
        reason: String,
    },
    Reversal {
        transaction: String,
        reason: String,
    },
}

/// The result of a booking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Booked {
    Written,
    /// Waits for a second person's approval.
    Waits(Box<BookingRequest>),
}

impl FinanceBooking {
    /// Acts that ask for the password again: money is refunded or forgiven, or somebody else's request for that is
    /// approved.
    pub const ASKS_AGAIN: [&str; 5] = ["refund", "waive", "write-off", "reverse", "approve"];

    pub(super) fn kind(&self) -> Kind {
        match self {
            FinanceBooking::Payment { .. } => Kind::Payment,
            FinanceBooking::Refund { .. } => Kind::Refund,
            FinanceBooking::Forgive { kind, .. } => *kind,
            FinanceBooking::Reversal { .. } => Kind::Reversal,
        }
    }

    /// Parses a form: `get` returns the value typed into a field.
    ///
    /// # Errors
    /// Bad fields, by their names in the form.
    pub fn parse<'a>(action: &str, get: impl Fn(&str) -> &'a str) -> Result<FinanceBooking, Vec<FieldError>> {
        let mut errors = Vec::new();
        let text = |name: &str, what: &'static str, errors: &mut Vec<FieldError>| {
            let typed = Input::Text(get(name).to_owned());
            several_lines(name, what, Some(&typed), MAX_NOTE_LENGTH).unwrap_or_else(|error| {
                errors.push(error);
                None
            })
        };
        let amount = |errors: &mut Vec<FieldError>| match cents(get("amount")) {
            Some(cents) if (1..=100_000_000).contains(&cents) => cents,
            _ => {
                errors.push(FieldError::new("amount", "amount.range", LedgerError::Amount.sentence()));
                0
            }
        };
        let reason = |errors: &mut Vec<FieldError>| {
            let given = text("reason", "The reason", errors);
            given.unwrap_or_else(|| {
                if errors.iter().all(|error| error.path != "reason") {
                    errors.push(FieldError::new("reason", "reason.required", "Say why, for the books."));
                }
                String::new()
            })
        };
        let line = Line::parse(get("line"));
        let unknown_line = || FieldError::new("line", "line.unknown", "Choose what it is for.");
        let booking = match action {
            "pay" => {
                let method = Method::parse(get("method")).filter(|method| Method::OFFLINE.contains(method));
                if method.is_none() {
                    errors.push(FieldError::new("method", "method.unknown", "Choose how the money came."));
                }
                if line.is_none() && get("line") != "none" {
                    errors.push(unknown_line());
                }
                let cents = amount(&mut errors);
                let note = text("note", "The note", &mut errors).unwrap_or_default();
                let received_on = day("receivedOn", get("receivedOn"), &mut errors);
                method.map(|method| FinanceBooking::Payment { line, cents, method, received_on, note })
            }
            "refund" => {
                let cents = amount(&mut errors);
                let reason = reason(&mut errors);
                Some(FinanceBooking::Refund { payment: get("transaction").to_owned(), cents, reason })
            }
            "waive" | "write-off" => {
                let kind = if action == "waive" { Kind::Waiver } else { Kind::WriteOff };
                let reason = reason(&mut errors);
                if line.is_none() {
                    errors.push(unknown_line());
                }
                line.map(|line| FinanceBooking::Forgive { line, kind, reason })
            }
            _ => {
                let reason = reason(&mut errors);
                Some(FinanceBooking::Reversal { transaction: get("transaction").to_owned(), reason })
            }
        };
        match booking {
            Some(booking) if errors.is_empty() => Ok(booking),
            _ => Err(errors),
        }
    }
}

impl App {
    /// Writes a booking to the ledger, once for each `key`; or stores it until a second person has approved it.
    ///
    /// # Errors
    /// [`Refusal`](crate::Refusal)`::RoleForbidden`, `ApplicationNotFound`, `Ledger`, `KeyReused`, `RequestSettled`, a
    /// line that is not in the plan; `StepUp` for anything but a payment, if the password was not entered again.
    pub async fn book_for_office(
        &self,
        who: &StaffSession,
        id: &str,
        key: &str,
        booking: FinanceBooking,
    ) -> Result<Booked, Error> {
        if !matches!(booking, FinanceBooking::Payment { .. }) {
            self.admit(Gate::may(Permission::ManageFinance).and_step_up(), who).await?;
        }
        if let FinanceBooking::Payment { received_on: Some(day), .. } = &booking {
            check_received_on(*day, self.today())?;
        }
        let content = format!("{booking:?}");
        self.under_key(&booking_scope(id, key), &content, self.book(who, id, key, booking)).await
    }

    async fn book(&self, who: &StaffSession, id: &str, key: &str, booking: FinanceBooking) -> Result<Booked, Error> {
        who.staff.permit(Permission::ManageFinance)?;
        let dossier = self.dossier(who, id).await?;
        let requests = match booking.kind() {
            Kind::Payment => Vec::new(),
            _ => self.store.booking_requests(id).await?,
        };
        if let Some(request) = requests.iter().find(|request| request.key == key) {
            return match request.state {
                RequestState::Waiting => Ok(Booked::Waits(Box::new(request.clone()))),
                RequestState::Approved => Ok(Booked::Written),
                RequestState::Declined | RequestState::Withdrawn => Err(Refusal::RequestSettled.into()),
            };
        }
        let clearance = Clearance::Alone(self.hold(who, &booking, &requests).await?);
        let by = format!("staff:{}", who.staff.id);
        match self.write_booking(&dossier, key, &booking, &by, &clearance).await {
            Ok(()) => Ok(Booked::Written),
            Err(Unbooked::Waits(cents)) => self.ask_second_person(who, id, key, booking, cents).await,
            Err(Unbooked::Failed(error)) => Err(error),
        }
    }

    /// Writes a booking, if nobody else has to approve it first.
    pub(super) async fn write_booking(
        &self,
        dossier: &Dossier,
        key: &str,
        booking: &FinanceBooking,
        by: &str,
        clearance: &Clearance,
    ) -> Result<(), Unbooked> {
        let id = dossier.application.id.as_str();
        let mail = match booking {
            FinanceBooking::Payment { .. } => {
                Some(mails::status_update(&self.wording().await, &dossier.applicant, dossier.application.program))
            }
            _ => None,
        };
        if let FinanceBooking::Refund { payment, cents, reason } = booking
            && self.is_card_payment(id, payment).await?
        {
            let wish = RefundWish { key, payment_id: payment, cents: *cents, reason, by };
            self.refund_card(id, wish, clearance).await?;
            return Ok(());
        }
        let refunds = match booking.kind() {
            Kind::Refund => self.store.card_refunds(id).await?,
            _ => Vec::new(),
        };
        let written = self.write_ledger_approved(id, by, clearance.approval(), |ledger, plan| {
            let drafts = drafts(dossier, key, booking, &ledger.book(), plan.map(|plan| &plan.funding))?;
            let fee_reason = match booking {
                FinanceBooking::Forgive { line: Line::ApplicationFee, reason, .. } => Some(reason.clone()),
                _ => None,
            };
            match drafts.last() {
                Some(last) => clearance.check(last.cents(), ledger, &refunds)?,
                None if clearance.approval().is_some() => return Err(LedgerError::Reversed.into()),
                None => {}
            }
            Ok::<_, Unbooked>(Writing { drafts, mail: mail.clone(), fee_reason, ..Writing::default() })
        });
        if written.await? > 0 {
            self.enrol_when_complete(id).await;
        }
        Ok(())
    }
}

/// The key of a booking, with what qualifies it.
pub(crate) fn booking_scope(application_id: &str, key: &str) -> String {
    format!("ledger\n{application_id}\n{key}")
}

/// The transactions for a booking; empty if it is already written.
fn drafts(
    dossier: &Dossier,
    key: &str,
    booking: &FinanceBooking,
    book: &Book,
    funding: Option<&Funding>,
) -> Result<Vec<TransactionDraft>, Error> {
    Ok(match booking {
        FinanceBooking::Payment { line, cents, method, received_on, note } => {
            let known = match line {
                Some(line) => Some((*line, owed_in_all(dossier, *line, funding, book)?)),
                None => None,
            };
            let reference = format!("offline:{key}");
            book.pay(&Payment {
                reference,
                line: known,
                cents: *cents,
                method: *method,
                received_on: *received_on,
                note: note.clone(),
            })?
        }
        FinanceBooking::Refund { payment, cents, reason } => one(book.refund(payment, *cents, key, reason)?),
        FinanceBooking::Forgive { line: Line::ApplicationFee, kind, .. } => {
            // The reason may be about the person. It is kept with the fee, where it can be erased.
            let forgiven = book.forgive(Line::ApplicationFee, *kind, key, "The reason is kept with the fee.")?;
            if forgiven.is_some() && !goes_on(dossier.application.stage) {
                return Err(LedgerError::NothingOwed.into());
            }
            one(forgiven)
        }
        FinanceBooking::Forgive { line, kind, reason } => {
            let mut drafts = Vec::new();
            let mut book = book.clone();
            if let Ok(whole) = owed_in_all(dossier, *line, funding, &book)
                && let Some(charge) = book.charge(*line, whole)?
            {
                book.expect(&charge);
                drafts.push(charge);
            }
            let forgiven = book.forgive(*line, *kind, key, reason)?;
            if forgiven.is_none() {
                drafts.clear();
            }
            drafts.extend(forgiven);
            drafts
        }
        FinanceBooking::Reversal { transaction, reason } => one(book.reverse(transaction, reason)?),
    })
}

/// Checks that a payment can have arrived on this day.
fn check_received_on(day: Date, today: Date) -> Result<(), FieldError> {
    let error =
        |rule: &str, sentence: &'static str| Err(FieldError::new("receivedOn", format!("receivedOn.{rule}"), sentence));
    if day > today {
        error("future", "This day is still to come. Choose the day on which the money arrived.")
    } else if day < today.saturating_sub(MAX_DAYS_AGO.days()) {
        error("past", "This is more than two years ago. Check the year.")
    } else {
        Ok(())
    }
}

fn one(draft: Option<TransactionDraft>) -> Vec<TransactionDraft> {
    draft.into_iter().collect()
}

/// Cents of a line: as charged, or otherwise as planned, if the plan adds up and the applicant has a place.
fn owed_in_all(dossier: &Dossier, line: Line, funding: Option<&Funding>, book: &Book) -> Result<i64, Error> {
    if let Some((_, cents)) = book.charges().find(|(charged, _)| *charged == line) {
        return Ok(cents);
    }
    let planned = funding.filter(|funding| funding.adds_up() && has_place(dossier.application.stage));
    let unknown = || FieldError::new("line", "line.unknown", "The plan has no such payment, or does not add up yet.");
    Ok(planned.and_then(|funding| line.cents(funding)).ok_or_else(unknown)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(action: &str, fields: &[(&str, &'static str)]) -> Result<FinanceBooking, Vec<String>> {
        let get = |name: &str| fields.iter().find(|(field, _)| *field == name).map_or("", |(_, value)| *value);
        FinanceBooking::parse(action, get).map_err(|errors| errors.into_iter().map(|error| error.code).collect())
    }

    #[test]
    fn every_act_but_a_payment_asks_for_the_password_again() {
        let fields = [("line", "instalment-1"), ("amount", "$1"), ("method", "cheque"), ("reason", "Granted")];
        for act in ["pay", "refund", "waive", "write-off", "reverse"] {
            let is_payment = matches!(parse(act, &fields).unwrap(), FinanceBooking::Payment { .. });
            assert_eq!(is_payment, !FinanceBooking::ASKS_AGAIN.contains(&act), "{act}");
        }
    }

    #[test]
    fn a_payment_arrived_today_or_before() {
        let today = jiff::civil::date(2026, 5, 4);
        let code = |day| check_received_on(day, today).map_err(|error| error.code);
        assert_eq!(code(today), Ok(()));
        assert_eq!(code(jiff::civil::date(2024, 5, 4)), Ok(()));
        assert_eq!(code(jiff::civil::date(2026, 5, 5)), Err("receivedOn.future".into()));
        assert_eq!(code(jiff::civil::date(2024, 5, 2)), Err("receivedOn.past".into()));
    }

    #[test]
    fn a_booking_is_read_from_its_form() {
        let paid = [("line", "instalment-1"), ("amount", "$1,200.50"), ("method", "cheque"), ("note", "No. 7")];
        let payment = FinanceBooking::Payment {
            line: Some(Line::Instalment(1)),
            cents: 120_050,
            method: Method::Cheque,
            received_on: None,
            note: "No. 7".into(),
        };
        assert_eq!(parse("pay", &paid), Ok(payment));
        for (action, fields, codes) in [
            ("pay", vec![("amount", "0")], vec!["method.unknown", "line.unknown", "amount.range"]),
            ("pay", vec![("line", "none"), ("method", "card"), ("amount", "5")], vec!["method.unknown"]),
            (
                "pay",
                vec![("line", "none"), ("method", "cheque"), ("amount", "5"), ("receivedOn", "soon")],
                vec!["receivedOn.invalid"],
            ),
            ("refund", vec![("amount", "lots")], vec!["amount.range", "reason.required"]),
            ("waive", vec![("reason", "Granted")], vec!["line.unknown"]),
            ("reverse", vec![], vec!["reason.required"]),
        ] {
            assert_eq!(parse(action, &fields).unwrap_err(), codes, "{action}");
        }
    }
}
