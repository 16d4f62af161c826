//! What a position is worth before anything is tried: a weighted sum of what stands where, fitted to the game.
//!
//! Nothing about the game is known but its automaton. [`Evaluation::fit`] plays games, random ones first and then such as the
//! evaluation itself chooses, and finds the weights from which their results can be told best.

mod features;
mod fit;
mod judgement;
mod lines;
mod named;
mod samples;
mod store;
mod symmetry;
mod territory;

use regulus_automaton::{Id as _, Player};
use regulus_engine::{Layout, State, Step};
use regulus_game::Game;

use features::VariableFeature;
use lines::Lines;
use territory::{NUMBERS, Territory};

pub(crate) use features::Features;
pub(crate) use fit::Fitted;
pub use fit::limit_learning;
pub use judgement::{Judgement, PieceWorth};
pub(crate) use named::EvaluationKind;
pub(crate) use samples::positions;
pub(crate) use store::{fitted, is_fitted};
pub use store::{keep_evaluations_in, learn_evaluation};
pub(crate) use symmetry::{Symmetry, symmetries};

/// The most weights of pieces on squares of a game that is worth learning, for all players together.
const MOST_LEARNT: usize = 200_000;

/// Whether a game is small enough to learn what its pieces are worth on its squares: with few pieces and squares, and few
/// players. Players that learn can play others, too, but take much memory and know little.
///
/// # Examples
///
/// ```
/// use regulus_game::{Config, Game};
///
/// let game = Game::load("chess", &Config::default())?;
/// assert!(regulus_agents::can_be_learnt(&game));
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[must_use]
pub fn can_be_learnt(game: &Game) -> bool {
    let automaton = game.automaton();
    let [squares, pieces] = [automaton.board.squares.len(), automaton.pieces.len()];
    let models = if game.player_count() == 2 { 1 } else { game.player_count() };
    squares.saturating_mul(pieces).saturating_mul(models) <= MOST_LEARNT
}

/// How many units a unit of the logistic scale has.
pub(crate) const SCALE: f64 = 1000.0;

/// No position that is not decided is worth more than this.
pub(crate) const HIGHEST: i32 = 500_000;

/// Weights for the positions of a game.
#[derive(Clone, Debug)]
pub(crate) struct Evaluation {
    lines: Lines,
    pieces: usize,
    squares: usize,
    /// Those of the first player, which are the opposite of the others'; or of each player.
    weights: Vec<Weights>,
    /// Whether pieces can be taken.
    has_captures: bool,
    /// Whether moves that take pieces of others are rare enough to be followed to their end.
    pub(crate) follows_captures: bool,
    /// The same of moves after which a player has more material of its own.
    pub(crate) follows_promotions: bool,
    /// Whether no position was seen in which a player could take and could also do something else.
    pub(crate) must_take: bool,
    /// Whether it matters how many moves players have.
    pub(crate) uses_mobility: bool,
    /// Who reaches which squares first; `None` if it does not matter.
    territory: Option<Territory>,
    /// What an average piece is worth.
    pub(crate) unit: i32,
    /// By how many random games a position is judged instead of by its weights; 0 for none.
    pub(crate) outcome_games: u32,
}

/// What a position is worth to one player.
#[derive(Clone, Debug, Default)]
struct Weights {
    /// A piece on a square, at `square * pieces + piece`.
    placed: Vec<i32>,
    /// A piece anywhere.
    material: Vec<i32>,
    /// By the player to move.
    turn: Vec<i32>,
    /// By the player to move: how many moves there are, and how many the player before had, on a logarithmic scale.
    mobility: Vec<[i32; 2]>,
    /// What stands on lines, by the numbers of their weights.
    lines: Vec<i32>,
    /// What it is worth to reach squares first.
    territory: Vec<i32>,
    /// What each unit of a variable is worth.
    variables: Vec<(VariableFeature, f32)>,
}

/// How many legal moves there were on the way to a position.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mobility {
    /// Of the player to move.
    pub(crate) now: u32,
    /// Of the player who moved before.
    pub(crate) before: u32,
}

/// What a move changes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gain {
    /// By how much the position becomes better for the player who moves.
    pub(crate) gain: i32,
    /// By how much the player's own pieces are worth more.
    pub(crate) own: i32,
    /// Whether a piece of another player is taken.
    pub(crate) takes: bool,
}

impl Evaluation {
    /// All positions are worth the same.
    pub(crate) fn blank(features: &Features) -> Evaluation {
        let weights = Weights {
            placed: vec![0; features.squares * features.pieces],
            material: vec![0; features.pieces],
            turn: vec![0; features.players],
            mobility: vec![[0; 2]; features.players],
            lines: vec![0; features.lines.weights],
            territory: vec![0; NUMBERS],
            variables: Vec::new(),
        };
        Evaluation {
            lines: features.lines.clone(),
            pieces: features.pieces,
            squares: features.squares,
            weights: vec![weights; features.model_count()],
            has_captures: false,
            follows_captures: false,
            follows_promotions: false,
            must_take: true,
            uses_mobility: false,
            territory: features.territory.clone(),
            unit: 100,
            outcome_games: 0,
        }
    }

    /// The weights for a player, and by what they are to be multiplied.
    #[inline]
    fn weights(&self, player: Player) -> (&Weights, i32) {
        match self.weights.get(player.index()) {
            Some(weights) => (weights, 1),
            None => (&self.weights[0], -1),
        }
    }

    /// What a position is worth to a player, in thousandths of the logistic scale. A player is to move.
    #[inline]
    pub(crate) fn value(
        &self,
        layout: &Layout,
        state: &State,
        player: Player,
        mobility: Mobility,
    ) -> i32 {
        let (weights, sign) = self.weights(player);
        let mover = state.mover(layout).map_or(0, |mover| mover.index());
        let mut sum = weights.turn[mover] + self.sum(weights, &state.bytes()[..self.squares]);
        for (variable, weight) in &weights.variables {
            sum += (variable.value(state) as f32 * weight) as i32;
        }
        if self.uses_mobility {
            let [now, before] = weights.mobility[mover];
            sum += (now * logarithm(mobility.now) + before * logarithm(mobility.before)) / 64;
        }
        if let Some(territory) = &self.territory {
            let mover = Player::from_index(mover);
            let numbers = territory.numbers(&state.bytes()[..self.squares], mover);
            let worth = numbers.iter().zip(&weights.territory);
            sum += worth.map(|(number, &weight)| number * weight as f32).sum::<f32>() as i32;
        }
        sign * sum.clamp(-HIGHEST, HIGHEST)
    }

    /// What a board by itself is worth to a player.
    fn board_value(&self, board: &[u8], player: Player) -> i32 {
        let (weights, sign) = self.weights(player);
        sign * self.sum(weights, board)
    }

    /// The weights of what stands on the board.
    #[inline]
    fn sum(&self, weights: &Weights, board: &[u8]) -> i32 {
        let mut sum = 0;
        for (&piece, row) in board.iter().zip(weights.placed.chunks_exact(self.pieces)) {
            sum += row[usize::from(piece)];
        }
        for line in &self.lines.lines {
            sum += line.signed(weights.lines[line.weight(board, self.pieces)]);
        }
        sum
    }

    /// What a move changes in a position, by the pieces that it puts on squares.
    #[inline]
    pub(crate) fn gain(
        &self,
        features: &Features,
        state: &State,
        player: Player,
        steps: &[Step],
    ) -> Gain {
        let (weights, sign) = self.weights(player);
        let mut gain = Gain::default();
        for (place, step) in steps.iter().enumerate() {
            let Some(new) = features.put(step.modifier.index()) else { continue };
            // A square may be written twice.
            let earlier = steps[..place].iter().rev().find_map(|other| {
                let is_here = other.square == step.square;
                if is_here { features.put(other.modifier.index()) } else { None }
            });
            let old = earlier.unwrap_or_else(|| state.piece(step.square).index());
            let row = &weights.placed[step.square.index() * self.pieces..][..self.pieces];
            gain.gain += row[new] - row[old];
            let (before, after) = (features.owners[old], features.owners[new]);
            gain.takes |= before.is_some_and(|owner| owner != player) && after != before;
            if after == Some(player) {
                gain.own += weights.material[new];
            }
            if before == Some(player) {
                gain.own -= weights.material[old];
            }
        }
        gain.gain *= sign;
        gain.own *= sign;
        gain
    }

    /// What a piece is worth to a player, wherever it stands.
    pub(crate) fn material(&self, player: Player, piece: usize) -> i32 {
        let (weights, sign) = self.weights(player);
        sign * weights.material[piece]
    }
}

/// The result that can be expected of a position that is worth `value`, from 0 to 1.
pub(crate) fn expected(value: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(value) / SCALE).exp())
}

/// The logarithm of a number of moves, in 64ths of the binary one.
#[inline]
pub(crate) fn logarithm(moves: u32) -> i32 {
    // Linear between the powers of two, which is close enough.
    let number = moves + 1;
    let power = number.ilog2();
    let rest = ((u64::from(number) << 6 >> power) as i32) - 64;
    (power as i32) * 64 + rest
}
