//! A filled-in template: the text that is signed.

use super::fields::{BlockField, Field};
use super::markup::{Block, ContractText, LanguageText};
use super::template::{Part, Piece, Template};
use crate::funding::{CostSheet, Instalment, Source};
use crate::language::Language;
use crate::moments;
use crate::money::dollars;
use crate::paper::Run;
use crate::sentence::Sentence;
use crate::text;

/// Returns the heading of the last part of every contract.
pub fn cost_sheet_heading() -> Sentence {
    text!("Cost sheet")
}

/// The values for the fields.
#[derive(Debug, Clone)]
pub struct Filling {
    /// Language of the template and of the values.
    pub language: Language,
    /// The clause on language, if there is more than one text.
    pub clause: Option<LanguageClause>,
    /// A non-empty text for each field.
    pub texts: Vec<(Field, String)>,
    pub cost_sheet: CostSheet,
    pub conditions: Vec<String>,
}

/// Which of two texts is binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LanguageClause {
    /// This one; the other is its translation.
    Counts { translation: Language },
    /// The other one; this is a translation of it.
    Translates { original: Language },
}

/// A field of the template without a value: a contract must have no gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unfilled(pub Field);

impl Template {
    /// Fills in the template. Values are plain text: braces, asterisks and other markup in them have no meaning.
    ///
    /// # Errors
    /// A field without a value.
    pub fn fill(&self, filling: &Filling) -> Result<LanguageText, Unfilled> {
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
        blocks.extend(filling.clause.into_iter().flat_map(|clause| clause.blocks(filling.language)));
        blocks.extend(cost_sheet(&filling.cost_sheet, filling.language));
        Ok(LanguageText { language: filling.language, blocks })
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

    fn block(&self, field: BlockField) -> Block {
        match field {
            BlockField::Schedule => schedule(&self.cost_sheet, self.language),
            BlockField::Funding => funding(&self.cost_sheet, self.language),
            BlockField::Conditions if self.conditions.is_empty() => {
                says(&text!("There are no conditions."), self.language)
            }
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

impl LanguageClause {
    fn blocks(self, language: Language) -> [Block; 2] {
        let says_which = match self {
            LanguageClause::Counts { translation } => text!(
                "This contract is made in {language}. A translation into {translation} comes with it, to help you read it. \
                 Where the two differ, the text in {language} counts.",
                language = language.name(),
                translation = translation.name()
            ),
            LanguageClause::Translates { original } => text!(
                "This is a translation. The contract is made in {original}; where the two differ, the text in {original} \
                 counts.",
                original = original.name()
            ),
        };
        let heading = text!("Language of this contract").in_language(language);
        [Block::Heading { text: heading }, says(&says_which, language)]
    }
}

impl ContractText {
    /// Whether the binding text ends with this cost sheet.
    pub fn ends_with(&self, sheet: &CostSheet) -> bool {
        self.texts.first().is_some_and(|text| text.blocks.ends_with(&cost_sheet(sheet, text.language)))
    }
}

/// What studies cost, who pays and when. Printed on a separate page.
fn cost_sheet(sheet: &CostSheet, language: Language) -> [Block; 4] {
    let tuition = [text!("Tuition of the whole program").in_language(language), dollars(sheet.tuition)];
    let head = [text!("What it costs"), text!("Amount")].map(|head| head.in_language(language));
    [
        Block::Heading { text: cost_sheet_heading().in_language(language) },
        Block::Table { head, rows: vec![tuition] },
        funding(sheet, language),
        schedule(sheet, language),
    ]
}

fn schedule(sheet: &CostSheet, language: Language) -> Block {
    if sheet.schedule.is_empty() {
        return says(&text!("You pay no installments yourself."), language);
    }
    let row = |line: &Instalment| {
        let due = moments::plain_date(line.due).in_language(language);
        [format!("{}. {due}", line.number), dollars(line.cents)]
    };
    let head = [text!("Due"), text!("Amount")].map(|head| head.in_language(language));
    Block::Table { head, rows: sheet.schedule.iter().map(row).collect() }
}

fn funding(sheet: &CostSheet, language: Language) -> Block {
    let row = |source: &Source| [source.kind.label().in_language(language), dollars(source.cents)];
    let head = [text!("Who pays"), text!("Amount")].map(|head| head.in_language(language));
    Block::Table { head, rows: sheet.sources.iter().map(row).collect() }
}

fn says(words: &Sentence, language: Language) -> Block {
    Block::Paragraph { runs: vec![Run { text: words.in_language(language), bold: false }] }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::chance::Chance;
    use crate::contract::starter;
    use crate::funding::SourceKind;
    use crate::program::Program;

    fn filling() -> Filling {
        let schedule = vec![
            Instalment { number: 1, due: date(2026, 8, 31), cents: 480_000 },
            Instalment { number: 2, due: date(2026, 9, 30), cents: 2_000_001 },
        ];
        let sources = vec![Source::named(SourceKind::SelfPay, 2_480_001)];
        Filling {
            language: Language::En,
            clause: None,
            texts: Field::ALL.iter().map(|field| (*field, format!("<{}>", field.name()))).collect(),
            cost_sheet: CostSheet { tuition: 2_480_001, sources, schedule },
            conditions: vec!["A\ndiploma".into()],
        }
    }

    /// A contract with a single text.
    fn alone(text: LanguageText) -> ContractText {
        ContractText { texts: vec![text] }
    }

    fn english(program: Program) -> String {
        starter(program).text
    }

    #[test]
    fn every_starter_is_filled_in_without_a_gap() {
        for program in Program::ALL {
            let template = Template::parse(&english(program)).unwrap();
            let text = alone(template.fill(&filling()).unwrap());
            let canonical = text.canonical();
            assert!(!canonical.contains(['{', '}', '[']), "{canonical}");
            for part in ["| 1. August 31, 2026 | $4,800 |", "| 2. September 30, 2026 | $20,000.01 |", "- A diploma"] {
                assert!(canonical.contains(part), "{part} in {canonical}");
            }
            assert!(text.ends_with(&filling().cost_sheet));
            assert_eq!(ContractText::parse(&canonical), Some(text));
        }
    }

    #[test]
    fn two_texts_say_which_of_them_counts() {
        let starter = starter(Program::Masters);
        let fill = |language, clause| {
            let template = Template::parse(starter.of(language).unwrap()).unwrap();
            template.fill(&Filling { language, clause: Some(clause), ..filling() }).unwrap()
        };
        let english = fill(Language::En, LanguageClause::Counts { translation: Language::Es });
        let spanish = fill(Language::Es, LanguageClause::Translates { original: Language::En });
        let both = ContractText { texts: vec![english, spanish] };
        let canonical = both.canonical();
        for part in [
            "the text in English counts.",
            "prevalece el texto en inglés.",
            "# Cost sheet",
            "# Hoja de costos",
            "| 1. 31 de agosto de 2026 | $4,800 |",
        ] {
            assert!(canonical.contains(part), "{part} in {canonical}");
        }
        assert!(both.ends_with(&filling().cost_sheet));
        let other = CostSheet { tuition: 1, ..filling().cost_sheet };
        assert!(!both.ends_with(&other));
        assert_eq!(ContractText::parse(&canonical), Some(both));
    }

    #[test]
    fn nothing_is_left_out_for_want_of_a_value() {
        let template = Template::parse(&english(Program::Masters)).unwrap();
        for field in Field::ALL {
            let has = english(Program::Masters).contains(&format!("{{{}}}", field.name()));
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
        let template = Template::parse(&format!("{}\n\n{{applicantName}}", english(Program::Bachelor))).unwrap();
        let text = alone(template.fill(&filling).unwrap());
        let run = Run { text: "**{program}** | <b> # x".into(), bold: false };
        assert!(text.texts[0].blocks.contains(&Block::Paragraph { runs: vec![run] }));
        assert_eq!(ContractText::parse(&text.canonical()), Some(text));
    }

    /// Any template is either rejected, or produces contracts without gaps.
    #[test]
    fn any_template_is_refused_or_leaves_no_brace() {
        let mut chance = Chance::new(3);
        let starter = english(Program::Bachelor);
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
                    let filled = alone(template.fill(&filling()).unwrap());
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
