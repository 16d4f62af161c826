//! The search for moves over the segment program: stages are computed, their writes tried one by one.

use std::ops::ControlFlow;

use regulus_automaton::{Action, Register, Square};

use super::code::{Hop, HopPath, PlanCode};
use super::sink::{MoveBatches, MoveSink, NoMoves};
use super::tables::{SetTables, SetView};
use super::watch::Watches;
use crate::bits::Bits;
use crate::fault::GaveUp;
use crate::moves::Step;
use crate::referee::Referee;
use crate::segment::{Continuation, Exit, Pair, Segments, Slot};
use crate::state::State;
use crate::trail::Trail;

/// The memory a search works in.
///
/// # Examples
///
/// ```
/// use regulus_engine::{Plan, Rules as _, plan};
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
/// let rules = Plan::new(automaton).expect("a small board");
/// let mut scratch: plan::Scratch = rules.scratch();
/// let state = rules.initial(&mut scratch)?;
/// assert_eq!(rules.move_count(&state, &mut scratch)?, 3);
/// assert_eq!(scratch.times_given_up(), 0);
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Debug)]
pub struct Scratch {
    /// The number of the game it was made for.
    pub(super) owner: u64,
    pub(super) state: State,
    path: Vec<Step>,
    frames: Vec<StageFrame>,
    trail: Trail,
    pub(super) slots: Vec<u64>,
    /// The sets that operations read, with the views of the state.
    pub(super) sets: Vec<u64>,
    /// How much may still be tried.
    pub(super) tries: u64,
    /// How often something was written or taken back.
    pub(super) changes: u64,
    /// For each survey what it found last.
    pub(super) surveyed: Vec<Surveyed>,
    /// What watches have seen.
    pub(super) watches: Watches,
    /// The moves among which one is chosen.
    pub(super) records: MoveBatches,
    /// The keeper's move.
    pub(super) keeper_steps: Vec<Step>,
    /// How often `walk` was asked instead.
    pub(super) gave_up: u64,
}

/// What a survey found: how often something had been written then, how much it tried, and the squares.
#[derive(Clone, Debug, Default)]
pub(super) struct Surveyed {
    pub(super) changes: u64,
    pub(super) tries: u64,
    pub(super) squares: Vec<u64>,
}

/// A stage whose exits are being tried.
#[derive(Clone, Copy, Debug)]
struct StageFrame {
    stage: u32,
    exit: u32,
    /// Where the stage's slots begin. Behind them is one more: the squares where the exit is still to be tried.
    base: u32,
    /// Whether the squares still to be tried are those of this exit.
    started: bool,
    /// How many writes there were before the one that is being tried.
    written: u32,
    /// The watches that were unsettled before it.
    unsettled: u64,
}

/// How far the exits of a stage have been tried.
enum Tried {
    /// There are no more.
    All,
    /// The sink has enough, or the pattern has succeeded.
    Stopped,
    /// A stage behind one of them is to be tried first.
    Entered,
}

impl Scratch {
    pub(super) fn new(referee: &Referee, sets: Vec<u64>) -> Scratch {
        Scratch {
            owner: referee.owner(),
            state: referee.before_start(),
            path: Vec::new(),
            frames: Vec::new(),
            trail: Trail::default(),
            slots: Vec::new(),
            sets,
            tries: 0,
            // What was never surveyed is as of no change.
            changes: 1,
            surveyed: Vec::new(),
            watches: Watches::default(),
            records: MoveBatches::default(),
            keeper_steps: Vec::new(),
            gave_up: 0,
        }
    }

    /// How often a limit was reached, so that `walk` was asked instead. Its moves come in another order.
    #[must_use]
    pub fn times_given_up(&self) -> u64 {
        self.gave_up
    }
}

/// A search under way, over sets of `W` words.
pub(super) struct PlanSearch<'a, const W: usize> {
    pub(super) referee: &'a Referee,
    pub(super) segments: &'a Segments,
    pub(super) tables: &'a SetTables,
    pub(super) code: &'a PlanCode,
    pub(super) scratch: &'a mut Scratch,
}

impl<'a, const W: usize> PlanSearch<'a, W> {
    /// Shows every move of the scratch state; returns whether it was stopped.
    pub(super) fn moves(&mut self, sink: &mut impl MoveSink<W>) -> Result<bool, GaveUp> {
        let stopped = self.moves_until_stopped(sink);
        self.undo_to(0);
        stopped
    }

    /// The same; when it is stopped by the sink, the state is left in the middle of a move.
    pub(super) fn moves_until_stopped(
        &mut self,
        sink: &mut impl MoveSink<W>,
    ) -> Result<bool, GaveUp> {
        let Some((stage, cursor)) = self.begin() else { return Ok(false) };
        let stopped = self.begin_watches(stage);
        let stopped = stopped.and_then(|()| self.run(stage, cursor.0, 0, false, sink));
        if stopped.is_err() {
            self.undo_to(0);
        }
        stopped
    }

    /// Prepares a search; returns the stage and the square where it begins, `None` if there is nothing to search.
    #[inline]
    pub(super) fn begin(&mut self) -> Option<(u32, Square)> {
        let layout = &self.referee.layout;
        let scratch = &mut *self.scratch;
        scratch.path.clear();
        scratch.frames.clear();
        scratch.trail.clear();
        let stage = self.segments.stage_of[scratch.state.node(layout)]?;
        Some((stage, scratch.state.register(layout, Register::CURSOR)))
    }

    /// Tries all that can follow a stage: to show moves, or to find out whether a pattern succeeds. Returns whether it was
    /// stopped, by the visitor or by success; in a pattern everything is undone.
    fn run(
        &mut self,
        stage: u32,
        cursor: u32,
        base: usize,
        in_pattern: bool,
        sink: &mut impl MoveSink<W>,
    ) -> Result<bool, GaveUp> {
        let written = self.scratch.trail.len();
        let floor = self.scratch.frames.len();
        let stopped = self.run_on(stage, cursor, base, in_pattern, sink)?;
        if in_pattern || !stopped {
            self.scratch.frames.truncate(floor);
            self.undo_to(written);
        }
        Ok(stopped)
    }

    /// The same; what is written stays.
    fn run_on(
        &mut self,
        mut stage: u32,
        cursor: u32,
        base: usize,
        in_pattern: bool,
        sink: &mut impl MoveSink<W>,
    ) -> Result<bool, GaveUp> {
        let code = self.code;
        let floor = self.scratch.frames.len();
        if let Some(exit) = self.only_exit(stage) {
            match self.write_on(exit, Square(cursor), in_pattern)? {
                Some(next) => stage = next,
                None => return Ok(false),
            }
        }
        if self.compute(&code.stages[stage as usize], cursor, base)? && in_pattern {
            return Ok(true);
        }
        if code.is_flat[stage as usize] {
            return Ok(self.show_all(stage, base, sink).is_break());
        }
        self.enter(stage, base);
        while self.scratch.frames.len() > floor {
            match self.try_exits(in_pattern, sink)? {
                Tried::All => self.leave(floor),
                Tried::Stopped => return Ok(true),
                Tried::Entered => {}
            }
        }
        Ok(false)
    }

    /// The exit of a stage that does nothing but write where it begins.
    #[inline]
    pub(super) fn only_exit(&self, stage: u32) -> Option<&'a Exit> {
        let is_only = self.code.only_writes[stage as usize];
        is_only.then(|| &self.segments.stages[stage as usize].exits[0])
    }

    /// Does the write of an exit, and those that have to come after it; returns the stage that follows, `None` if a
    /// write fails.
    pub(super) fn write_on(
        &mut self,
        mut exit: &'a Exit,
        square: Square,
        in_pattern: bool,
    ) -> Result<Option<u32>, GaveUp> {
        let written = self.scratch.trail.len();
        loop {
            if !self.write(&exit.action, square)? {
                self.undo_to(written);
                return Ok(None);
            }
            if let Some(modifier) = exit.modifier {
                self.scratch.path.push(Step { modifier, square });
            }
            let next = &self.segments.stages[exit.stage as usize];
            if !in_pattern && !next.watches.is_empty() {
                self.unsettle(next, &exit.action, square);
            }
            match self.only_exit(exit.stage) {
                Some(only) => exit = only,
                None => return Ok(Some(exit.stage)),
            }
        }
    }

    /// Goes on trying the exits of the last frame, until one leads to another stage with exits to try.
    fn try_exits(
        &mut self,
        in_pattern: bool,
        sink: &mut impl MoveSink<W>,
    ) -> Result<Tried, GaveUp> {
        let (segments, code) = (self.segments, self.code);
        let mut frame = *self.scratch.frames.last().expect("a stage is being tried");
        let block = &code.stages[frame.stage as usize];
        // Behind the slots is one more, for the squares that are still to be tried.
        let rest = frame.base as usize + block.slots * W;
        let top = rest + W;
        let exits = segments.stages[frame.stage as usize].exits.iter().zip(&block.results);
        let exits = exits.zip(code.ways.of_stage(frame.stage));
        for ((exit, &slot), ways) in exits.skip(frame.exit as usize) {
            if !frame.started {
                let mut squares = self.load(frame.base as usize, slot);
                if let Continuation::Finish(_) | Continuation::Spread(_) = exit.continuation {
                    if self.show(exit, ways, squares, sink).is_break() {
                        return Ok(Tried::Stopped);
                    }
                    squares = Bits::EMPTY;
                }
                if squares.is_empty() {
                    frame.exit += 1;
                    continue;
                }
                if self.start(exit, ways, &mut squares, top, in_pattern, sink)?.is_break() {
                    return Ok(Tried::Stopped);
                }
                squares.store(&mut self.scratch.slots[rest..]);
                frame.started = true;
            }
            while let Some(square) = self.next_square(rest) {
                if let Continuation::Look = exit.continuation {
                    if self.look(exit, square, top, sink)?.is_break() {
                        return Ok(Tried::Stopped);
                    }
                    continue;
                }
                let unsettled = self.scratch.watches.unsettled;
                let written = self.scratch.trail.len();
                let Some(next) = self.write_on(exit, square, in_pattern)? else {
                    self.scratch.watches.unsettled = unsettled;
                    continue;
                };
                if self.compute(&code.stages[next as usize], square.0, top)? && in_pattern {
                    return Ok(Tried::Stopped);
                }
                if !code.is_flat[next as usize] {
                    let last = self.scratch.frames.last_mut().expect("a stage is being tried");
                    *last = StageFrame { unsettled, written: written as u32, ..frame };
                    self.enter(next, top);
                    return Ok(Tried::Entered);
                }
                if self.show_all(next, top, sink).is_break() {
                    return Ok(Tried::Stopped);
                }
                self.undo_to(written);
                self.scratch.watches.unsettled = unsettled;
            }
            frame.exit += 1;
            frame.started = false;
        }
        Ok(Tried::All)
    }

    fn enter(&mut self, stage: u32, base: usize) {
        let (exit, base, started) = (0, base as u32, false);
        self.scratch.frames.push(StageFrame {
            stage,
            exit,
            base,
            started,
            written: 0,
            unsettled: 0,
        });
    }

    /// Goes back to the frame before the last one, when there is one above the floor, and takes back what was written
    /// since.
    fn leave(&mut self, floor: usize) {
        self.scratch.frames.pop();
        if let Some(&StageFrame { written, unsettled, .. }) = self.scratch.frames[floor..].last() {
            self.undo_to(written as usize);
            self.scratch.watches.unsettled = unsettled;
        }
    }

    /// Finds the squares where an exit is to be tried, among those where it can be. Where it need not be, its moves are
    /// shown at once. Memory from `top` on is free.
    fn start(
        &mut self,
        exit: &Exit,
        ways: &[Vec<HopPath>],
        squares: &mut Bits<W>,
        top: usize,
        in_pattern: bool,
        sink: &mut impl MoveSink<W>,
    ) -> Result<ControlFlow<()>, GaveUp> {
        let mut flow = ControlFlow::Continue(());
        if let Continuation::Probe(_, finish) = &exit.continuation
            && !squares.is_empty()
        {
            let mut sure = Bits::EMPTY;
            for way in ways.iter().flatten() {
                let distance: i32 = way.hops().map(|hop| hop.distance).sum();
                sure = sure.or(self.go(way, squares.without(sure)).moved(-distance));
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
        if let Continuation::Guard(guard) = &exit.continuation
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
    fn show_all(
        &mut self,
        stage: u32,
        base: usize,
        sink: &mut impl MoveSink<W>,
    ) -> ControlFlow<()> {
        let (segments, code) = (self.segments, self.code);
        let exits = segments.stages[stage as usize].exits.iter();
        let ways = code.ways.of_stage(stage);
        for ((exit, &slot), ways) in exits.zip(&code.stages[stage as usize].results).zip(ways) {
            self.show(exit, ways, self.load(base, slot), sink)?;
        }
        ControlFlow::Continue(())
    }

    /// Shows the moves of an exit behind which there is nothing to try.
    #[inline]
    fn show(
        &mut self,
        exit: &Exit,
        ways: &[Vec<HopPath>],
        squares: Bits<W>,
        sink: &mut impl MoveSink<W>,
    ) -> ControlFlow<()> {
        if squares.is_empty() {
            return ControlFlow::Continue(());
        }
        match (&exit.continuation, exit.modifier) {
            (Continuation::Finish(finish), _) => sink.squares(&self.scratch.path, *finish, squares),
            (Continuation::Spread(spreads), Some(first)) => {
                for (spread, ways) in spreads.iter().zip(ways) {
                    let reached = ways.iter().map(|way| self.go(way, squares));
                    let reached = reached.fold(Bits::EMPTY, Bits::or);
                    if !reached.is_empty() {
                        sink.pairs(&self.scratch.path, first, spread, reached)?;
                    }
                }
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// Where a way leads from squares.
    #[inline]
    fn go(&self, way: &HopPath, squares: Bits<W>) -> Bits<W> {
        // PERF: not by `hops`, which would be a call.
        let first = self.hop(&way.first, squares);
        way.others.iter().fold(first, |squares, hop| self.hop(hop, squares))
    }

    #[inline]
    fn hop(&self, hop: &Hop, squares: Bits<W>) -> Bits<W> {
        let board = SetView::new(self.tables, &self.scratch.sets);
        let there = squares.and(board.set(hop.mask)).moved(hop.distance);
        match hop.condition {
            Some(pair) if !self.holds(pair, Square(0)) => Bits::EMPTY,
            _ => there.and(board.set(hop.within)),
        }
    }

    /// Shows the moves behind a write that need not be done.
    fn look(
        &mut self,
        exit: &Exit,
        square: Square,
        base: usize,
        sink: &mut impl MoveSink<W>,
    ) -> Result<ControlFlow<()>, GaveUp> {
        let Some(modifier) = exit.modifier else { return Ok(ControlFlow::Continue(())) };
        let code = self.code;
        self.compute(&code.stages[exit.stage as usize], square.0, base)?;
        self.scratch.path.push(Step { modifier, square });
        let flow = self.show_all(exit.stage, base, sink);
        self.scratch.path.pop();
        if flow.is_break() && sink.keeps_writes() {
            self.write(&exit.action, square)?;
        }
        Ok(flow)
    }

    /// Executes a write, remembering what it replaces; returns whether it succeeded.
    fn write(&mut self, action: &Action, square: Square) -> Result<bool, GaveUp> {
        let referee = self.referee;
        let layout = &referee.layout;
        self.scratch.changes += 1;
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
        if self.scratch.trail.len() > self.code.deepest {
            return Err(GaveUp);
        }
        self.charge(1)?;
        Ok(true)
    }

    #[inline]
    pub(super) fn undo_to(&mut self, written: usize) {
        while self.scratch.trail.len() > written {
            self.undo_write();
        }
    }

    fn undo_write(&mut self) {
        self.scratch.changes += 1;
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
    ) -> Result<bool, GaveUp> {
        if is_quiet {
            let code = self.code;
            let block = &code.stages[stage as usize];
            // PERF: most groups have a liberty next to where they are looked at.
            if let Some((rows, succeeds)) = block.at_once {
                let board = SetView::<W>::new(self.tables, &self.scratch.sets);
                if !board.row(rows, square).and(board.set(succeeds)).is_empty() {
                    return Ok(true);
                }
            }
            return self.compute(block, square, base);
        }
        self.run(stage, square, base, true, &mut NoMoves)
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

    /// Gives up if more has been done than is allowed. A unit is about an operation on sets.
    #[inline]
    pub(super) fn charge(&mut self, units: u64) -> Result<(), GaveUp> {
        self.scratch.tries = self.scratch.tries.checked_sub(units).ok_or(GaveUp)?;
        Ok(())
    }
}

/// Where a stage's slots are, where free memory begins, and the cursor.
#[derive(Clone, Copy)]
pub(super) struct Workspace {
    pub(super) base: usize,
    pub(super) top: usize,
    pub(super) cursor: u32,
}
