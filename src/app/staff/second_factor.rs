//! The second factor: codes of an authenticator app, and recovery codes for who has lost it.

use serde_json::json;

use super::super::App;
use super::super::error::{Error, Refusal};
use super::super::ports::{NewSecondFactor, Staff, StaffChanged, StaffSession};
use super::login::code_text;
use super::{actor, mails};
use crate::domain::input::{FieldError, Input, unknown_fields};
use crate::domain::permission::Permission;

/// How many recovery codes there are.
const RECOVERY_CODES: usize = 10;
/// No letter that is mistaken for another: five bits each.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A second factor that is being set up. Nothing is stored yet.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Comes back with the first code.
    pub seed: String,
    /// To be typed into an app that cannot read the picture.
    pub secret: String,
    /// What the picture says.
    pub uri: String,
}

impl App {
    /// A new second factor to be set up, or the one that was begun with this seed.
    pub fn second_factor_setup(&self, staff: &Staff, seed: Option<&str>) -> Setup {
        let seed = seed.filter(|seed| is_seed(seed)).map_or_else(|| self.random.secret(), str::to_owned);
        Setup {
            secret: self.codes.secret(&staff.id, &seed),
            uri: self.codes.uri(&staff.id, &seed, &staff.email, &self.settings.institute),
            seed,
        }
    }

    /// Sets the second factor up, once a code proves that the app has it; the recovery codes, told once. Every other
    /// session of the account ends.
    ///
    /// # Errors
    /// `code.required`, `code.wrong`, [`Refusal::SecondFactorThere`].
    pub async fn set_second_factor(&self, who: &StaffSession, input: &Input) -> Result<Vec<String>, Error> {
        let entries = input.entries()?;
        let mut errors: Vec<FieldError> = unknown_fields(entries, &["seed", "code"]).collect();
        let seed = match Input::get(entries, "seed") {
            Some(Input::Text(seed)) if is_seed(seed) => seed.clone(),
            None => {
                errors.push(FieldError::new("seed", "seed.required", "Begin again, and send the seed along."));
                String::new()
            }
            Some(_) => {
                errors.push(FieldError::new(
                    "seed",
                    "seed.invalid",
                    "Begin again: this set-up cannot be gone on with.",
                ));
                String::new()
            }
        };
        let code = code_text(Input::get(entries, "code")).map_err(|error| errors.push(error)).unwrap_or_default();
        if !errors.is_empty() {
            return Err(errors.into());
        }
        let staff = &who.staff;
        let now = self.clock.now();
        let Some(step) = self.codes.step(&staff.id, &seed, &code, now) else {
            let sentence = "This code does not fit. Type the newest one that your app shows for this account.";
            return Err(FieldError::new("code", "code.wrong", sentence).into());
        };
        let codes = self.new_recovery_codes();
        let new = NewSecondFactor { seed, step, recovery: self.digests(&codes) };
        let audit = self.about_self(staff, "staff.second_factor_on", json!({}));
        let mail = mails::second_factor_on(self, staff);
        if !self.store.set_second_factor(&staff.id, &new, &who.session.id, &audit, &mail).await? {
            return Err(Refusal::SecondFactorThere.into());
        }
        Ok(codes)
    }

    /// Removes one's own second factor. Every other session of the account ends.
    ///
    /// # Errors
    /// [`Refusal::SecondFactorNeeded`] where everybody must have one.
    pub async fn drop_second_factor(&self, who: &StaffSession) -> Result<(), Error> {
        if who.second_factor_required {
            return Err(Refusal::SecondFactorNeeded.into());
        }
        let audit = self.about_self(&who.staff, "staff.second_factor_off", json!({}));
        let mail = mails::second_factor_off(self, &who.staff);
        self.store.drop_second_factor(&who.staff.id, Some(&who.session.id), &audit, &mail).await?;
        Ok(())
    }

    /// Other recovery codes in the place of those before.
    ///
    /// # Errors
    /// [`Refusal::NoSecondFactor`]
    pub async fn renew_recovery_codes(&self, who: &StaffSession) -> Result<Vec<String>, Error> {
        if who.staff.code_seed.is_none() {
            return Err(Refusal::NoSecondFactor.into());
        }
        let codes = self.new_recovery_codes();
        let audit = self.about_self(&who.staff, "staff.recovery_codes_renewed", json!({}));
        self.store.replace_recovery_codes(&who.staff.id, &self.digests(&codes), &audit).await?;
        Ok(codes)
    }

    /// How many recovery codes are left.
    pub async fn recovery_codes_left(&self, staff: &Staff) -> Result<i64, Error> {
        Ok(self.store.recovery_codes(&staff.id).await?)
    }

    /// Removes the second factor of somebody who has lost it. Their sessions end.
    ///
    /// # Errors
    /// [`Refusal::StaffNotFound`], [`Refusal::NoSecondFactor`], [`Refusal::RoleForbidden`].
    pub async fn reset_second_factor(&self, who: &StaffSession, staff_id: &str) -> Result<(), Error> {
        who.staff.permit(Permission::Staff)?;
        let staff = self.colleague(staff_id).await?;
        let audit = self.about_staff(actor(&who.staff), &staff.id, "staff.second_factor_reset", json!({}));
        let mail = mails::second_factor_off(self, &staff);
        if self.store.drop_second_factor(&staff.id, None, &audit, &mail).await? {
            Ok(())
        } else {
            Err(Refusal::NoSecondFactor.into())
        }
    }

    /// Says whether everybody must have a second factor. Whoever has none is led to set one up before anything else.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn require_second_factor(&self, who: &StaffSession, required: bool) -> Result<(), Error> {
        who.staff.permit(Permission::Settings)?;
        let before = self.store.second_factor_required().await?;
        if before == required {
            return Ok(());
        }
        let detail = json!({ "from": before, "to": required });
        let audit = self.audit_entry(actor(&who.staff), "office".into(), "office.second_factor_required", detail);
        self.store.require_second_factor(required, &audit).await?;
        Ok(())
    }

    fn new_recovery_codes(&self) -> Vec<String> {
        (0..RECOVERY_CODES).map(|_| recovery_code(self.random.number(), self.random.number())).collect()
    }

    fn digests(&self, codes: &[String]) -> Vec<String> {
        codes.iter().map(|code| self.tokens.digest(&recovery_key(code))).collect()
    }
}

/// What an act on an account met, as an outcome.
pub(super) fn outcome(changed: StaffChanged) -> Result<(), Error> {
    match changed {
        StaffChanged::Done => Ok(()),
        StaffChanged::Otherwise => Err(Refusal::StaffChanged.into()),
        StaffChanged::LastOwner => Err(Refusal::LastOwner.into()),
        StaffChanged::NoOwner => Err(Refusal::RoleForbidden.into()),
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

/// What of a recovery code counts, however it is typed.
pub(super) fn recovery_key(typed: &str) -> String {
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
