//! What Finance writes into the ledger of an application: payments that came outside the provider, and what is given back,
//! forgiven or reversed. Each is written once under the key of its form.

use super::super::error::Error;
use super::super::funding::has_place;
use super::super::ledger::Writing;
use super::super::ports::StaffSession;
use super::super::{App, mails};
use super::Dossier;
use crate::domain::funding::Funding;
use crate::domain::input::{FieldError, Input, several_lines};
use crate::domain::ledger::{Book, Draft, Kind, LedgerError, Line, Method, Payment};
use crate::domain::money::cents;
use crate::domain::permission::{Gate, Permission};

/// Most characters of a note.
const LONGEST_NOTE: usize = 500;

/// Something that Finance writes into the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Booking {
    /// Money that came, for a line or for nothing that is known.
    Payment {
        line: Option<Line>,
        cents: i64,
        method: Method,
        note: String,
    },
    /// Money of a payment that goes back.
    Refund {
        payment: String,
        cents: i64,
        reason: String,
    },
    /// What is owed for a line is not asked for any more.
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

impl Booking {
    /// Acts that the password is asked again for: money goes, or is not asked for any more.
    pub const ASKS_AGAIN: [&str; 4] = ["refund", "waive", "write-off", "reverse"];

    /// Reads a form: `get` gives what was typed under a name.
    ///
    /// # Errors
    /// Bad fields, by the names that the form has.
    pub fn parse<'a>(action: &str, get: impl Fn(&str) -> &'a str) -> Result<Booking, Vec<FieldError>> {
        let mut errors = Vec::new();
        let text = |name: &str, what: &'static str, errors: &mut Vec<FieldError>| {
            let typed = Input::Text(get(name).to_owned());
            several_lines(name, what, Some(&typed), LONGEST_NOTE).unwrap_or_else(|error| {
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
                method.map(|method| Booking::Payment { line, cents, method, note })
            }
            "refund" => {
                let cents = amount(&mut errors);
                let reason = reason(&mut errors);
                Some(Booking::Refund { payment: get("transaction").to_owned(), cents, reason })
            }
            "waive" | "write-off" => {
                let kind = if action == "waive" { Kind::Waiver } else { Kind::WriteOff };
                let reason = reason(&mut errors);
                if line.is_none() {
                    errors.push(unknown_line());
                }
                line.map(|line| Booking::Forgive { line, kind, reason })
            }
            _ => {
                let reason = reason(&mut errors);
                Some(Booking::Reversal { transaction: get("transaction").to_owned(), reason })
            }
        };
        match booking {
            Some(booking) if errors.is_empty() => Ok(booking),
            _ => Err(errors),
        }
    }
}

impl App {
    /// Writes it into the ledger, once for each `key`.
    ///
    /// # Errors
    /// [`Refusal`](super::super::Refusal)`::RoleForbidden`, `ApplicationNotFound`, `Ledger`, `KeyReused`, a line that the plan does not
    /// have; `StepUp` for what is not a payment, where the password was not given again.
    pub async fn book_for_office(
        &self,
        who: &StaffSession,
        id: &str,
        key: &str,
        booking: Booking,
    ) -> Result<(), Error> {
        if !matches!(booking, Booking::Payment { .. }) {
            self.admit(Gate::may(Permission::ManageFinance).and_step_up(), who).await?;
        }
        let (scope, content) = (format!("ledger\n{id}\n{key}"), format!("{booking:?}"));
        self.under_key(&scope, &content, self.book(who, id, key, booking)).await
    }

    async fn book(&self, who: &StaffSession, id: &str, key: &str, booking: Booking) -> Result<(), Error> {
        who.staff.permit(Permission::ManageFinance)?;
        let dossier = self.dossier(who, id).await?;
        let told = match booking {
            Booking::Payment { .. } => {
                Some(mails::status_update(&self.wording().await, &dossier.applicant, dossier.application.program))
            }
            _ => None,
        };
        let by = format!("staff:{}", who.staff.id);
        if let Booking::Refund { payment, cents, reason } = &booking
            && self.is_card_payment(id, payment).await?
        {
            self.refund_card(id, key, payment, *cents, reason, &by).await?;
            return Ok(());
        }
        let written = self.write_ledger(id, &by, |book, plan| {
            let funding = plan.map(|plan| &plan.funding);
            let drafts = match &booking {
                Booking::Payment { line, cents, method, note } => {
                    let known = match line {
                        Some(line) => Some((*line, owed_in_all(&dossier, *line, funding, book)?)),
                        None => None,
                    };
                    let reference = format!("offline:{key}");
                    book.pay(&Payment { reference, line: known, cents: *cents, method: *method, note: note.clone() })?
                }
                Booking::Refund { payment, cents, reason } => one(book.refund(payment, *cents, key, reason)?),
                Booking::Forgive { line, kind, reason } => {
                    let mut drafts = Vec::new();
                    let mut book = book.clone();
                    if let Ok(whole) = owed_in_all(&dossier, *line, funding, &book)
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
                Booking::Reversal { transaction, reason } => one(book.reverse(transaction, reason)?),
            };
            Ok(Writing { drafts, mail: told.clone(), task: None })
        });
        if written.await? > 0 {
            self.enrol_when_complete(id).await;
        }
        Ok(())
    }
}

fn one(draft: Option<Draft>) -> Vec<Draft> {
    draft.into_iter().collect()
}

/// Cents of a line: as charged, else as the plan has it, if it adds up and its applicant has a place.
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

    fn parse(action: &str, fields: &[(&str, &'static str)]) -> Result<Booking, Vec<String>> {
        let get = |name: &str| fields.iter().find(|(field, _)| *field == name).map_or("", |(_, value)| *value);
        Booking::parse(action, get).map_err(|errors| errors.into_iter().map(|error| error.code).collect())
    }

    #[test]
    fn every_act_but_a_payment_asks_for_the_password_again() {
        let fields = [("line", "instalment-1"), ("amount", "$1"), ("method", "cheque"), ("reason", "Granted")];
        for act in ["pay"].into_iter().chain(Booking::ASKS_AGAIN) {
            let is_payment = matches!(parse(act, &fields).unwrap(), Booking::Payment { .. });
            assert_eq!(is_payment, act == "pay", "{act}");
        }
    }

    #[test]
    fn a_booking_is_read_from_its_form() {
        let paid = [("line", "instalment-1"), ("amount", "$1,200.50"), ("method", "cheque"), ("note", "No. 7")];
        let payment = Booking::Payment {
            line: Some(Line::Instalment(1)),
            cents: 120_050,
            method: Method::Cheque,
            note: "No. 7".into(),
        };
        assert_eq!(parse("pay", &paid), Ok(payment));
        for (action, fields, codes) in [
            ("pay", vec![("amount", "0")], vec!["method.unknown", "line.unknown", "amount.range"]),
            ("pay", vec![("line", "none"), ("method", "card"), ("amount", "5")], vec!["method.unknown"]),
            ("refund", vec![("amount", "lots")], vec!["amount.range", "reason.required"]),
            ("waive", vec![("reason", "Granted")], vec!["line.unknown"]),
            ("reverse", vec![], vec!["reason.required"]),
        ] {
            assert_eq!(parse(action, &fields).unwrap_err(), codes, "{action}");
        }
    }
}
