//! The `walk` engine: the automaton run edge by edge. It defines what a game means; other engines are compared with
//! it.

mod program;
mod search;

use std::ops::ControlFlow;
use std::sync::Arc;

use regulus_automaton::{Automaton, Register};

use crate::fault::{Fault, Limits};
use crate::history::History;
use crate::moves::Step;
use crate::referee::Referee;
use crate::rules::Rules;
use crate::state::State;
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

/// What some steps are of the legal moves of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// A part of moves, which go on.
    GoesOn,
    /// A whole move.
    IsComplete,
    /// Not the beginning of any move.
    IsNone,
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
        self.referee.must_own_both(state, scratch.owner);
        scratch.state.copy_from(state);
        let node = state.node(&self.referee.layout).0;
        let square = state.register(&self.referee.layout, Register::CURSOR).0;
        Search::<false>::new(&self.program, &self.referee, scratch, &[])
            .moves(node, square, visitor)
    }

    /// Replaces the list by the steps that may follow a beginning of a move: those with which some legal move goes on. They
    /// are found without listing the moves. Says what the beginning is.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_engine::{Rules as _, Walk, walk::Beginning};
    /// use regulus_lang::{Source, compile};
    ///
    /// // A piece goes from one of two squares to the other.
    /// let text = "
    ///     #players = one(1)
    ///     #pieces = e, x
    ///     #variables =
    ///     #board = rectangle(up, down, left, right, [x, e])
    ///     #rules = ->one (left* + right*) {x} [e] (left + right) {e} [x] ->> {}
    /// ";
    /// let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
    /// let walk = Walk::new(automaton);
    /// let mut scratch = walk.scratch();
    /// let state = walk.initial(&mut scratch)?;
    /// let (mut steps, mut next) = (Vec::new(), Vec::new());
    /// while walk.next_steps(&state, &steps, &mut scratch, &mut next)? == Beginning::GoesOn {
    ///     assert_eq!(next.len(), 1);
    ///     steps.push(next[0]);
    /// }
    /// assert_eq!(steps.len(), 3);
    /// # Ok::<(), regulus_engine::Fault>(())
    /// ```
    pub fn next_steps(
        &self,
        state: &State,
        beginning: &[Step],
        scratch: &mut Scratch,
        next: &mut Vec<Step>,
    ) -> Result<Beginning, Fault> {
        next.clear();
        scratch.tries = self.referee.limits.tries;
        self.referee.must_own_both(state, scratch.owner);
        scratch.state.copy_from(state);
        let node = state.node(&self.referee.layout).0;
        let square = state.register(&self.referee.layout, Register::CURSOR).0;
        let mut is_complete = false;
        let mut search = Search::<true>::new(&self.program, &self.referee, scratch, beginning);
        search.moves(node, square, &mut |steps| {
            match steps.get(beginning.len()) {
                Some(&step) => next.push(step),
                None => is_complete |= steps.len() == beginning.len(),
            }
            ControlFlow::Continue(())
        })?;
        Ok(match next.is_empty() {
            _ if is_complete => Beginning::IsComplete,
            true => Beginning::IsNone,
            false => Beginning::GoesOn,
        })
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
        Scratch::new(&self.referee)
    }

    fn referee(&self) -> &Referee {
        &self.referee
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

    fn apply(
        &self,
        state: &mut State,
        history: &mut History,
        steps: &[Step],
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        self.referee.execute(state, steps)?;
        self.run_keeper(state, scratch)?;
        self.referee.remember(state, history);
        Ok(())
    }
}
