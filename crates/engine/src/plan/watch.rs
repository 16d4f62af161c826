//! Watches: a pattern evaluated once, with the squares on which its answer depends.

use regulus_automaton::{Action, Square};

use super::code::{SetOp, SetOpKind};
use super::search::{PlanSearch, Workspace};
use crate::bits::Bits;
use crate::fault::GaveUp;
use crate::segment::{CURSOR, Guard, Stage};

/// What watches have seen.
#[derive(Debug, Default)]
pub(super) struct Watches {
    /// Bits for the watches on whose squares something was put since they were evaluated.
    pub(super) unsettled: u64,
    /// For each watch what it saw before the move.
    seen: Vec<WatchResult>,
    /// What a watch saw last on the way.
    here: WatchResult,
}

/// What one evaluation of a pattern found out.
#[derive(Clone, Debug, Default)]
struct WatchResult {
    succeeds: bool,
    /// For each class of pieces the squares where one of them could change the answer.
    matters: Vec<u64>,
}

impl<const W: usize> PlanSearch<'_, W> {
    /// Evaluates the watches that the moves from a stage on may ask.
    #[inline]
    pub(super) fn begin_watches(&mut self, stage: u32) -> Result<(), GaveUp> {
        let segments = self.segments;
        self.scratch.watches.unsettled = 0;
        for &watch in &segments.stages[stage as usize].watches {
            let seen = &mut self.scratch.watches.seen;
            if seen.len() <= watch as usize {
                seen.resize_with(watch as usize + 1, WatchResult::default);
            }
            let mut seen = std::mem::take(&mut seen[watch as usize]);
            let evaluated = self.evaluate(watch, &mut seen, 0);
            self.scratch.watches.seen[watch as usize] = seen;
            evaluated?;
        }
        Ok(())
    }

    /// Notes the watches that a write unsettles.
    #[inline]
    pub(super) fn unsettle(&mut self, next: &Stage, action: &Action, square: Square) {
        for &watch in &next.watches {
            let matters = match action {
                Action::Put(piece) => {
                    let class = self.segments.watches[watch as usize].class_of[*piece];
                    let seen = &self.scratch.watches.seen[watch as usize];
                    let matters = Bits::<W>::load(&seen.matters[class as usize * W..]);
                    matters.contains(square.0)
                }
                Action::PutHeld(_) => true,
                _ => false,
            };
            self.scratch.watches.unsettled |= u64::from(matters) << watch;
        }
    }

    /// The squares where a guarded exit surely ends the move, and those where it must be tried. Memory from `top` on is
    /// free.
    #[inline]
    pub(super) fn ask_watch(
        &mut self,
        guard: &Guard,
        squares: Bits<W>,
        top: usize,
    ) -> Result<(Bits<W>, Bits<W>), GaveUp> {
        let watch = guard.watch;
        if let Some(anchor) = self.segments.watches[watch as usize].anchor
            && let Some(piece) = guard.piece
            && self.segments.piece_sets[anchor.pieces as usize].contains(piece)
            && self.set(anchor.pieces).is_empty()
            && !guard.is_lone
        {
            let succeeds = self.survey(anchor.survey, top)?;
            return Ok((squares.without(succeeds), Bits::EMPTY));
        }
        let is_unsettled = self.scratch.watches.unsettled >> watch & 1 == 1;
        if is_unsettled && guard.is_lone {
            return Ok((Bits::EMPTY, squares));
        }
        if is_unsettled {
            let mut here = std::mem::take(&mut self.scratch.watches.here);
            let evaluated = self.evaluate(watch, &mut here, top);
            self.scratch.watches.here = here;
            evaluated?;
        }
        let watches = &self.scratch.watches;
        let seen = if is_unsettled { &watches.here } else { &watches.seen[watch as usize] };
        let matters = guard.piece.map_or(Bits::EMPTY, |piece| {
            let class = self.segments.watches[watch as usize].class_of[piece];
            Bits::load(&seen.matters[class as usize * W..])
        });
        let sure = if seen.succeeds { Bits::EMPTY } else { squares.without(matters) };
        Ok((sure, squares.and(matters)))
    }

    fn evaluate(&mut self, watch: u32, seen: &mut WatchResult, base: usize) -> Result<(), GaveUp> {
        let (code, info) = (self.code, &self.segments.watches[watch as usize]);
        let block = &code.watched[watch as usize];
        let top = base + (block.slots + 1) * W;
        self.charge(block.cost)?;
        self.clear(base, top);
        self.store(base, CURSOR, Bits::single(0));
        // Where a test failed that the pieces of a class pass, then where one passed that they do not.
        let classes = info.classes as usize;
        seen.matters.clear();
        seen.matters.resize(classes * 2 * W, 0);
        let place = Workspace { base, top, cursor: 0 };
        let mut at = 0;
        while let Some(op) = block.ops.get(at) {
            at += 1;
            match op.act {
                SetOpKind::Skip { count } => {
                    if self.load(base, op.from).is_empty() {
                        at += count as usize;
                    }
                }
                SetOpKind::Repeat { count } => {
                    let repeated = &block.ops[at..at + count as usize];
                    at += count as usize;
                    let mut grows = true;
                    while grows {
                        grows = false;
                        self.charge(u64::from(count))?;
                        for op in repeated {
                            grows |= self.watch_op(watch, op, place, seen)?;
                        }
                    }
                }
                _ => {
                    self.watch_op(watch, op, place, seen)?;
                }
            }
        }
        seen.succeeds = block.results.iter().any(|&accept| !self.load(base, accept).is_empty());
        if seen.succeeds {
            seen.matters.copy_within(classes * W.., 0);
        }
        seen.matters.truncate(classes * W);
        Ok(())
    }

    /// Does an operation, noting where tests passed and failed; returns whether its slot has grown.
    fn watch_op(
        &mut self,
        watch: u32,
        op: &SetOp,
        place: Workspace,
        seen: &mut WatchResult,
    ) -> Result<bool, GaveUp> {
        let mut arrived = self.arrivals(op, place)?;
        if op.within != self.tables.all() && !arrived.is_empty() {
            arrived = self.watch_test(watch, arrived, op.within, seen);
        }
        Ok(self.add(op, place, arrived))
    }

    fn watch_test(&self, watch: u32, tested: Bits<W>, set: u32, seen: &mut WatchResult) -> Bits<W> {
        let info = &self.segments.watches[watch as usize];
        let passed = tested.and(self.set(set));
        let failed = tested.without(passed);
        for &class in &info.asked {
            let (place, squares) = if info.passes(class, set) {
                (class as usize * W, failed)
            } else {
                ((info.classes + class) as usize * W, passed)
            };
            let matters = &mut seen.matters[place..place + W];
            Bits::<W>::load(matters).or(squares).store(matters);
        }
        passed
    }
}
