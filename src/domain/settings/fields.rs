//! The fields of settings, and the values that each kind accepts.

use jiff::civil::Date;

use crate::characters;
use crate::decision::Letter;
use crate::mail::MailKind;
use crate::merging::{OF_APPLICANT, check_words, paragraphs, pieces};
use crate::money;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Stable name: `promise.en`.
    pub name: String,
    pub label: String,
    /// Empty for none.
    pub hint: &'static str,
    pub kind: FieldKind,
    /// The built-in value.
    pub built_in: String,
    /// Heading of the group it belongs to; empty if it stands alone.
    pub group: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// One line, of at most `longest` characters; may be empty.
    Line {
        longest: usize,
    },
    /// One line that must not be empty.
    NeededLine {
        longest: usize,
    },
    /// 1 to `most` lines, each of at most `longest` characters.
    Lines {
        most: usize,
        longest: usize,
    },
    /// Whole dollars: `24800`.
    Dollars,
    OptionalDollars,
    Whole {
        least: i64,
        most: i64,
    },
    OptionalWhole {
        least: i64,
        most: i64,
    },
    /// `2026-05-31`
    Date,
    OptionalDate,
    MailSubject(MailKind),
    /// Paragraphs.
    MailText(MailKind),
    /// Paragraphs.
    LetterText(Letter),
    /// Paragraphs of a text that staff send to applicants; may be empty.
    Snippet {
        longest: usize,
    },
    /// One of these values, each with its label.
    Choice(&'static [(&'static str, &'static str)]),
}

/// Maximum price, in dollars.
const MAX_DOLLARS: i64 = 1_000_000;

impl Field {
    /// Returns what to store for a typed text.
    ///
    /// # Errors
    /// The rule that the text breaks, and what to do.
    pub fn check(&self, typed: &str) -> Result<String, (&'static str, String)> {
        let text = typed.trim().replace("\r\n", "\n");
        let is_long = |text: &str, longest| text.chars().count() > longest;
        let odd = |text: &str| characters::refused("This", text).map(|sentence| ("invalid", sentence.to_string()));
        let text = match self.kind {
            // Long lines are typed into a multi-line field, where the Enter key adds line breaks.
            FieldKind::Line { .. } | FieldKind::NeededLine { .. } => {
                text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
            }
            _ => text,
        };
        match self.kind {
            FieldKind::NeededLine { .. } if text.is_empty() => Err(("required", "This must not be empty.".into())),
            FieldKind::Line { longest } | FieldKind::NeededLine { longest } if is_long(&text, longest) => {
                Err(("too_long", format!("This must be at most {longest} characters.")))
            }
            FieldKind::Line { .. } | FieldKind::NeededLine { .. } => odd(&text).map_or(Ok(text), Err),
            FieldKind::Lines { most, longest } => {
                let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
                if lines.is_empty() || lines.len() > most {
                    Err(("count", format!("Write at least one line, and at most {most}.")))
                } else if lines.iter().any(|line| is_long(line, longest)) {
                    Err(("too_long", format!("Each line must be at most {longest} characters.")))
                } else if let Some(fault) = lines.iter().find_map(|line| odd(line)) {
                    Err(fault)
                } else {
                    Ok(lines.join("\n"))
                }
            }
            FieldKind::OptionalDollars if text.is_empty() => Ok(text),
            FieldKind::Dollars | FieldKind::OptionalDollars => match money::whole(text.trim_start_matches('$')) {
                Some(dollars) if (1..=MAX_DOLLARS).contains(&dollars) => Ok(dollars.to_string()),
                _ => Err(("range", "Enter whole dollars between 1 and 1,000,000, such as 24,800.".into())),
            },
            FieldKind::OptionalWhole { .. } if text.is_empty() => Ok(text),
            FieldKind::Whole { least, most } | FieldKind::OptionalWhole { least, most } => match text.parse::<i64>() {
                Ok(number) if (least..=most).contains(&number) => Ok(number.to_string()),
                _ => Err(("range", format!("Enter a whole number between {least} and {most}."))),
            },
            FieldKind::MailSubject(kind) => kind.check_subject(&text),
            FieldKind::MailText(kind) => kind.check_text(&text),
            FieldKind::LetterText(letter) => letter.check_text(&text),
            FieldKind::Snippet { .. } if text.is_empty() => Ok(text),
            FieldKind::Snippet { longest } => {
                let text = paragraphs(&text);
                check_words(&text, longest)?;
                pieces(&text, &OF_APPLICANT)?;
                Ok(text)
            }
            FieldKind::Choice(choices) => match choices.iter().find(|(name, _)| *name == text) {
                Some(_) => Ok(text),
                None => Err(("unknown", "Choose one of the list.".into())),
            },
            FieldKind::OptionalDate if text.is_empty() => Ok(text),
            FieldKind::Date | FieldKind::OptionalDate => match text.parse::<Date>() {
                Ok(day) if text.len() == 10 => Ok(day.to_string()),
                _ => Err(("invalid", "Enter a date like 2026-05-31.".into())),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_takes_what_it_should() {
        let check = |kind, typed: &str| {
            let (label, built_in, group) = Default::default();
            let field = Field { name: "a".into(), label, hint: "", kind, built_in, group };
            field.check(typed).map_err(|(rule, _)| rule)
        };
        let lines = FieldKind::Lines { most: 2, longest: 5 };
        for (kind, typed, expected) in [
            (FieldKind::Line { longest: 3 }, " a ", Ok("a")),
            (FieldKind::Line { longest: 3 }, "", Ok("")),
            (FieldKind::Line { longest: 3 }, "four", Err("too_long")),
            (FieldKind::Line { longest: 9 }, "a\r\n b", Ok("a b")),
            (FieldKind::Line { longest: 9 }, "a\u{7}b", Err("invalid")),
            (FieldKind::NeededLine { longest: 3 }, "  ", Err("required")),
            (lines, "a\r\n\r\n b \n", Ok("a\nb")),
            (lines, "a\nb\nc", Err("count")),
            (lines, " \n ", Err("count")),
            (lines, "abcdef", Err("too_long")),
            (lines, "a\u{7}", Err("invalid")),
            (FieldKind::Dollars, "$24,800", Ok("24800")),
            (FieldKind::Dollars, "0", Err("range")),
            (FieldKind::Dollars, "", Err("range")),
            (FieldKind::OptionalDollars, "", Ok("")),
            (FieldKind::OptionalDollars, "$4,500", Ok("4500")),
            (FieldKind::OptionalDollars, "-1", Err("range")),
            (FieldKind::Dollars, "24.5", Err("range")),
            (FieldKind::Dollars, "99999999999999999999", Err("range")),
            (FieldKind::Whole { least: 1, most: 30 }, " 07", Ok("7")),
            (FieldKind::Whole { least: 1, most: 30 }, "31", Err("range")),
            (FieldKind::OptionalWhole { least: -9, most: 9 }, "", Ok("")),
            (FieldKind::OptionalWhole { least: -9, most: 9 }, "-9", Ok("-9")),
            (FieldKind::OptionalWhole { least: -9, most: 9 }, "-10", Err("range")),
            (FieldKind::Date, "2026-05-31", Ok("2026-05-31")),
            (FieldKind::Date, "2026-02-30", Err("invalid")),
            (FieldKind::Date, "", Err("invalid")),
            (FieldKind::OptionalDate, "", Ok("")),
            (FieldKind::Choice(&[("yes", "Yes")]), " yes", Ok("yes")),
            (FieldKind::Choice(&[("yes", "Yes")]), "no", Err("unknown")),
        ] {
            assert_eq!(check(kind, typed), expected.map(str::to_owned), "{kind:?} {typed:?}");
        }
    }
}
