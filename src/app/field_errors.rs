//! Counts of form fields that people fill in wrongly, without what they typed. Counting costs a request only a lock;
//! the job worker writes the counts to the database from time to time.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jiff::ToSpan;

use crate::App;
use crate::error::{Error, Refusal};
use domain::input::{FieldError, Input};
use domain::moments::{MINUTE, Millis};
use domain::permission::Permission;
use domain::program::Program;
use domain::questionnaire::QuestionSets;
use domain::staff::Staff;
use store::Stored;

/// How often the counts are written.
const WRITTEN_EVERY: Millis = MINUTE;
/// Days that counts are kept.
const KEPT_DAYS: i64 = 400;
/// Maximum number of fields counted between two writes.
const MAX_FIELDS: usize = 500;
/// Selectable spans in days; the second is the default.
pub const SPANS: [i64; 3] = [7, 30, 365];
/// Maximum number of fields shown.
const MAX_SHOWN: i64 = 50;

/// Counts that are not written yet.
#[derive(Debug, Default)]
pub struct FieldErrorCounts(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    by_path: HashMap<String, i64>,
    written_at: Millis,
}

impl FieldErrorCounts {
    fn add(&self, path: String) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.by_path.len() < MAX_FIELDS || counts.by_path.contains_key(&path) {
            *counts.by_path.entry(path).or_default() += 1;
        }
    }

    /// Takes the counts, if it is time to write them.
    fn take(&self, now: Millis, at_once: bool) -> Vec<(String, i64)> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !at_once && now - counts.written_at < WRITTEN_EVERY {
            return Vec::new();
        }
        counts.written_at = now;
        counts.by_path.drain().collect()
    }
}

impl App {
    /// Counts the rejected fields of an application. Unknown names could be anything that somebody typed, and are
    /// skipped.
    pub(crate) fn count_application_errors(&self, input: &Input, errors: &[FieldError], asked: &QuestionSets) {
        let program = match input {
            Input::Map(entries) => match Input::get(entries, "applicationType") {
                Some(Input::Text(text)) => Program::of_application_type(text),
                _ => None,
            },
            _ => None,
        };
        for error in errors.iter().filter(|error| error.code != "field.unknown" && !error.path.is_empty()) {
            let is_known = match error.path.strip_prefix("questionnaire.answers.") {
                Some(key) => program.is_some_and(|program| asked.of(program).question(key).is_some()),
                None => true,
            };
            if is_known {
                self.field_errors.add(without_places(&error.path));
            }
        }
    }

    /// Counts the rejected fields of a registration.
    pub(crate) fn count_registration_errors(&self, errors: &[FieldError]) {
        for error in errors.iter().filter(|error| error.code != "field.unknown" && !error.path.is_empty()) {
            self.field_errors.add(format!("registration.{}", error.path));
        }
    }

    /// Writes the counts if it is time, or immediately when the process ends.
    pub async fn write_field_errors(&self, at_once: bool) -> Stored<()> {
        let counts = self.field_errors.take(self.clock.now(), at_once);
        if counts.is_empty() {
            return Ok(());
        }
        let today = self.today();
        let oldest = today.checked_sub(KEPT_DAYS.days()).unwrap_or(today);
        self.store.count_field_errors(&today.to_string(), &counts, &oldest.to_string()).await
    }

    /// The fields with the most errors in recent days, most first.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn form_health(&self, staff: &Staff, days: i64) -> Result<Vec<(String, i64)>, Error> {
        if !staff.role.may(Permission::Settings) {
            return Err(Refusal::RoleForbidden.into());
        }
        let today = self.today();
        let since = today.checked_sub(days.days()).unwrap_or(today);
        Ok(self.store.field_errors(&since.to_string(), MAX_SHOWN).await?)
    }
}

/// The path with `*` instead of numbers: the second employer's name counts as an employer's name.
fn without_places(path: &str) -> String {
    let is_place = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = path.split('.').map(|part| if is_place(part) { "*" } else { part }).collect();
    parts.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_lists_are_one_field() {
        assert_eq!(without_places("employment.previousEmployers.12.name"), "employment.previousEmployers.*.name");
        assert_eq!(without_places("education.country"), "education.country");
    }

    #[test]
    fn counts_are_taken_now_and_then_and_end_somewhere() {
        let counts = FieldErrorCounts::default();
        for number in 0..2 * MAX_FIELDS {
            counts.add(format!("field.{number}"));
            counts.add("field.0".into());
        }
        let taken = counts.take(WRITTEN_EVERY, false);
        assert_eq!(taken.len(), MAX_FIELDS);
        assert!(taken.contains(&("field.0".to_owned(), 2 * MAX_FIELDS as i64 + 1)));
        counts.add("field.1".into());
        assert!(counts.take(WRITTEN_EVERY + 1, false).is_empty());
        assert_eq!(counts.take(WRITTEN_EVERY + 1, true).len(), 1);
    }
}
