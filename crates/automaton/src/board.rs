//! The board: squares, the directions that join them, and where to draw them.

use crate::ids::{Direction, IdVec, Piece, Square};

/// A directed graph with at most one edge per square and direction, and a drawing of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// How squares look.
    pub shape: Shape,
    /// The names of the directions.
    pub directions: IdVec<Direction, String>,
    /// The squares in their significant order: the cursor starts on the first.
    pub squares: IdVec<Square, SquareInfo>,
}

/// How the squares of a board are drawn, and so what their coordinates mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Unit squares: `x` is the column, `y` the row counted from the top.
    Square,
    /// Hexagons in rows: `x` counts half hexagons, so horizontal neighbours are two apart and rows are shifted by one.
    Hexagon,
    /// Points of a graph joined by lines.
    Point,
}

/// What is known of a square when the game is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareInfo {
    /// Its name in the source text.
    pub name: String,
    /// The piece it holds at the beginning.
    pub piece: Piece,
    /// Column, as [`Shape`] explains.
    pub x: i32,
    /// Row from the top, as [`Shape`] explains.
    pub y: i32,
    /// Where each direction leads.
    pub neighbours: IdVec<Direction, Option<Square>>,
}

impl Board {
    /// Where a direction leads from a square.
    #[must_use]
    pub fn neighbour(&self, square: Square, direction: Direction) -> Option<Square> {
        self.squares[square].neighbours[direction]
    }

    /// The square at these coordinates.
    #[must_use]
    pub fn square_at(&self, x: i32, y: i32) -> Option<Square> {
        self.squares
            .iter()
            .find(|(_, square)| (square.x, square.y) == (x, y))
            .map(|(square, _)| square)
    }

    /// For each square of a board of hexagons, the number of the diagonal to the lower right that it lies on, from the left.
    #[must_use]
    pub fn diagonals(&self) -> IdVec<Square, i32> {
        let number = |info: &SquareInfo| info.x.saturating_sub(info.y);
        let first = self.squares.values().map(number).min().unwrap_or(0);
        self.squares.values().map(|info| number(info).saturating_sub(first).div_euclid(2)).collect()
    }

    /// Whether this is a board of hexagons whose rows are equally long and each lies half a hexagon to the right of the one
    /// above, as the usual board of hex.
    #[must_use]
    pub fn is_slanted(&self) -> bool {
        let rows = self.squares.values().map(|info| i64::from(info.y) + 1).max().unwrap_or(0);
        let columns = self.diagonals().values().map(|&column| i64::from(column) + 1).max();
        let columns = columns.unwrap_or(0);
        self.shape == Shape::Hexagon
            && rows > 1
            && columns > 1
            && rows * columns == self.squares.len() as i64
    }

    /// Whether no two squares share a neighbour in this direction.
    #[must_use]
    pub fn is_injective(&self, direction: Direction) -> bool {
        let mut reached = IdVec::<Square, bool>::filled(false, self.squares.len());
        self.squares
            .values()
            .filter_map(|square| square.neighbours[direction])
            .all(|target| !std::mem::replace(&mut reached[target], true))
    }
}
