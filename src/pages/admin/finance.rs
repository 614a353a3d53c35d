//! Finance's page over all applications: what is due, overdue and failed, pending refunds, unmatched money, figures by
//! month, and exports of it all.

use axum::http::StatusCode;
use axum::response::Response;
use jiff::ToSpan;
use jiff::civil::Date;
use serde::Serialize;

use super::Office;
use crate::page::{FormState, Screen, Typed};
use crate::{Form, moment, problem, respond};
use app::Error;
use app::money::finance::{LedgerPeriod, SettlingNote};
use domain::finance::{DUE_DAYS, MoneyItem, MoneyKind, MoneyList};
use domain::ledger::Kind;
use domain::moments;
use domain::money::dollars;
use domain::permission::Permission;
use wire::books::{self, Format};

const PATH: &str = "/admin-panel/finance";

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminFinanceProps {
    #[cfg_attr(test, ts(type = "'due' | 'overdue' | 'failed' | 'refunds' | 'approvals' | 'unmatched'"))]
    pub list: &'static str,
    /// With the number of items on each.
    pub tabs: Vec<MoneyTab>,
    /// What the list contains.
    pub about: String,
    /// What its days mean: when something is due, or since when it has been waiting.
    pub day_head: &'static str,
    /// What its notes mean; null for a list without any.
    pub note_head: Option<&'static str>,
    pub rows: Vec<MoneyRow>,
    /// What to say if it is empty.
    pub empty: &'static str,
    pub next_href: Option<String>,
    pub task: Option<MoneyTask>,
    pub close_href: String,
    pub months: Vec<MoneyMonth>,
    pub counted_text: String,
    pub may_export: bool,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MoneyTab {
    pub label: String,
    pub href: String,
    pub current: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MoneyRow {
    pub id: String,
    pub name: String,
    pub reference: String,
    /// The funding of the application; null if nobody knows whose money it is.
    pub href: Option<String>,
    pub what: String,
    /// When it is due, or since when it has been waiting.
    pub day_text: String,
    pub amount_text: String,
    pub days_over: i64,
    pub note: String,
    /// Opens the form that settles it.
    pub settle_href: Option<String>,
}

/// The form that is open.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MoneyTask {
    #[cfg_attr(test, ts(type = "'place' | 'refund'"))]
    pub action: &'static str,
    pub about: String,
    pub title: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MoneyMonth {
    /// August 2026
    pub month: String,
    /// Aug 2026
    pub short: String,
    /// Cents.
    pub expected: i64,
    pub expected_text: String,
    /// Cents; negative if more was paid back than came in.
    pub received: i64,
    pub received_text: String,
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("placed") => Some("It is noted what became of the payment."),
        Some("refund") => Some("The task about the refund is done."),
        _ => None,
    };
    let form = FormState { message: message.map(Into::into), ..FormState::default() };
    let about = office.visit.query("settle").unwrap_or_default();
    respond(office, asked_list(office), &about, form, StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let about = form.get("about");
    let outcome = async {
        Ok(match form.get("_action") {
            "place" => {
                app.place_money(who, about, &note(form)?).await?;
                Some((MoneyList::Unmatched, "placed"))
            }
            "refund" => {
                app.end_refund_task(who, about, &note(form)?).await?;
                Some((MoneyList::Refunds, "refund"))
            }
            _ => None,
        })
    };
    match outcome.await {
        Ok(None) => problem::page(visit, problem::BAD_REQUEST).await,
        Ok(Some((list, done))) => respond::see_other(&format!("{}&done={done}", href(list))),
        Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => office.unavailable(&error).await,
        Err(error) => {
            let list = if form.get("_action") == "place" { MoneyList::Unmatched } else { MoneyList::Refunds };
            respond(office, list, about, form.refused(&error), problem::status(&error)).await
        }
    }
}

fn note(form: &Form) -> Result<SettlingNote, Error> {
    Ok(SettlingNote::parse(form.get("note")).map_err(|error| vec![error])?)
}

/// Exports the ledgers of a period as comma-separated values.
pub async fn ledger(office: Office<'_>, _: &Form) -> Response {
    let given = |name: &str| office.visit.query(name).unwrap_or_default();
    let app = &office.visit.state.app;
    let begun = async {
        let period = LedgerPeriod::parse(&given("from"), &given("until"))?;
        app.begin_ledger_export(office.who, period).await
    };
    match begun.await {
        Ok(export) => books::ledger_csv(app.clone(), export),
        Err(error) => refused(office, &["from", "until"], error).await,
    }
}

pub async fn enrolled_csv(office: Office<'_>, _: &Form) -> Response {
    hand_over(office, Format::Csv).await
}

pub async fn enrolled_json(office: Office<'_>, _: &Form) -> Response {
    hand_over(office, Format::Json).await
}

async fn hand_over(office: Office<'_>, format: Format) -> Response {
    let app = &office.visit.state.app;
    let since = office.visit.query("since").unwrap_or_default();
    match app.begin_hand_over(office.who, &since, format.ending()).await {
        Ok(begun) => books::hand_over(app.clone(), begun, format),
        Err(error) => refused(office, &["since"], error).await,
    }
}

/// Returns the page with the errors in an export's days or, for users who may not see it, a plain problem.
async fn refused(office: Office<'_>, names: &[&str], error: Error) -> Response {
    match error {
        Error::Invalid(_) if office.who.staff.role.may(Permission::Finance) => {
            let mut form = FormState { errors: Form::default().refused(&error).errors, ..FormState::default() };
            for name in names {
                let typed = office.visit.query(name).unwrap_or_default();
                form.values.insert((*name).to_owned(), Typed::One(typed));
            }
            respond(office, MoneyList::Due, "", form, problem::status(&error)).await
        }
        Error::Invalid(_) => problem::page(office.visit, problem::BAD_REQUEST).await,
        Error::Refused(_) => problem::page(office.visit, problem::ROLE_FORBIDDEN).await,
        error => office.unavailable(&error).await,
    }
}

fn asked_list(office: Office<'_>) -> MoneyList {
    office.visit.query("list").as_deref().and_then(MoneyList::parse).unwrap_or(MoneyList::Due)
}

pub fn href(list: MoneyList) -> String {
    format!("{PATH}?list={}", list.as_str())
}

async fn respond(
    office: Office<'_>,
    list: MoneyList,
    settled: &str,
    mut form: FormState,
    status: StatusCode,
) -> Response {
    let Office { visit, who, .. } = office;
    let role = who.staff.role;
    let after = visit.query("after");
    let page = match visit.state.app.finance(who, list, after.as_deref()).await {
        Ok(page) => page,
        Err(error) => return office.unavailable(&error).await,
    };
    let today = page.standing.today;
    let may_settle = role.may(Permission::ManageFinance);
    let rows: Vec<MoneyRow> = page.items.iter().map(|item| row(office, item, today, may_settle)).collect();
    let open = page.items.iter().zip(&rows).find(|(item, row)| item.id == settled && row.settle_href.is_some());
    let task = open.map(|(item, row)| match item.kind {
        MoneyKind::Event => ("place", format!("What became of {} of {}", row.amount_text, row.day_text)),
        _ => ("refund", format!("What became of the refund of {}", row.name)),
    });
    // Export fields start with the previous month.
    let this = today.first_of_month();
    let days = [("from", this.saturating_sub(1.month())), ("until", this.yesterday().unwrap_or(this))];
    for (name, day) in days {
        form.values.entry(name.to_owned()).or_insert_with(|| Typed::One(day.to_string()));
    }
    let tabs = page.counts.iter().map(|(one, count)| MoneyTab {
        label: format!("{} ({count})", one.label()),
        href: href(*one),
        current: *one == list,
    });
    let months = page.standing.months.iter().map(|month| MoneyMonth {
        month: moments::month_and_year(month.first).to_string(),
        short: format!("{} {}", moments::short_month(month.first), month.first.year()),
        expected: month.expected,
        expected_text: dollars(month.expected),
        received: month.received,
        received_text: signed(month.received),
    });
    let (about, empty) = words(list);
    let props = AdminFinanceProps {
        list: list.as_str(),
        tabs: tabs.collect(),
        about,
        day_head: if matches!(list, MoneyList::Refunds | MoneyList::Approvals | MoneyList::Unmatched) {
            "Since"
        } else {
            "Due"
        },
        note_head: match list {
            MoneyList::Due | MoneyList::Overdue => None,
            MoneyList::Failed => Some("What the provider said"),
            MoneyList::Refunds | MoneyList::Approvals => Some("Why"),
            MoneyList::Unmatched => Some("What is known"),
        },
        rows,
        empty,
        next_href: page.next.map(|next| {
            let next: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
            format!("{}&after={next}", href(list))
        }),
        task: task.map(|(action, title)| MoneyTask { action, about: settled.to_owned(), title }),
        close_href: href(list),
        months: months.collect(),
        counted_text: moment::full(page.standing.at, office.zone()).to_string(),
        may_export: role.may(Permission::Export),
        form,
    };
    office.page(Screen::AdminFinance(Box::new(props)), "Finance", status).await
}

/// Describes what a list contains, and what to say if it is empty.
fn words(list: MoneyList) -> (String, &'static str) {
    match list {
        MoneyList::Due => {
            (format!("What falls due in the next {DUE_DAYS} days, soonest first."), "Nothing falls due in these days.")
        }
        MoneyList::Overdue => ("What was due and is not paid, oldest first.".into(), "Nothing is overdue."),
        MoneyList::Failed => {
            ("Charges of saved cards that were refused, oldest first.".into(), "No charge has failed.")
        }
        MoneyList::Refunds => {
            ("Refunds to decide about, or that the provider has not done, oldest first.".into(), "No refund waits.")
        }
        MoneyList::Approvals => (
            "Bookings that wait until a second person has approved them, oldest first.".into(),
            "Nothing waits for a second person.",
        ),
        MoneyList::Unmatched => (
            "Payments that nobody could place, disputes, and money in a ledger that is for nothing that is owed."
                .into(),
            "Every payment has its place.",
        ),
    }
}

fn row(office: Office<'_>, item: &MoneyItem, today: Date, may_settle: bool) -> MoneyRow {
    let zone = office.zone();
    let payer = item.payer.as_ref();
    let name = payer.map_or_else(
        || "Unknown".to_owned(),
        |payer| {
            let name = format!("{} {}", payer.first_name, payer.last_name);
            if name.trim().is_empty() { "Erased".to_owned() } else { name }
        },
    );
    let line = item.line.map(|line| line.label().to_string());
    let what = match item.kind {
        MoneyKind::Line => line.unwrap_or_default(),
        MoneyKind::Charge if item.state == "stopped" => {
            format!("{}, not tried again", line.unwrap_or_default())
        }
        MoneyKind::Charge => line.unwrap_or_default(),
        MoneyKind::RefundTask => "To be decided".into(),
        MoneyKind::CardRefund if item.state == "refused" => "Refused by the provider".into(),
        MoneyKind::CardRefund => "Asked of the provider".into(),
        MoneyKind::BookingRequest => booked_as(item.state.as_str(), line),
        MoneyKind::Event if item.state == "charge.dispute.created" => {
            "Disputed by the payer: respond at the provider".into()
        }
        MoneyKind::Event if item.state == "charge.dispute.closed" => "Dispute decided by the bank".into(),
        MoneyKind::Event => "Told by the provider".into(),
        MoneyKind::Unapplied => "More than was owed".into(),
    };
    let since = moment::date(item.at, zone);
    let day = match item.kind {
        MoneyKind::Line | MoneyKind::Charge => item.due,
        _ => Some(since),
    };
    let settles = may_settle && matches!(item.kind, MoneyKind::Event | MoneyKind::RefundTask);
    let list = if item.kind == MoneyKind::Event { MoneyList::Unmatched } else { MoneyList::Refunds };
    let id: String = url::form_urlencoded::byte_serialize(item.id.as_bytes()).collect();
    MoneyRow {
        id: item.id.clone(),
        name,
        reference: payer.and_then(|payer| payer.reference.clone()).unwrap_or_default(),
        href: payer.map(|payer| format!("/admin-panel/applications/{}/funding", payer.application_id)),
        what,
        day_text: day.map(|day| moments::plain_date(day).to_string()).unwrap_or_default(),
        amount_text: item.cents.map(dollars).unwrap_or_default(),
        days_over: day.map_or(0, |day| i64::from((today - day).get_days()).max(0)),
        note: match item.kind {
            MoneyKind::Event => format!("{} {}", item.state, item.note),
            _ => item.note.clone(),
        },
        settle_href: settles.then(|| format!("{}&settle={id}#task", href(list))),
    }
}

/// Describes what a request is for, by the kind that it would have in the ledger.
fn booked_as(kind: &str, line: Option<String>) -> String {
    let kind = Kind::parse(kind).map(|kind| kind.label().to_string()).unwrap_or_default();
    line.map_or_else(|| kind.clone(), |line| format!("{kind}: {line}"))
}

/// Formats an amount that may be negative.
fn signed(cents: i64) -> String {
    if cents < 0 { format!("−{}", dollars(-cents)) } else { dollars(cents) }
}
