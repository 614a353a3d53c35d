//! Codes that waive the fee.

use jiff::civil::Date;

use crate::body::{day, filled, lines, wrong};
use crate::input::{FieldError, Input};
use crate::moments::Millis;
use crate::program::{ApplicationType, Program};
use crate::{body, text};

/// Maximum number of characters in a note.
const MAX_NOTE_LENGTH: usize = 200;
/// Maximum number of uses that can be set.
const MAX_USES: i64 = 100_000;

/// A code, and how often it was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeeCode {
    pub id: String,
    /// 4 to 24 upper-case letters, digits and dashes.
    pub code: String,
    /// The only program that it is for, if so.
    pub program: Option<Program>,
    /// What it is for, for staff.
    pub note: String,
    /// `None` for as often as one likes.
    pub most_uses: Option<i64>,
    /// The last day on which it can be used.
    pub expires_on: Option<Date>,
    pub created_at: Millis,
    /// The id of a member of staff.
    pub created_by: String,
    pub ended_at: Option<Millis>,
    /// Number of fees that it waives.
    pub uses: i64,
}

impl FeeCode {
    /// Whether it can be used, neither ended nor expired nor used up.
    pub fn is_open(&self, today: Date) -> bool {
        self.ended_at.is_none() && !self.is_expired(today) && !self.is_spent()
    }

    /// Whether its last day is over.
    pub fn is_expired(&self, today: Date) -> bool {
        self.expires_on.is_some_and(|last| last < today)
    }

    fn is_spent(&self) -> bool {
        self.most_uses.is_some_and(|most| self.uses >= most)
    }

    /// Checks that it waives a fee of this program.
    ///
    /// # Errors
    /// `code.unknown` for one that is ended or for another program, `code.expired`, `code.spent`.
    pub fn check(&self, program: Program, today: Date) -> Result<(), FieldError> {
        if self.ended_at.is_some() || self.program.is_some_and(|only| only != program) {
            Err(FeeCode::unknown())
        } else if self.is_expired(today) {
            Err(wrong("code", "expired", text!("This code can no longer be used.")))
        } else if self.is_spent() {
            Err(FeeCode::spent())
        } else {
            Ok(())
        }
    }

    /// Returns the error for a code that does not exist.
    pub fn unknown() -> FieldError {
        wrong("code", "unknown", text!("We do not know this code. Check it, or pay the fee."))
    }

    /// Returns the error for a code that was used as often as it may be.
    pub fn spent() -> FieldError {
        wrong("code", "spent", text!("This code has been used up."))
    }

    /// Returns the error for a code that already exists.
    pub fn taken() -> FieldError {
        wrong("code", "taken", "This code already exists. Choose another one.")
    }
}

/// Returns a code as it is stored; `None` if it cannot be one.
fn normal(typed: &str) -> Option<String> {
    let code = typed.trim().to_ascii_uppercase();
    let is_one = (4..=24).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    is_one.then_some(code)
}

body! {
    /// A code that an applicant has.
    pub struct FeeCodeEntry {
        /// Upper and lower case are the same.
        #[schema(example = "GALA-2026")]
        pub code: String = |path: &str, input: Option<&Input>| {
            let typed = filled(text!("Enter the code."))(path, input)?;
            normal(&typed).ok_or_else(FeeCode::unknown)
        },
    }
}

body! {
    /// A code that waives the application fee.
    pub struct NewFeeCode {
        /// 4 to 24 letters, digits and dashes.
        #[schema(example = "GALA-2026")]
        pub code: String = |path: &str, input: Option<&Input>| {
            let typed = filled("Enter a code.")(path, input)?;
            normal(&typed).ok_or_else(|| wrong(path, "invalid", "A code has 4 to 24 letters, digits and dashes."))
        },
        /// The only program that it is for; without one, both.
        #[schema(value_type = Option<ApplicationType>)]
        pub application_type: Option<Program> = program,
        /// What it is for, for staff. At most 200 characters.
        #[schema(nullable = false)]
        pub note: Option<String> = lines("The note", MAX_NOTE_LENGTH),
        /// How many applicants can use it, 1 to 100,000; without a number, all.
        #[schema(nullable = false)]
        pub most_uses: Option<i64> = uses,
        /// The last day on which it can be used.
        #[schema(value_type = Option<String>, nullable = false, format = Date)]
        pub expires_on: Option<Date> = |path: &str, input: Option<&Input>| match input {
            None => Ok(None),
            Some(Input::Text(text)) if text.trim().is_empty() => Ok(None),
            sent => day(sent).map(Some).ok_or_else(|| wrong(path, "invalid", "Enter a date like 2026-05-31.")),
        },
    }
}

impl NewFeeCode {
    /// Checks that it can be used at all.
    ///
    /// # Errors
    /// `expiresOn.past`
    pub fn check(&self, today: Date) -> Result<(), FieldError> {
        match self.expires_on {
            Some(last) if last < today => {
                Err(wrong("expiresOn", "past", "This day is over. Choose a later one, or none."))
            }
            _ => Ok(()),
        }
    }
}

fn program(path: &str, input: Option<&Input>) -> Result<Option<Program>, FieldError> {
    let unknown = || wrong(path, "unknown", "Choose one of the programs, or both.");
    match input {
        None => Ok(None),
        Some(Input::Text(text)) if text.is_empty() => Ok(None),
        Some(Input::Text(text)) => Program::of_application_type(text).map(Some).ok_or_else(unknown),
        Some(_) => Err(unknown()),
    }
}

/// Reads how often it can be used, which a form sends as text.
fn uses(path: &str, input: Option<&Input>) -> Result<Option<i64>, FieldError> {
    let number = match input {
        None => return Ok(None),
        Some(Input::Text(text)) if text.trim().is_empty() => return Ok(None),
        Some(Input::Text(text)) => text.trim().parse().ok(),
        Some(Input::Whole(number)) => Some(*number),
        Some(_) => None,
    };
    let range = || wrong(path, "range", "Enter a number from 1 to 100,000, or leave the field empty.");
    number.filter(|number| (1..=MAX_USES).contains(number)).map(Some).ok_or_else(range)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::json;

    use super::*;

    const TODAY: Date = date(2026, 5, 4);

    fn code() -> FeeCode {
        FeeCode {
            id: "c".into(),
            code: "GALA-2026".into(),
            program: None,
            note: String::new(),
            most_uses: None,
            expires_on: None,
            created_at: 1,
            created_by: "s".into(),
            ended_at: None,
            uses: 3,
        }
    }

    #[test]
    fn a_code_works_for_its_program_until_its_end() {
        let check = |code: &FeeCode| code.check(Program::Bachelor, TODAY).map_err(|error| error.code);
        assert_eq!(check(&code()), Ok(()));
        for (code, expected) in [
            (FeeCode { program: Some(Program::Bachelor), most_uses: Some(4), ..code() }, Ok(())),
            (FeeCode { expires_on: Some(TODAY), ..code() }, Ok(())),
            (FeeCode { program: Some(Program::Masters), ..code() }, Err("code.unknown")),
            (FeeCode { ended_at: Some(2), ..code() }, Err("code.unknown")),
            (FeeCode { expires_on: TODAY.yesterday().ok(), ..code() }, Err("code.expired")),
            (FeeCode { most_uses: Some(3), ..code() }, Err("code.spent")),
        ] {
            assert_eq!(check(&code), expected.map_err(str::to_owned), "{code:?}");
            let is_other = code.program == Some(Program::Masters);
            assert_eq!(code.is_open(TODAY), expected.is_ok() || is_other, "{code:?}");
        }
    }

    #[test]
    fn a_code_is_read_in_any_case() {
        let entry = |typed: &str| {
            let body = Input::from(json!({ "code": typed }));
            FeeCodeEntry::parse(&body).map(|entry| entry.code).map_err(|errors| errors[0].code.clone())
        };
        assert_eq!(entry(" gala-2026 "), Ok("GALA-2026".into()));
        for (typed, expected) in [(" ", "code.required"), ("abc", "code.unknown"), ("gala 2026", "code.unknown")] {
            assert_eq!(entry(typed), Err(expected.into()), "{typed}");
        }
    }

    #[test]
    fn a_new_code_has_limits_or_none() {
        let parse = |body: serde_json::Value| NewFeeCode::parse(&Input::from(body));
        let bare = parse(json!({ "code": "free", "note": "", "mostUses": "", "expiresOn": "", "applicationType": "" }));
        let bare = bare.unwrap();
        assert_eq!((bare.code.as_str(), bare.note, bare.most_uses, bare.expires_on), ("FREE", None, None, None));
        assert_eq!(bare.application_type, None);
        let full = json!({ "code": "GALA", "applicationType": "msc", "mostUses": "20", "expiresOn": "2026-05-04" });
        let full = parse(full).unwrap();
        assert_eq!((full.application_type, full.most_uses), (Some(Program::Masters), Some(20)));
        assert!(full.check(TODAY).is_ok());
        assert_eq!(full.check(date(2026, 5, 5)).unwrap_err().code, "expiresOn.past");
        let wrong = json!({ "code": "a b", "applicationType": "phd", "mostUses": 0, "expiresOn": "soon" });
        let codes: Vec<String> = parse(wrong).unwrap_err().into_iter().map(|error| error.code).collect();
        assert_eq!(codes, ["code.invalid", "applicationType.unknown", "mostUses.range", "expiresOn.invalid"]);
    }
}
