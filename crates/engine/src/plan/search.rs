//! The search for moves over the segment program: stages are computed, their writes tried one by one.

use std::ops::ControlFlow;

use regulus_automaton::{Action, Origin, Register, Square};

use super::sink::{Nobody, Records, Sink};
use super::tables::Tables;
use super::watch::Watches;
use crate::bits::Bits;
use crate::fault::{Fault, FaultKind};
use crate::moves::Step;
use crate::referee::Referee;
use crate::segment::{
    CURSOR, Exit, How, Leg, Operation, Pair, Segments, Slot, Spread, Stage, Then, Transfer,
};
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
    pub(super) fn new(state: State) -> Scratch {
        let (path, frames, trail) = (Vec::new(), Vec::new(), Trail::default());
        let (slots, records, keeper_steps) = (Vec::new(), Records::default(), Vec::new());
        let watches = Watches::default();
        Scratch { state, path, frames, trail, slots, tries: 0, watches, records, keeper_steps }
    }
}

/// A search under way, over sets of `W` words.
pub(super) struct Search<'a, const W: usize> {
    pub(super) referee: &'a Referee,
    pub(super) segments: &'a Segments,
    pub(super) tables: &'a Tables,
    pub(super) scratch: &'a mut Scratch,
}

impl<const W: usize> Search<'_, W> {
    /// Shows every move of the scratch state; says whether it was stopped.
    pub(super) fn moves(&mut self, sink: &mut impl Sink<W>) -> Result<bool, Fault> {
        let layout = &self.referee.layout;
        let scratch = &mut *self.scratch;
        scratch.path.clear();
        scratch.frames.clear();
        scratch.trail.clear();
        let node = scratch.state.node(layout);
        let cursor = scratch.state.register(layout, Register::CURSOR);
        let Some(stage) = self.segments.stage_of[node] else { return Ok(false) };
        self.begin_watches(stage)?;
        let stopped = self.run(stage, cursor.0, 0, false, sink);
        // Who is stopped, or reaches a limit, stands in the middle of a move.
        while self.scratch.trail.len() > 0 {
            self.undo_write();
        }
        stopped
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
        let segments = self.segments;
        let floor = self.scratch.frames.len();
        if self.compute(&segments.stages[stage as usize], cursor, base)? && in_pattern {
            return Ok(true);
        }
        self.enter(stage, base, false, 0);
        while self.scratch.frames.len() > floor {
            let frame = *self.scratch.frames.last().expect("frames above the floor");
            let stage = &segments.stages[frame.stage as usize];
            let Some(exit) = stage.exits.get(frame.exit as usize) else {
                self.leave();
                continue;
            };
            if let Then::Finish(_) | Then::Spread(_) = exit.then {
                self.next_exit();
                if self.show(exit, frame.base as usize, sink).is_break() {
                    return Ok(true);
                }
                continue;
            }
            if !frame.started && self.start(stage, exit, frame, in_pattern, sink)?.is_break() {
                return Ok(true);
            }
            let Some(square) = self.next_square(stage, frame) else {
                self.next_exit();
                continue;
            };
            let base = frame.base as usize + (stage.slots as usize + 1) * W;
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
            let found = self.compute(next, square.0, base)?;
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

    /// Notes the squares where an exit is to be tried. Where it need not be, its moves are shown at once.
    fn start(
        &mut self,
        stage: &Stage,
        exit: &Exit,
        frame: Frame,
        in_pattern: bool,
        sink: &mut impl Sink<W>,
    ) -> Result<ControlFlow<()>, Fault> {
        self.scratch.frames.last_mut().expect("the stage is being tried").started = true;
        let mut squares: Bits<W> = self.load(frame.base as usize, exit.slot);
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
            squares = squares.without(sure);
        }
        if let Some(survey) = exit.feasible
            && squares.count() > 1
        {
            let top = frame.base as usize + (stage.slots as usize + 1) * W;
            squares = squares.and(self.survey(survey, top)?);
        }
        if let Then::Guard(guard) = &exit.then
            && !in_pattern
            && !squares.is_empty()
        {
            let top = frame.base as usize + (stage.slots as usize + 1) * W;
            let (sure, rest) = self.ask_watch(guard, squares, top)?;
            if !sure.is_empty() {
                flow = sink.squares(&self.scratch.path, guard.finish, sure);
            }
            squares = rest;
        }
        let rest = frame.base as usize + stage.slots as usize * W;
        squares.store(&mut self.scratch.slots[rest..]);
        Ok(flow)
    }

    /// The next square where an exit is to be tried.
    fn next_square(&mut self, stage: &Stage, frame: Frame) -> Option<Square> {
        let rest = frame.base as usize + stage.slots as usize * W;
        for (at, word) in self.scratch.slots[rest..rest + W].iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(Square(at as u32 * 64 + bit));
            }
        }
        None
    }

    /// Shows the moves of an exit behind which there is nothing to try.
    fn show(&mut self, exit: &Exit, base: usize, sink: &mut impl Sink<W>) -> ControlFlow<()> {
        let squares: Bits<W> = self.load(base, exit.slot);
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
                set = set.and(self.tables.square_set(from));
            }
            set = set.shifted(leg.distance);
            if let Some(guard) = leg.guard {
                set = set.and(self.on(guard));
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
        let next = &self.segments.stages[exit.stage as usize];
        self.compute(next, square.0, base)?;
        self.scratch.path.push(Step { modifier, square });
        let flow = next.exits.iter().try_for_each(|exit| self.show(exit, base, sink));
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
        let Scratch { state, trail, .. } = &mut *self.scratch;
        match action {
            Action::Put(piece) => trail.put(state, layout, square, *piece),
            Action::PutHeld(register) => trail.put_held(state, layout, square, *register),
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
        let Scratch { state, trail, .. } = &mut *self.scratch;
        trail.undo(state, &self.referee.layout);
        // Inside patterns nothing was recorded, and the path is as long as before the check.
        self.scratch.path.truncate(self.scratch.trail.len());
    }

    /// Computes all slots of a stage, or in a pattern as many as it takes to accept; says whether it accepted.
    fn compute(&mut self, stage: &Stage, cursor: u32, base: usize) -> Result<bool, Fault> {
        let top = base + (stage.slots as usize + 1) * W;
        if self.scratch.slots.len() < top {
            self.scratch.slots.resize(top, 0);
        }
        self.store(base, CURSOR, Bits::single(cursor));
        if stage.accept == Some(CURSOR) {
            return Ok(true);
        }
        let place = Place { base, top, cursor: stage.keeps_cursor.then_some(cursor) };
        self.scratch.slots[base + W..base + stage.slots as usize * W].fill(0);
        let mut at = 0;
        while let Some(operation) = stage.operations.get(at) {
            at += 1;
            let filled = match operation {
                Operation::Skip(slot, count) => {
                    if self.load(base, *slot).is_empty() {
                        at += *count as usize;
                    }
                    continue;
                }
                Operation::Transfer(transfer) => {
                    self.transfer(transfer, place)?;
                    transfer.to
                }
                Operation::Along { ray, from, to, through, includes_start } => {
                    self.along(place, *ray, *from, *to, *through, *includes_start);
                    *to
                }
                Operation::AlongBack { .. } => continue,
                Operation::Repeat(count) => {
                    let (repeated, rest) = stage.operations[at..].split_at(*count as usize);
                    at += *count as usize;
                    if self.repeat(repeated, rest, stage.accept, place)? {
                        return Ok(true);
                    }
                    continue;
                }
            };
            if stage.accept == Some(filled) && !self.load(base, filled).is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Repeats transfers until they add nothing, or something is accepted, which it says.
    fn repeat(
        &mut self,
        operations: &[Operation],
        rest: &[Operation],
        accept: Option<Slot>,
        place: Place,
    ) -> Result<bool, Fault> {
        let mut grows = true;
        while grows {
            grows = false;
            self.count_tries(operations.len() as u64, None)?;
            for operation in operations {
                let Operation::Transfer(transfer) = operation else { continue };
                grows |= self.transfer(transfer, place)?;
                if accept == Some(transfer.to) && !self.load(place.base, transfer.to).is_empty() {
                    return Ok(true);
                }
            }
            // PERF: most patterns with a loop (a group that has a liberty, a chain that touches a side) succeed near where
            // they start, so what leaves the loop for acceptance is asked every time.
            if accept.is_some() && self.leaves(rest, accept, place)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a simple transfer leads from what has been reached so far to acceptance.
    fn leaves(
        &mut self,
        rest: &[Operation],
        accept: Option<Slot>,
        place: Place,
    ) -> Result<bool, Fault> {
        for operation in rest {
            if let Operation::Transfer(transfer) = operation
                && Some(transfer.to) == accept
                && matches!(transfer.how, How::Same | How::On(_) | How::At(_) | How::Shift(_))
                && self.transfer(transfer, place)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Does what an edge does to a slot; says whether the slot it leads to has grown.
    #[inline]
    fn transfer(&mut self, transfer: &Transfer, place: Place) -> Result<bool, Fault> {
        let from: Bits<W> = self.load(place.base, transfer.from);
        if from.is_empty() {
            return Ok(false);
        }
        // PERF: what is done most is done here, the rest behind a call.
        let mut arrived = match transfer.how {
            How::Same => from,
            How::On(set) => from.and(self.on(set)),
            How::At(set) => from.and(self.tables.square_set(set)),
            How::Shift(direction) => self.tables.shift(direction, from),
            How::Except(slot) => from.without(self.load(place.base, slot)),
            How::Everywhere(set) => self.tables.square_set(set),
            How::Walk(table) => match place.cursor.filter(|_| transfer.from == CURSOR) {
                Some(cursor) => self.tables.walk(table.0, cursor),
                None => self.tables.walk_set(table.0, from),
            },
            _ => self.arrivals(from, transfer, place)?,
        };
        if let Some(guard) = transfer.guard {
            arrived = arrived.and(self.on(guard));
        }
        let before: Bits<W> = self.load(place.base, transfer.to);
        self.store(place.base, transfer.to, before.or(arrived));
        Ok(!arrived.without(before).is_empty())
    }

    /// Where squares arrive, whatever is done.
    pub(super) fn arrivals(
        &mut self,
        from: Bits<W>,
        transfer: &Transfer,
        place: Place,
    ) -> Result<Bits<W>, Fault> {
        Ok(match transfer.how {
            How::Same => from,
            How::Except(slot) => from.without(self.load(place.base, slot)),
            How::On(set) => from.and(self.on(set)),
            How::At(set) => from.and(self.tables.square_set(set)),
            How::Shift(direction) => self.tables.shift(direction, from),
            How::Walk(table) => match place.cursor.filter(|_| transfer.from == CURSOR) {
                Some(cursor) => self.tables.walk(table.0, cursor),
                None => self.tables.walk_set(table.0, from),
            },
            How::Everywhere(set) => self.tables.square_set(set),
            How::If(pair) => {
                if self.holds(pair, Square(0)) {
                    from
                } else {
                    Bits::EMPTY
                }
            }
            How::IfEach(pair) => {
                self.filter(from, |search, square| Ok(search.holds(pair, square)))?
            }
            How::Check(pattern, expected) => {
                let code = self.segments.patterns[pattern];
                let top = place.top;
                if code.is_anywhere {
                    let found = self.check(code.stage, code.is_quiet, 0, top)?;
                    if found == expected { from } else { Bits::EMPTY }
                } else {
                    self.filter(from, |search, square| {
                        Ok(search.check(code.stage, code.is_quiet, square.0, top)? == expected)
                    })?
                }
            }
            How::CheckAll(pattern, expected) => {
                let survey = self.segments.patterns[pattern].survey;
                let succeeds =
                    self.survey(survey.expect("only what can be surveyed is"), place.top)?;
                if expected { from.and(succeeds) } else { from.without(succeeds) }
            }
            How::ShiftBack(direction) => self.tables.shift_back(direction, from),
            How::WalkBack(table) => self.tables.walk_back(table.0, from),
            How::FromEverywhere(set) => {
                let there = !from.and(self.tables.square_set(set)).is_empty();
                if there { self.tables.all_squares() } else { Bits::EMPTY }
            }
            How::RecallBack(register) => {
                let square = self.scratch.state.register(&self.referee.layout, register);
                if from.contains(square.0) { self.tables.all_squares() } else { Bits::EMPTY }
            }
            How::Recall(register) => {
                Bits::single(self.scratch.state.register(&self.referee.layout, register).0)
            }
            How::Jump(pair) => {
                let mut reached = Bits::EMPTY;
                for square in from.each() {
                    if let Some(target) = self.jump(pair, Square(square)) {
                        reached = reached.or(Bits::single(target.0));
                    }
                }
                reached
            }
        })
    }

    /// The squares for which a test holds.
    fn filter(
        &mut self,
        from: Bits<W>,
        mut test: impl FnMut(&mut Self, Square) -> Result<bool, Fault>,
    ) -> Result<Bits<W>, Fault> {
        let mut passed = Bits::EMPTY;
        self.count_tries(u64::from(from.count()), None)?;
        for square in from.each() {
            if test(self, Square(square))? {
                passed = passed.or(Bits::single(square));
            }
        }
        Ok(passed)
    }

    /// Whether a pattern succeeds from a square.
    fn check(
        &mut self,
        stage: u32,
        is_quiet: bool,
        square: u32,
        base: usize,
    ) -> Result<bool, Fault> {
        self.count_tries(1, None)?;
        if is_quiet {
            let stage = &self.segments.stages[stage as usize];
            return self.compute(stage, square, base);
        }
        self.run(stage, square, base, true, &mut Nobody)
    }

    /// All squares where a pattern succeeds, or from which a stage leads anywhere.
    pub(super) fn survey(&mut self, survey: u32, base: usize) -> Result<Bits<W>, Fault> {
        let segments = self.segments;
        let survey = &segments.surveys[survey as usize];
        let top = base + survey.slots as usize * W;
        if self.scratch.slots.len() < top {
            self.scratch.slots.resize(top, 0);
        }
        self.scratch.slots[base..top].fill(0);
        for &accept in &survey.accept {
            self.store(base, accept, self.tables.all_squares());
        }
        let place = Place { base, top, cursor: None };
        let mut operations = survey.operations.iter();
        while let Some(operation) = operations.next() {
            match operation {
                Operation::Transfer(transfer) => {
                    self.transfer(transfer, place)?;
                }
                Operation::Repeat(count) => {
                    let (repeated, rest) = operations.as_slice().split_at(*count as usize);
                    operations = rest.iter();
                    self.repeat(repeated, &[], None, place)?;
                }
                Operation::AlongBack { ray, from, to, through, includes_start } => {
                    self.along_back(place, *ray, *from, *to, *through, *includes_start);
                }
                // Surveys go against the arrows, and nothing is left out.
                Operation::Along { .. } | Operation::Skip(..) => {}
            }
        }
        Ok(self.load(base, survey.start))
    }

    /// Goes along the lines from every square of a slot.
    #[inline]
    pub(super) fn along(
        &mut self,
        place: Place,
        ray: u32,
        from: Slot,
        to: Slot,
        through: u32,
        includes_start: bool,
    ) {
        let starts: Bits<W> = self.load(place.base, from);
        if starts.is_empty() {
            return;
        }
        let through = self.on(through);
        let ascends = self.tables.ray_ascends[ray as usize];
        let mut reached: Bits<W> = self.load(place.base, to);
        if !starts.is_at_most(FEW) {
            let standing = if includes_start { starts.and(through) } else { starts };
            let standing = self.tables.ray_fill(ray, standing, through);
            reached = reached.or(self.tables.ray_step(ray, standing));
            let reached = if includes_start { reached.or(starts) } else { reached };
            self.store(place.base, to, reached);
            return;
        }
        for square in starts.each() {
            let mut line = self.tables.ray(ray, square);
            if includes_start {
                line = line.or(Bits::single(square));
            }
            let stops = line.without(through);
            let line = if ascends { line.up_to_lowest(stops) } else { line.down_to_highest(stops) };
            reached = reached.or(line);
        }
        self.store(place.base, to, reached);
    }

    /// Goes against the lines that lead to the squares of a slot.
    fn along_back(
        &mut self,
        place: Place,
        ray: u32,
        from: Slot,
        to: Slot,
        through: u32,
        includes_start: bool,
    ) {
        let leads: Bits<W> = self.load(place.base, from);
        if leads.is_empty() {
            return;
        }
        let leads = self.tables.ray_fill_back(ray, leads, self.on(through));
        let starts = if includes_start { leads } else { self.tables.ray_back(ray, leads) };
        let before: Bits<W> = self.load(place.base, to);
        self.store(place.base, to, before.or(starts));
    }

    fn holds(&self, pair: u32, cursor: Square) -> bool {
        let Pair { left, relation, right } = &self.segments.pairs[pair as usize];
        let value = |expression| self.referee.value(expression, &self.scratch.state, cursor);
        value(left).zip(value(right)).is_some_and(|(left, right)| relation.holds(left, right))
    }

    fn jump(&self, pair: u32, cursor: Square) -> Option<Square> {
        let Pair { left: x, right: y, .. } = &self.segments.pairs[pair as usize];
        let value = |expression| self.referee.value(expression, &self.scratch.state, cursor);
        let place = (i32::try_from(value(x)?).ok()?, i32::try_from(value(y)?).ok()?);
        self.referee.automaton.board.square_at(place.0, place.1)
    }

    #[inline]
    pub(super) fn on(&self, set: u32) -> Bits<W> {
        self.tables.on(&self.scratch.state, set)
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

/// From so many squares lines are gone along one by one.
const FEW: usize = 3;

/// Where a stage's slots are, where free memory begins, and the cursor when its slot holds nothing else.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) base: usize,
    pub(super) top: usize,
    pub(super) cursor: Option<u32>,
}
