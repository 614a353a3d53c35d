//! `GET /users/application`, `POST /users/application`, `POST /users/application/start`

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::ApiState;
use crate::bearer::{Bearer, BearerWithApplication, token};
use crate::json::StrictJson;
use crate::problem::{Problem, kind};
use app::applications::saving::Expected;
use app::{Error, Refusal};
use domain::application::{
    ApplicationData, CreditTransfer, Education, Employment, FinancialPlan, PersonalInfo, QuestionnaireAnswers,
    SectionStates,
};
use domain::moments::rfc3339;
use domain::program::{ApplicationType, Program, required_type};
use domain::sentence::Sentence;
use domain::status::{Stage, Status};
use domain::{body, text};

/// An application.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Application {
    data: ApplicationData,
    status: Status,
    /// The finer step within the status: `draft`, `submitted`.
    stage: &'static str,
    id: String,
    /// Goes up with every save and every change of stage; the number in the `ETag`.
    revision: i64,
    /// Assigned at the first submission; null before.
    #[schema(required)]
    reference: Option<String>,
    application_type: ApplicationType,
    /// The progress of each section.
    sections: SectionStates,
    #[schema(format = DateTime)]
    updated_at: String,
    /// When it was last submitted; null before the first submission.
    #[schema(required, format = DateTime)]
    submitted_at: Option<String>,
    /// Set while the stage is `waitlisted`, except in the `current` of a problem.
    #[schema(required)]
    waitlist: Option<WaitlistPlace>,
}

/// The place of an application on the waitlist.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitlistPlace {
    /// The intake whose places are taken, as year and month: `2026-08`.
    intake: String,
    #[schema(format = DateTime)]
    joined_at: String,
    /// Its number in the line at the moment, from 1; null unless applicants are shown it.
    #[schema(required, minimum = 1)]
    position: Option<i64>,
}

impl From<domain::waitlist::WaitlistPlace> for WaitlistPlace {
    fn from(place: domain::waitlist::WaitlistPlace) -> Self {
        WaitlistPlace { intake: place.intake.code(), joined_at: rfc3339(place.joined_at), position: place.position }
    }
}

impl From<&domain::application::Application> for Application {
    fn from(application: &domain::application::Application) -> Self {
        Application {
            data: application.answers.data(),
            sections: SectionStates::of(&application.answers),
            status: application.status(),
            stage: application.stage.as_str(),
            id: application.id.clone(),
            revision: application.revision,
            reference: application.reference.clone(),
            application_type: application.program.into(),
            updated_at: rfc3339(application.updated_at),
            submitted_at: application.submitted_at.map(rfc3339),
            waitlist: None,
        }
    }
}

/// Answers to save. Sections and answers left out stay as they are; those sent must be valid. Money is in cents.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ApplicationSave {
    pub application_type: ApplicationType,
    /// Moves an application for the other program to `applicationType`.
    #[schema(nullable = false)]
    pub switch_program: Option<bool>,
    #[schema(nullable = false)]
    pub personal_info: Option<PersonalInfo>,
    #[schema(nullable = false)]
    pub education: Option<Education>,
    #[schema(nullable = false)]
    pub employment: Option<Employment>,
    #[schema(nullable = false)]
    pub financial_plan: Option<FinancialPlan>,
    #[schema(nullable = false)]
    pub credit_transfer: Option<CreditTransfer>,
    /// Answers to the questions of the program; an empty one removes the answer. Numbers and yes/no may be sent as
    /// text.
    #[schema(nullable = false)]
    pub questionnaire: Option<QuestionnaireAnswers>,
}

body! {
    /// The program to apply for.
    pub struct ApplicationStart {
        #[schema(value_type = ApplicationType)]
        application_type: Program = required_type,
    }
}

/// Returns the active application.
#[utoipa::path(
    get,
    path = "/api/users/application",
    operation_id = "loadApplication",
    tag = "Application",
    params(
        ("If-None-Match" = Option<String>, Header, nullable = false, description = "The `ETag` of the copy at hand"),
    ),
    responses(
        (status = 200, description = "The application.", body = Application,
            headers(("ETag" = String, description = "The revision in quotes"))),
        (status = 304, description = "The copy at hand is the current one."),
        (status = 404, description = "`application.none`: the member `status` is `none` here."),
    )
)]
pub async fn load(
    State(api): State<ApiState>,
    bearer: BearerWithApplication,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let BearerWithApplication(_, application) = bearer;
    let application = application.ok_or(Refusal::NoApplication)?;
    // The place on the waitlist changes without the revision.
    if application.stage != Stage::Waitlisted && is_not_modified(&headers, application.revision) {
        return Ok((StatusCode::NOT_MODIFIED, etag(application.revision)).into_response());
    }
    respond(&api, &asked(&api, application).await?).await
}

/// Returns the application with the answers to the questions that are asked now.
async fn asked(
    api: &ApiState,
    application: domain::application::Application,
) -> Result<domain::application::Application, Problem> {
    let questions = api.app.questions_of(&application).await?;
    Ok(domain::application::Application {
        answers: application.answers.asked_by(&questions).into_owned(),
        ..application
    })
}

/// Saves answers.
///
/// The first save starts the application. With `If-Match`, only the revision it names is saved onto, so that nothing
/// from another tab is lost.
#[utoipa::path(
    post,
    path = "/api/users/application",
    operation_id = "saveApplication",
    tag = "Application",
    params(
        ("If-Match" = Option<String>, Header, nullable = false,
            description = "The `ETag` of the revision the answers were made from, or `*` for whatever is there"),
    ),
    request_body = ApplicationSave,
    responses(
        (status = 200, description = "The application as it is now.", body = Application,
            headers(("ETag" = String, description = "The revision in quotes"))),
        (status = 404, description = "`application.none`: there is nothing that `If-Match` could name."),
        (status = 409, description = "`application.submitted`, `application.other_program`"),
        (status = 412, description = "`application.stale`, with the newest copy as `current`"),
    )
)]
pub async fn save(
    State(api): State<ApiState>,
    headers: HeaderMap,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    const UNSAVED: Sentence = text!("We could not save your application. Nothing was changed. Try again in a minute.");
    let unsaved = |problem: Problem| problem.when_unavailable(UNSAVED);
    let token = token(&headers).map_err(|refusal| unsaved(refusal.into()))?;
    let expected = match precondition(&headers) {
        Ok(expected) => expected,
        // Only callers we know are told what is wrong with their request.
        Err(malformed) => {
            api.app.authenticate(token).await.map_err(|error| unsaved(error.into()))?;
            return Err(malformed);
        }
    };
    let saved = api.app.save_application(token, &input, expected).await.map_err(|error| unsaved(error.into()))?;
    respond(&api, &saved).await
}

/// Starts an application for a program.
///
/// If one for that program is already active, it is returned.
#[utoipa::path(
    post,
    path = "/api/users/application/start",
    operation_id = "startApplication",
    tag = "Application",
    request_body = ApplicationStart,
    responses(
        (status = 200, description = "The application.", body = Application,
            headers(("ETag" = String, description = "The revision in quotes"))),
        (status = 409, description = "`application.other_program`"),
    )
)]
pub async fn start(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let start = ApplicationStart::parse(&input).map_err(Error::from)?;
    let started = api.app.start_application(&who, start.application_type).await?;
    respond(&api, &asked(&api, started).await?).await
}

pub(super) async fn respond(
    api: &ApiState,
    application: &domain::application::Application,
) -> Result<Response, Problem> {
    let waitlist = api.app.waitlist_place(application).await?.map(WaitlistPlace::from);
    let body = Application { waitlist, ..Application::from(application) };
    Ok((etag(application.revision), Json(body)).into_response())
}

fn etag(revision: i64) -> [(HeaderName, String); 1] {
    [(header::ETAG, format!("\"{revision}\""))]
}

/// Reads the precondition in `If-Match`.
pub(super) fn precondition(headers: &HeaderMap) -> Result<Expected, Problem> {
    let malformed = || {
        Problem::new(
            &kind::PRECONDITION,
            "Send the ETag of the revision you know as If-Match, for example If-Match: \"3\".",
        )
    };
    let Some(value) = headers.get(header::IF_MATCH) else { return Ok(Expected::Nothing) };
    let text = value.to_str().map_err(|_| malformed())?.trim();
    if text == "*" {
        return Ok(Expected::Any);
    }
    let revision = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).ok_or_else(malformed)?;
    let digits = !revision.is_empty() && revision.bytes().all(|byte| byte.is_ascii_digit());
    match revision.parse() {
        Ok(revision) if digits => Ok(Expected::Revision(revision)),
        _ => Err(malformed()),
    }
}

/// Whether `If-None-Match` names the revision, by the weak comparison that this header requires.
fn is_not_modified(headers: &HeaderMap, revision: i64) -> bool {
    let current = format!("\"{revision}\"");
    let values = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    values
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == current)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: HeaderName, value: &str) -> HeaderMap {
        [(name, value.parse().unwrap())].into_iter().collect()
    }

    #[test]
    fn if_match_is_one_strong_tag_or_a_star() {
        let read = |value: &str| precondition(&with(header::IF_MATCH, value)).ok();
        assert_eq!(precondition(&HeaderMap::new()).ok(), Some(Expected::Nothing));
        assert_eq!(read("*"), Some(Expected::Any));
        assert_eq!(read(" \"3\" "), Some(Expected::Revision(3)));
        for malformed in
            ["", "3", "W/\"3\"", "\"\"", "\"x\"", "\"-3\"", "\"+3\"", "\"3\", \"4\"", "\"9223372036854775808\""]
        {
            assert_eq!(read(malformed), None, "{malformed}");
        }
    }

    #[test]
    fn if_none_match_compares_weakly() {
        let at_hand = |value: &str| is_not_modified(&with(header::IF_NONE_MATCH, value), 3);
        assert!(at_hand("\"3\"") && at_hand("W/\"3\"") && at_hand("\"1\", \"3\"") && at_hand("*"));
        assert!(!at_hand("\"2\"") && !at_hand("3") && !at_hand("\"33\""));
        assert!(!is_not_modified(&HeaderMap::new(), 3));
    }
}
