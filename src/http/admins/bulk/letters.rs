//! `/admins/bulk/mail…` and `/admins/bulk/ask…`

use axum::Json;

use super::{BulkOutcome, BulkResult, Counted, RowOutcome, SAMPLES, listed, rows};
use crate::admins::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::office::bulk::{DocumentAsked, Mailing, NotAsked, RowResult, Sample, confirmed};
use domain::body::{both, split};
use domain::input::{FieldError, Input};
use domain::joined;

joined! {
    pub struct BulkMail(Counted, Mailing);
}

joined! {
    pub struct BulkRequest(Counted, DocumentAsked);
}

/// Previews the mails to several applicants.
#[utoipa::path(
    post,
    path = "/api/admins/bulk/mail/look",
    operation_id = "lookAtMailing",
    tag = "Office: several applications",
    request_body = BulkMail,
    responses(
        (status = 200, description = "Every application, and the first of the mails. Nothing is sent.", body = BulkResult),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`applications.required`, `applications.range`, `subject.required`, \
            `subject.field`: there is no such field; `text.required`, `text.field`…"),
    )
)]
pub async fn look_at_mailing(
    request: StaffRequest,
    StrictJson(input): StrictJson,
) -> Result<Json<BulkResult>, Problem> {
    let (Counted { applications: ids, .. }, mailing) = mailing(input)?;
    let results = request.app().preview_mailing(&request.who, &ids, &mailing).await?;
    let samples = results.iter().filter_map(|one| one.result.as_ref().ok()).take(SAMPLES).cloned().collect();
    respond(&request, &ids, results, samples, |_| RowOutcome::plain(BulkOutcome::Ready)).await
}

/// Writes to several applicants.
///
/// Each is handled separately and has its own outcome. Sent again under the same `Idempotency-Key`, each is written to
/// once.
#[utoipa::path(
    post,
    path = "/api/admins/bulk/mail",
    operation_id = "mailApplicants",
    tag = "Office: several applications",
    params(("Idempotency-Key" = Option<String>, Header, nullable = false,
        description = "Names the mails: sent again under the same key, each is written once")),
    request_body = BulkMail,
    responses(
        (status = 200, description = "What became of each.", body = BulkResult),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "As for looking; `count.other`: they are not so many"),
    )
)]
pub async fn mail(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<BulkResult>, Problem> {
    let (Counted { applications: ids, count }, mailing) = mailing(input)?;
    confirmed(&ids, count).map_err(|error| vec![error])?;
    let results = request.app().write_to_applicants(&request.who, &ids, &request.new_id("bulk mail"), &mailing).await?;
    respond(&request, &ids, results, Vec::new(), RowOutcome::done).await
}

/// Previews asking several applicants for a document.
#[utoipa::path(
    post,
    path = "/api/admins/bulk/ask/look",
    operation_id = "lookAtAsking",
    tag = "Office: several applications",
    request_body = BulkRequest,
    responses(
        (status = 200, description = "Every application, and the first of the mails. Nothing is sent.", body = BulkResult),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`applications.required`, `applications.range`, `document.required`, \
            `text.required`, `text.too_long`, `dueOn.invalid`, `dueOn.past`"),
    )
)]
pub async fn look_at_asking(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<BulkResult>, Problem> {
    let (Counted { applications: ids, .. }, document) = asking(&request, input)?;
    let results = request.app().preview_asking(&request.who, &ids, &document).await?;
    let sample = |one: &RowResult<Result<Sample, NotAsked>>| one.result.as_ref().ok()?.as_ref().ok().cloned();
    let samples = results.iter().filter_map(sample).take(SAMPLES).collect();
    let ready =
        |asked: Result<Sample, NotAsked>| asked.map_or_else(not_asked, |_| RowOutcome::plain(BulkOutcome::Ready));
    respond(&request, &ids, results, samples, ready).await
}

/// Asks several applicants for a document they have not sent.
///
/// Each is handled separately and has its own outcome. Sent again under the same `Idempotency-Key`, each is asked once.
#[utoipa::path(
    post,
    path = "/api/admins/bulk/ask",
    operation_id = "askForDocument",
    tag = "Office: several applications",
    params(("Idempotency-Key" = Option<String>, Header, nullable = false,
        description = "Names the requests: sent again under the same key, each is asked once")),
    request_body = BulkRequest,
    responses(
        (status = 200, description = "What became of each: of those left alone `document.there`, `document.waived`, \
            `document.not_called_for`, `document.stage`, `applicant.closed`, `application.not_found`", body = BulkResult),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "As for looking; `count.other`: they are not so many"),
    )
)]
pub async fn ask(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<BulkResult>, Problem> {
    let (Counted { applications: ids, count }, document) = asking(&request, input)?;
    confirmed(&ids, count).map_err(|error| vec![error])?;
    let results = request.app().ask_for_document(&request.who, &ids, &request.new_id("bulk ask"), &document).await?;
    let done = |asked: Result<bool, NotAsked>| asked.map_or_else(not_asked, RowOutcome::done);
    respond(&request, &ids, results, Vec::new(), done).await
}

fn mailing(input: Input) -> Result<(Counted, Mailing), Vec<FieldError>> {
    let (own, rest) = split::<Counted>(input);
    both(Counted::parse(&own), Mailing::parse(&rest))
}

fn asking(request: &StaffRequest, input: Input) -> Result<(Counted, DocumentAsked), Vec<FieldError>> {
    let (own, rest) = split::<Counted>(input);
    both(Counted::parse(&own), request.app().parse_asking(&rest))
}

fn not_asked(why: NotAsked) -> RowOutcome {
    RowOutcome { outcome: BulkOutcome::Failed, why: Some((why.code().to_owned(), why.sentence().to_owned())) }
}

async fn respond<T>(
    request: &StaffRequest,
    ids: &[String],
    results: Vec<RowResult<T>>,
    samples: Vec<Sample>,
    outcome_of: impl Fn(T) -> RowOutcome,
) -> Result<Json<BulkResult>, Problem> {
    let listed = listed(request, ids).await?;
    Ok(Json(BulkResult {
        applications: rows(&listed, results, |_, result| outcome_of(result)),
        samples: samples.into_iter().map(Into::into).collect(),
    }))
}
