//! Code for writes: doing them, taking them back, and keeping the fingerprint.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use regulus_automaton::{Action, Id, Node, Piece, Player, Register, Variable};

use regulus_engine::{Rules as _, splitmix};

use super::CodePurpose;
use super::body::{Body, field};
use super::sets::{bytes, constants, words};

/// What a write replaces, and by what.
#[derive(Clone, Copy)]
pub(super) struct Replaced {
    pub(super) target: WriteTarget,
    pub(super) old: Value,
    new: Value,
    /// For a square the words of the old and the new piece's sets: where they are, and what they were.
    pub(super) sets: Option<[(Value, Value); 2]>,
}

/// What a write changes: the piece on a square, a variable or a register.
#[derive(Clone, Copy)]
pub(super) enum WriteTarget {
    Square(Value),
    Variable(Variable),
    Register(Register),
}

/// Whether the fingerprint follows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hash {
    Keep,
    Leave,
}

impl Body<'_, '_, '_> {
    /// Does a write; goes to `fails` when it cannot be done. `None` if it cannot be compiled.
    pub(super) fn write_action(
        &mut self,
        action: &Action,
        square: Value,
        fails: Block,
        hash: Hash,
    ) -> Option<Replaced> {
        self.write_over(None, action, square, fails, hash)
    }

    /// The same where it may be known which piece stands on the square.
    pub(super) fn write_over(
        &mut self,
        known: Option<Piece>,
        action: &Action,
        square: Value,
        fails: Block,
        hash: Hash,
    ) -> Option<Replaced> {
        let (target, new) = self.written(action, square, fails)?;
        Some(self.overwrite(known, target, new, hash))
    }

    /// Replaces what is in a place, where it may be known which piece that is.
    fn overwrite(
        &mut self,
        known: Option<Piece>,
        target: WriteTarget,
        new: Value,
        hash: Hash,
    ) -> Replaced {
        let old = match known {
            Some(known) if matches!(target, WriteTarget::Square(_)) => {
                self.sets.number(i64::from(known.0))
            }
            _ => self.content(target),
        };
        let replaced = self.replace(target, old, new);
        if hash == Hash::Keep {
            self.change_hash(replaced);
        }
        replaced
    }

    /// Does a write that the caller does not undo; goes to `fails` when it cannot be done. `None` if it cannot be compiled.
    pub(super) fn write_and_keep(
        &mut self,
        action: &Action,
        square: Value,
        fails: Block,
    ) -> Option<()> {
        let (target, new) = self.written(action, square, fails)?;
        let hash = self.kept_hash();
        // PERF: what is overwritten is looked at only where that matters.
        if hash == Hash::Leave && !matches!(target, WriteTarget::Square(_)) {
            self.store(target, new);
            return Some(());
        }
        let replaced = self.overwrite(None, target, new, hash);
        self.note_put(action, replaced);
        Some(())
    }

    /// Does a write that cannot fail and that the caller does not undo. `None` if it cannot be compiled.
    pub(super) fn write_infallible_and_keep(
        &mut self,
        action: &Action,
        square: Value,
    ) -> Option<()> {
        let never = self.sets.b.create_block();
        self.write_and_keep(action, square, never)?;
        self.go_to(never);
        Some(())
    }

    /// The fingerprint follows what is kept, where it is asked for.
    pub(super) fn kept_hash(&self) -> Hash {
        let follows = self.compiler.purpose == CodePurpose::Play && !self.is_quick;
        if follows { Hash::Keep } else { Hash::Leave }
    }

    /// Takes a write back.
    pub(super) fn undo(&mut self, replaced: Replaced, hash: Hash) {
        self.store(replaced.target, replaced.old);
        // PERF: nothing is read, so nothing has to wait for what was written.
        for (at, before) in replaced.sets.into_iter().flatten().rev() {
            self.sets.b.ins().store(words(), before, at, 0);
        }
        if replaced.sets.is_some() {
            self.forget_watches();
        }
        if hash == Hash::Keep {
            self.change_hash(replaced);
        }
    }

    /// What an action writes where.
    fn written(
        &mut self,
        action: &Action,
        square: Value,
        fails: Block,
    ) -> Option<(WriteTarget, Value)> {
        Some(match action {
            Action::Put(piece) => {
                (WriteTarget::Square(square), self.sets.number(i64::from(piece.0)))
            }
            Action::PutHeld(register) => {
                let held = self.register(*register);
                (WriteTarget::Square(square), self.content(WriteTarget::Square(held)))
            }
            Action::Assign(variable, value) => {
                let number = self.number(value, Some(square))?;
                let bound = i64::from(self.automaton().variables[*variable].bound);
                if let Some(none) = number.fails {
                    self.leave_if(none, fails);
                }
                if number.least < 0 || number.greatest > bound {
                    // A negative value is a great one when it has no sign.
                    let over = self.sets.b.ins().icmp_imm_s(
                        IntCC::UnsignedGreaterThan,
                        number.value,
                        bound,
                    );
                    self.leave_if(over, fails);
                }
                (WriteTarget::Variable(*variable), number.value)
            }
            Action::Save(register) => (WriteTarget::Register(*register), square),
            _ => return None,
        })
    }

    pub(super) fn content(&mut self, target: WriteTarget) -> Value {
        match target {
            WriteTarget::Square(square) => {
                let at = self.sets.b.ins().iadd(self.state, square);
                self.sets.b.ins().uload8(I64, bytes(), at, 0)
            }
            WriteTarget::Variable(variable) => {
                let at = self.layout().variable_at(variable) as i32;
                self.sets.b.ins().sload32(bytes(), self.state, at)
            }
            WriteTarget::Register(register) => self.register(register),
        }
    }

    /// After a piece was put to stay, no watch knows its answer any more.
    fn forget_watches(&mut self) {
        let is_asked = self.frame.keeps_writes && self.compiler.purpose == CodePurpose::Play;
        if is_asked && !self.segments().watches.is_empty() {
            let none = self.sets.number(0);
            self.sets.b.ins().store(words(), none, self.context, field!(known));
        }
    }

    pub(super) fn leave_if(&mut self, condition: Value, leave: Block) {
        let next = self.sets.b.create_block();
        self.sets.b.ins().brif(condition, leave, &[], next, &[]);
        self.sets.b.seal_block(next);
        self.sets.b.switch_to_block(next);
    }

    fn replace(&mut self, target: WriteTarget, old: Value, new: Value) -> Replaced {
        self.store(target, new);
        let WriteTarget::Square(square) = target else {
            return Replaced { target, old, new, sets: None };
        };
        let layout = self.layout();
        let one = self.sets.number(1);
        let bit = self.sets.b.ins().ishl(one, square);
        let base = if self.sets.words == 1 {
            self.state
        } else {
            let word = self.sets.b.ins().ushr_imm_s(square, 6);
            let word = self.sets.b.ins().ishl_imm_s(word, 3);
            self.sets.b.ins().iadd(self.state, word)
        };
        let first = layout.set_at(Piece(0)) as i32;
        let size = 8 * layout.set_words() as i64;
        let sets = [old, new].map(|piece| {
            let at = self.sets.b.ins().imul_imm_s(piece, size);
            let at = self.sets.b.ins().iadd(base, at);
            let at = self.sets.b.ins().iadd_imm_s(at, i64::from(first));
            let before = self.sets.b.ins().load(I64, words(), at, 0);
            let after = self.sets.b.ins().bxor(before, bit);
            self.sets.b.ins().store(words(), after, at, 0);
            (at, before)
        });
        self.forget_watches();
        Replaced { target, old, new, sets: Some(sets) }
    }

    /// Stores what is written; the sets of pieces are left to others.
    pub(super) fn store(&mut self, target: WriteTarget, new: Value) {
        let layout = self.layout();
        match target {
            WriteTarget::Square(square) => {
                let at = self.sets.b.ins().iadd(self.state, square);
                self.sets.b.ins().istore8(bytes(), new, at, 0);
            }
            WriteTarget::Variable(variable) => {
                let at = layout.variable_at(variable) as i32;
                self.sets.b.ins().istore32(bytes(), new, self.state, at);
            }
            WriteTarget::Register(register) => {
                let at = layout.register_at(register) as i32;
                self.sets.b.ins().istore16(bytes(), new, self.state, at);
            }
        }
    }

    /// Follows a replacement, in either direction.
    fn change_hash(&mut self, Replaced { target, old, new, .. }: Replaced) {
        let zobrist = &self.compiler.plan.referee().zobrist;
        let difference = match target {
            WriteTarget::Square(square) => {
                let pieces = self.automaton().pieces.len() as i64;
                let table = self.compiler.tables.piece_keys();
                let row = self.sets.b.ins().imul_imm_s(square, 8 * pieces);
                let table = self.sets.number(table);
                let row = self.sets.b.ins().iadd(table, row);
                let [old, new] = [old, new].map(|piece| {
                    let at = self.sets.b.ins().ishl_imm_s(piece, 3);
                    let at = self.sets.b.ins().iadd(row, at);
                    self.sets.b.ins().load(I64, constants(), at, 0)
                });
                self.sets.b.ins().bxor(old, new)
            }
            WriteTarget::Variable(variable) => match self.compiler.tables.variable_keys(variable) {
                Some(table) => self.looked_up_keys(table, old, new),
                None => self.keys(zobrist.variable_seed(variable), old, new),
            },
            WriteTarget::Register(register) => self.keys(zobrist.register_seed(register), old, new),
        };
        self.add_to_hash(difference);
    }

    fn add_to_hash(&mut self, difference: Value) {
        let hash = self.sets.b.ins().load(I64, words(), self.context, field!(hash));
        let hash = self.sets.b.ins().bxor(hash, difference);
        self.sets.b.ins().store(words(), hash, self.context, field!(hash));
    }

    fn looked_up_keys(&mut self, table: i64, old: Value, new: Value) -> Value {
        let table = self.sets.number(table);
        let [old, new] = [old, new].map(|value| {
            let at = self.sets.b.ins().ishl_imm_s(value, 3);
            let at = self.sets.b.ins().iadd(table, at);
            self.sets.b.ins().load(I64, constants(), at, 0)
        });
        self.sets.b.ins().bxor(old, new)
    }

    fn keys(&mut self, seed: u64, old: Value, new: Value) -> Value {
        let old = self.key(seed, old);
        let new = self.key(seed, new);
        self.sets.b.ins().bxor(old, new)
    }

    /// What `splitmix::mix` makes of the sum of a seed and a value.
    fn key(&mut self, seed: u64, value: Value) -> Value {
        let ins = |body: &mut Self, x: Value, shift: i64, factor: u64| {
            let high = body.sets.b.ins().ushr_imm_s(x, shift);
            let x = body.sets.b.ins().bxor(x, high);
            let factor = body.sets.number(factor as i64);
            body.sets.b.ins().imul(x, factor)
        };
        let start = self.sets.number(seed.wrapping_add(splitmix::STEP) as i64);
        let x = self.sets.b.ins().iadd(value, start);
        let x = ins(self, x, 30, splitmix::FACTORS[0]);
        let x = ins(self, x, 27, splitmix::FACTORS[1]);
        let high = self.sets.b.ins().ushr_imm_s(x, 31);
        self.sets.b.ins().bxor(x, high)
    }

    /// Ends a move: `mover`, or the keeper if it is `None`, takes over at a node.
    pub(super) fn hand_over(&mut self, node: Node, mover: Option<Player>, square: Value) {
        let layout = self.layout();
        let referee = self.compiler.plan.referee();
        let zero = self.sets.number(0);
        let cursor = if referee.live_cursor[node] { square } else { zero };
        let node_at = layout.node_at() as i32;
        let mover_at = layout.mover_at() as i32;
        if self.kept_hash() == Hash::Keep {
            self.hand_over_hash(node, mover, cursor);
        }
        self.store(WriteTarget::Register(Register::CURSOR), cursor);
        let node = self.sets.number(node.index() as i64);
        self.sets.b.ins().istore32(bytes(), node, self.state, node_at);
        let mover = mover.map_or(0, |player| player.index() as i64 + 1);
        let mover = self.sets.b.ins().iconst(I8, mover);
        self.sets.b.ins().store(bytes(), mover, self.state, mover_at);
    }

    fn hand_over_hash(&mut self, node: Node, mover: Option<Player>, cursor: Value) {
        let layout = self.layout();
        let players = self.automaton().players.len();
        let old_cursor = self.register(Register::CURSOR);
        let table = self.compiler.tables.cursor_keys();
        let cursors = self.looked_up_keys(table, old_cursor, cursor);
        // The key of the place that is left is looked up, the other is known.
        let node_at = layout.node_at() as i32;
        let mover_at = layout.mover_at() as i32;
        let old_node = self.sets.b.ins().uload32(bytes(), self.state, node_at);
        let old_mover = self.sets.b.ins().uload8(I64, bytes(), self.state, mover_at);
        let at = self.sets.b.ins().imul_imm_s(old_node, players as i64 + 1);
        let at = self.sets.b.ins().iadd(at, old_mover);
        let at = self.sets.b.ins().ishl_imm_s(at, 3);
        let table = self.compiler.tables.place_keys();
        let table = self.sets.number(table);
        let at = self.sets.b.ins().iadd(table, at);
        let old_key = self.sets.b.ins().load(I64, constants(), at, 0);
        let new_key = self.compiler.tables.place_key(players, node, mover);
        let new_key = self.sets.number(new_key as i64);
        let places = self.sets.b.ins().bxor(old_key, new_key);
        let difference = self.sets.b.ins().bxor(cursors, places);
        self.add_to_hash(difference);
    }
}
