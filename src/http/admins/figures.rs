//! `/admins/figures…`: statistics about applications.

use axum::Json;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use super::waitlist::IntakeCapacity;
use crate::problem::Problem;
use app::office::figures::Counted;
use domain::input::FieldError;
use domain::listing::figures::{Filter, SHOWN, Took, WAITS};
use domain::moments::rfc3339;
use wire::figures::csv;

/// Statistics about applications; at most a minute old.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeFigures {
    #[schema(format = DateTime)]
    counted_at: String,
    /// The first day.
    #[schema(format = Date)]
    from: String,
    /// The last day.
    #[schema(format = Date)]
    to: String,
    /// The statuses that `byStatus` counts, in their order.
    statuses: Vec<&'static str>,
    /// Weeks from Monday on, or months if there were more than 60 weeks; oldest first.
    spans: Vec<SpanOfFigures>,
    /// Of the applications started in this period, how many came at least this far.
    steps: Vec<StepOfFigures>,
    /// Of the applications submitted in this period, how long they stayed in the stages they have left.
    stays: Vec<StayOfFigures>,
    /// The days of waiting at which the ranges of `counts` begin, in their order: each ends before the next, the last
    /// is open-ended.
    waits: Vec<i64>,
    /// What is waiting now, whenever it was submitted.
    waiting: Vec<FiguresWaiting>,
    /// What staff did about the applications submitted in this period.
    readers: Vec<ReaderOfFigures>,
    /// The applications submitted in this period, by means of payment; one may name several.
    funding: Vec<FundingOfFigures>,
    /// The places of intakes, whenever their applications were submitted; by program and start.
    capacity: Vec<IntakeCapacity>,
}

/// A week or a month.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpanOfFigures {
    #[schema(format = Date)]
    from: String,
    /// The last day.
    #[schema(format = Date)]
    to: String,
    submitted: i64,
    /// Applications submitted in it, by their present status.
    by_status: Vec<i64>,
    /// Decisions released in it, in days since the submission.
    decided: TookOfFigures,
}

/// How many there were, and how long they took.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TookOfFigures {
    count: i64,
    /// The median, in days.
    #[schema(required)]
    median_days: Option<i64>,
    /// The 90th percentile, in days.
    #[schema(required)]
    most_days: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct StepOfFigures {
    stage: &'static str,
    count: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct StayOfFigures {
    stage: &'static str,
    took: TookOfFigures,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FiguresWaiting {
    stage: &'static str,
    counts: Vec<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReaderOfFigures {
    /// The id of the account.
    id: String,
    name: String,
    /// Applications they are responsible for now.
    looks_after: i64,
    /// Documents they reviewed, counted by application, in days since the submission.
    reviewed: TookOfFigures,
    /// Interviews they scored, in days since the interview.
    scored: TookOfFigures,
    /// Decisions they drafted that were released, in days since the submission.
    decided: TookOfFigures,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FundingOfFigures {
    /// A means of payment; `null` for applications that name none.
    #[schema(required)]
    funding: Option<&'static str>,
    by_status: Vec<i64>,
}

impl From<Took> for TookOfFigures {
    fn from(took: Took) -> TookOfFigures {
        TookOfFigures { count: took.count, median_days: took.median_days, most_days: took.most_days }
    }
}

/// Returns the statistics, by the same parameters as the page's address; empty ones count as absent.
#[utoipa::path(
    get,
    path = "/api/admins/figures",
    operation_id = "loadFigures",
    tag = "Office: applications",
    params(
        ("period" = Option<String>, Query, nullable = false,
            description = "`4w`, `13w`, `26w` (if absent), `52w`, `this-year` or `last-year`; counts unless other days are given"),
        ("from" = Option<String>, Query, nullable = false, description = "The first day, with `to`"),
        ("to" = Option<String>, Query, nullable = false, description = "The last day, at most five years later"),
        ("program" = Option<String>, Query, nullable = false, description = "`ba` or `msc`"),
        ("intake" = Option<String>, Query, nullable = false, description = "As `2026-08`; known from the decision on"),
    ),
    responses(
        (status = 200, description = "The figures.", body = OfficeFigures),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "A parameter means nothing: `from.invalid`, `to.order`…"),
    )
)]
pub async fn load(request: StaffRequest) -> Result<Json<OfficeFigures>, Problem> {
    let counted = counted(&request).await?;
    let (filter, figures) = (&counted.filter, &counted.figures);
    let spans = figures.spans.iter().map(|one| SpanOfFigures {
        from: one.span.from.to_string(),
        to: one.span.to.to_string(),
        submitted: one.by_status.iter().sum(),
        by_status: one.by_status.to_vec(),
        decided: one.decided.into(),
    });
    let waiting = figures.waiting.iter();
    let readers = figures.readers.iter().map(|reader| {
        let [reviewed, scored, decided] = reader.work.map(TookOfFigures::from);
        ReaderOfFigures {
            id: reader.staff_id.clone(),
            name: counted.called(&reader.staff_id).to_owned(),
            looks_after: reader.owned,
            reviewed,
            scored,
            decided,
        }
    });
    let funding = figures.funding.iter();
    Ok(Json(OfficeFigures {
        counted_at: rfc3339(counted.at),
        from: filter.from.to_string(),
        to: filter.to.to_string(),
        statuses: SHOWN.map(|status| status.as_str()).to_vec(),
        spans: spans.collect(),
        steps: figures
            .steps
            .iter()
            .map(|step| StepOfFigures { stage: step.stage.as_str(), count: step.count })
            .collect(),
        stays: figures
            .stays
            .iter()
            .map(|(stage, took)| StayOfFigures { stage: stage.as_str(), took: (*took).into() })
            .collect(),
        waits: WAITS.to_vec(),
        waiting: waiting
            .map(|(stage, counts)| FiguresWaiting { stage: stage.as_str(), counts: counts.to_vec() })
            .collect(),
        readers: readers.collect(),
        funding: funding
            .map(|(funding, by_status)| FundingOfFigures { funding: *funding, by_status: by_status.to_vec() })
            .collect(),
        capacity: counted.capacity.iter().map(IntakeCapacity::from).collect(),
    }))
}

/// Returns the same as comma-separated values, one line per number.
#[utoipa::path(
    get,
    path = "/api/admins/figures.csv",
    operation_id = "exportFiguresAsCsv",
    tag = "Office: applications",
    responses(
        (status = 200, description = "All numbers.", body = String, content_type = "text/csv"),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "A parameter means nothing: `from.invalid`, `to.order`…"),
    )
)]
pub async fn as_csv(request: StaffRequest) -> Result<Response, Problem> {
    Ok(csv(&counted(&request).await?))
}

async fn counted(request: &StaffRequest) -> Result<Counted, Problem> {
    let filter = filter(request)?;
    Ok(request.app().figures(&request.who, filter).await?)
}

fn filter(request: &StaffRequest) -> Result<Filter, Vec<FieldError>> {
    let pairs = request.pairs();
    let (filter, errors) = Filter::parse(pairs.iter().map(|(name, value)| (&**name, &**value)), request.app().today());
    if errors.is_empty() { Ok(filter) } else { Err(errors) }
}
