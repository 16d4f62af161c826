//! Games that a net plays against itself, to learn from them.

use std::sync::Arc;

use rand::RngExt as _;
use regulus_agents::{Agent, AgentError, Budget, NetInputs, Stop, Task};
use regulus_automaton::{Id as _, Player};
use regulus_engine::generator;
use regulus_game::{Game, Match};

use crate::config::{LearningTarget, TrainConfig};
use crate::experience::{Experience, PlayedGame};
use crate::games::{play_own, seed_of};
use crate::learner::Learner as _;
use crate::positions::Positions;
use crate::progress::Watch;
use crate::sums::SumsLearner;

/// Plays those games of an iteration that belong to this shard, in the order of their numbers; `None` if it was stopped.
pub(crate) fn play_games(
    learner: &SumsLearner,
    config: &TrainConfig,
    iteration: u64,
    stop: &Stop,
    watch: &mut Watch<'_>,
) -> Result<Option<Vec<PlayedGame>>, AgentError> {
    let begin = || {
        let mut player = learner.player(config, 1)?;
        player.prepare();
        Ok(player)
    };
    let each = |player: &mut Box<dyn Agent>, number: u64| {
        let seed = seed_of(config.seed, iteration, number);
        play_alone(&learner.game, &learner.inputs, player.as_mut(), config, seed)
    };
    play_own(config, stop, watch, &begin, &each)
}

/// What is known of a position of a game.
struct Seen {
    /// What the first player can expect, as the search says.
    found: f32,
    /// Whether the move that was made was not chosen, but drawn.
    strays: bool,
    /// The number of the position among those that are learnt from; `None` if it is not.
    index: Option<usize>,
    /// Who is to move.
    mover: usize,
}

/// Plays a game of a player against itself.
fn play_alone(
    game: &Arc<Game>,
    inputs: &NetInputs,
    player: &mut dyn Agent,
    config: &TrainConfig,
    seed: u64,
) -> Result<PlayedGame, AgentError> {
    let mut random = generator(seed);
    player.forget();
    let mut play = Match::seeded(game, seed)?;
    let opening = random.random_range(config.opening[0]..=config.opening[1]);
    let mut positions = Positions::default();
    let mut seen: Vec<Seen> = Vec::new();
    let (mut cells, mut cells_after) = (Vec::new(), Vec::new());
    let mut moves = 0;
    while moves < config.longest {
        let Some(mover) = play.player() else { break };
        if play.moves()?.is_empty() {
            break;
        }
        moves += 1;
        if moves <= opening {
            play.play_random(&mut random)?;
            continue;
        }
        let strays = random.random_bool(config.stray);
        let budget = Budget { iterations: Some(config.nodes), ..Budget::default() };
        let mut task = Task { is_analysis: false, ..Task::new(budget) };
        let thought = player.think(&play, &mut task)?;
        cells.clear();
        inputs.write_cells(play.state(), &mut cells);
        if strays {
            play.play_random(&mut random)?;
        } else {
            play.play(&thought.steps.0)?;
        }
        // Where there is one move only, nothing is searched.
        if let Some(&found) = thought.report.values.get(mover.index()) {
            // Where pieces are about to be taken the search does not ask the net, if it follows exchanges to their end.
            cells_after.clear();
            inputs.write_cells(play.state(), &mut cells_after);
            let is_quiet = inputs.filled(&cells_after) >= inputs.filled(&cells);
            let mut index = None;
            if is_quiet || !config.settling {
                index = Some(positions.len());
                positions.add(mover.index(), 0.0, |list| list.extend_from_slice(&cells));
            }
            let first = if mover.index() == 0 { found } else { 1.0 - found };
            seen.push(Seen { found: first as f32, strays, index, mover: mover.index() });
        }
    }
    let first = match play.outcome().over() {
        Some(_) => {
            let result = |player: u32| game.result(play.state(), Player(player));
            0.5 + (result(0) - result(1)) / 2.0
        }
        None => 0.5,
    };
    // Backwards: each position is worth what the next one is worth, unless it was not reached by choice.
    let mut worth = first as f32;
    for Seen { found, strays, index, mover } in seen.iter().rev() {
        worth = match config.target {
            LearningTarget::Outcome => worth,
            LearningTarget::Search => *found,
            LearningTarget::Trace if *strays => *found,
            LearningTarget::Trace => config.trace * worth + (1.0 - config.trace) * found,
        };
        if let Some(index) = *index {
            positions.set_target(index, if *mover == 0 { worth } else { 1.0 - worth });
        }
    }
    Ok(PlayedGame { moves, first, experience: Experience::Positions(positions) })
}
