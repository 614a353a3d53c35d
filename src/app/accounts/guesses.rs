//! Password guesses. Each attempt is counted before it is checked, so that concurrent ones cannot exceed the limit, and
//! the count is taken back if the password was right.
//!
//! A browser that is logged in, or has logged in to the account before, has a count of its own: somebody trying
//! passwords from elsewhere does not lock the owner out.

use serde_json::json;

use crate::error::Error;
use crate::mails;
use crate::office::staff;
use crate::ports::PasswordCheck;
use crate::{App, Caller};
use domain::account::Applicant;
use domain::moments::{DAY, HOUR, MINUTE};
use domain::session::Audience;
use domain::staff::Staff;
use store::{Limit, Throttle};
use telemetry::carried;

/// Maximum failures on one account in ten minutes from one address, or from one known browser.
const PER_SOURCE: u32 = 10;
/// Maximum failures on one account in an hour, wherever they come from, except known browsers.
const PER_ACCOUNT: u32 = 100;
/// Maximum failures from one address in fifteen minutes. Barracks and campuses share one.
const PER_ADDRESS: u32 = 50;
/// Number of failures in a day after which the owner is told, once a day.
const TOLD_AFTER: u32 = 20;

/// The account a password is tried for.
#[derive(Debug, Clone)]
pub(crate) enum Account {
    /// No account has this address.
    None(Audience),
    Applicant(Box<Applicant>),
    Staff(Box<Staff>),
}

impl Account {
    fn audience(&self) -> Audience {
        match self {
            Account::None(audience) => *audience,
            Account::Applicant(_) => Audience::Applicant,
            Account::Staff(_) => Audience::Admin,
        }
    }

    fn id(&self) -> Option<&str> {
        match self {
            Account::None(_) => None,
            Account::Applicant(applicant) => Some(&applicant.id),
            Account::Staff(staff) => Some(&staff.id),
        }
    }

    fn hash(&self) -> Option<String> {
        match self {
            Account::None(_) => None,
            Account::Applicant(applicant) => Some(applicant.password_hash.clone()),
            Account::Staff(staff) => staff.has_password().then(|| staff.password_hash.clone()),
        }
    }
}

/// A password as somebody typed it.
pub(crate) struct Guess<'a> {
    pub account: Account,
    /// The account's address as typed.
    pub email: &'a str,
    pub password: String,
    /// The caller's session, if already logged in.
    pub session: Option<&'a str>,
}

/// The key under which failures from unknown browsers are counted.
pub(crate) fn account_key(audience: Audience, email: &str) -> String {
    key(audience, "login", &email.to_lowercase())
}

fn key(audience: Audience, what: &str, whose: &str) -> String {
    let whom = if audience == Audience::Admin { "staff-" } else { "" };
    format!("{whom}{what}:{whose}")
}

impl App {
    /// Checks a password. Takes the same time if there is no account.
    ///
    /// # Errors
    /// Too many failures.
    pub(crate) async fn check_password(&self, guess: Guess<'_>, caller: &Caller) -> Result<PasswordCheck, Error> {
        let Guess { account, email, password, session } = guess;
        let audience = account.audience();
        let known = session.or_else(|| self.known_device(&account, caller));
        let limits = match known {
            Some(device) => {
                vec![Limit { key: key(audience, "login-known", device), most: PER_SOURCE, window: 10 * MINUTE }]
            }
            None => {
                let source = format!("{}:{}", caller.address, email.to_lowercase());
                let from = key(audience, "login-from", &caller.address);
                vec![
                    Limit { key: key(audience, "login-source", &source), most: PER_SOURCE, window: 10 * MINUTE },
                    Limit { key: account_key(audience, email), most: PER_ACCOUNT, window: HOUR },
                    Limit { key: from, most: PER_ADDRESS, window: 15 * MINUTE },
                ]
            }
        };
        if let Throttle::Refused { wait } = self.store.reserve(&limits, self.clock.now()).await? {
            return Err(Error::Throttled { code: "auth.throttled", wait });
        }
        let checked = self.passwords.verify(password, account.hash()).await;
        match &checked {
            Ok(verdict) if !verdict.matches => self.note_wrong_password(account, known.is_some(), caller),
            // The attempt did not fail, or was never checked.
            Ok(_) | Err(_) => {
                let keys: Vec<&str> = limits.iter().map(|limit| limit.key.as_str()).collect();
                self.store.give_back(&keys).await?;
            }
        }
        Ok(checked?)
    }

    /// A new device cookie for the account.
    pub(crate) fn new_device(&self, audience: Audience, account_id: &str) -> String {
        self.tokens.device(audience, account_id, &self.random.secret())
    }

    fn known_device<'a>(&self, account: &Account, caller: &'a Caller) -> Option<&'a str> {
        let kept = match account.audience() {
            Audience::Applicant => caller.device.as_deref(),
            Audience::Admin => caller.staff_device.as_deref(),
        };
        self.tokens.known_device(account.audience(), account.id()?, kept?)
    }

    /// Adds a failure to the record and, after many, tells the owner. Runs in the background, so that the response
    /// takes as long as when there is no account.
    fn note_wrong_password(&self, account: Account, known: bool, caller: &Caller) {
        let (app, address) = (self.clone(), caller.address.clone());
        tokio::spawn(carried(async move {
            if let Err(error) = app.record_wrong_password(&account, known, &address).await {
                tracing::error!(error = &error as &dyn std::error::Error, "a wrong password is not in the record");
            }
        }));
    }

    async fn record_wrong_password(&self, account: &Account, known: bool, address: &str) -> Result<(), Error> {
        let Some(id) = account.id() else { return Ok(()) };
        let (subject, action) = match account.audience() {
            Audience::Applicant => (format!("applicant:{id}"), "applicant.password_wrong"),
            Audience::Admin => (format!("staff:{id}"), "staff.password_wrong"),
        };
        let detail = json!({ "address": address, "knownBrowser": known });
        let audit = self.audit_entry("system".into(), subject, action, detail);
        if !self.is_to_be_told(account.audience(), id).await? {
            return Ok(self.store.note(&audit).await?);
        }
        let mail = match account {
            Account::None(_) => return Ok(()),
            Account::Applicant(applicant) => mails::wrong_passwords(self, applicant),
            Account::Staff(member) => staff::wrong_passwords(self, member),
        };
        Ok(self.store.write_mail(&mail, &audit).await?)
    }

    /// Counts a failure and returns whether it is the one after which the owner is told.
    async fn is_to_be_told(&self, audience: Audience, id: &str) -> Result<bool, Error> {
        let now = self.clock.now();
        let failures = key(audience, "login-failed", id);
        if self.store.attempt(&failures, TOLD_AFTER - 1, DAY, now).await? == Throttle::Allowed {
            return Ok(false);
        }
        Ok(self.store.attempt(&key(audience, "login-told", id), 1, DAY, now).await? == Throttle::Allowed)
    }
}
