//! Letters: templates with merge fields, and the text that comes of them.

use crate::domain::merging::fill;
use crate::domain::status::Outcome;

/// A letter that says yes. There is no way to send one with a rejection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AcceptanceLetter {
    Offer,
}

/// A letter that says no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RejectionLetter {
    NoPlace,
    /// The same, and that another application would be welcome.
    ApplyAgain,
}

impl AcceptanceLetter {
    pub const ALL: [AcceptanceLetter; 1] = [AcceptanceLetter::Offer];

    /// As stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            AcceptanceLetter::Offer => "offer",
        }
    }

    fn template(self) -> &'static str {
        match self {
            AcceptanceLetter::Offer => OFFER,
        }
    }
}

impl RejectionLetter {
    pub const ALL: [RejectionLetter; 2] = [RejectionLetter::NoPlace, RejectionLetter::ApplyAgain];

    /// As stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            RejectionLetter::NoPlace => "no_place",
            RejectionLetter::ApplyAgain => "apply_again",
        }
    }

    fn template(self) -> &'static str {
        match self {
            RejectionLetter::NoPlace => NO_PLACE,
            RejectionLetter::ApplyAgain => APPLY_AGAIN,
        }
    }
}

/// A letter of either kind, as someone names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letter {
    Acceptance(AcceptanceLetter),
    Rejection(RejectionLetter),
}

impl Letter {
    pub fn all() -> impl Iterator<Item = Letter> {
        let acceptances = AcceptanceLetter::ALL.into_iter().map(Letter::Acceptance);
        acceptances.chain(RejectionLetter::ALL.into_iter().map(Letter::Rejection))
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Letter::Acceptance(letter) => letter.as_str(),
            Letter::Rejection(letter) => letter.as_str(),
        }
    }

    pub fn parse(text: &str) -> Option<Letter> {
        Letter::all().find(|letter| letter.as_str() == text)
    }

    /// The decision that it tells.
    pub fn outcome(self) -> Outcome {
        match self {
            Letter::Acceptance(_) => Outcome::Accept,
            Letter::Rejection(_) => Outcome::Reject,
        }
    }

    /// The text of the letter: paragraphs with an empty line between them; a line that starts with `•` is one of a list.
    pub fn write(self, merged: &Merged) -> String {
        let template = match self {
            Letter::Acceptance(letter) => letter.template(),
            Letter::Rejection(letter) => letter.template(),
        };
        merge(template, merged).expect("our own templates have no other fields, as a test makes sure")
    }
}

/// What a letter can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Name,
    Program,
    Reference,
    Intake,
    Conditions,
    Reasons,
}

/// What stands in the place of the fields.
#[derive(Debug, Clone)]
pub struct Merged<'a> {
    pub name: &'a str,
    pub program: &'a str,
    pub reference: &'a str,
    pub intake: &'a str,
    pub conditions: Vec<&'a str>,
    pub reasons: Vec<&'a str>,
}

impl Field {
    fn parse(name: &str) -> Option<Field> {
        Some(match name {
            "name" => Field::Name,
            "program" => Field::Program,
            "reference" => Field::Reference,
            "intake" => Field::Intake,
            "conditions" => Field::Conditions,
            "reasons" => Field::Reasons,
            _ => return None,
        })
    }

    fn text(self, merged: &Merged) -> String {
        match self {
            Field::Name => merged.name.to_owned(),
            Field::Program => merged.program.to_owned(),
            Field::Reference => merged.reference.to_owned(),
            Field::Intake => merged.intake.to_owned(),
            Field::Conditions if merged.conditions.is_empty() => "The offer has no conditions.".to_owned(),
            Field::Conditions => list("The offer has these conditions:", &merged.conditions),
            Field::Reasons if merged.reasons.is_empty() => String::new(),
            Field::Reasons => list("These are the reasons:", &merged.reasons),
        }
    }
}

fn list(heading: &str, items: &[&str]) -> String {
    // An item with lines of its own stays one item.
    let items: Vec<String> = items.iter().map(|item| format!("• {}", item.replace('\n', " "))).collect();
    format!("{heading}\n\n{}", items.join("\n"))
}

/// The template with its `{fields}` filled in; paragraphs that are empty then are left out.
///
/// # Errors
/// The name of a field that there is not.
fn merge(template: &str, merged: &Merged) -> Result<String, String> {
    let mut paragraphs = Vec::new();
    for paragraph in template.split("\n\n") {
        let text = fill(paragraph, |name| Some(Field::parse(name)?.text(merged)))?;
        if !text.trim().is_empty() {
            paragraphs.push(text.trim().to_owned());
        }
    }
    Ok(paragraphs.join("\n\n"))
}

const OFFER: &str = "\
Dear {name},

Thank you for your application for the {program}, and for the time that you took for it. We have read it with care, and \
we would like you to study with us. We offer you a place in the intake of {intake}.

{conditions}

Please reply on your dashboard; it says until when. When you have accepted, we prepare your contract and go through the \
ways to pay with you.

If something in this letter is not clear, write to us and give your reference number, {reference}.

We look forward to working with you.";

const NO_PLACE: &str = "\
Dear {name},

Thank you for your application for the {program}, and for the time that you took for it. We have read it with care. We \
cannot offer you a place in the intake of {intake}.

{reasons}

We know that this is not the answer that you hoped for. If something in this letter is not clear, write to us and give \
your reference number, {reference}.

We wish you well.";

const APPLY_AGAIN: &str = "\
Dear {name},

Thank you for your application for the {program}, and for the time that you took for it. We have read it with care. We \
cannot offer you a place in the intake of {intake}.

{reasons}

We would be glad to read another application from you for a later intake. If something in this letter is not clear, \
write to us and give your reference number, {reference}.

We wish you well.";

#[cfg(test)]
mod tests {
    use super::*;

    fn merged<'a>(conditions: &[&'a str], reasons: &[&'a str]) -> Merged<'a> {
        Merged {
            name: "Demo {reasons} Sample",
            program: "Bachelor’s program",
            reference: "B26-7KX4-M9CT",
            intake: "August 2026",
            conditions: conditions.to_vec(),
            reasons: reasons.to_vec(),
        }
    }

    #[test]
    fn every_letter_can_be_written_and_is_found_by_its_name() {
        for letter in Letter::all() {
            let text = letter.write(&merged(&["One"], &["Two"]));
            assert!(text.starts_with("Dear Demo {reasons} Sample,\n\nThank you"), "{text}");
            for told in ["Bachelor’s program", "B26-7KX4-M9CT", "August 2026"] {
                assert!(text.contains(told), "{letter:?} without {told}");
            }
            assert_eq!(Letter::parse(letter.as_str()), Some(letter));
            assert_eq!(text.contains("• One"), letter.outcome() == Outcome::Accept);
            assert_eq!(text.contains("• Two"), letter.outcome() == Outcome::Reject);
        }
    }

    #[test]
    fn a_list_is_told_item_by_item_and_an_empty_one_in_words_or_not_at_all() {
        let offer = |conditions: &[&str]| Letter::Acceptance(AcceptanceLetter::Offer).write(&merged(conditions, &[]));
        assert!(
            offer(&["A diploma", "A\nb"]).contains("\n\nThe offer has these conditions:\n\n• A diploma\n• A b\n\n")
        );
        assert!(offer(&[]).contains("The offer has no conditions."));
        let rejection = Letter::Rejection(RejectionLetter::NoPlace).write(&merged(&[], &[]));
        assert!(!rejection.contains("reasons:") && !rejection.contains("\n\n\n"), "{rejection}");
    }

    #[test]
    fn a_template_has_known_fields_only() {
        let nothing = merged(&[], &[]);
        assert_eq!(merge("For {password}.", &nothing), Err("password".to_owned()));
        assert_eq!(merge("For {name", &nothing), Err("name".to_owned()));
    }
}
