//! Rectangular boards of languages that know no others: squares in rows from the top, four directions.

use regulus_automaton::{Board, Direction, IdVec, Piece, Shape, Square, SquareInfo};

const NAMES: [&str; 4] = ["up", "down", "left", "right"];
const UP: Direction = Direction(0);
const DOWN: Direction = Direction(1);
const LEFT: Direction = Direction(2);
const RIGHT: Direction = Direction(3);

/// What lies beyond the first and the last column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edges {
    /// Nothing.
    Plane,
    /// The column at the other end.
    Cylinder,
}

/// A board of `width` columns and `height` rows with these pieces: rows from the top, each from the left.
pub(crate) fn board(
    width: u32,
    height: u32,
    edges: Edges,
    pieces: impl Iterator<Item = Piece>,
) -> Board {
    let (width, height) = (width as i32, height as i32);
    let square = |x: i32, y: i32| {
        let x = if edges == Edges::Cylinder { x.rem_euclid(width) } else { x };
        let inside = (0..width).contains(&x) && (0..height).contains(&y);
        inside.then(|| Square((y * width + x) as u32))
    };
    let squares = pieces.enumerate().map(|(index, piece)| {
        let (x, y) = (index as i32 % width, index as i32 / width);
        let neighbours =
            vec![square(x, y - 1), square(x, y + 1), square(x - 1, y), square(x + 1, y)];
        let name = format!("x{x}y{}", height - 1 - y);
        SquareInfo { name, piece, x, y, neighbours: IdVec::from(neighbours) }
    });
    Board {
        shape: Shape::Square,
        directions: NAMES.map(str::to_owned).to_vec().into(),
        squares: squares.collect(),
    }
}

/// The directions of a way over `x` columns to the right and `y` rows up.
pub(crate) fn way(x: i32, y: i32) -> impl Iterator<Item = Direction> {
    let horizontal = if x < 0 { LEFT } else { RIGHT };
    let vertical = if y < 0 { DOWN } else { UP };
    std::iter::repeat_n(horizontal, x.unsigned_abs() as usize)
        .chain(std::iter::repeat_n(vertical, y.unsigned_abs() as usize))
}
