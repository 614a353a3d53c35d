//! The amount from which a refund, waiver, write-off or reversal needs a second person.

use super::{Field, FieldKind, Values};

const AMOUNT: &str = "amount";

/// Returns the cents from which a second person must approve; `None` if never. `versions` are those of the setting with
/// the time each was set, newest first. The lowest amount in effect since then applies, so that nobody can raise it,
/// book and put it back.
pub fn second_person_from(versions: impl IntoIterator<Item = (i64, Values)>, since: i64) -> Option<i64> {
    let mut replaced_at = i64::MAX;
    let held = versions.into_iter().take_while(|(set_at, _)| {
        let held = replaced_at > since;
        replaced_at = *set_at;
        held
    });
    held.filter_map(|(_, values)| values.get(AMOUNT)?.parse::<i64>().ok()?.checked_mul(100)).min()
}

pub(super) fn fields() -> Vec<Field> {
    vec![Field {
        name: AMOUNT.into(),
        label: "Amount in US dollars".into(),
        hint: "This amount or more waits until somebody else has approved it. Leave it empty to ask nobody. A higher amount, \
               or none, holds after a day.",
        kind: FieldKind::OptionalDollars,
        built_in: String::new(),
        group: String::new(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_lifted_or_taken_away_holds_for_another_day() {
        let set = |amounts: &[(i64, &str)], since| {
            let values = |amount: &str| Values::from([(AMOUNT.to_owned(), amount.to_owned())]);
            second_person_from(amounts.iter().map(|(at, amount)| (*at, values(amount))), since)
        };
        assert_eq!(set(&[], 10), None);
        assert_eq!(set(&[(5, "500")], 10), Some(50_000));
        assert_eq!(set(&[(12, "900"), (5, "500"), (1, "100")], 10), Some(50_000));
        assert_eq!(set(&[(12, ""), (5, "500")], 10), Some(50_000));
        assert_eq!(set(&[(10, "900"), (5, "500")], 10), Some(90_000));
        assert_eq!(set(&[(10, ""), (5, "500")], 10), None);
        assert_eq!(set(&[(14, "900"), (13, ""), (12, "700"), (5, "")], 10), Some(70_000));
    }
}
