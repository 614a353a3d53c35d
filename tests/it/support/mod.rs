//! The world of the tests.

pub mod databases;
pub mod server;
pub mod smtp;
