//! When to remind of instalments that are not paid by a saved card.

use super::{Field, FieldKind, Values};
use crate::funding::PaymentReminders;
use crate::input::FieldError;

const BEFORE: &str = "before";
const OVERDUE: [(&str, &str); 3] = [
    ("overdue.1", "First reminder of what is overdue"),
    ("overdue.2", "Second reminder of what is overdue"),
    ("overdue.3", "Last reminder of what is overdue"),
];

pub(super) fn rules(values: &Values) -> PaymentReminders {
    let built_in = PaymentReminders::default();
    let days = |name: &str, built_in: i64| values.get(name).and_then(|days| days.parse().ok()).unwrap_or(built_in);
    let mut overdue = built_in.overdue;
    for ((name, _), reminder) in OVERDUE.iter().zip(&mut overdue) {
        *reminder = days(name, *reminder);
    }
    PaymentReminders { before: days(BEFORE, built_in.before), overdue }
}

pub(super) fn fields() -> Vec<Field> {
    let PaymentReminders { before, overdue } = PaymentReminders::default();
    let days = |name: &str, label: String, hint, most, built_in: i64| Field {
        group: String::new(),
        name: name.into(),
        label,
        hint,
        kind: FieldKind::Whole { least: 1, most },
        built_in: built_in.to_string(),
    };
    let hint = "To those who want reminders.";
    let mut fields = vec![days(BEFORE, "Reminder, days before a payment is due".into(), hint, 28, before)];
    fields.extend(OVERDUE.iter().zip(overdue).map(|((name, label), built_in)| {
        let hint = if *name == OVERDUE[2].0 { "Finance gets a task with it." } else { "" };
        days(name, format!("{label}, days after it was due"), hint, 180, built_in)
    }));
    fields
}

/// Returns an error if a reminder does not come after the previous one.
pub(super) fn odd(values: &Values) -> Option<FieldError> {
    let overdue = rules(values).overdue;
    let wrong = overdue.windows(2).position(|pair| pair[1] <= pair[0])?;
    let name = OVERDUE[wrong + 1].0;
    Some(FieldError::new(name, format!("{name}.range"), "Each reminder comes after the one before it."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reminders_come_in_their_order() {
        let values = |set: &[(&str, &str)]| -> Values {
            set.iter().map(|(name, days)| ((*name).into(), (*days).into())).collect()
        };
        assert_eq!(rules(&values(&[])), PaymentReminders::default());
        let set = values(&[("before", "3"), ("overdue.3", "30")]);
        assert_eq!(rules(&set), PaymentReminders { before: 3, overdue: [3, 10, 30] });
        assert_eq!(odd(&set), None);
        for (name, days) in [("overdue.2", "3"), ("overdue.3", "10")] {
            assert_eq!(odd(&values(&[(name, days)])).unwrap().path, name);
        }
        assert_eq!(odd(&values(&[("overdue.1", "10")])).unwrap().path, "overdue.2");
    }
}
