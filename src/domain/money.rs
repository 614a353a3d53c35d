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
}
