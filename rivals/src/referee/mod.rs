//! How often players keep what a position of connect four is worth: `cargo xtask referee`.
//!
//! ```text
//! random openings ─▶ solver ─▶ questions ─▶ players ─▶ answers ─▶ table, JSON, plot
//! ```
//!
//! A question is a position that is not lost, and in which some moves give away what it is worth: a won position becomes drawn
//! or lost, a drawn one lost.

mod answers;
mod check;
mod plot;
mod questions;
mod report;
mod solver;

use std::ops::RangeInclusive;
use std::path::PathBuf;

use regulus_arena::Contestant;

use answers::PlayerAnswers;
use questions::questions;
use report::Report;

pub(crate) use check::check;

pub(crate) const HELP: &str = "\
cargo xtask referee --player PLAYER [--player PLAYER]… [OPTION]…
    how often players keep what positions of connect four are worth, by the exact solution

    --player PLAYER   as `regulus match` names it; can be repeated
    --positions N     how many positions (300)
    --discs N-N       how many random discs they have (8-16; from 6 to 30)
    --seed N          of the positions and of the players (1)
    --seconds S       how long players think that do not say it themselves (0.05)
    --json            data for programs
    --svg FILE        a plot against the number of discs

cargo xtask referee --check [--long]
    compares the solver with a plain search; with --long also with the published values of the first moves (minutes)

Examples:
    cargo xtask referee --player auto --player uct?iterations=1000 --svg plot.svg
    cargo xtask referee --player net:connect_four-net/net-0040.safetensors?seconds=0.1 --positions 1000 --json";

/// 2 to the power of this many pairs of positions are in the solver's table: 256 megabytes.
const TABLE_BITS: u32 = 24;

/// What is asked for on the command line.
struct RefereeOptions {
    players: Vec<Contestant>,
    positions: usize,
    discs: RangeInclusive<u32>,
    seed: u64,
    seconds: f64,
    json: bool,
    svg: Option<PathBuf>,
}

/// Asks players about positions and prints how they did.
pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    match words {
        ["--check"] => {
            check();
            Ok(())
        }
        ["--check", "--long"] => {
            check();
            check::long();
            Ok(())
        }
        _ => measure(&RefereeOptions::read(words)?),
    }
}

fn measure(options: &RefereeOptions) -> Result<(), String> {
    let questions = questions(options.positions, &options.discs, options.seed);
    let mut report = Report::new(options, &questions);
    for player in &options.players {
        report.add(&PlayerAnswers::of(player, &questions, options.seed, options.seconds)?);
    }
    if options.json {
        println!("{}", report.json());
    } else {
        print!("{}", report.text());
    }
    if let Some(path) = &options.svg {
        let written = std::fs::write(path, plot::svg(&report));
        written.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}

impl RefereeOptions {
    fn read(words: &[&str]) -> Result<RefereeOptions, String> {
        let mut options = RefereeOptions {
            players: Vec::new(),
            positions: 300,
            discs: 8..=16,
            seed: 1,
            seconds: 0.05,
            json: false,
            svg: None,
        };
        let mut words = words.iter();
        while let Some(&name) = words.next() {
            if name == "--json" {
                options.json = true;
                continue;
            }
            let value = *words.next().ok_or_else(|| format!("`{name}` lacks its value\n{HELP}"))?;
            options.set(name, value)?;
        }
        if options.players.is_empty() {
            return Err(format!("there is no --player\n{HELP}"));
        }
        Ok(options)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let bad = |range: &str| format!("`{name}` cannot be `{value}`; it is {range}");
        match name {
            "--player" => {
                let player = value.parse::<Contestant>().map_err(|error| error.to_string())?;
                player.find_program().map_err(|error| error.to_string())?;
                self.players.push(player);
            }
            "--positions" => {
                let number = value.parse().ok().filter(|number| (1..=100_000).contains(number));
                self.positions = number.ok_or_else(|| bad("a number from 1 to 100000"))?;
            }
            "--discs" => {
                self.discs = discs(value).ok_or_else(|| bad("from 6-6 to 30-30, such as 8-16"))?;
            }
            "--seed" => self.seed = value.parse().map_err(|_| bad("a whole number"))?,
            "--seconds" => {
                let number = value.parse().ok().filter(|number| (0.001..=3600.0).contains(number));
                self.seconds = number.ok_or_else(|| bad("a number from 0.001 to 3600"))?;
            }
            "--svg" => self.svg = Some(PathBuf::from(value)),
            _ => return Err(format!("there is no option `{name}`\n{HELP}")),
        }
        Ok(())
    }
}

/// Numbers of discs, as in `8-16` or `12`.
fn discs(text: &str) -> Option<RangeInclusive<u32>> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let (least, most) = (least.parse().ok()?, most.parse().ok()?);
    (6 <= least && least <= most && most <= 30).then_some(least..=most)
}
