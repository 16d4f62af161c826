//! The `jit` engine.

use std::ops::ControlFlow;
use std::sync::Arc;

use regulus_automaton::{Automaton, Modifier, Register, Square};
use regulus_engine::plan::{self, Plan};
use regulus_engine::{Fault, Layout, Limits, MoveList, Rules, State, Step, Visitor};

use crate::compile::{Shape, compile};
use crate::context::{Record, step_word};
use crate::native::{Kept, Memory, Native, Search};
use crate::tables::Tables;

/// How many words of data a search may need before it is left to `plan`, which knows the limits exactly.
const MAX_DATA: usize = 1 << 28;

/// How many moves the keeper makes before it is watched for coming back to where it was.
const UNWATCHED: u32 = 64;

/// A game as native code.
#[derive(Debug)]
pub struct Jit {
    plan: Plan,
    native: Native,
    words: usize,
}

/// Memory for a compiled game to work in.
#[derive(Debug)]
pub struct Scratch {
    state: State,
    memory: Memory,
    steps: Vec<u64>,
    plan: plan::Scratch,
}

impl Jit {
    /// Compiles a game; nothing when this machine, the board or the rules cannot be compiled for.
    #[must_use]
    pub fn new(automaton: impl Into<Arc<Automaton>>) -> Option<Jit> {
        Jit::with_limits(automaton, Limits::default())
    }

    /// Compiles a game under other limits than the default ones.
    #[must_use]
    pub fn with_limits(automaton: impl Into<Arc<Automaton>>, limits: Limits) -> Option<Jit> {
        Jit::from_plan(Plan::with_limits(automaton, limits)?)
    }

    /// Compiles a plan.
    #[must_use]
    pub fn from_plan(plan: Plan) -> Option<Jit> {
        let words = plan.automaton().board.squares.len().div_ceil(64).max(1);
        let tables = Tables::new(plan.referee(), plan.segments(), words);
        let code = compile(&plan, &tables, words)?;
        let native = Native::new(code, tables, plan.limits().writes, plan.layout().size() / 8);
        Some(Jit { plan, native, words })
    }

    /// How many bytes of machine code there are.
    #[must_use]
    pub fn code_size(&self) -> usize {
        self.native.size
    }

    fn tries(&self) -> i64 {
        i64::try_from(self.plan.limits().tries).unwrap_or(i64::MAX)
    }

    /// Finds the moves of the state, which is as it was then; nothing when that is left to `plan`.
    #[inline]
    fn search(&self, state: &mut State, memory: &mut Memory, wanted: u64) -> Option<(u64, usize)> {
        let layout = self.plan.layout();
        let node = state.node(layout);
        let cursor = u64::from(state.register(layout, Register::CURSOR).0);
        loop {
            match self.native.search(state, memory, node, cursor, wanted, self.tries()) {
                Search::Moves { count, records } => return Some((count, records)),
                Search::GivesUp => return None,
                Search::Full if memory.data.len() >= MAX_DATA => return None,
                Search::Full => {
                    memory.records.resize(memory.records.len() * 2, Record::default());
                    memory.data.resize(memory.data.len() * 2, 0);
                }
            }
        }
    }

    /// Lets the keeper move until a player is in control or the keeper is stuck.
    #[inline]
    fn run_keeper(&self, state: &mut State, scratch: &mut Scratch) -> Result<(), Fault> {
        let layout = self.plan.layout();
        for _ in 0..UNWATCHED {
            if state.mover(layout).is_some() {
                return Ok(());
            }
            match self.keep(state, &mut scratch.memory) {
                Kept::Done => {}
                Kept::Stuck => return Ok(()),
                Kept::GivesUp => return self.plan.run_keeper(state, &mut scratch.plan),
            }
        }
        let Scratch { memory, plan, .. } = scratch;
        let mut steps = Vec::new();
        let done =
            self.plan.referee().watch_keeper(state, |state| match self.keep(state, memory) {
                Kept::Done => Ok(true),
                Kept::Stuck => Ok(false),
                Kept::GivesUp => {
                    let found = self.plan.find_keeper_move(state, plan, &mut steps)?;
                    if found {
                        self.plan.referee().execute(state, &steps)?;
                    }
                    Ok(found)
                }
            });
        done.or_else(|fault| {
            self.plan.find_keeper_move(state, plan, &mut steps)?;
            Err(self.plan.referee().place_fault(fault, &steps))
        })
    }

    #[inline]
    fn keep(&self, state: &mut State, memory: &mut Memory) -> Kept {
        let layout = self.plan.layout();
        let node = state.node(layout);
        let cursor = u64::from(state.register(layout, Register::CURSOR).0);
        self.native.keep(state, memory, node, cursor, self.tries())
    }

    /// Puts the steps of a move, as words, into a list: the one before which there are `before` others.
    fn pick(&self, memory: &Memory, records: usize, before: u64, steps: &mut Vec<u64>) {
        let records = &memory.records[..records];
        let index = records.partition_point(|record| record.up_to <= before);
        let earlier = if index == 0 { 0 } else { records[index - 1].up_to };
        let found = Found::new(self, memory, &records[index]);
        let square = nth(found.squares, before - earlier);
        found.steps(self, square, |step| steps.push(step));
    }

    /// Puts the moves into a list.
    fn list(&self, memory: &Memory, records: usize, list: &mut MoveList) {
        for record in &memory.records[..records] {
            let found = Found::new(self, memory, record);
            for square in squares(found.squares) {
                let steps = list.begin(&[]);
                found.steps(self, square, |word| steps.push(to_step(word)));
                list.end();
            }
        }
    }
}

/// A record of moves, read.
struct Found<'a> {
    path: &'a [u64],
    squares: &'a [u64],
    shape: Shape,
}

impl<'a> Found<'a> {
    #[inline]
    fn new(jit: &'a Jit, memory: &'a Memory, record: &Record) -> Found<'a> {
        let data = &memory.data[record.data as usize..];
        let (path, rest) = data.split_at(record.steps as usize);
        Found { path, squares: &rest[..jit.words], shape: jit.native.shapes[record.shape as usize] }
    }

    /// Gives the steps of the move that ends on a square.
    #[inline]
    fn steps(&self, jit: &Jit, square: u32, mut give: impl FnMut(u64)) {
        self.path.iter().for_each(|&step| give(step));
        if let Some((first, distance)) = self.shape.first {
            give(step_word(first.0, (square as i32 - distance) as u32));
        }
        for modifier in &jit.plan.segments().finishes[self.shape.finish as usize] {
            give(step_word(modifier.0, square));
        }
    }
}

impl Rules for Jit {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch {
            state: self.plan.referee().before_start(),
            memory: self.native.memory(),
            steps: Vec::new(),
            plan: self.plan.scratch(),
        }
    }

    fn automaton(&self) -> &Automaton {
        self.plan.automaton()
    }

    fn layout(&self) -> &Layout {
        self.plan.layout()
    }

    fn limits(&self) -> Limits {
        self.plan.limits()
    }

    fn initial(&self, scratch: &mut Scratch) -> Result<State, Fault> {
        let mut state = self.plan.referee().before_start();
        self.run_keeper(&mut state, scratch)?;
        Ok(state)
    }

    fn visit_moves(
        &self,
        state: &State,
        scratch: &mut Scratch,
        visitor: &mut Visitor<'_>,
    ) -> Result<(), Fault> {
        scratch.state.copy_from(state);
        let Some((_, records)) = self.search(&mut scratch.state, &mut scratch.memory, u64::MAX)
        else {
            return self.plan.visit_moves(state, &mut scratch.plan, visitor);
        };
        let mut steps = Vec::new();
        for record in &scratch.memory.records[..records] {
            let found = Found::new(self, &scratch.memory, record);
            for square in squares(found.squares) {
                steps.clear();
                found.steps(self, square, |word| steps.push(to_step(word)));
                if let ControlFlow::Break(()) = visitor(&steps) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn moves(
        &self,
        state: &State,
        scratch: &mut Scratch,
        list: &mut MoveList,
    ) -> Result<(), Fault> {
        scratch.state.copy_from(state);
        let found = self.search(&mut scratch.state, &mut scratch.memory, u64::MAX);
        match found.filter(|&(count, _)| count <= self.limits().stored_steps as u64 / 64) {
            Some((_, records)) => {
                list.clear();
                self.list(&scratch.memory, records, list);
                Ok(())
            }
            None => self.plan.moves(state, &mut scratch.plan, list),
        }
    }

    fn choose(
        &self,
        state: &State,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Fault> {
        scratch.state.copy_from(state);
        let Some((count, records)) = self.search(&mut scratch.state, &mut scratch.memory, u64::MAX)
        else {
            return self.plan.choose(state, &mut scratch.plan, pick, steps);
        };
        steps.clear();
        if count > 0 {
            scratch.steps.clear();
            self.pick(&scratch.memory, records, pick(count), &mut scratch.steps);
            steps.extend(scratch.steps.iter().map(|&word| to_step(word)));
        }
        Ok(count > 0)
    }

    fn play_chosen(
        &self,
        state: &mut State,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
    ) -> Result<bool, Fault> {
        let Some((count, records)) = self.search(state, &mut scratch.memory, u64::MAX) else {
            return self.plan.play_chosen(state, &mut scratch.plan, pick);
        };
        if count == 0 {
            return Ok(false);
        }
        let mut steps = std::mem::take(&mut scratch.steps);
        steps.clear();
        self.pick(&scratch.memory, records, pick(count), &mut steps);
        self.native.execute(state, &mut scratch.memory, &steps);
        scratch.steps = steps;
        self.run_keeper(state, scratch)?;
        Ok(true)
    }

    fn is_over(&self, state: &State, scratch: &mut Scratch) -> Result<bool, Fault> {
        if self.player(state).is_none() {
            return Ok(true);
        }
        scratch.state.copy_from(state);
        match self.search(&mut scratch.state, &mut scratch.memory, 1) {
            Some((count, _)) => Ok(count == 0),
            None => self.plan.is_over(state, &mut scratch.plan),
        }
    }

    fn apply(&self, state: &mut State, steps: &[Step], scratch: &mut Scratch) -> Result<(), Fault> {
        let referee = self.plan.referee();
        referee.must_be_steps(steps)?;
        let mut words = std::mem::take(&mut scratch.steps);
        words.clear();
        words.extend(steps.iter().map(|step| step_word(step.modifier.0, step.square.0)));
        let done = self.native.execute(state, &mut scratch.memory, &words);
        scratch.steps = words;
        if !done {
            return Err(Fault::not_a_move());
        }
        self.run_keeper(state, scratch)
    }
}

#[inline]
fn to_step(word: u64) -> Step {
    Step { modifier: Modifier(word as u32), square: Square((word >> 32) as u32) }
}

/// The members of a set in ascending order.
#[inline]
fn squares(set: &[u64]) -> impl Iterator<Item = u32> {
    set.iter().enumerate().flat_map(|(at, &word)| {
        let mut word = word;
        std::iter::from_fn(move || {
            if word == 0 {
                return None;
            }
            let bit = word.trailing_zeros();
            word &= word - 1;
            Some(at as u32 * 64 + bit)
        })
    })
}

/// The member of a set before which there are so many.
#[inline]
fn nth(words: &[u64], mut before: u64) -> u32 {
    for (at, &word) in words.iter().enumerate() {
        let here = u64::from(word.count_ones());
        if before < here {
            let mut word = word;
            for _ in 0..before {
                word &= word - 1;
            }
            return at as u32 * 64 + word.trailing_zeros();
        }
        before -= here;
    }
    0
}
