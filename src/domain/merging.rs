//! Texts with `{fields}` in them.

/// What a mail to several applicants can be told of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailField {
    FirstName,
    LastName,
    Reference,
    Program,
}

impl MailField {
    pub const ALL: [MailField; 4] =
        [MailField::FirstName, MailField::LastName, MailField::Reference, MailField::Program];

    /// As it is typed between braces.
    pub fn as_str(self) -> &'static str {
        match self {
            MailField::FirstName => "firstName",
            MailField::LastName => "lastName",
            MailField::Reference => "reference",
            MailField::Program => "program",
        }
    }

    pub fn parse(name: &str) -> Option<MailField> {
        MailField::ALL.into_iter().find(|field| field.as_str() == name)
    }
}

/// The text with its `{fields}` filled in. What is filled in is text: braces in it mean nothing.
///
/// # Errors
/// The name of a field that there is not.
pub fn fill(text: &str, field: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut parts = text.split('{');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').ok_or_else(|| part.to_owned())?;
        filled.push_str(&field(name).ok_or_else(|| name.to_owned())?);
        filled.push_str(rest);
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_text() {
        let value = |name: &str| MailField::parse(name).map(|field| format!("<{} {{x}}>", field.as_str()));
        assert_eq!(fill("No field } here", value), Ok("No field } here".to_owned()));
        let filled = fill("{firstName}{lastName}, {reference}", value).unwrap();
        assert_eq!(filled, "<firstName {x}><lastName {x}>, <reference {x}>");
        assert_eq!(fill("{password}", value), Err("password".to_owned()));
        assert_eq!(fill("{ firstName}", value), Err(" firstName".to_owned()));
        assert_eq!(fill("{}", value), Err(String::new()));
        assert_eq!(fill("Dear {firstName", value), Err("firstName".to_owned()));
    }
}
