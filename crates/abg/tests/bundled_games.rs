//! The games of `games/abg`: known figures, and the compiled automata.

mod common;

use common::{ComparisonEffort, SeededRandom, all_bundled, bundled, load, lockstep};
use regulus_abg::{Limits, Perft, Registry, perft};

fn leaves(name: &str, figures: &[u64]) {
    let mut environment = load(&bundled(name), &Registry::new());
    for (depth, expected) in (1..).zip(figures) {
        let counted = perft(&mut environment, depth).expect("no fault");
        assert_eq!(counted.leaves, *expected, "{name} to depth {depth}");
    }
}

#[test]
fn breakthrough() {
    leaves("breakthrough.abg", &[22, 484, 11132]);
}

#[test]
fn connect_four() {
    leaves("connect_four.abg", &[7, 49, 343, 2401, 16807]);
}

#[test]
fn chess() {
    leaves("chess.abg", &[20, 400, 8902]);
}

#[test]
fn tic_tac_toe_as_a_whole() {
    let mut environment = load(&bundled("tic_tac_toe.abg"), &Registry::new());
    let counted = perft(&mut environment, 9).expect("no fault");
    assert_eq!(counted, Perft { leaves: 127_872, states: 549_946 });
}

#[test]
fn interpreter_and_automaton_play_the_same_games() {
    for source in all_bundled() {
        let (games, plies) = if source.name() == "chess.abg" { (2, 100) } else { (6, 80) };
        let effort = ComparisonEffort { games, plies, exact: true, limits: Limits::default() };
        let seen = lockstep(&source, &mut SeededRandom::new(7), &effort)
            .unwrap_or_else(|difference| panic!("{}: {difference:?}", source.name()));
        assert_eq!((seen.faults, seen.uneven), (0, 0), "{}", source.name());
        assert!(seen.states > 30, "{}: {seen:?}", source.name());
    }
}
