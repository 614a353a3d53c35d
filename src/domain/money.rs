//! Amounts of money, which are whole cents everywhere.

/// `$1,200.50`; cents only where there are any.
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

/// Cents of an amount as people type it: `1200`, `$1,200.50`, `1 200`. Empty is nothing.
pub fn cents(typed: &str) -> Option<i64> {
    let text: String = typed.chars().filter(|c| !matches!(c, ' ' | '$' | ',' | '\u{a0}')).collect();
    if text.is_empty() {
        return Some(0);
    }
    let (sign, text) = text.strip_prefix('-').map_or((1, text.as_str()), |rest| (-1, rest));
    let (dollars, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if !digits(dollars) || !digits(fraction) || fraction.len() > 2 || (dollars.is_empty() && fraction.is_empty()) {
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
