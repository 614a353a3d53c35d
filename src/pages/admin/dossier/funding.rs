//! The tab "Funding": the application fee, who pays tuition, in which instalments, what was charged and paid, and what
//! Finance does about it. One form at a time is open, named by the address.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::{Opened, called, done, fee, fresh, href, instead, open, status};
use crate::admin::Office;
use crate::funding::{entry, refused, schedule, typed};
use crate::page::{FormState, Screen, Typed};
use crate::props::funding::ScheduleLine;
use crate::props::office::Choice;
use crate::props::office::dossier::{Frame, Line as FactLine};
use crate::{Form, moment, problem};
use app::applications::acts::Preconditions;
use app::money::funding::FundingView;
use app::office::dossiers::{Booked, DeclineReason, Dossier, FinanceBooking, SecondPerson, SourceJudgment};
use app::{Error, Refusal};
use domain::card_charge::{CardCharge, ChargeState};
use domain::funding::{FundingEntry, SourceKind, SourceState};
use domain::input::Input;
use domain::ledger::{Account, Book, BookingRequest, Kind, Line, Method, Posted, RequestState};
use domain::moments;
use domain::money::dollars;
use domain::permission::Permission;

pub(super) const TAB: &str = "/funding";

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminFundingProps {
    pub frame: Frame,
    /// Null for an application without a fee.
    pub fee: Option<fee::OfficeFee>,
    /// Null for an application without a place to pay for.
    pub plan: Option<OfficePlan>,
    pub refund: Option<SuggestedRefund>,
    /// The saved card, and card payments that are under way or were refused.
    pub cards: Vec<FactLine>,
    pub balances: Vec<FactLine>,
    /// Bookings waiting for a second person, oldest first.
    pub waiting: Vec<WaitingBooking>,
    /// Newest first.
    pub entries: Vec<LedgerLine>,
    pub may_manage: bool,
    pub task: Option<FinanceTask>,
    pub close_href: String,
    pub form_key: String,
    pub form: FormState,
}

/// What is refunded by the rules after a withdrawal.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SuggestedRefund {
    pub why: String,
    pub amount_text: String,
    pub paid_text: String,
    pub may_close: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OfficePlan {
    pub tuition_text: String,
    pub covered_text: String,
    /// What no source pays yet.
    pub missing_text: Option<String>,
    /// A note that nothing is due for now.
    pub paused_text: Option<String>,
    /// When and by whom it was saved; null for what the answers suggest.
    pub changed_text: Option<String>,
    pub sources: Vec<OfficeSource>,
    pub schedule: Vec<ScheduleLine>,
    pub change_href: Option<String>,
    pub pay_href: Option<String>,
    pub forgive_href: Option<String>,
    pub revision: i64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OfficeSource {
    pub kind: &'static str,
    pub label: String,
    pub amount_text: String,
    #[cfg_attr(test, ts(as = "SourceState"))]
    pub state: &'static str,
    pub word: &'static str,
    /// Who in Finance decided about it, and when.
    pub decided_text: Option<String>,
    pub reason: Option<String>,
    pub judge_href: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LedgerLine {
    pub id: String,
    pub when_text: String,
    /// The day on which a payment arrived, if noted.
    pub received_text: Option<String>,
    pub what: String,
    pub amount_text: String,
    pub by: String,
    pub note: String,
    pub reversed: bool,
    /// How much of a payment is refunded by the rules, after a withdrawal.
    pub suggested_text: Option<String>,
    pub receipt_href: Option<String>,
    pub refund_href: Option<String>,
    pub reverse_href: Option<String>,
}

/// A booking waiting for a second person, and what the user may do about it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WaitingBooking {
    pub id: String,
    pub what: String,
    pub amount_text: String,
    /// Who asked for it, and when.
    pub asked_text: String,
    pub reason: String,
    pub may_approve: bool,
    pub decline_href: Option<String>,
    pub may_take_back: bool,
}

/// The form that is open.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FinanceTask {
    #[cfg_attr(test, ts(type = "'judge' | 'change' | 'pay' | 'waive' | 'refund' | 'reverse' | 'decline'"))]
    pub action: &'static str,
    pub title: String,
    /// The source, line, transaction or request it is about.
    pub about: String,
    pub lines: Vec<Choice>,
    pub methods: Vec<Choice>,
    pub states: Vec<Choice>,
    pub sources: Vec<Choice>,
    /// Whether the provider sends the refund back automatically.
    pub by_card: bool,
    /// When a booking has to wait for a second person.
    pub second_person_text: Option<String>,
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let task = office.visit.query("do").unwrap_or_default();
    let about = office.visit.query("about").unwrap_or_default();
    respond(office, fresh(office), (&task, &about), StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let action = form.get("_action");
    let seen = form.get("plan").parse().unwrap_or_default();
    let outcome = async {
        Ok(match action {
            "judge" => {
                let verdict = {
                    let mut fields = form.input(&["state", "reason"]);
                    fields.push(("source".into(), Input::Text(form.get("about").to_owned())));
                    SourceJudgment::parse(&Input::Map(fields))?
                };
                app.judge_source(who, id, seen, verdict).await?;
                "judged"
            }
            "change" => {
                let entry = FundingEntry::parse(&entry(form))?;
                app.change_funding(who, id, &entry, seen).await?;
                "planned-funding"
            }
            "close-refund" => {
                app.close_refund(who, id).await?;
                "refund-closed"
            }
            "pay" | "refund" | "waive" | "write-off" | "reverse" => {
                let key = Preconditions::key(form.get("key")).unwrap_or_else(|| app.random.id());
                let named = |name: &str| form.get(if name == "transaction" { "about" } else { name });
                let booking = FinanceBooking::parse(action, named)?;
                match app.book_for_office(who, id, &key, booking).await? {
                    Booked::Written => "written",
                    Booked::Waits(_) => "waits",
                }
            }
            "approve" => {
                app.approve_booking(who, id, form.get("about")).await?;
                "approved"
            }
            "decline" => {
                let reason = DeclineReason::parse(form.get("reason"))?;
                app.decline_booking(who, id, form.get("about"), reason).await?;
                "declined"
            }
            "take-back" => {
                app.withdraw_booking(who, id, form.get("about")).await?;
                "taken-back"
            }
            _ => "",
        })
    };
    match outcome.await.map_err(Error::for_staff) {
        Ok("") => problem::page(visit, problem::BAD_REQUEST).await,
        Ok(what) => done(office, TAB, form.get("view"), what),
        Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => office.unavailable(&error).await,
        Err(error @ Error::Refused(Refusal::ApplicationNotFound | Refusal::RoleForbidden)) => {
            instead(office, &error).await
        }
        Err(error) => {
            let task = if action == "write-off" { "waive" } else { action };
            respond(office, refused(form, &error), (task, form.get("about")), status(&error)).await
        }
    }
}

/// Returns the receipt for a payment, as a file.
pub async fn receipt(office: Office<'_>, _: &Form) -> Response {
    let payment = office.visit.query("payment").unwrap_or_default();
    match office.visit.state.app.receipt_for_office(office.who, office.id, &payment).await {
        Ok(file) => wire::receipt(&file).into_response(),
        Err(Error::Refused(Refusal::Ledger(_))) => problem::page(office.visit, problem::NO_OFFICE_PAGE).await,
        Err(error) => instead(office, &error).await,
    }
}

pub(super) async fn respond(
    office: Office<'_>,
    mut form: FormState,
    task: (&str, &str),
    status: StatusCode,
) -> Response {
    let Opened { dossier, frame, .. } = match open(office, TAB).await {
        Ok(opened) => opened,
        Err(response) => return response,
    };
    let app = &office.visit.state.app;
    let view = match app.dossier_funding(office.who, &dossier).await {
        Ok(view) => Some(view),
        Err(Error::Refused(Refusal::NoFunding)) => None,
        Err(error) => return instead(office, &error).await,
    };
    let may_manage = office.who.staff.role.may(Permission::ManageFinance);
    let book = view.as_ref().map(|view| view.ledger.book()).unwrap_or_default();
    let address = |task: &str, about: &str| address(&frame, task, about);
    let suggestion = match &view {
        Some(view) => match app.suggestion_of(&dossier.application, &view.ledger).await {
            Ok(suggestion) => suggestion,
            Err(error) => return instead(office, &error).await,
        },
        None => None,
    };
    let waits = suggestion.is_some() && app.refund_waits(office.id).await.unwrap_or_default();
    let percent = suggestion.as_ref().map(|suggestion| suggestion.percent);
    let entries = view.iter().flat_map(|view| view.ledger.posted.iter().rev());
    let found = async {
        let requests = app.booking_requests(office.who, office.id).await?;
        let second_person = app.second_person(office.who, &dossier).await?;
        Ok::<_, Error>((requests, second_person, app.fee_for_office(office.who, office.id).await?))
    };
    let (requests, second_person, fee) = match found.await {
        Ok(found) => found,
        Err(error) => return instead(office, &error).await,
    };
    let line = |posted| ledger_line(office, &dossier, posted, (&book, percent), &requests, may_manage, &address);
    let entries = entries.map(line).collect();
    let waiting = requests.iter().filter(|request| request.state == RequestState::Waiting);
    let waiting: Vec<WaitingBooking> =
        waiting.map(|request| waiting_booking(office, &dossier, request, may_manage, &address)).collect();
    let second_person_text = second_person.map(second_person_text);
    let fee =
        fee.map(|fee| fee::panel(office, &dossier, fee, (may_manage, task.0), second_person_text.clone(), &address));
    let mut task = view.as_ref().filter(|_| may_manage).and_then(|view| match task {
        ("decline", about) => decline_task(&waiting, about),
        task => open_task(view, &book, task),
    });
    if let Some(task) = &mut task {
        if FinanceBooking::ASKS_AGAIN.contains(&task.action) {
            task.second_person_text = second_person_text;
        }
        let payment = book.find(&task.about).map(|payment| payment.draft.method);
        task.by_card = app.cards.is_some() && payment == Some(Some(Method::Card));
    }
    let cards = match cards(office, &dossier).await {
        Ok(cards) => cards,
        Err(error) => return instead(office, &error).await,
    };
    match (&task, &view) {
        (Some(FinanceTask { action: "change", .. }), Some(view)) => prefill(&mut form, view),
        (Some(FinanceTask { action: "refund", about, .. }), _) => {
            let cents = book.find(about).zip(percent).map_or(0, |(payment, percent)| book.going_back(payment, percent));
            form.values.entry("amount".to_owned()).or_insert_with(|| Typed::One(typed(cents)));
        }
        (Some(FinanceTask { action: "pay", about, .. }), _) => {
            if let Some(line) = Line::parse(about) {
                form.values.entry("line".to_owned()).or_insert_with(|| Typed::One(line.to_string()));
                form.values.entry("amount".to_owned()).or_insert_with(|| Typed::One(typed(book.owed(line))));
            }
        }
        _ => {}
    }
    let planned = view.as_ref().filter(|view| view.has_plan());
    let props = AdminFundingProps {
        fee,
        plan: planned.map(|view| plan(office, &dossier, view, &book, may_manage, &address)),
        refund: suggestion.map(|suggestion| SuggestedRefund {
            why: suggestion.why(),
            amount_text: dollars(suggestion.cents),
            paid_text: dollars(suggestion.received),
            may_close: may_manage && waits,
        }),
        cards,
        balances: balances(&book),
        waiting,
        entries,
        may_manage,
        task,
        close_href: href(&frame.id, TAB, &frame.view),
        form_key: app.random.id(),
        frame,
        form,
    };
    let title = format!("Funding: {}", props.frame.name);
    office.page(Screen::AdminFunding(Box::new(props)), &title, status).await
}

/// Returns the saved card, and the card payments that are not in the ledger.
async fn cards(office: Office<'_>, dossier: &Dossier) -> Result<Vec<FactLine>, Error> {
    let app = &office.visit.state.app;
    let (card, charges) = app.card_and_charges(&dossier.application.id).await?;
    let line = |charge: &CardCharge| {
        let said =
            charge.failure.as_deref().filter(|said| !said.is_empty()).map(|said| format!(" The provider says: {said}"));
        let value = match charge.state {
            ChargeState::Open => format!("The page to pay {} is open", dollars(charge.cents)),
            ChargeState::Charging => format!("The card is being charged with {}", dollars(charge.cents)),
            ChargeState::Failed => {
                let again = charge.next_at.map(|at| moment::full(at, office.zone()).to_string()).unwrap_or_default();
                format!("Refused {} times; charged again {again}.{}", charge.failures, said.unwrap_or_default())
            }
            ChargeState::Stopped => {
                format!("Refused {} times, and not charged again.{}", charge.failures, said.unwrap_or_default())
            }
            ChargeState::Closed | ChargeState::Paid => return None,
        };
        Some(FactLine { name: charge.line.label().to_string(), value })
    };
    let saved = card.map(|card| FactLine { name: "Saved card".into(), value: card.label });
    Ok(saved.into_iter().chain(charges.iter().filter_map(line)).collect())
}

fn address(frame: &Frame, task: &str, about: &str) -> String {
    let path = href(&frame.id, TAB, &frame.view);
    let sign = if path.contains('?') { '&' } else { '?' };
    let about = if about.is_empty() { String::new() } else { format!("&about={about}") };
    format!("{path}{sign}do={task}{about}#task")
}

/// Fills in the current plan where nothing was typed.
fn prefill(form: &mut FormState, view: &FundingView) {
    let funding = &view.funding;
    let amounts = funding.sources.iter().map(|source| (format!("amounts.{}", source.kind.as_str()), source.cents));
    let plan = [("upFront".to_owned(), funding.plan.up_front), ("monthly".to_owned(), funding.plan.monthly)];
    for (name, cents) in amounts.chain(plan) {
        form.values.entry(name).or_insert_with(|| Typed::One(typed(cents)));
    }
}

fn plan(
    office: Office<'_>,
    dossier: &Dossier,
    view: &FundingView,
    book: &Book,
    may_manage: bool,
    address: &dyn Fn(&str, &str) -> String,
) -> OfficePlan {
    let zone = office.zone();
    let funding = &view.funding;
    let today = moment::date(office.visit.now(), zone);
    let may_pay = may_manage && view.plan.is_some();
    // After a withdrawal money still comes and goes, but nothing is planned.
    let may_plan = may_manage && !view.is_over;
    let owes = Line::all(funding).iter().any(|(line, _)| !book.is_settled(*line));
    let sources = funding.sources.iter().map(|source| {
        let verdict = view.plan.as_ref().and_then(|plan| plan.verdict(source.kind));
        OfficeSource {
            kind: source.kind.as_str(),
            label: source.kind.label().to_string(),
            amount_text: dollars(source.cents),
            state: source.state.as_str(),
            word: word(source.state),
            decided_text: verdict.map(|verdict| {
                let when = moment::full(verdict.decided_at, zone);
                format!("{}, {when}", called(&dossier.all_staff, &verdict.decided_by))
            }),
            reason: source.reason.clone(),
            judge_href: (may_pay && may_plan && source.kind != SourceKind::SelfPay)
                .then(|| address("judge", source.kind.as_str())),
        }
    });
    OfficePlan {
        tuition_text: dollars(funding.tuition),
        covered_text: dollars(funding.covered()),
        missing_text: (funding.missing() > 0).then(|| dollars(funding.missing())),
        paused_text: view.paused.filter(|_| view.plan.is_some()).map(|intake| {
            format!("Paused until studies start in {}. What is not settled is due later then.", intake.name())
        }),
        changed_text: view.plan.as_ref().map(|plan| {
            let by = plan.changed_by.strip_prefix("staff:");
            let by = by.map_or_else(|| "the applicant".to_owned(), |id| called(&dossier.all_staff, id));
            format!("{}, by {by}", moment::full(plan.changed_at, zone))
        }),
        sources: sources.collect(),
        schedule: schedule(view, book, today),
        change_href: may_plan.then(|| address("change", "")),
        pay_href: may_pay.then(|| address("pay", "")),
        forgive_href: (may_pay && may_plan && funding.adds_up() && owes).then(|| address("waive", "")),
        revision: view.revision(),
    }
}

/// Returns the word that staff see for a state.
fn word(state: SourceState) -> &'static str {
    match state {
        SourceState::Asked => "To be checked",
        SourceState::Pending => "Authorization pending",
        SourceState::Confirmed => "Confirmed",
        SourceState::Refused => "Not granted",
    }
}

fn open_task(view: &FundingView, book: &Book, (action, about): (&str, &str)) -> Option<FinanceTask> {
    let choice = |value: String, label: String| Choice { value, label };
    let lines = || -> Vec<Choice> {
        let is_asked = |line: Line| !book.is_settled(line) && (!view.is_over || book.is_charged(line));
        let fee = Some((Line::ApplicationFee, 0)).filter(|(line, _)| book.owed(*line) > 0);
        let lines = Line::all(&view.funding).into_iter().filter(|(line, _)| is_asked(*line)).chain(fee);
        let owed = |line: Line, cents: i64| if book.is_charged(line) { book.owed(line) } else { cents };
        lines
            .map(|(line, cents)| {
                let label = format!("{}: {}", line.label(), dollars(owed(line, cents)));
                choice(line.to_string(), label)
            })
            .collect()
    };
    let task = |action, title: &str, about: &str| FinanceTask {
        action,
        title: title.to_owned(),
        about: about.to_owned(),
        lines: Vec::new(),
        methods: Vec::new(),
        states: Vec::new(),
        sources: Vec::new(),
        by_card: false,
        second_person_text: None,
    };
    let transaction = book.find(about);
    if view.is_over && matches!(action, "judge" | "change" | "waive") {
        return None;
    }
    Some(match action {
        "judge" => {
            let kind = SourceKind::parse(about).filter(|kind| view.funding.source(*kind).is_some())?;
            let states = [
                (SourceState::Confirmed, "It pays: we have it in writing"),
                (SourceState::Pending, "Authorization pending: it pays later"),
                (SourceState::Refused, "It does not pay"),
            ];
            let states = states.map(|(state, label)| choice(state.as_str().to_owned(), label.to_owned()));
            FinanceTask { states: states.into(), ..task("judge", &format!("Decide about: {}", kind.label()), about) }
        }
        "change" => {
            let sources = SourceKind::ALL.map(|kind| choice(kind.as_str().to_owned(), kind.label().to_string()));
            FinanceTask { sources: sources.into(), ..task("change", "Change the plan", "") }
        }
        "pay" => {
            let mut lines = lines();
            lines.push(choice("none".to_owned(), "Not known what for".to_owned()));
            let methods = Method::OFFLINE.map(|it| choice(it.as_str().to_owned(), it.label().to_string())).into();
            let about = Line::parse(about).map(|line| line.to_string()).unwrap_or_default();
            FinanceTask { lines, methods, ..task("pay", "Note a payment", &about) }
        }
        "waive" => FinanceTask { lines: lines(), ..task("waive", "Waive or write off", "") },
        "refund" => {
            let payment = transaction.filter(|it| book.refundable(it) > 0)?;
            let title = format!("Refund up to {}", dollars(book.refundable(payment)));
            task("refund", &title, about)
        }
        "reverse" => {
            let what = transaction.filter(|it| !it.draft.charges_fee())?.draft.kind.label();
            task("reverse", &format!("Reverse this entry: {what}"), about)
        }
        _ => return None,
    })
}

/// Returns the form that declines a request, if it may be declined.
fn decline_task(waiting: &[WaitingBooking], about: &str) -> Option<FinanceTask> {
    let request = waiting.iter().find(|request| request.id == about && request.decline_href.is_some())?;
    Some(FinanceTask {
        action: "decline",
        title: format!("Decline: {}, {}", request.what, request.amount_text),
        about: about.to_owned(),
        lines: Vec::new(),
        methods: Vec::new(),
        states: Vec::new(),
        sources: Vec::new(),
        by_card: false,
        second_person_text: None,
    })
}

fn second_person_text(second: SecondPerson) -> String {
    let from = dollars(second.from);
    let waits = format!(
        "From {from} on it waits until somebody else of Finance has approved it; what you have booked so here in the last 24 \
         hours counts with it."
    );
    if second.is_there {
        waits
    } else {
        format!("{waits} Nobody else can approve it now: an Owner has to invite somebody or give them the role.")
    }
}

fn waiting_booking(
    office: Office<'_>,
    dossier: &Dossier,
    request: &BookingRequest,
    may_manage: bool,
    address: &dyn Fn(&str, &str) -> String,
) -> WaitingBooking {
    let is_own = request.asked_by == office.who.staff.id;
    let (may_settle, may_take_back) = (may_manage && !is_own, may_manage && is_own);
    let when = moment::full(request.asked_at, office.zone());
    WaitingBooking {
        what: what_for(request.kind, request.line),
        amount_text: dollars(request.cents),
        asked_text: format!("{}, {when}", called(&dossier.all_staff, &request.asked_by)),
        reason: request.reason.clone(),
        may_approve: may_settle,
        decline_href: may_settle.then(|| address("decline", &request.id)),
        may_take_back,
        id: request.id.clone(),
    }
}

/// Describes an entry and its line.
fn what_for(kind: Kind, line: Option<Line>) -> String {
    let kind = kind.label();
    line.map_or_else(|| kind.to_string(), |line| format!("{kind}: {}", line.label()))
}

/// Returns the balance of each account, without empty ones.
fn balances(book: &Book) -> Vec<FactLine> {
    let named = |account: Account| match account {
        Account::Receivable => "Owed",
        Account::Cash => "Received",
        Account::Clearing => "At the provider of card payments",
        Account::Income => "Charged",
        Account::Waivers => "Waived",
        Account::WriteOffs => "Written off",
        Account::Refunds => "Refunded",
        Account::Unapplied => "Received, for nothing that was owed",
    };
    let line = |account: Account| {
        let balance = book.balance(account);
        (balance != 0).then(|| FactLine { name: named(account).to_owned(), value: dollars(balance) })
    };
    Account::ALL.into_iter().filter_map(line).collect()
}

fn ledger_line(
    office: Office<'_>,
    dossier: &Dossier,
    posted: &Posted,
    (book, percent): (&Book, Option<i64>),
    requests: &[BookingRequest],
    may_manage: bool,
    address: &dyn Fn(&str, &str) -> String,
) -> LedgerLine {
    let (id, draft) = (&posted.transaction.id, &posted.transaction.draft);
    let by = match posted.by.split_once(':') {
        Some(("staff", id)) => called(&dossier.all_staff, id),
        _ if posted.by == "provider" => "Card payments".to_owned(),
        _ => "By itself".to_owned(),
    };
    let mut approved = requests.iter().filter(|it| it.state == RequestState::Approved && it.cause() == draft.cause);
    let by = match approved.next().and_then(|request| request.settled_by.as_ref()) {
        Some(second) => format!("{by}, approved by {}", called(&dossier.all_staff, second)),
        None => by,
    };
    let mut what = what_for(draft.kind, draft.line);
    if let Some(method) = draft.method {
        what = format!("{what}, {}", method.label());
    }
    let reversed = book.is_reversed(id);
    let is_card = draft.method == Some(Method::Card);
    LedgerLine {
        when_text: moment::full(posted.at, office.zone()).to_string(),
        received_text: draft.received_on.map(|day| moments::short_date(day).to_string()),
        what,
        amount_text: dollars(draft.cents()),
        by,
        note: draft.note.clone(),
        reversed,
        suggested_text: percent
            .map(|percent| book.going_back(&posted.transaction, percent))
            .filter(|cents| *cents > 0)
            .map(|cents| format!("{} to go back", dollars(cents))),
        receipt_href: (draft.kind == Kind::Payment)
            .then(|| format!("/admin-panel/applications/{}/receipt.pdf?payment={id}", dossier.application.id)),
        refund_href: (may_manage && book.refundable(&posted.transaction) > 0).then(|| address("refund", id)),
        reverse_href: (may_manage && !reversed && !is_card && draft.kind != Kind::Reversal && !draft.charges_fee())
            .then(|| address("reverse", id)),
        id: id.clone(),
    }
}
