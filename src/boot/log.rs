//! The log: lines on standard error, written in batches. Writing one line costs as much as a quarter of answering a
//! request for a landing page, so lines wait for others, for a tenth of a second at most. A warning or an error does
//! not wait, and takes the lines before it along.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tracing::{Level, Metadata};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use super::BootError;
use crate::config::{Config, LogFormat};

/// How long a line waits for others.
const PAUSE: Duration = Duration::from_millis(100);
/// Buffered bytes that are written without waiting for more.
const FULL: usize = 64 * 1024;

/// Starts the log of this process. Lines that still wait are written when the returned guard is dropped.
pub fn start(config: &Config) -> Result<impl Drop, BootError> {
    // While no server takes writes, the pool logs an error for every connection it tries. The store logs that once.
    let filter = format!("sqlx_core::pool::inner=off,{}", config.log);
    let filter = EnvFilter::try_new(filter).map_err(|error| BootError::Log(error.to_string()))?;
    let lines = Lines::new(io::stderr());
    let writer = lines.clone();
    thread::Builder::new().name("log".into()).spawn(move || writer.write_forever()).map_err(BootError::LogThread)?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(lines.clone());
    match config.log_format {
        LogFormat::Json => log.json().flatten_event(true).init(),
        LogFormat::Text => log.init(),
    }
    Ok(Flush(lines))
}

/// Lines that wait to be written to `W`.
struct Lines<W>(Arc<Shared<W>>);

struct Shared<W> {
    state: Mutex<State<W>>,
    /// Notified when the first line begins to wait.
    waiting: Condvar,
}

struct State<W> {
    bytes: Vec<u8>,
    out: W,
}

impl<W> Clone for Lines<W> {
    fn clone(&self) -> Self {
        Lines(self.0.clone())
    }
}

impl<W: Write> Lines<W> {
    fn new(out: W) -> Self {
        Lines(Arc::new(Shared { state: Mutex::new(State { bytes: Vec::new(), out }), waiting: Condvar::new() }))
    }

    fn state(&self) -> MutexGuard<'_, State<W>> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, line: &[u8], urgent: bool) {
        let mut state = self.state();
        let is_first = state.bytes.is_empty();
        state.bytes.extend_from_slice(line);
        if urgent || state.bytes.len() >= FULL {
            state.flush();
        } else if is_first {
            self.0.waiting.notify_one();
        }
    }

    fn write_forever(&self) {
        loop {
            let state = self.state();
            drop(self.0.waiting.wait_while(state, |state| state.bytes.is_empty()));
            thread::sleep(PAUSE);
            self.state().flush();
        }
    }
}

impl<W: Write> State<W> {
    fn flush(&mut self) {
        // There is nowhere to report that standard error is closed.
        let _ = self.out.write_all(&self.bytes);
        self.bytes.clear();
    }
}

struct Flush<W: Write>(Lines<W>);

impl<W: Write> Drop for Flush<W> {
    fn drop(&mut self) {
        self.0.state().flush();
    }
}

/// One line; the formatter hands it over whole.
struct Line<'a, W> {
    lines: &'a Lines<W>,
    urgent: bool,
}

impl<W: Write> Write for Line<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lines.add(bytes, self.urgent);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a, W: Write + 'a> MakeWriter<'a> for Lines<W> {
    type Writer = Line<'a, W>;

    fn make_writer(&'a self) -> Line<'a, W> {
        Line { lines: self, urgent: true }
    }

    fn make_writer_for(&'a self, metadata: &Metadata<'_>) -> Line<'a, W> {
        Line { lines: self, urgent: *metadata.level() <= Level::WARN }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_waits_and_an_error_takes_it_along() {
        let lines = Lines::new(Vec::new());
        let log = tracing_subscriber::fmt().without_time().with_ansi(false).with_writer(lines.clone()).finish();
        let written = || String::from_utf8(lines.state().out.clone()).unwrap();
        tracing::subscriber::with_default(log, || {
            tracing::info!("answered");
            assert_eq!(written(), "");
            tracing::error!("broken");
            assert!(written().contains("answered") && written().ends_with("broken\n"), "{}", written());
            tracing::info!("last");
        });
        drop(Flush(lines.clone()));
        assert!(written().ends_with("last\n"));
    }

    #[test]
    fn many_lines_do_not_wait_for_the_clock() {
        let lines = Lines::new(Vec::new());
        lines.add(&vec![b'x'; FULL], false);
        assert_eq!(lines.state().out.len(), FULL);
    }
}
