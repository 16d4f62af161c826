//! What programs register: missing names, effects and their anti-effects, variables, terminal conditions; and texts that ask for
//! too much.

mod common;

use common::load;
use regulus_abg::{Environment, Fault, Limits, Registry, api, perft};
use regulus_lang::{Diagnostic, Source, render};

fn source(rules: &str) -> Source {
    let text = format!(
        "players = white, black; pieces = empty, man(white), king(black);\n{rules}\nboard_size = 3, 3;
         board = empty, king, empty, empty, empty, empty, man, empty, man;"
    );
    Source::new("small.abg", &*text)
}

fn refused(rules: &str, registry: &Registry) -> (Vec<Diagnostic>, String) {
    let source = source(rules);
    let diagnostics = Environment::load(&source, registry).expect_err("it is faulty");
    let text = render(&diagnostics, &source, false);
    (diagnostics, text)
}

#[test]
fn a_missing_name_is_said_with_those_that_are_there() {
    let mut registry = Registry::new();
    registry.predicate("PawnInitialRow", |_| true).effect("MarkMoved", |_| (), |_, ()| ());
    let (diagnostics, text) = refused("rule man = [0, 1, Zzz];", &registry);
    assert_eq!(diagnostics.len(), 1, "{text}");
    assert!(text.contains("there is no condition or value `Zzz`"), "{text}");
    assert!(text.contains("PawnInitialRow"), "{text}");
    let (_, text) = refused("rule man = [0, 1, Empty]{Castle};", &registry);
    assert!(text.contains("there is no effect `Castle`") && text.contains("MarkMoved"), "{text}");
    let (_, text) = refused("rule man = [0, 1, PawnInitalRow];", &registry);
    assert!(text.contains("did you mean `PawnInitialRow`?"), "{text}");
    let (_, text) = refused("rule man = [0, 1, PawnInitialRow and Empty];", &registry);
    assert!(text.contains("write it alone in a letter"), "{text}");
}

#[test]
fn effects_change_what_they_like_and_anti_effects_put_it_back() -> Result<(), Fault> {
    let mut registry = Registry::new();
    registry.variable("steps", 3).effect(
        "Advance",
        |change| {
            let (from, this) = (change.from(), change.this());
            let taken = change.view().piece_at(this.0, this.1).unwrap_or("empty").to_owned();
            let steps = change.view().variable("steps").unwrap_or(0);
            change.put(from.0, from.1, "empty");
            let piece = change.piece();
            change.put(this.0, this.1, piece);
            change.set("steps", steps + 1);
            change.set_score("white", 10 * steps);
            (taken, steps, change.piece().to_owned())
        },
        |change, (taken, steps, piece)| {
            let (from, this) = (change.from(), change.this());
            change.put(from.0, from.1, piece);
            change.put(this.0, this.1, taken);
            change.set("steps", *steps);
            let before = if *steps > 3 { 10 * (*steps - 1) } else { 0 };
            change.set_score("white", before);
        },
    );
    let rules = "rule man = [0, 1, not Man]{Advance}+;";
    let mut game = load(&source(rules), &registry);
    let first = game.state().clone();
    let moves = game.moves()?;
    assert_eq!(moves.len(), 4, "each may go one step or two");
    assert_eq!(*game.state(), first, "looking for moves changes nothing");
    let far = moves.iter().find(|chosen| chosen.path() == [0, 3, 6]).expect("two steps");
    game.play(far)?;
    assert_eq!(game.state().variables(), [5]);
    assert_eq!(game.state().scores(), [40, 0]);
    assert_eq!(game.piece_at(0, 2), Some("man"));
    // The king cannot move, and scores were assigned.
    assert_eq!(game.result()?, Some(&[40, 0][..]));
    assert!(game.undo()?);
    assert_eq!(*game.state(), first);
    Ok(())
}

#[test]
fn what_is_not_possible_makes_the_letter_fail() -> Result<(), Fault> {
    let mut registry = Registry::new();
    registry
        .effect("Off", |change| assert!(!change.put(3, 0, "man")), |_, ()| ())
        .effect("Nobody", |change| assert!(!change.put(0, 0, "queen")), |_, ()| ())
        .effect("Nothing", |change| assert!(!change.set("v", 1)), |_, ()| ())
        .effect("Refuse", |change| change.refuse(), |_, ()| ())
        .effect(
            "Fine",
            |change| assert!(change.set_score("black", -7)),
            |change, ()| {
                change.set_score("black", 0);
            },
        );
    for (effect, moves) in [("Off", 0), ("Nobody", 0), ("Nothing", 0), ("Refuse", 0), ("Fine", 1)] {
        let mut game = load(&source(&format!("rule man = [0, 1, Empty]{{{effect}}};")), &registry);
        assert_eq!(game.moves()?.len(), moves, "{effect}");
    }
    Ok(())
}

#[test]
#[cfg(debug_assertions)]
fn an_anti_effect_that_forgets_something_is_noticed() {
    let mut registry = Registry::new();
    registry.effect("Forget", |change| change.move_piece(), |_, _| ());
    let mut game = load(&source("rule man = [0, 1, Empty]{Forget};"), &registry);
    let fault = Fault::AntiEffect { effect: "Forget".to_owned() };
    assert_eq!(game.moves(), Err(fault.clone()));
    assert_eq!(fault.to_string(), "the anti-effect of `Forget` does not put everything back");
}

#[test]
fn predicates_see_the_letter_and_terminals_the_end() -> Result<(), Fault> {
    let mut registry = Registry::new();
    registry
        .predicate("Diagonal", |view| {
            assert!(!view.stuck());
            assert_eq!((view.width(), view.height(), view.count("man")), (3, 3, 2));
            view.this().zip(view.from()).is_some_and(|((x, y), from)| (x - 1, y - 1) == from)
                && !view.holds_opponent()
        })
        .terminal("Mute", |view| {
            assert_eq!((view.this(), view.from()), (None, None));
            assert_eq!(view.owners("king"), ["black"]);
            (view.stuck() && view.current() == "black").then(|| vec![-1])
        });
    let mut game = load(&source("rule man = [1, 1, Diagonal] | [1, 2, Diagonal];"), &registry);
    let moves = game.moves()?;
    assert_eq!(moves.len(), 1);
    assert_eq!(game.describe(&moves[0]), "man (0,0) (1,1)");
    game.play(&moves[0])?;
    assert_eq!(game.result()?, Some(&[-1, 0][..]), "players without a score get nothing");
    Ok(())
}

#[test]
fn stars_over_the_same_squares_end() -> Result<(), Fault> {
    let rules = "effect none() { };
        rule man = ([1, 0, True]{none} | [-1, 0, True]{none} | [0, 1, Empty]{none})* [0, 0, Empty]{Move};";
    let mut game = load(&source(rules), &Registry::new());
    assert_eq!(game.moves()?.len(), 6, "every empty square, by whatever way and whichever man");
    Ok(())
}

#[test]
fn endless_words_and_searches_are_faults() {
    let rules = "rule man = ([0, 1, True] | [0, -1, True])*;";
    let mut game = load(&source(rules), &Registry::new());
    let before = game.state().clone();
    let fault = Fault::TooManyMoves { limit: 1 << 20 };
    assert_eq!(game.moves(), Err(fault.clone()), "each of these words is a move");
    assert_eq!(perft(&mut game, 1), Err(fault));
    assert_eq!(*game.state(), before);

    let rules = "rule man = ([0, 1, True] | [0, -1, True])* [1, 1, Opponent];";
    let mut game = load(&source(rules), &Registry::new());
    let fault = Fault::EndlessWord { piece: "man".to_owned(), limit: 4096 };
    assert_eq!(game.moves(), Err(fault.clone()), "no word ends");
    assert_eq!(fault.to_string(), "a move of `man` goes on after 4096 letters, the most allowed");
    assert_eq!(*game.state(), before);

    // Few letters, but many words.
    let rules = "variable v = 0; effect a() { v = v * 2; }; effect b() { v = v * 2 + 1; };
        macro bit() = [0, 0, True]{a} | [0, 0, True]{b};
        macro bits() = bit() bit() bit() bit() bit() bit();
        rule man = bits() bits() bits();";
    let limits = Limits { tries: 10_000, ..Limits::default() };
    let mut game = common::load_with_limits(&source(rules), &Registry::new(), limits);
    let before = game.state().clone();
    let fault = Fault::EndlessSearch { limit: 10_000 };
    assert_eq!(game.moves(), Err(fault.clone()));
    assert_eq!(*game.state(), before);
    assert_eq!(api::game_over(&mut game), Err(fault));
}

#[test]
fn patterns_in_patterns_are_bounded_too() {
    let anywhere = "([1, 0, True] | [-1, 0, True] | [0, 1, True] | [0, -1, True])*";
    let mut rules = format!("function p0() = {anywhere} [0, 3, True];");
    for number in 1..30 {
        rules += &format!("function p{number}() = {anywhere} [0, 0, p{}()];", number - 1);
    }
    rules += "rule man = [0, 1, p29()];";
    let limits = Limits { tries: 100_000, ..Limits::default() };
    let mut game = common::load_with_limits(&source(&rules), &Registry::new(), limits);
    assert_eq!(game.moves(), Err(Fault::EndlessSearch { limit: 100_000 }));
}

#[test]
fn long_expressions_are_computed() -> Result<(), Fault> {
    let sum = vec!["1"; 190].join(" + v + ");
    let rules = format!("variable v = 0; rule man = [0, 1, {sum} == 190];");
    let mut game = load(&source(&rules), &Registry::new());
    assert_eq!(game.moves()?.len(), 2);
    Ok(())
}
