//! Finance's view of all applications: what is due, overdue and failed, pending refunds, and unmatched money.

mod exports;

use std::sync::Arc;

use jiff::ToSpan;
use jiff::civil::Date;
use serde_json::json;
use tokio::sync::Mutex;

use crate::App;
use crate::error::{Error, Refusal};
use domain::clocks::{day, end_of};
use domain::finance::{self, DUE_DAYS, MoneyItem, MoneyKind, MoneyList, MoneyPlace, Month};
use domain::input::{FieldError, Input, several_lines};
use domain::ledger::Line;
use domain::moments::{MINUTE, Millis};
use domain::note::Note;
use domain::permission::Permission;
use domain::staff::StaffSession;
use store::{MoneyCounts, Stored};

pub use exports::{HandOver, LedgerExport, LedgerPeriod};

/// Rows per page.
const PAGE: i64 = 50;
/// Plans per batch.
const PLANS_AT_ONCE: i64 = 500;
/// Maximum number of characters in a note.
const MAX_NOTE_LENGTH: usize = 500;

/// The state of all plans and ledgers at one moment.
#[derive(Debug)]
pub struct MoneySnapshot {
    /// Lines that are overdue or due soon, by due date.
    lines: Vec<MoneyItem>,
    /// Oldest first.
    pub months: Vec<Month>,
    pub today: Date,
    pub at: Millis,
}

impl MoneySnapshot {
    fn of(&self, list: MoneyList) -> impl Iterator<Item = &MoneyItem> {
        let overdue = list == MoneyList::Overdue;
        self.lines.iter().filter(move |item| item.due.is_some_and(|due| (due < self.today) == overdue))
    }
}

/// The last result. Callers wait while it is being computed.
#[derive(Debug, Default)]
pub struct FinanceCache(Mutex<Option<Arc<MoneySnapshot>>>);

#[derive(Debug)]
pub struct MoneyPage {
    pub items: Vec<MoneyItem>,
    /// Cursor for the next page, if there is one.
    pub next: Option<String>,
    /// Number of items on each list.
    pub counts: Vec<(MoneyList, i64)>,
    pub standing: Arc<MoneySnapshot>,
}

/// How something was settled, in the words of the person who did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettlingNote(String);

impl SettlingNote {
    /// # Errors
    /// `note.required`, `note.too_long`
    pub fn parse(typed: &str) -> Result<SettlingNote, FieldError> {
        let typed = Input::Text(typed.to_owned());
        let note = several_lines("note", "The note", Some(&typed), MAX_NOTE_LENGTH)?;
        note.map(SettlingNote).ok_or_else(|| FieldError::new("note", "note.required", "Say what became of it."))
    }
}

/// Parses a cursor: `1777852800000~id`. An invalid one starts at the beginning.
fn place(cursor: Option<&str>) -> MoneyPlace {
    let read = cursor.and_then(|cursor| {
        let (at, id) = cursor.split_once('~')?;
        Some(MoneyPlace { at: at.parse().ok()?, id: id.to_owned() })
    });
    read.unwrap_or_default()
}

impl App {
    /// A page of one of Finance's lists, with the totals of all lists. Figures derived from plans are at most a minute
    /// old.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn finance(&self, who: &StaffSession, list: MoneyList, after: Option<&str>) -> Result<MoneyPage, Error> {
        who.staff.permit(Permission::Finance)?;
        let standing = self.money_standing().await?;
        let after = place(after);
        let limit = usize::try_from(PAGE).unwrap_or_default();
        let mut items = match list {
            MoneyList::Due | MoneyList::Overdue => {
                standing.of(list).filter(|item| item.place() > after).take(limit + 1).cloned().collect()
            }
            _ => self.store.waiting_money(list, &after, PAGE + 1).await?,
        };
        let is_more = items.len() > limit;
        items.truncate(limit);
        self.add_due_days(&mut items).await?;
        let next = items.last().filter(|_| is_more).map(|last| format!("{}~{}", last.at, last.id));
        let MoneyCounts { failed, refunds, approvals, unmatched } = self.store.money_counts().await?;
        let lines = |list| i64::try_from(standing.of(list).count()).unwrap_or(i64::MAX);
        let counts = MoneyList::ALL.map(|list| match list {
            MoneyList::Due | MoneyList::Overdue => (list, lines(list)),
            MoneyList::Failed => (list, failed),
            MoneyList::Refunds => (list, refunds),
            MoneyList::Approvals => (list, approvals),
            MoneyList::Unmatched => (list, unmatched),
        });
        Ok(MoneyPage { items, next, counts: counts.to_vec(), standing })
    }

    /// Expected and received money by month, at most a minute old.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn money_figures(&self, who: &StaffSession) -> Result<Arc<MoneySnapshot>, Error> {
        who.staff.permit(Permission::Finance)?;
        self.money_standing().await
    }

    /// Records what was done about unmatched money. Where it belongs to a ledger, that is written separately.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::MoneySettled`]
    pub async fn place_money(&self, who: &StaffSession, id: &str, note: &SettlingNote) -> Result<(), Error> {
        who.staff.permit(Permission::ManageFinance)?;
        let about = self.store.event_subject(id).await?.ok_or(Refusal::MoneySettled)?;
        let subject = about.map_or_else(|| format!("provider-event:{id}"), |id| format!("application:{id}"));
        let by = format!("staff:{}", who.staff.id);
        let audit = self.audit_entry(by, subject, "payment.placed", json!({ "event": id }));
        settled(self.store.place_event(id, &note.0, &audit).await)
    }

    /// Closes a task about a refund. The note on how it was settled is added to the application's notes.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::MoneySettled`]
    pub async fn end_refund_task(&self, who: &StaffSession, id: &str, note: &SettlingNote) -> Result<(), Error> {
        who.staff.permit(Permission::ManageFinance)?;
        let application_id = self.store.refund_task(id).await?.ok_or(Refusal::MoneySettled)?;
        let detail = json!({ "task": id });
        let audit = self.about_application(who, &application_id, "refund.closed", detail);
        let note = Note {
            // Sent again, it results in the same note.
            id: self.tokens.digest(&["refund", id, &who.staff.id, &note.0].join("\n")),
            application_id,
            staff_id: who.staff.id.clone(),
            text: format!("About the refund: {}", note.0),
            revision: 1,
            pinned_at: None,
            created_at: audit.at,
            edited_at: None,
        };
        settled(self.store.end_refund_task(id, &note, &audit).await)
    }

    /// Computes the totals of all plans.
    ///
    /// No row stores a due day: it follows from the plan, and the open amount from the ledger, by rules of the domain.
    /// A table of due payments would duplicate both, to be maintained by everything that changes a plan, writes to a
    /// ledger or moves a stage, and wrong wherever one of them forgets to. Instead, all plans being paid are read in
    /// batches with their ledgers, each with four index range scans: some twenty batches for ten thousand plans. The
    /// result is small (the lines that are overdue or due soon, and two sums per month) and is kept for a minute, so
    /// that paging costs nothing and concurrent callers share one pass.
    async fn money_standing(&self) -> Result<Arc<MoneySnapshot>, Error> {
        let mut kept = self.finance.0.lock().await;
        let now = self.clock.now();
        if let Some(standing) = kept.as_ref().filter(|standing| (0..MINUTE).contains(&(now - standing.at))) {
            return Ok(standing.clone());
        }
        let zone = &self.settings.time_zone;
        let today = day(now, zone);
        let firsts = finance::months(today);
        let begun = |first: &Date| (first.yesterday().map_or(0, |before| end_of(before, zone)), *first);
        let received = self.store.received(&firsts.iter().map(begun).collect::<Vec<_>>()).await?;
        let months = firsts.windows(2).zip(received);
        let mut months: Vec<Month> =
            months.map(|(month, received)| Month { first: month[0], expected: 0, received }).collect();
        let soon = today.saturating_add(DUE_DAYS.days());
        let mut lines = Vec::new();
        let mut after = String::new();
        loop {
            let batch = self.store.paying(&after, PLANS_AT_ONCE).await?;
            let Some(last) = batch.last() else { break };
            after.clone_from(&last.payer.application_id);
            for one in &batch {
                for line in finance::lines(&one.funding, &one.ledger.book()) {
                    let first = line.due.first_of_month();
                    if let Some(month) = months.iter_mut().find(|month| month.first == first) {
                        month.expected += line.expected;
                    }
                    if line.open > 0 && line.due <= soon {
                        lines.push(MoneyItem {
                            kind: MoneyKind::Line,
                            id: format!("{}/{}", one.payer.application_id, line.line),
                            at: end_of(line.due, "UTC"),
                            payer: Some(one.payer.clone()),
                            line: Some(line.line),
                            due: Some(line.due),
                            cents: Some(line.open),
                            state: String::new(),
                            note: String::new(),
                        });
                    }
                }
            }
        }
        lines.sort_by_key(MoneyItem::place);
        let standing = Arc::new(MoneySnapshot { lines, months, today, at: now });
        *kept = Some(standing.clone());
        Ok(standing)
    }

    /// Fills in when the instalments of failed charges are due.
    async fn add_due_days(&self, items: &mut [MoneyItem]) -> Result<(), Error> {
        for item in items.iter_mut().filter(|item| item.kind == MoneyKind::Charge) {
            let (Some(payer), Some(Line::Instalment(number))) = (&item.payer, item.line) else { continue };
            let plan = self.store.funding_plan(&payer.application_id).await?;
            let schedule = plan.map(|plan| plan.funding.schedule()).unwrap_or_default();
            item.due = schedule.iter().find(|line| line.number == number).map(|line| line.due);
        }
        Ok(())
    }
}

fn settled(done: Stored<bool>) -> Result<(), Error> {
    if done? { Ok(()) } else { Err(Refusal::MoneySettled.into()) }
}
