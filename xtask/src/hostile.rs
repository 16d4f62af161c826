//! `cargo xtask hostile`: every command on every hostile text, each run in a process of its own under hard limits.
//!
//! Descriptions of games are untrusted, so whatever a text says, a command ends in time and within its memory: with exit status 0, or
//! with a message and exit status 1. The texts are those of `crates/laws/tests/hostile`, large ones made by [`big`], or with `--seed`
//! those that `crates/laws/examples/nasty.rs` makes. What the engines answer is compared too, see [`verdicts`].
//!
//! Texts are tried on all cores, the runs of a text one after the other; limits are of processor time, so that it does not matter. The
//! task can be stopped at any time: a run does not outlive its own limits.

mod big;
mod process;
mod verdicts;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::{cargo, root, step, target};
use process::{Ended, FinishedRun, RunLimits};
use verdicts::Verdicts;

/// A run that takes longer is killed, and hangs.
const HARD_SECONDS: u64 = 120;
/// The address space of a run, in megabytes; what asks for more gets nothing, and aborts.
const HARD_MEGABYTES: u64 = 8_000;
/// How much processor time a run may take: loading and two requests, see `docs/limits.md`.
const STATED_SECONDS: u64 = 60;
/// How much memory a run may really use, in megabytes.
const STATED_MEGABYTES: u64 = 1_000;
/// The same for loading alone, twice the stated time since machines differ.
const LOADING_SECONDS: u64 = 4;
const LOADING_MEGABYTES: u64 = 500;

/// How much longer everything may take in a program that is built for tests: with assertions, and hardly optimised.
const SLOWNESS_OF_DEV: u64 = 8;

/// What is done with each text.
struct TextCommand {
    name: &'static str,
    /// The command line; `GAME` stands for the text, and `FILE` for a file that may be written.
    line: &'static str,
    /// Whether it runs the game, so that it is tried with each engine.
    plays: bool,
    /// A command that does a part of the same work. Where that does not end well, this one is left out.
    after: &'static str,
}

const COMMANDS: &[TextCommand] = &[
    TextCommand { name: CHECK, line: "check GAME", plays: false, after: "" },
    TextCommand { name: "format", line: "format GAME", plays: false, after: "" },
    TextCommand { name: "lower", line: "lower GAME", plays: false, after: CHECK },
    TextCommand { name: "translate", line: "translate GAME", plays: false, after: CHECK },
    TextCommand { name: "describe", line: "describe GAME", plays: false, after: CHECK },
    TextCommand {
        name: "describe page",
        line: "describe GAME -o FILE.html",
        plays: false,
        after: CHECK,
    },
    TextCommand { name: "graph", line: "graph GAME -o FILE.svg", plays: false, after: CHECK },
    TextCommand {
        name: "graph raw",
        line: "graph GAME --raw -o FILE.dot",
        plays: false,
        after: CHECK,
    },
    TextCommand {
        name: "graph text",
        line: "graph GAME --format text",
        plays: false,
        after: CHECK,
    },
    TextCommand { name: INFO, line: "info GAME", plays: true, after: CHECK },
    TextCommand { name: MOVES, line: "moves GAME --json", plays: true, after: INFO },
    TextCommand { name: PERFT_1, line: "perft GAME 1 --json", plays: true, after: INFO },
    TextCommand { name: PERFT_2, line: "perft GAME 2 --json", plays: true, after: PERFT_1 },
    TextCommand { name: "show", line: "show GAME", plays: true, after: INFO },
    TextCommand { name: "show random", line: "show GAME --random 20", plays: true, after: MOVES },
    TextCommand { name: "bench", line: "bench GAME --seconds 0.01", plays: true, after: MOVES },
    TextCommand { name: "play", line: "play GAME --opponent random", plays: true, after: MOVES },
    TextCommand {
        name: "analyze",
        line: "analyze GAME --seconds 0.01 --json",
        plays: true,
        after: MOVES,
    },
    TextCommand { name: "eval", line: "eval GAME --learning 0 --json", plays: true, after: MOVES },
    TextCommand {
        name: "match",
        line: "match GAME --players random,uct --seconds 0.01 --games 1 --longest 3",
        plays: true,
        after: MOVES,
    },
];

const CHECK: &str = "check";
const INFO: &str = "info";
const MOVES: &str = "moves";
const PERFT_1: &str = "perft 1";
const PERFT_2: &str = "perft 2";

/// The engines by the names of the option `--engine`; `auto` is the default.
const ENGINES: [&str; 4] = ["auto", "walk", "plan", "jit"];

/// What the command line asks for.
struct Wanted {
    folder: Option<PathBuf>,
    /// The first seed and the number of texts to make.
    seeds: Option<(u64, u64)>,
    limits: RunLimits,
    /// All of them when none is named.
    engines: Vec<String>,
    commands: Vec<String>,
    /// Part of the name of the texts to try.
    only: String,
    /// Which of how many parts of the texts to try, from 1.
    shard: (usize, usize),
    /// How many texts are tried at a time.
    threads: usize,
    /// Where to write what each run took, a line a run.
    log: Option<PathBuf>,
    /// Whether to run the program that the tests have built, rather than one as it is released.
    is_dev: bool,
}

impl Wanted {
    fn read(words: &[&str]) -> Result<Wanted, String> {
        let mut wanted = Wanted {
            folder: None,
            seeds: None,
            limits: RunLimits { seconds: HARD_SECONDS, megabytes: HARD_MEGABYTES },
            engines: Vec::new(),
            commands: Vec::new(),
            only: String::new(),
            shard: (1, 1),
            threads: thread::available_parallelism().map_or(1, usize::from),
            log: None,
            is_dev: false,
        };
        let number = |text: &str| text.parse::<u64>().map_err(|error| format!("{text}: {error}"));
        let (mut seed, mut count) = (None, None);
        for pair in words.chunks(2) {
            let &[option, value] = pair else { return Err(format!("{} lacks a value", pair[0])) };
            match option {
                "--games" => wanted.folder = Some(value.into()),
                "--seed" => seed = Some(number(value)?),
                "--count" => count = Some(number(value)?),
                "--seconds" => wanted.limits.seconds = number(value)?,
                "--megabytes" => wanted.limits.megabytes = number(value)?,
                "--engine" if ENGINES.contains(&value) => wanted.engines.push(value.to_owned()),
                "--command" if COMMANDS.iter().any(|command| command.name == value) => {
                    wanted.commands.push(value.to_owned());
                }
                "--build" if value == "dev" => wanted.is_dev = true,
                "--only" => value.clone_into(&mut wanted.only),
                "--threads" => wanted.threads = number(value)?.clamp(1, 64) as usize,
                "--log" => wanted.log = Some(value.into()),
                "--shard" => {
                    let parts = value.split_once('/').ok_or("a shard is I/N, as in 1/4")?;
                    let (part, parts) = (number(parts.0)?, number(parts.1)?);
                    if !(1..=parts).contains(&part) {
                        return Err(format!("there is no shard {value}"));
                    }
                    wanted.shard = (part as usize, parts as usize);
                }
                _ => return Err(format!("unknown: {option} {value}")),
            }
        }
        if seed.is_some() || count.is_some() {
            wanted.seeds = Some((seed.unwrap_or(0), count.unwrap_or(20)));
        }
        Ok(wanted)
    }

    fn wants_command(&self, command: &TextCommand) -> bool {
        self.commands.is_empty() || self.commands.iter().any(|name| name == command.name)
    }

    fn engines(&self) -> Vec<&'static str> {
        let wants =
            |engine: &&str| self.engines.is_empty() || self.engines.iter().any(|e| e == engine);
        ENGINES.into_iter().filter(wants).collect()
    }
}

/// Builds `regulus`, tries everything, and fails if anything went wrong.
pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    let wanted = Wanted::read(words)?;
    let folder = if wanted.is_dev { "debug" } else { "release" };
    if !wanted.is_dev {
        step("build regulus", cargo(&["build", "--release", "--package", "regulus"]))?;
    }
    // Programs run in the folders of their texts.
    let target = std::path::absolute(target()).map_err(|error| error.to_string())?;
    let work = target.join("hostile");
    fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    // What earlier trials have learnt must not help.
    let cache = work.join("cache");
    empty(&cache)?;
    let mut texts = texts(&wanted, &work)?;
    texts.retain(|text| name(text).contains(&wanted.only));
    let (part, parts) = wanted.shard;
    texts = texts.into_iter().skip(part - 1).step_by(parts).collect();
    let log = wanted.log.as_ref().map(fs::File::create).transpose();
    let log = log.map_err(|error| format!("the log: {error}"))?.map(Mutex::new);
    let next = AtomicUsize::new(0);
    let work = |thread: usize| {
        let mut trial = HostileTrial {
            program: target.join(folder).join("regulus"),
            output: work.join(format!("output-{thread}")),
            cache: &cache,
            wanted: &wanted,
            log: log.as_ref(),
            worst: BTreeMap::new(),
            problems: Vec::new(),
        };
        while let Some(text) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
            let started = Instant::now();
            let runs = trial.text(text)?;
            let seconds = started.elapsed().as_secs_f64();
            println!("{}: {runs} runs, {seconds:.1} s", name(text));
        }
        Ok::<_, String>(trial)
    };
    let trials = thread::scope(|scope| {
        let threads: Vec<_> = (0..wanted.threads)
            .map(|thread| {
                scope.spawn({
                    let work = &work;
                    move || work(thread)
                })
            })
            .collect();
        let joined = threads.into_iter().map(|thread| thread.join().expect("no thread panics"));
        joined.collect::<Result<Vec<_>, String>>()
    })?;
    let trial = trials.into_iter().reduce(HostileTrial::and).expect("at least one thread");
    trial.report();
    match trial.problems.len() {
        0 => Ok(()),
        count => Err(format!("hostile: {count} problems")),
    }
}

/// The texts to try.
fn texts(wanted: &Wanted, work: &Path) -> Result<Vec<PathBuf>, String> {
    if let Some((seed, count)) = wanted.seeds {
        let folder = work.join("nasty");
        empty(&folder)?;
        let mut make = match wanted.is_dev {
            true => Command::new(target().join("debug/examples/nasty")),
            false => cargo(&[
                "run",
                "--release",
                "--package",
                "regulus-laws",
                "--example",
                "nasty",
                "--",
            ]),
        };
        make.args([seed.to_string(), count.to_string()]).arg(&folder);
        step("make nasty texts", make)?;
        return files(&folder);
    }
    if let Some(folder) = &wanted.folder {
        return files(folder);
    }
    let folder = work.join("big");
    empty(&folder)?;
    big::write(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut texts = files(&root().join("crates/laws/tests/hostile"))?;
    texts.extend(files(&folder)?);
    Ok(texts)
}

/// Makes sure that there is a folder with nothing in it.
fn empty(folder: &Path) -> Result<(), String> {
    if folder.is_dir() {
        fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let listed = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    Ok(files)
}

fn name(text: &Path) -> String {
    text.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The most that any run of a command with an engine took, and how its runs ended.
#[derive(Default)]
struct Worst {
    runs: usize,
    refused: usize,
    /// The seconds of all runs together.
    total: f64,
    seconds: (f64, String),
    megabytes: (u64, String),
}

impl Worst {
    fn add(&mut self, other: Worst) {
        self.runs += other.runs;
        self.refused += other.refused;
        self.total += other.total;
        if other.seconds.0 > self.seconds.0 {
            self.seconds = other.seconds;
        }
        if other.megabytes.0 > self.megabytes.0 {
            self.megabytes = other.megabytes;
        }
    }
}

/// The runs of one thread, and what came of them.
struct HostileTrial<'w> {
    program: PathBuf,
    /// What commands may write to; they add an extension.
    output: PathBuf,
    /// Where programs keep what they have learnt about a game.
    cache: &'w Path,
    wanted: &'w Wanted,
    log: Option<&'w Mutex<fs::File>>,
    /// By command and engine, in the order of the table.
    worst: BTreeMap<(usize, &'static str), Worst>,
    problems: Vec<String>,
}

impl HostileTrial<'_> {
    /// Puts what came of two threads together.
    fn and(mut self, other: Self) -> Self {
        for (run, worst) in other.worst {
            self.worst.entry(run).or_default().add(worst);
        }
        self.problems.extend(other.problems);
        self
    }

    /// Tries everything on a text; returns how many runs that took.
    fn text(&mut self, text: &Path) -> Result<usize, String> {
        let (mut runs, mut bad, mut verdicts) = (0, Vec::new(), Verdicts::default());
        let engines = self.wanted.engines();
        for (number, command) in COMMANDS.iter().enumerate() {
            if !self.wanted.wants_command(command) {
                continue;
            }
            for &engine in if command.plays { &engines } else { &ENGINES[..1] } {
                if bad.contains(&(command.after, engine)) || bad.contains(&(CHECK, ENGINES[0])) {
                    bad.push((command.name, engine));
                    continue;
                }
                if command.name == PERFT_2 && self.is_long_work(&verdicts, engine) {
                    continue;
                }
                let run = self.run(command, engine, text)?;
                self.note(number, engine, text, &run);
                if !matches!(run.ended, Ended::Status(_)) {
                    bad.push((command.name, engine));
                }
                verdicts.add(command.name, engine, run);
                runs += 1;
            }
        }
        for difference in verdicts.differences() {
            self.problem(format!("{}: {difference}", name(text)));
        }
        Ok(runs)
    }

    /// Whether counting a tree of depth 2 takes longer than a run may, because of its number of moves.
    fn is_long_work(&self, verdicts: &Verdicts, engine: &str) -> bool {
        verdicts.run(PERFT_1, engine).is_none_or(|run| {
            let leaves = verdicts::leaves(run).unwrap_or(0) as f64;
            run.ended != Ended::Status(0)
                || leaves * run.time.as_secs_f64()
                    > STATED_SECONDS.min(self.wanted.limits.seconds) as f64
        })
    }

    fn run(&self, command: &TextCommand, engine: &str, text: &Path) -> Result<FinishedRun, String> {
        let mut words: Vec<String> = Vec::new();
        for word in command.line.split(' ') {
            words.push(match word.strip_prefix("FILE") {
                Some(extension) => format!("{}{extension}", self.output.display()),
                None if word == "GAME" => name(text),
                None => word.to_owned(),
            });
        }
        if command.plays {
            words.extend(["--engine".to_owned(), engine.to_owned()]);
        }
        process::run(&self.program, &words, text.parent(), self.cache, self.wanted.limits)
    }

    /// Adds a run to the table and looks for what must not be.
    fn note(&mut self, command: usize, engine: &'static str, text: &Path, run: &FinishedRun) {
        let seconds = run.time.as_secs_f64();
        self.worst.entry((command, engine)).or_default().add(Worst {
            runs: 1,
            refused: usize::from(run.ended == Ended::Status(1)),
            total: seconds,
            seconds: (seconds, name(text)),
            megabytes: (run.megabytes, name(text)),
        });
        if let Some(log) = self.log {
            let (command, megabytes) = (COMMANDS[command].name, run.megabytes);
            let line = format!(
                "{}\t{command}\t{engine}\t{:?}\t{seconds:.2}\t{megabytes}\n",
                name(text),
                run.ended
            );
            // The log is for looking at; the trial goes on without it.
            let _ = log.lock().expect("no thread panics").write_all(line.as_bytes());
        }
        let (seconds, megabytes) = match COMMANDS[command].name {
            CHECK | INFO => (LOADING_SECONDS, LOADING_MEGABYTES),
            _ => (STATED_SECONDS, STATED_MEGABYTES),
        };
        let seconds = if self.wanted.is_dev { SLOWNESS_OF_DEV * seconds } else { seconds };
        let problem = match run.ended {
            Ended::Killed => Some("hangs".to_owned()),
            Ended::Signal => Some(format!("aborts: {}", run.last_words())),
            _ if run.panicked() => Some(format!("panics: {}", run.last_words())),
            Ended::Status(0..=2) if run.time > Duration::from_secs(seconds) => {
                Some("is slow".to_owned())
            }
            Ended::Status(0..=2) if run.megabytes > megabytes => {
                Some("takes too much memory".to_owned())
            }
            Ended::Status(1) if run.says_nothing() => Some("fails without a message".to_owned()),
            Ended::Status(0..=2) => None,
            Ended::Status(status) => {
                Some(format!("ends with status {status}: {}", run.last_words()))
            }
        };
        if let Some(problem) = problem {
            let what = COMMANDS[command].name;
            let megabytes = run.megabytes;
            self.problem(format!(
                "{}: {what}, {engine}: {problem} ({seconds:.1} s, {megabytes} MB)",
                name(text)
            ));
        }
    }

    /// Shows a problem at once, and again at the end.
    fn problem(&mut self, problem: String) {
        println!("    {problem}");
        self.problems.push(problem);
    }

    fn report(&self) {
        println!(
            "\n{:16}{:7}{:>6}{:>9}{:>8}{:>9}  {:40}{:>7}",
            "command", "engine", "runs", "refused", "all s", "worst s", "", "MB"
        );
        for (&(command, engine), worst) in &self.worst {
            let engine = if COMMANDS[command].plays { engine } else { "" };
            println!(
                "{:16}{engine:7}{:>6}{:>9}{:>8.0}{:>9.2}  {:40}{:>7}  {}",
                COMMANDS[command].name,
                worst.runs,
                worst.refused,
                worst.total,
                worst.seconds.0,
                worst.seconds.1,
                worst.megabytes.0,
                worst.megabytes.1
            );
        }
        if !self.problems.is_empty() {
            println!("\nproblems:\n  {}", self.problems.join("\n  "));
        }
    }
}
