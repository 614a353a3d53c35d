//! The second factor of an account, staff's or an applicant's: authenticator app codes or passkeys, and recovery codes
//! in case they are lost.

use serde_json::{Value, json};

use crate::accounts::passkeys::PasskeyAnswer;
use crate::accounts::passwords::{address, current_password};
use crate::accounts::sessions::SignedIn;
use crate::error::{Error, Refusal};
use crate::mails;
use crate::{App, Caller};
use domain::account::{Email, Holder};
use domain::body::wrong;
use domain::input::{FieldError, Input};
use domain::moments::MINUTE;
use domain::permission::Permission;
use domain::sentence::Sentence;
use domain::session::Audience;
use domain::staff::StaffSession;
use domain::{body, text};
use store::{AuditEntry, NewSecondFactor, Throttle};

/// How long a login waits for its code.
pub(crate) const CODE_WAIT: i64 = 5 * MINUTE;
/// Maximum codes tried in fifteen minutes.
const CODES_TRIED: u32 = 10;
const RECOVERY_CODES: usize = 10;
/// No easily confused letters: five bits each.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// An authenticator app being set up. Nothing is stored yet.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Sent back with the first code.
    pub seed: String,
    /// For typing into an app that cannot scan the QR code.
    pub secret: String,
    /// Content of the QR code.
    pub uri: String,
}

/// What happens to a second factor, as the record names it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Event {
    On,
    Off,
    CodesRenewed,
    CodeUsed,
    /// Removed by staff because its owner has lost it.
    Reset,
    PasskeyAdded,
    PasskeyRemoved,
}

impl Event {
    fn action(self, audience: Audience) -> &'static str {
        match (audience, self) {
            (Audience::Admin, Event::On) => "staff.second_factor_on",
            (Audience::Admin, Event::Off) => "staff.second_factor_off",
            (Audience::Admin, Event::CodesRenewed) => "staff.recovery_codes_renewed",
            (Audience::Admin, Event::CodeUsed) => "staff.recovery_code_used",
            (Audience::Admin, Event::Reset) => "staff.second_factor_reset",
            (Audience::Admin, Event::PasskeyAdded) => "staff.passkey_added",
            (Audience::Admin, Event::PasskeyRemoved) => "staff.passkey_removed",
            (Audience::Applicant, Event::On) => "applicant.second_factor_on",
            (Audience::Applicant, Event::Off) => "applicant.second_factor_off",
            (Audience::Applicant, Event::CodesRenewed) => "applicant.recovery_codes_renewed",
            (Audience::Applicant, Event::CodeUsed) => "applicant.recovery_code_used",
            (Audience::Applicant, Event::Reset) => "applicant.second_factor_reset",
            (Audience::Applicant, Event::PasskeyAdded) => "applicant.passkey_added",
            (Audience::Applicant, Event::PasskeyRemoved) => "applicant.passkey_removed",
        }
    }
}

body! {
    /// The seed of a setup and the first code from the app.
    pub struct SecondFactorProof {
        pub(crate) seed: String = seed,
        /// The code that the app shows.
        pub(crate) code: String = code,
    }
}

body! {
    /// The seed of a setup, the first code from the app, and the password.
    pub struct OwnSecondFactorProof {
        seed: String = seed,
        /// The code that the app shows.
        code: String = code,
        #[schema(format = Password)]
        current_password: String = current_password,
    }
}

body! {
    /// The password and a code of the second factor.
    // No code is asked for with a passkey.
    pub struct PasswordAndCode given (by_passkey: bool) {
        #[schema(format = Password)]
        current_password: String = current_password,
        /// From the authenticator app, or a recovery code. Each works once.
        #[schema(value_type = String)]
        code: Option<String> = |path: &str, input: Option<&Input>| (!by_passkey).then(|| code(path, input)).transpose(),
    }
}

body! {
    /// The applicant whose second factor to remove.
    pub struct ApplicantAddress {
        #[schema(value_type = String, format = Email)]
        email: Email = address,
    }
}

fn seed(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    match input {
        Some(Input::Text(seed)) if is_seed(seed) => Ok(seed.clone()),
        None => Err(wrong(path, "required", text!("Begin again, and send the seed along."))),
        Some(_) => Err(wrong(path, "invalid", text!("Start again: this setup cannot be continued."))),
    }
}

impl App {
    /// Sets up a new authenticator app, or resumes the setup with this seed.
    pub(crate) fn setup(&self, holder: Holder<'_>, seed: Option<&str>) -> Setup {
        let seed = seed.filter(|seed| is_seed(seed)).map_or_else(|| self.random.secret(), str::to_owned);
        Setup {
            secret: self.codes.secret(holder.account, &seed),
            uri: self.codes.uri(holder.account, &seed, holder.email, &self.settings.institute),
            seed,
        }
    }

    /// The seed and recovery codes to store, once a code proves that the app has the seed.
    ///
    /// # Errors
    /// `code.wrong`
    pub(crate) fn proven(
        &self,
        holder: Holder<'_>,
        proof: SecondFactorProof,
    ) -> Result<(NewSecondFactor, Vec<String>), Error> {
        let SecondFactorProof { seed, code } = proof;
        let Some(step) = self.codes.step(holder.account, &seed, &code, self.clock.now()) else {
            let sentence =
                text!("This code does not match. Enter the newest one that your app shows for this account.");
            return Err(FieldError::new("code", "code.wrong", sentence).into());
        };
        let codes = self.new_recovery_codes();
        Ok((NewSecondFactor { seed, step, recovery: self.digests(&codes) }, codes))
    }

    /// An audit entry about a second factor, by its owner.
    pub(crate) fn about_second_factor(&self, holder: Holder<'_>, event: Event) -> AuditEntry {
        self.second_factor_changed(holder.subject(), holder, event, json!({}))
    }

    /// The same, by `actor`.
    pub(crate) fn second_factor_changed(
        &self,
        actor: String,
        holder: Holder<'_>,
        event: Event,
        detail: Value,
    ) -> AuditEntry {
        self.audit_entry(actor, holder.subject(), event.action(holder.account.audience), detail)
    }

    /// Checks the second factor: a passkey if given, else a code. Passes if the account has no second factor.
    pub(crate) async fn check_second_factor(
        &self,
        holder: Holder<'_>,
        code: Option<&Input>,
        passkey: Option<&PasskeyAnswer>,
    ) -> Result<(), Error> {
        match passkey {
            Some(given) if holder.has_second_factor() => self.check_passkey(holder, given).await,
            _ => self.check_code(holder, code).await,
        }
    }

    /// Checks a passkey of this account.
    pub(crate) async fn check_passkey(&self, holder: Holder<'_>, given: &PasskeyAnswer) -> Result<(), Error> {
        if self.taken_passkey(holder.account.audience, given).await? == holder.account.id {
            return Ok(());
        }
        let sentence = text!("This passkey belongs to another account.");
        Err(FieldError::new("passkey", "passkey.other", sentence).into())
    }

    /// Checks a code from the authenticator app or a recovery code, each of which works once. Passes if the account has
    /// no second factor.
    pub(crate) async fn check_code(&self, holder: Holder<'_>, input: Option<&Input>) -> Result<(), Error> {
        if !holder.has_second_factor() {
            return Ok(());
        }
        self.take_code(holder, &code("code", input)?).await
    }

    /// Checks the code of an account that has a second factor.
    pub(crate) async fn take_code(&self, holder: Holder<'_>, code: &str) -> Result<(), Error> {
        let Holder { account, seed, .. } = holder;
        let who = account.audience.kind();
        let key = format!("{who}-code:{}", account.id);
        let now = self.clock.now();
        if let Throttle::Refused { wait } = self.store.attempt(&key, CODES_TRIED, 15 * MINUTE, now).await? {
            return Err(Error::Throttled { code: "auth.throttled", wait });
        }
        let taken = match seed.and_then(|seed| self.codes.step(account, seed, code, now)) {
            Some(step) => self.store.take_code(account, step).await?,
            None => {
                let digest = self.tokens.digest(&recovery_key(code));
                let audit = self.about_second_factor(holder, Event::CodeUsed);
                self.store.take_recovery_code(account, &digest, &audit).await?
            }
        };
        if !taken {
            metrics::counter!("login_failures_total", "who" => who, "why" => "code").increment(1);
            let sentence = text!(
                "This code does not work. Each one works once: wait for the next one from your app, or use a recovery code."
            );
            return Err(FieldError::new("code", "code.wrong", sentence).into());
        }
        self.store.forget(&key).await?;
        Ok(())
    }

    /// Replaces the recovery codes. Returns `None` if there is no second factor.
    pub(crate) async fn renewed_codes(&self, holder: Holder<'_>) -> Result<Option<Vec<String>>, Error> {
        let codes = self.new_recovery_codes();
        let audit = self.about_second_factor(holder, Event::CodesRenewed);
        let done = self.store.replace_recovery_codes(holder.account, &self.digests(&codes), &audit).await?;
        Ok(done.then_some(codes))
    }

    pub(crate) fn new_recovery_codes(&self) -> Vec<String> {
        (0..RECOVERY_CODES).map(|_| recovery_code(self.random.number(), self.random.number())).collect()
    }

    pub(crate) fn digests(&self, codes: &[String]) -> Vec<String> {
        codes.iter().map(|code| self.tokens.digest(&recovery_key(code))).collect()
    }
}

impl App {
    /// Sets up a new authenticator app for an applicant, or resumes the setup with this seed.
    pub fn second_factor_setup(&self, who: &SignedIn, seed: Option<&str>) -> Setup {
        self.setup(who.applicant.holder(), seed)
    }

    /// Turns on the authenticator app, given the password and a code that proves the app has the seed. Returns the
    /// recovery codes, shown once. Every other session of the account ends.
    ///
    /// # Errors
    /// `code.required`, `code.wrong`, the password's errors, [`Refusal::SecondFactorThere`].
    pub async fn set_second_factor(
        &self,
        who: &SignedIn,
        input: &Input,
        caller: &Caller,
    ) -> Result<Vec<String>, Error> {
        let OwnSecondFactorProof { seed, code, current_password } = OwnSecondFactorProof::parse(input)?;
        self.confirm_password(who, current_password, caller).await?;
        let holder = who.applicant.holder();
        let (new, codes) = self.proven(holder, SecondFactorProof { seed, code })?;
        let audit = self.about_second_factor(holder, Event::On);
        let mail = mails::second_factor_on(self, &who.applicant);
        if !self.store.set_second_factor(holder.account, &new, &who.session.id, &audit, &mail).await? {
            return Err(Refusal::SecondFactorThere.into());
        }
        Ok(codes)
    }

    /// Removes the authenticator app, given the password and the second factor. Every other session of the account
    /// ends.
    ///
    /// # Errors
    /// Errors of password and second factor, [`Refusal::NoSecondFactor`].
    pub async fn drop_second_factor(
        &self,
        who: &SignedIn,
        input: &Input,
        given: Option<&PasskeyAnswer>,
        caller: &Caller,
    ) -> Result<(), Error> {
        self.confirm_both(who, input, given, caller).await?;
        let holder = who.applicant.holder();
        let audit = self.about_second_factor(holder, Event::Off);
        let mail = mails::second_factor_off(self, &who.applicant);
        if self.store.drop_second_factor(holder.account, &who.session.id, &audit, &mail).await? {
            Ok(())
        } else {
            Err(Refusal::NoSecondFactor.into())
        }
    }

    /// Replaces the recovery codes, given the password and the second factor.
    ///
    /// # Errors
    /// Errors of password and second factor, [`Refusal::NoSecondFactor`].
    pub async fn renew_recovery_codes(
        &self,
        who: &SignedIn,
        input: &Input,
        given: Option<&PasskeyAnswer>,
        caller: &Caller,
    ) -> Result<Vec<String>, Error> {
        self.confirm_both(who, input, given, caller).await?;
        Ok(self.renewed_codes(who.applicant.holder()).await?.ok_or(Refusal::NoSecondFactor)?)
    }

    pub async fn recovery_codes_left(&self, who: &SignedIn) -> Result<i64, Error> {
        Ok(self.store.recovery_codes(who.applicant.holder().account).await?)
    }

    /// Removes the second factor of an applicant who has lost it, found by the address of the account. Their sessions
    /// end.
    ///
    /// # Errors
    /// A bad address, `email.unknown`, `email.no_second_factor`, [`Refusal::RoleForbidden`].
    pub async fn reset_second_factor(&self, who: &StaffSession, input: &Input) -> Result<(), Error> {
        who.staff.permit(Permission::Staff)?;
        let ApplicantAddress { email } = ApplicantAddress::parse(input)?;
        let refuse = |code: &'static str, sentence: &'static str| -> Result<(), Error> {
            Err(FieldError::new("email", code, Sentence::new(sentence)).into())
        };
        let Some(applicant) = self.store.applicant_by_email(&email.key()).await? else {
            return refuse("email.unknown", "No applicant has an account with this email.");
        };
        let holder = applicant.holder();
        let actor = format!("staff:{}", who.staff.id);
        let audit = self.second_factor_changed(actor, holder, Event::Reset, json!({}));
        let mail = mails::second_factor_reset(self, &applicant);
        if self.store.reset_second_factor(holder.account, &audit, &mail).await? {
            Ok(())
        } else {
            refuse("email.no_second_factor", "This account has no second factor.")
        }
    }

    /// Checks the signed-in applicant's password and second factor, which they must have.
    pub(crate) async fn confirm_both(
        &self,
        who: &SignedIn,
        input: &Input,
        given: Option<&PasskeyAnswer>,
        caller: &Caller,
    ) -> Result<(), Error> {
        let PasswordAndCode { current_password, code } = PasswordAndCode::parse(input, given.is_some())?;
        if !who.applicant.has_second_factor() {
            return Err(Refusal::NoSecondFactor.into());
        }
        self.confirm_password(who, current_password, caller).await?;
        match given {
            Some(given) => self.check_passkey(who.applicant.holder(), given).await,
            None => self.take_code(who.applicant.holder(), &code.unwrap_or_default()).await,
        }
    }
}

/// A code as typed, without the spaces that apps show.
pub(crate) fn code(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    match input {
        Some(Input::Text(text)) if !text.trim().is_empty() => {
            Ok(text.chars().filter(|c| !c.is_whitespace()).take(100).collect())
        }
        None | Some(Input::Text(_)) => {
            Err(wrong(path, "required", text!("Enter the code from your authenticator app, or a recovery code.")))
        }
        Some(_) => Err(wrong(path, "type", text!("Code must be text."))),
    }
}

fn is_seed(text: &str) -> bool {
    text.len() == 43 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// 80 random bits: `x2f0-9m4k-0ab3-t7zz`.
fn recovery_code(first: u64, second: u64) -> String {
    let letters = [first, second].into_iter().flat_map(|bits| (0..8).map(move |at| (bits >> (5 * at)) & 31));
    let letters: Vec<char> = letters.map(|letter| char::from(LETTERS[letter as usize])).collect();
    letters.chunks(4).map(|four| four.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// The significant part of a recovery code, however it is typed.
fn recovery_key(typed: &str) -> String {
    let letters = typed.to_lowercase().replace(['i', 'l'], "1").replace('o', "0");
    letters.chars().filter(char::is_ascii_alphanumeric).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recovery_code_is_known_however_it_is_typed() {
        let code = recovery_code(0x0123_4567_89ab_cdef, u64::MAX);
        assert_eq!(code.len(), 19);
        assert_eq!(&code[10..], "zzzz-zzzz");
        let key = recovery_key(&code);
        assert_eq!(key.len(), 16);
        assert_eq!(recovery_key(&code.to_uppercase().replace('-', " ")), key);
        assert_eq!(recovery_key("OIL0-1111"), "01101111");
    }

    #[test]
    fn a_seed_is_a_secret_of_ours() {
        assert!(is_seed(&"a-_9".repeat(11)[..43]));
        assert!(!is_seed("short") && !is_seed(&"é".repeat(43)) && !is_seed(&"a b".repeat(20)[..43]));
    }
}
