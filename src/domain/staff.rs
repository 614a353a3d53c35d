//! Staff: accounts, sessions and invitations.

use crate::account::{AccountKey, Holder};
use crate::api_key::ApiKey;
use crate::moments::{MINUTE, Millis};
use crate::permission::{Permission, RoleForbidden, Standing};
use crate::role::Role;
use crate::session::{Audience, Session};

/// Time without a request after which the password must be entered again.
pub const IDLE: Millis = 15 * MINUTE;
/// How long an entered password counts as recent.
pub const STEP_UP: Millis = 5 * MINUTE;

#[derive(Debug, Clone)]
pub struct Staff {
    pub id: String,
    /// Empty if not given.
    pub name: String,
    /// Empty once removed.
    pub email: String,
    pub role: Role,
    /// PHC string; empty for staff who only log in with an identity provider.
    pub password_hash: String,
    /// Seed from which the authenticator app's secret is derived; `None` without an app.
    pub code_seed: Option<String>,
    /// Number of passkeys.
    pub passkeys: i64,
    pub suspended_at: Option<Millis>,
    pub created_at: Millis,
}

impl Staff {
    /// Returns the name shown to other staff.
    pub fn called(&self) -> &str {
        if self.name.is_empty() { &self.email } else { &self.name }
    }

    /// Checks that their role includes the permission.
    ///
    /// # Errors
    /// [`RoleForbidden`]
    pub fn permit(&self, permission: Permission) -> Result<(), RoleForbidden> {
        if self.role.may(permission) { Ok(()) } else { Err(RoleForbidden) }
    }

    pub fn has_password(&self) -> bool {
        !self.password_hash.is_empty()
    }

    /// Whether a password alone is not enough to log in.
    pub fn has_second_factor(&self) -> bool {
        self.holder().has_second_factor()
    }

    /// Returns the account as the holder of its second factor.
    pub fn holder(&self) -> Holder<'_> {
        let account = AccountKey { audience: Audience::Admin, id: &self.id };
        Holder { account, email: &self.email, seed: self.code_seed.as_deref(), passkeys: self.passkeys }
    }
}

/// A member of staff, as visible to all staff.
#[derive(Debug, Clone)]
pub struct StaffSummary {
    pub id: String,
    /// Empty if not given.
    pub name: String,
    pub email: String,
    pub role: Role,
    pub suspended_at: Option<Millis>,
}

impl StaffSummary {
    /// Returns the name shown to other staff.
    pub fn called(&self) -> &str {
        if self.name.is_empty() { &self.email } else { &self.name }
    }
}

/// A member of staff in the staff list.
#[derive(Debug, Clone)]
pub struct ListedStaff {
    pub staff: Staff,
    /// `None` if not logged in anywhere and not seen for a while.
    pub last_seen_at: Option<Millis>,
}

/// The identity provider that a session was opened with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionProvider {
    pub id: String,
    pub name: String,
    /// Whether it asks for a second factor itself.
    pub second_factor: bool,
}

/// A session of a member of staff, with what the gates need to know.
#[derive(Debug, Clone)]
pub struct StaffSession {
    pub session: Session,
    pub staff: Staff,
    /// When the password (and the code) was last entered.
    pub stepped_up_at: Millis,
    /// Whether all staff must have a second factor.
    pub second_factor_required: bool,
    /// The identity provider that opened the session.
    pub provider: Option<SessionProvider>,
    /// The API key, if a program is calling. Then `session` stands for the key, and `staff` has the key's role.
    pub key: Option<ApiKey>,
}

impl StaffSession {
    /// Returns what gates need to know about the session at `now`.
    pub fn standing(&self, now: Millis) -> Standing {
        Standing {
            role: self.staff.role,
            idle: now - self.session.last_seen_at >= IDLE,
            lacks_second_factor: self.second_factor_required
                && !self.staff.has_second_factor()
                && !self.provider.as_ref().is_some_and(|provider| provider.second_factor),
            stepped_up: now - self.stepped_up_at < STEP_UP,
            by_key: self.key.is_some(),
        }
    }
}

/// An invitation to join the staff that was neither accepted nor revoked.
#[derive(Debug, Clone)]
pub struct Invitation {
    pub id: String,
    pub email: String,
    pub role: Role,
    /// Digest of the secret in the mail.
    pub digest: String,
    pub invited_by: String,
    pub created_at: Millis,
    pub sent_at: Millis,
    pub expires_at: Millis,
}
