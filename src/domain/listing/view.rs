//! A view of the list. Its URL fully describes it.

use jiff::civil::Date;

use super::{Facet, Layout, MISSING, NOBODY, ShownColumn, Sort, SortBy, Tab, search_terms, tag};
use crate::application::PAYMENTS;
use crate::application_fee::{FeeState, NO_FEE};
use crate::input::FieldError;
use crate::intake::Intake;
use crate::program::Program;
use crate::reference;
use crate::reference_number::ReferenceNumber;
use crate::status::{Stage, Status};

/// Default number of rows per page.
pub const PAGE_SIZE: i64 = 50;
/// Maximum number of rows per page.
pub const MAX_PAGE_SIZE: i64 = 100;
/// Maximum length of a search, in characters.
const MAX_SEARCH_LENGTH: usize = 200;
/// Range of column widths, in CSS pixels.
pub const WIDTHS: std::ops::RangeInclusive<u16> = 48..=800;
/// Maximum number of days that can be given.
const MAX_WAIT: i64 = 9999;

const CHOOSE_ORDER: &str = "Choose one of the orders.";

/// What the list shows, and in which order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    pub tab: Tab,
    /// As typed.
    pub search: Option<String>,
    /// At most one value for each facet, in the order of [`Facet::ALL`].
    pub facets: Vec<(Facet, String)>,
    /// Interview on this day or later.
    pub interview_from: Option<Date>,
    /// Interview on this day or earlier.
    pub interview_to: Option<Date>,
    /// Submitted on this day or later.
    pub submitted_from: Option<Date>,
    /// Submitted on this day or earlier.
    pub submitted_to: Option<Date>,
    /// At least this many days in the stage.
    pub waiting_days: Option<i64>,
    /// Fewer than this many days in the stage.
    pub waiting_below: Option<i64>,
    pub sort: Sort,
    /// Secondary order for rows that are equal by `sort`: same stage, same day, same name.
    pub then: Option<Sort>,
    pub layout: Layout,
    /// Where the page begins or ends; `None` for the first page.
    pub cursor: Option<Cursor>,
    pub page_size: i64,
}

/// A position between two rows of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// Whether the page ends before the row instead of starting after it.
    pub is_before: bool,
    /// The row's sort keys, in the order of the sorts: times in milliseconds, names and values of facets, separated by
    /// `~`.
    pub key: String,
    pub application_id: String,
}

impl Default for View {
    fn default() -> Self {
        View {
            tab: Tab::NeedsAction,
            search: None,
            facets: Vec::new(),
            interview_from: None,
            interview_to: None,
            submitted_from: None,
            submitted_to: None,
            waiting_days: None,
            waiting_below: None,
            sort: Sort::WAITING,
            then: None,
            layout: Layout::default(),
            cursor: None,
            page_size: PAGE_SIZE,
        }
    }
}

impl View {
    /// Parses a URL's query, and returns errors for the parts that are invalid, which are ignored. Empty values count
    /// as absent, as forms send them.
    pub fn parse<'a>(query: impl IntoIterator<Item = (&'a str, &'a str)>) -> (View, Vec<FieldError>) {
        let mut view = View::default();
        let mut sort = None;
        let mut errors = Vec::new();
        for (name, value) in query {
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            if let Err(error) = view.take(&mut sort, name, value) {
                errors.push(error);
            }
        }
        view.sort = sort.unwrap_or(match view.tab {
            Tab::NeedsAction => Sort::WAITING,
            _ => Sort::SUBMITTED,
        });
        view.then = view.then.filter(|then| then.by != view.sort.by);
        view.facets.sort_by_key(|(facet, _)| Facet::ALL.iter().position(|one| one == facet));
        for (name, from, to) in [
            ("interviewTo", view.interview_from, &mut view.interview_to),
            ("submittedTo", view.submitted_from, &mut view.submitted_to),
        ] {
            if from.zip(*to).is_some_and(|(from, to)| from > to) {
                let sentence = "The last day must not be before the first day.";
                errors.push(FieldError::new(name, format!("{name}.order"), sentence));
                *to = None;
            }
        }
        (view, errors)
    }

    fn take(&mut self, sort: &mut Option<Sort>, name: &str, value: &str) -> Result<(), FieldError> {
        let error = |rule: &str, message: &'static str| FieldError::new(name, format!("{name}.{rule}"), message);
        match name {
            "tab" => self.tab = Tab::parse(value).ok_or_else(|| error("invalid", "Choose one of the tabs."))?,
            "sort" => *sort = Some(Sort::parse(value).ok_or_else(|| error("invalid", CHOOSE_ORDER))?),
            "then" => self.then = Some(Sort::parse(value).ok_or_else(|| error("invalid", CHOOSE_ORDER))?),
            "q" => {
                let is_text = value.chars().count() <= MAX_SEARCH_LENGTH && !value.chars().any(char::is_control);
                if !is_text || search_terms(value).is_empty() {
                    return Err(error("invalid", "Search text must be 1 to 200 characters."));
                }
                self.search = Some(value.to_owned());
            }
            "pageSize" => {
                let size = value.parse().ok().filter(|size| (1..=MAX_PAGE_SIZE).contains(size));
                self.page_size = size.ok_or_else(|| error("range", "Page size must be between 1 and 100."))?;
            }
            "column" => {
                let shown = ShownColumn::parse(value).ok_or_else(|| error("invalid", "Choose some of the columns."))?;
                if self.layout.columns.iter().all(|one| one.column != shown.column) {
                    self.layout.columns.push(shown);
                }
            }
            "nameWidth" => {
                let width = value.parse().ok().filter(|width| WIDTHS.contains(width));
                self.layout.name_width =
                    Some(width.ok_or_else(|| error("range", "A width is a whole number from 48 to 800."))?);
            }
            "waiting" | "waitingBelow" => {
                let days = value.parse().ok().filter(|days| (0..=MAX_WAIT).contains(days));
                let message = "Days waiting must be a whole number from 0 to 9999.";
                let bound = if name == "waiting" { &mut self.waiting_days } else { &mut self.waiting_below };
                *bound = Some(days.ok_or_else(|| error("range", message))?);
            }
            "interviewFrom" | "interviewTo" | "submittedFrom" | "submittedTo" => {
                let day: Date = value.parse().map_err(|_| error("invalid", "Give a day such as 2026-05-31."))?;
                let bound = match name {
                    "interviewFrom" => &mut self.interview_from,
                    "interviewTo" => &mut self.interview_to,
                    "submittedFrom" => &mut self.submitted_from,
                    _ => &mut self.submitted_to,
                };
                *bound = Some(day);
            }
            "after" | "before" => {
                let cursor = Cursor::parse(name == "before", value);
                self.cursor = Some(cursor.ok_or_else(|| error("invalid", "Go back to the first page."))?);
            }
            _ => {
                let Some(facet) = Facet::ALL.into_iter().find(|facet| facet.as_str() == name) else { return Ok(()) };
                let value = facet.value(value).ok_or_else(|| error("invalid", "Choose one of the values."))?;
                self.facets.retain(|(one, _)| *one != facet);
                self.facets.push((facet, value));
            }
        }
        Ok(())
    }

    /// Returns the query that [`View::parse`] reads, without default values. The cursor belongs to the page, not the
    /// view.
    pub fn to_query(&self) -> Vec<(&'static str, String)> {
        let mut query = vec![("tab", self.tab.as_str().to_owned())];
        query.extend(self.search.clone().map(|search| ("q", search)));
        query.extend(self.facets.iter().map(|(facet, value)| (facet.as_str(), value.clone())));
        query.extend(self.interview_from.map(|day| ("interviewFrom", day.to_string())));
        query.extend(self.interview_to.map(|day| ("interviewTo", day.to_string())));
        query.extend(self.submitted_from.map(|day| ("submittedFrom", day.to_string())));
        query.extend(self.submitted_to.map(|day| ("submittedTo", day.to_string())));
        query.extend(self.waiting_days.map(|days| ("waiting", days.to_string())));
        query.extend(self.waiting_below.map(|days| ("waitingBelow", days.to_string())));
        query.push(("sort", self.sort.as_text()));
        query.extend(self.then.map(|then| ("then", then.as_text())));
        query.extend(self.layout.to_query());
        if self.page_size != PAGE_SIZE {
            query.push(("pageSize", self.page_size.to_string()));
        }
        query
    }

    /// Removes personal data from the view: filters, searches, columns and orders. Returns an error for what was
    /// removed, if it has a form field.
    pub fn without_personal_data(mut self) -> (View, Option<FieldError>) {
        self.facets.retain(|(facet, _)| !facet.is_personal());
        self.layout.columns.retain(|shown| !shown.column.is_personal());
        // Sorted by name, a row's position reveals its name.
        self.then = self.then.filter(|then| then.by != SortBy::Name);
        if self.sort.by == SortBy::Name {
            self.sort = Sort::WAITING;
            self.then = None;
        }
        let error = self.search.take_if(|search| ReferenceNumber::parse(search).is_err()).map(|_| {
            let sentence = "Search by a whole reference number: your role sees no names.";
            FieldError::new("q", "q.role", sentence)
        });
        (self, error)
    }

    /// Whether it is filtered within its tab.
    pub fn is_narrowed(&self) -> bool {
        self.search.is_some()
            || !self.facets.is_empty()
            || self.interview_from.is_some()
            || self.interview_to.is_some()
            || self.submitted_from.is_some()
            || self.submitted_to.is_some()
            || self.waiting_days.is_some()
            || self.waiting_below.is_some()
    }

    pub fn facet(&self, facet: Facet) -> Option<&str> {
        self.facets.iter().find(|(one, _)| *one == facet).map(|(_, value)| value.as_str())
    }
}

impl Facet {
    /// Returns the value as used in terms, if valid.
    fn value(self, typed: &str) -> Option<String> {
        let is_known = match self {
            Facet::Program => Program::of_application_type(typed).is_some(),
            Facet::Status => Status::ALL.iter().any(|status| status.as_str() == typed),
            Facet::Stage => Stage::parse(typed).is_some(),
            Facet::Intake => Intake::parse(typed).is_some(),
            Facet::Military | Facet::Dod | Facet::Citizen => matches!(typed, "yes" | "no"),
            Facet::State => reference::us_state_name(typed).is_some(),
            Facet::Country => reference::country(typed).is_some(),
            Facet::Funding => PAYMENTS.iter().any(|payment| payment.value == typed),
            Facet::Documents => typed == MISSING,
            Facet::Fee => typed == NO_FEE || FeeState::parse(typed).is_some(),
            Facet::Owner => {
                typed == NOBODY || (typed.len() <= 64 && typed.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'))
            }
            Facet::Tag => return tag(typed),
        };
        is_known.then(|| typed.to_owned())
    }
}

impl Cursor {
    /// Parses `KEY~ID`; the key may contain any character.
    pub fn parse(is_before: bool, text: &str) -> Option<Cursor> {
        let (key, application_id) = text.rsplit_once('~')?;
        let is_id = !application_id.is_empty() && application_id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        let is_key = key.chars().count() <= 400 && !key.chars().any(char::is_control);
        (is_id && is_key).then(|| Cursor { is_before, key: key.to_owned(), application_id: application_id.to_owned() })
    }

    pub fn to_text(&self) -> String {
        format!("{}~{}", self.key, self.application_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::Column;

    #[test]
    fn the_address_is_the_view() {
        let query = [
            ("tab", "decisions"),
            ("q", " demo one "),
            ("state", "TX"),
            ("program", "msc"),
            ("tag", "Second  Look"),
            ("interviewFrom", "2026-05-01"),
            ("submittedFrom", "2026-04-01"),
            ("submittedTo", "2026-04-30"),
            ("waiting", "10"),
            ("waitingBelow", "20"),
            ("sort", "name"),
            ("then", "-stage"),
            ("pageSize", "25"),
            ("column", "phone:120"),
            ("column", "stage"),
            ("column", "phone"),
            ("nameWidth", "240"),
            ("country", ""),
            ("utm_source", "else"),
        ];
        let (view, errors) = View::parse(query);
        assert_eq!(errors, []);
        assert_eq!(view.search.as_deref(), Some("demo one"));
        assert_eq!(view.facet(Facet::Tag), Some("second look"));
        assert_eq!(view.facet(Facet::Country), None);
        assert_eq!(view.then, Some(Sort { by: SortBy::Stage, is_back: true }));
        let phone = ShownColumn { column: Column::Phone, width: Some(120) };
        assert_eq!(view.layout.columns, [phone, ShownColumn::of(Column::Stage)]);
        assert_eq!(view.layout.name_width, Some(240));
        assert!(view.is_narrowed());
        let written = view.to_query();
        let again = View::parse(written.iter().map(|(name, value)| (*name, value.as_str())));
        assert_eq!(again, (view, vec![]));
    }

    #[test]
    fn what_cannot_be_understood_is_said_and_left_out() {
        let long = "x".repeat(201);
        for (name, value, code) in [
            ("tab", "none", "tab.invalid"),
            ("sort", "salary", "sort.invalid"),
            ("q", long.as_str(), "q.invalid"),
            ("q", "a\0b", "q.invalid"),
            ("q", "%", "q.invalid"),
            ("q", "_", "q.invalid"),
            ("pageSize", "100000", "pageSize.range"),
            ("pageSize", "0", "pageSize.range"),
            ("waiting", "-1", "waiting.range"),
            ("waitingBelow", "soon", "waitingBelow.range"),
            ("interviewFrom", "tomorrow", "interviewFrom.invalid"),
            ("submittedTo", "2026-02-30", "submittedTo.invalid"),
            ("after", "1 OR 1=1", "after.invalid"),
            ("state", "XX", "state.invalid"),
            ("owner", "' OR 1=1", "owner.invalid"),
            ("tag", "<b>", "tag.invalid"),
            ("then", "salary", "then.invalid"),
            ("column", "password", "column.invalid"),
            ("column", "stage:1", "column.invalid"),
            ("column", "stage:99999999", "column.invalid"),
            ("nameWidth", "wide", "nameWidth.range"),
        ] {
            let (view, errors) = View::parse([(name, value)]);
            assert_eq!(errors.iter().map(|error| error.code.as_str()).collect::<Vec<_>>(), [code]);
            assert_eq!(view, View::default(), "{name}");
        }
        let (view, errors) = View::parse([("interviewFrom", "2026-05-02"), ("interviewTo", "2026-05-01")]);
        assert_eq!((errors.len(), view.interview_to), (1, None));
        let (view, errors) = View::parse([("submittedFrom", "2026-05-02"), ("submittedTo", "2026-05-01")]);
        assert_eq!((&*errors[0].code, view.submitted_to), ("submittedTo.order", None));
    }

    #[test]
    fn a_role_that_sees_no_personal_data_finds_nobody_by_it() {
        let query = [("state", "TX"), ("country", "US"), ("citizen", "no"), ("program", "ba")];
        let (view, error) = View::parse(query).0.without_personal_data();
        assert_eq!((view.facets, error), (vec![(Facet::Program, "ba".into())], None));
        let (view, _) = View::parse([("column", "phone"), ("column", "tags")]).0.without_personal_data();
        assert_eq!(view.layout.columns, [ShownColumn::of(Column::Tags)]);
        let (view, _) =
            View::parse([("column", "phone"), ("sort", "name"), ("then", "stage")]).0.without_personal_data();
        assert_eq!((view.layout, view.sort, view.then), (Layout::default(), Sort::WAITING, None));
        let (view, _) = View::parse([("sort", "stage"), ("then", "name")]).0.without_personal_data();
        assert_eq!((view.sort.by, view.then), (SortBy::Stage, None));
        for other in ["+1 (555) 010", "5550", "demo 5550", "Demo", "B26-", "demo.one@example.com"] {
            let (view, error) = View::parse([("q", other)]).0.without_personal_data();
            assert_eq!((view.search, error.map(|error| error.code)), (None, Some("q.role".into())), "{other}");
        }
        let reference = ReferenceNumber::new(Program::Bachelor, 2026, 7).to_string();
        assert!(View::parse([("q", reference.as_str())]).0.without_personal_data().0.search.is_some());
    }

    #[test]
    fn a_cursor_holds_any_name() {
        let cursor = Cursor { is_before: true, key: "demo~one, a".into(), application_id: "0199-ab".into() };
        assert_eq!(Cursor::parse(true, &cursor.to_text()), Some(cursor));
        assert_eq!(Cursor::parse(false, "x~"), None);
    }
}
