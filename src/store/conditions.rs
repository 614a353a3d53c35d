//! What staff decided about the conditions of an offer.

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::query::args;
use crate::{AuditEntry, NewMail, Stored};
use domain::decision::{ConditionState, ConditionVerdict};
use domain::moments::Millis;

/// What staff have noted about a condition.
#[derive(Debug, Clone)]
pub struct JudgedCondition {
    /// Its place in the decision's list, from 1.
    pub number: i64,
    pub verdict: ConditionVerdict,
    /// Counts up from 1 with every change.
    pub revision: i64,
    /// The id of a member of staff.
    pub judged_by: String,
    pub judged_at: Millis,
}

/// A verdict to be noted.
#[derive(Debug, Clone)]
pub struct NewConditionVerdict<'a> {
    pub decision_id: &'a str,
    pub number: i64,
    pub verdict: &'a ConditionVerdict,
    /// The revision the caller has seen; 0 for an open condition.
    pub expected: i64,
    pub judged_by: &'a str,
    pub judged_at: Millis,
}

row! {
    struct ConditionRow {
        number: i64,
        state: String,
        note: String,
        revision: i64,
        judged_by: String,
        judged_at: i64,
    }
}

impl Db {
    /// Returns the judged conditions of a decision, in its order.
    pub async fn judged_conditions(&self, decision_id: &str) -> Stored<Vec<JudgedCondition>> {
        let sql = "SELECT number, state, note, revision, judged_by, judged_at FROM offer_conditions \
                   WHERE decision_id = $1 ORDER BY number";
        let rows: Vec<ConditionRow> = self.fetch_all(sql, args![decision_id]).await?;
        let read = |row: ConditionRow| {
            let ConditionRow { number, state, note, revision, judged_by, judged_at } = row;
            let state =
                ConditionState::parse(&state).ok_or_else(|| unreadable("offer_conditions.state", decision_id))?;
            let verdict = ConditionVerdict { state, note };
            Ok(JudgedCondition { number, verdict, revision, judged_by, judged_at })
        };
        rows.into_iter().map(read).collect()
    }

    /// Notes a verdict, with its mail. Returns false if somebody else has noted one meanwhile.
    pub async fn judge_condition(
        &self,
        new: &NewConditionVerdict<'_>,
        mail: Option<&NewMail>,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let NewConditionVerdict { decision_id, number, verdict, expected, judged_by, judged_at } = *new;
        let mut tx = self.begin().await?;
        let written = if expected == 0 {
            let sql = "INSERT INTO offer_conditions (decision_id, number, state, note, revision, judged_by, judged_at) \
                       VALUES ($1, $2, $3, $4, 1, $5, $6) ON CONFLICT DO NOTHING";
            let args = args![decision_id, number, verdict.state.as_str(), &verdict.note, judged_by, judged_at];
            tx.execute(sql, args).await?
        } else {
            let sql = "UPDATE offer_conditions SET state = $3, note = $4, judged_by = $5, judged_at = $6, \
                       revision = revision + 1 WHERE decision_id = $1 AND number = $2 AND revision = $7";
            let args =
                args![decision_id, number, verdict.state.as_str(), &verdict.note, judged_by, judged_at, expected];
            tx.execute(sql, args).await?
        };
        if written == 0 {
            return Ok(false);
        }
        if let Some(mail) = mail {
            tx.mail(mail).await?;
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns the ids of applications with an accepted offer that are not enrolled: those after `after`, in order.
    pub async fn accepted_applications(&self, after: &str, limit: i64) -> Stored<Vec<String>> {
        let sql = "SELECT id FROM applications WHERE stage = 'confirmed' AND id > $1 ORDER BY id LIMIT $2";
        let rows: Vec<(String,)> = self.fetch_all(sql, args![after, limit]).await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }
}
