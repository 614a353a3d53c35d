//! What the fee is, and whom it is waived for.

use std::collections::BTreeMap;

use super::{FeeAhead, FeeRule};
use crate::application::PersonalInfo;
use crate::intake::Intake;

/// The rules for the fee of one program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeeRules {
    /// Cents; 0 for no fee.
    pub amount: i64,
    /// Cents of intakes with an amount of their own, by code; 0 for no fee.
    pub by_intake: BTreeMap<String, i64>,
    /// Whether applicants affiliated with the military do not pay it.
    pub military: bool,
    /// Whether employees of the Department of Defense do not pay it.
    pub dod: bool,
    /// Whether a waiver can be asked for because of financial need.
    pub need: bool,
    /// Days after the submission on which applicants are reminded.
    pub reminders: [i64; 2],
}

impl Default for FeeRules {
    fn default() -> Self {
        FeeRules { amount: 0, by_intake: BTreeMap::new(), military: false, dod: false, need: true, reminders: [3, 10] }
    }
}

impl FeeRules {
    /// Returns the fee for an intake, in cents; `None` if there is none.
    pub fn cents(&self, intake: Intake) -> Option<i64> {
        let cents = self.by_intake.get(&intake.code()).copied().unwrap_or(self.amount);
        (cents > 0).then_some(cents)
    }

    /// Returns the rule by which an applicant with these answers does not pay.
    pub fn rule_for(&self, answers: &PersonalInfo) -> Option<FeeRule> {
        match answers {
            PersonalInfo { is_military_affiliated: true, .. } if self.military => Some(FeeRule::Military),
            PersonalInfo { is_dod_employee: true, .. } if self.dod => Some(FeeRule::Dod),
            _ => None,
        }
    }

    /// Returns the fee of an application that is submitted for an intake; `None` if there is none.
    pub fn ahead(&self, intake: Intake, answers: &PersonalInfo) -> Option<FeeAhead> {
        Some(FeeAhead { cents: self.cents(intake)?, intake, waived: self.rule_for(answers) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::application_fee::{ApplicationFee, FeeState, WaivedBy};

    fn intake(code: &str) -> Intake {
        Intake::parse(code).unwrap()
    }

    #[test]
    fn an_intake_can_have_a_fee_of_its_own_or_none() {
        let rules = FeeRules {
            amount: 7_500,
            by_intake: BTreeMap::from([("2027-01".to_owned(), 5_000), ("2027-08".to_owned(), 0)]),
            ..FeeRules::default()
        };
        let cents = |code| rules.cents(intake(code));
        assert_eq!((cents("2026-08"), cents("2027-01"), cents("2027-08")), (Some(7_500), Some(5_000), None));
        assert_eq!(FeeRules::default().cents(intake("2026-08")), None);
    }

    #[test]
    fn a_fee_is_waived_by_the_rules_that_are_set() {
        let both = PersonalInfo { is_military_affiliated: true, is_dod_employee: true, ..PersonalInfo::default() };
        let rules = |military, dod| FeeRules { amount: 7_500, military, dod, ..FeeRules::default() };
        assert_eq!(rules(false, false).rule_for(&both), None);
        assert_eq!(rules(true, true).rule_for(&both), Some(FeeRule::Military));
        assert_eq!(rules(false, true).rule_for(&both), Some(FeeRule::Dod));
        assert_eq!(rules(true, true).rule_for(&PersonalInfo::default()), None);
        let fixed = |answers: &PersonalInfo| {
            let ahead = rules(true, true).ahead(intake("2026-08"), answers).unwrap();
            ApplicationFee::fixed("a", ahead, 3)
        };
        let (due, waived) = (fixed(&PersonalInfo::default()), fixed(&both));
        assert_eq!((due.state, due.decided_at), (FeeState::Due, None));
        assert_eq!(
            (waived.state, waived.waived_by, waived.decided_at),
            (FeeState::Waived, Some(WaivedBy::Rule), Some(3))
        );
        assert!(waived.why_waived().is_some() && waived.words().is_none() && due.words().is_some());
    }
}
