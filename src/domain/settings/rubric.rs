//! The rubrics for applications and interviews of a program.

use super::{Field, FieldKind, Values};
use crate::input::FieldError;
use crate::rubric::{Criterion, MAX_CRITERIA, Rubric, SheetKind};

const MAX_LENGTH: usize = 120;
const SCALE: i64 = 5;

fn label_name(number: usize) -> String {
    format!("criterion{number}.label")
}

fn weight_name(number: usize) -> String {
    format!("criterion{number}.weight")
}

/// Returns the built-in criteria.
fn built_in(kind: SheetKind) -> &'static [&'static str] {
    match kind {
        SheetKind::Reading => &[
            "Motivation for this program",
            "Experience with people",
            "Goals that the program serves",
            "Readiness for the work it takes",
        ],
        SheetKind::Interview => &[
            "Motivation for this program",
            "Experience with people",
            "Goals that the program serves",
            "Communication",
            "Readiness for the work it takes",
        ],
    }
}

fn built_in_label(kind: SheetKind, number: usize) -> &'static str {
    built_in(kind).get(number - 1).copied().unwrap_or_default()
}

/// Returns the built-in prompt for the comment.
fn prompt(kind: SheetKind) -> &'static str {
    match kind {
        SheetKind::Reading => "What speaks for this applicant, and what makes you hesitate?",
        SheetKind::Interview => "",
    }
}

/// Creates the rubric from these values.
pub(super) fn rubric(kind: SheetKind, values: &Values) -> Rubric {
    let number = |name: &str, other| values.get(name).and_then(|typed| typed.parse().ok()).unwrap_or(other);
    let criterion = |at: usize| {
        let label = values.get(&label_name(at)).cloned().unwrap_or_else(|| built_in_label(kind, at).to_owned());
        Criterion { label, weight: number(&weight_name(at), 1) }
    };
    Rubric {
        scale: number("scale", SCALE),
        criteria: (1..=MAX_CRITERIA).map(criterion).filter(|criterion| !criterion.label.is_empty()).collect(),
        prompt: values.get("prompt").cloned().unwrap_or_else(|| prompt(kind).to_owned()),
    }
}

pub(super) fn fields(kind: SheetKind) -> Vec<Field> {
    let field = |name: String, label: &str, hint, kind, built_in: String, group: &str| Field {
        name,
        label: label.to_owned(),
        hint,
        kind,
        built_in,
        group: group.to_owned(),
    };
    let scale = FieldKind::Whole { least: 2, most: 10 };
    let hint = "Each criterion gets 1 to so many points; this is best. Sheets that are filled in keep theirs.";
    let mut fields = vec![
        field("scale".into(), "Scale", hint, scale, SCALE.to_string(), ""),
        field(
            "prompt".into(),
            "What the comment is about",
            "Stands above the comment.",
            FieldKind::Line { longest: 200 },
            prompt(kind).into(),
            "",
        ),
    ];
    for number in 1..=MAX_CRITERIA {
        let group = format!("Criterion {number}");
        fields.push(field(
            label_name(number),
            "What is looked at",
            "Empty for none.",
            FieldKind::Line { longest: MAX_LENGTH },
            built_in_label(kind, number).to_owned(),
            &group,
        ));
        let weight = FieldKind::Whole { least: 1, most: 5 };
        fields.push(field(weight_name(number), "Weight", "How often it counts.", weight, "1".into(), &group));
    }
    fields
}

/// Returns an error that concerns the rubric as a whole.
pub(super) fn odd(kind: SheetKind, values: &Values) -> Option<FieldError> {
    rubric(kind, values).criteria.is_empty().then(|| {
        let name = label_name(1);
        FieldError::new(name.clone(), format!("{name}.required"), "A rubric needs at least one criterion.")
    })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::program::Program;
    use crate::settings::Setting;

    fn check(typed: &[(&str, &str)]) -> Result<Values, Vec<String>> {
        let typed = typed.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let checked =
            Setting::Rubric(SheetKind::Reading, Program::Bachelor).check(date(2026, 5, 4), &Values::new(), &typed);
        checked.map_err(|errors| errors.into_iter().map(|error| error.code).collect())
    }

    #[test]
    fn a_rubric_is_reworded_and_weighed() {
        let came = |kind| rubric(kind, &Values::new()).criteria.len();
        assert_eq!(SheetKind::ALL.map(came), [4, 5]);
        let values =
            check(&[("criterion1.label", ""), ("criterion2.weight", "3"), ("criterion6.label", "Voice")]).unwrap();
        let changed = rubric(SheetKind::Reading, &values);
        let criteria: Vec<(&str, i64)> = changed.criteria.iter().map(|one| (one.label.as_str(), one.weight)).collect();
        let came = built_in(SheetKind::Reading);
        assert_eq!(criteria, [(came[1], 3), (came[2], 1), (came[3], 1), ("Voice", 1)]);
        assert_eq!(check(&[("scale", "11")]), Err(vec!["scale.range".into()]));
        let none =
            ["criterion1.label", "criterion2.label", "criterion3.label", "criterion4.label"].map(|name| (name, ""));
        assert_eq!(check(&none), Err(vec!["criterion1.label.required".into()]));
    }
}
