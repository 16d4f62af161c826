//! Writes that are undone later: what a search leaves behind on its way, to find back.

use regulus_automaton::{Piece, Register, Square, Variable};

use crate::state::{Layout, State};

/// What was written since the search began, in order.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    written: Vec<Written>,
}

/// What a write replaced.
#[derive(Clone, Copy, Debug)]
enum Written {
    Piece(Square, Piece),
    Variable(Variable, i32),
    Register(Register, Square),
}

impl Trail {
    pub(crate) fn len(&self) -> usize {
        self.written.len()
    }

    pub(crate) fn clear(&mut self) {
        self.written.clear();
    }

    #[inline]
    pub(crate) fn put(&mut self, state: &mut State, layout: &Layout, square: Square, piece: Piece) {
        self.written.push(Written::Piece(square, state.piece(square)));
        state.set_piece(layout, square, piece);
    }

    /// Puts the piece that stands on a remembered square.
    pub(crate) fn put_held(
        &mut self,
        state: &mut State,
        layout: &Layout,
        square: Square,
        register: Register,
    ) {
        let held = state.piece(state.register(layout, register));
        self.put(state, layout, square, held);
    }

    #[inline]
    pub(crate) fn assign(
        &mut self,
        state: &mut State,
        layout: &Layout,
        variable: Variable,
        value: i32,
    ) {
        self.written.push(Written::Variable(variable, state.variable(layout, variable)));
        state.set_variable(layout, variable, value);
    }

    pub(crate) fn save(
        &mut self,
        state: &mut State,
        layout: &Layout,
        register: Register,
        square: Square,
    ) {
        self.written.push(Written::Register(register, state.register(layout, register)));
        state.set_register(layout, register, square);
    }

    /// Takes the last write back; says on which square which piece was replaced by which, if any was.
    #[inline]
    pub(crate) fn undo(
        &mut self,
        state: &mut State,
        layout: &Layout,
    ) -> Option<(Square, Piece, Piece)> {
        match self.written.pop()? {
            Written::Piece(square, piece) => {
                let replaced = state.piece(square);
                state.set_piece(layout, square, piece);
                return Some((square, replaced, piece));
            }
            Written::Variable(variable, value) => state.set_variable(layout, variable, value),
            Written::Register(register, square) => state.set_register(layout, register, square),
        }
        None
    }
}
