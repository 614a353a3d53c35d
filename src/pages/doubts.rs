//! Questions about answers that may well be right. A browser with JavaScript asks while the user types; without it, the
//! form comes back with the questions, and a box to tick below each.

use super::Form;
use super::page::FormState;
use app::Error;
use domain::account::Doubt;
use domain::input::FieldError;

/// Returns the doubts that nobody has confirmed to be right yet.
pub fn open(form: &Form, doubts: &[Doubt]) -> Vec<FieldError> {
    let open = doubts.iter().filter(|doubt| form.get(&format!("right.{}", doubt.field)) != doubt.answer);
    open.map(|doubt| FieldError::new(doubt.field, format!("{}.doubtful", doubt.field), doubt.question.clone()))
        .collect()
}

/// Combines open questions with other errors, in the order of the form.
pub fn with_errors(form: &Form, open: Vec<FieldError>, wrong: Vec<FieldError>) -> Error {
    let mut errors = [open, wrong].concat();
    errors.sort_by_key(|error| form.fields().iter().position(|(name, _)| *name == error.path));
    errors.into()
}

/// Adds the boxes to tick to a form that comes back.
pub fn ask(state: &mut FormState, doubts: Vec<Doubt>) {
    state.asks = doubts.into_iter().map(|doubt| (doubt.field, doubt.answer)).collect();
}
