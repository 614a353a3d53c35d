//! The characters that can be printed: those in one of the product's fonts. What people type is printed sooner or
//! later, so a character that no font has is reported as it is entered.
//!
//! `letters.txt` is generated from the fonts by `scripts/print-fonts.mjs`.

use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

use super::sentence::{Sentence, Words};
use crate::text;

/// A font or a subset of one, with the characters it has.
#[derive(Debug)]
pub struct Face {
    /// Name of its file.
    pub name: &'static str,
    /// First and last code points, ascending.
    ranges: Vec<(u32, u32)>,
}

impl Face {
    pub fn has(&self, letter: char) -> bool {
        let code = u32::from(letter);
        let at = self.ranges.partition_point(|(_, last)| *last < code);
        self.ranges.get(at).is_some_and(|(first, _)| *first <= code)
    }
}

/// Returns all faces, in the order in which they are tried for a character.
pub fn faces() -> &'static [Face] {
    static FACES: LazyLock<Vec<Face>> = LazyLock::new(|| {
        include_str!("letters.txt")
            .lines()
            .filter_map(|line| {
                let (name, ranges) = line.split_once(' ')?;
                let code = |hex: &str| u32::from_str_radix(hex, 16).ok();
                let range = |range: &str| match range.split_once('-') {
                    Some((first, last)) => Some((code(first)?, code(last)?)),
                    None => code(range).map(|code| (code, code)),
                };
                Some(Face { name, ranges: ranges.split(' ').filter_map(range).collect() })
            })
            .collect()
    });
    &FACES
}

/// Whether it is drawn, if at all, as part of the preceding character: a joiner or a variation selector.
pub fn is_part(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Returns the error for a field whose text contains a character that cannot be printed. `what` is the subject of the
/// sentence.
pub fn refused(what: impl Into<Words>, text: &str) -> Option<Sentence> {
    let can_be_set =
        |letter: char| letter.is_whitespace() || is_part(letter) || faces().iter().any(|face| face.has(letter));
    // As it is typeset: a letter and its accent are one character.
    let letter = text.nfc().find(|letter| !can_be_set(*letter))?.to_string();
    Some(text!(
        "{what} contains “{letter}”, which cannot be printed on your documents. Write it another way.",
        what = what.into(),
        letter
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_of_the_world_can_be_set_and_what_cannot_is_named() {
        for good in [
            "Zoë Łukaszewicz-Nguyễn",
            "Αλέξανδρος",
            "Владимир",
            "王小明",
            "張偉䶮",
            "山田 太郎 サチコ",
            "김민준",
            "สมชาย ใจดี",
            "محمد علی‌رضا",
            "שרה",
            "राम क्‍ष",
            "রহিম",
            "தமிழ்",
            "తెలుగు",
            "ગુજરાતી",
            "ಕನ್ನಡ",
            "മലയാളം",
            "ਪੰਜਾਬੀ",
            "သူဇာ",
            "ខ្មែរ",
            "ລາວ",
            "ქართული",
            "Հայերեն",
            "አበበ",
            "🎓 👩‍💻 ❤️ → ✓ ≤",
            "e\u{301} a\u{302}\u{323}",
            "One\nTwo\tThree",
        ] {
            assert_eq!(refused("This", good).map(|one| one.to_string()), None, "{good}");
        }
        let message = |text| refused("First name", text).map(|sentence| sentence.to_string());
        let sentence = "First name contains “𓀀”, which cannot be printed on your documents. Write it another way.";
        assert_eq!(message("Ada 𓀀").as_deref(), Some(sentence));
        assert!(message("\u{e000}").is_some());
    }
}
