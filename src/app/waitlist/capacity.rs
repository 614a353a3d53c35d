//! How many places intakes have, how many are taken, and what is to be expected.

use crate::App;
use crate::decisions::deferrals::MAX_MONTHS;
use crate::error::Error;
use domain::application::Application;
use domain::intake::Intake;
use domain::permission::Permission;
use domain::places::{Capacity, PlaceRules, PlacesLeft, Taken, Yield};
use domain::program::Program;
use domain::staff::StaffSession;
use domain::status::Stage;

/// Intakes that have begun from whose offers a yield is told.
const HISTORY: i16 = 3;

impl App {
    /// The places of intakes: of those ahead and the last one that has begun, as far as anything is to be said about
    /// them; in any case of the next one, or of the one asked for.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`](crate::Refusal::RoleForbidden)
    pub async fn capacity(
        &self,
        who: &StaffSession,
        program: Option<Program>,
        intake: Option<Intake>,
    ) -> Result<Vec<Capacity>, Error> {
        who.staff.permit(Permission::Applications)?;
        self.capacity_of(program, intake).await
    }

    pub(crate) async fn capacity_of(
        &self,
        program: Option<Program>,
        intake: Option<Intake>,
    ) -> Result<Vec<Capacity>, Error> {
        let today = self.today();
        let ahead = Intake::within(today, MAX_MONTHS);
        let in_any_case = intake.or_else(|| ahead.first().copied());
        let intakes = match intake {
            Some(intake) => vec![intake],
            None => Intake::begun(today, 1).into_iter().chain(ahead).collect(),
        };
        let programs = Program::ALL.into_iter().filter(|of| program.is_none_or(|program| program == *of));
        let wanted: Vec<(Program, Intake)> =
            programs.flat_map(|program| intakes.iter().map(move |intake| (program, *intake))).collect();
        let waiting = self.store.waitlists().await?;
        let mut capacities = self.capacities(&wanted, &waiting).await?;
        capacities.retain(|capacity| capacity.is_in_use() || Some(capacity.intake) == in_any_case);
        Ok(capacities)
    }

    /// The places of these intakes, in this order; `waiting` counts the applications in each line.
    pub(super) async fn capacities(
        &self,
        wanted: &[(Program, Intake)],
        waiting: &[(Program, Intake, i64)],
    ) -> Result<Vec<Capacity>, Error> {
        let product = self.product_settings().await;
        let taken = self.taken(wanted).await?;
        let yields = self.store.offer_yields(&Intake::begun(self.today(), HISTORY)).await?;
        let capacity = |((program, intake), taken): (&(Program, Intake), Taken)| Capacity {
            program: *program,
            intake: *intake,
            limit: product.places(*program).limit(*intake),
            taken,
            waiting: waiting.iter().find(|one| (one.0, one.1) == (*program, *intake)).map_or(0, |one| one.2),
            history: yields.iter().find(|(one, _)| one == program).map_or(Yield::default(), |(_, of)| *of),
        };
        Ok(wanted.iter().zip(taken).map(capacity).collect())
    }

    /// Who holds the places of these intakes, in this order.
    async fn taken(&self, wanted: &[(Program, Intake)]) -> Result<Vec<Taken>, Error> {
        let now = self.clock.now();
        let mut counted: Vec<(Intake, Vec<(Program, Taken)>)> = Vec::new();
        for (_, intake) in wanted {
            if counted.iter().all(|(one, _)| one != intake) {
                counted.push((*intake, self.store.places_taken(*intake, now).await?));
            }
        }
        let of = |(program, intake): &(Program, Intake)| {
            let by_program = counted.iter().find(|(one, _)| one == intake).map(|(_, by_program)| by_program);
            let found = by_program.and_then(|all| all.iter().find(|(one, _)| one == program));
            found.map_or(Taken::default(), |(_, taken)| *taken)
        };
        Ok(wanted.iter().map(of).collect())
    }

    /// How many places are taken of the intakes for which somebody waits.
    pub(crate) async fn places_of_lines(&self) -> Result<Vec<(Program, Intake, i64)>, Error> {
        let lines: Vec<(Program, Intake)> =
            self.store.waitlists().await?.into_iter().map(|(program, intake, _)| (program, intake)).collect();
        let taken = self.taken(&lines).await?;
        Ok(lines.into_iter().zip(taken).map(|((program, intake), taken)| (program, intake, taken.total())).collect())
    }

    /// How many offers can still be made for the intakes whose places are limited, from the last one that has begun on.
    ///
    /// # Errors
    /// Store errors.
    pub async fn places_left(&self) -> Result<PlacesLeft, Error> {
        let product = self.product_settings().await;
        let since = Intake::begun(self.today(), 1).first().map(|intake| intake.start);
        let wanted: Vec<(Program, Intake)> = Program::ALL
            .into_iter()
            .flat_map(|program| product.places(program).limited().map(move |intake| (program, intake)))
            .filter(|(_, intake)| since.is_none_or(|since| intake.start >= since))
            .collect();
        let taken = self.taken(&wanted).await?;
        let left = wanted.iter().zip(taken).filter_map(|((program, intake), taken)| {
            let limit = product.places(*program).limit(*intake)?;
            Some((*program, *intake, limit.offers() - taken.total()))
        });
        Ok(PlacesLeft::new(left))
    }

    /// Whether one more offer can be made for the intake, as far as can be told before it is made.
    pub(crate) async fn has_place(&self, program: Program, intake: Intake) -> Result<bool, Error> {
        self.has_place_under(program, intake, self.product_settings().await.places(program)).await
    }

    /// Whether these rules allow one more offer for the intake.
    pub(super) async fn has_place_under(
        &self,
        program: Program,
        intake: Intake,
        rules: &PlaceRules,
    ) -> Result<bool, Error> {
        let Some(limit) = rules.limit(intake) else { return Ok(true) };
        let taken = self.taken(&[(program, intake)]).await?;
        Ok(taken.iter().all(|taken| taken.total() < limit.offers()))
    }

    /// Whether there is a place for a lapsed offer that is opened again.
    pub(crate) async fn has_place_again(&self, application: &Application) -> Result<bool, Error> {
        if application.stage != Stage::Lapsed {
            return Ok(false);
        }
        let Some(decided) = self.store.decided(&application.id).await? else { return Ok(false) };
        let deferral = self.store.deferral(&application.id).await?;
        self.has_place(application.program, decided.intake(deferral.as_ref())).await
    }
}
