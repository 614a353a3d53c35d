//! Ports for servers started by the tests.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};

/// Returns a free port for a server that stops and restarts.
///
/// It lies below the range of ephemeral ports (from 32768 on Linux, 49152 elsewhere): otherwise, while the server is
/// down, a client that tries to connect could be given this very port, and with it a connection to itself, and the
/// server could not restart.
pub fn free_port() -> u16 {
    const FIRST: u32 = 12_000;
    const COUNT: u32 = 18_000;
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // Other test processes start elsewhere.
    let offset = std::process::id().wrapping_mul(97);
    loop {
        let number = offset.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % COUNT;
        let port = u16::try_from(FIRST + number).expect("the range is one of ports");
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
