//! The list of applications: what is asked for, and its rows.

use super::{Cursor, Facet, NOBODY, Sort, SortBy, Tab};
use crate::intake::Intake;
use crate::listing::figures::WAITS;
use crate::moments::{DAY, Millis};
use crate::program::Program;
use crate::status::Stage;

/// Counting stops here: nobody tells 1,000 from 1,001, and counting a million takes its time.
pub const MAX_COUNTED: i64 = 1000;

/// How many rows there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// At most [`MAX_COUNTED`].
    pub number: i64,
    /// There are no more.
    pub is_all: bool,
}

/// What rows of the list are asked for.
#[derive(Debug, Clone)]
pub struct ListingQuery {
    pub tab: Tab,
    /// Terms that the rows have.
    pub terms: Vec<String>,
    /// Beginnings of terms that the rows have.
    pub prefixes: Vec<String>,
    pub interview_from: Option<Millis>,
    /// The first moment that is too late.
    pub interview_before: Option<Millis>,
    /// Submitted at that time or later.
    pub submitted_from: Option<Millis>,
    /// The first moment that is too late.
    pub submitted_before: Option<Millis>,
    /// In their stage at that time already.
    pub waiting_since: Option<Millis>,
    /// Not yet in their stage at that time.
    pub waiting_after: Option<Millis>,
    /// Whether the rows have an interview; both without one.
    pub has_interview: Option<bool>,
    pub order: Order,
    pub cursor: Option<Cursor>,
    pub limit: i64,
}

/// How rows are put in order.
#[derive(Debug, Clone)]
pub struct Order {
    pub sort: Sort,
    /// Of those that are alike.
    pub then: Option<Sort>,
    /// Whose days they are. IANA
    pub zone: String,
    pub now: Millis,
}

impl Order {
    /// Everything that rows are put in order by, first to last.
    pub fn sorts(&self) -> Vec<Sort> {
        let mut sorts = vec![self.sort];
        sorts.extend(self.then);
        // Many have the same value, or none.
        if sorts.last().is_some_and(|last| last.by.facet().is_some() || last.by == SortBy::Interview) {
            sorts.push(Sort::WAITING);
        }
        sorts
    }

    /// Whether the rows stand in this order in an index.
    pub fn has_index(&self) -> bool {
        self.sorts().len() == 1
    }

    /// The first and the last moment since which as many whole days have passed as since `at`.
    pub fn same_days_waiting(&self, at: Millis) -> (Millis, Millis) {
        let days = days_since(at, self.now);
        (self.now - (days + 1) * DAY + 1, if days == 0 { Millis::MAX } else { self.now - days * DAY })
    }

    /// Where a row is.
    pub fn cursor(&self, row: &Listing) -> Cursor {
        let keys: Vec<String> = self.sorts().iter().map(|sort| row.sort_key(sort.by)).collect();
        Cursor { is_before: false, key: keys.join("~"), application_id: row.application_id.clone() }
    }
}

/// Whole days, none of what is to come.
fn days_since(at: Millis, now: Millis) -> i64 {
    ((now - at) / DAY).max(0)
}

/// What figures are counted of.
#[derive(Debug, Clone)]
pub struct FiguresQuery {
    /// Beginnings and ends of the weeks or months, one after the other.
    pub spans: Vec<(Millis, Millis)>,
    /// The latest moments at which a stage was reached, for each share of the waiting, latest first.
    pub waits: [Millis; WAITS.len()],
    pub program: Option<Program>,
    pub intake: Option<Intake>,
}

/// A row of the list.
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
    /// In its stage since then.
    pub waiting_since: Millis,
    pub interview_at: Option<Millis>,
    /// Email of the member of staff who looks after it.
    pub owner: Option<String>,
    /// Everything that the list can be filtered by, tags among it: a term a line.
    pub facets: String,
    /// What names are put in order by.
    pub name_key: String,
}

impl Listing {
    /// For roles that may not know whose it is: called by its reference.
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

    /// Whole days in its stage.
    pub fn days_waiting(&self, now: Millis) -> i64 {
        days_since(self.waiting_since, now)
    }

    /// What it is put in order by: a time in milliseconds, a name, or the value of a facet; empty without one.
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

    /// All values of a facet.
    pub fn values(&self, facet: Facet) -> impl Iterator<Item = &str> {
        self.facets.lines().filter_map(move |term| facet.value_of(term))
    }
}

/// A page of the list, and whether there is more to either side.
#[derive(Debug, Clone, Default)]
pub struct ListingPage {
    pub rows: Vec<Listing>,
    pub has_before: bool,
    pub has_after: bool,
}

/// What became of a change of one application's tags or owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marked {
    Done,
    /// It was so already.
    Unchanged,
    /// There is no such application in the list.
    Missing,
    /// It would have more tags than it may have.
    Full,
    /// The store was too busy for this one.
    Unavailable,
}

/// What staff note about an application to find it again. Changes no stage.
#[derive(Debug, Clone)]
pub enum Mark {
    /// Nobody looks after it without one.
    Owner(Option<String>),
    AddTag(String),
    RemoveTag(String),
}
