//! The body of one function.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};
use cranelift_module::Module;
use regulus_automaton::{Automaton, Piece};
use regulus_engine::Layout;
use regulus_engine::Rules as _;
use regulus_engine::segment::{CURSOR, How, Operation, Segments, Slot, Transfer};

use super::keeper::Way;
use super::keeper::{ROOM_AFTER_MOVE, ROOM_FOR_KEEPER};
use super::sets::{Set, SetVariable, Sets, words};
use super::sizes::Sizes;
use super::watch::Watching;
use super::write::MaybePut;
use super::{Compiler, Use};
use crate::context::status;

/// Code for more than so many words is left out by a branch when there is nothing to do.
const WORTH_A_BRANCH: usize = 10;

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
    pub(super) parameters: Vec<Value>,
    pub(super) context: Value,
    pub(super) state: Value,
    /// The slots that have a value.
    pub(super) slots: Vec<Option<SetVariable>>,
    /// Sets of pieces already asked for, in the blocks that dominate this one.
    pub(super) asked: Vec<(u32, Pieces)>,
    /// How many skips are being written within each other.
    skips: usize,
    pub(super) sizes: Sizes,
    /// Whether fingerprints are left to others.
    pub(super) is_quick: bool,
    /// Whether what is written here stays, so that the board is the one that watches' answers are kept for.
    pub(super) keeps_writes: bool,
    /// What is noted while a watch is evaluated.
    pub(super) watching: Option<Watching>,
    /// Says which watch has been evaluated on the way and still holds; zero for none.
    pub(super) is_fresh: Option<Variable>,
    /// What has happened since a move that is being made.
    pub(super) way: Way,
    /// The pieces that the keeper may put then.
    pub(super) maybe_put: Vec<MaybePut>,
    /// Where the keeper's moves lead when a player takes over, if that is not told by an answer.
    pub(super) turn: Option<Block>,
    /// The stage that is being written, if any.
    pub(super) stage_number: Option<u32>,
    /// How much code may still be written here in place of calls, and whether all that the keeper does has to be.
    pub(super) room: u32,
    pub(super) is_all_in_place: bool,
    /// Where the answer is given: the end of the function, or what comes after it where it is written in place of a call.
    pub(super) leave: Block,
}

/// How many skips are written within each other; those within are left out.
const MAX_SKIPS: usize = 32;

/// The squares with certain pieces.
#[derive(Clone, Debug)]
pub(super) enum Pieces {
    Are(Set),
    AreNot(Set),
}

/// Where the stage begins: a square, when the slot of the cursor holds nothing else.
#[derive(Clone, Copy, Default)]
pub(super) struct Start {
    pub(super) cursor: Option<(Slot, Value)>,
    /// The square where the slot of the cursor begins, whatever is added to it later.
    pub(super) first: Option<Value>,
    /// Whether the first operation is a repetition.
    pub(super) begins_with_loop: bool,
    /// Where to go when a pattern has succeeded, and the slot that says so.
    pub(super) accept: Option<(Slot, Block)>,
}

impl<'a, 'c, 'b> Body<'a, 'c, 'b> {
    pub(super) fn new(compiler: &'a mut Compiler<'c>, mut b: FunctionBuilder<'b>) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        b.seal_block(entry);
        let parameters = b.block_params(entry).to_vec();
        let (context, state) = (parameters[0], parameters[1]);
        let words = compiler.words;
        let leave = b.create_block();
        b.append_block_param(leave, I64);
        let sets = Sets { b, words };
        let (slots, asked, sizes) = (Vec::new(), Vec::new(), Sizes::default());
        Body {
            compiler,
            sets,
            parameters,
            context,
            state,
            slots,
            asked,
            skips: 0,
            sizes,
            is_quick: false,
            keeps_writes: false,
            watching: None,
            is_fresh: None,
            way: Way::default(),
            maybe_put: Vec::new(),
            turn: None,
            stage_number: None,
            room: 0,
            is_all_in_place: false,
            leave,
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

    /// Writes the whole function; nothing when something in it cannot be compiled.
    pub(super) fn write(mut self, wanted: Use, config: TargetFrontendConfig) -> Option<()> {
        self.is_quick = matches!(wanted, Use::QuickFirst(_) | Use::QuickExecute | Use::Finish(_));
        self.keeps_writes = self.is_quick || matches!(wanted, Use::First(_) | Use::Execute);
        self.room = match wanted {
            Use::First(_) | Use::QuickFirst(_) => self.compiler.reserve(ROOM_FOR_KEEPER),
            Use::Finish(_) => self.compiler.reserve(ROOM_AFTER_MOVE),
            _ => 0,
        };
        match wanted {
            Use::All(stage)
            | Use::Flat(stage)
            | Use::First(stage)
            | Use::QuickFirst(stage)
            | Use::Test(stage) => {
                self.stage(wanted, stage)?;
            }
            Use::Enter(stage) => self.enter(stage),
            Use::Watch(watch) => self.watch(watch, false)?,
            Use::WatchSuccess(watch) => self.watch(watch, true)?,
            Use::Survey(survey) => self.survey(survey)?,
            Use::Record => self.record(),
            Use::Leaves(shape) => self.leaves(shape)?,
            Use::Moves(shape) => self.inner_moves(shape)?,
            Use::Visit => self.visit(),
            Use::Keep => self.keep(),
            Use::Execute | Use::QuickExecute => self.execute()?,
            Use::Finish(shape) => self.finish_move(shape)?,
        }
        self.compiler.room += self.room;
        let answer = self.arrive(self.leave);
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
        self.sets.b.ins().jump(self.leave, &[answer.into()]);
    }

    /// Writes the code of a stage here in place of a call; returns its answer.
    pub(super) fn stage_in_place(
        &mut self,
        wanted: Use,
        stage: u32,
        cursor: Value,
    ) -> Option<Value> {
        let after = self.sets.b.create_block();
        self.sets.b.append_block_param(after, I64);
        let leave = std::mem::replace(&mut self.leave, after);
        let parameters =
            std::mem::replace(&mut self.parameters, vec![self.context, self.state, cursor]);
        let slots = std::mem::take(&mut self.slots);
        // Something was written since the pieces were asked for.
        let asked = std::mem::take(&mut self.asked);
        let sizes = std::mem::take(&mut self.sizes);
        let is_fresh = self.is_fresh.take();
        let (number, keeps_writes) = (self.stage_number, self.keeps_writes);
        self.keeps_writes = true;
        self.stage(wanted, stage)?;
        self.leave = leave;
        self.parameters = parameters;
        self.slots = slots;
        self.asked = asked;
        self.sizes = sizes;
        self.is_fresh = is_fresh;
        (self.stage_number, self.keeps_writes) = (number, keeps_writes);
        Some(self.arrive(after))
    }

    fn stage(&mut self, wanted: Use, number: u32) -> Option<()> {
        let stage = &self.segments().stages[number as usize];
        self.stage_number = Some(number);
        let cursor = self.parameters[2];
        self.sizes = Sizes::new(self.automaton(), self.segments(), stage);
        self.slots = vec![None; stage.slots as usize];
        let start = self.sets.single(cursor);
        self.set(CURSOR, &start);
        let is_test = matches!(wanted, Use::Test(_));
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
            Use::All(_) => {
                let path = self.parameters[3];
                self.all_exits(stage, path)?;
            }
            Use::Flat(_) => self.flat_exits(stage)?,
            Use::First(_) | Use::QuickFirst(_) => self.first_exits(stage)?,
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
        let sizes = std::mem::replace(&mut self.sizes, Sizes::wide(survey.slots));
        let slots = std::mem::replace(&mut self.slots, vec![None; survey.slots as usize]);
        let all = self.all_squares();
        for &accept in &survey.accept {
            self.set(accept, &all);
        }
        self.operations(&survey.operations, Start::default())?;
        let answer = self.get(survey.start);
        self.sizes = sizes;
        self.slots = slots;
        Some(answer)
    }

    pub(super) fn all_squares(&mut self) -> Set {
        let all = crate::tables::to_words(self.automaton().board.squares.keys(), self.sets.words);
        self.sets.constant(&all)
    }

    /// The operations of a stage. PERF: when all begins on the squares of some piece, of which there are likely very few,
    /// they are gone through one by one: then everything that starts there has its table.
    pub(super) fn stage_operations(
        &mut self,
        operations: &[Operation],
        start: Start,
    ) -> Option<()> {
        let Some((anchor, first, rest)) = self.anchored(operations) else {
            return self.operations(operations, start);
        };
        let squares = self.transfer(&first, start)?;
        self.begin_slots(rest);
        self.each(&squares, |body, square| {
            let single = body.sets.single(square);
            body.set(anchor, &single);
            body.operations(rest, Start { cursor: Some((anchor, square)), ..start })
        })?;
        self.set(anchor, &squares);
        Some(())
    }

    /// The slot where all begins, what leads there, and the rest, which must be the same for many squares as for each.
    fn anchored<'o>(
        &self,
        operations: &'o [Operation],
    ) -> Option<(Slot, Transfer, &'o [Operation])> {
        let (Operation::Transfer(first), rest) = operations.split_first()? else { return None };
        let anchor = first.to;
        let begins = first.from == CURSOR && matches!(first.how, How::Everywhere(_));
        let is_apart = |operation: &Operation| match operation {
            Operation::Transfer(transfer) => {
                let is_simple = matches!(
                    transfer.how,
                    How::Same | How::On(_) | How::At(_) | How::Shift(_) | How::Walk(_)
                );
                is_simple && transfer.from != CURSOR && transfer.to != anchor
            }
            Operation::Along { from, to, .. } => *from != CURSOR && *to != anchor,
            Operation::Skip(..) => true,
            Operation::Repeat(_) | Operation::AlongBack { .. } => false,
        };
        let is_anchored = begins
            && first.guard.is_some()
            && self.sizes.is_few(anchor)
            && rest.len() > 4
            && rest.iter().all(is_apart);
        is_anchored.then_some((anchor, *first, rest))
    }

    pub(super) fn operations(&mut self, operations: &[Operation], start: Start) -> Option<()> {
        let mut at = 0;
        while let Some(operation) = operations.get(at) {
            at += 1;
            match operation {
                Operation::Skip(slot, count) => {
                    let skipped = &operations[at..at + *count as usize];
                    if self.skips == MAX_SKIPS || !self.is_worth_a_branch(skipped) {
                        continue;
                    }
                    at += *count as usize;
                    self.skips += 1;
                    self.skip(*slot, skipped, start)?;
                    self.skips -= 1;
                }
                Operation::Transfer(transfer) => {
                    let arrived = self.transfer(transfer, start)?;
                    self.add(transfer.to, &arrived);
                    self.accept(transfer.to, start);
                }
                Operation::Along { ray, from, to, through, includes_start } => {
                    self.along(*ray, *from, *to, *through, *includes_start, start)?;
                    self.accept(*to, start);
                }
                Operation::AlongBack { ray, from, to, through, includes_start } => {
                    self.along_back(*ray, *from, *to, *through, *includes_start)?;
                }
                Operation::Repeat(count) => {
                    let (repeated, rest) = operations[at..].split_at(*count as usize);
                    let is_first = at == 1;
                    at += *count as usize;
                    let begins_with_loop = start.begins_with_loop && is_first;
                    self.repeat(repeated, rest, Start { begins_with_loop, ..start })?;
                }
            }
        }
        Some(())
    }

    /// Whether operations take longer than a branch that is guessed wrong now and then.
    fn is_worth_a_branch(&self, operations: &[Operation]) -> bool {
        let tables = self.compiler.tables;
        let cost = |operation: &Operation| match operation {
            Operation::Transfer(transfer) => match transfer.how {
                How::Check(..) | How::CheckAll(..) | How::IfEach(_) | How::Jump(_) => 20,
                How::Walk(_) | How::Shift(_) if self.goes_by_square(transfer) => 6,
                How::Walk(table) | How::WalkBack(table) => tables.walk_strides[table].len(),
                How::Shift(direction) | How::ShiftBack(direction) => {
                    tables.shift_strides[direction].len()
                }
                _ => 1,
            },
            Operation::Repeat(_) => 20,
            Operation::Along { .. } | Operation::AlongBack { .. } => 6,
            Operation::Skip(..) => 0,
        };
        operations.iter().map(cost).sum::<usize>() * self.sets.words > WORTH_A_BRANCH
    }

    /// Leaves the function when a pattern has succeeded.
    fn accept(&mut self, filled: Slot, start: Start) {
        if let Some((_, found)) = start.accept.filter(|(accept, _)| *accept == filled) {
            let set = self.get(filled);
            self.leave_if_any(&set, found);
        }
    }

    fn leave_if_any(&mut self, set: &Set, found: Block) {
        let Some(any) = self.sets.any(set) else { return };
        let next = self.sets.b.create_block();
        self.sets.b.ins().brif(any, found, &[], next, &[]);
        self.sets.b.seal_block(next);
        self.sets.b.switch_to_block(next);
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
        let asked = self.asked.len();
        body(self)?;
        self.asked.truncate(asked);
        self.sets.b.ins().jump(done, &[]);
        self.sets.b.seal_block(done);
        self.sets.b.switch_to_block(done);
        Some(())
    }

    fn skip(&mut self, slot: Slot, skipped: &[Operation], start: Start) -> Option<()> {
        self.begin_slots(skipped);
        let set = self.get(slot);
        self.if_any(&set, |body| body.operations(skipped, start))
    }

    /// Gives all slots that are written a value before code that may not be run.
    fn begin_slots(&mut self, operations: &[Operation]) {
        for operation in operations {
            let to = match operation {
                Operation::Transfer(Transfer { to, .. })
                | Operation::Along { to, .. }
                | Operation::AlongBack { to, .. } => *to,
                Operation::Repeat(_) | Operation::Skip(..) => continue,
            };
            if self.slots[to as usize].is_none() {
                let empty = self.sets.empty();
                self.set(to, &empty);
            }
        }
    }

    fn repeat(&mut self, repeated: &[Operation], rest: &[Operation], start: Start) -> Option<()> {
        self.begin_slots(repeated);
        let transfers: Vec<Transfer> = repeated.iter().filter_map(as_transfer).collect();
        if self.sets.words <= 2 {
            // There are registers enough to ask for the pieces only once.
            for transfer in &transfers {
                let tested = if let How::On(set) = transfer.how { Some(set) } else { None };
                for set in tested.into_iter().chain(transfer.guard) {
                    self.pieces(set);
                }
            }
        }
        // PERF: what goes square by square does so for each square only once.
        let empty = self.sets.empty();
        let begin = |transfer: &Transfer| {
            self.goes_by_square(transfer).then(|| {
                let variable = self.sets.variable();
                self.sets.assign(&variable, &empty);
                variable
            })
        };
        let expanded: Vec<Option<SetVariable>> = transfers.iter().map(begin).collect();
        let (head, done) = (self.sets.b.create_block(), self.sets.b.create_block());
        if start.begins_with_loop {
            // PERF: as long as there is only the cursor, tables are faster than steps of whole sets.
            let cursor = start.first.map(|first| (CURSOR, first));
            let grown = self.round(&transfers, &expanded, rest, Start { cursor, ..start })?;
            let grows = self.sets.any_or_zero(&grown);
            self.sets.b.ins().brif(grows, head, &[], done, &[]);
        } else {
            self.sets.b.ins().jump(head, &[]);
        }
        self.sets.b.switch_to_block(head);
        let grown = self.round(&transfers, &expanded, rest, start)?;
        let grows = self.sets.any_or_zero(&grown);
        self.sets.b.ins().brif(grows, head, &[], done, &[]);
        self.sets.b.seal_block(head);
        self.sets.b.seal_block(done);
        self.sets.b.switch_to_block(done);
        Some(())
    }

    /// Once through what is repeated; returns what is new in the slots that are read before they are written.
    fn round(
        &mut self,
        transfers: &[Transfer],
        expanded: &[Option<SetVariable>],
        rest: &[Operation],
        start: Start,
    ) -> Option<Set> {
        let asked = self.asked.len();
        let mut grown = self.sets.empty();
        for (index, transfer) in transfers.iter().enumerate() {
            let mut from = self.get(transfer.from);
            if let Some(expanded) = &expanded[index] {
                let before = self.sets.read(expanded);
                self.sets.assign(expanded, &from);
                from = self.sets.without(&from, &before);
            }
            let arrived = self.transfer_from(&from, transfer, start)?;
            let before = self.get(transfer.to);
            if transfers[..=index].iter().any(|earlier| earlier.from == transfer.to) {
                let new = self.sets.without(&arrived, &before);
                grown = self.sets.or(&grown, &new);
            }
            let both = self.sets.or(&before, &arrived);
            self.set(transfer.to, &both);
            self.accept(transfer.to, start);
        }
        // PERF: most patterns with a loop (a group that has a liberty, a chain that touches a side) succeed near where
        // they start, so what leaves the loop for acceptance is asked every time.
        if let Some((accept, found)) = start.accept {
            let inside = |slot| transfers.iter().any(|transfer| transfer.to == slot);
            let leaves = rest.iter().filter_map(as_transfer);
            // Whatever looks at other slots has to wait until they are complete.
            let is_simple = |how| {
                matches!(how, How::Same | How::On(_) | How::At(_) | How::Shift(_) | How::Walk(_))
            };
            let leaves: Vec<Transfer> = leaves
                .filter(|t| t.to == accept && inside(t.from) && is_simple(t.how))
                .filter(|t| !self.goes_by_square(t))
                .collect();
            for transfer in leaves {
                // What has arrived since a slot was read is not complete, but there.
                let arrived = self.transfer(&transfer, Start { cursor: None, ..start })?;
                self.leave_if_any(&arrived, found);
            }
        }
        self.asked.truncate(asked);
        Some(grown)
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
        let asked = self.asked.len();
        let square = self.sets.next_square(&rest, done);
        body(self, square)?;
        self.asked.truncate(asked);
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

    pub(super) fn get(&mut self, slot: Slot) -> Set {
        match self.slots[slot as usize].clone() {
            Some(variable) => self.sets.read(&variable),
            None => self.sets.empty(),
        }
    }

    pub(super) fn set(&mut self, slot: Slot, set: &Set) {
        let variable = match &self.slots[slot as usize] {
            Some(variable) => variable.clone(),
            None => {
                let variable = self.sets.variable();
                self.slots[slot as usize] = Some(variable.clone());
                variable
            }
        };
        self.sets.assign(&variable, set);
    }

    pub(super) fn add(&mut self, slot: Slot, arrived: &Set) {
        let both = match self.slots[slot as usize] {
            Some(_) => {
                let before = self.get(slot);
                self.sets.or(&before, arrived)
            }
            None => arrived.clone(),
        };
        self.set(slot, &both);
    }

    /// The squares of a set with a piece of another set.
    pub(super) fn keep_on(&mut self, set: &Set, pieces: u32) -> Set {
        match self.pieces(pieces) {
            Pieces::Are(squares) => self.sets.and(set, &squares),
            Pieces::AreNot(squares) => self.sets.without(set, &squares),
        }
    }

    /// The squares of a set without a piece of another set.
    pub(super) fn keep_not_on(&mut self, set: &Set, pieces: u32) -> Set {
        match self.pieces(pieces) {
            Pieces::Are(squares) => self.sets.without(set, &squares),
            Pieces::AreNot(squares) => self.sets.and(set, &squares),
        }
    }

    fn pieces(&mut self, number: u32) -> Pieces {
        if let Some((_, pieces)) = self.asked.iter().find(|(asked, _)| *asked == number) {
            return pieces.clone();
        }
        let set = &self.segments().piece_sets[number as usize];
        let automaton = self.automaton();
        let all_but = set.len() * 2 > automaton.pieces.len();
        let mut squares = self.sets.empty();
        for piece in automaton.pieces.keys().filter(|&piece| set.contains(piece) != all_but) {
            let here = self.squares_of(piece);
            squares = self.sets.or(&squares, &here);
        }
        let pieces = if all_but { Pieces::AreNot(squares) } else { Pieces::Are(squares) };
        self.asked.push((number, pieces.clone()));
        pieces
    }

    pub(super) fn squares_of(&mut self, piece: Piece) -> Set {
        let at = self.layout().set_at(piece) as i32;
        self.sets.load(self.state, at, words())
    }

    /// Calls another function of the game.
    pub(super) fn call(&mut self, wanted: Use, arguments: &[Value]) -> Value {
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

fn as_transfer(operation: &Operation) -> Option<Transfer> {
    match operation {
        Operation::Transfer(transfer) => Some(*transfer),
        _ => None,
    }
}
