//! Who reaches which empty squares first: in games where room to move is what counts, it tells who is ahead.
//!
//! Two kinds of ways are looked at: *slides*, straight on over any number of empty squares, and *steps* to the next one, in all
//! directions of the board and, on boards with four directions, along diagonals. What the pieces of the game really do is not
//! known here; whether any of it tells something about results is found out when weights are fitted.

use regulus_automaton::{Id as _, Player};
use regulus_game::Game;

/// How many numbers describe a position.
pub(crate) const NUMBERS: usize = 12;

/// How many slides and steps are looked ahead.
const MOST_SLIDES: u32 = 8;
const MOST_STEPS: u32 = 12;

/// The board of a game as sets of squares.
#[derive(Clone, Debug)]
pub(crate) struct Territory {
    ways: Vec<Shift>,
    /// By piece: whether its squares are empty, and who owns it.
    kinds: Vec<Kind>,
    /// The share of a square in all of them, times ten.
    share: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Empty,
    Owned(usize),
    Other,
}

/// A direction: every square from which it leads anywhere has its neighbour at the same distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shift {
    distance: i32,
    /// The squares from which it leads somewhere.
    from: u128,
}

impl Shift {
    #[inline]
    fn of(self, set: u128) -> u128 {
        let set = set & self.from;
        if self.distance >= 0 { set << self.distance } else { set >> -self.distance }
    }

    /// The direction with these neighbours; `None` if they are at different distances.
    fn new(neighbours: &[Option<usize>]) -> Option<Shift> {
        let mut shift = Shift { distance: 0, from: 0 };
        for (square, &neighbour) in neighbours.iter().enumerate() {
            let Some(neighbour) = neighbour else { continue };
            let distance = neighbour as i32 - square as i32;
            if distance == 0 || shift.from != 0 && shift.distance != distance {
                return None;
            }
            shift = Shift { distance, from: shift.from | 1 << square };
        }
        (shift.from != 0).then_some(shift)
    }
}

impl Territory {
    /// The board of a game; `None` if it is not for two players with pieces of their own, or its board is larger than 128 squares
    /// or not regular.
    pub(crate) fn new(game: &Game) -> Option<Territory> {
        let automaton = game.automaton();
        let board = &automaton.board;
        let count = board.squares.len();
        if automaton.players.len() != 2 || count > 128 {
            return None;
        }
        let kind = |look: &regulus_automaton::PieceLook| match look.owner {
            _ if look.is_empty => Kind::Empty,
            Some(owner) => Kind::Owned(owner.index()),
            None => Kind::Other,
        };
        let kinds: Vec<Kind> = automaton.looks.pieces.values().map(kind).collect();
        let has = |kind| kinds.contains(&kind);
        if !has(Kind::Empty) || !has(Kind::Owned(0)) || !has(Kind::Owned(1)) {
            return None;
        }
        let straight: Vec<Vec<Option<usize>>> = board
            .directions
            .keys()
            .map(|direction| {
                let squares = board.squares.keys();
                squares.map(|square| Some(board.neighbour(square, direction)?.index())).collect()
            })
            .collect();
        let mut neighbours = straight.clone();
        if straight.len() == 4 {
            for (place, first) in straight.iter().enumerate() {
                for second in &straight[..place] {
                    let diagonal: Vec<Option<usize>> = (0..count)
                        .map(|square| {
                            let there = first[square].and_then(|square| second[square])?;
                            let also = second[square].and_then(|square| first[square])?;
                            (there == also && there != square).then_some(there)
                        })
                        .collect();
                    if diagonal.iter().any(Option::is_some) {
                        neighbours.push(diagonal);
                    }
                }
            }
        }
        let ways: Option<Vec<Shift>> = neighbours.iter().map(|each| Shift::new(each)).collect();
        Some(Territory { ways: ways?, kinds, share: 10.0 / count as f32 })
    }

    /// The numbers of a position: each is larger the better the first player is off. Slides come first, then steps, then the same
    /// again for boards that are still empty.
    pub(crate) fn numbers(&self, board: &[u8], mover: Player) -> [f32; NUMBERS] {
        let (mut empty, mut own) = (0u128, [0u128; 2]);
        for (square, &piece) in board.iter().enumerate() {
            match self.kinds[usize::from(piece)] {
                Kind::Empty => empty |= 1 << square,
                Kind::Owned(player) => own[player] |= 1 << square,
                Kind::Other => {}
            }
        }
        let sign = if mover.index() == 0 { 1.0 } else { -1.0 };
        let slides =
            race(own, MOST_SLIDES, |set, reached| self.slide(set, empty & !reached, empty));
        let steps = race(own, MOST_STEPS, |set, reached| self.step(set) & empty & !reached);
        let share_empty = empty.count_ones() as f32 * self.share / 10.0;
        let mut numbers = [0.0; NUMBERS];
        for (place, found) in [slides, steps].into_iter().enumerate() {
            let first = [
                found.nearer * self.share,
                found.tied * sign * self.share,
                found.closeness * self.share,
            ];
            for (number, value) in first.into_iter().enumerate() {
                numbers[3 * place + number] = value;
                numbers[6 + 3 * place + number] = value * share_empty;
            }
        }
        numbers
    }

    /// The squares among `new` that can be slid to from a square of a set over empty ones.
    #[inline]
    fn slide(&self, set: u128, new: u128, empty: u128) -> u128 {
        let mut found = 0;
        for way in &self.ways {
            let mut at = way.of(set) & empty;
            while at != 0 {
                found |= at;
                at = way.of(at) & empty;
            }
        }
        found & new
    }

    /// The neighbours of a set.
    #[inline]
    fn step(&self, set: u128) -> u128 {
        self.ways.iter().fold(0, |found, way| found | way.of(set))
    }
}

/// Who is where first.
struct Race {
    /// How many squares the first player reaches before the second, less those that the second reaches before.
    nearer: f32,
    /// How many both reach at the same time.
    tied: f32,
    /// The same as the first, each square by how soon it is reached.
    closeness: f32,
}

/// Lets both players go on from their squares, by what `next` finds from the squares that were reached last.
#[inline]
fn race(own: [u128; 2], most: u32, next: impl Fn(u128, u128) -> u128) -> Race {
    let mut found = Race { nearer: 0.0, tied: 0.0, closeness: 0.0 };
    let (mut last, mut reached) = (own, [0u128; 2]);
    let mut weight = 1.0;
    for _ in 0..most {
        let new = [next(last[0], reached[0]), next(last[1], reached[1])];
        if new == [0, 0] {
            break;
        }
        let count = |set: u128| set.count_ones() as f32;
        found.nearer +=
            count(new[0] & !new[1] & !reached[1]) - count(new[1] & !new[0] & !reached[0]);
        found.tied += count(new[0] & new[1]);
        found.closeness += weight * (count(new[0]) - count(new[1]));
        weight /= 2.0;
        reached = [reached[0] | new[0], reached[1] | new[1]];
        last = new;
    }
    found
}

#[cfg(test)]
mod tests {
    use regulus_automaton::Square;
    use regulus_engine::Rules as _;
    use regulus_game::{Config, EngineKind, Match};

    use super::*;
    use crate::budget::{Budget, Clock, Stop};
    use crate::evaluation::samples::positions;

    fn load(name: &str) -> std::sync::Arc<Game> {
        let config = Config { engine: EngineKind::Plan, ..Config::default() };
        Game::load(name, &config).expect("it is bundled")
    }

    /// The distances of a player by walking square by square, with no sets: all squares on a line of empty ones, or the next only.
    fn distances(game: &Game, board: &[u8], player: usize, slides: bool, most: u32) -> Vec<u32> {
        let automaton = game.automaton();
        let looks: Vec<_> = automaton.looks.pieces.values().collect();
        let is_empty = |square: Square| looks[usize::from(board[square.index()])].is_empty;
        let grid = &automaton.board;
        let mut found = vec![u32::MAX; board.len()];
        let owned = |square: &Square| {
            looks[usize::from(board[square.index()])].owner.map(|owner| owner.index())
                == Some(player)
        };
        let mut last: Vec<Square> = grid.squares.keys().filter(owned).collect();
        for distance in 1..=most {
            let mut new = Vec::new();
            for &from in &last {
                let (x, y) = (grid.squares[from].x, grid.squares[from].y);
                for (right, up) in (-1..=1).flat_map(|right| (-1..=1).map(move |up| (right, up))) {
                    let longest = if slides { 100 } else { 1 };
                    for length in 1..=longest {
                        let there = grid.square_at(x + right * length, y + up * length);
                        let Some(there) = there.filter(|&there| is_empty(there)) else { break };
                        if found[there.index()] == u32::MAX {
                            found[there.index()] = distance;
                            new.push(there);
                        }
                    }
                }
            }
            last = new;
        }
        found
    }

    #[test]
    fn sets_find_the_distances_that_walking_finds() {
        let game = load("amazons");
        let territory = Territory::new(&game).expect("a board of squares");
        let play = Match::new(&game).expect("it begins");
        let clock = Clock::start(Budget::default(), Stop::new());
        let states = positions(&play, 7, 60, &clock).expect("random games");
        assert!(states.len() >= 40);
        let squares = game.automaton().board.squares.len();
        for state in &states {
            let board = &state.bytes()[..squares];
            let mover = game.rules().player(state).expect("it goes on");
            let mut expected = [0.0f32; NUMBERS];
            let empty =
                board.iter().filter(|&&piece| territory.kinds[usize::from(piece)] == Kind::Empty);
            let part = empty.count() as f32 / squares as f32;
            let share = 10.0 / squares as f32;
            for (place, (slides, most)) in
                [(true, MOST_SLIDES), (false, MOST_STEPS)].into_iter().enumerate()
            {
                let [first, second] =
                    [0, 1].map(|player| distances(&game, board, player, slides, most));
                let soon = |distance: u32| {
                    if distance == u32::MAX { 0.0 } else { 0.5f32.powi(distance as i32 - 1) }
                };
                for (one, other) in first.into_iter().zip(second) {
                    let numbers = &mut expected[3 * place..];
                    match one.cmp(&other) {
                        std::cmp::Ordering::Less => numbers[0] += share,
                        std::cmp::Ordering::Greater => numbers[0] -= share,
                        std::cmp::Ordering::Equal if one == u32::MAX => {}
                        std::cmp::Ordering::Equal => {
                            numbers[1] += if mover.index() == 0 { share } else { -share }
                        }
                    }
                    numbers[2] += share * (soon(one) - soon(other));
                }
            }
            for place in 0..6 {
                expected[place + 6] = expected[place] * part;
            }
            for (one, other) in territory.numbers(board, mover).into_iter().zip(expected) {
                assert!((one - other).abs() < 1e-3, "{one} {other}");
            }
        }
    }

    #[test]
    fn boards_that_are_no_grids_and_games_for_three_have_none() {
        assert!(Territory::new(&load("trio")).is_none());
        assert!(Territory::new(&load("go")).is_none(), "it has too many squares");
        assert!(Territory::new(&load("chess")).is_some());
    }
}
