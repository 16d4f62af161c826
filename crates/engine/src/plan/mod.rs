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
        let words = automaton.board.squares.len().div_ceil(64).next_power_of_two();
        if words > 8 {
            return None;
        }
        let segments = Segments::new(&automaton)?;
        let tables = Tables::new(&automaton, &segments, words);
        Some(Plan { referee: Referee::new(automaton, limits), segments, tables, words })
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
        match self.words {
            1 => self.search_of::<1>(scratch).moves(sink),
            2 => self.search_of::<2>(scratch).moves(sink),
            4 => self.search_of::<4>(scratch).moves(sink),
            _ => self.search_of::<8>(scratch).moves(sink),
        }
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
trait AnySink: Sink<1> + Sink<2> + Sink<4> + Sink<8> {}

impl<S: Sink<1> + Sink<2> + Sink<4> + Sink<8>> AnySink for S {}

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

    fn apply(&self, state: &mut State, steps: &[Step], scratch: &mut Scratch) -> Result<(), Fault> {
        self.referee.execute(state, steps)?;
        self.run_keeper(state, 0, scratch)
    }
}
