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

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use regulus_automaton::{Automaton, Player};

use crate::fault::{Fault, GaveUp, Limits};
use crate::history::History;
use crate::moves::{MoveList, Step};
use crate::referee::Referee;
use crate::rules::Rules;
use crate::segment::Segments;
use crate::state::State;
use crate::walk::{Visitor, Walk};
use code::PlanCode;
use play::Halt;
use search::PlanSearch;
pub use search::Scratch;
use sink::{IntoList, OneByOne};
use tables::SetTables;

/// The most squares that sets are made for.
const MAX_SQUARES: usize = 512;

/// From this many moves on it takes longer to keep a fingerprint than to compute it once.
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
///
/// # Examples
///
/// ```
/// use regulus_engine::{Limits, NotPlanned, Plan};
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
/// let limits = Limits { writes: 1, ..Limits::default() };
/// let reason = Plan::with_limits(automaton, limits).expect_err("moves have more writes");
/// assert!(matches!(reason, NotPlanned::TooManyWrites { allowed: 1, .. }));
/// ```
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
    /// A move may end with more writes, all on one square, than moves may have.
    TooManyWrites {
        /// How many there may be.
        writes: usize,
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
            NotPlanned::TooManyWrites { writes, allowed } => {
                write!(f, "moves may end with {writes} writes; {allowed} are allowed")
            }
        }
    }
}

impl std::error::Error for NotPlanned {}

/// A game run by its segment program.
///
/// # Examples
///
/// ```
/// use regulus_engine::{Plan, Rules as _};
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
/// let plan = Plan::new(automaton).expect("a small board");
/// let mut scratch = plan.scratch();
/// let mut state = plan.initial(&mut scratch)?;
/// let mut history = plan.history(&state);
/// let made = plan.playout(&mut state, &mut history, &mut scratch, &mut |_| 0, 100)?;
/// assert_eq!(made, 1);
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Debug)]
pub struct Plan {
    referee: Referee,
    segments: Segments,
    tables: SetTables,
    code: PlanCode,
    words: usize,
    /// Made when this engine first gives up.
    walk: OnceLock<Walk>,
}

/// How many writes there may be besides those under way and those at the end of a move: one that is only looked at, and the
/// first of two at a fixed distance.
const WRITES_IN_PASSING: usize = 2;

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
        let longest = segments.finishes.iter().map(Vec::len).max().unwrap_or(0);
        let (writes, allowed) = (longest + WRITES_IN_PASSING, limits.writes);
        let Some(deepest) = allowed.checked_sub(writes) else {
            return Err(NotPlanned::TooManyWrites { writes, allowed });
        };
        let mut tables = SetTables::new(&referee.automaton, &referee.layout, &segments, words);
        let code = compile::compile(&referee.automaton, &segments, &mut tables, deepest);
        tables.pad();
        Ok(Plan { referee, segments, tables, code, words, walk: OnceLock::new() })
    }

    /// With how many writes under way a search gives up.
    #[must_use]
    pub fn deepest(&self) -> usize {
        self.code.deepest
    }

    /// The engine that is asked where this one gives up: its answers and faults are final.
    fn walk(&self, scratch: &mut Scratch) -> &Walk {
        scratch.gave_up += 1;
        let Referee { automaton, limits, .. } = &self.referee;
        self.walk.get_or_init(|| Walk::with_limits(Arc::clone(automaton), *limits))
    }

    /// Shows the moves that are left when this engine gave up after it had shown some.
    fn visit_rest(
        &self,
        state: &State,
        scratch: &mut Scratch,
        shown: u64,
        visitor: &mut Visitor<'_>,
    ) -> Result<(), Fault> {
        let walk = self.walk(scratch);
        let mut memory = walk.scratch();
        if shown == 0 {
            return walk.visit_moves(state, &mut memory, visitor);
        }
        // Mostly `walk` does not come to an end either. If it does, the moves that were shown are found again and left out.
        walk.visit_moves(state, &mut memory, &mut |_| ControlFlow::Continue(()))?;
        let mut known = HashSet::new();
        let mut remember = |steps: &[Step]| {
            known.insert(digest(steps));
            ControlFlow::Continue(())
        };
        // It gives up, or stops, where it did before.
        let _ = self.show_moves(state, scratch, shown, &mut remember);
        walk.visit_moves(state, &mut memory, &mut |steps| {
            if known.contains(&digest(steps)) { ControlFlow::Continue(()) } else { visitor(steps) }
        })
    }

    /// Shows up to `most` moves; if it gives up, or there are more, says how many it has shown.
    fn show_moves(
        &self,
        state: &State,
        scratch: &mut Scratch,
        most: u64,
        visitor: &mut Visitor<'_>,
    ) -> Result<(), u64> {
        self.set_up(state, scratch);
        let segments = &self.segments;
        let mut sink = OneByOne { segments, visitor, steps: Vec::new(), shown: 0, most };
        let shown = at_width!(self, scratch, search => search.moves(&mut sink));
        if shown.is_ok() && sink.shown <= most { Ok(()) } else { Err(sink.shown.min(most)) }
    }

    /// The program that is run.
    #[must_use]
    pub fn segments(&self) -> &Segments {
        &self.segments
    }

    fn search_of<'a, const W: usize>(&'a self, scratch: &'a mut Scratch) -> PlanSearch<'a, W> {
        let Plan { referee, segments, tables, code, .. } = self;
        PlanSearch { referee, segments, tables, code, scratch }
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
        // PERF: in a long game nothing needs fingerprints on the way.
        let is_long = moves >= WORTH_A_FRESH_HASH;
        let mut made = 0;
        loop {
            let (more, halt) = self.work_on(state, scratch, |scratch| {
                at_width!(self, scratch, search => match is_long {
                    true => search.playout::<false, NOTES>(history, pick, moves - made, note),
                    false => search.playout::<true, NOTES>(history, pick, moves - made, note),
                })
            });
            made += more;
            if is_long {
                self.referee.refresh(state);
            }
            let Some(halt) = halt else { return Ok(made) };
            let walk = self.walk(scratch);
            let mut memory = walk.scratch();
            let goes_on = match halt {
                Halt::Choosing => {
                    walk.playout_noting(state, history, &mut memory, pick, 1, note)? == 1
                }
                Halt::Keeper { made } => {
                    walk.run_keeper_after(state, made, &mut memory)?;
                    self.referee.remember(state, history);
                    true
                }
            };
            if !goes_on {
                return Ok(made);
            }
            made += 1;
        }
    }

    /// Lets the keeper, who has made some moves already, move until a player is in control or the keeper is stuck.
    ///
    /// # Errors
    ///
    /// Returns an error if the keeper does not come to an end.
    pub fn run_keeper_after(
        &self,
        state: &mut State,
        made: u64,
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        let done = self.work_on(
            state,
            scratch,
            |scratch| at_width!(self, scratch, search => search.run_keeper::<true>(made)),
        );
        done.or_else(|made| {
            let walk = self.walk(scratch);
            walk.run_keeper_after(state, made, &mut walk.scratch())
        })
    }
}

/// A number for a move that no other has, for all that is known.
fn digest(steps: &[Step]) -> (u64, u64) {
    let half = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        (salt, steps).hash(&mut hasher);
        hasher.finish()
    };
    (half(0), half(1))
}

impl Rules for Plan {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch::new(&self.referee, self.tables.sets.clone())
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
        let most = self.limits().moves;
        self.show_moves(state, scratch, most, visitor)
            .or_else(|shown| self.visit_rest(state, scratch, shown, visitor))
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
        let searched = at_width!(self, scratch, search => search.moves(&mut sink));
        match searched.and_then(|_| sink.finish()) {
            Ok(()) if list.len() as u64 <= self.limits().moves => Ok(()),
            _ => {
                let walk = self.walk(scratch);
                walk.moves(state, &mut walk.scratch(), list)
            }
        }
    }

    fn choose(
        &self,
        state: &State,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Fault> {
        self.set_up(state, scratch);
        let chosen = at_width!(self, scratch, search => search.choose(pick, steps));
        chosen.or_else(|GaveUp| {
            let walk = self.walk(scratch);
            walk.choose(state, &mut walk.scratch(), pick, steps)
        })
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
        self.run_keeper_after(state, 0, scratch)?;
        self.referee.remember(state, history);
        Ok(())
    }
}
