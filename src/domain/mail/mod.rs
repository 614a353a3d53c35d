//! The texts of mails to applicants: built in, or written by Owners. Fields in braces are filled in when a mail is
//! written; each mail has its own closed list of fields.

mod built_in;
mod kind;
mod record;

use std::collections::BTreeMap;

pub use kind::MailKind;
pub use record::{AttachedContent, Attachment, Delivery, Mail, MailEntry, MailState, Message, SentMail};

use super::characters;
use super::language::Language;
use super::merging::{MergeField, Piece, Run, Wrong, check_words, fill, paragraphs, pieces};
use super::sentence::Sentence;

/// Maximum lengths, in characters, of a subject, a text and the label of a button.
const MAX_SUBJECT_LENGTH: usize = 150;
const MAX_TEXT_LENGTH: usize = 5_000;
const MAX_BUTTON_LENGTH: usize = 60;

/// Stems of words that reveal a decision or hint at it, in English and Spanish.
const TELLING: [&str; 21] = [
    "accepted",
    "acceptance",
    "admitted",
    "congratulat",
    "declined",
    "denied",
    "offer",
    "regret",
    "reject",
    "unfortunately",
    "unsuccessful",
    "aceptad",
    "admitid",
    "deneg",
    "desestim",
    "enhorabuena",
    "felici",
    "lamenta",
    "oferta",
    "ofrec",
    "rechaz",
];

/// Whether it is suitable for a subject: short, and not a link.
fn fits_subject(field: MergeField) -> bool {
    !matches!(
        field,
        MergeField::Link | MergeField::Sections | MergeField::Message | MergeField::Reason | MergeField::When
    )
}

/// Returns the first word that reveals a decision.
fn telling(text: &str) -> Option<String> {
    let text = text.to_lowercase();
    let words = text.split(|letter: char| !letter.is_alphabetic());
    words.into_iter().find(|word| TELLING.iter().any(|stem| word.starts_with(stem))).map(str::to_owned)
}

impl MailKind {
    /// Returns what to store for a typed subject.
    ///
    /// # Errors
    /// The rule that the subject breaks, and what to do.
    pub fn check_subject(self, typed: &str) -> Result<String, Wrong> {
        let text = typed.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned();
        self.check(&text, MAX_SUBJECT_LENGTH)?;
        if let Some(sentence) = characters::refused("This", &text) {
            return Err(("invalid", sentence.to_string()));
        }
        let long = pieces(&text, &self.fields())?.into_iter().find_map(|piece| match piece {
            Piece::Field(field) if !fits_subject(field) => Some(field),
            _ => None,
        });
        match long {
            Some(field) => Err(("field", format!("{{{}}} cannot stand in a subject.", field.name()))),
            None => Ok(text),
        }
    }

    /// Returns what to store for a typed text: paragraphs separated by empty lines.
    ///
    /// # Errors
    /// The rule that the text breaks, and what to do.
    pub fn check_text(self, typed: &str) -> Result<String, Wrong> {
        let text = paragraphs(typed);
        self.check(&text, MAX_TEXT_LENGTH)?;
        let fields = self.fields();
        let pieces = pieces(&text, &fields)?;
        match fields.into_iter().find(|field| self.needs(*field) && !pieces.contains(&Piece::Field(*field))) {
            Some(field) => {
                let (name, meaning) = (field.name(), field.meaning());
                Err(("needed", format!("{{{name}}} must stand in it: {meaning}.")))
            }
            None => Ok(text),
        }
    }

    fn check(self, text: &str, longest: usize) -> Result<(), Wrong> {
        check_words(text, longest)?;
        match telling(text).filter(|_| self.is_confidential()) {
            Some(word) => {
                let message =
                    format!("This email must not tell a decision, which “{word}” could. Say it in other words.");
                Err(("telling", message))
            }
            None => Ok(()),
        }
    }

    /// Returns the built-in subject.
    pub fn subject(self, language: Language) -> String {
        built_in::words(self).subject.in_language(language)
    }

    /// Returns the built-in text.
    pub fn text(self, language: Language) -> String {
        let words = built_in::words(self);
        let translate = |sentence: &Sentence| sentence.in_language(language);
        let mut text = translate(&GREETING);
        for paragraph in &words.paragraphs {
            text.push_str(&format!("\n\n{}", translate(paragraph)));
        }
        text.push_str(&format!("\n\n{}: {{link}}", translate(&words.button)));
        text
    }
}

const GREETING: Sentence = crate::text!("Dear {firstName},");

/// A paragraph of a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Words(Vec<Run>),
    /// A button with this label that leads to the mail's link.
    Button(Vec<Run>),
}

/// A mail with everything filled in, in pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    pub subject: Vec<Run>,
    pub parts: Vec<Part>,
}

/// Texts that replace the built-in ones, by `subject.en`, `text.es`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MailTexts(BTreeMap<MailKind, BTreeMap<String, String>>);

/// The values for the fields.
pub type Filling = Vec<(MergeField, Sentence)>;

impl MailTexts {
    /// Adds stored texts. A text that no longer fits its mail because the product has changed is ignored.
    pub fn put(&mut self, kind: MailKind, values: &BTreeMap<String, String>) {
        let fits = |name: &str, text: &str| match name.split_once('.') {
            Some(("subject", _)) => kind.check_subject(text).is_ok(),
            _ => kind.check_text(text).is_ok(),
        };
        let fitting = values.iter().filter(|(name, text)| fits(name, text));
        self.0.insert(kind, fitting.map(|(name, text)| (name.clone(), text.clone())).collect());
    }

    fn text_of(
        &self,
        kind: MailKind,
        name: &str,
        language: Language,
        built_in: fn(MailKind, Language) -> String,
    ) -> String {
        let written = self.0.get(&kind).and_then(|values| values.get(&format!("{name}.{}", language.as_str())));
        written.cloned().unwrap_or_else(|| built_in(kind, language))
    }

    /// Returns the mail with everything filled in.
    pub fn write(&self, kind: MailKind, language: Language, filling: &Filling) -> Written {
        debug_assert!(
            kind.fields().iter().all(|field| filling.iter().any(|(known, _)| known == field)),
            "{kind:?} can tell all that its text may name"
        );
        let value = |field| {
            let found = filling.iter().find(|(known, _)| *known == field);
            found.map(|(_, sentence)| sentence.in_language(language)).unwrap_or_default()
        };
        let filled = |text: &str| fill(text, &kind.fields(), value).unwrap_or_default();
        let subject = filled(&self.text_of(kind, "subject", language, MailKind::subject));
        let text = self.text_of(kind, "text", language, MailKind::text);
        let parts = text.split("\n\n").map(|paragraph| match button(paragraph) {
            Some(label) => Part::Button(filled(label)),
            None => Part::Words(filled(paragraph)),
        });
        Written { subject, parts: parts.collect() }
    }
}

/// Returns the label of a paragraph that consists only of a label and the link: `Book your interview: {link}`.
fn button(paragraph: &str) -> Option<&str> {
    let label = paragraph.strip_suffix("{link}")?.trim_end().strip_suffix(':')?.trim_end();
    let fits = !label.is_empty() && label.chars().count() <= MAX_BUTTON_LENGTH && !label.contains(['\n', '{']);
    fits.then_some(label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::merging::words;

    const LANGUAGES: [Language; 2] = [Language::En, Language::Es];

    fn filling(kind: MailKind) -> Filling {
        kind.fields().into_iter().map(|field| (field, Sentence::plain(format!("<{}>", field.name())))).collect()
    }

    #[test]
    fn what_the_product_came_with_keeps_its_own_rules() {
        let mut names = std::collections::BTreeSet::new();
        for kind in MailKind::all() {
            assert!(names.insert(kind.name()), "{kind:?}");
            for language in LANGUAGES {
                let (subject, text) = (kind.subject(language), kind.text(language));
                assert_eq!(kind.check_subject(&subject), Ok(subject.clone()), "{kind:?}");
                assert_eq!(kind.check_text(&text), Ok(text.clone()), "{kind:?}");
                let written = MailTexts::default().write(kind, language, &filling(kind));
                assert!(matches!(written.parts.last(), Some(Part::Button(_))), "{kind:?} {written:?}");
            }
            assert_ne!(kind.text(Language::En), kind.text(Language::Es), "{kind:?}");
        }
    }

    #[test]
    fn nothing_that_is_filled_into_a_confidential_mail_could_tell_a_decision() {
        let harmless = [F::FirstName, F::Program, F::Link, F::ContactEmail, F::Institute, F::Date, F::When];
        use MergeField as F;
        for kind in MailKind::all().filter(|kind| kind.is_confidential()) {
            assert!(kind.fields().iter().all(|field| harmless.contains(field)), "{kind:?}");
        }
        let kind = MailKind::StatusUpdate;
        for (text, rule) in [
            ("Congratulations: {link}", Err("telling")),
            ("We have REJECTED you: {link}", Err("telling")),
            ("¡Enhorabuena! {link}", Err("telling")),
            ("Lamentamos decirle: {link}", Err("telling")),
            ("{decision}: {link}", Err("field")),
            ("There is news: {link}", Ok("There is news: {link}")),
        ] {
            assert_eq!(kind.check_text(text).map_err(|(rule, _)| rule), rule.map(str::to_owned), "{text}");
        }
        assert_eq!(kind.check_subject("Your offer").unwrap_err().0, "telling");
        assert!(MailKind::ApplicationStarted.check_subject("Congratulations").is_ok());
    }

    #[test]
    fn a_text_has_only_fields_of_its_mail_and_those_that_it_needs() {
        let kind = MailKind::ApplicationReceived;
        let long = format!("{{reference}} {{link}} {}", "x".repeat(MAX_TEXT_LENGTH));
        for (text, rule) in [
            ("", Err("required")),
            (" \r\n ", Err("required")),
            ("Hello {link}", Err("needed")),
            ("Hello {reference}", Err("needed")),
            ("{reference} {link} {first_name}", Err("field")),
            ("{reference} {link} {when}", Err("field")),
            ("{reference} {link} {}", Err("field")),
            ("{reference} {link} {firstName", Err("brace")),
            ("{reference} {link} firstName}", Err("brace")),
            ("{reference} {link} {{firstName}}", Err("brace")),
            ("{reference} {link} \u{7}", Err("invalid")),
            (&long, Err("too_long")),
            (" One \r\ntwo\r\n\r\n\r\n\r\n{reference}\n\nGo: {link}\n", Ok("One\ntwo\n\n{reference}\n\nGo: {link}")),
        ] {
            assert_eq!(kind.check_text(text).map_err(|(rule, _)| rule), rule.map(str::to_owned), "{text:?}");
        }
        assert_eq!(kind.check_subject(" We have\r\n{reference} "), Ok("We have {reference}".into()));
        assert_eq!(kind.check_subject("{link}").unwrap_err().0, "field");
        let said = kind.check_text("{reference} {link} {nmae}").unwrap_err().1;
        assert!(said.contains("{nmae}") && said.contains("{firstName}"), "{said}");
    }

    #[test]
    fn what_is_filled_in_is_no_pattern_and_a_line_with_the_link_is_a_button() {
        let kind = MailKind::ApplicationReceived;
        let mut texts = MailTexts::default();
        let values = [
            ("subject.en", "News of {reference}"),
            ("text.en", "Hi {firstName}\n{reference}\n\nGo on : {link}\n\n{link}"),
        ];
        texts.put(kind, &values.map(|(name, text)| (name.to_owned(), text.to_owned())).into());
        let mut filling = filling(kind);
        filling[1] = (MergeField::FirstName, Sentence::plain("{reference}"));
        let written = texts.write(kind, Language::En, &filling);
        assert_eq!(words(&written.subject), "News of <reference>");
        let parts: Vec<(bool, String)> = written
            .parts
            .iter()
            .map(|part| match part {
                Part::Words(runs) => (false, words(runs)),
                Part::Button(runs) => (true, words(runs)),
            })
            .collect();
        assert_eq!(
            parts,
            [(false, "Hi {reference}\n<reference>".to_owned()), (true, "Go on".into()), (false, "<link>".into())]
        );
        // The other language still has the built-in text.
        let spanish = texts.write(kind, Language::Es, &filling);
        assert_eq!(words(&spanish.subject), kind.subject(Language::Es));
    }

    #[test]
    fn what_does_not_fit_its_mail_any_more_counts_as_not_written() {
        let kind = MailKind::StatusUpdate;
        let mut texts = MailTexts::default();
        texts.put(kind, &[("text.en".to_owned(), "{gone} {link}".to_owned())].into());
        assert_eq!(
            texts.write(kind, Language::En, &filling(kind)),
            MailTexts::default().write(kind, Language::En, &filling(kind))
        );
    }
}
