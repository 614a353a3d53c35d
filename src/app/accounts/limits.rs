//! Rate limits on acts that send mail.

use crate::App;
use crate::error::Error;
use store::{Limit, Throttle};

impl App {
    /// Counts an act against each of the limits.
    ///
    /// # Errors
    /// Too many requests.
    pub(crate) async fn limit(&self, limits: &[Limit]) -> Result<(), Error> {
        match self.store.reserve(limits, self.clock.now()).await? {
            Throttle::Allowed => Ok(()),
            Throttle::Refused { wait } => Err(Error::Throttled { code: "rate_limited", wait }),
        }
    }
}
