//! Code for the exits of a stage: writes are tried one by one, ends of moves are recorded.
//!
//! [`super::record`] records moves, [`super::first`] does the first one instead of finding all.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use regulus_automaton::Modifier;
use regulus_engine::segment::{Continuation, Costs, Exit, Stage};

use super::body::{Body, field};
use super::known::known_piece;
use super::sets::{Set, words};
use super::write::Hash;
use super::{CodePurpose, FunctionKind, Shape};
use crate::context::step_word;

impl<'c> Body<'_, 'c, '_> {
    /// Finds all moves behind the exits. `path` is where the next step goes.
    pub(super) fn all_exits(&mut self, stage: &'c Stage, path: Value) -> Option<()> {
        self.begin_guards(stage);
        for exit in &stage.exits {
            let Some(modifier) = exit.modifier else { continue };
            let squares = self.get(exit.slot);
            match &exit.continuation {
                Continuation::Finish(finish) => {
                    self.end_moves(path, Shape { first: None, finish: *finish }, &squares)?;
                }
                Continuation::Spread(spreads) => self.if_any(&squares, |body| {
                    for spread in spreads {
                        let reached = body.spread(spread, &squares)?;
                        let first = Some((modifier, spread.distance));
                        let shape = Shape { first, finish: spread.finish };
                        body.end_moves(path, shape, &reached)?;
                    }
                    Some(())
                })?,
                Continuation::Look if self.compiler.purpose == CodePurpose::Count => {
                    self.try_writes(stage, exit, modifier, &squares, path)?;
                }
                Continuation::Look => self.each(&squares, |body, square| {
                    body.count_try(exit);
                    body.step(path, modifier, square);
                    let further = body.sets.b.ins().iadd_imm_s(path, 8);
                    let status = body.call(FunctionKind::All(exit.stage), &[square, further]);
                    body.return_unless_zero(status);
                    Some(())
                })?,
                Continuation::Probe(ways, finish) => self.if_any(&squares, |body| {
                    let sure = body.sure(ways, &squares)?;
                    body.end_moves(path, Shape { first: None, finish: *finish }, &sure)?;
                    let rest = body.sets.without(&squares, &sure);
                    body.try_writes(stage, exit, modifier, &rest, path)
                })?,
                Continuation::Guard(guard) => self.if_any(&squares, |body| {
                    let (sure, rest) = body.ask_watch(guard, &squares)?;
                    body.end_moves(path, Shape { first: None, finish: guard.finish }, &sure)?;
                    body.try_writes(stage, exit, modifier, &rest, path)
                })?,
                Continuation::Write => self.try_writes(stage, exit, modifier, &squares, path)?,
            }
        }
        Some(())
    }

    fn try_writes(
        &mut self,
        stage: &Stage,
        exit: &'c Exit,
        modifier: Modifier,
        squares: &Set,
        path: Value,
    ) -> Option<()> {
        let squares = &self.feasible(exit, squares)?;
        if self.is_gathered(exit) {
            return self.gather(exit, modifier, squares, path);
        }
        let known = known_piece(self.segments(), stage, exit.slot);
        self.each(squares, |body, square| {
            let depth = body.count_try(exit);
            let next = body.sets.b.create_block();
            let replaced = body.write_over(known, &exit.action, square, next, Hash::Leave)?;
            body.deepen(depth);
            body.step(path, modifier, square);
            let further = body.sets.b.ins().iadd_imm_s(path, 8);
            let unsettled = body.unsettle(exit.stage, &exit.action, square);
            let status = body.call(FunctionKind::All(exit.stage), &[square, further]);
            body.settle(unsettled);
            body.undo(replaced, Hash::Leave);
            body.set_depth(depth);
            body.return_unless_zero(status);
            body.go_to(next);
            Some(())
        })
    }

    /// The squares where a write may lead anywhere.
    fn feasible(&mut self, exit: &Exit, squares: &Set) -> Option<Set> {
        match exit.feasible.filter(|_| self.is_worth_asking(exit)) {
            Some(survey) => {
                let feasible = self.surveyed(squares, survey)?;
                Some(self.sets.and(squares, &feasible))
            }
            None => Some(squares.clone()),
        }
    }

    /// Whether trying is likely to take longer than a survey.
    fn is_worth_asking(&self, exit: &Exit) -> bool {
        let in_pattern = exit.modifier.is_none();
        in_pattern || self.frame.slots.is_many(exit.slot)
    }

    /// Ends one block and begins another.
    pub(super) fn go_to(&mut self, next: cranelift_codegen::ir::Block) {
        self.sets.b.ins().jump(next, &[]);
        self.sets.b.seal_block(next);
        self.sets.b.switch_to_block(next);
    }

    fn step(&mut self, path: Value, modifier: Modifier, square: Value) {
        let step = self.step_value(modifier, square);
        self.sets.b.ins().store(words(), step, path, 0);
    }

    fn step_value(&mut self, modifier: Modifier, square: Value) -> Value {
        let above = self.sets.b.ins().ishl_imm_s(square, 32);
        let below = self.sets.number(step_word(modifier.0, 0) as i64);
        self.sets.b.ins().bor(above, below)
    }

    pub(super) fn count_try(&mut self, exit: &Exit) -> Value {
        self.count_tries(&[exit], 0)
    }

    /// Gives up when too much would be done by writes within each other and what follows them, or when they would be too
    /// deep; returns how deep it is. What follows without being counted is counted here.
    pub(super) fn count_tries(&mut self, exits: &[&Exit], uncounted: u64) -> Value {
        let writes = exits.len() as i64;
        let costs = &self.segments().costs.stages;
        let cost = |exit: &&Exit| Costs::WRITE + costs[exit.stage as usize];
        let cost = (exits.iter().map(cost).sum::<u64>() + Costs::WRITE * uncounted) as i64;
        let load =
            |body: &mut Self, offset| body.sets.b.ins().load(I64, words(), body.context, offset);
        let tries = load(self, field!(tries));
        let tries = self.sets.b.ins().iadd_imm_s(tries, -cost);
        self.sets.b.ins().store(words(), tries, self.context, field!(tries));
        let spent = self.sets.b.ins().icmp_imm_s(IntCC::SignedLessThan, tries, 0);
        let limit = load(self, field!(stack_limit));
        let stack = self.sets.b.ins().get_stack_pointer(I64);
        let no_stack = self.sets.b.ins().icmp(IntCC::UnsignedLessThan, stack, limit);
        let (depth, deepest) = (load(self, field!(depth)), load(self, field!(deepest)));
        let deep = self.sets.b.ins().iadd_imm_s(depth, writes);
        let too_deep = self.sets.b.ins().icmp(IntCC::UnsignedGreaterThan, deep, deepest);
        let stop = self.sets.b.ins().bor(spent, no_stack);
        let stop = self.sets.b.ins().bor(stop, too_deep);
        self.give_up_if(stop);
        depth
    }

    /// After a write, one more is under way than before.
    pub(super) fn deepen(&mut self, depth: Value) {
        let depth = self.sets.b.ins().iadd_imm_s(depth, 1);
        self.set_depth(depth);
    }

    pub(super) fn set_depth(&mut self, depth: Value) {
        self.sets.b.ins().store(words(), depth, self.context, field!(depth));
    }

    /// Tries the writes of a pattern; the function answers when it succeeds.
    pub(super) fn test_exits(&mut self, stage: &Stage) -> Option<()> {
        for exit in &stage.exits {
            let squares = self.get(exit.slot);
            let squares = self.feasible(exit, &squares)?;
            let known = known_piece(self.segments(), stage, exit.slot);
            self.each(&squares, |body, square| {
                let depth = body.count_try(exit);
                let next = body.sets.b.create_block();
                let replaced = body.write_over(known, &exit.action, square, next, Hash::Leave)?;
                body.deepen(depth);
                let status = body.call(FunctionKind::Test(exit.stage), &[square]);
                body.undo(replaced, Hash::Leave);
                body.set_depth(depth);
                body.return_unless_zero(status);
                body.go_to(next);
                Some(())
            })?;
        }
        Some(())
    }
}
