//! Sets players, people and programs from outside against each other, keeps every game, and speaks the protocols of the field.
//!
//! ```text
//! Contestant ─▶ Agent ┐
//! Game ───────────────┼─▶ play_game ─▶ GameRecord ─▶ Score, transcript, store
//! Conditions ─────────┘
//! ```
//!
//! A [`Contestant`] is a player as users name it; [`play_game`] lets several play one game under [`Conditions`] and returns a
//! [`GameRecord`]. A [`Schedule`] lists games, every opening from every seat; a [`Contest`] plays them on several threads and
//! gives the records to a [`Keeper`], such as a [`Store`] in a file. A [`Score`] says what came of them, and ratings
//! ([`ratings_of_pairs`]) compare many contestants.
//!
//! ```
//! use regulus_arena::{Conditions, Contest, Contestant, GameRecord, Schedule};
//! use regulus_game::{Config, Game};
//!
//! let game = Game::load("tic_tac_toe", &Config::default())?;
//! let players = ["flat?iterations=60", "random"].map(|text| text.parse::<Contestant>());
//! let players = players.into_iter().collect::<Result<Vec<_>, _>>()?;
//! let contest = Contest::new(vec![game], players, Conditions::default());
//! let mut records: Vec<GameRecord> = Vec::new();
//! contest.play(Schedule::single(2, 10, 1).fixtures(), 1, &mut records)?;
//! let points: f64 = records.iter().map(|record| record.points_of(0)).sum();
//! assert!(points > 5.0, "flat Monte-Carlo is better than random");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contest;
mod contestant;
mod lines;
pub mod manager;
mod process;
pub mod protocol;
mod ratings;
mod record;
mod schedule;
mod score;
mod standings;
mod store;
mod table;
mod transcript;
pub mod uci;

pub use contest::{Contest, Keeper};
pub use contestant::{BadContestant, Contestant};
pub use process::{Program, ProgramError};
pub use ratings::{Rating, pairs_of, ratings_of_pairs};
pub use record::{End, GameRecord, PlyRecord};
pub use schedule::{Fixture, Schedule};
pub use score::{Score, Sprt, SprtState};
pub use standings::Standings;
pub use store::{Setup, Store};
pub use table::{Conditions, GameClock, play_game};
pub use transcript::{BadTranscript, ReplayError, Transcript, TranscriptMove};
