//! `/admins/applications/{id}`: one application, for the office.

use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::{StaffRequest, tagged};
use crate::json::StrictJson;
use crate::problem::Problem;
use crate::users::submission::ActHeaders;
use app::office::dossiers::Dossier;
use domain::application::ApplicationData;
use domain::moments::rfc3339;
use domain::permission::Permission;
use domain::program::ApplicationType;
use domain::staff::StaffSession;
use domain::status::Status;

/// The applicant. Only for roles that may see personal data.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApplicantData {
    #[schema(format = Email)]
    email: String,
    /// Whether the applicant has confirmed the address. Until then, mails only appear among their messages.
    email_confirmed: bool,
    phone_number: String,
    #[schema(format = Date)]
    date_of_birth: String,
    /// ISO 3166-1, two letters.
    country: String,
    /// Two letters; null outside the United States.
    #[schema(required)]
    state: Option<String>,
    /// The current answers, including those not submitted yet.
    answers: ApplicationData,
}

/// An application as staff see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeApplication {
    id: String,
    /// Goes up with every save and every change of stage; the number in the `ETag`.
    revision: i64,
    reference: String,
    application_type: ApplicationType,
    status: Status,
    /// The finer step within the status: `submitted`, `held`.
    stage: &'static str,
    /// Empty for roles that see no personal data.
    first_name: String,
    /// The reference number for roles that see no personal data.
    last_name: String,
    /// The id of the member of staff responsible for it; null for none.
    #[schema(required)]
    owner: Option<String>,
    tags: Vec<String>,
    /// The acts that the caller may do on it now.
    acts: Vec<&'static str>,
    /// When it entered its stage.
    #[schema(format = DateTime)]
    waiting_since: String,
    #[schema(format = DateTime)]
    submitted_at: String,
    /// Null for roles that may not see personal data.
    #[schema(required)]
    applicant: Option<ApplicantData>,
}

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct StatusChange {
    #[schema(value_type = Status)]
    pub status: String,
    /// For `none`, which withdraws it: the reason.
    #[schema(nullable = false)]
    pub reason: Option<String>,
    /// For `deferred`: the later intake, as `2027-01`.
    #[schema(nullable = false)]
    pub intake: Option<String>,
    /// For `incomplete`, which asks for changes: the sections to change.
    #[schema(nullable = false)]
    pub sections: Option<Vec<String>>,
    /// What to change.
    #[schema(nullable = false)]
    pub message: Option<String>,
    /// The last day for the changes.
    #[schema(nullable = false, format = Date)]
    pub due_on: Option<String>,
}

pub(super) fn application_response(who: &StaffSession, dossier: &Dossier) -> impl IntoResponse + use<> {
    let Dossier { applicant, application, listing, acts, .. } = dossier;
    let profile = &applicant.profile;
    let personal = who.staff.role.may(Permission::PersonalData).then(|| ApplicantData {
        email: applicant.email.clone(),
        email_confirmed: applicant.email_confirmed_at.is_some(),
        phone_number: profile.phone_number.clone(),
        date_of_birth: profile.date_of_birth.to_string(),
        country: profile.country.clone(),
        state: profile.state.clone(),
        answers: application.answers.data(),
    });
    let body = OfficeApplication {
        id: application.id.clone(),
        revision: application.revision,
        reference: application.reference.clone().unwrap_or_default(),
        application_type: application.program.into(),
        status: application.status(),
        stage: application.stage.as_str(),
        first_name: profile.first_name.clone(),
        last_name: profile.last_name.clone(),
        owner: dossier.owner().map(str::to_owned),
        tags: listing.values(domain::listing::Facet::Tag).map(str::to_owned).collect(),
        acts: acts.iter().map(|act| act.as_str()).collect(),
        waiting_since: rfc3339(listing.waiting_since),
        submitted_at: rfc3339(listing.submitted_at),
        applicant: personal,
    };
    tagged(application.revision, body)
}

/// Returns one application.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}",
    operation_id = "loadOfficeApplication",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "The application.", body = OfficeApplication,
            headers(("ETag" = String, description = "The revision in quotes"))),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn load(request: StaffRequest) -> Result<impl IntoResponse, Problem> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    Ok(application_response(&request.who, &dossier))
}

/// Moves an application to another status.
///
/// A change that the status table has no act for is refused. `accepted` and `rejected` release the drafted decision.
#[utoipa::path(
    patch,
    path = "/api/admins/applications/{id}",
    operation_id = "changeOfficeApplication",
    tag = "Office: applications",
    params(
        ("id" = String, Path, description = "The application's id"),
        ActHeaders,
    ),
    request_body = StatusChange,
    responses(
        (status = 200, description = "The application as it is now.", body = OfficeApplication,
            headers(("ETag" = String, description = "The revision in quotes"))),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`status.transition`, and what else must hold"),
        (status = 412, description = "`application.stale`"),
        (status = 422, description = "What is missing for the act"),
    )
)]
pub async fn change(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    request.app().change_status(&request.who, request.id(), &input, request.conditions.clone()).await?;
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    Ok(application_response(&request.who, &dossier))
}
