//! Imports: their rows, what they brought in, and taking it back.

use super::accounts::{end_pending, insert_applicant};
use super::applications::insert_application;
use super::email_confirmations::drop_email_confirmation;
use super::error::unreadable;
use super::in_place::row;
use super::query::{Tx, args};
use super::{Db, drafts};
use crate::{AuditEntry, NewJob, StoreError, Stored};
use domain::account::Applicant;
use domain::application::Application;
use domain::import::{
    Counts, Format, Import, ImportedFrom, Mapping, Problem, ROWS_ON_A_PAGE, Row, RowPage, RowQuery, RowState, State,
};
use domain::intake::Intake;
use domain::moments::Millis;

/// A new import.
#[derive(Debug, Clone)]
pub struct NewImport {
    pub id: String,
    pub name: String,
    pub format: Format,
    pub headers: Vec<String>,
    pub mapping: Mapping,
    pub state: State,
    pub created_at: Millis,
    /// Id of a member of staff.
    pub created_by: String,
}

/// A row that was checked.
#[derive(Debug, Clone)]
pub struct CheckedRow {
    pub number: i64,
    pub state: RowState,
    pub problems: Vec<Problem>,
    /// If it is right and its application goes on here: the address that no other row may have.
    pub active_email_key: Option<String>,
    /// If it is right: the number that no other row may have.
    pub former_reference: Option<String>,
}

/// What the rows before say that none after may repeat.
#[derive(Debug, Clone, Default)]
pub struct Claimed {
    /// Addresses with the number of their row.
    pub emails: Vec<(String, i64)>,
    /// Former references with the number of their row.
    pub references: Vec<(String, i64)>,
}

/// An application that comes from elsewhere, with everything that belongs to it.
#[derive(Debug, Clone)]
pub struct BroughtIn {
    /// The account, if it is made for it.
    pub applicant: Option<Applicant>,
    /// At stage `none`, with the times it has from elsewhere.
    pub application: Application,
    pub import_id: String,
    pub row_number: i64,
    pub former_reference: Option<String>,
    /// The intake of one that is over.
    pub intake: Option<Intake>,
    pub tag: Option<String>,
    pub at: Millis,
    /// About the account.
    pub audit: Option<AuditEntry>,
}

/// The account of an address in an import.
#[derive(Debug, Clone)]
pub struct KnownAccount {
    pub applicant: Applicant,
    /// It has an application that is not over.
    pub has_active: bool,
    /// It was made by an import.
    pub is_imported: bool,
}

/// An imported application, to be taken back.
#[derive(Debug, Clone)]
pub struct ImportedRow {
    pub number: i64,
    pub application_id: String,
}

row! {
    struct ImportRow {
        id: String,
        name: String,
        format: String,
        headers: String,
        mapping: String,
        state: String,
        created_at: i64,
        email: String,
        started_at: Option<i64>,
        finished_at: Option<i64>,
        undone_at: Option<i64>,
    }
}

macro_rules! imports {
    ($more:literal) => {
        concat!(
            "SELECT i.id, i.name, i.format, i.headers, i.mapping, i.state, i.created_at, \
             COALESCE((SELECT s.email FROM staff s WHERE s.id = i.created_by), '') AS email, \
             i.started_at, i.finished_at, i.undone_at FROM imports i ",
            $more
        )
    };
}

row! {
    struct RowOfImport {
        number: i64,
        cells: Option<String>,
        state: String,
        problems: String,
        application_id: Option<String>,
        first_name: Option<String>,
        last_name: Option<String>,
        reference: Option<String>,
    }
}

/// Rows with what they brought in.
macro_rules! rows {
    ($more:literal) => {
        concat!(
            "SELECT r.number, r.cells, r.state, r.problems, m.application_id, p.first_name, p.last_name, a.reference \
             FROM import_rows r LEFT JOIN imported_applications m ON m.import_id = r.import_id AND m.row_number = r.number \
             LEFT JOIN applications a ON a.id = m.application_id LEFT JOIN applicants p ON p.id = a.applicant_id \
             WHERE r.import_id = $1 ",
            $more
        )
    };
}

/// Whether somebody has worked on the imported application `m.application_id`: its applicant, who sets a password to
/// get into an account that was made for it, or staff. At revision 2 it is as it was imported.
macro_rules! worked_on {
    () => {
        "(EXISTS (SELECT 1 FROM applications a WHERE a.id = m.application_id AND a.revision <> 2) \
         OR EXISTS (SELECT 1 FROM application_notes n WHERE n.application_id = m.application_id) \
         OR EXISTS (SELECT 1 FROM conversation_messages n WHERE n.application_id = m.application_id) \
         OR EXISTS (SELECT 1 FROM readings n WHERE n.application_id = m.application_id) \
         OR EXISTS (SELECT 1 FROM decisions n WHERE n.application_id = m.application_id) \
         OR EXISTS (SELECT 1 FROM interview_wishes n WHERE n.application_id = m.application_id) \
         OR EXISTS (SELECT 1 FROM document_reviews n WHERE n.application_id = m.application_id) \
         OR EXISTS (SELECT 1 FROM duplicates n WHERE n.one_id = m.application_id OR n.other_id = m.application_id) \
         OR EXISTS (SELECT 1 FROM referees n WHERE n.application_id = m.application_id) \
         OR EXISTS (SELECT 1 FROM slot_claims n WHERE n.application_id = m.application_id) \
         OR EXISTS (SELECT 1 FROM webhook_events n WHERE n.application_id = m.application_id) \
         OR EXISTS (SELECT 1 FROM applications a JOIN documents d ON d.applicant_id = a.applicant_id \
         WHERE a.id = m.application_id AND d.updated_at >= m.imported_at) \
         OR EXISTS (SELECT 1 FROM applications a JOIN applicants p ON p.id = a.applicant_id \
         WHERE a.id = m.application_id AND EXISTS (SELECT 1 FROM applications b JOIN imported_applications n \
         ON n.application_id = b.id WHERE b.applicant_id = p.id AND n.made_account = 1) \
         AND (p.email_confirmed_at IS NOT NULL \
         OR EXISTS (SELECT 1 FROM sessions s WHERE s.applicant_id = p.id) \
         OR EXISTS (SELECT 1 FROM outbox o WHERE o.applicant_id = p.id AND o.template <> 'application-imported'))))"
    };
}

impl TryFrom<RowOfImport> for Row {
    type Error = StoreError;

    fn try_from(row: RowOfImport) -> Result<Self, StoreError> {
        let wrong = |column: &str| unreadable(column, &row.number.to_string());
        let cells = row.cells.as_deref().map(serde_json::from_str).transpose();
        Ok(Row {
            number: row.number,
            cells: cells.map_err(|_| wrong("import_rows.cells"))?,
            state: RowState::parse(&row.state).ok_or_else(|| wrong("import_rows.state"))?,
            problems: serde_json::from_str(&row.problems).map_err(|_| wrong("import_rows.problems"))?,
            application_id: row.application_id,
            name: row.first_name.zip(row.last_name).map(|(first, last)| format!("{first} {last}")),
            reference: row.reference,
        })
    }
}

fn text_of<T: serde::Serialize>(value: &T) -> String {
    serde_json::json!(value).to_string()
}

impl Db {
    /// Stores a new import with its rows, and the job that checks them if their columns are known.
    pub async fn create_import(
        &self,
        import: &NewImport,
        rows: &[(i64, Vec<String>)],
        audit: &AuditEntry,
        job: Option<&NewJob>,
    ) -> Stored<()> {
        let NewImport { id, name, format, headers, mapping, state, created_at, created_by } = import;
        let mut tx = self.begin().await?;
        tx.execute(
            "INSERT INTO imports (id, name, format, headers, mapping, state, created_at, created_by) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            args![
                id,
                name,
                format.as_str(),
                &text_of(headers),
                &text_of(mapping),
                state.as_str(),
                *created_at,
                created_by
            ],
        )
        .await?;
        for (number, cells) in rows {
            let sql = "INSERT INTO import_rows (import_id, number, cells, state, problems) \
                       VALUES ($1, $2, $3, 'unchecked', '[]')";
            tx.execute(sql, args![id, *number, &text_of(cells)]).await?;
        }
        if let Some(job) = job {
            tx.job(job).await?;
        }
        tx.audit(audit).await?;
        tx.commit().await
    }

    /// Returns the newest imports.
    pub async fn imports(&self, limit: i64) -> Stored<Vec<Import>> {
        let sql = imports!("ORDER BY i.created_at DESC, i.id DESC LIMIT $1");
        let rows: Vec<ImportRow> = self.fetch_all(sql, args![limit]).await?;
        let mut imports = Vec::with_capacity(rows.len());
        for row in rows {
            imports.push(self.with_counts(row).await?);
        }
        Ok(imports)
    }

    pub async fn import(&self, id: &str) -> Stored<Option<Import>> {
        let row: Option<ImportRow> = self.fetch_optional(imports!("WHERE i.id = $1"), args![id]).await?;
        match row {
            Some(row) => self.with_counts(row).await.map(Some),
            None => Ok(None),
        }
    }

    async fn with_counts(&self, row: ImportRow) -> Stored<Import> {
        let sql = "SELECT state, COUNT(*) FROM import_rows WHERE import_id = $1 GROUP BY state";
        let counts: Vec<(String, i64)> = self.fetch_all(sql, args![&row.id]).await?;
        let counts = counts.into_iter().filter_map(|(state, count)| Some((RowState::parse(&state)?, count)));
        let wrong = |column: &str| unreadable(column, &row.id);
        Ok(Import {
            counts: Counts::of(counts),
            format: Format::parse(&row.format).ok_or_else(|| wrong("imports.format"))?,
            headers: serde_json::from_str(&row.headers).map_err(|_| wrong("imports.headers"))?,
            mapping: serde_json::from_str(&row.mapping).map_err(|_| wrong("imports.mapping"))?,
            state: State::parse(&row.state).ok_or_else(|| wrong("imports.state"))?,
            id: row.id,
            name: row.name,
            created_at: row.created_at,
            created_by: row.email,
            started_at: row.started_at,
            finished_at: row.finished_at,
            undone_at: row.undone_at,
        })
    }

    /// Returns how the columns of the last table with the same headings were mapped.
    pub async fn last_mapping(&self, headers: &[String]) -> Stored<Option<Mapping>> {
        let sql = "SELECT mapping FROM imports WHERE headers = $1 AND state <> 'mapping' \
                   ORDER BY created_at DESC, id DESC LIMIT 1";
        let row: Option<(String,)> = self.fetch_optional(sql, args![&text_of(&headers)]).await?;
        // What an older version wrote may not fit; then the columns are mapped anew.
        Ok(row.and_then(|(mapping,)| serde_json::from_str(&mapping).ok()))
    }

    /// Returns a page of rows, in their order.
    pub async fn import_rows(&self, id: &str, query: RowQuery) -> Stored<RowPage> {
        let limit = ROWS_ON_A_PAGE + 1;
        let rows: Vec<RowOfImport> = match query.show.state() {
            None => {
                let sql = rows!("AND r.number > $2 ORDER BY r.number LIMIT $3");
                self.fetch_all(sql, args![id, query.after, limit]).await?
            }
            Some(state) => {
                let sql = rows!("AND r.state = $4 AND r.number > $2 ORDER BY r.number LIMIT $3");
                self.fetch_all(sql, args![id, query.after, limit, state.as_str()]).await?
            }
        };
        let mut rows: Vec<Row> = rows.into_iter().map(Row::try_from).collect::<Stored<_>>()?;
        let has_more = rows.len() as i64 == limit;
        if has_more {
            rows.pop();
        }
        Ok(RowPage { next: rows.last().map(|row| row.number).filter(|_| has_more), rows })
    }

    pub async fn import_row(&self, id: &str, number: i64) -> Stored<Option<Row>> {
        let sql = rows!("AND r.number = $2");
        let row: Option<RowOfImport> = self.fetch_optional(sql, args![id, number]).await?;
        row.map(Row::try_from).transpose()
    }

    /// Returns the first rows in a state, in their order.
    pub async fn rows_in_state(&self, id: &str, state: RowState, limit: i64) -> Stored<Vec<Row>> {
        let sql = rows!("AND r.state = $2 ORDER BY r.number LIMIT $3");
        let rows: Vec<RowOfImport> = self.fetch_all(sql, args![id, state.as_str(), limit]).await?;
        rows.into_iter().map(Row::try_from).collect()
    }

    /// Returns the next rows that can be imported, in their order.
    pub async fn importable_rows(&self, id: &str, limit: i64) -> Stored<Vec<Row>> {
        let sql = rows!("AND r.state IN ('ready', 'warned') ORDER BY r.number LIMIT $2");
        let rows: Vec<RowOfImport> = self.fetch_all(sql, args![id, limit]).await?;
        rows.into_iter().map(Row::try_from).collect()
    }

    /// Changes what the columns are for, and plans the check. Returns false if that is not possible now.
    pub async fn map_import(&self, id: &str, mapping: &Mapping, audit: &AuditEntry, job: &NewJob) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql =
            "UPDATE imports SET mapping = $2, state = 'checking' WHERE id = $1 AND state IN ('mapping', 'checked')";
        if tx.execute(sql, args![id, &text_of(mapping)]).await? == 0 {
            return Ok(false);
        }
        let sql = "UPDATE import_rows SET state = 'unchecked', problems = '[]', active_email_key = NULL, \
                   former_reference = NULL WHERE import_id = $1 AND cells IS NOT NULL";
        tx.execute(sql, args![id]).await?;
        tx.job(job).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns what rows that are right have, and no other may have.
    pub async fn claimed_by_rows(&self, id: &str) -> Stored<Claimed> {
        let sql = "SELECT active_email_key, former_reference, number FROM import_rows \
                   WHERE import_id = $1 AND (active_email_key IS NOT NULL OR former_reference IS NOT NULL)";
        let rows: Vec<(Option<String>, Option<String>, i64)> = self.fetch_all(sql, args![id]).await?;
        let mut claimed = Claimed::default();
        for (email, reference, number) in rows {
            claimed.emails.extend(email.map(|email| (email, number)));
            claimed.references.extend(reference.map(|reference| (reference, number)));
        }
        Ok(claimed)
    }

    /// Returns the account with this address.
    pub async fn account_of_address(&self, email_key: &str) -> Stored<Option<KnownAccount>> {
        let Some(applicant) = self.applicant_by_email(email_key).await? else { return Ok(None) };
        let has_active = self.active_application(&applicant.id).await?.is_some();
        let sql = "SELECT COUNT(*) FROM imported_applications m JOIN applications a ON a.id = m.application_id \
                   WHERE a.applicant_id = $1 AND m.made_account = 1";
        let imported: Vec<(i64,)> = self.fetch_all(sql, args![&applicant.id]).await?;
        let is_imported = imported.first().is_some_and(|(count,)| *count > 0);
        Ok(Some(KnownAccount { applicant, has_active, is_imported }))
    }

    /// Returns the number of the row that brought in the application with this former number, and its import's name.
    pub async fn imported_reference(&self, former_reference: &str) -> Stored<Option<(String, i64)>> {
        let sql = "SELECT i.name, m.row_number FROM imported_applications m JOIN imports i ON i.id = m.import_id \
                   WHERE m.former_reference = $1";
        self.fetch_optional(sql, args![former_reference]).await
    }

    /// Stores what was found out about rows.
    pub async fn save_checks(&self, id: &str, rows: &[CheckedRow]) -> Stored<()> {
        let mut tx = self.begin().await?;
        for CheckedRow { number, state, problems, active_email_key, former_reference } in rows {
            let sql = "UPDATE import_rows SET state = $3, problems = $4, active_email_key = $5, former_reference = $6 \
                       WHERE import_id = $1 AND number = $2 AND state IN ('unchecked', 'ready', 'warned')";
            let problems = text_of(problems);
            let args =
                args![id, *number, state.as_str(), &problems, active_email_key.as_deref(), former_reference.as_deref()];
            tx.execute(sql, args).await?;
        }
        tx.commit().await
    }

    /// Moves an import from one state to the next, and plans the job that works on it. Returns false if it is not in
    /// that state.
    pub async fn move_import(
        &self,
        id: &str,
        (from, to): (State, State),
        audit: Option<&AuditEntry>,
        job: Option<&NewJob>,
        now: Millis,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = match to {
            State::Running => "UPDATE imports SET state = $3, started_at = $4 WHERE id = $1 AND state = $2",
            State::Done => "UPDATE imports SET state = $3, finished_at = $4 WHERE id = $1 AND state = $2",
            State::Undone => "UPDATE imports SET state = $3, undone_at = $4 WHERE id = $1 AND state = $2",
            _ => "UPDATE imports SET state = $3 WHERE id = $1 AND state = $2 AND $4 > 0",
        };
        if tx.execute(sql, args![id, from.as_str(), to.as_str(), now]).await? == 0 {
            return Ok(false);
        }
        if let Some(job) = job {
            tx.job(job).await?;
        }
        if let Some(audit) = audit {
            tx.audit(audit).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Returns imported rows, the last first: the account was made for somebody's first row.
    pub async fn imported_rows(&self, id: &str, limit: i64) -> Stored<Vec<ImportedRow>> {
        let sql = "SELECT r.number, m.application_id FROM import_rows r JOIN imported_applications m \
                   ON m.import_id = r.import_id AND m.row_number = r.number \
                   WHERE r.import_id = $1 AND r.state = 'imported' ORDER BY r.number DESC LIMIT $2";
        let rows: Vec<(i64, String)> = self.fetch_all(sql, args![id, limit]).await?;
        Ok(rows.into_iter().map(|(number, application_id)| ImportedRow { number, application_id }).collect())
    }

    /// Returns how many applications of an import somebody has worked on.
    pub async fn worked_on_of(&self, id: &str) -> Stored<i64> {
        let sql = concat!("SELECT COUNT(*) FROM imported_applications m WHERE m.import_id = $1 AND ", worked_on!());
        let rows: Vec<(i64,)> = self.scan(sql, args![id]).await?;
        Ok(rows.first().map_or(0, |(count,)| *count))
    }

    /// Returns whether nobody has worked on this application since it was imported.
    pub async fn is_only_imported(&self, application_id: &str) -> Stored<bool> {
        let sql =
            concat!("SELECT COUNT(*) FROM imported_applications m WHERE m.application_id = $1 AND NOT ", worked_on!());
        let rows: Vec<(i64,)> = self.fetch_all(sql, args![application_id]).await?;
        Ok(rows.first().is_some_and(|(count,)| *count > 0))
    }

    /// Notes that a row stays although the import is undone.
    pub async fn keep_row(&self, id: &str, number: i64) -> Stored<()> {
        let sql = "UPDATE import_rows SET state = 'kept' WHERE import_id = $1 AND number = $2 AND state = 'imported'";
        self.execute(sql, args![id, number]).await?;
        Ok(())
    }

    /// Deletes an import with its rows. Returns false if what it brought in is there, or it is being worked on.
    pub async fn delete_import(&self, id: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        // First, so that nobody starts it meanwhile.
        let sql = "UPDATE imports SET state = state WHERE id = $1 \
                   AND state NOT IN ('running', 'undoing') AND NOT EXISTS \
                   (SELECT 1 FROM imported_applications m WHERE m.import_id = imports.id)";
        if tx.execute(sql, args![id]).await? == 0 {
            return Ok(false);
        }
        tx.execute("DELETE FROM import_rows WHERE import_id = $1", args![id]).await?;
        tx.execute("DELETE FROM imports WHERE id = $1", args![id]).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns where an application comes from, if it was imported.
    pub async fn imported(&self, application_id: &str) -> Stored<Option<ImportedFrom>> {
        let sql = "SELECT i.id, i.name, m.row_number, m.former_reference FROM imported_applications m \
                   JOIN imports i ON i.id = m.import_id WHERE m.application_id = $1";
        let row: Option<(String, String, i64, Option<String>)> =
            self.fetch_optional(sql, args![application_id]).await?;
        Ok(row.map(|(import_id, import_name, number, former_reference)| ImportedFrom {
            import_id,
            import_name,
            number,
            former_reference,
        }))
    }
}

/// Writes the application, its account if it is new, and where it comes from. Its row no longer needs its cells.
pub(super) async fn bring_in(tx: &mut Tx, brought_in: &BroughtIn) -> Stored<()> {
    let BroughtIn { applicant, application, import_id, row_number, former_reference, intake, tag, at, audit } =
        brought_in;
    // First, so that a row is never imported twice.
    let sql = "UPDATE import_rows SET state = 'imported', cells = NULL, active_email_key = NULL, \
               former_reference = NULL WHERE import_id = $1 AND number = $2 AND state IN ('ready', 'warned')";
    if tx.execute(sql, args![import_id, *row_number]).await? == 0 {
        return Err(StoreError::Taken("import_row"));
    }
    if let Some(applicant) = applicant {
        insert_applicant(tx, applicant).await?;
    }
    insert_application(tx, application).await?;
    tx.execute(
        "INSERT INTO imported_applications (application_id, import_id, row_number, former_reference, intake, \
         made_account, imported_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        args![
            &application.id,
            import_id,
            *row_number,
            former_reference.as_deref(),
            intake.map(Intake::code).as_deref(),
            i64::from(applicant.is_some()),
            *at,
        ],
    )
    .await?;
    if let Some(tag) = tag {
        let sql = "INSERT INTO application_tags (application_id, tag) VALUES ($1, $2)";
        tx.execute(sql, args![&application.id, tag]).await?;
    }
    match audit {
        Some(audit) => tx.audit(audit).await,
        None => Ok(()),
    }
}

/// Deletes an imported application, and the account that was made for it unless it has another one. Returns false if
/// somebody has worked on it.
pub(super) async fn take_back(tx: &mut Tx, application: &Application, about_account: &AuditEntry) -> Stored<bool> {
    let Application { id, applicant_id, .. } = application;
    // The change of stage that undoes it is already written: it is at the next revision.
    let sql = "UPDATE applications SET revision = revision - 1 WHERE id = $1";
    tx.execute(sql, args![id]).await?;
    let sql = concat!(
        "SELECT m.made_account FROM imported_applications m WHERE m.application_id = $1 AND NOT ",
        worked_on!()
    );
    let found: Vec<(i64,)> = tx.fetch_all(sql, args![id]).await?;
    let Some((made_account,)) = found.into_iter().next() else { return Ok(false) };
    tx.execute("DELETE FROM snapshots WHERE application_id = $1", args![id]).await?;
    drafts::delete_application(tx, id).await?;
    if made_account == 0 {
        return Ok(true);
    }
    // The account goes with the last of the applications that were imported for it.
    let sql = "UPDATE imported_applications SET made_account = 1 WHERE application_id = \
               (SELECT MIN(m.application_id) FROM imported_applications m JOIN applications a ON a.id = m.application_id \
               WHERE a.applicant_id = $1)";
    tx.execute(sql, args![applicant_id]).await?;
    let others = "SELECT COUNT(*) FROM applications WHERE applicant_id = $1";
    let others: Vec<(i64,)> = tx.fetch_all(others, args![applicant_id]).await?;
    if others.first().is_some_and(|(count,)| *count == 0) {
        end_pending(tx, applicant_id).await?;
        drop_email_confirmation(tx, applicant_id).await?;
        tx.execute("DELETE FROM outbox WHERE applicant_id = $1", args![applicant_id]).await?;
        tx.execute("DELETE FROM outbox WHERE about_applicant_id = $1", args![applicant_id]).await?;
        let sql = "UPDATE prospects SET applicant_id = NULL WHERE applicant_id = $1";
        tx.execute(sql, args![applicant_id]).await?;
        tx.execute("DELETE FROM applicants WHERE id = $1", args![applicant_id]).await?;
        tx.audit(about_account).await?;
    }
    Ok(true)
}

/// Forgets where an application comes from that is deleted.
pub(super) async fn forget(tx: &mut Tx, application_id: &str) -> Stored<()> {
    let sql = "UPDATE import_rows SET state = 'undone' WHERE (import_id, number) IN \
               (SELECT import_id, row_number FROM imported_applications WHERE application_id = $1)";
    tx.execute(sql, args![application_id]).await?;
    tx.execute("DELETE FROM imported_applications WHERE application_id = $1", args![application_id]).await?;
    Ok(())
}
