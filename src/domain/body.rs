//! Request bodies, each declared once: from a single list of fields, [`body!`](crate::body) generates the struct that a
//! use case takes, its schema in the API description, and the parser for JSON bodies and posted forms.

use jiff::civil::Date;
use utoipa::openapi::{RefOr, Schema};

use crate::input::{FieldError, Input, several_lines, unknown_field};
use crate::sentence::{Sentence, Words};
use crate::text;

/// Declares a body. After `=` comes the field's reader, which turns the field's path and the input into a value or an
/// error. All errors are reported at once: unknown fields first, then the fields in order. Anything else that readers
/// need is declared after `given` and passed to `parse`; a reader can also use the fields before its own, each as an
/// `Option`.
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
        #[derive(Clone, utoipa::ToSchema)]
        #[schema(rename_all = "camelCase")]
        $(#[$about])*
        $seen struct $name {
            $($(#[$field_about])* $field_seen $field: $type),+
        }

        // Bodies hold passwords and answers, which belong in no log.
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }

        impl $crate::body::Body for $name {
            const FIELDS: &'static [&'static str] = &[$(stringify!($field)),+];
        }

        impl $name {
            /// # Errors
            /// One for each unknown or invalid field.
            pub fn parse(
                input: &$crate::input::Input,
                $($($known: $known_type),+)?
            ) -> Result<Self, Vec<$crate::input::FieldError>> {
                let mut fields = $crate::body::Fields::of::<Self>(input)?;
                $(let $field = fields.read(stringify!($field), $read);)+
                fields.done((|| Some(Self { $($field: $field?),+ }))())
            }
        }
    };
}

/// Declares a body with the fields of two other bodies; [`split`] separates those of the first.
#[macro_export]
macro_rules! joined {
    ($(#[$about:meta])* $seen:vis struct $name:ident($first:ty, $second:ty);) => {
        $(#[$about])*
        $seen struct $name;

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $crate::body::join(
                    <$first as utoipa::PartialSchema>::schema(),
                    <$second as utoipa::PartialSchema>::schema(),
                )
            }
        }

        impl utoipa::ToSchema for $name {
            fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
                <$first as utoipa::ToSchema>::schemas(schemas);
                <$second as utoipa::ToSchema>::schemas(schemas);
            }
        }
    };
}

/// A body with named fields.
pub trait Body {
    /// Field names as in Rust.
    const FIELDS: &'static [&'static str];
}

/// Merges the schemas of two bodies.
///
/// # Panics
/// If one of them is not an object.
pub fn join(one: RefOr<Schema>, other: RefOr<Schema>) -> RefOr<Schema> {
    let (RefOr::T(Schema::Object(mut one)), RefOr::T(Schema::Object(other))) = (one, other) else {
        panic!("a body is an object")
    };
    one.properties.extend(other.properties);
    one.required.extend(other.required);
    one.description = None;
    RefOr::T(Schema::Object(one))
}

/// Splits input into the fields of `B` and the rest.
pub fn split<B: Body>(input: Input) -> (Input, Input) {
    match input {
        Input::Map(entries) => {
            let of_body = |name: &str| B::FIELDS.iter().any(|field| sent_as(field) == name);
            let (own, rest) = entries.into_iter().partition(|(name, _)| of_body(name));
            (Input::Map(own), Input::Map(rest))
        }
        other => (Input::Map(Vec::new()), other),
    }
}

/// Combines both results, or the errors of both.
///
/// # Errors
/// The errors of either or both.
pub fn both<A, B>(
    one: Result<A, Vec<FieldError>>,
    other: Result<B, Vec<FieldError>>,
) -> Result<(A, B), Vec<FieldError>> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (one, other) => Err([one.err(), other.err()].into_iter().flatten().flatten().collect()),
    }
}

/// Reads a field from its path and the input sent for it.
pub trait Read<T>: FnOnce(&str, Option<&Input>) -> Result<T, FieldError> {}

impl<T, F: FnOnce(&str, Option<&Input>) -> Result<T, FieldError>> Read<T> for F {}

/// The errors of a field: one, or several if the field has parts.
pub struct Wrong(Vec<FieldError>);

impl From<FieldError> for Wrong {
    fn from(error: FieldError) -> Self {
        Wrong(vec![error])
    }
}

impl From<Vec<FieldError>> for Wrong {
    fn from(errors: Vec<FieldError>) -> Self {
        Wrong(errors)
    }
}

/// The fields of a body while they are being read.
pub struct Fields<'a> {
    entries: &'a [(String, Input)],
    errors: Vec<FieldError>,
}

impl<'a> Fields<'a> {
    /// # Errors
    /// If the body is not an object.
    pub fn of<B: Body>(input: &'a Input) -> Result<Fields<'a>, Vec<FieldError>> {
        let entries = input.entries()?;
        let known: Vec<String> = B::FIELDS.iter().map(|name| sent_as(name)).collect();
        let unknown = entries.iter().filter(|(name, _)| !known.contains(name));
        let errors = unknown.map(|(name, _)| unknown_field(name, name)).collect();
        Ok(Fields { entries, errors })
    }

    /// Reads one field; returns `None` and keeps the errors if it is invalid.
    pub fn read<T, E: Into<Wrong>>(
        &mut self,
        field: &str,
        read: impl FnOnce(&str, Option<&Input>) -> Result<T, E>,
    ) -> Option<T> {
        let path = sent_as(field);
        let read = read(&path, Input::get(self.entries, &path));
        read.map_err(|error| self.errors.extend(error.into().0)).ok()
    }

    /// Returns the body, unless there were errors.
    ///
    /// # Errors
    /// All errors.
    pub fn done<T>(self, read: Option<T>) -> Result<T, Vec<FieldError>> {
        read.filter(|_| self.errors.is_empty()).ok_or(self.errors)
    }
}

/// Returns the name of a field in request bodies: `currentPassword` for `current_password`.
fn sent_as(field: &str) -> String {
    let mut words = field.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (initial, rest) = word.split_at(1.min(word.len()));
        name + &initial.to_uppercase() + rest
    })
}

/// Creates an error for the field at `path`, such as `reason.required`.
pub fn wrong(path: &str, rule: &str, message: impl Into<Sentence>) -> FieldError {
    FieldError::new(path, format!("{path}.{rule}"), message)
}

/// Prefixes an error of a part of a field with the field's `path`.
pub fn within(path: &str, error: FieldError) -> FieldError {
    let code = if error.code == "field.unknown" { error.code } else { format!("{path}.{}", error.code) };
    FieldError { path: format!("{path}.{}", error.path), code, ..error }
}

/// Makes a field required; `ask` is the message if it is missing.
pub fn required<T>(read: impl Read<Option<T>>, ask: impl Into<Sentence>) -> impl Read<T> {
    move |path: &str, input: Option<&Input>| read(path, input)?.ok_or_else(|| wrong(path, "required", ask))
}

/// Reads an optional text of several lines and at most `longest` characters. `what` is the subject of the error
/// messages.
pub fn lines(what: impl Into<Words>, longest: usize) -> impl Read<Option<String>> {
    move |path: &str, input: Option<&Input>| several_lines(path, what, input, longest)
}

/// Reads a required text, trimmed. `ask` is the message for anything else.
pub fn filled(ask: impl Into<Sentence>) -> impl Read<String> {
    move |path: &str, input: Option<&Input>| match input {
        Some(Input::Text(text)) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
        _ => Err(wrong(path, "required", ask)),
    }
}

/// Reads an optional text as sent; `ask` is the message for anything else.
pub fn optional_text(ask: impl Into<Sentence>) -> impl Read<Option<String>> {
    move |path: &str, input: Option<&Input>| match input {
        None => Ok(None),
        Some(Input::Text(text)) => Ok(Some(text.clone()).filter(|text| !text.trim().is_empty())),
        Some(_) => Err(wrong(path, "type", ask)),
    }
}

/// Reads a required text as sent.
pub fn sent_text(ask: &'static str) -> impl Read<String> {
    required(optional_text(ask), ask)
}

/// Reads a URL's query string, sent as a text.
pub fn parameters<T>(read: impl FnOnce(&str) -> Result<T, FieldError>) -> impl Read<T> {
    move |path: &str, input: Option<&Input>| {
        let query = optional_text("Send the parameters as a text.")(path, input)?;
        read(&query.unwrap_or_default())
    }
}

/// Reads an optional list of texts.
pub fn texts(path: &str, input: Option<&Input>) -> Result<Option<Vec<String>>, FieldError> {
    let error = || wrong(path, "type", "Send a list of texts.");
    let items = match input {
        None => return Ok(None),
        Some(Input::List(items)) => items,
        Some(_) => return Err(error()),
    };
    let text = |item: &Input| match item {
        Input::Text(text) => Ok(text.clone()),
        _ => Err(error()),
    };
    items.iter().map(text).collect::<Result<_, _>>().map(Some)
}

/// Reads an optional whole number; `ask` is the message for anything else.
pub fn whole(ask: impl Into<Sentence>) -> impl Read<Option<i64>> {
    move |path: &str, input: Option<&Input>| match input {
        None => Ok(None),
        Some(Input::Whole(number)) => Ok(Some(*number)),
        Some(_) => Err(wrong(path, "type", ask)),
    }
}

/// Reads a required whole number.
pub fn sent_whole(ask: &'static str) -> impl Read<i64> {
    required(whole(ask), ask)
}

/// Wraps a reader that knows the name of its field.
pub fn by<T>(read: impl FnOnce(Option<&Input>) -> Result<T, FieldError>) -> impl Read<T> {
    move |_: &str, input: Option<&Input>| read(input)
}

/// Reads a checkbox of a form or `true` in a JSON body; it must be ticked.
pub fn ticked(ask: impl Into<Sentence>) -> impl Read<bool> {
    move |path: &str, input: Option<&Input>| match input {
        Some(Input::Bool(true)) => Ok(true),
        Some(Input::Text(text)) if text == "yes" => Ok(true),
        _ => Err(wrong(path, "required", ask)),
    }
}

/// Reads an optional `true` or `false`.
pub fn yes_or_no(path: &str, input: Option<&Input>) -> Result<Option<bool>, FieldError> {
    match input {
        None => Ok(None),
        Some(Input::Bool(yes)) => Ok(Some(*yes)),
        Some(_) => Err(wrong(path, "type", text!("Answer yes or no."))),
    }
}

/// Reads a date such as `2026-05-31`; `None` for anything else.
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

    body! {
        struct Seen {
            revision: i64 = sent_whole("Say what you have seen."),
        }
    }

    joined! {
        struct SayingSeen(Seen, Saying);
    }

    #[test]
    fn two_bodies_side_by_side_are_one() {
        let schema = serde_json::to_value(<SayingSeen as utoipa::PartialSchema>::schema()).unwrap();
        let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["revision", "currentName", "reason", "sure"]);
        assert_eq!(schema["required"], json!(["revision", "currentName", "sure"]));

        let read = |body: serde_json::Value| {
            let (seen, saying) = split::<Seen>(Input::from(body));
            let codes = |errors: Vec<FieldError>| errors.into_iter().map(|error| error.code).collect::<Vec<_>>();
            both(Seen::parse(&seen), Saying::parse(&saying)).map(|(seen, _)| seen.revision).map_err(codes)
        };
        assert_eq!(read(json!({ "currentName": "Zoë", "sure": true, "revision": 3 })), Ok(3));
        assert_eq!(
            read(json!({ "sure": true, "other": 1, "revision": "3" })).unwrap_err(),
            ["revision.type", "field.unknown", "currentName.required"]
        );
    }

    body! {
        struct Several {
            parts: Vec<i64> = |path: &str, _: Option<&Input>| {
                Err::<Vec<i64>, _>(vec![wrong(&format!("{path}.0"), "range", "Too much."), within(path, wrong("1", "range", "Too little."))])
            },
        }
    }

    #[test]
    fn a_field_that_has_parts_tells_what_is_wrong_with_each() {
        let errors = Several::parse(&Input::from(json!({}))).map(|several| several.parts).unwrap_err();
        let codes: Vec<&str> = errors.iter().map(|error| error.code.as_str()).collect();
        assert_eq!(codes, ["parts.0.range", "parts.1.range"]);
    }

    #[test]
    fn the_schema_names_what_the_parser_reads() {
        let schema = serde_json::to_value(<Saying as utoipa::PartialSchema>::schema()).unwrap();
        let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["currentName", "reason", "sure"]);
        assert_eq!(schema["required"], json!(["currentName", "sure"]));
    }
}
