//! Code that does the first move behind the exits of a stage, and keeps it.
//!
//! Writes are tried in order; one that leads to nothing is undone. [`super::exits`] finds all moves instead.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use regulus_automaton::Action;
use regulus_engine::Rules as _;
use regulus_engine::segment::{Continuation, Exit, Stage};

use super::body::Body;
use super::known::{lone_exit, slots_on_cursor};
use super::sets::Set;
use crate::context::status;

/// How many writes are done without calls.
const MAX_CHAIN: usize = 16;

impl<'c> Body<'_, 'c, '_> {
    /// Does the first move behind the exits and keeps it; the function answers when it is done.
    pub(super) fn first_exits(&mut self, stage: &'c Stage) -> Option<()> {
        let on_cursor = slots_on_cursor(stage);
        for exit in &stage.exits {
            let squares = self.get(exit.slot);
            let is_alone = on_cursor[exit.slot as usize];
            match &exit.continuation {
                Continuation::Finish(finish) => self.if_any(&squares, |body| {
                    let square =
                        if is_alone { body.frame.parameters[2] } else { body.lowest(&squares) };
                    body.finish(*finish, square)
                })?,
                Continuation::Spread(spreads) => self.if_any(&squares, |body| {
                    for spread in spreads {
                        let reached = body.spread(spread, &squares)?;
                        body.if_any(&reached, |body| {
                            let square = body.lowest(&reached);
                            let distance = -i64::from(spread.distance);
                            let first = body.sets.b.ins().iadd_imm_s(square, distance);
                            // Where no square is reached, the first piece was not put.
                            body.on_own_way(|body| {
                                body.write_infallible_and_keep(&exit.action, first)?;
                                body.finish(spread.finish, square)
                            })
                        })?;
                    }
                    Some(())
                })?,
                Continuation::Probe(ways, finish) => self.if_any(&squares, |body| {
                    let sure = body.sure(ways, &squares)?;
                    body.if_any(&sure, |body| {
                        let square = body.lowest(&sure);
                        body.finish(*finish, square)
                    })?;
                    let rest = body.sets.without(&squares, &sure);
                    body.try_first(exit, &rest)
                })?,
                Continuation::Guard(_) | Continuation::Look | Continuation::Write
                    if is_alone && self.compiler.is_bounded(self.frame.stage?) =>
                {
                    let writes = self.chain(exit);
                    self.if_any(&squares, |body| {
                        let square = body.frame.parameters[2];
                        let status = body.try_chain(&writes, None, square)?;
                        body.return_unless_zero(status);
                        Some(())
                    })?;
                }
                Continuation::Guard(_) | Continuation::Look | Continuation::Write => {
                    self.try_first(exit, &squares)?
                }
            }
        }
        Some(())
    }

    fn try_first(&mut self, exit: &'c Exit, squares: &Set) -> Option<()> {
        let writes = self.chain(exit);
        let last = writes.last().map_or(exit.stage, |last| last.stage);
        let uncounted = self.compiler.uncounted(last);
        self.each(squares, |body, square| {
            let depth = body.count_tries(&writes, uncounted);
            let status = body.try_chain(&writes, Some(depth), square)?;
            body.return_unless_zero(status);
            Some(())
        })
    }

    /// An exit and those that follow it on the same square as long as nothing else can be done.
    fn chain(&self, exit: &'c Exit) -> Vec<&'c Exit> {
        let mut chain = vec![exit];
        while let Some(last) = chain.last()
            && let Some(lone) = lone_exit(self.segments(), last.stage)
            && matches!(lone.continuation, Continuation::Write)
            && chain.len() < MAX_CHAIN
        {
            chain.push(lone);
        }
        chain
    }

    /// Tries writes on a square, one after the other, and what follows them; the function answers when that is done.
    /// Otherwise nothing is changed, and the status is returned. Where writes are counted, it is told how deep they are.
    fn try_chain(
        &mut self,
        writes: &[&Exit],
        depth: Option<Value>,
        square: Value,
    ) -> Option<Value> {
        let Some((exit, rest)) = writes.split_first() else { return Some(self.sets.number(0)) };
        let next = self.sets.b.create_block();
        let status = self.sets.b.append_block_param(next, I64);
        let fails = self.sets.b.create_block();
        let hash = self.kept_hash();
        let answer = self.taken_back(|body| {
            let replaced = body.write_action(&exit.action, square, fails, hash)?;
            body.note_put(&exit.action, replaced);
            if let Some(depth) = depth {
                body.deepen(depth);
            }
            // PERF: a chain of writes is done here, without calls.
            let answer = if rest.is_empty() {
                match lone_exit(body.segments(), exit.stage) {
                    Some(Exit { continuation: Continuation::Finish(finish), .. }) => {
                        body.finish(*finish, square)?;
                        body.sets.number(0)
                    }
                    _ => body.answer_if_first(exit.stage, square)?,
                }
            } else {
                let deeper = depth.map(|depth| body.sets.b.ins().iadd_imm_s(depth, 1));
                body.try_chain(rest, deeper, square)?
            };
            body.undo(replaced, hash);
            Some(answer)
        })?;
        if let Some(depth) = depth {
            self.set_depth(depth);
        }
        self.sets.b.ins().jump(next, &[answer.into()]);
        self.sets.b.seal_block(fails);
        self.sets.b.switch_to_block(fails);
        let none = self.sets.number(status::NO);
        self.sets.b.ins().jump(next, &[none.into()]);
        self.sets.b.seal_block(next);
        self.sets.b.switch_to_block(next);
        Some(status)
    }

    /// Does the first move from a stage on; the function answers when that is done. Returns the status otherwise.
    pub(super) fn answer_if_first(&mut self, stage: u32, square: Value) -> Option<Value> {
        let status = self.first_from(stage, square)?;
        let (done, back) = (self.sets.b.create_block(), self.sets.b.create_block());
        let found = self.sets.b.ins().icmp_imm_s(IntCC::Equal, status, status::YES);
        self.sets.b.ins().brif(found, done, &[], back, &[]);
        self.sets.b.seal_block(done);
        self.sets.b.seal_block(back);
        self.sets.b.switch_to_block(done);
        self.answer(status::YES);
        self.sets.b.switch_to_block(back);
        Some(status)
    }

    /// Does all that ends a move on a square, and answers. A block for what never comes is left open.
    pub(super) fn finish(&mut self, finish: u32, square: Value) -> Option<()> {
        self.on_own_way(|body| body.finish_on_way(finish, square))
    }

    fn finish_on_way(&mut self, finish: u32, square: Value) -> Option<()> {
        for &modifier in &self.segments().finishes[finish as usize] {
            let (action, target) = self.compiler.plan.referee().modifiers[modifier].as_ref()?;
            match action {
                Action::Turn(player) => {
                    self.hand_over(*target, Some(*player), square);
                    if let Some(turn) = self.targets.turn {
                        self.sets.b.ins().jump(turn, &[]);
                        self.begin_what_never_comes();
                        return Some(());
                    }
                }
                Action::Keeper => self.keep_on_moving(*target, square)?,
                write => self.write_infallible_and_keep(write, square)?,
            }
        }
        self.answer(status::YES);
        self.begin_what_never_comes();
        Some(())
    }

    /// After code that leads elsewhere: whatever is written next is never reached.
    pub(super) fn begin_what_never_comes(&mut self) {
        let never = self.sets.b.create_block();
        self.sets.b.seal_block(never);
        self.sets.b.switch_to_block(never);
    }
}
