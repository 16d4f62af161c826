//! Each property moves what it says, and more of it the higher it is.

use regulus_generate::{
    BoardType, Config, Generated, MovementKind, Promotion, Properties, Rules, Setup, Who, generate,
    seed_of,
};

/// The mean of a measure over games with a property of 0, 0.5 and 1.
fn means(set: impl Fn(f64) -> Properties, measure: impl Fn(&Generated) -> f64) -> [f64; 3] {
    [0.0, 0.5, 1.0].map(|value| {
        let mut config = Config::default();
        config.apply(&set(value)).expect("allowed");
        let games = (0..100).map(|index| generate(seed_of(51, index), &config));
        games.map(|game| measure(&game)).sum::<f64>() / 100.0
    })
}

#[track_caller]
fn rises([low, middle, high]: [f64; 3]) {
    assert!(low < middle * 0.95 && middle < high * 0.95, "{low}, {middle}, {high}");
}

#[track_caller]
fn falls([low, middle, high]: [f64; 3]) {
    rises([high, middle, low]);
}

fn share<T>(list: impl Iterator<Item = T>, is: impl Fn(T) -> bool) -> f64 {
    let all: Vec<bool> = list.map(is).collect();
    all.iter().filter(|&&yes| yes).count() as f64 / all.len().max(1) as f64
}

#[test]
fn rule_complexity_makes_longer_rules() {
    let set = |t| Properties { rule_complexity: Some(t), ..Properties::default() };
    rises(means(set, |game| game.text.len() as f64));
    rises(means(set, |game| game.rules.goals.len() as f64));
    rises(means(set, |game| game.rules.pieces.len() as f64));
}

#[test]
fn decision_complexity_makes_more_decisions() {
    let set = |t| Properties { decision_complexity: Some(t), ..Properties::default() };
    rises(means(set, |game| {
        share(game.rules.pieces.iter(), |piece| {
            matches!(piece.promotion, Promotion::Decision { .. })
        })
    }));
    falls(means(set, |game| f64::from(u8::from(matches!(game.rules.setup, Setup::Fixed(_))))));
}

#[test]
fn search_complexity_makes_more_moves() {
    let set = |t| Properties { search_complexity: Some(t), ..Properties::default() };
    rises(means(set, |game| f64::from(area(&game.rules))));
    falls(means(set, |game| f64::from(u8::from(game.rules.must_capture))));
    rises(means(set, |game| {
        let movements = game.rules.pieces.iter().flat_map(|piece| &piece.moving);
        share(movements, |movement| movement.symmetries.forward && movement.symmetries.side)
    }));
    rises(means(set, |game| {
        share(game.rules.pieces.iter(), |piece| {
            matches!(piece.promotion, Promotion::Decision { chooser: Who::Opponent, .. })
        })
    }));
}

#[test]
fn locality_makes_shorter_leaps() {
    let set = |t| Properties { locality: Some(t), ..Properties::default() };
    falls(means(set, |game| {
        let movements = game.rules.pieces.iter().flat_map(|piece| &piece.moving);
        let longest: Vec<u32> = movements.map(|m| m.direction.0.max(m.direction.1)).collect();
        f64::from(longest.iter().sum::<u32>()) / longest.len() as f64
    }));
    falls(means(set, |game| {
        let movements = game.rules.pieces.iter().flat_map(|piece| &piece.moving);
        share(movements, |movement| matches!(movement.kind, MovementKind::Ride { .. }))
    }));
    falls(means(set, |game| {
        f64::from(u8::from(game.rules.board.board_type == BoardType::VerticalCylinder))
    }));
}

#[test]
fn board_size_makes_larger_boards() {
    let set = |t| Properties { board_size: Some(t), ..Properties::default() };
    rises(means(set, |game| f64::from(area(&game.rules))));
    let both = |t| Properties { search_complexity: Some(1.0), board_size: Some(t), ..set(t) };
    rises(means(both, |game| f64::from(area(&game.rules))));
}

#[test]
fn properties_leave_each_other_alone() {
    let set = |t| Properties { rule_complexity: Some(t), ..Properties::default() };
    let config = |t| {
        let mut config = Config::default();
        config.apply(&set(t)).expect("allowed");
        config
    };
    let keys: Vec<&str> = config(0.0).differences().into_iter().map(|(key, _)| key).collect();
    let expected = [
        "variety",
        "movement_complexity",
        "capture_complexity",
        "more_general_pieces",
        "goal_complexity",
    ];
    assert_eq!(keys, expected);
}

fn area(rules: &Rules) -> u32 {
    rules.board.width * rules.board.height
}
