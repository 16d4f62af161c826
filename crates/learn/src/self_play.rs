//! Games that a net plays against itself, to learn from them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::RngExt as _;
use regulus_agents::{Agent, AgentError, Budget, Net, NetInputs, PlayerSpec, Stop, Task};
use regulus_automaton::{Id as _, Player};
use regulus_engine::generator;
use regulus_game::{Game, Match};

use crate::config::{LearningTarget, TrainConfig};
use crate::positions::Positions;

/// The seed of something, made of the seed of a run and of its number.
pub(crate) fn seed_of(run: u64, iteration: u64, number: u64) -> u64 {
    let mixed = run
        ^ iteration.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ number.wrapping_mul(0xd1b5_4a32_d192_ed03);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// How many games and positions there were, and how games ended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GameCount {
    pub(crate) games: u64,
    pub(crate) moves: u64,
    /// Points of the first player.
    pub(crate) first: f64,
}

/// Plays the games with these numbers on some threads; the positions are in the order of the games. Returns fewer if it was stopped.
pub(crate) fn play_games(
    game: &Arc<Game>,
    inputs: &NetInputs,
    net: Option<&Arc<Net>>,
    config: &TrainConfig,
    iteration: u64,
    stop: &Stop,
) -> Result<(Positions, GameCount), AgentError> {
    let next = AtomicUsize::new(0);
    let count = config.games as usize;
    let work = || {
        let mut found = Vec::new();
        let mut player = create(game, net, config)?;
        player.prepare();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count || stop.is_stopped() {
                return Ok(found);
            }
            let seed = seed_of(config.seed, iteration, number as u64);
            found.push((number, play_game(game, inputs, player.as_mut(), config, seed)?));
        }
    };
    let results: Vec<Result<Vec<_>, AgentError>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..config.threads.max(1)).map(|_| scope.spawn(work)).collect();
        let failed = |_| Err(AgentError::Forfeit("a thread of self-play failed".to_owned()));
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(failed)).collect()
    });
    let mut games = Vec::new();
    for result in results {
        games.extend(result?);
    }
    games.sort_by_key(|(number, _)| *number);
    let (mut positions, mut all) = (Positions::default(), GameCount::default());
    for (_, (found, moves, first)) in games {
        positions.append(found);
        all.games += 1;
        all.moves += moves;
        all.first += first;
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
