//! The body of one function.
//!
//! What changes while it is written belongs to owners: [`Frame`], [`Targets`], [`Trail`] and [`Room`]. Code within other code
//! gets its own by [`Body::scoped`].

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::FunctionBuilder;
use cranelift_module::Module;
use regulus_automaton::Automaton;
use regulus_engine::Layout;
use regulus_engine::Rules as _;
use regulus_engine::segment::{CURSOR, Operation, Segments};

use super::frame::{Frame, Targets};
use super::keeper::{ROOM_AFTER_MOVE, ROOM_FOR_KEEPER};
use super::operations::Start;
use super::room::Room;
use super::sets::{Set, Sets, words};
use super::slots::Slots;
use super::trail::Trail;
use super::watch::Watching;
use super::{Compiler, FunctionKind};
use crate::context::status;

/// Offset of a field of the context.
macro_rules! field {
    ($field:ident) => {
        std::mem::offset_of!(crate::context::Context, $field) as i32
    };
}
pub(crate) use field;

/// A function while it is written.
pub(crate) struct Body<'a, 'c, 'b> {
    pub(super) compiler: &'a mut Compiler<'c>,
    pub(super) sets: Sets<'b>,
    pub(super) context: Value,
    pub(super) state: Value,
    /// Whether fingerprints are left to others.
    pub(super) is_quick: bool,
    /// What belongs to the stage that is being written.
    pub(super) frame: Frame,
    /// Where the code leads when it is done.
    pub(super) targets: Targets,
    /// What is noted while a watch is evaluated.
    pub(super) watching: Option<Rc<Watching>>,
    /// What has happened since a move that is being made.
    pub(super) trail: Trail,
    /// How much code may still be written here in place of calls.
    pub(super) room: Room,
}

impl<'a, 'c, 'b> Body<'a, 'c, 'b> {
    /// Returns the beginning of the function for a use.
    pub(super) fn new(
        compiler: &'a mut Compiler<'c>,
        mut b: FunctionBuilder<'b>,
        wanted: FunctionKind,
    ) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        b.seal_block(entry);
        let parameters = b.block_params(entry).to_vec();
        let (context, state) = (parameters[0], parameters[1]);
        let words = compiler.words;
        let answer = b.create_block();
        b.append_block_param(answer, I64);
        let is_quick = matches!(
            wanted,
            FunctionKind::QuickFirst(_) | FunctionKind::QuickExecute | FunctionKind::Finish(_)
        );
        let keeps_writes =
            is_quick || matches!(wanted, FunctionKind::First(_) | FunctionKind::Execute);
        let room = match wanted {
            FunctionKind::First(_) | FunctionKind::QuickFirst(_) => {
                compiler.reserve(ROOM_FOR_KEEPER)
            }
            FunctionKind::Finish(_) => compiler.reserve(ROOM_AFTER_MOVE),
            _ => 0,
        };
        Body {
            compiler,
            sets: Sets { b, words },
            context,
            state,
            is_quick,
            frame: Frame::new(parameters, keeps_writes),
            targets: Targets { answer, turn: None },
            watching: None,
            trail: Trail::default(),
            room: Room::new(room),
        }
    }

    pub(super) fn segments(&self) -> &'c Segments {
        self.compiler.plan.segments()
    }

    pub(super) fn automaton(&self) -> &'c Automaton {
        &self.compiler.plan.referee().automaton
    }

    pub(super) fn layout(&self) -> &'c Layout {
        &self.compiler.plan.referee().layout
    }

    /// Writes the whole function; returns `None` if something in it cannot be compiled.
    pub(super) fn write(
        mut self,
        wanted: FunctionKind,
        config: TargetFrontendConfig,
    ) -> Option<()> {
        match wanted {
            FunctionKind::All(stage)
            | FunctionKind::Flat(stage)
            | FunctionKind::First(stage)
            | FunctionKind::QuickFirst(stage)
            | FunctionKind::Test(stage) => {
                self.stage(wanted, stage)?;
            }
            FunctionKind::Enter(stage) => self.enter(stage),
            FunctionKind::Watch(watch) => self.watch(watch, false)?,
            FunctionKind::WatchSuccess(watch) => self.watch(watch, true)?,
            FunctionKind::Survey(survey) => self.survey(survey)?,
            FunctionKind::Record => self.record(),
            FunctionKind::Leaves(shape) => self.leaves(shape)?,
            FunctionKind::Moves(shape) => self.inner_moves(shape)?,
            FunctionKind::Visit => self.visit(),
            FunctionKind::Keep => self.keep(),
            FunctionKind::Execute | FunctionKind::QuickExecute => self.execute()?,
            FunctionKind::Finish(shape) => self.finish_move(shape)?,
        }
        self.compiler.give_back(self.room.left());
        let answer = self.arrive(self.targets.answer);
        self.sets.b.ins().return_(&[answer]);
        self.sets.b.finalize(config);
        Some(())
    }

    /// Begins a block that all ways lead to by now; returns what it is given.
    pub(super) fn arrive(&mut self, block: Block) -> Value {
        self.sets.b.seal_block(block);
        self.sets.b.switch_to_block(block);
        self.sets.b.block_params(block)[0]
    }

    pub(super) fn answer(&mut self, status: i64) {
        let status = self.sets.number(status);
        self.answer_with(status);
    }

    pub(super) fn answer_with(&mut self, answer: Value) {
        self.sets.b.ins().jump(self.targets.answer, &[answer.into()]);
    }

    /// Writes the code of a stage here in place of a call; returns its answer.
    pub(super) fn stage_in_place(
        &mut self,
        wanted: FunctionKind,
        stage: u32,
        cursor: Value,
    ) -> Option<Value> {
        let after = self.sets.b.create_block();
        self.sets.b.append_block_param(after, I64);
        let targets = Targets { answer: after, ..self.targets };
        // Its frame knows no pieces yet: something was written since they were asked for.
        let frame = Frame::new(vec![self.context, self.state, cursor], true);
        self.leading_to(targets, |body| body.in_frame(frame, |body| body.stage(wanted, stage)))?;
        Some(self.arrive(after))
    }

    fn stage(&mut self, wanted: FunctionKind, number: u32) -> Option<()> {
        let stage = &self.segments().stages[number as usize];
        self.frame.stage = Some(number);
        self.frame.slots = Slots::of_stage(self.automaton(), self.segments(), stage);
        let cursor = self.frame.parameters[2];
        let start = self.sets.single(cursor);
        self.set(CURSOR, &start);
        let is_test = matches!(wanted, FunctionKind::Test(_));
        if is_test && self.is_paced(stage) {
            return self.pace(stage);
        }
        let accept = stage.accept.filter(|_| is_test);
        if accept == Some(CURSOR) {
            self.answer(status::YES);
            return Some(());
        }
        let found = self.sets.b.create_block();
        let start = Start {
            cursor: stage.keeps_cursor.then_some((CURSOR, cursor)),
            first: Some(cursor),
            begins_with_loop: matches!(stage.operations.first(), Some(Operation::Repeat(_))),
            accept: accept.map(|slot| (slot, found)),
        };
        self.stage_operations(&stage.operations, start)?;
        match wanted {
            FunctionKind::All(_) => {
                let path = self.frame.parameters[3];
                self.all_exits(stage, path)?;
            }
            FunctionKind::Flat(_) => self.flat_exits(stage)?,
            FunctionKind::First(_) | FunctionKind::QuickFirst(_) => self.first_exits(stage)?,
            _ => self.test_exits(stage)?,
        }
        self.answer(status::NO);
        self.sets.b.seal_block(found);
        self.sets.b.switch_to_block(found);
        self.answer(status::YES);
        Some(())
    }

    fn survey(&mut self, number: u32) -> Option<()> {
        let answer = self.inline_survey(number)?;
        let areas = self.sets.b.ins().load(I64, words(), self.context, field!(areas));
        let at = 8 * self.sets.words * number as usize;
        self.sets.store(&answer, areas, at as i32);
        self.answer(status::YES);
        Some(())
    }

    /// All squares where a pattern succeeds.
    pub(super) fn inline_survey(&mut self, number: u32) -> Option<Set> {
        let survey = &self.segments().surveys[number as usize];
        self.with_slots(Slots::wide(survey.slots), |body| {
            let all = body.all_squares();
            for &accept in &survey.accept {
                body.set(accept, &all);
            }
            body.operations(&survey.operations, Start::default())?;
            Some(body.get(survey.start))
        })
    }

    /// Returns all squares of the board.
    pub(super) fn all_squares(&mut self) -> Set {
        let all = crate::tables::to_words(self.automaton().board.squares.keys(), self.sets.words);
        self.sets.constant(&all)
    }

    /// Code that is run only when a set is not empty.
    pub(super) fn if_any(
        &mut self,
        set: &Set,
        body: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let Some(any) = self.sets.any(set) else { return Some(()) };
        let (there, done) = (self.sets.b.create_block(), self.sets.b.create_block());
        self.sets.b.ins().brif(any, there, &[], done, &[]);
        self.sets.b.seal_block(there);
        self.sets.b.switch_to_block(there);
        self.in_branch(body)?;
        self.sets.b.ins().jump(done, &[]);
        self.sets.b.seal_block(done);
        self.sets.b.switch_to_block(done);
        Some(())
    }

    /// Code for every square of a set, in ascending order.
    pub(super) fn each(
        &mut self,
        set: &Set,
        body: impl FnOnce(&mut Self, Value) -> Option<()>,
    ) -> Option<()> {
        if set.iter().all(Option::is_none) {
            return Some(());
        }
        let rest = self.sets.variable();
        self.sets.assign(&rest, set);
        let (head, done) = (self.sets.b.create_block(), self.sets.b.create_block());
        self.sets.b.ins().jump(head, &[]);
        self.sets.b.switch_to_block(head);
        let square = self.sets.next_square(&rest, done);
        self.in_branch(|inner| body(inner, square))?;
        self.sets.b.ins().jump(head, &[]);
        self.sets.b.seal_block(head);
        self.sets.b.seal_block(done);
        self.sets.b.switch_to_block(done);
        Some(())
    }

    /// The lowest square of a set that is not empty.
    pub(super) fn lowest(&mut self, set: &Set) -> Value {
        let mut square = None;
        for (at, word) in set.iter().enumerate().rev() {
            let Some(word) = *word else { continue };
            let bit = self.sets.b.ins().ctz(word);
            let here = self.sets.b.ins().iadd_imm_s(bit, 64 * at as i64);
            square = Some(match square {
                None => here,
                Some(higher) => {
                    let is = self.sets.b.ins().icmp_imm_s(IntCC::NotEqual, word, 0);
                    self.sets.b.ins().select(is, here, higher)
                }
            });
        }
        square.unwrap_or_else(|| self.sets.b.ins().iconst(I64, 0))
    }

    /// Calls another function of the game.
    pub(super) fn call(&mut self, wanted: FunctionKind, arguments: &[Value]) -> Value {
        let function = self.compiler.function(wanted);
        let function = self.compiler.module.declare_func_in_func(function, self.sets.b.func);
        let mut all = vec![self.context, self.state];
        all.extend_from_slice(arguments);
        let call = self.sets.b.ins().call(function, &all);
        self.sets.b.inst_results(call)[0]
    }

    /// Leaves the function because a limit is reached.
    pub(super) fn give_up_if(&mut self, condition: Value) {
        let (leave, next) = (self.sets.b.create_block(), self.sets.b.create_block());
        self.sets.b.set_cold_block(leave);
        self.sets.b.ins().brif(condition, leave, &[], next, &[]);
        self.sets.b.seal_block(leave);
        self.sets.b.seal_block(next);
        self.sets.b.switch_to_block(leave);
        self.answer(status::GIVE_UP);
        self.sets.b.switch_to_block(next);
    }

    /// Returns a value from the function unless it is zero.
    pub(super) fn return_unless_zero(&mut self, value: Value) {
        let (leave, next) = (self.sets.b.create_block(), self.sets.b.create_block());
        self.sets.b.set_cold_block(leave);
        self.sets.b.ins().brif(value, leave, &[], next, &[]);
        self.sets.b.seal_block(leave);
        self.sets.b.seal_block(next);
        self.sets.b.switch_to_block(leave);
        self.answer_with(value);
        self.sets.b.switch_to_block(next);
    }
}
