//! How fast an engine runs a game on one thread: random games and trees. For `bench --suite` and `reproduce`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use regulus_engine::{Counting, Perft, Playouts, perft};
use regulus_game::{Game, Match};
use serde_json::{Value, json};

use crate::commands::bench::{LONGEST_GAME, endless};
use crate::failure::Failure;

/// The number of moves in random games between two looks at the clock.
const MOVES_BETWEEN_LOOKS: u64 = 100;

/// States in a time, that of the processor where the system tells it.
#[derive(Clone, Copy)]
pub(crate) struct Speed {
    states: u64,
    time: Duration,
}

impl Speed {
    pub(crate) fn per_second(self) -> f64 {
        self.states as f64 / self.time.as_secs_f64().max(1e-9)
    }

    pub(crate) fn json(self) -> Value {
        json!({
            "states": self.states,
            "seconds": self.time.as_secs_f64(),
            "states_per_s": self.per_second(),
        })
    }
}

/// A game tree that was counted, and how fast.
pub(crate) struct CountedTree {
    pub(crate) depth: u32,
    pub(crate) size: Perft,
    pub(crate) speed: Speed,
}

/// Random games one after the other until the time is over; the last one is finished. Says how many there were, and how fast.
pub(crate) fn play_games(
    game: &Arc<Game>,
    seed: u64,
    limit: Duration,
) -> Result<(u64, Speed), Failure> {
    let first = Match::new(game)?;
    let mut playouts = Playouts::new(game.rules(), seed);
    let (mut state, mut history) = (first.state().clone(), first.history().clone());
    let before = history.len();
    let (mut games, mut states, mut next_look) = (0, 0, 0);
    let stopwatch = Stopwatch::start();
    loop {
        state.clone_from(first.state());
        history.truncate(before);
        playouts.start_game(seed, games);
        let moves = playouts.run(&mut state, &mut history, LONGEST_GAME);
        let moves = moves.map_err(|fault| game.blame(&fault))?;
        if moves == LONGEST_GAME {
            return Err(endless());
        }
        games += 1;
        states += moves;
        // A game may have no moves at all.
        if states + games >= next_look {
            if stopwatch.passed() >= limit {
                return Ok((games, Speed { states, time: stopwatch.worked() }));
            }
            next_look = states + games + MOVES_BETWEEN_LOOKS;
        }
    }
}

/// Counts the deepest tree that fits into the time, but none deeper than wanted, again and again until the time is over. A tree
/// is expected to be as many times the one before it as that one was.
pub(crate) fn count_trees(
    game: &Arc<Game>,
    limit: Duration,
    deepest: u32,
) -> Result<CountedTree, Failure> {
    let first = Match::new(game)?;
    let (rules, state, history) = (game.rules(), first.state(), first.history());
    let counted = |depth| {
        let size = perft(rules, state, history, depth, Counting::Each, &mut |_, _| {});
        size.map_err(|fault| game.blame(&fault))
    };
    let timed = |depth| {
        let stopwatch = Stopwatch::start();
        let size = counted(depth)?;
        Ok::<_, Failure>((size, stopwatch.passed(), stopwatch.worked()))
    };
    // What is prepared when it is first used is not measured.
    counted(1)?;
    let mut above = 1;
    let mut depth = 1;
    let (mut size, mut passed, mut worked) = timed(depth)?;
    while size.leaves > 0 && depth < deepest {
        let growth = size.leaves as f64 / above as f64;
        if passed.as_secs_f64() * growth > limit.as_secs_f64() {
            break;
        }
        let deeper = timed(depth + 1)?;
        if deeper.0.leaves == 0 {
            break;
        }
        above = size.leaves;
        depth += 1;
        (size, passed, worked) = deeper;
    }
    let mut states = size.states;
    let stopwatch = Stopwatch::start();
    while passed + stopwatch.passed() < limit {
        states += counted(depth)?.states;
    }
    let time = worked + stopwatch.worked();
    Ok(CountedTree { depth, size, speed: Speed { states, time } })
}

/// Two clocks: one for the time that passes, one for the time in which this thread runs, so that other programs on the machine do
/// not matter.
struct Stopwatch {
    started: Instant,
    worked_before: Option<Duration>,
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch { worked_before: thread_time(), started: Instant::now() }
    }

    /// The time that has passed.
    fn passed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time in which this thread has run; on systems that do not tell it, the time that has passed.
    fn worked(&self) -> Duration {
        let worked = || thread_time()?.checked_sub(self.worked_before?);
        worked().filter(|time| !time.is_zero()).unwrap_or_else(|| self.passed())
    }
}

/// How long this thread has run.
#[cfg(unix)]
fn thread_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).ok()
}

/// How long this thread has run, which is not known here.
#[cfg(not(unix))]
fn thread_time() -> Option<Duration> {
    None
}
