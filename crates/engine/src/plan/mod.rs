//! The `plan` engine: the segment program, interpreted with sets of squares.

mod search;
mod sink;
mod tables;
mod watch;

use std::sync::Arc;

use regulus_automaton::Automaton;

use crate::fault::{Fault, Limits};
use crate::moves::{MoveList, Step};
use crate::referee::Referee;
use crate::rules::Rules;
use crate::segment::Segments;
use crate::state::{Layout, State};
use crate::walk::Visitor;
pub use search::Scratch;
use search::Search;
use sink::{First, IntoList, OneByOne, Sink};
use tables::Tables;

/// How many operations a stage has in most games at most.
const LIGHT: usize = 64;

/// How many moves the keeper makes before it is watched for coming back to where it was.
const UNWATCHED: u64 = 64;

/// A game run by its segment program.
#[derive(Debug)]
pub struct Plan {
    referee: Referee,
    segments: Segments,
    tables: Tables,
    words: usize,
}

impl Plan {
    /// Prepares a game; nothing for a board of more than 512 squares, or rules whose stretches overlap too much. Such
    /// games can be walked.
    #[must_use]
    pub fn new(automaton: impl Into<Arc<Automaton>>) -> Option<Plan> {
        Plan::with_limits(automaton, Limits::default())
    }

    /// Prepares a game under other limits than the default ones.
    #[must_use]
    pub fn with_limits(automaton: impl Into<Arc<Automaton>>, limits: Limits) -> Option<Plan> {
        let automaton = automaton.into();
        let words = match automaton.board.squares.len().div_ceil(64) {
            words @ (1 | 2) => words,
            3 | 4 => 4,
            5 | 6 => 6,
            7 | 8 => 8,
            _ => return None,
        };
        let segments = Segments::new(&automaton)?;
        let referee = Referee::new(automaton, limits);
        let tables = Tables::new(&referee.automaton, &referee.layout, &segments, words);
        Some(Plan { referee, segments, tables, words })
    }

    /// What plays the moves that are found.
    #[must_use]
    pub fn referee(&self) -> &Referee {
        &self.referee
    }

    /// The program that is run.
    #[must_use]
    pub fn segments(&self) -> &Segments {
        &self.segments
    }

    /// Whether no stage is so large that single requests may take long, compared with native code.
    #[must_use]
    pub fn is_light(&self) -> bool {
        self.segments.stages.iter().all(|stage| stage.operations.len() <= LIGHT)
    }

    /// Gives the moves of a state to a sink, with as many tries as the scratch still has; says whether it had enough.
    fn search(
        &self,
        state: &State,
        scratch: &mut Scratch,
        sink: &mut impl AnySink,
    ) -> Result<bool, Fault> {
        scratch.state.copy_from(state);
        self.search_here(scratch, sink)
    }

    /// Gives the moves of the scratch's state to a sink.
    fn search_here(&self, scratch: &mut Scratch, sink: &mut impl AnySink) -> Result<bool, Fault> {
        match self.words {
            1 => self.search_of::<1>(scratch).moves(sink),
            2 => self.search_of::<2>(scratch).moves(sink),
            4 => self.search_of::<4>(scratch).moves(sink),
            6 => self.search_of::<6>(scratch).moves(sink),
            _ => self.search_of::<8>(scratch).moves(sink),
        }
    }

    /// Lets the keeper move on the scratch's state.
    fn run_keeper_here(&self, scratch: &mut Scratch) -> Result<(), Fault> {
        scratch.tries = self.referee.limits.tries;
        for made in 0..UNWATCHED {
            if scratch.state.mover(&self.referee.layout).is_some() {
                return Ok(());
            }
            if made >= self.referee.limits.keeper_moves {
                break;
            }
            let mut steps = std::mem::take(&mut scratch.keeper_steps);
            steps.clear();
            let sink = &mut First { segments: &self.segments, steps: &mut steps };
            let found = self.search_here(scratch, sink);
            let done = found.and_then(|found| {
                if found {
                    self.referee.execute(&mut scratch.state, &steps)?;
                }
                Ok(found)
            });
            scratch.keeper_steps = steps;
            if !done? {
                return Ok(());
            }
        }
        let made = UNWATCHED.min(self.referee.limits.keeper_moves);
        let mut state = std::mem::replace(&mut scratch.state, self.referee.before_start());
        let done = self.run_keeper(&mut state, made, scratch);
        scratch.state = state;
        done
    }

    fn playout_here(
        &self,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
    ) -> Result<u64, Fault> {
        let mut steps = Vec::new();
        for made in 0..moves {
            if scratch.state.mover(&self.referee.layout).is_none() {
                return Ok(made);
            }
            let mut records = std::mem::take(&mut scratch.records);
            records.clear();
            scratch.tries = self.referee.limits.tries;
            let searched = self.search_here(scratch, &mut records);
            let chosen =
                searched.map(|_| records.choose(&self.segments, self.words, pick, &mut steps));
            scratch.records = records;
            if !chosen? {
                return Ok(made);
            }
            self.referee.execute(&mut scratch.state, &steps)?;
            self.run_keeper_here(scratch)?;
        }
        Ok(moves)
    }

    fn search_of<'a, const W: usize>(&'a self, scratch: &'a mut Scratch) -> Search<'a, W> {
        let Plan { referee, segments, tables, .. } = self;
        Search { referee, segments, tables, scratch }
    }

    fn visit(
        &self,
        state: &State,
        scratch: &mut Scratch,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, Fault> {
        let sink = &mut OneByOne { segments: &self.segments, visitor, steps: Vec::new() };
        self.search(state, scratch, sink)
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
        scratch.tries = self.referee.limits.tries;
        let mut steps = std::mem::take(&mut scratch.keeper_steps);
        let done = self.referee.run_keeper(state, made, &mut steps, |state, steps| {
            self.search(state, scratch, &mut First { segments: &self.segments, steps })
        });
        scratch.keeper_steps = steps;
        done
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
        scratch.tries = self.referee.limits.tries;
        steps.clear();
        self.search(state, scratch, &mut First { segments: &self.segments, steps })
    }
}

/// A sink for sets of every width.
trait AnySink: Sink<1> + Sink<2> + Sink<4> + Sink<6> + Sink<8> {}

impl<S: Sink<1> + Sink<2> + Sink<4> + Sink<6> + Sink<8>> AnySink for S {}

impl Rules for Plan {
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
        self.run_keeper(&mut state, 0, scratch)?;
        Ok(state)
    }

    fn visit_moves(
        &self,
        state: &State,
        scratch: &mut Scratch,
        visitor: &mut Visitor<'_>,
    ) -> Result<(), Fault> {
        scratch.tries = self.referee.limits.tries;
        self.visit(state, scratch, visitor).map(|_| ())
    }

    fn moves(
        &self,
        state: &State,
        scratch: &mut Scratch,
        list: &mut MoveList,
    ) -> Result<(), Fault> {
        scratch.tries = self.referee.limits.tries;
        list.clear();
        let limit = self.limits().stored_steps;
        let mut sink = IntoList { segments: &self.segments, list, limit };
        self.search(state, scratch, &mut sink)?;
        sink.finish()
    }

    fn choose(
        &self,
        state: &State,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Fault> {
        let mut records = std::mem::take(&mut scratch.records);
        records.clear();
        scratch.tries = self.referee.limits.tries;
        let searched = self.search(state, scratch, &mut records);
        let chosen = records.choose(&self.segments, self.words, pick, steps);
        scratch.records = records;
        searched.map(|_| chosen)
    }

    fn play_chosen(
        &self,
        state: &mut State,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
    ) -> Result<bool, Fault> {
        Ok(self.playout(state, scratch, pick, 1)? == 1)
    }

    fn playout(
        &self,
        state: &mut State,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
    ) -> Result<u64, Fault> {
        // PERF: everything happens on the scratch's state, so that searches need no copy.
        std::mem::swap(state, &mut scratch.state);
        let made = self.playout_here(scratch, pick, moves);
        std::mem::swap(state, &mut scratch.state);
        made
    }

    fn apply(&self, state: &mut State, steps: &[Step], scratch: &mut Scratch) -> Result<(), Fault> {
        self.referee.execute(state, steps)?;
        self.run_keeper(state, 0, scratch)
    }
}
