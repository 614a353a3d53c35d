//! Rendering: the JSON of a page in, the HTML of `#root` out, in a pool of JavaScript isolates.
//!
//! Rendering is a pure function of the JSON. A render that throws, hangs or eats memory costs its own request and, at
//! worst, its isolate, which is replaced; the others go on. Pages that had to be stopped recently never get all
//! isolates. Nothing here knows what a page is.
//!
//! ```text
//! render() ─▶ queue (bounded) ─▶ worker thread ─▶ isolate
//!                                    watchdog ────────┘ ends what runs too long
//! ```

mod error;
mod isolate;
mod pool;
mod queue;
mod suspects;
mod watch;
mod worker;

pub use error::{RenderError, StartError};
pub use isolate::init_engine;
pub use pool::{RenderOptions, Renderer};
pub use suspects::Origin;
