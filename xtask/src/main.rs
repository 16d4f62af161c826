//! `cargo xtask TASK`: what contributors and CI run. Needs nothing but the Rust toolchain; `test` also Chromium, which it
//! installs where it may.

#![expect(clippy::print_stdout, reason = "tasks talk to the person who runs them")]

mod api;
mod browser;
mod dependencies;
mod fuzz;
mod hostile;
mod instructions;
mod tidy;

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;

const HELP: &str = "\
cargo xtask test              everything CI checks: format, lints, dependencies, tests, documentation, perft, some hostile texts
cargo xtask test --long       the tests that take hours: a million compared states, thousands of loads and positions, fuzzing
cargo xtask api [EXAMPLES]    the server against its OpenAPI document, with EXAMPLES random requests of each kind (default 200; needs Python)
cargo xtask deny              licences, versions, sources, advisories and use of dependencies (builds cargo-deny and cargo-machete)
cargo xtask deny --quick      what of that `test` checks, without these tools
cargo xtask miri              the unit tests of `engine`, where states are kept, under Miri (needs a nightly toolchain)
cargo xtask perft [LEAVES]    every perft figure up to LEAVES leaves (default ten million), optimised
cargo xtask fuzz [SECONDS [TARGET...]]
                              each fuzz target, or those that are named, for SECONDS (default 60)
cargo xtask hostile [--games FOLDER] [--seed N] [--count K] [--seconds S] [--megabytes M] [--engine E] [--command C] [--only NAME] [--shard I/N] [--threads N] [--log FILE] [--build dev]
                              every command on every hostile text, or on K made from seeds from N on, under hard limits
cargo xtask rivals [SECONDS]  Regulus against programs written for one game; each run takes SECONDS (default 2)
cargo xtask rivals --quick    only whether their answers agree
cargo xtask referee           how often players keep what positions of connect four are worth (says its options)
cargo xtask instructions [--save FILE] [--compare FILE]
                              instructions of fixed work, by game and engine (needs valgrind)";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test"] => test(),
        ["test", "--long"] => test_long(),
        ["api"] => api::run("200"),
        ["api", examples] => api::run(examples),
        ["deny"] => dependencies::deny(),
        ["deny", "--quick"] => dependencies::check(&root()),
        ["miri"] => miri(),
        ["perft"] => perft("10000000"),
        ["perft", leaves] => perft(leaves),
        ["fuzz"] => fuzz::run("60", &[]),
        ["fuzz", seconds, targets @ ..] => fuzz::run(seconds, targets),
        ["instructions"] => instructions::run(None, None),
        ["instructions", "--save", file] => instructions::run(Some(file), None),
        ["instructions", "--compare", file] => instructions::run(None, Some(file)),
        ["instructions", "--save", save, "--compare", compare]
        | ["instructions", "--compare", compare, "--save", save] => {
            instructions::run(Some(save), Some(compare))
        }
        ["hostile", options @ ..] => hostile::run(options),
        ["rivals"] => rivals(&["2"]),
        ["rivals", seconds] => rivals(&[seconds]),
        ["referee", options @ ..] => rivals(&[&["referee"], options].concat()),
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Result<(), String> {
    install_components()?;
    browser::install()?;
    step("format", cargo(&["fmt", "--all", "--check"]))?;
    step("lints", cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    tidy::check(&root())?;
    dependencies::check(&root())?;
    let mut tests = cargo(&["test", "--workspace", "--quiet"]);
    tests.env("REGULUS_PERFT_LEAVES", "1000000");
    step("tests", tests)?;
    let mut docs = cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
    docs.env("RUSTDOCFLAGS", "-D warnings");
    step("documentation", docs)?;
    // The laws have been tried on random games by the tests; `fuzz` and `hostile` go further, and take long.
    let commands = ["--command", "info", "--command", "moves"];
    hostile::run(&[&["--build", "dev", "--seed", "1", "--count", "8"], &commands[..]].concat())?;
    fuzz::check()
}

/// How much the long tests look at, by the variables that say so.
const LONG: [(&str, &str); 8] = [
    ("REGULUS_ENGINE_STATES", "25000"),
    ("REGULUS_KEEPER_POSITIONS", "2000"),
    ("REGULUS_LAWS_ROUNDS", "4"),
    ("REGULUS_LOADS", "2000"),
    ("REGULUS_METAGAME_GAMES", "250"),
    ("REGULUS_NET_POSITIONS", "1000000"),
    ("REGULUS_POSITIONS", "2000"),
    ("REGULUS_STEP_POSITIONS", "240"),
];

/// The tests with more of everything, optimised.
fn test_long() -> Result<(), String> {
    let packages = ["regulus-game", "regulus-jit", "regulus-laws"];
    for package in packages {
        let mut tests = cargo(&["test", "--release", "--package", package, "--", "--nocapture"]);
        tests.envs(LONG);
        step(&format!("long tests of {package}"), tests)?;
    }
    // Of the players, only what nets see; the others have no more to look at.
    let mut nets = cargo(&["test", "--release", "--package", "regulus-agents", "--lib", "net::"]);
    nets.envs(LONG);
    step("long tests of nets", nets)?;
    let mut kills = cargo(&["test", "--release", "--package", "regulus", "--test", "train"]);
    kills.env("REGULUS_TRAIN_KILLS", "40");
    step("runs of training that are killed", kills)?;
    api::run("200")?;
    perft("10000000")?;
    fuzz::run("60", &[])
}

/// Runs the unit tests of `engine` under Miri, which is installed if it is missing.
fn miri() -> Result<(), String> {
    let mut rustup = Command::new("rustup");
    rustup.args(["component", "add", "miri", "rust-src", "--toolchain", "nightly"]);
    step("miri", rustup)?;
    // The wrapper of rustup chooses the toolchain, so it is called by name.
    let mut tests = Command::new("cargo");
    tests.args(["+nightly", "miri", "test", "--package", "regulus-engine", "--lib"]);
    tests.current_dir(root()).env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
    tests.env("MIRIFLAGS", "-Zmiri-disable-isolation").env("PROPTEST_CASES", "2");
    step("tests under miri", tests)
}

/// Counts the trees of all bundled games with the optimised program and compares them with the known figures.
fn perft(leaves: &str) -> Result<(), String> {
    let mut tests = cargo(&["test", "--release", "--package", "regulus", "--test", "perft"]);
    tests.args(["--", "--nocapture"]).env("REGULUS_PERFT_LEAVES", leaves);
    step("perft", tests)
}

/// Measures Regulus against hand-written programs, with `--quick` only compares their answers, or lets an exact solution judge
/// players.
fn rivals(how: &[&str]) -> Result<(), String> {
    let target = target();
    let mut build = cargo(&["rustc", "--release", "--manifest-path", "rivals/Cargo.toml"]);
    // In the project's folder, where Cranelift may be built already. Regulus makes code for the machine it runs on; so that
    // no program is at a disadvantage, the programs written here are compiled for it too.
    build.arg("--target-dir").arg(&target).args(["--", "-Ctarget-cpu=native"]);
    step("build rivals", build)?;
    let mut run = Command::new(target.join("release/regulus-rivals"));
    run.args(how);
    step("rivals", run)
}

/// A toolchain without rustfmt or clippy gets them.
fn install_components() -> Result<(), String> {
    let missing = ["fmt", "clippy"].iter().any(|tool| {
        let probe = cargo(&[tool, "--version"]).output();
        !probe.is_ok_and(|output| output.status.success())
    });
    if missing {
        let mut rustup = Command::new("rustup");
        rustup.args(["component", "add", "rustfmt", "clippy"]);
        step("rustfmt and clippy", rustup)?;
    }
    Ok(())
}

fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

fn step(name: &str, mut command: Command) -> Result<(), String> {
    println!("== {name}");
    let started = Instant::now();
    let status = command.status().map_err(|error| format!("{name}: {error}"))?;
    println!("== {name}: {:.0} s", started.elapsed().as_secs_f64());
    if status.success() { Ok(()) } else { Err(format!("{name} failed")) }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Where cargo puts what it builds.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
