//! How tuition is to be paid.

use std::collections::HashMap;

use super::Db;
use super::error::unreadable;
use super::in_place::{Columns, InPlace, row};
use super::query::{Tx, args};
use crate::{AuditEntry, NewMail, StoreError, Stored};
use domain::funding::{Funding, FundingPlan, Pause, PaymentPlan, Source, SourceKind, SourceState, SourceVerdict};
use domain::ledger::PaymentReminder;
use domain::moments::Millis;
use domain::task::{Task, TaskKind};

/// A plan to be written.
#[derive(Debug, Clone)]
pub struct NewFunding {
    pub application_id: String,
    /// The revision that it replaces; 0 for the first.
    pub expected: i64,
    pub funding: Funding,
    pub by: String,
    pub at: Millis,
    /// Number of ledger transactions the caller has seen: what is charged must fit the plan.
    pub position: i64,
}

/// What Finance decides about a source.
#[derive(Debug, Clone)]
pub struct NewVerdict {
    pub application_id: String,
    /// The revision of the plan that the caller has seen.
    pub expected: i64,
    pub kind: SourceKind,
    pub state: SourceState,
    pub reason: Option<String>,
    pub by: String,
    pub at: Millis,
}

/// What is written with a change of the plan, in its transaction.
#[derive(Debug, Clone, Default)]
pub struct FundingEffects {
    /// Whether Finance has nothing left to do about it.
    pub settled: bool,
    pub task: Option<Task>,
    pub mail: Option<NewMail>,
}

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

fn pause((from, months): (i64, i64), application_id: &str) -> Stored<Pause> {
    let read = u32::try_from(from).ok().zip(i32::try_from(months).ok());
    let (from, months) = read.ok_or_else(|| unreadable("plan_pauses", application_id))?;
    Ok(Pause { from, months })
}

#[derive(sqlx::FromRow)]
struct OwnedPlanRow {
    application_id: String,
    #[sqlx(flatten)]
    plan: PlanRow,
}

impl InPlace for OwnedPlanRow {
    fn in_place(columns: &mut Columns<'_>) -> sqlite::Result<Self> {
        Ok(Self { application_id: columns.take()?, plan: PlanRow::in_place(columns)? })
    }
}

#[derive(sqlx::FromRow)]
struct OwnedSourceRow {
    application_id: String,
    #[sqlx(flatten)]
    source: SourceRow,
}

impl InPlace for OwnedSourceRow {
    fn in_place(columns: &mut Columns<'_>) -> sqlite::Result<Self> {
        Ok(Self { application_id: columns.take()?, source: SourceRow::in_place(columns)? })
    }
}

impl Db {
    pub async fn funding_plan(&self, application_id: &str) -> Stored<Option<FundingPlan>> {
        let sql = "SELECT revision, tuition, up_front, monthly, first_due, changed_at, changed_by FROM funding_plans \
                   WHERE application_id = $1";
        let Some(plan) = self.fetch_optional::<PlanRow>(sql, args![application_id]).await? else { return Ok(None) };
        let sql = "SELECT kind, cents, state, reason, decided_by, decided_at FROM funding_sources \
                   WHERE application_id = $1";
        let rows: Vec<SourceRow> = self.fetch_all(sql, args![application_id]).await?;
        let read: Result<Vec<_>, StoreError> = rows.into_iter().map(|row| source(row, application_id)).collect();
        let (mut sources, verdicts): (Vec<Source>, Vec<_>) = read?.into_iter().unzip();
        sources.sort_by_key(|source| SourceKind::ALL.iter().position(|kind| *kind == source.kind));
        let sql = "SELECT from_instalment, months FROM plan_pauses WHERE application_id = $1 ORDER BY number";
        let rows: Vec<(i64, i64)> = self.fetch_all(sql, args![application_id]).await?;
        let pauses = rows.into_iter().map(|row| pause(row, application_id)).collect::<Stored<_>>()?;
        let first_due = plan.first_due.parse().map_err(|_| unreadable("funding_plans.first_due", application_id))?;
        let payment_plan = PaymentPlan { up_front: plan.up_front, monthly: plan.monthly, first_due };
        Ok(Some(FundingPlan {
            funding: Funding { tuition: plan.tuition, sources, plan: payment_plan, pauses },
            revision: plan.revision,
            changed_at: plan.changed_at,
            changed_by: plan.changed_by,
            verdicts: verdicts.into_iter().flatten().collect(),
        }))
    }

    /// Writes the plan at the next revision. Returns false if the plan or the ledger has changed meanwhile.
    pub async fn save_funding(&self, new: &NewFunding, follows: &FundingEffects, audit: &AuditEntry) -> Stored<bool> {
        let NewFunding { application_id, expected, funding, by, at, position } = new;
        let Funding { tuition, sources, plan, pauses } = funding;
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
        // Pauses are written when studies go on; a plan that starts over has none.
        if pauses.is_empty() {
            tx.execute("DELETE FROM plan_pauses WHERE application_id = $1", args![application_id]).await?;
        }
        for kind in SourceKind::ALL {
            match sources.iter().find(|source| source.kind == kind) {
                Some(source) => {
                    // Confirming one amount does not confirm another.
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

    /// Records what Finance decides about a source, at the next revision of the plan. Returns false as above, or if
    /// there is no such source.
    pub async fn judge_source(&self, new: &NewVerdict, follows: &FundingEffects, audit: &AuditEntry) -> Stored<bool> {
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

    /// Returns applications that must pay on their own: with a place, a plan, a contract that both have signed, and no
    /// card to charge. In the order of their ids, up to `limit` after `after`.
    pub async fn applications_to_remind(&self, after: &str, limit: i64) -> Stored<Vec<String>> {
        let sql = "SELECT p.application_id FROM funding_plans p JOIN applications a ON a.id = p.application_id \
                   WHERE p.application_id > $1 AND a.stage IN ('confirmed', 'enrolled') \
                   AND EXISTS (SELECT 1 FROM contracts c WHERE c.application_id = a.id AND c.state = 'countersigned') \
                   AND NOT EXISTS (SELECT 1 FROM payment_cards k WHERE k.application_id = a.id \
                   AND k.payment_method IS NOT NULL) ORDER BY p.application_id LIMIT $2";
        let rows: Vec<(String,)> = self.fetch_all(sql, args![after, limit]).await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Writes a mail about an instalment, and the task that may go with it. Returns false if that was already done for
    /// this due date.
    pub async fn remind_of_payment(
        &self,
        reminder: &PaymentReminder,
        mail: &NewMail,
        task: Option<&Task>,
    ) -> Stored<bool> {
        let PaymentReminder { application_id, line, kind, due, at } = reminder;
        let mut tx = self.begin().await?;
        let sql = "INSERT INTO payment_reminders (application_id, line, kind, due_on, told_at) \
                   VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
        let (line, due) = (line.to_string(), due.to_string());
        if tx.execute(sql, args![application_id, &line, kind.as_str(), &due, *at]).await? == 0 {
            return Ok(false);
        }
        tx.mail(mail).await?;
        if let Some(task) = task {
            tx.task(task).await?;
        }
        tx.commit().await?;
        Ok(true)
    }
}

impl Db {
    /// Returns the plans of applications after `after` up to `last`, by application.
    pub(super) async fn fundings_between(&self, after: &str, last: &str) -> Stored<HashMap<String, Funding>> {
        let sql = "SELECT application_id, revision, tuition, up_front, monthly, first_due, changed_at, changed_by \
                   FROM funding_plans WHERE application_id > $1 AND application_id <= $2";
        let plans: Vec<OwnedPlanRow> = self.scan(sql, args![after, last]).await?;
        let sql = "SELECT application_id, kind, cents, state, reason, decided_by, decided_at FROM funding_sources \
                   WHERE application_id > $1 AND application_id <= $2";
        let rows: Vec<OwnedSourceRow> = self.scan(sql, args![after, last]).await?;
        let mut sources: HashMap<String, Vec<Source>> = HashMap::new();
        for OwnedSourceRow { application_id, source: row } in rows {
            let (source, _) = source(row, &application_id)?;
            sources.entry(application_id).or_default().push(source);
        }
        let sql = "SELECT application_id, from_instalment, months FROM plan_pauses \
                   WHERE application_id > $1 AND application_id <= $2 ORDER BY application_id, number";
        let rows: Vec<(String, i64, i64)> = self.scan(sql, args![after, last]).await?;
        let mut pauses: HashMap<String, Vec<Pause>> = HashMap::new();
        for (application_id, from, months) in rows {
            let pause = pause((from, months), &application_id)?;
            pauses.entry(application_id).or_default().push(pause);
        }
        let read = |OwnedPlanRow { application_id, plan }: OwnedPlanRow| {
            let first_due =
                plan.first_due.parse().map_err(|_| unreadable("funding_plans.first_due", &application_id))?;
            let mut sources = sources.remove(&application_id).unwrap_or_default();
            sources.sort_by_key(|source| SourceKind::ALL.iter().position(|kind| *kind == source.kind));
            let payment_plan = PaymentPlan { up_front: plan.up_front, monthly: plan.monthly, first_due };
            let pauses = pauses.remove(&application_id).unwrap_or_default();
            Ok((application_id, Funding { tuition: plan.tuition, sources, plan: payment_plan, pauses }))
        };
        plans.into_iter().map(read).collect()
    }
}

impl Tx {
    /// Makes concurrent writes about the application's money wait.
    pub(super) async fn lock_money(&mut self, application_id: &str) -> Stored<()> {
        self.execute("UPDATE applications SET revision = revision WHERE id = $1", args![application_id]).await?;
        Ok(())
    }

    /// Postpones what is not settled, at the next revision of the plan.
    pub(super) async fn pause_plan(&mut self, application_id: &str, pause: Pause, at: Millis, by: &str) -> Stored<()> {
        let sql = "INSERT INTO plan_pauses (application_id, number, from_instalment, months, moved_at) \
                   SELECT $1, COALESCE(MAX(number), 0) + 1, $2, $3, $4 FROM plan_pauses WHERE application_id = $1";
        self.execute(sql, args![application_id, i64::from(pause.from), i64::from(pause.months), at]).await?;
        let sql = "UPDATE funding_plans SET revision = revision + 1, changed_at = $2, changed_by = $3 \
                   WHERE application_id = $1";
        self.execute(sql, args![application_id, at, by]).await?;
        Ok(())
    }

    /// Stops charging cards. A charge in progress stays as it is: the money may be on its way.
    pub(super) async fn stop_charges(&mut self, application_id: &str, at: Millis) -> Stored<()> {
        let sql = "UPDATE card_charges SET state = 'closed', next_at = NULL, changed_at = $2, revision = revision + 1 \
                   WHERE application_id = $1 AND state IN ('open', 'failed', 'stopped')";
        self.execute(sql, args![application_id, at]).await?;
        Ok(())
    }

    async fn follow_funding(&mut self, application_id: &str, at: i64, follows: &FundingEffects) -> Stored<()> {
        if follows.settled {
            self.tasks_done(&format!("application:{application_id}"), TaskKind::Funding, at).await?;
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
