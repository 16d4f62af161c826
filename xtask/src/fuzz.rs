//! Runs the fuzz targets with libFuzzer, coverage-guided, on the stable toolchain.
//!
//! The flags are what `cargo fuzz` passes, without the sanitizers that only a nightly compiler has: no code here is
//! unsafe but the calls to native code, which sanitizers do not see into; so panics, hangs and memory are what there is to
//! find. A failure is left in `fuzz/artifacts`; once minimised and fixed it belongs into `fuzz/regressions`, with which
//! every run begins.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{cargo, root, step, target};

const COVERAGE: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Ccodegen-units=1",
    "-Cdebug-assertions",
    "--cfg=fuzzing",
];

/// Whether there is a compiler for libFuzzer, which is C++; says so if there is none.
fn can_be_built() -> bool {
    let found =
        Command::new("c++").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("== fuzz: left out, there is no C++ compiler here");
    }
    found
}

/// Checks that the targets compile.
pub(crate) fn check() -> Result<(), String> {
    if !can_be_built() {
        return Ok(());
    }
    let mut check = cargo(&["check", "--manifest-path", "fuzz/Cargo.toml"]);
    check.arg("--target-dir").arg(target());
    step("fuzz targets", check)
}

/// Runs targets for `seconds` each, all of them if none is named, beginning with past failures, what earlier runs found interesting,
/// and our games.
pub(crate) fn run(seconds: &str, wanted: &[&str]) -> Result<(), String> {
    if !can_be_built() {
        return Ok(());
    }
    let fuzz = root().join("fuzz");
    let listed = fs::read_dir(fuzz.join("fuzz_targets")).map_err(|error| error.to_string())?;
    let mut targets: Vec<String> = listed
        .filter_map(|entry| entry.ok()?.path().file_stem()?.to_str().map(str::to_owned))
        .collect();
    targets.sort();
    if let Some(missing) = wanted.iter().find(|name| !targets.iter().any(|it| it == *name)) {
        return Err(format!("there is no fuzz target {missing}; there are {}", targets.join(", ")));
    }
    targets.retain(|name| wanted.is_empty() || wanted.contains(&name.as_str()));
    let host = host()?;
    let mut build = cargo(&["build", "--release", "--bins", "--target", &host]);
    build.args(["--manifest-path", "fuzz/Cargo.toml", "--target-dir", "fuzz/target"]);
    build.env("RUSTFLAGS", COVERAGE.join(" "));
    step("fuzz targets", build)?;
    let binaries = fuzz.join("target").join(&host).join("release");
    for target in targets {
        println!("== fuzz {target}");
        let inputs = run_target(&fuzz, &binaries, &target, seconds)?;
        println!("== fuzz {target}: {inputs} inputs in {seconds} s");
    }
    Ok(())
}

/// Runs a target; returns how many inputs it tried. What libFuzzer has to say is shown only when it found something.
fn run_target(fuzz: &Path, binaries: &Path, target: &str, seconds: &str) -> Result<String, String> {
    let folder = |kind: &str| {
        let folder = fuzz.join(kind).join(target);
        fs::create_dir_all(&folder).map(|()| folder).map_err(|error| error.to_string())
    };
    let output = Command::new(binaries.join(target))
        .arg(folder("corpus")?)
        .arg(folder("regressions")?)
        .arg(root().join("games/rbg"))
        .arg(root().join("games/sbg"))
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/", folder("artifacts")?.display()))
        .args(["-timeout=20", "-rss_limit_mb=4096", "-print_funcs=0", "-print_final_stats=1"])
        .output()
        .map_err(|error| format!("fuzz {target}: {error}"))?;
    let words = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{words}\nfuzz {target} failed"));
    }
    let inputs =
        words.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    Ok(inputs.unwrap_or("no").trim().to_owned())
}

/// The machine's own target; naming it keeps the coverage flags away from build scripts.
fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not name its host".to_owned())
}
