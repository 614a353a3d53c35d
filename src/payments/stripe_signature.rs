//! Checks whether Stripe has signed a message: <https://docs.stripe.com/webhooks#verify-manually>.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use app::ports::Unsigned;
use domain::moments::Millis;

/// Seconds after its signature for which a message is accepted: a later one may be a replay.
const TOLERANCE: i64 = 5 * 60;

/// Checks the header `Stripe-Signature` of a body, byte for byte as received.
pub fn verify(body: &[u8], header: &str, secret: &str, now: Millis) -> Result<(), Unsigned> {
    let mut signed_at = None;
    let mut signatures = Vec::new();
    for (name, value) in header.split(',').filter_map(|part| part.trim().split_once('=')) {
        match name {
            "t" => signed_at = value.parse::<i64>().ok(),
            "v1" => signatures.extend(hex(value)),
            _ => {}
        }
    }
    let signed_at = signed_at.ok_or(Unsigned::Wrong)?;
    // There are two while the secret is being changed.
    let is_signed = signatures.iter().any(|signature| {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key of any length will do");
        mac.update(signed_at.to_string().as_bytes());
        mac.update(b".");
        mac.update(body);
        mac.verify_slice(signature).is_ok()
    });
    if !is_signed {
        return Err(Unsigned::Wrong);
    }
    // Clocks differ, so a signature slightly in the future is accepted too.
    if (now.div_euclid(1000) - signed_at).abs() > TOLERANCE { Err(Unsigned::Old) } else { Ok(()) }
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    digits.chunks(2).map(|two| Some(digit(two[0])? * 16 + digit(two[1])?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_demo";
    const BODY: &[u8] = b"{\"id\": \"evt_1\"}";
    const AT: i64 = 1_700_000_000;

    fn header(body: &[u8], secret: &str, at: i64) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(format!("{at}.").as_bytes());
        mac.update(body);
        let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("t={at},v1={hex},v0=ignored")
    }

    #[test]
    fn only_what_was_signed_lately_with_our_secret_is_taken() {
        let good = header(BODY, SECRET, AT);
        assert_eq!(verify(BODY, &good, SECRET, AT * 1000), Ok(()));
        assert_eq!(verify(BODY, &good, SECRET, (AT + 300) * 1000), Ok(()));
        assert_eq!(verify(BODY, &good, SECRET, (AT + 301) * 1000), Err(Unsigned::Old));
        assert_eq!(verify(BODY, &good, SECRET, (AT - 301) * 1000), Err(Unsigned::Old));
        assert_eq!(verify(b"{\"id\": \"evt_2\"}", &good, SECRET, AT * 1000), Err(Unsigned::Wrong));
        assert_eq!(verify(BODY, &good, "whsec_other", AT * 1000), Err(Unsigned::Wrong));
        let other_time = good.replace(&AT.to_string(), &(AT + 10).to_string());
        assert_eq!(verify(BODY, &other_time, SECRET, AT * 1000), Err(Unsigned::Wrong));
        let two = format!("{},v1={}", header(BODY, "whsec_old", AT), &good[good.find("v1=").unwrap() + 3..]);
        assert_eq!(verify(BODY, &two, SECRET, AT * 1000), Ok(()));
        for wrong in ["", "t=", "v1=00", "t=abc,v1=00", &format!("t={AT}"), &format!("t={AT},v1={}", "ü".repeat(32))] {
            assert_eq!(verify(BODY, wrong, SECRET, AT * 1000), Err(Unsigned::Wrong), "{wrong}");
        }
    }
}
