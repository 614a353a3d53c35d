//! The places of intakes, and who holds one. An offer counts them in its own transaction, and makes others wait that
//! take a place of the same intake.

use serde_json::Value;

use super::Db;
use super::error::{missing, unreadable};
use super::query::{Tx, args};
use crate::{StoreError, Stored};
use domain::intake::Intake;
use domain::moments::{MINUTE, Millis};
use domain::places::{PlaceRules, Taken, Yield};
use domain::program::Program;
use domain::settings::{Setting, place_rules, values};
use domain::status::UNDO_MINUTES;

/// The intake for which a released acceptance `d` gives a place: its own, unless the start was deferred since.
macro_rules! place_intake {
    () => {
        "COALESCE((SELECT f.intake FROM deferrals f WHERE f.application_id = d.application_id \
         AND f.state IN ('granted', 'ended') AND f.created_at >= d.released_at \
         ORDER BY f.created_at DESC, f.id DESC LIMIT 1), d.intake)"
    };
}

/// The applications that hold a place of the intake `$1`. What ended after `$2` can still be undone, and keeps its
/// place until then.
macro_rules! holders {
    ($columns:literal, $more:literal) => {
        concat!(
            "SELECT ",
            $columns,
            // Those of which it may be the intake, each by an index.
            " FROM (SELECT o.id FROM decisions o WHERE o.intake = $1 AND o.state = 'released' AND o.outcome = 'accept' \
             UNION SELECT l.id FROM deferrals m JOIN decisions l ON l.application_id = m.application_id \
             AND l.state = 'released' AND l.outcome = 'accept' WHERE m.intake = $1 AND m.state IN ('granted', 'ended')) p \
             JOIN decisions d ON d.id = p.id JOIN applications a ON a.id = d.application_id WHERE $1 = ",
            place_intake!(),
            " AND (a.stage IN ('offered', 'confirmed', 'enrolled', 'deferred') OR a.stage = 'archived' \
             AND a.archived_at > $2 AND EXISTS (SELECT 1 FROM stage_changes c WHERE c.application_id = a.id \
             AND c.revision = a.revision AND (c.act = 'decline' OR c.act = 'withdraw' \
             AND c.former_stage IN ('offered', 'confirmed', 'deferred'))))",
            $more
        )
    };
}

const RULES: &str = "SELECT value FROM settings WHERE name = $1 ORDER BY version DESC LIMIT 1";

fn rules(program: Program, rows: Vec<(String,)>) -> Stored<PlaceRules> {
    let Some((value,)) = rows.into_iter().next() else { return Ok(PlaceRules::default()) };
    let value: Value =
        serde_json::from_str(&value).map_err(|_| unreadable("settings.value", Setting::Places(program).name()))?;
    Ok(place_rules(&values(&value)))
}

fn program_of(name: &str) -> Stored<Program> {
    Program::of_application_type(name).ok_or_else(|| unreadable("applications.program", name))
}

/// The moment since which what has ended can be undone.
fn undoable_since(now: Millis) -> Millis {
    now - UNDO_MINUTES * MINUTE
}

impl Db {
    /// Returns what is set about the places of a program at this moment.
    pub async fn place_rules(&self, program: Program) -> Stored<PlaceRules> {
        rules(program, self.fetch_all(RULES, args![Setting::Places(program).name()]).await?)
    }

    /// Counts the applications that hold a place of the intake, by program; programs without any are left out.
    pub async fn places_taken(&self, intake: Intake, now: Millis) -> Stored<Vec<(Program, Taken)>> {
        let sql = holders!("a.program, a.stage, COUNT(*)", " GROUP BY a.program, a.stage ORDER BY a.program");
        let rows: Vec<(String, String, i64)> = self.fetch_all(sql, args![&intake.code(), undoable_since(now)]).await?;
        let mut by_program: Vec<(Program, Taken)> = Vec::new();
        for (program, stage, count) in rows {
            let program = program_of(&program)?;
            if by_program.last().is_none_or(|(last, _)| *last != program) {
                by_program.push((program, Taken::default()));
            }
            let Some((_, taken)) = by_program.last_mut() else { continue };
            match stage.as_str() {
                "offered" => taken.offered = count,
                "confirmed" => taken.confirmed = count,
                "enrolled" => taken.enrolled = count,
                "deferred" => taken.deferred = count,
                _ => taken.undoable = count,
            }
        }
        Ok(by_program)
    }

    /// Counts what became of the offers for these intakes, by program.
    pub async fn offer_yields(&self, intakes: &[Intake]) -> Stored<Vec<(Program, Yield)>> {
        let sql = "SELECT a.program, CAST(SUM(CASE WHEN o.reply = 'accept' THEN 1 ELSE 0 END) AS BIGINT) AS accepted, \
                   COUNT(*) AS decided FROM offers o JOIN decisions d ON d.id = o.decision_id \
                   JOIN applications a ON a.id = d.application_id WHERE d.intake = $1 AND d.state = 'released' \
                   AND d.outcome = 'accept' AND (o.reply IS NOT NULL OR a.stage IN ('lapsed', 'archived')) \
                   GROUP BY a.program";
        let mut yields: Vec<(Program, Yield)> = Program::ALL.map(|program| (program, Yield::default())).into();
        for intake in intakes {
            let rows: Vec<(String, i64, i64)> = self.fetch_all(sql, args![&intake.code()]).await?;
            for (program, accepted, decided) in rows {
                let program = program_of(&program)?;
                for (_, all) in yields.iter_mut().filter(|(one, _)| *one == program) {
                    all.accepted += accepted;
                    all.decided += decided;
                }
            }
        }
        Ok(yields)
    }
}

impl Tx {
    /// Makes others wait who count the places of the intake, until this is committed.
    pub(super) async fn lock_intake(&mut self, program: Program, intake: &str) -> Stored<()> {
        let sql = "INSERT INTO counted_intakes (program, intake) VALUES ($1, $2) \
                   ON CONFLICT (program, intake) DO UPDATE SET intake = excluded.intake";
        self.execute(sql, args![program.application_type(), intake]).await?;
        Ok(())
    }

    /// Checks that there is a place for an application whose offer was just written.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("place")` if there is none.
    pub(super) async fn check_place(&mut self, application_id: &str, at: Millis) -> Stored<()> {
        let sql = concat!(
            "SELECT a.program, ",
            place_intake!(),
            " AS intake FROM decisions d JOIN applications a ON a.id = d.application_id \
             WHERE d.application_id = $1 AND d.state = 'released' AND d.outcome = 'accept'"
        );
        let found: Vec<(String, String)> = self.fetch_all(sql, args![application_id]).await?;
        let Some((program, code)) = found.into_iter().next() else {
            return Err(missing("released acceptance of", application_id));
        };
        let program = program_of(&program)?;
        let intake = Intake::parse(&code).ok_or_else(|| unreadable("decisions.intake", application_id))?;
        if self.place_rules(program).await?.limit(intake).is_none() {
            return Ok(());
        }
        self.lock_intake(program, &code).await?;
        // Statements of their own, which see what those have written who were waited for.
        let limit = self.place_rules(program).await?.limit(intake);
        let sql = holders!("COUNT(*)", " AND a.program = $3");
        let args = args![&code, undoable_since(at), program.application_type()];
        let counts: Vec<(i64,)> = self.fetch_all(sql, args).await?;
        let taken = counts.first().map_or(0, |(count,)| *count);
        match limit {
            Some(limit) if taken > limit.offers() => Err(StoreError::Taken("place")),
            _ => Ok(()),
        }
    }

    async fn place_rules(&mut self, program: Program) -> Stored<PlaceRules> {
        rules(program, self.fetch_all(RULES, args![Setting::Places(program).name()]).await?)
    }
}
