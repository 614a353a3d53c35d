//! `/admins/questionnaires…`: the questions of a program and what it asks of referees, version by version.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::LoggedInStaff;
use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use domain::body::{required, sent_whole, wrong, yes_or_no};
use domain::input::{FieldError, Input};
use domain::moments::rfc3339;
use domain::program::Program;
use domain::questionnaire::{LetterRule, QuestionnaireVersion, References};
use domain::{body, text};

/// The state of a version.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum QuestionnaireState {
    /// Asked now: one per program.
    Published,
    /// Asked before.
    Earlier,
    /// Asked before, and archived.
    Archived,
}

/// A version of a program's questions. What was published never changes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Questionnaire {
    id: String,
    /// `ba` or `msc`
    application_type: &'static str,
    /// Numbered from 1 for each program.
    version: i64,
    state: QuestionnaireState,
    #[schema(format = DateTime)]
    published_at: String,
    /// Null for the built-in questions.
    #[schema(required)]
    published_by: Option<String>,
    /// The earlier version that this one restores.
    #[schema(required)]
    restored_from: Option<i64>,
    /// Each with `key`, `type`, `label` and whatever its type has: `help`, `required`, `options`, `onlyIf`…
    #[schema(value_type = Vec<Object>)]
    questions: Value,
    /// Null if no references are asked for.
    #[schema(required)]
    references: Option<QuestionnaireReferences>,
}

/// What a program asks of referees.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuestionnaireReferences {
    /// How many references an application needs; 0 to 5.
    needed: i64,
    /// How many referees an applicant can name: 1 to 5, and not fewer than are needed.
    most: i64,
    letter: LetterRule,
    /// Like those for applicants, but without files. Empty only if there can be a letter.
    #[schema(value_type = Vec<Object>)]
    questions: Value,
}

impl From<References> for QuestionnaireReferences {
    fn from(references: References) -> Self {
        let References { needed, most, letter, questions } = references;
        QuestionnaireReferences { needed, most, letter, questions: serde_json::to_value(questions).unwrap_or_default() }
    }
}

impl From<QuestionnaireVersion> for Questionnaire {
    fn from(version: QuestionnaireVersion) -> Self {
        let state = match (version.is_published, version.archived_at) {
            (true, _) => QuestionnaireState::Published,
            (false, Some(_)) => QuestionnaireState::Archived,
            (false, None) => QuestionnaireState::Earlier,
        };
        Questionnaire {
            id: version.id,
            application_type: version.program.application_type(),
            version: version.set.version,
            state,
            published_at: rfc3339(version.published_at),
            published_by: version.published_by,
            restored_from: version.restored_from,
            questions: serde_json::to_value(version.set.questions).unwrap_or_default(),
            references: version.set.references.map(QuestionnaireReferences::from),
        }
    }
}

/// All versions for both programs.
#[derive(Debug, Serialize, ToSchema)]
pub struct Questionnaires {
    /// Newest first.
    questionnaires: Vec<Questionnaire>,
}

body! {
    pub struct NewQuestionnaire {
        /// `ba` or `msc`
        #[schema(value_type = String)]
        application_type: Program = |path: &str, input: Option<&Input>| match input {
            Some(Input::Text(text)) => {
                Program::of_application_type(text).ok_or_else(|| wrong(path, "unknown", WHICH_PROGRAM))
            }
            Some(_) => Err(wrong(path, "type", WHICH_PROGRAM)),
            None => Err(wrong(path, "required", WHICH_PROGRAM)),
        },
        /// The version that is asked now, to be replaced.
        replaces: i64 = sent_whole("Say which version is replaced, as a whole number."),
        /// Checked as a whole when published.
        #[schema(value_type = Vec<Object>)]
        questions: Input = as_sent,
        /// Null, or left out, to ask for no references.
        #[schema(value_type = Option<QuestionnaireReferences>)]
        references: Input = as_sent,
    }
}

const WHICH_PROGRAM: &str = "Choose ba or msc.";

/// Reads nothing yet: the definition is checked as a whole.
fn as_sent(_: &str, input: Option<&Input>) -> Result<Input, FieldError> {
    Ok(input.cloned().unwrap_or(Input::Null))
}

body! {
    pub struct QuestionnaireChange {
        /// Whether to archive the version.
        archived: bool = required(yes_or_no, text!("Answer yes or no.")),
    }
}

/// Lists the questions asked now and before.
#[utoipa::path(
    get,
    path = "/api/admins/questionnaires",
    operation_id = "listQuestionnaires",
    tag = "Office: questionnaires",
    responses((status = 200, description = "Every version.", body = Questionnaires))
)]
pub async fn list(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
) -> Result<Json<Questionnaires>, Problem> {
    let versions = api.app.questionnaire_versions(&who.staff).await?;
    Ok(Json(Questionnaires { questionnaires: versions.into_iter().map(Questionnaire::from).collect() }))
}

/// Publishes questions and what is asked of referees, from then on for applications that can still be changed.
#[utoipa::path(
    post,
    path = "/api/admins/questionnaires",
    operation_id = "publishQuestionnaire",
    tag = "Office: questionnaires",
    request_body = NewQuestionnaire,
    responses(
        (status = 201, description = "The new version.", body = Questionnaire),
        (status = 412, description = "`questionnaire.stale`: another version is asked now"),
    )
)]
pub async fn publish(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    StrictJson(input): StrictJson,
) -> Result<(StatusCode, Json<Questionnaire>), Problem> {
    let NewQuestionnaire { application_type: program, replaces, questions, references } =
        NewQuestionnaire::parse(&input)?;
    let definition = Input::Map(vec![("questions".into(), questions), ("references".into(), references)]);
    let version = api.app.publish_questions(&who.staff, program, &definition, Some(replaces)).await?;
    Ok((StatusCode::CREATED, Json(version.into())))
}

/// Archives a version that is no longer asked, or brings it back.
#[utoipa::path(
    patch,
    path = "/api/admins/questionnaires/{id}",
    operation_id = "changeQuestionnaire",
    tag = "Office: questionnaires",
    params(("id" = String, Path, description = "The version's id")),
    request_body = QuestionnaireChange,
    responses(
        (status = 204, description = "It is so now."),
        (status = 404, description = "`questionnaire.not_found`"),
        (status = 409, description = "`questionnaire.published`"),
    )
)]
pub async fn change(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
    StrictJson(input): StrictJson,
) -> Result<StatusCode, Problem> {
    let QuestionnaireChange { archived } = QuestionnaireChange::parse(&input)?;
    api.app.archive_questionnaire(&who.staff, &id, archived).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes a version that is no longer asked and that nobody has answered.
#[utoipa::path(
    delete,
    path = "/api/admins/questionnaires/{id}",
    operation_id = "deleteQuestionnaire",
    tag = "Office: questionnaires",
    params(("id" = String, Path, description = "The version's id")),
    responses(
        (status = 204, description = "It is deleted."),
        (status = 404, description = "`questionnaire.not_found`"),
        (status = 409, description = "`questionnaire.in_use`, `questionnaire.published`"),
    )
)]
pub async fn delete(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    api.app.delete_questionnaire(&who.staff, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
