//! Passkeys of staff and applicants: adding and removing them, and verifying what a browser answers when asked for one.
//!
//! Using one proves possession of a device and a finger, a face or its PIN, so it replaces both the password and a
//! code. See docs/adr/043-passkeys.md.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::accounts::passwords::PasswordAgain;
use crate::accounts::second_factor::Event;
use crate::accounts::sessions::SignedIn;
use crate::error::{Error, Refusal};
use crate::mails;
use crate::office::staff::mails as staff_mails;
use crate::ports::Ceremony;
use crate::{App, Caller};
use domain::account::Holder;
use domain::input::{FieldError, Input};
use domain::moments::{MINUTE, Millis};
use domain::passkey::Passkey;
use domain::sentence::Sentence;
use domain::session::Audience;
use domain::staff::StaffSession;
use domain::text;
use store::{AuditEntry, NewMail, PasskeyAdded, Throttle};

/// How long a browser may take to answer.
const PATIENCE: Millis = 5 * MINUTE;
/// Maximum number of passkeys per account.
const MAX_PASSKEYS: i64 = 20;

/// What a page hands to its script to ask the browser for a passkey.
#[derive(Debug, Clone)]
pub struct PasskeyChallenge {
    /// JSON for `navigator.credentials`.
    pub options: String,
    /// Sent back with the answer.
    pub state: String,
}

/// The browser's answer to a challenge.
#[derive(Debug, Clone, Default)]
pub struct PasskeyAnswer {
    /// JSON from `navigator.credentials`.
    pub answer: String,
    pub state: String,
}

/// The sealed part of a challenge.
#[derive(Serialize, Deserialize)]
struct Sealed {
    until: Millis,
    state: String,
}

/// The only context in which the sealed state can be opened.
fn place_to_make(holder: Holder<'_>) -> String {
    format!("passkey to be made {}", holder.subject())
}

fn place_to_use(audience: Audience) -> &'static str {
    match audience {
        Audience::Applicant => "passkey of an applicant",
        Audience::Admin => "passkey of staff",
    }
}

fn refused(code: &'static str, sentence: impl Into<Sentence>) -> Error {
    FieldError::new("passkey", code, sentence).into()
}

fn late() -> Error {
    refused("passkey.late", text!("That took too long. Try again."))
}

fn wrong() -> Error {
    refused("passkey.wrong", text!("This passkey did not work here. Try again, or use another method."))
}

impl App {
    /// Whether passkeys are available at the address of this installation.
    pub fn has_passkeys(&self) -> bool {
        self.passkeys.is_some()
    }

    /// A challenge for logging in with a passkey alone.
    pub fn ask_any_passkey(&self, audience: Audience) -> Option<PasskeyChallenge> {
        let ceremony = self.passkeys.as_ref()?.ask(&[])?;
        Some(self.sealed(place_to_use(audience), ceremony))
    }

    /// A challenge for a passkey as the second factor; `None` if the account has none.
    pub(crate) async fn ask_passkey(&self, holder: Holder<'_>) -> Result<Option<PasskeyChallenge>, Error> {
        let Some(protocol) = self.passkeys.as_ref().filter(|_| holder.passkeys > 0) else { return Ok(None) };
        let ceremony = protocol.ask(&self.store.passkeys(holder.account).await?);
        Ok(ceremony.map(|ceremony| self.sealed(place_to_use(holder.account.audience), ceremony)))
    }

    /// Verifies a passkey and returns its owner. Each challenge can be answered once.
    pub(crate) async fn taken_passkey(&self, audience: Audience, given: &PasskeyAnswer) -> Result<String, Error> {
        let protocol = self.passkeys.as_ref().ok_or_else(wrong)?;
        let state = self.opened(place_to_use(audience), &given.state)?;
        let id = protocol.credential_id(&given.answer).ok_or_else(wrong)?;
        let Some((owner, passkey)) = self.store.passkey(audience, &id).await? else {
            let sentence =
                text!("No account here has this passkey. Log in another way, and remove it from your device.");
            return Err(refused("passkey.unknown", sentence));
        };
        let Some(key) = protocol.verified(&state, &given.answer, &passkey.credential.key) else {
            metrics::counter!("login_failures_total", "who" => audience.kind(), "why" => "passkey").increment(1);
            return Err(wrong());
        };
        let now = self.clock.now();
        let once = format!("passkey:{}", self.tokens.digest(&given.state));
        if let Throttle::Refused { .. } = self.store.attempt(&once, 1, PATIENCE, now).await? {
            return Err(late());
        }
        self.store.passkey_used(audience, &passkey.id, &key, now).await?;
        Ok(owner)
    }

    fn sealed(&self, place: &str, Ceremony { options, state }: Ceremony) -> PasskeyChallenge {
        let sealed = Sealed { until: self.clock.now() + PATIENCE, state };
        let sealed = serde_json::to_string(&sealed).expect("a number and a text are JSON");
        PasskeyChallenge { options, state: self.sealing.seal(place, &sealed) }
    }

    fn opened(&self, place: &str, sealed: &str) -> Result<String, Error> {
        let opened = self.sealing.open(place, sealed).ok_or_else(wrong)?;
        let Sealed { until, state } = serde_json::from_str(&opened).map_err(|_| wrong())?;
        if until < self.clock.now() { Err(late()) } else { Ok(state) }
    }

    async fn ask_new_passkey(&self, holder: Holder<'_>) -> Result<Option<PasskeyChallenge>, Error> {
        let Some(protocol) = &self.passkeys else { return Ok(None) };
        let present = self.store.passkeys(holder.account).await?;
        let ceremony = protocol.ask_new(holder.account.id, holder.email, &present);
        Ok(ceremony.map(|ceremony| self.sealed(&place_to_make(holder), ceremony)))
    }

    /// Adds a new passkey. Returns recovery codes, shown once, if it is the account's first second factor.
    async fn add(
        &self,
        holder: Holder<'_>,
        session_id: &str,
        given: &PasskeyAnswer,
        caller: &Caller,
        mail: NewMail,
    ) -> Result<Option<Vec<String>>, Error> {
        let protocol = self.passkeys.as_ref().ok_or_else(wrong)?;
        let state = self.opened(&place_to_make(holder), &given.state)?;
        let credential = protocol.made(&state, &given.answer).ok_or_else(wrong)?;
        let passkey = Passkey {
            id: self.random.id(),
            credential,
            user_agent: caller.browser(),
            created_at: self.clock.now(),
            last_used_at: None,
        };
        let codes = (!holder.has_second_factor()).then(|| self.new_recovery_codes());
        let digests = codes.as_ref().map(|codes| self.digests(codes));
        let first = digests.as_deref().map(|digests| (digests, session_id));
        let audit = self.about_passkey(holder, Event::PasskeyAdded, &passkey.id);
        match self.store.add_passkey(holder.account, &passkey, MAX_PASSKEYS, first, &audit, &mail).await? {
            PasskeyAdded::Done => Ok(codes),
            PasskeyAdded::There => {
                Err(refused("passkey.there", text!("This device already has a passkey for your account.")))
            }
            PasskeyAdded::TooMany => Err(refused(
                "passkey.too_many",
                text!("An account has {max} passkeys at most. Remove one first.", max = MAX_PASSKEYS),
            )),
        }
    }

    async fn remove(&self, holder: Holder<'_>, id: &str, mail: NewMail) -> Result<(), Error> {
        let audit = self.about_passkey(holder, Event::PasskeyRemoved, id);
        if self.store.remove_passkey(holder.account, id, &audit, &mail).await? {
            Ok(())
        } else {
            Err(Refusal::PasskeyNotFound.into())
        }
    }

    fn about_passkey(&self, holder: Holder<'_>, event: Event, id: &str) -> AuditEntry {
        self.second_factor_changed(holder.subject(), holder, event, json!({ "passkey": id }))
    }
}

/// For applicants.
impl App {
    pub async fn passkeys_of(&self, who: &SignedIn) -> Result<Vec<Passkey>, Error> {
        Ok(self.store.passkeys(who.applicant.holder().account).await?)
    }

    /// A challenge for creating a passkey; `None` if passkeys are not available.
    pub async fn begin_passkey(&self, who: &SignedIn) -> Result<Option<PasskeyChallenge>, Error> {
        self.ask_new_passkey(who.applicant.holder()).await
    }

    /// A challenge for changing one's second factor; `None` for an applicant without a passkey.
    pub async fn ask_own_passkey(&self, who: &SignedIn) -> Result<Option<PasskeyChallenge>, Error> {
        self.ask_passkey(who.applicant.holder()).await
    }

    /// Adds a passkey, given the password. If it is the first second factor, recovery codes are issued and every other
    /// session ends.
    ///
    /// # Errors
    /// `passkey.wrong`, `passkey.late`, `passkey.there`, `passkey.too_many`, the password's errors.
    pub async fn add_passkey(
        &self,
        who: &SignedIn,
        input: &Input,
        given: &PasskeyAnswer,
        caller: &Caller,
    ) -> Result<Option<Vec<String>>, Error> {
        let PasswordAgain { current_password } = PasswordAgain::parse(input)?;
        self.confirm_password(who, current_password, caller).await?;
        let mail = mails::passkey_added(self, &who.applicant);
        self.add(who.applicant.holder(), &who.session.id, given, caller, mail).await
    }

    /// Removes a passkey, given the password and the second factor.
    ///
    /// # Errors
    /// Errors of password and second factor, [`Refusal::PasskeyNotFound`].
    pub async fn remove_passkey(
        &self,
        who: &SignedIn,
        id: &str,
        input: &Input,
        given: Option<&PasskeyAnswer>,
        caller: &Caller,
    ) -> Result<(), Error> {
        self.confirm_both(who, input, given, caller).await?;
        let mail = mails::passkey_removed(self, &who.applicant);
        self.remove(who.applicant.holder(), id, mail).await
    }
}

/// For staff.
impl App {
    pub async fn staff_passkeys(&self, who: &StaffSession) -> Result<Vec<Passkey>, Error> {
        Ok(self.store.passkeys(who.staff.holder().account).await?)
    }

    /// A challenge for creating a passkey; `None` if passkeys are not available.
    pub async fn begin_staff_passkey(&self, who: &StaffSession) -> Result<Option<PasskeyChallenge>, Error> {
        self.ask_new_passkey(who.staff.holder()).await
    }

    /// A challenge for a login that awaits the second factor, or for an action that asks for it again.
    pub async fn ask_staff_passkey(&self, who: &StaffSession) -> Result<Option<PasskeyChallenge>, Error> {
        self.ask_passkey(who.staff.holder()).await
    }

    /// Adds a passkey. If it is the first second factor, recovery codes are issued and every other session ends.
    ///
    /// # Errors
    /// `passkey.wrong`, `passkey.late`, `passkey.there`, `passkey.too_many`
    pub async fn add_staff_passkey(
        &self,
        who: &StaffSession,
        given: &PasskeyAnswer,
        caller: &Caller,
    ) -> Result<Option<Vec<String>>, Error> {
        let mail = staff_mails::passkey_added(self, &who.staff);
        self.add(who.staff.holder(), &who.session.id, given, caller, mail).await
    }

    /// Removes one of the caller's own passkeys.
    ///
    /// # Errors
    /// [`Refusal::PasskeyNotFound`]; [`Refusal::SecondFactorNeeded`] for the last second factor where everybody must
    /// have one.
    pub async fn remove_staff_passkey(&self, who: &StaffSession, id: &str) -> Result<(), Error> {
        if who.second_factor_required && who.staff.code_seed.is_none() && who.staff.passkeys == 1 {
            return Err(Refusal::SecondFactorNeeded.into());
        }
        let mail = staff_mails::passkey_removed(self, &who.staff);
        self.remove(who.staff.holder(), id, mail).await
    }
}
