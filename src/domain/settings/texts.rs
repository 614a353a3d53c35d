//! The texts of mails and letters, in both languages.

use super::{Field, FieldKind};
use crate::decision::Letter;
use crate::language::Language;
use crate::mail::MailKind;

const LANGUAGES: [(Language, &str); 2] = [(Language::En, "English"), (Language::Es, "Spanish")];

pub(super) fn letter(letter: Letter) -> Vec<Field> {
    let each = |(language, words): (Language, &str)| Field {
        name: format!("text.{}", language.as_str()),
        label: format!("Text in {words}"),
        hint: "An empty line begins a paragraph. Lines that start with • are a list.",
        kind: FieldKind::LetterText(letter),
        built_in: letter.text(language),
        group: String::new(),
    };
    LANGUAGES.map(each).into()
}

pub(super) fn mail(kind: MailKind) -> Vec<Field> {
    let each = |(language, words): (Language, &str)| {
        let code = language.as_str();
        let subject = Field {
            name: format!("subject.{code}"),
            label: format!("Subject in {words}"),
            hint: "",
            kind: FieldKind::MailSubject(kind),
            built_in: kind.subject(language),
            group: String::new(),
        };
        let text = Field {
            name: format!("text.{code}"),
            label: format!("Text in {words}"),
            hint: "An empty line begins a paragraph. A paragraph such as “Read it: {link}” becomes a button.",
            kind: FieldKind::MailText(kind),
            built_in: kind.text(language),
            group: String::new(),
        };
        [subject, text]
    };
    LANGUAGES.into_iter().flat_map(each).collect()
}
