//! Code for what edges do to slots.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use regulus_automaton::{Pattern, Register};
use regulus_engine::segment::{Operation, PatternCode, Slot, Transfer, TransferKind};

use super::FunctionKind;
use super::body::{Body, field};
use super::operations::Start;
use super::sets::{Set, bytes, constants, words};
use crate::context::status;
use crate::tables::{Stride, set_words};

/// With more strides than this, a table is looked up square by square.
const MAX_STRIDES: usize = 12;

/// The same from what is likely to be very few squares.
const MAX_STRIDES_OF_FEW: usize = 4;

impl Body<'_, '_, '_> {
    /// The squares that arrive.
    pub(super) fn transfer(&mut self, transfer: &Transfer, start: Start) -> Option<Set> {
        let from = self.get(transfer.from);
        self.transfer_from(&from, transfer, start)
    }

    /// Whether a transfer from a set is made square by square.
    pub(super) fn goes_by_square(&self, transfer: &Transfer) -> bool {
        let tables = self.compiler.tables;
        let most =
            if self.frame.slots.is_few(transfer.from) { MAX_STRIDES_OF_FEW } else { MAX_STRIDES };
        match transfer.kind {
            TransferKind::Walk(table) => tables.walk_strides[table].len() > most,
            TransferKind::Shift(direction) => {
                tables.shift_strides[direction].len() > most && tables.shift(direction).is_some()
            }
            _ => false,
        }
    }

    /// The squares that arrive from some squares.
    pub(super) fn transfer_from(
        &mut self,
        from: &Set,
        transfer: &Transfer,
        start: Start,
    ) -> Option<Set> {
        let arrived = self.arrivals(from, transfer, start)?;
        Some(match transfer.guard {
            Some(guard) => self.test(&arrived, guard),
            None => arrived,
        })
    }

    fn arrivals(&mut self, from: &Set, transfer: &Transfer, start: Start) -> Option<Set> {
        let words_of = self.sets.words;
        let segments = self.segments();
        let tables = self.compiler.tables;
        let square_set = |set: u32| set_words(&segments.square_sets[set as usize], words_of);
        let cursor = start.cursor.filter(|(slot, _)| *slot == transfer.from).map(|(_, at)| at);
        Some(match transfer.kind {
            TransferKind::Same => from.clone(),
            TransferKind::Except(slot) => {
                let others = self.get(slot);
                self.sets.without(from, &others)
            }
            TransferKind::On(set) => self.test(from, set),
            TransferKind::At(set) => self.sets.and_mask(from, &square_set(set)),
            TransferKind::Shift(direction) => match (tables.shift(direction), cursor) {
                (Some(row), Some(cursor)) => self.row(row, cursor),
                (Some(row), None) if self.goes_by_square(transfer) => self.rows(row, from)?,
                _ => self.sets.strides(from, &tables.shift_strides[direction]),
            },
            TransferKind::ShiftBack(direction) => {
                self.sets.strides_back(from, &tables.shift_strides[direction])
            }
            TransferKind::Walk(table) => match cursor {
                Some(cursor) => self.row(tables.walk(table), cursor),
                None if self.goes_by_square(transfer) => self.rows(tables.walk(table), from)?,
                None => self.sets.strides(from, &tables.walk_strides[table]),
            },
            TransferKind::WalkBack(table) => {
                self.sets.strides_back(from, &tables.walk_strides[table])
            }
            TransferKind::Everywhere(set) => {
                let all = self.sets.constant(&square_set(set));
                if cursor.is_some() { all } else { self.when_any(&all, from) }
            }
            TransferKind::FromEverywhere(set) => {
                let there = self.sets.and_mask(from, &square_set(set));
                let all = self.all_squares();
                self.when_any(&all, &there)
            }
            TransferKind::If(pair) => {
                let holds = self.holds(pair, None)?;
                let condition = self.sets.ones_if(holds);
                self.sets.when(from, condition)
            }
            TransferKind::IfEach(pair) => {
                self.filter(from, cursor, |body, square| body.holds(pair, Some(square)))?
            }
            TransferKind::Check(pattern, expected) => {
                self.check(from, cursor, pattern, expected)?
            }
            TransferKind::CheckAll(pattern, expected) => {
                let succeeds = self.survey_of(from, pattern)?;
                if expected {
                    self.sets.and(from, &succeeds)
                } else {
                    self.sets.without(from, &succeeds)
                }
            }
            TransferKind::Recall(register) => {
                let square = self.register(register);
                let there = self.sets.single(square);
                if cursor.is_some() { there } else { self.when_any(&there, from) }
            }
            TransferKind::RecallBack(register) => {
                let square = self.register(register);
                let there = self.sets.contains(from, square);
                let condition = self.sets.ones_if(there);
                let all = self.all_squares();
                self.sets.when(&all, condition)
            }
            TransferKind::Jump(pair) => {
                self.join_each(from, |body, square| body.jump(pair, square))?
            }
        })
    }

    /// A set, when another one is not empty.
    fn when_any(&mut self, set: &Set, other: &Set) -> Set {
        match self.sets.any(other) {
            Some(any) => {
                let condition = self.sets.ones_if(any);
                self.sets.when(set, condition)
            }
            None => self.sets.empty(),
        }
    }

    pub(super) fn register(&mut self, register: Register) -> Value {
        let at = self.layout().register_at(register) as i32;
        self.sets.b.ins().uload16(I64, bytes(), self.state, at)
    }

    /// The sets that a table has for squares, together.
    fn rows(&mut self, table: i64, from: &Set) -> Option<Set> {
        self.join_each(from, |body, square| Some(body.row(table, square)))
    }

    /// What something makes of each square of a set, together.
    fn join_each(
        &mut self,
        from: &Set,
        make: impl FnOnce(&mut Self, Value) -> Option<Set>,
    ) -> Option<Set> {
        let reached = self.sets.variable();
        let empty = self.sets.empty();
        self.sets.assign(&reached, &empty);
        self.each(from, |body, square| {
            let there = make(body, square)?;
            let before = body.sets.read(&reached);
            let both = body.sets.or(&before, &there);
            body.sets.assign(&reached, &both);
            Some(())
        })?;
        Some(self.sets.read(&reached))
    }

    /// The set that a table has for a square.
    fn row(&mut self, table: i64, square: Value) -> Set {
        let size = 8 * self.sets.words as i64;
        let table = self.sets.number(table);
        let at = self.sets.b.ins().imul_imm_s(square, size);
        let at = self.sets.b.ins().iadd(table, at);
        self.sets.load(at, 0, constants())
    }

    /// The squares for which a test answers one.
    fn filter(
        &mut self,
        from: &Set,
        cursor: Option<Value>,
        test: impl FnOnce(&mut Self, Value) -> Option<Value>,
    ) -> Option<Set> {
        if let Some(cursor) = cursor {
            let passes = test(self, cursor)?;
            let condition = self.sets.ones_if(passes);
            return Some(self.sets.when(from, condition));
        }
        self.join_each(from, |body, square| {
            let passes = test(body, square)?;
            let single = body.sets.single(square);
            let condition = body.sets.ones_if(passes);
            Some(body.sets.when(&single, condition))
        })
    }

    fn check(
        &mut self,
        from: &Set,
        cursor: Option<Value>,
        pattern: Pattern,
        expected: bool,
    ) -> Option<Set> {
        let code = self.segments().patterns[pattern];
        let succeeds = if code.is_anywhere {
            let result = self.sets.variable();
            let empty = self.sets.empty();
            self.sets.assign(&result, &empty);
            self.if_any(from, |body| {
                let condition = match body.ask_known(pattern) {
                    Some(answer) => answer,
                    None => {
                        let zero = body.sets.number(0);
                        let found = body.ask(code, zero);
                        body.sets.ones_if(found)
                    }
                };
                let all = body.sets.when(from, condition);
                body.sets.assign(&result, &all);
                Some(())
            })?;
            self.sets.read(&result)
        } else {
            self.filter(from, cursor, |body, square| Some(body.ask(code, square)))?
        };
        Some(if expected { succeeds } else { self.sets.without(from, &succeeds) })
    }

    /// Whether a pattern succeeds from a square, as one or zero.
    fn ask(&mut self, code: PatternCode, square: Value) -> Value {
        let answer = self.call(FunctionKind::Test(code.stage), &[square]);
        if self.can_give_up(code) {
            let gives_up = self.sets.b.ins().icmp_imm_s(IntCC::Equal, answer, status::GIVE_UP);
            self.give_up_if(gives_up);
        }
        let is = self.sets.b.ins().icmp_imm_s(IntCC::Equal, answer, 1);
        self.sets.b.ins().uextend(I64, is)
    }

    /// Whether a pattern, or one that it asks, writes: then it may reach a limit.
    pub(super) fn can_give_up(&self, code: PatternCode) -> bool {
        let segments = self.segments();
        let asks = |operation: &Operation| match operation {
            Operation::Transfer(Transfer { kind: TransferKind::Check(pattern, _), .. }) => {
                self.can_give_up(segments.patterns[*pattern])
            }
            _ => false,
        };
        !code.is_quiet || segments.stages[code.stage as usize].operations.iter().any(asks)
    }

    /// All squares where a pattern succeeds, when it is asked for any.
    fn survey_of(&mut self, from: &Set, pattern: Pattern) -> Option<Set> {
        let survey = self.segments().patterns[pattern].survey?;
        self.surveyed(from, survey)
    }

    /// The answer of a survey, when it is asked for any square.
    pub(super) fn surveyed(&mut self, from: &Set, survey: u32) -> Option<Set> {
        if self.segments().surveys[survey as usize].is_short {
            return self.inline_survey(survey);
        }
        let result = self.sets.variable();
        let empty = self.sets.empty();
        self.sets.assign(&result, &empty);
        self.if_any(from, |body| {
            let answer = body.call_survey(survey);
            body.sets.assign(&result, &answer);
            Some(())
        })?;
        Some(self.sets.read(&result))
    }

    /// The answer of a survey, by its function.
    pub(super) fn call_survey(&mut self, survey: u32) -> Set {
        self.call(FunctionKind::Survey(survey), &[]);
        let areas = self.sets.b.ins().load(I64, words(), self.context, field!(areas));
        let at = 8 * self.sets.words * survey as usize;
        self.sets.load(areas, at as i32, words())
    }

    /// Along the lines from every square of a slot, to the first square with a piece that does not let pass.
    pub(super) fn along(
        &mut self,
        ray: u32,
        from: Slot,
        to: Slot,
        through: u32,
        includes_start: bool,
        start: Start,
    ) -> Option<()> {
        let starts = self.get(from);
        let cursor = start.cursor.filter(|(slot, _)| *slot == from).map(|(_, at)| at);
        if let Some(cursor) = cursor {
            let line = self.line(ray, cursor, through, includes_start);
            self.add(to, &line);
            return Some(());
        }
        match self.compiler.tables.ray_strides[ray as usize].as_slice() {
            [stride] if !self.frame.slots.is_few(from) => {
                let standing =
                    if includes_start { self.keep_on(&starts, through) } else { starts.clone() };
                let standing = self.fill(&standing, through, stride);
                let arrived = self.sets.strides(&standing, std::slice::from_ref(stride));
                self.add(to, &arrived);
                if includes_start {
                    self.add(to, &starts);
                }
            }
            _ => {
                let reached = self.join_each(&starts, |body, square| {
                    Some(body.line(ray, square, through, includes_start))
                })?;
                self.add(to, &reached);
            }
        }
        Some(())
    }

    /// Against the lines that lead to the squares of a slot.
    pub(super) fn along_back(
        &mut self,
        ray: u32,
        from: Slot,
        to: Slot,
        through: u32,
        includes_start: bool,
    ) -> Option<()> {
        let strides = &self.compiler.tables.ray_strides[ray as usize];
        let leads = self.get(from);
        let leads = match strides.as_slice() {
            [stride] => self.fill(&leads, through, &stride.reversed()),
            _ => self.fill_step_by_step(&leads, through, strides),
        };
        let starts = if includes_start { leads } else { self.sets.strides_back(&leads, strides) };
        self.add(to, &starts);
        Some(())
    }

    /// One line, from a table.
    fn line(&mut self, ray: u32, square: Value, through: u32, includes_start: bool) -> Set {
        let table = self.compiler.tables.ray(ray);
        let mut line = self.row(table, square);
        if includes_start {
            let single = self.sets.single(square);
            line = self.sets.or(&line, &single);
        }
        let stops = self.keep_not_on(&line, through);
        if self.segments().rays[ray as usize].ascends {
            self.sets.up_to_lowest(&line, &stops)
        } else {
            self.sets.down_to_highest(&line, &stops)
        }
    }

    /// All squares that steps of one length lead to, from the squares of a set over squares with certain pieces, and the
    /// set itself: what can be entered is entered from ever further away, twice as far each time.
    pub(super) fn fill(&mut self, starts: &Set, through: u32, stride: &Stride) -> Set {
        let longest = stride.longest();
        let enterable = self.sets.constant(&stride.to());
        let mut enterable = self.keep_on(&enterable, through);
        let mut standing = starts.clone();
        let mut far = 1;
        while far <= longest {
            let moved = self.sets.shifted(&standing, far * stride.distance);
            let moved = self.sets.and(&moved, &enterable);
            standing = self.sets.or(&standing, &moved);
            if far * 2 <= longest {
                let before = self.sets.shifted(&enterable, far * stride.distance);
                enterable = self.sets.and(&enterable, &before);
            }
            far *= 2;
        }
        standing
    }

    /// The same against steps of several lengths.
    fn fill_step_by_step(&mut self, starts: &Set, through: u32, strides: &[Stride]) -> Set {
        let reached = self.sets.variable();
        self.sets.assign(&reached, starts);
        let (head, done) = (self.sets.b.create_block(), self.sets.b.create_block());
        self.sets.b.ins().jump(head, &[]);
        self.sets.b.switch_to_block(head);
        let before = self.sets.read(&reached);
        let more = self.sets.strides_back(&before, strides);
        let more = self.in_branch(|body| body.keep_on(&more, through));
        let more = self.sets.without(&more, &before);
        let both = self.sets.or(&before, &more);
        self.sets.assign(&reached, &both);
        let grows = self.sets.any_or_zero(&more);
        self.sets.b.ins().brif(grows, head, &[], done, &[]);
        self.sets.b.seal_block(head);
        self.sets.b.seal_block(done);
        self.sets.b.switch_to_block(done);
        self.sets.read(&reached)
    }
}
