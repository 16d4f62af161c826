//! Code that records moves, or makes them where they are counted.
//!
//! A record is the steps of a path, a shape and a set of squares: one move for each square.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_module::Module as _;
use regulus_engine::segment::{Continuation, Stage};

use super::body::{Body, field};
use super::sets::{Set, words};
use super::{CodePurpose, FunctionKind, Shape};
use crate::context::{Record, UNASKED_STEPS, status};

/// Offset of a field of a record.
macro_rules! part {
    ($field:ident) => {
        std::mem::offset_of!(Record, $field) as i32
    };
}

impl Body<'_, '_, '_> {
    /// Records all moves behind exits that need no tries. PERF: the records have their places; those without moves do no
    /// harm.
    pub(super) fn flat_exits(&mut self, stage: &Stage) -> Option<()> {
        let mut found = Vec::new();
        for exit in &stage.exits {
            let squares = self.get(exit.slot);
            match &exit.continuation {
                Continuation::Finish(finish) => {
                    found.push((Shape { first: None, finish: *finish }, squares));
                }
                Continuation::Spread(spreads) => {
                    for spread in spreads {
                        let first = Some((exit.modifier?, spread.distance));
                        let reached = self.spread(spread, &squares)?;
                        found.push((Shape { first, finish: spread.finish }, reached));
                    }
                }
                _ => return None,
            }
        }
        let record = self.sets.b.ins().load(I64, words(), self.context, field!(record));
        let data = self.sets.b.ins().load(I64, words(), self.context, field!(data_start));
        let mut up_to = self.sets.number(0);
        let mut at = 0;
        for (index, (shape, squares)) in found.iter().enumerate() {
            let shape = self.compiler.shape(*shape);
            let here = self.sets.count(squares);
            up_to = self.sets.b.ins().iadd(up_to, here);
            let size = size_of::<Record>() * index;
            let place = |field: i32| field + size as i32;
            self.sets.b.ins().store(words(), up_to, record, place(part!(up_to)));
            // Two numbers at a time: where the data are and that there are no steps, the shape and nothing.
            for (number, at) in [(at, part!(data)), (shape, part!(shape))] {
                let first = if cfg!(target_endian = "big") { 32 } else { 0 };
                let numbers = self.sets.number(i64::from(number) << first);
                self.sets.b.ins().store(words(), numbers, record, place(at));
            }
            self.sets.store(squares, data, 8 * at as i32);
            at += self.sets.words as u32;
        }
        let size = size_of::<Record>() * found.len();
        let next = self.sets.b.ins().iadd_imm_s(record, size as i64);
        self.sets.b.ins().store(words(), next, self.context, field!(record));
        self.sets.b.ins().store(words(), up_to, self.context, field!(count));
        Some(())
    }

    /// Records moves, or makes them to count what comes after them.
    pub(super) fn end_moves(&mut self, path: Value, shape: Shape, squares: &Set) -> Option<()> {
        match self.compiler.purpose {
            CodePurpose::Play => self.record_moves(path, shape, squares),
            CodePurpose::Count => self.make_moves(shape, squares),
        }
    }

    /// Records moves, if there are any.
    fn record_moves(&mut self, path: Value, shape: Shape, squares: &Set) -> Option<()> {
        let shape = self.compiler.shape(shape);
        self.if_any(squares, |body| {
            let mut arguments = vec![path, body.sets.number(i64::from(shape))];
            arguments.extend(body.all_words(squares));
            let status = body.call_record(&arguments);
            body.return_unless_zero(status);
            Some(())
        })
    }

    /// The words of a set as values.
    pub(super) fn all_words(&mut self, set: &Set) -> Vec<Value> {
        let word = |word: &Option<Value>| word.unwrap_or_else(|| self.sets.number(0));
        set.iter().map(word).collect()
    }

    fn call_record(&mut self, arguments: &[Value]) -> Value {
        let function = self.compiler.function(FunctionKind::Record);
        let function = self.compiler.module.declare_func_in_func(function, self.sets.b.func);
        let mut all = vec![self.context];
        all.extend_from_slice(arguments);
        let call = self.sets.b.ins().call(function, &all);
        self.sets.b.inst_results(call)[0]
    }

    /// The function that records moves: context, path, shape, squares.
    pub(super) fn record(&mut self) {
        let (path, shape) = (self.frame.parameters[1], self.frame.parameters[2]);
        let squares: Set = self.frame.parameters[3..].iter().map(|&word| Some(word)).collect();
        let load =
            |body: &mut Self, offset| body.sets.b.ins().load(I64, words(), body.context, offset);
        let (record, record_end) = (load(self, field!(record)), load(self, field!(record_end)));
        let (data, data_end) = (load(self, field!(data)), load(self, field!(data_end)));
        let start = load(self, field!(path));
        let size = self.sets.b.ins().isub(path, start);
        let set_size = 8 * self.sets.words as i64;
        let set_at = self.sets.b.ins().iadd(data, size);
        let next_data = self.sets.b.ins().iadd_imm_s(set_at, set_size);
        let no_record =
            self.sets.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, record, record_end);
        let no_data = self.sets.b.ins().icmp(IntCC::UnsignedGreaterThan, next_data, data_end);
        let full = self.sets.b.ins().bor(no_record, no_data);
        let (leave, next) = (self.sets.b.create_block(), self.sets.b.create_block());
        self.sets.b.set_cold_block(leave);
        self.sets.b.ins().brif(full, leave, &[], next, &[]);
        self.sets.b.seal_block(leave);
        self.sets.b.seal_block(next);
        self.sets.b.switch_to_block(leave);
        let one = self.sets.number(1);
        self.sets.b.ins().store(words(), one, self.context, field!(full));
        self.answer(status::GIVE_UP);
        self.sets.b.switch_to_block(next);
        // The steps so far. PERF: most moves have few, which are copied without asking how many; behind the path and the
        // data there is place for it.
        for at in 0..UNASKED_STEPS {
            let step = self.sets.b.ins().load(I64, words(), start, 8 * at as i32);
            self.sets.b.ins().store(words(), step, data, 8 * at as i32);
        }
        let (head, copy, done) =
            (self.sets.b.create_block(), self.sets.b.create_block(), self.sets.b.create_block());
        let at = self.sets.b.append_block_param(head, I64);
        let copied = self.sets.number(8 * UNASKED_STEPS as i64);
        self.sets.b.ins().jump(head, &[copied.into()]);
        self.sets.b.switch_to_block(head);
        let more = self.sets.b.ins().icmp(IntCC::UnsignedLessThan, at, size);
        self.sets.b.ins().brif(more, copy, &[], done, &[]);
        self.sets.b.seal_block(copy);
        self.sets.b.seal_block(done);
        self.sets.b.switch_to_block(copy);
        let from = self.sets.b.ins().iadd(start, at);
        let step = self.sets.b.ins().load(I64, words(), from, 0);
        let to = self.sets.b.ins().iadd(data, at);
        self.sets.b.ins().store(words(), step, to, 0);
        let further = self.sets.b.ins().iadd_imm_s(at, 8);
        self.sets.b.ins().jump(head, &[further.into()]);
        self.sets.b.seal_block(head);
        self.sets.b.switch_to_block(done);
        self.sets.store(&squares, set_at, 0);
        self.sets.b.ins().store(words(), next_data, self.context, field!(data));
        let count = load(self, field!(count));
        let here = self.sets.count(&squares);
        let count = self.sets.b.ins().iadd(count, here);
        self.sets.b.ins().store(words(), count, self.context, field!(count));
        self.sets.b.ins().store(words(), count, record, part!(up_to));
        let first = load(self, field!(data_start));
        let offset = self.sets.b.ins().isub(data, first);
        let offset = self.sets.b.ins().ushr_imm_s(offset, 3);
        let offset = self.sets.b.ins().ireduce(I32, offset);
        self.sets.b.ins().store(words(), offset, record, part!(data));
        let steps = self.sets.b.ins().ushr_imm_s(size, 3);
        let steps = self.sets.b.ins().ireduce(I32, steps);
        self.sets.b.ins().store(words(), steps, record, part!(steps));
        let shape = self.sets.b.ins().ireduce(I32, shape);
        self.sets.b.ins().store(words(), shape, record, part!(shape));
        let next_record = self.sets.b.ins().iadd_imm_s(record, size_of::<Record>() as i64);
        self.sets.b.ins().store(words(), next_record, self.context, field!(record));
        let wanted = load(self, field!(wanted));
        let enough = self.sets.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, count, wanted);
        let enough = self.sets.b.ins().uextend(I64, enough);
        self.answer_with(enough);
    }
}
