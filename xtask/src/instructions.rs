//! Counts the instructions of fixed pieces of work with Callgrind: unlike times they are the same on a busy machine, to about
//! a tenth of a percent, so that small changes can be seen.
//!
//! The work is done by `crates/game/examples/workload.rs`; getting the game ready is not counted. Its answers are asserted: trees
//! have the sizes of `testdata/perft.csv`, the interpreter plays the games it always played, and native code those of `plan`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{cargo, root, step, target};

/// What is done with a game.
struct Workload {
    game: &'static str,
    games: u64,
    /// The moves and the weighted scores of these games when they are walked.
    walked: (u64, u64),
    depth: u32,
}

const WORKS: [Workload; 6] = [
    Workload { game: "breakthrough", games: 50, walked: (3047, 6900), depth: 4 },
    Workload { game: "chess", games: 5, walked: (1916, 750), depth: 3 },
    Workload { game: "connect_four", games: 100, walked: (2024, 14400), depth: 6 },
    Workload { game: "english_checkers", games: 50, walked: (3600, 7600), depth: 6 },
    Workload { game: "go", games: 2, walked: (1073, 400), depth: 2 },
    Workload { game: "hex", games: 20, walked: (1404, 2800), depth: 3 },
];

const ENGINES: [&str; 3] = ["walk", "plan", "jit"];

/// How much was done, and with how many instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct InstructionCount {
    states: u64,
    instructions: u64,
}

/// By game, engine and kind of work.
type Counts = BTreeMap<(String, String, String), InstructionCount>;

/// Counts all; the result can be saved, and compared with one that was.
pub(crate) fn run(save: Option<&str>, compare: Option<&str>) -> Result<(), String> {
    let before = compare.map(load).transpose()?;
    let probe = Command::new("valgrind").arg("--version").output();
    if !probe.is_ok_and(|output| output.status.success()) {
        return Err("valgrind was not found; install the package `valgrind`".to_owned());
    }
    let build = ["build", "--release", "--package", "regulus-game", "--example", "workload"];
    step("build workload", cargo(&build))?;
    println!(
        "\n{:18}{:8}{:10}{:>9}{:>16}{:>12}{:>10}",
        "game", "engine", "work", "states", "instructions", "per state", "change"
    );
    let mut counts = Counts::new();
    for work in &WORKS {
        let mut planned = None;
        for engine in ENGINES {
            let (moves, score, instructions) =
                callgrind(work.game, engine, "playouts", work.games)?;
            let expected =
                if engine == "walk" { work.walked } else { *planned.get_or_insert((moves, score)) };
            must_be(work.game, engine, (moves, score), expected)?;
            let mut note = |kind: &str, count| {
                let key = (work.game.to_owned(), engine.to_owned(), kind.to_owned());
                let old = before.as_ref().and_then(|before| before.get(&key));
                println!("{}", row(&key, count, old));
                counts.insert(key, count);
            };
            note("playouts", InstructionCount { states: moves, instructions });
            let (noted, _, instructions) = callgrind(work.game, engine, "actions", work.games)?;
            must_be(work.game, engine, (noted, 0), (moves, 0))?;
            note("actions", InstructionCount { states: noted, instructions });
            let (leaves, states, instructions) =
                callgrind(work.game, engine, "perft", u64::from(work.depth))?;
            must_be(work.game, engine, (leaves, states), figure(work)?)?;
            note("perft", InstructionCount { states, instructions });
        }
    }
    save.map_or(Ok(()), |file| {
        fs::write(file, write(&counts)).map_err(|error| format!("{file}: {error}"))
    })
}

/// Does a piece of work; says its two answers and how many instructions it took.
fn callgrind(game: &str, engine: &str, kind: &str, size: u64) -> Result<(u64, u64, u64), String> {
    let function = match kind {
        "perft" => "count_tree",
        "actions" => "note_actions",
        _ => "play_games",
    };
    let profile = target().join("callgrind.out");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", &format!("--toggle-collect=workload::{function}")])
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(target().join("release/examples/workload"))
        .arg(root().join("games/rbg").join(game).with_extension("rbg"))
        .args([engine, kind, &size.to_string()])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let words = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{words}\n{kind} of {game} by {engine} failed"));
    }
    let answers = String::from_utf8_lossy(&output.stdout);
    let answers: Vec<u64> =
        answers.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match (answers.as_slice(), total(&profile)) {
        (&[first, second], Some(instructions)) if instructions > 0 => {
            Ok((first, second, instructions))
        }
        _ => Err(format!("{words}\n{kind} of {game} by {engine} was not understood")),
    }
}

/// The instructions of a profile.
fn total(profile: &Path) -> Option<u64> {
    let text = fs::read_to_string(profile).ok()?;
    text.lines().find_map(|line| line.strip_prefix("summary:"))?.trim().parse().ok()
}

fn must_be(
    game: &str,
    engine: &str,
    found: (u64, u64),
    expected: (u64, u64),
) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{game} by {engine}: the answers are {found:?}, not {expected:?}"))
}

/// The leaves and states of a tree.
fn figure(work: &Workload) -> Result<(u64, u64), String> {
    let table = fs::read_to_string(root().join("testdata/perft.csv")).unwrap_or_default();
    let start = format!("{},{},", work.game, work.depth);
    let row = table.lines().find_map(|line| line.strip_prefix(start.as_str()));
    let mut numbers =
        row.into_iter().flat_map(|row| row.split(',')).map_while(|word| word.parse().ok());
    match (numbers.next(), numbers.next()) {
        (Some(leaves), Some(states)) => Ok((leaves, states)),
        _ => Err(format!("testdata/perft.csv does not know {start}")),
    }
}

fn row(
    (game, engine, kind): &(String, String, String),
    count: InstructionCount,
    old: Option<&InstructionCount>,
) -> String {
    let InstructionCount { states, instructions } = count;
    let each = instructions as f64 / states as f64;
    let change = old.map_or(String::new(), |old| {
        if old.states == states {
            format!("{:+.2} %", (instructions as f64 / old.instructions as f64 - 1.0) * 100.0)
        } else {
            // Moves come in another order, so other games were played.
            let old_each = old.instructions as f64 / old.states as f64;
            format!("~{:+.1} %", (each / old_each - 1.0) * 100.0)
        }
    });
    format!("{game:18}{engine:8}{kind:10}{states:9}{instructions:16}{each:12.1}{change:>10}")
}

fn write(counts: &Counts) -> String {
    let mut text = String::from("game,engine,work,states,instructions\n");
    for ((game, engine, kind), InstructionCount { states, instructions }) in counts {
        let _ = writeln!(text, "{game},{engine},{kind},{states},{instructions}");
    }
    text
}

fn load(file: &str) -> Result<Counts, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    read(&text).ok_or_else(|| format!("{file} was not saved by this task"))
}

fn read(text: &str) -> Option<Counts> {
    let rows = text.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let [game, engine, kind, states, instructions] = fields.as_slice() else { return None };
        let key = ((*game).to_owned(), (*engine).to_owned(), (*kind).to_owned());
        Some((
            key,
            InstructionCount {
                states: states.parse().ok()?,
                instructions: instructions.parse().ok()?,
            },
        ))
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::{Counts, InstructionCount, read, row, write};

    #[test]
    fn what_is_saved_comes_back_and_is_compared() {
        let key = ("hex".to_owned(), "jit".to_owned(), "perft".to_owned());
        let old = InstructionCount { states: 10, instructions: 1000 };
        let counts = Counts::from([(key.clone(), old)]);
        assert_eq!(read(&write(&counts)), Some(counts));
        let new =
            |states, instructions| row(&key, InstructionCount { states, instructions }, Some(&old));
        assert!(new(10, 990).ends_with(" -1.00 %"));
        assert!(new(20, 1000).ends_with(" ~-50.0 %"));
    }
}
