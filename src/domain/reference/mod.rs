//! Countries and US states. The countries come from the npm package `countries-list`, as does the browser's list;
//! `scripts/generate-reference.mjs` writes both.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::sentence::Sentence;

/// A country or territory.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Country {
    /// ISO 3166-1 alpha-2.
    pub code: String,
    /// English name.
    pub name: String,
    /// Dial codes without `+`; the first is the one used when sending numbers.
    pub dial: Vec<String>,
    /// Two-letter code: `EU`.
    pub continent: String,
    pub capital: String,
    /// ISO 4217 codes.
    pub currency: Vec<String>,
    /// ISO 639-1 codes.
    pub languages: Vec<String>,
}

static COUNTRIES: LazyLock<Vec<Country>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("countries.json")).expect("the generated list is checked by a test")
});

impl Country {
    /// Returns its name, which can be translated.
    pub fn label(&self) -> Sentence {
        Sentence::stored(&self.name)
    }
}

/// Returns all countries: the United States first, then by name.
pub fn countries() -> &'static [Country] {
    &COUNTRIES
}

pub fn country(code: &str) -> Option<&'static Country> {
    COUNTRIES.iter().find(|country| country.code == code)
}

/// The two-letter codes of the 50 states.
pub const US_STATES: [&str; 50] = [
    "AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "FL", "GA", "HI", "ID", "IL", "IN", "IA", "KS", "KY", "LA", "ME",
    "MD", "MA", "MI", "MN", "MS", "MO", "MT", "NE", "NV", "NH", "NJ", "NM", "NY", "NC", "ND", "OH", "OK", "OR", "PA",
    "RI", "SC", "SD", "TN", "TX", "UT", "VT", "VA", "WA", "WV", "WI", "WY",
];

/// State names, in the same order.
const US_STATE_NAMES: [&str; 50] = [
    "Alabama",
    "Alaska",
    "Arizona",
    "Arkansas",
    "California",
    "Colorado",
    "Connecticut",
    "Delaware",
    "Florida",
    "Georgia",
    "Hawaii",
    "Idaho",
    "Illinois",
    "Indiana",
    "Iowa",
    "Kansas",
    "Kentucky",
    "Louisiana",
    "Maine",
    "Maryland",
    "Massachusetts",
    "Michigan",
    "Minnesota",
    "Mississippi",
    "Missouri",
    "Montana",
    "Nebraska",
    "Nevada",
    "New Hampshire",
    "New Jersey",
    "New Mexico",
    "New York",
    "North Carolina",
    "North Dakota",
    "Ohio",
    "Oklahoma",
    "Oregon",
    "Pennsylvania",
    "Rhode Island",
    "South Carolina",
    "South Dakota",
    "Tennessee",
    "Texas",
    "Utah",
    "Vermont",
    "Virginia",
    "Washington",
    "West Virginia",
    "Wisconsin",
    "Wyoming",
];

/// Returns the name of the state with this code.
pub fn us_state_name(code: &str) -> Option<&'static str> {
    US_STATES.iter().position(|state| *state == code).map(|at| US_STATE_NAMES[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_whole() {
        assert!(countries().len() >= 240);
        assert_eq!(countries()[0].code, "US");
        assert!(countries().iter().all(|c| c.code.len() == 2 && !c.name.is_empty() && !c.dial.is_empty()));
        assert_eq!(country("DE").unwrap().dial, ["49"]);
        assert_eq!((us_state_name("AK"), us_state_name("WY")), (Some("Alaska"), Some("Wyoming")));
        let mut states = US_STATES;
        states.sort_unstable();
        assert!(states.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
