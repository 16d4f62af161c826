//! Games that a residual net plays against itself, to learn from them.

use std::sync::Arc;

use rand::RngExt as _;
use regulus_agents::residual::{
    NetChoice, NetSearch, ResidualNet, ResidualShape, by_cell, cells_of_squares,
};
use regulus_agents::{AgentError, Budget, Clock, Stop};
use regulus_automaton::{Id as _, Player};
use regulus_engine::{Generator, generator};
use regulus_game::{Game, Match};

use super::examples::Examples;
use crate::config::TrainConfig;
use crate::experience::{Experience, PlayedGame};
use crate::games::{play_own, seed_of};
use crate::progress::Watch;

/// What games are played with.
struct SelfPlay<'a> {
    game: &'a Arc<Game>,
    config: &'a TrainConfig,
    shape: ResidualShape,
    /// The cell of each square.
    cells: Vec<u32>,
}

/// Plays those games of an iteration that belong to this shard, in the order of their numbers; `None` if it was stopped.
pub(crate) fn play_games(
    game: &Arc<Game>,
    net: &Arc<ResidualNet>,
    config: &TrainConfig,
    iteration: u64,
    stop: &Stop,
    watch: &mut Watch<'_>,
) -> Result<Option<Vec<PlayedGame>>, AgentError> {
    let cells = cells_of_squares(game);
    let games = SelfPlay { game, config, shape: net.shape(), cells };
    let begin = || Ok(NetSearch::new(game, Arc::clone(net), config.search.kind(), 0));
    let play = |search: &mut NetSearch, number: u64| {
        let seed = seed_of(config.seed, iteration, number);
        games.play(search, seed)
    };
    play_own(config, stop, watch, &begin, &play)
}

/// What is known of an example before its game is over.
struct SeenExample {
    mover: usize,
    /// What the search said, for the player to move.
    found: f32,
}

impl SelfPlay<'_> {
    fn play(&self, search: &mut NetSearch, seed: u64) -> Result<PlayedGame, AgentError> {
        let config = self.config;
        let (draws, judges_ends) = (config.search.draws_moves(), config.search.judges_ends());
        let mut random = generator(seed);
        search.reseed(seed);
        let mut play = Match::seeded(self.game, seed)?;
        let mut examples = Examples::default();
        let mut seen: Vec<SeenExample> = Vec::new();
        let opening = random.random_range(config.opening[0]..=config.opening[1]);
        let (mut moves, mut last) = (0, 0);
        while moves < config.longest {
            let Some(mover) = play.player() else { break };
            if play.moves()?.is_empty() {
                break;
            }
            moves += 1;
            last = mover.index();
            if moves <= opening {
                play.play_random(&mut random)?;
                continue;
            }
            let clock = Clock::start(Budget::iterations(config.nodes), Stop::new());
            let choice = search.choose(&play, &clock)?;
            self.add_moves(&mut examples, &choice);
            self.add(&mut examples, &play, mover);
            seen.push(SeenExample { mover: mover.index(), found: choice.value });
            if random.random_bool(config.stray) {
                play.play_random(&mut random)?;
            } else {
                let chosen = if draws { sampled(&choice, &mut random) } else { choice.best };
                play.play(&choice.moves[chosen].steps.0)?;
            }
        }
        let is_over = play.outcome().over().is_some();
        if is_over && judges_ends {
            let mover = play.player().map_or(1 - last, Player::index);
            self.add(&mut examples, &play, Player::from_index(mover));
            seen.push(SeenExample { mover, found: 0.0 });
        }
        let result = |player| self.game.result(play.state(), Player::from_index(player));
        let first = if is_over { (result(0) - result(1)) as f32 } else { 0.0 };
        let count = seen.len();
        for (index, SeenExample { mover, found }) in seen.into_iter().enumerate() {
            let own = if mover == 0 { first } else { -first };
            let trust =
                if judges_ends && is_over && index + 1 == count { 1.0 } else { config.outcome };
            examples.set_value(index, trust * own + (1.0 - trust) * found);
            if self.shape.choices > 0 {
                examples.add_owners(self.owners(&play, mover));
            }
        }
        let points = f64::midpoint(f64::from(first), 1.0);
        Ok(PlayedGame { moves, first: points, experience: Experience::Examples(examples) })
    }

    fn add(&self, examples: &mut Examples, play: &Match, mover: Player) {
        let mut planes = vec![0.0; self.game.plane_shape().len()];
        self.game.write_planes(play.state(), play.history(), mover, &mut planes);
        examples.add(|list| by_cell(&planes, self.shape.planes, list));
    }

    /// Adds how likely moves should be, if the net says that.
    fn add_moves(&self, examples: &mut Examples, choice: &NetChoice) {
        if self.shape.choices == 0 {
            return;
        }
        let squares = self.cells.len() as u64;
        for found in &choice.moves {
            let choices = self.game.actions().of(&found.steps.0).map(|action| {
                let (kind, square) = (action.0 / squares, action.0 % squares);
                self.cells[square as usize] * self.shape.choices as u32 + kind as u32
            });
            examples.add_move(choices, found.likely);
        }
    }

    /// Whose the cells are at the end: 1 of the player, -1 of the other.
    fn owners(&self, play: &Match, player: usize) -> impl Iterator<Item = i8> {
        let mut owners = vec![0; self.shape.cells()];
        let automaton = self.game.automaton();
        for (square, cell) in automaton.board.squares.keys().zip(&self.cells) {
            let piece = play.state().piece(square);
            if let Some(owner) = automaton.looks.pieces[piece].owner {
                owners[*cell as usize] = if owner.index() == player { 1 } else { -1 };
            }
        }
        owners.into_iter()
    }
}

/// The number of a move, drawn by how often moves were tried.
fn sampled(choice: &NetChoice, random: &mut Generator) -> usize {
    let sum: u32 = choice.moves.iter().map(|it| it.visits).sum();
    let mut left = random.random_range(0..sum.max(1));
    for (index, found) in choice.moves.iter().enumerate() {
        if left < found.visits {
            return index;
        }
        left -= found.visits;
    }
    choice.best
}
