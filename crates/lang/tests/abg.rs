//! Abstract Boardgames: every example of the guide is a game, and texts mean what they should.

use regulus_lang::abg::{self, Content, Externals, Outcome, Test, Value};
use regulus_lang::{Source, compile};

fn game(text: &str) -> abg::Game {
    let (game, diagnostics) = abg::check(&Source::new("game.abg", text), &Externals::default());
    game.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

#[test]
fn examples_of_the_guide_are_games() {
    let guide = include_str!("../../../docs/languages/abg.md");
    let blocks: Vec<&str> = guide.split("```abg\n").skip(1).collect();
    assert!(blocks.len() >= 6);
    for block in blocks {
        let text = block.split("```").next().unwrap_or_default();
        let compilation = compile(&Source::new("guide.abg", text));
        assert!(
            compilation.automaton.is_some() && compilation.diagnostics.is_empty(),
            "{text}\n{:?}",
            compilation.diagnostics
        );
    }
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
    let text = format!("{HEAD} rule w = [0, 0, Outside]{{shine}} | [1, 0, Empty]; {TAIL}");
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
