//! `GET /users/funding`, `POST /users/funding`

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use crate::ApiState;
use crate::bearer::BearerWithApplication;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::money::funding::FundingView;
use app::{Error, Refusal};
use domain::body::{both, split, wrong};
use domain::funding::{FundingEntry, SourceState};
use domain::input::Input;
use domain::ledger::Line;
use domain::{body, joined, text};

/// How tuition is paid. All amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Funding {
    tuition: i64,
    /// What sources pay, without refused ones.
    covered: i64,
    sources: Vec<FundingSource>,
    up_front: i64,
    monthly: i64,
    /// What the applicant pays and when.
    schedule: Vec<Instalment>,
    /// 0 while no plan is saved and this follows from the answers.
    revision: i64,
    /// Whether the applicant can change it.
    open: bool,
    /// The day on which deferred studies start; null while the plan runs. Nothing is due before.
    #[schema(required, format = Date)]
    paused_until: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FundingSource {
    /// As in `financialPlan.selectedPayments`.
    kind: &'static str,
    cents: i64,
    state: SourceState,
    /// Why it was refused.
    #[schema(required)]
    reason: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Instalment {
    number: u32,
    #[schema(format = Date)]
    due: String,
    cents: i64,
    /// What was received for it and not refunded.
    paid: i64,
    /// Whether nothing more is owed for it.
    settled: bool,
}

body! {
    pub struct FundingSeen {
        /// The revision of the plan that the caller has seen; 0 for none.
        pub revision: i64 = |path: &str, input: Option<&Input>| match input {
            Some(Input::Whole(revision)) => Ok(*revision),
            None => Err(wrong(path, "required", text!("Say which revision of the plan you have seen."))),
            Some(_) => Err(wrong(path, "type", text!("The revision must be a whole number."))),
        },
    }
}

joined! {
    /// Who pays how much. Sources left out pay nothing.
    pub struct FundingChange(FundingEntry, FundingSeen);
}

impl From<&FundingView> for Funding {
    fn from(view: &FundingView) -> Self {
        let book = view.ledger.book();
        let funding = &view.funding;
        let sources = funding.sources.iter().map(|source| FundingSource {
            kind: source.kind.as_str(),
            cents: source.cents,
            state: source.state,
            reason: source.reason.clone(),
        });
        let schedule = funding.schedule().into_iter().map(|line| {
            let of = Line::Instalment(line.number);
            Instalment {
                number: line.number,
                due: line.due.to_string(),
                cents: line.cents,
                paid: book.paid(of),
                settled: book.is_settled(of),
            }
        });
        Funding {
            tuition: funding.tuition,
            covered: funding.covered(),
            sources: sources.collect(),
            up_front: funding.plan.up_front,
            monthly: funding.plan.monthly,
            schedule: schedule.collect(),
            revision: view.revision(),
            open: view.is_open(),
            paused_until: view.paused.map(|intake| intake.start.to_string()),
        }
    }
}

/// Reads the plan in a body, and the revision that the caller has seen.
pub fn change(input: Input) -> Result<(FundingEntry, i64), Error> {
    let (own, rest) = split::<FundingSeen>(input);
    let (seen, entry) = both(FundingSeen::parse(&own), FundingEntry::parse(&rest))?;
    Ok((entry, seen.revision))
}

/// Returns how tuition is paid.
#[utoipa::path(
    get,
    path = "/api/users/funding",
    operation_id = "loadFunding",
    tag = "Application",
    responses(
        (status = 200, description = "The plan, or what the answers suggest.", body = Funding),
        (status = 404, description = "`application.none`"),
        (status = 409, description = "`funding.none`: the offer is not accepted"),
    )
)]
pub async fn load(
    State(api): State<ApiState>,
    BearerWithApplication(_, application): BearerWithApplication,
) -> Result<impl IntoResponse, Problem> {
    let application = application.ok_or(Refusal::NoApplication)?;
    let view = api.app.funding(&application).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(Funding::from(&view))))
}

/// Saves who pays how much.
///
/// A plan that does not add up to tuition yet is saved, too; enrolment waits until it does and every source is
/// confirmed.
#[utoipa::path(
    post,
    path = "/api/users/funding",
    operation_id = "saveFunding",
    tag = "Application",
    request_body = FundingChange,
    responses(
        (status = 200, description = "The plan as it is now.", body = Funding),
        (status = 404, description = "`application.none`"),
        (status = 409, description = "`funding.none`; `funding.fixed`: payments have begun; \
            `funding.agreed`: a contract that was sent says how they pay"),
        (status = 412, description = "`funding.stale`: `revision` is not the present one"),
        (status = 422, description = "`funding.cap`, `funding.over`, `funding.up_front`, `funding.monthly`, \
            `funding.instalments`, `funding.amount`"),
    )
)]
pub async fn save(
    State(api): State<ApiState>,
    BearerWithApplication(who, application): BearerWithApplication,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let (entry, seen) = change(input)?;
    let application = application.ok_or(Refusal::NoApplication)?;
    let view = api.app.save_funding(&who, &application, &entry, seen).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(Funding::from(&view))))
}
