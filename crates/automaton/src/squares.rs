//! What people call squares.
//!
//! Squares are named by the columns and rows of the game where it names them. Else those of rectangular boards are named as in
//! chess, `a1` at the lower left. On a slanted board of hexagons, as for hex, columns are lettered from the left and rows counted
//! from the top. On other boards of hexagons rows are lettered from the bottom and diagonals counted from the left, as in abalone.
//! Squares of other boards keep the names of the source text.

use std::collections::BTreeSet;

use crate::board::{Shape, SquareInfo};
use crate::draft::Draft;
use crate::ids::{IdVec, Square};
use crate::looks::Looks;

/// The names of the squares of a game, and of the columns and rows that they lie on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareNames {
    /// The name of each square.
    pub names: IdVec<Square, String>,
    /// The name of the column of each square; `None` if squares are not named by columns and rows.
    pub columns: Option<IdVec<Square, String>>,
    /// The name of the row of each square; `None` if squares are not named by columns and rows.
    pub rows: Option<IdVec<Square, String>>,
}

impl SquareNames {
    /// The names that people are shown; any draft has them.
    ///
    /// ```
    /// use regulus_automaton::{Draft, SquareNames};
    ///
    /// let game = "players white 1\npieces e\nboard square\n  p e (0, 0)\n  q e (0, 1)\nrules n0\n  n0:";
    /// let names = SquareNames::of(&game.parse::<Draft>()?);
    /// assert_eq!(names.names.as_slice(), ["a2", "a1"]);
    /// # Ok::<(), regulus_automaton::TextErrors>(())
    /// ```
    #[must_use]
    pub fn of(draft: &Draft) -> SquareNames {
        named(draft).unwrap_or_else(|| counted(draft))
    }
}

/// `a` to `z`, then `aa`, `ab` and so on.
#[must_use]
pub fn letters(index: i32) -> String {
    let mut rest = index.max(0);
    let mut letters = Vec::new();
    loop {
        letters.push((b'a' + (rest % 26) as u8) as char);
        rest = rest / 26 - 1;
        if rest < 0 {
            break;
        }
    }
    letters.iter().rev().collect()
}

/// Names made of those of columns and rows that the game gives; `None` if it gives none, or two squares would have the same.
fn named(draft: &Draft) -> Option<SquareNames> {
    let Looks { columns, rows, .. } = &draft.looks;
    let squares = &draft.board.squares;
    let columns = lines(squares, columns, |square| square.x)?;
    let rows = lines(squares, rows, |square| square.y)?;
    let names = joined(&columns, &rows);
    let different: BTreeSet<&String> = names.values().collect();
    let is_useful = different.len() == names.len() && !names.is_empty();
    is_useful.then_some(SquareNames { names, columns: Some(columns), rows: Some(rows) })
}

/// The name of the line of each square; `None` if one has no name.
fn lines(
    squares: &IdVec<Square, SquareInfo>,
    names: &[String],
    place: fn(&SquareInfo) -> i32,
) -> Option<IdVec<Square, String>> {
    let mut places: Vec<i32> = squares.values().map(place).collect();
    places.sort_unstable();
    places.dedup();
    let name = |info| names.get(places.binary_search(&place(info)).ok()?).cloned();
    squares.values().map(name).collect()
}

/// Names counted along the lines of the board, or those of the source text for graphs.
fn counted(draft: &Draft) -> SquareNames {
    let board = &draft.board;
    let squares = &board.squares;
    let bottom = squares.values().map(|square| square.y).max().unwrap_or(0);
    let from_bottom = |info: &SquareInfo| bottom.saturating_sub(info.y);
    let (columns, rows): (IdVec<Square, String>, IdVec<Square, String>) = match board.shape {
        Shape::Square => (
            squares.values().map(|info| letters(info.x)).collect(),
            squares.values().map(|info| number(from_bottom(info))).collect(),
        ),
        Shape::Hexagon if board.is_slanted() => (
            board.diagonals().values().map(|&diagonal| letters(diagonal)).collect(),
            squares.values().map(|info| number(info.y)).collect(),
        ),
        Shape::Hexagon => (
            board.diagonals().values().map(|&diagonal| number(diagonal)).collect(),
            squares.values().map(|info| letters(from_bottom(info))).collect(),
        ),
        Shape::Point => {
            let names = squares.values().map(|info| info.name.clone()).collect();
            return SquareNames { names, columns: None, rows: None };
        }
    };
    let names = match board.shape {
        Shape::Hexagon if !board.is_slanted() => joined(&rows, &columns),
        _ => joined(&columns, &rows),
    };
    SquareNames { names, columns: Some(columns), rows: Some(rows) }
}

/// What is counted from 0, as people count.
fn number(place: i32) -> String {
    place.saturating_add(1).to_string()
}

fn joined(first: &IdVec<Square, String>, second: &IdVec<Square, String>) -> IdVec<Square, String> {
    first.values().zip(second.values()).map(|(first, second)| format!("{first}{second}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on_after_z() {
        assert_eq!([0, 25, 26, 27, 52].map(letters), ["a", "z", "aa", "ab", "ba"]);
    }

    #[test]
    fn lines_have_names() {
        let game = "players a 1\npieces e\nboard hexagon\np e (0, 0)\nq e (2, 0)\nr e (1, 1)\ns e (3, 1)\nrules n0\nn0:";
        let names = SquareNames::of(&game.parse().expect("it can be read"));
        assert_eq!(names.names.as_slice(), ["a1", "b1", "a2", "b2"]);
        assert_eq!(names.rows.expect("there are rows").as_slice(), ["1", "1", "2", "2"]);
    }
}
