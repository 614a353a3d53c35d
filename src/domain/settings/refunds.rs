//! How much of the payments is refunded after a withdrawal, step by step.

use super::{Field, FieldKind, Values};
use crate::funding::{RefundRules, RefundStep};
use crate::input::FieldError;

/// Maximum number of steps.
const MAX: usize = 6;

fn names(number: usize) -> (String, String) {
    (format!("step.{number}.until"), format!("step.{number}.percent"))
}

/// Returns the built-in step with this number, if there is one.
fn built_in(number: usize) -> Option<RefundStep> {
    RefundRules::default().steps.get(number - 1).copied()
}

/// Returns both numbers of a step, as far as they are set.
fn set(values: &Values, number: usize) -> (Option<i64>, Option<i64>) {
    let (until, percent) = names(number);
    let built_in = built_in(number);
    let number = |name: &str, built_in: Option<i64>| match values.get(name) {
        Some(typed) => typed.parse().ok(),
        None => built_in,
    };
    (number(&until, built_in.map(|step| step.until)), number(&percent, built_in.map(|step| step.percent)))
}

pub(super) fn rules(values: &Values) -> RefundRules {
    let step = |number: usize| match set(values, number) {
        (Some(until), Some(percent)) => Some(RefundStep { until, percent }),
        _ => None,
    };
    RefundRules { steps: (1..=MAX).filter_map(step).collect() }
}

pub(super) fn fields() -> Vec<Field> {
    let both = |number: usize| {
        let (until, percent) = names(number);
        let built_in = built_in(number);
        let field = |name, label: &str, hint, (least, most), built_in: Option<i64>| Field {
            group: format!("Step {number}"),
            name,
            label: label.into(),
            hint,
            kind: FieldKind::OptionalWhole { least, most },
            built_in: built_in.map(|number| number.to_string()).unwrap_or_default(),
        };
        let hint = "The last day of this step, counted from the start of studies: -14 is 14 days before it.";
        [
            field(until, "Until how many days after the start", hint, (-730, 730), built_in.map(|step| step.until)),
            field(
                percent,
                "Per cent that go back",
                "Behind the last step nothing goes back. Leave both empty for no such step.",
                (0, 100),
                built_in.map(|step| step.percent),
            ),
        ]
    };
    (1..=MAX).flat_map(both).collect()
}

/// Returns an error for an incomplete step, or one that does not follow from the previous one.
pub(super) fn odd(values: &Values) -> Option<FieldError> {
    for number in 1..=MAX {
        let (until, percent) = names(number);
        match set(values, number) {
            (Some(_), None) => {
                return Some(FieldError::new(
                    percent.clone(),
                    format!("{percent}.required"),
                    "Say how much goes back.",
                ));
            }
            (None, Some(_)) => {
                return Some(FieldError::new(until.clone(), format!("{until}.required"), "Say until which day."));
            }
            _ => {}
        }
    }
    let sentence = "Each step ends after the one before it, and no more goes back than in that one.";
    let is_odd = !rules(values).is_in_order();
    let last = (1..=MAX).rev().find(|number| set(values, *number).0.is_some()).map(|number| names(number).0);
    last.filter(|_| is_odd).map(|name| FieldError::new(name.clone(), format!("{name}.order"), sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_added_changed_and_taken_out() {
        let values = |set: &[(&str, &str)]| -> Values {
            set.iter().map(|(name, typed)| ((*name).into(), (*typed).into())).collect()
        };
        let steps = |set: &[(&str, &str)]| -> Vec<(i64, i64)> {
            rules(&values(set)).steps.iter().map(|step| (step.until, step.percent)).collect()
        };
        assert_eq!(rules(&values(&[])), RefundRules::default());
        assert_eq!(steps(&[("step.3.until", "60"), ("step.3.percent", "10")]), [(-14, 100), (30, 50), (60, 10)]);
        assert_eq!(steps(&[("step.2.until", ""), ("step.2.percent", "")]), [(-14, 100)]);
        assert_eq!(steps(&[("step.1.percent", "80")]), [(-14, 80), (30, 50)]);
        for (set, path) in [
            (&[("step.2.percent", "")][..], Some("step.2.percent")),
            (&[("step.4.percent", "5")], Some("step.4.until")),
            (&[("step.2.until", "-14")], Some("step.2.until")),
            (&[("step.1.percent", "40")], Some("step.2.until")),
            (&[("step.2.until", ""), ("step.2.percent", "")], None),
        ] {
            assert_eq!(odd(&values(set)).map(|error| error.path), path.map(str::to_owned), "{set:?}");
        }
    }
}
