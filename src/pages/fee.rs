//! The application fee: paying it, having it waived, and what other pages say about it.

use axum::http::StatusCode;
use axum::response::Response;

use super::page::{FormState, Screen};
use super::props::dashboard::RefusedCard;
use super::props::fee::{FeeCard, FeeLink, FeeProps, FeeRequest};
use super::{Form, Visit, application, catalogue, funding, moment, problem, respond};
use app::accounts::sessions::SignedIn;
use app::money::card_payments::CardCheckout;
use app::money::fees::FeeView;
use app::{Error, Refusal};
use domain::application::Application;
use domain::application_fee::{FeeAhead, FeeCodeEntry, FeeNeed, FeeNeedStatement, FeeState};
use domain::input::Input;
use domain::money::dollars;
use domain::program::Program;
use domain::sentence::Sentence;
use domain::status::Stage;
use domain::text;

/// Returns the path of the fee of an application for a program.
pub fn path(program: Program) -> String {
    format!("{}/fee", application::path(program))
}

/// Shows the fee. After returning from the provider's page, the user is told the result.
pub async fn show(visit: &Visit) -> Response {
    let Some(application) = &visit.visitor.application else { return respond::redirect(visit, "/dashboard") };
    if let Some(checkout) = visit.query("checkout") {
        return funding::after_checkout(visit, application, &checkout, &path(application.program)).await;
    }
    let message = match visit.query("done").as_deref() {
        Some("code") => Some(text!("Thank you. Your code is accepted.")),
        Some("asked") => Some(text!("Thank you. We have your request and will write to you.")),
        _ => funding::returned(visit),
    };
    respond(visit, application, FormState { message, ..FormState::default() }, StatusCode::OK).await
}

pub async fn submit(visit: &Visit, program: Program, form: &Form) -> Response {
    let Some(who) = &visit.visitor.signed_in else {
        return respond::see_other(&format!(
            "/{0}/apply?dialog=login&redirect=%2F{0}%2Fapplication%2Ffee",
            program.path()
        ));
    };
    let Some(application) = &visit.visitor.application else { return respond::see_other("/dashboard") };
    let path = path(application.program);
    if application.program != program {
        return respond::see_other(&path);
    }
    let done = match form.get("act") {
        "pay" => pay(visit, who, application).await,
        "code" => use_code(visit, who, application, form).await,
        "need" => ask(visit, who, application, form).await,
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match done {
        Ok(to) => respond::see_other(&to),
        // Paid or waived in the meantime: the page says so.
        Err(Error::Refused(Refusal::NoFee | Refusal::FeeSettled | Refusal::NothingToPay)) => respond::see_other(&path),
        Err(error) => respond(visit, application, form.refused(&error), problem::status(&error)).await,
    }
}

/// Returns the address of the page on which to pay.
async fn pay(visit: &Visit, who: &SignedIn, application: &Application) -> Result<String, Error> {
    Ok(match visit.state.app.pay_fee(who, application).await? {
        CardCheckout::Page(url) => url,
        CardCheckout::Paid => format!("{}?done=paid", path(application.program)),
    })
}

async fn use_code(visit: &Visit, who: &SignedIn, application: &Application, form: &Form) -> Result<String, Error> {
    let entry = FeeCodeEntry::parse(&Input::Map(form.input(&["code"])))?;
    visit.state.app.use_fee_code(who, application, &entry).await?;
    Ok(format!("{}?done=code", path(application.program)))
}

async fn ask(visit: &Visit, who: &SignedIn, application: &Application, form: &Form) -> Result<String, Error> {
    let asked = FeeNeedStatement::parse(&Input::Map(form.input(&["statement"])))?;
    visit.state.app.ask_fee_waiver(who, application, &asked).await?;
    Ok(format!("{}?done=asked", path(application.program)))
}

async fn respond(visit: &Visit, application: &Application, form: FormState, status: StatusCode) -> Response {
    let view = match visit.state.app.fee_of(application).await {
        Ok(Some(view)) => view,
        Ok(None) => return respond::redirect(visit, "/dashboard"),
        Err(error) => return problem::unavailable(visit, &error).await,
    };
    let zone = visit.visitor.time_zone(&visit.state.app);
    let fee = &view.fee;
    let provider = visit.state.app.cards.as_ref().filter(|_| view.by_card);
    let props = FeeProps {
        info: catalogue::name(application.program),
        state: fee.state,
        word: word(fee.state),
        meaning: meaning(&view, application.stage),
        amount_text: dollars(fee.cents),
        owed_text: (fee.is_due() && view.owed < fee.cents).then(|| dollars(view.owed)),
        intake_text: fee.intake.name(),
        settled_text: fee.decided_at.map(|at| moment::day(at, zone)),
        code: view.code.clone(),
        open: view.can_pay,
        provider: provider.map(|provider| provider.name()),
        can_ask: view.can_ask,
        request: fee.need.as_ref().map(|need| request(need, &view, zone)),
        receipts: view.receipts.iter().map(|id| funding::receipt_href(id)).collect(),
        reference: application.reference.clone(),
        can_book: !fee.is_due() && application.stage == Stage::Submitted,
        form,
    };
    let head = visit.private_head(text!("Application fee"));
    respond::page(visit, visit.page(Screen::Fee(Box::new(props)), status, head)).await
}

fn request(need: &FeeNeed, view: &FeeView, zone: &str) -> FeeRequest {
    FeeRequest {
        asked_text: text!("You wrote on {day}:", day = moment::day(need.asked_at, zone)),
        statement: need.statement.clone(),
        waits: view.fee.need_waits(),
        refused: need.refusal.as_ref().map(|refusal| RefusedCard {
            text: text!("We could not waive the fee, and wrote on {day}:", day = moment::day(refusal.at, zone)),
            reason: refusal.sentence.clone(),
        }),
    }
}

fn word(state: FeeState) -> Sentence {
    match state {
        FeeState::Due => text!("To be paid"),
        FeeState::Paid => text!("Paid"),
        FeeState::Waived => text!("Nothing to pay"),
    }
}

/// Says what the state of a fee means for the application.
fn meaning(view: &FeeView, stage: Stage) -> Sentence {
    let fee = &view.fee;
    match fee.words().filter(|_| stage == Stage::Submitted) {
        Some(words) => words.meaning,
        None if fee.is_due() && stage.is_editable() => {
            text!("We will read your application once you have submitted it again and the fee is paid or waived.")
        }
        None if fee.is_due() => text!("The fee is due. Write to admissions if you believe that it is paid."),
        None => {
            let settled = fee.why_waived().unwrap_or_else(|| text!("We have received it. Thank you."));
            match stage {
                Stage::Submitted => settled.and(text!("We are reading your application now.")),
                _ => settled,
            }
        }
    }
}

/// Returns the fee for the dashboard, while it is due or there is no decision.
pub fn card(application: &Application, view: &FeeView) -> Option<FeeCard> {
    (view.fee.is_due() || !application.stage.is_decided()).then(|| FeeCard {
        state: view.fee.state,
        word: word(view.fee.state),
        amount_text: dollars(view.fee.cents),
        meaning: meaning(view, application.stage),
        href: path(application.program),
    })
}

/// Returns where to go while a submitted application waits for its fee.
pub fn link(application: &Application, view: &FeeView) -> Option<FeeLink> {
    (application.stage == Stage::Submitted && view.fee.is_due()).then(|| FeeLink {
        href: path(application.program),
        label: if view.fee.need_waits() {
            text!("See your request for a waiver")
        } else {
            text!("Pay the application fee")
        },
    })
}

/// Says what the fee will be if the application is submitted now.
pub fn ahead(ahead: &FeeAhead) -> Sentence {
    let amount = dollars(ahead.cents);
    match ahead.waived {
        Some(rule) => text!("There is an application fee of {amount}.", amount).and(rule.why()),
        None => text!(
            "There is an application fee of {amount}. You pay it, or ask for a waiver, after you submit your application. We start reading once it is paid or waived.",
            amount
        ),
    }
}
