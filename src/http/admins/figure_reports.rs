//! `/admins/figures/reports…`: named views of the figures.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::{StaffRequest, renamed};
use crate::json::StrictJson;
use crate::problem::Problem;
use app::Error;
use app::office::figure_reports::may_delete;
use domain::body;
use domain::body::{parameters, sent_text};
use domain::input::FieldError;
use domain::listing::figures::Filter;

/// A named view of the figures, for all staff.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedReport {
    id: String,
    name: String,
    /// The query to send to `GET /api/admins/figures`.
    #[schema(example = "period=4w&program=ba")]
    query: String,
    /// Whether a link to its file is mailed to the caller every Monday.
    mailed: bool,
    can_delete: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct NamedReports {
    reports: Vec<NamedReport>,
}

body! {
    pub struct NewReport given (filter: impl FnOnce(&str) -> Result<Filter, FieldError>) {
        /// 1 to 60 characters.
        #[schema(example = "Last four weeks")]
        name: String = sent_text("Give the report a name."),
        /// The parameters of `GET /api/admins/figures`; none for the unfiltered figures.
        #[schema(value_type = Option<String>, nullable = false, example = "period=4w&program=ba")]
        query: Filter = parameters(filter),
    }
}

/// Lists the reports by name.
#[utoipa::path(
    get,
    path = "/api/admins/figures/reports",
    operation_id = "listFigureReports",
    tag = "Office: applications",
    responses(
        (status = 200, description = "All reports.", body = NamedReports),
        (status = 403, description = "`role.forbidden`"),
    )
)]
pub async fn list(request: StaffRequest) -> Result<Json<NamedReports>, Problem> {
    let reports = request.app().figure_reports(&request.who).await?;
    let reports = reports.into_iter().map(|report| NamedReport {
        can_delete: may_delete(&request.who, &report),
        id: report.id,
        name: report.name,
        query: report.query,
        mailed: report.is_mailed,
    });
    Ok(Json(NamedReports { reports: reports.collect() }))
}

/// Saves a view of the figures under a name, for all staff.
///
/// Sent again with the same `Idempotency-Key`, it is saved once.
#[utoipa::path(
    post,
    path = "/api/admins/figures/reports",
    operation_id = "saveFigureReport",
    tag = "Office: applications",
    params(("Idempotency-Key" = Option<String>, Header)),
    request_body = NewReport,
    responses(
        (status = 204, description = "It is kept."),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`name.required`, `name.length`, `name.taken`, `name.full`, `query.invalid`"),
    )
)]
pub async fn save(request: StaffRequest, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    let NewReport { name, query } = NewReport::parse(&input, |query| filter(&request, query))?;
    let id = request.new_id("report");
    request.app().save_figure_report(&request.who, &id, &name, query).await.map_err(of_name)?;
    Ok(StatusCode::NO_CONTENT)
}

fn filter(request: &StaffRequest, query: &str) -> Result<Filter, FieldError> {
    let pairs: Vec<_> = url::form_urlencoded::parse(query.as_bytes()).collect();
    let (filter, errors) = Filter::parse(pairs.iter().map(|(name, value)| (&**name, &**value)), request.app().today());
    match errors.into_iter().next() {
        None => Ok(filter),
        Some(error) => Err(FieldError::new("query", "query.invalid", error.message)),
    }
}

/// Deletes a report: the caller's own or, for roles that share views, anybody's.
#[utoipa::path(
    delete,
    path = "/api/admins/figures/reports/{id}",
    operation_id = "deleteFigureReport",
    tag = "Office: applications",
    params(("id" = String, Path)),
    responses(
        (status = 204, description = "It is deleted."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`view.not_found`"),
    )
)]
pub async fn delete(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().delete_figure_report(&request.who, request.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Mails a link to the report's file to the caller every Monday.
#[utoipa::path(
    post,
    path = "/api/admins/figures/reports/{id}/mails",
    operation_id = "startMailingFigureReport",
    tag = "Office: applications",
    params(("id" = String, Path)),
    responses(
        (status = 204, description = "It is mailed from the next Monday on."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`view.not_found`"),
    )
)]
pub async fn start_mails(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().mail_figure_report(&request.who, request.id(), true).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Stops mailing it to the caller.
#[utoipa::path(
    delete,
    path = "/api/admins/figures/reports/{id}/mails",
    operation_id = "stopMailingFigureReport",
    tag = "Office: applications",
    params(("id" = String, Path)),
    responses(
        (status = 204, description = "It is not mailed any more."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`view.not_found`"),
    )
)]
pub async fn stop_mails(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().mail_figure_report(&request.who, request.id(), false).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn of_name(error: Error) -> Error {
    match error {
        Error::Invalid(errors) => renamed(errors, "reportName", "name").into(),
        other => other,
    }
}
