//! Brings PostgreSQL's tables up to date while processes of the previous version keep using them.
//!
//! A file is run statement by statement, each in its own transaction, which waits for a lock for half a second at a
//! time. The rows of a table are changed in batches, and a large table is indexed concurrently. How far a file was run
//! is noted in its row of `_sqlx_migrations`, which says `success` at its end: if a process is killed, another one
//! continues from there.

use std::time::{Duration, Instant};

use sqlx::migrate::{Migrate, MigrateError, Migration, Migrator};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tokio::time::sleep;

const TABLE: &str = "_sqlx_migrations";
/// How long a statement waits for its lock, with everyone who comes later queued behind it. Less than the time after
/// which PostgreSQL checks for deadlocks, so that the migration is what gives up.
const LOCK_TIMEOUT: &str = "500ms";
/// The same while another process migrates: one that builds an index waits for every statement that began before.
const TURN_TIMEOUT: &str = "250ms";
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const MAX_PAUSE: Duration = Duration::from_secs(5);
/// Rows that are changed at a time, and about how long that may take.
const FIRST_BATCH: i64 = 50;
const MAX_BATCH: i64 = 5_000;
const BATCH_TIME: Duration = Duration::from_millis(50);
/// Tables of this many bytes are indexed concurrently.
const LARGE: i64 = 512 * 1024;

/// A comparison in an old file, without the index of the applications because the columns' collations differ, and with
/// it.
const WITHOUT_INDEX: (&str, &str) =
    ("WHERE a.id = listings.application_id)", "WHERE a.id = listings.application_id COLLATE \"default\")");

/// A part of a file that is run in one go.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    Statement(String),
    Index {
        name: String,
        table: String,
        sql: String,
    },
    /// Changes rows of a table, with what must be done before and after each batch.
    Update {
        table: String,
        set: String,
        filter: Option<String>,
        around: Option<(String, String)>,
    },
}

/// How long the steps of a file took.
#[derive(Default)]
struct Took {
    longest: Duration,
    statement: String,
}

/// Runs the migrations that have not been run yet. Several processes may do so at once.
pub(super) async fn migrate(connection: &mut PgConnection, migrations: &Migrator) -> Result<(), MigrateError> {
    // A migration may take longer than a request does.
    for patient in ["SET statement_timeout = 0", "SET lock_timeout = 0", "SET idle_in_transaction_session_timeout = 0"]
    {
        connection.execute(patient).await?;
    }
    let is_new: bool =
        sqlx::query_scalar("SELECT to_regclass($1) IS NULL").bind(TABLE).fetch_one(&mut *connection).await?;
    if is_new {
        return migrations.run_direct(None, connection, false).await;
    }
    wait_for_turn(connection).await?;
    let done = run(connection, migrations).await;
    connection.unlock().await?;
    done
}

/// Keeps other processes from migrating, whatever their version.
async fn wait_for_turn(connection: &mut PgConnection) -> Result<(), MigrateError> {
    set_lock_timeout(connection, TURN_TIMEOUT).await?;
    while let Err(error) = connection.lock().await {
        match error {
            MigrateError::Execute(error) if is_passing(&error) => sleep(Duration::from_millis(50)).await,
            error => return Err(error),
        }
    }
    set_lock_timeout(connection, LOCK_TIMEOUT).await?;
    Ok(())
}

async fn run(connection: &mut PgConnection, migrations: &Migrator) -> Result<(), MigrateError> {
    let sql = "SELECT version, checksum, success, execution_time FROM _sqlx_migrations ORDER BY version";
    let applied: Vec<(i64, Vec<u8>, bool, i64)> = sqlx::query_as(sql).fetch_all(&mut *connection).await?;
    if let Some((version, ..)) = applied.iter().find(|(version, ..)| !migrations.version_exists(*version)) {
        return Err(MigrateError::VersionMissing(*version));
    }
    if applied.is_empty() {
        return migrations.run_direct(None, connection, false).await;
    }
    for migration in migrations.iter() {
        let row = applied.iter().find(|(version, ..)| *version == migration.version);
        if row.is_some_and(|(_, checksum, ..)| **checksum != *migration.checksum) {
            return Err(MigrateError::VersionMismatch(migration.version));
        }
        match row {
            Some((.., true, _)) => {}
            Some((.., false, done)) => apply(connection, migration, *done).await?,
            None => {
                let sql = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                           VALUES ($1, $2, FALSE, $3, 0)";
                let begin = sqlx::query(sql).bind(migration.version).bind(&*migration.description);
                begin.bind(&*migration.checksum).execute(&mut *connection).await?;
                apply(connection, migration, 0).await?;
            }
        }
    }
    Ok(())
}

/// Runs a migration, from the step at which it was interrupted.
async fn apply(connection: &mut PgConnection, migration: &Migration, done: i64) -> Result<(), MigrateError> {
    let (start, mut took) = (Instant::now(), Took::default());
    let failed = |error| MigrateError::ExecuteMigration(error, migration.version);
    let sql = migration.sql.as_str().replace(WITHOUT_INDEX.0, WITHOUT_INDEX.1);
    for (number, step) in (1i64..).zip(steps(&sql)).skip_while(|(number, _)| *number <= done) {
        let note = format!(
            "UPDATE {TABLE} SET execution_time = {number} WHERE version = {version}",
            version = migration.version
        );
        match step {
            Step::Statement(sql) => alone(connection, &[&sql, &note], &mut took).await.map_err(failed)?,
            Step::Index { name, table, sql } => {
                index(connection, &name, &table, &sql, &note, &mut took).await.map_err(failed)?;
            }
            Step::Update { table, set, filter, around } => {
                update(connection, &table, &set, filter.as_deref(), around.as_ref(), &mut took)
                    .await
                    .map_err(failed)?;
                alone(connection, &[&note], &mut took).await.map_err(failed)?;
            }
        }
    }
    let sql = "UPDATE _sqlx_migrations SET success = TRUE, execution_time = $2 WHERE version = $1";
    let nanoseconds = i64::try_from(start.elapsed().as_nanos()).unwrap_or(i64::MAX);
    sqlx::query(sql).bind(migration.version).bind(nanoseconds).execute(connection).await?;
    tracing::info!(
        version = migration.version,
        milliseconds = start.elapsed().as_millis(),
        longest_milliseconds = took.longest.as_millis(),
        longest = took.statement,
        "the database was migrated"
    );
    Ok(())
}

impl Took {
    fn note(&mut self, since: Instant, sql: &str) {
        if since.elapsed() > self.longest {
            self.longest = since.elapsed();
            self.statement = sql.split_whitespace().take(8).collect::<Vec<_>>().join(" ");
        }
    }
}

async fn set_lock_timeout(connection: &mut PgConnection, limit: &str) -> sqlx::Result<()> {
    sqlx::query("SELECT set_config('lock_timeout', $1, FALSE)").bind(limit).execute(connection).await.map(drop)
}

/// Whether a lock was not obtained in time, or there was a deadlock: nothing was done, and it can be tried again.
fn is_passing(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| ["55P03", "40P01", "40001"].contains(&&*code))
}

/// Waits before another attempt, each time longer.
async fn pause(error: &sqlx::Error, pause: &mut Duration, sql: &str) {
    tracing::warn!(%error, statement = sql, "a migration waits for its lock");
    sleep(*pause).await;
    *pause = MAX_PAUSE.min(*pause * 2);
}

/// Runs statements in one transaction, again and again until it gets its locks.
async fn alone(connection: &mut PgConnection, statements: &[&str], took: &mut Took) -> sqlx::Result<()> {
    let mut patience = FIRST_PAUSE;
    loop {
        let start = Instant::now();
        match at_once(connection, statements).await {
            Err(error) if is_passing(&error) => pause(&error, &mut patience, statements[0]).await,
            done => {
                took.note(start, statements[0]);
                return done;
            }
        }
    }
}

async fn at_once(connection: &mut PgConnection, statements: &[&str]) -> sqlx::Result<()> {
    let mut tx = connection.begin().await?;
    for sql in statements {
        sqlx::raw_sql(AssertSqlSafe((*sql).to_owned())).execute(&mut *tx).await?;
    }
    tx.commit().await
}

/// Creates an index, concurrently if that takes a while.
async fn index(
    connection: &mut PgConnection,
    name: &str,
    table: &str,
    sql: &str,
    note: &str,
    took: &mut Took,
) -> sqlx::Result<()> {
    let size: i64 =
        sqlx::query_scalar("SELECT pg_table_size(to_regclass($1))").bind(table).fetch_one(&mut *connection).await?;
    if size < LARGE {
        return alone(connection, &[sql, note], took).await;
    }
    let mut patience = FIRST_PAUSE;
    loop {
        // An interrupted attempt leaves an unusable one behind.
        let left: Option<bool> =
            sqlx::query_scalar("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)")
                .bind(name)
                .fetch_optional(&mut *connection)
                .await?;
        if left == Some(true) {
            return alone(connection, &[note], took).await;
        }
        let drop = format!("DROP INDEX CONCURRENTLY {name}");
        let create = sql.replacen("INDEX", "INDEX CONCURRENTLY", 1);
        // Nobody waits behind either, and both wait for the oldest transaction.
        set_lock_timeout(connection, "0").await?;
        let mut done = Ok(());
        for sql in [left.map(|_| drop), Some(create)].into_iter().flatten() {
            let start = Instant::now();
            done = done.and(sqlx::raw_sql(AssertSqlSafe(sql.clone())).execute(&mut *connection).await.map(|_| ()));
            took.note(start, &sql);
        }
        set_lock_timeout(connection, LOCK_TIMEOUT).await?;
        match done {
            Ok(()) => {}
            Err(error) if is_passing(&error) => pause(&error, &mut patience, sql).await,
            Err(error) => return Err(error),
        }
    }
}

/// Changes all rows of a table, in batches in the order of its primary key.
async fn update(
    connection: &mut PgConnection,
    table: &str,
    set: &str,
    filter: Option<&str>,
    around: Option<&(String, String)>,
    took: &mut Took,
) -> sqlx::Result<()> {
    let sql = "SELECT quote_ident(a.attname) FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid \
               AND a.attnum = ANY (i.indkey) WHERE i.indrelid = to_regclass($1) AND i.indisprimary \
               ORDER BY array_position(i.indkey::int2[], a.attnum)";
    let columns: Vec<String> = sqlx::query_scalar(sql).bind(table).fetch_all(&mut *connection).await?;
    let key = columns.iter().map(|column| format!("{table}.{column}")).collect::<Vec<_>>().join(", ");
    let texts = columns.iter().map(|column| format!("{table}.{column}::text")).collect::<Vec<_>>().join(", ");
    let filter = filter.map_or(String::new(), |filter| format!("({filter}) AND "));
    let after = |last: Option<&Vec<String>>| last.map(|last| format!("({key}) > ({})", literals(last)));
    let (mut last, mut batch): (Option<Vec<String>>, i64) = (None, FIRST_BATCH);
    loop {
        let from = after(last.as_ref()).unwrap_or_else(|| "TRUE".into());
        let end = format!("SELECT ARRAY[{texts}] FROM {table} WHERE {from} ORDER BY {key} OFFSET {batch} - 1 LIMIT 1");
        let to: Option<Vec<String>> =
            sqlx::query_scalar(AssertSqlSafe(end)).persistent(false).fetch_optional(&mut *connection).await?;
        let until = to.as_ref().map_or(String::new(), |to| format!(" AND ({key}) <= ({})", literals(to)));
        let sql = format!("{set} WHERE {filter}{from}{until}");
        let start = Instant::now();
        match around {
            Some((before, after)) => alone(connection, &[before, &sql, after], took).await?,
            None => alone(connection, &[&sql], took).await?,
        }
        if to.is_none() {
            return Ok(());
        }
        batch = match start.elapsed() {
            took if took < BATCH_TIME / 2 => MAX_BATCH.min(batch * 2),
            took if took > BATCH_TIME => (batch / 2).max(1),
            _ => batch,
        };
        last = to;
    }
}

/// Returns the texts of a key as SQL literals.
fn literals(key: &[String]) -> String {
    let quoted: Vec<String> =
        key.iter().map(|text| format!("E'{}'", text.replace('\\', "\\\\").replace('\'', "''"))).collect();
    quoted.join(", ")
}

/// Splits a file into steps, in order.
fn steps(sql: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for sql in statements(sql) {
        match (&mut *steps, step(&sql)) {
            // A trigger is off during each batch, and not between two of them.
            ([.., Step::Statement(off), Step::Update { around, .. }], Step::Statement(on))
                if off.contains(" DISABLE TRIGGER ") && on == off.replace(" DISABLE ", " ENABLE ") =>
            {
                *around = Some((off.clone(), on));
                let update = steps.pop();
                steps.pop();
                steps.extend(update);
            }
            (_, step) => steps.push(step),
        }
    }
    steps
}

fn step(sql: &str) -> Step {
    let words: Vec<&str> = sql.split(|c: char| c.is_whitespace() || c == '(').filter(|word| !word.is_empty()).collect();
    match &*words {
        ["CREATE", "INDEX", name, "ON", table, ..] | ["CREATE", "UNIQUE", "INDEX", name, "ON", table, ..] => {
            Step::Index { name: (*name).into(), table: (*table).into(), sql: sql.into() }
        }
        ["UPDATE", table, ..] => {
            let (set, filter) = match outer(sql, "WHERE") {
                Some(at) => (sql[..at].trim_end(), Some(sql[at + "WHERE".len()..].trim().to_owned())),
                None => (sql, None),
            };
            Step::Update { table: (*table).into(), set: set.into(), filter, around: None }
        }
        _ => Step::Statement(sql.into()),
    }
}

/// Returns where a word is outside of parentheses.
fn outer(sql: &str, word: &str) -> Option<usize> {
    let mut depth = 0;
    sql.char_indices().find_map(|(at, character)| {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        let stands_alone = |side: Option<char>| side.is_none_or(|side| side.is_whitespace() || "()".contains(side));
        let is_it = depth == 0
            && sql[at..].starts_with(word)
            && stands_alone(sql[..at].chars().next_back())
            && stands_alone(sql[at + word.len()..].chars().next());
        is_it.then_some(at)
    })
}

/// Splits a file into statements, without its comments.
fn statements(sql: &str) -> Vec<String> {
    let (mut statements, mut statement, mut rest) = (Vec::new(), String::new(), sql);
    while let Some(next) = rest.chars().next() {
        // The length of what belongs together, whatever is in it.
        let piece = if rest.starts_with("--") {
            let end = rest.find('\n').unwrap_or(rest.len());
            rest = &rest[end..];
            continue;
        } else if let Some(body) = rest.strip_prefix("$$") {
            body.find("$$").map_or(rest.len(), |end| end + 4)
        } else if next == '\'' {
            rest[1..].find('\'').map_or(rest.len(), |end| end + 2)
        } else {
            next.len_utf8()
        };
        if next == ';' {
            statements.push(std::mem::take(&mut statement));
        } else {
            statement.push_str(&rest[..piece]);
        }
        rest = &rest[piece..];
    }
    statements.push(statement);
    let tidy = |statement: String| {
        let lines: Vec<&str> = statement.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        lines.join("\n").trim().to_owned()
    };
    statements.into_iter().map(tidy).filter(|statement| !statement.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::POSTGRES_MIGRATIONS;

    /// The last file that was written before anybody used the product.
    const BEGINNING: i64 = 2;
    /// Tables that have few rows in every school.
    const SMALL: [&str; 2] = ["IDENTITY_PROVIDERS", "INTERVIEW_SLOTS"];

    fn words(sql: &str) -> Vec<String> {
        let parts = sql.split(|c: char| c.is_whitespace() || "(),".contains(c)).filter(|word| !word.is_empty());
        parts.map(str::to_uppercase).collect()
    }

    /// Returns the tables that a file creates.
    fn made(sql: &str) -> HashSet<String> {
        let each = statements(sql);
        let tables = each.iter().filter_map(|sql| match &*words(sql) {
            [create, table, name, ..] if create == "CREATE" && table == "TABLE" => Some(name.clone()),
            _ => None,
        });
        tables.collect()
    }

    /// Returns why a file would block those who use existing tables, or break those who run an older version.
    fn faults(sql: &str) -> Vec<String> {
        let new = made(sql);
        let faults = steps(sql).into_iter().filter_map(|step| match step {
            Step::Index { .. } => None,
            // Its rows are found by the table's name.
            Step::Update { set, .. } => (words(&set)[2] != "SET").then_some(set),
            Step::Statement(sql) => (!is_brief(&sql, &new)).then_some(sql),
        });
        faults.collect()
    }

    fn is_brief(sql: &str, new: &HashSet<String>) -> bool {
        let words = words(sql);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match &*words {
            ["CREATE", "TABLE" | "FUNCTION" | "TRIGGER", ..] => true,
            ["ALTER" | "INSERT", "TABLE" | "INTO", table, ..] if new.contains(*table) => true,
            ["ALTER", "TABLE", table, "ADD", "COLUMN", ..] => {
                sql.split("ADD COLUMN").skip(1).all(|column| is_brief_to_add(column, SMALL.contains(table)))
            }
            ["ALTER", "TABLE", _, "ADD", "CONSTRAINT", .., "NOT", "VALID"]
            | ["ALTER", "TABLE", _, "VALIDATE", "CONSTRAINT", _] => true,
            _ => false,
        }
    }

    /// Whether the table's rows need neither be written nor read.
    fn is_brief_to_add(column: &str, is_small: bool) -> bool {
        let words = words(column);
        let has = |word: &str| words.iter().any(|one| one == word);
        let default = column.split_once("DEFAULT").map(|(_, default)| default.trim_start());
        // A value that is the same for all rows is stored once.
        let is_constant = default.is_none_or(|text| text.starts_with(|c: char| c == '\'' || c.is_ascii_digit()));
        is_constant
            && (default.is_some() || !has("NULL"))
            && (default.is_none() || !has("REFERENCES"))
            && (is_small || !has("CHECK"))
            && !["UNIQUE", "PRIMARY", "GENERATED"].into_iter().any(has)
    }

    #[test]
    fn no_file_locks_long() {
        for migration in POSTGRES_MIGRATIONS.iter().filter(|migration| migration.version > BEGINNING) {
            let faults = faults(migration.sql.as_str());
            assert!(faults.is_empty(), "{} {}: {faults:#?}", migration.version, migration.description);
        }
    }

    #[test]
    fn what_locks_long_is_found() {
        for sql in [
            "ALTER TABLE outbox ADD COLUMN token TEXT NOT NULL DEFAULT gen_random_uuid()::text",
            "ALTER TABLE outbox ADD COLUMN token TEXT NOT NULL",
            "ALTER TABLE outbox ADD COLUMN token TEXT UNIQUE",
            "ALTER TABLE outbox ADD COLUMN one TEXT, ADD COLUMN staff_id TEXT DEFAULT '' REFERENCES staff (id)",
            "ALTER TABLE outbox ALTER COLUMN attempts TYPE TEXT",
            "ALTER TABLE outbox ALTER COLUMN about_applicant_id SET NOT NULL",
            "ALTER TABLE outbox ADD CONSTRAINT outbox_size CHECK (attempts < 100)",
            "ALTER TABLE outbox DROP COLUMN attempts",
            "ALTER TABLE outbox RENAME TO mails",
            "DROP TABLE outbox",
            "DELETE FROM outbox WHERE state = 'sent'",
            "INSERT INTO outbox SELECT * FROM audit",
            "CREATE MATERIALIZED VIEW mails AS SELECT * FROM outbox",
            "REINDEX TABLE outbox",
            "LOCK TABLE outbox",
            "UPDATE outbox o SET attempts = 0",
            "ALTER TABLE outbox DISABLE TRIGGER one; UPDATE applicants SET language = 'en'",
        ] {
            assert_eq!(faults(sql).len(), 1, "{sql}");
        }
        for sql in [
            "ALTER TABLE outbox ADD COLUMN staff_id TEXT REFERENCES staff (id), ADD COLUMN size BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE outbox ADD CONSTRAINT outbox_size CHECK (attempts < 100) NOT VALID",
            "ALTER TABLE outbox VALIDATE CONSTRAINT outbox_size",
            "CREATE TABLE a (id TEXT PRIMARY KEY); ALTER TABLE a ADD UNIQUE (id); INSERT INTO a VALUES ('1')",
            "ALTER TABLE outbox DISABLE TRIGGER one; UPDATE outbox SET attempts = 0; ALTER TABLE outbox ENABLE TRIGGER one",
        ] {
            assert_eq!(faults(sql), Vec::<String>::new(), "{sql}");
        }
    }

    #[test]
    fn a_file_comes_apart_into_its_statements() {
        let sql = "-- One; two.\nCREATE TABLE a (\n    -- x;\n    b TEXT DEFAULT 'c;--'\n);\nCREATE FUNCTION f() AS $$\nBEGIN; END\n$$;\n";
        assert_eq!(
            statements(sql),
            ["CREATE TABLE a (\n    b TEXT DEFAULT 'c;--'\n)", "CREATE FUNCTION f() AS $$\nBEGIN; END\n$$"]
        );
    }

    #[test]
    fn rows_are_changed_by_a_filter_of_their_own() {
        let sql = "UPDATE a SET b = (SELECT c FROM d WHERE d.id = a.id) FROM e WHERE e.id = a.id OR e.x = 1";
        let expected = Step::Update {
            table: "a".into(),
            set: "UPDATE a SET b = (SELECT c FROM d WHERE d.id = a.id) FROM e".into(),
            filter: Some("e.id = a.id OR e.x = 1".into()),
            around: None,
        };
        assert_eq!(step(sql), expected);
        let whole = "UPDATE a SET b = (SELECT c FROM d WHERE d.id = a.id)";
        assert!(matches!(step(whole), Step::Update { set, filter: None, .. } if set == whole));
        assert_eq!(literals(&["a'b".into(), "c\\".into()]), "E'a''b', E'c\\\\'");
    }

    #[test]
    fn a_unique_index_is_one() {
        let sql = "CREATE UNIQUE INDEX a_b ON a (b) WHERE c IS NULL";
        assert_eq!(step(sql), Step::Index { name: "a_b".into(), table: "a".into(), sql: sql.into() });
    }
}
