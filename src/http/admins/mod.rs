//! Calls of the office, `/admins/…`. Nothing is open by default: a call exists only with a row in [`calls`], which sets
//! its gate, and handlers get the member of staff from the gate alone.
//!
//! To add one: a handler that takes a [`staff_request::StaffRequest`] (or just a [`LoggedInStaff`]), and its row in [`calls`].

pub mod acts;
pub mod api_keys;
pub mod applications;
pub mod bulk;
pub mod conditions;
pub mod contracts;
pub mod conversation;
pub mod decisions;
pub mod deliveries;
pub mod documents;
pub mod duplicates;
pub mod fee;
pub mod fee_codes;
pub mod feed;
pub mod figure_reports;
pub mod figures;
pub mod finance;
pub mod forgotten;
pub mod funding;
pub mod identity_providers;
pub mod imports;
pub mod insight;
pub mod interview;
pub mod interviews;
pub mod invitations;
pub mod listings;
pub mod login;
pub mod mails;
pub mod marks;
pub mod me;
pub mod notes;
pub mod open_days;
pub mod passkeys;
pub mod prospects;
pub mod questionnaires;
pub mod readings;
pub mod record;
pub mod references;
pub mod second_factor;
pub mod second_factor_rule;
pub mod sessions;
pub mod settings;
pub mod sheets;
pub mod staff_list;
pub(super) mod staff_request;
pub mod step_up;
pub mod tasks;
pub mod views;
pub mod waitlist;
pub mod webhooks;

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::problem::Problem;
use super::{ApiState, bearer, calls, idempotency, no_such_call, wrong_method};
use app::office::staff::CallsLeft;
use app::{Caller, Refusal};
use domain::api_key::{ApiKey, MAX_CALLS, WINDOW};
use domain::moments::Millis;
use domain::moments::rfc3339;
use domain::permission::{Access, Gate, Permission};
use domain::role::Role;
use domain::staff::{Staff, StaffSession};
use wire::Client;

/// A call of the office and who may make it.
pub struct Call {
    pub method: &'static str,
    /// Relative to `/api/admins`.
    pub path: String,
    pub gate: Gate,
    pub(super) described: calls::Call,
}

/// Returns every call there is.
pub fn calls() -> Vec<Call> {
    // Each description is made in a function of its own: together they would fill the stack of a thread.
    let call = |gate, describe: fn() -> calls::Call| {
        let described = describe();
        let (method, path) = calls::place(&described.1);
        Call { method, path: calls::below("/api/admins", path).to_owned(), gate, described }
    };
    let staff = Gate::may(Permission::Staff);
    let (decide, release) = (Gate::may(Permission::Decide), Gate::may(Permission::Release));
    let questions = Gate::may(Permission::Questionnaires);
    let (see_contracts, manage) =
        (Gate::may(Permission::Contracts), Gate::may(Permission::ManageContracts).and_step_up());
    let (prospects, open_days) = (Gate::may(Permission::Prospects), Gate::may(Permission::OpenDays));
    let countersign = Gate::may(Permission::Countersign).and_step_up();
    let (see_finance, finance) = (Gate::may(Permission::Finance), Gate::may(Permission::ManageFinance));
    // Settings that need more than this check it themselves.
    let settings = Gate::may(Permission::SeeSettings);
    let see = Gate::may(Permission::Applications);
    let (review, assign) = (Gate::may(Permission::Review), Gate::may(Permission::Assign));
    let (note, write) = (Gate::may(Permission::Notes), Gate::may(Permission::WriteToApplicants));
    let review_documents = Gate::may(Permission::ReviewDocuments);
    let (meet, set) = (Gate::may(Permission::Interview), Gate::may(Permission::Settings));
    // Without a password, which programs could not give.
    let import = Gate::may(Permission::Import);
    vec![
        call(Gate::OPEN, || routes!(login::login)),
        call(Gate::OPEN, || routes!(forgotten::request)),
        call(Gate::OPEN, || routes!(forgotten::reset)),
        call(Gate::OPEN, || routes!(invitations::accept)),
        call(Gate::IDLE, || routes!(step_up::step_up)),
        call(Gate::IDLE, || routes!(login::logout)),
        call(Gate::UNREADY, || routes!(me::me)),
        call(Gate::UNREADY, || routes!(me::change)),
        call(Gate::STAFF.and_step_up(), || routes!(me::leave)),
        call(Gate::UNREADY, || routes!(me::change_password)),
        call(Gate::STAFF, || routes!(api_keys::list)),
        call(Gate::STAFF.and_step_up(), || routes!(api_keys::create)),
        call(Gate::STAFF, || routes!(api_keys::revoke)),
        call(Gate::STAFF, || routes!(passkeys::list)),
        call(Gate::STAFF.and_step_up(), || routes!(passkeys::remove)),
        call(Gate::UNREADY.and_step_up(), || routes!(second_factor::begin)),
        call(Gate::UNREADY.and_step_up(), || routes!(second_factor::confirm)),
        call(Gate::STAFF.and_step_up(), || routes!(second_factor::remove)),
        call(Gate::STAFF.and_step_up(), || routes!(second_factor::renew_codes)),
        call(Gate::may(Permission::Applications), || routes!(listings::list)),
        call(Gate::STAFF, || routes!(sessions::list)),
        call(Gate::STAFF, || routes!(sessions::end_others)),
        call(Gate::STAFF, || routes!(sessions::end)),
        call(Gate::may(Permission::Applications), || routes!(applications::load)),
        call(Gate::may(Permission::Review), || routes!(applications::change)),
        call(staff, || routes!(staff_list::list)),
        call(staff.and_step_up(), || routes!(staff_list::invite)),
        call(staff.and_step_up(), || routes!(staff_list::change)),
        call(staff.and_step_up(), || routes!(staff_list::remove)),
        call(staff.and_step_up(), || routes!(second_factor::reset)),
        call(staff.and_step_up(), || routes!(second_factor::reset_of_applicant)),
        call(staff.and_step_up(), || routes!(invitations::resend)),
        call(staff.and_step_up(), || routes!(invitations::revoke)),
        call(questions, || routes!(questionnaires::list)),
        call(questions, || routes!(questionnaires::publish)),
        call(questions, || routes!(questionnaires::change)),
        call(questions, || routes!(questionnaires::delete)),
        call(Gate::may(Permission::Settings), || routes!(second_factor_rule::load)),
        call(Gate::may(Permission::Settings).and_step_up(), || routes!(second_factor_rule::change)),
        call(settings, || routes!(settings::list)),
        call(settings, || routes!(settings::load)),
        call(settings.and_step_up(), || routes!(settings::change)),
        call(settings, || routes!(settings::versions)),
        call(settings.and_step_up(), || routes!(settings::restore)),
        call(decide, || routes!(decisions::load)),
        call(decide, || routes!(decisions::draft)),
        call(decide, || routes!(decisions::discard)),
        call(release.and_step_up(), || routes!(decisions::release)),
        call(release, || routes!(decisions::drop_planned)),
        call(release, || routes!(decisions::recall)),
        call(decide.and_step_up(), || routes!(decisions::reverse)),
        call(release, || routes!(decisions::reopen)),
        call(see, || routes!(waitlist::list)),
        call(see, || routes!(waitlist::capacity)),
        call(release.and_step_up(), || routes!(waitlist::join)),
        call(release, || routes!(waitlist::leave)),
        call(release.and_step_up(), || routes!(waitlist::offer)),
        call(decide, || routes!(waitlist::move_in_line)),
        call(prospects, || routes!(prospects::list)),
        call(prospects, || routes!(prospects::delete)),
        call(open_days, || routes!(open_days::list)),
        call(open_days, || routes!(open_days::create)),
        call(open_days, || routes!(open_days::load)),
        call(open_days, || routes!(open_days::change)),
        call(open_days, || routes!(open_days::cancel)),
        call(open_days, || routes!(open_days::bookings)),
        call(open_days, || routes!(open_days::attendance)),
        call(see_contracts, || routes!(contracts::list)),
        call(see_contracts, || routes!(contracts::load)),
        call(manage, || routes!(contracts::prepare)),
        call(manage, || routes!(contracts::send)),
        call(manage, || routes!(contracts::void)),
        call(manage, || routes!(contracts::paper)),
        call(countersign, || routes!(contracts::countersign)),
        call(see_contracts, || routes!(contracts::templates)),
        call(manage, || routes!(contracts::publish)),
        call(Gate::may(Permission::Applications), || routes!(conditions::list)),
        call(Gate::may(Permission::Decide), || routes!(conditions::judge)),
        call(see_finance, || routes!(funding::load)),
        call(finance, || routes!(funding::save)),
        call(finance, || routes!(funding::judge)),
        call(finance, || routes!(funding::book)),
        call(see_finance, || routes!(funding::requests)),
        call(finance.and_step_up(), || routes!(funding::approve)),
        call(finance, || routes!(funding::decline)),
        call(finance, || routes!(funding::withdraw)),
        call(finance, || routes!(funding::close_refund)),
        call(see_finance, || routes!(fee::load)),
        call(finance, || routes!(fee::act)),
        call(see_finance, || routes!(fee_codes::list)),
        call(finance, || routes!(fee_codes::create)),
        call(finance, || routes!(fee_codes::end)),
        call(see_finance, || routes!(finance::list)),
        call(see_finance, || routes!(finance::figures)),
        call(finance, || routes!(finance::place)),
        call(finance, || routes!(finance::end_refund_task)),
        call(see_finance.and_step_up(), || routes!(finance::ledger)),
        call(Gate::may(Permission::Export).and_step_up(), || routes!(finance::enrolled_csv)),
        call(Gate::may(Permission::Export).and_step_up(), || routes!(finance::enrolled_json)),
        call(release, || routes!(decisions::several::list)),
        call(release.and_step_up(), || routes!(decisions::several::release)),
        call(release, || routes!(decisions::several::recall)),
        call(Gate::may(Permission::Export).and_step_up(), || routes!(listings::as_csv)),
        call(Gate::may(Permission::Export).and_step_up(), || routes!(listings::as_xlsx)),
        call(see, || routes!(record::answers)),
        call(see, || routes!(record::timeline)),
        call(see, || routes!(record::presence)),
        call(see, || routes!(record::leave)),
        call(review, || routes!(acts::request_changes)),
        call(review, || routes!(acts::drop_changes)),
        call(review, || routes!(acts::withdraw)),
        call(review, || routes!(acts::undo_withdraw)),
        call(review, || routes!(acts::resume)),
        call(see, || routes!(tasks::list)),
        call(see, || routes!(tasks::tick_off)),
        call(see, || routes!(tasks::untick)),
        call(see, || routes!(tasks::take)),
        call(see, || routes!(tasks::put_back)),
        call(see, || routes!(tasks::work)),
        call(see, || routes!(tasks::next)),
        call(assign, || routes!(marks::hand_over)),
        call(assign, || routes!(marks::tag)),
        call(assign, || routes!(marks::untag)),
        call(review, || routes!(duplicates::list)),
        call(review, || routes!(duplicates::merge)),
        call(review, || routes!(duplicates::tell_apart)),
        call(review, || routes!(duplicates::undo)),
        call(Gate::may(Permission::Documents), || routes!(documents::list)),
        call(review_documents, || routes!(documents::review)),
        call(review_documents, || routes!(documents::retract)),
        call(Gate::may(Permission::Documents), || routes!(documents::file)),
        call(Gate::may(Permission::Documents), || routes!(references::list)),
        call(review_documents, || routes!(references::remind)),
        call(Gate::may(Permission::Documents), || routes!(references::letter)),
        call(see, || routes!(interview::load)),
        call(meet, || routes!(interview::arrange)),
        call(meet, || routes!(interview::offer)),
        call(meet, || routes!(interview::cancel)),
        call(meet, || routes!(interview::held)),
        call(meet, || routes!(interview::no_show)),
        call(meet, || routes!(interview::undo)),
        call(Gate::may(Permission::Score), || routes!(interview::scores)),
        call(Gate::may(Permission::Score), || routes!(interview::score)),
        call(meet, || routes!(interviews::own)),
        call(meet, || routes!(interviews::calendar)),
        call(meet, || routes!(interviews::rules)),
        call(meet, || routes!(interviews::change_rules)),
        call(meet, || routes!(feed::load)),
        call(meet, || routes!(feed::open)),
        call(meet, || routes!(feed::close)),
        call(note, || routes!(notes::list)),
        call(note, || routes!(notes::write)),
        call(note, || routes!(notes::edit)),
        call(note, || routes!(notes::delete)),
        call(note, || routes!(notes::pin)),
        call(note, || routes!(notes::unpin)),
        call(write, || routes!(conversation::read)),
        call(write, || routes!(conversation::write)),
        call(write, || routes!(conversation::snippets)),
        call(write, || routes!(mails::list)),
        call(write, || routes!(mails::resend)),
        call(assign, || routes!(bulk::marks::look_at_assigning)),
        call(assign, || routes!(bulk::marks::assign)),
        call(assign, || routes!(bulk::marks::look_at_tagging)),
        call(assign, || routes!(bulk::marks::tag)),
        call(write, || routes!(bulk::letters::look_at_mailing)),
        call(write, || routes!(bulk::letters::mail)),
        call(review_documents, || routes!(bulk::letters::look_at_asking)),
        call(review_documents, || routes!(bulk::letters::ask)),
        call(decide, || routes!(bulk::drafts::look)),
        call(decide, || routes!(bulk::drafts::draft)),
        call(Gate::may(Permission::Score), || routes!(readings::list)),
        call(assign, || routes!(readings::ask)),
        call(Gate::may(Permission::Score), || routes!(readings::send)),
        call(assign, || routes!(readings::unask)),
        call(decide, || routes!(readings::committee)),
        call(see, || routes!(marks::colleagues)),
        call(see, || routes!(views::list)),
        call(see, || routes!(views::save)),
        call(see, || routes!(views::rename)),
        call(see, || routes!(views::delete)),
        call(see, || routes!(figures::load)),
        call(see, || routes!(figures::as_csv)),
        call(see, || routes!(figure_reports::list)),
        call(see, || routes!(figure_reports::save)),
        call(see, || routes!(figure_reports::delete)),
        call(see, || routes!(figure_reports::start_mails)),
        call(see, || routes!(figure_reports::stop_mails)),
        call(Gate::may(Permission::Audit), || routes!(insight::audit)),
        call(set, || routes!(insight::form_health)),
        call(set, || routes!(deliveries::list)),
        call(set.and_step_up(), || routes!(deliveries::retry_mail)),
        call(set.and_step_up(), || routes!(deliveries::retry_job)),
        call(staff, || routes!(identity_providers::list)),
        call(staff.and_step_up(), || routes!(identity_providers::create)),
        call(staff, || routes!(identity_providers::load)),
        call(staff.and_step_up(), || routes!(identity_providers::change)),
        call(staff.and_step_up(), || routes!(identity_providers::delete)),
        call(staff, || routes!(identity_providers::check)),
        call(staff.and_step_up(), || routes!(identity_providers::make_token)),
        call(staff.and_step_up(), || routes!(identity_providers::delete_token)),
        call(import, || routes!(imports::list)),
        call(import, || routes!(imports::create)),
        call(import, || routes!(imports::upload)),
        call(import, || routes!(imports::fields)),
        call(import, || routes!(imports::load)),
        call(import, || routes!(imports::delete)),
        call(import, || routes!(imports::map)),
        call(import, || routes!(imports::rows)),
        call(import, || routes!(imports::row)),
        call(import, || routes!(imports::start)),
        call(import, || routes!(imports::undo)),
        call(set, || routes!(webhooks::list)),
        call(set.and_step_up(), || routes!(webhooks::create)),
        call(set, || routes!(webhooks::load)),
        call(set.and_step_up(), || routes!(webhooks::change)),
        call(set.and_step_up(), || routes!(webhooks::delete)),
        call(set, || routes!(webhooks::pause)),
        call(set.and_step_up(), || routes!(webhooks::renew_secret)),
        call(set, || routes!(webhooks::test)),
        call(set, || routes!(webhooks::deliveries)),
        call(set, || routes!(webhooks::resend)),
        call(set, || routes!(webhooks::skip)),
        call(set, || routes!(webhooks::resend_failed)),
    ]
}

pub(super) fn router(state: &ApiState) -> Router<ApiState> {
    let mut router = Router::new();
    for Call { method, path, gate, described: (_, _, handler) } in calls() {
        let name = format!("{method} /api/admins{path}").into();
        let guarded = Guarded { api: state.clone(), gate, name };
        let handler = match gate.access {
            Access::Open => handler,
            _ => handler.route_layer(from_fn_with_state(guarded, guard)),
        };
        router = router.route(&path, handler);
    }
    router.fallback(unknown).method_not_allowed_fallback(wrong)
}

/// A call behind its gate.
#[derive(Clone)]
struct Guarded {
    api: ApiState,
    gate: Gate,
    /// Method and path.
    name: Arc<str>,
}

/// Lets a call through its gate, with the member of staff who makes it. Calls that their role does not allow are
/// recorded.
async fn guard(State(guarded): State<Guarded>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let who = match staff_session(&guarded.api, &parts.headers).await {
        Ok(who) => who,
        Err(problem) => return problem.into_response(),
    };
    let Ok(Client(caller)) = Client::from_request_parts(&mut parts, &guarded.api).await;
    let request = Request::from_parts(parts, body);
    match who.key.clone() {
        Some(key) => app::with_api_key(&key.id, call_by_key(&guarded, &who, &key, &caller, request, next)).await,
        None => call(&guarded, &who, &caller, request, next).await,
    }
}

/// A call with an API key, which is counted.
async fn call_by_key(
    guarded: &Guarded,
    who: &StaffSession,
    key: &ApiKey,
    caller: &Caller,
    request: Request,
    next: Next,
) -> Response {
    let (left, counted) = guarded.api.app.count_key_call(key).await;
    let mut response = match counted {
        Ok(()) if key.read_only && !request.method().is_safe() => {
            Problem::from(Refusal::ApiKeyReadOnly).into_response()
        }
        Ok(()) => call(guarded, who, caller, request, next).await,
        Err(error) => Problem::from(error).into_response(),
    };
    tell_limit(response.headers_mut(), left);
    response
}

async fn call(guarded: &Guarded, who: &StaffSession, caller: &Caller, mut request: Request, next: Next) -> Response {
    let Guarded { api, gate, name } = guarded;
    let response = match api.app.admit(*gate, who).await {
        Ok(()) => {
            request.extensions_mut().insert(LoggedInStaff(who.clone()));
            idempotency::once(api, &format!("staff:{}", who.staff.id), request, next).await
        }
        Err(error) => Problem::from(error).into_response(),
    };
    if response.status() == StatusCode::FORBIDDEN {
        api.app.note_refusal(who, name, caller).await;
    }
    response
}

/// The fields of the IETF's "RateLimit header fields for HTTP".
fn tell_limit(headers: &mut HeaderMap, left: CallsLeft) {
    let seconds = |time: Millis| time.div_euclid(1000) + i64::from(time.rem_euclid(1000) > 0);
    let value = |text: String| HeaderValue::try_from(text).expect("digits and ASCII");
    headers.insert("ratelimit-policy", value(format!("\"key\";q={MAX_CALLS};w={}", seconds(WINDOW))));
    headers.insert("ratelimit", value(format!("\"key\";r={};t={}", left.calls, seconds(left.reset))));
}

async fn staff_session(api: &ApiState, headers: &HeaderMap) -> Result<StaffSession, Problem> {
    Ok(api.app.staff_of_token(bearer::token(headers)?).await?)
}

/// Admits any member of staff, and any of their programs.
async fn pass(api: &ApiState, headers: &HeaderMap) -> Result<(), Problem> {
    let who = staff_session(api, headers).await?;
    let gate = if who.key.is_some() { Gate::may(Permission::Applications) } else { Gate::STAFF };
    Ok(api.app.admit(gate, &who).await?)
}

/// Hides from strangers which calls there are.
async fn unknown(State(api): State<ApiState>, request: Request) -> Result<(), Problem> {
    pass(&api, request.headers()).await?;
    let (method, uri): (Method, Uri) = (request.method().clone(), request.uri().clone());
    Err(no_such_call(method, uri).await)
}

async fn wrong(State(api): State<ApiState>, request: Request) -> Result<(), Problem> {
    pass(&api, request.headers()).await?;
    Err(wrong_method(request.method().clone()).await)
}

/// Extracts the member of staff whom the gate let through. Without a gate there is none.
#[derive(Debug, Clone)]
pub struct LoggedInStaff(pub StaffSession);

impl<S: Send + Sync> FromRequestParts<S> for LoggedInStaff {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Ok(parts.extensions.get::<LoggedInStaff>().cloned().ok_or(Refusal::LoginRequired)?)
    }
}

/// A member of staff.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffMember {
    id: String,
    /// Empty until they give one.
    name: String,
    email: String,
    role: Role,
    /// Whether logging in requires a code.
    second_factor: bool,
    suspended: bool,
    #[schema(format = DateTime)]
    created_at: String,
}

impl From<&Staff> for StaffMember {
    fn from(staff: &Staff) -> Self {
        StaffMember {
            id: staff.id.clone(),
            name: staff.name.clone(),
            email: staff.email.clone(),
            role: staff.role,
            second_factor: staff.has_second_factor(),
            suspended: staff.suspended_at.is_some(),
            created_at: rfc3339(staff.created_at),
        }
    }
}

/// A new session of a member of staff.
#[derive(Debug, Serialize, ToSchema)]
pub struct StaffSignedIn {
    /// Send it as `Authorization: Bearer TOKEN`; valid for a few minutes.
    token: String,
    admin: StaffMember,
}
