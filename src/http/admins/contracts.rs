//! `/admins/contracts…`, `/admins/applications/{id}/contracts`, `/admins/contract-templates`

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::LoggedInStaff;
use super::staff_request::StaffRequest;
use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use crate::users::contract::Contract;
use app::Error;
use app::contracts::{Countersignature, PaperSignature};
use app::decisions::drafting::StaffReason;
use domain::body;
use domain::body::{by, wrong};
use domain::contract::{ContractState, TemplateText, starter};
use domain::input::{FieldError, Input};
use domain::language::Language;
use domain::moments::rfc3339;
use domain::permission::Permission;
use domain::program::Program;
use wire::Client;

/// A contract in the list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedContract {
    id: String,
    application_id: String,
    number: i64,
    /// `draft`, `sent`, `viewed`, `signed`, `countersigned`, `declined`, `voided`, `expired`
    state: &'static str,
    #[schema(format = DateTime)]
    changed_at: String,
    #[schema(required, format = DateTime)]
    open_until: Option<String>,
    first_name: String,
    last_name: String,
    #[schema(required)]
    reference: Option<String>,
    /// `ba` or `msc`
    application_type: &'static str,
}

/// Contracts of all applications.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContractList {
    /// Most recently changed first.
    contracts: Vec<ListedContract>,
    /// The `before` of the next page.
    #[schema(required)]
    next: Option<String>,
}

/// The contracts of an application.
#[derive(Debug, Serialize, ToSchema)]
pub struct ApplicationContracts {
    /// Newest first.
    contracts: Vec<OfficeContract>,
    /// SHA-256 of the text that the draft would have if it were sent now; required to send it.
    #[serde(rename = "draftSha256")]
    #[schema(required)]
    draft_sha256: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OfficeContract {
    #[serde(flatten)]
    contract: Contract,
    /// Whether the text and the events are still as they were written.
    unchanged: bool,
    /// Whether both parties have signed a later one.
    superseded: bool,
    /// Whether it is in force or can still be signed, but no longer matches the funding plan.
    outdated: bool,
}

body! {
    pub struct ContractSending {
        /// The `draftSha256` of the text that was reviewed.
        text_sha256: String = text_seen,
    }
}

body! {
    pub struct ContractVoiding {
        /// The reason, which the applicant reads.
        #[schema(value_type = String)]
        reason: StaffReason = by(StaffReason::parse),
    }
}

/// A version of a program's template. What was published never changes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContractTemplate {
    /// `ba` or `msc`
    application_type: &'static str,
    /// Numbered from 1 for each program; 0 for the built-in one.
    version: i64,
    /// Whether new contracts are written from this version.
    current: bool,
    /// The language of the authoritative text: `en` or `es`.
    counts: Language,
    /// The authoritative text.
    text: String,
    /// The text in other languages, by language. They are included in the contracts of applicants who read them.
    translations: BTreeMap<&'static str, String>,
    #[schema(required, format = DateTime)]
    published_at: Option<String>,
    #[schema(required)]
    published_by: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ContractTemplates {
    /// Newest first.
    templates: Vec<ContractTemplate>,
}

body! {
    pub struct NewContractTemplate {
        /// `ba` or `msc`
        #[schema(value_type = String)]
        application_type: Program = program,
        /// The version to replace.
        replaces: i64 = replaced,
        /// The language of the authoritative text; `en` if left out.
        #[schema(value_type = Option<Language>, nullable = false)]
        counts: Language = counting,
        /// The authoritative text: markup with fields in braces.
        text: String = typed_text,
        /// The text in other languages, by language. Each has the same fields.
        #[schema(value_type = Option<BTreeMap<String, String>>, nullable = false)]
        translations: Vec<(Language, String)> = translations,
    }
}

/// Lists contracts by state.
#[utoipa::path(
    get,
    path = "/api/admins/contracts",
    operation_id = "listContracts",
    tag = "Office: contracts",
    params(
        ("state" = Option<String>, Query, nullable = false, description = "Only those in this state"),
        ("before" = Option<String>, Query, nullable = false, description = "The id of the last contract of the page before"),
    ),
    responses((status = 200, description = "A page of contracts.", body = ContractList))
)]
pub async fn list(request: StaffRequest) -> Result<Json<ContractList>, Problem> {
    let unknown = || {
        let known: Vec<&str> = ContractState::ALL.into_iter().map(ContractState::as_str).collect();
        let sentence = format!("Choose one of {}.", known.join(", "));
        Error::from(FieldError::new("state", "state.unknown", domain::sentence::Sentence::plain(sentence)))
    };
    let state = request.query("state").map(|text| ContractState::parse(&text).ok_or_else(unknown)).transpose()?;
    let page = request.app().list_contracts(&request.who, state, request.query("before").as_deref()).await?;
    let contracts = page.rows.into_iter().map(|row| ListedContract {
        id: row.id,
        application_id: row.application_id,
        number: row.number,
        state: row.state.as_str(),
        changed_at: rfc3339(row.changed_at),
        open_until: row.expires_at.map(rfc3339),
        first_name: row.first_name,
        last_name: row.last_name,
        reference: row.reference,
        application_type: row.program.application_type(),
    });
    Ok(Json(ContractList { contracts: contracts.collect(), next: page.next }))
}

/// Returns the contracts of an application, and what the draft would say.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/contracts",
    operation_id = "loadContracts",
    tag = "Office: contracts",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "Its contracts.", body = ApplicationContracts),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn load(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
) -> Result<Json<ApplicationContracts>, Problem> {
    api.app.office_application(&who, &id, Permission::Contracts).await?;
    let found = api.app.contracts_in_office(&who, &id).await?;
    let is_drafted = found.first().is_some_and(|one| one.contract.state == ContractState::Draft);
    let draft_sha256 = match api.app.preview_contract(&who, &id).await {
        Ok(prepared) if is_drafted => Some(prepared.text_hash),
        _ => None,
    };
    // Roles that may not read personal data read no contract.
    let may_read = who.staff.role.may(Permission::PersonalData);
    let contracts = found.into_iter().map(|one| OfficeContract {
        contract: domain::contract::Contract { text: one.contract.text.filter(|_| may_read), ..one.contract }.into(),
        unchanged: one.unchanged,
        superseded: one.superseded,
        outdated: one.outdated,
    });
    Ok(Json(ApplicationContracts { contracts: contracts.collect(), draft_sha256 }))
}

/// Starts a contract, or returns the one already under way.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/contracts",
    operation_id = "prepareContract",
    tag = "Office: contracts",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 201, description = "The draft.", body = Contract),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`contract.stage`: the applicant has not taken an offer"),
    )
)]
pub async fn prepare(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Client(caller): Client,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<Contract>), Problem> {
    let contract = api.app.prepare_contract(&who, &id, &caller.address).await?;
    Ok((StatusCode::CREATED, Json(contract.into())))
}

/// Sends the draft with the text that was reviewed, which is frozen from then on.
#[utoipa::path(
    post,
    path = "/api/admins/contracts/{id}/send",
    operation_id = "sendContract",
    tag = "Office: contracts",
    params(("id" = String, Path, description = "The contract's id")),
    request_body = ContractSending,
    responses(
        (status = 200, description = "The contract as it is now.", body = Contract),
        (status = 404, description = "`contract.not_found`"),
        (status = 409, description = "`contract.closed`, `contract.stage`"),
        (status = 412, description = "`contract.stale`: it would say something else by now"),
        (status = 422, description = "`contract.unfilled`: nothing is known for a field"),
    )
)]
pub async fn send(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Client(caller): Client,
    Path(id): Path<String>,
    StrictJson(input): StrictJson,
) -> Result<Json<Contract>, Problem> {
    let ContractSending { text_sha256: seen } = ContractSending::parse(&input)?;
    let application_id = api.app.application_of_contract(&id).await?;
    Ok(Json(api.app.send_contract(&who, &application_id, &id, &seen, &caller.address).await?.into()))
}

/// Takes a contract back, even if it has been signed.
#[utoipa::path(
    post,
    path = "/api/admins/contracts/{id}/void",
    operation_id = "voidContract",
    tag = "Office: contracts",
    params(("id" = String, Path, description = "The contract's id")),
    request_body = ContractVoiding,
    responses(
        (status = 200, description = "The contract as it is now.", body = Contract),
        (status = 404, description = "`contract.not_found`"),
        (status = 409, description = "`contract.closed`"),
    )
)]
pub async fn void(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Client(caller): Client,
    Path(id): Path<String>,
    StrictJson(input): StrictJson,
) -> Result<Json<Contract>, Problem> {
    let ContractVoiding { reason } = ContractVoiding::parse(&input)?;
    let application_id = api.app.application_of_contract(&id).await?;
    Ok(Json(api.app.void_contract(&who, &application_id, &id, &reason, &caller.address).await?.into()))
}

/// Records that the applicant has signed on paper.
#[utoipa::path(
    post,
    path = "/api/admins/contracts/{id}/paper",
    operation_id = "recordPaperSignature",
    tag = "Office: contracts",
    params(("id" = String, Path, description = "The contract's id")),
    request_body = PaperSignature,
    responses(
        (status = 200, description = "The contract as it is now.", body = Contract),
        (status = 404, description = "`contract.not_found`"),
        (status = 409, description = "`contract.closed`, `contract.broken`"),
        (status = 422, description = "`signedOn.required`, `signedOn.range`, `seen.required`"),
    )
)]
pub async fn paper(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Client(caller): Client,
    Path(id): Path<String>,
    StrictJson(input): StrictJson,
) -> Result<Json<Contract>, Problem> {
    let signature = PaperSignature::parse(&input)?;
    let application_id = api.app.application_of_contract(&id).await?;
    let signed = api.app.record_paper_signature(&who, &application_id, &id, signature, &caller.address).await?;
    Ok(Json(signed.into()))
}

/// Signs for the institute, and produces the signed copy.
#[utoipa::path(
    post,
    path = "/api/admins/contracts/{id}/countersign",
    operation_id = "countersignContract",
    tag = "Office: contracts",
    params(("id" = String, Path, description = "The contract's id")),
    request_body = Countersignature,
    responses(
        (status = 200, description = "The contract as it is now.", body = Contract),
        (status = 404, description = "`contract.not_found`"),
        (status = 409, description = "`contract.closed`, `contract.broken`"),
        (status = 422, description = "`signerName.required`, `signerName.other`, `agree.required`"),
    )
)]
pub async fn countersign(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Client(caller): Client,
    Path(id): Path<String>,
    StrictJson(input): StrictJson,
) -> Result<Json<Contract>, Problem> {
    let signature = Countersignature::parse(&input)?;
    let application_id = api.app.application_of_contract(&id).await?;
    let signed = api.app.countersign_contract(&who, &application_id, &id, &signature, &caller.address).await?;
    Ok(Json(signed.into()))
}

/// Lists the templates that contracts are and were written from.
#[utoipa::path(
    get,
    path = "/api/admins/contract-templates",
    operation_id = "listContractTemplates",
    tag = "Office: contracts",
    responses((status = 200, description = "Every version of both programs.", body = ContractTemplates))
)]
pub async fn templates(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
) -> Result<Json<ContractTemplates>, Problem> {
    let mut templates = Vec::new();
    for program in Program::ALL {
        let current = api.app.current_template(program).await?;
        let versions = api.app.template_versions(&who.staff, program).await?;
        let template = |version, text: TemplateText, published: Option<(i64, String)>| {
            let TemplateText { counts, text, translations } = text;
            let (at, by) = published.unzip();
            ContractTemplate {
                application_type: program.application_type(),
                version,
                current: version == current.version,
                counts,
                text,
                translations: translations.into_iter().map(|(language, text)| (language.as_str(), text)).collect(),
                published_at: at.map(rfc3339),
                published_by: by,
            }
        };
        let published = |version: domain::contract::TemplateVersion| {
            template(version.version, version.text, Some((version.published_at, version.published_by)))
        };
        templates.extend(versions.into_iter().map(published));
        templates.push(template(0, starter(program), None));
    }
    Ok(Json(ContractTemplates { templates }))
}

/// Publishes a template. Contracts already sent stay as they are.
#[utoipa::path(
    post,
    path = "/api/admins/contract-templates",
    operation_id = "publishContractTemplate",
    tag = "Office: contracts",
    request_body = NewContractTemplate,
    responses(
        (status = 204, description = "It is used from now on."),
        (status = 412, description = "`contract_template.stale`: another version is used"),
        (status = 422, description = "`contract.content`: markup that is not allowed; `contract.field`, `contract.missing`, `contract.markup`; `contract.translation`: a translation that fills in other fields"),
    )
)]
pub async fn publish(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    StrictJson(input): StrictJson,
) -> Result<StatusCode, Problem> {
    let NewContractTemplate { application_type: program, replaces, counts, text, translations } =
        NewContractTemplate::parse(&input)?;
    if let Some((twice, _)) = translations.iter().find(|(language, _)| *language == counts) {
        let sentence = "This language is the one of the text that counts.";
        return Err(Error::from(FieldError::new(
            format!("translations.{}", twice.as_str()),
            "translations.counts",
            sentence,
        ))
        .into());
    }
    let texts = translations.into_iter().chain([(counts, text.clone())]);
    api.app.publish_template_text(&who.staff, program, replaces, TemplateText::new(counts, texts)).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn language(path: &str, named: Option<Language>) -> Result<Language, FieldError> {
    named.ok_or_else(|| FieldError::new(path, "language.unknown", "Choose en or es."))
}

fn translation((name, given): &(String, Input)) -> Result<(Language, String), FieldError> {
    let path = format!("translations.{name}");
    let language = language(&path, Language::parse(name))?;
    match given {
        Input::Text(text) => Ok((language, text.clone())),
        _ => Err(FieldError::new(path, "translations.type", "A translation must be text.")),
    }
}
fn text_seen(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    match input {
        Some(Input::Text(seen)) => Ok(seen.clone()),
        _ => Err(wrong(path, "required", "Say which text was looked at.")),
    }
}

fn program(path: &str, input: Option<&Input>) -> Result<Program, FieldError> {
    let program = match input {
        Some(Input::Text(text)) => Program::of_application_type(text),
        _ => None,
    };
    let rule = if input.is_none() { "required" } else { "unknown" };
    program.ok_or_else(|| wrong(path, rule, "Choose ba or msc."))
}

fn replaced(path: &str, input: Option<&Input>) -> Result<i64, FieldError> {
    match input {
        Some(Input::Whole(version)) => Ok(*version),
        _ => Err(wrong(path, "required", "Say which version is replaced, as a whole number.")),
    }
}

fn counting(path: &str, input: Option<&Input>) -> Result<Language, FieldError> {
    input.map_or(Ok(Language::default()), |given| language(path, Language::of(given)))
}

fn typed_text(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    match input {
        Some(Input::Text(text)) => Ok(text.clone()),
        _ => Err(wrong(path, "required", "Write the text of the contract.")),
    }
}

fn translations(path: &str, input: Option<&Input>) -> Result<Vec<(Language, String)>, FieldError> {
    match input {
        None => Ok(Vec::new()),
        Some(Input::Map(entries)) => entries.iter().map(translation).collect(),
        Some(_) => Err(wrong(path, "type", "The translations must be an object with a text for each language.")),
    }
}
