//! Boards as pictures: SVG documents that need nothing else.
//!
//! [`geometry`] says where everything lies, [`spread`] where the points of graphs do, [`shapes`] what pieces look like, [`colours`] which colours there are, and this
//! module puts them together.

mod colours;
mod geometry;
mod page;
mod shapes;
mod spread;

use std::fmt::{self, Write as _};

use regulus_automaton::svg::Escaped;
use regulus_automaton::{Border, Id as _, IdVec, Piece, PieceKind, Player, Square};
use regulus_engine::State;

use crate::game::Game;
pub use colours::Theme;
use colours::Tones;
use geometry::{Cells, Geometry, Point};
pub use page::BoardPicture;

/// The side of the box that shapes are drawn in.
const BOX: f64 = 100.0;
/// The colours of what is above and below 0 in pictures of heat.
const WARM: &str = "#d1495b";
const COLD: &str = "#2f6fb0";
/// How wide the tray with the pieces that players hold is.
const TRAY: f64 = 96.0;

/// The picture of a state; the squares of the last move are marked.
pub(crate) fn svg(game: &Game, state: &State, last: &[Square], theme: Theme) -> String {
    let geometry = Geometry::new(game);
    let picture = Picture { game, last, geometry, tones: theme.tones() };
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = picture.write(&mut text, state);
    text
}

/// The board without pieces and with a disc on each square that has a number: one colour for what is above 0 and another for what is
/// below, the stronger the further from it.
pub(crate) fn heat(game: &Game, heat: &[Option<f64>], theme: Theme) -> String {
    let geometry = Geometry::new(game);
    let picture = Picture { game, last: &[], geometry, tones: theme.tones() };
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = picture.write_heat(&mut text, heat);
    text
}

struct Picture<'a> {
    game: &'a Game,
    last: &'a [Square],
    geometry: Geometry,
    tones: &'static Tones,
}

impl Picture<'_> {
    fn write(&self, svg: &mut String, state: &State) -> fmt::Result {
        let has_hands = !self.game.automaton().looks.hands.is_empty();
        self.open(svg, self.geometry.width + if has_hands { TRAY } else { 0.0 })?;
        let looks = &self.game.automaton().looks;
        let held = looks.hands.iter().map(|hand| hand.piece);
        let on_board = self.game.automaton().board.squares.keys().map(|at| state.piece(at));
        let mut pieces: Vec<Piece> = on_board.chain(held).collect();
        pieces.sort_unstable();
        pieces.dedup();
        self.define_shapes(svg, &pieces)?;
        self.cells(svg)?;
        self.sides(svg)?;
        self.labels(svg)?;
        self.pieces(svg, state)?;
        if has_hands {
            self.hands(svg, state)?;
        }
        writeln!(svg, "</svg>")
    }

    fn write_heat(&self, svg: &mut String, heat: &[Option<f64>]) -> fmt::Result {
        self.open(svg, self.geometry.width)?;
        self.cells(svg)?;
        self.sides(svg)?;
        self.labels(svg)?;
        let most = heat.iter().flatten().fold(1e-9, |most: f64, value| most.max(value.abs()));
        for ((_, (x, y)), value) in self.geometry.centres.iter().zip(heat) {
            let Some(value) = value else { continue };
            let colour = if *value < 0.0 { COLD } else { WARM };
            let strength = (value.abs() / most).clamp(0.0, 1.0);
            let radius = self.geometry.room * 0.44;
            writeln!(
                svg,
                r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius:.1}" fill="{colour}" fill-opacity="{strength:.2}"/>"#
            )?;
        }
        writeln!(svg, "</svg>")
    }

    /// Begins a picture of this width.
    fn open(&self, svg: &mut String, whole: f64) -> fmt::Result {
        let height = self.geometry.height;
        let title = Escaped(self.game.source().name());
        writeln!(
            svg,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole:.0} {height:.0}" width="{whole:.0}" height="{height:.0}" font-family="system-ui, sans-serif" role="img" aria-label="{title}">"#
        )?;
        let paper = self.tones.paper;
        writeln!(svg, r#"<rect width="100%" height="100%" fill="{paper}"/>"#)
    }

    /// The shape of each of these pieces; those on the board are copies of them.
    fn define_shapes(&self, svg: &mut String, pieces: &[Piece]) -> fmt::Result {
        writeln!(svg, "<defs>")?;
        let looks = &self.game.automaton().looks;
        for &piece in pieces {
            let look = &looks.pieces[piece];
            if look.is_empty {
                continue;
            }
            let colour = look.owner.map(|owner| looks.players[owner].colour);
            let paint = self.tones.piece(colour);
            let shape = shapes::shape(look.kind);
            let turn = if self.is_turned(look.owner) && look.kind == PieceKind::Wedge {
                r#" transform="rotate(180 50 50)""#
            } else {
                ""
            };
            let (fill, line, detail) = (paint.fill, paint.line, paint.detail);
            write!(
                svg,
                r#"<g id="p{}"><g{turn} stroke-linejoin="round" stroke-linecap="round"><path d="{}" fill="{fill}" stroke="{line}" stroke-width="3.5"/>"#,
                piece.index(),
                shape.body
            )?;
            if !shape.detail.is_empty() {
                write!(
                    svg,
                    r#"<path d="{}" fill="none" stroke="{detail}" stroke-width="3.5"/>"#,
                    shape.detail
                )?;
            }
            write!(svg, "</g>")?;
            if shape.has_letters {
                // Shape and colour tell whose it is; letters need not.
                let letters = match look.owner {
                    Some(_) => look.symbol.to_uppercase(),
                    None => look.symbol.clone(),
                };
                let size = match letters.chars().count() {
                    0 | 1 => 44,
                    2 => 34,
                    _ => 26,
                };
                write!(
                    svg,
                    r#"<text x="50" y="{}" font-size="{size}" font-weight="600" text-anchor="middle" fill="{detail}">{}</text>"#,
                    if look.kind == PieceKind::Wedge { 56 } else { 50 } + size * 36 / 100,
                    Escaped(&letters)
                )?;
            }
            writeln!(svg, "</g>")?;
        }
        writeln!(svg, "</defs>")
    }

    /// Whether the pieces of a player point downwards.
    fn is_turned(&self, owner: Option<Player>) -> bool {
        owner.is_some_and(|owner| owner != Player(0))
    }

    fn cells(&self, svg: &mut String) -> fmt::Result {
        let Geometry { cells, lines, stars, .. } = &self.geometry;
        let tones = self.tones;
        match cells {
            Cells::Polygons(polygons) => {
                for (square, polygon) in polygons.iter() {
                    let tone = tones.cells[polygon.tone % tones.cells.len()];
                    let tone = if self.last.contains(&square) {
                        tones.last[polygon.tone % 2]
                    } else {
                        tone
                    };
                    writeln!(
                        svg,
                        r#"<polygon points="{}" fill="{tone}" stroke="{}" stroke-width="1"/>"#,
                        points(&polygon.corners),
                        tones.line
                    )?;
                }
            }
            Cells::Points => {
                let [(left, top), (right, bottom)] = self.geometry.field;
                let (width, height) = (right - left, bottom - top);
                writeln!(
                    svg,
                    r#"<rect x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}" rx="8" fill="{}"/>"#,
                    tones.cells[0]
                )?;
            }
        }
        if !lines.is_empty() {
            // Together, since there are many.
            let line = |[from, to]: &[Point; 2]| {
                format!("M{:.1} {:.1}L{:.1} {:.1}", from.0, from.1, to.0, to.1)
            };
            let all: String = lines.iter().map(line).collect();
            writeln!(
                svg,
                r#"<path d="{all}" fill="none" stroke="{}" stroke-width="2"/>"#,
                tones.grid
            )?;
        }
        for (x, y) in stars {
            writeln!(svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="5" fill="{}"/>"#, tones.grid)?;
        }
        if matches!(cells, Cells::Points) {
            for (square, (x, y)) in self.geometry.centres.iter() {
                let is_last = self.last.contains(&square);
                if !lines.is_empty() && self.geometry.dots {
                    writeln!(
                        svg,
                        r#"<circle cx="{x:.1}" cy="{y:.1}" r="7" fill="{}"/>"#,
                        tones.grid
                    )?;
                }
                if is_last {
                    writeln!(
                        svg,
                        r#"<circle cx="{x:.1}" cy="{y:.1}" r="{:.1}" fill="{}"/>"#,
                        self.geometry.room * 0.56,
                        tones.last[0]
                    )?;
                }
            }
        }
        for [from, to] in &self.geometry.seams {
            writeln!(
                svg,
                r#"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="{}" stroke-width="4" stroke-dasharray="3 9" stroke-linecap="round"/>"#,
                from.0, from.1, to.0, to.1, tones.label
            )?;
        }
        Ok(())
    }

    /// Bands in the colours of the players along their sides.
    fn sides(&self, svg: &mut String) -> fmt::Result {
        let looks = &self.game.automaton().looks;
        for side in &looks.sides {
            let band: Vec<Point> = self.geometry.border(side.border);
            let paint = self.tones.piece(Some(looks.players[side.player].colour));
            writeln!(
                svg,
                r#"<polyline points="{}" fill="none" stroke="{}" stroke-width="9" stroke-linejoin="round" stroke-linecap="round"/>"#,
                points(&band),
                paint.fill
            )?;
        }
        Ok(())
    }

    fn labels(&self, svg: &mut String) -> fmt::Result {
        let size = self.geometry.label_size;
        for (text, (x, y)) in &self.geometry.labels {
            let y = y + middle(size);
            writeln!(
                svg,
                r#"<text x="{x:.1}" y="{y:.1}" font-size="{}" text-anchor="middle" fill="{}">{}</text>"#,
                size,
                self.tones.label,
                Escaped(text)
            )?;
        }
        Ok(())
    }

    fn pieces(&self, svg: &mut String, state: &State) -> fmt::Result {
        let looks = &self.game.automaton().looks;
        for (square, &centre) in self.geometry.centres.iter() {
            let piece = state.piece(square);
            if !looks.pieces[piece].is_empty {
                copy(svg, piece, centre, self.geometry.room)?;
            }
        }
        Ok(())
    }

    /// The pieces that players hold, those of the first player at the bottom.
    fn hands(&self, svg: &mut String, state: &State) -> fmt::Result {
        let automaton = self.game.automaton();
        let Geometry { width, height, .. } = self.geometry;
        let players: IdVec<Player, Vec<(Piece, i32)>> =
            automaton.players.keys().map(|player| self.game.hand(state, player)).collect();
        let share = (height - 16.0) / players.len().max(1) as f64;
        for (player, held) in players.iter() {
            let top = height - 8.0 - share * (player.index() + 1) as f64;
            writeln!(
                svg,
                r#"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="8" fill="{}"/>"#,
                width,
                top + 4.0,
                TRAY - 10.0,
                share - 8.0,
                self.tones.tray
            )?;
            let room = (share - 16.0) / held.len().max(1) as f64;
            let size = room.min(46.0);
            for (place, (piece, count)) in held.iter().enumerate() {
                let y = top + 8.0 + room * (place as f64 + 0.5);
                copy(svg, *piece, (width + 28.0, y), size)?;
                let y = y + middle(16);
                writeln!(
                    svg,
                    r#"<text x="{:.1}" y="{y:.1}" font-size="16" fill="{}">×{count}</text>"#,
                    width + 54.0,
                    self.tones.label
                )?;
            }
        }
        Ok(())
    }
}

/// How far below its middle a line of letters stands.
fn middle(size: u32) -> f64 {
    0.36 * f64::from(size)
}

/// A piece at a place, in a box with this side.
fn copy(svg: &mut String, piece: Piece, (x, y): Point, side: f64) -> fmt::Result {
    let scale = side / BOX;
    let (left, top) = (x - side / 2.0, y - side / 2.0);
    writeln!(
        svg,
        r##"<use href="#p{}" transform="translate({left:.1} {top:.1}) scale({scale:.3})"/>"##,
        piece.index()
    )
}

fn points(points: &[Point]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    points.join(" ")
}

/// The corners at the ends of a side, as numbers of the corners of a field from the top left in the order of the clock.
fn corners_of(border: Border) -> [usize; 2] {
    match border {
        Border::Top => [0, 1],
        Border::Right => [1, 2],
        Border::Bottom => [2, 3],
        Border::Left => [3, 0],
    }
}
