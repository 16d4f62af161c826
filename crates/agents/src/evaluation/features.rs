//! What a position is made of, as an evaluation sees it.

use regulus_automaton::{Action, Edge, Id as _, Piece, Player, Square, Variable};
use regulus_engine::{Rules as _, State, Step};
use regulus_game::Game;

use super::lines::Lines;
use super::symmetry::Symmetry;
use super::territory::{NUMBERS, Territory};

/// The parts of positions of a game, and which of them share a weight.
///
/// All weights are in one list, by number; what parts of positions count is a number with a sign, since what is good for one
/// player is bad for the other. Number 0 stands for nothing.
#[derive(Clone, Debug)]
pub(crate) struct Features {
    pub(crate) players: usize,
    pub(crate) pieces: usize,
    pub(crate) squares: usize,
    /// The owner of each piece.
    pub(crate) owners: Vec<Option<Player>>,
    /// How many weights there are.
    pub(crate) weights: usize,
    /// The weights whose sum is that of a piece on a square, at `square * pieces + piece`.
    pub(crate) placed: Vec<Placed>,
    /// The weight of each player's turn.
    pub(crate) turns: Vec<Signed>,
    /// By the player to move: the weights of how many moves there are, and how many the player before had.
    pub(crate) mobility: Vec<[Signed; 2]>,
    /// The variables that are not scores.
    pub(crate) variables: Vec<VariableFeature>,
    /// The lines of the board.
    pub(crate) lines: Lines,
    /// The number of the first weight of lines.
    pub(crate) first_line: usize,
    /// Who reaches which squares first; `None` if that is not looked at.
    pub(crate) territory: Option<Territory>,
    /// The number of the first weight of that.
    pub(crate) first_territory: usize,
    /// Which piece each modifier puts on a square; `NO_PIECE` if none.
    puts: Vec<u8>,
}

/// The number of a weight, and whether it counts the other way round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signed {
    pub(crate) number: u32,
    pub(crate) is_negative: bool,
}

/// The weights of a piece on a square: as a piece, as one on its row, on its column, and on the square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) numbers: [u32; TERMS],
    pub(crate) is_negative: bool,
}

/// How many weights a piece on a square has.
pub(crate) const TERMS: usize = 4;

/// A variable that counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VariableFeature {
    /// Where its bytes are in a state.
    pub(crate) at: usize,
    pub(crate) bound: i32,
    pub(crate) weight: Signed,
}

/// How many weights of pieces on squares the models of several players may have together.
const MOST_WEIGHTS: usize = 1 << 24;

/// Stands for no piece.
const NO_PIECE: u8 = u8::MAX;

impl VariableFeature {
    /// The value in a state.
    #[inline]
    pub(crate) fn value(&self, state: &State) -> i32 {
        let bytes = state.bytes()[self.at..self.at + 4].try_into().expect("four bytes");
        i32::from_le_bytes(bytes)
    }
}

impl Signed {
    pub(crate) fn of(self, value: f32) -> f32 {
        if self.is_negative { -value } else { value }
    }
}

impl Placed {
    pub(crate) fn is_nothing(&self) -> bool {
        self.numbers[0] == 0
    }

    pub(crate) fn signed(&self, value: f32) -> f32 {
        if self.is_negative { -value } else { value }
    }
}

impl Features {
    /// The features of a game with these symmetries.
    pub(crate) fn new(game: &Game, symmetries: &[Symmetry]) -> Features {
        let automaton = game.automaton();
        let players = automaton.players.len();
        // The others do not lose what one of more than two players wins.
        let symmetries: Vec<&Symmetry> =
            symmetries.iter().filter(|each| players == 2 || each.keeps_players()).collect();
        let exchanges = symmetries.iter().any(|symmetry| !symmetry.keeps_players());
        let mut count = 1;
        let mut fresh = || {
            count += 1;
            count - 1
        };
        let turns: Vec<Signed> = tied(players, exchanges, &mut fresh);
        let now = tied(players, exchanges, &mut fresh);
        let before = tied(players, exchanges, &mut fresh);
        let mobility = now.into_iter().zip(before).map(|(now, before)| [now, before]).collect();
        let variables = variables(game, &symmetries, &mut fresh);
        let first_territory = count as usize;
        count += NUMBERS as u32;
        let (placed, weights) = placed(game, &symmetries, count);
        let lines = Lines::new(&automaton.board, automaton.pieces.len(), &symmetries);
        Features {
            players,
            pieces: automaton.pieces.len(),
            squares: automaton.board.squares.len(),
            owners: automaton.looks.pieces.values().map(|look| look.owner).collect(),
            weights: weights as usize + lines.weights,
            lines,
            first_line: weights as usize,
            placed,
            turns,
            mobility,
            variables,
            territory: Territory::new(game),
            first_territory,
            puts: puts(game),
        }
    }

    /// The same without lines.
    pub(crate) fn without_lines(&self) -> Features {
        let features = self.clone();
        Features { weights: self.first_line, lines: Lines::default(), ..features }
    }

    /// The same with this for who reaches which squares first.
    pub(crate) fn with_territory(self, territory: Option<Territory>) -> Features {
        Features { territory, ..self }
    }

    /// How many models there are: for two players one, since what one wins the other loses; otherwise one for each player.
    /// Where those would take too much memory there is one, too: that of the first player, whose opponents all others are.
    pub(crate) fn model_count(&self) -> usize {
        let weights = self.squares.saturating_mul(self.pieces).saturating_mul(self.players);
        if self.players == 2 || weights > MOST_WEIGHTS { 1 } else { self.players }
    }

    /// The piece that a modifier puts on a square, or has the keeper put there; `None` if it does something else.
    #[inline]
    pub(crate) fn put(&self, modifier: usize) -> Option<usize> {
        let piece = self.puts.get(modifier).copied().unwrap_or(NO_PIECE);
        (piece != NO_PIECE).then_some(usize::from(piece))
    }

    /// Whether a move may take a piece of another player: it puts a piece of someone else's, or none, where there was one before.
    #[inline]
    pub(crate) fn takes(&self, state: &State, player: Player, steps: &[Step]) -> bool {
        steps.iter().any(|step| {
            let Some(new) = self.put(step.modifier.index()) else { return false };
            let before = self.owners[state.piece(step.square).index()];
            before.is_some_and(|owner| owner != player) && self.owners[new] != before
        })
    }
}

/// A weight for each player; one for both with opposite signs if they can be exchanged.
fn tied(players: usize, exchanges: bool, fresh: &mut impl FnMut() -> u32) -> Vec<Signed> {
    if exchanges {
        let number = fresh();
        return [false, true].map(|is_negative| Signed { number, is_negative }).to_vec();
    }
    (0..players).map(|_| Signed { number: fresh(), is_negative: false }).collect()
}

/// The variables that are not scores, those that correspond to each other with one weight.
fn variables(
    game: &Game,
    symmetries: &[&Symmetry],
    fresh: &mut impl FnMut() -> u32,
) -> Vec<VariableFeature> {
    let automaton = game.automaton();
    let mut weights: Vec<Option<Signed>> = vec![None; automaton.variables.len()];
    let mut features = Vec::new();
    for (variable, info) in automaton.variables.iter().skip(automaton.players.len()) {
        let mut weight = weights[variable.index()]
            .unwrap_or_else(|| Signed { number: fresh(), is_negative: false });
        for symmetry in symmetries {
            let image: Variable = symmetry.variables[variable];
            let is_negative = weight.is_negative == symmetry.keeps_players();
            if image == variable && is_negative != weight.is_negative {
                // It is the same for both players.
                weight = Signed::default();
            } else {
                weights[image.index()].get_or_insert(Signed { is_negative, ..weight });
            }
        }
        if info.bound > 0 && weight.number > 0 {
            let at = game.rules().layout().variable_at(variable);
            features.push(VariableFeature { at, bound: info.bound, weight });
        }
    }
    features
}

/// The weights of pieces on squares, numbered from `first` on, and how many weights there are then in all.
fn placed(game: &Game, symmetries: &[&Symmetry], first: u32) -> (Vec<Placed>, u32) {
    let automaton = game.automaton();
    let (pieces, squares) = (automaton.pieces.len(), automaton.board.squares.len());
    let (height, width) = (game.grid().height(), game.grid().width());
    let per_piece = (1 + height + width + squares) as u32;
    let mut placed = vec![Placed::default(); pieces * squares];
    let mut is_known = vec![false; pieces * squares];
    let at = |piece: Piece, square: Square| square.index() * pieces + piece.index();
    for (piece, look) in automaton.looks.pieces.iter() {
        for square in automaton.board.squares.keys() {
            if look.is_empty || is_known[at(piece, square)] {
                continue;
            }
            // All that corresponds to it, with whether players are exchanged on the way.
            let mut orbit = vec![(piece, square, false)];
            let mut is_balanced = false;
            let mut next = 0;
            while next < orbit.len() {
                let (piece, square, is_negative) = orbit[next];
                next += 1;
                for symmetry in symmetries {
                    let image = (symmetry.pieces[piece], symmetry.squares[square]);
                    let is_negative = is_negative == symmetry.keeps_players();
                    match orbit.iter().find(|other| (other.0, other.1) == image) {
                        Some(other) => is_balanced |= other.2 != is_negative,
                        None => orbit.push((image.0, image.1, is_negative)),
                    }
                }
            }
            let (x, y) = game.grid().place(square);
            let own = [0, 1 + y, 1 + height + x, 1 + height + width + square.index()];
            let numbers = own.map(|place| first + piece.index() as u32 * per_piece + place as u32);
            for (piece, square, is_negative) in orbit {
                is_known[at(piece, square)] = true;
                // What stands for both players alike is worth nothing.
                if !is_balanced {
                    placed[at(piece, square)] = Placed { numbers, is_negative };
                }
            }
        }
    }
    (placed, first + pieces as u32 * per_piece)
}

fn puts(game: &Game) -> Vec<u8> {
    let mut puts = Vec::new();
    for (_, edge) in game.automaton().edges() {
        let (Some(modifier), Some(piece)) = (edge.modifier, put_by(game, edge)) else { continue };
        if puts.len() <= modifier.index() {
            puts.resize(modifier.index() + 1, NO_PIECE);
        }
        puts[modifier.index()] = piece.0 as u8;
    }
    puts
}

/// The piece that an edge puts on the square where it is: by itself, or because the keeper always puts it there at once, when the move has ended;
/// `None` if there is none.
fn put_by(game: &Game, edge: &Edge) -> Option<Piece> {
    match edge.action {
        Action::Put(piece) => Some(piece),
        Action::Keeper => match game.automaton().nodes[edge.target].as_slice() {
            [Edge { action: Action::Put(piece), .. }] => Some(*piece),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use regulus_game::{Config, EngineKind, Match};

    use super::*;

    #[test]
    fn moves_that_take_are_seen_in_every_language() {
        // In all of these but chess the keeper puts the piece where it goes to.
        let games: [(&str, &[&str]); 4] = [
            ("breakthrough", &["b2-b3", "a7-a6", "b3-b4", "a6-a5"]),
            ("breakthrough.abg", &["b2-b3", "a7-a6", "b3-b4", "a6-a5"]),
            ("gardner", &["b2-b3"]),
            ("chess", &["e2-e4", "d7-d5"]),
        ];
        for (name, line) in games {
            let config = Config { engine: EngineKind::Plan, ..Config::default() };
            let game = Game::load(name, &config).expect("it is bundled");
            let mut play = Match::new(&game).expect("it begins");
            line.iter().for_each(|name| play.play_named(name).expect("it is legal"));
            let features = Features::new(&game, &[]);
            let player = play.player().expect("it is not over");
            let of_others = |play: &Match| {
                let owned = play.state().bytes()[..features.squares].iter();
                owned
                    .filter(|&&piece| {
                        features.owners[usize::from(piece)].is_some_and(|owner| owner != player)
                    })
                    .count()
            };
            let (before, mut taking) = (of_others(&play), 0);
            for steps in play.moves().expect("they are listed").clone().iter() {
                let mut after = play.from_here();
                after.play(steps).expect("it is legal");
                let takes = of_others(&after) < before;
                assert_eq!(features.takes(play.state(), player, steps), takes, "{name}");
                taking += usize::from(takes);
            }
            assert!(taking > 0, "{name}");
        }
    }
}
