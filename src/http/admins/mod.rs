//! Calls of the office, `/admins/…`. Nothing is open by default: a call is there only with a row of [`calls`], which says
//! what its gate asks for, and handlers get the member of staff from the gate alone.
//!
//! To add one: a handler that takes a [`Member`], or what [`asked::Asked`] has besides, its row in `table.rs`, and its place in
//! `openapi.rs`.

pub mod acts;
pub mod applications;
mod asked;
pub mod bulk;
pub mod decisions;
pub mod deliveries;
pub mod documents;
pub mod duplicates;
pub mod interview;
pub mod interviews;
pub mod invitations;
pub mod listings;
pub mod login;
pub mod mails;
pub mod marks;
pub mod me;
pub mod notes;
pub mod questionnaires;
pub mod record;
pub mod second_factor;
pub mod sessions;
pub mod settings;
pub mod step_up;
mod table;
pub mod team;
pub mod views;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde::Serialize;
use utoipa::ToSchema;

use super::problem::Problem;
use super::{ApiState, bearer, no_such_call, rfc3339, wrong_method};
use crate::app::Refusal;
use crate::app::ports::{Staff, StaffSession};
use crate::domain::permission::{Access, Gate};
pub use table::{Call, calls};

pub(super) fn router(state: &ApiState) -> Router<ApiState> {
    let mut router = Router::new();
    for Call { path, gate, handler, .. } in calls() {
        let handler = match gate.access {
            Access::Open => handler,
            _ => handler.route_layer(from_fn_with_state((state.clone(), gate), guard)),
        };
        router = router.route(path, handler);
    }
    router.fallback(unknown).method_not_allowed_fallback(wrong)
}

/// Lets a call through its gate, with the member of staff who makes it.
async fn guard(State((api, gate)): State<(ApiState, Gate)>, mut request: Request, next: Next) -> Response {
    match pass(&api, gate, request.headers()).await {
        Ok(who) => {
            request.extensions_mut().insert(Member(who));
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    }
}

async fn pass(api: &ApiState, gate: Gate, headers: &HeaderMap) -> Result<StaffSession, Problem> {
    let who = api.app.staff_of_token(bearer::token(headers)?).await?;
    api.app.admit(gate, &who).await?;
    Ok(who)
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
            second_factor: staff.code_seed.is_some(),
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

/// Recovery codes, told once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    recovery_codes: Vec<String>,
}

fn recovery_codes(recovery_codes: Vec<String>) -> Json<RecoveryCodes> {
    Json(RecoveryCodes { recovery_codes })
}
