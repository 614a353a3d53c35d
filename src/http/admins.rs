//! Calls of the staff, `/admins/…`: none yet, but none of them tells a stranger so.

use axum::extract::State;
use axum::http::{HeaderMap, Method, Uri};

use super::problem::Problem;
use super::{ApiState, bearer, no_such_call};

pub async fn call(State(api): State<ApiState>, method: Method, uri: Uri, headers: HeaderMap) -> Result<(), Problem> {
    api.app.authenticate_staff(bearer::token(&headers)?).await?;
    Err(no_such_call(method, uri).await)
}
