//! Open days: what everybody sees of them, booking places, and what the office does with them.

mod booking;
mod office;
