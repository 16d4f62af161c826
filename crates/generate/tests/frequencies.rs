//! What is drawn arrives in the rules: frequencies in 1,000 games, where no check of the generator shifts them.

use regulus_generate::{
    BoardType, Config, Effect, Generated, Goal, Inversion, MovementKind, Promotion, Setup, Who,
    generate, seed_of,
};

/// The seeds are fixed, so this cannot fail by chance: it is the room that frequencies of some hundred draws need.
#[track_caller]
fn near(what: &str, outcomes: impl Iterator<Item = bool>, probability: f64) {
    let outcomes: Vec<bool> = outcomes.collect();
    let count = outcomes.len() as f64;
    let frequency = outcomes.iter().filter(|&&outcome| outcome).count() as f64 / count;
    let room = 4.0 * (probability * (1.0 - probability) / count).sqrt();
    assert!((frequency - probability).abs() <= room, "{what}: {frequency}, not {probability}");
}

fn games() -> Vec<Generated> {
    let config = Config::default();
    (0..1000).map(|index| generate(seed_of(41, index), &config)).collect()
}

#[test]
fn games_have_what_the_parameters_say() {
    let games = games();
    let rules = || games.iter().map(|game| &game.rules);
    near("width 5", rules().map(|r| r.board.width == 5), 0.5);
    near("height 6", rules().map(|r| r.board.height == 6), 0.5);
    near("cylinders", rules().map(|r| r.board.board_type == BoardType::VerticalCylinder), 0.1);
    near("forward inversion", rules().map(|r| r.board.inversion == Inversion::Forward), 0.0);
    near("fixed setups", rules().map(|r| matches!(r.setup, Setup::Fixed(_))), 0.6);
    near("two more kinds", rules().map(|r| r.pieces.len() - r.placed == 2), 1.0 / 3.0);
    near("global must_capture", rules().map(|r| r.must_capture), 0.3);
    near("own stalemate", rules().map(|r| r.goals[0] == Goal::Stalemate(Who::Player)), 0.5);
    near("one goal", rules().map(|r| r.goals.len() == 1), 0.4);
    // Two ranks for each side: six ranks with crowding 0.7, which is 0.15 of half of all boards.
    near("two ranks", rules().map(|r| r.setup.squares().iter().any(|at| at.y == 2)), 0.075);
}

#[test]
fn pieces_have_what_the_parameters_say() {
    let games = games();
    let pieces = || games.iter().flat_map(|game| &game.rules.pieces);
    near("must_capture", pieces().map(|piece| piece.must_capture), 0.3);
    near("continue_captures", pieces().map(|piece| piece.continue_captures), 0.1);
    let specific = |promotion: &Promotion| matches!(promotion, Promotion::To(_));
    near("specific promotion", pieces().map(|piece| specific(&piece.promotion)), 0.4);
    near("one movement", pieces().map(|piece| piece.moving.len() == 1), 0.8);
    near("two movements", pieces().map(|piece| piece.moving.len() == 2), 0.16);
    near("one capture", pieces().map(|piece| piece.capturing.len() == 1), 0.8);
}

#[test]
fn movements_and_captures_have_what_the_parameters_say() {
    let games = games();
    let pieces = || games.iter().flat_map(|game| &game.rules.pieces);
    let movements = || pieces().flat_map(|piece| &piece.moving);
    near("leapers", movements().map(|m| m.kind == MovementKind::Leap), 0.4);
    let is_hop = |kind: &MovementKind| matches!(kind, MovementKind::Hop { .. });
    near("hoppers", movements().map(|m| is_hop(&m.kind)), 0.2);
    near("rotation", movements().map(|m| m.symmetries.rotation), 0.9);
    near("forward", movements().map(|m| m.symmetries.forward), 0.9);
    near("side", movements().map(|m| m.symmetries.side), 0.9);
    let longest = movements().filter_map(|movement| match movement.kind {
        MovementKind::Ride { longest, .. } => Some(longest),
        _ => None,
    });
    near("longest rides", longest, 0.2);
    let captures = || pieces().flat_map(|piece| &piece.capturing);
    near("retrieve", captures().map(|capture| capture.retrieve), 0.2);
    near("clobber", captures().map(|capture| capture.clobber), 0.9);
    near("hop", captures().map(|capture| capture.hop), 0.5);
    near("remove", captures().map(|capture| capture.effect == Effect::Remove), 0.5);
    near("any player", captures().map(|capture| capture.captured.owner.is_none()), 0.2);
}
