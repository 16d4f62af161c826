//! Code that plays the steps of a move.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{BlockCall, InstBuilder, JumpTableData};
use regulus_automaton::Action;

use regulus_engine::Rules as _;

use super::FunctionKind;
use super::body::Body;
use super::frame::Targets;
use super::sets::words;
use crate::context::status;

impl Body<'_, '_, '_> {
    /// The function that plays a move of a shape, and what the keeper does after it: context, state, the square it ends on,
    /// where the steps on the way begin and end. Answers as the one for all steps does.
    pub(super) fn finish_move(&mut self, shape: u32) -> Option<()> {
        let [square, start, end] = self.frame.parameters[2..].try_into().ok()?;
        let shape = self.compiler.shapes[shape as usize];
        let way = self.sets.b.ins().bxor(start, end);
        self.if_any(&vec![Some(way)], |body| {
            // The steps on the way are writes that were tried.
            body.call(FunctionKind::QuickExecute, &[start, end]);
            Some(())
        })?;
        if let Some((first, distance)) = shape.first {
            let (action, _) = self.compiler.plan.referee().modifiers[first].as_ref()?;
            let square = self.sets.b.ins().iadd_imm_s(square, -i64::from(distance));
            self.write_infallible_and_keep(action, square)?;
        }
        let (after, done) = (self.sets.b.create_block(), self.sets.b.create_block());
        self.sets.b.append_block_param(after, I64);
        let targets = Targets { answer: after, turn: Some(done) };
        self.leading_to(targets, |body| {
            body.finish(shape.finish, square)?;
            body.answer(status::YES);
            Some(())
        })?;
        self.arrive(after);
        // No player is in control yet.
        let status = self.call(FunctionKind::Keep, &[]);
        self.return_unless_zero(status);
        self.go_to(done);
        self.answer(status::YES);
        Some(())
    }

    /// The function that plays steps, and what the keeper does after them: context, state, where they begin and end. Answers
    /// whether they were a move, or that the keeper reached a limit after the moves it has made.
    pub(super) fn execute(&mut self) -> Option<()> {
        let (start, end) = (self.frame.parameters[2], self.frame.parameters[3]);
        let (head, one, fails) =
            (self.sets.b.create_block(), self.sets.b.create_block(), self.sets.b.create_block());
        let at = self.sets.b.append_block_param(head, I64);
        self.sets.b.ins().jump(head, &[start.into()]);
        self.sets.b.switch_to_block(head);
        let more = self.sets.b.ins().icmp(IntCC::UnsignedLessThan, at, end);
        self.sets.b.ins().brif(more, one, &[], fails, &[]);
        self.sets.b.seal_block(one);
        self.sets.b.switch_to_block(one);
        let step = self.sets.b.ins().load(I64, words(), at, 0);
        let modifier = self.sets.b.ins().ireduce(I32, step);
        let square = self.sets.b.ins().ushr_imm_s(step, 32);
        let next = self.sets.b.ins().iadd_imm_s(at, 8);
        let modifiers = &self.compiler.plan.referee().modifiers;
        let blocks: Vec<_> = modifiers.keys().map(|_| self.sets.b.create_block()).collect();
        let mut call = |block| BlockCall::new(block, [], &mut self.sets.b.func.dfg.value_lists);
        let table: Vec<BlockCall> = blocks.iter().map(|&block| call(block)).collect();
        let table = JumpTableData::new(call(fails), &table);
        let table = self.sets.b.create_jump_table(table);
        self.sets.b.ins().br_table(modifier, table);
        for (block, meaning) in blocks.into_iter().zip(modifiers.values()) {
            self.sets.b.seal_block(block);
            self.sets.b.switch_to_block(block);
            match meaning {
                Some((Action::Turn(player), target)) => {
                    self.hand_over(*target, Some(*player), square);
                    self.answer(status::YES);
                }
                Some((Action::Keeper, target)) => {
                    self.hand_over(*target, None, square);
                    // The keeper's part follows at once.
                    let status = self.call(FunctionKind::Keep, &[]);
                    self.return_unless_zero(status);
                    self.answer(status::YES);
                }
                Some((write, _)) => {
                    self.write_and_keep(write, square, fails)?;
                    self.sets.b.ins().jump(head, &[next.into()]);
                }
                None => {
                    self.sets.b.ins().jump(fails, &[]);
                }
            }
        }
        self.sets.b.seal_block(head);
        self.sets.b.seal_block(fails);
        self.sets.b.switch_to_block(fails);
        self.answer(status::NO);
        Some(())
    }
}
