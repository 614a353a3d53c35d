//! What people's names must not contain. Names appear in mails, and mail programs turn anything that looks like a web
//! address into a link.

use unicode_normalization::UnicodeNormalization;

use super::characters::is_unseen;
use super::sentence::Sentence;
use crate::text;

/// Whether a mail program might turn a part of `name` into a link: `://`, `www.`, `evil.example`, `t.me/somebody`.
///
/// A dot makes a link of two words if both have at least two characters: initials and degrees (`J.R.`, `M.Sc`, `Ph.D.`)
/// pass, and so does a dot followed by a space (`St. John`).
pub fn holds_address(name: &str) -> bool {
    let is_dot = |c: char| matches!(c, '\u{3002}' | '\u{ff61}');
    let seen = name.nfkc().filter(|c| !is_unseen(*c)).map(|c| if is_dot(c) { '.' } else { c });
    let seen: String = seen.flat_map(char::to_lowercase).collect();
    seen.contains("://") || seen.split_whitespace().any(word_is_address)
}

/// Returns the error for a name with an address in it. `label` is that of its field.
pub fn address_refused(label: &Sentence) -> Sentence {
    text!("{label} cannot contain a web address. Put a space after each period, as in St. John.", label)
}

fn word_is_address(word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '-';
    let starts = |rest: &str| rest.chars().take_while(|c| is_part(*c)).count();
    let dots = word.match_indices('.').map(|(at, _)| (&word[..at], &word[at + 1..]));
    let mut linked = dots.map(|(before, after)| {
        let left = before.chars().rev().take_while(|c| is_part(*c)).count();
        (before, left, starts(after))
    });
    let has_path = word.find('/').is_some_and(|at| word[..at].contains('.'));
    has_path
        || linked.any(|(before, left, right)| {
            let is_www = before.ends_with("www") && left == 3 && right > 0;
            is_www || (left >= 2 && right >= 2)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_people_pass() {
        for name in [
            "Zoë",
            "J. R. Smith",
            "J.R. Smith",
            "J.R.R.",
            "St. John",
            "O’Brien Jr.",
            "M.Sc",
            "M.Sc.",
            "Ph.D.",
            "D'Arcy",
            "Smith-Jones",
            "de la Cruz",
            "Ma. Theresa",
            "Владимир",
            "李",
            "محمد",
            "Gal·la",
            "Dr. med. Weiß",
            "…",
            ".",
            "and/or",
            "Wwwilson",
        ] {
            assert!(!holds_address(name), "{name}");
        }
    }

    #[test]
    fn addresses_of_pages_do_not() {
        for name in [
            "account is locked: https://evil.example/x",
            "HTTPS://x",
            "www.evil",
            "WWW.evil.example",
            "evil.example",
            "go to evil.example now",
            "(evil.example)",
            "a.evil.example",
            "me@evil.example",
            "t.me/somebody",
            "1.2.3.4/x",
            "пример.рф",
            "evil。example",
            "evil．example",
            "ev\u{200b}il.\u{200b}example",
            "xn--e1afmkfd.xn--p1ai",
            // Indistinguishable from addresses: `.john` could be a domain tomorrow.
            "St.John",
            "Dr.Smith",
        ] {
            assert!(holds_address(name), "{name}");
        }
    }
}
