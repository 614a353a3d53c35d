//! The languages of the product. English is the source language.

use serde::{Deserialize, Serialize};

use super::input::Input;
use super::sentence::Sentence;
use crate::text;

#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
    ts_rs::TS,
)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    En,
    Es,
}

impl Language {
    /// In the order of the bundles and of the language menu.
    pub const ALL: [Language; 2] = [Language::En, Language::Es];

    /// Returns the code used in `lang` attributes, cookies and the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::Es => "es",
        }
    }

    /// Returns its name, translated into the reader's language.
    pub fn name(self) -> Sentence {
        match self {
            Language::En => text!("English"),
            Language::Es => text!("Spanish"),
        }
    }

    /// Returns the other languages.
    pub fn others(self) -> impl Iterator<Item = Language> {
        Language::ALL.into_iter().filter(move |other| *other != self)
    }

    pub fn parse(text: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.as_str() == text)
    }

    /// Returns the language named by a field.
    pub fn of(input: &Input) -> Option<Language> {
        match input {
            Input::Text(code) => Language::parse(code),
            _ => None,
        }
    }

    /// Returns the language that `Accept-Language` prefers. Regions are ignored; of equal preferences the first one
    /// wins.
    pub fn accepted(header: &str) -> Option<Language> {
        let mut best: Option<(Language, f32)> = None;
        for entry in header.split(',') {
            let (range, parameters) = entry.split_once(';').unwrap_or((entry, ""));
            let primary = range.trim().split('-').next().unwrap_or_default().to_ascii_lowercase();
            let Some(language) = Language::parse(&primary) else { continue };
            let weight = parameters.trim().strip_prefix("q=").map_or(Some(1.0), |q| q.trim().parse().ok());
            let Some(weight) = weight.filter(|weight: &f32| *weight > 0.0) else { continue };
            if best.is_none_or(|(_, other)| weight > other) {
                best = Some((language, weight));
            }
        }
        best.map(|(language, _)| language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_liked_language_is_taken() {
        for (header, language) in [
            ("es", Some(Language::Es)),
            ("es-MX,es;q=0.9,en;q=0.8", Some(Language::Es)),
            ("en-US, es;q=0.9", Some(Language::En)),
            ("de, es;q=0.5, en;q=0.7", Some(Language::En)),
            ("ES-419;q=0.2", Some(Language::Es)),
            ("es;q=0, en;q=0.1", Some(Language::En)),
            ("en;q=x, es;q=0.1", Some(Language::Es)),
            ("de, *;q=0.5", None),
            ("", None),
        ] {
            assert_eq!(Language::accepted(header), language, "{header}");
        }
    }
}
