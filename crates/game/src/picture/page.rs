//! Boards for pages: what does not change while a game is played, as SVG, and where the rest belongs.

use std::fmt::{self, Write as _};

use regulus_automaton::{Id as _, Piece, Square};

use super::geometry::{Cells, Geometry, Point};
use super::{Picture, points};
use crate::game::Game;
use crate::picture::Theme;

/// The board of a game without pieces, for a page that adds them.
///
/// Colours are CSS variables, which the page defines: `--board-cell-1` to `--board-cell-3`, `--board-last-1`, `--board-last-2`,
/// `--board-line`, `--board-grid`, `--board-label` and `--board-tray`.
///
/// # Examples
///
/// ```
/// use regulus_game::{BoardPicture, Config, Game};
///
/// let game = Game::load("chess", &Config::default())?;
/// let board = BoardPicture::new(&game);
/// assert_eq!(board.centres.len(), 64);
/// assert!(board.svg.contains(r#"data-square="63""#));
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoardPicture {
    /// An SVG document: in `defs` a shape for each piece (`p` and its number, in a box of 100 by 100); then the squares,
    /// lines, sides and names. Where squares can be clicked there is a shape with the attribute `data-square`.
    pub svg: String,
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// The side of the box that a piece fits in.
    pub room: f64,
    /// The middle of each square: to the right and down.
    pub centres: Vec<(f64, f64)>,
}

impl BoardPicture {
    /// Draws the board of a game.
    #[must_use]
    pub fn new(game: &Game) -> BoardPicture {
        let geometry = Geometry::new(game);
        let (width, height, room) = (geometry.width, geometry.height, geometry.room);
        let centres = geometry.centres.values().copied().collect();
        let picture = Picture { game, geometry, last: &[], tones: Theme::Page.tones() };
        let mut svg = String::new();
        // Writing to a string does not fail.
        let _ = picture.write_page(&mut svg);
        BoardPicture { svg, width, height, room, centres }
    }
}

impl Picture<'_> {
    fn write_page(&self, svg: &mut String) -> fmt::Result {
        let Geometry { width, height, .. } = self.geometry;
        writeln!(
            svg,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}">"#
        )?;
        let pieces: Vec<Piece> = self.game.automaton().pieces.keys().collect();
        self.define_shapes(svg, &pieces)?;
        writeln!(svg, r#"<g class="cells">"#)?;
        self.cells(svg)?;
        self.sides(svg)?;
        writeln!(svg, r#"</g><g class="labels">"#)?;
        self.labels(svg)?;
        writeln!(svg, r#"</g><g class="hits">"#)?;
        self.hits(svg)?;
        writeln!(svg, "</g></svg>")
    }

    /// Shapes that can be clicked, one for each square; they are not seen.
    fn hits(&self, svg: &mut String) -> fmt::Result {
        for (square, &(x, y)) in self.geometry.centres.iter() {
            let number = square.index();
            match self.corners(square) {
                Some(corners) => writeln!(
                    svg,
                    r#"<polygon data-square="{number}" points="{}" fill="transparent"/>"#,
                    points(corners)
                )?,
                None => writeln!(
                    svg,
                    r#"<circle data-square="{number}" cx="{x:.1}" cy="{y:.1}" r="{:.1}" fill="transparent"/>"#,
                    self.geometry.room * 0.56
                )?,
            }
        }
        Ok(())
    }

    /// The corners of a square; `None` if squares are points.
    fn corners(&self, square: Square) -> Option<&[Point]> {
        match &self.geometry.cells {
            Cells::Polygons(polygons) => Some(&polygons[square].corners),
            Cells::Points => None,
        }
    }
}
