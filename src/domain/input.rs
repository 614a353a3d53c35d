//! What a caller sent, before anything is known about it: the tree that JSON bodies and posted forms are both
//! turned into, so that every rule is written once.

/// One value of a request body.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    Null,
    Bool(bool),
    Whole(i64),
    /// A number that is no whole number, or does not fit 64 bits.
    OtherNumber,
    Text(String),
    List(Vec<Input>),
    Map(Vec<(String, Input)>),
}

impl Input {
    /// The entries of a map; anything else is an error of the whole body.
    pub fn entries(&self) -> Result<&[(String, Input)], Vec<FieldError>> {
        match self {
            Input::Map(entries) => Ok(entries),
            _ => Err(vec![FieldError::new("", "json.object", "The request body must be a JSON object.")]),
        }
    }

    /// The value under `name`; `null` counts as absent.
    pub fn get<'a>(entries: &'a [(String, Input)], name: &str) -> Option<&'a Input> {
        entries.iter().find(|(key, value)| key == name && *value != Input::Null).map(|(_, value)| value)
    }
}

/// What is wrong with one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// Where, in dots: `employment.currentEmployer.hoursPerWeek`. Empty for the body as a whole.
    pub path: String,
    /// Stable and machine-readable: `email.required`.
    pub code: String,
    /// One plain sentence for the person, saying what to do.
    pub message: String,
}

impl FieldError {
    pub fn new(path: impl Into<String>, code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), code: code.into(), message: message.into() }
    }
}

/// An error for each entry whose name is not in `known`. Nobody's typing error is silently dropped, and nothing like
/// `userId` or `__proto__` is ever taken for an answer.
pub fn unknown_fields<'a>(entries: &'a [(String, Input)], known: &'a [&str]) -> impl Iterator<Item = FieldError> + 'a {
    entries.iter().filter(|(name, _)| !known.contains(&name.as_str())).map(|(name, _)| unknown_field(name, name))
}

pub(crate) fn unknown_field(path: &str, name: &str) -> FieldError {
    let shown: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
    FieldError::new(path, "field.unknown", format!("Unknown field: {shown}."))
}
