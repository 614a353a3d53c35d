//! The world of the tests.

pub mod clamd;
pub mod collector;
pub mod databases;
pub mod files;
pub mod ports;
pub mod program;
pub mod proxy;
pub mod rows;
pub mod s3;
pub mod server;
pub mod silent;
pub mod smtp;
pub mod stripe;
