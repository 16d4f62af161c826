//! The commands as a user meets them: what they print, where, and with which exit status.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn regulus(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_regulus")).args(args).output().expect("the program starts")
}

fn with_input(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_regulus"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

fn json(args: &[&str]) -> Value {
    let mut args = args.to_vec();
    args.push("--json");
    let output = regulus(&args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

const STRIP: &str = include_str!("strip.rbg");

#[test]
fn the_specification_s_example_counts_as_it_should() {
    // Leaves for depths 0 to 5 are 1, 2, 4, 7, 11, 0.
    for (depth, leaves, states) in
        [(0, 1, 1), (1, 2, 3), (2, 4, 7), (3, 7, 14), (4, 11, 25), (5, 0, 25)]
    {
        let output = with_input(&["perft", "-", &depth.to_string(), "--json"], STRIP);
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!((&answer["leaves"], &answer["states"]), (&leaves.into(), &states.into()));
    }
    let output = with_input(&["moves", "-", "--json"], STRIP);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut exact: Vec<&str> = answer["moves"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|m| m["exact"].as_str())
        .collect();
    exact.sort_unstable();
    assert_eq!(exact, ["1 3 2 4", "1 6"]);
    let output = with_input(&["moves", "-", "1 3 2 4", "--json"], STRIP);
    assert!(stdout(&output).contains("4 12 3 13") && stdout(&output).contains("2 15"));
}

/// The names of the bundled games of a language, with their extensions.
fn bundled(language: &str) -> Vec<String> {
    let folder = format!("{}/../../games/{language}", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(folder).expect("the folder of games");
    let name = |file: std::fs::DirEntry| file.file_name().to_string_lossy().into_owned();
    files.map(|file| name(file.expect("a game"))).collect()
}

#[test]
fn lowering_keeps_the_counts_of_every_bundled_game() {
    for name in bundled("rbg") {
        let name = name.as_str();
        let lowered = stdout(&regulus(&["lower", name]));
        let before = json(&["perft", name, "1"]);
        let after = with_input(&["perft", "-", "1", "--json"], &lowered);
        let after: Value = serde_json::from_slice(&after.stdout).expect("JSON");
        assert_eq!(before["leaves"], after["leaves"], "{name}");
        let again = stdout(&with_input(&["lower", "-"], &lowered));
        assert_eq!(again, lowered, "{name}: lowering twice is lowering once");
    }
}

#[test]
fn games_of_one_name_are_told_apart_by_their_extensions() {
    let games = json(&["games"]);
    let names: Vec<&str> = games["games"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|row| row["name"].as_str())
        .collect();
    for name in [
        "chess",
        "chess.abg",
        "breakthrough",
        "breakthrough.sbg",
        "breakthrough.abg",
        "gardner",
        "trio",
    ] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert_eq!(json(&["info", "chess"])["game"], "chess.rbg");
    assert_eq!(json(&["info", "chess.abg"])["game"], "chess.abg");
    let unique: std::collections::BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(unique.len(), names.len());
    assert!(games["games"].as_array().expect("a list").iter().all(|row| row["title"] != ""));
    let svg = stdout(&regulus(&["graph", "chess.abg", "--piece", "wPawn"]));
    assert!(svg.contains("minimal: ") && svg.contains("[0,1,Empty]"), "{svg}");
}

#[test]
fn translating_keeps_the_counts_of_every_bundled_game() {
    let games = bundled("sbg");
    assert!(games.len() >= 14, "the games are there");
    for name in games {
        let translated = stdout(&regulus(&["translate", "--to", "rbg", &name]));
        let printed = stdout(&regulus(&["translate", "--to", "sbg", &name]));
        for depth in ["1", "2", "3"] {
            let before = json(&["perft", &name, depth]);
            let file = std::env::temp_dir().join(format!("regulus-{}-{name}", std::process::id()));
            std::fs::write(&file, &printed).expect("a place for a file");
            let again = json(&["perft", file.to_str().expect("a plain path"), depth]);
            std::fs::remove_file(&file).expect("it was written");
            let after = with_input(&["perft", "-", depth, "--json"], &translated);
            let after: Value = serde_json::from_slice(&after.stdout).expect("JSON");
            for what in ["leaves", "states"] {
                assert_eq!(before[what], after[what], "{name}, depth {depth}");
                assert_eq!(before[what], again[what], "{name}, depth {depth}");
            }
        }
    }
}

#[test]
fn the_automata_of_a_piece_are_drawn() {
    let svg = stdout(&regulus(&["graph", "gardner", "--piece", "R"]));
    for caption in [
        "nondeterministic: 10 states, 20 steps",
        "deterministic: 6 states, 16 steps",
        "minimal: 6 states, 16 steps",
    ] {
        assert!(svg.contains(caption), "{caption} in:\n{svg}");
    }
    let dot = stdout(&regulus(&["graph", "gardner", "--piece", "k", "--format", "dot"]));
    assert_eq!(dot.matches("subgraph").count(), 3);
    let unknown = regulus(&["graph", "gardner", "--piece", "X"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(stderr(&unknown).contains("the pieces with rules are: P, R, N, B, Q, K"));
    assert_eq!(regulus(&["graph", "breakthrough", "--piece", "X"]).status.code(), Some(1));
}

#[test]
fn describing_says_all_that_is_needed_to_play() {
    let text = stdout(&regulus(&["describe", "gardner"]));
    for part in [
        "    r n b q k\n    p p p p p\n",
        "Knight (N), 1 each, score 8\n    Leaps over vector (1,2)/(2,1).",
        "A player wins by moving a pawn to the farthest row.",
        "A player loses when the king is taken.",
        "drawn after 50 moves of each player",
        "169.6",
    ] {
        assert!(text.contains(part), "{part} in:\n{text}");
    }
    let answer = json(&["describe", "tamerlane"]);
    assert_eq!(answer["score"], 376.5);
    assert_eq!(answer["pieces"].as_array().map(Vec::len), Some(11));
    let piece = json(&["describe", "remarkable_rookies", "--piece", "s"]);
    assert_eq!(piece["pieces"][0]["sentence"], "Rides max 4 times horizontally or vertically.");
    assert_eq!(piece["pieces"][0]["score"], 12);
    let alone = stdout(&regulus(&["describe", "nutty_knights", "--piece", "R"]));
    assert!(alone.contains("       4  rides vertically forwards\n"), "{alone}");

    let markdown = stdout(&regulus(&["describe", "horde", "--format", "markdown"]));
    assert!(markdown.starts_with("# Horde\n") && markdown.contains("| Queen (Q) |"), "{markdown}");
    let html = stdout(&regulus(&["describe", "horde", "--format", "html"]));
    assert!(html.starts_with("<!DOCTYPE html>") && html.matches("<svg").count() == 7);
    let svg = stdout(&regulus(&["describe", "cannon_chess", "--svg", "--piece", "C"]));
    assert!(svg.starts_with("<svg ") && svg.contains("Cannon (C)"));

    let unknown = regulus(&["describe", "gardner", "--piece", "x"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(stderr(&unknown).contains("the pieces are: Pawn (P), Rook (R), Knight (N)"));
    let help = stdout(&regulus(&["describe", "--help"]));
    assert!(help.contains("SBG, METAGAME") && help.contains("RBG, ABG"), "{help}");

    let checkers = stdout(&regulus(&["describe", "american_checkers"]));
    assert!(
        checkers.contains("Man (M), 12 each, score 41\n    Moves 1 diagonally forwards."),
        "{checkers}"
    );
    assert!(checkers.contains("A player who can capture must."), "{checkers}");
    let lance = json(&["describe", "shogi", "--piece", "promoted_lance"]);
    assert_eq!(lance["pieces"][0]["symbol"], "T");
}

#[test]
fn games_known_only_by_playing_are_described_by_their_first_moves() {
    let text = stdout(&regulus(&["describe", "chess.rbg"]));
    for part in [
        "2 players: White and Black. White begins. The board has 8 columns and 8 rows.\n",
        "Moves\n-----\nAt first white has 20 legal moves.\n",
        "    1 R N B Q K B N R\n",
        "White pawn (P), 8 for white\n    At first it can go from a2 to a3 or a4; from b2 to b3 or b4;",
        "White rook (R), 2 for white\n    At first it cannot move.\n",
        "No legal move is left: the player to move is checkmated, or",
    ] {
        assert!(text.contains(part), "{part} in:\n{text}");
    }
    assert!(stdout(&regulus(&["describe", "chess.abg"])).contains("from b1 to a3 or c3;"));
    let amazon = json(&["describe", "amazons", "--piece", "white amazon"]);
    assert_eq!(amazon["pieces"][0]["count"]["white"], 4);
    let sentence = amazon["pieces"][0]["sentence"].as_str().expect("a text");
    assert!(sentence.contains("from a4 to 20 squares, such as a1, a2 or a3"), "{sentence}");
    let crosses = json(&["describe", "tic_tac_toe"]);
    let moves = crosses["moves"].as_array().expect("sentences");
    let chosen = "At first crosses can choose a1, a2, a3, b1, b2, b3, c1, c2 or c3.";
    assert!(moves.contains(&chosen.into()), "{moves:?}");
    assert!(crosses["score"].is_null());
    // Every bundled game has a guide.
    for game in json(&["games"])["games"].as_array().expect("a list") {
        let name = game["file"].as_str().expect("a name");
        let html = stdout(&regulus(&["describe", name, "--format", "html"]));
        assert!(html.contains("<h2>Pieces</h2>") && html.ends_with("</html>\n"), "{name}");
        let text = stdout(&regulus(&["describe", name]));
        assert!(text.contains("Winning\n") || text.contains("Ending\n"), "{name}");
        assert!(text.len() < 20_000, "{name}: {}", text.len());
    }
}

#[test]
fn rules_beyond_description_are_told() {
    let folder = std::env::temp_dir().join(format!("regulus-walk-{}.sbg", std::process::id()));
    let walk = "((1,0,e)+(-1,0,e)+(0,1,e)+(0,-1,e))^*";
    let text =
        format!("<<W>><BOARD>6 6{}<PIECES>K (1,0,e){walk}&<GOALS>9&", "|K.....|\n".repeat(6));
    std::fs::write(&folder, text).expect("a place for a file");
    let path = folder.to_str().expect("a plain path");
    let text = stdout(&regulus(&["describe", path]));
    assert!(
        text.contains("Moves in more than 20000 ways, which is too much to describe."),
        "{text}"
    );
    let answer = json(&["describe", path]);
    assert!(answer["score"].is_null() && answer["pieces"][0]["score"].is_null());
    std::fs::remove_file(&folder).expect("it was written");
}

#[test]
fn check_tells_people_and_programs() {
    let output = regulus(&["check", "breakthrough"]);
    assert_eq!(stdout(&output), "breakthrough.rbg is well-formed\n");
    assert_eq!(json(&["check", "breakthrough"])["ok"], true);

    let bad = STRIP.replace("any {c~Man} [e] dir", "any {c~Mann} [e] dir");
    let output = with_input(&["check", "-"], &bad);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).is_empty());
    let words = stderr(&output);
    for part in
        ["rbg-unknown-name", "rMann", "in the expansion of `go`", "did you mean `rMan`?", "-:"]
    {
        assert!(words.contains(part), "{part} in:\n{words}");
    }

    let output = with_input(&["check", "-", "--json"], &bad);
    assert_eq!(output.status.code(), Some(1));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["ok"], false);
    let first = &answer["diagnostics"][0];
    assert_eq!(first["id"], "rbg-unknown-name");
    assert_eq!(first["severity"], "error");
    assert!(first["line"].is_u64() && first["column"].is_u64() && first["message"].is_string());
}

#[test]
fn check_follows_the_keeper() {
    let same = json(&["check", "english_checkers", "--deep", "--positions", "3"]);
    assert_eq!((&same["ok"], &same["keeper"]["positions"]), (&true.into(), &3.into()));
    assert_eq!(
        (&same["keeper"]["cut_short"], &same["keeper"]["partings"]),
        (&0.into(), &Value::Array(Vec::new()))
    );
    let said = stdout(&regulus(&["check", "hex", "--deep", "--positions", "1", "--seed", "7"]));
    let expected =
        "it does not matter what the keeper does first: followed in 1 position, after 81 moves";
    assert!(said.contains(expected), "{said}");
    let text = STRIP.replace("->> {}", "->> ([e] + [rMan]) ->> {}");
    assert_ne!(text, STRIP);
    let output = with_input(&["check", "-", "--deep", "--json"], &text);
    assert_eq!(output.status.code(), Some(1));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&answer["ok"], &answer["error"]["id"]), (&false.into(), &"keeper-choice".into()));
    let finding = &answer["diagnostics"][0];
    assert_eq!(
        (&finding["id"], &finding["line"]),
        (&"keeper-choice".into(), &finding["related"][0]["line"])
    );
    let parting = &answer["keeper"]["partings"][0];
    assert_eq!(parting["outcomes"].as_array().map(Vec::len), Some(2), "{parting}");
    let (position, after) = (parting["position"].as_str(), parting["move"].as_str());
    let show = ["show", "-", "--position", position.expect("a line"), after.expect("a move")];
    assert!(with_input(&show, &text).status.success());
    let output = with_input(&["check", "-", "--deep"], &text);
    let (said, name) = (stderr(&output), after.expect("a move"));
    assert!(said.contains(&format!("after {name} in {}", position.expect("a line"))), "{said}");
    assert!(said.contains("one way goes on here, on ") && said.contains("  - the game is over"));
    assert_eq!(regulus(&["check", "hex", "--seed", "7"]).status.code(), Some(2));
}

#[test]
fn games_that_never_end_are_told_with_their_place() {
    let endless = STRIP.replace("->> {} )", "->> (->>)* {} )");
    let output = with_input(&["perft", "-", "5"], &endless);
    assert_eq!(output.status.code(), Some(1));
    let words = stderr(&output);
    assert!(words.contains("come to an end") && words.contains("(->>)* {}"), "{words}");
    let output = with_input(&["bench", "-", "--playouts", "1", "--json"], &endless);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["error"]["id"], "run-endless-keeper");
    assert_eq!(answer["diagnostics"][0]["line"], 14);
}

#[test]
fn mistakes_have_their_exit_status_and_advice() {
    for (args, status, advice) in [
        (&["perft", "breaktrough", "1"][..], 1, "did you mean `breakthrough`?"),
        (&["perft", "no such game", "1"], 1, "regulus games"),
        (&["show", "chess", "e2-e5"], 1, "not a legal move"),
        (&["moves", "chess", "99 99"], 1, "not a legal move"),
        (&["perft", "chess"], 2, "DEPTH"),
        (&["bench", "chess", "--seconds", "0"], 2, "more than 0"),
        (&["bench"], 2, "GAME"),
        (&["bench", "chess", "hex"], 2, "--suite"),
        (&["bench", "--suite", "breaktrough"], 1, "did you mean `breakthrough`?"),
        (&["bench", "--suite", "--threads", "2"], 2, "cannot be used with"),
        (&["reproduce", "nld-table2", "--seconds", "0"], 2, "more than 0"),
        (&["play", "chess", "--as", "red"], 2, "white, black"),
        (&["perft", "chess", "1", "--without-pass", "nothing"], 2, "fold-walks"),
        (&["nonsense"], 2, "Usage"),
    ] {
        let output = regulus(args);
        assert_eq!(output.status.code(), Some(status), "{args:?}");
        assert!(stderr(&output).contains(advice), "{args:?}: {}", stderr(&output));
        assert!(stdout(&output).is_empty());
    }
}

#[test]
fn passes_can_be_left_out_and_change_nothing() {
    let expected = json(&["perft", "breakthrough", "2"]);
    for pass in ["all", "fold-walks", "merge-equal-nodes", "share-prefixes", "contract-skips"] {
        let answer = json(&["perft", "breakthrough", "2", "--without-pass", pass]);
        assert_eq!(answer["leaves"], expected["leaves"], "without {pass}");
    }
}

#[test]
fn without_a_terminal_the_computer_plays_both_sides() {
    let args = ["play", "tic_tac_toe", "--opponent", "uct", "--playouts", "200", "--seed", "5"];
    let output = regulus(&args);
    assert!(output.status.success());
    let words = stdout(&output);
    assert!(words.contains("  1. ") && words.contains("the game is over"), "{words}");
    let answer = json(&args);
    assert!(answer["moves"].as_array().is_some_and(|moves| moves.len() >= 5));
    assert_eq!(answer, json(&args));
}

#[test]
fn bench_counts_what_it_played() {
    let answer = json(&["bench", "tic_tac_toe", "--playouts", "2000", "--seed", "2"]);
    assert_eq!(answer["playouts"], 2000);
    let average = |name: &str| answer["average_scores"][name].as_f64().expect("a number");
    // Of random games, X wins 58.5 % and O 28.8 %.
    let names: Vec<&String> =
        answer["average_scores"].as_object().expect("scores").keys().collect();
    assert_eq!(names.len(), 2);
    let sum: f64 = names.iter().map(|name| average(name)).sum();
    assert!((sum - 100.0).abs() < 1e-6);
    for field in ["states", "seconds", "playouts_per_s", "states_per_s", "average_depth"] {
        assert!(answer[field].is_number(), "{field}");
    }
}

#[test]
fn a_suite_measures_every_bundled_game_and_engine() {
    let answer = json(&["bench", "--suite", "--seconds", "0.001"]);
    let name = |row: &Value, field: &str| row[field].as_str().expect("a name").to_owned();
    let rows = answer["games"].as_array().expect("a list");
    let games: Vec<String> = rows.iter().map(|row| name(row, "game")).collect();
    let bundled = json(&["games"]);
    let bundled = bundled["games"].as_array().expect("a list").iter();
    assert_eq!(games, bundled.map(|row| name(row, "name")).collect::<Vec<_>>());
    for row in rows {
        for field in ["load_seconds", "plan_seconds", "jit_seconds", "state_bytes", "code_bytes"] {
            assert!(row[field].as_f64().is_some_and(|value| value > 0.0), "{field} in {row}");
        }
        let engines = row["engines"].as_array().expect("a list");
        let names: Vec<String> = engines.iter().map(|engine| name(engine, "engine")).collect();
        assert_eq!(names, ["walk", "plan", "jit"]);
        for kind in ["playouts", "perft"] {
            for field in ["states", "seconds", "states_per_s"] {
                for engine in engines {
                    let value = &engine[kind][field];
                    assert!(value.as_f64().is_some_and(|value| value > 0.0), "{field} in {row}");
                }
            }
        }
    }
}

#[test]
fn published_tables_are_listed_and_others_refused() {
    let tables = json(&["reproduce"]);
    let tables = tables["tables"].as_array().expect("a list");
    let names: Vec<&str> = tables.iter().filter_map(|table| table["name"].as_str()).collect();
    let (listed, refused) = (regulus(&["reproduce"]), regulus(&["reproduce", "table9"]));
    assert_eq!((listed.status.code(), refused.status.code()), (Some(0), Some(2)));
    for name in ["thesis-table1", "thesis-table2", "thesis-table4", "poster-figure4", "nld-table2"]
    {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    for name in names {
        assert!(stdout(&listed).lines().any(|line| line.starts_with(name)), "{name}");
        assert!(stderr(&refused).contains(name), "{name}: {}", stderr(&refused));
    }
}

#[test]
fn scores_of_published_games_are_reproduced() {
    let answer = json(&["reproduce", "nld-table2"]);
    let row = |row: &Value| {
        let game = row["game"].as_str().expect("a name").to_owned();
        (game, row["published"]["score"].as_f64(), row["here"]["score"].as_f64())
    };
    let rows: Vec<_> = answer["rows"].as_array().expect("a list").iter().map(row).collect();
    let expected = [
        ("shatranj", 166.0, Some(166.0)),
        ("chess", 168.0, Some(168.0)),
        ("Colorbound Clobberers", 196.0, Some(196.0)),
        ("Remarkable Rookies", 222.0, Some(222.0)),
        ("Nutty Knights", 248.0, Some(248.0)),
        ("SIMB 30-P4", 253.0, None),
        ("Tamerlane chess", 376.0, Some(376.5)),
        ("RAPP The Legacy of Ibis", 387.0, None),
    ];
    assert_eq!(rows, expected.map(|(game, score, here)| (game.to_owned(), Some(score), here)));
    let table = stdout(&regulus(&["reproduce", "nld-table2"]));
    let line = table.lines().find(|line| line.starts_with("Tamerlane")).expect("a row");
    assert_eq!(line.split_whitespace().collect::<Vec<_>>()[2..], ["376", "376.5", "+0.5"]);
}

#[test]
fn speeds_stand_beside_published_ones() {
    let answer = json(&["reproduce", "thesis-table2", "--seconds", "0.001"]);
    let rows = answer["rows"].as_array().expect("a list");
    assert_eq!(rows.len(), 4);
    assert_eq!(
        (&rows[2]["game"], &rows[2]["published"]["Ludii"]),
        (&"chess".into(), &29_393.0.into())
    );
    for row in rows {
        for language in ["ABG", "RBG"] {
            assert!(row["here"][language].as_f64().is_some_and(|speed| speed > 0.0), "{row}");
        }
    }
}

#[test]
fn a_suite_can_be_restricted_and_fits_a_terminal() {
    let args = ["bench", "--suite", "hex", "tic_tac_toe", "--engine", "plan", "--seconds", "0.01"];
    let answer = json(&args);
    assert_eq!(answer["games"].as_array().map(Vec::len), Some(2));
    let engines = &answer["games"][1]["engines"];
    assert_eq!(
        (engines.as_array().map(Vec::len), &engines[0]["engine"]),
        (Some(1), &"plan".into())
    );
    let depth = engines[0]["perft"]["depth"].as_u64();
    assert!(depth.is_some_and(|depth| (1..=9).contains(&depth)), "{answer}");

    let table = stdout(&regulus(&args));
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 4, "{table}");
    assert!(lines[2].starts_with("hex ") && lines[3].starts_with("tic_tac_toe "), "{table}");
    assert!(lines[1..].iter().all(|line| line.chars().count() == lines[1].len()), "{table}");
    assert!(lines.iter().all(|line| line.chars().count() <= 120), "{table}");
}

#[test]
fn threads_change_nothing_but_the_time() {
    let perft = |threads| {
        let answer = json(&["perft", "breakthrough", "3", "--threads", threads]);
        (answer["leaves"].clone(), answer["states"].clone())
    };
    assert_eq!(perft("1"), (11132.into(), 11639.into()));
    assert_eq!(perft("3"), perft("1"));
    let bench = |threads, engine| {
        let args =
            ["bench", "tic_tac_toe", "--playouts", "500", "--threads", threads, "--engine", engine];
        let answer = json(&args);
        (answer["states"].clone(), answer["average_scores"].clone())
    };
    for engine in ["walk", "plan"] {
        assert_eq!(bench("3", engine), bench("1", engine));
    }
}

#[test]
fn positions_are_drawn() {
    let board = stdout(&regulus(&["show", "breakthrough", "a2-a3"]));
    assert!(board.starts_with("8 b b b b b b b b\n"), "{board}");
    assert!(board.contains("3[w]· · ·") && board.contains("2[·]w w w"), "{board}");
    let position = "position: pppppppp/pppppppp/8/8/8/P7/1PPPPPPP/PPPPPPPP black\n";
    assert!(board.ends_with(&format!("  a b c d e f g h\nblack to move\n{position}")), "{board}");
    let hex = stdout(&regulus(&["show", "hex"]));
    assert!(hex.starts_with("a   b   c   d   e   f   g   h   i\n1 ·   ·"), "{hex}");
    let yavalath = stdout(&regulus(&["show", "yavalath", "--ascii"]));
    assert!(yavalath.contains("\n        a .   .   .   .   .   6\n"), "{yavalath}");
    assert!(yavalath.is_ascii());
    let position = json(&["show", "chess", "e2-e4"]);
    assert_eq!(position["player"], "black");
    assert_eq!(position["squares"].as_array().map(Vec::len), Some(64));
    let coloured = stdout(&regulus(&["show", "breakthrough", "--color", "always"]));
    assert!(coloured.contains("\x1b["));
}

#[test]
fn automata_are_drawn_and_printed() {
    let text = stdout(&regulus(&["graph", "tic_tac_toe", "--format", "text"]));
    assert!(text.contains("rules n"), "{text}");
    let dot = stdout(&regulus(&["graph", "tic_tac_toe", "--format", "dot"]));
    assert!(dot.starts_with("digraph"), "{dot}");
    let svg = stdout(&regulus(&["graph", "tic_tac_toe"]));
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains(">tic_tac_toe.rbg: 59 nodes, 64 edges<"), "{svg}");
    for words in ["to any square", "0 or more up-left", "crosses scores 100", "crosses to move"] {
        assert!(svg.contains(&format!(">{words}<")), "{words}");
        assert!(words.contains("to move") || dot.contains(words), "{words}");
    }
}

#[test]
fn large_automata_are_folded_and_unfolded() {
    let folded = stdout(&regulus(&["graph", "chess"]));
    for words in ["2: white moves", "a turn of white", "changes quiet, empties"] {
        assert!(folded.contains(&format!(">{words}<")), "{words} in:\n{folded}");
    }
    let turn = stdout(&regulus(&["graph", "chess", "--turn", "2"]));
    for words in ["turn 2: white moves", "knight's leap", "up from rows 1, 2"] {
        assert!(turn.contains(&format!(">{words}<")), "{words} in:\n{turn}");
    }
    assert!(!turn.contains("turn 5: black moves"));
    let all = stdout(&regulus(&["graph", "chess", "--unfold", "--format", "dot"]));
    for words in ["turn 2: white moves", "turn 5: black moves", "pattern k0"] {
        assert!(all.contains(&format!("label=\"{words}\"")), "{words}");
    }
    for number in ["0", "7"] {
        let output = regulus(&["graph", "chess", "--turn", number]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("turns are numbered from 1 to 6"), "{}", stderr(&output));
    }
    let text = regulus(&["graph", "chess", "--turn", "2", "--format", "text"]);
    assert_eq!(text.status.code(), Some(2));
}

#[test]
fn info_knows_the_figures_of_the_specification() {
    let output = with_input(&["info", "-", "--json"], STRIP);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["modifiers"], 19);
    let straightness = &answer["straightness"];
    let names = ["applicational", "main", "moves", "semimoves"];
    assert_eq!(names.map(|name| straightness[name].as_i64()), [4, 4, 1, 1].map(Some));
    // Other languages have no dots.
    for game in ["breakthrough.sbg", "chess.abg"] {
        let straightness = &json(&["info", game])["straightness"];
        assert_eq!(straightness["moves"], straightness["semimoves"], "{game}");
        assert!(straightness["moves"].as_i64() > Some(0), "{game}");
    }
    assert_eq!(answer["squares"], 4);
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_regulus"))
        .args(["graph", "chess"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(stderr(&output).is_empty(), "{}", stderr(&output));
}

#[test]
fn completions_exist_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(stdout(&regulus(&["completions", shell])).contains("perft"), "{shell}");
    }
}

#[test]
fn commands_begin_with_a_given_position() {
    let line = json(&["show", "breakthrough", "--random", "20", "--seed", "5"]);
    let line = line["position"].as_str().expect("a line").to_owned();
    let again = json(&["show", "breakthrough", "--position", &line]);
    assert_eq!(again["position"], line);
    assert_eq!(json(&["moves", "breakthrough", "--position", &line])["player"], again["player"]);
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for game in ["chess", "chess.abg"] {
        assert_eq!(json(&["perft", game, "2", "--position", fen])["leaves"], 2039, "{game}");
    }
    let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    let over = json(&["play", "chess", "--position", mate]);
    assert_eq!(over["outcome"]["results"], serde_json::json!([1.0, 0.0]));
    assert_eq!(over["outcome"]["reason"], "black is checkmated");
    assert_eq!(json(&["bench", "chess", "--position", mate, "--playouts", "3"])["states"], 0);
    let bad = regulus(&["show", "chess", "--position", "8/8 white"]);
    assert_eq!(bad.status.code(), Some(1));
    assert!(stderr(&bad).contains("the board has 8 rows, not 2"), "{}", stderr(&bad));
}

#[test]
fn one_seed_gives_one_game_whatever_the_engine() {
    let game = |engine| {
        let args =
            ["show", "english_checkers", "--random", "40", "--seed", "9", "--engine", engine];
        json(&args)["position"].clone()
    };
    assert!(["plan", "jit", "auto"].iter().all(|engine| game(engine) == game("walk")));
}

#[test]
fn a_game_that_is_over_at_the_start_is_measured_too() {
    let text = "<<S>>\n<BOARD>\n2 1\n|K.|\n<PIECES>\nK (1,0,e) &\n<GOALS>\n0 &\n";
    let output = with_input(&["bench", "-", "--seconds", "0.05", "--json"], text);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["states"], 0);
}

#[test]
fn languages_are_recognised_or_said() {
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../games/abg/tic_tac_toe.abg"
    ));
    let text = text.expect("the game is there");
    assert!(with_input(&["check", "-"], &text).status.success());
    assert!(with_input(&["check", "-", "--language", "abg"], &text).status.success());
    assert_eq!(with_input(&["check", "-", "--language", "sbg"], &text).status.code(), Some(1));
    let both = with_input(&["check", "-"], "#players = a(1)\n<BOARD>\n");
    assert!(stderr(&both).contains("this text could be in RBG or SBG"), "{}", stderr(&both));
}

#[test]
fn senseless_numbers_and_formats_are_refused() {
    for args in [
        &["perft", "chess", "1", "--threads", "100000"][..],
        &["bench", "chess", "--threads", "0"],
        &["perft", "chess", "4294967295"],
        &["graph", "chess", "-o", "x.pdf"],
        &["describe", "gardner", "-o", "x.doc"],
    ] {
        let output = regulus(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let mut with_json = args.to_vec();
        with_json.push("--json");
        let output = regulus(&with_json);
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!((&answer["ok"], &answer["error"]["id"]), (&false.into(), &"usage".into()));
    }
    assert!(
        json(&["completions", "bash"])["script"].as_str().is_some_and(|s| s.contains("regulus"))
    );
    let games = json(&["games"]);
    let hex = games["games"].as_array().and_then(|all| all.iter().find(|row| row["name"] == "hex"));
    let hex = hex.expect("it is bundled");
    assert_eq!((&hex["language"], &hex["board"]["shape"]), (&"rbg".into(), &"hexagon".into()));
}

#[test]
fn what_runs_a_game_is_told() {
    let info = json(&["info", "chess_threefold"]);
    assert_eq!(info["history"]["times"], 3);
    assert_eq!(info["actions"].as_u64().map(|actions| actions % 64), Some(0));
    if cfg!(target_arch = "x86_64") {
        assert_eq!(info["engine"], "jit");
    }
    let row = format!("[{}]", vec!["e"; 30].join(","));
    let wide = format!(
        "#players = a(1)\n#pieces = e, x\n#variables =\n#board = rectangle(up, down, left, right, {})\n\
         #rules = ->a right* {{e}} [x] ->> {{}}\n",
        vec![row; 30].join(" ")
    );
    let output = with_input(&["info", "-"], &wide);
    let expected = "walk: no native code: the board has 900 squares; sets are made for at most 512";
    assert!(stdout(&output).contains(expected), "{}", stdout(&output));
}

#[test]
fn eval_says_what_pieces_are_worth() {
    let folder = std::env::temp_dir().join(format!("regulus-eval-{}", std::process::id()));
    let pictures = folder.to_str().expect("UTF-8");
    let mut command = Command::new(env!("CARGO_BIN_EXE_regulus"));
    command.args(["eval", "breakthrough_5x5", "--learning", "0", "--json", "--svg", pictures]);
    // What was learnt before shall not help.
    let output = command.env("XDG_CACHE_HOME", folder.join("cache")).output();
    let output = output.expect("the program starts");
    assert!(output.status.success(), "{}", stderr(&output));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let pieces = answer["pieces"].as_array().expect("a list");
    let names: Vec<&str> = pieces.iter().filter_map(|piece| piece["name"].as_str()).collect();
    assert_eq!(names, ["white pawn", "black pawn"]);
    // White's pawns win by going up.
    let worth = |square: &str| pieces[0]["squares"][square].as_f64().expect("a number");
    assert!(worth("c4") > worth("c2"), "{answer}");
    assert!(answer["sentences"].to_string().contains("pawn"), "{answer}");
    // Two pictures, and what was learnt.
    assert_eq!(std::fs::read_dir(&folder).expect("it was made").count(), 3);
    std::fs::remove_dir_all(&folder).expect("it was made");
}

#[test]
fn solve_says_who_wins() {
    let answer = json(&["solve", "tic_tac_toe"]);
    assert_eq!(answer["results"], serde_json::json!([0.5, 0.5]));
    assert_eq!(answer["methods"].as_array().map(Vec::len), Some(2));
    let output = regulus(&["solve", "breakthrough_4x4"]);
    assert!(stdout(&output).starts_with("white can win\n"), "{}", stdout(&output));
    let answer = json(&["solve", "breakthrough_4x4", "--method", "alphabeta", "--replay"]);
    assert_eq!(answer["replays"][0]["holds"], true, "{answer}");
    let output = regulus(&["solve", "trio"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("only games for two players"), "{}", stderr(&output));
    let output = regulus(&["solve", "chess", "--seconds", "0.2"]);
    assert!(stderr(&output).contains("not solved after"), "{}", stderr(&output));
}

#[test]
fn small_games_have_the_values_that_are_known() {
    // Connect four on these boards is a draw (Tromp), hex is won by who begins (Nash).
    for (name, results) in [
        ("connect_four_4x4", [0.5, 0.5]),
        ("connect_four_5x4", [0.5, 0.5]),
        ("breakthrough_4x4", [0.0, 1.0]),
        ("breakthrough_5x4", [0.0, 1.0]),
        ("hex_4x4", [1.0, 0.0]),
    ] {
        let file = format!("{}/../../testdata/small/{name}.rbg", env!("CARGO_MANIFEST_DIR"));
        let answer = json(&["solve", &file, "--replay", "--megabytes", "64"]);
        assert_eq!(answer["results"], serde_json::json!(results), "{name}");
        let replays = answer["replays"].as_array().expect("a list");
        assert_eq!(replays.len(), if results[0] == 0.5 { 2 } else { 1 }, "{name}");
        assert!(replays.iter().all(|replay| replay["holds"] == true), "{name}");
    }
}

#[test]
fn a_match_with_a_program_that_is_not_there_is_refused() {
    for player in ["program:./no_such_player", "uci:no_such_engine"] {
        let players = format!("random,{player}");
        let output = regulus(&["match", "tic_tac_toe", "--players", &players, "--games", "2"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("there is no program"), "{}", stderr(&output));
    }
}

#[test]
fn what_is_learnt_is_put_among_what_was_learnt_before() {
    let file = std::env::temp_dir().join(format!("regulus-weights-{}", std::process::id()));
    let path = file.to_str().expect("UTF-8");
    for game in ["tic_tac_toe", "breakthrough_4x4", "tic_tac_toe"] {
        let output = regulus(&["tune", game, "--weights", path, "--learning", "1"]);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let text = std::fs::read_to_string(&file).expect("it was written");
    let heads: Vec<&str> = text.lines().filter(|line| line.starts_with("game ")).collect();
    assert_eq!(heads.len(), 2, "{text}");
    assert!(heads[0].ends_with(" breakthrough_4x4") && heads[1].ends_with(" tic_tac_toe"));
    std::fs::remove_file(&file).expect("it was written");
}
