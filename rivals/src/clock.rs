//! Time that counts.

use std::time::{Duration, Instant};

/// Measures how long this thread has run, so that other programs on the machine do not matter; on systems that do not tell
/// that, time as it passes.
pub(crate) struct Clock {
    started: Instant,
    run_before: Option<Duration>,
}

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock { run_before: run_time(), started: Instant::now() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        let run = || Some(run_time()?.saturating_sub(self.run_before?));
        run().unwrap_or_else(|| self.started.elapsed())
    }
}

/// How long this thread has run, as Linux tells it.
fn run_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
