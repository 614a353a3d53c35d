//! The applicant's contract: read as a whole, agreed to, signed or declined. All of it works without JavaScript.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::page::{FormState, Screen};
use super::props::contract::{ContractProps, SignedBy};
use super::{Form, Visit, moment, problem, respond};
use app::contracts::{ContractDecline, ContractSignature};
use app::{Error, Refusal};
use domain::application::Application;
use domain::contract::{Contract, ContractState};
use domain::input::Input;
use domain::sentence::Sentence;
use domain::text;

pub const PATH: &str = "/dashboard/contract";

pub async fn show(visit: &Visit) -> Response {
    let message = match visit.query("done").as_deref() {
        Some("consent") => Some(text!("You agreed to sign electronically. Read the contract, then sign it below it.")),
        Some("sign") => Some(text!("You have signed. We will sign next and write to you then.")),
        Some("decline") => Some(text!("You have declined the contract. We will get in touch with you.")),
        _ => None,
    };
    respond(visit, FormState { message, ..FormState::default() }, StatusCode::OK).await
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    let Some(who) = &visit.visitor.signed_in else {
        return respond::see_other("/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Fcontract");
    };
    let app = &visit.state.app;
    let application = visit.visitor.application.as_ref();
    let id = form.get("contract");
    let caller = &visit.client;
    let action = form.get("_action");
    let done = async {
        match action {
            "consent" => app.consent_to_sign(who, application, id, caller).await,
            "sign" => {
                let typed = form.input(&["signerName", "agree", "currentPassword"]);
                let signature = ContractSignature::parse(&Input::Map(typed))?;
                app.sign_contract(who, application, id, signature, caller).await
            }
            _ => {
                let decline = ContractDecline::parse(&Input::Map(form.input(&["declineReason"])))?;
                app.decline_contract(who, application, id, &decline, caller).await
            }
        }
    };
    if !matches!(action, "consent" | "sign" | "decline") {
        return problem::page(visit, problem::BAD_REQUEST).await;
    }
    match done.await {
        Ok(_) => respond::see_other(&format!("{PATH}?done={action}")),
        Err(Error::Refused(Refusal::ContractNotFound)) => problem::page(visit, problem::NO_CONTRACT).await,
        Err(error) => respond(visit, form.refused(&error), problem::status(&error)).await,
    }
}

/// Returns the contract as a file: the signed copy once both have signed.
pub async fn file(visit: &Visit) -> Response {
    let (Some(who), Some(application)) = (&visit.visitor.signed_in, &visit.visitor.application) else {
        return problem::page(visit, problem::NO_CONTRACT).await;
    };
    let app = &visit.state.app;
    let found = async {
        let contract = app.own_contract(who, application, &visit.client, false).await?;
        app.contract_pdf(&contract.ok_or(Refusal::ContractNotFound)?, application).await
    };
    match found.await {
        Ok(pdf) => wire::contract_pdf(&pdf).into_response(),
        Err(Error::Refused(Refusal::ContractNotFound)) => problem::page(visit, problem::NO_CONTRACT).await,
        Err(error @ Error::Refused(_)) => {
            respond(visit, Form::default().refused(&error), problem::status(&error)).await
        }
        Err(error) => {
            super::form::log(&error);
            problem::page(visit, problem::UNAVAILABLE).await
        }
    }
}

async fn respond(visit: &Visit, form: FormState, status: StatusCode) -> Response {
    let (Some(who), Some(application)) = (&visit.visitor.signed_in, &visit.visitor.application) else {
        return respond::redirect(visit, "/dashboard");
    };
    let opened = wire::opened_by_person(&visit.parts.headers);
    let contract = match visit.state.app.own_contract(who, application, &visit.client, opened).await {
        Ok(Some(contract)) => contract,
        Ok(None) => return respond::redirect(visit, "/dashboard"),
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let props = props(visit, application, &contract, form);
    let head = visit.private_head(text!("Your contract"));
    respond::page(visit, visit.page(Screen::Contract(Box::new(props)), status, head)).await
}

fn props(visit: &Visit, application: &Application, contract: &Contract, form: FormState) -> ContractProps {
    let app = &visit.state.app;
    let zone = visit.visitor.time_zone(app);
    let is_over = app.is_over(contract);
    let is_open = contract.state.is_open() && !is_over;
    let texts = contract.frozen_text().map(|text| text.texts);
    let signed = |name: &Option<String>, at: Option<i64>| {
        let (name, at) = (name.clone()?, at?);
        Some(SignedBy { name, when_text: moment::full(at, zone) })
    };
    let full_name = visit.visitor.signed_in.as_ref().map_or_else(String::new, |who| {
        format!("{} {}", who.applicant.profile.first_name, who.applicant.profile.last_name)
    });
    ContractProps {
        id: contract.id.clone(),
        program_name: application.program.name(),
        state: if is_over { ContractState::Expired.as_str() } else { contract.state.as_str() },
        standing: standing(contract.state, is_over),
        sign_by: contract.expires_at.filter(|_| is_open).map(|until| moment::last_minute(until, zone)),
        consented: contract.consented_at.is_some(),
        may_sign: is_open && texts.is_some(),
        broken: texts.is_none(),
        texts: texts.unwrap_or_default(),
        text_hash: contract.text_hash.clone().unwrap_or_default(),
        full_name,
        on_paper: contract.on_paper,
        signed: signed(&contract.signed_name, contract.signed_at),
        countersigned: signed(&contract.countersigned_name, contract.countersigned_at),
        reason: contract.end_reason.clone(),
        file_href: format!("{PATH}.pdf"),
        verify_href: contract.file.as_ref().map(|_| format!("/verify/{}", contract.code)),
        form,
    }
}

/// Describes its state, and whose turn it is.
pub fn standing(state: ContractState, is_over: bool) -> Sentence {
    match state {
        ContractState::Draft | ContractState::Sent | ContractState::Viewed if is_over => {
            text!("The deadline to sign it has passed. Write to us if you still want to sign.")
        }
        ContractState::Draft | ContractState::Sent | ContractState::Viewed => {
            text!("It is waiting for your signature.")
        }
        ContractState::Signed => text!("You have signed. It is waiting for our signature."),
        ContractState::Countersigned => text!("Both sides have signed."),
        ContractState::Declined => text!("You have declined it."),
        ContractState::Voided => text!("It is no longer valid: we have withdrawn it."),
        ContractState::Expired => text!("The deadline to sign it has passed. Write to us if you still want to sign."),
    }
}
