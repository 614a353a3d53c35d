//! What an interviewer notes after an interview.

use crate::domain::input::{FieldError, Input, several_lines, unknown_fields};
use crate::domain::sentence::Sentence;

/// Most characters of a comment.
const LONGEST_COMMENT: usize = 4000;

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Criterion {
    Motivation,
    Experience,
    Goals,
    Communication,
    Readiness,
}

impl Criterion {
    pub const ALL: [Criterion; 5] = [
        Criterion::Motivation,
        Criterion::Experience,
        Criterion::Goals,
        Criterion::Communication,
        Criterion::Readiness,
    ];

    /// As stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Criterion::Motivation => "motivation",
            Criterion::Experience => "experience",
            Criterion::Goals => "goals",
            Criterion::Communication => "communication",
            Criterion::Readiness => "readiness",
        }
    }

    pub fn parse(text: &str) -> Option<Criterion> {
        Criterion::ALL.into_iter().find(|criterion| criterion.as_str() == text)
    }

    pub fn label(self) -> &'static str {
        match self {
            Criterion::Motivation => "Motivation for this program",
            Criterion::Experience => "Experience with people",
            Criterion::Goals => "Goals that the program serves",
            Criterion::Communication => "Communication",
            Criterion::Readiness => "Readiness for the work it takes",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recommendation {
    Accept,
    Unsure,
    Reject,
}

impl Recommendation {
    pub const ALL: [Recommendation; 3] = [Recommendation::Accept, Recommendation::Unsure, Recommendation::Reject];

    /// As stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Recommendation::Accept => "accept",
            Recommendation::Unsure => "unsure",
            Recommendation::Reject => "reject",
        }
    }

    pub fn parse(text: &str) -> Option<Recommendation> {
        Recommendation::ALL.into_iter().find(|each| each.as_str() == text)
    }

    pub fn label(self) -> &'static str {
        match self {
            Recommendation::Accept => "Accept",
            Recommendation::Unsure => "Not sure",
            Recommendation::Reject => "Reject",
        }
    }
}

/// A score sheet that is filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scores {
    /// 1 to 5 for each criterion, in their order; 5 is best.
    pub points: [i64; Criterion::ALL.len()],
    pub recommendation: Recommendation,
    pub comment: Option<String>,
}

impl Scores {
    /// # Errors
    /// `motivation.required`, `motivation.range` and the like, `recommendation.required`, `comment.too_long`…, unknown fields.
    pub fn parse(input: &Input) -> Result<Scores, Vec<FieldError>> {
        let entries = input.entries()?;
        let known: Vec<&str> =
            Criterion::ALL.iter().map(|criterion| criterion.as_str()).chain(["recommendation", "comment"]).collect();
        let mut errors: Vec<FieldError> = unknown_fields(entries, &known).collect();
        let points = Criterion::ALL.map(|criterion| {
            let name = criterion.as_str();
            let given = match Input::get(entries, name) {
                Some(Input::Whole(points)) => Some(*points),
                Some(Input::Text(text)) => text.trim().parse().ok(),
                _ => None,
            };
            given.filter(|points| (1..=5).contains(points)).unwrap_or_else(|| {
                let message = Sentence::plain(format!("{}: choose 1 to 5.", criterion.label()));
                let rule = if Input::get(entries, name).is_some() { "range" } else { "required" };
                errors.push(FieldError::new(name, format!("{name}.{rule}"), message));
                0
            })
        });
        let recommendation = match Input::get(entries, "recommendation") {
            Some(Input::Text(text)) => Recommendation::parse(text),
            _ => None,
        };
        if recommendation.is_none() {
            let message = "Choose what you recommend.";
            errors.push(FieldError::new("recommendation", "recommendation.required", message));
        }
        let comment = several_lines("comment", "The comment", Input::get(entries, "comment"), LONGEST_COMMENT);
        match (recommendation, comment) {
            (Some(recommendation), Ok(comment)) if errors.is_empty() => Ok(Scores { points, recommendation, comment }),
            (_, Ok(_)) => Err(errors),
            (_, Err(error)) => {
                errors.push(error);
                Err(errors)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(fields: &[(&str, &str)]) -> Result<Scores, Vec<String>> {
        let fields =
            fields.iter().map(|(name, value)| ((*name).to_owned(), Input::Text((*value).to_owned()))).collect();
        Scores::parse(&Input::Map(fields)).map_err(|errors| errors.into_iter().map(|error| error.code).collect())
    }

    #[test]
    fn a_sheet_has_points_for_everything_and_a_recommendation() {
        let good = [
            ("motivation", "5"),
            ("experience", "1"),
            ("goals", "3"),
            ("communication", "4"),
            ("readiness", "2"),
            ("recommendation", "unsure"),
        ];
        let scores = parse(&[&good[..], &[("comment", " Good talk. ")]].concat()).unwrap();
        assert_eq!((scores.points, scores.comment.as_deref()), ([5, 1, 3, 4, 2], Some("Good talk.")));
        assert_eq!(parse(&good[1..]), Err(vec!["motivation.required".into()]));
        assert_eq!(parse(&good[..5]), Err(vec!["recommendation.required".into()]));
        for points in ["0", "6", "3.5", "five", ""] {
            let bad = [&good[..4], &[("readiness", points), good[5]]].concat();
            assert_eq!(parse(&bad), Err(vec!["readiness.range".into()]), "{points}");
        }
        let long = "x".repeat(4001);
        assert_eq!(parse(&[&good[..], &[("comment", long.as_str())]].concat()), Err(vec!["comment.too_long".into()]));
        assert_eq!(parse(&[&good[..], &[("stage", "held")]].concat()), Err(vec!["field.unknown".into()]));
        for criterion in Criterion::ALL {
            assert_eq!(Criterion::parse(criterion.as_str()), Some(criterion));
        }
    }
}
