//! The README's table of commands names every command of the program, no others, and no options that do not exist.
//!
//! What exists is read from the help texts of the program, which clap writes from its definition.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");

#[test]
fn table_of_commands_is_true() {
    let readme = fs::read_to_string(README).expect("the README is there");
    for row in table(&readme) {
        let mut options = BTreeSet::new();
        for path in &row.commands {
            let (name, outer) = path.split_last().expect("a command");
            let is_known = Help::of(outer).commands.contains(*name);
            assert!(is_known, "README: there is no command `regulus {}`", path.join(" "));
            options.append(&mut Help::of(path).options);
        }
        for option in row.options {
            assert!(options.contains(option), "README: {:?} has no option {option}", row.commands);
        }
    }
}

#[test]
fn table_of_commands_is_complete() {
    let readme = fs::read_to_string(README).expect("the README is there");
    let rows = table(&readme);
    let named: BTreeSet<&[&str]> =
        rows.iter().flat_map(|row| &row.commands).map(Vec::as_slice).collect();
    let mut count = 0;
    for command in &Help::of(&[]).commands {
        let inner = Help::of(&[command.as_str()]).commands;
        let paths: Vec<Vec<&str>> = if inner.is_empty() {
            vec![vec![command.as_str()]]
        } else {
            inner.iter().map(|inner| vec![command.as_str(), inner.as_str()]).collect()
        };
        for path in paths {
            assert!(named.contains(path.as_slice()), "README: no row for {path:?}");
            count += 1;
        }
    }
    assert!(count >= 20);
}

/// A row of the table.
struct Row<'a> {
    /// The words of each command after `regulus`, without arguments.
    commands: Vec<Vec<&'a str>>,
    options: Vec<&'a str>,
}

fn table(readme: &str) -> Vec<Row<'_>> {
    let section = readme.split("\n## What it does\n").nth(1).expect("the section is there");
    let section = section.split("\n## ").next().unwrap_or_default();
    let lines = section.lines().filter(|line| line.starts_with("| `"));
    let rows: Vec<Row<'_>> = lines.map(row).collect();
    assert!(rows.len() >= 20, "the table is there");
    rows
}

fn row(line: &str) -> Row<'_> {
    let (first, rest) = line.trim_start_matches("| ").split_once(" | ").expect("two columns");
    let mut commands: Vec<Vec<&str>> = Vec::new();
    for code in code(first) {
        // Arguments are not lower case, options begin with a dash.
        let is_lower = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase());
        let words: Vec<&str> = code.split(' ').take_while(is_lower).collect();
        let mut path = match (words.split_first(), commands.last()) {
            (Some((&"regulus", words)), _) => words.to_vec(),
            // `regulus manager serve`, `join`
            (Some(_), Some(before)) => [&before[..before.len() - 1], words.as_slice()].concat(),
            _ => panic!("README: `{code}` is no command"),
        };
        // Behind a command without commands of its own are its arguments.
        let has_inner = |path: &[&str]| !Help::of(path).commands.is_empty();
        let end = (1..path.len()).find(|&end| !has_inner(&path[..end]));
        path.truncate(end.unwrap_or(path.len()));
        commands.push(path);
    }
    let words = code(first).into_iter().chain(code(rest)).flat_map(|code| code.split(' '));
    Row { commands, options: words.filter(|word| word.starts_with('-')).collect() }
}

/// What stands between backticks.
fn code(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The commands and options that the program's help lists.
#[derive(Default)]
struct Help {
    commands: BTreeSet<String>,
    options: BTreeSet<String>,
}

impl Help {
    fn of(path: &[&str]) -> Help {
        let run = Command::new(env!("CARGO_BIN_EXE_regulus")).args(path).arg("--help").output();
        let run = run.expect("it runs");
        assert!(run.status.success(), "regulus {} --help", path.join(" "));
        let text = String::from_utf8(run.stdout).expect("text");
        let (mut help, mut part) = (Help::default(), "");
        for line in text.lines() {
            let words = line.trim_start();
            match line.len() - words.len() {
                0 if !line.is_empty() => part = line,
                2 if part == "Commands:" => {
                    let name = words.split(' ').next().unwrap_or_default();
                    // It says the same as `--help`.
                    help.commands.extend((name != "help").then(|| name.to_owned()));
                }
                2 | 6 if part == "Options:" && words.starts_with('-') => {
                    let names = words.split([' ', ',']).filter(|word| word.starts_with('-'));
                    help.options.extend(names.map(str::to_owned));
                }
                _ => {}
            }
        }
        help
    }
}
