//! Code for writes behind which nothing is left but checks and the end of the move, on the same square: the squares where
//! the checks agree are gathered, and the moves recorded together.

use cranelift_codegen::ir::Value;
use regulus_automaton::Modifier;
use regulus_engine::segment::{
    CURSOR, Continuation, Exit, Operation, Stage, Transfer, TransferKind,
};

use super::body::Body;
use super::known::slots_on_cursor;
use super::operations::Start;
use super::sets::Set;
use super::slots::Slots;
use super::write::Hash;
use super::{CodePurpose, Shape};

/// How many operations the checks may be.
const MAX_OPERATIONS: usize = 16;

impl<'c> Body<'_, 'c, '_> {
    /// Whether the moves behind an exit can be gathered.
    pub(super) fn is_gathered(&self, exit: &Exit) -> bool {
        let next = &self.segments().stages[exit.stage as usize];
        let on_cursor = slots_on_cursor(next);
        let ends_here = |end: &Exit| {
            on_cursor[end.slot as usize] && matches!(end.continuation, Continuation::Finish(_))
        };
        let is_quiet = |operation: &Operation| match operation {
            Operation::Transfer(Transfer { kind: TransferKind::Check(pattern, _), .. }) => {
                !self.can_give_up(self.segments().patterns[*pattern])
            }
            _ => true,
        };
        self.compiler.purpose == CodePurpose::Play
            && self.compiler.watches_of[exit.stage as usize].is_empty()
            && next.keeps_cursor
            && next.operations.len() <= MAX_OPERATIONS
            && next.operations.iter().all(is_quiet)
            && next.exits.iter().all(ends_here)
    }

    /// Tries the writes of an exit, and records the moves behind them.
    pub(super) fn gather(
        &mut self,
        exit: &'c Exit,
        modifier: Modifier,
        squares: &Set,
        path: Value,
    ) -> Option<()> {
        let next = &self.segments().stages[exit.stage as usize];
        let Some((usual, others)) = next.exits.split_first() else { return Some(()) };
        let gathered = self.sets.variable();
        let empty = self.sets.empty();
        self.sets.assign(&gathered, &empty);
        let shape = |end: &Exit| match end.continuation {
            Continuation::Finish(finish) => Some(Shape { first: Some((modifier, 0)), finish }),
            _ => None,
        };
        self.each(squares, |body, square| {
            body.count_try(exit);
            let fails = body.sets.b.create_block();
            let replaced = body.write_action(&exit.action, square, fails, Hash::Leave)?;
            let ends = body.ends_on(next, square)?;
            body.undo(replaced, Hash::Leave);
            let before = body.sets.read(&gathered);
            let both = body.sets.or(&before, &ends[usual.slot as usize]);
            body.sets.assign(&gathered, &both);
            for end in others {
                // Moves keep their order: those gathered so far come first.
                body.if_any(&ends[end.slot as usize], |body| {
                    let before = body.sets.read(&gathered);
                    body.end_moves(path, shape(usual)?, &before)?;
                    let empty = body.sets.empty();
                    body.sets.assign(&gathered, &empty);
                    body.end_moves(path, shape(end)?, &ends[end.slot as usize])
                })?;
            }
            body.go_to(fails);
            Some(())
        })?;
        let all = self.sets.read(&gathered);
        self.end_moves(path, shape(usual)?, &all)
    }

    /// Returns all slots of a stage that begins on a square.
    fn ends_on(&mut self, stage: &'c Stage, square: Value) -> Option<Vec<Set>> {
        let slots = Slots::of_stage(self.automaton(), self.segments(), stage);
        self.with_slots(slots, |body| {
            body.on_changed_board(|body| {
                let start = body.sets.single(square);
                body.set(CURSOR, &start);
                let start = Start { cursor: Some((CURSOR, square)), ..Start::default() };
                body.stage_operations(&stage.operations, start)?;
                Some((0..stage.slots).map(|slot| body.get(slot)).collect())
            })
        })
    }
}
