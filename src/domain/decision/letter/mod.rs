//! Letters: which ones there are, the rules for their texts, and filling in their fields.

mod built_in;

use std::collections::BTreeMap;

use crate::language::Language;
use crate::merging::{MergeField, Piece, Run, Wrong, check_words, fill, paragraphs, pieces, words};
use crate::sentence::Sentence;
use crate::status::Outcome;
use crate::text;

/// Maximum length of a text, in characters.
const MAX_LENGTH: usize = 8_000;

/// A letter of acceptance. It cannot be sent with a rejection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AcceptanceLetter {
    Offer,
}

/// A letter of rejection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RejectionLetter {
    NoPlace,
    /// Like `NoPlace`, but says that another application would be welcome.
    ApplyAgain,
}

impl AcceptanceLetter {
    pub const ALL: [AcceptanceLetter; 1] = [AcceptanceLetter::Offer];

    /// Returns the name as stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            AcceptanceLetter::Offer => "offer",
        }
    }
}

impl RejectionLetter {
    pub const ALL: [RejectionLetter; 2] = [RejectionLetter::NoPlace, RejectionLetter::ApplyAgain];

    /// Returns the name as stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            RejectionLetter::NoPlace => "no_place",
            RejectionLetter::ApplyAgain => "apply_again",
        }
    }
}

/// A letter of either kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

    /// Returns the name under which its setting is stored and addressed.
    pub fn setting(self) -> &'static str {
        match self {
            Letter::Acceptance(AcceptanceLetter::Offer) => "letter-offer",
            Letter::Rejection(RejectionLetter::NoPlace) => "letter-no-place",
            Letter::Rejection(RejectionLetter::ApplyAgain) => "letter-apply-again",
        }
    }

    /// Returns the label for staff.
    pub fn title(self) -> &'static str {
        match self {
            Letter::Acceptance(AcceptanceLetter::Offer) => "Offer of a place",
            Letter::Rejection(RejectionLetter::NoPlace) => "No place",
            Letter::Rejection(RejectionLetter::ApplyAgain) => "No place, and an invitation to apply again",
        }
    }

    /// Returns the decision that it announces.
    pub fn outcome(self) -> Outcome {
        match self {
            Letter::Acceptance(_) => Outcome::Accept,
            Letter::Rejection(_) => Outcome::Reject,
        }
    }

    /// Returns all fields that its text can contain.
    pub fn fields(self) -> [MergeField; 5] {
        [self.list(), MergeField::Intake, MergeField::Name, MergeField::Program, MergeField::Reference]
    }

    /// Returns the field that is filled in as a list, in a separate paragraph.
    fn list(self) -> MergeField {
        match self {
            Letter::Acceptance(_) => MergeField::Conditions,
            Letter::Rejection(_) => MergeField::Reasons,
        }
    }

    /// Whether its text must contain this field.
    pub fn needs(self, field: MergeField) -> bool {
        field == self.list() || field == MergeField::Intake && self.outcome() == Outcome::Accept
    }

    /// Returns the built-in text: paragraphs separated by empty lines; a line that starts with `•` is a list item.
    pub fn text(self, language: Language) -> String {
        let texts: Vec<String> = built_in::text(self).iter().map(|sentence| sentence.in_language(language)).collect();
        texts.join("\n\n")
    }

    /// Returns what to store for a typed text.
    ///
    /// # Errors
    /// The rule that the text breaks, and what to do.
    pub fn check_text(self, typed: &str) -> Result<String, Wrong> {
        let text = paragraphs(typed);
        check_words(&text, MAX_LENGTH)?;
        let pieces = pieces(&text, &self.fields())?;
        if let Some(field) =
            self.fields().into_iter().find(|it| self.needs(*it) && !pieces.contains(&Piece::Field(*it)))
        {
            return Err(("needed", format!("{{{}}} must stand in it: {}.", field.name(), field.meaning())));
        }
        let list = format!("{{{}}}", self.list().name());
        if text.split("\n\n").any(|paragraph| paragraph.contains(&list) && paragraph != list) {
            return Err(("alone", format!("{list} is a list: it must stand in a paragraph of its own.")));
        }
        Ok(text)
    }
}

/// The values for the fields.
#[derive(Debug, Clone)]
pub struct Merged {
    pub name: String,
    pub program: Sentence,
    pub reference: String,
    pub intake: Sentence,
    pub conditions: Vec<String>,
    /// The reasons disclosed to the applicant.
    pub reasons: Vec<Sentence>,
}

impl Merged {
    fn value(&self, field: MergeField, language: Language) -> String {
        match field {
            MergeField::Name => self.name.clone(),
            MergeField::Program => self.program.in_language(language),
            MergeField::Reference => self.reference.clone(),
            MergeField::Intake => self.intake.in_language(language),
            MergeField::Conditions if self.conditions.is_empty() => {
                text!("The offer has no conditions.").in_language(language)
            }
            MergeField::Conditions => {
                list(&text!("The offer has these conditions:").in_language(language), self.conditions.iter().cloned())
            }
            MergeField::Reasons if self.reasons.is_empty() => String::new(),
            MergeField::Reasons => {
                let reasons = self.reasons.iter().map(|reason| reason.in_language(language));
                list(&text!("These are the reasons:").in_language(language), reasons)
            }
            // No letter has any other field.
            _ => String::new(),
        }
    }
}

fn list(heading: &str, items: impl Iterator<Item = String>) -> String {
    // An item with several lines stays one item.
    let items: Vec<String> = items.map(|item| format!("• {}", item.replace('\n', " "))).collect();
    format!("{heading}\n\n{}", items.join("\n"))
}

/// Texts that replace the built-in ones, by `text.en`, `text.es`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LetterTexts(BTreeMap<Letter, BTreeMap<String, String>>);

impl LetterTexts {
    /// Adds stored texts. A text that no longer fits its letter because the product has changed is ignored.
    pub fn put(&mut self, letter: Letter, values: &BTreeMap<String, String>) {
        let fitting = values.iter().filter(|(_, text)| letter.check_text(text).is_ok());
        self.0.insert(letter, fitting.map(|(name, text)| (name.clone(), text.clone())).collect());
    }

    /// Returns the paragraphs of a letter with everything filled in, without those that end up empty.
    pub fn fill(&self, letter: Letter, language: Language, merged: &Merged) -> Vec<Vec<Run>> {
        let written = self.0.get(&letter).and_then(|values| values.get(&format!("text.{}", language.as_str())));
        let text = written.cloned().unwrap_or_else(|| letter.text(language));
        let value = |field| merged.value(field, language);
        let paragraph = |text| fill(text, &letter.fields(), value).unwrap_or_default();
        text.split("\n\n").map(paragraph).filter(|runs| !words(runs).trim().is_empty()).collect()
    }

    /// Returns the text of a letter.
    pub fn write(&self, letter: Letter, language: Language, merged: &Merged) -> String {
        let paragraphs: Vec<String> = self.fill(letter, language, merged).iter().map(|runs| words(runs)).collect();
        paragraphs.join("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANGUAGES: [Language; 2] = [Language::En, Language::Es];

    fn merged(conditions: &[&str], reasons: &[&str]) -> Merged {
        Merged {
            name: "Demo {reasons} Sample".into(),
            program: Sentence::plain("Bachelor’s program"),
            reference: "B26-7KX4-M9CT".into(),
            intake: Sentence::plain("August 2026"),
            conditions: conditions.iter().map(|text| (*text).to_owned()).collect(),
            reasons: reasons.iter().map(|text| Sentence::plain(*text)).collect(),
        }
    }

    #[test]
    fn every_letter_can_be_written_and_is_found_by_its_name() {
        for letter in Letter::all() {
            for language in LANGUAGES {
                let built_in = letter.text(language);
                assert_eq!(
                    letter.check_text(&built_in),
                    Ok(built_in),
                    "what the product came with keeps its own rules"
                );
                let text = LetterTexts::default().write(letter, language, &merged(&["One"], &["Two"]));
                for part in ["Demo {reasons} Sample", "Bachelor’s program", "B26-7KX4-M9CT", "August 2026"] {
                    assert!(text.contains(part), "{letter:?} without {part}");
                }
                assert_eq!(text.contains("• One"), letter.outcome() == Outcome::Accept);
                assert_eq!(text.contains("• Two"), letter.outcome() == Outcome::Reject);
            }
            assert_ne!(letter.text(Language::En), letter.text(Language::Es), "{letter:?}");
            assert_eq!(Letter::parse(letter.as_str()), Some(letter));
        }
    }

    #[test]
    fn a_list_is_told_item_by_item_and_an_empty_one_in_words_or_not_at_all() {
        let write =
            |letter, conditions: &[&str]| LetterTexts::default().write(letter, Language::En, &merged(conditions, &[]));
        let offer = Letter::Acceptance(AcceptanceLetter::Offer);
        let listed = write(offer, &["A diploma", "A\nb"]);
        assert!(listed.contains("\n\nThe offer has these conditions:\n\n• A diploma\n• A b\n\n"), "{listed}");
        assert!(write(offer, &[]).contains("The offer has no conditions."));
        let rejection = write(Letter::Rejection(RejectionLetter::NoPlace), &[]);
        assert!(!rejection.contains("reasons:") && !rejection.contains("\n\n\n"), "{rejection}");
    }

    #[test]
    fn a_text_has_the_fields_of_its_letter_and_the_list_stands_alone() {
        let offer = Letter::Acceptance(AcceptanceLetter::Offer);
        let rejection = Letter::Rejection(RejectionLetter::NoPlace);
        for (letter, text, rule) in [
            (offer, "", "required"),
            (offer, "{intake}", "needed"),
            (offer, "{conditions}", "needed"),
            (offer, "{intake}\n\n{conditions}\n\n{reasons}", "field"),
            (offer, "{intake}\n\n{conditions}\n\n{password}", "field"),
            (offer, "{intake}\n\n{conditions}\n\n{name", "brace"),
            (offer, "{intake}\n\nSee: {conditions}", "alone"),
            (rejection, "Dear {name}", "needed"),
            (rejection, "{reasons}\n\n{conditions}", "field"),
        ] {
            assert_eq!(letter.check_text(text).unwrap_err().0, rule, "{text:?}");
        }
        assert_eq!(rejection.check_text(" Sorry.\r\n\r\n\r\n{reasons} \n"), Ok("Sorry.\n\n{reasons}".to_owned()));
    }

    #[test]
    fn what_was_written_is_used_in_its_language_as_long_as_it_fits() {
        let letter = Letter::Rejection(RejectionLetter::NoPlace);
        let mut texts = LetterTexts::default();
        let value = |text: &str| BTreeMap::from([("text.en".to_owned(), text.to_owned())]);
        texts.put(letter, &value("No, {name}.\n\n{reasons}"));
        let merged = merged(&[], &["Two"]);
        let english = texts.write(letter, Language::En, &merged);
        assert_eq!(english, "No, Demo {reasons} Sample.\n\nThese are the reasons:\n\n• Two");
        let spanish = texts.write(letter, Language::Es, &merged);
        assert_eq!(spanish, LetterTexts::default().write(letter, Language::Es, &merged));
        texts.put(letter, &value("{gone}"));
        assert_eq!(
            texts.write(letter, Language::En, &merged),
            LetterTexts::default().write(letter, Language::En, &merged)
        );
    }
}
