//! Boards as text: rows of squares, shifted rows for hexagons, points where they lie.

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{IdVec, Looks, Piece, Player, Shape, Square};
use regulus_engine::State;

use crate::figures::figures;
use crate::game::Game;
use crate::labels::labels;

/// What a text on the board stands for, so that it can be given a colour.
///
/// # Examples
///
/// ```
/// use regulus_game::{Config, Game, Match, Paint, TextStyle};
///
/// let game = Game::load("tic_tac_toe", &Config::default())?;
/// let mut play = Match::new(&game)?;
/// play.play_named("b2")?;
/// let text = play.draw(TextStyle { is_ascii: true, ..TextStyle::default() }, &mut |paint, text| {
///     if matches!(paint, Paint::Player(_)) { text.to_uppercase() } else { text.to_owned() }
/// });
/// assert!(text.contains("[X]"));
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// A piece of a player.
    Player(Player),
    /// An empty square.
    Empty,
    /// A piece that belongs to no player.
    Other,
    /// The name of a row or column.
    Label,
    /// Marks around the squares of the last move.
    LastMove,
}

/// How a board is written.
///
/// # Examples
///
/// ```
/// use regulus_game::{Config, Game, Match, TextStyle};
///
/// let game = Game::load("tic_tac_toe", &Config::default())?;
/// let mut play = Match::new(&game)?;
/// play.play_named("b2")?;
/// let style = TextStyle { is_ascii: true, ..TextStyle::default() };
/// let text = play.draw(style, &mut |_, text| text.to_owned());
/// assert_eq!(text, "3 . . .\n2 .[x].\n1 . . .\n  a b c\n");
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStyle {
    /// Whether to use no characters but those of ASCII.
    pub is_ascii: bool,
    /// Whether to show chess men and discs as figures such as ♞ and ●.
    pub has_figures: bool,
    /// How many characters a line may have; squares move together if there is not enough room. `None` for any number.
    pub width: Option<usize>,
}

/// Boards that would take more characters are not drawn. Points of a graph can lie far from each other, so few squares may take many.
const MOST_CHARACTERS: usize = 1 << 20;

/// The board of a state with the names of its rows and columns; the squares of the last move are marked.
pub(crate) fn board(
    game: &Game,
    state: &State,
    last: &[Square],
    style: TextStyle,
    paint: &mut dyn FnMut(Paint, &str) -> String,
) -> String {
    let (looks, board) = (&game.automaton().looks, &game.automaton().board);
    let labels = labels(board, looks);
    // Points that no label names have their names beside them.
    let names_points = board.shape == Shape::Point && labels.is_empty();
    let written = written(looks, style);
    let symbol = |square: Square| {
        let symbol = &written[state.piece(square)];
        match names_points {
            true => format!("{}:{symbol}", game.notation().square(square)),
            false => symbol.clone(),
        }
    };
    let symbols: BTreeMap<Square, String> =
        board.squares.keys().map(|square| (square, symbol(square))).collect();
    let widest = if names_points {
        symbols.values().map(|symbol| symbol.chars().count()).max()
    } else {
        written.values().map(|symbol| symbol.chars().count()).max()
    };
    let width = widest.unwrap_or(1);
    let left = board.squares.values().map(|info| info.x).min().unwrap_or(0);
    let right = board.squares.values().map(|info| info.x).max().unwrap_or(0);
    let margin = labels.iter().filter(|label| label.is_row).map(|label| label.text.chars().count());
    let margin = margin.max().map_or(0, |longest| longest + 1);
    let step = step(board.shape, width, style, (right - left).max(0) as usize, margin);
    let column = |x: i32| margin + (x - left).max(0) as usize * step;
    let lines: BTreeSet<i32> = board.squares.values().map(|info| info.y).collect();
    let (wide, high) = (column(right) + width, lines.len());
    if wide.saturating_mul(high) > MOST_CHARACTERS {
        return format!("(too large to be drawn: {high} lines of {wide} characters)\n");
    }
    let mut rows: BTreeMap<i32, Line> = BTreeMap::new();
    for (square, info) in board.squares.iter() {
        let look = &looks.pieces[state.piece(square)];
        let kind = match look.owner {
            Some(player) => Paint::Player(player),
            None if look.is_empty => Paint::Empty,
            None => Paint::Other,
        };
        let text = format!("{:<width$}", symbols[&square]);
        let line = rows.entry(info.y).or_default();
        line.put(column(info.x), width, paint(kind, &text));
        let has_room = step > width || board.shape == Shape::Hexagon && 2 * step > width;
        if last.contains(&square) && has_room {
            line.mark(column(info.x), width, paint);
        }
    }
    for label in &labels {
        let length = label.text.chars().count();
        // A column's name begins where its squares do; a row's ends before its first square.
        let at = match (label.is_row, board.shape) {
            (true, Shape::Hexagon) => (column(label.x + 2)).saturating_sub(length + 1),
            (true, _) => margin.saturating_sub(length + 1),
            (false, _) if label.x < left => margin.saturating_sub(step),
            (false, _) => column(label.x),
        };
        let line = rows.entry(label.y).or_default();
        if line.is_free(at, length) {
            line.put(at, length, paint(Paint::Label, &label.text));
        }
    }
    let mut text = String::new();
    for (y, line) in &rows {
        text.push_str(&line.text());
        text.push('\n');
        // Points lie as far apart in both directions.
        if board.shape == Shape::Point && rows.range(y + 1..).next().is_some() {
            text.push('\n');
        }
    }
    text
}

/// How many characters lie between neighbouring values of `x`.
fn step(shape: Shape, width: usize, style: TextStyle, columns: usize, margin: usize) -> usize {
    let (wide, narrow) = match shape {
        Shape::Square => (width + 1, width),
        // Two steps make one hexagon.
        Shape::Hexagon => (width.div_ceil(2) + 1, width.div_ceil(2)),
        Shape::Point => (width + 3, width + 1),
    };
    let fits = |step: usize| style.width.is_none_or(|most| margin + columns * step + width <= most);
    if fits(wide) { wide } else { narrow.max(1) }
}

/// What stands for each piece.
fn written(looks: &Looks, style: TextStyle) -> IdVec<Piece, String> {
    let figures = figures(looks);
    let mut written = IdVec::filled(String::new(), looks.pieces.len());
    for (piece, look) in looks.pieces.iter() {
        written[piece] = match figures[piece] {
            Some(figure) if style.has_figures && !style.is_ascii => figure.to_owned(),
            _ => shown(&look.symbol, style),
        };
    }
    written
}

/// A symbol in the characters that may be used.
fn shown(symbol: &str, style: TextStyle) -> String {
    let plain = |c: char| match c {
        '·' => '.',
        c if c.is_ascii() => c,
        _ => '?',
    };
    if style.is_ascii { symbol.chars().map(plain).collect() } else { symbol.to_owned() }
}

/// A line of text, by the columns of a terminal. A text stands where it begins and leaves the columns behind it empty.
#[derive(Debug, Default)]
struct Line {
    columns: Vec<Option<String>>,
}

impl Line {
    fn put(&mut self, at: usize, width: usize, text: String) {
        if self.columns.len() < at + width {
            self.columns.resize(at + width, None);
        }
        self.columns[at] = Some(text);
        self.columns[at + 1..at + width].fill(Some(String::new()));
    }

    fn is_free(&self, at: usize, width: usize) -> bool {
        self.columns.iter().skip(at).take(width).all(Option::is_none)
    }

    /// Puts brackets around a symbol; between two marked squares there is a bar.
    fn mark(&mut self, at: usize, width: usize, paint: &mut dyn FnMut(Paint, &str) -> String) {
        let mut paint = |text: &str| paint(Paint::LastMove, text);
        let [open, close, bar] = [paint("["), paint("]"), paint("|")];
        for (column, own, other) in
            [(at.checked_sub(1), &open, &close), (Some(at + width), &close, &open)]
        {
            let Some(column) = column else { continue };
            if self.is_free(column, 1) {
                self.put(column, 1, own.clone());
            } else if self.columns[column].as_ref() == Some(other) {
                self.put(column, 1, bar.clone());
            }
        }
    }

    fn text(&self) -> String {
        let used = self.columns.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let text: String =
            self.columns[..used].iter().map(|text| text.as_deref().unwrap_or(" ")).collect();
        text.trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use regulus_lang::Source;

    use crate::{Config, EngineKind, Game, Match};

    #[test]
    fn boards_that_take_too_many_characters_are_not_drawn() {
        let row = |count: usize| {
            let squares = vec!["e"; count].join(",");
            let text = format!(
                "#players = w(1)\n#pieces = e, x\n#variables =\n\
                 #board = rectangle(u,d,l,r,[{squares}])\n#rules = ->w {{e}} [x] ->> {{}}"
            );
            let config = Config { engine: EngineKind::Walk, ..Config::default() };
            let game = Game::new(Source::new("row.rbg", text), &config).expect("it is right");
            let play = Match::new(&game).expect("it begins");
            play.draw(Default::default(), &mut |_, text| text.to_owned())
        };
        assert_eq!(row(3), "1 · · ·\n  a b c\n");
        // So long a row is laid in a circle.
        let refused = row(20_000);
        assert!(refused.starts_with("(too large to be drawn: "), "{refused:.100}");
    }
}
