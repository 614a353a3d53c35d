//! Reads the list: the SQL of a query, built from fixed parts.
//!
//! The order comes from an index, of all rows or of those with a facet, and reading stops when a page is full, so the
//! size of the list does not matter if many rows match. Prefixes of words have no such index: if few words have one,
//! they are sorted. The leading condition is found by counting a little of each condition first.

use super::statement::{Condition, Statement, stage_of_row};
use crate::error::unreadable;
use crate::in_place::row;
use crate::query::DbRow;
use crate::{Db, Stored};
use domain::listing::{Counted, Cursor, Facet, Listing, ListingPage, ListingQuery, MAX_COUNTED, Sort, SortBy, Tab};
use domain::moments::Millis;
use domain::program::Program;
use domain::status::Stage;

/// Counting the rows of a facet stops here: of two facets with more rows, either leads.
const MANY: i64 = 5000;
/// Up to this many words with a prefix are sorted; if there are more, a page of them is soon found among all rows.
const SORTED: i64 = 20_000;
/// If more rows than [`MANY`] meet the leading condition, this many of them are looked into to count a view.
const LOOKED_INTO: i64 = 500;
/// This many pages of words with a prefix are kept while reading: few applications have several of them. If that does
/// not fill a page, all are sorted.
const ALIKE: i64 = 8;
/// More rows are only read for a file.
const A_PAGE: usize = 100;
/// This many words with a prefix are more applications than are counted, as few have several of them.
const WORDS_COUNTED: i64 = 3 * MAX_COUNTED;

/// The condition that the fewest rows meet, by index, and how many do, as far as they are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Lead {
    index: usize,
    count: i64,
}

/// How a query finds its rows. Numbers are indices of conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By all rows of the tab, in order.
    Rows,
    /// By the words with a prefix, sorted.
    Words(usize),
    /// By the rows with a facet, in order.
    Facet(usize),
    /// By the few rows that meet a condition, sorted by what terms do not have.
    Few(usize),
}

impl Way {
    fn of(lead: Option<Lead>, conditions: &[Condition], sort: Sort) -> Way {
        match lead {
            None => Way::Rows,
            Some(Lead { index, count }) if sort.by == SortBy::Interview => {
                if count <= MANY {
                    Way::Few(index)
                } else {
                    Way::Rows
                }
            }
            Some(Lead { index, .. }) if conditions[index].until.is_none() => Way::Facet(index),
            Some(Lead { index, count }) if count <= SORTED => Way::Words(index),
            // More rows have each of the prefixes; those with a facet are in order, even if there are more of them.
            Some(_) => match conditions.iter().position(|condition| condition.until.is_none()) {
                Some(facet) => Way::Facet(facet),
                None => Way::Rows,
            },
        }
    }

    /// Returns the condition that need not be checked any more.
    fn leads(self) -> Option<usize> {
        match self {
            Way::Rows => None,
            Way::Words(index) | Way::Facet(index) | Way::Few(index) => Some(index),
        }
    }

    /// Returns the table from which the columns of the order, and the id, are read.
    fn ordered(self) -> &'static str {
        match self {
            Way::Rows | Way::Few(_) => "l",
            Way::Words(_) | Way::Facet(_) => "f",
        }
    }
}

/// Rows whose time is between two moments, both included: a few of all rows, which are sorted by something else.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) sort: Sort,
    pub(super) from: Millis,
    pub(super) until: Millis,
}

/// Whether an index has the rows in order, so that only those shown or counted are read.
fn is_short(query: &ListingQuery) -> bool {
    let ListingQuery { tab, terms, prefixes, limit, .. } = query;
    let has_bounds = bounds(query).iter().any(|(_, bound)| bound.is_some()) || query.has_interview == Some(false);
    // A stage that is checked on the row has an index with its tab.
    let in_terms = terms.len() - usize::from(stage_of_row(query).is_some());
    let conditions = in_terms + usize::from(*tab != Tab::All);
    prefixes.is_empty() && !has_bounds && conditions <= 1 && *limit <= A_PAGE as i64
}

/// Returns the column that rows are ordered by, and whether its largest value comes first.
fn order(sort: Sort) -> (&'static str, bool) {
    let column = match sort.by {
        SortBy::Waiting => "waiting_since",
        SortBy::Submitted => "submitted_at",
        SortBy::Interview => "interview_at",
        // What has few values is read value by value (see `ordered`).
        SortBy::Name | SortBy::Stage | SortBy::Program | SortBy::Owner => "name_key",
    };
    (column, sort.is_descending())
}

fn is_before(query: &ListingQuery) -> bool {
    query.cursor.as_ref().is_some_and(|cursor| cursor.is_before)
}

fn in_order(query: &ListingQuery, table: &str) -> String {
    let (column, is_descending) = order(query.order.sort);
    let direction = if is_descending != is_before(query) { "DESC" } else { "ASC" };
    format!(" ORDER BY {table}.{column} {direction}, {table}.application_id {direction}")
}

const COLUMNS: &str = "SELECT l.application_id, l.needs_action, l.name_key, l.submitted_at, l.waiting_since, \
                       l.interview_at, l.program, l.stage, l.reference, l.first_name, l.last_name, l.email, \
                       l.phone_number, m.email AS owner, l.facets";
const OWNER: &str = " LEFT JOIN staff m ON m.id = l.assigned_to";

row! {
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
        facets: String,
    }
}

impl Db {
    pub(super) async fn select_listings(&self, query: &ListingQuery) -> Stored<ListingPage> {
        if query.order.has_index() { self.select_in_index(query).await } else { self.select_ordered(query).await }
    }

    /// Returns a page in the order of the query's first sort, which an index has.
    pub(super) async fn select_in_index(&self, query: &ListingQuery) -> Stored<ListingPage> {
        let conditions = Condition::all(query);
        let lead = self.lead(&conditions).await?;
        self.select_page(query, &conditions, lead).await
    }

    pub(super) async fn select_and_count(&self, query: &ListingQuery) -> Stored<(ListingPage, Counted)> {
        let conditions = Condition::all(query);
        let lead = self.lead(&conditions).await?;
        let page = match query.order.has_index() {
            true => self.select_page(query, &conditions, lead).await?,
            false => self.select_ordered(query).await?,
        };
        let shown = page.rows.len() as i64;
        // The first page is often all there is.
        if query.cursor.is_none() && !page.has_after {
            return Ok((page, Counted { number: shown, is_all: true }));
        }
        let Counted { number, is_all } = self.count_selected(query, &conditions, lead).await?;
        Ok((page, Counted { number: number.max(shown), is_all }))
    }

    pub(super) async fn select_count(&self, query: &ListingQuery) -> Stored<Counted> {
        let conditions = Condition::all(query);
        let lead = self.lead(&conditions).await?;
        self.count_selected(query, &conditions, lead).await
    }

    /// Returns the first rows of a span in the order of the query's first sort; `None` if words lead to the rows.
    pub(super) async fn select_in_span(&self, query: &ListingQuery, span: Span) -> Stored<Option<Vec<Listing>>> {
        let conditions = Condition::all(query);
        let way = Way::of(self.lead(&conditions).await?, &conditions, span.sort);
        if let Way::Words(_) = way {
            return Ok(None);
        }
        let mut statement = Statement::default();
        push_rows(&mut statement, query, |statement| self.push_ids_in_span(statement, query, &conditions, way, span));
        let rows: Vec<Row> = self.scan(&statement.sql, &statement.args()).await?;
        rows.into_iter().map(read).collect::<Stored<_>>().map(Some)
    }

    async fn select_page(
        &self,
        query: &ListingQuery,
        conditions: &[Condition],
        lead: Option<Lead>,
    ) -> Stored<ListingPage> {
        let is_before = is_before(query);
        let way = Way::of(lead, conditions, query.order.sort);
        // One more tells whether there is more.
        let wanted = query.limit + 1;
        let mut rows = self.select_rows(query, conditions, way, wanted * ALIKE).await?;
        if let (Way::Words(_), Some(Lead { count, .. })) = (way, lead)
            && (rows.len() as i64) < wanted
            && count > wanted * ALIKE
        {
            rows = self.select_rows(query, conditions, way, count).await?;
        }
        let limit = usize::try_from(query.limit).unwrap_or_default();
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        if is_before {
            rows.reverse();
        }
        let (has_before, has_after) = if is_before { (has_more, true) } else { (query.cursor.is_some(), has_more) };
        let rows = rows.into_iter().map(read).collect::<Stored<_>>()?;
        Ok(ListingPage { rows, has_before, has_after })
    }

    async fn select_rows(
        &self,
        query: &ListingQuery,
        conditions: &[Condition],
        way: Way,
        words: i64,
    ) -> Stored<Vec<Row>> {
        let mut statement = Statement::default();
        push_rows(&mut statement, query, |statement| {
            self.push_ids(statement, query, conditions, way, query.limit + 1, words);
        });
        self.fetch_or_scan(&statement, is_short(query)).await
    }

    pub(super) async fn select_beside(&self, query: &ListingQuery) -> Stored<(Option<String>, Option<String>)> {
        let Some(cursor) = &query.cursor else { return Ok((None, None)) };
        if !query.order.has_index() {
            return self.select_beside_in_order(query).await;
        }
        let conditions = Condition::all(query);
        let way = Way::of(self.lead(&conditions).await?, &conditions, query.order.sort);
        let mut statement = Statement::default();
        for is_before in [true, false] {
            let beside = ListingQuery { cursor: Some(Cursor { is_before, ..cursor.clone() }), ..query.clone() };
            statement.push(if is_before { "SELECT " } else { " UNION ALL SELECT " });
            statement.push(&format!("CAST({} AS BIGINT), found.application_id FROM (", i64::from(is_before)));
            self.push_ids(&mut statement, &beside, &conditions, way, 1, 1);
            statement.push(") found");
        }
        let mut beside = (None, None);
        let found: Vec<(i64, String)> = self.fetch_or_scan(&statement, is_short(query)).await?;
        for (is_before, id) in found {
            *(if is_before == 1 { &mut beside.0 } else { &mut beside.1 }) = Some(id);
        }
        Ok(beside)
    }

    /// Selects the ids of the rows after the query's cursor. Of words with a prefix, only the first `words` in order
    /// are resolved to applications.
    fn push_ids(
        &self,
        statement: &mut Statement,
        query: &ListingQuery,
        conditions: &[Condition],
        way: Way,
        limit: i64,
        words: i64,
    ) {
        let table = way.ordered();
        let (column, is_descending) = order(query.order.sort);
        if let Way::Words(_) = way {
            statement.push(&format!("SELECT f.application_id FROM (SELECT f.{column}, f.application_id FROM "));
        } else {
            statement.push(&format!("SELECT {table}.application_id FROM "));
        }
        self.push_source(statement, query, conditions, way, query.order.sort);
        cursor(statement, query, (table, column), is_descending != is_before(query));
        statement.push(&in_order(query, table));
        if let Way::Words(_) = way {
            statement.push(" LIMIT ");
            statement.whole(words);
            // Several words of one application may have the prefix.
            statement.push(&format!(") f GROUP BY f.{column}, f.application_id"));
            statement.push(&in_order(query, "f"));
        }
        statement.push(" LIMIT ");
        statement.whole(limit);
    }

    /// Selects the ids of the first rows of a span. The offset keeps both databases from scanning all rows in the
    /// requested order until enough of the span are found.
    fn push_ids_in_span(
        &self,
        statement: &mut Statement,
        query: &ListingQuery,
        conditions: &[Condition],
        way: Way,
        span: Span,
    ) {
        let table = way.ordered();
        let (by, _) = order(span.sort);
        let (column, is_descending) = order(query.order.sort);
        statement.push(&format!("SELECT s.application_id FROM (SELECT {table}.application_id, {table}.{column} FROM "));
        self.push_source(statement, query, conditions, way, span.sort);
        statement.push(&format!(" AND {table}.{by} >= "));
        statement.whole(span.from);
        statement.push(&format!(" AND {table}.{by} <= "));
        statement.whole(span.until);
        statement.push(" LIMIT ");
        statement.whole(i64::MAX);
        statement.push(" OFFSET 0) s WHERE 1 = 1");
        cursor(statement, query, ("s", column), is_descending);
        statement.push(&in_order(query, "s"));
        statement.push(" LIMIT ");
        statement.whole(query.limit);
    }

    /// Adds the tables for the way and the query's conditions, with `sort` as the order of the index.
    fn push_source(
        &self,
        statement: &mut Statement,
        query: &ListingQuery,
        conditions: &[Condition],
        way: Way,
        sort: Sort,
    ) {
        statement.push(match way {
            Way::Rows | Way::Few(_) => "listings l",
            Way::Words(_) => "listing_terms f",
            // Makes SQLite use this index, whether or not it knows how many rows have the facet.
            Way::Facet(_) => self.pick(facet_index(sort), "listing_terms f"),
        });
        match way.leads() {
            None => statement.push(" WHERE 1 = 1"),
            Some(index) if way == Way::Few(index) => {
                statement.push(" WHERE l.application_id IN (SELECT t.application_id FROM listing_terms t WHERE ");
                statement.matches("t", &conditions[index]);
                statement.push(")");
            }
            Some(index) => {
                // In SQLite the table to the left of CROSS JOIN is the outer loop.
                let rows = looks_into_rows(query);
                statement.push(if rows {
                    " CROSS JOIN listings l WHERE l.application_id = f.application_id AND "
                } else {
                    " WHERE "
                });
                statement.matches("f", &conditions[index]);
            }
        }
        if let Way::Facet(_) = way {
            // The index covers facets only, and is used if nothing else is asked for.
            statement.push(" AND f.term < 'w:'");
        }
        of_tab(statement, query);
        meet(statement, way.ordered(), conditions, way.leads());
    }

    pub(super) async fn select_these(&self, ids: &[String]) -> Stored<Vec<Listing>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut statement = Statement::default();
        statement.push(COLUMNS);
        statement.push(" FROM listings l");
        statement.push(OWNER);
        statement.push(" WHERE l.application_id IN (");
        statement.texts(ids.iter().map(String::as_str));
        statement.push(") ORDER BY l.name_key, l.application_id");
        let rows: Vec<Row> = self.fetch_built(&statement.sql, &statement.args()).await?;
        rows.into_iter().map(read).collect()
    }

    async fn count_selected(
        &self,
        query: &ListingQuery,
        conditions: &[Condition],
        lead: Option<Lead>,
    ) -> Stored<Counted> {
        let mut statement = Statement::default();
        statement.push("SELECT COUNT(*) FROM (SELECT 1 FROM ");
        let mut is_all = true;
        match lead {
            None => {
                statement.push("listings l WHERE 1 = 1");
                of_tab(&mut statement, query);
            }
            Some(Lead { index, count }) => {
                statement.push(
                    "(SELECT DISTINCT s.application_id FROM (SELECT t.application_id FROM listing_terms t WHERE ",
                );
                statement.matches("t", &conditions[index]);
                let looks_further = conditions.len() > 1 || looks_into_rows(query);
                let most = match (looks_further, count > MANY) {
                    (false, _) => WORDS_COUNTED,
                    (true, true) => LOOKED_INTO,
                    (true, false) => MANY,
                };
                is_all = count <= most;
                statement.push(" LIMIT ");
                statement.whole(most);
                statement.push(") s) f");
                if looks_into_rows(query) {
                    statement.push(" JOIN listings l ON l.application_id = f.application_id");
                }
                statement.push(" WHERE 1 = 1");
                of_tab(&mut statement, query);
                meet(&mut statement, "f", conditions, Some(index));
            }
        }
        statement.push(" LIMIT ");
        statement.whole(MAX_COUNTED + 1);
        statement.push(") counted");
        let counted: Vec<(i64,)> = self.fetch_or_scan(&statement, is_short(query)).await?;
        let number = counted.first().copied().unwrap_or_default().0;
        Ok(Counted { number: number.min(MAX_COUNTED), is_all: is_all && number <= MAX_COUNTED })
    }

    pub(super) async fn count_tabs(&self) -> Stored<Vec<(Tab, Counted)>> {
        let mut statement = Statement::default();
        for (index, tab) in Tab::ALL.into_iter().enumerate() {
            statement.push(if index == 0 { "SELECT " } else { " UNION ALL SELECT " });
            statement.text(tab.as_str());
            statement.push(", COUNT(*) FROM (SELECT 1 FROM listings l WHERE 1 = 1");
            tab_condition(&mut statement, tab);
            statement.push(" LIMIT ");
            statement.whole(MAX_COUNTED + 1);
            statement.push(") counted");
        }
        let counts: Vec<(String, i64)> = self.fetch_built(&statement.sql, &statement.args()).await?;
        let counted = |count: i64| Counted { number: count.min(MAX_COUNTED), is_all: count <= MAX_COUNTED };
        Ok(counts.into_iter().filter_map(|(tab, count)| Some((Tab::parse(&tab)?, counted(count)))).collect())
    }

    async fn lead(&self, conditions: &[Condition]) -> Stored<Option<Lead>> {
        let mut lead: Option<Lead> = None;
        for (index, condition) in conditions.iter().enumerate() {
            let mut statement = Statement::default();
            statement.push("SELECT COUNT(*) FROM (SELECT 1 FROM listing_terms t WHERE ");
            statement.matches("t", condition);
            statement.push(" LIMIT ");
            let most = 1 + if condition.until.is_none() { MANY } else { SORTED };
            // Counts no further than the fewest so far.
            statement.whole(lead.map_or(most, |lead| lead.count.min(most)));
            statement.push(") counted");
            let counted: Vec<(i64,)> = self.fetch_or_scan(&statement, condition.until.is_none()).await?;
            let count = counted.first().copied().unwrap_or_default().0;
            if lead.is_none_or(|lead| count < lead.count) {
                lead = Some(Lead { index, count });
            }
        }
        Ok(lead)
    }

    async fn fetch_or_scan<T: DbRow>(&self, statement: &Statement, is_short: bool) -> Stored<Vec<T>> {
        match is_short {
            true => self.fetch_built(&statement.sql, &statement.args()).await,
            false => self.scan(&statement.sql, &statement.args()).await,
        }
    }
}

/// Selects the rows of the ids that `ids` selects.
fn push_rows(statement: &mut Statement, query: &ListingQuery, ids: impl FnOnce(&mut Statement)) {
    statement.push(COLUMNS);
    statement.push(" FROM (");
    ids(statement);
    statement.push(") found JOIN listings l ON l.application_id = found.application_id");
    statement.push(OWNER);
    statement.push(&in_order(query, "l"));
}

fn read(row: Row) -> Stored<Listing> {
    let id = row.application_id;
    Ok(Listing {
        program: Program::of_application_type(&row.program).ok_or_else(|| unreadable("listings.program", &id))?,
        stage: Stage::parse(&row.stage).ok_or_else(|| unreadable("listings.stage", &id))?,
        name_key: row.name_key,
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
        facets: row.facets,
    })
}

fn tab_condition(statement: &mut Statement, tab: Tab) {
    match tab {
        Tab::All => {}
        Tab::NeedsAction => statement.push(" AND l.needs_action = 1"),
        Tab::Submitted | Tab::Interviews | Tab::Decisions | Tab::Enrolling => {
            statement.push(" AND l.tab = ");
            statement.text(tab.as_str());
        }
    }
}

/// Whether the query asks for more than terms.
fn looks_into_rows(query: &ListingQuery) -> bool {
    query.tab != Tab::All || query.has_interview.is_some() || bounds(query).iter().any(|(_, bound)| bound.is_some())
}

/// Returns the bounds on the times of the row `l`.
fn bounds(query: &ListingQuery) -> [(&'static str, Option<Millis>); 6] {
    [
        ("l.interview_at >= ", query.interview_from),
        ("l.interview_at < ", query.interview_before),
        ("l.submitted_at >= ", query.submitted_from),
        ("l.submitted_at < ", query.submitted_before),
        ("l.waiting_since <= ", query.waiting_since),
        ("l.waiting_since > ", query.waiting_after),
    ]
}

/// Returns the index by which SQLite must read facets.
fn facet_index(sort: Sort) -> &'static str {
    match sort.by {
        SortBy::Waiting => "listing_terms f INDEXED BY listing_terms_waiting",
        SortBy::Submitted => "listing_terms f INDEXED BY listing_terms_submitted",
        _ => "listing_terms f INDEXED BY listing_terms_name",
    }
}

/// Adds the conditions on the row `l`.
fn of_tab(statement: &mut Statement, query: &ListingQuery) {
    tab_condition(statement, query.tab);
    if let Some(stage) = stage_of_row(query).and_then(|term| Facet::Stage.value_of(term)) {
        statement.push(" AND l.stage = ");
        statement.text(stage);
    }
    match query.has_interview {
        None => {}
        Some(true) => statement.push(" AND l.interview_at IS NOT NULL"),
        Some(false) => statement.push(" AND l.interview_at IS NULL"),
    }
    for (sql, bound) in bounds(query) {
        if let Some(bound) = bound {
            statement.push(" AND ");
            statement.push(sql);
            statement.whole(bound);
        }
    }
}

/// Requires that the application of the table meets all conditions, except the one that leads to it.
fn meet(statement: &mut Statement, table: &str, conditions: &[Condition], leads: Option<usize>) {
    for (index, condition) in conditions.iter().enumerate() {
        if Some(index) == leads {
            continue;
        }
        statement.push(&format!(
            " AND EXISTS (SELECT 1 FROM listing_terms t WHERE t.application_id = {table}.application_id AND "
        ));
        statement.matches("t", condition);
        // With an offset PostgreSQL looks into each row in turn, instead of joining all that match.
        statement.push(" LIMIT 1 OFFSET 0)");
    }
}

/// Restricts to rows after the cursor, in the direction of reading. `(table, column)` is what they are ordered by.
fn cursor(statement: &mut Statement, query: &ListingQuery, (table, column): (&str, &str), is_descending: bool) {
    let Some(Cursor { key, application_id, .. }) = &query.cursor else { return };
    let sign = if is_descending { "<" } else { ">" };
    statement.push(&format!(" AND ({table}.{column}, {table}.application_id) {sign} ("));
    if column == "name_key" {
        statement.text(key);
    } else {
        // A key that is not a number was never given out: everything comes after it.
        statement.whole(key.parse().unwrap_or(if is_descending { i64::MAX } else { i64::MIN }));
    }
    statement.push(", ");
    statement.text(application_id);
    statement.push(")");
}
