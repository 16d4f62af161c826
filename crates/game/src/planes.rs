//! Positions as planes of numbers, for networks.

use regulus_automaton::{Id as _, Player};
use regulus_engine::{History, Rules as _, State};

use crate::game::Game;

/// How many planes a position has, and how large they are. In order there is a plane
///
/// 1. for each piece: 1 where it stands, else 0;
/// 2. for each player: all 1 if the player is in control, else all 0;
/// 3. for each variable but the scores: its value as a part of its bound, everywhere;
/// 4. if the game ends by repetition: how often the position has occurred, as a part of the number that ends the game.
///
/// Squares lie as in [`crate::Grid`]; where the grid has no square, planes of pieces are 0.
///
/// # Examples
///
/// ```
/// use regulus_game::{Config, Game, Match};
///
/// let game = Game::load("tic_tac_toe", &Config::default())?;
/// let shape = game.plane_shape();
/// let mut planes = vec![0.0; shape.len()];
/// Match::new(&game)?.planes(&mut planes);
/// assert_eq!(planes.len(), shape.planes * 3 * 3);
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneShape {
    /// How many planes there are.
    pub planes: usize,
    /// How many rows each has.
    pub height: usize,
    /// How many columns each has.
    pub width: usize,
}

impl PlaneShape {
    pub(crate) fn of(game: &Game) -> PlaneShape {
        let automaton = game.automaton();
        // There is a score for each player, so the players' planes make up for the scores.
        let planes = automaton.pieces.len() + automaton.variables.len();
        let planes = planes + usize::from(game.keeps_history());
        PlaneShape { planes, height: game.grid().height(), width: game.grid().width() }
    }

    /// How many numbers all planes have together.
    #[must_use]
    pub fn len(&self) -> usize {
        self.planes * self.height * self.width
    }

    /// Whether there are no numbers; there always are some.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Writes the planes of a position with a player in control. The memory must have exactly the length of the shape.
pub(crate) fn write(
    game: &Game,
    state: &State,
    history: &History,
    player: Option<Player>,
    planes: &mut [f32],
) {
    let shape = PlaneShape::of(game);
    assert_eq!(planes.len(), shape.len(), "the planes have {} numbers", shape.len());
    let (automaton, rules) = (game.automaton(), game.rules());
    let size = shape.height * shape.width;
    let (pieces, others) = planes.split_at_mut(automaton.pieces.len() * size);
    pieces.fill(0.0);
    for square in automaton.board.squares.keys() {
        let (x, y) = game.grid().place(square);
        pieces[state.piece(square).index() * size + y * shape.width + x] = 1.0;
    }
    let players = automaton.players.keys().map(|each| f32::from(u8::from(player == Some(each))));
    let variables = automaton.variables.iter().skip(automaton.players.len());
    let variables = variables.map(|(variable, info)| {
        let value = rules.variable(state, variable);
        if info.bound == 0 { 0.0 } else { value as f32 / info.bound as f32 }
    });
    let repeated = automaton.repetition.as_ref().map(|rule| {
        let count = history.count(rules.referee().position_key(state));
        count as f32 / rule.times as f32
    });
    let values = players.chain(variables).chain(repeated);
    for (plane, value) in others.chunks_exact_mut(size.max(1)).zip(values) {
        plane.fill(value);
    }
}
