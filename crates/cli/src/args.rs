//! The command line as its user sees it.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

mod arena;

pub(crate) use arena::{
    Analyze, Conditions, Engine, ExportFormat, Match, Merge, Records, Replay, Tournament,
};

/// Board games written as text: check, draw, measure and play them.
#[derive(Debug, Parser)]
#[command(name = "regulus", version, max_term_width = 100)]
#[command(after_help = "\
Examples:
  regulus play breakthrough           a game against the computer
  regulus games                       what can be played
  regulus check my_game.rbg           what is wrong with a description
  regulus perft chess 4               count a game tree

A GAME is the path of a description, the name of a bundled game, or - for standard input.
Exit status: 0 all is well, 1 the game or another input is bad, 2 the command line is wrong.")]
pub(crate) struct Cli {
    /// Print data for programs
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// When to use colours
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: Color,

    /// Draw boards without characters that are not ASCII
    #[arg(long, global = true, hide_short_help = true)]
    pub(crate) ascii: bool,

    /// Leave out an optimising pass by name (can be repeated; `all` leaves out every pass)
    #[arg(long, global = true, value_name = "PASS", hide_short_help = true)]
    pub(crate) without_pass: Vec<String>,

    /// The language of the game, where the name of the file does not tell
    #[arg(long, global = true, value_enum, hide_short_help = true)]
    pub(crate) language: Option<LanguageName>,

    /// What runs the game
    #[arg(long, global = true, value_enum, default_value = "auto", hide_short_help = true)]
    pub(crate) engine: EngineName,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Whether to use colours on something that is a terminal or not.
    pub(crate) fn on(self, terminal: bool) -> bool {
        match self {
            Color::Auto => terminal && std::env::var_os("NO_COLOR").is_none(),
            Color::Always => true,
            Color::Never => false,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LanguageName {
    /// Regular Boardgames
    Rbg,
    /// Simplified Boardgames
    Sbg,
    /// Abstract Boardgames
    Abg,
    /// METAGAME
    Metagame,
}

impl From<LanguageName> for regulus_lang::Language {
    fn from(name: LanguageName) -> Self {
        match name {
            LanguageName::Rbg => Self::Rbg,
            LanguageName::Sbg => Self::Sbg,
            LanguageName::Abg => Self::Abg,
            LanguageName::Metagame => Self::Metagame,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum EngineName {
    /// Plan at once, jit as soon as it is compiled in the background
    Auto,
    /// The definition: the automaton edge by edge
    Walk,
    /// Sets of squares
    Plan,
    /// Native code
    Jit,
}

impl From<EngineName> for regulus_game::EngineKind {
    fn from(name: EngineName) -> Self {
        match name {
            EngineName::Auto => Self::Auto,
            EngineName::Walk => Self::Walk,
            EngineName::Plan => Self::Plan,
            EngineName::Jit => Self::Jit,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a game against the computer
    #[command(after_help = "\
Examples:
  regulus play breakthrough
  regulus play chess_without_check --as black --seconds 3
  regulus play connect_four --watch   the computer plays all sides

Without a terminal the computer plays all sides and the game is printed.")]
    Play(Play),

    /// List the bundled games
    Games,

    /// Say what is wrong with a game description, or that nothing is
    #[command(after_help = "\
Examples:
  regulus check my_game.rbg
  regulus check my_game.rbg --json
  regulus check my_game.rbg --deep    also whether it matters what the keeper does first")]
    Check(Check),

    /// Say what a game consists of
    #[command(after_help = "Example:\n  regulus info arimaa")]
    Info(Game),

    /// Say in plain English how a game is played, and how hard it is to learn
    #[command(after_help = "\
What is said depends on the language of the game:
  SBG, METAGAME  how each piece moves, captures and promotes, how the game is won, lost and drawn,
                 scores of pieces and game, pictures of the moves
  RBG, ABG       board, players and pieces, where the pieces can go when each player moves first,
                 and what the text says about the end; no scores and no pictures of moves

Examples:
  regulus describe gardner
  regulus describe gardner --piece N
  regulus describe shogi --piece lance
  regulus describe tamerlane -o tamerlane.html    with pictures of the moves
  regulus describe tamerlane --svg -o moves.svg   the pictures alone")]
    Describe(Describe),

    /// Print a game in low-level RBG: no macros, no generators
    #[command(after_help = "Example:\n  regulus lower chess > chess_lowered.rbg")]
    Lower(Game),

    /// Print a game in another language
    #[command(after_help = "\
Examples:
  regulus translate gardner > gardner.rbg         the same game tree, in RBG
  regulus translate american_checkers             a METAGAME game in low-level RBG
  regulus translate gardner --to sbg              the text anew, without comments")]
    Translate(Translate),

    /// Make new games
    #[command(after_help = "\
Examples:
  regulus generate metagame                                  one game, printed
  regulus generate metagame --seed 7 --count 20 -o games     twenty games, each a file
  regulus generate metagame --playable --board-size 0.2      a small one that both sides can win
  regulus generate metagame --config my.toml                 with parameters of your own; see
                                                             crates/generate/default.toml")]
    Generate(Generate),

    /// Draw the automaton of a game
    #[command(after_help = "\
Examples:
  regulus graph tic_tac_toe -o tic_tac_toe.svg
  regulus graph chess -o chess.svg           a large automaton: a box for each turn
  regulus graph chess --turn 2 -o white.svg  one of the turns in detail
  regulus graph chess --unfold -o all.svg    every node and edge
  regulus graph hex --raw -o hex.dot
  regulus graph breakthrough --format text   the automaton in its own text form
  regulus graph gardner --piece R -o rook.svg  how a rule becomes a minimal automaton")]
    Graph(Graph),

    /// Draw a position
    #[command(after_help = "\
Examples:
  regulus show chess
  regulus show chess e2-e4 e7-e5      after these moves
  regulus show chess --position '8/8/8/8/8/5k2/5p2/5K2 w - - 0 1'
  regulus show hex --random 20 --seed 7
  regulus show chess e2-e4 -o board.svg      a picture")]
    Show(Show),

    /// List the legal moves of a position
    #[command(after_help = "\
Examples:
  regulus moves breakthrough
  regulus moves breakthrough a2-a3 --json

Moves are given by the names this command prints, or as pairs of square and modifier numbers: \"49 2 41 3\".")]
    Moves(Position),

    /// Count the game tree to a depth
    #[command(after_help = "\
Examples:
  regulus perft breakthrough 5
  regulus perft chess 3 --divide      leaves below each first move")]
    Perft(Perft),

    /// Let players play against each other
    #[command(after_help = "\
Examples:
  regulus match breakthrough --players uct,flat
  regulus match connect_four --players uct?iterations=500,uct?iterations=1000 --games 200 --threads 2
  regulus match hex --players uct,random --sprt 0,100
  regulus match gomoku --players uct,greedy --games 10 --transcripts games

A player is KIND?OPTION=VALUE&OPTION=VALUE:
  random   plays any legal move
  greedy   looks one move ahead: wins if it can, else keeps the most pieces
  flat     plays random games after every move (seconds, iterations)
  uct      grows a tree of positions (seconds, iterations, exploration, threads, wide, memory)
  program:COMMAND  a program that speaks the protocol of docs/protocol.md")]
    Match(Match),

    /// Let many players play many games, and rate them
    #[command(after_help = "\
Examples:
  regulus tournament --games breakthrough,hex,connect_four --players uct,flat,greedy,random
  regulus tournament --generate metagame --count 10 --players uct,flat,random --report report.html
  regulus tournament --games chess --players uct,flat --iterations 500 --records games.db --threads 2
  regulus tournament --games chess --players uct,flat --iterations 500 --records games.db --resume

With `--shard 1/4` to `4/4` four machines play a quarter each; `regulus merge` puts their records together.")]
    Tournament(Tournament),

    /// Say what a file of records holds, or export it
    #[command(after_help = "\
Examples:
  regulus records games.db
  regulus records games.db -o report.html
  regulus records games.db --export csv -o games.csv")]
    Records(Records),

    /// Put the records of several files into one
    #[command(after_help = "Example:\n  regulus merge all.db part1.db part2.db")]
    Merge(Merge),

    /// Be a player for another program, over standard input and output (docs/protocol.md)
    #[command(after_help = "\
Examples:
  regulus engine breakthrough
  regulus engine hex --player uct?threads=2")]
    Engine(Engine),

    /// Step through a transcript, checking every move
    #[command(after_help = "\
Examples:
  regulus replay games/game_000001.txt
  regulus replay game.txt --at 20     the position after 20 moves
  regulus replay game.txt --json")]
    Replay(Replay),

    /// Say what a player thinks of a position
    #[command(after_help = "\
Examples:
  regulus analyze breakthrough --seconds 10
  regulus analyze connect_four d1 d2 --player uct?threads=2
  regulus analyze chess --position '8/8/8/8/8/5k2/6q1/7K b - - 0 1' --json")]
    Analyze(Analyze),

    /// Measure random games (flat Monte-Carlo)
    #[command(after_help = "\
Examples:
  regulus bench breakthrough --seconds 5
  regulus bench go --playouts 100 --seed 3
  regulus bench --suite               every bundled game and engine, in one table
  regulus bench --suite chess hex --engine jit --seconds 3")]
    Bench(Bench),

    /// Speak UCI, for programs that show boards and let engines play
    #[command(after_help = "\
Add `regulus uci` as an engine to a program such as Cute Chess, Banksia or Arena.
docs/uci.md says which games there are as variants, and what can be set.

Examples:
  regulus uci
  regulus uci --player flat
  regulus uci my_game.rbg             with a game of your own as the first variant")]
    Uci(Uci),
    /// Play over the network, by the protocol of the RBG game manager
    #[command(subcommand)]
    Manager(Manager),

    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  regulus completions bash > ~/.local/share/bash-completion/completions/regulus"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Game {
    /// Path, bundled name, or - for standard input
    pub(crate) game: String,
}

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
pub(crate) struct Uci {
    /// More games to offer as variants, by path or bundled name; their moves have to go from a square to another
    #[arg(value_name = "GAME")]
    pub(crate) games: Vec<String>,

    /// The player that thinks at first; the option `Player` changes it
    #[arg(long, value_name = "KIND", default_value = "uct")]
    pub(crate) player: String,
}

#[derive(Debug, Args)]
pub(crate) struct Play {
    /// Path, bundled name, or - for standard input
    pub(crate) game: String,

    /// Begin with this position instead of the first: a line as `show` prints it, or FEN for chess
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,

    /// The player you are; the first one by default
    #[arg(long = "as", value_name = "PLAYER")]
    pub(crate) human: Option<String>,

    /// Let the computer play all sides
    #[arg(long, conflicts_with = "human")]
    pub(crate) watch: bool,

    /// How the computer chooses
    #[arg(long, default_value = "uct", value_name = "PLAYER")]
    pub(crate) opponent: String,

    /// How long the computer thinks about a move; 1, or 0.1 when it plays all sides
    #[arg(long, value_parser = seconds)]
    pub(crate) seconds: Option<f64>,

    /// How many random games the computer plays before each move, instead of a time
    #[arg(long, alias = "playouts", conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) iterations: Option<u64>,

    /// The seed of the computer's choices, and of the setup where chance makes it; the same seed plays the same game on
    /// every engine
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

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

    /// Who plays: random, greedy, flat or uct, with options as in `uct?iterations=1000`
    #[arg(long, default_value = "uct", value_name = "PLAYER")]
    pub(crate) player: regulus_agents::PlayerSpec,

    /// The seed of its choices
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// How long the server may be silent
    #[arg(long, default_value_t = 3600.0, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) patience: f64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Opponent {
    /// Any legal move
    Random,
    /// The move that does best in random games
    MonteCarlo,
}

/// A time in seconds: positive, and at most a day.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if seconds > 0.0 && seconds <= 86_400.0 {
        Ok(seconds)
    } else {
        Err("must be more than 0 and at most 86400".to_owned())
    }
}

/// A time in milliseconds: positive, and at most a day.
fn milliseconds() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=86_400_000)
}

/// The most threads that can be asked for.
const MAX_THREADS: usize = 256;

/// A number of threads.
fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().and_then(NonZeroUsize::new);
    let number = number.filter(|number| number.get() <= MAX_THREADS);
    number.ok_or_else(|| format!("must be a number from 1 to {MAX_THREADS}"))
}
