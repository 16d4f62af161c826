//! Positions of games with their results.

use rand::RngExt as _;
use regulus_automaton::{Id as _, Piece, Player};
use regulus_engine::{Layout, Rules as _, State, generator};
use regulus_game::{Error, Game, Match};

use super::territory::NUMBERS;
use super::{Features, Mobility, logarithm};
use crate::alphabeta::EFFORT_OF_POSITION;
use crate::budget::Clock;
use crate::playouts::effort_of_move;

/// Positions with the results of the games that they are from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    squares: usize,
    variables: usize,
    players: usize,
    boards: Vec<u8>,
    values: Vec<f32>,
    notes: Vec<Note>,
    targets: Vec<f32>,
    /// How many positions were forgotten.
    forgotten: usize,
}

/// When positions take more bytes, no more random games are played, and the older half of those of other games is forgotten. Bundled games do
/// not come near with the usual effort; a game with thousands of variables does.
const MANY_BYTES: usize = 1 << 27;

/// What is noted of a position besides its board.
#[derive(Clone, Copy, Debug)]
struct Note {
    mover: u8,
    mobility: [f32; 2],
    territory: [f32; NUMBERS],
}

/// A position to learn from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample<'a> {
    pub(crate) board: &'a [u8],
    /// The variables as parts of their bounds.
    pub(crate) variables: &'a [f32],
    pub(crate) mover: usize,
    /// The logarithms of how many moves the player to move has, and the one before had.
    pub(crate) mobility: [f32; 2],
    /// Who reaches which squares first.
    pub(crate) territory: &'a [f32; NUMBERS],
    /// What each player got in the end, from 0 to 1.
    pub(crate) results: &'a [f32],
}

impl Samples {
    pub(crate) fn new(features: &Features) -> Samples {
        Samples {
            squares: features.squares,
            variables: features.variables.len(),
            players: features.players,
            ..Samples::default()
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.notes.len()
    }

    pub(crate) fn get(&self, index: usize) -> Sample<'_> {
        let note = &self.notes[index];
        Sample {
            board: &self.boards[index * self.squares..(index + 1) * self.squares],
            variables: &self.values[index * self.variables..(index + 1) * self.variables],
            mover: usize::from(note.mover),
            mobility: note.mobility,
            territory: &note.territory,
            results: &self.targets[index * self.players..(index + 1) * self.players],
        }
    }

    /// How many there are and were.
    pub(crate) fn count(&self) -> usize {
        self.forgotten + self.len()
    }

    /// Whether they take much memory.
    pub(crate) fn is_large(&self) -> bool {
        let each = self.squares + 4 * (self.variables + self.players) + size_of::<Note>();
        self.len() * each > MANY_BYTES
    }

    /// Forgets the older half, whose results are known.
    pub(crate) fn forget_half(&mut self) {
        let half = self.len() / 2;
        self.forgotten += half;
        self.boards.drain(..half * self.squares);
        self.values.drain(..half * self.variables);
        self.notes.drain(..half);
        self.targets.drain(..half * self.players);
    }

    /// Adds a position whose results are not known yet.
    pub(crate) fn add(
        &mut self,
        features: &Features,
        layout: &Layout,
        state: &State,
        mobility: Mobility,
    ) {
        self.boards.extend_from_slice(&state.bytes()[..self.squares]);
        for variable in &features.variables {
            self.values.push(variable.value(state) as f32 / variable.bound as f32);
        }
        let mover = state.mover(layout).map_or(0, |player| player.0 as u8);
        let logs = [mobility.now, mobility.before].map(|moves| logarithm(moves) as f32 / 64.0);
        let territory = features.territory.as_ref().map_or([0.0; NUMBERS], |territory| {
            territory.numbers(&state.bytes()[..self.squares], Player(u32::from(mover)))
        });
        self.notes.push(Note { mover, mobility: logs, territory });
    }

    /// Notes the results of the positions that were added last.
    pub(crate) fn end(&mut self, results: &[f32]) {
        while self.targets.len() < self.notes.len() * self.players {
            self.targets.extend_from_slice(results);
        }
    }

    /// Notes the results of the first position whose results are not known.
    pub(crate) fn end_one(&mut self, results: &[f32]) {
        self.targets.extend_from_slice(results);
    }

    /// Forgets the positions whose results are not known.
    pub(crate) fn give_up(&mut self) {
        let known = self.targets.len() / self.players.max(1);
        self.notes.truncate(known);
        self.boards.truncate(known * self.squares);
        self.values.truncate(known * self.variables);
    }
}

/// What random games tell about a game.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Census {
    pub(crate) moves: u64,
    pub(crate) games: u64,
    /// Moves that take pieces of others, and moves after which the player has more of its own.
    pub(crate) captures: u64,
    pub(crate) promotions: u64,
}

/// How games are played to learn from them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lesson {
    pub(crate) seed: u64,
    pub(crate) games: u64,
    /// How many legal moves there may be in all positions together.
    pub(crate) effort: u64,
    /// How many positions of a game are noted, on average.
    pub(crate) per_game: f64,
}

/// The number of moves after which a random game is broken off.
const LONGEST_GAME: u64 = 2_000;

/// How much effort it is at most to choose one of many moves at random.
const MOST_EFFORT: u64 = 40;

/// Plays random games and notes some of their positions.
pub(crate) fn random_games(
    play: &Match,
    features: &Features,
    lesson: Lesson,
    clock: &Clock,
    samples: &mut Samples,
) -> Result<Census, Error> {
    let game = play.game();
    let rules = game.rules();
    let layout = rules.layout();
    let mut scratch = rules.scratch();
    let mut random = generator(lesson.seed);
    let (mut state, mut history) = (play.state().clone(), play.history().clone());
    let mut before = state.clone();
    let mut census = Census::default();
    // How long games are is learnt on the way.
    let mut length = 50.0;
    let mut left = lesson.effort;
    // A random move is found without listing all of them, but by `walk`.
    let of_move = effort_of_move(game);
    let effort = |count: u64| if of_move == 1 { count.min(MOST_EFFORT) } else { count * of_move };
    for _ in 0..lesson.games {
        if left == 0 || clock.is_late() || samples.is_large() {
            break;
        }
        state.copy_from(play.state());
        history.truncate(play.history().len());
        let mut mobility = Mobility::default();
        let mut made = 0;
        let is_over = loop {
            before.copy_from(&state);
            let mut count = 0;
            let mut pick = |moves: u64| {
                count = moves;
                random.random_range(0..moves)
            };
            let played = rules.play_chosen(&mut state, &mut history, &mut scratch, &mut pick);
            if !played.map_err(|fault| game.blame(&fault))? {
                break true;
            }
            mobility = Mobility { now: count.min(1 << 20) as u32, before: mobility.now };
            census.note(features, layout, &before, &state);
            if random.random_bool((lesson.per_game / length).min(1.0)) {
                samples.add(features, layout, &before, mobility);
            }
            made += 1;
            left = left.saturating_sub(effort(count) + EFFORT_OF_POSITION);
            if made >= LONGEST_GAME || left == 0 || made % 64 == 0 && clock.is_late() {
                break false;
            }
        };
        census.games += 1;
        length += (made as f64 - length) / 20.0;
        if is_over {
            samples.end(&results(game, &state));
        } else {
            samples.give_up();
        }
    }
    Ok(census)
}

/// How many random moves are made between two looks at the clock.
const MOVES_BETWEEN_LOOKS: u64 = 8;

/// Some positions of random games; fewer than `count` if the time is over before.
pub(crate) fn positions(
    play: &Match,
    seed: u64,
    count: usize,
    clock: &Clock,
) -> Result<Vec<State>, Error> {
    let game = play.game();
    let mut random = generator(seed);
    let mut scratch = game.rules().scratch();
    let (mut state, mut history) = (play.state().clone(), play.history().clone());
    let mut found = Vec::new();
    for number in 0..2 * count as u64 {
        state.copy_from(play.state());
        history.truncate(play.history().len());
        // Some positions near the beginning, some further on.
        let mut left = random.random_range(0..=4 + 2 * number.min(100));
        while left > 0 && !clock.is_late() {
            let moves = left.min(MOVES_BETWEEN_LOOKS);
            let mut pick = |moves| random.random_range(0..moves);
            let rules = game.rules();
            let made = rules.playout(&mut state, &mut history, &mut scratch, &mut pick, moves);
            if made.map_err(|fault| game.blame(&fault))? < moves {
                break;
            }
            left -= moves;
        }
        if left == 0 && game.rules().player(&state).is_some() {
            found.push(state.clone());
        }
        if found.len() == count || clock.is_late() {
            break;
        }
    }
    Ok(found)
}

/// What each player has got.
pub(crate) fn results(game: &Game, state: &State) -> Vec<f32> {
    let players = game.automaton().players.keys();
    players.map(|player| game.result(state, player) as f32).collect()
}

impl Census {
    /// Notes a move, by the positions before and after it.
    fn note(&mut self, features: &Features, layout: &Layout, before: &State, after: &State) {
        self.moves += 1;
        let mover = before.mover(layout);
        let (mut takes, mut promotes) = (false, false);
        let mut own = 0;
        for (piece, owner) in features.owners.iter().enumerate() {
            let Some(owner) = owner else { continue };
            let piece = Piece::from_index(piece);
            let gained =
                i64::from(after.count(layout, piece)) - i64::from(before.count(layout, piece));
            if Some(*owner) == mover {
                promotes |= gained > 0;
                own += gained;
            } else {
                takes |= gained < 0;
            }
        }
        self.captures += u64::from(takes);
        self.promotions += u64::from(promotes && own <= 0);
    }
}

#[cfg(test)]
mod tests {
    use regulus_game::{Config, EngineKind};

    use super::*;
    use crate::budget::{Budget, Stop};

    #[test]
    fn the_older_half_is_forgotten() {
        let config = Config { engine: EngineKind::Plan, ..Config::default() };
        let game = Game::load("tic_tac_toe", &config).expect("it is bundled");
        let play = Match::new(&game).expect("it begins");
        let features = Features::new(&game, &[]);
        let lesson = Lesson { seed: 1, games: 50, effort: 1_000_000, per_game: 8.0 };
        let clock = Clock::start(Budget::default(), Stop::new());
        let mut samples = Samples::new(&features);
        random_games(&play, &features, lesson, &clock, &mut samples).expect("they are played");
        let (all, mut rest) = (samples.clone(), samples);
        rest.forget_half();
        let gone = all.len() / 2;
        assert!(gone > 50 && rest.len() == all.len() - gone && rest.count() == all.len());
        for index in 0..rest.len() {
            let (kept, was) = (rest.get(index), all.get(index + gone));
            assert_eq!((kept.board, kept.variables), (was.board, was.variables));
            assert_eq!((kept.mover, kept.results), (was.mover, was.results));
        }
        assert!(!rest.is_large());
    }
}
