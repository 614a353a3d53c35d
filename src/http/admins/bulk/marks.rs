//! `/admins/bulk/assign…` and `/admins/bulk/tag…`

use axum::Json;

use super::{BulkOutcome, BulkResult, BulkRow, RowOutcome, applications, listed, rows};
use crate::admins::marks::{owner, tag_of};
use crate::admins::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::office::bulk::RowResult;
use app::{Error, Refusal};
use domain::body;
use domain::body::yes_or_no;
use domain::input::{FieldError, Input};
use domain::listing::{Listing, Mark, Marked};

body! {
    pub struct BulkAssignment {
        /// 1 to 100 ids.
        #[schema(min_items = 1, max_items = 100)]
        applications: Vec<String> = applications,
        /// The id of the member of staff to make responsible, or `nobody`.
        #[schema(value_type = String, example = "nobody")]
        owner: Option<String> = owner,
    }
}

body! {
    pub struct BulkTagging {
        /// 1 to 100 ids.
        #[schema(min_items = 1, max_items = 100)]
        applications: Vec<String> = applications,
        /// 1 to 40 letters, digits and spaces.
        #[schema(example = "second look")]
        tag: String = tag_of,
        /// Removes the tag instead of adding it.
        remove: Option<bool> = yes_or_no,
    }
}

/// Previews assigning several applications.
#[utoipa::path(
    post,
    path = "/api/admins/bulk/assign/look",
    operation_id = "lookAtAssigning",
    tag = "Office: several applications",
    request_body = BulkAssignment,
    responses(
        (status = 200, description = "Every application. Nothing is changed.", body = BulkResult),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`staff.not_found`"),
        (status = 422, description = "`applications.required`, `applications.range`, `owner.required`"),
    )
)]
pub async fn look_at_assigning(
    request: StaffRequest,
    StrictJson(input): StrictJson,
) -> Result<Json<BulkResult>, Problem> {
    let (ids, owner) = assignment(&input)?;
    if let Some(owner) = &owner {
        request.app().staff_by_id(owner).await?;
    }
    look(&request, ids).await
}

/// Assigns several applications to a member of staff, or to nobody.
///
/// Each is handled separately and has its own outcome. Sent again, nothing is done twice.
#[utoipa::path(
    post,
    path = "/api/admins/bulk/assign",
    operation_id = "assignApplications",
    tag = "Office: several applications",
    request_body = BulkAssignment,
    responses(
        (status = 200, description = "What became of each.", body = BulkResult),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`staff.not_found`"),
        (status = 422, description = "`applications.required`, `applications.range`, `owner.required`"),
    )
)]
pub async fn assign(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<BulkResult>, Problem> {
    let (ids, owner) = assignment(&input)?;
    mark(&request, &ids, &Mark::Owner(owner)).await
}

/// Previews tagging several applications.
#[utoipa::path(
    post,
    path = "/api/admins/bulk/tag/look",
    operation_id = "lookAtTagging",
    tag = "Office: several applications",
    request_body = BulkTagging,
    responses(
        (status = 200, description = "Every application. Nothing is changed.", body = BulkResult),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`applications.required`, `applications.range`, `tag.required`, `tag.invalid`"),
    )
)]
pub async fn look_at_tagging(
    request: StaffRequest,
    StrictJson(input): StrictJson,
) -> Result<Json<BulkResult>, Problem> {
    let (ids, _) = tagging(&input)?;
    look(&request, ids).await
}

/// Adds a tag to several applications, or removes it.
///
/// Each is handled separately and has its own outcome. Sent again, nothing is done twice.
#[utoipa::path(
    post,
    path = "/api/admins/bulk/tag",
    operation_id = "tagApplications",
    tag = "Office: several applications",
    request_body = BulkTagging,
    responses(
        (status = 200, description = "What became of each.", body = BulkResult),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`applications.required`, `applications.range`, `tag.required`, `tag.invalid`"),
    )
)]
pub async fn tag(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<BulkResult>, Problem> {
    let (ids, tagging) = tagging(&input)?;
    mark(&request, &ids, &tagging).await
}

fn assignment(input: &Input) -> Result<(Vec<String>, Option<String>), Vec<FieldError>> {
    BulkAssignment::parse(input).map(|assignment| (assignment.applications, assignment.owner))
}

fn tagging(input: &Input) -> Result<(Vec<String>, Mark), Vec<FieldError>> {
    let BulkTagging { applications, tag, remove } = BulkTagging::parse(input)?;
    Ok((applications, if remove == Some(true) { Mark::RemoveTag(tag) } else { Mark::AddTag(tag) }))
}

async fn look(request: &StaffRequest, ids: Vec<String>) -> Result<Json<BulkResult>, Problem> {
    let listed = listed(request, &ids).await?;
    let is_listed = |id: &String| listed.iter().any(|listing| listing.application_id == *id);
    let result = |id: String| {
        let result = if is_listed(&id) { Ok(()) } else { Err(Refusal::ApplicationNotFound.into()) };
        RowResult { application_id: id, result }
    };
    let results: Vec<RowResult<()>> = ids.into_iter().map(result).collect();
    Ok(bulk_result(rows(&listed, results, |_, ()| RowOutcome::plain(BulkOutcome::Ready))))
}

async fn mark(request: &StaffRequest, ids: &[String], mark: &Mark) -> Result<Json<BulkResult>, Problem> {
    let results = request.app().mark_applications(&request.who, ids, mark).await?;
    let listed: Vec<Listing> = listed(request, ids).await?;
    let result = |marked: Marked| match marked {
        Marked::Done => Ok(true),
        Marked::Unchanged => Ok(false),
        Marked::Missing => Err(Refusal::ApplicationNotFound.into()),
        Marked::Full => Err(FieldError::new("tag", "tag.full", "It has 20 tags. Take one off first.").into()),
        Marked::Unavailable => Err(Error::Unavailable(None)),
    };
    let results: Vec<RowResult<bool>> = results
        .into_iter()
        .map(|one| RowResult { application_id: one.application_id, result: result(one.marked) })
        .collect();
    Ok(bulk_result(rows(&listed, results, |_, now| RowOutcome::done(now))))
}

fn bulk_result(applications: Vec<BulkRow>) -> Json<BulkResult> {
    Json(BulkResult { applications, samples: Vec::new() })
}
