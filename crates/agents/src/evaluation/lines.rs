//! Lines of neighbouring squares, as parts of positions: what stands together counts besides what stands where.

use std::collections::BTreeMap;

use regulus_automaton::{Board, Id as _, Piece, Shape, Square};

use super::symmetry::Symmetry;

/// The lines of a board. Each has a weight for every way in which pieces can stand on it; lines that correspond to each other by a
/// symmetry share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    pub(crate) lines: Vec<Line>,
    /// How many weights there are.
    pub(crate) weights: usize,
}

/// Some squares in a row.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    squares: Vec<u16>,
    /// Where the weights of its patterns begin.
    first: u32,
    /// Whether players are exchanged, so that the weights count the other way round.
    is_negative: bool,
    /// What stands for each piece.
    pieces: Vec<u8>,
}

/// Boards with more lines than this have none, since they would take too long.
const MOST_LINES: usize = 300;

/// Tables with more weights than this would not be filled.
const MOST_WEIGHTS: usize = 60_000;

/// How long lines are in a game with this number of pieces, the empty one among them; 0 if there are too many.
fn length(pieces: usize) -> usize {
    match pieces {
        0..=3 => 4,
        4..=5 => 3,
        _ => 0,
    }
}

impl Lines {
    /// The lines of a board, for a game with this number of pieces.
    pub(crate) fn new(board: &Board, pieces: usize, symmetries: &[&Symmetry]) -> Lines {
        let length = length(pieces);
        let all = rows(board, length);
        if length == 0 || all.is_empty() || all.len() > MOST_LINES {
            return Lines::default();
        }
        let patterns = pieces.pow(length as u32);
        let mut numbers: BTreeMap<Vec<u16>, usize> = BTreeMap::new();
        for (number, row) in all.iter().enumerate() {
            numbers.insert(sorted(row), number);
        }
        let mut lines: Vec<Option<Line>> = vec![None; all.len()];
        let mut weights = 0;
        for (number, row) in all.iter().enumerate() {
            if lines[number].is_some() {
                continue;
            }
            let identity = (0..pieces as u8).collect();
            let first = Line {
                squares: row.clone(),
                first: weights as u32,
                is_negative: false,
                pieces: identity,
            };
            weights += patterns;
            lines[number] = Some(first.clone());
            let mut open = vec![first];
            while let Some(line) = open.pop() {
                for symmetry in symmetries {
                    let squares = line.squares.iter();
                    let squares: Vec<u16> = squares
                        .map(|&square| symmetry.squares[Square(u32::from(square))].0 as u16)
                        .collect();
                    let Some(&image) = numbers.get(&sorted(&squares)) else { continue };
                    if lines[image].is_some() {
                        continue;
                    }
                    // What stands for the image of a piece is what stands for the piece.
                    let mut stands = line.pieces.clone();
                    for (piece, &number) in line.pieces.iter().enumerate() {
                        let image = symmetry.pieces[Piece(piece as u32)].index();
                        stands[image] = number;
                    }
                    let is_negative = line.is_negative == symmetry.keeps_players();
                    let line = Line { squares, first: line.first, is_negative, pieces: stands };
                    lines[image] = Some(line.clone());
                    open.push(line);
                }
            }
        }
        if weights > MOST_WEIGHTS {
            return Lines::default();
        }
        Lines { lines: lines.into_iter().flatten().collect(), weights }
    }
}

impl Line {
    /// The number of the weight for what stands on the line.
    #[inline]
    pub(crate) fn weight(&self, board: &[u8], pieces: usize) -> usize {
        let mut pattern = 0;
        for &square in &self.squares {
            let piece = self.pieces[usize::from(board[usize::from(square)])];
            pattern = pattern * pieces + usize::from(piece);
        }
        self.first as usize + pattern
    }

    /// The weight as it counts on this line.
    #[inline]
    pub(crate) fn signed<T: std::ops::Neg<Output = T>>(&self, value: T) -> T {
        if self.is_negative { -value } else { value }
    }
}

fn sorted(row: &[u16]) -> Vec<u16> {
    let mut row = row.to_vec();
    row.sort_unstable();
    row
}

/// All rows of `length` squares, each once: along rows, columns and diagonals as the board is drawn; along the lines of a graph.
fn rows(board: &Board, length: usize) -> Vec<Vec<u16>> {
    let mut rows: BTreeMap<Vec<u16>, Vec<u16>> = BTreeMap::new();
    if length == 0 || board.squares.len() > usize::from(u16::MAX) {
        return Vec::new();
    }
    let places: BTreeMap<(i32, i32), Square> =
        board.squares.iter().map(|(square, info)| ((info.x, info.y), square)).collect();
    let ways: &[(i32, i32)] = match board.shape {
        Shape::Square => &[(1, 0), (0, 1), (1, 1), (1, -1)],
        Shape::Hexagon => &[(2, 0), (1, 1), (1, -1)],
        Shape::Point => &[],
    };
    let beside = |square: Square, (x, y): (i32, i32)| {
        let info = &board.squares[square];
        places.get(&(info.x.checked_add(x)?, info.y.checked_add(y)?)).copied()
    };
    let mut add = |first: Square, next: &dyn Fn(Square) -> Option<Square>| {
        let mut row = vec![first.0 as u16];
        let mut at = first;
        while row.len() < length
            && let Some(square) = next(at)
        {
            row.push(square.0 as u16);
            at = square;
        }
        let key = sorted(&row);
        if row.len() == length && key.windows(2).all(|pair| pair[0] != pair[1]) {
            rows.entry(key).or_insert(row);
        }
    };
    for square in board.squares.keys() {
        for &way in ways {
            add(square, &|at| beside(at, way));
        }
        if board.shape == Shape::Point {
            for direction in board.directions.keys() {
                add(square, &|at| board.neighbour(at, direction));
            }
        }
    }
    rows.into_values().collect()
}

#[cfg(test)]
mod tests {
    use regulus_game::{Config, EngineKind, Game};

    use super::*;

    #[test]
    fn connect_four_has_its_lines() {
        let config = Config { engine: EngineKind::Plan, ..Config::default() };
        let game = Game::load("connect_four", &config).expect("it is bundled");
        let lines = Lines::new(&game.automaton().board, 3, &[]);
        assert_eq!(lines.lines.len(), 69);
        assert_eq!(lines.weights, 69 * 81);
        // A line counts by what stands on it.
        let empty = vec![0; 42];
        let mut board = empty.clone();
        let line = &lines.lines[0];
        board[usize::from(line.squares[3])] = 2;
        assert_eq!(line.weight(&board, 3), line.weight(&empty, 3) + 2);
        board[usize::from(line.squares[2])] = 1;
        assert_eq!(line.weight(&board, 3), line.weight(&empty, 3) + 2 + 3);
    }
}
