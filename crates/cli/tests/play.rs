//! `regulus play` with moves from a pipe: what is typed is understood, played, taken back, saved and resumed.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Plays with these words as lines.
fn play(args: &[&str], words: &str) -> Output {
    run(args, &words.replace(' ', "\n"))
}

/// Plays with this input; evaluations that are learnt are kept for tests alone.
fn run(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_regulus"))
        .arg("play")
        .args(args)
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A game that ends early does not read the rest.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn words(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// The moves of one player, or of all.
fn moves(text: &str, player: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.trim_start().split_once(". "));
    let numbered = lines.filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
    let moves = numbered.filter_map(|(_, rest)| rest.split_once(' '));
    let own = moves.filter(|(seat, _)| player.is_empty() || *seat == player);
    own.map(|(_, name)| name.to_owned()).collect()
}

fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

const PEOPLE: [&str; 2] = ["--players", "person,person"];
const SQUARES: &str = "a1 a2 a3 b1 b2 b3 c1 c2 c3";

#[test]
fn a_whole_game_is_played_against_the_computer() {
    let args = ["tic_tac_toe", "--opponent", "random", "--seed", "4"];
    // Some squares are taken when their turn comes; the rest is the game.
    let first = play(&args, SQUARES);
    assert_eq!(first.status.code(), Some(1), "not all lines could be played");
    assert!(errors(&first).contains("not all lines"), "{}", errors(&first));
    let own = moves(&words(&first), "crosses");
    assert!(own.len() >= 3, "{}", words(&first));
    let second = play(&args, &own.join(" ").to_uppercase());
    let text = words(&second);
    assert!(second.status.success(), "{text}");
    assert!(text.contains("You are crosses; noughts are random."), "{text}");
    assert!(text.contains("the game is over: "), "{text}");
    assert_eq!(moves(&text, "crosses"), own);
    // One board at the beginning, and one after each answer or at the end.
    let turns = moves(&text, "").len();
    assert_eq!(text.matches("  a b c\n").count(), 1 + turns.div_ceil(2), "{text}");
}

#[test]
fn computers_have_levels() {
    let output = play(&["tic_tac_toe", "--level", "1", "--seconds", "0.01"], SQUARES);
    let text = words(&output);
    assert!(text.contains("noughts are auto?level=1"), "{text}");
    assert!(text.contains("the game is over: "), "{text}");
    for level in ["0", "11"] {
        assert_eq!(play(&["tic_tac_toe", "--level", level], "").status.code(), Some(2));
    }
}

#[test]
fn chess_is_typed_as_it_is_written() {
    let text = "e4 e5 Nf3 nc6 Bb5 a6 Bxc6 dxc6 O-O";
    let output = play(&["chess", PEOPLE[0], PEOPLE[1]], text);
    assert!(output.status.success(), "{}", errors(&output));
    let expected = ["e2-e4", "e7-e5", "g1-f3", "b8-c6", "f1-b5", "a7-a6", "b5-c6", "d7-c6"];
    let played = moves(&words(&output), "");
    assert_eq!(played[..8], expected);
    assert_eq!(played[8], "e1-h1-f1-g1");
    assert!(words(&output).ends_with("The input ends here, before the game does.\n"));
}

#[test]
fn a_column_is_enough_in_connect_four() {
    let output = play(&["connect_four", PEOPLE[0], PEOPLE[1]], "d a D 1 4 A d");
    let text = words(&output);
    assert!(text.contains("the game is over"), "{text}");
    assert_eq!(moves(&text, "")[..4], ["d1", "a1", "d2", "a2"]);
}

#[test]
fn what_is_not_clear_or_not_legal_loses_nothing() {
    let output = play(&["chess", PEOPLE[0], PEOPLE[1]], "e2e5 e4 udno Qh9 e5 n Nf3");
    let text = words(&output);
    assert!(text.contains("`e2e5` is not a legal move. Did you mean e2-e3 or e2-e4?"), "{text}");
    assert!(text.contains("Did you mean `undo`?"), "{text}");
    assert_eq!(moves(&text, ""), ["e2-e4", "e7-e5", "g1-f3"]);
    let fen = "4k3/8/8/8/8/8/8/RN2KN1R w - - 0 1";
    let text = words(&play(&["chess", "--position", fen, "--opponent", "random"], "Nd2 Nbd2"));
    assert!(text.contains("`Nd2` is not clear: b1-d2 or f1-d2?"), "{text}");
    assert_eq!(moves(&text, "white"), ["b1-d2"]);
    let text = words(&play(&["amazons", PEOPLE[0], PEOPLE[1]], "d1d2"));
    assert!(text.contains("`d1d2` fits ") && text.contains("Type more of it."), "{text}");
}

#[test]
fn moves_are_taken_back_and_played_again() {
    let output =
        play(&["tic_tac_toe", "--opponent", "random"], "b2 undo undo a1 undo redo history");
    let text = words(&output);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(text.contains("There is nothing to take back."), "{text}");
    let history = text.split("> history\n").nth(1).expect("the last order");
    assert_eq!(moves(history, "crosses"), ["a1"]);
    assert_eq!(moves(history, "noughts").len(), 1);
}

#[test]
fn a_game_is_saved_and_resumed_and_replayed() {
    let path = file("saved_game.txt");
    let name = path.to_str().expect("a plain path");
    let args = ["breakthrough", "--players", "person,greedy"];
    let output = run(&args, &format!("d2d3\nsave {name}\nquit\n"));
    assert!(output.status.success(), "{}", errors(&output));
    let saved = fs::read_to_string(&path).expect("it was written");
    assert!(saved.contains("player white: person\nplayer black: greedy\n"), "{saved}");
    assert!(saved.contains("1. white d2-d3\n2. black "), "{saved}");
    // The same file is written again, others are not touched.
    let resumed = run(&["--resume", name], &format!("history\nundo\ne2e3\nsave {name}\n"));
    let text = words(&resumed);
    assert!(resumed.status.success(), "{text}{}", errors(&resumed));
    assert!(text.contains("You are white; black is greedy."), "{text}");
    assert_eq!(moves(&text, "white"), ["d2-d3", "e2-e3"]);
    let replayed = Command::new(env!("CARGO_BIN_EXE_regulus")).args(["replay", name]).output();
    let replayed = replayed.expect("it runs");
    assert!(words(&replayed).contains("2 moves, all legal"), "{}", words(&replayed));
    let other = file("not_a_game.txt");
    fs::write(&other, "mine").expect("it can be written");
    let output = run(&args, &format!("save {}\n", other.display()));
    assert!(words(&output).contains("is not a game; choose another name"), "{}", words(&output));
    assert_eq!(fs::read_to_string(&other).expect("it is there"), "mine");
}

#[test]
fn programs_in_a_saved_game_are_not_started() {
    let path = file("with_program.txt");
    let text = "regulus transcript 1\ngame: tic_tac_toe\nplayer crosses: person\n\
                player noughts: program:./no_such_program\n\n1. crosses b2\n";
    fs::write(&path, text).expect("it can be written");
    let name = path.to_str().expect("a plain path");
    let output = run(&["--resume", name, "--seconds", "0.01"], "history\n");
    let text = words(&output);
    assert!(text.contains("noughts was `program:./no_such_program`"), "{text}");
    assert_eq!(moves(&text, "crosses")[0], "b2");
}

#[test]
fn who_resigns_loses_and_may_think_again() {
    let output = run(&["chess", "--players", "person,person", "--json"], "e4\nresign\n");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["outcome"]["reason"], "white wins: black resigns");
    assert_eq!(answer["outcome"]["results"], serde_json::json!([1.0, 0.0]));
    let text = words(&run(&["chess", "--players", "person,person"], "e4\nresign\nNf3\nundo\ne5\n"));
    assert!(text.contains("the game is over: white wins: black resigns"), "{text}");
    assert!(text.contains("The game is over. Type `undo`"), "{text}");
    assert_eq!(moves(&text, ""), ["e2-e4", "e7-e5"]);
}

#[test]
fn hints_thoughts_and_rules_are_there() {
    let args = ["tic_tac_toe", "--opponent", "uct", "--iterations", "200"];
    let output = run(&args, "rules\nhelp\nmoves a\nhint\nthink\nb2\nthink\nthink on\n");
    let text = words(&output);
    assert!(output.status.success(), "{}", errors(&output));
    for expected in [
        "Tic Tac Toe\n===========",
        "  save FILE",
        "a3  a2  a1\n",
        "The computer would play ",
        "Nobody has thought yet.",
        "noughts have played ",
        "  expects the moves ",
        "positions or games",
        "after each of its moves",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn any_player_takes_any_seat() {
    let args = ["trio", "--players", "random,person,greedy", "--seed", "3"];
    let text = words(&run(&args, "moves\nquit\n"));
    assert!(text.contains("; "), "{text}");
    assert_eq!(
        moves(&text, "").len(),
        1,
        "the first player has moved, the second is asked: {text}"
    );
    let two = run(&["trio", "--players", "person,person"], "");
    assert_eq!(two.status.code(), Some(2));
    assert!(errors(&two).contains("the game has 3 players, and 2 are given"), "{}", errors(&two));
}

#[test]
fn figures_are_for_terminals_that_can_show_them() {
    let board = |locale: &str, colour: &str| {
        let run = Command::new(env!("CARGO_BIN_EXE_regulus"))
            .args(["show", "chess", "--color", colour])
            .env("LC_ALL", locale)
            .output();
        words(&run.expect("it runs"))
    };
    assert!(board("en_US.UTF-8", "always").contains('♞'));
    assert!(!board("C", "always").contains('♞'));
    assert!(!board("en_US.UTF-8", "never").contains('♞'));
}
