//! Messages to users, in every language of the product. `text!` writes a sentence in English, which is its key in the
//! catalogues in `texts/`; `scripts/texts.mjs` collects them all. Sentences are translated on output: serialised into a
//! page or an API response in the reader's language, displayed in logs and elsewhere in English.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::sync::LazyLock;

use serde::{Serialize, Serializer};

use super::language::Language;

/// Creates a sentence for users: `text!("Unknown field: {name}.", name)`, or with `name = some + expression`. The
/// values may be sentences themselves.
#[macro_export]
macro_rules! text {
    ($key:literal) => {
        $crate::sentence::Sentence::new($key)
    };
    ($key:literal, $($name:ident $(= $value:expr)?),+ $(,)?) => {
        $crate::sentence::Sentence::new($key)$(.with(stringify!($name), $crate::text!(@value $name $(= $value)?)))+
    };
    (@value $name:ident = $value:expr) => { $value };
    (@value $name:ident) => { $name };
}

/// A sentence for users, in their language. Created by `text!`.
#[derive(Debug, Clone, PartialEq, Eq, ts_rs::TS)]
#[ts(type = "string")]
pub struct Sentence {
    key: &'static str,
    /// Boxed because most sentences have none and errors carry sentences.
    words: Option<Box<Filled>>,
}

/// The values filled into a sentence, by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Filled(Vec<(&'static str, Words)>);

/// A value filled into a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Words {
    /// The same in every language: a name, a number, an address.
    Plain(String),
    Sentence(Sentence),
    /// Written by staff, in English and in Spanish.
    Each {
        en: String,
        es: String,
    },
}

impl Sentence {
    /// For use by `text!`, from which the catalogues are made.
    pub const fn new(key: &'static str) -> Sentence {
        Sentence { key, words: None }
    }

    #[must_use]
    pub fn with(mut self, name: &'static str, words: impl Into<Words>) -> Sentence {
        self.words.get_or_insert_default().0.push((name, words.into()));
        self
    }

    /// A text that is the same in every language or was written by somebody, where a sentence is expected.
    pub fn plain(text: impl Into<String>) -> Sentence {
        Sentence::new("{words}").with("words", text.into())
    }

    /// A text written by staff in both languages.
    pub fn each(en: impl Into<String>, es: impl Into<String>) -> Sentence {
        Sentence::new("{words}").with("words", Words::Each { en: en.into(), es: es.into() })
    }

    /// Returns the sentence whose English text, as stored, is `text`; without a translation the text stays as it is.
    pub fn stored(text: &str) -> Sentence {
        let catalogues: &'static [HashMap<String, String>; 1] = &CATALOGUES;
        match catalogues.iter().find_map(|catalogue| catalogue.get_key_value(text)) {
            Some((key, _)) => Sentence::new(key),
            None => Sentence::plain(text),
        }
    }

    /// `a, b, c`
    pub fn list(sentences: impl IntoIterator<Item = Sentence>) -> Sentence {
        let join = |before: Sentence, next| Sentence::new("{before}, {next}").with("before", before).with("next", next);
        sentences.into_iter().reduce(join).unwrap_or_else(|| Sentence::plain(""))
    }

    /// Appends another sentence.
    pub fn and(self, next: Sentence) -> Sentence {
        Sentence::new("{first} {next}").with("first", self).with("next", next)
    }

    /// Returns the text in the given language.
    pub fn in_language(&self, language: Language) -> String {
        let mut out = String::new();
        self.write(language, &mut out);
        out
    }

    /// Returns the text in the language of [`speaking`].
    pub fn spoken(&self) -> Cow<'static, str> {
        let language = spoken();
        match self.words {
            None => translation(self.key, language).into(),
            Some(_) => self.in_language(language).into(),
        }
    }

    fn write(&self, language: Language, out: &mut String) {
        let mut rest = translation(self.key, language);
        let Some(filled) = &self.words else {
            out.push_str(rest);
            return;
        };
        while let Some((before, from)) = rest.split_once('{') {
            out.push_str(before);
            let (name, after) = from.split_once('}').unwrap_or((from, ""));
            match filled.0.iter().find(|(known, _)| *known == name) {
                Some((_, Words::Plain(text))) => out.push_str(text),
                Some((_, Words::Each { en, es })) => out.push_str(match language {
                    Language::En => en,
                    Language::Es => es,
                }),
                Some((_, Words::Sentence(sentence))) => sentence.write(language, out),
                None => {
                    // Writing to a string does not fail.
                    let _ = write!(out, "{{{name}}}");
                }
            }
            rest = after;
        }
        out.push_str(rest);
    }
}

/// Formats the sentence in English.
impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_language(Language::En))
    }
}

impl PartialEq<str> for Sentence {
    fn eq(&self, other: &str) -> bool {
        self.in_language(Language::En) == other
    }
}

impl PartialEq<&str> for Sentence {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

/// Serialises in the language of [`speaking`].
impl Serialize for Sentence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.spoken())
    }
}

/// A sentence marked by `text!` elsewhere, or one for staff, who are addressed in English.
impl From<&'static str> for Sentence {
    fn from(text: &'static str) -> Sentence {
        Sentence::new(text)
    }
}

impl From<String> for Words {
    fn from(text: String) -> Words {
        Words::Plain(text)
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Words {
        Words::Plain(text.to_owned())
    }
}

impl From<&String> for Words {
    fn from(text: &String) -> Words {
        Words::Plain(text.clone())
    }
}

impl From<&Sentence> for Words {
    fn from(sentence: &Sentence) -> Words {
        Words::Sentence(sentence.clone())
    }
}

impl From<Sentence> for Words {
    fn from(sentence: Sentence) -> Words {
        Words::Sentence(sentence)
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl From<$number> for Words {
            fn from(number: $number) -> Words {
                Words::Plain(number.to_string())
            }
        }
        impl From<&$number> for Words {
            fn from(number: &$number) -> Words {
                Words::Plain(number.to_string())
            }
        })*
    };
}

numbers!(i8, i16, i32, i64, u32, u64, usize);

thread_local! {
    static SPOKEN: Cell<Language> = const { Cell::new(Language::En) };
}

/// Runs `say` with sentences serialised in `language`. It must not wait: other work on the thread would use that
/// language too.
pub fn speaking<T>(language: Language, say: impl FnOnce() -> T) -> T {
    struct Before(Language);
    impl Drop for Before {
        fn drop(&mut self) {
            SPOKEN.set(self.0);
        }
    }
    let _before = Before(SPOKEN.replace(language));
    say()
}

/// Returns the current language.
pub fn spoken() -> Language {
    SPOKEN.get()
}

/// Translations keyed by the English sentence. One catalogue for each language except English, in order.
static CATALOGUES: LazyLock<[HashMap<String, String>; 1]> = LazyLock::new(|| {
    let read = |text| serde_json::from_str(text).expect("scripts/texts.mjs writes plain strings");
    [read(include_str!("../../texts/es.json"))]
});

fn translation(key: &'static str, language: Language) -> &'static str {
    let catalogue: &'static HashMap<String, String> = match language {
        Language::En => return key,
        Language::Es => &CATALOGUES[0],
    };
    catalogue.get(key).map(String::as_str).filter(|text| !text.is_empty()).unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_told_in_either_language() {
        let label = text!("{label} is required.", label = text!("First name"));
        assert_eq!(label, "First name is required.");
        assert_eq!(label.in_language(Language::Es), "Nombre: este dato es obligatorio.");
        let no = Sentence::new("Not in any catalogue: {n}.").with("n", 3_i64);
        assert_eq!(no.in_language(Language::Es), "Not in any catalogue: 3.");
    }

    #[test]
    fn what_is_written_by_people_is_no_pattern() {
        let name = "{label} & {0}";
        assert_eq!(text!("Unknown field: {name}.", name), "Unknown field: {label} & {0}.");
        assert_eq!(Sentence::plain("{words}"), "{words}");
    }

    #[test]
    fn the_language_lasts_as_long_as_it_is_spoken() {
        let json = |sentence: &Sentence| serde_json::to_string(sentence).expect("a string");
        let name = text!("First name");
        assert_eq!(speaking(Language::Es, || json(&name)), "\"Nombre\"");
        assert_eq!(json(&name), "\"First name\"");
    }

    #[test]
    fn what_was_stored_in_english_is_translated() {
        assert_eq!(Sentence::stored("First name").in_language(Language::Es), "Nombre");
        assert_eq!(Sentence::stored("Written by staff").in_language(Language::Es), "Written by staff");
    }
}
