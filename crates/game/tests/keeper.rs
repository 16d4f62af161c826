//! Whether it matters what the keeper does first: where it does, the place is found; in the bundled games it does not.
//!
//! `REGULUS_KEEPER_POSITIONS` says in how many positions of each game the keeper is followed; 20 unless set.

mod common;

use std::ops::ControlFlow;

use common::number;
use regulus_game::{Config, Game, KeeperCheck, KeeperReport, Lowered, Match, bundled};
use regulus_lang::{Code, Severity, Source};

/// A game of one row of squares with these rules.
fn game(squares: &str, rules: &str) -> Source {
    let text = format!(
        "#players = white(100), black(100)\n#pieces = e, w, b\n#variables = count(9)\n\
         #board = rectangle(up, down, left, right, [{squares}])\n\
         #any = (left* + right*)\n#rules = {rules}\n"
    );
    Source::new("game.rbg", text)
}

fn check(source: &Source, check: &KeeperCheck) -> KeeperReport {
    let lowered = Lowered::new(source.clone()).expect("a game");
    lowered.check_keeper(check, &mut |_, _| ControlFlow::Continue(())).expect("it can be played")
}

/// The pieces of text where two ways part, and how these end.
fn parting(source: &Source) -> (String, String, Vec<String>) {
    let report = check(source, &KeeperCheck { positions: 20, ..KeeperCheck::default() });
    let [parting] = report.partings.as_slice() else {
        panic!("{:?}: {:?}", source.text(), report.partings)
    };
    let text =
        |span: regulus_lang::Span| source.text()[span.start as usize..span.end as usize].to_owned();
    let diagnostic = &parting.diagnostic;
    assert_eq!((diagnostic.code, diagnostic.severity), (Code::KeeperChoice, Severity::Error));
    // The position is one that can be looked at, and the move is legal there.
    if let (Some(position), Some(after)) = (&parting.position, &parting.after) {
        let game = Game::new(source.clone(), &Config::default()).expect("a game");
        let mut play = Match::from_position(&game, position).expect("a position");
        play.play_named(after).expect("a move");
    }
    let (one, other) = (diagnostic.primary.span, diagnostic.secondary[0].span);
    (text(one), text(other), parting.outcomes.clone())
}

#[test]
fn the_place_is_found_where_ways_part() {
    let choice = game("e, e", "->white any {e} [w] ->> ([$ count=1] + [$ count=2]) ->black {} ->>");
    let (one, other, outcomes) = parting(&choice);
    assert_eq!([one, other], ["count=1", "count=2"]);
    assert_eq!(outcomes, ["black to move, count = 1", "black to move, count = 2"]);

    // Both ways do the same at first, and three moves of the keeper come before.
    let late = game(
        "e, e",
        "->white any {e} [w] ->> [$ count=3] ->> (any {e} [e] + any {w} [w]) ->> \
         ([$ count=4] [b] ->> + [$ count=4] [e] ->>) ->black {} ->>",
    );
    let (one, other, outcomes) = parting(&late);
    assert_eq!([one.as_str(), other.as_str()], ["count=4", "count=4"]);
    assert_eq!(outcomes.len(), 4, "{outcomes:?}");

    // The same action on several squares.
    let square = game("e, e, e", "->white any {e} [w] ->> any {e} [b] ->black any {e} [b] ->> {}");
    let (one, other, outcomes) = parting(&square);
    assert_eq!([one.as_str(), other.as_str()], ["[b]", "[b]"]);
    assert_eq!(outcomes.len(), 2, "{outcomes:?}");
}

#[test]
fn it_matters_before_the_first_move_and_at_the_end() {
    let first = game("e, e", "([w] + [b]) ->white any {e} [w] ->> {}");
    let report = check(&first, &KeeperCheck::default());
    assert_eq!(report.partings.len(), 1);
    assert_eq!((&report.partings[0].position, &report.partings[0].after), (&None, &None));

    let end = game("e, e", "->white any {e} [w] ->> ([$ white=100] + [$ black=100]) ->> {}");
    let (one, other, outcomes) = parting(&end);
    assert_eq!([one, other], ["white=100", "black=100"]);
    let first = "the game is over, white = 100, black = 0";
    assert_eq!(outcomes, [first, "the game is over, white = 0, black = 100"]);

    // Having a player to move and having none are different ends; where a game is over, the place in the rules means nothing.
    let who = game("e, e", "->white any {e} [w] ->> (->black {e} + ->white {e}) ->>");
    assert_eq!(parting(&who).2, ["black to move", "white to move"]);
    let over = game("e, e", "->white any {e} [w] ->> (any {e} ->> {} + any {w} ->> [w] {})");
    assert!(check(&over, &KeeperCheck::default()).partings.is_empty());
}

#[test]
fn a_keeper_that_may_go_round_for_ever_is_told() {
    let round = game("e, e", "->white any {e} [w] ->> (any {w} [w] ->>)* ->black {} ->>");
    let (_, _, outcomes) = parting(&round);
    assert_eq!(outcomes, ["black to move", "the keeper may go round for ever"]);
    // Without a way out the rules cannot be played at all.
    let stuck = game("e, e", "->white any {e} [w] ->> ([w] ->>)* {}");
    let lowered = Lowered::new(stuck).expect("a game");
    let fault =
        lowered.check_keeper(&KeeperCheck::default(), &mut |_, _| ControlFlow::Continue(()));
    assert_eq!(fault.expect_err("it never ends").id(), "run-endless-keeper");
}

/// White puts a stone; the keeper takes all others away, one by one, in any order.
const CLEAR: &str =
    "->white any {e} [w] ->> (any {b} [e] ->>)* {! any {b}} ->black any {e} [b] ->> {}";

#[test]
fn many_ways_to_the_same_end_are_followed_up_to_a_limit() {
    let small = game("e, b, b, b, b, b, b", CLEAR);
    let report = check(&small, &KeeperCheck { positions: 1, ..KeeperCheck::default() });
    assert!(report.partings.is_empty() && report.cut_short == 0, "{report:?}");
    // Every set of six stones.
    assert!(report.states >= 64, "{report:?}");
    let report = check(&small, &KeeperCheck { positions: 1, states: 50, ..KeeperCheck::default() });
    assert!(report.partings.is_empty() && report.cut_short == 1, "{report:?}");
    assert!(report.states <= 50, "{report:?}");
    // With this many places the moves of one state alone are too many.
    let report = check(&small, &KeeperCheck { positions: 1, states: 3, ..KeeperCheck::default() });
    assert!(report.partings.is_empty() && report.cut_short == 1, "{report:?}");
}

#[test]
fn the_work_is_as_much_as_was_asked_for() {
    let source = bundled::find("breakthrough").expect("it is bundled");
    let wanted = KeeperCheck { positions: 5, moves: 3, ..KeeperCheck::default() };
    let report = check(&source, &wanted);
    assert_eq!((report.positions, report.moves), (5, 15));
    let lowered = Lowered::new(source).expect("a game");
    let mut told = Vec::new();
    let stopped = lowered.check_keeper(&wanted, &mut |done, all| {
        told.push((done, all));
        if told.len() == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let stopped = stopped.expect("it can be played");
    assert_eq!((stopped.positions, stopped.moves), (1, 4));
    assert_eq!(told, [(0, 5), (0, 5), (0, 5), (1, 5)]);
    // A game that is over before it has begun.
    let over = game("e, e", "[$ white=100] ->> {}");
    assert_eq!(check(&over, &KeeperCheck::default()).positions, 0);
}

#[test]
fn in_the_bundled_games_it_does_not_matter() {
    let positions = number("REGULUS_KEEPER_POSITIONS", 20) as u64;
    let wanted = KeeperCheck { positions, ..KeeperCheck::default() };
    for name in bundled::names() {
        let report = check(&bundled::find(name).expect("it is bundled"), &wanted);
        assert!(report.partings.is_empty(), "{name}: {:?}", report.partings);
        assert_eq!(report.positions, positions, "{name}");
        // Large groups in go are taken from the board stone by stone, in any order.
        assert!(report.cut_short * 100 <= report.moves, "{name}: {report:?}");
    }
}
