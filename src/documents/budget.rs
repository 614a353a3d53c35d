//! Limits what checking one file may cost. Small files can be made to unpack to huge ones, or to have the same bytes
//! read over and over.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use domain::documents::Rejection;

/// How long a check may take. The largest honest file takes a second.
const MAX_TIME: Duration = Duration::from_secs(10);

/// What is left of that time.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    end: Instant,
}

impl Budget {
    pub fn new() -> Budget {
        Budget::of(MAX_TIME)
    }

    pub fn of(time: Duration) -> Budget {
        Budget { end: Instant::now() + time }
    }

    /// # Errors
    /// [`Rejection::ArchiveTooLarge`] once the budget is used up.
    pub fn check(self) -> Result<(), Rejection> {
        if Instant::now() < self.end { Ok(()) } else { Err(Rejection::ArchiveTooLarge) }
    }

    /// Wraps a reader, which fails once the budget is used up.
    pub fn reading<R: Read>(self, inner: R) -> impl Read {
        Timed { inner, budget: self }
    }
}

struct Timed<R> {
    inner: R,
    budget: Budget,
}

impl<R: Read> Read for Timed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.budget.check().map_err(|_| io::ErrorKind::TimedOut)?;
        self.inner.read(buffer)
    }
}
