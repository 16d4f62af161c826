//! `regulus manager` as its users run it: a server and clients, each a program.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

fn regulus(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_regulus"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(args: &[&str]) -> Output {
    regulus(args).output().expect("the program runs")
}

/// The lines that a program has printed.
fn lines(output: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(output);
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// The moves of each game among these lines, as on the wire.
fn games(lines: &[Value]) -> Vec<Vec<String>> {
    let games = lines.iter().filter(|line| line["event"] == "game");
    let exact = |played: &Value| played["exact"].as_str().expect("it is a text").to_owned();
    games
        .map(|game| game["moves"].as_array().expect("a list").iter().map(exact).collect())
        .collect()
}

#[test]
fn a_server_and_clients_play_and_log_the_same_games() {
    let folder = std::env::temp_dir().join(format!("regulus-manager-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("it can be made");
    let [moves, results] =
        ["moves.log", "results.log"].map(|name| folder.join(name).display().to_string());
    // The first is RBG, the second is translated.
    for game in ["tic_tac_toe", "trio"] {
        let args = ["--json", "manager", "serve", game, "--port", "0", "--games", "2"];
        let logs = ["--log-moves", &moves, "--log-results", &results];
        let mut server = regulus(&[&args[..], &logs].concat()).spawn().expect("it runs");
        let mut said = BufReader::new(server.stdout.take().expect("it is piped"));
        let mut first = String::new();
        said.read_line(&mut first).expect("it listens");
        let first: Value = serde_json::from_str(&first).expect("a line is JSON");
        let address = first["address"].as_str().expect("it is a text");
        let clients: Vec<Child> = (0..first["clients"].as_u64().expect("a number"))
            .map(|seed| {
                let args = ["--json", "manager", "join", address, "--player", "random", "--seed"];
                let seed = seed.to_string();
                regulus(&[&args[..], &[&seed]].concat()).spawn().expect("it runs")
            })
            .collect();
        for client in clients {
            let output = client.wait_with_output().expect("it ends");
            assert!(output.status.success());
            let said: Vec<String> = games(&lines(&output.stdout)).concat();
            let logged = std::fs::read_to_string(&moves).expect("it is written");
            let logged: Vec<&str> = logged.lines().filter(|line| *line != "reset").collect();
            assert_eq!(said, logged);
        }
        assert!(server.wait().expect("it ends").success());
        let said: Vec<Value> = said
            .lines()
            .map(|line| serde_json::from_str(&line.expect("text")).expect("JSON"))
            .collect();
        assert_eq!(games(&said).len(), 2);
        assert!(said.iter().all(|line| line["ending"]["kind"] == "over"));
        let results = std::fs::read_to_string(&results).expect("it is written");
        assert_eq!(results.lines().count(), 2);
    }
    std::fs::remove_dir_all(&folder).expect("it is there");
}

#[test]
fn set_ups_that_cannot_be_used_end_with_status_1() {
    let lonely = run(&["manager", "serve", "tic_tac_toe", "--port", "0", "--wait", "0.01"]);
    assert_eq!(lonely.status.code(), Some(1));
    let message = String::from_utf8_lossy(&lonely.stderr).into_owned();
    assert_eq!(message, "error: 0 of 2 clients joined within 0.01 seconds\n");
    let nobody = run(&["manager", "join", "127.0.0.1:1"]);
    assert_eq!(nobody.status.code(), Some(1));
    let unknown = run(&["manager", "join", "127.0.0.1:1", "--player", "nobody"]);
    assert_eq!(unknown.status.code(), Some(2));
}
