//! `regulus train` and `regulus nets`: runs that are killed at any moment come out as others do.
//!
//! `REGULUS_TRAIN_KILLS` says how many times a run is killed (5 unless told).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use serde_json::Value;

/// A run that is small and has all there is in runs.
const RUN: [&str; 17] = [
    "breakthrough_4x4",
    "--iterations",
    "4",
    "--set",
    "games=30",
    "--set",
    "nodes=20",
    "--set",
    "sums=4",
    "--set",
    "replay=2",
    "--set",
    "measure=2",
    "--set",
    "trial=4",
    "--set",
    "trial_nodes=20",
];

/// The same with a residual net.
const RESIDUAL_RUN: [&str; 21] = [
    "breakthrough_4x4",
    "--iterations",
    "4",
    "--preset",
    "small",
    "--set",
    "filters=4",
    "--set",
    "blocks=1",
    "--set",
    "games=20",
    "--set",
    "nodes=8",
    "--set",
    "replay=2",
    "--set",
    "measure=2",
    "--set",
    "trial=4",
    "--set",
    "trial_nodes=8",
];

fn regulus(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_regulus"));
    // Evaluations that are learnt are kept for tests alone.
    command.args(args).env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn train(folder: &Path, more: &[&str]) -> Command {
    let mut command = regulus(&["train"]);
    command.args(RUN).args(more).arg("--output").arg(folder);
    command
}

fn run(command: &mut Command) -> Output {
    command.output().expect("the program starts")
}

fn words(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// A folder that is not there.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// The files of a run with what is in them, except times.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            let inner = self::files(&path);
            files.extend(inner.into_iter().map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else if name != "times.jsonl" {
            files.push((name, fs::read(&path).expect("a file")));
        }
    }
    files.sort();
    files
}

fn assert_same(one: &Path, other: &Path) {
    let (ones, others) = (files(one), files(other));
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&ones), names(&others));
    for ((name, one), (_, other)) in ones.iter().zip(&others) {
        assert!(one == other, "{name} differs");
    }
}

#[test]
fn runs_that_are_killed_come_out_as_others_do() {
    check_kills(&RUN, "train");
}

#[test]
fn runs_of_residual_nets_that_are_killed_come_out_as_others_do() {
    check_kills(&RESIDUAL_RUN, "train-residual");
}

/// Kills a run at random moments, and compares it with one that is not killed.
fn check_kills(settings: &[&str], name: &str) {
    let train = |folder: &Path, more: &[&str]| {
        let mut command = regulus(&["train"]);
        command.args(settings).args(more).arg("--output").arg(folder);
        command
    };
    let kills = std::env::var("REGULUS_TRAIN_KILLS").ok();
    let kills: u32 = kills.map_or(5, |kills| kills.parse().expect("a number"));
    let whole = folder(&format!("{name}-whole"));
    let started = Instant::now();
    let output = run(&mut train(&whole, &[]));
    let time = started.elapsed();
    assert!(output.status.success(), "{}", errors(&output));
    let text = words(&output);
    assert!(text.contains("best net: ") && text.contains("alphabeta"), "{text}");
    let killed = folder(&format!("{name}-killed"));
    let mut random = 1u64;
    for _ in 0..kills {
        let mut process = train(&killed, &["--threads", "1"]).spawn().expect("it starts");
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        // Whatever is being done then. The whole takes as long as some such times, or is done before.
        std::thread::sleep(time.mul_f64((random >> 40) as f64 / f64::from(1 << 24) * 0.6));
        process.kill().expect("it is ours");
        process.wait().expect("it is over");
    }
    let output = run(&mut train(&killed, &[]));
    assert!(output.status.success(), "{}", errors(&output));
    assert_same(&whole, &killed);
    let lines = fs::read_to_string(killed.join("metrics.jsonl")).expect("it is there");
    assert_eq!(lines.lines().count(), 4);
    // The net can be played with.
    let net = format!("net:{}?iterations=20&learning=0", killed.join("best.safetensors").display());
    let players = ["match", "breakthrough_4x4", "--players", &format!("{net},random")];
    let output = run(regulus(&players).args(["--games", "2"]));
    assert!(output.status.success(), "{}", errors(&output));
}

#[test]
fn processes_that_share_a_folder_do_the_work_of_one() {
    let whole = folder("train-one");
    assert!(run(&mut train(&whole, &[])).status.success());
    let shared = folder("train-shared");
    let start = |shard| {
        let mut command = train(&shared, &["--shard", shard, "--threads", "1"]);
        command.spawn().expect("it starts")
    };
    // The second one waits until the first one has begun.
    let (second, first) = (start("2/2"), start("1/2"));
    for process in [first, second] {
        let output = process.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", errors(&output));
        assert!(words(&output).contains("best net: "), "{}", words(&output));
    }
    assert_same(&whole, &shared);
}

#[test]
fn runs_keep_their_settings_and_nets_are_listed() {
    let place = folder("train-list");
    fs::create_dir_all(&place).expect("a folder");
    let run_folder = place.join("run");
    let output = run(regulus(&["--json", "train"]).args(RUN).arg("-o").arg(&run_folder));
    let lines: Vec<Value> =
        words(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 5, "{}", words(&output));
    assert_eq!(lines[1]["strength"][1]["against"], "uct?iterations=20");
    assert!(lines[0]["strength"].is_null() && lines[0]["seconds"]["playing"].is_number());
    assert_eq!(lines[4]["newest"]["iteration"], 4);
    assert_eq!(lines[4]["stopped"], false);
    let other = run(&mut train(&run_folder, &["--set", "stray=0.5"]));
    assert_eq!(other.status.code(), Some(1));
    assert!(errors(&other).contains("stray=0.05, and stray=0.5 was given"), "{}", errors(&other));
    let odd = run(&mut train(&run_folder, &["--set", "games=none"]));
    assert_eq!(odd.status.code(), Some(2));
    assert!(errors(&odd).contains("`games` cannot be `none`"), "{}", errors(&odd));
    // What is not given is as it was.
    let same =
        run(regulus(&["train", "breakthrough_4x4", "--iterations", "4", "-o"]).arg(&run_folder));
    assert!(same.status.success(), "{}", errors(&same));
    fs::write(place.join("odd.safetensors"), "odd").expect("it can be written");
    let listed = run(regulus(&["nets"]).arg(&place));
    let text = words(&listed);
    assert!(listed.status.success() && text.contains("best.safetensors"), "{text}");
    assert!(text.contains("breakthrough_4x4") && text.contains("uct "), "{text}");
    assert!(errors(&listed).contains("odd.safetensors: this is no net"), "{}", errors(&listed));
    let listed = run(regulus(&["nets", "--all", "--json"]).arg(&place));
    let listed: Value = serde_json::from_str(&words(&listed)).expect("JSON");
    assert_eq!(listed["nets"].as_array().map(Vec::len), Some(5));
    let last = &listed["nets"][4];
    assert_eq!((&last["iteration"], &last["size"]), (&4.into(), &"4 sums × 8 stages".into()));
}

#[test]
fn presets_train_other_nets() {
    let place = folder("train-preset");
    let begin = |more: &[&str]| {
        let settings = ["filters=4", "blocks=1", "games=4", "nodes=4", "measure=0"];
        let mut command = regulus(&["train", "breakthrough_4x4", "--iterations", "2"]);
        command.args(settings.iter().flat_map(|setting| ["--set", setting]));
        run(command.args(more).arg("-o").arg(&place))
    };
    let odd = begin(&["--preset", "slow"]);
    assert_eq!(odd.status.code(), Some(2));
    assert!(errors(&odd).contains("it is fast, thesis or small"), "{}", errors(&odd));
    let odd = begin(&["--preset", "small", "--set", "sums=4"]);
    assert_eq!(odd.status.code(), Some(2));
    let problem = "`sums` is not a setting of preset `small`; there are seed, filters";
    assert!(errors(&odd).contains(problem), "{}", errors(&odd));
    let output = begin(&["--preset", "small"]);
    assert!(output.status.success(), "{}", errors(&output));
    // What is not given is as it was.
    let again = begin(&[]);
    assert!(again.status.success(), "{}", errors(&again));
    let other = begin(&["--preset", "thesis"]);
    assert_eq!(other.status.code(), Some(1));
    let problem = "has preset=small, and preset=thesis was given";
    assert!(errors(&other).contains(problem), "{}", errors(&other));
    let listed = run(regulus(&["nets"]).arg(&place));
    assert!(words(&listed).contains("4 filters × 1 blocks"), "{}", words(&listed));
    let net = format!("net:{}?iterations=4", place.join("best.safetensors").display());
    let played = run(&mut regulus(&[
        "match",
        "breakthrough_4x4",
        "--games",
        "2",
        "--players",
        &format!("{net},random"),
    ]));
    assert!(played.status.success(), "{}", errors(&played));
}

#[cfg(unix)]
#[test]
fn runs_that_are_interrupted_say_that_they_go_on() {
    use std::io::{BufRead as _, BufReader, Read as _};

    let place = folder("train-interrupted");
    let mut command = regulus(&["train", RUN[0], "--iterations", "1000000", "--output"]);
    // More iterations than anybody waits for.
    let mut process = command.arg(&place).args(&RUN[3..]).spawn().expect("it starts");
    let mut output = BufReader::new(process.stdout.take().expect("piped"));
    let mut first = String::new();
    output.read_line(&mut first).expect("UTF-8");
    let told = Command::new("kill").args(["-INT", &process.id().to_string()]).status();
    assert!(told.expect("it is installed").success());
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("UTF-8");
    assert!(process.wait().expect("it is over").success());
    assert!(rest.contains("stopped; the same command goes on"), "{first}{rest}");
    assert!(rest.contains("best net: "), "{rest}");
    assert!(place.join("report.html").is_file());
}
