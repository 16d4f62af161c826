//! Patterns paced out square by square. On wide boards that is faster than with whole sets when all begins on one square and
//! every step leads to one square: most ways end after a step or two.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use regulus_engine::segment::{CURSOR, Operation, Slot, Stage, Transfer, TransferKind};

use super::body::Body;
use super::sets::{bytes, constants};
use crate::context::status;
use crate::tables::{NOWHERE, WIDE};

/// How many steps there may be, each way counted for itself.
const MAX_STEPS: usize = 128;

impl<'c> Body<'_, 'c, '_> {
    /// Whether a pattern's stage can be paced out, and should be.
    pub(super) fn is_paced(&self, stage: &Stage) -> bool {
        let single = |operation: &Operation| match operation {
            Operation::Transfer(Transfer { kind, guard, .. }) => {
                let is_step = match kind {
                    TransferKind::Same | TransferKind::Shift(_) => true,
                    TransferKind::On(pieces) => self.can_ask(*pieces),
                    TransferKind::Walk(table) => {
                        self.compiler.tables.next_of_walk(*table).is_some()
                    }
                    _ => false,
                };
                is_step && guard.is_none_or(|guard| self.can_ask(guard))
            }
            Operation::Along { through, .. } => self.can_ask(*through),
            Operation::Skip(..) => true,
            Operation::AlongBack { .. } | Operation::Repeat(_) => false,
        };
        self.sets.words >= WIDE
            && stage.exits.is_empty()
            && stage.accept.is_some_and(|accept| accept != CURSOR)
            && stage.operations.iter().all(single)
            && self.count_steps(stage, CURSOR, 0, false).is_some()
    }

    /// Whether a piece can be asked whether it belongs to a set.
    fn can_ask(&self, pieces: u32) -> bool {
        let set = &self.segments().piece_sets[pieces as usize];
        set.len() == 1 || self.automaton().pieces.len() <= 64
    }

    /// How many steps lead on from a slot; `None` if there are too many, or two lines one after the other.
    fn count_steps(
        &self,
        stage: &Stage,
        slot: Slot,
        before: usize,
        was_along: bool,
    ) -> Option<usize> {
        let mut count = before;
        for operation in leading_on(stage, slot) {
            count += 1;
            if count > MAX_STEPS {
                return None;
            }
            let is_along = matches!(operation, Operation::Along { .. });
            if is_along && was_along {
                return None;
            }
            count = self.count_steps(stage, target(operation)?, count, was_along || is_along)?;
        }
        Some(count)
    }

    /// Paces a pattern out; the function answers.
    pub(super) fn pace(&mut self, stage: &'c Stage) -> Option<()> {
        let found = self.sets.b.create_block();
        let cursor = self.frame.parameters[2];
        self.pace_from(stage, CURSOR, cursor, found)?;
        self.answer(status::NO);
        self.sets.b.seal_block(found);
        self.sets.b.switch_to_block(found);
        self.answer(status::YES);
        Some(())
    }

    /// Goes wherever a square of a slot leads; to `found` when the pattern succeeds.
    fn pace_from(
        &mut self,
        stage: &'c Stage,
        slot: Slot,
        square: Value,
        found: Block,
    ) -> Option<()> {
        if stage.accept == Some(slot) {
            self.sets.b.ins().jump(found, &[]);
            self.begin_what_never_comes();
            return Some(());
        }
        for operation in leading_on(stage, slot) {
            let next = self.sets.b.create_block();
            match operation {
                Operation::Transfer(Transfer { kind, to, guard, .. }) => {
                    let tables = self.compiler.tables;
                    let there = match kind {
                        TransferKind::Shift(direction) => {
                            self.step_to(tables.next_of_shift(*direction)?, square, next)
                        }
                        TransferKind::Walk(table) => {
                            self.step_to(tables.next_of_walk(*table)?, square, next)
                        }
                        TransferKind::On(pieces) => {
                            self.leave_unless_on(square, *pieces, next);
                            square
                        }
                        _ => square,
                    };
                    if let Some(guard) = guard {
                        self.leave_unless_on(there, *guard, next);
                    }
                    self.pace_from(stage, *to, there, found)?;
                }
                Operation::Along { ray, to, through, includes_start, .. } => {
                    if *includes_start {
                        self.pace_from(stage, *to, square, found)?;
                        self.leave_unless_on(square, *through, next);
                    }
                    let head = self.sets.b.create_block();
                    let at = self.sets.b.append_block_param(head, I64);
                    self.sets.b.ins().jump(head, &[square.into()]);
                    self.sets.b.switch_to_block(head);
                    let there = self.step_to(self.compiler.tables.next_of_ray(*ray)?, at, next);
                    self.pace_from(stage, *to, there, found)?;
                    self.leave_unless_on(there, *through, next);
                    self.sets.b.ins().jump(head, &[there.into()]);
                    self.sets.b.seal_block(head);
                    self.begin_what_never_comes();
                }
                _ => {}
            }
            self.go_to(next);
        }
        Some(())
    }

    /// The square one step further; leaves for `none` when there is none.
    fn step_to(&mut self, table: i64, square: Value, none: Block) -> Value {
        let table = self.sets.number(table);
        let at = self.sets.b.ins().ishl_imm_s(square, 1);
        let at = self.sets.b.ins().iadd(table, at);
        let there = self.sets.b.ins().uload16(I64, constants(), at, 0);
        let is_none = self.sets.b.ins().icmp_imm_s(IntCC::Equal, there, i64::from(NOWHERE));
        self.leave_if(is_none, none);
        there
    }

    fn leave_unless_on(&mut self, square: Value, pieces: u32, leave: Block) {
        let set = &self.segments().piece_sets[pieces as usize];
        let at = self.sets.b.ins().iadd(self.state, square);
        let piece = self.sets.b.ins().uload8(I64, bytes(), at, 0);
        let mut members = set.iter();
        let is_other = match (members.next(), members.next()) {
            (Some(only), None) => {
                self.sets.b.ins().icmp_imm_s(IntCC::NotEqual, piece, i64::from(only.0))
            }
            _ => {
                let others = self.automaton().pieces.keys().filter(|&piece| !set.contains(piece));
                let others = others.fold(0_u64, |mask, piece| mask | 1 << piece.0);
                let others = self.sets.number(others as i64);
                let others = self.sets.b.ins().ushr(others, piece);
                self.sets.b.ins().band_imm_s(others, 1)
            }
        };
        self.leave_if(is_other, leave);
    }
}

/// The operations that lead on from a slot.
fn leading_on(stage: &Stage, slot: Slot) -> impl Iterator<Item = &Operation> {
    stage.operations.iter().filter(move |operation| match operation {
        Operation::Transfer(transfer) => transfer.from == slot,
        Operation::Along { from, .. } => *from == slot,
        _ => false,
    })
}

fn target(operation: &Operation) -> Option<Slot> {
    match operation {
        Operation::Transfer(transfer) => Some(transfer.to),
        Operation::Along { to, .. } => Some(*to),
        _ => None,
    }
}
