//! The two programs.

use serde::Serialize;

use super::body::{required, wrong};
use super::input::{FieldError, Input};
use super::sentence::Sentence;
use crate::text;

/// A program, as named by the first segment of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ts_rs::TS)]
#[ts(rename = "ProgramPath")]
#[serde(rename_all = "lowercase")]
pub enum Program {
    Bachelor,
    Masters,
}

impl Program {
    pub const ALL: [Program; 2] = [Program::Bachelor, Program::Masters];

    /// Returns the first path segment of its pages.
    pub fn path(self) -> &'static str {
        match self {
            Program::Bachelor => "bachelor",
            Program::Masters => "masters",
        }
    }

    /// Returns its `applicationType` as sent.
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

    /// Returns the program whose segment a path starts with; whole segments only.
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

/// A program as sent by the API.
#[derive(Debug, Clone, Copy, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ApplicationType {
    /// The bachelor's program.
    Ba,
    /// The master's program.
    Msc,
}

impl From<Program> for ApplicationType {
    fn from(program: Program) -> Self {
        match program {
            Program::Bachelor => ApplicationType::Ba,
            Program::Masters => ApplicationType::Msc,
        }
    }
}

/// Reads the program that a body names.
///
/// # Errors
/// `applicationType.unknown`.
pub fn application_type(path: &str, input: Option<&Input>) -> Result<Option<Program>, FieldError> {
    let program = match input {
        None => return Ok(None),
        Some(Input::Text(text)) => Program::of_application_type(text),
        Some(_) => None,
    };
    program.map(Some).ok_or_else(|| wrong(path, "unknown", text!("Application type must be ba or msc.")))
}

/// Like [`application_type`], but required.
///
/// # Errors
/// `applicationType.required`, `applicationType.unknown`.
pub fn required_type(path: &str, input: Option<&Input>) -> Result<Program, FieldError> {
    required(application_type, text!("Application type is required."))(path, input)
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
