//! `/admins/applications/{id}/owner`, `…/tags…`, `/admins/colleagues`: the owner of an application, and its tags.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::{StaffRequest, renamed};
use crate::json::StrictJson;
use crate::problem::Problem;
use app::{App, Error};
use domain::body;
use domain::body::{sent_text, wrong};
use domain::input::{FieldError, Input};
use domain::listing::{Mark, NOBODY};
use domain::role::Role;
use domain::staff::StaffSummary;

body! {
    pub struct OwnerChange {
        /// The id of the member of staff to make responsible, or `nobody`.
        #[schema(value_type = String, example = "nobody")]
        owner: Option<String> = owner,
        /// The owner that the caller has seen, or `nobody`. If left out, any owner is replaced.
        #[schema(value_type = Option<String>, nullable = false)]
        seen: Option<Option<String>> =
            |path: &str, input: Option<&Input>| input.map(|_| self::owner(path, input)).transpose(),
    }
}

body! {
    pub struct NewTag {
        /// 1 to 40 letters, digits and spaces.
        #[schema(example = "second look")]
        tag: String = tag_of,
    }
}

/// A member of staff as colleagues see them.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfficeColleague {
    id: String,
    /// Their address if they have not given a name.
    name: String,
    role: Role,
    /// Nothing can be assigned to them.
    suspended: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OfficeColleagues {
    colleagues: Vec<OfficeColleague>,
}

impl From<StaffSummary> for OfficeColleague {
    fn from(colleague: StaffSummary) -> Self {
        OfficeColleague {
            name: colleague.called().to_owned(),
            role: colleague.role,
            suspended: colleague.suspended_at.is_some(),
            id: colleague.id,
        }
    }
}

/// Lists everybody who works with applications.
#[utoipa::path(
    get,
    path = "/api/admins/colleagues",
    operation_id = "listColleagues",
    tag = "Office: applications",
    responses(
        (status = 200, description = "The ids stand for them wherever one is asked for.", body = OfficeColleagues),
        (status = 403, description = "`role.forbidden`"),
    )
)]
pub async fn colleagues(request: StaffRequest) -> Result<Json<OfficeColleagues>, Problem> {
    let colleagues = request.app().all_staff().await?;
    Ok(Json(OfficeColleagues { colleagues: colleagues.into_iter().map(OfficeColleague::from).collect() }))
}

/// Assigns an application to somebody, or to nobody.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/owner",
    operation_id = "handOverApplication",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The application's id")),
    request_body = OwnerChange,
    responses(
        (status = 204, description = "It is theirs."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `staff.not_found`"),
        (status = 412, description = "`application.stale`: it is somebody else's than `seen` says"),
        (status = 422, description = "`owner.required`"),
    )
)]
pub async fn hand_over(request: StaffRequest, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    let OwnerChange { owner, seen } = OwnerChange::parse(&input)?;
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    let seen = seen.unwrap_or_else(|| dossier.owner().map(str::to_owned));
    request.app().hand_over(&request.who, request.id(), seen.as_deref(), owner.as_deref()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Reads who is to own applications.
pub(super) fn owner(path: &str, input: Option<&Input>) -> Result<Option<String>, FieldError> {
    let id = sent_text("Name a member of staff, or nobody.")(path, input)?;
    Ok(Some(id).filter(|id| id != NOBODY))
}

/// Adds a tag to an application.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/tags",
    operation_id = "tagApplication",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The application's id")),
    request_body = NewTag,
    responses(
        (status = 204, description = "It has the tag."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 422, description = "`tag.required`, `tag.invalid`, `tag.full`: it has 20 tags"),
    )
)]
pub async fn tag(request: StaffRequest, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    let NewTag { tag } = NewTag::parse(&input)?;
    let tagged = request.app().tag_application(&request.who, request.id(), &Mark::AddTag(tag)).await;
    tagged.map_err(of_tag)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removes a tag from an application.
#[utoipa::path(
    delete,
    path = "/api/admins/applications/{id}/tags/{tag}",
    operation_id = "untagApplication",
    tag = "Office: applications",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("tag" = String, Path, description = "The tag"),
    ),
    responses(
        (status = 204, description = "It does not have the tag."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 422, description = "`tag.invalid`"),
    )
)]
pub async fn untag(request: StaffRequest) -> Result<StatusCode, Problem> {
    let tag = tag_of("tag", Some(&Input::Text(request.part("tag").to_owned()))).map_err(Error::from)?;
    request.app().tag_application(&request.who, request.id(), &Mark::RemoveTag(tag)).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) fn tag_of(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    let typed = sent_text("Write a tag of 1 to 40 letters, digits and spaces.")(path, input)?;
    App::parse_tag(&typed).map_err(|error| wrong(path, "invalid", error.message))
}

/// Turns an error about a tag into one about the field it was sent in.
fn of_tag(error: Error) -> Error {
    match error {
        Error::Invalid(errors) => renamed(errors, "newTag", "tag").into(),
        other => other,
    }
}
