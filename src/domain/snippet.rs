//! Texts that staff reuse, with fields filled in for each applicant.

use super::language::Language;
use super::merging::{MergeField, OF_APPLICANT, fill, words};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The name by which staff choose it.
    pub name: String,
    pub english: String,
    /// Empty if everybody gets the English text.
    pub spanish: String,
}

impl Snippet {
    /// Returns the text in the reader's language, with the fields filled in.
    pub fn fill(&self, language: Language, value: impl Fn(MergeField) -> String) -> String {
        let text = match language {
            Language::Es if !self.spanish.is_empty() => &self.spanish,
            _ => &self.english,
        };
        // Fields of an earlier version that no longer exist stay as they were typed.
        fill(text, &OF_APPLICANT, value).map_or_else(|_| text.clone(), |runs| words(&runs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_filled_in_for_one_applicant() {
        let snippet = Snippet {
            name: "Greeting".into(),
            english: "Dear {firstName}, about {reference}:".into(),
            spanish: String::new(),
        };
        let value = |field: MergeField| format!("<{}>", field.name());
        assert_eq!(snippet.fill(Language::En, value), "Dear <firstName>, about <reference>:");
        assert_eq!(snippet.fill(Language::Es, value), "Dear <firstName>, about <reference>:");
        let both = Snippet { spanish: "Hola {firstName}:".into(), ..snippet };
        assert_eq!(both.fill(Language::Es, value), "Hola <firstName>:");
        let odd = Snippet { english: "{gone}".into(), ..both };
        assert_eq!(odd.fill(Language::En, value), "{gone}");
    }
}
