//! Reads the list in orders that no single index has.
//!
//! What has few values (a stage, a program, an owner) is read value by value, each in the order that comes next. For
//! times with a second column, the database sorts a day that is longer than a page; everything else that the list shows
//! as alike is read and sorted here.

use std::cmp::Ordering;

use super::select::Span;
use crate::query::args;
use crate::{Db, Stored};
use domain::clocks;
use domain::listing::{
    Cursor, Facet, Listing, ListingPage, ListingQuery, NOBODY, Order, Sort, SortBy, values_in_order,
};
use domain::staff::StaffSummary;

/// Rows read at a time to find all that are alike.
const READ_AT_ONCE: i64 = 1000;

/// A place between two rows: the remaining keys, first to last, and the row's id.
#[derive(Debug, Clone)]
struct Place {
    keys: Vec<String>,
    application_id: String,
}

impl Place {
    fn of(cursor: &Cursor) -> Place {
        Place {
            keys: cursor.key.split('~').map(str::to_owned).collect(),
            application_id: cursor.application_id.clone(),
        }
    }

    fn key(&self) -> &str {
        self.keys.first().map_or("", String::as_str)
    }

    /// Returns the place within the rows that share its first key.
    fn within(&self) -> Place {
        Place { keys: self.keys.iter().skip(1).cloned().collect(), application_id: self.application_id.clone() }
    }
}

/// The direction in which rows are read, and how many.
#[derive(Debug, Clone, Copy)]
struct Reading {
    is_backwards: bool,
    wanted: usize,
}

impl Db {
    pub(super) async fn select_ordered(&self, query: &ListingQuery) -> Stored<ListingPage> {
        let limit = usize::try_from(query.limit).unwrap_or_default();
        let is_backwards = query.cursor.as_ref().is_some_and(|cursor| cursor.is_before);
        // One more tells whether there is more.
        let reading = Reading { is_backwards, wanted: limit + 1 };
        let mut rows = self.read_all(query, reading).await?;
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        if is_backwards {
            rows.reverse();
        }
        let (has_before, has_after) = if is_backwards { (has_more, true) } else { (query.cursor.is_some(), has_more) };
        Ok(ListingPage { rows, has_before, has_after })
    }

    pub(super) async fn select_beside_in_order(
        &self,
        query: &ListingQuery,
    ) -> Stored<(Option<String>, Option<String>)> {
        let mut beside = [None, None];
        for (is_backwards, id) in [true, false].into_iter().zip(&mut beside) {
            let rows = self.read_all(query, Reading { is_backwards, wanted: 1 }).await?;
            *id = rows.into_iter().next().map(|row| row.application_id);
        }
        let [before, after] = beside;
        Ok((before, after))
    }

    async fn read_all(&self, query: &ListingQuery, reading: Reading) -> Stored<Vec<Listing>> {
        let place = query.cursor.as_ref().map(Place::of);
        let query = ListingQuery { cursor: None, ..query.clone() };
        self.read_by(&query, &query.order.sorts(), place, reading).await
    }

    /// Reads the first rows after the place, by `sorts`, in the direction of reading.
    async fn read_by(
        &self,
        query: &ListingQuery,
        sorts: &[Sort],
        place: Option<Place>,
        reading: Reading,
    ) -> Stored<Vec<Listing>> {
        let Some((sort, rest)) = sorts.split_first() else { return Ok(Vec::new()) };
        if let Some(facet) = sort.by.facet() {
            return self.read_facet(query, (facet, *sort), rest, place, reading).await;
        }
        if sort.by == SortBy::Interview {
            return self.read_interviews(query, *sort, rest, place, reading).await;
        }
        if rest.is_empty() {
            return self.read_column(query, *sort, place, reading).await;
        }
        self.read_alike(query, *sort, rest[0], place, reading).await
    }

    async fn read_facet(
        &self,
        query: &ListingQuery,
        (facet, sort): (Facet, Sort),
        rest: &[Sort],
        place: Option<Place>,
        reading: Reading,
    ) -> Stored<Vec<Listing>> {
        let mut values = self.values(query, facet, sort).await?;
        if reading.is_backwards {
            values.reverse();
        }
        let begins = place.as_ref().and_then(|place| values.iter().position(|value| value == place.key()));
        let mut rows = Vec::new();
        for (index, value) in values.iter().enumerate().skip(begins.unwrap_or_default()) {
            let mut inner = query.clone();
            inner.terms.push(facet.term(value));
            let place = place.as_ref().filter(|_| begins == Some(index)).map(Place::within);
            let left = Reading { wanted: reading.wanted - rows.len(), ..reading };
            rows.extend(Box::pin(self.read_by(&inner, rest, place, left)).await?);
            if rows.len() >= reading.wanted {
                break;
            }
        }
        Ok(rows)
    }

    /// Reads by interview; rows without one come last.
    async fn read_interviews(
        &self,
        query: &ListingQuery,
        sort: Sort,
        rest: &[Sort],
        place: Option<Place>,
        reading: Reading,
    ) -> Stored<Vec<Listing>> {
        let of_place = place.as_ref().map(|place| !place.key().is_empty());
        let mut parts = [true, false];
        if reading.is_backwards {
            parts.reverse();
        }
        let mut rows = Vec::new();
        for has_interview in parts.into_iter().skip_while(|part| of_place.is_some_and(|of_place| of_place != *part)) {
            let inner = ListingQuery { has_interview: Some(has_interview), ..query.clone() };
            let place = place.clone().filter(|_| of_place == Some(has_interview));
            let left = Reading { wanted: reading.wanted - rows.len(), ..reading };
            rows.extend(match (has_interview, query.order.then) {
                (false, _) => {
                    let place = place.map(|place| place.within());
                    Box::pin(self.read_by(&inner, rest, place, left)).await?
                }
                (true, Some(then)) if query.order.sort == sort => {
                    self.read_alike(&inner, sort, then, place, left).await?
                }
                (true, _) => self.read_column(&inner, sort, place, left).await?,
            });
            if rows.len() >= reading.wanted {
                break;
            }
        }
        Ok(rows)
    }

    /// Reads by a column that has an index.
    async fn read_column(
        &self,
        query: &ListingQuery,
        sort: Sort,
        place: Option<Place>,
        reading: Reading,
    ) -> Stored<Vec<Listing>> {
        Ok(self.select_in_index(&by_column(query, sort, place, reading)).await?.rows)
    }

    /// Reads the first of those that are alike by a time, in the order of another column; `None` if the database cannot
    /// sort them.
    async fn read_span(
        &self,
        query: &ListingQuery,
        (sort, alike): (Sort, &Alike),
        then: Sort,
        place: Option<Place>,
        reading: Reading,
    ) -> Stored<Option<Vec<Listing>>> {
        let is_column = matches!(then.by, SortBy::Name | SortBy::Waiting | SortBy::Submitted);
        let (true, Ok(from), Ok(until)) = (is_column, alike.lowest.parse(), alike.highest.parse()) else {
            return Ok(None);
        };
        self.select_in_span(&by_column(query, then, place, reading), Span { sort, from, until }).await
    }

    /// Reads by a time or a name, and by `then` where rows are alike.
    async fn read_alike(
        &self,
        query: &ListingQuery,
        sort: Sort,
        then: Sort,
        place: Option<Place>,
        reading: Reading,
    ) -> Stored<Vec<Listing>> {
        let values = match then.by.facet() {
            Some(facet) => self.values(query, facet, then).await?,
            None => Vec::new(),
        };
        let alike = |key: &str| Alike::of(&query.order, sort.by, key);
        let begins = place.as_ref().map(|place| alike(place.key()));
        let is_descending = sort.is_descending() != reading.is_backwards;
        // From the beginning of the rows that are like the place's.
        let mut from = begins.as_ref().map(|alike| alike.beginning(is_descending));
        let mut read: Vec<(usize, Rank, Listing)> = Vec::new();
        let (mut group, mut last): (usize, Option<Alike>) = (0, None);
        let mut at_once = i64::try_from(reading.wanted).unwrap_or(READ_AT_ONCE).min(READ_AT_ONCE);
        let compare = |(one, other): (&(Rank, &str), &(Rank, &str))| {
            let by_id = if Rank::is_descending(then) { other.1.cmp(one.1) } else { one.1.cmp(other.1) };
            let ordering = one.0.compare(&other.0, then).then(by_id);
            if reading.is_backwards { ordering.reverse() } else { ordering }
        };
        let behind = |group: usize, rank: &Rank, id: &str| {
            let (Some(place), 0) = (&place, group) else { return true };
            // The place's own row may be gone.
            let key = place.keys.get(1).map_or("", String::as_str);
            let of_place = (Rank::of(then.by, key, &values), place.application_id.as_str());
            compare((&(rank.clone(), id), &of_place)) == Ordering::Greater
        };
        loop {
            let chunk = Reading { wanted: usize::try_from(at_once).unwrap_or_default(), ..reading };
            let rows = self.read_column(query, sort, from, chunk).await?;
            let is_end = rows.len() < chunk.wanted;
            from = rows
                .last()
                .map(|row| Place { keys: vec![row.sort_key(sort.by)], application_id: row.application_id.clone() });
            for row in rows {
                let key = row.sort_key(sort.by);
                if !last.as_ref().is_some_and(|last| last.has(&key)) {
                    // The first group is the place's own, if there is a place.
                    let is_first = last.is_none() && begins.as_ref().is_none_or(|begins| begins.has(&key));
                    group += usize::from(!is_first);
                    last = Some(alike(&key));
                }
                let rank = Rank::of(then.by, &row.sort_key(then.by), &values);
                if behind(group, &rank, &row.application_id) {
                    read.push((group, rank, row));
                }
            }
            read.sort_by(|(group, rank, row), (other_group, other_rank, other)| {
                let one = (rank.clone(), row.application_id.as_str());
                let two = (other_rank.clone(), other.application_id.as_str());
                group.cmp(other_group).then_with(|| compare((&one, &two)))
            });
            // No more than are wanted are kept, however many are alike.
            read.truncate(reading.wanted);
            let complete = read.iter().filter(|(of, _, _)| is_end || *of < group).count();
            if is_end || complete >= reading.wanted {
                break;
            }
            // More are alike than are wanted: the database sorts them, and reading goes on after them.
            if let Some(alike) = &last {
                let place = place.as_ref().filter(|_| group == 0).map(Place::within);
                if let Some(rows) = self.read_span(query, (sort, alike), then, place, reading).await? {
                    read.retain(|(of, _, _)| *of < group);
                    read.extend(
                        rows.into_iter().map(|row| (group, Rank::of(then.by, &row.sort_key(then.by), &values), row)),
                    );
                    read.truncate(reading.wanted);
                    if read.len() >= reading.wanted {
                        break;
                    }
                    from = Some(alike.beginning(!is_descending));
                    continue;
                }
            }
            at_once = READ_AT_ONCE;
        }
        Ok(read.into_iter().map(|(_, _, row)| row).collect())
    }

    /// Returns the values of a facet in the order of the sort.
    async fn values(&self, query: &ListingQuery, facet: Facet, sort: Sort) -> Stored<Vec<String>> {
        if let Some(value) = query.terms.iter().find_map(|term| facet.value_of(term)) {
            return Ok(vec![value.to_owned()]);
        }
        if let Some(values) = values_in_order(facet, query.tab) {
            let mut values: Vec<String> = values.into_iter().map(str::to_owned).collect();
            if sort.is_back {
                values.reverse();
            }
            return Ok(values);
        }
        // From one to the next in the index, however many applications have it.
        let sql = "WITH RECURSIVE used(term) AS (SELECT MIN(term) FROM listing_terms WHERE term >= $1 AND term < $2 \
                   UNION ALL SELECT (SELECT MIN(n.term) FROM listing_terms n WHERE n.term > used.term AND n.term < $2) \
                   FROM used WHERE used.term IS NOT NULL) SELECT term FROM used WHERE term IS NOT NULL";
        let (from, until) = (facet.term(""), facet.term("\u{10ffff}"));
        let used: Vec<(String,)> = self.fetch_all(sql, args![&from, &until]).await?;
        let staff = self.all_staff().await?;
        let called = |id: &str| {
            let one = staff.iter().find(|one: &&StaffSummary| one.id == id);
            // Former staff have no name here.
            (one.is_none(), one.map(|one| one.called().to_lowercase()), id.to_owned())
        };
        let mut values: Vec<String> =
            used.iter().filter_map(|(term,)| Some(facet.value_of(term)?.to_owned())).collect();
        values.sort_by_cached_key(|id| called(id));
        if sort.is_back {
            values.reverse();
        }
        values.sort_by_key(|id| id == NOBODY);
        Ok(values)
    }
}

/// Builds the query for rows after the place in the order of one column.
fn by_column(query: &ListingQuery, sort: Sort, place: Option<Place>, reading: Reading) -> ListingQuery {
    let cursor = place.map(|Place { mut keys, application_id }| {
        keys.truncate(1);
        Cursor { is_before: false, key: keys.pop().unwrap_or_default(), application_id }
    });
    let sort = if reading.is_backwards { sort.reversed() } else { sort };
    let order = Order { sort, then: None, ..query.order.clone() };
    ListingQuery { order, cursor, limit: i64::try_from(reading.wanted).unwrap_or(i64::MAX), ..query.clone() }
}

/// A range of keys that the list shows as the same.
#[derive(Debug)]
struct Alike {
    lowest: String,
    highest: String,
}

impl Alike {
    /// Returns the place before the highest of them, or before the lowest.
    fn beginning(&self, is_descending: bool) -> Place {
        match is_descending {
            true => Place { keys: vec![self.highest.clone()], application_id: "~".into() },
            false => Place { keys: vec![self.lowest.clone()], application_id: String::new() },
        }
    }

    fn has(&self, key: &str) -> bool {
        match (self.lowest.parse::<i64>(), key.parse::<i64>(), self.highest.parse::<i64>()) {
            (Ok(lowest), Ok(key), Ok(highest)) => (lowest..=highest).contains(&key),
            _ => self.lowest == key,
        }
    }

    fn of(order: &Order, by: SortBy, key: &str) -> Alike {
        let between = |lowest: i64, highest: i64| Alike { lowest: lowest.to_string(), highest: highest.to_string() };
        match (by, key.parse::<i64>()) {
            (SortBy::Waiting, Ok(at)) => {
                let (from, until) = order.same_days_waiting(at);
                between(from, until)
            }
            (SortBy::Submitted | SortBy::Interview, Ok(at)) => {
                let day = clocks::day(at, &order.zone);
                let midnight = day.yesterday().map_or(i64::MIN, |before| clocks::end_of(before, &order.zone));
                between(midnight, clocks::end_of(day, &order.zone) - 1)
            }
            _ => Alike { lowest: key.to_owned(), highest: key.to_owned() },
        }
    }
}

/// The position of a row among those that are alike.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Rank {
    /// It has no value, and comes last.
    is_missing: bool,
    number: i64,
    text: String,
}

impl Rank {
    fn of(by: SortBy, key: &str, values: &[String]) -> Rank {
        let number = match by.facet() {
            Some(_) => values.iter().position(|value| value == key).unwrap_or(values.len()) as i64,
            None => key.parse().unwrap_or_default(),
        };
        let text = if by == SortBy::Name { key.to_owned() } else { String::new() };
        Rank { is_missing: key.is_empty(), number, text }
    }

    /// The values of a facet are in the order of the sort already.
    fn is_descending(sort: Sort) -> bool {
        sort.by.facet().is_none() && sort.is_descending()
    }

    fn compare(&self, other: &Rank, sort: Sort) -> Ordering {
        let ascending = self.number.cmp(&other.number).then_with(|| self.text.cmp(&other.text));
        let ordering = if Self::is_descending(sort) { ascending.reverse() } else { ascending };
        self.is_missing.cmp(&other.is_missing).then(ordering)
    }
}
