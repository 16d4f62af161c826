//! Draws positions as text: rows of squares, shifted rows for hexagons, points where they lie.

use std::collections::BTreeMap;

use regulus_automaton::{Automaton, Player, Shape, Square};
use regulus_engine::notation::letters;
use regulus_engine::{PieceView, Rules, State, piece_views};

/// The colours of players whose names are colours.
const NAMED: [(&str, &str); 8] = [
    ("red", "\x1b[1;31m"),
    ("green", "\x1b[1;32m"),
    ("yellow", "\x1b[1;33m"),
    ("gold", "\x1b[1;33m"),
    ("blue", "\x1b[1;34m"),
    ("white", "\x1b[1;36m"),
    ("black", "\x1b[1;35m"),
    ("silver", "\x1b[1;36m"),
];

/// The colours of other players, in their order.
const COLOURS: [&str; 6] =
    ["\x1b[1;36m", "\x1b[1;33m", "\x1b[1;35m", "\x1b[1;32m", "\x1b[1;31m", "\x1b[1;34m"];
const FAINT: &str = "\x1b[2m";
const RESET: &str = "\x1b[0m";

/// The board of a state with the names of its rows and columns.
pub(crate) fn board<R: Rules>(rules: &R, state: &State, colour: bool) -> String {
    let automaton = rules.automaton();
    let views = piece_views(automaton);
    let width = views.values().map(|view| view.symbol.chars().count()).max().unwrap_or(1);
    let canvas = Canvas::new(automaton, width);
    let mut text = String::new();
    for (&y, row) in &canvas.rows {
        let mut line = format!("{:>1$} ", canvas.row_name(y), canvas.margin);
        let mut column = 0;
        for (&x, &square) in row {
            let at = canvas.column(x);
            line.extend(std::iter::repeat_n(' ', at.saturating_sub(column)));
            line.push_str(&cell(automaton, &views[state.piece(square)], width, colour));
            column = at + width;
        }
        if automaton.board.shape == Shape::Hexagon {
            // Places are counted along the row; how many there are is said at its end.
            line.push_str(&format!("  {}", row.len()));
        }
        text.push_str(line.trim_end());
        text.push('\n');
        if automaton.board.shape == Shape::Point {
            text.push('\n');
        }
    }
    text.push_str(&canvas.column_names());
    text
}

/// A player's name in the colour of its pieces.
pub(crate) fn player(automaton: &Automaton, player: Player, colour: bool) -> String {
    let name = &automaton.players[player];
    if colour { format!("{}{name}{RESET}", player_colour(automaton, player)) } else { name.clone() }
}

fn player_colour(automaton: &Automaton, player: Player) -> &'static str {
    let name = &automaton.players[player];
    let named = NAMED.iter().find(|(colour, _)| colour == name);
    named.map_or(COLOURS[player.0 as usize % COLOURS.len()], |(_, code)| code)
}

fn cell(automaton: &Automaton, view: &PieceView, width: usize, colour: bool) -> String {
    let padded = format!("{:<width$}", view.symbol);
    let code = match view.owner {
        _ if !colour => return padded,
        Some(player) => player_colour(automaton, player),
        None if view.is_empty => FAINT,
        None => return padded,
    };
    format!("{code}{padded}{RESET}")
}

/// Where squares go.
struct Canvas {
    shape: Shape,
    rows: BTreeMap<i32, BTreeMap<i32, Square>>,
    left: i32,
    bottom: i32,
    /// How many characters lie between neighbouring values of `x`.
    step: usize,
    /// How many characters the names of rows take.
    margin: usize,
}

impl Canvas {
    fn new(automaton: &Automaton, width: usize) -> Canvas {
        let mut rows: BTreeMap<i32, BTreeMap<i32, Square>> = BTreeMap::new();
        for (square, info) in automaton.board.squares.iter() {
            rows.entry(info.y).or_default().insert(info.x, square);
        }
        let left = rows.values().filter_map(|row| row.keys().next()).min().copied().unwrap_or(0);
        let bottom = rows.keys().last().copied().unwrap_or(0);
        let shape = automaton.board.shape;
        let step = match shape {
            Shape::Square => width + 1,
            // Two steps make one hexagon.
            Shape::Hexagon => width.div_ceil(2) + 1,
            Shape::Point => width + 3,
        };
        let mut canvas = Canvas { shape, rows, left, bottom, step, margin: 0 };
        canvas.margin = canvas.rows.keys().map(|&y| canvas.row_name(y).len()).max().unwrap_or(0);
        canvas
    }

    fn column(&self, x: i32) -> usize {
        (x - self.left).max(0) as usize * self.step
    }

    fn row_name(&self, y: i32) -> String {
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
        for x in columns {
            let at = self.margin + 1 + self.column(x);
            line.extend(std::iter::repeat_n(' ', at.saturating_sub(line.len())));
            line.push_str(&letters(x));
        }
        line.push('\n');
        line
    }
}
