//! Runs Regulus games: states, moves, the `walk` interpreter, perft and playouts.
//!
//! [`Rules`] is the uniform interface of everything that runs a game; [`Walk`] is the engine that defines what a
//! game means. This crate knows automata but no languages.

mod fault;
mod moves;
pub mod notation;
mod perft;
mod playout;
mod rules;
mod state;
mod view;
mod walk;
mod zobrist;

pub use fault::{Fault, Limits};
pub use moves::{Move, MoveList, Step};
pub use notation::Notation;
pub use perft::{Perft, perft};
pub use playout::{Generator, Playouts, generator};
pub use rules::Rules;
pub use state::{Layout, State, UndoStack};
pub use view::{PieceView, piece_views};
pub use walk::{Scratch, Walk};
pub use zobrist::Zobrist;
