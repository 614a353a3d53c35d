//! Who is assigned new applications, and when an application has waited too long.

use super::{Field, FieldKind, Values};
use crate::calendar::ANSWER;
use crate::program::Program;
use crate::status::Stage;

const OWNERS: &str = "owners";
/// Members of staff are listed by their email addresses, separated by commas.
const MAX_LENGTH: usize = 500;
const MAX_DAYS: i64 = 60;

/// How a submitted application gets an owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Owners {
    /// Nobody is assigned; somebody takes it.
    #[default]
    Nobody,
    /// The person whose last assignment is the longest ago.
    InTurn,
    /// The person with the fewest tasks.
    ByLoad,
}

/// The stages at which an application can wait too long, with the fields for the number of days.
const STAGES: [(Stage, &str); 2] = [(Stage::Submitted, "days.submitted"), (Stage::Held, "days.held")];

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorkRules {
    pub owners: Owners,
    /// Email addresses of staff for each program; empty for all reviewers.
    for_program: [Vec<String>; Program::ALL.len()],
    /// Working days at each of the stages, if set.
    days: [Option<usize>; STAGES.len()],
}

impl WorkRules {
    /// Whether applications for the program are assigned to the person with this address.
    pub fn gives_to(&self, program: Program, email: &str) -> bool {
        let chosen = &self.for_program[place(program)];
        chosen.is_empty() || chosen.iter().any(|one| one.eq_ignore_ascii_case(email))
    }

    /// Returns the working days after which an application has waited too long at this stage.
    pub fn days_at(&self, stage: Stage) -> usize {
        let at = STAGES.iter().position(|(one, _)| *one == stage);
        at.and_then(|at| self.days[at]).unwrap_or(ANSWER)
    }
}

fn place(program: Program) -> usize {
    Program::ALL.iter().position(|one| *one == program).unwrap_or_default()
}

fn name_for(program: Program) -> String {
    format!("owners.{}", program.path())
}

pub(super) fn fields() -> Vec<Field> {
    let field = |name: &str, label: &str, hint, kind, built_in: &str| Field {
        name: name.into(),
        label: label.into(),
        hint,
        kind,
        built_in: built_in.into(),
        group: String::new(),
    };
    let mut fields = vec![field(
        OWNERS,
        "Who is given a new application",
        "Whoever is given it has its tasks, too, and can hand it over.",
        FieldKind::Choice(&[
            ("nobody", "Nobody: somebody takes it"),
            ("turn", "Reviewers in turn"),
            ("load", "The reviewer with the fewest tasks"),
        ]),
        "nobody",
    )];
    for program in Program::ALL {
        let label = match program {
            Program::Bachelor => "Reviewers of the bachelor’s program",
            Program::Masters => "Reviewers of the master’s program",
        };
        let hint = "Their email addresses, with commas. Leave it empty for all who review.";
        fields.push(field(&name_for(program), label, hint, FieldKind::Line { longest: MAX_LENGTH }, ""));
    }
    for (stage, name) in STAGES {
        let label = format!("Working days at “{}”", stage.label());
        let hint = "Then it becomes a task to see why it waits.";
        let days = FieldKind::Whole { least: 1, most: MAX_DAYS };
        fields.push(field(name, &label, hint, days, &ANSWER.to_string()));
    }
    fields
}

pub(super) fn rules(values: &Values) -> WorkRules {
    let emails = |program| {
        let typed = values.get(&name_for(program)).map_or("", String::as_str);
        typed.split([',', ' ', ';']).filter(|one| !one.is_empty()).map(str::to_owned).collect()
    };
    WorkRules {
        owners: match values.get(OWNERS).map(String::as_str) {
            Some("turn") => Owners::InTurn,
            Some("load") => Owners::ByLoad,
            _ => Owners::Nobody,
        },
        for_program: Program::ALL.map(emails),
        days: STAGES.map(|(_, name)| values.get(name)?.parse().ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_from_what_is_typed() {
        let typed = [("owners", "turn"), ("owners.masters", "a@example.org, B@example.org"), ("days.held", "3")];
        let values = typed.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let read = rules(&Values::from(values));
        assert_eq!(read.owners, Owners::InTurn);
        assert!(read.gives_to(Program::Bachelor, "anybody@example.org"));
        assert!(read.gives_to(Program::Masters, "b@example.org"));
        assert!(!read.gives_to(Program::Masters, "anybody@example.org"));
        assert_eq!((read.days_at(Stage::Held), read.days_at(Stage::Submitted)), (3, ANSWER));
        assert_eq!(rules(&Values::new()), WorkRules::default());
    }
}
