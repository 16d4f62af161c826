//! Where squares, lines and names lie in a picture.

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{Board, Border, IdVec, PieceKind, Shape, Square, Surface};

use super::corners_of;
use super::spread::{has_places, spread};
use crate::game::Game;
use crate::labels::labels;

/// A place in a picture: to the right and down.
pub(super) type Point = (f64, f64);

/// The side of a square, and the width of a hexagon.
const CELL: f64 = 60.0;
/// The distance of neighbouring points of a graph.
const SPACE: f64 = 66.0;
/// The same for points that nothing places, which have their names beside them.
const WIDE_SPACE: f64 = 110.0;
/// The room around the board.
const MARGIN: f64 = 16.0;
/// The room for names.
const NAMES: f64 = 22.0;
/// The distance from the middle of a hexagon to its corners: its width divided by the root of three.
const RADIUS: f64 = CELL / 1.732_050_807_568_877_2;
/// The height from row to row of hexagons, as a part of their width.
const ROW: f64 = 0.866_025_403_784_438_6;

/// Where everything lies.
#[derive(Debug)]
pub(super) struct Geometry {
    pub(super) width: f64,
    pub(super) height: f64,
    /// The corners of the board at the top left and the bottom right.
    pub(super) field: [Point; 2],
    pub(super) cells: Cells,
    pub(super) centres: IdVec<Square, Point>,
    /// Lines that pieces stand on.
    pub(super) lines: Vec<[Point; 2]>,
    /// Whether points are shown as dots.
    pub(super) dots: bool,
    /// Points with a mark, as on boards for go.
    pub(super) stars: Vec<Point>,
    /// Where the board goes on at the other side.
    pub(super) seams: Vec<[Point; 2]>,
    pub(super) labels: Vec<(String, Point)>,
    pub(super) label_size: u32,
    /// The side of the box that a piece fits in.
    pub(super) room: f64,
    /// The places of hexagons at the corners of a slanted board.
    slanted: Option<[Square; 4]>,
}

/// How squares are drawn.
#[derive(Debug)]
pub(super) enum Cells {
    Polygons(IdVec<Square, Polygon>),
    /// As the points where lines meet.
    Points,
}

/// A square with its corners, from the top left in the order of the clock.
#[derive(Debug)]
pub(super) struct Polygon {
    pub(super) corners: Vec<Point>,
    /// Which of the tones it has.
    pub(super) tone: usize,
}

impl Geometry {
    pub(super) fn new(game: &Game) -> Geometry {
        let (board, looks) = (&game.automaton().board, &game.automaton().looks);
        let surface = surface(game);
        let names = labels(board, looks);
        // Half hexagons are counted.
        let (across, down) = match board.shape {
            Shape::Square => (CELL, CELL),
            Shape::Hexagon => (CELL / 2.0, CELL * ROW),
            Shape::Point => (SPACE, SPACE),
        };
        let xs = board.squares.values().map(|info| info.x);
        let ys = board.squares.values().map(|info| info.y);
        let (left, top) = (xs.clone().min().unwrap_or(0), ys.clone().min().unwrap_or(0));
        let (right, bottom) = (xs.max().unwrap_or(0), ys.max().unwrap_or(0));
        let half_height = if board.shape == Shape::Hexagon { RADIUS } else { CELL / 2.0 };
        let has = |is_row: bool| names.iter().any(|label| label.is_row == is_row);
        let above = board.shape == Shape::Hexagon && board.is_slanted();
        let room_left = MARGIN + if has(true) { NAMES } else { 0.0 };
        let room_above = MARGIN + if above { NAMES } else { 0.0 };
        let room_below = MARGIN + if has(false) && !above { NAMES } else { 0.0 };
        // The colours of sides need room, too.
        let band = if looks.sides.is_empty() { 0.0 } else { 10.0 };
        let (room_left, room_above) = (room_left + band, room_above + band);
        let place = |x: i32, y: i32| {
            (
                room_left + CELL / 2.0 + f64::from(x - left) * across,
                room_above + half_height + f64::from(y - top) * down,
            )
        };
        let mut centres: IdVec<Square, Point> =
            board.squares.values().map(|info| place(info.x, info.y)).collect();
        let mut last = place(right, bottom);
        if board.shape == Shape::Point && names.is_empty() && !has_places(board) {
            let placed = |(x, y): &Point| {
                (room_left + CELL / 2.0 + x * WIDE_SPACE, room_above + CELL / 2.0 + y * WIDE_SPACE)
            };
            centres = spread(board).values().map(placed).collect();
            let most = |value: fn(&Point) -> f64| centres.values().map(value).fold(0.0, f64::max);
            last = (most(|place| place.0), most(|place| place.1));
        }
        let field = [(room_left, room_above), (last.0 + CELL / 2.0, last.1 + half_height)];
        let cells = match (board.shape, surface) {
            (Shape::Point, _) | (Shape::Square, Surface::Lines) => Cells::Points,
            (Shape::Square, surface) => Cells::Polygons(squares(board, &centres, surface)),
            (Shape::Hexagon, _) => Cells::Polygons(hexagons(board, &centres)),
        };
        let lines =
            if matches!(cells, Cells::Points) { lines(board, &centres) } else { Vec::new() };
        // Larger boards are shown smaller.
        let label_size = (15 + (board.squares.len() as u32 / 30)).min(24);
        let mut labels: Vec<(String, Point)> = names
            .iter()
            .map(|label| {
                let (x, y) = place(label.x, label.y);
                // Names of two letters are wider, and keep their distance from the board.
                let wide = label.text.chars().count().saturating_sub(1) as f64;
                let near = NAMES / 2.0 + 2.0 + wide * f64::from(label_size) * 0.2;
                let place = match (board.shape, label.is_row) {
                    (Shape::Hexagon, true) => (x + CELL / 2.0 - near + 2.0 - band, y),
                    // Beside a coloured side, in the middle between two hexagons.
                    (Shape::Hexagon, false) if above && band > 0.0 => {
                        (x, y + half_height * 0.56 - band)
                    }
                    (Shape::Hexagon, false) if above => (x + CELL / 6.0, y + half_height * 0.62),
                    (Shape::Hexagon, false) => (x - CELL / 8.0, y - half_height * 0.5),
                    (_, true) => (room_left - near, y),
                    (_, false) => (x, field[1].1 + NAMES / 2.0 + 2.0),
                };
                (label.text.clone(), place)
            })
            .collect();
        if board.shape == Shape::Point && labels.is_empty() {
            let name = |(square, (x, y)): (Square, &Point)| {
                (game.notation().square(square).to_owned(), (*x, y + CELL / 2.0 + 4.0))
            };
            labels = centres.iter().map(name).collect();
        }
        let room = match board.shape {
            Shape::Square if surface == Surface::Lines => CELL * 1.22,
            Shape::Square => CELL * 1.06,
            Shape::Hexagon => CELL,
            Shape::Point => CELL * 0.92,
        };
        let stars = if surface == Surface::Lines { stars(game, &centres) } else { Vec::new() };
        Geometry {
            width: field[1].0 + MARGIN + band,
            height: field[1].1 + room_below + band,
            field,
            cells,
            dots: board.shape == Shape::Point,
            lines,
            stars,
            seams: seams(board, field),
            labels,
            label_size,
            room,
            slanted: above.then(|| slanted_corners(board)).flatten(),
            centres,
        }
    }

    /// A line along a side of the board, just outside.
    pub(super) fn border(&self, border: Border) -> Vec<Point> {
        let [(left, top), (right, bottom)] = self.field;
        let Some(corners) = self.slanted else {
            let out = 5.0;
            let corners = [
                (left - out, top - out),
                (right + out, top - out),
                (right + out, bottom + out),
                (left - out, bottom + out),
            ];
            return corners_of(border).map(|corner| corners[corner]).to_vec();
        };
        // Along the outer edges of the hexagons on this side.
        let [from, to] = corners_of(border).map(|corner| self.centres[corners[corner]]);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let count = (length / CELL).round() as usize;
        let out = 5.0;
        let along = dy.atan2(dx);
        let straight = along - 90f64.to_radians();
        let mut line = Vec::new();
        for step in 0..=count {
            let part = step as f64 / count.max(1) as f64;
            let (x, y) = (from.0 + dx * part, from.1 + dy * part);
            // The corners of a hexagon that lie outside, the last of which is the first of the next one.
            let turns: &[f64] =
                if step == count { &[-150.0, -90.0, -30.0] } else { &[-150.0, -90.0] };
            for turn in turns {
                let angle = along + turn.to_radians();
                // All corners move out the same way, so that the edges keep their directions; at the ends sides meet.
                let is_end = (step == 0 && *turn < -90.0) || (step == count && *turn > -90.0);
                let outwards = if is_end { angle } else { straight };
                line.push((
                    x + RADIUS * angle.cos() + out * outwards.cos(),
                    y + RADIUS * angle.sin() + out * outwards.sin(),
                ));
            }
        }
        line
    }
}

/// How a board is drawn: as the game says, or by its pieces.
fn surface(game: &Game) -> Surface {
    let looks = &game.automaton().looks;
    looks.surface.unwrap_or_else(|| {
        let is_plain = |kind| matches!(kind, PieceKind::Stone | PieceKind::Token);
        let mut pieces = looks.pieces.values().filter(|look| !look.is_empty);
        if pieces.all(|look| is_plain(look.kind)) { Surface::Plain } else { Surface::Chequered }
    })
}

fn squares(
    board: &Board,
    centres: &IdVec<Square, Point>,
    surface: Surface,
) -> IdVec<Square, Polygon> {
    let bottom = board.squares.values().map(|info| info.y).max().unwrap_or(0);
    let half = CELL / 2.0;
    let cell = |(square, &(x, y)): (Square, &Point)| {
        let info = &board.squares[square];
        // The square at the lower left is dark.
        let is_dark = surface == Surface::Chequered && (info.x + bottom - info.y) % 2 == 0;
        let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
        let corners = corners.map(|(dx, dy)| (x + dx, y + dy)).to_vec();
        Polygon { corners, tone: usize::from(is_dark) }
    };
    centres.iter().map(cell).collect()
}

fn hexagons(board: &Board, centres: &IdVec<Square, Point>) -> IdVec<Square, Polygon> {
    let radius = RADIUS;
    let is_slanted = board.is_slanted();
    let cell = |(square, &(x, y)): (Square, &Point)| {
        let info = &board.squares[square];
        let corners = (0..6).map(|corner| {
            let angle = f64::from(corner * 60 - 90).to_radians();
            (x + radius * angle.cos(), y + radius * angle.sin())
        });
        // Neighbours of three tones; a slanted board has one.
        let tone = if is_slanted { 0 } else { ((info.x - info.y) / 2 + 2 * info.y).rem_euclid(3) };
        Polygon { corners: corners.collect(), tone: tone as usize }
    };
    centres.iter().map(cell).collect()
}

/// The lines between neighbours; on a grid only those along rows and columns. What goes straight on is one line.
fn lines(board: &Board, centres: &IdVec<Square, Point>) -> Vec<[Point; 2]> {
    let mut pairs = BTreeSet::new();
    for (from, info) in board.squares.iter() {
        for to in info.neighbours.values().flatten() {
            let other = &board.squares[*to];
            let (dx, dy) = ((info.x - other.x).abs(), (info.y - other.y).abs());
            let is_line = board.shape == Shape::Point || dx.saturating_add(dy) == 1;
            if is_line && from != *to {
                pairs.insert((from.min(*to), from.max(*to)));
            }
        }
    }
    joined(&pairs, centres)
}

/// Joins lines between two points where one goes straight on as another.
fn joined(pairs: &BTreeSet<(Square, Square)>, centres: &IdVec<Square, Point>) -> Vec<[Point; 2]> {
    let mut neighbours: BTreeMap<Square, Vec<Square>> = BTreeMap::new();
    for &(one, other) in pairs {
        neighbours.entry(one).or_default().push(other);
        neighbours.entry(other).or_default().push(one);
    }
    // The neighbour to which a line from one point to another goes straight on.
    let straight_on = |from: Square, at: Square| {
        let mut next = neighbours.get(&at)?.iter().copied();
        next.find(|&next| goes_straight(centres[from], centres[at], centres[next]))
    };
    let mut drawn: BTreeSet<(Square, Square)> = BTreeSet::new();
    let mut lines = Vec::new();
    for &(one, other) in pairs {
        if drawn.contains(&(one, other)) {
            continue;
        }
        let mut end_of = |mut from: Square, mut at: Square| {
            drawn.insert((from.min(at), from.max(at)));
            while let Some(next) = straight_on(from, at)
                && drawn.insert((at.min(next), at.max(next)))
            {
                (from, at) = (at, next);
            }
            at
        };
        let (end, start) = (end_of(one, other), end_of(other, one));
        lines.push([centres[start], centres[end]]);
    }
    lines
}

/// Whether the way from one point over a second to a third has no bend.
fn goes_straight(from: Point, over: Point, to: Point) -> bool {
    let (ax, ay) = (over.0 - from.0, over.1 - from.1);
    let (bx, by) = (to.0 - over.0, to.1 - over.1);
    let size = ax.hypot(ay) * bx.hypot(by);
    ax * bx + ay * by > 0.0 && (ax * by - ay * bx).abs() < 1e-9 * size
}

/// Sides at which the columns of a rectangle meet again.
fn seams(board: &Board, [(left, top), (right, bottom)]: [Point; 2]) -> Vec<[Point; 2]> {
    let columns: BTreeSet<i32> = board.squares.values().map(|info| info.x).collect();
    let (Some(&first), Some(&last)) = (columns.first(), columns.last()) else { return Vec::new() };
    let goes_round = board.shape == Shape::Square
        && last - first > 1
        && board.squares.values().filter(|info| info.x == last).any(|info| {
            info.neighbours.values().flatten().any(|to| {
                let to = &board.squares[*to];
                to.x == first && to.y == info.y
            })
        });
    let side = |x: f64| [(x, top + 4.0), (x, bottom - 4.0)];
    if goes_round { vec![side(left - 4.0), side(right + 4.0)] } else { Vec::new() }
}

/// The points that boards for go mark.
fn stars(game: &Game, centres: &IdVec<Square, Point>) -> Vec<Point> {
    let (board, looks) = (&game.automaton().board, &game.automaton().looks);
    let mut kinds = looks.pieces.values().filter(|look| !look.is_empty).map(|look| look.kind);
    let side = board.squares.values().map(|info| info.x.max(info.y) + 1).max().unwrap_or(0);
    let is_square = i64::from(side) * i64::from(side) == board.squares.len() as i64;
    let lines: &[i32] = match side {
        9 => &[2, 4, 6],
        13 => &[3, 6, 9],
        15 => &[3, 7, 11],
        19 => &[3, 9, 15],
        _ => &[],
    };
    if !is_square || !kinds.all(|kind| kind == PieceKind::Stone) {
        return Vec::new();
    }
    let places = lines.iter().flat_map(|&x| lines.iter().map(move |&y| (x, y)));
    places.filter_map(|(x, y)| board.square_at(x, y)).map(|square| centres[square]).collect()
}

/// The squares at the corners of a slanted board, from the top left in the order of the clock.
fn slanted_corners(board: &Board) -> Option<[Square; 4]> {
    let last_row = board.squares.values().map(|info| info.y).max()?;
    let columns = board.diagonals().values().copied().max()?;
    let corner = |column: i32, row: i32| board.square_at(2 * column + row, row);
    Some([corner(0, 0)?, corner(columns, 0)?, corner(columns, last_row)?, corner(0, last_row)?])
}
