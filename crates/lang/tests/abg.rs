//! Abstract Boardgames: every example of the guide is a game, and texts mean what they should.

mod guide;

use regulus_automaton::PieceLook;
use regulus_lang::abg::{self, Content, Externals, Outcome, Test, Value};
use regulus_lang::{Source, compile};

fn game(text: &str) -> abg::Game {
    let (game, diagnostics) = abg::check(&Source::new("game.abg", text), &Externals::default());
    game.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

#[test]
fn examples_of_the_guide_are_games() {
    let guide = include_str!("../../../docs/languages/abg.md");
    assert!(guide::games(guide, "abg").len() >= 6);
}

const HEAD: &str = "players = white, black; pieces = empty, w(white), b(black, white); ";
const TAIL: &str = " board_size = 2, 1; board = w, b;";

#[test]
fn everything_in_a_text_arrives() {
    let text = format!(
        "{HEAD} variable v = 2 * -3; function f(a) {{ return a % 4 }} macro m(d) = [d, -d, W]?; \
         effect e(p) {{ Board[this.x][0] = p; v = f(7); white.score = 5; }} \
         outcome white = 70, black = 30 {{ return count(w) == 0 }} victory black {{ return v > 1 }}; draw {{ return stuck }}; \
         rule w = m(1) [0, 0, Empty or this.x == 1 and not Opponent]{{e(b)}}+; post white b = [1, 0, b]; {TAIL}"
    );
    let game = game(&text);
    assert_eq!(game.players, ["white", "black"]);
    assert_eq!(game.pieces[2].owners, [1, 0]);
    assert_eq!(game.variables, [("v".to_owned(), -6)]);
    assert_eq!((game.width, game.height, game.board), (2, 1, vec![1, 2]));
    assert_eq!(game.conditions[0].outcome, Outcome::Scores(vec![(0, 70), (1, 30)]));
    assert_eq!(game.conditions[1].outcome, Outcome::Victory(1));
    assert!(game.conditions[2].when.mentions_stuck());
    assert_eq!((game.posts[0].player, game.posts[0].piece), (0, 2));
    assert_eq!(game.tests[0], Test::Value(Value::Holds(Content::Piece(1))));
    let rule = game.rules[1].as_ref().expect("w has a rule");
    assert_eq!(rule.machines.minimal.len(), 3);
}

#[test]
fn operators_bind_as_usual() {
    for (text, expected) in [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("7 - 2 - 1", 4),
        ("-7 / 2", -3),
        ("7 // 2 % 2", 1),
        ("1 or 0 and 0", 1),
        ("not 1 or 1", 1),
        ("! (1 || 1)", 0),
        ("2 < 3 == 1", 1),
        ("1 != 1 ? 5 : 0 ? 6 : 7", 7),
        ("white == 0 && black == 1 && w == 1", 1),
        ("- - 3", 3),
    ] {
        let game = game(&format!("{HEAD} variable v = {text}; {TAIL}"));
        assert_eq!(game.variables[0].1, expected, "{text}");
    }
}

#[test]
fn what_programs_provide_is_known_by_name() {
    let text = format!(
        "{HEAD} rule w = [0, 0, Outside]{{shine}} | [1, 0, Empty]; rule b = [1, 0, Empty]; {TAIL}"
    );
    let source = Source::new("game.abg", text);
    let missing = abg::check(&source, &Externals::default()).1;
    assert_eq!(missing.len(), 2, "{missing:?}");
    let mut externals = Externals::default();
    externals.predicates.insert("Outside".to_owned());
    externals.effects.insert("shine".to_owned());
    let (game, diagnostics) = abg::check(&source, &externals);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let game = game.expect("no errors");
    assert!(game.tests.contains(&Test::External("Outside".to_owned())));
    assert!(abg::lower(&game).is_err(), "an automaton cannot call a program");
    let wrong = Source::new("game.abg", source.text().replace("Outside", "Outsid"));
    let help = abg::check(&wrong, &externals).1[0].help.clone().unwrap_or_default();
    assert!(help.contains("Outside"), "{help}");
}

#[test]
fn owners_and_reasons_are_those_of_the_text() {
    let text = "#! kind stone: b
        #! stuck: {stuck} cannot move | nobody can move
        #! history 3: black=40, white=60; ignoring v
        players = white, black; pieces = empty(white, black), wKing(white), b(black), lion(white), e(black), wall;
        variable v = -5; effect add() { Move(); v = v + 1; };
        #! white has the lion
        #! or is lucky | nobody is
        victory white { return count(lion) == 3 };
        #! rows of lions
        victory white { return count(lion) == 2 };
        victory black { return count(b) == 3 };
        draw { return count(b) == 4 };
        #! end: ended: so it is
        outcome white = 70, black = 30 { return count(b) == 5 };
        rule wKing = [1, 0, Empty]{add}; rule b = wKing.regex; rule lion = wKing.regex; rule e = wKing.regex;
        board_size = 4, 1; board = wKing, b, lion, e;";
    let source = Source::new("game.abg", text);
    let compilation = compile(&source);
    assert!(compilation.diagnostics.is_empty(), "{:?}", compilation.diagnostics);
    let automaton = compilation.automaton.expect("a game");
    let describe = |look: &PieceLook| {
        let owner = look.owner.map_or("nobody", |owner| &automaton.players[owner]);
        let empty = if look.is_empty { " empty" } else { "" };
        format!("{} {}: {} of {owner}{empty}", look.symbol, look.name, look.kind.word())
    };
    let looks: Vec<String> = automaton.looks.pieces.values().map(describe).collect();
    assert_eq!(
        looks,
        [
            "· empty: token of nobody empty",
            "w white king: king of white",
            "b black piece: stone of black",
            "l white lion: token of white",
            "e black e: token of black",
            "wa wall: wall of nobody",
        ]
    );
    let mut reasons: Vec<String> = automaton
        .endings
        .at
        .values()
        .map(|reason| format!("{} | {}", reason.text, reason.drawn.as_deref().unwrap_or("")))
        .collect();
    reasons.sort_unstable();
    assert_eq!(
        reasons,
        [
            "a condition of a draw holds | ",
            "black meets a condition of victory | ",
            "ended: so it is | ",
            "rows of lions | ",
            "the same position occurred for the third time | ",
            "white has the lion or is lucky | nobody is",
        ]
    );
    let stuck = automaton.endings.stuck.as_ref().expect("it is stated");
    assert_eq!(stuck.drawn.as_deref(), Some("nobody can move"));
    let repetition = automaton.repetition.as_ref().expect("it is stated");
    assert_eq!(repetition.scores.as_slice(), [60, 40]);
    let ignored: Vec<&str> =
        repetition.ignored.iter().map(|&v| automaton.variables[v].name.as_str()).collect();
    assert!(ignored[0].starts_with("v+"), "{ignored:?}");
}
