//! Doing operations: the loop in which most time is spent.

use regulus_automaton::Square;

use super::code::{CodeBlock, Pace, SMALL, SetOp, SetOpKind};
use super::search::{PlanSearch, Scratch, Surveyed, Workspace};
use super::tables::SetView;
use crate::bits::Bits;
use crate::fault::GaveUp;
use crate::segment::{CURSOR, Slot, TransferKind};

/// The result of a survey with at least this many operations is kept until something is written.
const WORTH_KEEPING: usize = 8;

/// Why a sequence of operations stopped.
enum StopReason {
    /// All are done.
    End,
    /// The pattern has succeeded.
    Success,
    /// The one at this place takes more than sets.
    At(usize),
}

impl<const W: usize> PlanSearch<'_, W> {
    /// Computes all slots of a stage from the cursor; in a pattern, stops as soon as it accepts. Returns whether it
    /// accepted.
    pub(super) fn compute(
        &mut self,
        block: &CodeBlock,
        cursor: u32,
        base: usize,
    ) -> Result<bool, GaveUp> {
        let top = base + (block.slots + 1) * W;
        self.clear(base, top);
        self.store(base, CURSOR, Bits::single(cursor));
        if block.accept == Some(CURSOR) {
            return Ok(true);
        }
        self.charge(block.cost)?;
        self.perform(block, Workspace { base, top, cursor })
    }

    /// All squares where a pattern succeeds, or from which a stage leads anywhere.
    pub(super) fn survey(&mut self, survey: u32, base: usize) -> Result<Bits<W>, GaveUp> {
        let code = self.code;
        let block = &code.surveys[survey as usize];
        if block.ops.len() < WORTH_KEEPING {
            return self.survey_now(block, base);
        }
        // PERF: rules ask where a move is possible, and whether none is, which is the same survey. It counts as tried each
        // time, so that limits are reached where they would be without this.
        let before = self.scratch.tries;
        if let Some(surveyed) = self.scratch.surveyed.get(survey as usize)
            && surveyed.changes == self.scratch.changes
            && let Some(rest) = before.checked_sub(surveyed.tries)
        {
            self.scratch.tries = rest;
            return Ok(Bits::load(&surveyed.squares));
        }
        let squares = self.survey_now(block, base)?;
        let Scratch { surveyed, changes, tries, .. } = &mut *self.scratch;
        if surveyed.is_empty() {
            surveyed.resize(code.surveys.len(), Surveyed::default());
        }
        let surveyed = &mut surveyed[survey as usize];
        surveyed.changes = *changes;
        surveyed.tries = before - *tries;
        surveyed.squares.clear();
        surveyed.squares.extend_from_slice(&squares.0);
        Ok(squares)
    }

    fn survey_now(&mut self, block: &CodeBlock, base: usize) -> Result<Bits<W>, GaveUp> {
        let top = base + (block.slots + 1) * W;
        self.charge(block.cost)?;
        self.clear(base, top);
        for &full in &block.full {
            self.store(base, full, self.set(self.tables.all()));
        }
        self.perform(block, Workspace { base, top, cursor: 0 })?;
        Ok(self.load(base, block.results[0]))
    }

    /// Empties the slots between two places.
    pub(super) fn clear(&mut self, base: usize, top: usize) {
        // There is room behind the last slot for every small slot number to be in bounds.
        if self.scratch.slots.len() < top + SMALL * W {
            self.scratch.slots.resize(top + SMALL * W, 0);
        }
        self.scratch.slots[base..top].fill(0);
    }

    /// Does the operations of a block; returns whether a pattern has succeeded.
    fn perform(&mut self, block: &CodeBlock, place: Workspace) -> Result<bool, GaveUp> {
        let mut at = 0;
        loop {
            at = match self.perform_simple(&block.ops, &block.paces, at, place) {
                StopReason::End => return Ok(false),
                StopReason::Success => return Ok(true),
                StopReason::At(at) => at,
            };
            let op = &block.ops[at];
            at += 1;
            match op.act {
                SetOpKind::Repeat { count } => {
                    let (repeated, rest) = block.ops[at..].split_at(count as usize);
                    at += count as usize;
                    if self.repeat(repeated, rest, block, place)? {
                        return Ok(true);
                    }
                }
                SetOpKind::Flood { .. } if self.flood(op, place)? => return Ok(true),
                SetOpKind::Other { transfer } => {
                    let from = self.load(place.base, op.from);
                    if !from.is_empty() {
                        let kind = self.code.transfers[transfer as usize].kind;
                        let arrived = self.search_for(kind, from, place.top)?;
                        self.add(op, place, arrived.and(self.set(op.within)));
                    }
                }
                // Nothing is left to do of a flood, and the others are done with sets alone.
                _ => {}
            }
        }
    }

    /// Does one operation on sets; returns whether a pattern has succeeded by it.
    #[inline(never)]
    fn perform_alone(&mut self, op: SetOp, place: Workspace) -> bool {
        matches!(self.perform_simple(&[op], &[], 0, place), StopReason::Success)
    }

    /// Does operations until one takes more than sets.
    #[inline(always)]
    fn perform_simple(
        &mut self,
        ops: &[SetOp],
        paces: &[Pace],
        mut at: usize,
        place: Workspace,
    ) -> StopReason {
        let scratch = &mut *self.scratch;
        let slots: &mut [[u64; W]] = scratch.slots[place.base..].as_chunks_mut().0;
        let board = SetView::new(self.tables, &scratch.sets);
        while let Some(op) = ops.get(at) {
            at += 1;
            let from = Bits(slots[op.from as usize]);
            // PERF: one decision for each operation, so everything is in one match.
            let arrived = match op.act {
                SetOpKind::Same => from,
                SetOpKind::Step { mask, distance } => from.and(board.set(mask)).moved(distance),
                SetOpKind::Batch { count, paces: first } => {
                    let end = at + count as usize;
                    match (first, slots.first_chunk_mut(), board.sets.first_chunk()) {
                        (Some(first), Some(slots), Some(sets)) => {
                            let first = first as usize;
                            perform_paces(&paces[first..first + count as usize], slots, sets);
                        }
                        _ => perform_steps(&ops[at..end], slots, board.sets),
                    }
                    at = end;
                    continue;
                }
                SetOpKind::Skip { count } => {
                    if from.is_empty() {
                        at += count as usize;
                    }
                    continue;
                }
                SetOpKind::Meets { mask, distance } => {
                    let arrived = from.and(board.set(mask)).moved(distance);
                    if !arrived.and(board.set(op.within)).is_empty() {
                        return StopReason::Success;
                    }
                    continue;
                }
                SetOpKind::Accept => {
                    if !from.is_empty() {
                        return StopReason::Success;
                    }
                    continue;
                }
                SetOpKind::Steps { first, count, rows } => {
                    board.walk(board.tables.strides((first, count)), rows, from)
                }
                SetOpKind::Row { rows, .. } => board.row(rows, place.cursor),
                SetOpKind::Fill { set } => {
                    if from.is_empty() {
                        Bits::EMPTY
                    } else {
                        board.set(set)
                    }
                }
                SetOpKind::Except { other } => from.without(Bits(slots[other as usize])),
                SetOpKind::Star { star, through } => {
                    board.along(&board.tables.stars[star as usize], from, board.set(through))
                }
                SetOpKind::StarBack { star, through } => {
                    board.along_back(&board.tables.stars[star as usize], from, board.set(through))
                }
                SetOpKind::Flood { .. } | SetOpKind::Other { .. } | SetOpKind::Repeat { .. } => {
                    return StopReason::At(at - 1);
                }
            };
            let to = &mut slots[op.to as usize];
            *to = Bits(*to).or(arrived.and(board.set(op.within))).0;
        }
        StopReason::End
    }

    /// Does one operation that adds to a slot; returns whether it did add something.
    #[inline]
    fn perform_one(&mut self, op: &SetOp, place: Workspace) -> Result<bool, GaveUp> {
        let arrived = self.arrivals(op, place)?.and(self.set(op.within));
        Ok(self.add(op, place, arrived))
    }

    /// Adds squares to the slot of an operation; returns whether there are more then.
    #[inline]
    pub(super) fn add(&mut self, op: &SetOp, place: Workspace, arrived: Bits<W>) -> bool {
        let before: Bits<W> = self.load(place.base, op.to);
        self.store(place.base, op.to, before.or(arrived));
        !arrived.without(before).is_empty()
    }

    /// What arrives, whether or not it takes a search.
    #[inline]
    pub(super) fn arrivals(&mut self, op: &SetOp, place: Workspace) -> Result<Bits<W>, GaveUp> {
        let from: Bits<W> = self.load(place.base, op.from);
        if let SetOpKind::Other { transfer } = op.act {
            if from.is_empty() {
                return Ok(Bits::EMPTY);
            }
            return self.search_for(self.code.transfers[transfer as usize].kind, from, place.top);
        }
        if let SetOpKind::Same = op.act {
            return Ok(from);
        }
        // The slot behind the others is free.
        let to = (place.top - place.base) / W - 1;
        self.store(place.base, to as Slot, Bits::EMPTY);
        self.perform_alone(SetOp { to: to as Slot, within: self.tables.all(), ..*op }, place);
        Ok(self.load(place.base, to as Slot))
    }

    /// Repeats operations until they add nothing, or something is accepted, which it says.
    #[inline(never)]
    fn repeat(
        &mut self,
        repeated: &[SetOp],
        rest: &[SetOp],
        block: &CodeBlock,
        place: Workspace,
    ) -> Result<bool, GaveUp> {
        let mut grows = true;
        while grows {
            grows = false;
            self.charge(repeated.len() as u64)?;
            for op in repeated {
                grows |= self.perform_one(op, place)?;
                if block.accept == Some(op.to) && !self.load(place.base, op.to).is_empty() {
                    return Ok(true);
                }
            }
            // PERF: most patterns with a loop (a group that has a liberty, a chain that touches a side) succeed near where
            // they start, so what leaves the loop for acceptance is asked every time.
            let mut tests = rest.iter().filter(|op| matches!(op.act, SetOpKind::Meets { .. }));
            if tests.any(|test| self.perform_alone(*test, place)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Goes by steps over a set until nothing is added or a pattern has succeeded, which it says.
    #[inline(never)]
    fn flood(&mut self, op: &SetOp, place: Workspace) -> Result<bool, GaveUp> {
        let SetOpKind::Flood { first, count, rows, succeeds } = op.act else { return Ok(false) };
        let strides = self.tables.strides((first, count));
        let mut reached: Bits<W> = self.load(place.base, op.from);
        let is_one = op.from == op.to;
        let mut led: Bits<W> = if is_one { reached } else { self.load(place.base, op.to) };
        let mut latest = reached;
        loop {
            self.charge(1)?;
            let board = SetView::new(self.tables, &self.scratch.sets);
            let within = board.set(op.within);
            let next = board.walk(strides, rows, latest);
            led = led.or(if is_one { next.and(within) } else { next });
            if !led.and(board.set(succeeds)).is_empty() {
                return Ok(true);
            }
            latest = led.and(within).without(reached);
            if latest.is_empty() {
                break;
            }
            reached = reached.or(latest);
        }
        self.store(place.base, op.from, reached);
        if !is_one {
            self.store(place.base, op.to, led);
        }
        Ok(false)
    }

    /// Where squares arrive by what is not computed with sets alone. Memory from `top` on is free.
    #[inline]
    fn search_for(
        &mut self,
        kind: TransferKind,
        from: Bits<W>,
        top: usize,
    ) -> Result<Bits<W>, GaveUp> {
        Ok(match kind {
            TransferKind::If(pair) => {
                if self.holds(pair, Square(0)) {
                    from
                } else {
                    Bits::EMPTY
                }
            }
            TransferKind::IfEach(pair) => {
                self.filter(from, |search, square| Ok(search.holds(pair, square)))?
            }
            TransferKind::Check(pattern, expected) => {
                let code = self.segments.patterns[pattern];
                if code.is_anywhere {
                    let found = self.check(code.stage, code.is_quiet, 0, top)?;
                    if found == expected { from } else { Bits::EMPTY }
                } else {
                    self.filter(from, |search, square| {
                        Ok(search.check(code.stage, code.is_quiet, square.0, top)? == expected)
                    })?
                }
            }
            TransferKind::CheckAll(pattern, expected) => {
                let survey = self.segments.patterns[pattern].survey;
                let succeeds = self.survey(survey.expect("only what can be surveyed is"), top)?;
                if expected { from.and(succeeds) } else { from.without(succeeds) }
            }
            TransferKind::FromEverywhere(set) => {
                let there = !from.and(self.set(self.tables.square_set(set))).is_empty();
                if there { self.set(self.tables.all()) } else { Bits::EMPTY }
            }
            TransferKind::RecallBack(register) => {
                let square = self.scratch.state.register(&self.referee.layout, register);
                if from.contains(square.0) { self.set(self.tables.all()) } else { Bits::EMPTY }
            }
            TransferKind::Recall(register) => {
                Bits::single(self.scratch.state.register(&self.referee.layout, register).0)
            }
            TransferKind::Jump(pair) => {
                let targets = from.each().filter_map(|square| self.jump(pair, Square(square)));
                targets.fold(Bits::EMPTY, |reached, square| reached.or(Bits::single(square.0)))
            }
            // The others are computed with sets.
            TransferKind::Same
            | TransferKind::On(_)
            | TransferKind::At(_)
            | TransferKind::Shift(_)
            | TransferKind::Walk(_)
            | TransferKind::Everywhere(_)
            | TransferKind::Except(_)
            | TransferKind::ShiftBack(_)
            | TransferKind::WalkBack(_) => Bits::EMPTY,
        })
    }

    /// The squares for which a test holds.
    fn filter(
        &mut self,
        from: Bits<W>,
        mut test: impl FnMut(&mut Self, Square) -> Result<bool, GaveUp>,
    ) -> Result<Bits<W>, GaveUp> {
        let mut passed = Bits::EMPTY;
        for square in from.each() {
            self.charge(1)?;
            if test(self, Square(square))? {
                passed = passed.or(Bits::single(square));
            }
        }
        Ok(passed)
    }
}

/// Does steps with small numbers.
// PERF: any number is one of a slot or a set, so nothing is asked; by itself, so that everything stays in registers.
#[inline(never)]
fn perform_paces<const W: usize>(
    paces: &[Pace],
    slots: &mut [[u64; W]; SMALL],
    sets: &[[u64; W]; SMALL],
) {
    for pace in paces {
        let (from, mask) = (Bits(slots[pace.from as usize]), Bits(sets[pace.mask as usize]));
        let arrived = from.and(mask).moved(pace.distance).and(Bits(sets[pace.within as usize]));
        let to = &mut slots[pace.to as usize];
        *to = Bits(*to).or(arrived).0;
    }
}

/// Does operations all of which are steps.
// PERF: by itself, so that everything stays in registers.
#[inline(never)]
fn perform_steps<const W: usize>(ops: &[SetOp], slots: &mut [[u64; W]], sets: &[[u64; W]]) {
    for op in ops {
        let SetOpKind::Step { mask, distance } = op.act else { continue };
        let (from, mask) = (Bits(slots[op.from as usize]), Bits(sets[mask as usize]));
        let arrived = from.and(mask).moved(distance).and(Bits(sets[op.within as usize]));
        let to = &mut slots[op.to as usize];
        *to = Bits(*to).or(arrived).0;
    }
}
