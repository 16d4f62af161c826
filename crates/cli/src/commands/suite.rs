//! `regulus bench --suite`: what games cost and how fast they run, for every engine, in one table.

use std::sync::Arc;
use std::time::{Duration, Instant};

use regulus_engine::Rules as _;
use regulus_game::{Config, EngineKind, Game, Lowered, bundled};
use serde_json::{Value, json};

use crate::args;
use crate::commands::speed::{CountedTree, Speed, count_trees, play_games};
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::say;
use crate::progress::Progress;

/// How long each measurement takes unless told.
const SECONDS: f64 = 1.0;

/// In the order of the table's columns.
const ENGINES: [EngineKind; 3] = [EngineKind::Walk, EngineKind::Plan, EngineKind::Jit];

pub(crate) fn run(loader: &Loader, args: &args::Bench) -> Result<(), Failure> {
    let games: Vec<&str> = if args.games.is_empty() {
        bundled::names().collect()
    } else {
        args.games.iter().map(String::as_str).collect()
    };
    let seconds = args.seconds.unwrap_or(SECONDS);
    let wanted = ENGINES.map(|kind| loader.wants(kind));
    let runs = games.len() * wanted.iter().filter(|&&wanted| wanted).count();
    let mut suite = Suite {
        loader,
        wanted,
        seed: args.seed,
        limit: Duration::from_secs_f64(seconds),
        progress: Progress::new("measuring", loader.json),
        done: 0,
        all: runs as u64,
    };
    let mut reports = Vec::new();
    for (at, game) in games.into_iter().enumerate() {
        let report = suite.measure(game)?;
        if loader.json {
            reports.push(report.json(game));
            continue;
        }
        // Each game when it is done: what has been measured is not lost to an interruption.
        suite.progress.aside(|| {
            if at == 0 {
                say!("{HEADER}");
            }
            say!("{}", report.line(game));
        });
    }
    drop(suite);
    if loader.json {
        say!("{}", json!({ "seconds": seconds, "seed": args.seed, "games": reports }));
    }
    Ok(())
}

/// Measurements under way: one run for each game and engine.
struct Suite<'a> {
    loader: &'a Loader,
    wanted: [bool; ENGINES.len()],
    seed: u64,
    limit: Duration,
    progress: Progress,
    done: u64,
    all: u64,
}

/// What is known about a game.
struct Report {
    load: Duration,
    costs: Costs,
    state_bytes: usize,
    engines: [Option<Speeds>; ENGINES.len()],
}

/// What it takes to prepare the engines that prepare anything; `None` if they cannot run the game.
#[derive(Default)]
struct Costs {
    plan: Option<Duration>,
    jit: Option<Duration>,
    code_bytes: Option<usize>,
}

/// How fast an engine runs a game.
struct Speeds {
    engine: &'static str,
    playouts: Speed,
    games: u64,
    tree: CountedTree,
}

impl Suite<'_> {
    fn measure(&mut self, game: &str) -> Result<Report, Failure> {
        let source = self.loader.read(game)?;
        let started = Instant::now();
        let lowered = self.loader.lowered(source)?.optimised(&self.loader.config)?;
        let load = started.elapsed();
        let (costs, games) = self.prepare(&lowered);
        let state_bytes = games[0].rules().layout().size();
        let mut engines = [const { None }; ENGINES.len()];
        let names = ["walk", "plan", "jit"];
        for (at, game) in games.iter().enumerate().filter(|&(at, _)| self.wanted[at]) {
            if game.rules().name() == names[at] {
                engines[at] = Some(self.speeds(game)?);
            }
            self.done += 1;
            self.progress.set(self.done, self.all);
        }
        Ok(Report { load, costs, state_bytes, engines })
    }

    /// Prepares all engines, and notes what that takes. Where an engine cannot run the game, a simpler one does.
    fn prepare(&self, lowered: &Lowered) -> (Costs, [Arc<Game>; ENGINES.len()]) {
        let mut times = Vec::new();
        let games = ENGINES.map(|engine| {
            let config = Config { engine, ..self.loader.config.clone() };
            let started = Instant::now();
            let game = lowered.ready(&config);
            times.push(started.elapsed());
            game
        });
        let is_compiled = games[2].rules().name() == "jit";
        let costs = Costs {
            plan: (games[1].rules().name() == "plan").then_some(times[1]),
            // What is compiled was planned before.
            jit: is_compiled.then(|| times[2].saturating_sub(times[1])),
            code_bytes: is_compiled.then(|| games[2].rules().code_size()),
        };
        (costs, games)
    }

    fn speeds(&self, game: &Arc<Game>) -> Result<Speeds, Failure> {
        let (games, playouts) = play_games(game, self.seed, self.limit)?;
        let tree = count_trees(game, self.limit, u32::MAX)?;
        Ok(Speeds { engine: game.rules().name(), playouts, games, tree })
    }
}

/// The first lines of the table.
const HEADER: &str = concat!(
    "                              ready in, ms          bytes      playouts, states/s",
    "        perft, states/s and depth\n",
    "game                     load   plan   jit  state    code    walk    plan     jit",
    "       walk       plan        jit",
);

impl Report {
    /// A line of the table.
    fn line(&self, game: &str) -> String {
        let ms = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1e3);
        let mut line = format!(
            "{game:22}{:>7}{:>7}{:>6}{:>7}{:>8}",
            ms(self.load),
            or_dash(self.costs.plan, ms),
            or_dash(self.costs.jit, |time| format!("{:.0}", time.as_secs_f64() * 1e3)),
            self.state_bytes,
            or_dash(self.costs.code_bytes, |bytes| bytes.to_string()),
        );
        for speeds in &self.engines {
            let speed = or_dash(speeds.as_ref(), |speeds| rounded(speeds.playouts.per_second()));
            line += &format!("{speed:>8}");
        }
        for speeds in &self.engines {
            let speed = or_dash(speeds.as_ref(), |speeds| {
                format!("{} {:>2}", rounded(speeds.tree.speed.per_second()), speeds.tree.depth)
            });
            line += &format!("{speed:>11}");
        }
        line
    }

    fn json(&self, game: &str) -> Value {
        json!({
            "game": game,
            "load_seconds": self.load.as_secs_f64(),
            "plan_seconds": self.costs.plan.map(|time| time.as_secs_f64()),
            "jit_seconds": self.costs.jit.map(|time| time.as_secs_f64()),
            "state_bytes": self.state_bytes,
            "code_bytes": self.costs.code_bytes,
            "engines": self.engines.iter().flatten().map(Speeds::json).collect::<Vec<_>>(),
        })
    }
}

impl Speeds {
    fn json(&self) -> Value {
        let mut playouts = self.playouts.json();
        playouts["playouts"] = self.games.into();
        let mut perft = self.tree.speed.json();
        perft["depth"] = self.tree.depth.into();
        perft["leaves"] = self.tree.size.leaves.into();
        perft["tree_states"] = self.tree.size.states.into();
        json!({ "engine": self.engine, "playouts": playouts, "perft": perft })
    }
}

fn or_dash<T>(value: Option<T>, words: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), words)
}

/// Three digits and a unit.
fn rounded(number: f64) -> String {
    let (number, unit) = match number {
        0.0..999.5 => (number, ""),
        ..999.5e3 => (number / 1e3, "k"),
        ..999.5e6 => (number / 1e6, "M"),
        _ => (number / 1e9, "G"),
    };
    let decimals = match number {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{number:.decimals$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn numbers_have_three_digits() {
        let words = [0.5, 12.34, 999.6, 56_789.0, 1_234_567.0, 99_960_000.0, 2e9].map(rounded);
        assert_eq!(words, ["0.50", "12.3", "1.00k", "56.8k", "1.23M", "100M", "2.00G"]);
    }
}
