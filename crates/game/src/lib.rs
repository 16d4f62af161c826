//! Board games ready to be played.
//!
//! A [`Game`] is loaded once, from the name of a bundled game, a file or a text in any of the languages; a [`Match`] is one
//! play of it.
//!
//! ```
//! use regulus_game::{Config, Game, Match};
//!
//! fn main() -> Result<(), regulus_game::Error> {
//!     let game = Game::load("chess", &Config::default())?;
//!     let mut play = Match::new(&game)?;
//!     for name in ["f2-f3", "e7-e5", "g2-g4"] {
//!         play.play_named(name)?;
//!     }
//!     println!("{}", play.board());
//!     println!("{}", play.outcome()); // black to move
//! #   assert_eq!(play.outcome().to_string(), "black to move");
//!     Ok(())
//! }
//! ```
//!
//! | type | what it is |
//! | --- | --- |
//! | [`Game`] | the rules with everything known about them; immutable, shared by `Arc`, `Send + Sync` |
//! | [`Match`] | one play: state, legal moves and their names, undo and redo, positions as text, planes |
//! | [`Outcome`] | who is to move, or the results and the reason of the end |
//! | [`Building`] | a move that is put together step by step |
//! | [`KeeperReport`] | whether it matters what the keeper does first |
//! | [`Actions`] | fixed numbers for the choices in moves, for learners and playout policies |
//!
//! Everything that plays, shows or learns games stands on this crate; it stands on the languages (`regulus-lang`) and the
//! engines (`regulus-engine`, `regulus-jit`), whose types it lends where searches need them: [`Game::rules`],
//! [`Match::state`], [`Match::history`].
//!
//! Games in the ABG language that leave conditions or effects to a program cannot be loaded here; the crate `regulus-abg`
//! plays them.

mod actions;
mod building;
pub mod bundled;
mod codes;
mod config;
mod confluence;
mod error;
mod fen;
mod figures;
mod game;
mod grid;
mod labels;
mod lowered;
mod outcome;
mod picture;
mod planes;
mod play;
mod position;
mod read;
mod terminal;

pub use actions::{ActionNumber, Actions};
pub use building::{Building, Choice};
pub use config::Config;
pub use confluence::{KeeperCheck, KeeperReport, Parting};
pub use error::Error;
pub use game::Game;
pub use grid::Grid;
pub use lowered::{Checked, Lowered, Size};
pub use outcome::{Outcome, Over, Summary, is_plural};
pub use picture::{BoardPicture, Theme};
pub use planes::PlaneShape;
pub use play::{Match, Ply, TypedMove};
pub use regulus_jit::{CompileThread, EngineKind};
pub use terminal::{Paint, TextStyle};

/// The examples of the README are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
