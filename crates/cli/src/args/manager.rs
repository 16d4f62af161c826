//! The options of `regulus manager`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::seconds;

#[derive(Debug, Subcommand)]
pub(crate) enum Manager {
    /// Wait for a client for each player of a game, and let them play
    #[command(after_help = "\
Examples:
  regulus manager serve breakthrough
  regulus manager serve my_game.rbg --port 8989 --games 10 --deadline 1000
  regulus manager serve gardner       games of other languages are translated to RBG
  regulus manager serve hex --log-moves moves.log --log-results results.log

A client that breaks the protocol loses its game, and no further game is played.
Exit status: 0 the games are decided, 1 there were none, 2 the command line is wrong.")]
    Serve(Serve),

    /// Join a server and play there until it closes the connection
    #[command(after_help = "\
Examples:
  regulus manager join localhost:8989
  regulus manager join localhost:8989 --player 'uct?iterations=1000' --seed 7")]
    Join(Join),
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Path, bundled name, or - for standard input
    pub(crate) game: String,

    /// Where to listen; 0 is any free port
    #[arg(long, default_value_t = 8989)]
    pub(crate) port: u16,

    /// The address to listen at; only programs on this machine can join unless told
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub(crate) bind: std::net::IpAddr,

    /// How many games to play
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) games: u64,

    /// Milliseconds for a move; later moves are accepted, and counted in the log
    #[arg(long, default_value_t = 10_000, value_name = "MS", value_parser = milliseconds())]
    pub(crate) deadline: u64,

    /// Milliseconds to prepare, instead of the deadline
    #[arg(long, value_name = "MS", value_parser = milliseconds())]
    pub(crate) preparation: Option<u64>,

    /// Milliseconds after the deadline, or for reading a message, until a client has lost
    #[arg(long, default_value_t = 5_000, value_name = "MS", value_parser = milliseconds())]
    pub(crate) grace: u64,

    /// How long to wait for clients
    #[arg(long, default_value_t = 600.0, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) wait: f64,

    /// Write each move to this file, as it is on the wire
    #[arg(long, value_name = "FILE")]
    pub(crate) log_moves: Option<PathBuf>,

    /// Write a line for each game to this file: seconds, moves, legal moves, scores
    #[arg(long, value_name = "FILE")]
    pub(crate) log_results: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Join {
    /// The server, HOST:PORT
    pub(crate) server: String,

    /// Who plays: auto, alphabeta, mcts, uct, flat, greedy or random, with options as in `uct?iterations=1000`
    #[arg(long, default_value = "auto", value_name = "PLAYER")]
    pub(crate) player: regulus_agents::PlayerSpec,

    /// The seed of its choices
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// How long the server may be silent
    #[arg(long, default_value_t = 3600.0, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) patience: f64,
}

/// A time in milliseconds: positive, and at most a day.
fn milliseconds() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=86_400_000)
}
