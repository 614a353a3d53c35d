//! The bodies of calls, each said once: [`body!`](crate::body) makes of one list of fields the struct that a use case takes, the
//! schema that the description of the API has of it, and the parser that JSON bodies and posted forms go through.

use jiff::civil::Date;

use crate::domain::input::{FieldError, Input, several_lines, unknown_field};
use crate::domain::sentence::{Sentence, Words};
use crate::text;

/// Declares a body. Behind `=` stands what reads the field: given its path and what was sent, the value or what is wrong with it.
/// All that is wrong is told at once: unknown fields first, then the fields in their order. What a reader has to know besides
/// stands behind `given`, and is passed to `parse`; it may also look at the fields before its own, each an `Option`.
///
/// ```ignore
/// body! {
///     /// Why somebody withdraws.
///     pub struct Withdrawal {
///         /// 1 to 1,000 characters.
///         pub reason: String = required(lines("The reason", 1000), "Tell us why."),
///     }
/// }
/// let withdrawal = Withdrawal::parse(&input)?;
/// ```
#[macro_export]
macro_rules! body {
    (
        $(#[$about:meta])*
        $seen:vis struct $name:ident $(given ($($known:ident: $known_type:ty),+))? {
            $($(#[$field_about:meta])* $field_seen:vis $field:ident: $type:ty = $read:expr),+ $(,)?
        }
    ) => {
        #[derive(Debug, Clone, utoipa::ToSchema)]
        #[schema(rename_all = "camelCase")]
        $(#[$about])*
        $seen struct $name {
            $($(#[$field_about])* $field_seen $field: $type),+
        }

        impl $name {
            /// # Errors
            /// What is wrong with each field, unknown fields.
            pub fn parse(
                input: &$crate::domain::input::Input,
                $($($known: $known_type),+)?
            ) -> Result<Self, Vec<$crate::domain::input::FieldError>> {
                let mut fields = $crate::domain::body::Fields::of(input, &[$(stringify!($field)),+])?;
                $(let $field = fields.read(stringify!($field), $read);)+
                fields.done((|| Some(Self { $($field: $field?),+ }))())
            }
        }
    };
}

/// What was sent for the field at a path, read.
pub trait Read<T>: FnOnce(&str, Option<&Input>) -> Result<T, FieldError> {}

impl<T, F: FnOnce(&str, Option<&Input>) -> Result<T, FieldError>> Read<T> for F {}

/// The fields of a body, while they are read.
pub struct Fields<'a> {
    entries: &'a [(String, Input)],
    errors: Vec<FieldError>,
}

impl<'a> Fields<'a> {
    /// `known` are the fields that there are, as Rust calls them.
    ///
    /// # Errors
    /// The body is no object.
    pub fn of(input: &'a Input, known: &[&str]) -> Result<Fields<'a>, Vec<FieldError>> {
        let entries = input.entries()?;
        let known: Vec<String> = known.iter().map(|name| sent_as(name)).collect();
        let unknown = entries.iter().filter(|(name, _)| !known.contains(name));
        let errors = unknown.map(|(name, _)| unknown_field(name, name)).collect();
        Ok(Fields { entries, errors })
    }

    /// Reads one of them; nothing, if something is wrong with it.
    pub fn read<T>(&mut self, field: &str, read: impl Read<T>) -> Option<T> {
        let path = sent_as(field);
        read(&path, Input::get(self.entries, &path)).map_err(|error| self.errors.push(error)).ok()
    }

    /// What was read, unless something is wrong.
    ///
    /// # Errors
    /// All that is wrong.
    pub fn done<T>(self, read: Option<T>) -> Result<T, Vec<FieldError>> {
        read.filter(|_| self.errors.is_empty()).ok_or(self.errors)
    }
}

/// The name of a field in bodies: `currentPassword` for `current_password`.
fn sent_as(field: &str) -> String {
    let mut words = field.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (initial, rest) = word.split_at(1.min(word.len()));
        name + &initial.to_uppercase() + rest
    })
}

/// An error of the field at `path`, such as `reason.required`.
pub fn wrong(path: &str, rule: &str, message: impl Into<Sentence>) -> FieldError {
    FieldError::new(path, format!("{path}.{rule}"), message)
}

/// What must be there; `ask` asks for it.
pub fn required<T>(read: impl Read<Option<T>>, ask: impl Into<Sentence>) -> impl Read<T> {
    move |path: &str, input: Option<&Input>| read(path, input)?.ok_or_else(|| wrong(path, "required", ask))
}

/// A text of several lines of at most so many characters, or none. `what` is the subject of the sentences.
pub fn lines(what: impl Into<Words>, longest: usize) -> impl Read<Option<String>> {
    move |path: &str, input: Option<&Input>| several_lines(path, what, input, longest)
}

/// A text, trimmed. Anything else is none, and asked for.
pub fn filled(ask: impl Into<Sentence>) -> impl Read<String> {
    move |path: &str, input: Option<&Input>| match input {
        Some(Input::Text(text)) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
        _ => Err(wrong(path, "required", ask)),
    }
}

/// A text as it was sent, or none; `ask` answers anything else.
pub fn optional_text(ask: impl Into<Sentence>) -> impl Read<Option<String>> {
    move |path: &str, input: Option<&Input>| match input {
        None => Ok(None),
        Some(Input::Text(text)) => Ok(Some(text.clone()).filter(|text| !text.trim().is_empty())),
        Some(_) => Err(wrong(path, "type", ask)),
    }
}

/// A text as it was sent.
pub fn sent_text(ask: &'static str) -> impl Read<String> {
    required(optional_text(ask), ask)
}

/// The parameters of an address, as a text.
pub fn parameters<T>(read: impl FnOnce(&str) -> Result<T, FieldError>) -> impl Read<T> {
    move |path: &str, input: Option<&Input>| {
        let query = optional_text("Send the parameters as a text.")(path, input)?;
        read(&query.unwrap_or_default())
    }
}

/// A list of texts; none, if there is no list.
pub fn texts(path: &str, input: Option<&Input>) -> Result<Vec<String>, FieldError> {
    let error = || wrong(path, "type", "Send a list of texts.");
    let items = match input {
        None => &[][..],
        Some(Input::List(items)) => items,
        Some(_) => return Err(error()),
    };
    let texts = items.iter().map(|item| match item {
        Input::Text(text) => Ok(text.clone()),
        _ => Err(error()),
    });
    texts.collect()
}

/// A reader of what names its field itself.
pub fn by<T>(read: impl FnOnce(Option<&Input>) -> Result<T, FieldError>) -> impl Read<T> {
    move |_: &str, input: Option<&Input>| read(input)
}

/// A box of a form, or a yes of a body: it has to be ticked.
pub fn ticked(ask: impl Into<Sentence>) -> impl Read<bool> {
    move |path: &str, input: Option<&Input>| match input {
        Some(Input::Bool(true)) => Ok(true),
        Some(Input::Text(text)) if text == "yes" => Ok(true),
        _ => Err(wrong(path, "required", ask)),
    }
}

/// Yes or no, or neither.
pub fn yes_or_no(path: &str, input: Option<&Input>) -> Result<Option<bool>, FieldError> {
    match input {
        None => Ok(None),
        Some(Input::Bool(yes)) => Ok(Some(*yes)),
        Some(_) => Err(wrong(path, "type", text!("Answer yes or no."))),
    }
}

/// A day as `2026-05-31`; `None` for what is none.
pub fn day(input: Option<&Input>) -> Option<Date> {
    match input {
        Some(Input::Text(text)) if text.len() == 10 => text.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    body! {
        /// What somebody says.
        struct Saying {
            current_name: String = filled("Say who you are."),
            reason: Option<String> = lines("The reason", 5),
            sure: bool = required(yes_or_no, "Say whether you are sure."),
        }
    }

    fn codes(body: serde_json::Value) -> Vec<String> {
        Saying::parse(&Input::from(body)).err().into_iter().flatten().map(|error| error.code).collect()
    }

    #[test]
    fn a_body_is_read_as_a_whole() {
        let said = Saying::parse(&Input::from(json!({ "currentName": " Zoë ", "sure": true }))).unwrap();
        assert_eq!((said.current_name.as_str(), said.reason, said.sure), ("Zoë", None, true));
    }

    #[test]
    fn what_is_wrong_with_a_body_is_told_at_once_and_in_order() {
        let body = json!({ "sure": 1, "reason": "too long", "current_name": "Zoë" });
        assert_eq!(codes(body), ["field.unknown", "currentName.required", "reason.too_long", "sure.type"]);
        assert_eq!(
            codes(json!({ "currentName": "Zoë", "sure": null, "other": 1 })),
            ["field.unknown", "sure.required"]
        );
        assert_eq!(codes(json!([])), ["json.object"]);
    }

    #[test]
    fn the_schema_names_what_the_parser_reads() {
        let schema = serde_json::to_value(<Saying as utoipa::PartialSchema>::schema()).unwrap();
        let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["currentName", "reason", "sure"]);
        assert_eq!(schema["required"], json!(["currentName", "sure"]));
    }
}
