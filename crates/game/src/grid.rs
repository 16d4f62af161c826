//! The squares of a board in rows and columns.

use regulus_automaton::{Board, IdVec, Shape, Square};

/// Where squares lie in a grid of rows and columns, counted from the top left.
///
/// Rectangles keep their rows and columns. Hexagons are put on a skewed grid in which each row is shifted so that neighbours
/// stay neighbours. The points of other graphs make one row.
///
/// # Examples
///
/// ```
/// use regulus_automaton::Square;
/// use regulus_game::{Config, Game};
///
/// let game = Game::load("breakthrough", &Config::default())?;
/// let grid = game.grid();
/// assert_eq!((grid.width(), grid.height()), (8, 8));
/// assert_eq!(grid.place(Square(9)), (1, 1));
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    width: usize,
    height: usize,
    places: IdVec<Square, (usize, usize)>,
}

impl Grid {
    /// The grid of a board.
    #[must_use]
    pub fn new(board: &Board) -> Grid {
        let places = |place: &dyn Fn(i64, i64) -> (i64, i64)| -> Grid {
            let squares = board.squares.values();
            let at = squares.map(|square| place(i64::from(square.x), i64::from(square.y)));
            Grid::from_places(at.collect())
        };
        match board.shape {
            Shape::Square => places(&|x, y| (x, y)),
            // Along a row hexagons are two apart; from row to row they are shifted by one.
            Shape::Hexagon => {
                let even = board.squares.values().all(|square| {
                    let first = board.squares.values().next();
                    first.is_some_and(|first| (square.x - square.y - first.x + first.y) % 2 == 0)
                });
                let skewed = [
                    places(&|x, y| ((x + y).div_euclid(2), y)),
                    places(&|x, y| ((x - y).div_euclid(2), y)),
                ];
                let best = skewed.into_iter().min_by_key(|grid| grid.width);
                best.filter(|_| even).unwrap_or_else(|| places(&|x, y| (x, y)))
            }
            Shape::Point => {
                Grid::from_places((0..board.squares.len() as i64).map(|at| (at, 0)).collect())
            }
        }
    }

    fn from_places(places: Vec<(i64, i64)>) -> Grid {
        let left = places.iter().map(|place| place.0).min().unwrap_or(0);
        let top = places.iter().map(|place| place.1).min().unwrap_or(0);
        let places: IdVec<Square, (usize, usize)> =
            places.into_iter().map(|(x, y)| ((x - left) as usize, (y - top) as usize)).collect();
        let width = places.values().map(|place| place.0 + 1).max().unwrap_or(0);
        let height = places.values().map(|place| place.1 + 1).max().unwrap_or(0);
        Grid { width, height, places }
    }

    /// How many columns there are.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many rows there are.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// The column and the row of a square, counted from the top left.
    #[must_use]
    pub fn place(&self, square: Square) -> (usize, usize) {
        self.places[square]
    }
}
