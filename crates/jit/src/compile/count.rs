//! Code that counts trees: every move is made on the state itself, followed, and taken back.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I8X16, I64};
use cranelift_codegen::ir::{InstBuilder, Value};
use regulus_automaton::{Action, Expression, Modifier, Node, Piece, Player, Register};
use regulus_engine::Rules as _;
use regulus_engine::segment::{Continuation, Exit, Segments};

use super::body::{Body, field};
use super::frame::Targets;
use super::keeper::Work;
use super::known::lone_exit;
use super::sets::{Set, bytes, words};
use super::trail::{MaybePut, Trail};
use super::write::{Hash, Replaced, WriteTarget};
use super::{FunctionKind, Shape};
use crate::context::status;

/// How many moves of the keeper in a row are made before the rest is left to others, who watch it; and how much these may
/// take together.
const MAX_KEEPER_MOVES: u64 = 1 << 10;
const MAX_KEEPER_COST: u64 = 1 << 26;

/// How many writes of a move's end are done without asking.
const MAX_CERTAIN: usize = 64;

/// How a move ends, after writes that are certain.
#[derive(Clone, Copy)]
enum End {
    /// A player takes over at a node.
    Turn(Node, Player),
    /// The keeper takes over at a node.
    Keeper(Node),
    /// The keeper is already at work, in a stage.
    Within(u32),
}

/// Moves that differ in their last square.
struct Moves<'a> {
    /// What is done there, and at fixed distances from it.
    writes: Vec<(&'a Action, i64)>,
    /// The pieces that are put, if it is known which.
    puts: Option<Vec<Piece>>,
    end: End,
}

impl End {
    /// Where the keeper goes on.
    fn stage(self, segments: &Segments) -> Option<u32> {
        match self {
            End::Turn(..) => None,
            End::Keeper(node) => segments.stage_of[node],
            End::Within(stage) => Some(stage),
        }
    }
}

/// What is needed to take moves back, besides the pieces they put.
enum UndoData {
    /// Where a copy of the whole state is.
    Snapshot(Value),
    /// What certain variables and registers held, and the pieces that the keeper has put: where, and over what.
    Contents { contents: Vec<(WriteTarget, Value)>, puts: Vec<MaybePut> },
}

impl UndoData {
    /// Returns where the pieces are noted that the keeper may put.
    fn puts(&self) -> &[MaybePut] {
        match self {
            UndoData::Snapshot(_) => &[],
            UndoData::Contents { puts, .. } => puts,
        }
    }
}

impl<'c> Body<'_, 'c, '_> {
    /// Makes moves that end on the squares of a set, if there are any.
    pub(super) fn make_moves(&mut self, shape: Shape, squares: &Set) -> Option<()> {
        let shape = self.compiler.shape(shape);
        self.if_any(squares, |body| {
            let squares = body.all_words(squares);
            let status = body.call(FunctionKind::Leaves(shape), &squares);
            body.return_unless_zero(status);
            Some(())
        })
    }

    /// The function that makes moves of a shape that end on the squares of a set, one after the other. PERF: the last moves
    /// are mostly made without any calls, so everything stays in registers; other moves have a function of their own.
    pub(super) fn leaves(&mut self, shape: u32) -> Option<()> {
        let (inner, leaf) = (self.sets.b.create_block(), self.sets.b.create_block());
        let left = self.sets.b.ins().load(I64, words(), self.context, field!(left));
        let is_leaf = self.sets.b.ins().icmp_imm_s(IntCC::Equal, left, 1);
        self.sets.b.ins().brif(is_leaf, leaf, &[], inner, &[]);
        self.sets.b.seal_block(leaf);
        self.sets.b.seal_block(inner);
        self.sets.b.switch_to_block(inner);
        let squares = self.frame.parameters[2..].to_vec();
        let status = self.call(FunctionKind::Moves(shape), &squares);
        self.answer_with(status);
        self.sets.b.switch_to_block(leaf);
        let moves = self.moves(shape)?;
        let squares: Set = squares.into_iter().map(Some).collect();
        self.keep_depth(|body| body.make_leaves(&moves, &squares))
    }

    /// The same for moves after which there are others.
    pub(super) fn inner_moves(&mut self, shape: u32) -> Option<()> {
        let moves = self.moves(shape)?;
        let squares: Set = self.frame.parameters[2..].iter().map(|&word| Some(word)).collect();
        self.keep_depth(|body| body.make_inner_moves(&moves, &squares))
    }

    /// Makes moves, and answers. The keeper counts its writes from wherever it likes.
    fn keep_depth(&mut self, make: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let depth = self.sets.b.ins().load(I64, words(), self.context, field!(depth));
        make(self)?;
        self.set_depth(depth);
        self.answer(status::NO);
        Some(())
    }

    /// What moves of a shape do.
    fn moves(&mut self, shape: u32) -> Option<Moves<'c>> {
        let shape = self.compiler.shapes[shape as usize];
        let (modifiers, end) = self.certain_end(shape.finish)?;
        let first = shape.first.map(|(first, distance)| (first, -i64::from(distance)));
        let writes = first.into_iter().chain(modifiers.into_iter().map(|last| (last, 0)));
        let meanings = &self.compiler.plan.referee().modifiers;
        let writes = writes.map(|(modifier, distance)| {
            let (action, _) = meanings[modifier].as_ref()?;
            Some((action, distance))
        });
        let writes: Vec<(&Action, i64)> = writes.collect::<Option<_>>()?;
        let puts = |(action, _): &(&Action, i64)| match action {
            Action::Put(piece) => Some(Some(*piece)),
            Action::PutHeld(_) => Some(None),
            _ => None,
        };
        let puts = writes.iter().filter_map(puts).collect();
        Some(Moves { writes, puts, end })
    }

    /// Makes the last moves, and counts them.
    fn make_leaves(&mut self, moves: &Moves, squares: &Set) -> Option<()> {
        let stage = moves.end.stage(self.segments());
        let fits = stage.is_none_or(|stage| self.make_room_for(stage));
        let undo = self.remember(moves, fits);
        let before = match (stage, &moves.puts) {
            (Some(stage), Some(puts)) if fits => {
                let asks = self.compiler.keeper_asks(stage);
                self.begin_settled(&asks, puts)
            }
            _ => Vec::new(),
        };
        let leaves = self.sets.b.declare_var(I64);
        let none = self.sets.number(0);
        self.sets.b.def_var(leaves, none);
        self.each(squares, |body, square| {
            let (replaced, squares) = body.write_all(moves, square)?;
            let settled = body.settled_after(&before, &squares);
            let puts = undo.puts();
            puts.iter().for_each(|&put| body.begin_put(put));
            let trail = Trail::new(settled, puts.to_vec());
            body.after_move(trail, |body| body.end_move(moves.end, square, fits))?;
            let count = body.sets.b.use_var(leaves);
            let count = body.sets.b.ins().iadd_imm_s(count, 1);
            body.sets.b.def_var(leaves, count);
            body.restore(&undo, replaced)
        })?;
        let more = self.sets.b.use_var(leaves);
        let count = self.sets.b.ins().load(I64, words(), self.context, field!(leaves));
        let count = self.sets.b.ins().iadd(count, more);
        self.sets.b.ins().store(words(), count, self.context, field!(leaves));
        Some(())
    }

    /// Makes moves after which there are others.
    fn make_inner_moves(&mut self, moves: &Moves, squares: &Set) -> Option<()> {
        let left = self.sets.b.ins().load(I64, words(), self.context, field!(left));
        let undo = self.remember(moves, false);
        self.each(squares, |body, square| {
            let (replaced, _) = body.write_all(moves, square)?;
            body.end_move(moves.end, square, false)?;
            let status = body.visit_next(left);
            body.return_unless_zero(status);
            body.restore(&undo, replaced)
        })
    }

    /// Does what ends a move; returns what the pieces that were put replaced, and where.
    fn write_all(&mut self, moves: &Moves, square: Value) -> Option<(Vec<Replaced>, Vec<Value>)> {
        let (mut replaced, mut squares) = (Vec::new(), Vec::new());
        for &(action, distance) in &moves.writes {
            let square = self.sets.b.ins().iadd_imm_s(square, distance);
            match action {
                Action::Put(_) | Action::PutHeld(_) => {
                    squares.push(square);
                    replaced.push(self.write_infallible_undoable(action, square)?);
                }
                _ => self.write_infallible_and_keep(action, square)?,
            }
        }
        Some((replaced, squares))
    }

    /// Does a write that cannot fail and is taken back later, with the value that this returns: [`Body::undo`]. `None` if
    /// it cannot be compiled.
    fn write_infallible_undoable(&mut self, action: &Action, square: Value) -> Option<Replaced> {
        let never = self.sets.b.create_block();
        let replaced = self.write_action(action, square, never, Hash::Leave)?;
        self.go_to(never);
        Some(replaced)
    }

    /// Before moves are made: remembers what cannot be taken back piece by piece.
    fn remember(&mut self, moves: &Moves, in_place: bool) -> UndoData {
        let stage = moves.end.stage(self.segments());
        if stage.is_some() && !self.compiler.looks_ahead() {
            return UndoData::Snapshot(self.take_snapshot());
        }
        let keeper = stage.map(|stage| self.compiler.keeper_work(stage));
        let bounds = keeper.as_ref().and_then(|keeper| keeper.bounds);
        let puts = bounds.filter(|_| in_place).map_or(0, |bounds| bounds.puts);
        if puts == 0 && keeper.as_ref().is_some_and(|keeper| keeper.puts) {
            return UndoData::Snapshot(self.take_snapshot());
        }
        let puts = (0..puts).map(|_| self.maybe_put()).collect();
        let mut all = Work::default();
        for (action, _) in &moves.writes {
            all.add(action);
        }
        if let Some(keeper) = keeper {
            all.variables.extend(&keeper.variables);
            all.registers.extend(&keeper.registers);
        }
        let variables = all.variables.into_iter().map(WriteTarget::Variable);
        let targets = variables.chain(all.registers.into_iter().map(WriteTarget::Register));
        let contents = targets.map(|target| (target, self.content(target))).collect();
        UndoData::Contents { contents, puts }
    }

    fn restore(&mut self, undo: &UndoData, replaced: Vec<Replaced>) -> Option<()> {
        match undo {
            UndoData::Snapshot(snapshot) => self.copy_state(*snapshot, self.state),
            UndoData::Contents { contents, puts } => {
                for &put in puts.iter().rev() {
                    self.put_back(put)?;
                }
                for replaced in replaced.into_iter().rev() {
                    self.undo(replaced, Hash::Leave);
                }
                for &(target, content) in contents {
                    self.store(target, content);
                }
            }
        }
        Some(())
    }

    fn end_move(&mut self, end: End, square: Value, in_place: bool) -> Option<()> {
        if let End::Turn(node, player) = end {
            self.hand_over(node, Some(player), square);
            return Some(());
        }
        if let End::Keeper(node) = end
            && !self.compiler.looks_ahead()
        {
            self.hand_over(node, None, square);
            let status = self.call(FunctionKind::Keep, &[]);
            self.return_unless_zero(status);
            return Some(());
        }
        // Where the keeper took over is forgotten when it is done; if it is stuck, only that it is matters.
        let keeper = self.sets.b.ins().iconst(I8, 0);
        let at = self.layout().mover_at() as i32;
        self.sets.b.ins().store(bytes(), keeper, self.state, at);
        let Some(stage) = end.stage(self.segments()) else { return Some(()) };
        let done = self.sets.b.create_block();
        let targets = Targets { turn: Some(done), ..self.targets };
        let status = self.leading_to(targets, |body| {
            body.without_calls(in_place, |body| body.first_from(stage, square))
        })?;
        let gives_up = self.sets.b.ins().icmp_imm_s(IntCC::Equal, status, status::GIVE_UP);
        self.give_up_if(gives_up);
        if in_place {
            // It is stuck.
            self.go_to(done);
            return Some(());
        }
        // PERF: mostly a player is in control now, or the keeper is stuck.
        let mover = self.sets.b.ins().uload8(I64, bytes(), self.state, at);
        let goes_on = self.sets.b.ins().icmp_imm_s(IntCC::Equal, mover, 0);
        let goes_on = self.sets.b.ins().uextend(I64, goes_on);
        let goes_on = self.sets.b.ins().band(goes_on, status);
        let keep = self.sets.b.create_block();
        self.sets.b.ins().brif(goes_on, keep, &[], done, &[]);
        self.sets.b.seal_block(keep);
        self.sets.b.switch_to_block(keep);
        let status = self.call(FunctionKind::Keep, &[]);
        self.return_unless_zero(status);
        self.go_to(done);
        Some(())
    }

    /// The writes that end a move, and those of the keeper that follow surely, and how it goes on then.
    fn certain_end(&self, finish: u32) -> Option<(Vec<Modifier>, End)> {
        let segments = self.segments();
        let meanings = &self.compiler.plan.referee().modifiers;
        let mut writes = Vec::new();
        let mut finish = finish;
        let is_free = self.compiler.looks_ahead();
        // The keeper may go round without writing.
        for _ in 0..MAX_CERTAIN {
            let modifiers = &segments.finishes[finish as usize];
            let (last, others) = modifiers.split_last()?;
            writes.extend_from_slice(others);
            let (action, node) = meanings[*last].as_ref()?;
            if let Action::Turn(player) = action {
                return Some((writes, End::Turn(*node, *player)));
            }
            let Some(mut stage) = segments.stage_of[*node].filter(|_| is_free) else {
                return Some((writes, End::Keeper(*node)));
            };
            let is_fresh = writes.len();
            let next = loop {
                match lone_exit(segments, stage) {
                    Some(Exit { continuation: Continuation::Finish(finish), .. }) => {
                        break Some(*finish);
                    }
                    Some(exit) if writes.len() < MAX_CERTAIN && self.is_certain(&exit.action) => {
                        writes.push(exit.modifier?);
                        stage = exit.stage;
                    }
                    _ => break None,
                }
            };
            match next {
                Some(next) => finish = next,
                None if writes.len() == is_fresh => {
                    return Some((writes, End::Keeper(*node)));
                }
                None => return Some((writes, End::Within(stage))),
            }
        }
        // A keeper that goes on for longer is watched by `plan`.
        None
    }

    /// Whether a write cannot fail.
    fn is_certain(&self, action: &Action) -> bool {
        match action {
            Action::Put(_) | Action::PutHeld(_) | Action::Save(_) => true,
            Action::Assign(variable, Expression::Constant(value)) => {
                (0..=self.automaton().variables[*variable].bound).contains(value)
            }
            _ => false,
        }
    }

    /// Copies the state to where it can be found again; says where. Deeper copies come behind.
    fn take_snapshot(&mut self) -> Value {
        let snapshot = self.sets.b.ins().load(I64, words(), self.context, field!(snapshot));
        self.copy_state(self.state, snapshot);
        snapshot
    }

    fn copy_state(&mut self, from: Value, to: Value) {
        let size = self.layout().size() as i32;
        let mut at = 0;
        while at < size {
            if size - at >= 16 {
                let part = self.sets.b.ins().load(I8X16, bytes(), from, at);
                self.sets.b.ins().store(bytes(), part, to, at);
                at += 16;
            } else {
                let part = self.sets.b.ins().load(I64, bytes(), from, at);
                self.sets.b.ins().store(bytes(), part, to, at);
                at += 8;
            }
        }
    }

    /// Counts the tree below the state that was reached; what belongs to the moves of the state before is as it was then.
    fn visit_next(&mut self, left: Value) -> Value {
        let further = 8 * self.compiler.watch_area(self.segments().watches.len()) as i64;
        let size = self.layout().size() as i64;
        let advance = |body: &mut Self, at: i32, by: i64| {
            let before = body.sets.b.ins().load(I64, words(), body.context, at);
            let next = body.sets.b.ins().iadd_imm_s(before, by);
            body.sets.b.ins().store(words(), next, body.context, at);
            (at, before)
        };
        let begin = |body: &mut Self, at: i32| {
            let before = body.sets.b.ins().load(I64, words(), body.context, at);
            let none = body.sets.number(0);
            body.sets.b.ins().store(words(), none, body.context, at);
            (at, before)
        };
        let tries = self.sets.b.ins().load(I64, words(), self.context, field!(tries));
        let before = [
            advance(self, field!(areas), further),
            advance(self, field!(snapshot), size),
            begin(self, field!(known)),
            begin(self, field!(unsettled)),
            begin(self, field!(depth)),
            (field!(tries), tries),
            (field!(left), left),
        ];
        let less = self.sets.b.ins().iadd_imm_s(left, -1);
        self.sets.b.ins().store(words(), less, self.context, field!(left));
        let status = self.call(FunctionKind::Visit, &[]);
        for (at, before) in before {
            self.sets.b.ins().store(words(), before, self.context, at);
        }
        status
    }

    fn add_one(&mut self, at: i32) {
        let count = self.sets.b.ins().load(I64, words(), self.context, at);
        let count = self.sets.b.ins().iadd_imm_s(count, 1);
        self.sets.b.ins().store(words(), count, self.context, at);
    }

    /// The function that counts the tree below a state.
    pub(super) fn visit(&mut self) {
        self.add_one(field!(states));
        let layout = self.layout();
        let mover = self.sets.b.ins().uload8(I64, bytes(), self.state, layout.mover_at() as i32);
        let is_over = self.sets.b.ins().icmp_imm_s(IntCC::Equal, mover, 0);
        self.answer_no_if(is_over);
        let code = self.look_up(field!(all_table));
        let is_over = self.sets.b.ins().icmp_imm_s(IntCC::Equal, code, 0);
        self.answer_no_if(is_over);
        let cursor = self.register(Register::CURSOR);
        let path = self.sets.b.ins().load(I64, words(), self.context, field!(path));
        let answer = self.call_address(FunctionKind::All(0), code, &[cursor, path]);
        self.answer_with(answer);
    }

    /// The function that lets the keeper move until a player is in control or it is stuck.
    pub(super) fn keep(&mut self) {
        let (head, move_on) = (self.sets.b.create_block(), self.sets.b.create_block());
        let made = self.sets.b.append_block_param(head, I64);
        let none = self.sets.number(0);
        self.sets.b.ins().jump(head, &[none.into()]);
        self.sets.b.switch_to_block(head);
        self.sets.b.ins().store(words(), made, self.context, field!(made));
        let at = self.layout().mover_at() as i32;
        let mover = self.sets.b.ins().uload8(I64, bytes(), self.state, at);
        self.answer_no_if(mover);
        let code = self.look_up(field!(first_table));
        let is_stuck = self.sets.b.ins().icmp_imm_s(IntCC::Equal, code, 0);
        self.answer_no_if(is_stuck);
        let affordable = MAX_KEEPER_COST / self.segments().costs.greatest().max(1);
        let allowed = MAX_KEEPER_MOVES.min(affordable);
        let allowed = self.compiler.plan.referee().limits.keeper_moves.min(allowed);
        let too_many = self.sets.b.ins().icmp_imm_s(IntCC::Equal, made, allowed as i64);
        self.give_up_if(too_many);
        let cursor = self.register(Register::CURSOR);
        let answer = self.call_address(FunctionKind::First(0), code, &[cursor]);
        let is_done = self.sets.b.ins().icmp_imm_s(IntCC::Equal, answer, status::YES);
        let other = self.sets.b.create_block();
        self.sets.b.ins().brif(is_done, move_on, &[], other, &[]);
        self.sets.b.seal_block(move_on);
        self.sets.b.seal_block(other);
        self.sets.b.switch_to_block(other);
        // Stuck is an answer like any other; a limit is passed on.
        self.answer_with(answer);
        self.sets.b.switch_to_block(move_on);
        let zero = self.sets.number(0);
        self.sets.b.ins().store(words(), zero, self.context, field!(depth));
        let more = self.sets.b.ins().iadd_imm_s(made, 1);
        self.sets.b.ins().jump(head, &[more.into()]);
        self.sets.b.seal_block(head);
    }

    fn answer_no_if(&mut self, condition: Value) {
        let (leave, next) = (self.sets.b.create_block(), self.sets.b.create_block());
        self.sets.b.ins().brif(condition, leave, &[], next, &[]);
        self.sets.b.seal_block(leave);
        self.sets.b.seal_block(next);
        self.sets.b.switch_to_block(leave);
        self.answer(status::NO);
        self.sets.b.switch_to_block(next);
    }

    /// The address that a table has for the state's node.
    fn look_up(&mut self, table: i32) -> Value {
        let at = self.layout().node_at() as i32;
        let node = self.sets.b.ins().uload32(bytes(), self.state, at);
        let table = self.sets.b.ins().load(I64, words(), self.context, table);
        let at = self.sets.b.ins().ishl_imm_s(node, 3);
        let at = self.sets.b.ins().iadd(table, at);
        self.sets.b.ins().load(I64, words(), at, 0)
    }

    /// Calls code at an address that takes what code for a use does.
    fn call_address(&mut self, like: FunctionKind, address: Value, arguments: &[Value]) -> Value {
        let signature = self.compiler.signature(like);
        let signature = self.sets.b.import_signature(signature);
        let mut all = vec![self.context, self.state];
        all.extend_from_slice(arguments);
        let call = self.sets.b.ins().call_indirect(signature, address, &all);
        self.sets.b.inst_results(call)[0]
    }
}
