//! Figures: everything is grouped in the database, so that no application is loaded. Queries without a program or an
//! intake read ranges of indexes only.

use std::fmt::Write;

use crate::{Db, Stored};
use domain::listing::figures::{ASIDE, Counts, WAITING, Work};
use domain::listing::{Facet, FiguresQuery};
use domain::moments::{DAY, Millis};
use domain::status::Stage;

/// The stages of submitted applications.
const LISTED: [Stage; 13] = [
    Stage::Submitted,
    Stage::Changes,
    Stage::Booked,
    Stage::Held,
    Stage::NoShow,
    Stage::Waitlisted,
    Stage::Offered,
    Stage::Confirmed,
    Stage::Lapsed,
    Stage::Rejected,
    Stage::Enrolled,
    Stage::Deferred,
    Stage::Archived,
];

/// Stages before a decision: after a recall, the application is at one of them again.
const UNDECIDED: &str = "'draft', 'submitted', 'changes', 'booked', 'held', 'no_show', 'waitlisted'";

/// Returns the conditions on a row of a table with a program, whose application is in `id`. Both values come from
/// closed lists.
fn narrowed(query: &FiguresQuery, table: &str, id: &str) -> String {
    let mut sql = String::new();
    if let Some(program) = query.program {
        write!(sql, " AND {table}.program = '{}'", program.application_type()).expect("writing to a string");
    }
    if let Some(intake) = query.intake {
        let term = Facet::Intake.term(&intake.code());
        write!(
            sql,
            " AND EXISTS (SELECT 1 FROM listing_terms n WHERE n.term = '{term}' AND n.application_id = {table}.{id})"
        )
        .expect("writing to a string");
    }
    sql
}

/// Returns the condition for the days that are asked for.
fn within(query: &FiguresQuery, column: &str) -> String {
    let (first, last) = (query.spans.first().map_or(0, |span| span.0), query.spans.last().map_or(0, |span| span.1));
    format!("{column} >= {first} AND {column} < {last}")
}

/// Returns the condition for the rows `l` of the list that are asked for.
fn submitted(query: &FiguresQuery) -> String {
    format!("{}{}", within(query, "l.submitted_at"), narrowed(query, "l", "application_id"))
}

fn place(place: i64) -> usize {
    usize::try_from(place).unwrap_or_default()
}

fn stage(text: &str) -> Stored<Stage> {
    Stage::parse(text).ok_or_else(|| crate::error::unreadable("stage", text))
}

impl Db {
    pub(super) async fn count_figures(&self, query: &FiguresQuery) -> Stored<Counts> {
        let mut counts = Counts::default();
        for stage in LISTED {
            for (span, count) in self.count_ranges(query, stage, "submitted_at", &query.spans).await? {
                counts.submitted.push((span, stage, count));
            }
        }
        for (span, reached, count) in self.count_past_imports(query).await? {
            counts.submitted.push((span, Stage::Archived, -count));
            counts.submitted.push((span, reached, count));
        }
        let later = query.waits.iter().skip(1).copied().chain([0]);
        let waits: Vec<(Millis, Millis)> =
            query.waits.iter().zip(later).map(|(latest, next)| (next + 1, latest + 1)).collect();
        for stage in WAITING {
            for (wait, count) in self.count_ranges(query, stage, "waiting_since", &waits).await? {
                counts.waiting.push((stage, wait, count));
            }
        }
        self.count_decided(query, &mut counts).await?;
        self.count_way(query, &mut counts).await?;
        self.count_funding(query, &mut counts).await?;
        self.count_work(query, &mut counts).await?;
        Ok(counts)
    }

    /// Counts the applications that came in when they were over, by the stage at which they stayed elsewhere. What was
    /// declined or withdrawn is over here, too.
    async fn count_past_imports(&self, query: &FiguresQuery) -> Stored<Vec<(usize, Stage, i64)>> {
        let mut sql = String::new();
        for (index, (from, until)) in query.spans.iter().enumerate() {
            let union = if index == 0 { "" } else { " UNION ALL " };
            write!(
                sql,
                "{union}SELECT CAST({index} AS BIGINT), c.former_stage, COUNT(*) FROM imported_applications m \
                 JOIN listings l ON l.application_id = m.application_id JOIN stage_changes c \
                 ON c.application_id = m.application_id AND c.act = 'import_past' \
                 AND c.former_stage IN ('enrolled', 'confirmed', 'rejected') WHERE l.submitted_at >= {from} \
                 AND l.submitted_at < {until}{} GROUP BY c.former_stage",
                narrowed(query, "l", "application_id"),
            )
            .expect("writing to a string");
        }
        let counted: Vec<(i64, String, i64)> = self.scan(&sql, &[]).await?;
        counted.into_iter().map(|(span, reached, count)| Ok((place(span), stage(&reached)?, count))).collect()
    }

    async fn count_decided(&self, query: &FiguresQuery, counts: &mut Counts) -> Stored<()> {
        let mut sql = String::new();
        for (index, (from, until)) in query.spans.iter().enumerate() {
            let union = if index == 0 { "" } else { " UNION ALL " };
            write!(
                sql,
                "{union}SELECT CAST({index} AS BIGINT), (a.released_at - a.submitted_at) / {DAY}, COUNT(*) \
                 FROM applications a WHERE a.released_at >= {from} AND a.released_at < {until} \
                 AND a.submitted_at IS NOT NULL AND a.stage NOT IN ({UNDECIDED}){} GROUP BY 2",
                narrowed(query, "a", "id"),
            )
            .expect("writing to a string");
        }
        let decided: Vec<(i64, i64, i64)> = self.scan(&sql, &[]).await?;
        counts.decided = decided.into_iter().map(|(span, days, count)| (place(span), (days.max(0), count))).collect();
        Ok(())
    }

    /// Counts how far started applications came, and how long submitted ones stayed at which stage.
    async fn count_way(&self, query: &FiguresQuery, counts: &mut Counts) -> Stored<()> {
        let aside = ASIDE.map(|stage| format!("'{}'", stage.as_str())).join(", ");
        let sql = format!(
            "SELECT stage, COALESCE(before, ''), COUNT(*) FROM (SELECT a.stage AS stage, \
             CASE WHEN a.stage IN ({aside}) THEN (SELECT COALESCE(c.former_stage, c.from_stage) FROM stage_changes c \
             WHERE c.application_id = a.id AND c.to_stage IN ({aside}) AND c.from_stage NOT IN ({aside}) \
             ORDER BY c.revision DESC LIMIT 1) END AS before \
             FROM applications a WHERE {}{}) started GROUP BY 1, 2",
            within(query, "a.created_at"),
            narrowed(query, "a", "id"),
        );
        let started: Vec<(String, String, i64)> = self.scan(&sql, &[]).await?;
        for (now, before, count) in started {
            counts.started.push((stage(&now)?, Stage::parse(&before), count));
        }
        let submitted = submitted(query);
        let sql = format!(
            "SELECT stage, (left_at - came_at) / {DAY}, COUNT(*) FROM (SELECT c.to_stage AS stage, \
             c.happened_at AS came_at, LEAD(c.happened_at) OVER (PARTITION BY c.application_id ORDER BY c.revision) AS left_at \
             FROM stage_changes c JOIN listings l ON l.application_id = c.application_id \
             WHERE c.from_stage <> c.to_stage AND {submitted} UNION ALL \
             SELECT 'draft', a.created_at, (SELECT MIN(c.happened_at) FROM stage_changes c \
             WHERE c.application_id = l.application_id AND c.from_stage = 'draft') \
             FROM listings l JOIN applications a ON a.id = l.application_id WHERE {submitted}) stays \
             WHERE left_at IS NOT NULL GROUP BY 1, 2"
        );
        let stays: Vec<(String, i64, i64)> = self.scan(&sql, &[]).await?;
        for (left, days, count) in stays {
            counts.stays.push((stage(&left)?, (days.max(0), count)));
        }
        Ok(())
    }

    async fn count_funding(&self, query: &FiguresQuery, counts: &mut Counts) -> Stored<()> {
        let submitted = submitted(query);
        // The character after the colon ends the terms of the facet.
        let (from, until) = (Facet::Funding.term(""), format!("{};", Facet::Funding.as_str()));
        let terms = |table: &str| format!("{table}.term >= '{from}' AND {table}.term < '{until}'");
        let sql = format!(
            "SELECT t.term, l.stage, COUNT(*) FROM listings l \
             JOIN listing_terms t ON t.application_id = l.application_id AND {} WHERE {submitted} GROUP BY 1, 2 UNION ALL \
             SELECT '', l.stage, COUNT(*) FROM listings l WHERE {submitted} AND NOT EXISTS (SELECT 1 FROM listing_terms u \
             WHERE u.application_id = l.application_id AND {}) GROUP BY l.stage",
            terms("t"),
            terms("u"),
        );
        let funding: Vec<(String, String, i64)> = self.scan(&sql, &[]).await?;
        for (term, now, count) in funding {
            counts.funding.push((Facet::Funding.value_of(&term).map(str::to_owned), stage(&now)?, count));
        }
        Ok(())
    }

    async fn count_work(&self, query: &FiguresQuery, counts: &mut Counts) -> Stored<()> {
        let submitted = submitted(query);
        let of = |work: Work| match work {
            // A reviewer is done with an application when they last reviewed it.
            Work::Reviewed => format!(
                "SELECT r.staff_id AS staff_id, MAX(r.decided_at) - MAX(l.submitted_at) AS took FROM document_reviews r \
                 JOIN listings l ON l.application_id = r.application_id WHERE {submitted} \
                 GROUP BY r.staff_id, r.application_id"
            ),
            Work::Scored => format!(
                "SELECT s.written_by AS staff_id, s.written_at - p.starts_at AS took FROM score_sheets s \
                 JOIN interviews i ON i.id = s.interview_id JOIN interview_slots p ON p.id = i.slot_id \
                 JOIN listings l ON l.application_id = i.application_id WHERE {submitted}"
            ),
            Work::Decided => format!(
                "SELECT d.drafted_by AS staff_id, d.released_at - l.submitted_at AS took FROM decisions d \
                 JOIN listings l ON l.application_id = d.application_id WHERE d.state = 'released' AND {submitted}"
            ),
        };
        for work in Work::ALL {
            let sql = format!("SELECT staff_id, took / {DAY}, COUNT(*) FROM ({}) done GROUP BY 1, 2", of(work));
            let done: Vec<(String, i64, i64)> = self.scan(&sql, &[]).await?;
            counts.work.extend(done.into_iter().map(|(by, days, count)| (work, by, (days.max(0), count))));
        }
        let sql = format!(
            "SELECT l.assigned_to, COUNT(*) FROM listings l WHERE {submitted} AND l.assigned_to IS NOT NULL GROUP BY 1"
        );
        counts.owned = self.scan(&sql, &[]).await?;
        Ok(())
    }

    /// Counts the applications at a stage in each range of a column, by the index of the range.
    async fn count_ranges(
        &self,
        query: &FiguresQuery,
        stage: Stage,
        column: &'static str,
        ranges: &[(Millis, Millis)],
    ) -> Stored<Vec<(usize, i64)>> {
        let narrowed = narrowed(query, "l", "application_id");
        let mut sql = String::new();
        for (index, (from, until)) in ranges.iter().enumerate() {
            let union = if index == 0 { "" } else { " UNION ALL " };
            write!(
                sql,
                "{union}SELECT CAST({index} AS BIGINT), COUNT(*) FROM listings l \
                 WHERE l.stage = '{}' AND l.{column} >= {from} AND l.{column} < {until}{narrowed}",
                stage.as_str(),
            )
            .expect("writing to a string");
        }
        let counted: Vec<(i64, i64)> = self.scan(&sql, &[]).await?;
        Ok(counted.into_iter().filter(|(_, count)| *count > 0).map(|(at, count)| (place(at), count)).collect())
    }

    /// Returns the intakes that listed applications are for.
    pub(super) async fn select_intakes(&self) -> Stored<Vec<String>> {
        // From one term to the next in the index, however many applications have it.
        let sql = "WITH RECURSIVE used(term) AS (SELECT MIN(term) FROM listing_terms WHERE term >= 'intake:' AND term < 'intake;' \
                   UNION ALL SELECT (SELECT MIN(n.term) FROM listing_terms n WHERE n.term > used.term AND n.term < 'intake;') \
                   FROM used WHERE used.term IS NOT NULL) SELECT term FROM used WHERE term IS NOT NULL";
        let terms: Vec<(String,)> = self.scan(sql, &[]).await?;
        Ok(terms.iter().filter_map(|(term,)| Facet::Intake.value_of(term)).map(str::to_owned).collect())
    }
}
