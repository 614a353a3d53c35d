//! Staff accounts: who they are, what they may do now, and what Owners do with them.

mod api_keys;
mod forgotten;
mod invitations;
mod login;
pub(crate) mod mails;
mod own_account;
mod second_factor;
mod sign_on;
mod staff_list;

use serde_json::{Value, json};

use crate::accounts::second_factor::Event;
use crate::error::{Error, Refusal};
use crate::{App, Caller};
use domain::account::Email;
use domain::api_key::PREFIX;
use domain::body::wrong;
use domain::characters;
use domain::input::{FieldError, Input};
use domain::moments::{HOUR, Millis};
use domain::names;
use domain::password;
use domain::permission::{Gate, Turned};
use domain::role::Role;
use domain::sentence::Sentence;
use domain::session::Audience;
use domain::staff::{Staff, StaffSession, StaffSummary};
use store::{AuditEntry, Limit, SessionKey};

pub use api_keys::{CallsLeft, KeyCalls, MadeApiKey, NewApiKey};
pub use forgotten::{STAFF_RESET_DONE, STAFF_RESET_REQUESTED};
pub use invitations::{INVITATION_DAYS, InvitationAnswer, NewInvitation};
pub use login::{StaffEntered, StepUp};
pub(crate) use mails::{asked_to_read, card_refused, mentioned_in_note, wrong_passwords};
pub use own_account::StaffName;
pub use sign_on::SignedOn;
pub use staff_list::{AdminChange, StaffList};
pub(crate) use staff_list::{changed, role};

/// Lifetime of a staff session, regardless of use.
pub const SESSION: Millis = 12 * HOUR;
/// Minimum time between two updates of a session's last visit.
const NOTED_EVERY: Millis = 30_000;
/// Maximum number of refusals recorded per member of staff and hour.
const REFUSALS_PER_HOUR: u32 = 60;
/// Maximum number of characters in a name.
const MAX_NAME_LENGTH: usize = 100;

impl App {
    /// Creates a member of staff, from the command line.
    ///
    /// # Errors
    /// A bad address or password, or a taken address.
    pub async fn create_staff(&self, email: &str, password: &str, role: Role) -> Result<Staff, Error> {
        let email = Email::parse(Some(&Input::Text(email.to_owned())))?;
        let password = password::check(password, &[email.as_str(), &self.settings.institute])?;
        let staff = self.new_staff(String::new(), &email, role, password).await?;
        let audit = self.about_staff("system".into(), &staff.id, "staff.created", json!({ "role": role }));
        self.store.create_staff(&staff, &audit).await?;
        Ok(staff)
    }

    /// Removes somebody's second factor, from the command line: for an Owner whom no other Owner can help. Returns
    /// false if there is no such account, or nothing to remove.
    ///
    /// # Errors
    /// A bad address.
    pub async fn drop_second_factor_of(&self, email: &str) -> Result<bool, Error> {
        let email = Email::parse(Some(&Input::Text(email.to_owned())))?;
        let Some(staff) = self.store.staff_by_email(&email.key()).await? else { return Ok(false) };
        let holder = staff.holder();
        let audit = self.second_factor_changed("system".into(), holder, Event::Reset, json!({}));
        let mail = mails::second_factor_off(self, &staff);
        Ok(self.store.reset_second_factor(holder.account, &audit, &mail).await?)
    }

    /// Locks or unlocks an applicant's account, from the command line. Returns false if there is no such account.
    ///
    /// # Errors
    /// A bad address.
    pub async fn set_applicant_disabled(&self, email: &str, disabled: bool) -> Result<bool, Error> {
        let email = Email::parse(Some(&Input::Text(email.to_owned())))?;
        let Some(applicant) = self.store.applicant_by_email(&email.key()).await? else { return Ok(false) };
        let action = if disabled { "applicant.disabled" } else { "applicant.enabled" };
        let subject = format!("applicant:{}", applicant.id);
        let audit = self.audit_entry("system".into(), subject, action, json!({}));
        Ok(self.store.set_disabled(&applicant.id, disabled, &audit).await?)
    }

    /// All staff, as shown to each other.
    pub async fn all_staff(&self) -> Result<Vec<StaffSummary>, Error> {
        Ok(self.store.all_staff().await?)
    }

    /// Returns the owner of this bearer token. What they may do is up to [`admit`](Self::admit).
    ///
    /// # Errors
    /// The token or its session is no longer valid, or the account is suspended.
    pub async fn staff_of_token(&self, token: &str) -> Result<StaffSession, Error> {
        if token.starts_with(PREFIX) {
            return self.staff_of_api_key(token).await;
        }
        let now = self.clock.now();
        let sid = self.tokens.read(token, Audience::Admin, now)?;
        Ok(self.store.staff_session(SessionKey::Id(&sid), now).await?.ok_or(Refusal::SessionEnded)?)
    }

    /// Returns the owner of this staff cookie. `None` for one that is no longer valid.
    pub async fn staff_of_cookie(&self, cookie: &str) -> Result<Option<StaffSession>, Error> {
        let digest = self.tokens.digest(cookie);
        Ok(self.store.staff_session(SessionKey::Cookie(&digest), self.clock.now()).await?)
    }

    /// Lets a signed-in member of staff through a gate, and updates their last visit.
    ///
    /// # Errors
    /// [`Refusal::StepUp`], also for an idle session, [`Refusal::SecondFactorMissing`], [`Refusal::RoleForbidden`].
    pub async fn admit(&self, gate: Gate, who: &StaffSession) -> Result<(), Error> {
        let now = self.clock.now();
        let standing = who.standing(now);
        gate.admit(&standing).map_err(|turned| match turned {
            Turned::Idle | Turned::StepUp => Refusal::StepUp,
            Turned::SecondFactor => Refusal::SecondFactorMissing,
            Turned::Role => Refusal::RoleForbidden,
            Turned::Key => Refusal::ApiKeyForbidden,
        })?;
        if !standing.idle && who.key.is_none() && now - who.session.last_seen_at >= NOTED_EVERY {
            self.store.staff_seen(&who.session.id, now).await?;
        }
        Ok(())
    }

    /// Records that somebody was refused what their role does not allow. `what` is a method and a path pattern.
    pub async fn note_refusal(&self, who: &StaffSession, what: &str, caller: &Caller) {
        let detail = json!({ "refused": what, "role": who.staff.role, "address": caller.address });
        let audit = self.about_self(&who.staff, "staff.refused", detail);
        let limit = Limit { key: format!("refused:{}", who.staff.id), most: REFUSALS_PER_HOUR, window: HOUR };
        let noted = match self.limit(&[limit]).await {
            Ok(()) => self.store.note(&audit).await.map_err(Error::from),
            Err(Error::Throttled { .. }) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = noted {
            tracing::error!(error = &error as &dyn std::error::Error, "a refusal is not in the record");
        }
    }

    /// Issues a new bearer token for the session of a staff cookie.
    ///
    /// # Errors
    /// [`Refusal::LoginRequired`] when the cookie is no longer valid, [`Refusal::StepUp`] when the session is idle.
    pub async fn renew_staff_token(&self, cookie: &str) -> Result<String, Error> {
        let who = self.staff_of_cookie(cookie).await?.ok_or(Refusal::LoginRequired)?;
        self.admit(Gate::UNREADY, &who).await?;
        Ok(self.tokens.issue(&who.session.id, Audience::Admin, self.clock.now()))
    }

    /// A new account, not stored yet; the password is already checked.
    async fn new_staff(&self, name: String, email: &Email, role: Role, password: String) -> Result<Staff, Error> {
        Ok(Staff {
            id: self.random.id(),
            name,
            email: email.as_str().to_owned(),
            role,
            password_hash: self.passwords.hash(password).await?,
            code_seed: None,
            passkeys: 0,
            suspended_at: None,
            created_at: self.clock.now(),
        })
    }

    /// An audit entry about a staff account.
    fn about_staff(&self, actor: String, staff_id: &str, action: &'static str, detail: Value) -> AuditEntry {
        self.audit_entry(actor, format!("staff:{staff_id}"), action, detail)
    }

    /// An audit entry about what a member of staff did to their own account.
    fn about_self(&self, staff: &Staff, action: &'static str, detail: Value) -> AuditEntry {
        self.about_staff(actor(staff), &staff.id, action, detail)
    }
}

/// The actor's name in the record.
fn actor(staff: &Staff) -> String {
    format!("staff:{}", staff.id)
}

/// A name as colleagues see it, trimmed.
pub(crate) fn name(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    let error = |rule: &str, message: Sentence| Err(wrong(path, rule, message));
    match input {
        Some(Input::Text(text)) if !text.trim().is_empty() => {
            let text = text.trim();
            if text.chars().count() > MAX_NAME_LENGTH {
                error("too_long", Sentence::plain(format!("Name must be at most {MAX_NAME_LENGTH} characters.")))
            } else if let Some(sentence) = characters::refused("Name", text) {
                error("invalid", sentence)
            } else if names::holds_address(text) {
                error("address", names::address_refused(&Sentence::new("Name")))
            } else {
                Ok(text.to_owned())
            }
        }
        None | Some(Input::Text(_)) => error("required", "Enter your name.".into()),
        Some(_) => error("type", "Name must be text.".into()),
    }
}
