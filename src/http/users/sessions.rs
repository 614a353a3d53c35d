//! `GET /users/sessions`, `DELETE /users/sessions`, `DELETE /users/sessions/{id}`

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::ApiState;
use crate::bearer::Bearer;
use crate::problem::Problem;
use domain::moments::rfc3339;

#[derive(Debug, Serialize, ToSchema)]
pub struct Sessions {
    /// Most recently seen first.
    sessions: Vec<Session>,
}

/// A place where the account is signed in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    id: String,
    /// Whether it is the session of this request.
    current: bool,
    user_agent: String,
    #[schema(format = DateTime)]
    created_at: String,
    /// To the minute.
    #[schema(format = DateTime)]
    last_seen_at: String,
    #[schema(format = DateTime)]
    expires_at: String,
}

impl Sessions {
    /// Builds the list of an account's sessions; `current` is that of the request.
    pub fn new(sessions: Vec<domain::session::Session>, current: &str) -> Sessions {
        let sessions = sessions.into_iter().map(|session| Session {
            current: session.id == current,
            id: session.id,
            user_agent: session.user_agent,
            created_at: rfc3339(session.created_at),
            last_seen_at: rfc3339(session.last_seen_at),
            expires_at: rfc3339(session.expires_at),
        });
        Sessions { sessions: sessions.collect() }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Ended {
    /// How many sessions were ended.
    ended: u64,
}

impl Ended {
    pub fn new(ended: u64) -> Ended {
        Ended { ended }
    }
}

/// Lists the account's open sessions.
#[utoipa::path(
    get,
    path = "/api/users/sessions",
    operation_id = "listSessions",
    tag = "Sessions",
    responses((status = 200, description = "All open sessions.", body = Sessions))
)]
pub async fn list(State(api): State<ApiState>, Bearer(who): Bearer) -> Result<Json<Sessions>, Problem> {
    Ok(Json(Sessions::new(api.app.list_sessions(&who).await?, &who.session.id)))
}

/// Ends one session at once.
#[utoipa::path(
    delete,
    path = "/api/users/sessions/{id}",
    operation_id = "endSession",
    tag = "Sessions",
    params(("id" = String, Path, description = "The session's id")),
    responses(
        (status = 204, description = "The session has ended."),
        (status = 404, description = "`session.not_found`"),
    )
)]
pub async fn end(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    api.app.end_session(&who, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends every session but that of the request.
#[utoipa::path(
    delete,
    path = "/api/users/sessions",
    operation_id = "endOtherSessions",
    tag = "Sessions",
    responses((status = 200, description = "The others have ended.", body = Ended))
)]
pub async fn end_others(State(api): State<ApiState>, Bearer(who): Bearer) -> Result<Json<Ended>, Problem> {
    Ok(Json(Ended::new(api.app.end_other_sessions(&who).await?)))
}
