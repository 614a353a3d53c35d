//! Funding rules set by staff, and whether a plan complies with them.

use jiff::ToSpan;
use jiff::civil::Date;

use super::plan::LEAST_INSTALMENT;
use super::{Funding, SourceKind};
use crate::input::FieldError;
use crate::money::dollars;
use crate::text;

/// Maximum number of instalments that can be agreed. Earlier plans keep theirs.
pub const MAX_INSTALMENTS: u32 = 48;

/// Caps and limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FundingRules {
    /// Maximum cents per source; a source without one can pay up to full tuition.
    pub caps: Vec<(SourceKind, i64)>,
    /// Minimum cents up front for applicants who pay a share themselves.
    pub least_up_front: i64,
    /// Minimum cents of a monthly payment.
    pub least_monthly: i64,
    pub most_instalments: u32,
    /// How many days before the start of studies the first instalment is due.
    pub days_before_start: i32,
    /// Minimum number of days that an applicant has to pay it.
    pub days_to_pay: i32,
}

impl Default for FundingRules {
    fn default() -> Self {
        FundingRules {
            caps: Vec::new(),
            least_up_front: 0,
            least_monthly: 5_000,
            most_instalments: 48,
            days_before_start: 30,
            days_to_pay: 14,
        }
    }
}

impl FundingRules {
    /// Returns the due date of the first instalment of a plan made today.
    pub fn first_due(&self, today: Date, start: Date) -> Date {
        let soonest = today.checked_add(self.days_to_pay.days()).unwrap_or(today);
        start.checked_sub(self.days_before_start.days()).unwrap_or(start).max(soonest)
    }

    pub fn cap(&self, kind: SourceKind) -> Option<i64> {
        self.caps.iter().find(|(capped, _)| *capped == kind).map(|(_, cents)| *cents)
    }

    /// Returns the errors of a plan, each with the field it concerns. Less than tuition is not an error: the plan is
    /// just unfinished.
    pub fn check(&self, funding: &Funding) -> Vec<FieldError> {
        let mut errors = Vec::new();
        let mut error = |path: String, code: &str, message| errors.push(FieldError::new(path, code, message));
        for source in funding.sources.iter().filter(|source| source.counts()) {
            let path = format!("amounts.{}", source.kind.as_str());
            match self.cap(source.kind) {
                Some(most) if source.cents > most => {
                    let (source, most) = (source.kind.label(), dollars(most));
                    error(path, "funding.cap", text!("{source} can pay at most {most}.", source, most));
                }
                _ if source.cents > funding.tuition => {
                    let most = dollars(funding.tuition);
                    error(path, "funding.range", text!("This is more than tuition, which is {most}.", most));
                }
                _ => {}
            }
        }
        if funding.missing() < 0 && errors.is_empty() {
            let over = dollars(-funding.missing());
            let message = text!("Together the amounts are {over} more than tuition. Lower one of them.", over);
            errors.push(FieldError::new("amounts", "funding.over", message));
        }
        errors.extend(self.odd_plan(funding));
        errors
    }

    fn odd_plan(&self, funding: &Funding) -> Option<FieldError> {
        let total = funding.self_pay();
        let plan = &funding.plan;
        if total == 0 {
            return None;
        }
        let rest = total - plan.up_front;
        let least_up_front = self.least_up_front.max(LEAST_INSTALMENT).min(total);
        let least_monthly = self.least_monthly.max(LEAST_INSTALMENT).min(rest);
        let error = |path: &str, code: &str, message| Some(FieldError::new(path, code, message));
        if total < LEAST_INSTALMENT {
            let least = dollars(LEAST_INSTALMENT);
            return error("amounts.self_pay", "funding.least", text!("Pay {least} or more, or nothing.", least));
        }
        if plan.up_front > total {
            let message = text!("This is more than you pay yourself, which is {total}.", total = dollars(total));
            return error("upFront", "funding.up_front", message);
        }
        if (plan.up_front > 0 || self.least_up_front > 0) && plan.up_front < least_up_front {
            let least = dollars(least_up_front);
            return error("upFront", "funding.up_front", text!("Pay at least {least} up front.", least));
        }
        if rest > 0 && plan.monthly < least_monthly {
            let least = dollars(least_monthly);
            return error("monthly", "funding.monthly", text!("Pay at least {least} a month.", least));
        }
        let most = self.most_instalments.min(MAX_INSTALMENTS);
        let count = plan.schedule(total).len();
        if count > most as usize {
            let message = text!(
                "This takes {count} payments, and there can be at most {most}. Pay more each month.",
                count,
                most
            );
            return error("monthly", "funding.instalments", message);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::funding::{PaymentPlan, Source};

    fn wrong(rules: &FundingRules, amounts: &[(SourceKind, i64)], up_front: i64, monthly: i64) -> Vec<String> {
        let funding = Funding {
            tuition: 1_000_000,
            sources: amounts.iter().map(|(kind, cents)| Source::named(*kind, *cents)).collect(),
            plan: PaymentPlan { up_front, monthly, first_due: date(2026, 8, 1) },
            pauses: Vec::new(),
        };
        rules.check(&funding).into_iter().map(|error| format!("{} {}", error.path, error.code)).collect()
    }

    #[test]
    fn what_breaks_a_rule_is_told_beside_its_field() {
        use SourceKind::{Employer, SelfPay, TuitionAssistance};
        let rules = FundingRules {
            caps: vec![(TuitionAssistance, 450_000)],
            least_up_front: 10_000,
            most_instalments: 12,
            ..FundingRules::default()
        };
        let none: [&str; 0] = [];
        assert_eq!(wrong(&rules, &[], 0, 0), none);
        assert_eq!(wrong(&rules, &[(TuitionAssistance, 450_000), (SelfPay, 550_000)], 100_000, 50_000), none);
        assert_eq!(wrong(&rules, &[(TuitionAssistance, 450_001)], 0, 0), ["amounts.tuition_assistance funding.cap"]);
        assert_eq!(wrong(&rules, &[(Employer, 1_000_001)], 0, 0), ["amounts.employer funding.range"]);
        assert_eq!(wrong(&rules, &[(Employer, 600_000), (SelfPay, 400_001)], 400_001, 0), ["amounts funding.over"]);
        for (total, up_front, monthly, expected) in [
            (499, 499, 0, "amounts.self_pay funding.least"),
            (100_000, 100_001, 0, "upFront funding.up_front"),
            (100_000, 9_999, 50_000, "upFront funding.up_front"),
            (100_000, 50_000, 4_999, "monthly funding.monthly"),
            (100_000, 10_000, 0, "monthly funding.monthly"),
            (1_000_000, 10_000, 5_000, "monthly funding.instalments"),
        ] {
            assert_eq!(
                wrong(&rules, &[(SelfPay, total)], up_front, monthly),
                [expected],
                "{total} {up_front} {monthly}"
            );
        }
        assert_eq!(wrong(&rules, &[(SelfPay, 6_000)], 6_000, 0), none);
    }

    #[test]
    fn nobody_has_to_pay_at_once() {
        let rules = FundingRules::default();
        assert_eq!(rules.first_due(date(2026, 5, 4), date(2026, 8, 31)), date(2026, 8, 1));
        assert_eq!(rules.first_due(date(2026, 8, 20), date(2026, 8, 31)), date(2026, 9, 3));
    }
}
