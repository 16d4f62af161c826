//! Evaluations that are not learnt, which one can ask for by name: those that general players of METAGAME began with.

use std::sync::Arc;

use regulus_automaton::{Id as _, Player};
use regulus_game::Game;

use super::{Evaluation, Features, Fitted, fitted};

/// By what positions are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EvaluationKind {
    /// Weights that were fitted to the game.
    Fitted,
    /// How many pieces players have, all worth the same.
    Material,
    /// How many moves players have.
    Mobility,
    /// The mean result of some random games.
    Outcome,
    /// The net that is shipped for the game; for other games weights that were fitted.
    Net,
}

impl EvaluationKind {
    /// All of them, in the order of their [names](EvaluationKind::NAMES).
    const ALL: [EvaluationKind; 5] = [
        EvaluationKind::Fitted,
        EvaluationKind::Material,
        EvaluationKind::Mobility,
        EvaluationKind::Outcome,
        EvaluationKind::Net,
    ];

    /// What they are called.
    pub(crate) const NAMES: &'static [&'static str] =
        &["fitted", "material", "mobility", "outcome", "net"];

    /// The one whose name has a number.
    pub(crate) fn from_number(number: usize) -> EvaluationKind {
        EvaluationKind::ALL.get(number).copied().unwrap_or(EvaluationKind::Fitted)
    }

    /// The evaluation of this kind for a game.
    pub(crate) fn of(self, game: &Arc<Game>, learning: u32) -> Arc<Fitted> {
        match self {
            // A net judges positions, and the weights say which moves are tried first.
            EvaluationKind::Fitted | EvaluationKind::Net => fitted(game, learning),
            _ => Arc::new(self.plain(game)),
        }
    }

    /// An evaluation that needs no learning.
    fn plain(self, game: &Game) -> Fitted {
        let features = Features::new(game, &[]).without_lines().with_territory(None);
        let mut evaluation = Evaluation::blank(&features);
        evaluation.has_captures = true;
        evaluation.follows_captures = true;
        evaluation.unit = PIECE;
        evaluation.uses_mobility = self == EvaluationKind::Mobility;
        evaluation.outcome_games = if self == EvaluationKind::Outcome { OUTCOME_GAMES } else { 0 };
        for (number, weights) in evaluation.weights.iter_mut().enumerate() {
            let me = Player(number as u32);
            let sign = |player: Player| if player == me { 1 } else { -1 };
            if self == EvaluationKind::Material {
                for (piece, owner) in features.owners.iter().enumerate() {
                    let worth = owner.map_or(0, |owner| sign(owner) * PIECE);
                    weights.material[piece] = worth;
                    for square in 0..features.squares {
                        weights.placed[square * features.pieces + piece] = worth;
                    }
                }
            }
            if self == EvaluationKind::Mobility {
                for (mover, mobility) in weights.mobility.iter_mut().enumerate() {
                    let sign = sign(Player::from_index(mover));
                    *mobility = [sign * DOUBLING, -sign * DOUBLING];
                }
            }
        }
        Fitted { features, evaluation, is_complete: true }
    }
}

/// What a piece is worth, in thousandths of the logistic scale.
const PIECE: i32 = 300;

/// What twice as many moves are worth.
const DOUBLING: i32 = 500;

/// How many random games a position is judged by.
const OUTCOME_GAMES: u32 = 8;
