//! Games that a net plays against itself, to learn from them.

use std::sync::Arc;

use rand::RngExt as _;
use regulus_agents::{Agent, AgentError, Budget, Net, NetInputs, PlayerSpec, Stop, Task};
use regulus_automaton::{Id as _, Player};
use regulus_engine::generator;
use regulus_game::{Game, Match};

use crate::config::{LearningTarget, TrainConfig};
use crate::games::{GameCount, in_order, seed_of};
use crate::positions::Positions;

/// Plays the games with these numbers on some threads; the positions are in the order of the games. Returns fewer if it was stopped.
pub(crate) fn play_games(
    game: &Arc<Game>,
    inputs: &NetInputs,
    net: Option<&Arc<Net>>,
    config: &TrainConfig,
    iteration: u64,
    stop: &Stop,
) -> Result<(Positions, GameCount), AgentError> {
    let begin = || {
        let mut player = create(game, net, config)?;
        player.prepare();
        Ok(player)
    };
    let play = |player: &mut Box<dyn Agent>, number: u64| {
        play_game(game, inputs, player.as_mut(), config, seed_of(config.seed, iteration, number))
    };
    let (mut positions, mut all) = (Positions::default(), GameCount::default());
    for (found, moves, first) in in_order(config.threads, config.games, stop, &begin, &play)? {
        positions.append(found);
        all.add(GameCount { games: 1, moves, first });
    }
    Ok((positions, all))
}

/// The player of games to learn from: with the net, or before there is one with an evaluation that is fitted in seconds.
fn create(
    game: &Arc<Game>,
    net: Option<&Arc<Net>>,
    config: &TrainConfig,
) -> Result<Box<dyn Agent>, AgentError> {
    let failed = |error: regulus_agents::BadSpec| AgentError::Forfeit(error.to_string());
    let options = format!("?learning=2&memory=1&settling={}", u8::from(config.settling));
    Ok(match net {
        Some(net) => {
            PlayerSpec::net(&options).map_err(failed)?.create_with_net(game, Arc::clone(net))
        }
        None => {
            format!("alphabeta{options}").parse::<PlayerSpec>().map_err(failed)?.create(game, 1)
        }
    })
}

/// What is known of a position of a game.
struct Seen {
    /// What the first player can expect, as the search says.
    found: f32,
    /// Whether the move that was made was not chosen, but drawn.
    strays: bool,
}

/// Plays a game; returns its positions, how many moves it had, and what the first player got.
fn play_game(
    game: &Arc<Game>,
    inputs: &NetInputs,
    player: &mut dyn Agent,
    config: &TrainConfig,
    seed: u64,
) -> Result<(Positions, u64, f64), AgentError> {
    let mut random = generator(seed);
    player.forget();
    let mut play = Match::seeded(game, seed)?;
    let opening = random.random_range(config.opening[0]..=config.opening[1]);
    let mut positions = Positions::default();
    let mut seen: Vec<Seen> = Vec::new();
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
        // Where there is one move only, nothing is searched.
        if let Some(&found) = thought.report.values.get(mover.index()) {
            positions.add(mover.index(), 0.0, |cells| inputs.write_cells(play.state(), cells));
            let first = if mover.index() == 0 { found } else { 1.0 - found };
            seen.push(Seen { found: first as f32, strays });
        }
        if strays {
            play.play_random(&mut random)?;
        } else {
            play.play(&thought.steps.0)?;
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
    for (index, Seen { found, strays }) in seen.iter().enumerate().rev() {
        worth = match config.target {
            LearningTarget::Outcome => worth,
            LearningTarget::Search => *found,
            LearningTarget::Trace if *strays => *found,
            LearningTarget::Trace => config.trace * worth + (1.0 - config.trace) * found,
        };
        let mover = positions.get(index).mover;
        positions.set_target(index, if mover == 0 { worth } else { 1.0 - worth });
    }
    Ok((positions, moves, first))
}
