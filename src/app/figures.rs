//! What all applications come to, in figures. Counting a million takes a moment, so what was counted is kept for a minute.

use std::sync::Arc;

use jiff::civil::Date;
use tokio::sync::Mutex;

use super::App;
use super::error::Error;
use super::ports::{DAY, MINUTE, Millis, StaffSession};
use crate::domain::clocks::{day, end_of};
use crate::domain::listing::figures::{Figures, WAITS, mondays};
use crate::domain::permission::Permission;

/// What was counted, and when.
#[derive(Debug, Clone)]
pub struct Counted {
    pub figures: Arc<Figures>,
    pub at: Millis,
}

/// The figures that were counted last. Whoever comes while they are counted waits for them.
#[derive(Debug, Default)]
pub struct FigureCache(Mutex<Option<Counted>>);

impl App {
    /// The figures, at most a minute old.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`](super::Refusal::RoleForbidden)
    pub async fn figures(&self, who: &StaffSession) -> Result<Counted, Error> {
        who.staff.permit(Permission::Applications)?;
        let mut kept = self.figures.0.lock().await;
        let now = self.clock.now();
        if let Some(counted) = kept.as_ref().filter(|counted| (0..MINUTE).contains(&(now - counted.at))) {
            return Ok(counted.clone());
        }
        let zone = &self.settings.time_zone;
        let mondays = mondays(day(now, zone));
        let midnight = |monday: &Date| monday.yesterday().map_or(0, |sunday| end_of(sunday, zone));
        let weeks: Vec<Millis> = mondays.iter().map(midnight).collect();
        let waits = WAITS.map(|days| now - days * DAY);
        let counts = self.store.figures(&weeks, &waits).await?;
        let counted = Counted { figures: Arc::new(Figures::new(&mondays, &counts)), at: now };
        *kept = Some(counted.clone());
        Ok(counted)
    }
}
