//! Moves can be put together step by step: the leaves of that tree are the legal moves, and choices have numbers of their own.
//!
//! `REGULUS_STEP_POSITIONS` says how many positions of each game are looked at; 12 unless set.

mod common;

use std::collections::BTreeSet;

use common::{games, number, random_positions};
use regulus_engine::{Move, Step};
use regulus_game::{ActionNumber, Building, EngineKind, Match};

/// With more moves than this only some branches of the tree are followed.
const FEW: usize = 400;

/// All moves that can be put together, with their actions.
fn leaves(play: &Match) -> Vec<(Vec<ActionNumber>, Move)> {
    let mut found = Vec::new();
    let mut building = Building::new(play).expect("no fault");
    follow(&mut building, &mut Vec::new(), &mut found);
    found
}

fn follow(
    building: &mut Building<'_>,
    actions: &mut Vec<ActionNumber>,
    found: &mut Vec<(Vec<ActionNumber>, Move)>,
) {
    if building.is_complete() {
        assert!(building.choices().is_empty(), "a whole move does not go on");
        found.push((actions.clone(), Move(building.steps().to_vec())));
        return;
    }
    assert!(!building.choices().is_empty(), "there are no dead ends");
    for choice in building.choices().to_vec() {
        building.choose(choice.action).expect("no fault");
        actions.push(choice.action);
        follow(building, actions, found);
        actions.pop();
        assert!(building.back().expect("no fault"));
    }
}

#[test]
fn the_tree_of_steps_has_the_legal_moves_as_its_leaves() {
    let positions = number("REGULUS_STEP_POSITIONS", 12);
    let (mut looked_at, mut whole, mut moves_seen) = (0, 0, 0);
    for (name, game) in games(EngineKind::Plan) {
        let bound = game.actions().count();
        random_positions(&game, 5, positions, |play, random| {
            looked_at += 1;
            let moves = play.moves().expect("they can be listed");
            let building = Building::new(play).expect("no fault");
            check_choices(&building, bound);
            if moves.is_empty() {
                assert!(building.choices().is_empty() && !building.is_complete(), "{name}");
            } else if moves.len() <= FEW {
                whole += 1;
                moves_seen += moves.len();
                let leaves = leaves(play);
                let found: BTreeSet<Move> = leaves.iter().map(|(_, steps)| steps.clone()).collect();
                let legal: BTreeSet<Move> = moves.iter().map(Move::from).collect();
                assert_eq!(leaves.len(), found.len(), "{name}: no move is put together twice");
                assert_eq!(found, legal, "{name}: {}", play.position());
                let actions: BTreeSet<&Vec<ActionNumber>> =
                    leaves.iter().map(|(actions, _)| actions).collect();
                assert_eq!(actions.len(), leaves.len(), "{name}: actions tell moves apart");
                for (actions, steps) in &leaves {
                    assert!(game.actions().of(&steps.0).eq(actions.iter().copied()), "{name}");
                }
            } else {
                // Some moves by their actions, and one that is put together at random.
                for _ in 0..5 {
                    use rand::RngExt as _;
                    let steps = moves.get(random.random_range(0..moves.len()));
                    assert_eq!(by_actions(play, steps, bound), steps, "{name}");
                    let mut building = Building::new(play).expect("no fault");
                    while !building.is_complete() {
                        let choices = building.choices();
                        let choice = choices[random.random_range(0..choices.len())];
                        building.choose(choice.action).expect("no fault");
                    }
                    assert!(moves.find(building.steps()).is_some(), "{name}");
                }
            }
        });
    }
    assert!(looked_at >= 40 * positions && whole * 3 > looked_at && moves_seen > 5 * looked_at);
}

/// Puts a move together from the numbers of its actions.
fn by_actions(play: &Match, steps: &[Step], bound: u64) -> Vec<Step> {
    let mut building = Building::new(play).expect("no fault");
    for action in play.game().actions().of(steps) {
        check_choices(&building, bound);
        building.choose(action).expect("the actions of a legal move can be chosen");
    }
    assert!(building.is_complete());
    building.into_steps()
}

fn check_choices(building: &Building<'_>, bound: u64) {
    let numbers: BTreeSet<ActionNumber> =
        building.choices().iter().map(|choice| choice.action).collect();
    assert_eq!(numbers.len(), building.choices().len(), "two choices share a number");
    assert!(numbers.iter().all(|number| number.0 < bound), "a number is out of bounds");
}

#[test]
fn choices_that_there_are_not_are_refused() {
    let (_, game) = games(EngineKind::Plan).remove(0);
    let play = Match::new(&game).expect("the game begins");
    let mut building = Building::new(&play).expect("no fault");
    let before = building.choices().to_vec();
    assert!(building.choose(ActionNumber(u64::MAX)).is_err());
    assert!(!building.back().expect("no fault"));
    assert_eq!(building.choices(), before);
}

#[test]
fn numbers_of_actions_are_small() {
    let count = |wanted: &str| {
        let games = games(EngineKind::Walk);
        let found = games.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, game)| game.actions().count()).expect("it is bundled")
    };
    for (name, most) in [
        ("chess", 1000),
        ("amazons", 300),
        ("english_checkers", 400),
        ("go", 722),
        ("arimaa", 3000),
    ] {
        assert!(count(name) <= most, "{name}: {}", count(name));
    }
}
