//! UCI on both sides: a scripted session with the engine, and programs that behave or misbehave as players.

use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use regulus_agents::{Agent as _, AgentError, Budget, Task};
use regulus_arena::protocol::Patience;
use regulus_arena::uci::{MoveText, ServeConfig, UciPlayer, UciSpec, VARIANTS, serve};
use regulus_game::{Config, EngineKind, Game, Match, bundled};

/// An output that a test can read afterwards.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn config() -> Config {
    Config { engine: EngineKind::Plan, ..Config::default() }
}

fn load(name: &str) -> Arc<Game> {
    Game::load(name, &config()).expect("a bundled game")
}

/// What the engine answers to these lines.
fn session(lines: &str) -> Vec<String> {
    // The usual player would learn each game first.
    session_of("uct", lines)
}

fn session_of(player: &str, lines: &str) -> Vec<String> {
    let heard = Heard::default();
    let player = player.to_owned();
    let config = ServeConfig { config: config(), player, ..ServeConfig::default() };
    serve(Cursor::new(lines.to_owned()), heard.clone(), config).expect("memory can be read");
    let bytes = heard.0.lock().expect("no panic").clone();
    String::from_utf8(bytes).expect("text").lines().map(str::to_owned).collect()
}

fn best_moves(answers: &[String]) -> Vec<&str> {
    let moves = answers.iter().filter_map(|line| line.strip_prefix("bestmove "));
    moves.map(|rest| rest.split(' ').next().unwrap_or_default()).collect()
}

#[test]
fn variants_are_the_games_that_fit() {
    let mut listed: Vec<&str> = VARIANTS.iter().map(|variant| variant.game).collect();
    let file = |name: &str| bundled::find(name).map(|source| source.name().to_owned());
    let fitting = bundled::names().filter(|name| MoveText::check(&load(name)).is_ok());
    let mut fitting: Vec<_> = fitting.map(file).collect();
    fitting.sort();
    listed.sort_unstable();
    let mut listed: Vec<_> = listed.into_iter().map(file).collect();
    listed.sort();
    assert_eq!(listed, fitting);
    assert_eq!(VARIANTS[0].name, "chess");
}

#[test]
fn an_engine_introduces_itself() {
    let answers = session("uci\nisready\nquit\n");
    assert!(answers[0].starts_with("id name Regulus"));
    for name in ["UCI_Variant", "Player", "Threads", "Hash", "Seed", "Ponder"] {
        let start = format!("option name {name} type ");
        assert!(answers.iter().any(|line| line.starts_with(&start)), "{name}");
    }
    assert!(answers.contains(&"uciok".to_owned()));
    assert_eq!(answers.last().map(String::as_str), Some("readyok"));
}

#[test]
fn whoever_says_go_gets_a_legal_move() {
    let cases = [
        ("position fen 7k/8/8/8/8/8/r7/1r5K w - - 0 1", "(none)"),
        ("position fen k7/8/8/8/8/6q1/8/7K w - - 0 1", "(none)"),
        ("position fen 7k/8/8/8/8/5q2/8/7K w - - 0 1", "h1g1 h1h2"),
        ("position fen 7k/8/8/8/8/8/5q2/7K w - - 0 1\nsetoption name Seed value 5", "(none)"),
    ];
    for player in ["random", "greedy", "flat", "uct"] {
        for (position, expected) in cases {
            let answers = session(&format!(
                "setoption name Player value {player}\n{position}\ngo nodes 400\nquit\n"
            ));
            let [best] = best_moves(&answers)[..] else { panic!("{player}: {answers:?}") };
            let is_expected = expected.split(' ').any(|name| name == best);
            assert!(is_expected, "{player} {position}: {answers:?}");
        }
    }
}

#[test]
fn every_go_is_answered_once() {
    for go in [
        "go infinite",
        "go ponder wtime 1000 btime 1000",
        "go",
        "go depth 3",
        "go nodes 10",
        "go movetime 5",
        "go wtime -5 btime 100",
        "go wtime 100 btime 100 movestogo 1 winc 5 binc 5",
        "go searchmoves e2e4 nodes 10",
        "go nodes",
        "go depth 99999999999999999999",
    ] {
        let answers =
            session(&format!("position startpos moves e2e4\n{go}\nisready\nstop\nstop\n"));
        assert_eq!(best_moves(&answers).len(), 1, "{go}: {answers:?}");
        assert!(answers.contains(&"readyok".to_owned()));
        let game = load("chess");
        let text = MoveText::new(&game).expect("chess is for UCI");
        let mut play = Match::new(&game).expect("chess can be played");
        play.play_named("e2-e4").expect("it is legal");
        let best = best_moves(&answers)[0];
        assert!(text.find(&play, best).expect("moves can be listed").is_some(), "{go}: {best}");
    }
    let answers = session("go ponder nodes 50\nponderhit\nquit\n");
    assert_eq!(best_moves(&answers).len(), 1, "{answers:?}");
    let answers = session("go infinite\ngo nodes 5\nquit\n");
    assert_eq!(best_moves(&answers).len(), 2, "{answers:?}");
}

#[test]
fn reports_have_what_boards_show() {
    let answers = session("position startpos\ngo nodes 300\nquit\n");
    let info = answers.iter().rfind(|line| line.starts_with("info depth")).expect("a report");
    for word in [" score cp ", " nodes ", " time ", " pv "] {
        assert!(info.contains(word), "{info}");
    }
}

#[test]
fn bad_input_is_answered_and_changes_nothing() {
    for line in [
        "xyzzy",
        "position",
        "position fen",
        "position fen x y z",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e2e4",
        "setoption",
        "setoption name",
        "setoption name X value 1",
        "setoption name Threads value 0",
        "setoption name Threads value x",
        "setoption name UCI_Variant value go",
        "setoption name Player value nobody",
        "ponderhit",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
        "position startpos moves \u{0}\u{1b}[31m",
    ] {
        let answers = session(&format!("{line}\nisready\ngo nodes 20\nquit\n"));
        assert!(answers.iter().any(|answer| answer.starts_with("info string error: ")), "{line:?}");
        assert!(answers.iter().all(|answer| !answer.contains('\u{1b}')), "{line:?}");
        assert!(answers.contains(&"readyok".to_owned()), "{line:?}");
        assert_eq!(best_moves(&answers).len(), 1, "{line:?}: {answers:?}");
    }
    let long = format!("position startpos moves {}\nisready\n", "a1a2 ".repeat(300_000));
    let answers = session(&long);
    assert!(answers[0].starts_with("info string error: a command has at most"), "{answers:?}");
    assert_eq!(answers[1], "readyok");
}

/// The names of all legal moves after some, as `go perft 1` lists them.
fn listed(setup: &str) -> Vec<String> {
    let answers = session(&format!("{setup}\ngo perft 1\n"));
    let mut names: Vec<String> =
        answers.iter().filter_map(|line| line.strip_suffix(": 1")).map(str::to_owned).collect();
    names.sort();
    names
}

#[test]
fn the_usual_player_is_auto() {
    let answers = session_of("", "uci\n");
    let option = answers.iter().find(|line| line.starts_with("option name Player "));
    assert!(option.is_some_and(|line| line.contains("default auto ")), "{answers:?}");
}

#[test]
fn moves_of_chess_are_written_as_others_do() {
    let castling = listed("position fen r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
    assert!(["e8g8", "e8c8"].iter().all(|name| castling.contains(&(*name).to_owned())));
    let passing = listed("position startpos moves e2e4 a7a6 e4e5 d7d5");
    assert!(passing.contains(&"e5d6".to_owned()), "{passing:?}");
    let promotion = listed("position fen 8/8/8/8/8/k7/4p3/2K2R2 b - - 0 1");
    let promotion: Vec<&String> = promotion.iter().filter(|name| name.starts_with("e2")).collect();
    let expected = ["e2e1b", "e2e1n", "e2e1q", "e2e1r", "e2f1b", "e2f1n", "e2f1q", "e2f1r"];
    assert_eq!(promotion, expected);
    // What was captured in passing, castled or promoted is so afterwards.
    for (moves, fen) in [
        (
            "position startpos moves e2e4 a7a6 e4e5 d7d5 e5d6",
            "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
        (
            "position fen r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1 moves e8c8",
            "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        ),
        (
            "position fen 8/8/8/8/8/k7/4p3/2K2R2 b - - 0 1 moves e2f1n",
            "8/8/8/8/8/k7/8/2K2n2 w - - 0 1",
        ),
    ] {
        assert_eq!(listed(moves), listed(&format!("position fen {fen}")), "{moves}");
    }
}

#[test]
fn games_go_on_where_others_let_them() {
    // After 100 quiet plies our rules end the game; by those of others a player has to claim that.
    let fen = "position fen 7k/8/8/8/8/8/R7/K7 w - - 99 80 moves a2a3";
    assert!(!listed(fen).is_empty());
    assert_eq!(
        listed(&format!("{fen} h8g8")),
        listed("position fen 6k1/8/8/8/8/R7/8/K7 w - - 0 1")
    );
    assert!(!listed("position fen 7k/8/8/8/8/8/R7/K7 w - - 120 80").is_empty());
}

#[test]
fn other_games_are_variants() {
    let gardner = "setoption name UCI_Variant value gardner\n";
    let moves = listed(&format!("{gardner}position fen 4k/P4/5/5/K4 w - - 0 1"));
    assert!(["a4a5q", "a4a5r", "a4a5b", "a4a5n"].iter().all(|m| moves.iter().any(|n| n == m)));
    let los_alamos = "setoption name UCI_Variant value losalamos\n";
    let moves = listed(&format!("{los_alamos}position fen 5k/P5/6/6/6/K5 w - - 0 1"));
    assert_eq!(moves.iter().filter(|name| name.starts_with("a5a6")).count(), 3);
    let board = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP b - - 0 1";
    let breakthrough = "setoption name UCI_Variant value breakthrough\n";
    assert_eq!(listed(&format!("{breakthrough}position fen {board}")).len(), 22);
    for variant in VARIANTS {
        let name = variant.name;
        let setup = format!("setoption name UCI_Variant value {name}\nposition startpos");
        let answers = session(&format!("{setup}\ngo nodes 2\n"));
        assert_eq!(best_moves(&answers).len(), 1, "{name}: {answers:?}");
        assert!(answers[0].starts_with(&format!("info string variant {name} ")), "{answers:?}");
    }
}

/// A player that is a shell script; it sees each line as `$line`.
fn script(body: &str) -> UciSpec {
    let file = std::env::temp_dir().join(format!(
        "regulus-uci-{}-{:?}.sh",
        std::process::id(),
        std::thread::current().id()
    ));
    let text = format!("while read -r line; do case \"$line\" in\n{body}\nesac; done\n");
    std::fs::write(&file, text).expect("a file can be written");
    format!("uci:sh {}?Level=3", file.display()).parse().expect("a player")
}

const GREETING: &str =
    "uci) echo id name Fake; echo uciok;;\nisready) echo readyok;;\nquit) exit;;\n";

fn think(body: &str, play: &Match, budget: Budget) -> Result<String, AgentError> {
    let patience = Patience { start: Duration::from_secs(20), grace: Duration::from_millis(1500) };
    let mut player = UciPlayer::start(&script(body), play.game(), patience)?;
    let thought = player.think(play, &mut Task::new(budget))?;
    let text = MoveText::new(play.game()).expect("the game is for UCI");
    let name = text.name(play, &thought.steps.0)?.expect("it has a name");
    Ok(format!("{name} {:?} {}", thought.report.values, thought.report.line.len()))
}

#[test]
fn a_program_plays() {
    let mut play = Match::new(&load("chess")).expect("chess can be played");
    play.play_named("e2-e4").expect("it is legal");
    // It answers only what it should have been told.
    let body = format!(
        "{GREETING}setoption*) test \"$line\" = 'setoption name Level value 3' && ok=1;;
        position*) test \"$line\" = 'position startpos moves e2e4' || exit;;
        go*) test \"$line\" = 'go nodes 7' || exit; test \"$ok\" || exit
        echo info depth 3 score mate -2 nodes 9 pv e7e5 g1f3 e7e5; echo bestmove e7e5 ponder g1f3;;"
    );
    let answer = think(&body, &play, Budget::iterations(7)).expect("a move");
    assert_eq!(answer, "e7e5 [1.0, 0.0] 2");
}

#[test]
fn a_program_is_told_where_a_game_begins() {
    for (name, position, told) in [
        ("chess", "4k3/8/8/8/8/8/8/R3K3 w Q - 3 9", "fen 4k3/8/8/8/8/8/8/R3K3 w Q - 3 1"),
        ("breakthrough", "8/8/p7/8/8/8/P7/8 white", "fen 8/8/p7/8/8/8/P7/8 w - - 0 1"),
    ] {
        let play = Match::from_position(&load(name), position).expect("a position");
        let best = if name == "chess" { "e1c1" } else { "a2b3" };
        let body = format!(
            "uci) echo option name UCI_Variant type combo default chess var breakthrough var chess
            echo uciok;;\n{GREETING}
            setoption*{name}) ok=1;;\nposition*) test \"$line\" = 'position {told}' || exit;;
            go*) test \"$ok\" && echo bestmove {best};;"
        );
        let answer = think(&body, &play, Budget::iterations(1)).expect("a move");
        assert_eq!(answer, format!("{best} [] 1"), "{name}");
    }
}

#[test]
fn programs_that_misbehave_lose() {
    let play = Match::new(&load("chess")).expect("chess can be played");
    for (body, reason) in [
        ("uci) exit;;".to_owned(), "has ended"),
        (format!("{GREETING}go*) exit;;"), "has ended"),
        (format!("{GREETING}go*) echo bestmove e2e5;;"), "plays `e2e5`, which is not legal"),
        (format!("{GREETING}go*) echo bestmove;;"), "plays ``, which is not legal"),
        (format!("{GREETING}go*) while :; do :; done;;"), "does not answer in time"),
        (format!("{GREETING}go*) yes info string;;"), "writes too many lines"),
        (
            format!("{GREETING}go*) head -c 3000000 /dev/zero | tr '\\0' x;;"),
            "writes a line that is too long",
        ),
    ] {
        let error = think(&body, &play, Budget::time(Duration::from_millis(10)));
        let error = error.expect_err("it loses");
        // A flood may also be too slow to be one.
        let is_late = reason == "writes too many lines" && error.to_string().contains("in time");
        assert!(matches!(error, AgentError::Forfeit(_)));
        assert!(error.to_string() == reason || is_late, "{body}: {error}");
    }
    let spec: UciSpec = "uci:/nowhere/no-such-program".parse().expect("a player");
    assert!(UciPlayer::start(&spec, play.game(), Patience::default()).is_err());
    let unknown = Match::new(&load("gardner_chess")).expect("it can be played");
    let error = think(GREETING, &unknown, Budget::iterations(1)).expect_err("it knows chess only");
    assert_eq!(error.to_string(), "does not know the game gardner_chess.rbg");
}

#[test]
fn engines_are_named_with_their_options() {
    for text in
        ["uci:", "uci: ?x=1", "uci:x?y", "uci:x?seconds=0", "uci:x?iterations=-1", "uci:x?a=1\nb"]
    {
        assert!(text.parse::<UciSpec>().is_err(), "{text:?}");
    }
    let spec: UciSpec = "uci:engine --flag?seconds=0.5&Skill Level=5".parse().expect("a player");
    assert_eq!(spec.options(), [("Skill Level".to_owned(), "5".to_owned())]);
    let budget = spec.budget_or(Budget::iterations(1));
    assert_eq!(budget, Budget::time(Duration::from_millis(500)));
}
