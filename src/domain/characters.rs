//! Characters that are not allowed in names and other one-line texts: they are invisible and make one text look like
//! another, or they change the direction of the text around them.

use super::letters;
use super::sentence::{Sentence, Words};
use crate::text;

/// Whether a one-line text contains a character that is not allowed: a control character or an invisible one.
pub fn has_odd(text: &str) -> bool {
    let characters: Vec<char> = text.chars().collect();
    let is_odd = |at: usize| {
        let one = characters[at];
        one.is_control() || (is_unseen(one) && !joins(&characters, at))
    };
    (0..characters.len()).any(is_odd)
}

/// Returns the error for a field whose text contains such a character, or one that cannot be printed. `what` is the
/// subject of the sentence: `The reason`.
pub fn refused(what: impl Into<Words>, text: &str) -> Option<Sentence> {
    let what = what.into();
    if has_odd(text) {
        return Some(text!("{what} contains characters that cannot be seen. Type it, instead of pasting it.", what));
    }
    letters::refused(what, text)
}

/// Whether it is invisible: format characters, line and paragraph separators, and blank letters. Excludes the Arabic
/// and other signs that Unicode counts as format characters but that are drawn.
pub(super) fn is_unseen(one: char) -> bool {
    matches!(
        one,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e007f}'
    )
}

/// Whether it is a joiner or non-joiner where Persian, Indic scripts and composed emoji use one: between two signs, or
/// after a virama.
fn joins(characters: &[char], at: usize) -> bool {
    let is_joined = |beside: Option<&char>| {
        beside.is_some_and(|&c| {
            c >= '\u{600}' && !('\u{2000}'..'\u{2100}').contains(&c) && !c.is_whitespace() && !is_unseen(c)
        })
    };
    let before = at.checked_sub(1).and_then(|before| characters.get(before));
    let is_behind_virama = before.is_some_and(|before| {
        matches!(
            before,
            '\u{94d}'
                | '\u{9cd}'
                | '\u{a4d}'
                | '\u{acd}'
                | '\u{b4d}'
                | '\u{bcd}'
                | '\u{c4d}'
                | '\u{ccd}'
                | '\u{d4d}'
                | '\u{dca}'
        )
    });
    matches!(characters[at], '\u{200c}' | '\u{200d}')
        && (is_behind_virama || (is_joined(before) && is_joined(characters.get(at + 1))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_odd_and_what_a_script_needs_is_not() {
        for good in [
            "Zoë O’Brien-Łukasz",
            "علی‌رضا",
            "می‌خواهم",
            "क्‍ष",
            "അനില്‍",
            "محمد",
            "שרה",
            "山田 太郎",
            "No\u{a0}break",
            "👩\u{200d}💻 Team",
            "",
        ] {
            assert!(!has_odd(good), "{good}");
        }
        for odd in [
            "\u{200b}",
            "Ad\u{200b}a",
            "Ad\u{200d}a",
            "Ada\u{200d}",
            "\u{200d}",
            "علی\u{200c}",
            "علی\u{200c}\u{200c}رضا",
            "Ada\u{202e}nimda",
            "Ada\u{2066}x",
            "Ada\u{200f}",
            "One\u{2028}Two",
            "One\u{2029}Two",
            "Ad\u{ad}a",
            "\u{3164}",
            "\u{2800}",
            "Ada\u{feff}",
            "Ada\u{e0041}",
            "Ada\nByron",
            "Ada\u{85}",
        ] {
            assert!(has_odd(odd), "{odd:?}");
        }
    }
}
