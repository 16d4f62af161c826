//! The functions through which agents play, under the names of the thesis that introduced the language (its appendix B).
//!
//! To search: [`generate_moves`], [`execute_move`], [`undo_move`], [`game_over`]. To learn: [`get_environment_representation`],
//! [`get_first_player`], [`get_current_player`], [`get_white_score`], [`reset`].

use std::sync::Arc;

use crate::environment::Environment;
use crate::fault::Fault;
use crate::moves::Move;

/// The legal moves in the current state; an empty list if the game is over.
///
/// # Errors
///
/// As [`Environment::moves`].
pub fn generate_moves(environment: &mut Environment) -> Result<Arc<[Move]>, Fault> {
    environment.moves()
}

/// Plays a legal move in the current state.
///
/// # Errors
///
/// As [`Environment::play`]; the state is then as it was.
pub fn execute_move(environment: &mut Environment, chosen: &Move) -> Result<(), Fault> {
    environment.play(chosen)
}

/// Takes back the last move that was executed; returns whether there was one.
///
/// # Errors
///
/// As [`Environment::undo`].
pub fn undo_move(environment: &mut Environment) -> Result<bool, Fault> {
    environment.undo()
}

/// Whether the current state is a terminal state: a condition has ended the game, or the player in turn has no legal move.
///
/// # Errors
///
/// As [`Environment::moves`].
pub fn game_over(environment: &mut Environment) -> Result<bool, Fault> {
    Ok(environment.result()?.is_some())
}

/// The current state as planes of rows of numbers, the highest row first as in texts.
///
/// For each piece, in their order, a plane with 1 where it stands and 0 elsewhere; then a plane with the number of the player to
/// make the next move everywhere, 0 for the first.
#[must_use]
pub fn get_environment_representation(environment: &Environment) -> Vec<Vec<Vec<u8>>> {
    let (game, state) = (environment.game(), environment.state());
    let plane = |value: &dyn Fn(u8) -> u8| -> Vec<Vec<u8>> {
        let rows = state.board().chunks(game.width.max(1) as usize).rev();
        rows.map(|row| row.iter().map(|piece| value(*piece)).collect()).collect()
    };
    let pieces = 0..game.pieces.len();
    let mut planes: Vec<Vec<Vec<u8>>> =
        pieces.map(|number| plane(&|piece| u8::from(usize::from(piece) == number))).collect();
    let player = u8::try_from(state.current()).unwrap_or(u8::MAX);
    planes.push(plane(&|_| player));
    planes
}

/// The name of the player who makes the first move.
#[must_use]
pub fn get_first_player(environment: &Environment) -> &str {
    &environment.game().players[0]
}

/// The name of the player who is to make the next move.
#[must_use]
pub fn get_current_player(environment: &Environment) -> &str {
    environment.current()
}

/// The score of the player called `white`, or of the first player if there is no such name. In a terminal state it is the
/// final score, 100 for a win unless the text or the registry says otherwise; before, what effects have assigned.
///
/// # Errors
///
/// As [`Environment::moves`].
pub fn get_white_score(environment: &mut Environment) -> Result<i64, Fault> {
    let players = &environment.game().players;
    let white = players.iter().position(|player| player == "white").unwrap_or(0);
    let assigned = environment.state().scores()[white];
    Ok(environment.result()?.map_or(assigned, |scores| scores[white]))
}

/// Goes back to the initial state.
pub fn reset(environment: &mut Environment) {
    environment.reset();
}
