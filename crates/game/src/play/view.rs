//! The position of a play for people and programs: lines of text, boards, pictures, planes of numbers.

use regulus_automaton::{Piece, Player, Square};

use super::Match;
use crate::picture::{self, Theme};
use crate::terminal::{self, Paint, TextStyle};
use crate::{fen, planes, position};

impl Match {
    /// The position as one line of text, which [`Match::from_position`] reads.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let game = Game::load("breakthrough", &Config::default())?;
    /// let mut play = Match::new(&game)?;
    /// play.play_named("a2-a3")?;
    /// let copy = Match::from_position(&game, &play.position())?;
    /// assert_eq!(copy.state(), play.state());
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    #[must_use]
    pub fn position(&self) -> String {
        position::write(&self.game, &self.state)
    }

    /// The position in FEN; `None` if the game is not chess.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let play = Match::new(&Game::load("chess", &Config::default())?)?;
    /// let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// assert_eq!(play.fen().as_deref(), Some(fen));
    /// let play = Match::new(&Game::load("hex", &Config::default())?)?;
    /// assert_eq!(play.fen(), None);
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    #[must_use]
    pub fn fen(&self) -> Option<String> {
        fen::write(&self.game, &self.state)
    }

    /// The board as text, with the names of rows and columns.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let play = Match::new(&Game::load("tic_tac_toe", &Config::default())?)?;
    /// assert!(play.board().ends_with("a b c\n"));
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    #[must_use]
    pub fn board(&self) -> String {
        self.draw(TextStyle::default(), &mut |_, text| text.to_owned())
    }

    /// The board as text; `paint` gives the symbols their colours.
    #[must_use]
    pub fn draw(&self, style: TextStyle, paint: &mut dyn FnMut(Paint, &str) -> String) -> String {
        terminal::board(&self.game, &self.state, &self.last_squares(), style, paint)
    }

    /// The board as a picture, an SVG document. The squares of the last move are marked.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match, Theme};
    ///
    /// let game = Game::load("hex", &Config::default())?;
    /// let svg = Match::new(&game)?.svg(Theme::Light);
    /// assert!(svg.starts_with("<svg"));
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    #[must_use]
    pub fn svg(&self, theme: Theme) -> String {
        picture::svg(&self.game, &self.state, &self.last_squares(), theme)
    }

    /// Returns the pieces that a player holds beside the board, with their numbers: [`crate::Game::hand`] of the present state.
    #[must_use]
    pub fn hand(&self, player: Player) -> Vec<(Piece, i32)> {
        self.game.hand(&self.state, player)
    }

    /// The squares that the last move went over, each once.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let game = Game::load("breakthrough", &Config::default())?;
    /// let mut play = Match::new(&game)?;
    /// play.play_named("a2-a3")?;
    /// let squares = play.last_squares();
    /// let names: Vec<&str> = squares.iter().map(|&square| game.notation().square(square)).collect();
    /// assert_eq!(names, ["a3", "a2"]);
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    #[must_use]
    pub fn last_squares(&self) -> Vec<Square> {
        let steps = self.line.last().map_or(&[][..], |ply| &ply.steps.0);
        let mut squares: Vec<Square> = steps.iter().map(|step| step.square).collect();
        squares.sort_unstable();
        squares.dedup();
        squares
    }

    /// Writes the position as planes of numbers ([`crate::Game::plane_shape`]), row by row, without allocating.
    ///
    /// # Panics
    ///
    /// When the memory has not exactly the length of the shape.
    pub fn planes(&self, planes: &mut [f32]) {
        planes::write(&self.game, &self.state, &self.history, self.player(), planes);
    }
}
