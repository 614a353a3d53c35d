//! The rules of admissions, pure: no clock, no randomness, no I/O. What a rule needs to know is an argument.

pub mod account;
pub mod application;
pub mod guard;
pub mod input;
pub mod password;
pub mod program;
pub mod redirect;
pub mod reference;
pub mod reference_number;
pub mod role;
pub mod status;
