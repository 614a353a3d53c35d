//! Shows the progress of a long command. Without a terminal, nothing is written.

use indicatif::{ProgressBar, ProgressStyle};

/// Creates a bar for a number of things of one sort.
pub fn bar(what: &'static str, total: u64) -> ProgressBar {
    styled(what, total, "{msg:>10} {wide_bar} {human_pos}/{human_len} {eta}")
}

/// Creates a bar for a number of bytes.
pub fn bytes_bar(what: &'static str, total: u64) -> ProgressBar {
    styled(what, total, "{msg:>10} {wide_bar} {bytes}/{total_bytes} {eta}")
}

fn styled(what: &'static str, total: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    // It draws on standard error, and only on a terminal.
    ProgressBar::new(total).with_style(style).with_message(what)
}
