//! Whether the solver is right: against a search without any of its ideas, and against published values.

use std::collections::HashMap;

use rand::RngExt as _;
use regulus_engine::generator;

use super::TABLE_BITS;
use super::questions::name;
use super::solver::{Solver, Worth};
use crate::bits::{each, nth};
use crate::connect_four::{Board, SQUARES};

/// How many random positions are compared.
const POSITIONS: usize = 400;
/// Positions that are compared have at least so many discs.
const DISCS: u64 = 24;

/// What the first moves are worth to the player who makes them, as Allen and Allis have found in 1988.
const FIRST_MOVES: [(&str, Worth); 7] = [
    ("a1", Worth::Lost),
    ("b1", Worth::Lost),
    ("c1", Worth::Drawn),
    ("d1", Worth::Won),
    ("e1", Worth::Drawn),
    ("f1", Worth::Lost),
    ("g1", Worth::Lost),
];

/// What positions are worth with which connect four is often used as a benchmark (Tromp's Fhourstones): columns from 1 on.
const BENCHMARKS: [(&str, Worth); 3] =
    [("45461667", Worth::Won), ("35333571", Worth::Lost), ("13333111", Worth::Drawn)];

/// Asserts that random positions and all moves from them are worth what a plain search says.
pub(crate) fn check() {
    let mut solver = Solver::new(16);
    let mut generator = generator(1);
    let mut compared = [0; 3];
    let mut positions = 0;
    while positions < POSITIONS {
        let discs = generator.random_range(DISCS..=34);
        let mut board = Board::FIRST;
        for _ in 0..discs {
            let landings = board.landings();
            let chosen = generator.random_range(0..u64::from(landings.count_ones()));
            board = board.play(nth(landings, chosen));
            if board.is_won() {
                break;
            }
        }
        if board.is_won() {
            continue;
        }
        positions += 1;
        let mut known = HashMap::new();
        for board in each(board.landings()).map(|landing| board.play(landing)).chain([board]) {
            let worth = plain(board, &mut known);
            assert_eq!(solver.worth(board), worth, "{board:?}");
            for least in [Worth::Lost, Worth::Drawn, Worth::Won] {
                assert_eq!(solver.can_get(board, least), worth >= least, "{board:?}");
            }
            compared[worth as usize] += 1;
        }
    }
    assert!(compared.into_iter().all(|count| count > 50), "{compared:?}");
    let [lost, drawn, won] = compared;
    println!("connect four: solver and plain search agree: {lost} lost, {drawn} drawn, {won} won");
}

/// Asserts that some positions and the first moves are worth what has been published.
pub(crate) fn long() {
    let mut solver = Solver::new(TABLE_BITS);
    for (columns, worth) in BENCHMARKS {
        let board = columns.bytes().fold(Board::FIRST, |board, column| {
            let column = u32::from(column - b'1');
            board.play(board.landings() & 0x7f << (7 * column))
        });
        assert_eq!(solver.worth(board), worth, "{columns}");
        println!("{columns} {worth:?}: as published; {} positions", solver.positions);
    }
    for landing in each(Board::FIRST.landings()) {
        let worth = solver.worth(Board::FIRST.play(landing)).turned();
        assert!(FIRST_MOVES.contains(&(&name(landing), worth)), "{} {worth:?}", name(landing));
        println!("{} {worth:?}: as published; {} positions", name(landing), solver.positions);
    }
    assert_eq!(solver.worth(Board::FIRST), Worth::Won);
}

/// What a position is worth, by following every line to its end.
fn plain(board: Board, known: &mut HashMap<Board, Worth>) -> Worth {
    if board.is_won() {
        return Worth::Lost;
    }
    if board.all == SQUARES {
        return Worth::Drawn;
    }
    if let Some(&worth) = known.get(&board) {
        return worth;
    }
    let moves = each(board.landings());
    let worth = moves.map(|landing| plain(board.play(landing), known).turned()).max();
    let worth = worth.unwrap_or(Worth::Drawn);
    known.insert(board, worth);
    worth
}

#[test]
fn the_solver_is_right() {
    check();
}
