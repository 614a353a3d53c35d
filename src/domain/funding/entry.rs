//! Funding as entered on its page or sent to its API.

use jiff::civil::Date;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::plan::PaymentPlan;
use super::{Funding, Source, SourceKind};
use crate::application::FinancialPlan;
use crate::body::wrong;
use crate::input::{FieldError, Input, unknown_fields};
use crate::{body, text};

/// Maximum amount, in cents: a million dollars.
const MAX: i64 = 100_000_000;

body! {
    /// Who pays how much, in cents. Omitted amounts count as 0.
    #[derive(PartialEq, Eq)]
    pub struct FundingEntry {
        /// The sources that pay something.
        #[schema(value_type = Option<FundingAmounts>, nullable = false)]
        pub amounts: Vec<(SourceKind, i64)> = amounts,
        /// The first payment.
        #[schema(value_type = Option<i64>, nullable = false)]
        pub up_front: i64 = amount,
        #[schema(value_type = Option<i64>, nullable = false)]
        pub monthly: i64 = amount,
    }
}

/// Cents for the whole program, by source.
pub struct FundingAmounts;

impl PartialSchema for FundingAmounts {
    fn schema() -> RefOr<Schema> {
        let amounts = ObjectBuilder::new().description(Some("cents, for the whole program"));
        let with = |object: ObjectBuilder, kind: SourceKind| object.property(kind.as_str(), i64::schema());
        SourceKind::ALL.into_iter().fold(amounts, with).into()
    }
}

impl ToSchema for FundingAmounts {}

fn amounts(path: &str, input: Option<&Input>) -> Result<Vec<(SourceKind, i64)>, Vec<FieldError>> {
    let given = match input {
        Some(Input::Map(given)) => given.as_slice(),
        None => &[],
        Some(_) => return Err(vec![wrong(path, "type", text!("The amounts must be an object."))]),
    };
    let mut errors: Vec<FieldError> = unknown_fields(given, &SourceKind::ALL.map(SourceKind::as_str)).collect();
    let mut amounts = Vec::new();
    for kind in SourceKind::ALL {
        match amount(&format!("{path}.{}", kind.as_str()), Input::get(given, kind.as_str())) {
            Ok(0) => {}
            Ok(cents) => amounts.push((kind, cents)),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(amounts) } else { Err(errors) }
}

impl FundingEntry {
    /// Returns the plan for these amounts, without any pauses. A source whose amount is unchanged keeps its state; a
    /// changed amount must be confirmed again.
    pub fn funding(&self, tuition: i64, first_due: Date, before: Option<&Funding>) -> Funding {
        let source = |(kind, cents): &(SourceKind, i64)| {
            let same = before.and_then(|before| before.source(*kind)).filter(|source| source.cents == *cents);
            same.cloned().unwrap_or_else(|| Source::named(*kind, *cents))
        };
        let plan = PaymentPlan { up_front: self.up_front, monthly: self.monthly, first_due };
        Funding { tuition, sources: self.amounts.iter().map(source).collect(), plan, pauses: Vec::new() }
    }
}

fn amount(path: &str, input: Option<&Input>) -> Result<i64, FieldError> {
    let message = match input {
        None | Some(Input::Null) => return Ok(0),
        Some(Input::Whole(cents)) if (0..=MAX).contains(cents) => return Ok(*cents),
        Some(Input::Whole(cents)) if *cents < 0 => text!("The amount must be 0 or more."),
        Some(Input::Whole(_)) => text!("The amount must be at most $1,000,000."),
        Some(Input::Text(_)) => text!("Enter an amount in dollars, such as 1,200.50."),
        Some(_) => text!("The amount must be a whole number of cents."),
    };
    Err(FieldError::new(path, "funding.amount", message))
}

/// Suggests a plan from the answers of the application, if there is none yet. A single way to pay covers all of
/// tuition; with several, the amounts are not known yet.
pub fn suggestion(answers: &FinancialPlan, tuition: i64) -> FundingEntry {
    let mut kinds =
        SourceKind::ALL.into_iter().filter(|kind| answers.selected_payments.iter().any(|it| it == kind.as_str()));
    let amounts = match (kinds.next(), kinds.next()) {
        (Some(only), None) => vec![(only, tuition)],
        _ => Vec::new(),
    };
    let pays = answers.selected_payments.iter().any(|it| it == SourceKind::SelfPay.as_str());
    let contribution = |cents: i64| if pays { cents.clamp(0, tuition) } else { 0 };
    FundingEntry {
        amounts,
        up_front: contribution(answers.self_pay_contribution.up_front_contribution),
        monthly: contribution(answers.self_pay_contribution.monthly_payment_contribution),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::json;

    use super::*;
    use crate::application::SelfPayContribution;
    use crate::funding::SourceState;

    fn read(value: serde_json::Value) -> Result<FundingEntry, Vec<String>> {
        FundingEntry::parse(&value.into()).map_err(|errors| errors.into_iter().map(|error| error.path).collect())
    }

    #[test]
    fn amounts_are_whole_cents() {
        let entry = read(json!({ "amounts": { "gi_bill": 5, "employer": 0, "self_pay": 7 }, "upFront": 7 })).unwrap();
        assert_eq!(entry.amounts, [(SourceKind::GiBill, 5), (SourceKind::SelfPay, 7)]);
        assert_eq!((entry.up_front, entry.monthly), (7, 0));
        for (body, paths) in [
            (
                json!({ "amounts": { "gi_bill": -1, "employer": 100_000_001 } }),
                vec!["amounts.gi_bill", "amounts.employer"],
            ),
            (json!({ "upFront": "plenty", "monthly": 1.5 }), vec!["upFront", "monthly"]),
            (json!({ "amounts": { "lottery": 1 } }), vec!["lottery"]),
            (json!({ "amounts": [] }), vec!["amounts"]),
            (json!([]), vec![""]),
        ] {
            assert_eq!(read(body.clone()).unwrap_err(), paths, "{body}");
        }
    }

    #[test]
    fn what_was_confirmed_stays_until_its_amount_changes() {
        let entry = |cents| FundingEntry { amounts: vec![(SourceKind::GiBill, cents)], up_front: 0, monthly: 0 };
        let mut before = entry(5_000).funding(10_000, date(2026, 8, 1), None);
        before.sources[0].state = SourceState::Confirmed;
        let state = |cents| entry(cents).funding(10_000, date(2026, 8, 1), Some(&before)).sources[0].state;
        assert_eq!((state(5_000), state(5_001)), (SourceState::Confirmed, SourceState::Asked));
    }

    #[test]
    fn the_answers_are_where_a_plan_begins() {
        let answers = |payments: &[&str]| FinancialPlan {
            selected_payments: payments.iter().map(|it| (*it).into()).collect(),
            self_pay_contribution: SelfPayContribution {
                up_front_contribution: 100_000,
                monthly_payment_contribution: 25_000,
            },
        };
        let entry = |payments: &[&str]| suggestion(&answers(payments), 2_480_000);
        let alone =
            FundingEntry { amounts: vec![(SourceKind::SelfPay, 2_480_000)], up_front: 100_000, monthly: 25_000 };
        assert_eq!(entry(&["self_pay"]), alone);
        assert_eq!(entry(&["gi_bill", "self_pay"]), FundingEntry { amounts: vec![], ..alone });
        let gi_bill = FundingEntry { amounts: vec![(SourceKind::GiBill, 2_480_000)], up_front: 0, monthly: 0 };
        assert_eq!(entry(&["gi_bill"]), gi_bill);
    }
}
