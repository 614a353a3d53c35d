//! Staff: accounts, sessions and invitations.

use crate::account::{AccountKey, Holder};
use crate::moments::{MINUTE, Millis};
use crate::permission::{Permission, RoleForbidden, Standing};
use crate::role::Role;
use crate::session::{Audience, Session};

/// A member of staff.
#[derive(Debug, Clone)]
pub struct Staff {
    pub id: String,
    /// Empty for who has not told it.
    pub name: String,
    /// Empty once removed.
    pub email: String,
    pub role: Role,
    /// PHC string.
    pub password_hash: String,
    /// What the secret of the authenticator app is derived from; `None` without one.
    pub code_seed: Option<String>,
    /// How many there are.
    pub passkeys: i64,
    pub suspended_at: Option<Millis>,
    pub created_at: Millis,
}

impl Staff {
    /// What colleagues call them.
    pub fn called(&self) -> &str {
        if self.name.is_empty() { &self.email } else { &self.name }
    }

    /// That their role includes it.
    ///
    /// # Errors
    /// [`RoleForbidden`]
    pub fn permit(&self, permission: Permission) -> Result<(), RoleForbidden> {
        if self.role.may(permission) { Ok(()) } else { Err(RoleForbidden) }
    }
}

/// A member of staff, as everybody in the office knows them.
#[derive(Debug, Clone)]
pub struct Colleague {
    pub id: String,
    /// Empty for who has not told it.
    pub name: String,
    pub email: String,
    pub role: Role,
    pub suspended_at: Option<Millis>,
}

impl Colleague {
    /// What the others call them.
    pub fn called(&self) -> &str {
        if self.name.is_empty() { &self.email } else { &self.name }
    }
}

/// Someone on the list of staff.
#[derive(Debug, Clone)]
pub struct ListedStaff {
    pub staff: Staff,
    /// `None` for who is nowhere signed in and was not for a while.
    pub last_seen_at: Option<Millis>,
}

/// A session of a member of staff, and what its gates need to know.
#[derive(Debug, Clone)]
pub struct StaffSession {
    pub session: Session,
    pub staff: Staff,
    /// When the password (and the code) was given last.
    pub stepped_up_at: Millis,
    /// Everybody must have a second factor.
    pub second_factor_required: bool,
}

/// An invitation to the office that was neither taken nor revoked.
#[derive(Debug, Clone)]
pub struct Invitation {
    pub id: String,
    pub email: String,
    pub role: Role,
    /// Digest of the mailed secret.
    pub digest: String,
    pub invited_by: String,
    pub created_at: Millis,
    pub sent_at: Millis,
    pub expires_at: Millis,
}

impl Staff {
    /// Whether the password alone does not log in.
    pub fn has_second_factor(&self) -> bool {
        self.holder().has_second_factor()
    }

    /// Whose second factor it is.
    pub fn holder(&self) -> Holder<'_> {
        let account = AccountKey { audience: Audience::Admin, id: &self.id };
        Holder { account, email: &self.email, seed: self.code_seed.as_deref(), passkeys: self.passkeys }
    }
}

/// After so much time without a request the password is asked for again.
pub const IDLE: Millis = 15 * MINUTE;
/// For so long the password counts as just given.
pub const STEP_UP: Millis = 5 * MINUTE;

impl StaffSession {
    /// What gates need to know of it at `now`.
    pub fn standing(&self, now: Millis) -> Standing {
        Standing {
            role: self.staff.role,
            idle: now - self.session.last_seen_at >= IDLE,
            lacks_second_factor: self.second_factor_required && !self.staff.has_second_factor(),
            stepped_up: now - self.stepped_up_at < STEP_UP,
        }
    }
}
