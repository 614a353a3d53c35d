//! `GET /admins/applications`, also as a file

use axum::Json;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::problem::Problem;
use app::office::listings::{FoundApplications, view_of};
use domain::application_fee::FeeState;
use domain::input::FieldError;
use domain::listing::{Facet, MAX_COUNTED, NOBODY, View};
use domain::moments::rfc3339;
use domain::permission::Permission;
use wire::listing::{self, Format};

/// A page of a view of the list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationList {
    applications: Vec<ListedApplication>,
    /// The number of applications in the view, on all pages: at most 1000.
    count: i64,
    /// Whether `count` is exact. Counting stops at 1000, and earlier if the filter picks rare entries out of many.
    count_is_complete: bool,
    /// The `after` of the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next: Option<String>,
    /// The `before` of the previous page; absent on the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    previous: Option<String>,
}

/// An application in the list. Personal data is absent for roles that may not see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedApplication {
    id: String,
    reference: Option<String>,
    /// Empty for roles that see no personal data.
    first_name: String,
    /// The reference number for roles that see no personal data.
    last_name: String,
    /// Empty for roles that see no personal data.
    email: String,
    /// `ba` or `msc`
    program: &'static str,
    status: &'static str,
    stage: &'static str,
    /// Whether something waits for staff.
    needs_action: bool,
    #[schema(format = DateTime)]
    submitted_at: String,
    /// When it entered its stage.
    #[schema(format = DateTime)]
    waiting_since: String,
    #[schema(format = DateTime)]
    interview_at: Option<String>,
    /// `2026-08`
    intake: Option<String>,
    /// The id of the member of staff responsible for it.
    owner: Option<String>,
    tags: Vec<String>,
    /// Whether a required document is missing.
    lacks_documents: bool,
    military: bool,
    dod_employee: bool,
    /// The means of payment: `self`, `employer`…
    funding: Vec<String>,
    /// How far the application fee is; null if there is none.
    fee: Option<FeeState>,
    #[serde(flatten)]
    personal: Option<ListedPerson>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedPerson {
    phone_number: String,
    /// Two letters: `US`
    country: Option<String>,
    /// Two letters, for an address in the United States: `TX`
    state: Option<String>,
    us_citizen: bool,
}

impl ListedApplication {
    fn new(row: domain::listing::Listing, with_personal_data: bool) -> ListedApplication {
        let one = |facet| row.values(facet).next().map(str::to_owned);
        let all = |facet| row.values(facet).map(str::to_owned).collect();
        let is = |facet| row.values(facet).next() == Some("yes");
        let personal = with_personal_data.then(|| ListedPerson {
            phone_number: row.phone_number.clone(),
            country: one(Facet::Country),
            state: one(Facet::State),
            us_citizen: is(Facet::Citizen),
        });
        ListedApplication {
            program: row.program.application_type(),
            status: row.stage.status().as_str(),
            stage: row.stage.as_str(),
            needs_action: row.needs_action,
            submitted_at: rfc3339(row.submitted_at),
            waiting_since: rfc3339(row.waiting_since),
            interview_at: row.interview_at.map(rfc3339),
            intake: one(Facet::Intake),
            owner: one(Facet::Owner).filter(|owner| owner != NOBODY),
            tags: all(Facet::Tag),
            lacks_documents: one(Facet::Documents).is_some(),
            military: is(Facet::Military),
            dod_employee: is(Facet::Dod),
            funding: all(Facet::Funding),
            fee: one(Facet::Fee).as_deref().and_then(FeeState::parse),
            personal,
            id: row.application_id,
            reference: row.reference,
            first_name: row.first_name,
            last_name: row.last_name,
            email: row.email,
        }
    }
}

/// Returns a view of the list of applications, page by page.
///
/// Everything submitted, by the same parameters as the page's address; empty ones count as absent.
#[utoipa::path(
    get,
    path = "/api/admins/applications",
    operation_id = "listApplications",
    tag = "Office: applications",
    params(
        ("tab" = Option<String>, Query, nullable = false,
            description = "`needs-action` (if absent), `submitted`, `interviews`, `decisions`, `enrolling` or `all`"),
        ("q" = Option<String>, Query, nullable = false,
            description = "Words or their beginnings: names, an email address, a reference number, a telephone number; at most 200 characters, of which one is a letter or digit"),
        ("sort" = Option<String>, Query, nullable = false, description = "`waiting`, `submitted`, `interview`, `name`, `stage`, `program` or `owner`; from the other end with `-` before it"),
        ("then" = Option<String>, Query, nullable = false, description = "As `sort`, for those that are alike by it: of the same stage, the same day, the same name"),
        ("pageSize" = Option<i64>, Query, nullable = false, minimum = 1, maximum = 100, description = "50 if absent"),
        ("after" = Option<String>, Query, nullable = false, description = "The `next` of a page, for the one after it"),
        ("before" = Option<String>, Query, nullable = false, description = "The `previous` of a page, for the one before it"),
        ("program" = Option<String>, Query, nullable = false, description = "`ba` or `msc`"),
        ("status" = Option<String>, Query, nullable = false, description = "A status"),
        ("stage" = Option<String>, Query, nullable = false, description = "A stage"),
        ("intake" = Option<String>, Query, nullable = false, description = "As `2026-08`"),
        ("owner" = Option<String>, Query, nullable = false, description = "The id of a member of staff, or `nobody`"),
        ("military" = Option<String>, Query, nullable = false, description = "`yes` or `no`"),
        ("dod" = Option<String>, Query, nullable = false, description = "`yes` or `no`"),
        ("citizen" = Option<String>, Query, nullable = false, description = "`yes` or `no`; for roles that see personal data"),
        ("state" = Option<String>, Query, nullable = false, description = "As `TX`; for roles that see personal data"),
        ("country" = Option<String>, Query, nullable = false, description = "As `US`; for roles that see personal data"),
        ("funding" = Option<String>, Query, nullable = false, description = "A way to pay"),
        ("documents" = Option<String>, Query, nullable = false, description = "`missing`"),
        ("fee" = Option<String>, Query, nullable = false, description = "`due`, `paid`, `waived` or `none`"),
        ("tag" = Option<String>, Query, nullable = false, description = "A tag"),
        ("interviewFrom" = Option<String>, Query, nullable = false, description = "An interview on that day or later: `2026-05-31`"),
        ("interviewTo" = Option<String>, Query, nullable = false, description = "An interview on that day or earlier"),
        ("submittedFrom" = Option<String>, Query, nullable = false, description = "Submitted on that day or later"),
        ("submittedTo" = Option<String>, Query, nullable = false, description = "Submitted on that day or earlier"),
        ("waiting" = Option<i64>, Query, nullable = false, minimum = 0, maximum = 9999,
            description = "At least so many days in its stage"),
        ("waitingBelow" = Option<i64>, Query, nullable = false, minimum = 0, maximum = 9999,
            description = "Fewer days than that in its stage"),
    ),
    responses(
        (status = 200, description = "A page of the view.", body = ApplicationList),
        (status = 422, description = "A parameter means nothing: `q.invalid`, `pageSize.range`…"),
    )
)]
pub async fn list(request: StaffRequest) -> Result<Json<ApplicationList>, Problem> {
    let view = view(&request)?;
    let FoundApplications { page, count } = request.app().find_applications(&request.who, &view).await?;
    let order = request.app().list_order(&view);
    let place = |row: Option<&domain::listing::Listing>| row.map(|row| order.cursor(row).to_text());
    let previous = place(page.rows.first()).filter(|_| page.has_before);
    let next = place(page.rows.last()).filter(|_| page.has_after);
    let personal = request.staff().role.may(Permission::PersonalData);
    let applications = page.rows.into_iter().map(|row| ListedApplication::new(row, personal)).collect();
    Ok(Json(ApplicationList { applications, count: count.number, count_is_complete: count.is_all, next, previous }))
}

fn view(request: &StaffRequest) -> Result<View, Vec<FieldError>> {
    let pairs = request.pairs();
    let (view, errors) = view_of(request.staff(), pairs.iter().map(|(name, value)| (&**name, &**value)));
    if errors.is_empty() { Ok(view) } else { Err(errors) }
}

/// Exports a view of the list as comma-separated values, by the same parameters as the list.
///
/// The record notes who exported it. A cell that a spreadsheet would take for a formula gets an apostrophe before it.
#[utoipa::path(
    get,
    path = "/api/admins/applications.csv",
    operation_id = "exportApplicationsAsCsv",
    tag = "Office: applications",
    responses(
        (status = 200, description = "All rows of the view.", body = String, content_type = "text/csv"),
        (status = 401, description = "`auth.step_up`"),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "A parameter means nothing: `q.invalid`…"),
    )
)]
pub async fn as_csv(request: StaffRequest) -> Result<Response, Problem> {
    file(request, Format::Csv).await
}

/// Exports a view of the list as a workbook, by the same parameters as the list.
///
/// The record notes who exported it.
#[utoipa::path(
    get,
    path = "/api/admins/applications.xlsx",
    operation_id = "exportApplicationsAsXlsx",
    tag = "Office: applications",
    responses(
        (status = 200, description = "All rows of the view.", body = String,
            content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (status = 401, description = "`auth.step_up`"),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "A parameter means nothing: `q.invalid`…"),
    )
)]
pub async fn as_xlsx(request: StaffRequest) -> Result<Response, Problem> {
    file(request, Format::Xlsx).await
}

async fn file(request: StaffRequest, format: Format) -> Result<Response, Problem> {
    let view = view(&request)?;
    let app = request.app();
    let export = app.begin_export(&request.who, &view, format.ending()).await?;
    Ok(listing::file(app.clone(), export, format, app.settings.time_zone.clone(), app.clock.now()))
}

const _: () = assert!(MAX_COUNTED == 1000, "the description of `count` tells the number");
