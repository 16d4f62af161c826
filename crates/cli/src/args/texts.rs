//! The options of commands about the text of a game: check, describe, translate, generate, draw.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Path, bundled name, or - for standard input
    pub(crate) game: String,

    /// Follow all ways of the keeper, in positions of random games; they must come to the same
    #[arg(long)]
    pub(crate) deep: bool,

    /// In how many positions, at most a million
    #[arg(long, default_value_t = 100, value_name = "COUNT", requires = "deep", value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    pub(crate) positions: u64,

    /// The seed of the games
    #[arg(long, default_value_t = 1, requires = "deep")]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Describe {
    /// Path, bundled name, or - for standard input
    pub(crate) game: String,

    /// Only this piece, by its letter or name
    #[arg(long, value_name = "PIECE")]
    pub(crate) piece: Option<String>,

    /// What to write; by default as the extension of the output says, or else text
    #[arg(long, value_enum)]
    pub(crate) format: Option<GuideFormat>,

    /// Draw how the pieces move; the same as --format svg
    #[arg(long, conflicts_with = "format")]
    pub(crate) svg: bool,

    /// Where to write it, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GuideFormat {
    /// For a terminal
    Text,
    /// Markdown
    Markdown,
    /// A page with pictures
    Html,
    /// The pictures alone
    Svg,
}

#[derive(Debug, Args)]
pub(crate) struct Format {
    /// Path, bundled name, or - for standard input
    pub(crate) game: String,

    /// Write the file anew instead of printing it
    #[arg(long, conflicts_with = "check")]
    pub(crate) write: bool,

    /// Print nothing; say by the exit status whether the text is formatted
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Translate {
    /// Path, bundled name, or - for standard input
    pub(crate) game: String,

    /// The language to print
    #[arg(long, value_enum, default_value = "rbg")]
    pub(crate) to: Language,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// Regular Boardgames
    Rbg,
    /// Simplified Boardgames
    Sbg,
}

#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// What makes the games
    #[arg(value_enum)]
    pub(crate) generator: Generator,

    /// The same seed gives the same games
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,

    /// How many games to make
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) count: u64,

    /// A TOML file with parameters that replace the defaults
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// The folder to write the games to; without it they are printed
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// Leave out games that random players find too short, too long, one-sided or mostly drawn
    #[arg(long)]
    pub(crate) playable: bool,

    /// How long the rules are, from 0 to 1
    #[arg(long, value_name = "PART")]
    pub(crate) rule_complexity: Option<f64>,

    /// How much the players decide, from 0 to 1
    #[arg(long, value_name = "PART")]
    pub(crate) decision_complexity: Option<f64>,

    /// How many moves positions have, from 0 to 1
    #[arg(long, value_name = "PART")]
    pub(crate) search_complexity: Option<f64>,

    /// How much pieces act on what is near, from 0 to 1
    #[arg(long, value_name = "PART")]
    pub(crate) locality: Option<f64>,

    /// How large the boards are, from 0 to 1
    #[arg(long, value_name = "PART")]
    pub(crate) board_size: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Generator {
    /// Symmetric chess-like games, as Pell's generator makes them
    Metagame,
}

#[derive(Debug, Args)]
pub(crate) struct Graph {
    /// Path, bundled name, or - for standard input
    pub(crate) game: String,

    /// What to write; by default as the extension of the output says, or else SVG
    #[arg(long, value_enum)]
    pub(crate) format: Option<GraphFormat>,

    /// Draw the automaton before the optimising passes
    #[arg(long)]
    pub(crate) raw: bool,

    /// Draw the finite automata of a piece's rule instead: as written, deterministic, minimal
    #[arg(long, value_name = "PIECE", conflicts_with_all = ["raw", "unfold", "turn"])]
    pub(crate) piece: Option<String>,

    /// Draw every node and edge of a large automaton too, turn by turn, instead of folding each turn into a box
    #[arg(long)]
    pub(crate) unfold: bool,

    /// Draw one turn in detail, by its number in the folded picture, with the patterns it checks
    #[arg(long, value_name = "NUMBER", conflicts_with = "unfold")]
    pub(crate) turn: Option<usize>,

    /// Where to write it, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum GraphFormat {
    /// A picture
    Svg,
    /// For Graphviz
    Dot,
    /// The text form of the automaton
    Text,
}
