//! The names of rows and columns, and where they stand beside the board.

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{Board, Looks, Shape, Square, letters};

/// A name beside the board, at the coordinates where a square could be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) text: String,
    pub(crate) x: i32,
    pub(crate) y: i32,
    /// Whether it stands to the left of its row.
    pub(crate) is_row: bool,
}

/// The names of the rows and columns of a board; none if squares are not named by them.
pub(crate) fn labels(board: &Board, looks: &Looks) -> Vec<Label> {
    match board.shape {
        Shape::Square => lines(board, looks),
        Shape::Point if is_named_by_lines(board) || !looks.columns.is_empty() => {
            lines(board, looks)
        }
        Shape::Point => Vec::new(),
        Shape::Hexagon => hexagons(board),
    }
}

/// Whether the points of a graph have names such as those of the squares of a chess board.
fn is_named_by_lines(board: &Board) -> bool {
    let bottom = board.squares.values().map(|info| info.y).max().unwrap_or(0);
    let squares = board.squares.values();
    squares.clone().count() > 0
        && squares.clone().all(|info| {
            info.name == format!("{}{}", letters(info.x), bottom.saturating_sub(info.y) + 1)
        })
}

/// Columns below the board and rows to its left.
fn lines(board: &Board, looks: &Looks) -> Vec<Label> {
    let columns: BTreeSet<i32> = board.squares.values().map(|info| info.x).collect();
    let rows: BTreeSet<i32> = board.squares.values().map(|info| info.y).collect();
    let (Some(&left), Some(&bottom)) = (columns.first(), rows.last()) else { return Vec::new() };
    let name = |names: &[String], place: usize, otherwise: String| {
        names.get(place).cloned().unwrap_or(otherwise)
    };
    let columns = columns.iter().enumerate().map(|(place, &x)| {
        let text = name(&looks.columns, place, letters(x));
        Label { text, x, y: bottom + 1, is_row: false }
    });
    let rows = rows.iter().enumerate().map(|(place, &y)| {
        let text = name(&looks.rows, place, (bottom - y + 1).to_string());
        Label { text, x: left - 1, y, is_row: true }
    });
    rows.chain(columns).collect()
}

/// Rows at the left, and diagonals where they begin at the top of a slanted board, or end at the bottom of another.
fn hexagons(board: &Board) -> Vec<Label> {
    let (diagonals, is_slanted) = (board.diagonals(), board.is_slanted());
    let bottom = board.squares.values().map(|info| info.y).max().unwrap_or(0);
    let mut firsts: BTreeMap<i32, i32> = BTreeMap::new();
    let mut ends: BTreeMap<i32, Square> = BTreeMap::new();
    for (square, info) in board.squares.iter() {
        let first = firsts.entry(info.y).or_insert(info.x);
        *first = info.x.min(*first);
        let end = ends.entry(diagonals[square]).or_insert(square);
        let is_further = |y: i32| if is_slanted { info.y < y } else { info.y > y };
        if is_further(board.squares[*end].y) {
            *end = square;
        }
    }
    let rows = firsts.into_iter().map(|(y, x)| {
        let text = if is_slanted { (y + 1).to_string() } else { letters(bottom - y) };
        Label { text, x: x - 2, y, is_row: true }
    });
    let columns = ends.into_iter().map(|(diagonal, square)| {
        let info = &board.squares[square];
        let (text, step) = match is_slanted {
            true => (letters(diagonal), -1),
            false => ((diagonal + 1).to_string(), 1),
        };
        Label { text, x: info.x + step, y: info.y + step, is_row: false }
    });
    let is_free = |label: &Label| board.square_at(label.x, label.y).is_none();
    rows.chain(columns).filter(is_free).collect()
}
