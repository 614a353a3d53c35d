//! `/admins/views…`: named views of the list.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::{StaffRequest, renamed};
use crate::json::StrictJson;
use crate::problem::Problem;
use app::Error;
use app::office::list_views::may_change;
use app::office::listings::view_of;
use domain::body;
use domain::body::{parameters, sent_text, yes_or_no};
use domain::input::FieldError;
use domain::listing::View;

/// A named view of the list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedView {
    id: String,
    name: String,
    /// The query to send to `GET /api/admins/applications`.
    #[schema(example = "tab=submitted&sort=waiting")]
    query: String,
    /// Whether all staff have it.
    shared: bool,
    can_change: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct NamedViews {
    /// The caller's own views first, then shared ones.
    views: Vec<NamedView>,
}

body! {
    pub struct NewView given (view: impl FnOnce(&str) -> Result<View, FieldError>) {
        /// 1 to 60 characters.
        #[schema(example = "Long waiting")]
        name: String = sent_text("Give the view a name."),
        /// The parameters of `GET /api/admins/applications`; none for the unfiltered list.
        #[schema(value_type = Option<String>, nullable = false, example = "tab=submitted&waiting=14")]
        query: View = parameters(view),
        /// Whether to share it with all staff.
        #[schema(nullable = false)]
        shared: Option<bool> = yes_or_no,
    }
}

body! {
    pub struct ViewName {
        /// 1 to 60 characters.
        name: String = sent_text("Give the view a name."),
        /// The name it had when the caller saw it.
        seen: String = sent_text("Send the name that it had."),
    }
}

/// Lists the named views.
#[utoipa::path(
    get,
    path = "/api/admins/views",
    operation_id = "listViews",
    tag = "Office: applications",
    responses(
        (status = 200, description = "One's own, and those of everybody.", body = NamedViews),
        (status = 403, description = "`role.forbidden`"),
    )
)]
pub async fn list(request: StaffRequest) -> Result<Json<NamedViews>, Problem> {
    let views = request.app().list_views(&request.who).await?;
    let views = views.into_iter().map(|view| NamedView {
        can_change: may_change(&request.who, &view),
        id: view.id,
        name: view.name,
        query: view.query,
        shared: view.shared,
    });
    Ok(Json(NamedViews { views: views.collect() }))
}

/// Saves a view under a name.
///
/// Sent again under the same `Idempotency-Key`, it is saved once.
#[utoipa::path(
    post,
    path = "/api/admins/views",
    operation_id = "saveView",
    tag = "Office: applications",
    params(("Idempotency-Key" = Option<String>, Header, nullable = false,
        description = "Names the view: sent again under the same key, it is kept once")),
    request_body = NewView,
    responses(
        (status = 204, description = "It is kept."),
        (status = 403, description = "`role.forbidden`, for a view for everybody"),
        (status = 422, description = "`name.required`, `name.length`, `name.taken`, `name.full`: there are 50; \
            `query.invalid`"),
    )
)]
pub async fn save(request: StaffRequest, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    let NewView { name, query, shared } = NewView::parse(&input, |query| view(&request, query))?;
    let saved =
        request.app().save_view(&request.who, &request.new_id("view"), &name, &query, shared == Some(true)).await;
    saved.map_err(of_name)?;
    Ok(StatusCode::NO_CONTENT)
}

fn view(request: &StaffRequest, query: &str) -> Result<View, FieldError> {
    let pairs: Vec<_> = url::form_urlencoded::parse(query.as_bytes()).collect();
    let (view, errors) = view_of(request.staff(), pairs.iter().map(|(name, value)| (&**name, &**value)));
    match errors.into_iter().next() {
        None => Ok(view),
        Some(error) => Err(FieldError::new("query", "query.invalid", error.message)),
    }
}

/// Renames a view.
#[utoipa::path(
    patch,
    path = "/api/admins/views/{id}",
    operation_id = "renameView",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The view's id")),
    request_body = ViewName,
    responses(
        (status = 204, description = "It has its new name."),
        (status = 404, description = "`view.not_found`, also for one that is not theirs to change"),
        (status = 422, description = "`name.required`, `name.length`, `name.taken`, `name.changed`: it is not called as \
            `seen` says"),
    )
)]
pub async fn rename(request: StaffRequest, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    let ViewName { name, seen } = ViewName::parse(&input)?;
    request.app().rename_view(&request.who, request.id(), &seen, &name).await.map_err(of_name)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes a view. The applications it showed stay as they are.
#[utoipa::path(
    delete,
    path = "/api/admins/views/{id}",
    operation_id = "deleteView",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The view's id")),
    responses(
        (status = 204, description = "It is deleted."),
        (status = 404, description = "`view.not_found`, also for one that is not theirs to delete"),
    )
)]
pub async fn delete(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().delete_view(&request.who, request.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn of_name(error: Error) -> Error {
    match error {
        Error::Invalid(errors) => renamed(errors, "viewName", "name").into(),
        other => other,
    }
}
