//! The application fee of a program, whom it is waived for, and when applicants are reminded of it.

use jiff::civil::Date;

use super::{Field, FieldKind, Values};
use crate::application_fee::FeeRules;
use crate::input::FieldError;
use crate::intake::Intake;

const AMOUNT: &str = "amount";
const MILITARY: &str = "waived.military";
const DOD: &str = "waived.dod";
const NEED: &str = "waived.need";
const REMINDERS: [(&str, &str); 2] = [("reminder.1", "First reminder"), ("reminder.2", "Second reminder")];

/// Maximum fee, in dollars.
const MAX_DOLLARS: i64 = 10_000;
/// Months ahead for whose intakes there is a field.
const MONTHS: u32 = 24;

const YES_OR_NO: FieldKind = FieldKind::Choice(&[("yes", "Yes"), ("no", "No")]);

pub(super) fn rules(values: &Values) -> FeeRules {
    let built_in = FeeRules::default();
    let cents = |typed: &str| typed.parse::<i64>().ok()?.checked_mul(100);
    let is_set = |name: &str, built_in: bool| values.get(name).map_or(built_in, |typed| typed == "yes");
    let by_intake = values.iter().filter_map(|(code, typed)| {
        Intake::parse(code)?;
        Some((code.clone(), cents(typed)?))
    });
    let mut reminders = built_in.reminders;
    for ((name, _), days) in REMINDERS.iter().zip(&mut reminders) {
        *days = values.get(*name).and_then(|typed| typed.parse().ok()).unwrap_or(*days);
    }
    FeeRules {
        amount: values.get(AMOUNT).and_then(|typed| cents(typed)).unwrap_or(built_in.amount),
        by_intake: by_intake.collect(),
        military: is_set(MILITARY, built_in.military),
        dod: is_set(DOD, built_in.dod),
        need: is_set(NEED, built_in.need),
        reminders,
    }
}

pub(super) fn fields(today: Date) -> Vec<Field> {
    let built_in = FeeRules::default();
    let field = |name: &str, label: String, hint, kind, built_in: &str| Field {
        name: name.into(),
        label,
        hint,
        kind,
        built_in: built_in.into(),
        group: String::new(),
    };
    let dollars = FieldKind::OptionalWhole { least: 0, most: MAX_DOLLARS };
    let mut fields = vec![field(
        AMOUNT,
        "Amount in US dollars".into(),
        "Leave it empty for no fee. It holds for applications that are submitted for the first time from now on.",
        dollars,
        "",
    )];
    fields.extend(Intake::within(today, MONTHS).into_iter().map(|intake| Field {
        group: "For one intake".into(),
        ..field(
            &intake.code(),
            format!("Amount for {}", intake.name()),
            "Leave it empty for the amount above; 0 for no fee.",
            dollars,
            "",
        )
    }));
    let yes = |yes: bool| if yes { "yes" } else { "no" };
    let choice = |name, label: &str, hint, set| field(name, label.into(), hint, YES_OR_NO, yes(set));
    fields.push(choice(
        MILITARY,
        "Waived for applicants who are affiliated with the military",
        "By what they answer.",
        built_in.military,
    ));
    fields.push(choice(DOD, "Waived for employees of the Department of Defense", "By what they answer.", built_in.dod));
    fields.push(choice(
        NEED,
        "Applicants can ask for a waiver",
        "They say why they cannot pay it, and Finance decides.",
        built_in.need,
    ));
    fields.extend(REMINDERS.iter().zip(built_in.reminders).map(|((name, label), days)| {
        let kind = FieldKind::Whole { least: 1, most: 60 };
        field(name, format!("{label}, days after the submission"), "", kind, &days.to_string())
    }));
    fields
}

/// Returns an error if the second reminder does not come after the first.
pub(super) fn odd(values: &Values) -> Option<FieldError> {
    let [first, second] = rules(values).reminders;
    let name = REMINDERS[1].0;
    let error = || FieldError::new(name, format!("{name}.range"), "It comes after the first one.");
    (second <= first).then(error)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn values(set: &[(&str, &str)]) -> Values {
        set.iter().map(|(name, typed)| ((*name).into(), (*typed).into())).collect()
    }

    #[test]
    fn rules_are_read_from_what_is_typed() {
        assert_eq!(rules(&Values::new()), FeeRules::default());
        let typed =
            [("amount", "75"), ("2026-08", "50"), ("2027-01", "0"), ("waived.dod", "yes"), ("reminder.2", "20")];
        let read = rules(&values(&typed));
        let cents = |code| read.cents(Intake::parse(code).unwrap());
        assert_eq!((cents("2026-08"), cents("2027-01"), cents("2027-08")), (Some(5_000), None, Some(7_500)));
        assert_eq!((read.military, read.dod, read.need, read.reminders), (false, true, true, [3, 20]));
        assert!(!rules(&values(&[("waived.need", "no")])).need);
    }

    #[test]
    fn there_is_a_field_for_each_intake_that_comes() {
        let names: Vec<String> = fields(date(2026, 5, 4)).into_iter().map(|field| field.name).collect();
        assert_eq!(names[..3], ["amount", "2026-08", "2027-01"]);
        assert_eq!(names.len(), 1 + 4 + 3 + 2);
    }

    #[test]
    fn reminders_come_in_their_order() {
        assert_eq!(odd(&values(&[("reminder.1", "9")])), None);
        assert_eq!(odd(&values(&[("reminder.1", "10")])).unwrap().code, "reminder.2.range");
    }
}
