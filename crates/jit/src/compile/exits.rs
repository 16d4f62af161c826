//! Code for the exits of a stage: writes are tried one by one, ends of moves recorded or done.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{InstBuilder, Value};
use regulus_automaton::{Action, Modifier, Piece};
use regulus_engine::Rules as _;
use regulus_engine::segment::{
    CURSOR, Costs, Exit, How, Leg, Operation, Segments, Slot, Spread, Stage, Then,
};

use super::body::{Body, field};
use super::sets::{Set, words};
use super::write::Hash;
use super::{Goal, Shape, Use};
use crate::context::{Record, UNASKED_STEPS, status, step_word};
use crate::tables::set_words;

/// Offset of a field of a record.
macro_rules! part {
    ($field:ident) => {
        std::mem::offset_of!(Record, $field) as i32
    };
}

impl<'c> Body<'_, 'c, '_> {
    /// Finds all moves behind the exits. `path` is where the next step goes.
    pub(super) fn all_exits(&mut self, stage: &'c Stage, path: Value) -> Option<()> {
        self.begin_guards(stage);
        for exit in &stage.exits {
            let Some(modifier) = exit.modifier else { continue };
            let squares = self.get(exit.slot);
            match &exit.then {
                Then::Finish(finish) => {
                    self.end_moves(path, Shape { first: None, finish: *finish }, &squares)?;
                }
                Then::Spread(spreads) => self.if_any(&squares, |body| {
                    for spread in spreads {
                        let reached = body.spread(spread, &squares)?;
                        let first = Some((modifier, spread.distance));
                        let shape = Shape { first, finish: spread.finish };
                        body.end_moves(path, shape, &reached)?;
                    }
                    Some(())
                })?,
                Then::Look if self.compiler.goal == Goal::Count => {
                    self.try_writes(stage, exit, modifier, &squares, path)?;
                }
                Then::Look => self.each(&squares, |body, square| {
                    body.count_try(exit);
                    body.step(path, modifier, square);
                    let further = body.sets.b.ins().iadd_imm_s(path, 8);
                    let status = body.call(Use::All(exit.stage), &[square, further]);
                    body.return_unless_zero(status);
                    Some(())
                })?,
                Then::Probe(ways, finish) => self.if_any(&squares, |body| {
                    let sure = body.sure(ways, &squares)?;
                    body.end_moves(path, Shape { first: None, finish: *finish }, &sure)?;
                    let rest = body.sets.without(&squares, &sure);
                    body.try_writes(stage, exit, modifier, &rest, path)
                })?,
                Then::Guard(guard) => self.if_any(&squares, |body| {
                    let (sure, rest) = body.ask_watch(guard, &squares)?;
                    body.end_moves(path, Shape { first: None, finish: guard.finish }, &sure)?;
                    body.try_writes(stage, exit, modifier, &rest, path)
                })?,
                Then::Write => self.try_writes(stage, exit, modifier, &squares, path)?,
            }
        }
        Some(())
    }

    /// Records all moves behind exits that need no tries. PERF: the records have their places; those without moves do no
    /// harm.
    pub(super) fn flat_exits(&mut self, stage: &Stage) -> Option<()> {
        let mut found = Vec::new();
        for exit in &stage.exits {
            let squares = self.get(exit.slot);
            match &exit.then {
                Then::Finish(finish) => {
                    found.push((Shape { first: None, finish: *finish }, squares));
                }
                Then::Spread(spreads) => {
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
            let status = body.call(Use::All(exit.stage), &[square, further]);
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
        self.count_tries(&[exit])
    }

    /// Gives up when too much would be done by writes within each other and what follows them, or when they would be too
    /// deep; returns how deep it is.
    fn count_tries(&mut self, exits: &[&Exit]) -> Value {
        let writes = exits.len() as i64;
        let costs = &self.segments().costs.stages;
        let cost = |exit: &&Exit| Costs::WRITE + costs[exit.stage as usize];
        let cost = exits.iter().map(cost).sum::<u64>() as i64;
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
    fn deepen(&mut self, depth: Value) {
        let depth = self.sets.b.ins().iadd_imm_s(depth, 1);
        self.set_depth(depth);
    }

    pub(super) fn set_depth(&mut self, depth: Value) {
        self.sets.b.ins().store(words(), depth, self.context, field!(depth));
    }

    /// Does the first move behind the exits and keeps it; the function answers when it is done.
    pub(super) fn first_exits(&mut self, stage: &'c Stage) -> Option<()> {
        let on_cursor = slots_on_cursor(stage);
        for exit in &stage.exits {
            let squares = self.get(exit.slot);
            let is_alone = on_cursor[exit.slot as usize];
            match &exit.then {
                Then::Finish(finish) => self.if_any(&squares, |body| {
                    let square =
                        if is_alone { body.frame.parameters[2] } else { body.lowest(&squares) };
                    body.finish(*finish, square)
                })?,
                Then::Spread(spreads) => self.if_any(&squares, |body| {
                    for spread in spreads {
                        let reached = body.spread(spread, &squares)?;
                        body.if_any(&reached, |body| {
                            let square = body.lowest(&reached);
                            let distance = -i64::from(spread.distance);
                            let first = body.sets.b.ins().iadd_imm_s(square, distance);
                            // Where no square is reached, the first piece was not put.
                            body.on_own_way(|body| {
                                body.write_surely(&exit.action, first)?;
                                body.finish(spread.finish, square)
                            })
                        })?;
                    }
                    Some(())
                })?,
                Then::Probe(ways, finish) => self.if_any(&squares, |body| {
                    let sure = body.sure(ways, &squares)?;
                    body.if_any(&sure, |body| {
                        let square = body.lowest(&sure);
                        body.finish(*finish, square)
                    })?;
                    let rest = body.sets.without(&squares, &sure);
                    body.try_first(exit, &rest)
                })?,
                Then::Guard(_) | Then::Look | Then::Write
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
                Then::Guard(_) | Then::Look | Then::Write => self.try_first(exit, &squares)?,
            }
        }
        Some(())
    }

    fn try_first(&mut self, exit: &'c Exit, squares: &Set) -> Option<()> {
        let writes = self.chain(exit);
        self.each(squares, |body, square| {
            let depth = body.count_tries(&writes);
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
            && matches!(lone.then, Then::Write)
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
                    Some(Exit { then: Then::Finish(finish), .. }) => {
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
                write => self.write_surely(write, square)?,
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
                let status = body.call(Use::Test(exit.stage), &[square]);
                body.undo(replaced, Hash::Leave);
                body.set_depth(depth);
                body.return_unless_zero(status);
                body.go_to(next);
                Some(())
            })?;
        }
        Some(())
    }

    /// The squares that some way of a spread leads to.
    fn spread(&mut self, spread: &Spread, squares: &Set) -> Option<Set> {
        let mut reached = self.sets.empty();
        for way in &spread.ways {
            let there = self.go(way, squares)?;
            reached = self.sets.or(&reached, &there);
        }
        Some(reached)
    }

    /// The squares from which some way leads to acceptance.
    fn sure(&mut self, ways: &[Vec<Leg>], squares: &Set) -> Option<Set> {
        let mut sure = self.sets.empty();
        for way in ways {
            let distance: i32 = way.iter().map(|leg| leg.distance).sum();
            let there = self.go(way, squares)?;
            let back = self.sets.shifted(&there, -distance);
            sure = self.sets.or(&sure, &back);
        }
        Some(sure)
    }

    fn go(&mut self, way: &[Leg], squares: &Set) -> Option<Set> {
        let mut set = squares.clone();
        for leg in way {
            if let Some(from) = leg.from {
                let from = set_words(&self.segments().square_sets[from as usize], self.sets.words);
                set = self.sets.and_mask(&set, &from);
            }
            set = self.sets.shifted(&set, leg.distance);
            if let Some(guard) = leg.guard {
                set = self.keep_on(&set, guard);
            }
            if let Some(pair) = leg.condition {
                let holds = self.holds(pair, None)?;
                let condition = self.sets.ones_if(holds);
                set = self.sets.when(&set, condition);
            }
        }
        Some(set)
    }

    /// The fingerprint follows what is kept, where somebody asks for it.
    pub(super) fn kept_hash(&self) -> Hash {
        let follows = self.compiler.goal == Goal::Play && !self.is_quick;
        if follows { Hash::Keep } else { Hash::Leave }
    }

    /// Records moves, or makes them to count what comes after them.
    pub(super) fn end_moves(&mut self, path: Value, shape: Shape, squares: &Set) -> Option<()> {
        match self.compiler.goal {
            Goal::Play => self.record_moves(path, shape, squares),
            Goal::Count => self.make_moves(shape, squares),
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
        use cranelift_module::Module;
        let function = self.compiler.function(Use::Record);
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

/// How many writes are done without calls.
const MAX_CHAIN: usize = 16;

/// The only thing that can be done in a stage, when that is on the square where it begins.
pub(super) fn lone_exit(segments: &Segments, stage: u32) -> Option<&Exit> {
    let stage = &segments.stages[stage as usize];
    match stage.exits.as_slice() {
        [exit] if stage.operations.is_empty() && exit.slot == CURSOR && stage.accept.is_none() => {
            Some(exit)
        }
        _ => None,
    }
}

/// For each slot whether it holds nothing but the cursor, if anything.
pub(super) fn slots_on_cursor(stage: &Stage) -> Vec<bool> {
    let mut on_cursor = vec![true; stage.slots as usize];
    on_cursor[CURSOR as usize] = stage.keeps_cursor;
    let mut changed = true;
    while changed {
        changed = false;
        for operation in &stage.operations {
            let (to, stays) = match operation {
                Operation::Transfer(transfer) => {
                    let is_filter = matches!(
                        transfer.how,
                        How::Same
                            | How::On(_)
                            | How::At(_)
                            | How::If(_)
                            | How::IfEach(_)
                            | How::Check(..)
                            | How::CheckAll(..)
                            | How::Except(_)
                    );
                    (transfer.to, is_filter && on_cursor[transfer.from as usize])
                }
                Operation::Along { to, .. } | Operation::AlongBack { to, .. } => (*to, false),
                Operation::Repeat(_) | Operation::Skip(..) => continue,
            };
            if !stays && on_cursor[to as usize] {
                on_cursor[to as usize] = false;
                changed = true;
            }
        }
    }
    on_cursor
}

/// The piece that stands on all squares of a slot, when only one can.
fn known_piece(segments: &Segments, stage: &Stage, slot: Slot) -> Option<Piece> {
    let mut known = None;
    for operation in &stage.operations {
        let tested = match operation {
            Operation::Transfer(transfer) if transfer.to == slot => match transfer.how {
                How::On(set) => set,
                _ => transfer.guard?,
            },
            Operation::Along { to, .. } | Operation::AlongBack { to, .. } if *to == slot => {
                return None;
            }
            _ => continue,
        };
        let mut pieces = segments.piece_sets[tested as usize].iter();
        let only = pieces.next().filter(|_| pieces.next().is_none())?;
        if known.replace(only).is_some_and(|before| before != only) {
            return None;
        }
    }
    known.filter(|_| slot != CURSOR)
}
