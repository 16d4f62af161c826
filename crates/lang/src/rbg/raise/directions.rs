//! Walks and sets of squares as directions of the board that is written.
//!
//! A table of walks becomes one direction for each of its targets, and a set of squares a direction that leads from each of
//! them to itself.

use regulus_automaton::{Board, Direction, Id as _, Square, Table, WalkTable};

use super::names::unused;
use super::{NOWHERE, Raising};
use crate::rbg::checked::{Leaf, Step};
use crate::rbg::paths::PathExpression;

/// The most squares times directions of a board.
const MAX_ARCS: usize = 400_000;

impl Raising<'_> {
    /// A direction that leads from each of the squares to itself.
    pub(super) fn squares(&mut self, squares: Vec<Square>) -> Direction {
        if let Some(&direction) = self.sets.get(&squares) {
            return direction;
        }
        let direction = self
            .direction("within", |square| squares.binary_search(&square).is_ok().then_some(square));
        self.sets.insert(squares, direction);
        direction
    }

    pub(super) fn walk(&mut self, table: Table) -> PathExpression {
        match &self.automaton.tables[table] {
            WalkTable::Everywhere(squares) => {
                let anywhere = self.anywhere();
                if squares.len() == self.game.board.squares.len() {
                    return anywhere;
                }
                let within = Leaf::Shift(self.squares(squares.clone()));
                self.ways.then(&anywhere, &PathExpression::from(Step::Leaf(within, NOWHERE)))
            }
            WalkTable::PerSquare(rows) => {
                if !self.tables.contains_key(&table) {
                    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
                    let directions = (0..count).map(|number| {
                        self.direction("leap", |square| rows[square.index()].get(number).copied())
                    });
                    let directions = directions.collect();
                    self.tables.insert(table, directions);
                }
                let mut way = PathExpression::NEVER;
                for &direction in &self.tables[&table] {
                    let leap = PathExpression::from(Step::Leaf(Leaf::Shift(direction), NOWHERE));
                    way = self.ways.or(&way, &leap);
                }
                way
            }
        }
    }

    /// From everywhere to everywhere.
    pub(super) fn anywhere(&mut self) -> PathExpression {
        if let Some(way) = &self.anywhere {
            return way.clone();
        }
        let mut directions: Vec<Direction> = self.automaton.board.directions.keys().collect();
        if !is_connected(&self.automaton.board) {
            let count = self.game.board.squares.len();
            let next = |square: Square| Some(Square::from_index((square.index() + 1) % count));
            directions = vec![self.direction("next", next)];
        }
        let mut way = PathExpression::NEVER;
        for direction in directions {
            let step = PathExpression::from(Step::Leaf(Leaf::Shift(direction), NOWHERE));
            way = self.ways.or(&way, &step);
        }
        way = self.ways.star(&way);
        self.anywhere = Some(way.clone());
        way
    }

    /// A new direction; the same as an old one if that leads to the same squares.
    fn direction(&mut self, name: &str, lead: impl Fn(Square) -> Option<Square>) -> Direction {
        let board = &mut self.game.board;
        let same = |direction: &Direction| {
            board.squares.iter().all(|(at, square)| square.neighbours[*direction] == lead(at))
        };
        if let Some(old) = board.directions.keys().find(same) {
            return old;
        }
        // A board beyond this could not be read again.
        if (board.directions.len() + 1) * board.squares.len() > MAX_ARCS {
            self.ways.give_up();
            return Direction(0);
        }
        let name = unused(&mut self.names, name);
        let direction = board.directions.push(name);
        let squares: Vec<Square> = board.squares.keys().collect();
        for square in squares {
            board.squares[square].neighbours.push(lead(square));
        }
        direction
    }
}

/// Whether every square can be reached from every other.
fn is_connected(board: &Board) -> bool {
    let count = board.squares.len();
    let reaches_all = |neighbours: &[Vec<usize>]| {
        let mut seen = vec![false; count];
        let mut work = vec![0];
        seen[0] = true;
        while let Some(at) = work.pop() {
            for &next in &neighbours[at] {
                if !std::mem::replace(&mut seen[next], true) {
                    work.push(next);
                }
            }
        }
        seen.into_iter().all(|seen| seen)
    };
    let (mut forwards, mut backwards) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for (square, info) in board.squares.iter() {
        for target in info.neighbours.values().flatten() {
            forwards[square.index()].push(target.index());
            backwards[target.index()].push(square.index());
        }
    }
    reaches_all(&forwards) && reaches_all(&backwards)
}
