//! The sort order of the list.

use super::{Facet, Tab};
use crate::program::Program;
use crate::status::Stage;

/// What rows are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortBy {
    /// Longest in its stage first.
    Waiting,
    /// Newest submission first.
    Submitted,
    /// Earliest interview first; rows without one come last in either direction.
    Interview,
    /// By last name, then first name.
    Name,
    /// In the order of an application's progress.
    Stage,
    Program,
    /// By name; rows without an owner come last in either direction.
    Owner,
}

impl SortBy {
    pub const ALL: [SortBy; 7] = [
        SortBy::Waiting,
        SortBy::Submitted,
        SortBy::Interview,
        SortBy::Name,
        SortBy::Stage,
        SortBy::Program,
        SortBy::Owner,
    ];

    fn as_str(self) -> &'static str {
        match self {
            SortBy::Waiting => "waiting",
            SortBy::Submitted => "submitted",
            SortBy::Interview => "interview",
            SortBy::Name => "name",
            SortBy::Stage => "stage",
            SortBy::Program => "program",
            SortBy::Owner => "owner",
        }
    }

    /// Returns the facet, for criteria with few values that many rows share.
    pub fn facet(self) -> Option<Facet> {
        match self {
            SortBy::Stage => Some(Facet::Stage),
            SortBy::Program => Some(Facet::Program),
            SortBy::Owner => Some(Facet::Owner),
            SortBy::Waiting | SortBy::Submitted | SortBy::Interview | SortBy::Name => None,
        }
    }
}

/// What the list is sorted by, and in which direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    pub by: SortBy,
    /// Reverses the order described in [`SortBy`].
    pub is_back: bool,
}

impl Sort {
    pub const WAITING: Sort = Sort { by: SortBy::Waiting, is_back: false };
    pub const SUBMITTED: Sort = Sort { by: SortBy::Submitted, is_back: false };
    pub const NAME: Sort = Sort { by: SortBy::Name, is_back: false };

    pub fn all() -> impl Iterator<Item = Sort> {
        SortBy::ALL.into_iter().flat_map(|by| [false, true].map(|is_back| Sort { by, is_back }))
    }

    /// Returns the form used in URLs.
    pub fn as_text(self) -> String {
        format!("{}{}", if self.is_back { "-" } else { "" }, self.by.as_str())
    }

    pub fn parse(text: &str) -> Option<Sort> {
        Sort::all().find(|sort| sort.as_text() == text)
    }

    pub fn label(self) -> &'static str {
        match (self.by, self.is_back) {
            (SortBy::Waiting, false) => "Longest waiting",
            (SortBy::Waiting, true) => "Shortest waiting",
            (SortBy::Submitted, false) => "Newest submission",
            (SortBy::Submitted, true) => "Oldest submission",
            (SortBy::Interview, false) => "Earliest interview",
            (SortBy::Interview, true) => "Latest interview",
            (SortBy::Name, false) => "Name",
            (SortBy::Name, true) => "Name, from Z to A",
            (SortBy::Stage, false) => "Stage",
            (SortBy::Stage, true) => "Stage, last first",
            (SortBy::Program, false) => "Program",
            (SortBy::Program, true) => "Program, last first",
            (SortBy::Owner, false) => "Owner",
            (SortBy::Owner, true) => "Owner, from Z to A",
        }
    }

    /// Returns the reverse order.
    #[must_use]
    pub fn reversed(self) -> Sort {
        Sort { is_back: !self.is_back, ..self }
    }

    /// Whether the largest time, or the last name, comes first.
    pub fn is_descending(self) -> bool {
        self.is_back != (self.by == SortBy::Submitted)
    }

    /// Whether the displayed values increase from row to row: the longest wait and the newest day are the largest.
    pub fn is_ascending(self) -> bool {
        self.is_back == matches!(self.by, SortBy::Waiting | SortBy::Submitted)
    }
}

/// Returns the values of a facet that rows of a tab can have, in the order of [`SortBy`]. `None` if the values depend
/// on the staff.
pub fn values_in_order(facet: Facet, tab: Tab) -> Option<Vec<&'static str>> {
    match facet {
        Facet::Program => Some(Program::ALL.into_iter().map(Program::application_type).collect()),
        Facet::Stage => Some(Stage::ALL.into_iter().filter(|stage| tab.has(*stage)).map(Stage::as_str).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_addresses_are_read_back() {
        assert_eq!(Sort::all().count(), 2 * SortBy::ALL.len());
        for sort in Sort::all() {
            assert_eq!(Sort::parse(&sort.as_text()), Some(sort));
            assert_eq!(sort.reversed().reversed(), sort);
            assert_ne!(sort.reversed().is_ascending(), sort.is_ascending());
        }
        assert!(!Sort::WAITING.is_ascending() && Sort::NAME.is_ascending());
    }

    #[test]
    fn each_tab_has_its_stages() {
        assert_eq!(values_in_order(Facet::Stage, Tab::Interviews).unwrap(), ["booked", "no_show"]);
        assert!(values_in_order(Facet::Stage, Tab::All).unwrap().contains(&"archived"));
        assert!(!values_in_order(Facet::Stage, Tab::NeedsAction).unwrap().contains(&"archived"));
    }
}
