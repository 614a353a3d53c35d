//! Passwords that are tried. Each try is counted before it is checked, so that of many at once no more are checked than may
//! be, and taken back where the password was right.

use super::error::Error;
use super::ports::{Audience, HOUR, Limit, MINUTE, Throttle, Verdict};
use super::{App, Caller};

/// Most failures on one account in an hour, from wherever they come.
const PER_ACCOUNT: u32 = 100;
/// Most failures from one address in fifteen minutes. Barracks and campuses share one.
const PER_ADDRESS: u32 = 50;

/// What failures on the account with this address count under.
pub(super) fn account_key(audience: Audience, email: &str) -> String {
    let email = email.to_lowercase();
    match audience {
        Audience::Applicant => format!("login:{email}"),
        Audience::Admin => format!("staff-login:{email}"),
    }
}

fn address_key(audience: Audience, caller: &Caller) -> String {
    match audience {
        Audience::Applicant => format!("login-from:{}", caller.address),
        Audience::Admin => format!("staff-login-from:{}", caller.address),
    }
}

impl App {
    /// Checks a password for the account with this address, whose hash is `hash`. Takes the same time where there is none.
    ///
    /// # Errors
    /// Too many failures.
    pub(super) async fn check_password(
        &self,
        (audience, email): (Audience, &str),
        password: String,
        hash: Option<String>,
        caller: &Caller,
    ) -> Result<Verdict, Error> {
        let limits = [
            Limit { key: account_key(audience, email), most: PER_ACCOUNT, window: HOUR },
            Limit { key: address_key(audience, caller), most: PER_ADDRESS, window: 15 * MINUTE },
        ];
        if let Throttle::Refused { wait } = self.store.reserve(&limits, self.clock.now()).await? {
            return Err(Error::Throttled { code: "auth.throttled", wait });
        }
        let checked = self.passwords.verify(password, hash).await;
        // Whoever was turned away has tried nothing.
        if checked.as_ref().map_or(true, |verdict| verdict.matches) {
            let keys: Vec<&str> = limits.iter().map(|limit| limit.key.as_str()).collect();
            self.store.give_back(&keys).await?;
        }
        Ok(checked?)
    }
}
