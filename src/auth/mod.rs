//! Passwords, tokens, the clock and randomness: the adapters of those ports.

mod passwords;
mod system;
mod tokens;

pub use passwords::Argon2Hasher;
pub use system::{SystemClock, SystemRandom};
pub use tokens::JwtTokens;
