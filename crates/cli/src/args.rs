//! The command line as its user sees it: the commands here, their options in the folder.

use std::num::NonZeroUsize;

use clap::{Args, Parser, Subcommand, ValueEnum};

mod arena;
mod manager;
mod positions;
mod serve;
mod texts;
mod train;
mod uci;

pub(crate) use arena::{
    Analyze, Conditions, Engine, Eval, ExportFormat, Match, Merge, Records, Replay, Solve,
    Tournament, Tune,
};
pub(crate) use manager::{Join, Manager, Serve};
pub(crate) use positions::{Bench, Perft, Play, Position, Reproduce, Show};
pub(crate) use serve::ServePage;
pub(crate) use texts::{
    Check, Describe, Format, Generate, Generator, Graph, GraphFormat, GuideFormat, Language,
    Translate,
};
pub(crate) use train::{Nets, Train};
pub(crate) use uci::Uci;

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
    /// Play a game against the computer or other people
    #[command(after_help = "\
Examples:
  regulus play breakthrough
  regulus play chess --as black --level 3
  regulus play trio --players person,computer,person
  regulus play hex --opponent mcts?seconds=5
  regulus play connect_four --watch   the computer plays all sides
  regulus play --resume game.txt      go on with a game that `save game.txt` has written
  echo e4 | regulus play chess        moves from a pipe are played, line by line

`help` lists what can be typed during a game. Without a terminal and without input the computer plays all sides.
docs/playing.md tells more.")]
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

    /// Lay out the text of a game evenly
    #[command(after_help = "\
Only white space changes: the indentation by brackets and blocks, ends of lines, empty lines.

Examples:
  regulus format my_game.rbg             print it
  regulus format my_game.rbg --write     write the file anew
  regulus format my_game.rbg --check     exit status 1 if something would change")]
    Format(Format),

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
  regulus match breakthrough --players auto,uct
  regulus match connect_four --players uct?iterations=500,uct?iterations=1000 --games 200 --threads 2
  regulus match hex --players uct,random --sprt 0,100
  regulus match gomoku --players uct,greedy --games 10 --transcripts games

A player is KIND?OPTION=VALUE&OPTION=VALUE:
  auto       the best of the others for the game (seconds, iterations, level, learning, threads)
  alphabeta  looks ahead and judges by what it has learnt (seconds, iterations, learning, threads, memory)
  mcts       grows a tree of positions and learns from later moves; docs/players.md lists its options
  uct        grows a tree of positions (seconds, iterations, exploration, threads, wide, memory)
  flat       plays random games after every move (seconds, iterations)
  greedy     looks one move ahead: wins if it can, else keeps the most pieces
  random     plays any legal move
  program:COMMAND  a program that speaks the protocol of docs/protocol.md
  uci:PROGRAM      a program that speaks UCI: docs/uci.md")]
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

    /// Say what the pieces of a game are worth, and where
    #[command(after_help = "\
Examples:
  regulus eval chess
  regulus eval breakthrough --learning 10 --svg pictures")]
    Eval(Eval),

    /// Find out which player plays games best
    #[command(after_help = "\
Examples:
  regulus tune hex my_game.rbg
  regulus tune -o table.txt           every bundled game; takes about two hours")]
    Tune(Tune),

    /// Learn a game by playing against itself, and write a net that plays it
    #[command(after_help = "\
Examples:
  regulus train breakthrough --budget 10m     ten minutes; the net is in the folder breakthrough-net
  regulus train my_game.rbg -o run --iterations 20 --set settling=0 --set measure=2
  regulus train chess -o /shared/run --shard 2/4      the second of four machines
  regulus match breakthrough --players net:breakthrough-net/best.safetensors,auto

A run that was interrupted, with Ctrl-C or in any other way, goes on when the same command is given again.
The folder has the nets, report.html with plots, and metrics.jsonl for programs; docs/learning.md tells more.")]
    Train(Train),

    /// List the nets in folders, with their games and what was measured
    #[command(after_help = "\
Examples:
  regulus nets                        those here, and of the runs one folder deep
  regulus nets breakthrough-net --all
  regulus nets --json")]
    Nets(Nets),

    /// Find out who wins when both players play as well as possible
    #[command(after_help = "\
Examples:
  regulus solve tic_tac_toe
  regulus solve breakthrough_4x4 --method alphabeta
  regulus solve connect_four --position '7/7/7/7/7/7 red' --seconds 60 --json")]
    Solve(Solve),

    /// Measure random games (flat Monte-Carlo)
    #[command(after_help = "\
Examples:
  regulus bench breakthrough --seconds 5
  regulus bench go --playouts 100 --seed 3
  regulus bench --suite               every bundled game and engine, in one table
  regulus bench --suite chess hex --engine jit --seconds 3")]
    Bench(Bench),

    /// Compute published tables here and now, beside the published figures
    #[command(after_help = "\
Examples:
  regulus reproduce                   the tables there are
  regulus reproduce nld-table2
  regulus reproduce thesis-table1 --seconds 5 --json")]
    Reproduce(Reproduce),

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

    /// Play, watch, write and invent games in the browser
    #[command(
        after_help = "Examples:\n  regulus serve\n  regulus serve --port 8080 --no-open\n  regulus serve --host 0.0.0.0 --data club.sqlite"
    )]
    Serve(ServePage),

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

/// A time in seconds: positive, and at most a day.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if seconds > 0.0 && seconds <= 86_400.0 {
        Ok(seconds)
    } else {
        Err("must be more than 0 and at most 86400".to_owned())
    }
}

/// The most threads that can be asked for.
const MAX_THREADS: usize = 256;

/// A number of threads.
fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().and_then(NonZeroUsize::new);
    let number = number.filter(|number| number.get() <= MAX_THREADS);
    number.ok_or_else(|| format!("must be a number from 1 to {MAX_THREADS}"))
}
