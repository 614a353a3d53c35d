//! `/admins/prospects…`: who has asked for news or the brochure.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::problem::Problem;
use domain::language::Language;
use domain::moments::rfc3339;
use domain::program::ApplicationType;
use domain::prospect::{ProspectCounts, ProspectPage, ProspectQuery};

/// Somebody who wants to hear from us before they apply.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Prospect {
    id: String,
    email: String,
    /// May be empty.
    first_name: String,
    application_type: ApplicationType,
    /// To be told when applications open for the next intake.
    openings: bool,
    brochure: bool,
    /// The language of mails.
    language: Language,
    /// `waiting` for confirmation, `confirmed`, or `applicant`: there is an account with the address.
    state: &'static str,
    #[schema(format = DateTime)]
    created_at: String,
    /// Null until the address is confirmed.
    #[schema(required, format = DateTime)]
    confirmed_at: Option<String>,
    /// The latest application of the account; null if there is none.
    #[schema(required)]
    application_id: Option<String>,
}

impl From<domain::prospect::Prospect> for Prospect {
    fn from(prospect: domain::prospect::Prospect) -> Self {
        Prospect {
            state: prospect.state().as_str(),
            id: prospect.id,
            email: prospect.email,
            first_name: prospect.first_name,
            application_type: prospect.program.into(),
            openings: prospect.wants.openings,
            brochure: prospect.wants.brochure,
            language: prospect.language,
            created_at: rfc3339(prospect.created_at),
            confirmed_at: prospect.confirmed_at.map(rfc3339),
            application_id: prospect.application_id,
        }
    }
}

/// How many there are, whatever is listed. Each is counted in one state.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountedProspects {
    /// Asked in the last seven days, in any state.
    this_week: i64,
    waiting: i64,
    confirmed: i64,
    applicants: i64,
}

impl From<ProspectCounts> for CountedProspects {
    fn from(ProspectCounts { this_week, waiting, confirmed, applicants }: ProspectCounts) -> Self {
        CountedProspects { this_week, waiting, confirmed, applicants }
    }
}

/// Newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProspectList {
    prospects: Vec<Prospect>,
    /// For `after`; null on the last page.
    #[schema(required)]
    next: Option<String>,
    counts: CountedProspects,
}

/// Lists those who have asked for news or the brochure.
#[utoipa::path(
    get,
    path = "/api/admins/prospects",
    operation_id = "listProspects",
    tag = "Office: prospects",
    params(
        ("search" = Option<String>, Query, nullable = false, description = "How the email or the first name begins"),
        ("program" = Option<String>, Query, nullable = false, description = "Only those"),
        ("wants" = Option<String>, Query, nullable = false, description = "Only those"),
        ("state" = Option<String>, Query, nullable = false, description = "Only those"),
        ("after" = Option<String>, Query, nullable = false, description = "`next` of the page before this one"),
    ),
    responses(
        (status = 200, description = "Up to 50 prospects.", body = ProspectList),
        (status = 422, description = "`state.invalid` and the like"),
    )
)]
pub async fn list(request: StaffRequest) -> Result<Json<ProspectList>, Problem> {
    let pairs = request.pairs();
    let (query, errors) = ProspectQuery::parse(pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    if !errors.is_empty() {
        return Err(errors.into());
    }
    let ProspectPage { prospects, next, counts } = request.app().prospects(&request.who, &query).await?;
    let prospects = prospects.into_iter().map(Prospect::from).collect();
    Ok(Json(ProspectList { prospects, next, counts: counts.into() }))
}

/// Deletes a prospect: the address is deleted and not written to again.
#[utoipa::path(
    delete,
    path = "/api/admins/prospects/{id}",
    operation_id = "deleteProspect",
    tag = "Office: prospects",
    params(("id" = String, Path, description = "The prospect's id")),
    responses(
        (status = 204, description = "They are deleted."),
        (status = 404, description = "`prospect.not_found`"),
    )
)]
pub async fn delete(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().delete_prospect(&request.who, request.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}
