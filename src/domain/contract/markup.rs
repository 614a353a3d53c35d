//! The text of a contract: headings, paragraphs, lists, tables, and bold words. Nothing else, so that it says the same on a
//! screen, on paper and as it is stored.
//!
//! The canonical form is text that anybody can read. Empty lines stand between blocks; `# ` begins a heading, `- ` an item of
//! a list, `| ` a row of a table; `**` stands around bold words; a backslash takes the meaning from the character behind it.

use serde::Serialize;

use crate::domain::paper::Run;

/// A part of a contract, from top to bottom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ContractBlock"))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Block {
    Heading { text: String },
    Paragraph { runs: Vec<Run> },
    List { items: Vec<Vec<Run>> },
    Table { head: [String; 2], rows: Vec<[String; 2]> },
}

/// What people sign.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContractText(pub Vec<Block>);

impl ContractText {
    /// The form that is stored and hashed.
    pub fn canonical(&self) -> String {
        let blocks: Vec<String> = self.0.iter().map(block).collect();
        format!("{}\n", blocks.join("\n\n"))
    }

    /// What is stored; `None` if it is no such text.
    pub fn parse(canonical: &str) -> Option<ContractText> {
        let text = canonical.strip_suffix('\n')?;
        let blocks: Option<Vec<Block>> = text.split("\n\n").map(read).collect();
        let parsed = ContractText(blocks?);
        // One text has one form: what was written any other way was not written by us.
        (parsed.canonical() == canonical).then_some(parsed)
    }
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading { text } => format!("# {}", escaped(text)),
        Block::Paragraph { runs } => {
            let line = line(runs);
            // What looks like the beginning of something else is none.
            if line.starts_with(['#', '-']) { format!("\\{line}") } else { line }
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
        // A bar of ours has a space before it, and one of theirs a backslash.
        Some((plain(&inner[..at])?, plain(&inner[at + bar.len()..])?))
    })?;
    Some([left, right])
}

fn plain(text: &str) -> Option<String> {
    let runs = runs(text)?;
    runs.iter().all(|run| !run.bold).then(|| runs.into_iter().map(|run| run.text).collect())
}

/// A line as its runs. `None` where bold words do not end.
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

/// The letters of a line, and whether each is bold. `None` where bold words do not end.
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
    use crate::domain::chance::Chance;

    fn run(text: &str, bold: bool) -> Run {
        Run { text: text.into(), bold }
    }

    #[test]
    fn a_text_is_read_as_it_was_written() {
        let text = ContractText(vec![
            Block::Heading { text: "1. Costs | and *more*".into() },
            Block::Paragraph { runs: vec![run("You pay ", false), run("$1,000", true), run(" in all.", false)] },
            Block::Paragraph { runs: vec![run("# no heading", false)] },
            Block::Paragraph { runs: vec![run("- no item \\", false)] },
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
    fn any_text_is_read_as_it_was_written() {
        let mut chance = Chance::new(7);
        let letters: Vec<char> = "ab #-|*\\{}<>& é“".chars().collect();
        for _ in 0..2_000 {
            let mut words = || -> String {
                let count = 1 + chance.up_to(8);
                (0..count).map(|_| letters[chance.up_to(letters.len() as i64) as usize]).collect()
            };
            let text = ContractText(vec![
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
