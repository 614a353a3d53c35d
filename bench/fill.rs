//! Fills the list of applications for benchmarks, with SQL that counts and calculates, the same for both databases.
//! Every row follows from its number, so that a part of a large database is the same as that part of a small one.

use std::collections::BTreeMap;
use std::error::Error;
use std::time::{SystemTime, UNIX_EPOCH};

use matricula::domain::listing::Tab;
use matricula::domain::status::Stage;
use matricula::domain::task::{Appointment, Circumstances};
use serde::Serialize;
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};

/// What was made.
#[derive(Serialize)]
pub struct Filled {
    applications: i64,
}

/// Fills a migrated database that has nothing but a member of staff.
#[expect(clippy::disallowed_methods, reason = "the product's clock is in another program")]
pub async fn run(url: &str, applications: i64) -> Result<Filled, Box<dyn Error>> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
    let fast = if url.starts_with("sqlite:") {
        "PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA temp_store = FILE;"
    } else {
        "SET synchronous_commit = off; SET maintenance_work_mem = '256MB'; SET work_mem = '128MB';"
    };
    let sql = format!("{fast}{}", statements(applications, now));
    if url.starts_with("sqlite:") {
        let mut connection = SqliteConnection::connect(url).await?;
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await?;
        sqlx::raw_sql("ANALYZE; PRAGMA wal_checkpoint(TRUNCATE);").execute(&mut connection).await?;
    } else {
        let mut connection = PgConnection::connect(url).await?;
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await?;
        sqlx::raw_sql("VACUUM ANALYZE").execute(&mut connection).await?;
    }
    Ok(Filled { applications })
}

/// A number from 0 to `most` - 1 that looks random, different for each `salt`.
fn drawn(salt: i64, most: i64) -> String {
    format!("((n * 7919 + {salt} * 104729) % 1000003 * ((n * 613 + {salt} * 7907) % 999983) % 1000003 % {most})")
}

/// A pronounceable word of `syllables` syllables, one of 20 to the power of `syllables`.
fn word(salt: i64, syllables: i64) -> String {
    let syllable = |index| {
        let drawn = drawn(salt + index, 20);
        format!("substr('badecifogulamenipotursavexizokud' || 'yehiwoju', CAST(1 + 2 * {drawn} AS INTEGER), 2)")
    };
    (0..syllables).map(syllable).collect::<Vec<_>>().join(" || ")
}

/// Maps a random number of `of` to texts: each text to as many of the numbers as its share.
fn shared(salt: i64, shares: &[(i64, &str)]) -> String {
    let of: i64 = shares.iter().map(|(share, _)| share).sum();
    let drawn = drawn(salt, of);
    let mut below = 0;
    let whens: String = shares
        .iter()
        .map(|(share, text)| {
            below += share;
            format!(" WHEN {drawn} < {below} THEN '{text}'")
        })
        .collect();
    format!("CASE{whens} END")
}

/// A value that follows from the stage, as in the product.
fn by_stage(of: impl Fn(Stage) -> String) -> String {
    let whens: String =
        Stage::ALL.iter().map(|stage| format!(" WHEN '{}' THEN {}", stage.as_str(), of(*stage))).collect();
    format!("CASE stage{whens} END")
}

/// How many of a hundred are at each stage.
const STAGES: [(i64, &str); 12] = [
    (30, "submitted"),
    (5, "changes"),
    (10, "booked"),
    (5, "held"),
    (2, "no_show"),
    (8, "offered"),
    (3, "confirmed"),
    (2, "lapsed"),
    (10, "rejected"),
    (17, "enrolled"),
    (2, "deferred"),
    (6, "archived"),
];

fn statements(applications: i64, now: u128) -> String {
    let quoted = |text: &str| format!("'{text}'");
    let day = 86_400_000;
    // The columns from which all tables are made.
    let columns = [
        ("id", "'01900000-0000-7000-8000-' || CAST(100000000000 + n AS TEXT)".to_owned()),
        ("first_name", word(10, 2)),
        ("last_name", word(20, 3)),
        ("reference", "'B26-' || CAST(1000000 + n AS TEXT) || 'X'".to_owned()),
        ("phone", "CAST(5550000000 + n AS TEXT)".to_owned()),
        ("stage", shared(1, &STAGES)),
        ("program", shared(2, &[(7, "ba"), (3, "msc")])),
        ("state", shared(3, &[(10, "TX"), (8, "CA"), (6, "FL"), (1, "AK"), (75, "NY")])),
        ("country", shared(4, &[(90, "US"), (7, "CA"), (3, "DE")])),
        ("military", shared(5, &[(4, "yes"), (6, "no")])),
        ("citizen", shared(6, &[(9, "yes"), (1, "no")])),
        ("funding", shared(7, &[(4, "self_pay"), (4, "employer"), (2, "gi_bill")])),
        ("tag", format!("CASE WHEN {0} < 50 THEN 'demo tag ' || CAST({0} AS TEXT) END", drawn(8, 500))),
        ("documents", shared(9, &[(2, "missing"), (8, "")])),
        // Within two years.
        ("submitted_at", format!("{now} - {} * {day} - n % {day}", drawn(11, 730))),
        ("decision_days", drawn(12, 60)),
    ];
    let columns: Vec<String> = columns.iter().map(|(name, sql)| format!("{sql} AS {name}")).collect();
    let columns = columns.join(", ");
    let status = by_stage(|stage| quoted(stage.status().as_str()));
    let tab = by_stage(|stage| quoted(Tab::of(stage).map_or("over", Tab::as_str)));
    let task = by_stage(|stage| quoted(task_at(stage)));
    let terms = [
        ("w", "first_name"),
        ("w", "last_name"),
        ("w", "email"),
        ("w", "phone"),
        ("w", "'1' || phone"),
        ("w", "lower(replace(reference, '-', ''))"),
        ("program", "program"),
        ("status", &status),
        ("stage", "stage"),
        ("owner", "'nobody'"),
        ("military", "military"),
        ("dod", "'no'"),
        ("citizen", "citizen"),
        ("country", "country"),
        ("state", "state"),
        ("funding", "funding"),
        ("tag", "tag"),
        ("documents", "documents"),
    ];
    // As the product writes them, except for the end of the last line.
    let facets: BTreeMap<&str, &str> = terms.iter().filter(|(name, _)| *name != "w").copied().collect();
    let facets: Vec<String> = facets
        .iter()
        .map(|(name, sql)| format!("CASE WHEN {sql} <> '' THEN '{name}:' || {sql} || '\n' ELSE '' END"))
        .collect();
    let facets = facets.join(" || ");
    let terms: Vec<String> = terms
        .iter()
        .map(|(name, sql)| format!("SELECT '{name}:' || value AS term, id FROM (SELECT {sql} AS value, id FROM made) {name} WHERE value <> ''"))
        .collect();
    let terms = terms.join(" UNION ");
    // Building indexes afterwards is faster than updating them.
    let dropped: String = INDEXES.iter().map(|(name, _)| format!("DROP INDEX {name}; ")).collect();
    let made: String =
        INDEXES.iter().map(|(name, on)| format!("CREATE INDEX {name} ON listing_terms {on}; ")).collect();
    let changed_at = format!("CASE WHEN {STARTED} THEN submitted_at ELSE submitted_at + decision_days * {day} END");
    format!(
        "CREATE TABLE made AS WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < {applications} - 1), \
         numbers AS (SELECT CAST(i AS BIGINT) AS n FROM s), drawn AS (SELECT {columns} FROM numbers), \
         written AS (SELECT drawn.*, first_name || '.' || id || '@example.org' AS email FROM drawn) SELECT * FROM written; \
         INSERT INTO applicants (id, email, email_key, first_name, last_name, date_of_birth, phone_number, country, state, \
         time_zone, password_hash, created_at) SELECT id, email, email, first_name, last_name, '1990-02-28', '+1' || phone, \
         country, state, '', '', submitted_at FROM made; \
         INSERT INTO applications (id, applicant_id, program, status, stage, answers, revision, reference, created_at, updated_at, \
         archived_at, submitted_at, released_at) SELECT id, id, program, {status}, stage, '{{}}', 3, reference, submitted_at, \
         {changed_at}, CASE stage WHEN 'archived' THEN submitted_at END, submitted_at, \
         CASE WHEN {STARTED} OR stage = 'archived' THEN NULL ELSE submitted_at + decision_days * {day} END FROM made; \
         INSERT INTO stage_changes (id, application_id, revision, act, from_stage, to_stage, happened_at) \
         SELECT id || '-1', id, 2, 'submit', 'draft', 'submitted', submitted_at FROM made; \
         INSERT INTO stage_changes (id, application_id, revision, act, from_stage, to_stage, happened_at) \
         SELECT id || '-2', id, 3, 'staff', 'submitted', stage, {changed_at} FROM made WHERE NOT {STARTED}; \
         INSERT INTO application_tags (application_id, tag) SELECT id, tag FROM made WHERE tag IS NOT NULL; \
         INSERT INTO listings (application_id, tab, needs_action, name_key, submitted_at, waiting_since, interview_at, stage, \
         program, reference, first_name, last_name, email, phone_number, facets, has_tasks) \
         SELECT id, {tab}, CASE WHEN {task} <> '' THEN 1 ELSE 0 END, last_name || ', ' || first_name, submitted_at, {changed_at}, \
         CASE stage WHEN 'booked' THEN submitted_at + {day} END, stage, program, reference, first_name, last_name, email, \
         '+1' || phone, {facets}, 1 FROM made; \
         INSERT INTO staff_tasks (id, kind, subject, detail, created_at) \
         SELECT id || ':' || task, task, 'application:' || id, '{{}}', since \
         FROM (SELECT id, {task} AS task, {changed_at} AS since FROM made) t WHERE task <> ''; \
         {dropped} \
         INSERT INTO listing_terms (term, application_id, submitted_at, waiting_since, name_key) \
         SELECT t.term, t.id, l.submitted_at, l.waiting_since, l.name_key FROM ({terms}) t \
         JOIN listings l ON l.application_id = t.id ORDER BY 1, 2; \
         {made} DROP TABLE made;"
    )
}

/// The indexes of `listing_terms`, as the migrations make them.
const INDEXES: [(&str, &str); 4] = [
    ("listing_terms_application", "(application_id, term)"),
    ("listing_terms_submitted", "(term, submitted_at, application_id) WHERE term < 'w:'"),
    ("listing_terms_waiting", "(term, waiting_since, application_id) WHERE term < 'w:'"),
    ("listing_terms_name", "(term, name_key, application_id) WHERE term < 'w:'"),
];

/// Nothing has happened since the submission.
const STARTED: &str = "stage = 'submitted'";

/// The task at a stage; empty if there is nothing to do.
fn task_at(stage: Stage) -> &'static str {
    let interview = Some(Appointment { booked_at: 0, starts_at: 0 });
    let at = Circumstances {
        stage,
        stage_since: 0,
        unchecked_since: None,
        interview,
        draft: None,
        overpaid_since: None,
        fee_due: false,
    };
    at.tasks().first().map_or("", |task| task.kind.as_str())
}
