//! `GET /users/contract`, `GET /users/contract/file`, `POST /users/contract/{id}/consent`, `…/sign`, `…/decline`

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::IntoResponse;
use axum::{Json, http};
use serde::Serialize;
use utoipa::ToSchema;

use crate::ApiState;
use crate::bearer::BearerWithApplication;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::Refusal;
use app::contracts::{ContractDecline, ContractSignature};
use domain::moments::rfc3339;
use wire::Client;

/// A contract that was sent.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Contract {
    id: String,
    /// Numbered from 1 for each application.
    number: i64,
    /// `draft`, `sent`, `viewed`, `signed`, `countersigned`, `declined`, `voided`, `expired`
    state: &'static str,
    /// In its canonical form: `# ` starts a heading, `- ` an item, `| ` a row of a table; `**` encloses bold words. A
    /// line like `~ es` starts the text in that language, the authoritative one first; without one it is English.
    #[schema(required)]
    text: Option<String>,
    /// SHA-256 of the text, in hexadecimal.
    #[schema(required)]
    text_sha256: Option<String>,
    #[schema(required, format = DateTime)]
    sent_at: Option<String>,
    /// The first moment at which it can no longer be signed.
    #[schema(required, format = DateTime)]
    open_until: Option<String>,
    /// When the applicant agreed to sign electronically.
    #[schema(required, format = DateTime)]
    consented_at: Option<String>,
    #[schema(required, format = DateTime)]
    signed_at: Option<String>,
    #[schema(required)]
    signed_name: Option<String>,
    on_paper: bool,
    #[schema(required, format = DateTime)]
    countersigned_at: Option<String>,
    #[schema(required)]
    countersigned_name: Option<String>,
    /// When it was declined, voided or expired.
    #[schema(required, format = DateTime)]
    ended_at: Option<String>,
    #[schema(required)]
    end_reason: Option<String>,
    /// SHA-256 of the signed copy, once both have signed.
    #[schema(required)]
    file_sha256: Option<String>,
    /// Where anyone can verify it, once both have signed.
    #[schema(required)]
    verify_path: Option<String>,
}

impl From<domain::contract::Contract> for Contract {
    fn from(contract: domain::contract::Contract) -> Self {
        Contract {
            id: contract.id,
            number: contract.number,
            state: contract.state.as_str(),
            text: contract.text,
            text_sha256: contract.text_hash,
            sent_at: contract.sent_at.map(rfc3339),
            open_until: contract.expires_at.map(rfc3339),
            consented_at: contract.consented_at.map(rfc3339),
            signed_at: contract.signed_at.map(rfc3339),
            signed_name: contract.signed_name,
            on_paper: contract.on_paper,
            countersigned_at: contract.countersigned_at.map(rfc3339),
            countersigned_name: contract.countersigned_name,
            ended_at: contract.ended_at.map(rfc3339),
            end_reason: contract.end_reason,
            verify_path: contract.file.as_ref().map(|_| format!("/verify/{}", contract.code)),
            file_sha256: contract.file.map(|file| file.hash),
        }
    }
}

/// Returns the current contract: the latest that was sent.
///
/// Loading it for the first time records that it was opened.
#[utoipa::path(
    get,
    path = "/api/users/contract",
    operation_id = "loadContract",
    tag = "Contract",
    responses(
        (status = 200, description = "The contract.", body = Contract),
        (status = 404, description = "`contract.not_found`: none was sent"),
    )
)]
pub async fn load(
    State(api): State<ApiState>,
    BearerWithApplication(who, application): BearerWithApplication,
    Client(caller): Client,
) -> Result<impl IntoResponse, Problem> {
    let application = application.ok_or(Refusal::ContractNotFound)?;
    let found = api.app.own_contract(&who, &application, &caller, true).await?;
    let contract: Contract = found.ok_or(Refusal::ContractNotFound)?.into();
    Ok(([(http::header::CACHE_CONTROL, "no-store")], Json(contract)))
}

/// Returns the contract as a PDF: the signed copy once both have signed, before that the text with room for signatures
/// on paper.
#[utoipa::path(
    get,
    path = "/api/users/contract/file",
    operation_id = "contractFile",
    tag = "Contract",
    responses(
        (status = 200, description = "The file.", content_type = "application/pdf", body = [u8]),
        (status = 404, description = "`contract.not_found`"),
        (status = 409, description = "`contract.broken`: text or file are not those that were written"),
    )
)]
pub async fn file(
    State(api): State<ApiState>,
    BearerWithApplication(who, application): BearerWithApplication,
    Client(caller): Client,
) -> Result<impl IntoResponse, Problem> {
    let application = application.ok_or(Refusal::ContractNotFound)?;
    let found = api.app.own_contract(&who, &application, &caller, false).await?;
    let contract = found.ok_or(Refusal::ContractNotFound)?;
    Ok(wire::contract_pdf(&api.app.contract_pdf(&contract, &application).await?))
}

/// Agrees to sign electronically.
#[utoipa::path(
    post,
    path = "/api/users/contract/{id}/consent",
    operation_id = "consentToSign",
    tag = "Contract",
    params(("id" = String, Path, description = "The contract's id")),
    responses(
        (status = 200, description = "The contract as it is now.", body = Contract),
        (status = 404, description = "`contract.not_found`"),
        (status = 409, description = "`contract.closed`: it cannot be signed any more"),
    )
)]
pub async fn consent(
    State(api): State<ApiState>,
    BearerWithApplication(who, application): BearerWithApplication,
    Client(caller): Client,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    let contract = api.app.consent_to_sign(&who, application.as_ref(), &id, &caller).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(Contract::from(contract))))
}

/// Signs the contract. Sent again, it is signed once.
#[utoipa::path(
    post,
    path = "/api/users/contract/{id}/sign",
    operation_id = "signContract",
    tag = "Contract",
    params(("id" = String, Path, description = "The contract's id")),
    request_body = ContractSignature,
    responses(
        (status = 200, description = "The contract as it is now.", body = Contract),
        (status = 404, description = "`contract.not_found`"),
        (status = 409, description = "`contract.closed`, `contract.broken`"),
        (status = 422, description = "`signerName.required`, `signerName.other`, `agree.required`, `consent.required`, `currentPassword.wrong`"),
    )
)]
pub async fn sign(
    State(api): State<ApiState>,
    BearerWithApplication(who, application): BearerWithApplication,
    Client(caller): Client,
    Path(id): Path<String>,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let signature = ContractSignature::parse(&input)?;
    let contract = api.app.sign_contract(&who, application.as_ref(), &id, signature, &caller).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(Contract::from(contract))))
}

/// Declines the contract. The application stays as it is.
#[utoipa::path(
    post,
    path = "/api/users/contract/{id}/decline",
    operation_id = "declineContract",
    tag = "Contract",
    params(("id" = String, Path, description = "The contract's id")),
    request_body = ContractDecline,
    responses(
        (status = 200, description = "The contract as it is now.", body = Contract),
        (status = 404, description = "`contract.not_found`"),
        (status = 409, description = "`contract.closed`"),
    )
)]
pub async fn decline(
    State(api): State<ApiState>,
    BearerWithApplication(who, application): BearerWithApplication,
    Client(caller): Client,
    Path(id): Path<String>,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let decline = ContractDecline::parse(&input)?;
    let contract = api.app.decline_contract(&who, application.as_ref(), &id, &decline, &caller).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(Contract::from(contract))))
}
