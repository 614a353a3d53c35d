//! Search in the record of who did what, and counts of wrong fields.

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::query::{Arg, args};
use crate::{StoreError, Stored};
use domain::audit::AuditLine;
use domain::moments::Millis;

/// A search in the record. All of it must match; `None` matches anything.
#[derive(Debug, Clone, Default)]
pub struct AuditQuery {
    /// Who did it, or whom it was done to: `staff:ID`, `applicant:ID`.
    pub person: Option<String>,
    /// What it was done to: `application:ID`.
    pub subject: Option<String>,
    /// The act, or how it begins: `questionnaire.`
    pub action: Option<String>,
    pub from: Option<Millis>,
    /// Before this.
    pub until: Option<Millis>,
    /// Older than this entry.
    pub before: Option<(Millis, String)>,
    pub limit: i64,
}

row! {
    struct AuditRow {
        id: String,
        happened_at: i64,
        actor: String,
        subject: String,
        action: String,
        detail: String,
    }
}

impl TryFrom<AuditRow> for AuditLine {
    type Error = StoreError;

    fn try_from(row: AuditRow) -> Result<Self, StoreError> {
        let AuditRow { id, happened_at, actor, subject, action, detail } = row;
        let detail = serde_json::from_str(&detail).map_err(|_| unreadable("audit.detail", &id))?;
        Ok(AuditLine { id, at: happened_at, actor, subject, action, detail })
    }
}

impl Db {
    /// Searches the record, newest first.
    pub async fn search_audit(&self, query: &AuditQuery) -> Stored<Vec<AuditLine>> {
        let AuditQuery { person, subject, action, from, until, before, limit } = query;
        let mut given: Vec<Arg<'_>> = Vec::new();
        let mut wanted: Vec<String> = Vec::new();
        if let Some(person) = person {
            given.push(person.into());
            wanted.push(format!("(actor = ${n} OR subject = ${n})", n = given.len()));
        }
        if let Some(subject) = subject {
            given.push(subject.into());
            wanted.push(format!("subject = ${}", given.len()));
        }
        if let Some(action) = action {
            given.push(action.into());
            wanted.push(format!("SUBSTR(action, 1, LENGTH(${n})) = ${n}", n = given.len()));
        }
        if let Some(from) = from {
            given.push((*from).into());
            wanted.push(format!("happened_at >= ${}", given.len()));
        }
        if let Some(until) = until {
            given.push((*until).into());
            wanted.push(format!("happened_at < ${}", given.len()));
        }
        if let Some((at, id)) = before {
            given.push((*at).into());
            given.push(id.into());
            let (at, id) = (given.len() - 1, given.len());
            wanted.push(format!("happened_at <= ${at} AND (happened_at < ${at} OR id < ${id})"));
        }
        given.push((*limit).into());
        let condition = if wanted.is_empty() { "1 = 1".to_owned() } else { wanted.join(" AND ") };
        let sql = format!(
            "SELECT id, happened_at, actor, subject, action, detail FROM audit WHERE {condition} \
             ORDER BY happened_at DESC, id DESC LIMIT ${}",
            given.len()
        );
        let rows: Vec<AuditRow> = self.scan(&sql, &given).await?;
        rows.into_iter().map(AuditLine::try_from).collect()
    }

    /// Returns the reference numbers of these applications, by id; those without one are left out.
    pub async fn references(&self, application_ids: &[&str]) -> Stored<Vec<(String, String)>> {
        if application_ids.is_empty() {
            return Ok(Vec::new());
        }
        let given: Vec<Arg<'_>> = application_ids.iter().map(|id| Arg::from(*id)).collect();
        let places: Vec<String> = (1..=given.len()).map(|number| format!("${number}")).collect();
        let sql = format!(
            "SELECT id, reference FROM applications WHERE reference IS NOT NULL AND id IN ({})",
            places.join(", ")
        );
        self.fetch_built(&sql, &given).await
    }

    /// Adds to the counts of that day, and forgets days before `oldest`.
    pub async fn count_field_errors(&self, day: &str, counts: &[(String, i64)], oldest: &str) -> Stored<()> {
        let mut tx = self.begin().await?;
        for (path, errors) in counts {
            let sql = "INSERT INTO field_errors (day, path, errors) VALUES ($1, $2, $3) \
                       ON CONFLICT (day, path) DO UPDATE SET errors = field_errors.errors + excluded.errors";
            tx.execute(sql, args![day, path, *errors]).await?;
        }
        tx.execute("DELETE FROM field_errors WHERE day < $1", args![oldest]).await?;
        tx.commit().await
    }

    /// Returns the fields with the most errors since that day, most first.
    pub async fn field_errors(&self, since: &str, limit: i64) -> Stored<Vec<(String, i64)>> {
        let sql = "SELECT path, CAST(SUM(errors) AS BIGINT) AS errors FROM field_errors WHERE day >= $1 \
                   GROUP BY path ORDER BY errors DESC, path LIMIT $2";
        self.scan(sql, args![since, limit]).await
    }
}
