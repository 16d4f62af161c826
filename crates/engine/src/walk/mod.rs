//! The `walk` engine: the automaton run edge by edge. It defines what a game means; other engines are compared with
//! it.

mod program;
mod search;

use std::ops::ControlFlow;
use std::sync::Arc;

use regulus_automaton::{Automaton, Register};

use crate::fault::{Fault, Limits};
use crate::moves::Step;
use crate::referee::Referee;
use crate::rules::Rules;
use crate::state::{Layout, State};
use crate::zobrist::Zobrist;
use program::Program;
pub use search::Scratch;
use search::Search;
pub use search::Visitor;

/// A game run by walking its automaton.
#[derive(Debug)]
pub struct Walk {
    referee: Referee,
    program: Program,
}

impl Walk {
    /// Prepares a game for walking.
    #[must_use]
    pub fn new(automaton: impl Into<Arc<Automaton>>) -> Walk {
        Walk::with_limits(automaton, Limits::default())
    }

    /// Prepares a game for walking under other limits than the default ones.
    #[must_use]
    pub fn with_limits(automaton: impl Into<Arc<Automaton>>, limits: Limits) -> Walk {
        let automaton = automaton.into();
        Walk { program: Program::new(&automaton), referee: Referee::new(automaton, limits) }
    }

    /// The keys states are fingerprinted with.
    #[must_use]
    pub fn zobrist(&self) -> &Zobrist {
        &self.referee.zobrist
    }

    /// Shows the moves of a state, with as many tries as the scratch still has; says whether it was stopped.
    fn search_moves(
        &self,
        state: &State,
        scratch: &mut Scratch,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, Fault> {
        scratch.state.copy_from(state);
        let node = state.node(&self.referee.layout).0;
        let square = state.register(&self.referee.layout, Register::CURSOR).0;
        Search::new(&self.program, &self.referee, scratch).moves(node, square, visitor)
    }

    fn run_keeper(&self, state: &mut State, scratch: &mut Scratch) -> Result<(), Fault> {
        scratch.tries = self.referee.limits.tries;
        let mut steps = std::mem::take(&mut scratch.keeper_steps);
        let done = self.referee.run_keeper(state, 0, &mut steps, |state, steps| {
            self.search_moves(state, scratch, &mut |found| {
                steps.extend_from_slice(found);
                ControlFlow::Break(())
            })
        });
        scratch.keeper_steps = steps;
        done
    }
}

impl Rules for Walk {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch::new(self.referee.before_start())
    }

    fn automaton(&self) -> &Automaton {
        &self.referee.automaton
    }

    fn layout(&self) -> &Layout {
        &self.referee.layout
    }

    fn limits(&self) -> Limits {
        self.referee.limits
    }

    fn initial(&self, scratch: &mut Scratch) -> Result<State, Fault> {
        let mut state = self.referee.before_start();
        self.run_keeper(&mut state, scratch)?;
        Ok(state)
    }

    fn visit_moves(
        &self,
        state: &State,
        scratch: &mut Scratch,
        visitor: &mut Visitor<'_>,
    ) -> Result<(), Fault> {
        scratch.tries = self.referee.limits.tries;
        self.search_moves(state, scratch, visitor).map(|_| ())
    }

    fn choose(
        &self,
        state: &State,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Fault> {
        let mut list = std::mem::take(&mut scratch.list);
        let listed = self.moves(state, scratch, &mut list);
        let chosen = list.choose(pick, steps);
        scratch.list = list;
        listed.map(|()| chosen)
    }

    fn apply(&self, state: &mut State, steps: &[Step], scratch: &mut Scratch) -> Result<(), Fault> {
        self.referee.execute(state, steps)?;
        self.run_keeper(state, scratch)
    }
}
