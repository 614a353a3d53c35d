//! The text of a contract: headings, paragraphs, lists, tables and bold words. Nothing else, so that it reads the same
//! on screen, on paper and as stored.
//!
//! The canonical form is readable text. Blocks are separated by empty lines; `# ` starts a heading, `- ` a list item,
//! `| ` a table row; `**` encloses bold words; a backslash escapes the next character. A line like `~ es` starts a text
//! in that language; without one, the text is English.

use serde::Serialize;

use crate::language::Language;
use crate::paper::Run;

/// A part of a contract; the parts run from top to bottom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ts_rs::TS)]
#[ts(rename = "ContractBlock")]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Block {
    Heading { text: String },
    Paragraph { runs: Vec<Run> },
    List { items: Vec<Vec<Run>> },
    Table { head: [String; 2], rows: Vec<[String; 2]> },
}

/// The text that is signed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContractText {
    /// The binding text, followed by its translations.
    pub texts: Vec<LanguageText>,
}

/// The whole contract in one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ts_rs::TS)]
#[ts(rename = "ContractText")]
pub struct LanguageText {
    pub language: Language,
    pub blocks: Vec<Block>,
}

impl ContractText {
    /// Returns the form that is stored and hashed, including translations.
    pub fn canonical(&self) -> String {
        let is_plain = matches!(&self.texts[..], [LanguageText { language: Language::En, .. }]);
        let text = |text: &LanguageText| {
            let language = (!is_plain).then(|| mark(text.language));
            language.into_iter().chain(text.blocks.iter().map(block)).collect::<Vec<_>>()
        };
        let blocks: Vec<String> = self.texts.iter().flat_map(text).collect();
        format!("{}\n", blocks.join("\n\n"))
    }

    /// Parses the stored form; `None` if it is not canonical.
    pub fn parse(canonical: &str) -> Option<ContractText> {
        let text = canonical.strip_suffix('\n')?;
        let mut texts: Vec<LanguageText> = Vec::new();
        for block in text.split("\n\n") {
            let language = marked(block);
            if texts.is_empty() || language.is_some() {
                texts.push(LanguageText { language: language.unwrap_or_default(), blocks: Vec::new() });
            }
            if let Some(text) = texts.last_mut().filter(|_| language.is_none()) {
                text.blocks.push(read(block)?);
            }
        }
        let parsed = ContractText { texts };
        // Each text has exactly one form: anything else was not written by us.
        (parsed.canonical() == canonical).then_some(parsed)
    }
}

/// Returns the line above a text in that language.
fn mark(language: Language) -> String {
    format!("~ {}", language.as_str())
}

fn marked(block: &str) -> Option<Language> {
    Language::ALL.into_iter().find(|language| mark(*language) == block)
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading { text } => format!("# {}", escaped(text)),
        Block::Paragraph { runs } => {
            let line = line(runs);
            // Escape a paragraph that looks like another kind of block.
            if line.starts_with(['#', '-']) || marked(&line).is_some() { format!("\\{line}") } else { line }
        }
        Block::List { items } => items.iter().map(|item| format!("- {}", line(item))).collect::<Vec<_>>().join("\n"),
        Block::Table { head, rows } => {
            let row = |cells: &[String; 2]| format!("| {} | {} |", escaped(&cells[0]), escaped(&cells[1]));
            std::iter::once(head).chain(rows).map(row).collect::<Vec<_>>().join("\n")
        }
    }
}

fn line(runs: &[Run]) -> String {
    let run = |run: &Run| if run.bold { format!("**{}**", escaped(&run.text)) } else { escaped(&run.text) };
    runs.iter().map(run).collect()
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '\\' | '*' | '|') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

fn read(block: &str) -> Option<Block> {
    if let Some(text) = block.strip_prefix("# ") {
        let [Run { text, bold: false }] = &runs(text)?[..] else { return None };
        return Some(Block::Heading { text: text.clone() });
    }
    if block.starts_with("- ") {
        let items: Option<Vec<Vec<Run>>> = block.lines().map(|item| runs(item.strip_prefix("- ")?)).collect();
        return Some(Block::List { items: items? });
    }
    if block.starts_with("| ") {
        let mut rows: Vec<[String; 2]> = block.lines().map(cells).collect::<Option<_>>()?;
        return Some(Block::Table { head: rows.remove(0), rows });
    }
    let runs = runs(block).filter(|runs| !runs.is_empty() && !block.contains('\n'))?;
    Some(Block::Paragraph { runs })
}

fn cells(row: &str) -> Option<[String; 2]> {
    let inner = row.strip_prefix("| ")?.strip_suffix(" |")?;
    let (left, right) = inner.match_indices(" | ").find_map(|(at, bar)| {
        // A column separator has a space before it; a bar within a cell has a backslash.
        Some((plain(&inner[..at])?, plain(&inner[at + bar.len()..])?))
    })?;
    Some([left, right])
}

fn plain(text: &str) -> Option<String> {
    let runs = runs(text)?;
    runs.iter().all(|run| !run.bold).then(|| runs.into_iter().map(|run| run.text).collect())
}

/// Splits a line into runs. `None` if bold words are not closed.
fn runs(line: &str) -> Option<Vec<Run>> {
    let pieces = pieces(line)?;
    let mut runs: Vec<Run> = Vec::new();
    for (letter, bold) in pieces {
        match runs.last_mut() {
            Some(run) if run.bold == bold => run.text.push(letter),
            _ => runs.push(Run { text: letter.into(), bold }),
        }
    }
    Some(runs)
}

/// Returns the characters of a line, and whether each is bold. `None` if bold words are not closed.
pub(super) fn pieces(line: &str) -> Option<Vec<(char, bool)>> {
    let mut letters = line.chars().peekable();
    let (mut found, mut bold) = (Vec::new(), false);
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => found.push((letters.next().unwrap_or('\\'), bold)),
            '*' if letters.next_if_eq(&'*').is_some() => bold = !bold,
            letter => found.push((letter, bold)),
        }
    }
    (!bold).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    fn run(text: &str, bold: bool) -> Run {
        Run { text: text.into(), bold }
    }

    fn english(blocks: Vec<Block>) -> ContractText {
        ContractText { texts: vec![LanguageText { language: Language::En, blocks }] }
    }

    #[test]
    fn a_text_is_read_as_it_was_written() {
        let text = english(vec![
            Block::Heading { text: "1. Costs | and *more*".into() },
            Block::Paragraph { runs: vec![run("You pay ", false), run("$1,000", true), run(" in all.", false)] },
            Block::Paragraph { runs: vec![run("# no heading", false)] },
            Block::Paragraph { runs: vec![run("- no item \\", false)] },
            Block::Paragraph { runs: vec![run("~ es", false)] },
            Block::List { items: vec![vec![run("One", false)], vec![run("Two", true)]] },
            Block::Table {
                head: ["Due".into(), "Amount".into()],
                rows: vec![["a | b".into(), "**".into()], ["| x".into(), "y".into()]],
            },
        ]);
        let canonical = text.canonical();
        assert!(canonical.contains("You pay **$1,000** in all.\n\n\\# no heading\n\n"), "{canonical}");
        assert_eq!(ContractText::parse(&canonical), Some(text));
        for broken in ["", "a", "a **b\n", "a\nb\n", "a\n\n\nb\n", "| a |\n", "# **a**\n", "- a\nb\n", " \\a\n"] {
            assert_eq!(ContractText::parse(broken), None, "{broken:?}");
        }
    }

    #[test]
    fn a_translation_is_a_part_of_what_is_signed() {
        let says = |words: &str| vec![Block::Paragraph { runs: vec![run(words, false)] }];
        let text = |language, words| LanguageText { language, blocks: says(words) };
        let both = ContractText { texts: vec![text(Language::En, "You pay."), text(Language::Es, "Usted paga.")] };
        assert_eq!(both.canonical(), "~ en\n\nYou pay.\n\n~ es\n\nUsted paga.\n");
        assert_eq!(ContractText::parse(&both.canonical()), Some(both));
        let spanish = ContractText { texts: vec![text(Language::Es, "Usted paga.")] };
        assert_eq!(ContractText::parse("~ es\n\nUsted paga.\n"), Some(spanish));
        assert_eq!(ContractText::parse("You pay.\n"), Some(english(says("You pay."))));
        assert_eq!(ContractText::parse("~ en\n\nYou pay.\n"), None, "English alone has no mark");
        assert_eq!(ContractText::parse("You pay.\n\n~ es\n\nUsted paga.\n"), None);
    }

    #[test]
    fn any_text_is_read_as_it_was_written() {
        let mut chance = Chance::new(7);
        let letters: Vec<char> = "ab #-|*\\{}<>& é“".chars().collect();
        for _ in 0..2_000 {
            let mut words = || -> String {
                let count = 1 + chance.up_to(8);
                (0..count).map(|_| letters[chance.up_to(letters.len() as i64) as usize]).collect()
            };
            let text = english(vec![
                Block::Heading { text: words() },
                Block::Paragraph { runs: vec![run(&words(), false), run(&words(), true)] },
                Block::List { items: vec![vec![run(&words(), true)], vec![run(&words(), false)]] },
                Block::Table { head: [words(), words()], rows: vec![[words(), words()]] },
            ]);
            let canonical = text.canonical();
            let Some(read) = ContractText::parse(&canonical) else { panic!("{canonical}") };
            assert_eq!(read.canonical(), canonical);
        }
    }
}
