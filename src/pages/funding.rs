//! How the applicant pays: the plan, the cost sheet as a file, what is due, and what was paid.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use jiff::civil::Date;

use super::page::{FormState, Screen};
use super::props::funding::{
    CardProps, Evidence, FundingProps, NextPayment, PaymentsProps, ScheduleLine, SourceField, StatementLine,
};
use super::{Form, Visit, apply, moment, problem, respond};
use app::money::card_payments::{CardCheckout, CardOutcome};
use app::money::funding::{Fixed, FundingView};
use app::{Error, Refusal};
use domain::application::Application;
use domain::card_charge::ChargeState;
use domain::funding::{FundingEntry, Instalment, SourceKind, SourceState};
use domain::input::Input;
use domain::ledger::{Book, Kind, Line, Method, Posted};
use domain::moments;
use domain::money::{cents, dollars};
use domain::sentence::Sentence;
use domain::text;

const PATH: &str = "/dashboard/funding";

pub async fn show(visit: &Visit) -> Response {
    let message = (visit.query("done").as_deref() == Some("saved")).then(|| text!("Your plan is saved."));
    respond(visit, FormState { message, ..FormState::default() }, StatusCode::OK).await
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    let (Some(who), Some(application)) = (&visit.visitor.signed_in, &visit.visitor.application) else {
        return respond::see_other("/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Ffunding");
    };
    let seen = form.get("revision").parse().unwrap_or_default();
    let saved = async {
        let entry = FundingEntry::parse(&entry(form))?;
        visit.state.app.save_funding(who, application, &entry, seen).await
    };
    match saved.await {
        Ok(_) => respond::see_other(&format!("{PATH}?done=saved")),
        Err(Error::Refused(Refusal::NoFunding)) => respond::see_other("/dashboard"),
        Err(error) => respond(visit, refused(form, &error), problem::status(&error)).await,
    }
}

/// Returns the amounts of a posted form, as the API gets them.
pub fn entry(form: &Form) -> Input {
    let amount = |name: &str| {
        let typed = form.get(name);
        cents(typed).map_or_else(|| Input::Text(typed.to_owned()), Input::Whole)
    };
    let amounts = SourceKind::ALL.map(|kind| {
        let name = kind.as_str();
        (name.to_owned(), amount(&format!("amounts.{name}")))
    });
    Input::Map(vec![
        ("amounts".into(), Input::Map(amounts.into())),
        ("upFront".into(), amount("upFront")),
        ("monthly".into(), amount("monthly")),
    ])
}

/// Returns the form with its errors; those about several amounts together are shown above them.
pub fn refused(form: &Form, error: &Error) -> FormState {
    let mut state = form.refused(error);
    if let Some(at) = state.errors.iter().position(|(path, _)| path == "amounts") {
        state.error = Some(state.errors.remove(at).1);
    }
    state
}

async fn respond(visit: &Visit, form: FormState, status: StatusCode) -> Response {
    let (application, view) = match load(visit).await {
        Ok(loaded) => loaded,
        Err(response) => return response,
    };
    let book = view.ledger.book();
    let funding = &view.funding;
    let rules = &visit.product.funding;
    let can_send = visit.state.app.documents_summary(application).await.is_ok_and(|summary| summary.is_some());
    let sources = SourceKind::ALL.map(|kind| {
        let source = funding.source(kind);
        let kept = source.filter(|_| view.plan.is_some() && kind != SourceKind::SelfPay);
        let cap = rules.cap(kind).map(|most| text!("At most {most}.", most = dollars(most)));
        let slot = kept.and_then(|_| kind.evidence()).filter(|_| can_send);
        SourceField {
            kind: kind.as_str(),
            label: kind.label(),
            hint: cap,
            amount: source.map(|source| typed(source.cents)).unwrap_or_default(),
            state: kept.map(|source| source.state.as_str()),
            word: kept.map(|source| source.state.label()),
            reason: kept.and_then(|source| source.reason.clone()).filter(|_| !is_paying(kept.map(|it| it.state))),
            evidence: slot.map(|slot| Evidence {
                label: slot.slot().label.clone(),
                href: format!("/dashboard/documents#d-{}", slot.as_str()),
            }),
        }
    });
    let props = FundingProps {
        tuition: funding.tuition,
        tuition_text: dollars(funding.tuition),
        covered: funding.covered(),
        status_text: status_text(&view),
        sources: sources.into(),
        up_front: typed(funding.plan.up_front),
        monthly: typed(funding.plan.monthly),
        schedule: schedule(&view, &book, apply::today(visit)),
        revision: view.revision(),
        open: view.is_open(),
        fixed_text: view.fixed.map(fixed_text),
        paused_text: paused_text(&view),
        adds_up: view.plan.is_some() && funding.adds_up(),
        form,
    };
    let head = visit.private_head(text!("Paying for your studies"));
    respond::page(visit, visit.page(Screen::Funding(Box::new(props)), status, head)).await
}

fn is_paying(state: Option<SourceState>) -> bool {
    state.is_some_and(|state| state != SourceState::Refused)
}

/// Formats an amount as it is typed; nothing for zero.
pub fn typed(cents: i64) -> String {
    if cents == 0 { String::new() } else { dollars(cents).replace('$', "") }
}

/// Describes the state of the plan in a sentence.
fn status_text(view: &FundingView) -> Sentence {
    let funding = &view.funding;
    if view.plan.is_none() {
        return text!("You have not saved a plan yet. What you see is what your application says.");
    }
    if funding.missing() > 0 {
        return text!("{missing} of tuition is not covered yet.", missing = dollars(funding.missing()));
    }
    if funding.is_authorised() {
        return text!("Your plan covers tuition, and everything is confirmed.");
    }
    text!(
        "Your plan covers tuition. We are checking what others pay. Your place is safe in the meantime, and you will be enrolled afterward."
    )
}

/// Explains why the plan cannot be changed here, and whom to ask.
fn fixed_text(fixed: Fixed) -> Sentence {
    match fixed {
        Fixed::Agreed => {
            text!(
                "Your contract says how you pay. Write to admissions to change the plan: you will then get a new contract."
            )
        }
        Fixed::Begun => text!("Payments have begun. Write to admissions to change the plan."),
        Fixed::Settled => text!("Your place is confirmed. Write to admissions to change the plan."),
    }
}

/// Says that nothing is due for now.
fn paused_text(view: &FundingView) -> Option<Sentence> {
    let intake = view.paused.filter(|_| view.plan.is_some())?;
    Some(text!(
        "Your plan is paused until your studies start in {intake}. Nothing is due before then. What you have paid counts, and what is left is postponed by whole months. You will see the new dates here when your studies resume.",
        intake = intake.name()
    ))
}

/// Returns the instalments and their states.
pub fn schedule(view: &FundingView, book: &Book, today: Date) -> Vec<ScheduleLine> {
    view.funding.schedule().iter().map(|line| schedule_line(line, book, today, idle(view))).collect()
}

/// Returns what is shown beside an unsettled instalment while nothing of the plan is due.
fn idle(view: &FundingView) -> Option<Sentence> {
    if view.is_over { Some(text!("No longer due")) } else { view.paused.map(|_| text!("Paused")) }
}

fn schedule_line(line: &Instalment, book: &Book, today: Date, idle: Option<Sentence>) -> ScheduleLine {
    let (state, word) = match (line_state(Line::Instalment(line.number), line.due, book, today), idle) {
        (("overdue" | "partly" | "due", _), Some(word)) => ("paused", word),
        (known, _) => known,
    };
    ScheduleLine {
        label: Line::Instalment(line.number).label(),
        due_text: moments::loose_date(line.due),
        amount_text: dollars(line.cents),
        state,
        word,
    }
}

/// Returns the state of a line: its name for the page, and in a word.
fn line_state(line: Line, due: Date, book: &Book, today: Date) -> (&'static str, Sentence) {
    if book.is_settled(line) {
        if book.paid(line) > 0 { ("paid", text!("Paid")) } else { ("settled", text!("Nothing to pay")) }
    } else if due < today {
        ("overdue", text!("Overdue"))
    } else if book.paid(line) > 0 {
        ("partly", text!("Paid in part"))
    } else {
        ("due", text!("To be paid"))
    }
}

/// Returns the applicant's application and how it is paid for, or where to go instead.
async fn load(visit: &Visit) -> Result<(&Application, FundingView), Response> {
    let Some(application) = visit.visitor.application.as_ref().filter(|_| visit.visitor.signed_in.is_some()) else {
        return Err(respond::redirect(visit, "/dashboard"));
    };
    match visit.state.app.funding(application).await {
        Ok(view) => Ok((application, view)),
        Err(Error::Refused(_)) => Err(respond::redirect(visit, "/dashboard")),
        Err(error) => {
            super::form::log(&error);
            Err(problem::page(visit, problem::UNAVAILABLE).await)
        }
    }
}

/// Returns the cost sheet, as a file.
pub async fn cost_sheet(visit: &Visit) -> Response {
    let (Some(who), Some(application)) = (&visit.visitor.signed_in, &visit.visitor.application) else {
        return problem::page(visit, problem::NOT_FOUND).await;
    };
    match visit.state.app.cost_sheet(who, application).await {
        Ok(file) => wire::pdf(&file).into_response(),
        Err(Error::Refused(_)) => problem::page(visit, problem::NOT_FOUND).await,
        Err(error) => {
            super::form::log(&error);
            problem::page(visit, problem::UNAVAILABLE).await
        }
    }
}

/// Where to pay.
const PAYMENTS: &str = "/dashboard/payments";

/// Shows what is due and what was paid. After returning from the provider's page, the user is told the result.
pub async fn payments(visit: &Visit) -> Response {
    if let Some(checkout) = visit.query("checkout") {
        return match load(visit).await {
            Ok((application, _)) => after_checkout(visit, application, &checkout, PAYMENTS).await,
            Err(response) => response,
        };
    }
    let message = match visit.query("done").as_deref() {
        Some("card") => Some(text!("Your card is saved. We will charge it when a payment is due.")),
        Some("forgotten") => Some(text!("Your card was removed. Please pay here when a payment is due.")),
        _ => returned(visit),
    };
    show_payments(visit, FormState { message, ..FormState::default() }, StatusCode::OK).await
}

/// Returns the result of the provider's page from which the browser has returned.
pub fn returned(visit: &Visit) -> Option<Sentence> {
    match visit.query("done").as_deref() {
        Some("paid") => Some(text!("Thank you. Your payment has arrived.")),
        Some("not-paid") => Some(text!("Nothing was paid. You can try again at any time.")),
        Some("waiting") => Some(text!("Your payment is on its way. We will note it here as soon as it arrives.")),
        _ => None,
    }
}

/// Looks up the result of the provider's page, and redirects to the page at `path`, which shows it.
pub async fn after_checkout(visit: &Visit, application: &Application, checkout: &str, path: &str) -> Response {
    let done = match visit.state.app.after_checkout(application, checkout).await {
        Ok(CardOutcome::Paid) => "paid",
        Ok(CardOutcome::CardKept) => "card",
        Ok(CardOutcome::Nothing | CardOutcome::Unmatched) => "waiting",
        // The provider notifies us anyway.
        Err(error) => {
            super::form::log(&error);
            "waiting"
        }
    };
    respond::redirect(visit, &format!("{path}?done={done}"))
}

pub async fn submit_payments(visit: &Visit, form: &Form) -> Response {
    let (Some(who), Some(application)) = (&visit.visitor.signed_in, &visit.visitor.application) else {
        return respond::see_other("/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Fpayments");
    };
    let app = &visit.state.app;
    let done = async {
        match form.get("action") {
            "forget" => {
                app.forget_card(who, application).await?;
                Ok(format!("{PAYMENTS}?done=forgotten"))
            }
            "card" => Ok(address(app.save_card(who, application).await?)),
            _ => {
                let line = Line::parse(form.get("line")).ok_or(Refusal::NothingToPay)?;
                let saves_card = !form.get("saveCard").is_empty();
                Ok(address(app.pay_by_card(who, application, line, saves_card).await?))
            }
        }
    };
    match done.await {
        Ok(to) => respond::see_other(&to),
        Err(Error::Refused(Refusal::NoFunding)) => respond::see_other("/dashboard"),
        Err(error) => show_payments(visit, form.refused(&error), problem::status(&error)).await,
    }
}

/// Returns the provider's page, or ours if it is already paid.
fn address(checkout: CardCheckout) -> String {
    match checkout {
        CardCheckout::Page(url) => url,
        CardCheckout::Paid => format!("{PAYMENTS}?done=paid"),
    }
}

async fn show_payments(visit: &Visit, form: FormState, status: StatusCode) -> Response {
    let (application, view) = match load(visit).await {
        Ok(loaded) => loaded,
        Err(response) => return response,
    };
    let book = view.ledger.book();
    let zone = visit.visitor.time_zone(&visit.state.app);
    let cards = match cards(visit, application, &view, &book).await {
        Ok(cards) => cards,
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let own: Vec<Line> = view.funding.schedule().iter().map(|line| Line::Instalment(line.number)).collect();
    let paid: i64 = own.iter().map(|line| book.paid(*line)).sum();
    let left: i64 = view.funding.schedule().iter().map(|line| book.still_to_pay(line)).sum();
    let entries = view.ledger.posted.iter().rev().filter(|posted| posted.transaction.draft.kind != Kind::Charge);
    let props = PaymentsProps {
        adds_up: view.plan.is_some() && view.funding.adds_up(),
        paused_text: paused_text(&view),
        schedule: if view.plan.is_some() { schedule(&view, &book, apply::today(visit)) } else { Vec::new() },
        paid_text: dollars(paid),
        left_text: dollars(left),
        entries: entries.map(|posted| statement_line(posted, zone)).collect(),
        reference: application.reference.clone(),
        contact_email: visit.state.app.settings.contact_email.clone(),
        cards,
        form,
    };
    let head = visit.private_head(text!("Your payments"));
    respond::page(visit, visit.page(Screen::Payments(Box::new(props)), status, head)).await
}

async fn cards(
    visit: &Visit,
    application: &Application,
    view: &FundingView,
    book: &Book,
) -> Result<Option<CardProps>, Error> {
    let app = &visit.state.app;
    let Some(provider) = app.cards.as_ref().filter(|_| view.is_planned() && view.can_be_paid()) else {
        return Ok(None);
    };
    let (card, charges) = app.card_and_charges(&application.id).await?;
    let open: Vec<Instalment> =
        view.funding.schedule().into_iter().filter(|line| book.still_to_pay(line) > 0).collect();
    let charge =
        open.first().and_then(|next| charges.iter().find(|charge| charge.line == Line::Instalment(next.number)));
    let notice = charge.and_then(|charge| match charge.state {
        ChargeState::Charging => Some(Refusal::BeingCharged.sentence()),
        ChargeState::Failed => charge.next_at.map(|at| {
            let day = moment::day(at, &app.settings.time_zone);
            text!("Your card was declined. We will charge it again on {day}; you can also pay now, with any card.", day)
        }),
        ChargeState::Stopped => Some(text!("Your card was declined several times. Please pay now, with another card.")),
        ChargeState::Open | ChargeState::Closed | ChargeState::Paid => None,
    });
    let can_pay = charge.is_none_or(|charge| charge.state != ChargeState::Charging);
    let next = open.first().filter(|_| can_pay).map(|next| NextPayment {
        line: Line::Instalment(next.number).to_string(),
        label: Line::Instalment(next.number).label(),
        amount_text: dollars(book.still_to_pay(next)),
    });
    let has_later = open.len() > 1;
    Ok(Some(CardProps { provider: provider.name(), card: card.map(|card| card.label), next, notice, has_later }))
}

fn statement_line(posted: &Posted, zone: &str) -> StatementLine {
    let draft = &posted.transaction.draft;
    let kind = draft.kind.label();
    StatementLine {
        id: posted.transaction.id.clone(),
        day_text: moments::long_date(posted.day(zone)),
        what: match draft.line {
            Some(line) => text!("{kind}: {line}", kind, line = line.label()),
            None => kind,
        },
        method: draft.method.map(Method::label),
        amount_text: dollars(draft.cents()),
        receipt_href: (draft.kind == Kind::Payment).then(|| receipt_href(&posted.transaction.id)),
    }
}

/// Returns the address of the receipt for a payment.
pub fn receipt_href(id: &str) -> String {
    format!("/dashboard/payments/{id}.pdf")
}

/// Returns the receipt for a payment, as a file.
pub async fn receipt(visit: &Visit) -> Response {
    let id = visit.path.strip_prefix("/dashboard/payments/").and_then(|rest| rest.strip_suffix(".pdf"));
    let (Some(who), Some(id)) = (&visit.visitor.signed_in, id) else {
        return problem::page(visit, problem::NOT_FOUND).await;
    };
    match visit.state.app.own_receipt(who, id).await {
        Ok(file) => wire::receipt(&file).into_response(),
        Err(Error::Refused(_)) => problem::page(visit, problem::NOT_FOUND).await,
        Err(error) => {
            super::form::log(&error);
            problem::page(visit, problem::UNAVAILABLE).await
        }
    }
}
