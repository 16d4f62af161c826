//! Thinking on a thread of its own: what runs there, and how it and the thread that reads commands tell each other when the
//! move may be told.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use regulus_agents::{Agent, Budget, Report, Stop, Task};
use regulus_automaton::Player;

use super::table::Table;
use super::voice::Voice;
use crate::uci::go::Go;

/// The deepest tree that `go perft` counts.
const DEEPEST_PERFT: u32 = 8;

/// A thought under way.
pub(super) struct Thinking {
    pub(super) go: Go,
    pub(super) mover: Option<Player>,
    pub(super) stop: Stop,
    pub(super) gate: Arc<Gate>,
    pub(super) thread: JoinHandle<Option<Box<dyn Agent>>>,
}

/// What the two threads tell each other.
#[derive(Default)]
pub(super) struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Default)]
struct GateState {
    /// The move may be told.
    is_open: bool,
    /// The move is being told.
    is_told: bool,
}

impl Gate {
    /// Waits until the move may be told.
    pub(super) fn pass(&self) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = self.changed.wait_while(state, |state| !state.is_open);
        opened.unwrap_or_else(PoisonError::into_inner).is_told = true;
        self.changed.notify_all();
    }

    pub(super) fn open(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_open = true;
        self.changed.notify_all();
    }

    pub(super) fn is_told(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_told
    }

    /// Waits until the move is told, for a time at most.
    pub(super) fn wait_told(&self, time: Duration) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // What it is afterwards is of no interest.
        let _ = self.changed.wait_timeout_while(state, time, |state| !state.is_told);
    }
}

/// What the thinking thread works on.
pub(super) struct Thought {
    pub(super) table: Table,
    pub(super) agent: Box<dyn Agent>,
    pub(super) budget: Budget,
    pub(super) stop: Stop,
    pub(super) is_analysis: bool,
    pub(super) gate: Arc<Gate>,
    pub(super) voice: Voice,
    pub(super) perft: Option<u32>,
}

impl Thought {
    /// Thinks and tells the move; gives the player back.
    pub(super) fn run(mut self) -> Box<dyn Agent> {
        if let Some(depth) = self.perft {
            self.count(depth.min(DEEPEST_PERFT));
            self.gate.open();
            self.gate.pass();
            return self.agent;
        }
        let is_over = self.table.play.player().is_none();
        // A mistake in a player must not leave the other side without an answer.
        let line =
            catch_unwind(AssertUnwindSafe(|| if is_over { Vec::new() } else { self.think() }));
        let line = line.unwrap_or_default();
        let first = || {
            let names = self.table.text.names(&self.table.play).ok()?;
            names.into_iter().flatten().next()
        };
        let best = line.first().cloned().or_else(first).unwrap_or_else(|| "(none)".to_owned());
        let ponder = line.get(1).map(|name| format!(" ponder {name}")).unwrap_or_default();
        self.gate.pass();
        self.voice.say(&format!("bestmove {best}{ponder}"));
        self.agent
    }

    /// The chosen move and the answer that is expected; empty if the player has failed.
    fn think(&mut self) -> Vec<String> {
        let (budget, stop, is_analysis) = (self.budget, self.stop.clone(), self.is_analysis);
        let mut watch = |report: &Report| {
            self.voice.say(&self.table.info(report));
            // Players that do not search to a depth are ended when they have come so far.
            if budget.depth.is_some_and(|depth| report.depth >= depth) {
                self.stop.stop();
            }
        };
        let mut task = Task { budget, stop, is_analysis, watch: Some(&mut watch) };
        let thought = self.agent.think(&self.table.play, &mut task);
        match thought {
            Ok(thought) => {
                self.voice.say(&self.table.info(&thought.report));
                let expected = thought.report.line;
                let is_line = expected.first() == Some(&thought.steps);
                let line = if is_line { expected } else { vec![thought.steps] };
                self.table.line(&line[..line.len().min(2)])
            }
            Err(error) => {
                self.voice.remark(&format!("error: the player has failed: {error}"));
                Vec::new()
            }
        }
    }

    /// `go perft`: the leaves below each move.
    fn count(&mut self, depth: u32) {
        let stop = self.stop.clone();
        let names = self.table.text.names(&self.table.play).unwrap_or_default();
        let mut total = 0;
        for (index, name) in names.iter().enumerate() {
            let counted = self.table.play.play_index(index);
            let counted = counted.and_then(|()| self.table.count(depth.saturating_sub(1), &stop));
            self.table.play.undo();
            match counted {
                Ok(leaves) => {
                    total += leaves;
                    self.voice.say(&format!("{}: {leaves}", name.as_deref().unwrap_or("?")));
                }
                Err(error) => return self.voice.remark(&format!("error: {error}")),
            }
        }
        self.voice.say(&format!("\nNodes searched: {total}"));
    }
}
