//! What has happened since a move that is made to be taken back, as far as it is known while code is written.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Variable;
use regulus_automaton::Action;

use super::body::Body;
use super::sets::words;
use super::write::{Replaced, WriteTarget};

/// A piece that may have been put, for code that takes it back.
#[derive(Clone, Copy)]
pub(super) struct MaybePut {
    /// Less than zero when none was put.
    square: Variable,
    old: Variable,
    sets: [(Variable, Variable); 2],
}

/// What is known of a watch after a move: its answer before, and, if not zero, that it may be another one now.
#[derive(Clone, Copy)]
pub(super) struct Settled {
    pub(super) watch: u32,
    pub(super) answer: Value,
    pub(super) may_differ: Value,
}

/// What has happened since a move, on the way to the code that is being written.
#[derive(Default)]
pub(super) struct Trail {
    state: TrailState,
    /// Where the pieces that the keeper puts are noted, in this order.
    puts: Vec<MaybePut>,
}

/// What has happened up to a point of the trail.
#[derive(Clone, Default)]
struct TrailState {
    /// The number of pieces that the keeper has put.
    puts: usize,
    /// What is known of watches.
    settled: Vec<Settled>,
}

impl Trail {
    /// Returns a trail that begins after a move: what is known of watches then, and where the pieces are noted that the
    /// keeper may put.
    pub(super) fn new(settled: Vec<Settled>, puts: Vec<MaybePut>) -> Trail {
        Trail { state: TrailState { puts: 0, settled }, puts }
    }

    /// Returns what is known of a watch; `None` if that is nothing.
    pub(super) fn settled(&self, watch: u32) -> Option<Settled> {
        self.state.settled.iter().find(|settled| settled.watch == watch).copied()
    }

    /// Returns where the next piece is noted that is put; `None` if pieces are not noted.
    fn next_put(&mut self) -> Option<MaybePut> {
        let put = self.puts.get(self.state.puts).copied()?;
        self.state.puts += 1;
        Some(put)
    }

    /// Returns where the pieces are noted that were put since.
    fn puts_since(&self, earlier: &TrailState) -> &[MaybePut] {
        &self.puts[earlier.puts..self.state.puts]
    }
}

impl Body<'_, '_, '_> {
    /// Writes code for what follows a move. Returns what `write` does.
    pub(super) fn after_move<T>(&mut self, trail: Trail, write: impl FnOnce(&mut Self) -> T) -> T {
        self.scoped(|body| &mut body.trail, trail, write)
    }

    /// Writes code that answers, or leads elsewhere: what happens on its way has not happened after it. Returns what
    /// `write` does.
    pub(super) fn on_own_way<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let state = self.trail.state.clone();
        self.scoped(|body| &mut body.trail.state, state, write)
    }

    /// Writes code that takes back what it has written: the pieces that are noted in it are not put after it. Returns what
    /// `write` does.
    pub(super) fn taken_back<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let state = self.trail.state.clone();
        let result = write(self);
        let none = self.sets.number(-1);
        for put in self.trail.puts_since(&state) {
            self.sets.b.def_var(put.square, none);
        }
        self.trail.state = state;
        result
    }

    /// Declares that a piece may be put.
    pub(super) fn maybe_put(&mut self) -> MaybePut {
        let mut variable = || self.sets.b.declare_var(I64);
        let sets = [(variable(), variable()), (variable(), variable())];
        MaybePut { square: variable(), old: variable(), sets }
    }

    /// Before it may be put.
    pub(super) fn begin_put(&mut self, put: MaybePut) {
        let none = self.sets.number(-1);
        let [old, new] = put.sets;
        for variable in [put.square, put.old, old.0, old.1, new.0, new.1] {
            self.sets.b.def_var(variable, none);
        }
    }

    /// Takes it back if it was put.
    pub(super) fn put_back(&mut self, put: MaybePut) -> Option<()> {
        let square = self.sets.b.use_var(put.square);
        let is_put = self.sets.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, square, 0);
        self.if_any(&vec![Some(is_put)], |body| {
            let old = body.sets.b.use_var(put.old);
            body.store(WriteTarget::Square(square), old);
            for (at, before) in put.sets.into_iter().rev() {
                let (at, before) = (body.sets.b.use_var(at), body.sets.b.use_var(before));
                body.sets.b.ins().store(words(), before, at, 0);
            }
            Some(())
        })
    }

    /// Notes that the keeper has put a piece, on the way after a move that will be taken back.
    pub(super) fn note_put(&mut self, action: &Action, replaced: Replaced) {
        let Replaced { target: WriteTarget::Square(square), old, sets: Some(sets), .. } = replaced
        else {
            return;
        };
        if let Some(put) = self.trail.next_put() {
            self.sets.b.def_var(put.square, square);
            self.sets.b.def_var(put.old, old);
            for ((at_variable, before_variable), (at, before)) in put.sets.into_iter().zip(sets) {
                self.sets.b.def_var(at_variable, at);
                self.sets.b.def_var(before_variable, before);
            }
        }
        for index in 0..self.trail.state.settled.len() {
            let Settled { watch, may_differ, .. } = self.trail.state.settled[index];
            let may_differ = match action {
                Action::Put(piece) => {
                    let matters = self.matters(watch, *piece);
                    let matters = self.sets.contains(&matters, square);
                    self.sets.b.ins().bor(may_differ, matters)
                }
                _ => self.sets.number(1),
            };
            self.trail.state.settled[index].may_differ = may_differ;
        }
    }
}
