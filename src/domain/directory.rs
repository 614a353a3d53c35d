//! Provisioning of staff: the users and groups of an identity provider, as it keeps them up to date here.

use std::collections::BTreeSet;

use crate::moments::Millis;
use crate::role::Role;
use crate::sign_on::RoleRules;

/// What every provisioning token begins with.
pub const TOKEN_PREFIX: &str = "matricula_scim_";
/// Maximum number of users of a provider.
pub const MAX_USERS: usize = 2_000;
/// Maximum number of groups of a provider.
pub const MAX_GROUPS: usize = 200;

/// The users and groups of a provider.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Directory {
    /// Grows with each change.
    pub version: i64,
    /// Whether the rules for roles have changed since accounts last followed them.
    pub accounts_due: bool,
    /// Oldest first.
    pub users: Vec<DirectoryUser>,
    /// Oldest first.
    pub groups: Vec<DirectoryGroup>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryUser {
    pub id: String,
    pub fields: UserFields,
    /// Their account, once they have had a role.
    pub staff_id: Option<String>,
    pub created_at: Millis,
    pub changed_at: Millis,
}

/// What a provider says of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserFields {
    /// What the provider knows them by.
    pub external_id: Option<String>,
    pub user_name: String,
    pub email: String,
    /// Empty if not given, like the other names.
    pub display_name: String,
    pub given_name: String,
    pub family_name: String,
    pub active: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryGroup {
    pub id: String,
    pub fields: GroupFields,
    pub created_at: Millis,
    pub changed_at: Millis,
}

/// What a provider says of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupFields {
    pub external_id: Option<String>,
    pub name: String,
    /// Ids of users.
    pub members: BTreeSet<String>,
}

impl UserFields {
    /// Returns the name that colleagues see; empty if none is given.
    pub fn name(&self) -> String {
        if self.display_name.is_empty() {
            format!("{} {}", self.given_name, self.family_name).trim().to_owned()
        } else {
            self.display_name.clone()
        }
    }
}

impl Directory {
    pub fn user(&self, id: &str) -> Option<&DirectoryUser> {
        self.users.iter().find(|user| user.id == id)
    }

    pub fn group(&self, id: &str) -> Option<&DirectoryGroup> {
        self.groups.iter().find(|group| group.id == id)
    }

    /// Returns the groups of a user.
    pub fn groups_of<'a>(&'a self, user_id: &'a str) -> impl Iterator<Item = &'a DirectoryGroup> {
        self.groups.iter().filter(move |group| group.fields.members.contains(user_id))
    }

    /// Returns the role of a user by these rules; none if they may not log in.
    pub fn role_of(&self, user: &DirectoryUser, rules: &RoleRules) -> Option<Role> {
        let names: Vec<String> = self.groups_of(&user.id).map(|group| group.fields.name.clone()).collect();
        rules.role_for(&names).filter(|_| user.fields.active)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(id: &str) -> DirectoryUser {
        let fields = UserFields {
            external_id: None,
            user_name: format!("{id}@example.org"),
            email: format!("{id}@example.org"),
            display_name: String::new(),
            given_name: "Demo".into(),
            family_name: "Reader".into(),
            active: true,
        };
        DirectoryUser { id: id.into(), fields, staff_id: None, created_at: 0, changed_at: 0 }
    }

    #[test]
    fn groups_give_active_users_their_role() {
        let group = |name: &str, members: &[&str]| DirectoryGroup {
            id: name.to_uppercase(),
            fields: GroupFields {
                external_id: None,
                name: name.into(),
                members: members.iter().map(|it| (*it).to_owned()).collect(),
            },
            created_at: 0,
            changed_at: 0,
        };
        let mut directory = Directory {
            version: 0,
            accounts_due: false,
            users: vec![user("a"), user("b"), user("c")],
            groups: vec![group("readers", &["a", "b"]), group("deans", &["b"])],
        };
        let mut rules = RoleRules::default();
        rules.groups.insert("reviewer".into(), vec!["readers".into()]);
        rules.groups.insert("decider".into(), vec!["deans".into()]);
        let role = |directory: &Directory, id: &str| directory.role_of(directory.user(id).unwrap(), &rules);
        assert_eq!(role(&directory, "a"), Some(Role::Reviewer));
        assert_eq!(role(&directory, "b"), Some(Role::Decider));
        assert_eq!(role(&directory, "c"), None);
        directory.users[0].fields.active = false;
        assert_eq!(role(&directory, "a"), None);
    }

    #[test]
    fn a_display_name_comes_before_the_parts_of_a_name() {
        let mut fields = user("a").fields;
        assert_eq!(fields.name(), "Demo Reader");
        fields.family_name.clear();
        assert_eq!(fields.name(), "Demo");
        fields.display_name = "Demo R.".into();
        assert_eq!(fields.name(), "Demo R.");
    }
}
