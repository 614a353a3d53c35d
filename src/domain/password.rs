//! Which passwords are good enough. Length is what counts; no rules about kinds of characters.

use unicode_normalization::UnicodeNormalization;

use super::input::FieldError;
use super::sentence::Sentence;
use crate::text;

/// Fewest code points of a password.
pub const MIN: usize = 10;
/// Most code points: more than anyone types, few enough to hash quickly.
pub const MAX: usize = 200;

/// The form that is hashed: NFC, so that the same keys give the same password on every device.
pub fn normalise(password: &str) -> String {
    password.nfc().collect()
}

/// Checks a new password. `context` are words that it must not contain: e-mail, names, the institute.
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
    let mut distinct: Vec<char> = lower.chars().collect();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() < 4 || COMMON.iter().any(|common| lower.trim_end_matches(|c: char| c.is_ascii_digit()) == *common)
    {
        return error("common", text!("This password is easy to guess. Choose another one."));
    }
    Ok(password)
}

/// The start of the best-known leaked passwords of ten characters and more, without the digits people append.
const COMMON: &[&str] = &[
    "",
    "password",
    "passwordpassword",
    "qwertyuiop",
    "qwertyuiopasdfghjkl",
    "iloveyouiloveyou",
    "letmeinletmein",
    "adminadmin",
    "administrator",
    "welcomewelcome",
    "abcdefghij",
    "1q2w3e4r5t",
    "qwerty",
    "changeme",
    "trustno",
];

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
        assert_eq!(code("äöüäöüäößé"), "ok");
        assert_eq!(code(&"ab1c".repeat(50)), "ok");
        assert_eq!(code(&format!("{}x", "ab1c".repeat(50))), "password.too_long");
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
        for password in ["1234567890", "password123", "aaaaaaaaaaaa", "Qwertyuiop1", "abababababab"] {
            assert_eq!(code(password), "password.common", "{password}");
        }
    }

    #[test]
    fn both_unicode_forms_are_one_password() {
        assert_eq!(check("cafe\u{301} am meer", &[]).unwrap(), check("caf\u{e9} am meer", &[]).unwrap());
    }
}
