//! `/admins/applications/{id}/tasks…`: what there is to do about an application.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::{Asked, only};
use crate::app::dossiers::TaskNote;
use crate::app::ports::Task;
use crate::http::json::StrictJson;
use crate::http::problem::Problem;
use crate::http::rfc3339;

/// Something to do about an application.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeTask {
    id: String,
    /// What it is about.
    task: &'static str,
    /// The same in words.
    title: &'static str,
    /// Nothing but somebody's word closes it; the others close when what they ask for is done.
    ticked_off: bool,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(required, format = DateTime)]
    due_at: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OfficeTasks {
    /// Those that are open, the oldest first.
    tasks: Vec<OfficeTask>,
}

#[derive(ToSchema)]
pub struct TaskDone {
    /// What there is to say about it, at most 500 characters.
    #[schema(nullable = false, example = "Called, will pay on Friday.")]
    pub note: Option<String>,
}

impl From<Task> for OfficeTask {
    fn from(task: Task) -> Self {
        OfficeTask {
            id: task.id,
            task: task.kind.as_str(),
            title: task.kind.title(),
            ticked_off: task.kind.is_ticked_off(),
            created_at: rfc3339(task.created_at),
            due_at: task.due_at.map(rfc3339),
        }
    }
}

/// What there is to do about an application.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/tasks",
    operation_id = "listTasks",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "The open tasks.", body = OfficeTasks),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn list(asked: Asked) -> Result<Json<OfficeTasks>, Problem> {
    let dossier = asked.app().dossier(&asked.who, asked.id()).await?;
    let tasks = asked.app().tasks_of(&asked.who, &dossier.application.id).await?;
    Ok(Json(OfficeTasks { tasks: tasks.into_iter().map(OfficeTask::from).collect() }))
}

/// Closes a task that nothing but somebody's word closes.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/tasks/{task}/done",
    operation_id = "tickOffTask",
    tag = "Office: applications",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("task" = String, Path, description = "The task's id"),
    ),
    request_body = TaskDone,
    responses(
        (status = 204, description = "It is closed."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `task.not_found`"),
        (status = 409, description = "`task.closes_itself`"),
        (status = 422, description = "`note.too_long`, `note.invalid`"),
    )
)]
pub async fn tick_off(asked: Asked, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    let note = only(&input, "note", |given| TaskNote::parse("note", given))?;
    let dossier = asked.app().dossier(&asked.who, asked.id()).await?;
    asked.app().tick_off(&asked.who, &dossier.application.id, asked.part("task"), &note).await?;
    Ok(StatusCode::NO_CONTENT)
}
