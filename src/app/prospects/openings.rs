//! News of the next intake.

use crate::App;
use crate::error::Error;
use crate::jobs::Ran;
use crate::mails::prospects as mails;
use domain::moments::{DAY, MINUTE};
use domain::prospect::Prospect;

/// Mails per transaction.
const AT_ONCE: i64 = 50;
/// Transactions per run, which must be over within the time of a job.
const PER_RUN: usize = 40;

impl App {
    /// [`jobs::TELL_OF_OPENINGS`](crate::jobs::TELL_OF_OPENINGS): tells prospects who want to hear it that the next
    /// intake can be applied for, if they have not heard of it and have no application.
    pub(crate) async fn tell_of_openings(&self) -> Result<Ran, Error> {
        let intake = self.product_settings().await.deadlines.next(self.today());
        let mail = |prospect: &Prospect, token: &str| mails::openings(self, prospect, token, intake);
        for _ in 0..PER_RUN {
            let now = self.clock.now();
            let told = self.store.tell_of_intake(&intake.code(), now, AT_ONCE, &mail).await?;
            if (told as i64) < AT_ONCE {
                return Ok(Ran::AgainAt(now + DAY));
            }
        }
        Ok(Ran::AgainAt(self.clock.now() + MINUTE))
    }
}
