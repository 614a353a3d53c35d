//! Passwords, tokens, one-time codes, sealing, the clock and randomness: the adapters of those ports.

mod passwords;
mod sealing;
mod system;
mod tokens;
mod totp;

pub use passwords::Argon2Hasher;
pub use sealing::Sealer;
pub use system::{SystemClock, SystemRandom};
pub use tokens::JwtTokens;
pub use totp::Totp;
