//! Caps and limits for paying tuition.

use super::{Field, FieldKind, Values};
use crate::funding::{FundingRules, MAX_INSTALMENTS, SourceKind};

/// Sources that staff can cap: what applicants pay themselves is only limited by tuition.
const CAPPED: [(SourceKind, &str); 4] = [
    (SourceKind::TuitionAssistance, "Most that tuition assistance pays"),
    (SourceKind::GiBill, "Most that the GI Bill pays"),
    (SourceKind::Employer, "Most that an employer pays"),
    (SourceKind::Scholarship, "Most that a scholarship pays"),
];

fn cap_name(kind: SourceKind) -> String {
    format!("cap.{}", kind.as_str())
}

/// Returns the fields of the setting.
pub(super) fn fields() -> Vec<Field> {
    let rules = FundingRules::default();
    let field = |name: &str, label: &str, hint, kind, built_in: String| Field {
        group: String::new(),
        name: name.into(),
        label: label.into(),
        hint,
        kind,
        built_in,
    };
    let caps = CAPPED.map(|(kind, label)| {
        let hint = "In whole US dollars, for the whole program. Leave it empty for no limit.";
        field(&cap_name(kind), label, hint, FieldKind::OptionalDollars, String::new())
    });
    let whole = |least, most| FieldKind::Whole { least, most };
    let rest = [
        field(
            "leastUpFront",
            "Least up front",
            "In whole US dollars, for who pays anything themselves. Leave it empty for no such rule.",
            FieldKind::OptionalDollars,
            String::new(),
        ),
        field(
            "leastMonthly",
            "Least monthly payment",
            "In whole US dollars.",
            FieldKind::Dollars,
            (rules.least_monthly / 100).to_string(),
        ),
        field(
            "mostPayments",
            "Most payments",
            "",
            whole(1, i64::from(MAX_INSTALMENTS)),
            rules.most_instalments.to_string(),
        ),
        field(
            "daysBeforeStart",
            "Days before studies start on which the first payment is due",
            "",
            whole(0, 180),
            rules.days_before_start.to_string(),
        ),
        field("daysToPay", "Days to pay it at least", "", whole(1, 90), rules.days_to_pay.to_string()),
    ];
    caps.into_iter().chain(rest).collect()
}

/// Returns the rules as set, with built-in values for the rest.
pub(super) fn rules(values: &Values) -> FundingRules {
    let built_in = FundingRules::default();
    let whole = |name: &str| values.get(name).and_then(|value| value.parse::<i64>().ok());
    let cents = |name: &str| whole(name).map(|dollars| dollars * 100);
    FundingRules {
        caps: CAPPED.iter().filter_map(|(kind, _)| Some((*kind, cents(&cap_name(*kind))?))).collect(),
        least_up_front: cents("leastUpFront").unwrap_or(built_in.least_up_front),
        least_monthly: cents("leastMonthly").unwrap_or(built_in.least_monthly),
        most_instalments: whole("mostPayments")
            .and_then(|most| u32::try_from(most).ok())
            .unwrap_or(built_in.most_instalments),
        days_before_start: whole("daysBeforeStart")
            .and_then(|days| i32::try_from(days).ok())
            .unwrap_or(built_in.days_before_start),
        days_to_pay: whole("daysToPay").and_then(|days| i32::try_from(days).ok()).unwrap_or(built_in.days_to_pay),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_is_as_the_product_came() {
        assert_eq!(rules(&Values::new()), FundingRules::default());
        let set = [("cap.tuition_assistance", "4500"), ("leastMonthly", "100"), ("mostPayments", "12")];
        let rules = rules(&set.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect());
        assert_eq!(rules.caps, [(SourceKind::TuitionAssistance, 450_000)]);
        assert_eq!((rules.least_monthly, rules.most_instalments), (10_000, 12));
    }
}
