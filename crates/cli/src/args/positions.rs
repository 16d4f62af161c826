//! The options of commands about positions: show them, count and measure from them, play.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::{seconds, threads};

#[derive(Debug, Args)]
pub(crate) struct Position {
    /// Path, bundled name, or - for standard input
    pub(crate) game: String,

    /// Moves to play first
    pub(crate) moves: Vec<String>,

    /// Begin with this position instead of the first: a line as `show` prints it, or FEN for chess
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,

    /// Random moves to play after them
    #[arg(long, default_value_t = 0, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    pub(crate) random: u64,

    /// The seed of random moves, and of the setup where chance makes it; the same seed gives the same moves on every engine
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) position: Position,

    /// Write a picture to this file, which ends with .svg
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Draw the picture for dark backgrounds
    #[arg(long, requires = "output")]
    pub(crate) dark: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Perft {
    /// Path, bundled name, or - for standard input
    pub(crate) game: String,

    /// How many moves deep, at most 10000
    #[arg(value_parser = clap::value_parser!(u32).range(..=10_000))]
    pub(crate) depth: u32,

    /// Begin with this position instead of the first: a line as `show` prints it, or FEN for chess
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,

    /// The seed of the setup, where chance makes it
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// Print the leaves below each first move
    #[arg(long)]
    pub(crate) divide: bool,

    /// Only count the last moves, do not make them: faster, and not comparable with other programs' speed
    #[arg(long)]
    pub(crate) bulk: bool,

    /// How many threads to count with; the result is the same
    #[arg(long, default_value = "1", conflicts_with = "divide", value_parser = threads)]
    pub(crate) threads: NonZeroUsize,
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Path, bundled name, or - for standard input; a suite takes several, or all bundled games
    #[arg(value_name = "GAME", required_unless_present = "suite")]
    pub(crate) games: Vec<String>,

    /// Measure every engine: time to get ready, sizes, random games and perft
    #[arg(long, conflicts_with_all = ["playouts", "threads"])]
    pub(crate) suite: bool,

    /// How long to measure; 5, or in a suite 1 for each of its figures
    #[arg(long, value_parser = seconds)]
    pub(crate) seconds: Option<f64>,

    /// How many games to play, whatever time it takes
    #[arg(long, conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) playouts: Option<u64>,

    /// The seed of the games, and of the setup where chance makes it. Each engine numbers moves in its own order, for speed, so other engines play other games
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// Begin with this position instead of the first: a line as `show` prints it, or FEN for chess
    #[arg(long, value_name = "TEXT", conflicts_with = "suite")]
    pub(crate) position: Option<String>,

    /// How many threads to play with; the games of a seed are the same
    #[arg(long, default_value = "1", value_parser = threads)]
    pub(crate) threads: NonZeroUsize,
}

#[derive(Debug, Args)]
pub(crate) struct Reproduce {
    /// Which table; without a name they are listed
    #[arg(value_name = "TABLE")]
    pub(crate) name: Option<String>,

    /// How long each speed is measured
    #[arg(long, default_value = "2", value_parser = seconds)]
    pub(crate) seconds: f64,

    /// The seed of random games and weights
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// How many threads learn
    #[arg(long, default_value = "2", value_parser = threads)]
    pub(crate) threads: NonZeroUsize,
}

#[derive(Debug, Args)]
pub(crate) struct Play {
    /// Path, bundled name, or - for standard input; may be left out when a game is resumed
    #[arg(required_unless_present = "resume")]
    pub(crate) game: Option<String>,

    /// Who plays, one for each player of the game: `person`, `computer`, or any player such as uct?seconds=3
    #[arg(long, value_delimiter = ',', value_name = "A,B", conflicts_with_all = ["human", "watch"])]
    pub(crate) players: Vec<String>,

    /// The player you are; the first one by default
    #[arg(long = "as", value_name = "PLAYER")]
    pub(crate) human: Option<String>,

    /// Let the computer play all sides
    #[arg(long, conflicts_with = "human")]
    pub(crate) watch: bool,

    /// How well the computer plays, from 1 for beginners to 10; 5 unless told
    #[arg(long, conflicts_with = "opponent", value_parser = clap::value_parser!(u8).range(1..=10))]
    pub(crate) level: Option<u8>,

    /// How the computer chooses, instead of a level: any player, such as uct or program:./player
    #[arg(long, value_name = "PLAYER")]
    pub(crate) opponent: Option<String>,

    /// How long the computer thinks about a move at most; 1, or 0.1 when it plays all sides
    #[arg(long, value_parser = seconds)]
    pub(crate) seconds: Option<f64>,

    /// How many random games or positions the computer looks at before each move, instead of a time
    #[arg(long, alias = "playouts", conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) iterations: Option<u64>,

    /// Go on with a game that `save` has written, or with any transcript
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub(crate) resume: Option<String>,

    /// Begin with this position instead of the first: a line as `show` prints it, or FEN for chess
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,

    /// The seed of the computer's choices, and of the setup where chance makes it; with --iterations and one thread the
    /// same seed plays the same game on every engine
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}
