//! The questions that staff ask: versions and drafts.

use serde_json::json;

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::query::args;
use crate::{AuditEntry, StoreError, Stored};
use domain::input::Input;
use domain::moments::Millis;
use domain::program::Program;
use domain::questionnaire::{
    self, Definition, ExpectedVersions, QuestionSet, QuestionnaireDraft, QuestionnaireVersion,
};
use domain::status::Stage;

/// Questions for the applicants of a program, to be published.
#[derive(Debug, Clone)]
pub struct NewQuestionSet {
    pub id: String,
    pub program: Program,
    pub definition: Definition,
    pub at: Millis,
    /// The member of staff who publishes them.
    pub by: Option<String>,
    /// The earlier version that they restore.
    pub restored_from: Option<i64>,
}

/// The outcome of deleting a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deleted {
    Done,
    /// There is none, or it is the one that is currently asked.
    NotThere,
    /// Somebody has answered it.
    InUse,
}

/// Program, version, definition.
type QuestionSetRow = (String, i64, String);

row! {
    struct VersionRow {
        id: String,
        program: String,
        version: i64,
        state: String,
        definition: String,
        published_at: Option<i64>,
        published_by: Option<String>,
        restored_from: Option<i64>,
        archived_at: Option<i64>,
    }
}

row! {
    struct DraftRow {
        revision: i64,
        content: String,
        changed_at: i64,
        changed_by: String,
        changed_by_name: String,
    }
}

impl Db {
    /// Returns the published questions: at most one set for each program.
    pub async fn published_questions(&self) -> Stored<Vec<(Program, QuestionSet)>> {
        let sql = "SELECT program, version, definition FROM questionnaires WHERE state = 'published'";
        let rows: Vec<QuestionSetRow> = self.fetch_all(sql, args![]).await?;
        rows.into_iter().map(question_set).collect()
    }

    /// Returns a set that is or was asked.
    pub async fn questions_at(&self, program: Program, version: i64) -> Stored<Option<QuestionSet>> {
        let sql = "SELECT program, version, definition FROM questionnaires WHERE program = $1 AND version = $2 \
                   AND state <> 'draft'";
        let rows: Vec<QuestionSetRow> = self.fetch_all(sql, args![program.application_type(), version]).await?;
        Ok(rows.into_iter().next().map(question_set).transpose()?.map(|(_, set)| set))
    }

    /// Publishes questions at the next version, in place of those before. Returns false if something other than
    /// `expected` is there.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("questionnaire")` if somebody else has just published.
    pub async fn publish_questions(
        &self,
        new: &NewQuestionSet,
        expected: Option<ExpectedVersions>,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let NewQuestionSet { id, program, definition, at, by, restored_from } = new;
        let program = program.application_type();
        let definition = written(definition);
        let mut tx = self.begin().await?;
        // The version first: of concurrent publications, the second waits here and then finds it taken.
        tx.execute(
            "INSERT INTO questionnaires (id, program, version, state, definition, created_at, published_at, \
             published_by, restored_from) \
             SELECT $1, $2, COALESCE(MAX(version), 0) + 1, 'draft', $3, $4, $4, $5, $6 FROM questionnaires \
             WHERE program = $2",
            args![id, program, &definition, *at, by.as_deref(), *restored_from],
        )
        .await?;
        if let Some(ExpectedVersions { published, draft }) = expected {
            let sql = "SELECT version FROM questionnaires WHERE program = $1 AND state = 'published'";
            let now: Vec<(i64,)> = tx.fetch_all(sql, args![program]).await?;
            if now.first().map_or(0, |(version,)| *version) != published {
                return Ok(false);
            }
            let sql = "DELETE FROM questionnaire_drafts WHERE program = $1 AND revision = $2";
            if let Some(revision) = draft
                && tx.execute(sql, args![program, revision]).await? == 0
            {
                return Ok(false);
            }
        }
        let sql = "UPDATE questionnaires SET state = 'retired' WHERE program = $1 AND state = 'published'";
        tx.execute(sql, args![program]).await?;
        tx.execute("UPDATE questionnaires SET state = 'published' WHERE id = $1", args![id]).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Publishes questions at version 1 if the program has never asked anything. Returns whether it did.
    pub async fn begin_questions(&self, new: &NewQuestionSet) -> Stored<bool> {
        let NewQuestionSet { id, program, definition, at, .. } = new;
        let definition = written(definition);
        let at: Millis = *at;
        let sql = "INSERT INTO questionnaires (id, program, version, state, definition, created_at, published_at) \
                   SELECT $1, $2, 1, 'published', $3, $4, $4 \
                   WHERE NOT EXISTS (SELECT 1 FROM questionnaires WHERE program = $2) ON CONFLICT DO NOTHING";
        Ok(self.execute(sql, args![id, program.application_type(), &definition, at]).await? == 1)
    }

    /// Returns every set that is or was asked, newest first.
    pub async fn questionnaire_versions(&self) -> Stored<Vec<QuestionnaireVersion>> {
        let sql = "SELECT q.id, q.program, q.version, q.state, q.definition, q.published_at, \
                   COALESCE(NULLIF(m.name, ''), m.email) AS published_by, q.restored_from, q.archived_at \
                   FROM questionnaires q LEFT JOIN staff m ON m.id = q.published_by WHERE q.state <> 'draft' \
                   ORDER BY q.program, q.version DESC";
        let rows: Vec<VersionRow> = self.fetch_all(sql, args![]).await?;
        let version = |row: VersionRow| {
            let VersionRow { id, state, published_at, published_by, restored_from, archived_at, .. } = row;
            let (program, set) = question_set((row.program, row.version, row.definition))?;
            Ok(QuestionnaireVersion {
                published_at: published_at.ok_or_else(|| unreadable("questionnaires.published_at", &id))?,
                id,
                program,
                set,
                is_published: state == "published",
                published_by,
                restored_from,
                archived_at,
            })
        };
        rows.into_iter().map(version).collect()
    }

    pub async fn questionnaire_draft(&self, program: Program) -> Stored<Option<QuestionnaireDraft>> {
        let sql = "SELECT d.revision, d.content, d.changed_at, d.changed_by, \
                   COALESCE(NULLIF(m.name, ''), m.email) AS changed_by_name \
                   FROM questionnaire_drafts d JOIN staff m ON m.id = d.changed_by WHERE d.program = $1";
        let row: Option<DraftRow> = self.fetch_optional(sql, args![program.application_type()]).await?;
        let draft = |row: DraftRow| {
            let DraftRow { revision, content, changed_at, changed_by, changed_by_name } = row;
            let unreadable = |_| unreadable("questionnaire_drafts.content", program.application_type());
            let draft = serde_json::from_str(&content).map_err(unreadable)?;
            Ok(QuestionnaireDraft { program, revision, draft, changed_at, changed_by: (changed_by, changed_by_name) })
        };
        row.map(draft).transpose()
    }

    /// Writes the draft at its revision; the first is 1. Returns false if the stored one is not at the revision before.
    pub async fn write_questionnaire_draft(&self, draft: &QuestionnaireDraft, audit: &AuditEntry) -> Stored<bool> {
        let QuestionnaireDraft { program, revision, draft, changed_at, changed_by } = draft;
        let content = json!(draft).to_string();
        let mut tx = self.begin().await?;
        let sql = if *revision == 1 {
            "INSERT INTO questionnaire_drafts (program, revision, content, changed_at, changed_by) \
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING"
        } else {
            "UPDATE questionnaire_drafts SET revision = $2, content = $3, changed_at = $4, changed_by = $5 \
             WHERE program = $1 AND revision = $2 - 1"
        };
        let args = args![program.application_type(), *revision, &content, *changed_at, &changed_by.0];
        if tx.execute(sql, args).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Deletes the draft at this revision. Returns false if there is none.
    pub async fn discard_questionnaire_draft(
        &self,
        program: Program,
        revision: i64,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "DELETE FROM questionnaire_drafts WHERE program = $1 AND revision = $2";
        if tx.execute(sql, args![program.application_type(), revision]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Archives a version that is no longer asked, or takes it out again. Returns false if there is none.
    pub async fn archive_questionnaire(&self, id: &str, at: Option<Millis>, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE questionnaires SET archived_at = $2 WHERE id = $1 AND state = 'retired'";
        if tx.execute(sql, args![id, at]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Deletes a version that is no longer asked and that nobody has answered.
    pub async fn delete_questionnaire(&self, id: &str, audit: &AuditEntry) -> Stored<Deleted> {
        let mut tx = self.begin().await?;
        // Nobody archives or deletes it in the meantime.
        let sql = "UPDATE questionnaires SET archived_at = archived_at WHERE id = $1 AND state = 'retired'";
        if tx.execute(sql, args![id]).await? == 0 {
            return Ok(Deleted::NotThere);
        }
        let used: Vec<(i64,)> = tx
            .fetch_all(
                self.pick(
                    "SELECT COUNT(*) FROM questionnaires q WHERE q.id = $1 AND (EXISTS (SELECT 1 FROM applications a \
                     WHERE a.program = q.program AND json_extract(a.answers, '$.questionnaire.version') = q.version) \
                     OR EXISTS (SELECT 1 FROM snapshots s WHERE s.program = q.program \
                     AND json_extract(s.answers, '$.questionnaire.version') = q.version) \
                     OR EXISTS (SELECT 1 FROM applications b WHERE b.program = q.program \
                     AND b.references_version = q.version) \
                     OR EXISTS (SELECT 1 FROM referees r WHERE r.program = q.program AND r.version = q.version))",
                    "SELECT COUNT(*) FROM questionnaires q WHERE q.id = $1 AND (EXISTS (SELECT 1 FROM applications a \
                     WHERE a.program = q.program \
                     AND (a.answers::json #>> '{questionnaire,version}')::bigint = q.version) \
                     OR EXISTS (SELECT 1 FROM snapshots s WHERE s.program = q.program \
                     AND (s.answers::json #>> '{questionnaire,version}')::bigint = q.version) \
                     OR EXISTS (SELECT 1 FROM applications b WHERE b.program = q.program \
                     AND b.references_version = q.version) \
                     OR EXISTS (SELECT 1 FROM referees r WHERE r.program = q.program AND r.version = q.version))",
                ),
                args![id],
            )
            .await?;
        if used.first().is_some_and(|(count,)| *count > 0) {
            return Ok(Deleted::InUse);
        }
        tx.execute("DELETE FROM questionnaires WHERE id = $1", args![id]).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(Deleted::Done)
    }

    /// Counts the program's applications that can be changed, and so are asked the published questions.
    pub async fn editable_applications(&self, program: Program) -> Stored<i64> {
        let sql = "SELECT COUNT(*) FROM applications WHERE program = $1 AND stage IN ($2, $3)";
        let (draft, changes) = (Stage::Draft.as_str(), Stage::Changes.as_str());
        let counts: Vec<(i64,)> = self.scan(sql, args![program.application_type(), draft, changes]).await?;
        Ok(counts.first().copied().unwrap_or_default().0)
    }
}

fn question_set((program, version, definition): QuestionSetRow) -> Result<(Program, QuestionSet), StoreError> {
    let unreadable = || unreadable("questionnaires.definition", &format!("{program} {version}"));
    let definition: serde_json::Value = serde_json::from_str(&definition).map_err(|_| unreadable())?;
    let Definition { questions, references } =
        questionnaire::parse(&Input::from(definition)).map_err(|_| unreadable())?;
    let program = Program::of_application_type(&program).ok_or_else(unreadable)?;
    Ok((program, QuestionSet { program: Some(program), version, questions, references }))
}

fn written(definition: &Definition) -> String {
    let Definition { questions, references } = definition;
    json!({ "questions": questions, "references": references }).to_string()
}
