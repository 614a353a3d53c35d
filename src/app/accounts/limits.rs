//! Acts that are limited in number, since each of them mails something.

use crate::App;
use crate::error::Error;
use store::{Limit, Throttle};

impl App {
    /// Counts an act under each of the limits.
    ///
    /// # Errors
    /// Too many.
    pub(crate) async fn limit(&self, limits: &[Limit]) -> Result<(), Error> {
        match self.store.reserve(limits, self.clock.now()).await? {
            Throttle::Allowed => Ok(()),
            Throttle::Refused { wait } => Err(Error::Throttled { code: "rate_limited", wait }),
        }
    }
}
