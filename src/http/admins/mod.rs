//! Calls of the office, `/admins/…`. Nothing is open by default: a call is there only with a row of [`calls`], which says
//! what its gate asks for, and handlers get the member of staff from the gate alone.
//!
//! To add one: a handler that takes an [`staff_request::StaffRequest`] (or a [`Member`] alone), its row in [`calls`], and its place in
//! `openapi.rs`.

pub mod acts;
pub mod applications;
pub mod bulk;
pub mod conditions;
pub mod contracts;
pub mod conversation;
pub mod decisions;
pub mod deliveries;
pub mod documents;
pub mod duplicates;
pub mod feed;
pub mod figure_reports;
pub mod figures;
pub mod finance;
pub mod forgotten;
pub mod funding;
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
pub mod passkeys;
pub mod questionnaires;
pub mod readings;
pub mod record;
pub mod second_factor;
pub mod second_factor_rule;
pub mod sessions;
pub mod settings;
pub mod sheets;
pub(super) mod staff_request;
pub mod step_up;
pub mod tasks;
pub mod team;
pub mod views;

use axum::Router;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, delete, get, patch, post};
use serde::Serialize;
use utoipa::ToSchema;

use super::problem::Problem;
use super::wire::Client;
use super::{ApiState, bearer, keys, no_such_call, rfc3339, wrong_method};
use crate::app::Refusal;
use crate::app::ports::{Staff, StaffSession};
use crate::domain::permission::{Access, Gate, Permission};

/// A call of the office and who may make it.
pub struct Call {
    pub method: &'static str,
    /// Below `/api/admins`.
    pub path: &'static str,
    pub gate: Gate,
    handler: MethodRouter<ApiState>,
}

/// Every call there is.
pub fn calls() -> Vec<Call> {
    let call = |method, path, gate, handler| Call { method, path, gate, handler };
    let staff = Gate::may(Permission::Staff);
    let (decide, release) = (Gate::may(Permission::Decide), Gate::may(Permission::Release));
    let questions = Gate::may(Permission::Questionnaires);
    let (see_contracts, manage) =
        (Gate::may(Permission::Contracts), Gate::may(Permission::ManageContracts).and_step_up());
    let countersign = Gate::may(Permission::Countersign).and_step_up();
    let (see_finance, finance) = (Gate::may(Permission::Finance), Gate::may(Permission::ManageFinance));
    // What of the settings needs more is asked of the setting.
    let settings = Gate::may(Permission::SeeSettings);
    let see = Gate::may(Permission::Applications);
    let (review, assign) = (Gate::may(Permission::Review), Gate::may(Permission::Assign));
    let (note, write) = (Gate::may(Permission::Notes), Gate::may(Permission::WriteToApplicants));
    let review_documents = Gate::may(Permission::ReviewDocuments);
    let (meet, set) = (Gate::may(Permission::Interview), Gate::may(Permission::Settings));
    vec![
        call("POST", "/login", Gate::OPEN, post(login::login)),
        call("POST", "/forgot-password", Gate::OPEN, post(forgotten::request)),
        call("POST", "/reset-password", Gate::OPEN, post(forgotten::reset)),
        call("POST", "/invitations/accept", Gate::OPEN, post(invitations::accept)),
        call("POST", "/step-up", Gate::IDLE, post(step_up::step_up)),
        call("POST", "/logout", Gate::IDLE, post(login::logout)),
        call("GET", "/me", Gate::UNREADY, get(me::me)),
        call("PATCH", "/me", Gate::UNREADY, patch(me::change)),
        call("DELETE", "/me", Gate::STAFF.and_step_up(), delete(me::leave)),
        call("POST", "/password", Gate::UNREADY, post(me::change_password)),
        call("GET", "/passkeys", Gate::STAFF, get(passkeys::list)),
        call("DELETE", "/passkeys/{id}", Gate::STAFF.and_step_up(), delete(passkeys::remove)),
        call("POST", "/second-factor", Gate::UNREADY.and_step_up(), post(second_factor::begin)),
        call("POST", "/second-factor/confirm", Gate::UNREADY.and_step_up(), post(second_factor::confirm)),
        call("DELETE", "/second-factor", Gate::STAFF.and_step_up(), delete(second_factor::remove)),
        call("POST", "/second-factor/recovery-codes", Gate::STAFF.and_step_up(), post(second_factor::renew_codes)),
        call("GET", "/applications", Gate::may(Permission::Applications), get(listings::list)),
        call("GET", "/sessions", Gate::STAFF, get(sessions::list)),
        call("DELETE", "/sessions", Gate::STAFF, delete(sessions::end_others)),
        call("DELETE", "/sessions/{id}", Gate::STAFF, delete(sessions::end)),
        call("GET", "/applications/{id}", Gate::may(Permission::Applications), get(applications::load)),
        call("PATCH", "/applications/{id}", Gate::may(Permission::Review), patch(applications::change)),
        call("GET", "/admins", staff, get(team::list)),
        call("POST", "/admins", staff.and_step_up(), post(team::invite)),
        call("PATCH", "/admins/{id}", staff.and_step_up(), patch(team::change)),
        call("DELETE", "/admins/{id}", staff.and_step_up(), delete(team::remove)),
        call("DELETE", "/admins/{id}/second-factor", staff.and_step_up(), delete(second_factor::reset)),
        call("POST", "/applicants/second-factor/reset", staff.and_step_up(), post(second_factor::reset_of_applicant)),
        call("POST", "/invitations/{id}/resend", staff.and_step_up(), post(invitations::resend)),
        call("DELETE", "/invitations/{id}", staff.and_step_up(), delete(invitations::revoke)),
        call("GET", "/questionnaires", questions, get(questionnaires::list)),
        call("POST", "/questionnaires", questions, post(questionnaires::publish)),
        call("PATCH", "/questionnaires/{id}", questions, patch(questionnaires::change)),
        call("DELETE", "/questionnaires/{id}", questions, delete(questionnaires::delete)),
        call("GET", "/settings/second-factor", Gate::may(Permission::Settings), get(second_factor_rule::load)),
        call(
            "PATCH",
            "/settings/second-factor",
            Gate::may(Permission::Settings).and_step_up(),
            patch(second_factor_rule::change),
        ),
        call("GET", "/settings", settings, get(settings::list)),
        call("GET", "/settings/{id}", settings, get(settings::load)),
        call("PATCH", "/settings/{id}", settings.and_step_up(), patch(settings::change)),
        call("GET", "/settings/{id}/versions", settings, get(settings::versions)),
        call("POST", "/settings/{id}/restore", settings.and_step_up(), post(settings::restore)),
        call("GET", "/applications/{id}/decision", decide, get(decisions::load)),
        call("POST", "/applications/{id}/decision", decide, post(decisions::draft)),
        call("DELETE", "/applications/{id}/decision", decide, delete(decisions::discard)),
        call("POST", "/applications/{id}/decision/release", release.and_step_up(), post(decisions::release)),
        call("DELETE", "/applications/{id}/decision/release", release, delete(decisions::drop_planned)),
        call("POST", "/applications/{id}/decision/recall", release, post(decisions::recall)),
        call("POST", "/applications/{id}/decision/reverse", decide.and_step_up(), post(decisions::reverse)),
        call("POST", "/applications/{id}/decision/reopen", release, post(decisions::reopen)),
        call("GET", "/contracts", see_contracts, get(contracts::list)),
        call("GET", "/applications/{id}/contracts", see_contracts, get(contracts::load)),
        call("POST", "/applications/{id}/contracts", manage, post(contracts::prepare)),
        call("POST", "/contracts/{id}/send", manage, post(contracts::send)),
        call("POST", "/contracts/{id}/void", manage, post(contracts::void)),
        call("POST", "/contracts/{id}/paper", manage, post(contracts::paper)),
        call("POST", "/contracts/{id}/countersign", countersign, post(contracts::countersign)),
        call("GET", "/contract-templates", see_contracts, get(contracts::templates)),
        call("POST", "/contract-templates", manage, post(contracts::publish)),
        call("GET", "/applications/{id}/conditions", Gate::may(Permission::Applications), get(conditions::list)),
        call("POST", "/applications/{id}/conditions/{number}", Gate::may(Permission::Decide), post(conditions::judge)),
        call("GET", "/applications/{id}/funding", see_finance, get(funding::load)),
        call("POST", "/applications/{id}/funding", finance, post(funding::save)),
        call("POST", "/applications/{id}/funding/verdict", finance, post(funding::judge)),
        call("POST", "/applications/{id}/ledger", finance, post(funding::book)),
        call("GET", "/applications/{id}/ledger/requests", see_finance, get(funding::requests)),
        call(
            "POST",
            "/applications/{id}/ledger/requests/{request}/approve",
            finance.and_step_up(),
            post(funding::approve),
        ),
        call("POST", "/applications/{id}/ledger/requests/{request}/decline", finance, post(funding::decline)),
        call("POST", "/applications/{id}/ledger/requests/{request}/withdraw", finance, post(funding::withdraw)),
        call("POST", "/applications/{id}/refund/close", finance, post(funding::close_refund)),
        call("GET", "/finance", see_finance, get(finance::list)),
        call("GET", "/finance/figures", see_finance, get(finance::figures)),
        call("POST", "/finance/unmatched/{id}/place", finance, post(finance::place)),
        call("POST", "/finance/refunds/{id}/done", finance, post(finance::end_refund_task)),
        call("GET", "/finance/ledger.csv", see_finance.and_step_up(), get(finance::ledger)),
        call("GET", "/finance/enrolled.csv", Gate::may(Permission::Export).and_step_up(), get(finance::enrolled_csv)),
        call("GET", "/finance/enrolled.json", Gate::may(Permission::Export).and_step_up(), get(finance::enrolled_json)),
        call("GET", "/decisions", release, get(decisions::several::list)),
        call("POST", "/decisions/release", release.and_step_up(), post(decisions::several::release)),
        call("POST", "/decisions/recall", release, post(decisions::several::recall)),
        call("GET", "/applications.csv", Gate::may(Permission::Export).and_step_up(), get(listings::as_csv)),
        call("GET", "/applications.xlsx", Gate::may(Permission::Export).and_step_up(), get(listings::as_xlsx)),
        call("GET", "/applications/{id}/answers", see, get(record::answers)),
        call("GET", "/applications/{id}/timeline", see, get(record::timeline)),
        call("GET", "/applications/{id}/presence", see, get(record::presence)),
        call("DELETE", "/applications/{id}/presence", see, delete(record::leave)),
        call("POST", "/applications/{id}/request-changes", review, post(acts::request_changes)),
        call("POST", "/applications/{id}/drop-changes", review, post(acts::drop_changes)),
        call("POST", "/applications/{id}/withdraw", review, post(acts::withdraw)),
        call("POST", "/applications/{id}/undo-withdraw", review, post(acts::undo_withdraw)),
        call("POST", "/applications/{id}/resume", review, post(acts::resume)),
        call("GET", "/applications/{id}/tasks", see, get(tasks::list)),
        call("POST", "/applications/{id}/tasks/{task}/done", see, post(tasks::tick_off)),
        call("DELETE", "/applications/{id}/tasks/{task}/done", see, delete(tasks::untick)),
        call("POST", "/applications/{id}/tasks/{task}/take", see, post(tasks::take)),
        call("POST", "/applications/{id}/tasks/{task}/put-back", see, post(tasks::put_back)),
        call("GET", "/work", see, get(tasks::work)),
        call("POST", "/work/next", see, post(tasks::next)),
        call("POST", "/applications/{id}/owner", assign, post(marks::hand_over)),
        call("POST", "/applications/{id}/tags", assign, post(marks::tag)),
        call("DELETE", "/applications/{id}/tags/{tag}", assign, delete(marks::untag)),
        call("GET", "/applications/{id}/duplicates", review, get(duplicates::list)),
        call("POST", "/applications/{id}/duplicates/merge", review, post(duplicates::merge)),
        call("POST", "/applications/{id}/duplicates/tell-apart", review, post(duplicates::tell_apart)),
        call("POST", "/applications/{id}/duplicates/undo", review, post(duplicates::undo)),
        call("GET", "/applications/{id}/documents", Gate::may(Permission::Documents), get(documents::list)),
        call("POST", "/applications/{id}/documents/{slot}", review_documents, post(documents::review)),
        call("DELETE", "/applications/{id}/documents/{slot}/decision", review_documents, delete(documents::retract)),
        call("GET", "/applications/{id}/files/{file}", Gate::may(Permission::Documents), get(documents::file)),
        call("GET", "/applications/{id}/interview", see, get(interview::load)),
        call("POST", "/applications/{id}/interview", meet, post(interview::arrange)),
        call("POST", "/applications/{id}/interview/wish", meet, post(interview::offer)),
        call("POST", "/applications/{id}/interview/cancel", meet, post(interview::cancel)),
        call("POST", "/applications/{id}/interview/held", meet, post(interview::held)),
        call("POST", "/applications/{id}/interview/no-show", meet, post(interview::no_show)),
        call("POST", "/applications/{id}/interview/undo", meet, post(interview::undo)),
        call("GET", "/applications/{id}/interview/scores", Gate::may(Permission::Score), get(interview::scores)),
        call("POST", "/applications/{id}/interview/scores", Gate::may(Permission::Score), post(interview::score)),
        call("GET", "/interviews", meet, get(interviews::own)),
        call("GET", "/interviews/calendar/{id}", meet, get(interviews::calendar)),
        call("GET", "/interviews/rules/{id}", meet, get(interviews::rules)),
        call("POST", "/interviews/rules/{id}", meet, post(interviews::change_rules)),
        call("GET", "/interviews/feed", meet, get(feed::load)),
        call("POST", "/interviews/feed", meet, post(feed::open)),
        call("DELETE", "/interviews/feed", meet, delete(feed::close)),
        call("GET", "/applications/{id}/notes", note, get(notes::list)),
        call("POST", "/applications/{id}/notes", note, post(notes::write)),
        call("PATCH", "/applications/{id}/notes/{note}", note, patch(notes::edit)),
        call("DELETE", "/applications/{id}/notes/{note}", note, delete(notes::delete)),
        call("POST", "/applications/{id}/notes/{note}/pin", note, post(notes::pin)),
        call("DELETE", "/applications/{id}/notes/{note}/pin", note, delete(notes::unpin)),
        call("GET", "/applications/{id}/conversation", write, get(conversation::read)),
        call("POST", "/applications/{id}/conversation", write, post(conversation::write)),
        call("GET", "/applications/{id}/snippets", write, get(conversation::snippets)),
        call("GET", "/applications/{id}/mails", write, get(mails::list)),
        call("POST", "/applications/{id}/mails/{mail}/resend", write, post(mails::resend)),
        call("POST", "/bulk/assign/look", assign, post(bulk::marks::look_at_assigning)),
        call("POST", "/bulk/assign", assign, post(bulk::marks::assign)),
        call("POST", "/bulk/tag/look", assign, post(bulk::marks::look_at_tagging)),
        call("POST", "/bulk/tag", assign, post(bulk::marks::tag)),
        call("POST", "/bulk/mail/look", write, post(bulk::letters::look_at_mailing)),
        call("POST", "/bulk/mail", write, post(bulk::letters::mail)),
        call("POST", "/bulk/ask/look", review_documents, post(bulk::letters::look_at_asking)),
        call("POST", "/bulk/ask", review_documents, post(bulk::letters::ask)),
        call("POST", "/bulk/draft/look", decide, post(bulk::drafts::look)),
        call("POST", "/bulk/draft", decide, post(bulk::drafts::draft)),
        call("GET", "/applications/{id}/readings", Gate::may(Permission::Score), get(readings::list)),
        call("POST", "/applications/{id}/readings", assign, post(readings::ask)),
        call("POST", "/applications/{id}/readings/own", Gate::may(Permission::Score), post(readings::send)),
        call("DELETE", "/applications/{id}/readings/{reader}", assign, delete(readings::unask)),
        call("GET", "/committee", decide, get(readings::committee)),
        call("GET", "/colleagues", see, get(marks::colleagues)),
        call("GET", "/views", see, get(views::list)),
        call("POST", "/views", see, post(views::save)),
        call("PATCH", "/views/{id}", see, patch(views::rename)),
        call("DELETE", "/views/{id}", see, delete(views::delete)),
        call("GET", "/figures", see, get(figures::load)),
        call("GET", "/figures.csv", see, get(figures::as_csv)),
        call("GET", "/figures/reports", see, get(figure_reports::list)),
        call("POST", "/figures/reports", see, post(figure_reports::save)),
        call("DELETE", "/figures/reports/{id}", see, delete(figure_reports::delete)),
        call("POST", "/figures/reports/{id}/mails", see, post(figure_reports::start_mails)),
        call("DELETE", "/figures/reports/{id}/mails", see, delete(figure_reports::stop_mails)),
        call("GET", "/audit", Gate::may(Permission::Audit), get(insight::audit)),
        call("GET", "/form-health", set, get(insight::form_health)),
        call("GET", "/deliveries", set, get(deliveries::list)),
        call("POST", "/deliveries/mails/{id}/retry", set.and_step_up(), post(deliveries::retry_mail)),
        call("POST", "/deliveries/jobs/{id}/retry", set.and_step_up(), post(deliveries::retry_job)),
    ]
}

pub(super) fn router(state: &ApiState) -> Router<ApiState> {
    let mut router = Router::new();
    for Call { method, path, gate, handler } in calls() {
        let guarded = Guarded { api: state.clone(), gate, method, path };
        let handler = match gate.access {
            Access::Open => handler,
            _ => handler.route_layer(from_fn_with_state(guarded, guard)),
        };
        router = router.route(path, handler);
    }
    router.fallback(unknown).method_not_allowed_fallback(wrong)
}

/// A call behind its gate.
#[derive(Clone)]
struct Guarded {
    api: ApiState,
    gate: Gate,
    method: &'static str,
    path: &'static str,
}

/// Lets a call through its gate, with the member of staff who makes it. What their role does not include is recorded.
async fn guard(State(guarded): State<Guarded>, request: Request, next: Next) -> Response {
    let Guarded { api, gate, method, path } = guarded;
    let (mut parts, body) = request.into_parts();
    let Ok(Client(caller)) = Client::from_request_parts(&mut parts, &api).await;
    let who = match member(&api, &parts.headers).await {
        Ok(who) => who,
        Err(problem) => return problem.into_response(),
    };
    let response = match api.app.admit(gate, &who).await {
        Ok(()) => {
            parts.extensions.insert(Member(who.clone()));
            let whose = format!("staff:{}", who.staff.id);
            keys::once(&api, &whose, Request::from_parts(parts, body), next).await
        }
        Err(error) => Problem::from(error).into_response(),
    };
    if response.status() == StatusCode::FORBIDDEN {
        api.app.note_refusal(&who, &format!("{method} /api/admins{path}"), &caller).await;
    }
    response
}

async fn member(api: &ApiState, headers: &HeaderMap) -> Result<StaffSession, Problem> {
    Ok(api.app.staff_of_token(bearer::token(headers)?).await?)
}

async fn pass(api: &ApiState, gate: Gate, headers: &HeaderMap) -> Result<(), Problem> {
    let who = member(api, headers).await?;
    Ok(api.app.admit(gate, &who).await?)
}

/// No stranger learns which calls there are.
async fn unknown(State(api): State<ApiState>, request: Request) -> Result<(), Problem> {
    pass(&api, Gate::STAFF, request.headers()).await?;
    let (method, uri): (Method, Uri) = (request.method().clone(), request.uri().clone());
    Err(no_such_call(method, uri).await)
}

async fn wrong(State(api): State<ApiState>, request: Request) -> Result<(), Problem> {
    pass(&api, Gate::STAFF, request.headers()).await?;
    Err(wrong_method(request.method().clone()).await)
}

/// Extracts who the gate let through. Behind no gate there is nobody.
#[derive(Debug, Clone)]
pub struct Member(pub StaffSession);

impl<S: Send + Sync> FromRequestParts<S> for Member {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Ok(parts.extensions.get::<Member>().cloned().ok_or(Refusal::LoginRequired)?)
    }
}

/// What a member of staff may do with the product.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Viewer,
    Interviewer,
    Reviewer,
    Decider,
    Finance,
    Owner,
}

impl From<crate::domain::role::Role> for Role {
    fn from(role: crate::domain::role::Role) -> Self {
        use crate::domain::role::Role as Domain;
        match role {
            Domain::Viewer => Role::Viewer,
            Domain::Interviewer => Role::Interviewer,
            Domain::Reviewer => Role::Reviewer,
            Domain::Decider => Role::Decider,
            Domain::Finance => Role::Finance,
            Domain::Owner => Role::Owner,
        }
    }
}

/// A member of staff.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffMember {
    id: String,
    /// Empty until it is told.
    name: String,
    email: String,
    role: Role,
    /// Whether logging in asks for a code.
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
            role: staff.role.into(),
            second_factor: staff.has_second_factor(),
            suspended: staff.suspended_at.is_some(),
            created_at: rfc3339(staff.created_at),
        }
    }
}

/// A new session of a member of staff.
#[derive(Debug, Serialize, ToSchema)]
pub struct StaffSignedIn {
    /// Sent as `Authorization: Bearer TOKEN`; good for some minutes.
    token: String,
    admin: StaffMember,
}
