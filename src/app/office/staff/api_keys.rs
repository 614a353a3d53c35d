//! API keys: made, listed and revoked by their owner, and what calls with one may do.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde_json::json;

use super::mails;
use super::staff_list::role;
use crate::App;
use crate::error::{Error, Refusal};
use crate::office::list_views::sent_name;
use domain::api_key::{ApiKey, LIFETIMES, MAX_CALLS, PREFIX, WINDOW};
use domain::body;
use domain::body::{required, whole, wrong};
use domain::input::{FieldError, Input};
use domain::moments::{DAY, MINUTE, Millis};
use domain::role::Role;
use domain::sentence::Sentence;
use domain::staff::StaffSession;

body! {
    pub struct NewApiKey {
        /// What it is for; 1 to 60 characters.
        name: String = sent_name("Say what the key is for."),
        /// The role of calls with the key. The owner's role must include it.
        role: Role = role,
        /// Only calls that change nothing (`GET`).
        read_only: bool = |path: &str, input: Option<&Input>| match input {
            Some(Input::Bool(read_only)) => Ok(*read_only),
            _ => Err(wrong(path, "required", "Choose whether the key may change things.")),
        },
        /// How long it is valid: 30, 90 or 365.
        days: i64 = days,
    }
}

/// A new key. Its secret is shown once and not stored.
#[derive(Debug, Clone)]
pub struct MadeApiKey {
    pub key: ApiKey,
    pub secret: String,
}

/// A key's remaining calls in the current window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallsLeft {
    pub calls: u32,
    /// Time until the window ends.
    pub reset: Millis,
}

fn days(path: &str, input: Option<&Input>) -> Result<i64, FieldError> {
    let [short, middle, long] = LIFETIMES;
    let ask = Sentence::plain(format!("Choose {short}, {middle} or {long} days."));
    let days = required(whole(ask.clone()), ask.clone())(path, input)?;
    if LIFETIMES.contains(&days) { Ok(days) } else { Err(wrong(path, "unknown", ask)) }
}

impl App {
    /// The member's own keys, including expired ones, newest first.
    pub async fn api_keys(&self, who: &StaffSession) -> Result<Vec<ApiKey>, Error> {
        Ok(self.store.api_keys(&who.staff.id).await?)
    }

    /// Makes a key that acts in the member's name. They get a mail about it.
    ///
    /// # Errors
    /// Invalid fields, `role.exceeds` for a role that theirs does not include, [`Refusal::TooManyApiKeys`].
    pub async fn create_api_key(&self, who: &StaffSession, input: &Input) -> Result<MadeApiKey, Error> {
        let NewApiKey { name, role, read_only, days } = NewApiKey::parse(input)?;
        let staff = &who.staff;
        if !staff.role.includes(role) {
            return Err(FieldError::new("role", "role.exceeds", "Choose a role that your own role includes.").into());
        }
        let now = self.clock.now();
        let key = ApiKey {
            id: self.random.id(),
            staff_id: staff.id.clone(),
            name,
            role,
            read_only,
            created_at: now,
            expires_at: now + days * DAY,
            last_used_at: None,
        };
        let secret = format!("{PREFIX}{}", self.random.secret());
        let detail = json!({ "key": key.id, "role": role, "readOnly": read_only, "days": days });
        let audit = self.about_self(staff, "staff.key_made", detail);
        let mail = mails::api_key_made(self, staff, &key);
        if !self.store.create_api_key(&key, &self.tokens.digest(&secret), &audit, &mail).await? {
            return Err(Refusal::TooManyApiKeys.into());
        }
        Ok(MadeApiKey { key, secret })
    }

    /// Revokes one of the member's own keys. Calls with it are refused from now on.
    ///
    /// # Errors
    /// [`Refusal::ApiKeyNotFound`]
    pub async fn revoke_api_key(&self, who: &StaffSession, id: &str) -> Result<(), Error> {
        let audit = self.about_self(&who.staff, "staff.key_revoked", json!({ "key": id }));
        if self.store.revoke_api_key(&who.staff.id, id, &audit).await? {
            Ok(())
        } else {
            Err(Refusal::ApiKeyNotFound.into())
        }
    }

    /// The owner of a key, in the key's role.
    ///
    /// # Errors
    /// [`Refusal::TokenInvalid`] if it has expired or is revoked, or if its owner may no longer do what it does.
    pub(super) async fn staff_of_api_key(&self, secret: &str) -> Result<StaffSession, Error> {
        let digest = self.tokens.digest(secret);
        Ok(self.store.session_of_api_key(&digest, self.clock.now()).await?.ok_or(Refusal::TokenInvalid)?)
    }

    /// Counts a call with a key, and records its use. Returns the remaining calls either way.
    ///
    /// # Errors
    /// Too many calls; errors of the store.
    pub async fn count_key_call(&self, key: &ApiKey) -> (CallsLeft, Result<(), Error>) {
        let now = self.clock.now();
        let (left, counted) = self.key_calls.count(&key.id, now);
        if !counted {
            return (left, Err(Error::Throttled { code: "rate_limited", wait: left.reset }));
        }
        if key.last_used_at.is_some_and(|last| now - last < MINUTE) {
            return (left, Ok(()));
        }
        (left, self.store.api_key_used(&key.id, now).await.map_err(Error::from))
    }
}

/// Calls of each key in its current window, in this process.
#[derive(Debug, Default)]
pub struct KeyCalls(Mutex<HashMap<String, Window>>);

#[derive(Debug)]
struct Window {
    ends_at: Millis,
    calls: u32,
}

impl KeyCalls {
    /// The remaining calls after this one, and whether this one was within the limit.
    fn count(&self, key_id: &str, now: Millis) -> (CallsLeft, bool) {
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        windows.retain(|_, window| window.ends_at > now);
        let window = windows.entry(key_id.to_owned()).or_insert(Window { ends_at: now + WINDOW, calls: 0 });
        let counted = window.calls < MAX_CALLS;
        window.calls += u32::from(counted);
        (CallsLeft { calls: MAX_CALLS - window.calls, reset: window.ends_at - now }, counted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_own_calls_in_a_minute() {
        let calls = KeyCalls::default();
        assert_eq!(calls.count("a", 1000), (CallsLeft { calls: MAX_CALLS - 1, reset: WINDOW }, true));
        for _ in 1..MAX_CALLS {
            assert!(calls.count("a", 2000).1);
        }
        assert_eq!(calls.count("a", 2000), (CallsLeft { calls: 0, reset: WINDOW - 1000 }, false));
        assert!(calls.count("b", 2000).1);
        assert!(calls.count("a", 1000 + WINDOW).1);
    }
}
