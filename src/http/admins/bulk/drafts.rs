//! `/admins/bulk/draft…`

use axum::Json;

use super::{BulkOutcome, BulkResult, BulkSample, RowOutcome, SAMPLES, Several, listed, rows};
use crate::admins::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::decisions::drafting::{ReleaseFacts, may_be_released};
use domain::body::{both, split};
use domain::decision::{Decision, DecisionFields, Draft};
use domain::input::{FieldError, Input};
use domain::joined;
use domain::listing::Listing;

joined! {
    pub struct BulkDraft(Several, DecisionFields);
}

/// Previews drafting the same decision on several applications.
#[utoipa::path(
    post,
    path = "/api/admins/bulk/draft/look",
    operation_id = "lookAtDrafts",
    tag = "Office: several applications",
    request_body = BulkDraft,
    responses(
        (status = 200, description = "Every application, with what stands against a draft or, where it is ready, against \
            releasing it as it is; and the first of the letters. Nothing is kept.", body = BulkResult),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`applications.required`, `applications.range`, and as for one decision"),
    )
)]
pub async fn look(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<BulkResult>, Problem> {
    let (ids, draft) = drafting(&request, input).await?;
    let results = request.app().preview_drafts(&request.who, &ids, &draft).await?;
    let listed = listed(&request, &ids).await?;
    let listing = |id: &str| listed.iter().find(|listing| listing.application_id == id);
    let drafted = results.iter().filter_map(|one| one.result.as_ref().ok());
    let samples = drafted.take(SAMPLES).map(|decision| sample(listing(&decision.application_id), decision)).collect();
    let role = request.staff().role;
    let ready = |id: &str, decision: Decision| {
        let refused = listing(id).and_then(|listing| {
            may_be_released(&decision, listing.stage, role, ReleaseFacts::drafted_now(listing)).err()
        });
        let why = refused.map(|refused| (refused.code().to_owned(), refused.sentence().to_string()));
        RowOutcome { outcome: BulkOutcome::Ready, why }
    };
    Ok(Json(BulkResult { applications: rows(&listed, results, ready), samples }))
}

/// Drafts the same decision on several applications.
///
/// Each is handled separately and has its own outcome. An application with another draft keeps it; sent again, nothing
/// is done twice.
#[utoipa::path(
    post,
    path = "/api/admins/bulk/draft",
    operation_id = "draftDecisions",
    tag = "Office: several applications",
    request_body = BulkDraft,
    responses(
        (status = 200, description = "What became of each.", body = BulkResult),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`applications.required`, `applications.range`, and as for one decision"),
    )
)]
pub async fn draft(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<BulkResult>, Problem> {
    let (ids, draft) = drafting(&request, input).await?;
    let results = request.app().draft_decisions(&request.who, &ids, &draft).await?;
    let applications = rows(&listed(&request, &ids).await?, results, |_, _| RowOutcome::done(true));
    Ok(Json(BulkResult { applications, samples: Vec::new() }))
}

async fn drafting(request: &StaffRequest, input: Input) -> Result<(Vec<String>, Draft), Vec<FieldError>> {
    let (own, rest) = split::<Several>(input);
    let product = request.app().product_settings().await;
    let (chosen, draft) = both(Several::parse(&own), Draft::parse(&rest, &product.reasons))?;
    Ok((chosen.applications, draft))
}

fn sample(listing: Option<&Listing>, decision: &Decision) -> BulkSample {
    let name = listing.map(|listing| format!("{} {}", listing.first_name, listing.last_name));
    BulkSample { name: name.unwrap_or_default(), subject: None, text: decision.letter.clone() }
}
