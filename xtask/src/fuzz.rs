//! Runs the fuzz targets with libFuzzer, coverage-guided, on the stable toolchain.
//!
//! The flags are what `cargo fuzz` passes, without the sanitizers that only a nightly compiler has: no code here is
//! unsafe, so panics, hangs and memory are what there is to find.

use std::fs;
use std::process::Command;

use super::{cargo, root, step};

const COVERAGE: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Ccodegen-units=1",
    "-Cdebug-assertions",
    "--cfg=fuzzing",
];

/// Each target for so many seconds, beginning with its past failures and what earlier runs found interesting.
pub(crate) fn run(seconds: &str) -> Result<(), String> {
    let fuzz = root().join("fuzz");
    let host = host()?;
    let mut build = cargo(&["build", "--release", "--bins", "--target", &host]);
    build.args(["--manifest-path", "fuzz/Cargo.toml", "--target-dir", "fuzz/target"]);
    build.env("RUSTFLAGS", COVERAGE.join(" "));
    step("fuzz targets", build)?;
    let listed = fs::read_dir(fuzz.join("fuzz_targets")).map_err(|error| error.to_string())?;
    let mut targets: Vec<String> = listed
        .filter_map(|entry| entry.ok()?.path().file_stem()?.to_str().map(str::to_owned))
        .collect();
    targets.sort();
    for target in targets {
        let (corpus, failures) =
            (fuzz.join("corpus").join(&target), fuzz.join("artifacts").join(&target));
        let regressions = fuzz.join("regressions").join(&target);
        for folder in [&corpus, &failures, &regressions] {
            fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        }
        let binary = fuzz.join("target").join(&host).join("release").join(&target);
        let mut command = Command::new(binary);
        command
            .arg(&corpus)
            .arg(&regressions)
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-artifact_prefix={}/", failures.display()))
            .args(["-timeout=20", "-rss_limit_mb=4096", "-verbosity=0", "-print_final_stats=1"]);
        step(&format!("fuzz {target}"), command)?;
    }
    Ok(())
}

/// The machine's own target; naming it keeps the coverage flags away from build scripts.
fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not name its host".to_owned())
}
