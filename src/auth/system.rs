//! The machine's clock and randomness.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::TryRng;
use rand::rngs::SysRng;

use app::ports::{Clock, Random};
use domain::moments::Millis;

/// The operating system's clock, and how far ahead of it a development run is.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock {
    pub ahead: Millis,
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the port's adapter")]
    fn now(&self) -> Millis {
        // A clock before 1970 or after the year 292 million counts as 1970.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Millis::try_from(since.as_millis()).unwrap_or_default().saturating_add(self.ahead)
    }
}

/// The operating system's random number generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    #[expect(clippy::disallowed_methods, reason = "this is the port's adapter")]
    fn id(&self) -> String {
        uuid::Uuid::now_v7().to_string()
    }

    fn secret(&self) -> String {
        let mut bytes = [0; 32];
        SysRng.try_fill_bytes(&mut bytes).expect("an operating system without randomness cannot run this");
        URL_SAFE_NO_PAD.encode(bytes)
    }

    fn number(&self) -> u64 {
        let mut bytes = [0; 8];
        SysRng.try_fill_bytes(&mut bytes).expect("an operating system without randomness cannot run this");
        u64::from_ne_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_43_characters_of_a_cookie() {
        let secret = SystemRandom.secret();
        assert_eq!(secret.len(), 43);
        assert!(secret.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'), "{secret}");
        assert_ne!(secret, SystemRandom.secret());
    }

    #[test]
    fn identifiers_are_ordered_by_time() {
        let ids: Vec<String> = (0..100).map(|_| SystemRandom.id()).collect();
        assert!(ids.is_sorted());
    }

    #[test]
    fn the_clock_tells_milliseconds() {
        // 2025-01-01, 2200-01-01
        assert!((1_735_689_600_000..7_258_118_400_000).contains(&SystemClock::default().now()));
    }
}
