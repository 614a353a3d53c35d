//! `/admins/audit`, `/admins/form-health`: searching the record of who did what, and which fields go wrong.

use axum::Json;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::problem::Problem;
use app::field_errors::SPANS;
use app::office::audit_search::{AuditPage, AuditSearch};
use domain::audit::AuditLine;
use domain::input::FieldError;
use domain::moments::rfc3339;

/// A page of the record.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditRecord {
    /// Newest first, at most 50.
    lines: Vec<RecordLine>,
    /// The `before` of the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RecordLine {
    id: String,
    #[schema(format = DateTime)]
    at: String,
    /// `staff:ID`, `applicant:ID` or `system`.
    actor: String,
    /// The name of the member of staff.
    #[schema(required)]
    name: Option<String>,
    #[schema(example = "interview.booked")]
    action: String,
    /// What it was done to: `application:ID`, `staff:ID`…
    subject: String,
    /// What else is recorded about it.
    #[schema(value_type = Object)]
    detail: Value,
}

/// Which fields of the applicants' forms produce the most errors.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormHealth {
    days: i64,
    /// Most errors first.
    fields: Vec<FieldHealth>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FieldHealth {
    /// As in the `fields` of a problem.
    #[schema(example = "employment.currentEmployer.hoursPerWeek")]
    path: String,
    errors: i64,
}

/// Returns the record of who did what.
#[utoipa::path(
    get,
    path = "/api/admins/audit",
    operation_id = "searchAudit",
    tag = "Office: record",
    params(
        ("person" = Option<String>, Query, nullable = false,
            description = "Who did it: an email address, or `staff:ID`, `applicant:ID`, `system`"),
        ("application" = Option<String>, Query, nullable = false, description = "A reference number, or an application's id"),
        ("action" = Option<String>, Query, nullable = false, description = "As `interview.booked`"),
        ("from" = Option<String>, Query, nullable = false, description = "The first day, as `2026-05-04`"),
        ("until" = Option<String>, Query, nullable = false, description = "The last day"),
        ("before" = Option<String>, Query, nullable = false, description = "The `next` of a page, for the one after it"),
    ),
    responses(
        (status = 200, description = "A page of it.", body = AuditRecord),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`person.unknown`, `application.unknown`, `from.invalid`…"),
    )
)]
pub async fn audit(request: StaffRequest) -> Result<Json<AuditRecord>, Problem> {
    let given = |name: &str| request.query(name).unwrap_or_default();
    let search = AuditSearch {
        person: given("person"),
        application: given("application"),
        action: given("action"),
        from: given("from"),
        until: given("until"),
        before: given("before"),
    };
    let page = request.app().search_audit(request.staff(), &search).await?;
    let next = page.next();
    let AuditPage { lines, names, .. } = page;
    let to_line = |line: AuditLine| RecordLine {
        at: rfc3339(line.at),
        name: names.get(&line.actor).cloned(),
        id: line.id,
        actor: line.actor,
        action: line.action,
        subject: line.subject,
        detail: line.detail,
    };
    Ok(Json(AuditRecord { lines: lines.into_iter().map(to_line).collect(), next }))
}

/// Returns which fields of the applicants' forms produce the most errors.
#[utoipa::path(
    get,
    path = "/api/admins/form-health",
    operation_id = "loadFormHealth",
    tag = "Office: record",
    params(("days" = Option<i64>, Query, nullable = false, description = "Looked back on: 7, 30 or 365; 30 if absent")),
    responses(
        (status = 200, description = "The fields.", body = FormHealth),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`days.unknown`"),
    )
)]
pub async fn form_health(request: StaffRequest) -> Result<Json<FormHealth>, Problem> {
    let unknown = || vec![FieldError::new("days", "days.unknown", "Choose 7, 30 or 365 days.")];
    let days = match request.query("days") {
        None => SPANS[1],
        Some(days) => days.parse().ok().filter(|days| SPANS.contains(days)).ok_or_else(unknown)?,
    };
    let fields = request.app().form_health(request.staff(), days).await?;
    let fields = fields.into_iter().map(|(path, errors)| FieldHealth { path, errors });
    Ok(Json(FormHealth { days, fields: fields.collect() }))
}
