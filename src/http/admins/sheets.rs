//! Score sheets in the API: of readings and of interviews.

use serde::Serialize;
use utoipa::ToSchema;

use domain::rubric::{Rubric, ScoreSheet, Scored};

/// A criterion of a program's rubric.
#[derive(Debug, Serialize, ToSchema)]
pub struct RubricCriterion {
    label: String,
    /// How many times it counts.
    weight: i64,
}

/// Returns the criteria a sheet is filled in by.
pub fn criteria(rubric: &Rubric) -> Vec<RubricCriterion> {
    rubric.criteria.iter().map(|it| RubricCriterion { label: it.label.clone(), weight: it.weight }).collect()
}

/// A criterion with its score.
#[derive(Debug, Serialize, ToSchema)]
pub struct ScoredCriterion {
    label: String,
    weight: i64,
    points: i64,
}

impl From<Scored> for ScoredCriterion {
    fn from(Scored { label, weight, points }: Scored) -> Self {
        ScoredCriterion { label, weight, points }
    }
}

/// A score sheet that has been filled in.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ScoreSheet)]
pub struct WrittenSheet {
    /// The best possible score for a criterion; 1 is the worst.
    scale: i64,
    points: Vec<ScoredCriterion>,
    /// The weighted mean, in thousandths of the possible score; 0 if every criterion got the lowest points.
    score: i64,
    recommendation: String,
    #[schema(required)]
    comment: Option<String>,
}

impl From<ScoreSheet> for WrittenSheet {
    fn from(sheet: ScoreSheet) -> Self {
        WrittenSheet {
            scale: sheet.scale,
            score: sheet.score(),
            recommendation: sheet.recommendation.as_str().to_owned(),
            points: sheet.lines.into_iter().map(ScoredCriterion::from).collect(),
            comment: sheet.comment,
        }
    }
}
