//! What the calls of staff and of applicants return about passkeys. Only browsers on our own pages can create them and
//! log in with them.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use domain::moments::rfc3339;

/// A passkey of the account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Passkey {
    id: String,
    /// The `User-Agent` of the browser that created it.
    browser: String,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(required, format = DateTime)]
    last_used_at: Option<String>,
}

/// Passkeys, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Passkeys {
    passkeys: Vec<Passkey>,
}

pub fn passkeys_response(passkeys: Vec<domain::passkey::Passkey>) -> Json<Passkeys> {
    let passkeys = passkeys.into_iter().map(|passkey| Passkey {
        id: passkey.id,
        browser: passkey.user_agent,
        created_at: rfc3339(passkey.created_at),
        last_used_at: passkey.last_used_at.map(rfc3339),
    });
    Json(Passkeys { passkeys: passkeys.collect() })
}
