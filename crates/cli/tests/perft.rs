//! The figures of `testdata/perft.csv` come out on the bundled games, by the built program.
//!
//! Rows with more leaves than `REGULUS_PERFT_LEAVES` (20,000 unless set) are left for `cargo xtask test`, which sets a million,
//! and for the optimised run of `cargo xtask perft`.

#![expect(clippy::print_stdout, reason = "the figures are shown with --nocapture")]

use std::process::Command;

struct Row<'a> {
    game: &'a str,
    depth: &'a str,
    leaves: u64,
    states: u64,
}

#[test]
fn every_figure_comes_out() {
    let limit = std::env::var("REGULUS_PERFT_LEAVES").ok().and_then(|limit| limit.parse().ok());
    let limit: u64 = limit.unwrap_or(20_000);
    let table = include_str!("../../../testdata/perft.csv");
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1).map(parse);
    let mut wrong = Vec::new();
    let mut checked = 0;
    for row in rows.filter(|row| row.leaves <= limit) {
        let output = Command::new(env!("CARGO_BIN_EXE_regulus"))
            .args(["perft", row.game, row.depth, "--json"])
            .output()
            .expect("the program starts");
        let answer: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("the answer is JSON");
        println!("{} {}: {} in {} s", row.game, row.depth, answer["leaves"], answer["seconds"]);
        checked += 1;
        if answer["leaves"] != row.leaves || answer["states"] != row.states {
            wrong.push(format!("{} {}: {answer}, not {}", row.game, row.depth, row.leaves));
        }
    }
    println!("{checked} figures up to {limit} leaves");
    assert!(checked >= 40, "the table is there");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn parse(line: &str) -> Row<'_> {
    let fields: Vec<&str> = line.split(',').collect();
    let [game, depth, leaves, states, _source] = fields.as_slice() else {
        panic!("five fields: {line}");
    };
    Row {
        game,
        depth,
        leaves: leaves.parse().expect("a number"),
        states: states.parse().expect("a number"),
    }
}
