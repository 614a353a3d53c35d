//! `/users/references…`: the referees of an application, and what they wrote if the applicant may read it.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::documents::saved;
use crate::ApiState;
use crate::bearer::BearerWithApplication;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::references::{Asked, Reference};
use domain::language::Language;
use domain::moments::rfc3339;
use domain::paper::Fact;
use domain::questionnaire::LetterRule;
use domain::referee::{self, NewReferee, RefereeState};

/// What the program asks of referees, and who was named.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct References {
    /// How many references the application needs.
    needed: i64,
    /// How many referees can be named; 0 if the program asks for no references.
    most: i64,
    letter: LetterRule,
    /// How many more can be named; those who have declined do not count.
    room: i64,
    /// Whether the application can still use references: only then are referees named, asked and removed.
    open: bool,
    /// Whether the applicant's own address is confirmed. Until then, no referee is asked.
    email_confirmed: bool,
    /// Those not removed, oldest first.
    referees: Vec<Referee>,
}

/// Somebody who was named as a referee.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedReferee {
    id: String,
    name: String,
    email: String,
    /// How they know the applicant.
    relationship: String,
    #[schema(required)]
    organization: Option<String>,
    /// The language of the mails to them.
    language: Language,
    /// Whether the applicant has waived the right to read the reference.
    waived: bool,
    state: RefereeState,
    /// Null until they are asked.
    #[schema(required, format = DateTime)]
    asked_at: Option<String>,
    /// When they were last reminded.
    #[schema(required, format = DateTime)]
    reminded_at: Option<String>,
    /// When the reference was received or declined.
    #[schema(required, format = DateTime)]
    finished_at: Option<String>,
    /// The first moment at which they can be reminded on request; null if there is nothing to remind them of.
    #[schema(required, format = DateTime)]
    remind_from: Option<String>,
}

/// A referee, and what they wrote.
#[derive(Debug, Serialize, ToSchema)]
pub struct Referee {
    #[serde(flatten)]
    named: NamedReferee,
    /// Null until the reference is received, and if the applicant has waived the right to read it.
    #[schema(required)]
    says: Option<ReferenceContent>,
}

/// What a reference says.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReferenceContent {
    /// In the order of the questions.
    answers: Vec<ReferenceAnswer>,
    #[schema(required)]
    letter: Option<ReferenceLetter>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReferenceAnswer {
    question: String,
    /// In words.
    answer: String,
}

/// The letter of a referee, a file.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReferenceLetter {
    name: String,
    /// Its size.
    bytes: u64,
}

/// What was mailed to a referee.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefereeAsked {
    asked: RefereeMail,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RefereeMail {
    /// The link to give the reference, for the first time.
    Asked,
    Reminded,
}

impl From<&referee::Referee> for NamedReferee {
    fn from(referee: &referee::Referee) -> Self {
        NamedReferee {
            id: referee.id.clone(),
            name: referee.name.clone(),
            email: referee.email.clone(),
            relationship: referee.relationship.clone(),
            organization: Some(referee.organization.clone()).filter(|organization| !organization.is_empty()),
            language: referee.language,
            waived: referee.waived,
            state: referee.state,
            asked_at: referee.asked_at.map(rfc3339),
            reminded_at: referee.reminded_at.map(rfc3339),
            finished_at: referee.finished_at.map(rfc3339),
            remind_from: referee.remind_from().map(rfc3339),
        }
    }
}

impl From<Reference> for ReferenceContent {
    fn from(Reference { referee, answers }: Reference) -> Self {
        ReferenceContent {
            answers: answers.into_iter().map(ReferenceAnswer::from).collect(),
            letter: referee.letter.map(ReferenceLetter::from),
        }
    }
}

impl From<Fact> for ReferenceAnswer {
    fn from(fact: Fact) -> Self {
        ReferenceAnswer { question: fact.name.into_owned(), answer: fact.value.into_owned() }
    }
}

impl From<referee::ReferenceLetter> for ReferenceLetter {
    fn from(letter: referee::ReferenceLetter) -> Self {
        ReferenceLetter { name: letter.name.as_str().to_owned(), bytes: letter.size }
    }
}

/// Lists the referees of the active application, with the references that the applicant may read.
#[utoipa::path(
    get,
    path = "/api/users/references",
    operation_id = "listReferees",
    tag = "References",
    responses(
        (status = 200, description = "What is asked of referees, and every referee.", body = References),
        (status = 404, description = "`application.none`"),
    )
)]
pub async fn list(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
) -> Result<Json<References>, Problem> {
    let Some(view) = api.app.references(&who, known.as_ref()).await? else {
        return Ok(Json(References {
            needed: 0,
            most: 0,
            letter: LetterRule::None,
            room: 0,
            open: false,
            email_confirmed: who.applicant.email_confirmed_at.is_some(),
            referees: Vec::new(),
        }));
    };
    let referee = |reference: Reference| {
        let named = (&reference.referee).into();
        let says = reference.referee.is_open_to_applicant().then(|| reference.into());
        Referee { named, says }
    };
    let (room, referees) = (view.room(), view.references.into_iter().map(referee).collect());
    Ok(Json(References {
        needed: view.rules.needed,
        most: view.rules.most,
        letter: view.rules.letter,
        room,
        open: view.open,
        email_confirmed: view.email_confirmed,
        referees,
    }))
}

/// Names a referee.
///
/// Once the application is submitted, a mail asks them for the reference at once; before, when it is submitted or by
/// `POST /api/users/references/{id}/ask`. Nobody is asked until the applicant's own address is confirmed.
#[utoipa::path(
    post,
    path = "/api/users/references",
    operation_id = "nameReferee",
    tag = "References",
    request_body = NewReferee,
    responses(
        (status = 200, description = "The referee.", body = Referee),
        (status = 404, description = "`application.none`"),
        (status = 409, description = "`references.not_asked`: the program asks for none; `referee.too_many`; \
            `references.closed`: the application can no longer use references"),
        (status = 422, description = "By path, as in `name.required`; `email.taken`: they are named already; \
            `email.own`"),
        (status = 429, description = "`rate_limited`: 15 a day, or 5 for one address"),
    )
)]
pub async fn name(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    StrictJson(input): StrictJson,
) -> Result<Json<Referee>, Problem> {
    let referee = api.app.name_referee(&who, known.as_ref(), &input).await?;
    Ok(Json(Referee { named: (&referee).into(), says: None }))
}

/// Asks a referee for the reference, or reminds one who was asked.
///
/// Reminding is possible at the earliest 3 days after the last mail to them; `remindFrom` says when.
#[utoipa::path(
    post,
    path = "/api/users/references/{id}/ask",
    operation_id = "askReferee",
    tag = "References",
    params(("id" = String, Path, description = "The referee's id")),
    responses(
        (status = 200, description = "The mail is on its way.", body = RefereeAsked),
        (status = 404, description = "`application.none`, `referee.not_found`"),
        (status = 409, description = "`references.closed`; `email.not_confirmed`: the applicant's own address is not \
            confirmed; `referee.reminded`: too soon after the last mail"),
    )
)]
pub async fn ask(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    Path(id): Path<String>,
) -> Result<Json<RefereeAsked>, Problem> {
    let asked = match api.app.ask_referee(&who, known.as_ref(), &id).await? {
        Asked::Asked => RefereeMail::Asked,
        Asked::Reminded => RefereeMail::Reminded,
    };
    Ok(Json(RefereeAsked { asked }))
}

/// Removes a referee who has not sent the reference. Their link then says that the reference is no longer needed.
#[utoipa::path(
    delete,
    path = "/api/users/references/{id}",
    operation_id = "removeReferee",
    tag = "References",
    params(("id" = String, Path, description = "The referee's id")),
    responses(
        (status = 204, description = "They are removed."),
        (status = 404, description = "`application.none`, `referee.not_found`"),
        (status = 409, description = "`references.closed`: it is received, or the application can no longer use it"),
    )
)]
pub async fn remove(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    api.app.remove_referee(&who, known.as_ref(), &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Downloads a referee's letter that the applicant may read.
///
/// Supports ranges, with `If-Range`.
#[utoipa::path(
    get,
    path = "/api/users/references/{id}/letter",
    operation_id = "loadReferenceLetter",
    tag = "References",
    params(("id" = String, Path, description = "The referee's id")),
    responses(
        (status = 200, description = "All of it.", body = String, content_type = "application/octet-stream",
            headers(("ETag" = String, description = "Of its bytes"))),
        (status = 206, description = "The range that was asked for."),
        (status = 304, description = "It is the copy of `If-None-Match`."),
        (status = 404, description = "`application.none`, `referee.not_found`"),
        (status = 416, description = "`range`"),
    )
)]
pub async fn letter(
    State(api): State<ApiState>,
    BearerWithApplication(_, known): BearerWithApplication,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let letter = api.app.applicant_letter(known.as_ref(), &id).await?;
    Ok(saved(wire::download_letter(&api.app, &headers, &letter, wire::Shown::Saved).await?))
}
