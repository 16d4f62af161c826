//! Shows how far long work has come: on a terminal, and only once it has taken a second.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work of a known size under way.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    wanted: bool,
}

impl Progress {
    /// Nothing is shown yet; never anything without a terminal or for a program.
    pub(crate) fn new(what: &'static str, json: bool) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template(
            "{msg} [{bar:40}] {percent}% {elapsed} (about {eta} left)",
        );
        bar.set_style(style.expect("the template is well-formed").progress_chars("=> "));
        bar.set_message(what);
        Progress { bar, started: Instant::now(), wanted: !json && std::io::stderr().is_terminal() }
    }

    /// The same for work of unknown size, of which so much is done as `unit` says.
    pub(crate) fn endless(what: &'static str, unit: &str, json: bool) -> Progress {
        let progress = Progress::new(what, json);
        let style = ProgressStyle::with_template(&format!("{{msg}}: {{pos}} {unit}, {{elapsed}}"));
        progress.bar.set_style(style.expect("the template is well-formed"));
        progress
    }

    /// How much is done.
    pub(crate) fn position(&self) -> u64 {
        self.bar.position()
    }

    /// Shows that `done` of `all` is done.
    pub(crate) fn set(&mut self, done: u64, all: u64) {
        if self.wanted && self.started.elapsed() > Duration::from_secs(1) {
            self.wanted = false;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_length(all);
        self.bar.set_position(done);
    }

    /// Prints something without the bar in its way.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
