//! The list of applications: its query and its rows.

use super::{Cursor, Facet, NOBODY, Sort, SortBy, Tab};
use crate::application_fee::FeeState;
use crate::intake::Intake;
use crate::listing::figures::WAITS;
use crate::moments::{DAY, Millis};
use crate::program::Program;
use crate::status::Stage;

/// Counting stops here: the difference between 1,000 and 1,001 does not matter, and counting a million takes time.
pub const MAX_COUNTED: i64 = 1000;

/// The number of rows, as far as counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// At most [`MAX_COUNTED`].
    pub number: i64,
    /// Whether there are no more rows.
    pub is_all: bool,
}

/// Selects rows of the list.
#[derive(Debug, Clone)]
pub struct ListingQuery {
    pub tab: Tab,
    /// Terms that rows must have.
    pub terms: Vec<String>,
    /// Prefixes of terms that rows must have.
    pub prefixes: Vec<String>,
    pub interview_from: Option<Millis>,
    /// Exclusive.
    pub interview_before: Option<Millis>,
    /// Inclusive.
    pub submitted_from: Option<Millis>,
    /// Exclusive.
    pub submitted_before: Option<Millis>,
    /// In their stage since this time or earlier.
    pub waiting_since: Option<Millis>,
    /// In their stage only after this time.
    pub waiting_after: Option<Millis>,
    /// Whether rows must or must not have an interview; `None` for either.
    pub has_interview: Option<bool>,
    pub order: Order,
    pub cursor: Option<Cursor>,
    pub limit: i64,
}

/// The order of rows.
#[derive(Debug, Clone)]
pub struct Order {
    pub sort: Sort,
    /// Secondary order for rows that are equal.
    pub then: Option<Sort>,
    /// IANA time zone that determines days.
    pub zone: String,
    pub now: Millis,
}

impl Order {
    /// Returns all sort criteria, most significant first.
    pub fn sorts(&self) -> Vec<Sort> {
        let mut sorts = vec![self.sort];
        sorts.extend(self.then);
        // Many rows share a value, or have none.
        if sorts.last().is_some_and(|last| last.by.facet().is_some() || last.by == SortBy::Interview) {
            sorts.push(Sort::WAITING);
        }
        sorts
    }

    /// Whether an index provides this order.
    pub fn has_index(&self) -> bool {
        self.sorts().len() == 1
    }

    /// Returns the first and last moment since which the same number of whole days have passed as since `at`.
    pub fn same_days_waiting(&self, at: Millis) -> (Millis, Millis) {
        let days = days_since(at, self.now);
        (self.now - (days + 1) * DAY + 1, if days == 0 { Millis::MAX } else { self.now - days * DAY })
    }

    /// Returns the position of a row.
    pub fn cursor(&self, row: &Listing) -> Cursor {
        let keys: Vec<String> = self.sorts().iter().map(|sort| row.sort_key(sort.by)).collect();
        Cursor { is_before: false, key: keys.join("~"), application_id: row.application_id.clone() }
    }
}

/// Returns the number of whole days, 0 for the future.
fn days_since(at: Millis, now: Millis) -> i64 {
    ((now - at) / DAY).max(0)
}

/// Selects what the figures are computed from.
#[derive(Debug, Clone)]
pub struct FiguresQuery {
    /// Start and end of each week or month, in order.
    pub spans: Vec<(Millis, Millis)>,
    /// For each group of waiting times, the latest moment at which the stage was reached, latest first.
    pub waits: [Millis; WAITS.len()],
    pub program: Option<Program>,
    pub intake: Option<Intake>,
}

/// A row in the list.
#[derive(Debug, Clone)]
pub struct Listing {
    pub application_id: String,
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    pub phone_number: String,
    pub reference: Option<String>,
    pub program: Program,
    pub stage: Stage,
    pub needs_action: bool,
    pub submitted_at: Millis,
    /// When it reached its stage.
    pub waiting_since: Millis,
    pub interview_at: Option<Millis>,
    /// Email address of the owner.
    pub owner: Option<String>,
    /// All facet terms, including tags, one per line.
    pub facets: String,
    /// The key by which names are sorted.
    pub name_key: String,
}

impl Listing {
    /// Hides the person from roles that may not know them, and uses the reference number as the name.
    #[must_use]
    pub fn without_person(self) -> Listing {
        let called = self.reference.clone().unwrap_or_else(|| self.application_id.clone());
        let facets: Vec<&str> = self.facets.lines().filter(|term| !Facet::is_personal_term(term)).collect();
        Listing {
            first_name: String::new(),
            last_name: called,
            email: String::new(),
            phone_number: String::new(),
            facets: facets.join("\n"),
            ..self
        }
    }

    /// Whether the application is not read yet because its fee is due.
    pub fn fee_due(&self) -> bool {
        self.values(Facet::Fee).any(|state| state == FeeState::Due.as_str())
    }

    /// Returns the number of whole days in its stage.
    pub fn days_waiting(&self, now: Millis) -> i64 {
        days_since(self.waiting_since, now)
    }

    /// Returns the value it is sorted by: a time in milliseconds, a name, or the value of a facet; empty if it has
    /// none.
    pub fn sort_key(&self, by: SortBy) -> String {
        match by {
            SortBy::Waiting => self.waiting_since.to_string(),
            SortBy::Submitted => self.submitted_at.to_string(),
            SortBy::Interview => self.interview_at.map(|at| at.to_string()).unwrap_or_default(),
            SortBy::Name => self.name_key.clone(),
            SortBy::Stage => self.stage.as_str().to_owned(),
            SortBy::Program => self.program.application_type().to_owned(),
            SortBy::Owner => self.values(Facet::Owner).next().unwrap_or(NOBODY).to_owned(),
        }
    }

    /// Returns all values of a facet.
    pub fn values(&self, facet: Facet) -> impl Iterator<Item = &str> {
        self.facets.lines().filter_map(move |term| facet.value_of(term))
    }
}

/// A page of the list, and whether there are more rows before or after it.
#[derive(Debug, Clone, Default)]
pub struct ListingPage {
    pub rows: Vec<Listing>,
    pub has_before: bool,
    pub has_after: bool,
}

/// Result of changing an application's tags or owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marked {
    Done,
    /// The application already had this tag or owner, or lacked the tag to remove.
    Unchanged,
    /// The application is not in the list.
    Missing,
    /// The application would have too many tags.
    Full,
    /// The store was too busy.
    Unavailable,
}

/// A change that staff make to find an application again; does not affect its stage.
#[derive(Debug, Clone)]
pub enum Mark {
    /// `None` for no owner.
    Owner(Option<String>),
    AddTag(String),
    RemoveTag(String),
}
