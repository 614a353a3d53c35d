//! How tuition is to be paid.

use async_trait::async_trait;

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::query::{Tx, args};
use crate::app::ports::{
    AuditEntry, FUNDING_TASK, FundingFollows, FundingPlan, Fundings, NewFunding, NewVerdict, SourceVerdict, StoreError,
    Stored,
};
use crate::domain::funding::{Funding, PaymentPlan, Source, SourceKind, SourceState};

row! {
    struct PlanRow {
        revision: i64,
        tuition: i64,
        up_front: i64,
        monthly: i64,
        first_due: String,
        changed_at: i64,
        changed_by: String,
    }
}

row! {
    struct SourceRow {
        kind: String,
        cents: i64,
        state: String,
        reason: Option<String>,
        decided_by: Option<String>,
        decided_at: Option<i64>,
    }
}

fn source(row: SourceRow, application_id: &str) -> Result<(Source, Option<SourceVerdict>), StoreError> {
    let SourceRow { kind, cents, state, reason, decided_by, decided_at } = row;
    let kind = SourceKind::parse(&kind).ok_or_else(|| unreadable("funding_sources.kind", application_id))?;
    let state = SourceState::parse(&state).ok_or_else(|| unreadable("funding_sources.state", application_id))?;
    let verdict =
        decided_by.zip(decided_at).map(|(decided_by, decided_at)| SourceVerdict { kind, decided_by, decided_at });
    Ok((Source { kind, cents, state, reason }, verdict))
}

#[async_trait]
impl Fundings for Db {
    async fn funding_plan(&self, application_id: &str) -> Stored<Option<FundingPlan>> {
        let sql = "SELECT revision, tuition, up_front, monthly, first_due, changed_at, changed_by FROM funding_plans \
                   WHERE application_id = $1";
        let Some(plan) = self.fetch_optional::<PlanRow>(sql, args![application_id]).await? else { return Ok(None) };
        let sql = "SELECT kind, cents, state, reason, decided_by, decided_at FROM funding_sources \
                   WHERE application_id = $1";
        let rows: Vec<SourceRow> = self.fetch_all(sql, args![application_id]).await?;
        let read: Result<Vec<_>, StoreError> = rows.into_iter().map(|row| source(row, application_id)).collect();
        let (mut sources, verdicts): (Vec<Source>, Vec<_>) = read?.into_iter().unzip();
        sources.sort_by_key(|source| SourceKind::ALL.iter().position(|kind| *kind == source.kind));
        let first_due = plan.first_due.parse().map_err(|_| unreadable("funding_plans.first_due", application_id))?;
        let payment_plan = PaymentPlan { up_front: plan.up_front, monthly: plan.monthly, first_due };
        Ok(Some(FundingPlan {
            funding: Funding { tuition: plan.tuition, sources, plan: payment_plan },
            revision: plan.revision,
            changed_at: plan.changed_at,
            changed_by: plan.changed_by,
            verdicts: verdicts.into_iter().flatten().collect(),
        }))
    }

    async fn save_funding(&self, new: &NewFunding, follows: &FundingFollows, audit: &AuditEntry) -> Stored<bool> {
        let NewFunding { application_id, expected, funding, by, at, position } = new;
        let Funding { tuition, sources, plan } = funding;
        let mut tx = self.begin().await?;
        tx.lock_money(application_id).await?;
        let sql = if *expected == 0 {
            "INSERT INTO funding_plans (application_id, revision, tuition, up_front, monthly, first_due, changed_at, \
             changed_by) VALUES ($1, $2 + 1, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING"
        } else {
            "UPDATE funding_plans SET revision = $2 + 1, tuition = $3, up_front = $4, monthly = $5, first_due = $6, \
             changed_at = $7, changed_by = $8 WHERE application_id = $1 AND revision = $2"
        };
        let first_due = plan.first_due.to_string();
        let args = args![application_id, *expected, *tuition, plan.up_front, plan.monthly, &first_due, *at, by];
        if tx.execute(sql, args).await? == 0 || tx.ledger_position(application_id).await? != *position {
            return Ok(false);
        }
        for kind in SourceKind::ALL {
            match sources.iter().find(|source| source.kind == kind) {
                Some(source) => {
                    // Who confirmed an amount did not confirm another one.
                    let sql = "INSERT INTO funding_sources (application_id, kind, cents, state, reason) \
                               VALUES ($1, $2, $3, $4, $5) ON CONFLICT (application_id, kind) DO UPDATE SET \
                               decided_by = CASE WHEN funding_sources.cents = excluded.cents \
                               THEN funding_sources.decided_by END, \
                               decided_at = CASE WHEN funding_sources.cents = excluded.cents \
                               THEN funding_sources.decided_at END, \
                               cents = excluded.cents, state = excluded.state, reason = excluded.reason";
                    let (kind, state) = (kind.as_str(), source.state.as_str());
                    tx.execute(sql, args![application_id, kind, source.cents, state, source.reason.as_deref()]).await?;
                }
                None => {
                    let sql = "DELETE FROM funding_sources WHERE application_id = $1 AND kind = $2";
                    tx.execute(sql, args![application_id, kind.as_str()]).await?;
                }
            }
        }
        tx.follow_funding(application_id, *at, follows).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    async fn judge_source(&self, new: &NewVerdict, follows: &FundingFollows, audit: &AuditEntry) -> Stored<bool> {
        let NewVerdict { application_id, expected, kind, state, reason, by, at } = new;
        let mut tx = self.begin().await?;
        tx.lock_money(application_id).await?;
        let sql = "UPDATE funding_plans SET revision = revision + 1, changed_at = $3, changed_by = $4 \
                   WHERE application_id = $1 AND revision = $2";
        if tx.execute(sql, args![application_id, *expected, *at, &format!("staff:{by}")]).await? == 0 {
            return Ok(false);
        }
        let sql = "UPDATE funding_sources SET state = $3, reason = $4, decided_by = $5, decided_at = $6 \
                   WHERE application_id = $1 AND kind = $2";
        let args = args![application_id, kind.as_str(), state.as_str(), reason.as_deref(), by, *at];
        if tx.execute(sql, args).await? == 0 {
            return Ok(false);
        }
        tx.follow_funding(application_id, *at, follows).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }
}

impl Tx {
    /// Whoever writes about the application's money at the same time waits here.
    pub(super) async fn lock_money(&mut self, application_id: &str) -> Stored<()> {
        self.execute("UPDATE applications SET revision = revision WHERE id = $1", args![application_id]).await?;
        Ok(())
    }

    async fn follow_funding(&mut self, application_id: &str, at: i64, follows: &FundingFollows) -> Stored<()> {
        if follows.settled {
            self.tasks_done(&format!("application:{application_id}"), FUNDING_TASK, at).await?;
        }
        if let Some(task) = &follows.task {
            self.task(task).await?;
        }
        if let Some(mail) = &follows.mail {
            self.mail(mail).await?;
        }
        Ok(())
    }
}
