//! Positions as text: rows of squares, shifted rows for hexagons, points where they lie.

use std::collections::BTreeMap;

use regulus_automaton::{Board, Looks, Player, Shape, Square};
use regulus_engine::State;
use regulus_engine::notation::letters;

use crate::game::Game;

/// What a symbol on the board stands for, so that it can be given a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// A piece of a player.
    Player(Player),
    /// An empty square.
    Empty,
    /// A piece that belongs to no player.
    Other,
}

/// The board of a state with the names of its rows and columns.
pub(crate) fn board(
    game: &Game,
    state: &State,
    paint: &mut dyn FnMut(Paint, &str) -> String,
) -> String {
    let looks = &game.automaton().looks;
    let board = &game.automaton().board;
    let symbols = looks.pieces.values().map(|look| look.symbol.chars().count());
    let width = symbols.max().unwrap_or(1);
    let canvas = Canvas::new(board, looks, width);
    let mut text = String::new();
    for (&y, row) in &canvas.rows {
        let mut line = format!("{:>1$} ", canvas.row_name(y), canvas.margin);
        let mut column = 0;
        for (&x, &square) in row {
            let at = canvas.column(x);
            line.extend(std::iter::repeat_n(' ', at.saturating_sub(column)));
            let look = &looks.pieces[state.piece(square)];
            let symbol = format!("{:<width$}", look.symbol);
            line.push_str(&match look.owner {
                Some(player) => paint(Paint::Player(player), &symbol),
                None if look.is_empty => paint(Paint::Empty, &symbol),
                None => paint(Paint::Other, &symbol),
            });
            column = at + width;
        }
        if board.shape == Shape::Hexagon {
            // Places are counted along the row; how many there are is said at its end.
            line.push_str(&format!("  {}", row.len()));
        }
        text.push_str(line.trim_end());
        text.push('\n');
        if board.shape == Shape::Point {
            text.push('\n');
        }
    }
    text.push_str(&canvas.column_names());
    text
}

/// Where squares go.
struct Canvas<'a> {
    /// The names that the game gives to rows and columns, if it does.
    looks: &'a Looks,
    shape: Shape,
    rows: BTreeMap<i32, BTreeMap<i32, Square>>,
    left: i32,
    bottom: i32,
    /// How many characters lie between neighbouring values of `x`.
    step: usize,
    /// How many characters the names of rows take.
    margin: usize,
}

impl<'a> Canvas<'a> {
    fn new(board: &Board, looks: &'a Looks, width: usize) -> Canvas<'a> {
        let mut rows: BTreeMap<i32, BTreeMap<i32, Square>> = BTreeMap::new();
        for (square, info) in board.squares.iter() {
            rows.entry(info.y).or_default().insert(info.x, square);
        }
        let left = rows.values().filter_map(|row| row.keys().next()).min().copied().unwrap_or(0);
        let bottom = rows.keys().last().copied().unwrap_or(0);
        let shape = board.shape;
        let step = match shape {
            Shape::Square => width + 1,
            // Two steps make one hexagon.
            Shape::Hexagon => width.div_ceil(2) + 1,
            Shape::Point => width + 3,
        };
        let mut canvas = Canvas { looks, shape, rows, left, bottom, step, margin: 0 };
        canvas.margin =
            canvas.rows.keys().map(|&y| canvas.row_name(y).chars().count()).max().unwrap_or(0);
        canvas
    }

    fn column(&self, x: i32) -> usize {
        (x - self.left).max(0) as usize * self.step
    }

    fn row_name(&self, y: i32) -> String {
        if let Some(name) = self.looks.rows.get(self.rows.range(..y).count()) {
            return name.clone();
        }
        match self.shape {
            Shape::Hexagon => letters(self.bottom - y),
            Shape::Square | Shape::Point => (self.bottom - y + 1).to_string(),
        }
    }

    /// The line below the board; hexagons are counted along their rows and need none.
    fn column_names(&self) -> String {
        if self.shape == Shape::Hexagon {
            return String::new();
        }
        let mut columns: Vec<i32> =
            self.rows.values().flat_map(|row| row.keys().copied()).collect();
        columns.sort_unstable();
        columns.dedup();
        let mut line = " ".repeat(self.margin + 1);
        for (place, x) in columns.into_iter().enumerate() {
            let at = self.margin + 1 + self.column(x);
            line.extend(std::iter::repeat_n(' ', at.saturating_sub(line.chars().count())));
            match self.looks.columns.get(place) {
                Some(name) => line.push_str(name),
                None => line.push_str(&letters(x)),
            }
        }
        line.push('\n');
        line
    }
}
