//! A template in all the languages it is written in. One text is binding; the others are translations, which accompany
//! the contracts of applicants who prefer their language.

use std::collections::BTreeMap;

use super::template::{Fault, MAX_TEMPLATE_LENGTH, Template};
use crate::input::FieldError;
use crate::language::Language;
use crate::sentence::Sentence;

/// The texts of a template, possibly with mistakes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TemplateText {
    /// The language of the binding text.
    pub counts: Language,
    pub text: String,
    /// Without empty ones.
    pub translations: BTreeMap<Language, String>,
}

impl TemplateText {
    /// Creates it from a text in each language, with normalised line breaks.
    pub fn new(counts: Language, texts: impl IntoIterator<Item = (Language, String)>) -> TemplateText {
        let tidied = texts.into_iter().map(|(language, text)| (language, text.replace("\r\n", "\n")));
        let mut translations: BTreeMap<Language, String> = tidied.collect();
        let text = translations.remove(&counts).unwrap_or_default();
        translations.retain(|_, text| !text.trim().is_empty());
        TemplateText { counts, text, translations }
    }

    /// Iterates over all texts, the binding one first.
    pub fn all(&self) -> impl Iterator<Item = (Language, &str)> {
        let translations = self.translations.iter().map(|(language, text)| (*language, text.as_str()));
        std::iter::once((self.counts, self.text.as_str())).chain(translations)
    }

    pub fn of(&self, language: Language) -> Option<&str> {
        self.all().find(|(known, _)| *known == language).map(|(_, text)| text)
    }

    /// Returns the path for errors of the text in this language.
    pub fn path(&self, language: Language) -> String {
        if language == self.counts { "text".into() } else { format!("translations.{}", language.as_str()) }
    }

    /// Whether it can be stored as a draft.
    ///
    /// # Errors
    /// `contract.too_long`
    pub fn check_size(&self) -> Result<(), FieldError> {
        match self.all().find(|(_, text)| text.chars().count() > MAX_TEMPLATE_LENGTH || text.contains('\0')) {
            None => Ok(()),
            Some((language, _)) => {
                let sentence = format!("The template must be at most {MAX_TEMPLATE_LENGTH} characters.");
                Err(FieldError::new(self.path(language), "contract.too_long", Sentence::plain(sentence)))
            }
        }
    }

    /// Parses the templates in all languages, for publication.
    ///
    /// # Errors
    /// One for each text that has mistakes, with the code of the first one; `contract.content` for markup that is not
    /// allowed, `contract.translation` for a translation that does not fill in the same fields as the binding text.
    pub fn check(&self) -> Result<Vec<(Language, Template)>, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut templates: Vec<(Language, Template)> = Vec::new();
        for (language, text) in self.all() {
            let parsed = Template::parse(text).and_then(|template| {
                // A translation is compared with the binding text, if that could be parsed.
                let original = templates.first().filter(|(first, _)| *first == self.counts);
                match original.map(|(_, original)| template.differences(original)) {
                    Some(faults) if !faults.is_empty() => Err(faults),
                    _ => Ok(template),
                }
            });
            match parsed {
                Ok(template) => templates.push((language, template)),
                Err(faults) => errors.push(Fault::error(&faults, self.path(language))),
            }
        }
        if errors.is_empty() { Ok(templates) } else { Err(errors) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::starter;
    use crate::program::Program;

    fn codes(text: &TemplateText) -> Vec<(String, String)> {
        text.check().err().unwrap_or_default().into_iter().map(|error| (error.path, error.code)).collect()
    }

    #[test]
    fn a_translation_fills_in_what_the_text_that_counts_fills_in() {
        for program in Program::ALL {
            let starter = starter(program);
            let languages: Vec<Language> = starter.check().unwrap().into_iter().map(|(language, _)| language).collect();
            assert_eq!(languages, [Language::En, Language::Es]);
            let mut other = starter.clone();
            other.translations.insert(Language::Es, starter.of(Language::Es).unwrap().replace("{contactEmail}", "x"));
            assert_eq!(codes(&other), [("translations.es".into(), "contract.translation".into())]);
            other
                .translations
                .insert(Language::Es, format!("{}\n\n{{applicantName}}", starter.of(Language::Es).unwrap()));
            assert_eq!(codes(&other), []);
            other.text = other.text.replace("{contactEmail}", "x");
            assert_eq!(codes(&other), [("translations.es".into(), "contract.translation".into())]);
            other.text = "{{7*7}}".into();
            assert_eq!(codes(&other), [("text".into(), "contract.content".into())]);
        }
    }

    #[test]
    fn which_text_counts_is_chosen() {
        let starter = starter(Program::Bachelor);
        let texts = Language::ALL.map(|language| (language, starter.of(language).unwrap().to_owned()));
        let spanish = TemplateText::new(Language::Es, texts.clone());
        assert_eq!(
            (spanish.text.as_str(), spanish.path(Language::En)),
            (texts[1].1.as_str(), "translations.en".into())
        );
        assert_eq!(spanish.all().map(|(language, _)| language).collect::<Vec<_>>(), [Language::Es, Language::En]);
        let alone = TemplateText::new(Language::En, [(Language::En, "a\r\nb".into()), (Language::Es, " \n".into())]);
        assert_eq!((alone.text.as_str(), alone.translations.len()), ("a\nb", 0));
        let nothing = TemplateText::new(Language::Es, [(Language::En, "a".into())]);
        assert_eq!(codes(&nothing)[0], ("text".into(), "contract.missing".into()));
    }
}
