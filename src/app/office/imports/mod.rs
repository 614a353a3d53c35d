//! Imports of applicants and applications: uploaded or sent, mapped, checked, run and undone. The work itself is done
//! by jobs, in [`working`].

mod inputs;
mod working;

use bytes::Bytes;
use serde_json::{Value, json};

use crate::App;
use crate::error::{Error, Refusal};
use crate::jobs;
use crate::office::list_views::{MAX_NAME_LENGTH, named};
use crate::ports::TableError;
use domain::import::{
    Field, Fields, Format, Import, ImportedFrom, MAX_COLUMNS, MAX_FILE, MAX_ROWS, Mapping, Row, RowPage, RowQuery,
    RowState, ShownField, State,
};
use domain::input::{FieldError, Input};
use domain::permission::Permission;
use domain::questionnaire::QuestionSets;
use domain::sentence::Sentence;
use domain::staff::StaffSession;
use store::{AuditEntry, NewJob};

pub use inputs::{ImportMapping, ImportStart, ImportUndo, NewImport};

/// Imports in the list.
const LISTED: i64 = 100;
const SAMPLES: usize = 3;

impl App {
    /// What a column can be for.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn import_fields(&self, who: &StaffSession) -> Result<Vec<Field>, Error> {
        who.staff.permit(Permission::Import)?;
        Ok(self.import_columns().await?.all().to_vec())
    }

    async fn import_columns(&self) -> Result<Fields, Error> {
        Ok(Fields::new(QuestionSets::clone(&*self.question_sets().await?)))
    }

    /// The newest imports, at most 100.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn imports(&self, who: &StaffSession) -> Result<Vec<Import>, Error> {
        who.staff.permit(Permission::Import)?;
        Ok(self.store.imports(LISTED).await?)
    }

    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ImportNotFound`].
    pub async fn import(&self, who: &StaffSession, id: &str) -> Result<Import, Error> {
        who.staff.permit(Permission::Import)?;
        Ok(self.store.import(id).await?.ok_or(Refusal::ImportNotFound)?)
    }

    /// Stores the table in a CSV or XLSX file. Its columns are guessed, or are as in the last table with the same
    /// headings, and wait to be confirmed.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], `name.*`, `file.*`.
    pub async fn upload_import(&self, who: &StaffSession, name: &str, content: Bytes) -> Result<Import, Error> {
        who.staff.permit(Permission::Import)?;
        // The name of a file can be longer than ours.
        let name: String = name.trim().chars().take(MAX_NAME_LENGTH).collect();
        let name = named("name", "Give the import a name.", &name)?;
        if content.is_empty() {
            return Err(file_error("empty", "The file is empty. Choose another one.").into());
        }
        if content.len() > MAX_FILE {
            let megabytes = MAX_FILE / 1024 / 1024;
            return Err(file_error("too_large", &format!("A file has at most {megabytes} MB. Divide it.")).into());
        }
        let table = self.tables.read(content).await?;
        let fields = self.import_columns().await?;
        let mapping = match self.store.last_mapping(&table.headers).await? {
            // Fields can have gone meanwhile, with questions.
            Some(last) if last.check(&table.headers, &fields).is_ok() => last,
            _ => Mapping::guess(&table.headers, &table.rows, &fields),
        };
        self.store_import(who, (name, table.format), (table.headers, table.rows), mapping).await
    }

    /// Stores the rows that a program sends, and checks them.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], invalid fields.
    pub async fn create_import(&self, who: &StaffSession, input: &Input) -> Result<Import, Error> {
        who.staff.permit(Permission::Import)?;
        let (name, headers, rows, mapping) = NewImport::parse(input)?.table();
        let fields = self.import_columns().await?;
        if let Some(unknown) = headers.iter().find(|key| fields.find(key).is_none()) {
            return Err(domain::input::unknown_field(&format!("rows.{unknown}"), unknown).into());
        }
        mapping.check(&headers, &fields)?;
        let rows = (1..).zip(rows).collect();
        self.store_import(who, (name, Format::Api), (headers, rows), mapping).await
    }

    async fn store_import(
        &self,
        who: &StaffSession,
        (name, format): (String, Format),
        (headers, rows): (Vec<String>, Vec<(i64, Vec<String>)>),
        mapping: Mapping,
    ) -> Result<Import, Error> {
        let is_mapped = format == Format::Api;
        let import = store::NewImport {
            id: self.random.id(),
            name,
            format,
            headers,
            mapping,
            state: if is_mapped { State::Checking } else { State::Mapping },
            created_at: self.clock.now(),
            created_by: who.staff.id.clone(),
        };
        let detail = json!({ "name": import.name, "format": format.as_str(), "rows": rows.len() });
        let audit = self.about_import(who, &import.id, "import.created", detail);
        let job = is_mapped.then(|| self.import_job(who, &import.id));
        self.store.create_import(&import, &rows, &audit, job.as_ref()).await?;
        self.import(who, &import.id).await
    }

    /// The first rows, to recognise the columns by.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn import_samples(&self, who: &StaffSession, import: &Import) -> Result<Vec<Vec<String>>, Error> {
        who.staff.permit(Permission::Import)?;
        let page = self.store.import_rows(&import.id, RowQuery::default()).await?;
        Ok(page.rows.into_iter().filter_map(|row| row.cells).take(SAMPLES).collect())
    }

    /// Says what the columns are for, and checks all rows.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ImportNotFound`], invalid fields, [`Refusal::ImportState`].
    pub async fn map_import(&self, who: &StaffSession, id: &str, input: &Input) -> Result<Import, Error> {
        who.staff.permit(Permission::Import)?;
        let mapping = ImportMapping::parse(input)?.mapping();
        let import = self.import(who, id).await?;
        if !import.state.is_mappable() {
            return Err(Refusal::ImportState.into());
        }
        mapping.check(&import.headers, &self.import_columns().await?)?;
        let audit = self.about_import(who, id, "import.mapped", json!({ "tag": mapping.tag, "tell": mapping.tell }));
        if !self.store.map_import(id, &mapping, &audit, &self.import_job(who, id)).await? {
            return Err(Refusal::ImportState.into());
        }
        self.import(who, id).await
    }

    /// A page of rows.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ImportNotFound`].
    pub async fn import_rows(&self, who: &StaffSession, id: &str, query: &RowQuery) -> Result<RowPage, Error> {
        self.import(who, id).await?;
        Ok(self.store.import_rows(id, *query).await?)
    }

    /// One row, with each of its fields as it came and as it was understood.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ImportNotFound`] also for a row that there is not.
    pub async fn import_row(&self, who: &StaffSession, id: &str, number: i64) -> Result<(Row, Vec<ShownField>), Error> {
        let import = self.import(who, id).await?;
        let row = self.store.import_row(id, number).await?.ok_or(Refusal::ImportNotFound)?;
        let fields = self.import_columns().await?;
        let shown = match &row.cells {
            Some(cells) => fields.show(cells, &import.headers, &import.mapping, &row.problems),
            None => Vec::new(),
        };
        Ok((row, shown))
    }

    /// Imports the rows that are right.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ImportNotFound`], invalid fields, [`Refusal::ImportState`],
    /// [`Refusal::ImportNothingReady`], [`Refusal::ImportRowsWrong`].
    pub async fn start_import(&self, who: &StaffSession, id: &str, input: &Input) -> Result<Import, Error> {
        who.staff.permit(Permission::Import)?;
        let leave_out = ImportStart::parse(input)?.leave_out.unwrap_or_default();
        let import = self.import(who, id).await?;
        if import.state != State::Checked {
            return Err(Refusal::ImportState.into());
        }
        if import.counts.importable() == 0 {
            return Err(Refusal::ImportNothingReady.into());
        }
        if import.counts.wrong > 0 && !leave_out {
            return Err(Refusal::ImportRowsWrong.into());
        }
        let detail = json!({ "rows": import.counts.importable(), "leftOut": import.counts.wrong });
        let audit = self.about_import(who, id, "import.started", detail);
        self.go_on(who, id, (State::Checked, State::Running), &audit).await
    }

    /// How many applications of an import somebody has worked on since.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn import_worked_on(&self, who: &StaffSession, id: &str) -> Result<i64, Error> {
        who.staff.permit(Permission::Import)?;
        Ok(self.store.worked_on_of(id).await?)
    }

    /// Deletes what an import brought in, except for what somebody has worked on.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ImportNotFound`], invalid fields, [`Refusal::ImportState`],
    /// [`Refusal::ImportWorkedOn`].
    pub async fn undo_import(&self, who: &StaffSession, id: &str, input: &Input) -> Result<Import, Error> {
        who.staff.permit(Permission::Import)?;
        let leave = ImportUndo::parse(input)?.leave.unwrap_or_default();
        let import = self.import(who, id).await?;
        if import.state != State::Done {
            return Err(Refusal::ImportState.into());
        }
        let worked_on = self.store.worked_on_of(id).await?;
        if worked_on > 0 && !leave {
            return Err(Refusal::ImportWorkedOn.into());
        }
        let detail = json!({ "rows": import.counts.imported, "left": worked_on });
        let audit = self.about_import(who, id, "import.undone", detail);
        self.go_on(who, id, (State::Done, State::Undoing), &audit).await
    }

    /// Deletes an import that brought in nothing that is still there.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ImportNotFound`], [`Refusal::ImportState`].
    pub async fn delete_import(&self, who: &StaffSession, id: &str) -> Result<(), Error> {
        let import = self.import(who, id).await?;
        let audit = self.about_import(who, id, "import.deleted", json!({ "name": import.name }));
        if self.store.delete_import(id, &audit).await? { Ok(()) } else { Err(Refusal::ImportState.into()) }
    }

    /// The rows with errors, for a file to correct them in.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ImportNotFound`].
    pub async fn wrong_rows(&self, who: &StaffSession, id: &str) -> Result<(Import, Vec<Row>), Error> {
        let import = self.import(who, id).await?;
        let rows = self.store.rows_in_state(id, RowState::Wrong, MAX_ROWS as i64).await?;
        Ok((import, rows))
    }

    /// Where an application comes from, for staff who may import; `None` if it was not imported.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn imported(&self, who: &StaffSession, application_id: &str) -> Result<Option<ImportedFrom>, Error> {
        who.staff.permit(Permission::Import)?;
        Ok(self.store.imported(application_id).await?)
    }

    async fn go_on(
        &self,
        who: &StaffSession,
        id: &str,
        states: (State, State),
        audit: &AuditEntry,
    ) -> Result<Import, Error> {
        let job = self.import_job(who, id);
        if !self.store.move_import(id, states, Some(audit), Some(&job), self.clock.now()).await? {
            return Err(Refusal::ImportState.into());
        }
        self.import(who, id).await
    }

    fn about_import(&self, who: &StaffSession, id: &str, action: &'static str, detail: Value) -> AuditEntry {
        self.audit_entry(format!("staff:{}", who.staff.id), format!("import:{id}"), action, detail)
    }

    /// The job that works on an import, in the name of whoever asked for it.
    fn import_job(&self, who: &StaffSession, id: &str) -> NewJob {
        let now = self.clock.now();
        NewJob {
            id: self.random.id(),
            kind: jobs::IMPORT,
            subject: format!("import:{id}"),
            detail: json!({ "staff": who.staff.id, "role": who.staff.role.as_str() }),
            due_at: now,
            plan_key: None,
            created_at: now,
        }
    }
}

fn file_error(rule: &str, sentence: &str) -> FieldError {
    FieldError::new("file", format!("file.{rule}"), Sentence::plain(sentence))
}

impl From<TableError> for Error {
    fn from(error: TableError) -> Self {
        let (rule, sentence) = match error {
            TableError::Type => ("type", "Choose a CSV or an XLSX file.".to_owned()),
            TableError::Empty => ("empty", "The first sheet has no rows below its headings.".to_owned()),
            TableError::TooManyRows => ("too_many_rows", format!("A file has at most {MAX_ROWS} rows. Divide it.")),
            TableError::TooManyColumns => ("too_many_columns", format!("A table has at most {MAX_COLUMNS} columns.")),
            TableError::Broken(why) => ("broken", why),
        };
        file_error(rule, &sentence).into()
    }
}
