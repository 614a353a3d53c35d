//! The two programs.

use crate::domain::sentence::Sentence;
use crate::text;
use serde::Serialize;

/// A program, as the start of a path names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ProgramPath"))]
#[serde(rename_all = "lowercase")]
pub enum Program {
    Bachelor,
    Masters,
}

impl Program {
    pub const ALL: [Program; 2] = [Program::Bachelor, Program::Masters];

    /// The first segment of its pages' paths.
    pub fn path(self) -> &'static str {
        match self {
            Program::Bachelor => "bachelor",
            Program::Masters => "masters",
        }
    }

    /// `applicationType` on the wire.
    pub fn application_type(self) -> &'static str {
        match self {
            Program::Bachelor => "ba",
            Program::Masters => "msc",
        }
    }

    pub fn name(self) -> Sentence {
        match self {
            Program::Bachelor => text!("Bachelor’s program"),
            Program::Masters => text!("Master’s program"),
        }
    }

    /// The program that a path starts with, whole segments only.
    pub fn of_path(path: &str) -> Option<Program> {
        let first = path.strip_prefix('/')?.split(['/', '?']).next()?;
        Self::parse(first)
    }

    pub fn parse(path: &str) -> Option<Program> {
        Program::ALL.into_iter().find(|program| program.path() == path)
    }

    pub fn of_application_type(application_type: &str) -> Option<Program> {
        Program::ALL.into_iter().find(|program| program.application_type() == application_type)
    }

    pub fn other(self) -> Program {
        match self {
            Program::Bachelor => Program::Masters,
            Program::Masters => Program::Bachelor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_a_whole_first_segment() {
        assert_eq!(Program::of_path("/bachelor"), Some(Program::Bachelor));
        assert_eq!(Program::of_path("/masters/apply"), Some(Program::Masters));
        for path in ["/bachelors/apply", "/", "", "bachelor", "/apply", "//bachelor", "/Bachelor"] {
            assert_eq!(Program::of_path(path), None, "{path}");
        }
    }
}
