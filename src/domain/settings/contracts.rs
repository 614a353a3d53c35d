//! Until when a contract can be signed, and when applicants are reminded.

use super::{Field, FieldKind, Values};
use crate::input::FieldError;

/// Terms in days after a contract is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContractTerms {
    /// The last day on which it can be signed.
    pub open: i64,
    /// Days on which applicants who have not signed are reminded, in order.
    pub reminders: [i64; 3],
}

impl Default for ContractTerms {
    fn default() -> Self {
        ContractTerms { open: 14, reminders: [3, 7, 12] }
    }
}

const REMINDERS: [(&str, &str); 3] =
    [("reminder.1", "First reminder"), ("reminder.2", "Second reminder"), ("reminder.3", "Third reminder")];
const OPEN: &str = "open";

impl ContractTerms {
    pub fn new(values: &Values) -> ContractTerms {
        let built_in = ContractTerms::default();
        let days = |name: &str, built_in: i64| values.get(name).and_then(|days| days.parse().ok()).unwrap_or(built_in);
        let mut reminders = built_in.reminders;
        for ((name, _), reminder) in REMINDERS.iter().zip(&mut reminders) {
            *reminder = days(name, *reminder);
        }
        ContractTerms { open: days(OPEN, built_in.open), reminders }
    }
}

pub(super) fn fields() -> Vec<Field> {
    let ContractTerms { open, reminders } = ContractTerms::default();
    let days = |name: &str, label: &str, hint, built_in: i64| Field {
        group: String::new(),
        name: name.into(),
        label: format!("{label}, days after it is sent"),
        hint,
        kind: FieldKind::Whole { least: 1, most: 90 },
        built_in: built_in.to_string(),
    };
    let hint = "A contract that was sent keeps the time that it was given.";
    let mut fields = vec![days(OPEN, "Last day to sign", hint, open)];
    fields.extend(REMINDERS.iter().zip(reminders).map(|((name, label), built_in)| days(name, label, "", built_in)));
    fields
}

/// Returns an error if a reminder does not come after the previous one, or not before the last day to sign.
pub(super) fn odd(values: &Values) -> Option<FieldError> {
    let ContractTerms { open, reminders } = ContractTerms::new(values);
    let mut before = 0;
    for ((name, _), days) in REMINDERS.iter().zip(reminders) {
        if days <= before || days >= open {
            let sentence = "Each reminder comes after the one before it, and before the last day to sign.";
            return Some(FieldError::new(*name, format!("{name}.range"), sentence));
        }
        before = days;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reminders_come_in_their_order_and_before_the_end() {
        let values = |set: &[(&str, &str)]| -> Values {
            set.iter().map(|(name, days)| ((*name).into(), (*days).into())).collect()
        };
        assert_eq!(ContractTerms::new(&values(&[])), ContractTerms { open: 14, reminders: [3, 7, 12] });
        let set = values(&[("open", "30"), ("reminder.3", "28")]);
        assert_eq!(ContractTerms::new(&set), ContractTerms { open: 30, reminders: [3, 7, 28] });
        assert_eq!(odd(&set), None);
        for wrong in [&[("open", "12")][..], &[("reminder.2", "3")], &[("reminder.1", "13")]] {
            assert!(odd(&values(wrong)).is_some(), "{wrong:?}");
        }
    }
}
