//! Sets players, people and programs from outside against each other, keeps every game, and speaks the protocols of the field.
//!
//! ```text
//! Contestant ─▶ Agent ┐
//! Game ───────────────┼─▶ play_game ─▶ GameRecord ─▶ Score, transcript, store
//! Conditions ─────────┘
//! ```
//!
//! A [`Contestant`] is a player as users name it; [`play_game`] lets several play one game under [`Conditions`] and returns a
//! [`GameRecord`]; [`Contest`] plays many games on several threads, every opening from every seat, and a [`Score`] says what
//! came of them.
//!
//! ```
//! use regulus_arena::{Conditions, Contest, Contestant};
//! use regulus_game::{Config, Game};
//!
//! let game = Game::load("tic_tac_toe", &Config::default())?;
//! let players = ["flat?iterations=60", "random"].map(|text| text.parse::<Contestant>());
//! let players = players.into_iter().collect::<Result<Vec<_>, _>>()?;
//! let contest = Contest::new(&game, players, Conditions::default(), 1);
//! let records = contest.play(10, 1, &mut |_| true)?;
//! let points: f64 = records.iter().map(|record| record.points_of(0)).sum();
//! assert!(points > 5.0, "flat Monte-Carlo is better than random");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contest;
mod contestant;
mod process;
pub mod protocol;
mod record;
mod score;
mod table;
mod transcript;
pub mod uci;

pub use contest::Contest;
pub use contestant::{BadContestant, Contestant};
pub use process::{Program, ProgramError};
pub use record::{End, GameRecord, PlyRecord};
pub use score::{Score, Sprt, SprtState};
pub use table::{Conditions, GameClock, play_game};
pub use transcript::{BadTranscript, ReplayError, Transcript, TranscriptMove};
