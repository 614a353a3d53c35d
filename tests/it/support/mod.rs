//! The test environment.

pub mod authenticator;
pub mod clamd;
pub mod collector;
pub mod databases;
pub mod disks;
pub mod files;
pub mod identity_provider;
pub mod ports;
pub mod program;
pub mod proxy;
pub mod receiver;
pub mod replication;
pub mod rows;
pub mod s3;
pub mod server;
pub mod silent;
pub mod smtp;
pub mod stripe;

/// Reports that a story cannot run on this machine; `make faults` shows it.
pub fn skip(why: &str) {
    eprintln!("not told here: {why}");
    if let Some(file) = std::env::var_os("MATRICULA_TEST_SKIPS") {
        let file = std::fs::OpenOptions::new().append(true).open(file);
        std::io::Write::write_all(&mut file.unwrap(), format!("{why}\n").as_bytes()).unwrap();
    }
}
