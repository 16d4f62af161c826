//! Positions to play on from: the state of a play, made and taken back many times, and random games from it.

use std::sync::Arc;

use rand::RngExt as _;
use regulus_automaton::Player;
use regulus_engine::{Generator, History, MoveList, Rules as _, State, Step, generator};
use regulus_game::{Error, Game, Match};
use regulus_jit::Scratch;

use crate::budget::Clock;
use crate::evaluation::Mobility;

/// A random game longer than this is broken off.
const LONGEST_PLAYOUT: u64 = 5_000;

/// About how much is done between two looks at the clock: legal moves for most engines, some of them for `walk`.
const EFFORT_BETWEEN_LOOKS: u64 = 100_000;

/// How much effort it is to find a legal move: the engine that walks edge by edge is much slower than the others.
pub(crate) fn effort_of_move(game: &Game) -> u64 {
    if game.rules().name() == "walk" { 50 } else { 1 }
}

/// What a game that was broken off is worth to every player.
const UNDECIDED: f64 = 0.5;

/// A position that moves are tried from. One for each thread.
#[derive(Debug)]
pub(crate) struct Trial {
    game: Arc<Game>,
    scratch: Scratch,
    pub(crate) generator: Generator,
    first: State,
    first_length: usize,
    mark: State,
    mark_length: usize,
    pub(crate) state: State,
    history: History,
    /// How many moves of a random game are made between two looks at the clock.
    stretch: u64,
    /// What a point of each player's score is worth.
    factors: Vec<f64>,
    /// What each player got in the last game.
    pub(crate) results: Vec<f64>,
    /// How many moves there were in the last two positions of the last random game that was noted.
    pub(crate) mobility: Mobility,
}

impl Trial {
    /// Begins at the position of a play.
    pub(crate) fn new(play: &Match, seed: u64) -> Trial {
        let game = Arc::clone(play.game());
        let players = game.automaton().players.keys();
        let factor = |player| match *game.result_range(player).end() {
            0 => 0.0,
            bound => 1.0 / f64::from(bound),
        };
        let factors: Vec<f64> = players.map(factor).collect();
        Trial {
            scratch: game.rules().scratch(),
            generator: generator(seed),
            first: play.state().clone(),
            first_length: play.history().len(),
            mark: play.state().clone(),
            mark_length: play.history().len(),
            state: play.state().clone(),
            history: play.history().clone(),
            stretch: stretch(play),
            results: vec![UNDECIDED; factors.len()],
            mobility: Mobility::default(),
            factors,
            game,
        }
    }

    /// The game.
    pub(crate) fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Goes back to where it began.
    #[inline]
    pub(crate) fn restart(&mut self) {
        self.state.copy_from(&self.first);
        self.history.truncate(self.first_length);
    }

    /// Remembers the present position for [`Trial::return_to_mark`].
    #[inline]
    pub(crate) fn mark(&mut self) {
        self.mark.copy_from(&self.state);
        self.mark_length = self.history.len();
    }

    /// Goes back to the position that was marked, from one that was reached from it.
    #[inline]
    pub(crate) fn return_to_mark(&mut self) {
        self.state.copy_from(&self.mark);
        self.history.truncate(self.mark_length);
    }

    /// The player to move; `None` if the keeper is stuck.
    #[inline]
    pub(crate) fn player(&self) -> Option<Player> {
        self.game.rules().player(&self.state)
    }

    /// Plays a legal move.
    #[inline]
    pub(crate) fn apply(&mut self, steps: &[Step]) -> Result<(), Error> {
        let Trial { game, scratch, state, history, .. } = self;
        let applied = game.rules().apply(state, history, steps, scratch);
        applied.map_err(|fault| game.blame(&fault))
    }

    /// Lists the legal moves.
    pub(crate) fn moves(&mut self, list: &mut MoveList) -> Result<(), Error> {
        let Trial { game, scratch, state, .. } = self;
        list.clear();
        if game.rules().player(state).is_none() {
            return Ok(());
        }
        game.rules().moves(state, scratch, list).map_err(|fault| game.blame(&fault))
    }

    /// Plays a random game to its end and notes the results. If the time is over before, the game is broken off.
    #[inline]
    pub(crate) fn playout(&mut self, clock: &Clock) -> Result<(), Error> {
        let Trial { game, scratch, generator, state, history, stretch, .. } = self;
        let mut pick = |count| generator.random_range(0..count);
        let mut left = LONGEST_PLAYOUT;
        while left > 0 {
            let moves = left.min(*stretch);
            let made = game.rules().playout(state, history, scratch, &mut pick, moves);
            if made.map_err(|fault| game.blame(&fault))? < moves {
                self.end();
                return Ok(());
            }
            left -= moves;
            if left > 0 && clock.is_late() {
                break;
            }
        }
        self.results.fill(UNDECIDED);
        Ok(())
    }

    /// Plays at most `most` random moves and shows them to `note`; returns whether the game is over then, with its results noted.
    /// If the time is over before, the game counts as undecided.
    pub(crate) fn playout_noting(
        &mut self,
        clock: &Clock,
        most: u64,
        note: &mut dyn FnMut(Player, &[Step]),
    ) -> Result<bool, Error> {
        let Trial { game, scratch, generator, state, history, stretch, mobility, .. } = self;
        let mut pick = |count: u64| {
            // The one before had its moves last; the one to move now had some before that.
            *mobility = Mobility { now: mobility.before, before: count.min(1 << 20) as u32 };
            generator.random_range(0..count)
        };
        let mut left = most.min(LONGEST_PLAYOUT);
        while left > 0 {
            let moves = left.min(*stretch);
            let rules = game.rules();
            let made = rules.playout_noting(state, history, scratch, &mut pick, moves, note);
            if made.map_err(|fault| game.blame(&fault))? < moves {
                self.end();
                return Ok(true);
            }
            left -= moves;
            if left > 0 && clock.is_late() {
                break;
            }
        }
        self.results.fill(UNDECIDED);
        Ok(false)
    }

    /// Chooses a random move; returns whether there is one.
    pub(crate) fn choose(&mut self, steps: &mut Vec<Step>) -> Result<bool, Error> {
        let Trial { game, scratch, generator, state, .. } = self;
        if game.rules().player(state).is_none() {
            return Ok(false);
        }
        let mut pick = |count| generator.random_range(0..count);
        let chosen = game.rules().choose(state, scratch, &mut pick, steps);
        chosen.map_err(|fault| game.blame(&fault))
    }

    /// Notes the results of a game that is over.
    #[inline]
    pub(crate) fn end(&mut self) {
        let Trial { game, state, factors, results, .. } = self;
        let layout = game.rules().layout();
        for (number, (result, factor)) in results.iter_mut().zip(factors).enumerate() {
            let score = state.variable(layout, Player(number as u32).score());
            *result = f64::from(score) * *factor;
        }
    }
}

/// How many moves of a random game are made between two looks at the clock. It depends on the position, not on the time that
/// moves take, so that games are the same each time.
fn stretch(play: &Match) -> u64 {
    let moves = play.moves().map_or(u64::MAX, |moves| moves.len() as u64);
    (EFFORT_BETWEEN_LOOKS / effort_of_move(play.game()) / moves.max(1)).clamp(1, LONGEST_PLAYOUT)
}
