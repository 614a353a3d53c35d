//! The codes of authenticator apps.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use totp_rs::{Algorithm, Builder};

use super::Sealer;
use app::ports::{OneTimeCodes, Sealing};
use domain::account::AccountKey;
use domain::moments::Millis;
use domain::session::Audience;

/// Half a minute, six digits, SHA-1: what every app supports.
const STEP: u64 = 30;
/// Half minutes before and after the current one whose codes are accepted, because clocks differ.
const SKEW: u16 = 1;

/// Prefix of a stored seed that is the sealed secret itself: the key it was derived from is no longer used.
const SEALED: &str = "sealed:";

/// Derives the secrets of authenticator apps from one key.
pub struct Totp {
    key: Vec<u8>,
    sealer: Sealer,
}

impl Totp {
    /// `key` is the program's secret.
    pub fn new(key: &[u8]) -> Totp {
        Totp { key: key.to_owned(), sealer: Sealer::new(key) }
    }

    /// Returns what replaces `seed`, whose secret has so far been kept with `previous`.
    pub fn resealed(&self, previous: &Totp, account: AccountKey<'_>, seed: &str) -> Option<String> {
        let shared = BASE64_STANDARD.encode(previous.shared(account, seed)?);
        Some(format!("{SEALED}{}", self.sealer.seal(&place(account), &shared)))
    }

    fn shared(&self, account: AccountKey<'_>, seed: &str) -> Option<Vec<u8>> {
        match seed.strip_prefix(SEALED) {
            Some(sealed) => BASE64_STANDARD.decode(self.sealer.open(&place(account), sealed)?).ok(),
            None => Some(self.derived(account, seed)),
        }
    }

    /// Returns the first 160 bits of an HMAC, the length RFC 4226 recommends. Labelled, since the key signs other
    /// things too.
    fn derived(&self, account: AccountKey<'_>, seed: &str) -> Vec<u8> {
        let label = label(account.audience);
        let mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("HMAC takes any key");
        let mac =
            mac.chain_update(label).chain_update("\0").chain_update(account.id).chain_update("\0").chain_update(seed);
        mac.finalize().into_bytes()[..20].to_vec()
    }

    /// Returns `None` for a secret that was sealed with another key.
    fn totp(&self, account: AccountKey<'_>, seed: &str, name: &str, issuer: &str) -> Option<totp_rs::Totp> {
        let totp = Builder::new()
            .with_algorithm(Algorithm::SHA1)
            .with_digits(6)
            .with_skew(SKEW)
            .with_step_duration(STEP)
            .with_secret(self.shared(account, seed)?)
            // A colon separates the two in the URL.
            .with_account_name(name.replace(':', " "))
            .with_issuer(Some(issuer.replace(':', " ")))
            .build_noncompliant();
        Some(totp)
    }

    /// For a seed that is being set up.
    fn new_totp(&self, account: AccountKey<'_>, seed: &str, name: &str, issuer: &str) -> totp_rs::Totp {
        self.totp(account, seed, name, issuer).expect("only what was set up is sealed")
    }
}

/// Returns the label that tells applicants' codes from those of staff.
fn label(audience: Audience) -> &'static str {
    match audience {
        Audience::Applicant => "applicant-code",
        Audience::Admin => "staff-code",
    }
}

/// Identifies where a sealed secret is kept.
fn place(account: AccountKey<'_>) -> String {
    format!("{}:{}", label(account.audience), account.id)
}

impl OneTimeCodes for Totp {
    fn secret(&self, account: AccountKey<'_>, seed: &str) -> String {
        self.new_totp(account, seed, "", "").secret().to_base32()
    }

    fn uri(&self, account: AccountKey<'_>, seed: &str, name: &str, issuer: &str) -> String {
        self.new_totp(account, seed, name, issuer).to_url().expect("names without a colon make an address")
    }

    fn step(&self, account: AccountKey<'_>, seed: &str, code: &str, now: Millis) -> Option<i64> {
        let seconds = u64::try_from(now.div_euclid(1000)).ok()?;
        let step = self.totp(account, seed, "", "")?.check(code, seconds)?;
        i64::try_from(step).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S1: AccountKey<'_> = AccountKey { audience: Audience::Admin, id: "s1" };
    const NOW: Millis = 1_777_852_800_000;

    fn codes() -> Totp {
        Totp::new(b"a key of thirty-two bytes or more")
    }

    fn code(at: Millis) -> String {
        codes().new_totp(S1, "seed", "", "").generate(at as u64 / 1000).to_string()
    }

    #[test]
    fn a_code_is_good_for_its_half_minute_and_the_ones_beside_it() {
        let step = NOW / 30_000;
        for (ahead, expected) in
            [(-60_000, None), (-30_000, Some(step - 1)), (0, Some(step)), (30_000, Some(step + 1)), (60_000, None)]
        {
            assert_eq!(codes().step(S1, "seed", &code(NOW + ahead), NOW), expected, "{ahead}");
        }
        for wrong in ["", "12345", "1234567", "abcdef", "１２３４５６"] {
            assert_eq!(codes().step(S1, "seed", wrong, NOW), None, "{wrong}");
        }
    }

    #[test]
    fn every_account_seed_and_key_has_secrets_of_its_own() {
        let secret = codes().secret(S1, "seed");
        assert_eq!(secret.len(), 32);
        assert_ne!(secret, codes().secret(AccountKey { id: "s2", ..S1 }, "seed"));
        assert_ne!(secret, codes().secret(AccountKey { audience: Audience::Applicant, ..S1 }, "seed"));
        assert_ne!(secret, codes().secret(S1, "other"));
        assert_ne!(secret, Totp::new(b"another key").secret(S1, "seed"));
    }

    #[test]
    fn an_app_goes_on_with_its_secret_when_the_key_changes_again_and_again() {
        let (second, third) = (Totp::new(b"the second key"), Totp::new(b"the third key"));
        let sealed = second.resealed(&codes(), S1, "seed").unwrap();
        let again = third.resealed(&second, S1, &sealed).unwrap();
        let step = Some(NOW / 30_000);
        assert_eq!(codes().step(S1, "seed", &code(NOW), NOW), step);
        assert_eq!(second.step(S1, &sealed, &code(NOW), NOW), step);
        assert_eq!(third.step(S1, &again, &code(NOW), NOW), step);
        assert_eq!(third.step(S1, &sealed, &code(NOW), NOW), None, "it was sealed with another key");
        assert_eq!(
            second.step(AccountKey { id: "s2", ..S1 }, &sealed, &code(NOW), NOW),
            None,
            "and for another account"
        );
        assert_eq!(third.resealed(&codes(), S1, &sealed), None);
    }

    #[test]
    fn the_picture_names_account_and_issuer() {
        let uri = codes().uri(S1, "seed", "owner@example.org", "A: B & C");
        let url = url::Url::parse(&uri).unwrap();
        assert_eq!((url.scheme(), url.host_str()), ("otpauth", Some("totp")));
        let issuer = url.query_pairs().find(|(name, _)| name == "issuer").unwrap().1.into_owned();
        assert_eq!(issuer, "A  B & C");
        assert!(uri.contains(&codes().secret(S1, "seed")), "{uri}");
    }

    /// RFC 6238, appendix B: the first row, its last six digits.
    #[test]
    fn codes_are_those_of_the_standard() {
        let standard = Builder::new()
            .with_algorithm(Algorithm::SHA1)
            .with_digits(6)
            .with_step_duration(STEP)
            .with_secret(b"12345678901234567890".to_vec())
            .with_account_name("a")
            .with_issuer(Some("b"))
            .build_noncompliant();
        assert_eq!(standard.generate(59).to_string(), "287082");
    }
}
