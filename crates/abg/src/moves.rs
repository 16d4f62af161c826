//! Moves: a word of a rule, and the changes it makes.

use std::any::Any;
use std::sync::Arc;

use regulus_lang::abg::Letter;

use crate::state::{Square, State};

/// One change to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Write {
    /// A piece, by its number, comes to a square, counted row by row from the bottom.
    Square(usize, u8),
    /// A variable, by its number, gets a value.
    Variable(usize, i64),
    /// The score of a player, by his number, gets a value.
    Score(usize, i64),
}

impl Write {
    /// Makes the change; gives back the one that takes it back.
    pub(crate) fn make(self, state: &mut State) -> Write {
        match self {
            Write::Square(square, piece) => {
                Write::Square(square, std::mem::replace(&mut state.board[square], piece))
            }
            Write::Variable(variable, value) => {
                Write::Variable(variable, std::mem::replace(&mut state.variables[variable], value))
            }
            Write::Score(player, value) => {
                Write::Score(player, std::mem::replace(&mut state.scores[player], value))
            }
        }
    }
}

/// A legal move: a word read from a square on. Words that make the same changes in the same order are one move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    pub(crate) piece: usize,
    /// The square the word begins on, and where each letter leads.
    pub(crate) path: Vec<Square>,
    pub(crate) word: Vec<Letter>,
    pub(crate) writes: Vec<Write>,
}

impl Move {
    /// The number of the piece that moves.
    #[must_use]
    pub fn piece(&self) -> usize {
        self.piece
    }

    /// The letters that are read.
    #[must_use]
    pub fn word(&self) -> &[Letter] {
        &self.word
    }

    /// The squares it goes over, the first and the last included, counted row by row from the bottom.
    #[must_use]
    pub fn path(&self) -> &[usize] {
        &self.path
    }

    /// The changes it makes, in their order.
    #[must_use]
    pub fn writes(&self) -> &[Write] {
        &self.writes
    }
}

/// What takes one step of a move back.
#[derive(Clone, Debug)]
pub(crate) enum Undo {
    /// The change that undoes one.
    Write(Write),
    /// An effect of the registry with what it remembers.
    External {
        effect: usize,
        piece: usize,
        from: Square,
        this: Square,
        memo: Arc<dyn Any + Send + Sync>,
        /// How it was before; kept where debug assertions are on.
        before: Option<Box<State>>,
    },
}

/// What has been changed since the beginning of a move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal {
    pub(crate) writes: Vec<Write>,
    pub(crate) undo: Vec<Undo>,
}

impl Journal {
    /// Makes a change and remembers it.
    pub(crate) fn make(&mut self, write: Write, state: &mut State) {
        self.writes.push(write);
        self.undo.push(Undo::Write(write.make(state)));
    }

    /// A place to come back to.
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.writes.len(), self.undo.len())
    }
}
