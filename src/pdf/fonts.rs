//! Fonts, and text shaped with them.

use std::borrow::Cow;
use std::io::{Cursor, Read};
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Direction, Face, UnicodeBuffer};
use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};
use unicode_normalization::{UnicodeNormalization, is_nfc};

use domain::letters;

/// The typeface of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// PT Serif, for body text.
    Serif,
    /// Public Sans, semibold, for labels.
    Sans,
}

/// The side that a text begins on: that of most of its letters, since an English sentence may contain a name in Hebrew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    Left,
    Right,
}

impl Base {
    pub fn of(text: &str) -> Base {
        let (mut left, mut right) = (0, 0);
        for letter in text.chars() {
            match bidi_class(letter) {
                BidiClass::L => left += 1,
                BidiClass::R | BidiClass::AL => right += 1,
                _ => {}
            }
        }
        if right > left { Base::Right } else { Base::Left }
    }
}

/// Text of one font in one direction.
#[derive(Debug, Clone)]
pub struct Run {
    /// As drawn.
    pub text: String,
    /// The original text, if no font has its letters.
    pub replaced: Option<String>,
    pub font: Font,
    pub glyphs: Vec<KrillaGlyph>,
    /// Where it begins, and how wide it is, in em.
    pub x: f32,
    pub width: f32,
}

struct Loaded {
    font: Font,
    face: Face<'static>,
}

/// Fonts for every paper.
const AT_HAND: [(&str, &[u8]); 10] = {
    macro_rules! font {
        ($name:literal) => {
            ($name, include_bytes!(concat!("fonts/", $name, ".ttf")))
        };
    }
    [
        font!("pt-serif-latin"),
        font!("pt-serif-latin-ext"),
        font!("pt-serif-cyrillic"),
        font!("pt-serif-cyrillic-ext"),
        font!("public-sans-latin"),
        font!("public-sans-latin-ext"),
        font!("public-sans-vietnamese"),
        font!("noto-sans-vietnamese"),
        font!("noto-sans-greek"),
        font!("noto-sans-greek-ext"),
    ]
};

/// Fonts of other scripts, read when a text has a letter of theirs.
const SCRIPTS: &[u8] = include_bytes!("fonts/scripts.zip");

/// Returns the faces of a style, as indices into [`letters::faces`], in the order in which they are tried for a letter.
fn chain(style: Style) -> &'static [usize] {
    static CHAINS: LazyLock<[Vec<usize>; 2]> = LazyLock::new(|| {
        let is_sans = |at: &usize| letters::faces()[*at].name.starts_with("public-sans");
        let (sans, others): (Vec<usize>, Vec<usize>) = (0..letters::faces().len()).partition(is_sans);
        [others.clone(), [sans, others].concat()]
    });
    match style {
        Style::Serif => &CHAINS[0],
        Style::Sans => &CHAINS[1],
    }
}

/// Returns the face at an index of [`letters::faces`], which stays in memory once a text has needed it.
fn loaded(at: usize) -> &'static Loaded {
    static LOADED: LazyLock<Vec<OnceLock<Loaded>>> =
        LazyLock::new(|| letters::faces().iter().map(|_| OnceLock::new()).collect());
    LOADED[at].get_or_init(|| {
        let bytes = bytes(letters::faces()[at].name);
        Loaded {
            font: Font::new(bytes.into(), 0).expect("a font of ours can be read"),
            face: Face::from_slice(bytes, 0).expect("a font of ours can be read"),
        }
    })
}

fn bytes(name: &str) -> &'static [u8] {
    if let Some((_, bytes)) = AT_HAND.iter().find(|(other, _)| *other == name) {
        return bytes;
    }
    let mut scripts = zip::ZipArchive::new(Cursor::new(SCRIPTS)).expect("an archive of ours can be read");
    let mut font = scripts.by_name(&format!("{name}.ttf")).expect("every face that is named is there");
    let mut bytes = Vec::new();
    font.read_to_end(&mut bytes).expect("an archive of ours can be read");
    bytes.leak()
}

/// Returns the width of the text, in em.
pub fn width(text: &str, style: Style) -> f32 {
    runs(text, style, Base::of(text)).iter().map(|run| run.width).sum()
}

/// Shapes a line of text: the runs in reading order, each at its visual position.
pub fn runs(text: &str, style: Style, base: Base) -> Vec<Run> {
    let text: Cow<'_, str> = if is_nfc(text) { text.into() } else { text.nfc().collect::<String>().into() };
    let level = match base {
        Base::Left => Level::ltr(),
        Base::Right => Level::rtl(),
    };
    let bidi = BidiInfo::new(&text, Some(level));
    let mut seen: Vec<(usize, Run)> = Vec::new();
    for paragraph in &bidi.paragraphs {
        let (levels, pieces) = bidi.visual_runs(paragraph, paragraph.range.clone());
        for piece in pieces {
            let is_rtl = levels[piece.start].is_rtl();
            let mut parts: Vec<(usize, Run)> = parts(&text[piece.clone()], style)
                .into_iter()
                .map(|(at, part)| (piece.start + part.start, set(&text[piece.clone()][part], at, style, is_rtl)))
                .collect();
            if is_rtl {
                parts.reverse();
            }
            seen.extend(parts);
        }
    }
    let mut x = 0.0;
    for (_, run) in &mut seen {
        run.x = x;
        x += run.width;
    }
    seen.sort_by_key(|(start, _)| *start);
    seen.into_iter().map(|(_, run)| run).collect()
}

/// Splits the text into ranges that one face has, and which; `None` for what no face has.
fn parts(text: &str, style: Style) -> Vec<(Option<usize>, Range<usize>)> {
    let faces = letters::faces();
    let mut parts: Vec<(Option<usize>, Range<usize>)> = Vec::new();
    for (start, letter) in text.char_indices() {
        let end = start + letter.len_utf8();
        if let Some((at, part)) = parts.last_mut()
            && belongs(letter)
            && (letters::is_part(letter) || at.is_some_and(|at| faces[at].has(letter)))
        {
            part.end = end;
            continue;
        }
        let found = chain(style).iter().copied().find(|at| faces[*at].has(letter));
        match parts.last_mut() {
            Some((at, part)) if *at == found => part.end = end,
            _ => parts.push((found, start..end)),
        }
    }
    parts
}

/// Whether a letter keeps the font of the text before it, if that font has it: spaces, marks and joiners.
fn belongs(letter: char) -> bool {
    letter.is_whitespace() || letters::is_part(letter) || unicode_normalization::char::is_combining_mark(letter)
}

fn set(text: &str, at: Option<usize>, style: Style, is_rtl: bool) -> Run {
    let (drawn, replaced) = match at {
        Some(_) => (text.to_owned(), None),
        // Entered before such letters were refused.
        None => (
            text.chars().map(|letter| format!("U+{:04X}", u32::from(letter))).collect::<Vec<_>>().join(" "),
            Some(text.to_owned()),
        ),
    };
    let loaded = loaded(at.unwrap_or(chain(style)[0]));
    let (glyphs, width) = shape(&drawn, loaded, is_rtl && at.is_some());
    Run { text: drawn, replaced, font: loaded.font.clone(), glyphs, x: 0.0, width }
}

fn shape(text: &str, loaded: &Loaded, is_rtl: bool) -> (Vec<KrillaGlyph>, f32) {
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(text);
    buffer.guess_segment_properties();
    buffer.set_direction(if is_rtl { Direction::RightToLeft } else { Direction::LeftToRight });
    let shaped = rustybuzz::shape(&loaded.face, &[], buffer);
    let em = |units: i32| units as f32 / loaded.face.units_per_em() as f32;
    let mut starts: Vec<usize> = shaped.glyph_infos().iter().map(|info| info.cluster as usize).collect();
    starts.sort_unstable();
    starts.dedup();
    let mut width = 0.0;
    let glyphs = shaped
        .glyph_infos()
        .iter()
        .zip(shaped.glyph_positions())
        .map(|(info, position)| {
            let start = info.cluster as usize;
            let next = starts.partition_point(|other| *other <= start);
            let end = starts.get(next).copied().unwrap_or(text.len());
            width += em(position.x_advance);
            KrillaGlyph::new(
                GlyphId::new(info.glyph_id),
                em(position.x_advance),
                em(position.x_offset),
                em(position.y_offset),
                em(position.y_advance),
                start..end,
                None,
            )
        })
        .collect();
    (glyphs, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `letters.txt` must be, according to the fonts.
    fn letters_of_fonts() -> String {
        let scripts = zip::ZipArchive::new(Cursor::new(SCRIPTS)).unwrap();
        let names = scripts.file_names().filter_map(|name| Some(name.unwrap().strip_suffix(".ttf")?.to_owned()));
        let names: Vec<String> = AT_HAND.iter().map(|(name, _)| (*name).to_owned()).chain(names).collect();
        names.iter().map(|name| format!("{name} {}\n", ranges(bytes(name)))).collect()
    }

    fn ranges(font: &'static [u8]) -> String {
        let face = Face::from_slice(font, 0).unwrap();
        let mut codes: Vec<u32> = Vec::new();
        for table in face.tables().cmap.unwrap().subtables.into_iter().filter(|table| table.is_unicode()) {
            table.codepoints(|code| codes.push(code));
        }
        codes.retain(|code| char::from_u32(*code).is_some_and(|letter| face.glyph_index(letter).is_some()));
        // Private use and control characters.
        codes.retain(|code| !(0xe000..0xf900).contains(code) && *code < 0xf0000 && *code >= 0x20);
        codes.sort_unstable();
        codes.dedup();
        codes
            .chunk_by(|one, next| one + 1 == *next)
            .map(|range| match range {
                [one] => format!("{one:x}"),
                _ => format!("{:x}-{:x}", range[0], range[range.len() - 1]),
            })
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn the_letters_that_are_said_to_be_there_are_those_of_the_fonts() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../domain/letters.txt");
        let letters = letters_of_fonts();
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(path, letters).unwrap();
        } else {
            assert!(std::fs::read_to_string(path).unwrap() == letters, "run this test with UPDATE_DOCS=1");
        }
    }

    fn seen(text: &str) -> Vec<String> {
        let mut runs = runs(text, Style::Serif, Base::of(text));
        runs.sort_by(|one, other| one.x.total_cmp(&other.x));
        runs.into_iter().map(|run| run.text).collect()
    }

    #[test]
    fn scripts_that_are_written_to_the_left_stand_where_they_are_read() {
        assert_eq!(seen("Name: שרה 12 (x)"), ["Name: ", "12", "שרה ", " (x)"]);
        assert_eq!(seen("שרה כהן, Ada"), ["Ada", ", ", "שרה כהן"]);
        let read: Vec<String> =
            runs("שרה כהן, Ada", Style::Serif, Base::Right).into_iter().map(|run| run.text).collect();
        assert_eq!(read, ["שרה כהן", ", ", "Ada"]);
    }

    #[test]
    fn letters_that_join_are_drawn_as_one_and_marks_stay_with_their_letter() {
        let glyphs =
            |text: &str| runs(text, Style::Serif, Base::of(text)).iter().map(|run| run.glyphs.len()).sum::<usize>();
        assert_eq!(glyphs("e\u{301}"), 1);
        assert_eq!(glyphs("\u{1112}\u{1161}\u{11ab}"), 1);
        assert!(runs("क्षा", Style::Serif, Base::Left).len() == 1);
    }

    #[test]
    fn what_no_font_has_is_told_by_its_number() {
        let runs = runs("Ada 𓀀", Style::Sans, Base::Left);
        assert_eq!(runs[1].text, "U+13000");
        assert_eq!(runs[1].replaced.as_deref(), Some("𓀀"));
    }
}
