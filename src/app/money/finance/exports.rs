//! Exports for other systems: the entries of all ledgers for bookkeeping, and enrolled applicants for the student
//! system. Each is read in batches while it is sent, and the record says who exported it.

use jiff::civil::Date;
use serde_json::json;

use crate::App;
use crate::error::Error;
use crate::office::audit_search::day;
use domain::clocks::end_of;
use domain::finance::{BookedLine, Enrolled, MoneyPlace};
use domain::input::FieldError;
use domain::moments::Millis;
use domain::permission::Permission;
use domain::staff::StaffSession;

/// Transactions or applications per batch.
const AT_ONCE: i64 = 500;

/// The period of a ledger export, both days included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerPeriod {
    from: Date,
    until: Date,
}

impl LedgerPeriod {
    /// # Errors
    /// `from.required`, `from.invalid`, the same of `until`, and `until.range` for one before `from`.
    pub fn parse(from: &str, until: &str) -> Result<LedgerPeriod, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut needed = |path: &'static str, typed: &str| {
            let read = day(path, typed, &mut errors);
            if typed.trim().is_empty() {
                errors.push(FieldError::new(path, format!("{path}.required"), "Choose a day."));
            }
            read
        };
        match (needed("from", from), needed("until", until)) {
            (Some(from), Some(until)) if from <= until => Ok(LedgerPeriod { from, until }),
            (Some(_), Some(_)) => {
                Err(vec![FieldError::new("until", "until.range", "Choose the first day or one after it.")])
            }
            _ => Err(errors),
        }
    }
}

/// An authorised ledger export.
#[derive(Debug, Clone)]
pub struct LedgerExport {
    from: Millis,
    until: Millis,
    after: MoneyPlace,
}

/// An authorised export of enrolled applicants.
#[derive(Debug, Clone)]
pub struct HandOver {
    since: Millis,
    after: String,
    /// Whether the caller may see the payment plans.
    pub with_funding: bool,
}

impl App {
    /// Starts an export of everything written to the ledgers on these days.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`](crate::Refusal)
    pub async fn begin_ledger_export(&self, who: &StaffSession, period: LedgerPeriod) -> Result<LedgerExport, Error> {
        who.staff.permit(Permission::Finance)?;
        who.staff.permit(Permission::Export)?;
        let LedgerPeriod { from, until } = period;
        let detail = json!({ "from": from.to_string(), "until": until.to_string(), "format": "csv" });
        let audit = self.audit_entry(format!("staff:{}", who.staff.id), "ledger".into(), "ledger.exported", detail);
        self.store.note(&audit).await?;
        let zone = &self.settings.time_zone;
        Ok(LedgerExport {
            from: from.yesterday().map_or(0, |before| end_of(before, zone)),
            until: end_of(until, zone),
            after: MoneyPlace::default(),
        })
    }

    /// The next transactions of the export, and the state for reading on.
    ///
    /// # Errors
    /// Store errors.
    pub async fn exported_ledger(
        &self,
        export: LedgerExport,
    ) -> Result<Option<(Vec<BookedLine>, LedgerExport)>, Error> {
        let lines = self.store.booked(export.from, export.until, &export.after, AT_ONCE).await?;
        let last = lines.last().map(|line| MoneyPlace { at: line.posted.at, id: line.posted.transaction.id.clone() });
        Ok(last.map(|after| (lines, LedgerExport { after, ..export })))
    }

    /// Starts an export of applicants enrolled on or after `since`; empty for all.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`](crate::Refusal), `since.invalid`
    pub async fn begin_hand_over(
        &self,
        who: &StaffSession,
        since: &str,
        format: &'static str,
    ) -> Result<HandOver, Error> {
        who.staff.permit(Permission::Export)?;
        who.staff.permit(Permission::PersonalData)?;
        let mut errors = Vec::new();
        let since = day("since", since, &mut errors);
        if !errors.is_empty() {
            return Err(errors.into());
        }
        let since_text = since.map(|since| since.to_string());
        let detail = json!({ "since": since_text, "format": format });
        let by = format!("staff:{}", who.staff.id);
        let audit = self.audit_entry(by, "applications".into(), "applications.handed_over", detail);
        self.store.note(&audit).await?;
        let before = since.and_then(|since| since.yesterday().ok());
        Ok(HandOver {
            since: before.map_or(0, |before| end_of(before, &self.settings.time_zone)),
            after: String::new(),
            with_funding: who.staff.role.may(Permission::Finance),
        })
    }

    /// The next enrolled applicants, and the state for reading on.
    ///
    /// # Errors
    /// Store errors.
    pub async fn handed_over(&self, hand_over: HandOver) -> Result<Option<(Vec<Enrolled>, HandOver)>, Error> {
        let mut rows = self.store.enrolled(hand_over.since, &hand_over.after, AT_ONCE).await?;
        let Some(after) = rows.last().map(|last| last.application.id.clone()) else { return Ok(None) };
        if !hand_over.with_funding {
            rows.iter_mut().for_each(|row| row.funding = None);
        }
        Ok(Some((rows, HandOver { after, ..hand_over })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_has_two_days_in_their_order() {
        let codes = |from: &str, until: &str| -> Vec<String> {
            let errors = LedgerPeriod::parse(from, until).err().unwrap_or_default();
            errors.into_iter().map(|error| error.code).collect()
        };
        assert_eq!(codes("", "soon"), ["from.required", "until.invalid"]);
        assert_eq!(codes("2026-05-02", "2026-05-01"), ["until.range"]);
        assert!(LedgerPeriod::parse("2026-05-01", "2026-05-01").is_ok());
    }
}
