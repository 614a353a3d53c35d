//! Score sheets in the tabs of an application: of readings, and of the interview.

use std::collections::BTreeMap;

use crate::Form;
use crate::props::office::Choice;
use crate::props::office::sheets::{SheetCriterion, SheetForm, SheetLine, SheetView};
use domain::input::Input;
use domain::rubric::{MAX_CRITERIA, Recommendation, Rubric, ScoreSheet};

/// Returns the sheet of a posted form as the API gets it. A criterion without a choice sends nothing: its position is
/// kept.
pub fn posted(form: &Form) -> Input {
    let number = |name: &str| name.strip_prefix("points.")?.parse::<usize>().ok();
    let last = form.fields().iter().filter_map(|(name, _)| number(name)).max().unwrap_or_default();
    let points = (1..=last.min(MAX_CRITERIA + 1)).map(|number| form.get(&points_name(number)).to_owned());
    Input::Map(vec![
        ("points".into(), Input::List(points.map(Input::Text).collect())),
        ("recommendation".into(), Input::Text(form.get("recommendation").to_owned())),
        ("comment".into(), Input::Text(form.get("comment").to_owned())),
    ])
}

fn points_name(number: usize) -> String {
    format!("points.{number}")
}

pub fn view(sheet: &ScoreSheet) -> SheetView {
    SheetView {
        mean: sheet.mean(),
        scale: sheet.scale,
        lines: sheet
            .lines
            .iter()
            .map(|line| SheetLine {
                label: line.label.clone(),
                weight: line.weight,
                points: line.points,
                tenths: line.points * 10 / sheet.scale.max(1),
            })
            .collect(),
        recommendation: sheet.recommendation.label(),
        comment: sheet.comment.clone(),
    }
}

/// Returns the form for a sheet, filled in with what `written` says about the same criteria on the same scale.
pub fn form(rubric: &Rubric, written: Option<&ScoreSheet>) -> SheetForm {
    let mut values = BTreeMap::new();
    if let Some(sheet) = written {
        values.insert("recommendation".to_owned(), sheet.recommendation.as_str().to_owned());
        values.insert("comment".to_owned(), sheet.comment.clone().unwrap_or_default());
    }
    let lines = written.filter(|sheet| sheet.scale == rubric.scale).map(|sheet| &sheet.lines);
    let mut criteria = Vec::new();
    for (criterion, number) in rubric.criteria.iter().zip(1..) {
        let name = points_name(number);
        if let Some(line) = lines.and_then(|lines| lines.iter().find(|line| line.label == criterion.label)) {
            values.insert(name.clone(), line.points.to_string());
        }
        criteria.push(SheetCriterion { name, label: criterion.label.clone(), weight: criterion.weight });
    }
    let choice = |one: Recommendation| Choice { value: one.as_str().to_owned(), label: one.label().to_owned() };
    SheetForm {
        criteria,
        scale: rubric.scale,
        prompt: rubric.prompt.clone(),
        recommendations: Recommendation::ALL.map(choice).into(),
        values,
    }
}
