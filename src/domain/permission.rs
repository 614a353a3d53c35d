//! What staff can do, who may do it, and what every route of the office requires of its caller. One table, denied by
//! default; shown in `docs/roles.md`.

use std::fmt::Write;

use serde::Serialize;

use super::role::Role;

macro_rules! permissions {
    ($($(#[$meta:meta])* $name:ident = $key:literal, $words:literal, $roles:expr;)*) => {
        /// Something that some roles may do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Permission {
            $($(#[$meta])* $name,)*
        }

        impl Permission {
            pub const ALL: &[Permission] = &[$(Permission::$name,)*];

            /// Returns a stable, machine-readable key: `decisions.release`.
            pub fn key(self) -> &'static str {
                match self {
                    $(Permission::$name => $key,)*
                }
            }

            /// Returns a description of what it permits.
            pub fn words(self) -> &'static str {
                match self {
                    $(Permission::$name => $words,)*
                }
            }

            /// Returns the roles that have it, one letter each: Viewer, Interviewer, Reviewer, Decider, Finance, Owner.
            fn roles(self) -> &'static str {
                match self {
                    $(Permission::$name => $roles,)*
                }
            }
        }
    };
}

permissions! {
    Applications = "applications.see", "See applications, their answers, stages and timelines", "VIRDFO";
    /// Date of birth, phone, address, citizenship.
    PersonalData = "applications.personal_data", "See personal data in lists and in one application", "-IRDFO";
    Export = "applications.export", "Save lists as files", "--RDFO";
    Notes = "applications.notes", "Read and write notes", "-IRDFO";
    Assign = "applications.assign", "Give an application an owner, tags and readers, and tick off what there is to do", "--RD-O";
    ShareViews = "applications.share_views", "Share views of the list with everybody, and change shared ones", "--RD-O";
    WriteToApplicants = "applications.mail", "Write to applicants and see what was written to them", "--RD-O";
    Prospects = "prospects.see", "See who asked for news or the brochure, and delete them", "--RD-O";
    OpenDays = "open_days.edit", "Make, change and cancel open days, see who has booked and note who came", "--RD-O";
    Documents = "documents.see", "Open documents", "-IRDFO";
    ReviewDocuments = "documents.review", "Ask for documents, and accept, return or waive them", "--RD-O";
    /// In the table of statuses, permits acts on one's own interviews.
    Interview = "interviews.own", "Offer times, and book, move and record one’s own interviews", "-IRD-O";
    OthersInterviews = "interviews.others", "Do so for the interviews of others", "--RD-O";
    Score = "interviews.score", "Fill in the score sheet of an interview, and of an application that one is asked to read", "-IRD-O";
    Review = "applications.review", "Ask for changes, defer, and withdraw for an applicant", "--RD-O";
    Decide = "decisions.draft", "Draft a decision, and reverse one; sit on the committee", "---D-O";
    Release = "decisions.release", "Let the applicant see a decision, and recall it", "---D-O";
    Enrol = "enrolments.make", "Enrol where the system did not", "---DFO";
    Questionnaires = "questionnaires.edit", "Write and publish the questions of a program", "--RD-O";
    Templates = "templates.edit", "Change the words of mails and letters", "---D-O";
    /// Each setting requires a further permission.
    SeeSettings = "settings.see", "Open the settings that are theirs", "---DFO";
    Contracts = "contracts.see", "See contracts", "--RDFO";
    ManageContracts = "contracts.manage", "Change templates of contracts, send and void contracts", "----FO";
    Countersign = "contracts.countersign", "Sign a contract for the institute", "---D-O";
    Finance = "finance.see", "See payments, funding and the ledger", "---DFO";
    ManageFinance = "finance.manage", "Note payments, refund, and change a payment plan", "----FO";
    Import = "applications.import", "Import applicants and applications, and undo an import", "-----O";
    Settings = "settings.edit", "Change settings of the product", "-----O";
    Staff = "staff.manage", "Invite staff, change roles, suspend and remove accounts, set up single sign-on, and remove an applicant’s lost second factor", "-----O";
    Audit = "audit.see", "See the whole record of who did what", "-----O";
}

impl Role {
    /// Whether the role includes the permission.
    pub fn may(self, permission: Permission) -> bool {
        let letter = self.as_str().as_bytes()[0].to_ascii_uppercase();
        permission.roles().bytes().any(|role| role == letter)
    }

    /// Whether every permission of the other role is also one of this role.
    pub fn includes(self, other: Role) -> bool {
        other.permissions().all(|permission| self.may(permission))
    }

    pub fn permissions(self) -> impl Iterator<Item = Permission> {
        Permission::ALL.iter().copied().filter(move |permission| self.may(*permission))
    }
}

impl Serialize for Permission {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.key())
    }
}

/// Who may use a route of the office, from the least restrictive to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everybody: logging in, accepting an invitation.
    Open,
    /// Also staff whose session is idle: entering the password again.
    Idle,
    /// Also staff who have not yet set up the second factor that everybody must have.
    Unready,
    /// Every member of staff.
    Staff,
    /// Staff whose role includes the permission.
    May(Permission),
}

/// What a route requires of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gate {
    pub access: Access,
    /// The password (and the code) must have been entered recently.
    pub step_up: bool,
    /// Requires a recent password for these acts only, by their names in the form.
    pub step_up_for: &'static [&'static str],
}

impl Gate {
    pub const OPEN: Gate = Gate::of(Access::Open);
    pub const IDLE: Gate = Gate::of(Access::Idle);
    pub const UNREADY: Gate = Gate::of(Access::Unready);
    pub const STAFF: Gate = Gate::of(Access::Staff);

    const fn of(access: Access) -> Gate {
        Gate { access, step_up: false, step_up_for: &[] }
    }

    pub const fn may(permission: Permission) -> Gate {
        Gate::of(Access::May(permission))
    }

    /// Also requires a recent password.
    pub const fn and_step_up(self) -> Gate {
        Gate { step_up: true, ..self }
    }

    /// Also requires a recent password for some acts.
    pub const fn and_step_up_for(self, acts: &'static [&'static str]) -> Gate {
        Gate { step_up_for: acts, ..self }
    }

    /// Returns the gate that applies to one act.
    pub fn for_act(self, act: &str) -> Gate {
        Gate { step_up: self.step_up || self.step_up_for.contains(&act), ..self }
    }

    /// Checks whether somebody who is logged in may pass.
    ///
    /// # Errors
    /// The first obstacle. A missing permission is reported before the password is asked for.
    pub fn admit(self, who: &Standing) -> Result<(), Turned> {
        if who.by_key && (self.step_up || !matches!(self.access, Access::May(_))) {
            return Err(Turned::Key);
        }
        if self.access != Access::Idle && who.idle {
            return Err(Turned::Idle);
        }
        if matches!(self.access, Access::Staff | Access::May(_)) && who.lacks_second_factor {
            return Err(Turned::SecondFactor);
        }
        if let Access::May(permission) = self.access
            && !who.role.may(permission)
        {
            return Err(Turned::Role);
        }
        if self.step_up && !who.stepped_up { Err(Turned::StepUp) } else { Ok(()) }
    }

    /// Whether to offer what is behind the gate: everything except what the role may not see, even if the password has
    /// to be entered first.
    pub fn shows_to(self, who: &Standing) -> bool {
        self.admit(who) != Err(Turned::Role)
    }
}

/// What a gate knows about somebody who is logged in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub role: Role,
    pub idle: bool,
    /// A second factor is required, and this account has none.
    pub lacks_second_factor: bool,
    pub stepped_up: bool,
    /// The caller is a program with an API key, which cannot confirm anything with a password.
    pub by_key: bool,
}

/// Why somebody who is logged in may not pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turned {
    Idle,
    SecondFactor,
    Role,
    StepUp,
    /// Not available to API keys.
    Key,
}

/// Returns the table in `docs/roles.md`.
pub fn rows() -> String {
    let mut text = String::from("| permission | |");
    for role in Role::ALL {
        write!(text, " {} |", role.title()).expect("writing to a string");
    }
    text.push_str(&format!("\n|---|---|{}\n", ":-:|".repeat(Role::ALL.len())));
    for permission in Permission::ALL {
        write!(text, "| `{}` | {} |", permission.key(), permission.words()).expect("writing to a string");
        for role in Role::ALL {
            text.push_str(if role.may(*permission) { " yes |" } else { " – |" });
        }
        text.push('\n');
    }
    text
}

/// The role does not include the permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoleForbidden;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_row_is_about_the_six_roles_and_an_owner_may_do_everything() {
        for permission in Permission::ALL {
            for (letter, role) in permission.roles().chars().zip("VIRDFO".chars()) {
                assert!(letter == role || letter == '-', "{permission:?}");
            }
            assert_eq!(permission.roles().len(), 6, "{permission:?}");
            assert!(Role::Owner.may(*permission), "{permission:?}");
        }
        let keys: BTreeSet<&str> = Permission::ALL.iter().map(|permission| permission.key()).collect();
        assert_eq!(keys.len(), Permission::ALL.len());
    }

    #[test]
    fn who_may_do_what() {
        use Permission::*;
        for (role, may, may_not) in [
            (Role::Viewer, &[Applications][..], &[PersonalData, Notes, Documents, Export, Interview][..]),
            (Role::Interviewer, &[Interview, Score, Notes], &[OthersInterviews, Review, Export]),
            (Role::Reviewer, &[Interview, Review, Questionnaires, Export], &[Decide, Release, Settings]),
            (Role::Decider, &[Decide, Release, Enrol, Countersign], &[ManageContracts, Staff, Audit]),
            (Role::Finance, &[Enrol, ManageFinance, ManageContracts], &[Interview, Review, Decide, Staff]),
        ] {
            assert!(may.iter().all(|permission| role.may(*permission)), "{role:?}");
            assert!(!may_not.iter().any(|permission| role.may(*permission)), "{role:?}");
        }
        assert_eq!(Role::Viewer.permissions().collect::<Vec<_>>(), [Applications]);
        assert!(Role::ALL.iter().all(|role| Role::Owner.includes(*role) && role.includes(Role::Viewer)));
        assert!(!Role::Reviewer.includes(Role::Decider) && !Role::Decider.includes(Role::Finance));
    }

    #[test]
    fn a_gate_says_the_first_thing_that_stands_against_it() {
        let fresh =
            Standing { role: Role::Owner, idle: false, lacks_second_factor: false, stepped_up: true, by_key: false };
        let settings = Gate::may(Permission::Settings).and_step_up();
        let stale = Standing { stepped_up: false, ..fresh };
        let reviewer = Standing { role: Role::Reviewer, ..stale };
        let bare = Standing { lacks_second_factor: true, ..reviewer };
        let idle = Standing { idle: true, ..bare };
        let program = Standing { by_key: true, ..stale };
        for (gate, who, expected) in [
            (settings, fresh, Ok(())),
            (settings, stale, Err(Turned::StepUp)),
            (settings, reviewer, Err(Turned::Role)),
            (settings, bare, Err(Turned::SecondFactor)),
            (settings, idle, Err(Turned::Idle)),
            (settings, program, Err(Turned::Key)),
            (Gate::STAFF, program, Err(Turned::Key)),
            (Gate::IDLE, program, Err(Turned::Key)),
            (Gate::may(Permission::Settings), program, Ok(())),
            (Gate::STAFF, stale, Ok(())),
            (Gate::STAFF, bare, Err(Turned::SecondFactor)),
            (Gate::UNREADY, bare, Ok(())),
            (Gate::UNREADY, idle, Err(Turned::Idle)),
            (Gate::IDLE, idle, Ok(())),
            (Gate::STAFF.and_step_up(), stale, Err(Turned::StepUp)),
            (Gate::STAFF.and_step_up_for(&["release"]).for_act("release"), stale, Err(Turned::StepUp)),
            (Gate::STAFF.and_step_up_for(&["release"]).for_act("recall"), stale, Ok(())),
        ] {
            assert_eq!(gate.admit(&who), expected, "{gate:?} {who:?}");
        }
    }
}
