//! What readers and interviewers score by: weighted criteria on a common scale. Owners write a rubric of each kind for
//! each program; a score sheet keeps the criteria as they were when it was filled in.

use serde::{Deserialize, Serialize};

use super::body::{Body, lines, wrong};
use super::input::{FieldError, Input, unknown_fields};
use super::sentence::Sentence;
use crate::body;

/// Maximum length of a comment, in characters.
const MAX_COMMENT_LENGTH: usize = 4000;
/// Maximum number of criteria in a rubric.
pub const MAX_CRITERIA: usize = 8;
const RECOMMEND: &str = "Choose what you recommend.";
/// The highest score of a whole sheet.
const WHOLE: i64 = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recommendation {
    Accept,
    Unsure,
    Reject,
}

impl Recommendation {
    pub const ALL: [Recommendation; 3] = [Recommendation::Accept, Recommendation::Unsure, Recommendation::Reject];

    /// Returns the name as stored and sent.
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

/// What a rubric is used to score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SheetKind {
    /// An application, scored by its readers.
    Reading,
    /// An interview, scored by the interviewer.
    Interview,
}

impl SheetKind {
    pub const ALL: [SheetKind; 2] = [SheetKind::Reading, SheetKind::Interview];
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rubric {
    /// The highest points a criterion can get; the lowest are 1.
    pub scale: i64,
    pub criteria: Vec<Criterion>,
    /// What the comment should be about; empty for anything.
    pub prompt: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Criterion {
    pub label: String,
    /// How many times it counts.
    pub weight: i64,
}

/// A criterion with its points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scored {
    pub label: String,
    pub weight: i64,
    pub points: i64,
}

/// A completed score sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreSheet {
    /// Scale of the rubric at the time.
    pub scale: i64,
    pub lines: Vec<Scored>,
    pub recommendation: Recommendation,
    pub comment: Option<String>,
}

impl ScoreSheet {
    /// Returns the weighted mean in thousandths of the possible score: 0 if every criterion got the lowest points.
    pub fn score(&self) -> i64 {
        let weights: i64 = self.lines.iter().map(|line| line.weight).sum();
        let got: i64 = self.lines.iter().map(|line| line.weight * (line.points - 1)).sum();
        let most = weights * (self.scale - 1);
        if most == 0 { 0 } else { (got * WHOLE + most / 2) / most }
    }

    /// Returns the weighted mean on its scale, as displayed: `3.8`.
    pub fn mean(&self) -> String {
        on_scale(self.score(), self.scale)
    }
}

/// Formats a score on a scale, with one decimal.
pub fn on_scale(score: i64, scale: i64) -> String {
    let tenths = (10 * WHOLE + 10 * score * (scale - 1) + WHOLE / 2) / WHOLE;
    format!("{}.{}", tenths / 10, tenths % 10)
}

impl Rubric {
    /// Checks that a sheet has the fields common to all rubrics.
    ///
    /// # Errors
    /// `points.required`, `recommendation.required`, unknown fields.
    pub fn check_fields(input: &Input) -> Result<(), Vec<FieldError>> {
        let entries = input.entries()?;
        let mut errors: Vec<FieldError> = unknown_fields(entries, SheetBody::FIELDS).collect();
        for (name, sentence) in [("points", "Give points for every criterion."), ("recommendation", RECOMMEND)] {
            if Input::get(entries, name).is_none() {
                errors.push(FieldError::new(name, format!("{name}.required"), sentence));
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Reads a sheet.
    ///
    /// # Errors
    /// `points.1.required`, `points.1.range`…, `points.count`, `recommendation.required`, `comment.too_long`…, unknown
    /// fields.
    pub fn parse(&self, input: &Input) -> Result<ScoreSheet, Vec<FieldError>> {
        let SheetBody { points: lines, recommendation, comment } = SheetBody::parse(input, self)?;
        Ok(ScoreSheet { scale: self.scale, lines, recommendation, comment })
    }

    fn score(&self, path: &str, input: Option<&Input>) -> Result<Vec<Scored>, Vec<FieldError>> {
        let given: &[Input] = match input {
            Some(Input::List(points)) => points,
            _ => &[],
        };
        let mut errors = Vec::new();
        if given.len() > self.criteria.len() {
            let message = format!("The rubric has {} criteria.", self.criteria.len());
            errors.push(wrong(path, "count", Sentence::plain(message)));
        }
        let mut lines = Vec::new();
        for (at, criterion) in self.criteria.iter().enumerate() {
            let (rule, points) = match given.get(at) {
                None | Some(Input::Null) => ("required", None),
                Some(Input::Text(text)) if text.trim().is_empty() => ("required", None),
                Some(Input::Text(text)) => ("range", text.trim().parse().ok()),
                Some(Input::Whole(points)) => ("range", Some(*points)),
                Some(_) => ("range", None),
            };
            match points.filter(|points| (1..=self.scale).contains(points)) {
                Some(points) => lines.push(Scored { label: criterion.label.clone(), weight: criterion.weight, points }),
                None => {
                    let message = format!("{}: choose 1 to {}.", criterion.label, self.scale);
                    errors.push(wrong(&format!("{path}.{}", at + 1), rule, Sentence::plain(message)));
                }
            }
        }
        if errors.is_empty() { Ok(lines) } else { Err(errors) }
    }
}

body! {
    /// A completed score sheet.
    pub struct SheetBody given (rubric: &Rubric) {
        /// Points from 1 to the rubric's scale, in the order of its criteria.
        #[schema(value_type = Vec<i64>)]
        points: Vec<Scored> = |path: &str, input: Option<&Input>| rubric.score(path, input),
        #[schema(value_type = String, example = "accept")]
        recommendation: Recommendation = |path: &str, input: Option<&Input>| {
            let known = match input {
                Some(Input::Text(text)) => Recommendation::parse(text),
                _ => None,
            };
            known.ok_or_else(|| wrong(path, "required", RECOMMEND))
        },
        /// Up to 4,000 characters.
        #[schema(required = false)]
        comment: Option<String> = lines("The comment", MAX_COMMENT_LENGTH),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn rubric() -> Rubric {
        let criterion = |label: &str, weight| Criterion { label: label.into(), weight };
        Rubric { scale: 5, criteria: vec![criterion("Motivation", 2), criterion("Goals", 1)], prompt: String::new() }
    }

    fn parse(body: Value) -> Result<ScoreSheet, Vec<String>> {
        rubric().parse(&Input::from(body)).map_err(|errors| errors.into_iter().map(|error| error.code).collect())
    }

    #[test]
    fn a_sheet_has_points_for_every_criterion_and_a_recommendation() {
        let sheet = parse(json!({ "points": [5, "2"], "recommendation": "accept", "comment": " Good. " })).unwrap();
        assert_eq!((sheet.lines[0].points, sheet.lines[1].points, sheet.comment.as_deref()), (5, 2, Some("Good.")));
        assert_eq!(parse(json!({ "points": [5], "recommendation": "accept" })), Err(vec!["points.2.required".into()]));
        for odd in [json!(0), json!(6), json!("x"), json!(2.5), json!([])] {
            let body = json!({ "points": [5, odd], "recommendation": "unsure" });
            assert_eq!(parse(body), Err(vec!["points.2.range".into()]), "{odd}");
        }
        let many = json!({ "points": [1, 2, 3], "recommendation": "reject" });
        assert_eq!(parse(many), Err(vec!["points.count".into()]));
        assert_eq!(parse(json!({ "points": [1, 2] })), Err(vec!["recommendation.required".into()]));
        let long =
            json!({ "points": [1, 2], "recommendation": "reject", "comment": "x".repeat(MAX_COMMENT_LENGTH + 1) });
        assert_eq!(parse(long), Err(vec!["comment.too_long".into()]));
        let odd = json!({ "points": [1, 2], "recommendation": "reject", "stage": "held" });
        assert_eq!(parse(odd), Err(vec!["field.unknown".into()]));
    }

    #[test]
    fn the_score_goes_by_the_weights() {
        let sheet =
            |first: i64, second: i64| parse(json!({ "points": [first, second], "recommendation": "accept" })).unwrap();
        for (first, second, score, mean) in
            [(1, 1, 0, "1.0"), (5, 5, 1000, "5.0"), (5, 2, 750, "4.0"), (3, 3, 500, "3.0"), (4, 3, 667, "3.7")]
        {
            let sheet = sheet(first, second);
            assert_eq!((sheet.score(), sheet.mean().as_str()), (score, mean), "{first} {second}");
        }
        assert_eq!(on_scale(667, 10), "7.0");
    }
}
