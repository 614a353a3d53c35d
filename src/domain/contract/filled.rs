//! A template, filled in: the text that people sign.

use super::fields::{BlockField, Field};
use super::markup::{Block, ContractText};
use super::template::{Part, Piece, Template};
use crate::domain::funding::{CostSheet, Instalment, Source};
use crate::domain::language::Language;
use crate::domain::moments;
use crate::domain::money::dollars;
use crate::domain::paper::Run;

/// The heading of the last part of every contract.
pub const COST_SHEET: &str = "Cost sheet";

/// What stands in the place of the fields.
#[derive(Debug, Clone)]
pub struct Filling {
    /// A text for each field, none of them empty.
    pub texts: Vec<(Field, String)>,
    pub cost_sheet: CostSheet,
    pub conditions: Vec<String>,
}

/// A field that a template has and nothing is known for: there is no contract with a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unfilled(pub Field);

impl Template {
    /// The text that comes of it. What is filled in is text: braces, stars and the like in it mean nothing.
    ///
    /// # Errors
    /// A field without anything to stand in its place.
    pub fn fill(&self, filling: &Filling) -> Result<ContractText, Unfilled> {
        let blocks = self.0.iter().map(|part| {
            Ok(match part {
                Part::Heading(_, pieces) => {
                    let text = filling.runs(pieces)?.into_iter().map(|run| run.text).collect();
                    Block::Heading { text }
                }
                Part::Paragraph(pieces) => Block::Paragraph { runs: filling.runs(pieces)? },
                Part::List(items) => {
                    let items: Result<Vec<Vec<Run>>, Unfilled> = items.iter().map(|item| filling.runs(item)).collect();
                    Block::List { items: items? }
                }
                Part::Field(field) => filling.block(*field),
            })
        });
        let blocks: Result<Vec<Block>, Unfilled> = blocks.collect();
        let mut blocks = blocks?;
        blocks.extend(filling.cost_sheet());
        Ok(ContractText(blocks))
    }
}

impl Filling {
    fn text(&self, field: Field) -> Result<String, Unfilled> {
        let found = self.texts.iter().find(|(known, _)| *known == field).map(|(_, text)| one_line(text));
        found.filter(|text| !text.is_empty()).ok_or(Unfilled(field))
    }

    fn runs(&self, pieces: &[Piece]) -> Result<Vec<Run>, Unfilled> {
        let mut runs: Vec<Run> = Vec::new();
        for piece in pieces {
            let (text, bold) = match piece {
                Piece::Words(words, bold) => (words.clone(), *bold),
                Piece::Field(field, bold) => (self.text(*field)?, *bold),
            };
            match runs.last_mut() {
                Some(run) if run.bold == bold => run.text.push_str(&text),
                _ => runs.push(Run { text, bold }),
            }
        }
        Ok(runs)
    }

    /// The last part of every contract, on a page of its own on paper.
    fn cost_sheet(&self) -> [Block; 4] {
        cost_sheet(&self.cost_sheet)
    }

    fn block(&self, field: BlockField) -> Block {
        match field {
            BlockField::Schedule => schedule(&self.cost_sheet),
            BlockField::Funding => funding(&self.cost_sheet),
            BlockField::Conditions if self.conditions.is_empty() => says("The place has no conditions."),
            BlockField::Conditions => Block::List {
                items: self
                    .conditions
                    .iter()
                    .map(|condition| vec![Run { text: one_line(condition), bold: false }])
                    .collect(),
            },
        }
    }
}

impl ContractText {
    /// Whether its last part is this cost sheet.
    pub fn ends_with(&self, sheet: &CostSheet) -> bool {
        self.0.ends_with(&cost_sheet(sheet))
    }
}

/// What studies cost, who pays and when.
fn cost_sheet(sheet: &CostSheet) -> [Block; 4] {
    let tuition = ["Tuition of the whole program".to_owned(), dollars(sheet.tuition)];
    [
        Block::Heading { text: COST_SHEET.into() },
        Block::Table { head: ["What it costs".into(), "Amount".into()], rows: vec![tuition] },
        funding(sheet),
        schedule(sheet),
    ]
}

fn schedule(sheet: &CostSheet) -> Block {
    if sheet.schedule.is_empty() {
        return says("You pay no instalments yourself.");
    }
    let row = |line: &Instalment| {
        let due = moments::plain_date(line.due).in_language(Language::En);
        [format!("{}. {due}", line.number), dollars(line.cents)]
    };
    Block::Table { head: ["Due".into(), "Amount".into()], rows: sheet.schedule.iter().map(row).collect() }
}

fn funding(sheet: &CostSheet) -> Block {
    let row = |source: &Source| [source.kind.label().in_language(Language::En), dollars(source.cents)];
    Block::Table { head: ["Who pays".into(), "Amount".into()], rows: sheet.sources.iter().map(row).collect() }
}

fn says(words: &str) -> Block {
    Block::Paragraph { runs: vec![Run { text: words.into(), bold: false }] }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::domain::chance::Chance;
    use crate::domain::contract::starter;
    use crate::domain::funding::SourceKind;
    use crate::domain::program::Program;

    fn filling() -> Filling {
        let schedule = vec![
            Instalment { number: 1, due: date(2026, 8, 31), cents: 480_000 },
            Instalment { number: 2, due: date(2026, 9, 30), cents: 2_000_001 },
        ];
        let sources = vec![Source::named(SourceKind::SelfPay, 2_480_001)];
        Filling {
            texts: Field::ALL.iter().map(|field| (*field, format!("<{}>", field.name()))).collect(),
            cost_sheet: CostSheet { tuition: 2_480_001, sources, schedule },
            conditions: vec!["A\ndiploma".into()],
        }
    }

    #[test]
    fn every_starter_is_filled_in_without_a_gap() {
        for program in Program::ALL {
            let template = Template::parse(&starter(program)).unwrap();
            let text = template.fill(&filling()).unwrap();
            let canonical = text.canonical();
            assert!(!canonical.contains(['{', '}', '[']), "{canonical}");
            for told in ["| 1. August 31, 2026 | $4,800 |", "| 2. September 30, 2026 | $20,000.01 |", "- A diploma"] {
                assert!(canonical.contains(told), "{told} in {canonical}");
            }
            assert_eq!(ContractText::parse(&canonical), Some(text));
        }
    }

    #[test]
    fn nothing_is_left_out_for_want_of_a_value() {
        let template = Template::parse(&starter(Program::Masters)).unwrap();
        for field in Field::ALL {
            let has = starter(Program::Masters).contains(&format!("{{{}}}", field.name()));
            for text in ["", "  "] {
                let mut filling = filling();
                filling.texts.retain(|(known, _)| known != field);
                filling.texts.push((*field, text.into()));
                let filled = template.fill(&filling);
                assert_eq!(filled.err(), has.then_some(Unfilled(*field)));
            }
        }
    }

    #[test]
    fn what_is_filled_in_is_text() {
        let mut filling = filling();
        filling.texts.retain(|(field, _)| *field != Field::ApplicantName);
        filling.texts.push((Field::ApplicantName, "**{program}** | <b>\n# x".into()));
        let template = Template::parse(&format!("{}\n\n{{applicantName}}", starter(Program::Bachelor))).unwrap();
        let text = template.fill(&filling).unwrap();
        let run = Run { text: "**{program}** | <b> # x".into(), bold: false };
        assert!(text.0.contains(&Block::Paragraph { runs: vec![run] }));
        assert_eq!(ContractText::parse(&text.canonical()), Some(text));
    }

    /// Whatever is typed is refused, or says everything in every contract that comes of it.
    #[test]
    fn any_template_is_refused_or_leaves_no_brace() {
        let mut chance = Chance::new(3);
        let starter = starter(Program::Bachelor);
        let lines: Vec<&str> = starter.lines().collect();
        let scraps = [
            "{",
            "}",
            "{{",
            "}}",
            "{program}",
            "{schedule}",
            "{nothing}",
            "**",
            "*",
            "\\",
            "# ",
            "- ",
            "[refunds] ",
            "<b>",
            "\n",
            "\n\n",
            "|",
            "x",
            "{start",
            "length}",
            " ",
        ];
        let (mut published, mut refused) = (0, 0);
        for round in 0..3_000 {
            let mut text: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            for _ in 0..chance.up_to(3) {
                let at = chance.up_to(text.len() as i64) as usize;
                let scrap = scraps[chance.up_to(scraps.len() as i64) as usize];
                let within = chance.up_to(text[at].chars().count() as i64 + 1) as usize;
                let byte = text[at].char_indices().nth(within).map_or(text[at].len(), |(byte, _)| byte);
                text[at].insert_str(byte, scrap);
            }
            let text = text.join("\n");
            match Template::parse(&text) {
                Err(faults) => {
                    assert!(!faults.is_empty() && faults.iter().all(|fault| fault.line <= text.lines().count()));
                    refused += 1;
                }
                Ok(template) => {
                    let filled = template.fill(&filling()).unwrap();
                    let canonical = filled.canonical();
                    assert!(!canonical.contains(['{', '}']), "round {round}: {text}\n\n{canonical}");
                    assert_eq!(ContractText::parse(&canonical), Some(filled), "round {round}: {canonical}");
                    published += 1;
                }
            }
        }
        assert!(published > 300 && refused > 300, "{published} {refused}");
    }
}
