//! Contract templates: their versions and drafts.

use std::collections::BTreeMap;

use serde_json::json;

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::query::args;
use crate::{AuditEntry, StoreError, Stored};
use domain::contract::{TemplateDraft, TemplateText, TemplateVersion};
use domain::language::Language;
use domain::moments::Millis;
use domain::program::Program;

/// A template to be published.
#[derive(Debug, Clone)]
pub struct NewTemplate {
    /// Chosen by the caller: if published again under the same id, it is stored once.
    pub id: String,
    pub program: Program,
    /// One more than the version it replaces.
    pub version: i64,
    pub text: TemplateText,
    pub at: Millis,
    /// The id of the member of staff who publishes it.
    pub by: String,
    pub restored_from: Option<i64>,
    /// The revision of its draft, which ends with it.
    pub draft: Option<i64>,
}

/// Reads a stored text: the authoritative one, its language, and the translations as JSON.
fn text_of(id: &str, body: String, counts: &str, translations: Option<&str>) -> Result<TemplateText, StoreError> {
    let broken = || unreadable("contract_templates", id);
    let counts = Language::parse(counts).ok_or_else(broken)?;
    let translations: BTreeMap<Language, String> =
        translations.map(serde_json::from_str).transpose().map_err(|_| broken())?.unwrap_or_default();
    Ok(TemplateText { counts, text: body, translations })
}

fn translations_json(text: &TemplateText) -> Option<String> {
    (!text.translations.is_empty()).then(|| json!(text.translations).to_string())
}

row! {
    struct VersionRow {
        id: String,
        program: String,
        version: i64,
        body: String,
        counts: String,
        translations: Option<String>,
        published_at: i64,
        published_by: String,
        restored_from: Option<i64>,
    }
}

impl TryFrom<VersionRow> for TemplateVersion {
    type Error = StoreError;

    fn try_from(row: VersionRow) -> Result<Self, StoreError> {
        let VersionRow { id, program, version, body, counts, translations, published_at, published_by, restored_from } =
            row;
        let program = Program::of_application_type(&program);
        let program = program.ok_or_else(|| unreadable("contract_templates.program", &id))?;
        let text = text_of(&id, body, &counts, translations.as_deref())?;
        Ok(TemplateVersion { id, program, version, text, published_at, published_by, restored_from })
    }
}

row! {
    struct DraftRow {
        revision: i64,
        body: String,
        counts: String,
        translations: Option<String>,
        changed_at: i64,
        changed_by: String,
        changed_by_name: String,
    }
}

impl Db {
    pub(super) async fn templates_of(&self, program: Program) -> Stored<Vec<TemplateVersion>> {
        let sql = "SELECT t.id, t.program, t.version, t.body, t.counts, t.translations, t.published_at, \
                   COALESCE(NULLIF(m.name, ''), m.email) AS published_by, t.restored_from FROM contract_templates t \
                   JOIN staff m ON m.id = t.published_by WHERE t.program = $1 ORDER BY t.version DESC";
        let rows: Vec<VersionRow> = self.fetch_all(sql, args![program.application_type()]).await?;
        rows.into_iter().map(TemplateVersion::try_from).collect()
    }

    pub(super) async fn publish(&self, new: &NewTemplate, audit: &AuditEntry) -> Stored<bool> {
        let NewTemplate { id, program, version, text, at, by, restored_from, draft } = new;
        let program = program.application_type();
        let mut tx = self.begin().await?;
        // Of concurrent publications, the second waits here and then finds the version taken.
        let sql = "INSERT INTO contract_templates (id, program, version, body, counts, translations, published_at, \
                   published_by, restored_from) SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9 \
                   WHERE $3 = (SELECT COALESCE(MAX(version), 0) + 1 FROM contract_templates WHERE program = $2) \
                   ON CONFLICT DO NOTHING";
        let translations = translations_json(text);
        let args = args![
            id,
            program,
            *version,
            &text.text,
            text.counts.as_str(),
            translations.as_deref(),
            *at,
            by,
            *restored_from
        ];
        if tx.execute(sql, args).await? == 0 {
            return Ok(false);
        }
        let sql = "DELETE FROM contract_template_drafts WHERE program = $1 AND revision = $2";
        if let Some(revision) = draft
            && tx.execute(sql, args![program, *revision]).await? == 0
        {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    pub(super) async fn draft_of(&self, program: Program) -> Stored<Option<TemplateDraft>> {
        let sql = "SELECT d.revision, d.body, d.counts, d.translations, d.changed_at, d.changed_by, \
                   COALESCE(NULLIF(m.name, ''), m.email) AS changed_by_name \
                   FROM contract_template_drafts d JOIN staff m ON m.id = d.changed_by WHERE d.program = $1";
        let row: Option<DraftRow> = self.fetch_optional(sql, args![program.application_type()]).await?;
        let Some(row) = row else { return Ok(None) };
        let DraftRow { revision, body, counts, translations, changed_at, changed_by, changed_by_name } = row;
        let text = text_of(program.application_type(), body, &counts, translations.as_deref())?;
        Ok(Some(TemplateDraft { program, revision, text, changed_at, changed_by: (changed_by, changed_by_name) }))
    }

    pub(super) async fn write_draft(&self, draft: &TemplateDraft, audit: &AuditEntry) -> Stored<bool> {
        let TemplateDraft { program, revision, text, changed_at, changed_by } = draft;
        let mut tx = self.begin().await?;
        let sql = if *revision == 1 {
            "INSERT INTO contract_template_drafts (program, revision, body, counts, translations, changed_at, changed_by) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING"
        } else {
            "UPDATE contract_template_drafts SET revision = $2, body = $3, counts = $4, translations = $5, changed_at = $6, \
             changed_by = $7 WHERE program = $1 AND revision = $2 - 1"
        };
        let translations = translations_json(text);
        let args = args![
            program.application_type(),
            *revision,
            &text.text,
            text.counts.as_str(),
            translations.as_deref(),
            *changed_at,
            &changed_by.0
        ];
        if tx.execute(sql, args).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    pub(super) async fn discard_draft_of(&self, program: Program, revision: i64, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "DELETE FROM contract_template_drafts WHERE program = $1 AND revision = $2";
        if tx.execute(sql, args![program.application_type(), revision]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }
}
