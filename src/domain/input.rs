//! What a caller sent, before validation: JSON bodies and posted forms are both turned into this tree, so that every
//! rule is written only once.

use serde_json::Value;

use crate::sentence::{Sentence, Words};
use crate::text;

/// One value of a request body.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    Null,
    Bool(bool),
    Whole(i64),
    /// A number that is not an integer, or does not fit into 64 bits.
    OtherNumber,
    Text(String),
    List(Vec<Input>),
    Map(Vec<(String, Input)>),
}

impl Input {
    /// Returns the entries of a map; anything else is an error of the whole body.
    pub fn entries(&self) -> Result<&[(String, Input)], Vec<FieldError>> {
        match self {
            Input::Map(entries) => Ok(entries),
            _ => Err(vec![FieldError::new("", "json.object", text!("The request body must be a JSON object."))]),
        }
    }

    /// Returns the value under `name`; `null` counts as absent.
    pub fn get<'a>(entries: &'a [(String, Input)], name: &str) -> Option<&'a Input> {
        entries.iter().find(|(key, value)| key == name && *value != Input::Null).map(|(_, value)| value)
    }
}

/// Lets stored values be read by the same rules as a caller's input.
impl From<Value> for Input {
    fn from(value: Value) -> Input {
        match value {
            Value::Null => Input::Null,
            Value::Bool(yes) => Input::Bool(yes),
            Value::Number(number) => number.as_i64().map_or(Input::OtherNumber, Input::Whole),
            Value::String(text) => Input::Text(text),
            Value::Array(items) => Input::List(items.into_iter().map(Input::from).collect()),
            Value::Object(entries) => {
                Input::Map(entries.into_iter().map(|(name, value)| (name, Input::from(value))).collect())
            }
        }
    }
}

/// An error in one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// Dotted path of the field: `employment.currentEmployer.hoursPerWeek`. Empty for the body as a whole.
    pub path: String,
    /// Stable and machine-readable: `email.required`.
    pub code: String,
    /// One plain sentence for the user, saying what to do.
    pub message: Sentence,
}

impl FieldError {
    pub fn new(path: impl Into<String>, code: impl Into<String>, message: impl Into<Sentence>) -> Self {
        Self { path: path.into(), code: code.into(), message: message.into() }
    }
}

/// Returns an error for each entry whose name is not in `known`. No typo is silently dropped, and nothing like `userId`
/// or `__proto__` is ever taken for an answer.
pub fn unknown_fields<'a>(entries: &'a [(String, Input)], known: &'a [&str]) -> impl Iterator<Item = FieldError> + 'a {
    entries.iter().filter(|(name, _)| !known.contains(&name.as_str())).map(|(name, _)| unknown_field(name, name))
}

pub fn unknown_field(path: &str, name: &str) -> FieldError {
    let shown: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
    let message = match shown.trim() {
        "" => text!("There is a field without a name. Leave it out."),
        shown => text!("Unknown field: {shown}.", shown),
    };
    FieldError::new(path, "field.unknown", message)
}

/// Reads a text of several lines, trimmed; `None` if empty. `what` is the subject of the error messages: `The reason`.
/// Line breaks are allowed, other invisible characters are not.
///
/// # Errors
/// `PATH.type`, `PATH.too_long`, `PATH.invalid`.
pub fn several_lines(
    path: &str,
    what: impl Into<Words>,
    input: Option<&Input>,
    longest: usize,
) -> Result<Option<String>, FieldError> {
    let error = |rule: &str, message: Sentence| FieldError::new(path, format!("{path}.{rule}"), message);
    match input {
        None | Some(Input::Null) => Ok(None),
        Some(Input::Text(text)) => {
            let text = text.trim().replace("\r\n", "\n");
            if text.chars().count() > longest {
                Err(error("too_long", text!("{what} must be at most {longest} characters.", what, longest)))
            } else if text.chars().any(|c| c.is_control() && c != '\n') {
                Err(error("invalid", text!("{what} contains characters that are not allowed.", what)))
            } else {
                Ok(Some(text).filter(|text| !text.is_empty()))
            }
        }
        Some(_) => Err(error("type", text!("{what} must be text.", what))),
    }
}
