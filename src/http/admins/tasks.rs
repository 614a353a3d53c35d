//! `/admins/applications/{id}/tasks…`: the tasks about an application. `/admins/work…`: those about all applications.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::office::dossiers::TaskNote;
use app::office::work::{Work, WorkView};
use domain::body;
use domain::moments::rfc3339;
use domain::task::{ListedTask, Task};

/// A task about an application.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeTask {
    id: String,
    /// Its kind.
    task: &'static str,
    /// The same in words.
    title: &'static str,
    /// Whether it has to be ticked off; other tasks close when what they ask for is done.
    ticked_off: bool,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(required, format = DateTime)]
    due_at: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OfficeTasks {
    /// Open tasks, oldest first.
    tasks: Vec<OfficeTask>,
}

body! {
    pub struct TaskDone {
        /// A note about it, at most 500 characters.
        #[schema(value_type = Option<String>, nullable = false, example = "Called, will pay on Friday.")]
        note: TaskNote = TaskNote::parse,
    }
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

/// Lists the open tasks about an application.
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
pub async fn list(request: StaffRequest) -> Result<Json<OfficeTasks>, Problem> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    let tasks = request.app().tasks_of(&request.who, &dossier.application.id).await?;
    Ok(Json(OfficeTasks { tasks: tasks.into_iter().map(OfficeTask::from).collect() }))
}

/// Closes a task that has to be ticked off.
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
pub async fn tick_off(request: StaffRequest, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    let TaskDone { note } = TaskDone::parse(&input)?;
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    request.app().tick_off(&request.who, &dossier.application.id, request.part("task"), &note).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Reopens a task that the caller has ticked off.
#[utoipa::path(
    delete,
    path = "/api/admins/applications/{id}/tasks/{task}/done",
    operation_id = "untickTask",
    tag = "Office: applications",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("task" = String, Path, description = "The task's id"),
    ),
    responses(
        (status = 204, description = "It is open."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `task.not_found`: somebody else has closed it, or nothing is to be \
            done about it any more"),
    )
)]
pub async fn untick(request: StaffRequest) -> Result<StatusCode, Problem> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    request.app().untick(&request.who, &dossier.application.id, request.part("task")).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A task, with the application it is about.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkTask {
    #[serde(flatten)]
    task: OfficeTask,
    application_id: String,
    #[schema(required)]
    reference: Option<String>,
    /// Empty for roles that see no personal data.
    first_name: String,
    /// The reference number for roles that see no personal data.
    last_name: String,
    /// `ba` or `msc`
    program: &'static str,
    stage: &'static str,
    /// The id of the member of staff whose task it is; null for nobody.
    #[schema(required)]
    owner: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WorkList {
    /// Most pressing first: by when they are due, or how long they have waited.
    tasks: Vec<WorkTask>,
    /// The `after` of the next page; null at the end.
    #[schema(required)]
    next: Option<String>,
}

impl From<ListedTask> for WorkTask {
    fn from(listed: ListedTask) -> Self {
        WorkTask {
            task: listed.task.into(),
            application_id: listed.application_id,
            reference: listed.reference,
            first_name: listed.first_name,
            last_name: listed.last_name,
            program: listed.program.application_type(),
            stage: listed.stage.as_str(),
            owner: listed.owner.map(|(id, _)| id),
        }
    }
}

/// Lists the open tasks of all applications that the caller's role can do, page by page.
#[utoipa::path(
    get,
    path = "/api/admins/work",
    operation_id = "listWork",
    tag = "Office: applications",
    params(
        ("whose" = Option<String>, Query, nullable = false, description = "`mine` (if absent), `unassigned` or `team`"),
        ("task" = Option<String>, Query, nullable = false, description = "A kind of task"),
        ("after" = Option<String>, Query, nullable = false, description = "The `next` of a page, for the one after it"),
    ),
    responses(
        (status = 200, description = "At most 50 tasks.", body = WorkList),
        (status = 422, description = "`whose.invalid`, `task.invalid`, `after.invalid`"),
    )
)]
pub async fn work(request: StaffRequest) -> Result<Json<WorkList>, Problem> {
    let pairs = request.pairs();
    let (view, errors) = WorkView::parse(pairs.iter().map(|(name, value)| (&**name, &**value)));
    if !errors.is_empty() {
        return Err(errors.into());
    }
    let Work { tasks, has_more, .. } = request.app().work(&request.who, &view).await?;
    let next = tasks.last().filter(|_| has_more).map(|listed| listed.task.place().to_text());
    Ok(Json(WorkList { tasks: tasks.into_iter().map(WorkTask::from).collect(), next }))
}

/// Returns the caller's most pressing task or, if they have none, assigns them the most pressing one that nobody has.
#[utoipa::path(
    post,
    path = "/api/admins/work/next",
    operation_id = "takeNextTask",
    tag = "Office: applications",
    responses(
        (status = 200, description = "What comes next.", body = WorkTask),
        (status = 204, description = "Nothing waits for somebody of this role."),
    )
)]
pub async fn next(request: StaffRequest) -> Result<Response, Problem> {
    let next = request.app().next_task(&request.who, None).await?;
    Ok(next.map_or_else(|| StatusCode::NO_CONTENT.into_response(), |task| Json(WorkTask::from(task)).into_response()))
}

/// Assigns a task that nobody has to the caller.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/tasks/{task}/take",
    operation_id = "takeTask",
    tag = "Office: applications",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("task" = String, Path, description = "The task's id"),
    ),
    responses(
        (status = 204, description = "It is one's own."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `task.not_found`"),
        (status = 409, description = "`task.taken`"),
    )
)]
pub async fn take(request: StaffRequest) -> Result<StatusCode, Problem> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    request.app().take_task(&request.who, &dossier.application.id, request.part("task")).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Puts one of the caller's own tasks back.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/tasks/{task}/put-back",
    operation_id = "putTaskBack",
    tag = "Office: applications",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("task" = String, Path, description = "The task's id"),
    ),
    responses(
        (status = 204, description = "It is nobody's."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `task.not_found`"),
        (status = 409, description = "`task.taken`: it is not one's own"),
    )
)]
pub async fn put_back(request: StaffRequest) -> Result<StatusCode, Problem> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    request.app().put_task_back(&request.who, &dossier.application.id, request.part("task")).await?;
    Ok(StatusCode::NO_CONTENT)
}
