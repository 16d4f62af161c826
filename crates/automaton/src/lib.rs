//! The one automaton that every Regulus game becomes.
//!
//! A front-end builds a [`Draft`]; [`Draft::verify`] turns it into an [`Automaton`], which engines run. [`text`] prints
//! and reads both; [`dot`] and [`svg`] draw them.
//!
//! This crate knows neither languages nor engines: no source text, no states, no moves.

mod action;
pub mod analyses;
mod board;
mod components;
pub mod dot;
mod draft;
mod endings;
mod ids;
mod lists;
mod looks;
mod palette;
pub mod passes;
mod sketch;
mod squares;
pub mod svg;
pub mod text;
pub mod verify;
mod wording;

pub use action::{Action, ActionKind, Expression, Operator, Relation};
pub use board::{Board, Shape, SquareInfo};
pub use draft::{Automaton, Draft, Edge, Origin, PatternInfo, VariableInfo, WalkTable};
pub use endings::{Endings, Reason, Repetition};
pub use ids::{
    Direction, Id, IdSet, IdVec, Modifier, Node, Pattern, Piece, PieceSet, Player, Register,
    Square, SquareSet, Table, Variable,
};
pub use lists::Lists;
pub use looks::{
    Border, Colour, Counter, Hand, Looks, PieceKind, PieceLook, PlayerLook, Side, Surface,
};
pub use sketch::{GraphScope, MachineSketch, turn_count};
pub use squares::{SquareNames, letters};
pub use text::{TextError, TextErrors};
pub use verify::Violations;
