//! Breaks a paper into lines on pages. All measures are points, 72 to the inch, from the top left.

use icu_segmenter::{GraphemeClusterSegmenter, LineSegmenter};

use super::fonts::{self, Base, Run, Style};
use domain::paper::{Block, Paper, Run as Words};

/// US Letter.
pub const WIDTH: f32 = 612.0;
pub const HEIGHT: f32 = 792.0;
pub const LEFT: f32 = 72.0;
pub const RIGHT: f32 = WIDTH - 72.0;
const TOP: f32 = 72.0;
/// The lowest line of text; the footer is below.
const BOTTOM: f32 = HEIGHT - 78.0;
/// Where values begin beside their names.
const VALUES: f32 = LEFT + 196.0;
/// A heading stays with at least this much of what follows.
const TOGETHER: f32 = 64.0;

/// What a line is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Title,
    Heading,
    Paragraph,
    Name,
    Value,
    /// The bullet of a list item.
    Bullet,
    Item,
}

/// A line with its position.
#[derive(Debug)]
pub struct Line {
    pub x: f32,
    /// Of the baseline.
    pub y: f32,
    pub size: f32,
    pub runs: Vec<Run>,
    pub role: Role,
    /// Which block of the paper, and which row of it.
    pub block: usize,
    pub row: usize,
    /// The whole text that the line is part of.
    pub block_text: String,
    /// Whether it is the first line of its text.
    pub is_first: bool,
    /// Whether a hairline goes above it, `rise` above its baseline.
    pub rule: bool,
    pub rise: f32,
}

/// Returns how a role is set: style, size, leading.
fn look(role: Role) -> (Style, f32, f32) {
    match role {
        Role::Title => (Style::Serif, 24.0, 30.0),
        Role::Heading => (Style::Sans, 13.0, 18.0),
        Role::Paragraph => (Style::Serif, 10.5, 15.0),
        Role::Name => (Style::Sans, 9.0, 14.0),
        Role::Value => (Style::Serif, 10.5, 14.0),
        Role::Bullet | Role::Item => (Style::Serif, 10.5, 15.0),
    }
}

struct Pages {
    done: Vec<Vec<Line>>,
    lines: Vec<Line>,
    /// The next line's top.
    y: f32,
}

/// Lays out the lines of every page.
pub fn pages(paper: &Paper) -> Vec<Vec<Line>> {
    let mut pages = Pages { done: Vec::new(), lines: Vec::new(), y: TOP };
    pages.text(Role::Paragraph, &paper.issuer, 0);
    pages.y += 4.0;
    pages.text(Role::Title, &paper.title, 1);
    for (index, block) in paper.blocks.iter().enumerate() {
        let number = index + 2;
        match block {
            Block::Heading(text) => {
                pages.y += 18.0;
                pages.keep(TOGETHER);
                pages.text(Role::Heading, text, number);
            }
            Block::Paragraph(text) => {
                pages.y += 6.0;
                for line in text.lines() {
                    pages.text(Role::Paragraph, line, number);
                }
            }
            Block::Words(runs) => {
                pages.y += 6.0;
                pages.words(Role::Paragraph, LEFT, runs, number, 0);
            }
            Block::List(items) => {
                pages.y += 4.0;
                for (row, item) in items.iter().enumerate() {
                    pages.item(item, number, row);
                }
            }
            Block::NewPage => pages.keep(HEIGHT),
            Block::Facts(facts) => {
                pages.y += 6.0;
                for (row, fact) in facts.iter().enumerate() {
                    pages.fact(&fact.name, &fact.value, number, row);
                }
            }
        }
    }
    pages.done.push(pages.lines);
    pages.done
}

impl Pages {
    /// Begins a new page, unless there is room for `height`.
    fn keep(&mut self, height: f32) {
        if self.y + height > BOTTOM && !self.lines.is_empty() {
            self.done.push(std::mem::take(&mut self.lines));
            self.y = TOP;
        }
    }

    fn text(&mut self, role: Role, text: &str, block: usize) {
        let (style, size, leading) = look(role);
        for (index, line) in broken(text, style, (RIGHT - LEFT) / size).into_iter().enumerate() {
            self.keep(leading);
            self.y += leading;
            self.place(role, LEFT, &line, text, block, 0, index == 0);
        }
    }

    /// Adds lines of words, some of them bold.
    fn words(&mut self, role: Role, x: f32, runs: &[Words], block: usize, row: usize) {
        let (_, size, leading) = look(role);
        let text: String = runs.iter().map(|run| run.text.as_str()).collect();
        for (index, line) in broken_words(runs, (RIGHT - x) / size).into_iter().enumerate() {
            self.keep(leading);
            self.y += leading;
            self.place_runs(role, x, in_a_row(&line, Base::of(&text)), &text, block, row, index == 0);
        }
    }

    /// Adds a bullet with its item beside it.
    fn item(&mut self, runs: &[Words], block: usize, row: usize) {
        let (_, _, leading) = look(Role::Bullet);
        self.y += 2.0;
        self.keep(leading);
        self.y += leading;
        self.place(Role::Bullet, LEFT + 6.0, "•", "•", block, row, true);
        self.y -= leading;
        self.words(Role::Item, LEFT + 20.0, runs, block, row);
    }

    /// Adds a name and its value side by side; a page may end between two of their lines.
    fn fact(&mut self, name: &str, value: &str, block: usize, row: usize) {
        let (name_style, name_size, leading) = look(Role::Name);
        let (value_style, value_size, _) = look(Role::Value);
        let names = broken(name, name_style, (VALUES - LEFT - 12.0) / name_size);
        let values = value
            .lines()
            .flat_map(|line| broken(line, value_style, (RIGHT - VALUES) / value_size))
            .collect::<Vec<String>>();
        let count = names.len().max(values.len()).max(1);
        self.keep(leading * count.min(4) as f32 + 8.0);
        self.y += 6.0;
        // The whole name before the whole value, in reading order.
        let top = self.y;
        for (index, line) in names.iter().enumerate() {
            self.y += leading;
            self.place(Role::Name, LEFT, line, name, block, row, index == 0);
        }
        if let Some(first) = self.lines.iter_mut().rev().find(|line| line.is_first && line.role == Role::Name) {
            first.rule = true;
            first.rise = leading + 2.0;
        }
        let names_end = self.y;
        self.y = top;
        for (index, line) in values.iter().enumerate() {
            self.keep(leading);
            self.y += leading;
            self.place(Role::Value, VALUES, line, value, block, row, index == 0);
        }
        if self.y >= top {
            self.y = self.y.max(names_end);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a line is all of this")]
    fn place(&mut self, role: Role, x: f32, line: &str, text: &str, block: usize, row: usize, is_first: bool) {
        let (style, ..) = look(role);
        self.place_runs(role, x, fonts::runs(line, style, Base::of(text)), text, block, row, is_first);
    }

    #[expect(clippy::too_many_arguments, reason = "a line is all of this")]
    fn place_runs(&mut self, role: Role, x: f32, runs: Vec<Run>, text: &str, block: usize, row: usize, is_first: bool) {
        let (_, size, _) = look(role);
        let block_text = text.to_owned();
        self.lines.push(Line {
            x,
            y: self.y,
            size,
            runs,
            role,
            block,
            row,
            block_text,
            is_first,
            rule: false,
            rise: 0.0,
        });
    }
}

fn style_of(words: &Words) -> Style {
    if words.bold { Style::Sans } else { Style::Serif }
}

/// Shapes pieces and places them one after another.
fn in_a_row(pieces: &[(String, Style)], base: Base) -> Vec<Run> {
    let mut x = 0.0;
    let mut placed = Vec::new();
    for (text, style) in pieces {
        let mut runs = fonts::runs(text, *style, base);
        let width: f32 = runs.iter().map(|run| run.width).sum();
        runs.iter_mut().for_each(|run| run.x += x);
        placed.append(&mut runs);
        x += width;
    }
    placed
}

/// Splits the text into pieces after each of which a line may end. For Thai, Khmer, Lao and Burmese, which have no
/// spaces between words, a language model knows where.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let ends = LineSegmenter::new_auto(Default::default()).segment_str(text).collect::<Vec<usize>>();
    ends.into_iter()
        .scan(0, |start, end| Some(&text[std::mem::replace(start, end)..end]))
        .filter(|word| !word.is_empty())
}

/// Splits the text into characters as people see them: a letter with all of its marks.
fn signs(text: &str) -> impl Iterator<Item = &str> {
    let ends = GraphemeClusterSegmenter::new().segment_str(text).collect::<Vec<usize>>();
    ends.into_iter()
        .scan(0, |start, end| Some(&text[std::mem::replace(start, end)..end]))
        .filter(|sign| !sign.is_empty())
}

/// Like [`broken`], for words of which some are bold.
fn broken_words(runs: &[Words], width: f32) -> Vec<Vec<(String, Style)>> {
    let mut lines = Vec::new();
    let mut line: Vec<(String, Style)> = Vec::new();
    let mut used = 0.0;
    for run in runs {
        let style = style_of(run);
        for word in words(&run.text) {
            let bare = fonts::width(word.trim_end(), style);
            if used + bare > width && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
                used = 0.0;
            }
            if line.is_empty() && word.trim().is_empty() {
                continue;
            }
            let mut pieces = if bare > width { broken(word, style, width) } else { vec![word.to_owned()] };
            let last = pieces.pop().unwrap_or_default();
            lines.extend(pieces.into_iter().map(|piece| vec![(piece, style)]));
            used += fonts::width(&last, style);
            match line.last_mut() {
                Some((text, same)) if *same == style => text.push_str(&last),
                _ => line.push((last, style)),
            }
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// Breaks a text into lines at most `width` em wide: between words, and within a word that is wider than a line.
fn broken(text: &str, style: Style, width: f32) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in words(text) {
        let longer = format!("{line}{word}");
        if fonts::width(longer.trim_end(), style) <= width {
            line = longer;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for sign in signs(word) {
            let longer = format!("{line}{sign}");
            if fonts::width(longer.trim_end(), style) > width {
                lines.push(std::mem::replace(&mut line, sign.to_owned()));
            } else {
                line = longer;
            }
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines.iter().map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::paper::Fact;

    fn paper(blocks: Vec<Block>) -> Paper {
        Paper {
            title: "A paper".into(),
            language: Default::default(),
            issuer: "Demo".into(),
            footer: "Demo".into(),
            dated: 0,
            blocks,
        }
    }

    fn said(lines: &[Line], role: Role) -> Vec<String> {
        lines
            .iter()
            .filter(|line| line.role == role)
            .map(|line| line.runs.iter().map(|run| run.text.as_str()).collect())
            .collect()
    }

    #[test]
    fn lines_are_broken_after_words_and_within_a_word_that_is_too_long() {
        assert_eq!(broken("one two three", Style::Serif, 4.0), ["one two", "three"]);
        let lines = broken(&"m".repeat(40), Style::Serif, 10.0);
        assert!(lines.len() > 2, "{lines:?}");
        assert_eq!(lines.concat(), "m".repeat(40));
        assert!(broken("", Style::Serif, 10.0).is_empty());
    }

    #[test]
    fn every_line_is_on_a_page() {
        let facts: Vec<Fact> = (0..300).map(|n| Fact::new(format!("Name {n}"), "value ".repeat(60))).collect();
        let pages = pages(&paper(vec![Block::Heading("All".into()), Block::Facts(facts)]));
        assert!(pages.len() > 20, "{}", pages.len());
        for line in pages.iter().flatten() {
            assert!(line.y > TOP && line.y <= BOTTOM + 1.0, "{} at {}", line.block_text, line.y);
        }
        let names: Vec<String> = pages.iter().flat_map(|page| said(page, Role::Name)).collect();
        assert_eq!(names.len(), 300);
    }

    #[test]
    fn a_heading_is_not_left_alone_at_the_end_of_a_page() {
        for filled in 30..60 {
            let text = "line\n".repeat(filled);
            let pages = pages(&paper(vec![
                Block::Paragraph(text),
                Block::Heading("Alone".into()),
                Block::Paragraph("Not alone".into()),
            ]));
            for page in &pages {
                assert_ne!(page.last().map(|line| line.role), Some(Role::Heading), "{filled}");
            }
        }
    }
}
