//! The `plan` engine: the segment program, interpreted with sets of squares.
//!
//! When a game is loaded the program becomes code (`compile`, `simplify`): operations on numbers of sets. A search tries what
//! stages lead to (`search`), after doing their operations (`perform`), and gives the moves to a sink.

mod code;
mod compile;
mod perform;
mod play;
mod search;
mod simplify;
mod sink;
mod tables;
mod watch;

use std::sync::Arc;

use regulus_automaton::{Automaton, Player};

use crate::fault::{Fault, Limits};
use crate::history::History;
use crate::moves::{MoveList, Step};
use crate::referee::Referee;
use crate::rules::Rules;
use crate::segment::Segments;
use crate::state::State;
use crate::walk::Visitor;
use code::Code;
pub use search::Scratch;
use search::Search;
use sink::{First, IntoList, OneByOne};
use tables::Tables;

/// The most squares that sets are made for.
const MAX_SQUARES: usize = 512;

/// In so many moves it takes longer to keep a fingerprint than to compute it once.
const WORTH_A_FRESH_HASH: u64 = 32;

/// Does something with a search over sets of the width that a game's board has.
macro_rules! at_width {
    ($plan:expr, $scratch:expr, $search:ident => $task:expr) => {
        match $plan.words {
            1 => at_width!($plan, $scratch, $search, 1, $task),
            2 => at_width!($plan, $scratch, $search, 2, $task),
            4 => at_width!($plan, $scratch, $search, 4, $task),
            6 => at_width!($plan, $scratch, $search, 6, $task),
            _ => at_width!($plan, $scratch, $search, 8, $task),
        }
    };
    ($plan:expr, $scratch:expr, $search:ident, $width:literal, $task:expr) => {{
        let mut $search = $plan.search_of::<$width>($scratch);
        $task
    }};
}

/// Why a game has no segment program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotPlanned {
    /// The board is too large for sets of squares.
    TooManySquares {
        /// How many squares it has.
        squares: usize,
        /// How many are allowed.
        allowed: usize,
    },
    /// The stages would have too many nodes and arcs together.
    TooLarge {
        /// How many are allowed.
        allowed: usize,
    },
}

impl std::fmt::Display for NotPlanned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotPlanned::TooManySquares { squares, allowed } => {
                write!(f, "the board has {squares} squares; sets are made for at most {allowed}")
            }
            NotPlanned::TooLarge { allowed } => {
                write!(f, "the segment program would have more than {allowed} nodes and arcs")
            }
        }
    }
}

impl std::error::Error for NotPlanned {}

/// A game run by its segment program.
#[derive(Debug)]
pub struct Plan {
    referee: Referee,
    segments: Segments,
    tables: Tables,
    code: Code,
    words: usize,
}

impl Plan {
    /// Prepares a game.
    ///
    /// # Errors
    ///
    /// For a board of more than 512 squares, or rules whose stretches overlap too much. Such games can be walked.
    pub fn new(automaton: impl Into<Arc<Automaton>>) -> Result<Plan, NotPlanned> {
        Plan::with_limits(automaton, Limits::default())
    }

    /// Prepares a game under other limits than the default ones.
    ///
    /// # Errors
    ///
    /// As for [`Plan::new`].
    pub fn with_limits(
        automaton: impl Into<Arc<Automaton>>,
        limits: Limits,
    ) -> Result<Plan, NotPlanned> {
        let automaton = automaton.into();
        let squares = automaton.board.squares.len();
        let words = match squares.div_ceil(64) {
            words @ (1 | 2) => words,
            3 | 4 => 4,
            5 | 6 => 6,
            7 | 8 => 8,
            _ => return Err(NotPlanned::TooManySquares { squares, allowed: MAX_SQUARES }),
        };
        let segments = Segments::new(&automaton)?;
        let referee = Referee::new(automaton, limits);
        let mut tables = Tables::new(&referee.automaton, &referee.layout, &segments, words);
        let code = compile::compile(&referee.automaton, &segments, &mut tables);
        tables.pad();
        Ok(Plan { referee, segments, tables, code, words })
    }

    /// The program that is run.
    #[must_use]
    pub fn segments(&self) -> &Segments {
        &self.segments
    }

    fn search_of<'a, const W: usize>(&'a self, scratch: &'a mut Scratch) -> Search<'a, W> {
        let Plan { referee, segments, tables, code, .. } = self;
        Search { referee, segments, tables, code, scratch }
    }

    /// Copies a state to where it is searched.
    fn set_up(&self, state: &State, scratch: &mut Scratch) {
        self.referee.must_own_both(state, scratch.owner);
        scratch.tries = self.referee.limits.tries;
        scratch.changes += 1;
        scratch.state.copy_from(state);
        self.tables.view(&scratch.state, &mut scratch.sets);
    }

    /// Works on a state where it can be searched, without copying it.
    fn work_on<T>(
        &self,
        state: &mut State,
        scratch: &mut Scratch,
        work: impl FnOnce(&mut Scratch) -> T,
    ) -> T {
        self.referee.must_own_both(state, scratch.owner);
        std::mem::swap(state, &mut scratch.state);
        scratch.changes += 1;
        self.tables.view(&scratch.state, &mut scratch.sets);
        let done = work(scratch);
        std::mem::swap(state, &mut scratch.state);
        done
    }

    fn playout_of<const NOTES: bool>(
        &self,
        state: &mut State,
        history: &mut History,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
        note: &mut dyn FnMut(Player, &[Step]),
    ) -> Result<u64, Fault> {
        // PERF: in a long game nothing needs fingerprints on the way, except repetition.
        let is_long = moves >= WORTH_A_FRESH_HASH && !self.referee.keeps_history();
        let made = self.work_on(state, scratch, |scratch| {
            at_width!(self, scratch, search => match is_long {
                true => search.playout::<false, NOTES>(history, pick, moves, note),
                false => search.playout::<true, NOTES>(history, pick, moves, note),
            })
        });
        if is_long {
            self.referee.refresh(state);
        }
        made
    }

    /// Lets the keeper, who has made some moves already, move until a player is in control or the keeper is stuck.
    ///
    /// # Errors
    ///
    /// When the keeper does not come to an end.
    pub fn run_keeper(
        &self,
        state: &mut State,
        made: u64,
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        self.work_on(
            state,
            scratch,
            |scratch| at_width!(self, scratch, search => search.run_keeper::<true>(made)),
        )
    }

    /// Puts the keeper's move into a list; says whether there is one.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn find_keeper_move(
        &self,
        state: &State,
        scratch: &mut Scratch,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Fault> {
        steps.clear();
        self.set_up(state, scratch);
        let first = &mut First { segments: &self.segments, steps, takes_path: true };
        at_width!(self, scratch, search => search.moves(first))
    }
}

impl Rules for Plan {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch::new(&self.referee, self.tables.sets.clone())
    }

    fn referee(&self) -> &Referee {
        &self.referee
    }

    fn initial(&self, scratch: &mut Scratch) -> Result<State, Fault> {
        let mut state = self.referee.before_start();
        self.run_keeper(&mut state, 0, scratch)?;
        Ok(state)
    }

    fn visit_moves(
        &self,
        state: &State,
        scratch: &mut Scratch,
        visitor: &mut Visitor<'_>,
    ) -> Result<(), Fault> {
        self.set_up(state, scratch);
        let sink = &mut OneByOne { segments: &self.segments, visitor, steps: Vec::new() };
        at_width!(self, scratch, search => search.moves(sink)).map(|_| ())
    }

    fn moves(
        &self,
        state: &State,
        scratch: &mut Scratch,
        list: &mut MoveList,
    ) -> Result<(), Fault> {
        self.set_up(state, scratch);
        list.clear();
        let limit = self.limits().stored_steps;
        let mut sink = IntoList { segments: &self.segments, list, limit };
        at_width!(self, scratch, search => search.moves(&mut sink))?;
        sink.finish()
    }

    fn choose(
        &self,
        state: &State,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Fault> {
        self.set_up(state, scratch);
        at_width!(self, scratch, search => search.choose(pick, steps))
    }

    fn playout(
        &self,
        state: &mut State,
        history: &mut History,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
    ) -> Result<u64, Fault> {
        self.playout_of::<false>(state, history, scratch, pick, moves, &mut |_, _| {})
    }

    fn playout_noting(
        &self,
        state: &mut State,
        history: &mut History,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
        note: &mut dyn FnMut(Player, &[Step]),
    ) -> Result<u64, Fault> {
        self.playout_of::<true>(state, history, scratch, pick, moves, note)
    }

    fn apply(
        &self,
        state: &mut State,
        history: &mut History,
        steps: &[Step],
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        self.referee.execute(state, steps)?;
        self.run_keeper(state, 0, scratch)?;
        self.referee.remember(state, history);
        Ok(())
    }
}
