//! The functions of [`crate::api`] for compiled games: thin calls of [`Match`].
//!
//! # Examples
//!
//! ```
//! use regulus_abg::match_api;
//! use regulus_game::{Config, Game, Match};
//! use regulus_lang::Source;
//!
//! let text = "players = white; pieces = empty, pawn(white); rule pawn = [1, 0, Empty]; board_size = 2, 1; board = pawn, empty;";
//! let game = Game::new(Source::new("walk.abg", text), &Config::default())?;
//! let mut play = Match::new(&game)?;
//! let moves = match_api::generate_moves(&play)?;
//! match_api::execute_move(&mut play, &moves[0])?;
//! assert!(match_api::game_over(&play));
//! assert!(match_api::undo_move(&mut play) && !match_api::game_over(&play));
//! # Ok::<(), regulus_game::Error>(())
//! ```

use regulus_automaton::Id as _;
use regulus_engine::Step;
use regulus_game::{Error, Match};

/// The legal moves in the current state; an empty list if the game is over.
///
/// # Errors
///
/// As [`Match::moves`].
pub fn generate_moves(play: &Match) -> Result<Vec<Vec<Step>>, Error> {
    Ok(play.moves()?.iter().map(<[Step]>::to_vec).collect())
}

/// Plays a legal move.
///
/// # Errors
///
/// As [`Match::play`].
pub fn execute_move(play: &mut Match, steps: &[Step]) -> Result<(), Error> {
    play.play(steps)
}

/// Takes back the last move; returns whether there was one.
pub fn undo_move(play: &mut Match) -> bool {
    play.undo()
}

/// Whether the game is over.
#[must_use]
pub fn game_over(play: &Match) -> bool {
    play.player().is_none()
}

/// The current state as planes of rows of numbers, the highest row first: for each piece a plane with 1 where it stands, then a
/// plane with the number of the player to move everywhere.
#[must_use]
pub fn get_environment_representation(play: &Match) -> Vec<Vec<Vec<u8>>> {
    let (game, shape) = (play.game(), play.game().plane_shape());
    let mut values = vec![0.0; shape.len()];
    play.planes(&mut values);
    let pieces = game.automaton().pieces.len();
    let plane = |values: &[f32]| -> Vec<Vec<u8>> {
        let rows = values.chunks(shape.width);
        rows.map(|row| row.iter().map(|&value| u8::from(value > 0.5)).collect()).collect()
    };
    let planes = values.chunks(shape.height * shape.width).take(pieces);
    let mut planes: Vec<Vec<Vec<u8>>> = planes.map(plane).collect();
    let player = play.player().map_or(0, |player| player.index());
    let player = u8::try_from(player).unwrap_or(u8::MAX);
    planes.push(vec![vec![player; shape.width]; shape.height]);
    planes
}

/// The name of the player who makes the first move; `None` if the game is over before it begins.
#[must_use]
pub fn get_first_player(play: &Match) -> Option<&str> {
    let player = play.line().first().map(|ply| ply.player).or_else(|| play.player())?;
    Some(&play.game().automaton().players[player])
}

/// The name of the player who is to make the next move; `None` if the game is over.
#[must_use]
pub fn get_current_player(play: &Match) -> Option<&str> {
    play.player().map(|player| play.game().automaton().players[player].as_str())
}

/// The score of the player called `white`, or of the first if no player has that name; `None` as long as the game goes on.
#[must_use]
pub fn get_white_score(play: &Match) -> Option<i32> {
    let over = play.outcome().over()?;
    let white = play.game().player("white").map_or(0, |player| player.index());
    over.scores.get(white).copied()
}

/// Goes back to the initial state.
///
/// # Errors
///
/// Returns an error if the rules fault.
pub fn reset(play: &mut Match) -> Result<(), Error> {
    play.restart()
}
