//! Abstract Boardgames played directly, without an automaton.
//!
//! ```text
//! text ─▶ lang: Game ─▶ rules ─▶ search: words ▶ moves ─▶ ending ─▶ Environment ─▶ api, perft
//! Registry ──────────────┘
//! ```
//!
//! Most ABG texts say everything about a game; `regulus_lang` compiles them, and engines run them fast. This crate is for texts
//! that leave something to the program that loads them: it runs a checked [`Game`](regulus_lang::abg::Game) letter by letter, and a
//! [`Registry`] gives conditions, effects with the anti-effects that take them back, and terminal conditions as Rust functions.
//! [`api`] has the functions through which agents play, and [`match_api`] the same for compiled games. For texts that need no
//! registry it is a second definition of the language: tests compare it with the compiled automata.
//!
//! A text is not trusted: words and work are bounded by [`Limits`], nothing recurses on what a text says except patterns within
//! patterns, whose nesting the front-end bounds, and what goes wrong is a [`Fault`].
//!
//! # Examples
//!
//! ```
//! use regulus_abg::{Environment, Registry, api};
//! use regulus_lang::Source;
//!
//! let text = "
//!     players = white, black;
//!     pieces = empty, pawn(white), wall(black);
//!     rule pawn = [1, 0, NotFar];
//!     board_size = 4, 1;
//!     board = pawn, empty, empty, empty;
//! ";
//! let mut registry = Registry::new();
//! registry.predicate("NotFar", |view| view.this().is_some_and(|(x, _)| x < 3));
//! registry.terminal("there", |view| (view.piece_at(1, 0) == Some("pawn")).then(|| vec![100, 0]));
//!
//! let mut game = Environment::load(&Source::new("walk.abg", text), &registry).expect("no errors");
//! let moves = api::generate_moves(&mut game)?;
//! assert_eq!(moves.len(), 1);
//! api::execute_move(&mut game, &moves[0])?;
//! assert!(api::game_over(&mut game)?);
//! assert_eq!(api::get_white_score(&mut game)?, 100);
//! # Ok::<(), regulus_abg::Fault>(())
//! ```

#![forbid(unsafe_code)]

pub mod api;
mod code;
mod ending;
mod environment;
mod fault;
pub mod match_api;
mod moves;
mod perft;
mod registry;
mod rules;
mod search;
mod state;
mod view;

pub use environment::Environment;
pub use fault::{Fault, Limits};
pub use moves::{Move, Write};
pub use perft::{Perft, perft};
pub use registry::Registry;
pub use state::State;
pub use view::{Change, View};
