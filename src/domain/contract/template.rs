//! Templates of contracts: restricted markup with merge fields from a closed list. Anything that could be left out,
//! executed or read differently from how it is written is an error with its line, so that a published template can
//! always be filled in.

use std::collections::BTreeSet;

use super::fields::{BlockField, Field};
use super::markup;
use crate::characters;
use crate::input::FieldError;
use crate::sentence::Sentence;

/// Maximum length of a template, in characters.
pub const MAX_TEMPLATE_LENGTH: usize = 40_000;
const NOT_ALLOWED: &str = "The contract contains markup that is not allowed.";
/// Maximum number of mistakes reported at once.
const MAX_FAULTS: usize = 10;

/// Something a contract must contain. Its heading starts with the name in square brackets, which is not printed, as in
/// `# [refunds] Refunds`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Required {
    Program,
    Cost,
    Schedule,
    Start,
    Refunds,
    Cancellation,
}

/// A template that can be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(pub(super) Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Heading(Option<Required>, Vec<Piece>),
    Paragraph(Vec<Piece>),
    List(Vec<Vec<Piece>>),
    Field(BlockField),
}

/// Words or a field, and whether it is bold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Words(String, bool),
    Field(Field, bool),
}

/// A mistake and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// From 1; 0 if it concerns the template as a whole.
    pub line: usize,
    /// `content`, `field`, `markup`, `missing`, `too_long`, `translation`
    pub rule: &'static str,
    pub sentence: String,
}

impl Fault {
    fn new(line: usize, rule: &'static str, sentence: impl Into<String>) -> Fault {
        Fault { line, rule, sentence: sentence.into() }
    }

    /// Returns the first few with their lines, for the editor.
    pub fn all(faults: &[Fault]) -> String {
        let descriptions: Vec<String> = faults.iter().take(MAX_FAULTS).map(Fault::describe).collect();
        descriptions.join(" ")
    }

    /// Returns one error for the field at this path, with the code of the first mistake: `contract.content` for markup
    /// that is not allowed, else the first few mistakes in one message.
    pub(super) fn error(faults: &[Fault], path: String) -> FieldError {
        let rule = faults.first().map_or("content", |fault| fault.rule);
        let message = if rule == "content" { NOT_ALLOWED.to_owned() } else { Fault::all(faults) };
        FieldError::new(path, format!("contract.{rule}"), Sentence::plain(message))
    }

    /// Returns its message, preceded by its line.
    pub fn describe(&self) -> String {
        match self.line {
            0 => self.sentence.clone(),
            line => format!("Line {line}: {}", self.sentence),
        }
    }
}

impl Required {
    pub const ALL: [Required; 6] = [
        Required::Program,
        Required::Cost,
        Required::Schedule,
        Required::Start,
        Required::Refunds,
        Required::Cancellation,
    ];

    /// Returns the name in square brackets.
    pub fn name(self) -> &'static str {
        match self {
            Required::Program => "program",
            Required::Cost => "cost",
            Required::Schedule => "schedule",
            Required::Start => "start",
            Required::Refunds => "refunds",
            Required::Cancellation => "cancellation",
        }
    }

    /// Returns the description for staff.
    pub fn meaning(self) -> &'static str {
        match self {
            Required::Program => "The program",
            Required::Cost => "Total cost",
            Required::Schedule => "Payment schedule",
            Required::Start => "Start and length",
            Required::Refunds => "Refunds",
            Required::Cancellation => "Cancellation rights",
        }
    }

    /// Returns the fields that this part must contain.
    fn fields(self) -> &'static [Field] {
        match self {
            Required::Program => &[Field::Program],
            Required::Cost => &[Field::TotalCost],
            Required::Start => &[Field::Start, Field::Length],
            Required::Schedule | Required::Refunds | Required::Cancellation => &[],
        }
    }
}

impl Template {
    /// # Errors
    /// Every mistake, in the order of the lines.
    pub fn parse(text: &str) -> Result<Template, Vec<Fault>> {
        let text = tidy(text);
        if text.chars().count() > MAX_TEMPLATE_LENGTH {
            let sentence = format!("The template must be at most {MAX_TEMPLATE_LENGTH} characters.");
            return Err(vec![Fault::new(0, "too_long", sentence)]);
        }
        let mut faults: Vec<Fault> = Vec::new();
        let mut parts: Vec<Part> = Vec::new();
        // Consecutive lines form one paragraph, up to the next empty line.
        let mut open = false;
        for (line, number) in text.lines().zip(1..) {
            let line = line.trim();
            if line.is_empty() {
                open = false;
                continue;
            }
            if let Err(fault) = allowed(line, number) {
                faults.push(fault);
                continue;
            }
            match part(line, number) {
                Ok(Part::Paragraph(more)) if open && matches!(parts.last(), Some(Part::Paragraph(_))) => {
                    if let Some(Part::Paragraph(pieces)) = parts.last_mut() {
                        pieces.push(Piece::Words(" ".into(), false));
                        pieces.extend(more);
                    }
                }
                Ok(Part::List(more)) if open && matches!(parts.last(), Some(Part::List(_))) => {
                    if let Some(Part::List(items)) = parts.last_mut() {
                        items.extend(more);
                    }
                }
                Ok(part) => parts.push(part),
                Err(fault) => faults.push(fault),
            }
            open = true;
        }
        if faults.is_empty() {
            faults = missing(&parts);
        }
        if faults.is_empty() { Ok(Template(parts)) } else { Err(faults) }
    }

    /// Returns the fields that this translation of `original` fills in but `original` does not, and vice versa.
    pub(super) fn differences(&self, original: &Template) -> Vec<Fault> {
        let fault = |field: &str, sentence: &str| Fault::new(0, "translation", format!("{{{field}}} {sentence}"));
        let (ours, theirs) = (self.filled_in(), original.filled_in());
        let missing = theirs.difference(&ours).map(|field| fault(field, "is filled into the other text and not here."));
        let added =
            ours.difference(&theirs).map(|field| fault(field, "is filled in here and not into the other text."));
        missing.chain(added).collect()
    }

    /// Returns the names of its fields.
    fn filled_in(&self) -> BTreeSet<&'static str> {
        let of_line = |pieces: &[Piece]| -> Vec<&'static str> {
            let name = |piece: &Piece| match piece {
                Piece::Field(field, _) => Some(field.name()),
                Piece::Words(..) => None,
            };
            pieces.iter().filter_map(name).collect()
        };
        let of_part = |part: &Part| match part {
            Part::Heading(_, pieces) | Part::Paragraph(pieces) => of_line(pieces),
            Part::List(items) => items.iter().flat_map(|item| of_line(item)).collect(),
            Part::Field(field) => vec![field.name()],
        };
        self.0.iter().flat_map(of_part).collect()
    }

    /// Iterates over the required parts that it contains.
    pub fn headings(&self) -> impl Iterator<Item = Required> {
        self.0.iter().filter_map(|part| match part {
            Part::Heading(required, _) => *required,
            _ => None,
        })
    }
}

/// Normalises a text for storage: no spaces at the ends of lines, uniform line breaks.
pub(super) fn tidy(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// Checks that the line contains nothing that could be executed or read differently from how it is written.
fn allowed(line: &str, number: usize) -> Result<(), Fault> {
    let tag = line.match_indices('<').any(|(at, _)| {
        line[at + 1..].starts_with(|next: char| next.is_alphabetic() || matches!(next, '/' | '!' | '?' | '%' | '='))
    });
    let code = ["{{", "}}", "{%", "%}", "${", "#{", "{#", "<%", "%>", "`"].iter().any(|sign| line.contains(sign));
    if characters::has_odd(line) {
        return Err(Fault::new(number, "content", "It contains characters that cannot be seen."));
    }
    if tag || code { Err(Fault::new(number, "content", NOT_ALLOWED)) } else { Ok(()) }
}

fn part(line: &str, number: usize) -> Result<Part, Fault> {
    if line.starts_with('|') {
        let sentence = "Tables cannot be typed. {schedule} and {funding} make them.";
        return Err(Fault::new(number, "markup", sentence));
    }
    if let Some(item) = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) {
        return Ok(Part::List(vec![pieces(item.trim(), number)?]));
    }
    if let Some(rest) = line.strip_prefix('#') {
        return heading(rest, number);
    }
    let alone = line.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).and_then(BlockField::parse);
    match alone {
        Some(field) => Ok(Part::Field(field)),
        None => Ok(Part::Paragraph(pieces(line, number)?)),
    }
}

fn heading(rest: &str, number: usize) -> Result<Part, Fault> {
    let Some(rest) = rest.strip_prefix(' ').map(str::trim) else {
        return Err(Fault::new(number, "markup", "A heading is one # and a space before its words."));
    };
    let (required, words) = match rest.strip_prefix('[') {
        None => (None, rest),
        Some(named) => {
            let (name, words) = named.split_once(']').unwrap_or((named, ""));
            let required = Required::ALL.into_iter().find(|required| required.name() == name).ok_or_else(|| {
                let known: Vec<String> = Required::ALL.iter().map(|one| format!("[{}]", one.name())).collect();
                let name: String = name.chars().take(40).collect();
                Fault::new(number, "markup", format!("There is no [{name}]. There are {}.", known.join(", ")))
            })?;
            (Some(required), words.trim())
        }
    };
    if words.is_empty() {
        return Err(Fault::new(number, "markup", "A heading needs words."));
    }
    let pieces = pieces(words, number)?;
    let is_bold = |piece: &Piece| matches!(piece, Piece::Words(_, true) | Piece::Field(_, true));
    if pieces.iter().any(is_bold) {
        return Err(Fault::new(number, "markup", "Headings are bold already: leave out the stars."));
    }
    Ok(Part::Heading(required, pieces))
}

/// Splits a line into words and fields. Every brace must belong to a field.
fn pieces(line: &str, number: usize) -> Result<Vec<Piece>, Fault> {
    let alone = || Fault::new(number, "field", "A brace stands alone. Fields look like {program}.");
    let unclosed = || Fault::new(number, "markup", "Bold words begin and end with ** in the same line.");
    let mut letters = markup::pieces(line).ok_or_else(unclosed)?.into_iter();
    let mut found: Vec<Piece> = Vec::new();
    while let Some((letter, bold)) = letters.next() {
        match letter {
            '{' => {
                let mut name = String::new();
                loop {
                    match letters.next() {
                        Some(('}', _)) => break,
                        Some(('{', _)) | None => return Err(alone()),
                        Some((letter, _)) => name.push(letter),
                    }
                }
                found.push(Piece::Field(field(&name, number)?, bold));
            }
            '}' => return Err(alone()),
            letter => match found.last_mut() {
                Some(Piece::Words(words, same)) if *same == bold => words.push(letter),
                _ => found.push(Piece::Words(letter.into(), bold)),
            },
        }
    }
    let says_nothing = |piece: &Piece| matches!(piece, Piece::Words(words, _) if words.trim().is_empty());
    if found.iter().all(says_nothing) {
        return Err(Fault::new(number, "markup", "This says nothing."));
    }
    Ok(found)
}

fn field(name: &str, number: usize) -> Result<Field, Fault> {
    Field::parse(name).ok_or_else(|| {
        let shown: String = name.chars().take(40).collect();
        let sentence = if BlockField::parse(name).is_some() {
            format!("{{{shown}}} takes a line of its own.")
        } else {
            format!("There is no field {{{shown}}}.")
        };
        Fault::new(number, "field", sentence)
    })
}

/// Returns what every contract must contain and this one lacks.
fn missing(parts: &[Part]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for required in Required::ALL {
        let (name, meaning) = (required.name(), required.meaning());
        let is_it = |part: &&Part| matches!(part, Part::Heading(Some(found), _) if *found == required);
        let heading = format!("# [{name}] {meaning}");
        let begins = match parts.iter().filter(is_it).count() {
            1 => parts.iter().position(|part| is_it(&part)).unwrap_or_default(),
            0 => {
                let sentence = format!("“{meaning}” is missing. Begin it with the heading {heading}");
                faults.push(Fault::new(0, "missing", sentence));
                continue;
            }
            _ => {
                faults.push(Fault::new(0, "missing", format!("[{name}] stands over more than one part.")));
                continue;
            }
        };
        let content: Vec<&Part> =
            parts[begins + 1..].iter().take_while(|part| !matches!(part, Part::Heading(..))).collect();
        if content.is_empty() {
            faults.push(Fault::new(0, "missing", format!("Nothing stands under the heading of “{meaning}”.")));
        }
        for field in required.fields() {
            if !content.iter().any(|part| part.has(*field)) {
                let sentence = format!("{{{}}} must stand under the heading of “{meaning}”.", field.name());
                faults.push(Fault::new(0, "missing", sentence));
            }
        }
        if required == Required::Schedule && !content.contains(&&Part::Field(BlockField::Schedule)) {
            let sentence = format!("{{schedule}} must stand in a line of its own under the heading of “{meaning}”.");
            faults.push(Fault::new(0, "missing", sentence));
        }
    }
    faults
}

impl Part {
    fn has(&self, field: Field) -> bool {
        let among =
            |pieces: &[Piece]| pieces.iter().any(|piece| matches!(piece, Piece::Field(found, _) if *found == field));
        match self {
            Part::Heading(_, pieces) | Part::Paragraph(pieces) => among(pieces),
            Part::List(items) => items.iter().any(|item| among(item)),
            Part::Field(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::starter;
    use crate::program::Program;

    fn whole(more: &str) -> String {
        format!("{}\n\n{more}", starter(Program::Bachelor).text)
    }

    fn error(text: &str) -> FieldError {
        Fault::error(&Template::parse(text).unwrap_err(), "text".into())
    }

    fn faults(text: &str) -> Vec<(usize, &'static str)> {
        Template::parse(text).unwrap_err().into_iter().map(|fault| (fault.line, fault.rule)).collect()
    }

    #[test]
    fn every_mistake_has_its_place() {
        let lines = starter(Program::Bachelor).text.lines().count() + 2;
        for (line, rule) in [
            ("<script>alert(1)</script>", "content"),
            ("{{7*7}}", "content"),
            ("${totalCost}", "content"),
            ("{% if x %}", "content"),
            ("</p>", "content"),
            ("a\u{202e}b", "content"),
            ("{password}", "field"),
            ("{ program}", "field"),
            ("{program", "field"),
            ("program}", "field"),
            ("You pay {schedule} in parts.", "field"),
            ("**bold", "markup"),
            ("## Two", "markup"),
            ("#", "markup"),
            ("# [nowhere] Two", "markup"),
            ("# **Two**", "markup"),
            ("| a | b |", "markup"),
            ("****", "markup"),
        ] {
            assert_eq!(faults(&whole(line)), [(lines, rule)], "{line}");
        }
        assert!(Template::parse(&whole("5 < 6, and 6 > 5. A \\* star, - a dash # and a sign.")).is_ok());
        let field_error = error("{one}\n\n{two}");
        assert_eq!((field_error.code.as_str(), field_error.path.as_str()), ("contract.field", "text"));
        assert_eq!(
            field_error.message.to_string(),
            "Line 1: There is no field {one}. Line 3: There is no field {two}."
        );
        assert_eq!(error("{{7*7}}").code, "contract.content");
        assert_eq!(error(&"a".repeat(MAX_TEMPLATE_LENGTH + 1)).code, "contract.too_long");
    }

    #[test]
    fn a_template_says_all_that_a_contract_must() {
        for program in Program::ALL {
            let text = starter(program).text;
            let template = Template::parse(&text).unwrap();
            assert_eq!(template.headings().count(), Required::ALL.len());
            for required in Required::ALL {
                let without = text.replace(&format!("[{}] ", required.name()), "");
                let field_error = error(&without);
                assert_eq!(field_error.code, "contract.missing");
                assert!(field_error.message.to_string().contains(required.meaning()), "{field_error:?}");
                let twice = whole(&format!("# [{}] Again\n\nWords", required.name()));
                assert_eq!(faults(&twice), [(0, "missing")]);
            }
            for field in ["{program}", "{totalCost}", "{schedule}", "{start}", "{length}"] {
                assert!(faults(&text.replace(field, "x")).contains(&(0, "missing")), "{field}");
            }
        }
        assert_eq!(faults("").len(), Required::ALL.len());
    }

    #[test]
    fn lines_of_a_paragraph_belong_together() {
        let parsed = Template::parse(&whole("One\r\n two\n\n- a\n- b\n\nthree")).unwrap();
        let parts = &parsed.0[parsed.0.len() - 3..];
        let words = |text: &str| Piece::Words(text.into(), false);
        assert_eq!(parts[0], Part::Paragraph(vec![words("One"), words(" "), words("two")]));
        assert_eq!(parts[1], Part::List(vec![vec![words("a")], vec![words("b")]]));
        assert_eq!(parts[2], Part::Paragraph(vec![words("three")]));
    }
}
