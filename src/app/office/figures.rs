//! Figures about applications. Counting a million takes a moment, so results are kept for a minute.

use std::sync::Arc;

use jiff::civil::Date;
use tokio::sync::Mutex;

use crate::App;
use crate::error::Error;
use domain::clocks::end_of;
use domain::intake::Intake;
use domain::listing::FiguresQuery;
use domain::listing::figures::{Figures, Filter, WAITS};
use domain::moments::{DAY, MINUTE, Millis};
use domain::permission::Permission;
use domain::places::Capacity;
use domain::staff::{StaffSession, StaffSummary};

/// Figures with the time they were counted.
#[derive(Debug, Clone)]
pub struct Counted {
    pub filter: Filter,
    pub figures: Arc<Figures>,
    /// The places of intakes, whenever their applications were submitted.
    pub capacity: Arc<Vec<Capacity>>,
    /// Everybody who can be among the readers.
    pub all_staff: Arc<Vec<StaffSummary>>,
    /// Intakes to filter by, soonest first.
    pub intakes: Vec<Intake>,
    pub at: Millis,
}

impl Counted {
    /// A reader's name.
    pub fn called(&self, staff_id: &str) -> &str {
        self.all_staff.iter().find(|one| one.id == staff_id).map_or("Somebody who left", StaffSummary::called)
    }
}

/// Figures counted in the last minute. Callers wait while they are being counted.
#[derive(Debug, Default)]
pub struct FigureCache(Mutex<Vec<Counted>>);

impl App {
    /// The figures, at most a minute old.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`](crate::Refusal::RoleForbidden)
    pub async fn figures(&self, who: &StaffSession, filter: Filter) -> Result<Counted, Error> {
        who.staff.permit(Permission::Applications)?;
        let mut kept = self.figures.0.lock().await;
        let now = self.clock.now();
        kept.retain(|counted| (0..MINUTE).contains(&(now - counted.at)));
        if let Some(counted) = kept.iter().find(|counted| counted.filter == filter) {
            return Ok(counted.clone());
        }
        let zone = &self.settings.time_zone;
        let midnight = |day: Date| day.yesterday().map_or(0, |before| end_of(before, zone));
        let spans = filter.spans();
        let query = FiguresQuery {
            spans: spans.iter().map(|span| (midnight(span.from), end_of(span.to, zone))).collect(),
            waits: WAITS.map(|days| now - days * DAY),
            program: filter.program,
            intake: filter.intake,
        };
        let counts = self.store.figures(&query).await?;
        let mut intakes: Vec<Intake> =
            self.store.listed_intakes().await?.iter().filter_map(|code| Intake::parse(code)).collect();
        intakes.extend(filter.intake.filter(|intake| !intakes.contains(intake)));
        intakes.sort_by_key(|intake| intake.start);
        let counted = Counted {
            filter,
            figures: Arc::new(Figures::new(&spans, &counts)),
            capacity: Arc::new(self.capacity_of(filter.program, filter.intake).await?),
            all_staff: Arc::new(self.store.all_staff().await?),
            intakes,
            at: now,
        };
        kept.push(counted.clone());
        Ok(counted)
    }
}
