//! How long a player may think.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a player may think: until the first of its limits is reached. Without any it thinks until it is stopped.
///
/// # Examples
///
/// ```
/// use regulus_agents::Budget;
/// use std::time::Duration;
///
/// let budget = Budget { iterations: Some(1000), ..Budget::time(Duration::from_secs(5)) };
/// assert!(!budget.is_endless());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Time on the clock.
    pub time: Option<Duration>,
    /// Random games of Monte-Carlo players, positions of other searches.
    pub iterations: Option<u64>,
    /// Moves ahead, for searches that look a fixed number of moves ahead.
    pub depth: Option<u32>,
}

impl Budget {
    /// A limit on time alone.
    #[must_use]
    pub fn time(time: Duration) -> Budget {
        Budget { time: Some(time), ..Budget::default() }
    }

    /// A limit on iterations alone. Players with one thread choose the same move whenever they are asked.
    #[must_use]
    pub fn iterations(iterations: u64) -> Budget {
        Budget { iterations: Some(iterations), ..Budget::default() }
    }

    /// Whether nothing but [`Stop`] ends thinking.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        *self == Budget::default()
    }
}

/// A switch that ends thinking at once; copies are the same switch.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A switch that is off.
    #[must_use]
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Ends thinking.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether thinking has to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Says when a budget is used up. The first iteration is always made.
#[derive(Clone, Debug)]
pub struct Clock {
    started: Instant,
    budget: Budget,
    stop: Stop,
}

/// How many iterations are made between two looks at the time, once they are known to be short.
const ITERATIONS_BETWEEN_LOOKS: u64 = 16;

impl Clock {
    /// Starts now.
    #[must_use]
    pub fn start(budget: Budget, stop: Stop) -> Clock {
        Clock { started: Instant::now(), budget, stop }
    }

    /// Ends thinking, for every user of the switch.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// After how many iterations thinking ends; `None` if their number is not limited.
    #[must_use]
    pub fn iterations(&self) -> Option<u64> {
        self.budget.iterations
    }

    /// The time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the time is over, or thinking has to end.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.stop.is_stopped()
            || self.budget.time.is_some_and(|time| self.started.elapsed() >= time)
    }

    /// Whether to end after this many iterations. The time is looked at each time for the first ones, then now and then.
    #[must_use]
    pub fn is_over(&self, iterations: u64) -> bool {
        if iterations == 0 {
            return false;
        }
        if self.budget.iterations.is_some_and(|most| iterations >= most) || self.stop.is_stopped() {
            return true;
        }
        let looks = iterations < ITERATIONS_BETWEEN_LOOKS
            || iterations.is_multiple_of(ITERATIONS_BETWEEN_LOOKS);
        looks && self.budget.time.is_some_and(|time| self.started.elapsed() >= time)
    }
}
