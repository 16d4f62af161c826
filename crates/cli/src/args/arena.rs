//! The commands that let players play against each other.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use regulus_agents::SolveMethod;

use super::{seconds, threads};

/// How long players think and where games begin; for all commands that play whole games.
#[derive(Debug, Args)]
pub(crate) struct Conditions {
    /// How long a player thinks about a move, in seconds; players can have their own (`uct?seconds=1`)
    #[arg(long, value_parser = seconds, default_value = "0.1")]
    pub(crate) seconds: f64,

    /// How many iterations a player makes for a move, instead of a time: games are the same each time
    #[arg(long, conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) iterations: Option<u64>,

    /// A clock for the whole game instead: seconds at the beginning, and seconds for each move, such as 60+1
    #[arg(long, value_name = "BASE+INCREMENT", conflicts_with_all = ["seconds", "iterations"], value_parser = clock)]
    pub(crate) clock: Option<(f64, f64)>,

    /// How many random moves come first; each opening is played from every seat
    #[arg(long, default_value_t = 2, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(..=1_000))]
    pub(crate) opening: u32,

    /// After how many moves a game is broken off as a draw
    #[arg(long, default_value_t = 2_000, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) longest: u32,

    /// The seed of openings and players
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// How many games are played at once
    #[arg(long, default_value = "1", value_parser = threads)]
    pub(crate) threads: NonZeroUsize,
}

#[derive(Debug, Args)]
pub(crate) struct Match {
    /// Path, bundled name, or - for standard input
    pub(crate) game: String,

    /// Who plays, one for each player of the game, with commas between them
    #[arg(long, value_delimiter = ',', required = true, value_name = "A,B")]
    pub(crate) players: Vec<String>,

    /// How many games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) games: u64,

    /// End as soon as it is clear which of two differences in Elo points is nearer to the truth, such as 0,50
    #[arg(long, value_name = "ELO0,ELO1", value_parser = pair, allow_hyphen_values = true)]
    pub(crate) sprt: Option<(f64, f64)>,

    #[command(flatten)]
    pub(crate) conditions: Conditions,

    /// Write a transcript of every game into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) transcripts: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// A transcript, or - for standard input
    pub(crate) file: String,

    /// The game, if it is not the one that the transcript names
    #[arg(long, value_name = "GAME")]
    pub(crate) game: Option<String>,

    /// Show only the position after this many moves
    #[arg(long, value_name = "MOVES")]
    pub(crate) at: Option<usize>,

    /// Write a picture of each position into this folder: 000.svg, 001.svg and so on
    #[arg(long, value_name = "DIR")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Analyze {
    /// Path, bundled name, or - for standard input
    pub(crate) game: String,

    /// Moves to play first
    pub(crate) moves: Vec<String>,

    /// Begin with this position instead of the first: a line as `show` prints it, or FEN for chess
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,

    /// Who thinks
    #[arg(long, default_value = "auto", value_name = "PLAYER")]
    pub(crate) player: String,

    /// For how long; `iterations` of the player count instead if they are given
    #[arg(long, value_parser = seconds, default_value = "5")]
    pub(crate) seconds: f64,

    /// How many moves to show
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    pub(crate) lines: u64,

    /// The seed of the player, and of the setup where chance makes it
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Eval {
    /// Path or bundled name
    pub(crate) game: String,

    /// How much is learnt: 1 is a second or two
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub(crate) learning: u32,

    /// Write a picture for each piece into this folder: where it is worth more, and where less
    #[arg(long, value_name = "DIR")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Tune {
    /// Paths or bundled names; all bundled games if there are none
    pub(crate) games: Vec<String>,

    /// How many games two players play at most
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(crate) matches: u64,

    /// How long a player thinks about a move, in seconds
    #[arg(long, value_parser = seconds, default_value = "0.05")]
    pub(crate) seconds: f64,

    /// Write the table into this file; rows of other games stay as they are
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Learn what positions are worth instead, and write it into this file; that of other games stays as it is
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    pub(crate) weights: Option<PathBuf>,

    /// How much is learnt for that: 1 is a second or two
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) learning: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Solve {
    /// Path or bundled name
    pub(crate) game: String,

    /// Moves to play first
    pub(crate) moves: Vec<String>,

    /// Begin with this position instead of the first: a line as `show` prints it, or FEN for chess
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,

    /// By which method: proof-numbers or alphabeta; both unless told, one after the other
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<SolveMethod>,

    /// Play the winner's moves against every reply, to the end; those of both if it is a draw
    #[arg(long)]
    pub(crate) replay: bool,

    /// Give up after this many seconds
    #[arg(long, value_parser = seconds)]
    pub(crate) seconds: Option<f64>,

    /// How many megabytes the table of positions takes
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) megabytes: u64,

    /// The seed of the setup where chance makes it
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Engine {
    /// Path or bundled name
    pub(crate) game: String,

    /// Who plays
    #[arg(long, default_value = "auto", value_name = "PLAYER")]
    pub(crate) player: String,

    /// The seed of the player
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Tournament {
    /// The games, with commas between them: paths or bundled names
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    pub(crate) games: Vec<String>,

    /// Play new games that no player has seen
    #[arg(long, value_enum, value_name = "GENERATOR")]
    pub(crate) generate: Option<super::Generator>,

    /// How many new games
    #[arg(long, default_value_t = 5, requires = "generate", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(crate) count: u64,

    /// Who plays, with commas between them
    #[arg(long, value_delimiter = ',', required = true, value_name = "A,B,C")]
    pub(crate) players: Vec<String>,

    /// Only the first player plays against all others
    #[arg(long)]
    pub(crate) gauntlet: bool,

    /// How many openings of each game the same players play, each from every seat
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) openings: u64,

    #[command(flatten)]
    pub(crate) conditions: Conditions,

    /// Keep every game in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) records: Option<PathBuf>,

    /// Go on with a file of records; several processes may do so at once
    #[arg(long, requires = "records")]
    pub(crate) resume: bool,

    /// Play only a part of the games, such as 2/4: the second of four
    #[arg(long, value_name = "I/N", requires = "records", value_parser = shard)]
    pub(crate) shard: Option<(u64, u64)>,

    /// Write a report: .md or .html
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Records {
    /// A file of records
    pub(crate) file: PathBuf,

    /// Print every game instead of a summary
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) export: Option<ExportFormat>,

    /// Where to write it; a summary to .md or .html
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ExportFormat {
    /// One object a line
    Json,
    /// A table
    Csv,
}

#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// The file to add to; it is made if it does not exist
    pub(crate) output: PathBuf,

    /// The files of records to add
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
}

/// A part of a whole, such as 2/4.
pub(super) fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts: Vec<u64> = text.split('/').filter_map(|part| part.parse().ok()).collect();
    match parts.as_slice() {
        [index, count] if (1..=*count).contains(index) => Ok((*index, *count)),
        _ => Err("a part of a whole such as 2/4".to_owned()),
    }
}

/// Two numbers with a comma between them, the first smaller.
fn pair(text: &str) -> Result<(f64, f64), String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    match numbers.as_slice() {
        [low, high] if low < high && low.is_finite() && high.is_finite() => Ok((*low, *high)),
        _ => Err("two numbers with a comma between them, the first smaller: 0,50".to_owned()),
    }
}

/// Seconds at the beginning and for each move.
fn clock(text: &str) -> Result<(f64, f64), String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let increment = if increment == "0" { Ok(0.0) } else { seconds(increment) };
    Ok((seconds(base)?, increment?))
}
