//! The list of applications for staff: what is stored about each to find it by, and the views of the list.
//!
//! Everything that can be searched or filtered by is a term: a text that an index finds quickly, either a word of a
//! name (`w:demo`) or a facet with its value (`state:TX`). A view selects terms and some ranges, whatever they mean, so
//! that a new filter only takes a new [`Facet`].

mod column;
pub mod figures;
mod record;
mod sort;
mod terms;
mod view;

pub use column::{Column, Layout, ShownColumn};
pub use record::{Counted, FiguresQuery, Listing, ListingPage, ListingQuery, MAX_COUNTED, Mark, Marked, Order};
pub use sort::{Sort, SortBy, values_in_order};
pub use terms::{Listed, is_word, name_key, search_terms};
pub use view::{Cursor, MAX_PAGE_SIZE, PAGE_SIZE, View};

use crate::characters;
use crate::status::Stage;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tab {
    /// Waiting for staff.
    NeedsAction,
    /// Submitted, without an interview.
    Submitted,
    /// With an interview ahead.
    Interviews,
    /// Due for a decision, or decided.
    Decisions,
    /// From acceptance of the offer.
    Enrolling,
    All,
}

impl Tab {
    pub const ALL: [Tab; 6] =
        [Tab::NeedsAction, Tab::Submitted, Tab::Interviews, Tab::Decisions, Tab::Enrolling, Tab::All];

    /// Returns the name used in URLs.
    pub fn as_str(self) -> &'static str {
        match self {
            Tab::NeedsAction => "needs-action",
            Tab::Submitted => "submitted",
            Tab::Interviews => "interviews",
            Tab::Decisions => "decisions",
            Tab::Enrolling => "enrolling",
            Tab::All => "all",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Tab::NeedsAction => "Needs action",
            Tab::Submitted => "Submitted",
            Tab::Interviews => "Interviews",
            Tab::Decisions => "Decisions",
            Tab::Enrolling => "Enrolling",
            Tab::All => "All",
        }
    }

    pub fn parse(text: &str) -> Option<Tab> {
        Tab::ALL.into_iter().find(|tab| tab.as_str() == text)
    }

    /// Whether it can contain applications at this stage.
    pub fn has(self, stage: Stage) -> bool {
        match self {
            Tab::All => !matches!(stage, Stage::None | Stage::Draft),
            Tab::NeedsAction => Tab::of(stage).is_some(),
            Tab::Submitted | Tab::Interviews | Tab::Decisions | Tab::Enrolling => Tab::of(stage) == Some(self),
        }
    }

    /// Returns the tab, besides [`Tab::All`], for applications at this stage. `None` if they have ended.
    pub fn of(stage: Stage) -> Option<Tab> {
        match stage {
            Stage::None | Stage::Draft | Stage::Archived => None,
            Stage::Submitted | Stage::Changes => Some(Tab::Submitted),
            Stage::Booked | Stage::NoShow => Some(Tab::Interviews),
            Stage::Held | Stage::Waitlisted | Stage::Offered | Stage::Lapsed | Stage::Rejected => Some(Tab::Decisions),
            Stage::Confirmed | Stage::Enrolled | Stage::Deferred => Some(Tab::Enrolling),
        }
    }
}

impl Stage {
    /// Returns the label for staff.
    pub const fn label(self) -> &'static str {
        match self {
            Stage::None => "Not started",
            Stage::Draft => "Draft",
            Stage::Submitted => "Submitted",
            Stage::Changes => "Changes asked for",
            Stage::Booked => "Interview booked",
            Stage::Held => "Interview held",
            Stage::NoShow => "Interview missed",
            Stage::Waitlisted => "Waitlisted",
            Stage::Offered => "Offered",
            Stage::Confirmed => "Offer accepted",
            Stage::Lapsed => "Offer lapsed",
            Stage::Rejected => "Rejected",
            Stage::Enrolled => "Enrolled",
            Stage::Deferred => "Deferred",
            Stage::Archived => "Withdrawn or declined",
        }
    }
}

/// A single-value filter of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Facet {
    Program,
    Status,
    Stage,
    Intake,
    Owner,
    Military,
    Dod,
    Citizen,
    State,
    Country,
    Funding,
    Documents,
    /// Whether the application fee is due, paid or waived.
    Fee,
    Tag,
}

impl Facet {
    pub const ALL: [Facet; 14] = [
        Facet::Program,
        Facet::Status,
        Facet::Stage,
        Facet::Intake,
        Facet::Owner,
        Facet::Military,
        Facet::Dod,
        Facet::Citizen,
        Facet::State,
        Facet::Country,
        Facet::Funding,
        Facet::Documents,
        Facet::Fee,
        Facet::Tag,
    ];

    /// Returns the name used in URLs and terms.
    pub fn as_str(self) -> &'static str {
        match self {
            Facet::Program => "program",
            Facet::Status => "status",
            Facet::Stage => "stage",
            Facet::Intake => "intake",
            Facet::Owner => "owner",
            Facet::Military => "military",
            Facet::Dod => "dod",
            Facet::Citizen => "citizen",
            Facet::State => "state",
            Facet::Country => "country",
            Facet::Funding => "funding",
            Facet::Documents => "documents",
            Facet::Fee => "fee",
            Facet::Tag => "tag",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Facet::Program => "Program",
            Facet::Status => "Status",
            Facet::Stage => "Stage",
            Facet::Intake => "Intake",
            Facet::Owner => "Owner",
            Facet::Military => "Military",
            Facet::Dod => "DoD employee",
            Facet::Citizen => "US citizen",
            Facet::State => "State",
            Facet::Country => "Country",
            Facet::Funding => "Funding",
            Facet::Documents => "Documents",
            Facet::Fee => "Fee",
            Facet::Tag => "Tag",
        }
    }

    /// Whether it shows data restricted to roles with [`PersonalData`](crate::permission::Permission::PersonalData).
    pub fn is_personal(self) -> bool {
        matches!(self, Facet::Citizen | Facet::State | Facet::Country)
    }

    /// Whether a term belongs to a facet that [is personal](Self::is_personal).
    pub fn is_personal_term(term: &str) -> bool {
        Facet::ALL.into_iter().any(|facet| facet.is_personal() && facet.value_of(term).is_some())
    }

    /// Returns the term for a value.
    pub fn term(self, value: &str) -> String {
        format!("{}:{value}", self.as_str())
    }

    /// Returns the value of a term of this facet.
    pub fn value_of(self, term: &str) -> Option<&str> {
        term.strip_prefix(self.as_str())?.strip_prefix(':')
    }
}

/// The value of [`Facet::Owner`] for applications without an owner.
pub const NOBODY: &str = "nobody";
/// The value of [`Facet::Documents`] for applications that lack a required document.
pub const MISSING: &str = "missing";
/// Maximum number of tags per application.
pub const MAX_TAGS: usize = 20;
/// Maximum length of a tag, in characters.
pub const MAX_TAG_LENGTH: usize = 40;

/// Normalises a tag for storage: lower case, single spaces. `None` if it is empty, too long or has characters other
/// than letters, digits, spaces and `-_.&+`.
pub fn tag(text: &str) -> Option<String> {
    let tag = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let is_plain = tag.chars().all(|c| c.is_alphanumeric() || " -_.&+".contains(c));
    (is_plain && !characters::has_odd(&tag) && !tag.is_empty() && tag.chars().count() <= MAX_TAG_LENGTH).then_some(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_addresses_are_read_back() {
        assert!(Tab::ALL.iter().all(|tab| Tab::parse(tab.as_str()) == Some(*tab)));
    }

    #[test]
    fn whoever_applies_is_in_a_tab_until_it_is_over() {
        for stage in Stage::ALL {
            let is_listed = !matches!(stage, Stage::None | Stage::Draft | Stage::Archived);
            assert_eq!(Tab::of(stage).is_some(), is_listed, "{stage}");
        }
    }

    #[test]
    fn tags_are_short_plain_words() {
        assert_eq!(tag("  Second   Look "), Some("second look".into()));
        assert_eq!(tag("R&D-2"), Some("r&d-2".into()));
        for bad in ["", "  ", "a:b", "<b>", "a\0b", &"x".repeat(41)] {
            assert_eq!(tag(bad), None, "{bad:?}");
        }
    }
}
