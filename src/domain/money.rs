//! Amounts of money, always in whole cents.

/// Formats an amount: `$1,200.50`; without cents if there are none.
pub fn dollars(cents: i64) -> String {
    let whole = (cents / 100).to_string();
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match cents % 100 {
        0 => format!("${grouped}"),
        rest => format!("${grouped}.{rest:02}"),
    }
}

/// Returns the digits of a whole number as typed. Commas and spaces are accepted only before groups of three digits:
/// `1,50` means one and a half dollars, not 150.
fn ungrouped(typed: &str) -> Option<String> {
    let mut groups = typed.split([',', ' ', '\u{a0}']);
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let is_whole = |group: &&str| group.len() == 3;
    let fits = rest.is_empty() || ((1..=3).contains(&first.len()) && rest.iter().all(is_whole));
    let digits = [&[first], rest.as_slice()].concat().concat();
    (fits && digits.bytes().all(|b| b.is_ascii_digit())).then_some(digits)
}

/// Parses a whole number as typed: `24800`, `24,800`.
pub fn whole(typed: &str) -> Option<i64> {
    ungrouped(typed.trim())?.parse().ok()
}

/// Parses an amount as typed into cents: `1200`, `$1,200.50`, `1 200`. Empty means zero.
pub fn cents(typed: &str) -> Option<i64> {
    let text = typed.replace('$', "");
    let text = text.trim();
    if text.is_empty() {
        return Some(0);
    }
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest.trim_start()));
    let (dollars, fraction) = text.split_once('.').unwrap_or((text, ""));
    let dollars = ungrouped(dollars)?;
    if !fraction.bytes().all(|b| b.is_ascii_digit())
        || fraction.len() > 2
        || (dollars.is_empty() && fraction.is_empty())
    {
        return None;
    }
    let dollars: i64 = if dollars.is_empty() { 0 } else { dollars.parse().ok()? };
    let fraction: i64 = format!("{fraction:0<2}").parse().ok()?;
    dollars.checked_mul(100)?.checked_add(fraction)?.checked_mul(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_grouped() {
        assert_eq!(dollars(2_480_000), "$24,800");
        assert_eq!(dollars(99_900), "$999");
        assert_eq!(dollars(123_456_700), "$1,234,567");
        assert_eq!(dollars(120_050), "$1,200.50");
        assert_eq!(dollars(5), "$0.05");
    }

    #[test]
    fn amounts_are_read_as_people_type_them() {
        for (typed, expected) in [
            ("", Some(0)),
            ("1200", Some(120_000)),
            ("$1,200.50", Some(120_050)),
            ("1 200.5", Some(120_050)),
            ("- $1,200", Some(-120_000)),
            ("1,50", None),
            ("1,2000", None),
            ("12,34,567", None),
            (",200", None),
            (".5", Some(50)),
            ("-5", Some(-500)),
            ("1.234", None),
            ("12a", None),
            (".", None),
            ("1e5", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(cents(typed), expected, "{typed:?}");
        }
    }
}
