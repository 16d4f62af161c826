//! The `walk` engine: the automaton run edge by edge. It defines what a game means; other engines are compared with
//! it.

mod program;
mod search;

use std::ops::ControlFlow;
use std::sync::Arc;

use regulus_automaton::{Automaton, Origin, Register};

use crate::fault::{Fault, FaultKind, Limits};
use crate::history::History;
use crate::moves::{MoveList, Step};
use crate::referee::{Referee, Unfinished};
use crate::rules::Rules;
use crate::state::State;
use crate::zobrist::Zobrist;
use program::WalkProgram;
pub use search::Scratch;
pub use search::Visitor;
use search::WalkSearch;

/// How many moves of a keeper that does not come to an end are looked at to say where in the source it is.
const MOVES_TO_PLACE: usize = 4096;

/// A game run by walking its automaton.
///
/// # Examples
///
/// ```
/// use regulus_engine::{Rules as _, Walk};
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let walk = Walk::new(automaton); // of a game in which a piece is put on one of three squares
/// let mut scratch = walk.scratch();
/// let state = walk.initial(&mut scratch)?;
/// assert_eq!(walk.move_count(&state, &mut scratch)?, 3);
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Debug)]
pub struct Walk {
    referee: Referee,
    program: WalkProgram,
}

/// What some steps are of the legal moves of a state.
///
/// # Examples
///
/// ```
/// use regulus_engine::{Beginning, MoveList, Rules as _, Walk};
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let walk = Walk::new(automaton);
/// let mut scratch = walk.scratch();
/// let state = walk.initial(&mut scratch)?;
/// let mut moves = MoveList::new();
/// walk.moves(&state, &mut scratch, &mut moves)?;
/// let (steps, mut next) = (moves.get(0), Vec::new());
/// assert_eq!(walk.next_steps(&state, &steps[..1], &mut scratch, &mut next)?, Beginning::GoesOn);
/// assert_eq!(walk.next_steps(&state, steps, &mut scratch, &mut next)?, Beginning::IsComplete);
/// assert_eq!(walk.next_steps(&state, &steps[1..], &mut scratch, &mut next)?, Beginning::IsNone);
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
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
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_engine::{Limits, Rules as _, Walk};
    /// # use regulus_lang::{Source, compile};
    ///
    /// # let text = "
    /// #     #players = one(1)
    /// #     #pieces = e, x
    /// #     #variables =
    /// #     #board = rectangle(up, down, left, right, [e, e, e])
    /// #     #rules = ->one right* {e} [x] ->> {}
    /// # ";
    /// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
    /// let walk = Walk::with_limits(automaton, Limits { moves: 2, ..Limits::default() });
    /// let mut scratch = walk.scratch();
    /// let state = walk.initial(&mut scratch)?;
    /// let fault = walk.move_count(&state, &mut scratch).expect_err("there are three moves");
    /// assert_eq!(fault.id(), "run-too-many-moves");
    /// # Ok::<(), regulus_engine::Fault>(())
    /// ```
    #[must_use]
    pub fn with_limits(automaton: impl Into<Arc<Automaton>>, limits: Limits) -> Walk {
        let automaton = automaton.into();
        Walk { program: WalkProgram::new(&automaton), referee: Referee::new(automaton, limits) }
    }

    /// The keys states are fingerprinted with.
    #[must_use]
    pub fn zobrist(&self) -> &Zobrist {
        &self.referee.zobrist
    }

    /// Shows the moves of a state, using at most the tries left in the scratch memory; returns whether it was stopped.
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
        WalkSearch::<false>::new(&self.program, &self.referee, scratch, &[])
            .moves(node, square, visitor)
    }

    /// Replaces the list by the steps that may follow a beginning of a move: those with which some legal move goes on. They
    /// are found without listing the moves. Returns what the beginning is.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is reached.
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
        let mut search = WalkSearch::<true>::new(&self.program, &self.referee, scratch, beginning);
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

    /// Lets the keeper, who has made some moves already, move until a player is in control or it is stuck.
    pub(crate) fn run_keeper_after(
        &self,
        state: &mut State,
        made: u64,
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        scratch.tries = self.referee.limits.tries;
        let mut steps = std::mem::take(&mut scratch.keeper_steps);
        let done = self.referee.watch_keeper(
            state,
            made,
            |state| state,
            |state| self.advance_keeper(state, scratch, &mut steps),
        );
        scratch.keeper_steps = steps;
        done.or_else(|unfinished| self.explain_keeper(state, unfinished, scratch))
    }

    /// Makes a move of the keeper; returns whether there was one. The steps are those of the move.
    // PERF: the one call that matters is within the loop of `run_keeper_after`.
    #[inline(always)]
    fn advance_keeper(
        &self,
        state: &mut State,
        scratch: &mut Scratch,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Fault> {
        steps.clear();
        let found = self.search_moves(state, scratch, &mut |found| {
            steps.extend_from_slice(found);
            ControlFlow::Break(())
        })?;
        if found {
            self.referee.execute(state, steps)?;
        }
        Ok(found)
    }

    /// The same where it is seldom asked for.
    #[inline(never)]
    fn advance_once(
        &self,
        state: &mut State,
        scratch: &mut Scratch,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Fault> {
        self.advance_keeper(state, scratch, steps)
    }

    /// What is wrong with a keeper that has not come to an end, unless it is stuck just in time.
    #[cold]
    fn explain_keeper(
        &self,
        state: &State,
        unfinished: Unfinished<Fault>,
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        if let Some(fault) = unfinished.error {
            return Err(fault);
        }
        let limit = self.referee.limits.keeper_moves;
        let mut steps = Vec::new();
        let mut next = state.clone();
        if unfinished.made >= limit && !self.advance_once(&mut next, scratch, &mut steps)? {
            return Ok(());
        }
        // The first place in the source at which one of its next moves ends. If it goes round, that does not depend on where
        // it was noticed.
        let mut place = None;
        scratch.tries = self.referee.limits.tries;
        next.clone_from(state);
        for _ in 0..MOVES_TO_PLACE {
            let Ok(true) = self.advance_once(&mut next, scratch, &mut steps) else { break };
            let here = self.referee.origin_of(&steps);
            place = place.into_iter().chain(here).min_by_key(|origin: &Origin| origin.start);
            if next == *state || next.mover(&self.referee.layout).is_some() {
                break;
            }
        }
        Err(Fault::new(FaultKind::EndlessKeeper(limit), place))
    }
}

impl Walk {
    /// Puts one of the legal moves into `steps`; returns whether there was one. The list is memory to work in.
    fn choose_from(
        &self,
        state: &State,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        steps: &mut Vec<Step>,
        list: &mut MoveList,
    ) -> Result<bool, Fault> {
        list.clear();
        let mut count = 0;
        self.visit_moves(state, scratch, &mut |found| {
            count += 1;
            if list.step_count() <= self.referee.limits.stored_steps {
                list.push(found);
            }
            ControlFlow::Continue(())
        })?;
        if count == list.len() as u64 {
            return Ok(list.choose(pick, steps));
        }
        // There are more than can be stored; so the one that is wanted is looked for again.
        let mut before = pick(count);
        steps.clear();
        self.visit_moves(state, scratch, &mut |found| {
            if before == 0 {
                steps.extend_from_slice(found);
                return ControlFlow::Break(());
            }
            before -= 1;
            ControlFlow::Continue(())
        })?;
        Ok(true)
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

    fn run_keeper(&self, state: &mut State, scratch: &mut Scratch) -> Result<(), Fault> {
        self.referee.must_own(state);
        self.run_keeper_after(state, 0, scratch)
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
        let chosen = self.choose_from(state, scratch, pick, steps, &mut list);
        scratch.list = list;
        chosen
    }

    fn apply(
        &self,
        state: &mut State,
        history: &mut History,
        steps: &[Step],
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        self.referee.execute(state, steps)?;
        self.run_keeper_after(state, 0, scratch)?;
        self.referee.remember(state, history);
        Ok(())
    }
}
