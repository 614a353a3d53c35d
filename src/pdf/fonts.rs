//! Fonts, and text shaped with them.

use std::sync::OnceLock;

use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Face, UnicodeBuffer};

/// What a text is set in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// PT Serif, for what is said.
    Serif,
    /// Public Sans, semibold, for what it is called.
    Sans,
}

/// Text of one font in one direction.
#[derive(Debug, Clone)]
pub struct Run {
    /// As drawn.
    pub text: String,
    /// What it stands for, where no font has its letters.
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

macro_rules! font {
    ($name:literal) => {
        include_bytes!(concat!("fonts/", $name, ".ttf"))
    };
}

/// Tried one after the other for each letter.
fn chain(style: Style) -> &'static [Loaded] {
    static SERIF: OnceLock<Vec<Loaded>> = OnceLock::new();
    static SANS: OnceLock<Vec<Loaded>> = OnceLock::new();
    const PT_SERIF: [&[u8]; 4] = [
        font!("pt-serif-latin"),
        font!("pt-serif-latin-ext"),
        font!("pt-serif-cyrillic"),
        font!("pt-serif-cyrillic-ext"),
    ];
    const PUBLIC_SANS: [&[u8]; 3] =
        [font!("public-sans-latin"), font!("public-sans-latin-ext"), font!("public-sans-vietnamese")];
    const NOTO_SANS: [&[u8]; 6] = [
        font!("noto-sans-vietnamese"),
        font!("noto-sans-greek"),
        font!("noto-sans-greek-ext"),
        font!("noto-sans-devanagari"),
        font!("noto-sans-arabic-arabic"),
        font!("noto-sans-hebrew-hebrew"),
    ];
    let load = |groups: &[&[&'static [u8]]]| groups.concat().into_iter().map(load).collect();
    match style {
        Style::Serif => SERIF.get_or_init(|| load(&[&PT_SERIF, &NOTO_SANS])),
        Style::Sans => SANS.get_or_init(|| load(&[&PUBLIC_SANS, &PT_SERIF, &NOTO_SANS])),
    }
}

fn load(bytes: &'static [u8]) -> Loaded {
    Loaded {
        font: Font::new(bytes.into(), 0).expect("a font of ours can be read"),
        face: Face::from_slice(bytes, 0).expect("a font of ours can be read"),
    }
}

/// How wide the text is, in em.
pub fn width(text: &str, style: Style) -> f32 {
    runs(text, style).last().map_or(0.0, |run| run.x + run.width)
}

/// A line of text, shaped.
pub fn runs(text: &str, style: Style) -> Vec<Run> {
    let fonts = chain(style);
    let mut parts: Vec<(Option<usize>, String)> = Vec::new();
    for letter in text.chars() {
        let found = fonts.iter().position(|font| font.face.glyph_index(letter).is_some());
        match parts.last_mut() {
            // A space or a mark goes with what it follows, as far as that font has it.
            Some((at, part)) if *at == found || belongs(letter) && at.is_some_and(|at| has(&fonts[at], letter)) => {
                part.push(letter);
            }
            _ => parts.push((found, letter.to_string())),
        }
    }
    let mut x = 0.0;
    parts
        .into_iter()
        .map(|(at, part)| {
            let font = &fonts[at.unwrap_or(0)];
            let (text, replaced) = match at {
                Some(_) => (part, None),
                None => ("?".repeat(part.chars().count()), Some(part)),
            };
            let (glyphs, width) = shape(&text, font);
            let run = Run { text, replaced, font: font.font.clone(), glyphs, x, width };
            x += width;
            run
        })
        .collect()
}

fn belongs(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{300}'..='\u{36f}' | '\u{200c}' | '\u{200d}')
}

fn has(font: &Loaded, letter: char) -> bool {
    font.face.glyph_index(letter).is_some()
}

fn shape(text: &str, loaded: &Loaded) -> (Vec<KrillaGlyph>, f32) {
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(text);
    buffer.guess_segment_properties();
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
