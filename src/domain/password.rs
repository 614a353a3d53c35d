//! Which passwords are good enough. What counts is how hard they are to guess; there are no rules about kinds of
//! characters.

use unicode_normalization::UnicodeNormalization;
use zxcvbn::zxcvbn;

use super::input::FieldError;
use super::sentence::Sentence;
use crate::text;

/// Minimum length, in code points.
pub const MIN: usize = 10;
/// Maximum length, in code points: more than anyone types, few enough to hash quickly.
pub const MAX: usize = 200;
/// A password must need more guesses than this: the point at which cracking a stolen argon2id hash costs more than it
/// yields.
const FEWEST_GUESSES: u64 = 100_000_000;
/// Number of code points considered in the estimate. The time it takes grows much faster than the length.
const ESTIMATED: usize = 32;
const DISGUISES: &str = "@({[<&#!/|$+%";
const KEPT_DISGUISES: usize = 2;
/// The first private-use code point, which stands for nothing.
const PRIVATE_USE: u32 = 0xE000;

/// Returns the form that is hashed: NFC, so that the same keys give the same password on every device.
pub fn normalise(password: &str) -> String {
    password.nfc().collect()
}

/// Checks a new password. `context` has words that it must not contain: email, names, the institute.
///
/// # Errors
/// `password.required`, `password.too_short`, `password.too_long`, `password.context`, `password.common`.
pub fn check(password: &str, context: &[&str]) -> Result<String, FieldError> {
    let error = |code: &str, message: Sentence| Err(FieldError::new("password", format!("password.{code}"), message));
    if password.is_empty() {
        return error("required", text!("Password is required."));
    }
    let password = normalise(password);
    let length = password.chars().count();
    if length < MIN {
        return error("too_short", text!("Password must be at least {min} characters.", min = MIN));
    }
    if length > MAX {
        return error("too_long", text!("Password must be at most {max} characters.", max = MAX));
    }
    let lower = password.to_lowercase();
    let contains = |word: &str| word.chars().count() >= 3 && lower.contains(&word.to_lowercase());
    let local_parts = context.iter().filter_map(|word| word.split_once('@').map(|(local, _)| local));
    if context.iter().copied().chain(local_parts).any(contains) {
        return error("context", text!("Password must not contain your name, email or the institute's name."));
    }
    if guesses(&password, context) <= FEWEST_GUESSES {
        return error(
            "common",
            text!("This password is easy to guess. Choose four or more words that have nothing to do with each other."),
        );
    }
    Ok(password)
}

/// Estimates the guesses needed by somebody who knows which passwords people choose and whose password it is: words,
/// names, dates, keyboard rows and leaked passwords.
fn guesses(password: &str, context: &[&str]) -> u64 {
    let start = fewer_disguises(password.chars().take(ESTIMATED));
    let own: Vec<&str> = context
        .iter()
        .flat_map(|text| text.split([' ', '@']))
        .chain(context.iter().copied())
        .chain(["matricula"])
        .collect();
    zxcvbn(&start, &own).guesses()
}

/// Keeps the first two kinds of substitute characters (`p@$$word`) and replaces the others with distinct meaningless
/// ones: the estimator tries every combination of substitutions, which a malicious password can drag out for seconds.
fn fewer_disguises(password: impl Iterator<Item = char>) -> String {
    let mut kept = Vec::new();
    let simple = |sign| {
        if !DISGUISES.contains(sign) || kept.contains(&sign) {
            return sign;
        }
        if kept.len() < KEPT_DISGUISES {
            kept.push(sign);
            return sign;
        }
        char::from_u32(PRIVATE_USE + u32::from(sign)).unwrap_or(sign)
    };
    password.map(simple).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(password: &str) -> String {
        match check(password, &["jo.field@example.org", "Jordan", "Field", "Matricula"]) {
            Ok(_) => "ok".into(),
            Err(error) => error.code,
        }
    }

    #[test]
    fn length_is_counted_in_code_points() {
        assert_eq!(code("äöüäöüäöß"), "password.too_short");
        assert_eq!(code("äöüßéàçñøå"), "ok");
        let long = "river lantern quiet 42 ".chars().cycle().take(MAX).collect::<String>();
        assert_eq!(code(&long), "ok");
        assert_eq!(code(&format!("{long}x")), "password.too_long");
        assert_eq!(code(""), "password.required");
    }

    #[test]
    fn names_email_and_institute_are_refused() {
        for password in ["xxJORDANxx12", "my-field-of-grass", "jo.field@example.org", "jo.field-9911", "matricula2026"]
        {
            assert_eq!(code(password), "password.context", "{password}");
        }
    }

    #[test]
    fn easily_guessed_passwords_are_refused() {
        for password in [
            "1234567890",
            "password123",
            "aaaaaaaaaaaa",
            "Qwertyuiop1",
            "abababababab",
            "P4ssw0rd2026",
            "summer2026!",
            "iloveyou123",
            "1990-02-28",
            "zaq12wsxcde3",
            "manchester1",
        ] {
            assert_eq!(code(password), "password.common", "{password}");
        }
        for password in ["correct horse battery staple", "river lantern quiet 42", "k7#mQz!p4w", "Grüße aus dem Café"]
        {
            assert_eq!(code(password), "ok", "{password}");
        }
    }

    #[test]
    fn what_is_known_of_the_person_is_easily_guessed() {
        let own = ["kv@example.org", "Xiomzylka Brz"];
        assert!(guesses("xiomzylka88", &[]) > FEWEST_GUESSES);
        assert!(guesses("xiomzylka88", &own) <= FEWEST_GUESSES);
    }

    #[test]
    fn both_unicode_forms_are_one_password() {
        assert_eq!(check("cafe\u{301} am meer", &[]).unwrap(), check("caf\u{e9} am meer", &[]).unwrap());
    }
}
