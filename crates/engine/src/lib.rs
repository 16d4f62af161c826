//! Runs Regulus games: states, moves, the `walk` interpreter, perft and playouts.
//!
//! [`Rules`] is the uniform interface of everything that runs a game. [`Walk`] is the engine that defines what a game
//! means; [`Plan`] is faster and gives the same answers. This crate knows automata but no languages.

mod bits;
mod fault;
mod history;
mod moves;
pub mod notation;
mod perft;
pub mod plan;
mod playout;
pub mod referee;
mod rules;
pub mod segment;
pub mod splitmix;
mod state;
mod trail;
pub mod walk;
mod zobrist;

pub use fault::{Fault, Limits};
pub use history::History;
pub use moves::{Move, MoveList, Step};
pub use notation::Notation;
pub use perft::{Counting, Perft, perft, perft_threads};
pub use plan::{NotPlanned, Plan};
pub use playout::{Generator, Playouts, generator};
pub use referee::{OutOfBounds, Parts, Referee};
pub use rules::Rules;
pub use state::{Layout, State, UndoStack};
pub use walk::{Beginning, Visitor, Walk};
pub use zobrist::Zobrist;
