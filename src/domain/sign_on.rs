//! Single sign-on: identity providers, and the role that each member of staff gets from one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::moments::{MINUTE, Millis};
use crate::role::Role;

/// Maximum number of identity providers.
pub const MAX_PROVIDERS: i64 = 10;
/// How long somebody may take to log in at the provider.
pub const PATIENCE: Millis = 15 * MINUTE;
/// The claim that most providers list groups in.
pub const USUAL_ROLE_CLAIM: &str = "groups";

/// A provider of identities by OpenID Connect, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdentityProvider {
    pub id: String,
    /// The name on its login button.
    pub name: String,
    /// Whether applicants log in with it, and not staff. Roles, second factor and provisioning are for staff.
    pub for_applicants: bool,
    /// The address that identifies it, as in its tokens.
    pub issuer: String,
    /// What it calls this product.
    pub client_id: String,
    /// The claim that lists somebody's groups.
    pub role_claim: String,
    pub roles: RoleRules,
    /// Whether it asks for a second factor, so that ours is not needed.
    pub second_factor: bool,
    /// Whether its emails count as verified although its tokens do not say so.
    pub verified_emails: bool,
    pub created_at: Millis,
    /// Number of members of staff, or of applicants, who log in with it.
    pub people: i64,
    /// None if it does not send its users and groups.
    pub provisioning: Option<Provisioning>,
}

/// An identity provider that an applicant logs in with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedProvider {
    pub provider_id: String,
    pub name: String,
    pub linked_at: Millis,
}

/// How a provider keeps its users and groups up to date here: see [`directory`](crate::directory).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provisioning {
    /// When its token was made.
    pub since: Millis,
    /// To the minute.
    pub last_used_at: Option<Millis>,
    pub users: i64,
    pub groups: i64,
}

/// Which role somebody gets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleRules {
    /// Names of the groups whose members have a role, by the role's name.
    pub groups: BTreeMap<String, Vec<String>>,
    /// The role of everybody else; without one, they are refused.
    pub otherwise: Option<Role>,
}

impl RoleRules {
    /// Returns the groups whose members have a role.
    pub fn groups_of(&self, role: Role) -> &[String] {
        self.groups.get(role.as_str()).map_or(&[], Vec::as_slice)
    }

    /// Returns the role of somebody in these groups. Of several, it is the last of [`Role::ALL`].
    pub fn role_for(&self, groups: &[String]) -> Option<Role> {
        let has = |role: &Role| self.groups_of(*role).iter().any(|group| groups.contains(group));
        Role::ALL.into_iter().rev().find(has).or(self.otherwise)
    }
}

/// Somebody, as a provider describes them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// Identifies them at this provider for good.
    pub subject: String,
    pub email: Option<String>,
    /// Whether the provider says that the email is theirs.
    pub email_verified: bool,
    pub name: Option<String>,
    pub given_name: Option<String>,
    pub family_name: Option<String>,
    pub groups: Vec<String>,
    /// When they last proved who they are, if the provider says so.
    pub authenticated_at: Option<Millis>,
    /// The session at the provider.
    pub session: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn somebody_in_several_groups_has_the_last_role() {
        let mut rules = RoleRules::default();
        rules.groups.insert("reviewer".into(), vec!["readers".into(), "deans".into()]);
        rules.groups.insert("owner".into(), vec!["admins".into()]);
        let role = |groups: &[&str]| rules.role_for(&groups.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
        assert_eq!(role(&["deans"]), Some(Role::Reviewer));
        assert_eq!(role(&["admins", "readers"]), Some(Role::Owner));
        assert_eq!((role(&["Readers"]), role(&[])), (None, None));
        let open = RoleRules { otherwise: Some(Role::Viewer), ..rules.clone() };
        assert_eq!(open.role_for(&[]), Some(Role::Viewer));
    }
}
