//! Where a UCI engine's answers go: one line at a time, from several threads.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Where answers go, from several threads.
#[derive(Clone)]
pub(super) struct Voice {
    output: Arc<Mutex<dyn Write + Send>>,
    is_unheard: Arc<AtomicBool>,
}

impl Voice {
    pub(super) fn new<W: Write + Send + 'static>(output: W) -> Voice {
        Voice { output: Arc::new(Mutex::new(output)), is_unheard: Arc::default() }
    }

    /// Writes a line, which arrives at once.
    pub(super) fn say(&self, line: &str) {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
            self.is_unheard.store(true, Ordering::Relaxed);
        }
    }

    /// Tells people something.
    pub(super) fn remark(&self, text: &str) {
        let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.say(&format!("info string {shown}"));
    }

    pub(super) fn is_unheard(&self) -> bool {
        self.is_unheard.load(Ordering::Relaxed)
    }
}
