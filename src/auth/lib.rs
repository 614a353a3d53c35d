//! Adapters for passwords, passkeys, tokens, one-time codes, sealing, the clock and randomness.

mod passkeys;
mod passwords;
mod sealing;
mod system;
mod tokens;
mod totp;

pub use passkeys::WebAuthn;
pub use passwords::Argon2Hasher;
pub use sealing::Sealer;
pub use system::{SystemClock, SystemRandom};
pub use tokens::JwtTokens;
pub use totp::Totp;
