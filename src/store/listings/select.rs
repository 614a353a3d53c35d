//! Reading the list: the SQL of a query, put together from fixed parts.
//!
//! The order comes from an index, of all rows or of those with a facet, and reading stops when a page is full, so that the
//! size of the list does not matter where many rows match. Where few match a condition, its terms lead to them, and they
//! are sorted. Which way is shortest is found by counting a little of each condition first.

use sqlx::FromRow;

use crate::app::ports::{Listing, ListingPage, ListingQuery, MOST_COUNTED, Stored};
use crate::domain::listing::{Cursor, Facet, Sort, Tab};
use crate::domain::program::Program;
use crate::domain::status::Stage;
use crate::store::Db;
use crate::store::error::unreadable;
use crate::store::query::Arg;

/// As many rows are fetched by their terms and sorted; where more match, rows are read in order until enough are found.
const FEW: i64 = 2000;
/// Counting a facet stops here: of two that more rows have, either leads.
const MANY: i64 = 20_000;
/// So many terms with a common beginning belong to more applications than are counted, however many of them are one
/// application's.
const SURELY_COUNTED: i64 = 20 * MOST_COUNTED;

/// A term, or the beginning of one.
struct Condition {
    from: String,
    /// The end of a beginning; `None` for one term.
    until: Option<String>,
}

impl Condition {
    fn all(query: &ListingQuery) -> Vec<Condition> {
        let exact = query.terms.iter().map(|term| Condition { from: term.clone(), until: None });
        let beginnings = query
            .prefixes
            .iter()
            .map(|prefix| Condition { from: prefix.clone(), until: Some(format!("{prefix}\u{10ffff}")) });
        exact.chain(beginnings).collect()
    }
}

/// How a query comes to its rows. Numbers are the places of conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By all rows of the tab, in order.
    Rows,
    /// By those that meet a condition which few meet, without any order.
    Few(usize),
    /// By those that have a facet, in order.
    Facet(usize),
}

impl Way {
    /// The condition that it need not ask for any more.
    fn leads(self) -> Option<usize> {
        match self {
            Way::Rows => None,
            Way::Few(index) | Way::Facet(index) => Some(index),
        }
    }

    /// Where the columns of the order, and the id, are read.
    fn ordered(self) -> &'static str {
        match self {
            Way::Rows | Way::Few(_) => "l",
            Way::Facet(_) => "f",
        }
    }
}

/// A statement and its arguments, as it grows.
#[derive(Default)]
struct Statement {
    sql: String,
    args: Vec<Value>,
}

enum Value {
    Text(String),
    Whole(i64),
}

impl Statement {
    fn push(&mut self, sql: &str) {
        self.sql.push_str(sql);
    }

    fn arg(&mut self, value: Value) {
        self.args.push(value);
        self.sql.push('$');
        self.sql.push_str(&self.args.len().to_string());
    }

    fn text(&mut self, text: &str) {
        self.arg(Value::Text(text.to_owned()));
    }

    /// Several, with commas.
    fn texts<'a>(&mut self, texts: impl Iterator<Item = &'a str>) {
        for (index, text) in texts.enumerate() {
            self.push(if index == 0 { "" } else { ", " });
            self.text(text);
        }
    }

    fn whole(&mut self, number: i64) {
        self.arg(Value::Whole(number));
    }

    /// `term` of `t` is the condition's.
    fn matches(&mut self, condition: &Condition) {
        match &condition.until {
            None => {
                self.push("t.term = ");
                self.text(&condition.from);
            }
            Some(until) => {
                self.push("t.term >= ");
                self.text(&condition.from);
                self.push(" AND t.term < ");
                self.text(until);
            }
        }
    }

    fn args(&self) -> Vec<Arg<'_>> {
        let arg = |value| match value {
            &Value::Whole(number) => Arg::from(number),
            Value::Text(text) => Arg::from(text.as_str()),
        };
        self.args.iter().map(arg).collect()
    }
}

/// The column that the list is in order by, and whether its largest value comes first.
fn order(sort: Sort) -> (&'static str, bool) {
    match sort {
        Sort::Waiting => ("waiting_since", false),
        Sort::Submitted => ("submitted_at", true),
        Sort::Name => ("name_key", false),
    }
}

const COLUMNS: &str = "SELECT l.application_id, l.needs_action, l.name_key, l.submitted_at, l.waiting_since, \
                       l.interview_at, a.program, a.stage, a.reference, p.first_name, p.last_name, p.email, \
                       p.phone_number, m.email AS owner";
const JOINS: &str = "JOIN applications a ON a.id = l.application_id JOIN applicants p ON p.id = a.applicant_id \
                     LEFT JOIN staff m ON m.id = a.assigned_to";

#[derive(FromRow)]
struct Row {
    application_id: String,
    needs_action: i64,
    name_key: String,
    submitted_at: i64,
    waiting_since: i64,
    interview_at: Option<i64>,
    program: String,
    stage: String,
    reference: Option<String>,
    first_name: String,
    last_name: String,
    email: String,
    phone_number: String,
    owner: Option<String>,
}

impl Db {
    pub(super) async fn select_listings(&self, query: &ListingQuery) -> Stored<ListingPage> {
        let conditions = Condition::all(query);
        let way = self.way(&conditions).await?;
        let is_before = query.cursor.as_ref().is_some_and(|cursor| cursor.is_before);
        let (column, is_descending) = order(query.sort);
        let direction = if is_descending != is_before { "DESC" } else { "ASC" };
        let mut statement = Statement::default();
        statement.push(COLUMNS);
        statement.push(" FROM (SELECT l.* ");
        // SQLite takes no other index for it, whether it knows how many rows have the facet or not.
        let index = self.pick(facet_index(query.sort), "");
        from_where(&mut statement, query, &conditions, way, index);
        cursor(&mut statement, query, (way.ordered(), column), is_descending != is_before);
        let by = |table: &str| format!(" ORDER BY {table}.{column} {direction}, {table}.application_id {direction}");
        statement.push(&by(way.ordered()));
        statement.push(" LIMIT ");
        // One more tells whether there is more.
        statement.whole(query.limit + 1);
        statement.push(") l ");
        statement.push(JOINS);
        statement.push(&by("l"));
        let mut rows: Vec<Row> = self.fetch_built(&statement.sql, &statement.args()).await?;
        let limit = usize::try_from(query.limit).unwrap_or_default();
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        if is_before {
            rows.reverse();
        }
        let (has_before, has_after) = if is_before { (has_more, true) } else { (query.cursor.is_some(), has_more) };
        let rows = self.with_facets(rows, query.sort).await?;
        Ok(ListingPage { rows, has_before, has_after })
    }

    pub(super) async fn select_these(&self, ids: &[String]) -> Stored<Vec<Listing>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut statement = Statement::default();
        statement.push(COLUMNS);
        statement.push(" FROM listings l ");
        statement.push(JOINS);
        statement.push(" WHERE l.application_id IN (");
        statement.texts(ids.iter().map(String::as_str));
        statement.push(") ORDER BY l.name_key, l.application_id");
        let rows: Vec<Row> = self.fetch_built(&statement.sql, &statement.args()).await?;
        self.with_facets(rows, Sort::Name).await
    }

    pub(super) async fn count_selected(&self, query: &ListingQuery) -> Stored<i64> {
        let conditions = Condition::all(query);
        let way = self.way(&conditions).await?;
        let mut statement = Statement::default();
        statement.push("SELECT COUNT(*) FROM (SELECT 1 ");
        match (way, &conditions[..]) {
            // Terms alone tell it.
            (Way::Rows, [beginning]) if asks_for_terms_alone(query) => {
                statement.push(
                    "FROM (SELECT DISTINCT s.application_id FROM (SELECT t.application_id FROM listing_terms t WHERE ",
                );
                statement.matches(beginning);
                statement.push(" LIMIT ");
                statement.whole(SURELY_COUNTED);
                statement.push(") s) found");
            }
            (Way::Facet(0), [facet]) if asks_for_terms_alone(query) => {
                statement.push("FROM listing_terms t WHERE ");
                statement.matches(facet);
            }
            _ => from_where(&mut statement, query, &conditions, way, ""),
        }
        statement.push(" LIMIT ");
        statement.whole(MOST_COUNTED + 1);
        statement.push(") counted");
        let counted: Vec<(i64,)> = self.fetch_built(&statement.sql, &statement.args()).await?;
        Ok(counted.first().copied().unwrap_or_default().0)
    }

    pub(super) async fn count_tabs(&self) -> Stored<Vec<(Tab, i64)>> {
        let mut statement = Statement::default();
        for (index, tab) in Tab::ALL.into_iter().enumerate() {
            statement.push(if index == 0 { "SELECT " } else { " UNION ALL SELECT " });
            statement.text(tab.as_str());
            statement.push(", COUNT(*) FROM (SELECT 1 FROM listings l WHERE ");
            tab_condition(&mut statement, tab);
            statement.push(" LIMIT ");
            statement.whole(MOST_COUNTED + 1);
            statement.push(") counted");
        }
        let counts: Vec<(String, i64)> = self.fetch_built(&statement.sql, &statement.args()).await?;
        Ok(counts.into_iter().filter_map(|(tab, count)| Some((Tab::parse(&tab)?, count))).collect())
    }

    async fn way(&self, conditions: &[Condition]) -> Stored<Way> {
        let (mut few, mut facet) = (None, None);
        for (index, condition) in conditions.iter().enumerate() {
            let is_facet = condition.until.is_none();
            let mut statement = Statement::default();
            statement.push("SELECT COUNT(*) FROM (SELECT 1 FROM listing_terms t WHERE ");
            statement.matches(condition);
            statement.push(" LIMIT ");
            statement.whole(if is_facet { MANY } else { FEW } + 1);
            statement.push(") counted");
            let counted: Vec<(i64,)> = self.fetch_built(&statement.sql, &statement.args()).await?;
            let count = counted.first().copied().unwrap_or_default().0;
            let is_fewer = |than: Option<(usize, i64)>| than.is_none_or(|(_, fewest)| count < fewest);
            if count <= FEW && is_fewer(few) {
                few = Some((index, count));
            }
            if is_facet && is_fewer(facet) {
                facet = Some((index, count));
            }
        }
        Ok(match (few, facet) {
            (Some((index, _)), _) => Way::Few(index),
            (None, Some((index, _))) => Way::Facet(index),
            (None, None) => Way::Rows,
        })
    }

    async fn with_facets(&self, rows: Vec<Row>, sort: Sort) -> Stored<Vec<Listing>> {
        let mut listings = rows.into_iter().map(|row| read(row, sort)).collect::<Stored<Vec<_>>>()?;
        if listings.is_empty() {
            return Ok(listings);
        }
        let mut statement = Statement::default();
        // Words to search by begin with w.
        statement.push("SELECT application_id, term FROM listing_terms t WHERE t.application_id IN (");
        statement.texts(listings.iter().map(|listing| listing.application_id.as_str()));
        statement.push(") AND t.term < 'w:' ORDER BY t.application_id, t.term");
        let terms: Vec<(String, String)> = self.fetch_built(&statement.sql, &statement.args()).await?;
        for listing in &mut listings {
            let start = terms.partition_point(|(id, _)| *id < listing.application_id);
            let own = terms[start..].iter().take_while(|(id, _)| *id == listing.application_id);
            listing.facets = own.filter_map(|(_, term)| facet(term)).collect();
        }
        Ok(listings)
    }
}

fn facet(term: &str) -> Option<(Facet, String)> {
    let (name, value) = term.split_once(':')?;
    let facet = Facet::ALL.into_iter().find(|facet| facet.as_str() == name)?;
    Some((facet, value.to_owned()))
}

fn read(row: Row, sort: Sort) -> Stored<Listing> {
    let id = row.application_id;
    Ok(Listing {
        program: Program::of_application_type(&row.program).ok_or_else(|| unreadable("applications.program", &id))?,
        stage: Stage::parse(&row.stage).ok_or_else(|| unreadable("applications.stage", &id))?,
        key: match sort {
            Sort::Waiting => row.waiting_since.to_string(),
            Sort::Submitted => row.submitted_at.to_string(),
            Sort::Name => row.name_key,
        },
        application_id: id,
        first_name: row.first_name,
        last_name: row.last_name,
        email: row.email,
        phone_number: row.phone_number,
        reference: row.reference,
        needs_action: row.needs_action == 1,
        submitted_at: row.submitted_at,
        waiting_since: row.waiting_since,
        interview_at: row.interview_at,
        owner: row.owner,
        facets: Vec::new(),
    })
}

fn tab_condition(statement: &mut Statement, tab: Tab) {
    match tab {
        Tab::All => statement.push("1 = 1"),
        Tab::NeedsAction => statement.push("l.needs_action = 1"),
        Tab::Submitted | Tab::Interviews | Tab::Decisions | Tab::Enrolling => {
            statement.push("l.tab = ");
            statement.text(tab.as_str());
        }
    }
}

/// Whether nothing but terms is asked for.
fn asks_for_terms_alone(query: &ListingQuery) -> bool {
    query.tab == Tab::All
        && query.interview_from.is_none()
        && query.interview_before.is_none()
        && query.waiting_since.is_none()
}

/// What SQLite is told to read facets by.
fn facet_index(sort: Sort) -> &'static str {
    match sort {
        Sort::Waiting => "INDEXED BY listing_terms_waiting ",
        Sort::Submitted => "INDEXED BY listing_terms_submitted ",
        Sort::Name => "INDEXED BY listing_terms_name ",
    }
}

/// `index` stands behind the table that facets are read from.
fn from_where(statement: &mut Statement, query: &ListingQuery, conditions: &[Condition], way: Way, index: &str) {
    match way {
        Way::Few(few) => {
            statement.push("FROM (SELECT DISTINCT t.application_id FROM listing_terms t WHERE ");
            statement.matches(&conditions[few]);
            statement.push(") found JOIN listings l ON l.application_id = found.application_id WHERE ");
        }
        Way::Facet(facet) => {
            statement.push("FROM listing_terms f ");
            statement.push(index);
            // The index has facets alone, and is taken where nothing else is asked for.
            statement.push("JOIN listings l ON l.application_id = f.application_id WHERE f.term < 'w:' AND f.term = ");
            statement.text(&conditions[facet].from);
            statement.push(" AND ");
        }
        Way::Rows => statement.push("FROM listings l WHERE "),
    }
    tab_condition(statement, query.tab);
    for (index, condition) in conditions.iter().enumerate() {
        if Some(index) == way.leads() {
            continue;
        }
        // Of the table that leads: rows that lack a term are passed over without a look at them.
        let table = way.ordered();
        statement.push(&format!(
            " AND EXISTS (SELECT 1 FROM listing_terms t WHERE t.application_id = {table}.application_id AND "
        ));
        statement.matches(condition);
        // With an offset PostgreSQL looks into each row in turn, and does not join all that match.
        statement.push(" LIMIT 1 OFFSET 0)");
    }
    let bounds = [
        ("l.interview_at >= ", query.interview_from),
        ("l.interview_at < ", query.interview_before),
        ("l.waiting_since <= ", query.waiting_since),
    ];
    for (sql, bound) in bounds {
        if let Some(bound) = bound {
            statement.push(" AND ");
            statement.push(sql);
            statement.whole(bound);
        }
    }
}

/// Rows behind the cursor, in the direction of reading. `(table, column)` is what they are in order by.
fn cursor(statement: &mut Statement, query: &ListingQuery, (table, column): (&str, &str), is_descending: bool) {
    let Some(Cursor { key, application_id, .. }) = &query.cursor else { return };
    let sign = if is_descending { "<" } else { ">" };
    statement.push(&format!(" AND ({table}.{column}, {table}.application_id) {sign} ("));
    match query.sort {
        Sort::Name => statement.text(key),
        // A key that is no number was never given out: what is behind it is everything.
        Sort::Waiting | Sort::Submitted => {
            statement.whole(key.parse().unwrap_or(if is_descending { i64::MAX } else { i64::MIN }));
        }
    }
    statement.push(", ");
    statement.text(application_id);
    statement.push(")");
}
