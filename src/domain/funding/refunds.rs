//! How much of the payments is refunded after a withdrawal. A suggestion to Finance; nothing is refunded automatically.

use jiff::civil::Date;

/// The share to refund, by day of withdrawal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundRules {
    /// Ordered by day. After the last step nothing is refunded.
    pub steps: Vec<RefundStep>,
}

/// The share to refund until the end of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefundStep {
    /// Days after the start of studies; negative before it.
    pub until: i64,
    /// Share of what was paid: 0 to 100.
    pub percent: i64,
}

impl Default for RefundRules {
    fn default() -> Self {
        RefundRules { steps: vec![RefundStep { until: -14, percent: 100 }, RefundStep { until: 30, percent: 50 }] }
    }
}

impl RefundRules {
    /// Returns the percentage to refund for a withdrawal on `day` from studies that start on `start`.
    pub fn percent(&self, start: Date, day: Date) -> i64 {
        let days = days_after(start, day);
        self.steps.iter().find(|step| days <= step.until).map_or(0, |step| step.percent)
    }

    /// Whether each step comes after the previous one and does not refund more.
    pub fn is_in_order(&self) -> bool {
        self.steps.windows(2).all(|pair| pair[0].until < pair[1].until && pair[0].percent >= pair[1].percent)
    }
}

/// Returns the number of days from `start` to `day`; negative if `day` is earlier.
pub(super) fn days_after(start: Date, day: Date) -> i64 {
    start.until(day).map_or(0, |span| i64::from(span.get_days()))
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan;
    use jiff::civil::date;

    use super::*;

    #[test]
    fn the_later_the_less() {
        let start = date(2026, 8, 31);
        let rules = RefundRules::default();
        for (days, percent) in [(-400, 100), (-14, 100), (-13, 50), (0, 50), (30, 50), (31, 0), (700, 0)] {
            assert_eq!(rules.percent(start, start.saturating_add(days.days())), percent, "{days}");
        }
        assert_eq!(RefundRules { steps: Vec::new() }.percent(start, start), 0);
    }

    #[test]
    fn steps_follow_each_other() {
        let rules = |steps: &[(i64, i64)]| RefundRules {
            steps: steps.iter().map(|(until, percent)| RefundStep { until: *until, percent: *percent }).collect(),
        };
        assert!(RefundRules::default().is_in_order() && rules(&[]).is_in_order());
        assert!(!rules(&[(0, 100), (0, 50)]).is_in_order());
        assert!(!rules(&[(0, 50), (10, 60)]).is_in_order());
        let steps = rules(&[(-60, 100), (-10, 90), (14, 25), (60, 10)]);
        let start = date(2026, 8, 31);
        let shares: Vec<i64> = (-90..90).map(|days| steps.percent(start, start.saturating_add(days.days()))).collect();
        assert!(steps.is_in_order() && shares.windows(2).all(|pair| pair[0] >= pair[1]), "{shares:?}");
    }
}
