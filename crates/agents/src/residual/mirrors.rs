//! Other views of a position that are worth the same to the player to move, as planes.

use std::sync::Arc;

use regulus_automaton::{Id as _, IdVec, Piece, Player, Square, Variable};
use regulus_game::{Error, Game, Match};

use super::net::cells_of_squares;
use crate::budget::Clock;
use crate::evaluation::{Symmetry, positions, symmetries};

/// The seed of the positions on which symmetries are tried, and their number.
const SEED: u64 = 1;
const POSITIONS: usize = 16;

/// The board laid on itself in another way, perhaps with the players exchanged: where each number of a position goes.
///
/// # Examples
///
/// ```
/// use regulus_agents::residual::PlaneMirror;
/// use regulus_agents::{Budget, Clock, Stop};
/// use regulus_game::{Config, Game};
///
/// let game = Game::load("breakthrough", &Config::default())?;
/// let clock = Clock::start(Budget::default(), Stop::new());
/// // Left and right can be exchanged, the players can, and both.
/// assert_eq!(PlaneMirror::all(&game, &clock)?.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaneMirror {
    cells: Vec<u32>,
    planes: Vec<u32>,
}

impl PlaneMirror {
    /// All that a game has.
    ///
    /// # Errors
    ///
    /// If the rules fault.
    pub fn all(game: &Arc<Game>, clock: &Clock) -> Result<Vec<PlaneMirror>, Error> {
        let play = Match::new(game)?;
        let positions = positions(&play, SEED, POSITIONS, clock)?;
        let found = symmetries(game, &positions, clock);
        Ok(found.iter().map(|symmetry| PlaneMirror::of(game, symmetry)).collect())
    }

    fn of(game: &Game, symmetry: &Symmetry) -> PlaneMirror {
        let Symmetry { squares, pieces, players, variables } = symmetry;
        let shape = game.plane_shape();
        let places = cells_of_squares(game);
        // Cells without a square stay where they are; nothing is there.
        let mut cells: Vec<u32> = (0..(shape.height * shape.width) as u32).collect();
        for (square, &other) in squares.iter() {
            let square: Square = square;
            cells[places[square.index()] as usize] = places[other.index()];
        }
        let mut planes: Vec<u32> = numbers::<Piece>(pieces);
        let mut add = |others: Vec<u32>| {
            let before = planes.len() as u32;
            planes.extend(others.into_iter().map(|other| before + other));
        };
        add(numbers::<Player>(players));
        // The scores have no planes.
        let scores = players.len() as u32;
        let others = numbers::<Variable>(variables).split_off(scores as usize);
        add(others.into_iter().map(|other| other.saturating_sub(scores)).collect());
        planes.extend(planes.len() as u32..shape.planes as u32);
        PlaneMirror { cells, planes }
    }

    /// Writes how numbers look in the mirror, where all numbers of a cell follow each other.
    pub fn write(&self, numbers: &[f32], seen: &mut [f32]) {
        let count = self.planes.len();
        for (row, cell) in numbers.chunks_exact(count).zip(&self.cells) {
            let to = &mut seen[*cell as usize * count..(*cell as usize + 1) * count];
            for (number, plane) in row.iter().zip(&self.planes) {
                to[*plane as usize] = *number;
            }
        }
    }
}

/// What takes the place of each, as numbers.
fn numbers<I: regulus_automaton::Id>(others: &IdVec<I, I>) -> Vec<u32> {
    others.values().map(|other| other.index() as u32).collect()
}
