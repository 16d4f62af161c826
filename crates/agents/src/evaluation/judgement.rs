//! What an evaluation says about a game, for people.

use std::sync::Arc;
use std::time::Duration;

use regulus_automaton::{Id as _, Piece, Player};
use regulus_game::{Error, Game, Match};

use super::samples::positions;
use super::{Evaluation, Fitted, SCALE, fitted};
use crate::budget::{Budget, Clock, Stop};

/// What the pieces of a game are worth, as the players `alphabeta` and `mcts` have learnt it.
///
/// # Examples
///
/// ```no_run
/// use regulus_agents::Judgement;
/// use regulus_game::{Config, Game};
///
/// let game = Game::load("chess", &Config::default())?;
/// let judgement = Judgement::new(&game, 1)?;
/// for sentence in judgement.sentences(&game) {
///     println!("{sentence}"); // "A knight is worth 3.1 pawns."
/// }
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The pieces that belong to players and were seen on the board.
    pub pieces: Vec<PieceWorth>,
    /// Whether it counts how many pieces there are; not so where all moves put a piece and none takes one.
    pub counts: bool,
    /// What it is worth to its player to be on move, on the logistic scale.
    pub turn: f64,
    /// What twice as many moves are worth to the player on move; `None` if that does not count.
    pub mobility: Option<f64>,
    /// What it is worth to reach a tenth of the squares first, on a board that is half empty; `None` if that does not count.
    pub territory: Option<f64>,
}

/// What a piece is worth to its owner, on the logistic scale: with 1 more the odds of winning are 2.7 times as high.
#[derive(Clone, Debug)]
pub struct PieceWorth {
    /// The piece.
    pub piece: Piece,
    /// Whose it is.
    pub owner: Player,
    /// What it is worth on average, where it stands.
    pub worth: f64,
    /// What it is worth on each square, in the order of the board; `None` where it was never seen.
    pub squares: Vec<Option<f64>>,
}

/// For how long positions are looked for.
const LONGEST: Duration = Duration::from_secs(2);

/// On how many positions pieces are taken away to see what they are worth; on fewer of large boards, where each has many
/// pieces: what is looked at are squares of a board, for each of its squares.
const POSITIONS: usize = 400;
const SQUARES_LOOKED_AT: usize = 100_000_000;

impl Judgement {
    /// What has been learnt about a game; `learning` is the players' option of this name.
    ///
    /// # Errors
    ///
    /// If the rules fault.
    pub fn new(game: &Arc<Game>, learning: u32) -> Result<Judgement, Error> {
        let fitted = fitted(game, learning);
        let Fitted { features, evaluation, .. } = &*fitted;
        let looks = &game.automaton().looks.pieces;
        let empty = looks.iter().find(|(_, look)| look.is_empty).map(|(piece, _)| piece.0 as u8);
        let mut sums = vec![(0i64, 0u32); features.pieces * features.squares];
        let clock = Clock::start(Budget::time(LONGEST), Stop::new());
        let each = features.squares.saturating_mul(features.squares).max(1);
        let count = POSITIONS.min(1 + SQUARES_LOOKED_AT / each);
        for state in positions(&Match::new(game)?, 3, count, &clock)? {
            let mut board = state.bytes()[..features.squares].to_vec();
            for square in 0..board.len() {
                let piece = usize::from(board[square]);
                let (Some(owner), Some(empty)) = (features.owners[piece], empty) else { continue };
                let with = evaluation.board_value(&board, owner);
                board[square] = empty;
                let without = evaluation.board_value(&board, owner);
                board[square] = piece as u8;
                let (sum, count) = &mut sums[piece * features.squares + square];
                *sum += i64::from(with - without);
                *count += 1;
            }
        }
        let owned = features.owners.iter().enumerate();
        let owned = owned.filter_map(|(piece, owner)| owner.map(|owner| (piece, owner)));
        let pieces = owned.filter_map(|(piece, owner)| {
            let own = &sums[piece * features.squares..(piece + 1) * features.squares];
            let sum: i64 = own.iter().map(|(sum, _)| sum).sum();
            let count: u32 = own.iter().map(|(_, count)| count).sum();
            let mean = |sum: i64, count: u32| sum as f64 / SCALE / f64::from(count);
            (count > 0).then(|| PieceWorth {
                piece: Piece::from_index(piece),
                owner,
                worth: mean(sum, count),
                squares: own
                    .iter()
                    .map(|&(sum, count)| (count > 0).then(|| mean(sum, count)))
                    .collect(),
            })
        });
        Ok(Judgement {
            pieces: pieces.collect(),
            counts: evaluation.has_captures,
            turn: evaluation.turn_worth(Player(0)),
            mobility: evaluation.mobility_worth(Player(0)),
            territory: evaluation.territory_worth(),
        })
    }

    /// The same in words.
    #[must_use]
    pub fn sentences(&self, game: &Game) -> Vec<String> {
        let mut sentences = Vec::new();
        let kinds = self.kinds(game);
        if self.counts {
            // Others are compared with the piece of which there are most at the beginning.
            let unit = kinds.iter().max_by_key(|kind| kind.count);
            let unit = unit.filter(|unit| unit.worth >= LITTLE);
            for kind in &kinds {
                let name = with_article(&kind.name);
                let worth = kind.worth;
                sentences.push(match unit {
                    _ if worth <= -LITTLE => format!("{name} is a burden."),
                    _ if worth < LITTLE => format!("{name} by itself is worth little."),
                    Some(unit) if unit.name != kind.name => {
                        format!("{name} is worth {:.1} {}s.", worth / unit.worth, unit.name)
                    }
                    _ => format!(
                        "{name} more makes the odds of winning {:.1} times as high.",
                        worth.exp()
                    ),
                });
            }
        }
        for piece in &self.pieces {
            let name = with_article(&game.piece_look(piece.piece).name);
            sentences.extend(piece.tendency(game).map(|tendency| format!("{name} {tendency}.")));
        }
        sentences.dedup();
        if let Some(mobility) = self.mobility.filter(|mobility| mobility.abs() >= LITTLE) {
            let good = if mobility > 0.0 { "good" } else { "bad" };
            sentences.push(format!("It is {good} to have many moves."));
        }
        if let Some(territory) = self.territory.filter(|territory| territory.abs() >= LITTLE) {
            let good = if territory > 0.0 { "good" } else { "bad" };
            sentences
                .push(format!("It is {good} to be nearer to empty squares than the other player."));
        }
        if sentences.is_empty() {
            sentences.push("Pieces are worth nothing by themselves.".to_owned());
        }
        sentences
    }

    /// What pieces of the same name are worth, the least first. They are told apart by their owners only if that matters.
    fn kinds(&self, game: &Game) -> Vec<KindWorth> {
        let squares = &game.automaton().board.squares;
        let mut owned: Vec<(String, Player, KindWorth)> = Vec::new();
        for piece in &self.pieces {
            let look = game.piece_look(piece.piece);
            let owner = &game.player_look(piece.owner).name;
            let words: Vec<&str> = look.name.split(' ').filter(|word| word != owner).collect();
            let count = squares.values().filter(|square| square.piece == piece.piece).count();
            let own = KindWorth { name: look.name.clone(), worth: piece.worth, count };
            let name = words.join(" ");
            match owned
                .iter_mut()
                .find(|(known, player, _)| *known == name && *player == piece.owner)
            {
                // Pieces that people do not tell apart: the one that is there at the beginning.
                Some((_, _, known)) if known.count < count => *known = own,
                Some(_) => {}
                None => owned.push((name, piece.owner, own)),
            }
        }
        let mut kinds: Vec<KindWorth> = Vec::new();
        let is_alike = owned.iter().all(|(name, _, own)| {
            let alike = owned.iter().filter(|(other, ..)| other == name);
            alike
                .clone()
                .all(|(_, _, other)| (other.worth - own.worth).abs() <= 0.25 * own.worth.abs())
        });
        for (name, _, own) in owned {
            if !is_alike {
                kinds.push(own);
            } else if kinds.iter().all(|kind| kind.name != name) {
                kinds.push(KindWorth { name, ..own });
            }
        }
        kinds.sort_by(|one, other| one.worth.total_cmp(&other.worth));
        kinds
    }
}

/// What pieces of one name are worth.
#[derive(Clone, Debug)]
struct KindWorth {
    name: String,
    worth: f64,
    /// How many there are at the beginning.
    count: usize,
}

/// What is worth less than this does not count.
const LITTLE: f64 = 0.02;

/// How well a tendency must explain what squares are worth.
const CLEAR: f64 = 0.6;

impl PieceWorth {
    /// Where the piece is worth more, in words; `None` if that does not depend on the square in a simple way.
    fn tendency(&self, game: &Game) -> Option<&'static str> {
        let seen: Vec<(f64, f64, f64)> = game
            .automaton()
            .board
            .squares
            .iter()
            .zip(&self.squares)
            .filter_map(|((_, info), worth)| {
                worth.map(|worth| (f64::from(info.x), f64::from(info.y), worth))
            })
            .collect();
        let middle = |values: &dyn Fn(&(f64, f64, f64)) -> f64| {
            let (low, high) = seen
                .iter()
                .map(values)
                .fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
            (low + high) / 2.0
        };
        let (x, y) = (middle(&|place| place.0), middle(&|place| place.1));
        let correlated = |measure: &dyn Fn(f64, f64) -> f64| {
            let pairs = seen.iter().map(|&(x, y, worth)| (measure(x, y), worth));
            correlation(&pairs.collect::<Vec<_>>())
        };
        let away = |at_x: f64, at_y: f64| ((at_x - x).powi(2) + (at_y - y).powi(2)).sqrt();
        let ways = [
            (correlated(&|_, y| y), ["gains as it goes down", "gains as it goes up"]),
            (
                correlated(&|x, _| x),
                ["gains as it goes to the right", "gains as it goes to the left"],
            ),
            (correlated(&away), ["is best at the edge", "is best in the middle"]),
        ];
        let best = ways.iter().max_by(|one, other| one.0.abs().total_cmp(&other.0.abs()));
        let (best, words) = best.filter(|(best, _)| best.abs() >= CLEAR && seen.len() > 3)?;
        Some(words[usize::from(*best < 0.0)])
    }
}

/// How well one number tells the other, from -1 to 1.
fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let count = pairs.len().max(1) as f64;
    let (x, y) = pairs.iter().fold((0.0, 0.0), |(x, y), pair| (x + pair.0, y + pair.1));
    let (x, y) = (x / count, y / count);
    let sum = |part: &dyn Fn(f64, f64) -> f64| {
        pairs.iter().map(|pair| part(pair.0 - x, pair.1 - y)).sum::<f64>()
    };
    let spread = (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
    if spread > 1e-9 { sum(&|x, y| x * y) / spread } else { 0.0 }
}

fn with_article(name: &str) -> String {
    let is_vowel = name.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {name}", if is_vowel { "An" } else { "A" })
}

impl Evaluation {
    /// What it is worth to a player to be on move.
    fn turn_worth(&self, player: Player) -> f64 {
        let (weights, sign) = self.weights(player);
        f64::from(sign * weights.turn[player.index()]) / SCALE
    }

    /// What twice as many moves are worth to a player on move; `None` if it does not count.
    fn mobility_worth(&self, player: Player) -> Option<f64> {
        let (weights, sign) = self.weights(player);
        let worth = sign * weights.mobility[player.index()][0];
        self.uses_mobility.then(|| f64::from(worth) / SCALE)
    }

    /// What it is worth to reach a tenth of the squares first, on a board that is half empty; `None` if it does not count.
    fn territory_worth(&self) -> Option<f64> {
        let weights = self.weights.first()?;
        let of_half_empty = |place: usize| {
            f64::from(weights.territory[place]) + f64::from(weights.territory[place + 6]) / 2.0
        };
        self.territory.as_ref().map(|_| (of_half_empty(0) + of_half_empty(3)) / SCALE)
    }
}
