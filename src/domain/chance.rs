//! Numbers for tests that try many cases: the same in every run, so that a failure can be reproduced.

/// A pseudorandom sequence (SplitMix64).
#[derive(Debug)]
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to below `end`, which is at least 1.
    pub fn up_to(&mut self, end: i64) -> i64 {
        i64::try_from(self.draw() % end.max(1).unsigned_abs()).expect("less than an i64")
    }
}
