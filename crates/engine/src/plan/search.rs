//! The search for moves over the segment program: stages are computed, their writes tried one by one.

use std::ops::ControlFlow;

use regulus_automaton::{Action, Origin, Register, Square};

use super::code::Code;
use super::sink::{Nobody, Records, Sink};
use super::tables::Tables;
use super::watch::Watches;
use crate::bits::Bits;
use crate::fault::{Fault, FaultKind};
use crate::moves::Step;
use crate::referee::Referee;
use crate::segment::{Exit, Leg, Pair, Segments, Slot, Spread, Then};
use crate::state::State;
use crate::trail::Trail;

/// The memory a search works in.
#[derive(Debug)]
pub struct Scratch {
    pub(super) state: State,
    path: Vec<Step>,
    frames: Vec<Frame>,
    trail: Trail,
    pub(super) slots: Vec<u64>,
    /// The sets that operations read, with the views of the state.
    pub(super) sets: Vec<u64>,
    /// How much may still be tried.
    pub(super) tries: u64,
    /// What watches have seen.
    pub(super) watches: Watches,
    /// The moves among which one is chosen.
    pub(super) records: Records,
    /// The keeper's move.
    pub(super) keeper_steps: Vec<Step>,
}

/// A stage whose exits are being tried.
#[derive(Clone, Copy, Debug)]
struct Frame {
    stage: u32,
    exit: u32,
    /// Where the stage's slots begin. Behind them is one more: the squares where the exit is still to be tried.
    base: u32,
    /// Whether the squares still to be tried are those of this exit.
    started: bool,
    /// Whether leaving the stage undoes a write.
    wrote: bool,
    /// The watches that were unsettled before that write.
    unsettled: u64,
}

impl Scratch {
    pub(super) fn new(state: State, sets: Vec<u64>) -> Scratch {
        Scratch {
            state,
            path: Vec::new(),
            frames: Vec::new(),
            trail: Trail::default(),
            slots: Vec::new(),
            sets,
            tries: 0,
            watches: Watches::default(),
            records: Records::default(),
            keeper_steps: Vec::new(),
        }
    }
}

/// A search under way, over sets of `W` words.
pub(super) struct Search<'a, const W: usize> {
    pub(super) referee: &'a Referee,
    pub(super) segments: &'a Segments,
    pub(super) tables: &'a Tables,
    pub(super) code: &'a Code,
    pub(super) scratch: &'a mut Scratch,
}

impl<const W: usize> Search<'_, W> {
    /// Shows every move of the scratch state; says whether it was stopped.
    pub(super) fn moves(&mut self, sink: &mut impl Sink<W>) -> Result<bool, Fault> {
        let stopped = self.moves_until_stopped(sink);
        while self.scratch.trail.len() > 0 {
            self.undo_write();
        }
        stopped
    }

    /// The same; when it is stopped, or reaches a limit, the state is left in the middle of a move.
    pub(super) fn moves_until_stopped(&mut self, sink: &mut impl Sink<W>) -> Result<bool, Fault> {
        let layout = &self.referee.layout;
        let scratch = &mut *self.scratch;
        scratch.path.clear();
        scratch.frames.clear();
        scratch.trail.clear();
        let node = scratch.state.node(layout);
        let cursor = scratch.state.register(layout, Register::CURSOR);
        let Some(stage) = self.segments.stage_of[node] else { return Ok(false) };
        self.begin_watches(stage)?;
        self.run(stage, cursor.0, 0, false, sink)
    }

    /// Tries all that can follow a stage: to show moves, or to find out whether a pattern succeeds. Says whether it was
    /// stopped, by the visitor or by success; in a pattern everything is undone.
    fn run(
        &mut self,
        stage: u32,
        cursor: u32,
        base: usize,
        in_pattern: bool,
        sink: &mut impl Sink<W>,
    ) -> Result<bool, Fault> {
        let (segments, code) = (self.segments, self.code);
        let floor = self.scratch.frames.len();
        if self.compute(&code.stages[stage as usize], cursor, base)? && in_pattern {
            return Ok(true);
        }
        if code.is_flat[stage as usize] && !in_pattern {
            return Ok(self.show_all(stage, base, sink).is_break());
        }
        self.enter(stage, base, false, 0);
        while self.scratch.frames.len() > floor {
            let frame = *self.scratch.frames.last().expect("frames above the floor");
            let Some(exit) = segments.stages[frame.stage as usize].exits.get(frame.exit as usize)
            else {
                self.leave();
                continue;
            };
            let block = &code.stages[frame.stage as usize];
            let slot = block.results[frame.exit as usize];
            if let Then::Finish(_) | Then::Spread(_) = exit.then {
                self.next_exit();
                let squares = self.load(frame.base as usize, slot);
                if self.show(exit, squares, sink).is_break() {
                    return Ok(true);
                }
                continue;
            }
            // Behind the slots is one more, for the squares that are still to be tried.
            let rest = frame.base as usize + block.slots * W;
            let base = rest + W;
            if !frame.started {
                self.scratch.frames.last_mut().expect("the stage is being tried").started = true;
                let mut squares = self.load(frame.base as usize, slot);
                if self.start(exit, &mut squares, base, in_pattern, sink)?.is_break() {
                    return Ok(true);
                }
                squares.store(&mut self.scratch.slots[rest..]);
            }
            let Some(square) = self.next_square(rest) else {
                self.next_exit();
                continue;
            };
            if let Then::Look = exit.then {
                if self.look(exit, square, base, sink)?.is_break() {
                    return Ok(true);
                }
                continue;
            }
            if !self.write(&exit.action, square, exit.origin)? {
                continue;
            }
            if let Some(modifier) = exit.modifier {
                self.scratch.path.push(Step { modifier, square });
            }
            let next = &segments.stages[exit.stage as usize];
            let unsettled = self.scratch.watches.unsettled;
            if !in_pattern && !next.watches.is_empty() {
                self.unsettle(next, &exit.action, square);
            }
            let found = self.compute(&code.stages[exit.stage as usize], square.0, base)?;
            if code.is_flat[exit.stage as usize] && !found {
                let is_shown = !in_pattern && self.show_all(exit.stage, base, sink).is_break();
                if is_shown {
                    return Ok(true);
                }
                self.undo_write();
                self.scratch.watches.unsettled = unsettled;
                continue;
            }
            self.enter(exit.stage, base, true, unsettled);
            if found && in_pattern {
                while self.scratch.frames.len() > floor {
                    self.leave();
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn enter(&mut self, stage: u32, base: usize, wrote: bool, unsettled: u64) {
        let frame = Frame { stage, exit: 0, base: base as u32, started: false, wrote, unsettled };
        self.scratch.frames.push(frame);
    }

    fn leave(&mut self) {
        if let Some(Frame { wrote: true, unsettled, .. }) = self.scratch.frames.pop() {
            self.undo_write();
            self.scratch.watches.unsettled = unsettled;
        }
    }

    fn next_exit(&mut self) {
        let frame = self.scratch.frames.last_mut().expect("the stage is being tried");
        frame.exit += 1;
        frame.started = false;
    }

    /// Finds the squares where an exit is to be tried, among those where it can be. Where it need not be, its moves are
    /// shown at once. Memory from `top` on is free.
    fn start(
        &mut self,
        exit: &Exit,
        squares: &mut Bits<W>,
        top: usize,
        in_pattern: bool,
        sink: &mut impl Sink<W>,
    ) -> Result<ControlFlow<()>, Fault> {
        let mut flow = ControlFlow::Continue(());
        if let Then::Probe(ways, finish) = &exit.then
            && !squares.is_empty()
        {
            let mut sure = Bits::EMPTY;
            for way in ways {
                let distance: i32 = way.iter().map(|leg| leg.distance).sum();
                sure = sure.or(self.go(way, squares.without(sure)).shifted(-distance));
            }
            if !sure.is_empty() {
                flow = sink.squares(&self.scratch.path, *finish, sure);
            }
            *squares = squares.without(sure);
        }
        if let Some(survey) = exit.feasible
            && squares.count() > 1
        {
            *squares = squares.and(self.survey(survey, top)?);
        }
        if let Then::Guard(guard) = &exit.then
            && !in_pattern
            && !squares.is_empty()
        {
            let (sure, rest) = self.ask_watch(guard, *squares, top)?;
            if !sure.is_empty() {
                flow = sink.squares(&self.scratch.path, guard.finish, sure);
            }
            *squares = rest;
        }
        Ok(flow)
    }

    /// The next square where an exit is to be tried.
    fn next_square(&mut self, rest: usize) -> Option<Square> {
        for (at, word) in self.scratch.slots[rest..rest + W].iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(Square(at as u32 * 64 + bit));
            }
        }
        None
    }

    /// Shows the moves of a stage behind none of whose exits there is anything to try.
    fn show_all(&mut self, stage: u32, base: usize, sink: &mut impl Sink<W>) -> ControlFlow<()> {
        let (segments, code) = (self.segments, self.code);
        let exits = segments.stages[stage as usize].exits.iter();
        for (exit, &slot) in exits.zip(&code.stages[stage as usize].results) {
            self.show(exit, self.load(base, slot), sink)?;
        }
        ControlFlow::Continue(())
    }

    /// Shows the moves of an exit behind which there is nothing to try.
    fn show(&mut self, exit: &Exit, squares: Bits<W>, sink: &mut impl Sink<W>) -> ControlFlow<()> {
        match &exit.then {
            Then::Finish(finish) if !squares.is_empty() => {
                sink.squares(&self.scratch.path, *finish, squares)
            }
            Then::Spread(spreads) if !squares.is_empty() => {
                let Some(first) = exit.modifier else { return ControlFlow::Continue(()) };
                for spread in spreads {
                    let reached = self.spread(spread, squares);
                    if !reached.is_empty() {
                        sink.pairs(&self.scratch.path, first, spread, reached)?;
                    }
                }
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// The squares that some way of a spread leads to.
    fn spread(&self, spread: &Spread, squares: Bits<W>) -> Bits<W> {
        spread.ways.iter().fold(Bits::EMPTY, |reached, way| reached.or(self.go(way, squares)))
    }

    /// Where a way leads from squares.
    fn go(&self, way: &[Leg], squares: Bits<W>) -> Bits<W> {
        let mut set = squares;
        for leg in way {
            if let Some(from) = leg.from {
                set = set.and(self.set(self.tables.square_set(from)));
            }
            set = set.shifted(leg.distance);
            if let Some(guard) = leg.guard {
                set = set.and(self.set(guard));
            }
            if leg.condition.is_some_and(|pair| !self.holds(pair, Square(0))) {
                set = Bits::EMPTY;
            }
        }
        set
    }

    /// Shows the moves behind a write that need not be done.
    fn look(
        &mut self,
        exit: &Exit,
        square: Square,
        base: usize,
        sink: &mut impl Sink<W>,
    ) -> Result<ControlFlow<()>, Fault> {
        let Some(modifier) = exit.modifier else { return Ok(ControlFlow::Continue(())) };
        self.count_tries(1, exit.origin)?;
        let code = self.code;
        self.compute(&code.stages[exit.stage as usize], square.0, base)?;
        self.scratch.path.push(Step { modifier, square });
        let flow = self.show_all(exit.stage, base, sink);
        self.scratch.path.pop();
        Ok(flow)
    }

    /// Executes a write, remembering what it replaces; says whether it succeeded.
    fn write(
        &mut self,
        action: &Action,
        square: Square,
        origin: Option<Origin>,
    ) -> Result<bool, Fault> {
        let referee = self.referee;
        let layout = &referee.layout;
        let Scratch { state, trail, sets, .. } = &mut *self.scratch;
        match action {
            Action::Put(_) | Action::PutHeld(_) => {
                let old = state.piece(square);
                match action {
                    Action::PutHeld(register) => trail.put_held(state, layout, square, *register),
                    Action::Put(piece) => trail.put(state, layout, square, *piece),
                    _ => {}
                }
                self.tables.replace(sets, square, old, state.piece(square));
            }
            Action::Assign(variable, value) => {
                let value = referee.value(value, state, square);
                let Some(value) = referee.fit(*variable, value) else { return Ok(false) };
                trail.assign(state, layout, *variable, value);
            }
            Action::Save(register) => trail.save(state, layout, *register, square),
            _ => return Ok(false),
        }
        if self.scratch.trail.len() > referee.limits.writes {
            return Err(Fault::new(FaultKind::TooManyWrites(referee.limits.writes), origin));
        }
        self.count_tries(1, origin)?;
        Ok(true)
    }

    fn undo_write(&mut self) {
        let Scratch { state, trail, sets, .. } = &mut *self.scratch;
        if let Some((square, old, new)) = trail.undo(state, &self.referee.layout) {
            self.tables.replace(sets, square, old, new);
        }
        // Inside patterns nothing was recorded, and the path is as long as before the check.
        self.scratch.path.truncate(self.scratch.trail.len());
    }

    /// Whether a pattern succeeds from a square.
    pub(super) fn check(
        &mut self,
        stage: u32,
        is_quiet: bool,
        square: u32,
        base: usize,
    ) -> Result<bool, Fault> {
        self.count_tries(1, None)?;
        if is_quiet {
            let code = self.code;
            return self.compute(&code.stages[stage as usize], square, base);
        }
        self.run(stage, square, base, true, &mut Nobody)
    }

    pub(super) fn holds(&self, pair: u32, cursor: Square) -> bool {
        let Pair { left, relation, right } = &self.segments.pairs[pair as usize];
        let value = |expression| self.referee.value(expression, &self.scratch.state, cursor);
        value(left).zip(value(right)).is_some_and(|(left, right)| relation.holds(left, right))
    }

    pub(super) fn jump(&self, pair: u32, cursor: Square) -> Option<Square> {
        let Pair { left: x, right: y, .. } = &self.segments.pairs[pair as usize];
        let value = |expression| self.referee.value(expression, &self.scratch.state, cursor);
        let place = (i32::try_from(value(x)?).ok()?, i32::try_from(value(y)?).ok()?);
        self.referee.automaton.board.square_at(place.0, place.1)
    }

    /// One of the sets that operations read.
    #[inline]
    pub(super) fn set(&self, number: u32) -> Bits<W> {
        Bits::load(&self.scratch.sets[number as usize * W..])
    }

    #[inline]
    pub(super) fn load(&self, base: usize, slot: Slot) -> Bits<W> {
        Bits::load(&self.scratch.slots[base + slot as usize * W..])
    }

    #[inline]
    pub(super) fn store(&mut self, base: usize, slot: Slot, squares: Bits<W>) {
        squares.store(&mut self.scratch.slots[base + slot as usize * W..]);
    }

    pub(super) fn count_tries(&mut self, tries: u64, origin: Option<Origin>) -> Result<(), Fault> {
        match self.scratch.tries.checked_sub(tries) {
            Some(rest) => {
                self.scratch.tries = rest;
                Ok(())
            }
            None => Err(Fault::new(FaultKind::TooManyTries(self.referee.limits.tries), origin)),
        }
    }
}

/// Where a stage's slots are, where free memory begins, and the cursor.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) base: usize,
    pub(super) top: usize,
    pub(super) cursor: u32,
}
