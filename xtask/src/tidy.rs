//! House rules that no compiler checks.
//!
//! 1. Every source file opens with `//!`.
//! 2. Crates use each other only along the arrows of ARCHITECTURE.md.
//! 3. Every bundled game has a figure in `testdata/perft.csv` and opens with a comment that names it.
//! 4. Documents do not mention machine paths.
//! 5. Games are loaded by the crate `game`: what stands above it does not compile, optimise or choose engines by itself.

use std::fs;
use std::path::{Path, PathBuf};

/// Which crates a crate may use in its code; tests may use more.
const ARROWS: &[(&str, &[&str])] = &[
    ("agents", &["regulus-automaton", "regulus-engine", "regulus-game", "regulus-jit"]),
    (
        "arena",
        &[
            "regulus-agents",
            "regulus-automaton",
            "regulus-engine",
            "regulus-game",
            "regulus-generate",
            "regulus-lang",
        ],
    ),
    ("automaton", &[]),
    ("lang", &["regulus-automaton"]),
    ("abg", &["regulus-automaton", "regulus-engine", "regulus-game", "regulus-lang"]),
    ("describe", &["regulus-automaton", "regulus-engine", "regulus-game", "regulus-lang"]),
    ("engine", &["regulus-automaton"]),
    ("generate", &[]),
    ("game", &["regulus-automaton", "regulus-engine", "regulus-jit", "regulus-lang"]),
    (
        "laws",
        &[
            "regulus-automaton",
            "regulus-engine",
            "regulus-game",
            "regulus-generate",
            "regulus-jit",
            "regulus-lang",
        ],
    ),
    (
        "learn",
        &["regulus-agents", "regulus-arena", "regulus-automaton", "regulus-engine", "regulus-game"],
    ),
    ("jit", &["regulus-automaton", "regulus-engine"]),
    (
        "cli",
        &[
            "regulus-agents",
            "regulus-arena",
            "regulus-automaton",
            "regulus-describe",
            "regulus-engine",
            "regulus-game",
            "regulus-generate",
            "regulus-jit",
            "regulus-lang",
            "regulus-learn",
            "regulus-server",
        ],
    ),
    (
        "server",
        &[
            "regulus-agents",
            "regulus-arena",
            "regulus-automaton",
            "regulus-describe",
            "regulus-engine",
            "regulus-game",
            "regulus-generate",
            "regulus-lang",
            "regulus-learn",
        ],
    ),
];

/// Checks all rules; the error lists everything that breaks them.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    println!("== tidy");
    let mut problems = Vec::new();
    module_docs(root, &mut problems);
    arrows(root, &mut problems);
    games(root, &mut problems);
    documents(root, &mut problems);
    pipelines(root, &mut problems);
    if problems.is_empty() { Ok(()) } else { Err(format!("tidy:\n  {}", problems.join("\n  "))) }
}

fn module_docs(root: &Path, problems: &mut Vec<String>) {
    for folder in ["crates", "xtask", "fuzz", "rivals"] {
        for file in files(&root.join(folder)) {
            if file.extension().is_some_and(|ending| ending == "rs")
                && !read(&file).starts_with("//!")
            {
                problems.push(format!("{} does not open with //!", file.display()));
            }
        }
    }
}

fn arrows(root: &Path, problems: &mut Vec<String>) {
    let Ok(crates) = fs::read_dir(root.join("crates")) else { return };
    for folder in crates.flatten() {
        let name = folder.file_name().to_string_lossy().into_owned();
        let Some((_, allowed)) = ARROWS.iter().find(|(known, _)| *known == name) else {
            problems.push(format!("crate {name} has no line in xtask/src/tidy.rs"));
            continue;
        };
        let manifest = read(&folder.path().join("Cargo.toml"));
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let dependencies = dependencies.split("\n[").next().unwrap_or_default();
        for line in dependencies.lines().filter(|line| line.starts_with("regulus-")) {
            let used = line.split(['.', ' ', '=']).next().unwrap_or_default();
            if !allowed.contains(&used) {
                problems.push(format!("crate {name} must not use {used}"));
            }
        }
    }
}

fn games(root: &Path, problems: &mut Vec<String>) {
    let figures = read(&root.join("testdata/perft.csv"));
    let mut games = files(&root.join("games"));
    games.sort_by_key(|file| file.extension().is_none_or(|language| language != "rbg"));
    let stem = |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    for file in &games {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // A name without extension means the first of several games.
        let first = games.iter().find(|other| stem(other) == stem(file)) == Some(file);
        let rows = |name: &str| figures.lines().any(|line| line.split(',').next() == Some(name));
        if !rows(&name) && (!first || !rows(&stem(file))) {
            problems.push(format!("{name} has no row in testdata/perft.csv"));
        }
        if !["// ", "# ", "% "].iter().any(|sign| read(file).starts_with(sign)) {
            problems.push(format!("{} does not open with its name in a comment", file.display()));
        }
    }
}

fn documents(root: &Path, problems: &mut Vec<String>) {
    let documents =
        files(root).into_iter().filter(|file| file.extension().is_some_and(|e| e == "md"));
    for file in documents {
        if ["/work/", "/root/", "/home/"].iter().any(|path| read(&file).contains(path)) {
            problems.push(format!("{} mentions a machine path", file.display()));
        }
    }
}

/// What only the crate `game`, and what lies below it, may call.
const PIPELINE: [&str; 3] = ["passes::optimise(", "Engine::new(", "lang::compile("];

fn pipelines(root: &Path, problems: &mut Vec<String>) {
    for folder in [
        "crates/abg/src",
        "crates/agents",
        "crates/arena",
        "crates/cli",
        "crates/describe",
        "crates/learn",
        "rivals",
    ] {
        for file in files(&root.join(folder)) {
            let text = read(&file);
            for call in PIPELINE.iter().filter(|call| text.contains(**call)) {
                problems.push(format!("{} calls {call}…) by itself", file.display()));
            }
        }
    }
}

/// All files below a folder, except what tools leave there.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir()
            && !name.starts_with('.')
            && !["target", "corpus", "artifacts"].contains(&name.as_str())
        {
            found.extend(files(&path));
        } else if path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    found
}

pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}
