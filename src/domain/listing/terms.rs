//! The terms by which an application is found.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::{Facet, MISSING, NOBODY};
use crate::application::ApplicationData;
use crate::application_fee::{FeeState, NO_FEE};
use crate::program::Program;
use crate::reference_number::ReferenceNumber;
use crate::status::Stage;

/// The data of a listed application.
#[derive(Debug)]
pub struct Listed<'a> {
    pub first_name: &'a str,
    pub last_name: &'a str,
    pub email: &'a str,
    /// With the dial code: `+15550100`.
    pub phone_number: &'a str,
    /// Without the dial code: `5550100`.
    pub national_number: &'a str,
    /// Country of residence.
    pub country: &'a str,
    pub reference: Option<&'a str>,
    /// Its number in the system it was imported from.
    pub former_reference: Option<&'a str>,
    pub program: Program,
    pub stage: Stage,
    /// `2026-08`
    pub intake: Option<&'a str>,
    /// The owner.
    pub owner: Option<&'a str>,
    /// Whether a required document is missing.
    pub lacks_documents: bool,
    /// How far the application fee is, if there is one.
    pub fee: Option<FeeState>,
    pub tags: &'a [String],
    pub data: &'a ApplicationData,
}

impl Listed<'_> {
    /// Returns all terms, without duplicates.
    pub fn terms(&self) -> Vec<String> {
        let yes_or_no = |yes: bool| if yes { "yes" } else { "no" };
        let personal = &self.data.personal_info;
        let mut terms = vec![
            Facet::Program.term(self.program.application_type()),
            Facet::Status.term(self.stage.status().as_str()),
            Facet::Stage.term(self.stage.as_str()),
            Facet::Owner.term(self.owner.unwrap_or(NOBODY)),
            Facet::Military.term(yes_or_no(personal.is_military_affiliated)),
            Facet::Dod.term(yes_or_no(personal.is_dod_employee)),
            Facet::Citizen.term(yes_or_no(personal.is_us_citizen)),
            Facet::Country.term(self.country),
            Facet::Fee.term(self.fee.map_or(NO_FEE, FeeState::as_str)),
        ];
        terms.extend(self.intake.map(|intake| Facet::Intake.term(intake)));
        terms.extend(personal.state.as_deref().map(|state| Facet::State.term(state)));
        terms.extend(self.data.financial_plan.selected_payments.iter().map(|payment| Facet::Funding.term(payment)));
        terms.extend(self.lacks_documents.then(|| Facet::Documents.term(MISSING)));
        terms.extend(self.tags.iter().map(|tag| Facet::Tag.term(tag)));
        let names = [self.first_name, self.last_name].into_iter().flat_map(words);
        let numbers = [self.phone_number, self.national_number].into_iter().map(digits);
        let others = [
            Some(self.email.to_lowercase()),
            self.reference.map(alphanumeric),
            self.former_reference.map(alphanumeric),
        ];
        let searched = names.chain(numbers).chain(others.into_iter().flatten());
        terms.extend(searched.filter(|word| !word.is_empty()).map(word_term));
        terms.sort();
        terms.dedup();
        terms
    }
}

/// Returns the prefixes of terms that must all match for a typed search: names, an email address, a telephone number or
/// a reference number, or the beginning of one. Empty if there is nothing to search for.
pub fn search_terms(typed: &str) -> Vec<String> {
    let is_number = typed.chars().all(|c| c.is_ascii_digit() || " ()+-./".contains(c));
    if is_number && typed.chars().filter(char::is_ascii_digit).count() >= 3 {
        return vec![word_term(digits(typed))];
    }
    if let Ok(reference) = ReferenceNumber::parse(typed) {
        return vec![word_term(alphanumeric(&reference.to_string()))];
    }
    let of_token = |token: &str| match token {
        _ if token.contains('@') => vec![token.to_lowercase()],
        // Possibly the beginning of a reference number.
        _ if token.chars().any(|c| c.is_ascii_digit()) => vec![alphanumeric(token)],
        _ => words(token).collect(),
    };
    let tokens = typed.split_whitespace().flat_map(of_token);
    tokens.filter(|word| !word.is_empty()).map(word_term).collect()
}

/// Returns the key by which names are sorted.
pub fn name_key(first_name: &str, last_name: &str) -> String {
    let joined = |name| words(name).collect::<Vec<_>>().join(" ");
    format!("{}, {}", joined(last_name), joined(first_name))
}

/// Whether a term is a searchable word. All others are facets.
pub fn is_word(term: &str) -> bool {
    term.starts_with("w:")
}

fn word_term(word: String) -> String {
    format!("w:{word}")
}

/// Returns the words of a name, in lower case and without accents.
fn words(name: &str) -> impl Iterator<Item = String> {
    let folded: String = name.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect();
    // An apostrophe does not separate words: O’Demo is indexed as odemo.
    let folded: String = folded.chars().filter(|c| !matches!(c, '\'' | '’' | '‘')).collect();
    let parts: Vec<String> =
        folded.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).map(str::to_owned).collect();
    parts.into_iter()
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

fn alphanumeric(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed<'a>(data: &'a ApplicationData, tags: &'a [String]) -> Listed<'a> {
        Listed {
            first_name: "Ána-María",
            last_name: "O’Demo de la Cruz",
            email: "Demo.One@example.com",
            phone_number: "+15550100200",
            national_number: "5550100200",
            country: "US",
            reference: Some("B26-7KX4-M9CT"),
            former_reference: Some("A-17/4"),
            program: Program::Bachelor,
            stage: Stage::Held,
            intake: None,
            owner: None,
            lacks_documents: true,
            fee: Some(FeeState::Due),
            tags,
            data,
        }
    }

    #[test]
    fn whoever_is_listed_is_found_by_every_word_and_number() {
        let data = ApplicationData::default();
        let terms = listed(&data, &[]).terms();
        let typed = [
            "ana",
            "MARIA",
            "Ána-María",
            "o'demo",
            "Cruz ana",
            "demo.one@example.com",
            "Demo.One@",
            "(555) 010-0200",
            "+1 555 0100",
            "555",
            "b26-7kx4",
            "B26 7KX4 M9CT",
            "A-17",
        ];
        for typed in typed {
            let searched = search_terms(typed);
            assert!(!searched.is_empty(), "{typed}");
            for word in searched {
                assert!(terms.iter().any(|term| term.starts_with(&word)), "{typed}: {word} in {terms:?}");
            }
        }
        for typed in ["bana", "demo.two@example.com", "5550100999"] {
            let is_found = search_terms(typed).iter().all(|word| terms.iter().any(|term| term.starts_with(word)));
            assert!(!is_found, "{typed}");
        }
    }

    #[test]
    fn a_search_never_meets_a_facet() {
        let data = ApplicationData::default();
        let tags = ["second look".to_owned()];
        let terms = listed(&data, &tags).terms();
        for (facet, value) in [
            (Facet::Program, "ba"),
            (Facet::Status, "scheduled"),
            (Facet::Stage, "held"),
            (Facet::Owner, "nobody"),
            (Facet::Citizen, "yes"),
            (Facet::Military, "no"),
            (Facet::Country, "US"),
            (Facet::Documents, "missing"),
            (Facet::Fee, "due"),
            (Facet::Tag, "second look"),
        ] {
            assert!(terms.contains(&facet.term(value)), "{facet:?} in {terms:?}");
        }
        for typed in ["program", "status:scheduled", "tag", "w:"] {
            let found = search_terms(typed).iter().any(|word| terms.iter().any(|term| term.starts_with(word)));
            assert!(!found, "{typed}");
        }
        assert!(search_terms(" - ").is_empty());
    }

    #[test]
    fn names_are_in_order_without_accents_and_case() {
        assert_eq!(name_key("Émile", "DE Démo"), "de demo, emile");
    }
}
