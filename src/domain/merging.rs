//! Texts with `{fields}` in them: the fields, and the rules for all such texts. Each text has its own closed list of
//! fields.

/// A field that can be filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MergeField {
    FirstName,
    LastName,
    Name,
    Program,
    Link,
    ContactEmail,
    Institute,
    Reference,
    Date,
    Sections,
    Message,
    Document,
    Referee,
    Reason,
    When,
    Intake,
    Days,
    Conditions,
    Reasons,
    Amount,
}

impl MergeField {
    /// Returns the name between the braces.
    pub fn name(self) -> &'static str {
        match self {
            MergeField::FirstName => "firstName",
            MergeField::LastName => "lastName",
            MergeField::Name => "name",
            MergeField::Program => "program",
            MergeField::Link => "link",
            MergeField::ContactEmail => "contactEmail",
            MergeField::Institute => "institute",
            MergeField::Reference => "reference",
            MergeField::Date => "date",
            MergeField::Sections => "sections",
            MergeField::Message => "message",
            MergeField::Document => "document",
            MergeField::Referee => "referee",
            MergeField::Reason => "reason",
            MergeField::When => "when",
            MergeField::Intake => "intake",
            MergeField::Days => "days",
            MergeField::Conditions => "conditions",
            MergeField::Reasons => "reasons",
            MergeField::Amount => "amount",
        }
    }

    /// Returns the description for staff.
    pub fn meaning(self) -> &'static str {
        match self {
            MergeField::FirstName => "First name of the applicant",
            MergeField::LastName => "Last name of the applicant",
            MergeField::Name => "First and last name of the applicant",
            MergeField::Program => "Name of the program",
            MergeField::Link => "Address of the page that the mail leads to",
            MergeField::ContactEmail => "Our email address",
            MergeField::Institute => "Our name",
            MergeField::Reference => "Reference number of the application",
            MergeField::Date => "The last day",
            MergeField::Sections => "The sections that can be changed",
            MergeField::Message => "What we have written about it",
            MergeField::Document => "Name of the document",
            MergeField::Referee => "Name of the referee",
            MergeField::Reason => "Why we do not take it",
            MergeField::When => "Day, time and length of the interview",
            MergeField::Intake => "When the intake starts",
            MergeField::Days => "How many days it is until then",
            MergeField::Conditions => "The conditions of the offer as a list, or that it has none",
            MergeField::Amount => "How much it is about",
            MergeField::Reasons => "The reasons that are told, as a list; nothing if none is",
        }
    }
}

/// The fields about an applicant that staff can use wherever they write to applicants in their own words.
pub const OF_APPLICANT: [MergeField; 4] =
    [MergeField::FirstName, MergeField::LastName, MergeField::Reference, MergeField::Program];

/// A piece of a text: words or a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    Words(&'a str),
    Field(MergeField),
}

/// Some words, and the field they were filled in for, if any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub text: String,
    pub field: Option<MergeField>,
}

/// What is wrong with a text: the rule it breaks, and what to do.
pub type Wrong = (&'static str, String);

/// Splits a text into its pieces.
///
/// # Errors
/// `field` for a field that is not in `fields`, `brace` for an unmatched brace.
pub fn pieces<'a>(text: &'a str, fields: &[MergeField]) -> Result<Vec<Piece<'a>>, Wrong> {
    let alone = || ("brace", "A brace stands alone. Fields look like {program}.".to_owned());
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (words, from) = rest.split_at(at);
        let from = from.strip_prefix('{').ok_or_else(alone)?;
        let (name, after) = from.split_once('}').filter(|(name, _)| !name.contains('{')).ok_or_else(alone)?;
        let field = fields.iter().find(|field| field.name() == name).ok_or_else(|| unknown(name, fields))?;
        if !words.is_empty() {
            found.push(Piece::Words(words));
        }
        found.push(Piece::Field(*field));
        rest = after;
    }
    if !rest.is_empty() {
        found.push(Piece::Words(rest));
    }
    Ok(found)
}

fn unknown(name: &str, fields: &[MergeField]) -> Wrong {
    let name: String = name.chars().take(40).collect();
    let known: Vec<String> = fields.iter().map(|field| format!("{{{}}}", field.name())).collect();
    ("field", format!("There is no field {{{name}}} here. There are {}.", known.join(", ")))
}

/// Fills in the fields of a text. The values are plain text: braces in them have no meaning.
///
/// # Errors
/// As for [`pieces`].
pub fn fill(text: &str, fields: &[MergeField], value: impl Fn(MergeField) -> String) -> Result<Vec<Run>, Wrong> {
    let run = |piece: Piece<'_>| match piece {
        Piece::Words(words) => Run { text: words.to_owned(), field: None },
        Piece::Field(field) => Run { text: value(field), field: Some(field) },
    };
    Ok(pieces(text, fields)?.into_iter().map(run).collect())
}

/// Returns the text of the runs.
pub fn words(runs: &[Run]) -> String {
    runs.iter().map(|run| run.text.as_str()).collect()
}

/// Normalises typed text to paragraphs separated by one empty line.
pub fn paragraphs(typed: &str) -> String {
    let lines: Vec<&str> = typed.lines().map(str::trim).collect();
    let text = lines.join("\n");
    let paragraphs = text.split("\n\n").map(|part| part.trim_matches('\n')).filter(|part| !part.is_empty());
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Checks that a text is not empty, has at most `longest` characters, and none that is not allowed.
///
/// # Errors
/// `required`, `too_long`, `invalid`.
pub fn check_words(text: &str, longest: usize) -> Result<(), Wrong> {
    if text.is_empty() {
        return Err(("required", "This must not be empty.".into()));
    }
    if text.chars().count() > longest {
        return Err(("too_long", format!("This must be at most {longest} characters.")));
    }
    if text.chars().any(|letter| letter.is_control() && letter != '\n') {
        return Err(("invalid", "This contains characters that are not allowed.".into()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_text() {
        let fields = [MergeField::FirstName, MergeField::Reference];
        let filled = |text: &str| {
            let runs = fill(text, &fields, |field| format!("<{} {{x}}>", field.name()));
            runs.map(|runs| words(&runs)).map_err(|(rule, _)| rule)
        };
        assert_eq!(filled("No field here"), Ok("No field here".to_owned()));
        assert_eq!(filled("{firstName}, {reference}."), Ok("<firstName {x}>, <reference {x}>.".to_owned()));
        for (text, rule) in [
            ("{password}", "field"),
            ("{program}", "field"),
            ("{ firstName}", "field"),
            ("{}", "field"),
            ("Dear {firstName", "brace"),
            ("Dear firstName}", "brace"),
            ("{{firstName}}", "brace"),
        ] {
            assert_eq!(filled(text), Err(rule), "{text}");
        }
        let sentence = pieces("{password}", &fields).unwrap_err().1;
        assert_eq!(sentence, "There is no field {password} here. There are {firstName}, {reference}.");
    }

    #[test]
    fn paragraphs_have_one_empty_line_between_them() {
        assert_eq!(paragraphs(" One \r\ntwo\r\n\r\n\r\n\r\nthree\n"), "One\ntwo\n\nthree");
        assert_eq!(paragraphs(" \r\n "), "");
    }
}
