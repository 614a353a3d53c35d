//! The tab "Contract": preparing one, sending what was reviewed, recording a signature on paper, countersigning, taking
//! back.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::{Opened, done, fresh, instead, open, status};
use crate::admin::Office;
use crate::page::{FormState, Screen};
use crate::props::office::dossier::Frame;
use crate::{Form, moment, problem};
use app::contracts::{Countersignature, OfficeContract, PaperSignature, Prepared};
use app::decisions::drafting::StaffReason;
use app::{Error, Refusal};
use domain::contract::{ContractState, LanguageText};
use domain::input::Input;
use domain::permission::Permission;
use domain::status::Stage;

const TAB: &str = "/contract";

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminContractProps {
    pub frame: Frame,
    /// Contracts that were sent, newest first.
    pub contracts: Vec<ContractView>,
    pub draft: Option<DraftView>,
    pub may_prepare: bool,
    pub may_manage: bool,
    pub may_countersign: bool,
    /// 2026-05-04
    pub today: String,
    /// What to type to sign for the institute.
    pub staff_name: String,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ContractView {
    pub id: String,
    pub number: i64,
    pub state: &'static str,
    pub state_text: &'static str,
    /// The template it was written from.
    pub template_text: String,
    /// The last minute to sign, while it can be signed.
    pub sign_by_text: Option<String>,
    pub signed_text: Option<String>,
    pub countersigned_text: Option<String>,
    /// Why it was declined or voided.
    pub reason: Option<String>,
    /// Whether the text and the events are still as they were written.
    pub unchanged: bool,
    /// Whether a later one has replaced it.
    pub superseded: bool,
    /// Whether it differs from the current plan in how tuition is paid.
    pub outdated: bool,
    pub may_renew: bool,
    pub text_hash: Option<String>,
    /// Empty for a role that may not read it.
    pub texts: Vec<LanguageText>,
    pub events: Vec<EventLine>,
    pub file_href: Option<String>,
    pub verify_href: Option<String>,
    pub may_record_paper: bool,
    pub may_countersign: bool,
    pub may_void: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EventLine {
    pub words: &'static str,
    pub when_text: String,
    pub who: String,
    pub detail: String,
}

/// What the prepared contract would say.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ContractDraft"))]
#[serde(rename_all = "camelCase")]
pub struct DraftView {
    pub id: String,
    pub texts: Vec<LanguageText>,
    /// The hash of the text shown, so that what is sent is what was seen.
    pub text_hash: String,
    pub template_text: String,
    pub template_href: String,
    /// Why it cannot be sent.
    pub problem: Option<String>,
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let form = fresh(office);
    respond(office, form, StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let contract = form.get("contract");
    let address = &visit.client.address;
    let outcome = async {
        Ok(match form.get("_action") {
            "prepare" => {
                app.prepare_contract(who, id, address).await?;
                "contract-prepared"
            }
            "send" => {
                app.send_contract(who, id, contract, form.get("textHash"), address).await?;
                "contract-sent"
            }
            "void" => {
                let reason = StaffReason::parse(Some(&Input::Text(form.get("reason").to_owned())))?;
                app.void_contract(who, id, contract, &reason, address).await?;
                "contract-voided"
            }
            "renew" => {
                app.renew_contract(who, id, contract, address).await?;
                "contract-prepared"
            }
            "paper" => {
                let signature = PaperSignature::parse(&Input::Map(form.input(&["signedOn", "seen"])))?;
                app.record_paper_signature(who, id, contract, signature, address).await?;
                "contract-signed"
            }
            _ => "",
        })
    };
    finish(office, form, outcome.await).await
}

pub async fn countersign(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let outcome = async {
        let signature = Countersignature::parse(&Input::Map(form.input(&["signerName", "agree"])))?;
        let contract = form.get("contract");
        let address = &visit.client.address;
        visit.state.app.countersign_contract(who, id, contract, &signature, address).await?;
        Ok("contract-countersigned")
    };
    finish(office, form, outcome.await).await
}

async fn finish(office: Office<'_>, form: &Form, outcome: Result<&str, Error>) -> Response {
    match outcome.map_err(Error::for_staff) {
        Ok("") => problem::page(office.visit, problem::BAD_REQUEST).await,
        Ok(what) => done(office, TAB, form.get("view"), what),
        Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => office.unavailable(&error).await,
        Err(error @ Error::Refused(Refusal::ApplicationNotFound | Refusal::RoleForbidden)) => {
            instead(office, &error).await
        }
        Err(error) => respond(office, form.refused(&error), status(&error)).await,
    }
}

/// Returns the contract as a file.
pub async fn file(office: Office<'_>, _: &Form) -> Response {
    let app = &office.visit.state.app;
    let wanted = office.visit.query("contract").unwrap_or_default();
    let found = async {
        let application = app.office_application(office.who, office.id, Permission::Contracts).await?;
        let all = app.contracts_in_office(office.who, office.id).await?;
        let found = all.into_iter().find(|found| found.contract.id == wanted).ok_or(Refusal::ContractNotFound)?;
        app.contract_pdf(&found.contract, &application).await
    };
    match found.await {
        Ok(pdf) => wire::contract_pdf(&pdf).into_response(),
        Err(Error::Refused(Refusal::ContractNotFound)) => problem::page(office.visit, problem::NO_OFFICE_PAGE).await,
        Err(error @ Error::Refused(Refusal::ContractBroken)) => {
            respond(office, Form::default().refused(&error), status(&error)).await
        }
        Err(error) => instead(office, &error).await,
    }
}

async fn respond(office: Office<'_>, form: FormState, status: StatusCode) -> Response {
    let Opened { dossier, frame, .. } = match open(office, TAB).await {
        Ok(opened) => opened,
        Err(response) => return response,
    };
    let app = &office.visit.state.app;
    let role = office.who.staff.role;
    let may_manage = role.may(Permission::ManageContracts);
    let has_contract = matches!(dossier.application.stage, Stage::Confirmed | Stage::Enrolled);
    let found = match app.contracts_in_office(office.who, office.id).await {
        Ok(found) => found,
        Err(error) => return instead(office, &error).await,
    };
    let under_way = found.iter().find(|one| one.contract.state.is_under_way());
    let drafted = under_way.filter(|one| one.contract.state == ContractState::Draft && may_manage);
    let draft = match drafted {
        None => None,
        Some(drafted) => match app.preview_contract(office.who, office.id).await {
            Ok(prepared) => {
                Some(draft_view(&frame, &drafted.contract.id, dossier.application.program.path(), prepared))
            }
            Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => return office.unavailable(&error).await,
            Err(error) => {
                let problem = Some(error.sentence().to_string());
                let nothing = Prepared { texts: Vec::new(), text_hash: String::new(), template_version: 0 };
                let view = draft_view(&frame, &drafted.contract.id, dossier.application.program.path(), nothing);
                Some(DraftView { problem, ..view })
            }
        },
    };
    let may_countersign = role.may(Permission::Countersign);
    let props = AdminContractProps {
        may_prepare: may_manage && has_contract && under_way.is_none(),
        contracts: found
            .iter()
            .filter(|one| one.contract.sent_at.is_some())
            .map(|one| {
                view(office, &frame, one, (may_manage, may_countersign), may_manage && has_contract && draft.is_none())
            })
            .collect(),
        draft,
        may_manage,
        may_countersign,
        today: moment::date(office.visit.now(), office.zone()).to_string(),
        staff_name: office.who.staff.name.clone(),
        frame,
        form,
    };
    let title = format!("Contract: {}", props.frame.name);
    office.page(Screen::AdminContract(Box::new(props)), &title, status).await
}

fn draft_view(frame: &Frame, id: &str, program: &str, prepared: Prepared) -> DraftView {
    let Prepared { texts, text_hash, template_version } = prepared;
    DraftView {
        id: id.to_owned(),
        texts,
        text_hash,
        template_text: template_text(template_version),
        template_href: format!("/admin-panel/contracts/templates/{program}?reference={}", frame.reference),
        problem: None,
    }
}

pub fn template_text(version: i64) -> String {
    if version == 0 { "the template that the product came with".to_owned() } else { format!("version {version}") }
}

fn view(
    office: Office<'_>,
    frame: &Frame,
    one: &OfficeContract,
    (may_manage, may_countersign): (bool, bool),
    may_prepare: bool,
) -> ContractView {
    let OfficeContract { contract, events, unchanged, superseded, outdated } = one;
    let may_read = office.who.staff.role.may(Permission::PersonalData);
    let full = |at: i64| moment::full(at, office.zone()).to_string();
    let signed = |name: &Option<String>, at: Option<i64>| {
        let (name, at) = (name.as_ref()?, at?);
        Some(format!("{name}, {}", full(at)))
    };
    let paper = if contract.on_paper { " (on paper)" } else { "" };
    let path = format!("/admin-panel/applications/{}/contract", frame.id);
    ContractView {
        id: contract.id.clone(),
        number: contract.number,
        state: contract.state.as_str(),
        state_text: contract.state.label(),
        template_text: template_text(contract.template_version),
        sign_by_text: contract
            .expires_at
            .filter(|_| contract.state.is_open())
            .map(|until| moment::last_minute(until, office.zone()).to_string()),
        signed_text: signed(&contract.signed_name, contract.signed_at).map(|text| format!("{text}{paper}")),
        countersigned_text: signed(&contract.countersigned_name, contract.countersigned_at),
        reason: contract.end_reason.clone().filter(|_| may_read),
        unchanged: *unchanged,
        superseded: *superseded,
        outdated: *outdated,
        may_renew: *outdated && may_prepare,
        text_hash: contract.text_hash.clone(),
        texts: contract.frozen_text().filter(|_| may_read).map(|text| text.texts).unwrap_or_default(),
        events: events
            .iter()
            .map(|event| EventLine {
                words: event.act.label(),
                when_text: full(event.at),
                who: if event.name.is_empty() { "By itself".to_owned() } else { event.name.clone() },
                detail: if may_read { event.detail.clone() } else { String::new() },
            })
            .collect(),
        file_href: may_read.then(|| format!("{path}.pdf?contract={}", contract.id)),
        verify_href: contract.file.as_ref().map(|_| format!("/verify/{}", contract.code)),
        may_record_paper: may_manage && contract.state.is_open(),
        may_countersign: may_countersign && contract.state == ContractState::Signed,
        may_void: may_manage && contract.ended_at.is_none(),
    }
}
