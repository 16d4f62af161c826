//! What holds for every generated game, and what remarks say about games.

use std::collections::BTreeSet;

use regulus_generate::{
    Config, Description, Generated, Goal, Movement, MovementKind, Remark, Setup, Square,
    Symmetries, Who, generate, seed_of,
};

fn games(count: u64) -> impl Iterator<Item = Generated> {
    let forward = Config::from_toml("inversion = [[\"diagonal\", 0.5], [\"forward\", 0.5]]");
    let configs = [Config::default(), forward.expect("allowed")];
    (0..count).map(move |index| generate(seed_of(21, index), &configs[index as usize % 2]))
}

#[test]
fn setups_are_on_the_board_and_do_not_meet() {
    for game in games(1000) {
        let board = game.rules.board;
        let squares = game.rules.setup.squares();
        let white: BTreeSet<Square> = squares.iter().copied().collect();
        let black: BTreeSet<Square> = squares.iter().map(|&square| board.invert(square)).collect();
        assert_eq!(white.len(), squares.len());
        assert!(white.iter().chain(&black).all(|&square| board.contains(square)));
        assert!(white.is_disjoint(&black), "{}", game.text);
        assert!(game.rules.setup.pieces().len() <= squares.len());
        assert!((1..=board.height).contains(&board.promote_rank));
    }
}

#[test]
fn every_placed_kind_is_in_the_setup_and_no_other() {
    for game in games(1000) {
        let placed: BTreeSet<u32> = game.rules.setup.pieces().iter().map(|id| id.0).collect();
        assert_eq!(placed, (0..game.rules.placed as u32).collect());
        let more = game.rules.pieces.len() - game.rules.placed;
        assert!((2..=4).contains(&more), "{more}");
        for (letter, piece) in ('a'..='z').zip(&game.rules.pieces) {
            assert!(piece.name.starts_with(letter));
        }
    }
}

#[test]
fn goals_do_not_hold_at_the_start() {
    for game in games(1000) {
        let rules = &game.rules;
        assert!(matches!(rules.goals[0], Goal::Stalemate(_)));
        for goal in &rules.goals[1..] {
            match goal {
                Goal::Stalemate(_) => panic!("there is one stalemate: {}", game.text),
                Goal::Eradicate(what) => {
                    let placed = rules.setup.pieces();
                    assert!(placed.iter().any(|&id| rules.has(&what.pieces, id)));
                }
                Goal::Arrive { piece, squares } => {
                    assert_eq!(squares.len(), 1);
                    assert!(squares.iter().all(|&square| rules.board.contains(square)));
                    assert!(!may_hold(&game, piece, squares[0]), "{}", game.text);
                }
            }
        }
    }
}

/// Whether such a piece may stand on the square when the game begins.
fn may_hold(game: &Generated, piece: &Description, square: Square) -> bool {
    let rules = &game.rules;
    let seen = match piece.owner {
        Some(Who::Player) => square,
        Some(Who::Opponent) => rules.board.invert(square),
        None => panic!("goals of arrival have one owner"),
    };
    match &rules.setup {
        Setup::Fixed(places) => {
            places.iter().any(|&(id, at)| at == seen && rules.has(&piece.pieces, id))
        }
        Setup::Assigned { pieces, squares, .. } => {
            squares.contains(&seen) && pieces.iter().any(|&id| rules.has(&piece.pieces, id))
        }
    }
}

#[test]
fn directions_and_hops_fit_on_the_board() {
    for game in games(1000) {
        let board = game.rules.board;
        for piece in &game.rules.pieces {
            let captures = piece.capturing.iter().flat_map(|capture| &capture.movements);
            for movement in piece.moving.iter().chain(captures) {
                let (dx, dy) = movement.direction;
                assert_ne!((dx, dy), (0, 0));
                let leaps = match &movement.kind {
                    MovementKind::Hop { before, over, after, .. } => {
                        1 + [before, over, after]
                            .map(|count| *count.range().start())
                            .iter()
                            .sum::<u32>()
                    }
                    _ => 1,
                };
                assert!(leaps * dx < board.width && leaps * dy < board.height, "{}", game.text);
            }
        }
    }
}

#[test]
fn closures_are_those_of_the_language() {
    let directions = |direction, forward, side, rotation| {
        let symmetries = Symmetries { forward, side, rotation };
        Movement { kind: MovementKind::Leap, direction, symmetries }.directions()
    };
    assert_eq!(directions((1, 2), false, false, false), [(1, 2)]);
    assert_eq!(directions((1, 2), false, true, false), [(-1, 2), (1, 2)]);
    assert_eq!(directions((1, 2), true, false, false), [(1, -2), (1, 2)]);
    assert_eq!(directions((1, 2), false, false, true), [(1, 2), (2, 1)]);
    assert_eq!(directions((1, 2), true, true, false).len(), 4);
    assert_eq!(directions((1, 2), true, false, true).len(), 8);
    assert_eq!(directions((1, 2), true, true, true).len(), 8);
    assert_eq!(directions((1, 1), true, true, true).len(), 4);
}

#[test]
fn remarks_are_as_frequent_as_ever() {
    let mut counts = [0; 5];
    for game in games(1000) {
        for remark in &game.remarks {
            counts[match remark {
                Remark::NeverAppears { .. } => 0,
                Remark::NeverMoves { .. } => 1,
                Remark::NeverCaptures { .. } => 2,
                Remark::UselessCapture { .. } => 3,
                Remark::NeverArrives { .. } => 4,
                _ => panic!("a new remark: {remark}"),
            }] += 1;
        }
    }
    assert_eq!(counts, COUNTS, "never appears, moves, captures; useless capture; never arrives");
}

const COUNTS: [u32; 5] = [147, 0, 428, 207, 19];
