//! `/admins/applications/{id}/owner`, `…/tags…`, `/admins/colleagues`: whose an application is, and its tags.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::{Fields, StaffRequest, only, renamed, text};
use crate::app::ports::{Colleague, Mark};
use crate::app::{App, Error};
use crate::domain::input::{FieldError, Input};
use crate::domain::listing::NOBODY;
use crate::domain::role::Role;
use crate::http::json::StrictJson;
use crate::http::problem::Problem;

#[derive(ToSchema)]
pub struct OwnerChange {
    /// The id of the member of staff who looks after it, or `nobody`.
    #[schema(example = "nobody")]
    pub owner: String,
    /// Whose it was when that was chosen, or `nobody`. Without it, whosever it is.
    #[schema(nullable = false)]
    pub seen: Option<String>,
}

#[derive(ToSchema)]
pub struct NewTag {
    /// 1 to 40 letters, digits and spaces.
    #[schema(example = "second look")]
    pub tag: String,
}

/// A member of staff, as colleagues know them.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfficeColleague {
    id: String,
    /// Their address, as long as they have told no name.
    name: String,
    role: Role,
    /// Nothing is given to them.
    suspended: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OfficeColleagues {
    colleagues: Vec<OfficeColleague>,
}

impl From<Colleague> for OfficeColleague {
    fn from(colleague: Colleague) -> Self {
        OfficeColleague {
            name: colleague.called().to_owned(),
            role: colleague.role,
            suspended: colleague.suspended_at.is_some(),
            id: colleague.id,
        }
    }
}

/// Everybody who works with applications.
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
pub async fn colleagues(asked: StaffRequest) -> Result<Json<OfficeColleagues>, Problem> {
    let colleagues = asked.app().store.colleagues().await.map_err(Error::from)?;
    Ok(Json(OfficeColleagues { colleagues: colleagues.into_iter().map(OfficeColleague::from).collect() }))
}

/// Gives an application to somebody, or to nobody.
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
pub async fn hand_over(asked: StaffRequest, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    let mut fields = Fields::of(&input, &["owner", "seen"])?;
    let owner = fields.read("owner", owner);
    let seen = fields.read("seen", |given| given.map(|given| id_or_nobody("seen", given)).transpose());
    let (owner, seen) = fields.done(owner.zip(seen))?;
    let dossier = asked.app().dossier(&asked.who, asked.id()).await?;
    let seen = seen.unwrap_or_else(|| dossier.owner().map(str::to_owned));
    asked.app().hand_over(&asked.who, asked.id(), seen.as_deref(), owner.as_deref()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Reads who is to look after applications.
pub(super) fn owner(input: Option<&Input>) -> Result<Option<String>, FieldError> {
    let missing = || FieldError::new("owner", "owner.required", "Name a member of staff, or nobody.");
    id_or_nobody("owner", input.ok_or_else(missing)?)
}

fn id_or_nobody(name: &'static str, input: &Input) -> Result<Option<String>, FieldError> {
    let id = text(name, "Name a member of staff, or nobody.")(Some(input))?;
    Ok(Some(id).filter(|id| id != NOBODY))
}

/// Puts a tag on an application.
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
pub async fn tag(asked: StaffRequest, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    let tag = only(&input, "tag", tag_of)?;
    let tagged = asked.app().tag_application(&asked.who, asked.id(), &Mark::AddTag(tag)).await;
    tagged.map_err(of_tag)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes a tag off an application.
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
pub async fn untag(asked: StaffRequest) -> Result<StatusCode, Problem> {
    let tag = tag_of(Some(&Input::Text(asked.part("tag").to_owned()))).map_err(Error::from)?;
    asked.app().tag_application(&asked.who, asked.id(), &Mark::RemoveTag(tag)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Reads a tag.
pub(super) fn tag_of(input: Option<&Input>) -> Result<String, FieldError> {
    let typed = text("tag", "Write a tag of 1 to 40 letters, digits and spaces.")(input)?;
    App::parse_tag(&typed).map_err(|error| FieldError { path: "tag".into(), code: "tag.invalid".into(), ..error })
}

/// What is wrong with a tag, told of the field that it is sent in.
fn of_tag(error: Error) -> Error {
    match error {
        Error::Invalid(errors) => renamed(errors, "newTag", "tag").into(),
        other => other,
    }
}
