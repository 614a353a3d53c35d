//! The letters that papers can be set in: those that a font of the product has. What people type goes on paper sooner or later,
//! so a letter that no font has is told while it is typed.
//!
//! `letters.txt` is made from the fonts, see `scripts/print-fonts.mjs`.

use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

use super::sentence::{Sentence, Words};
use crate::text;

/// A font, or a piece of one, and the letters that it has.
#[derive(Debug)]
pub struct Face {
    /// As its file is called.
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

/// All faces, in the order in which they are tried for a letter.
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

/// Whether it is drawn as a part of what stands before it, if at all: a joiner, or what chooses a form of a sign.
pub fn is_part(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// What is said beside a field whose text has a letter that no paper can be set in. `what` is the subject of the sentence.
pub fn refused(what: impl Into<Words>, text: &str) -> Option<Sentence> {
    let can_be_set =
        |letter: char| letter.is_whitespace() || is_part(letter) || faces().iter().any(|face| face.has(letter));
    // As it is set: a letter and its accent are one.
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
