//! Residual nets: that they learn, that threads change nothing, and that every way of searching with them plays.

use std::sync::Arc;

use regulus_agents::residual::{
    NetSearchKind, PlaneMirror, ResidualNet, ResidualShape, ResidualWeights,
};
use regulus_agents::{Budget, Clock, PlayerSpec, Stop, Task};
use regulus_automaton::{Id as _, Player};
use regulus_engine::generator;
use regulus_game::{Config, Game, Match};
use regulus_learn::TrainConfig;
use regulus_learn::residual::ResidualTraining;

fn load(name: &str) -> Arc<Game> {
    Game::load(name, &Config::default()).expect("it is bundled")
}

fn tiny(shape: ResidualShape) -> ResidualShape {
    ResidualShape { filters: 16, blocks: 1, ..shape }
}

fn trained(
    game: &Arc<Game>,
    config: &TrainConfig,
    iterations: u64,
) -> (ResidualTraining, Vec<f64>) {
    let config = TrainConfig { filters: 16, blocks: 1, ..config.clone() };
    let mut training = ResidualTraining::new(game, config).expect("it begins");
    let mut losses = Vec::new();
    for _ in 0..iterations {
        let loss = training.iterate(&Stop::new()).expect("it is played").expect("nobody stops it");
        losses.push(loss.value + loss.choices);
    }
    (training, losses)
}

/// How many of 40 games a net wins against random moves, half of them as each player.
fn won(game: &Arc<Game>, net: &Arc<ResidualNet>, options: &str) -> usize {
    let spec = PlayerSpec::net(options).expect("options");
    let mut random = generator(5);
    let mut won = 0;
    for number in 0..40u64 {
        let seat = number as usize % 2;
        let mut agent = spec.create_with_residual(game, Arc::clone(net), number);
        let mut play = Match::new(game).expect("it begins");
        while let Some(player) = play.player() {
            if player.index() == seat && !play.moves().expect("they are listed").is_empty() {
                let mut task = Task::new(spec.budget_or(Budget::iterations(30)));
                let thought = agent.think(&play, &mut task).expect("it has a move");
                play.play(&thought.steps.0).expect("it is legal");
            } else if !play.play_random(&mut random).expect("it is played") {
                break;
            }
        }
        won += usize::from(game.result(play.state(), Player::from_index(seat)) > 0.5);
    }
    won
}

#[test]
fn a_net_that_only_judges_learns_to_win() {
    let game = load("breakthrough_4x4");
    let shape = tiny(ResidualShape::thesis(&game).expect("for two"));
    let config = TrainConfig { nodes: 30, ..TrainConfig::thesis() };
    let (training, losses) = trained(&game, &config, 4);
    let before = ResidualNet::new(&game, &ResidualWeights::random(shape, 1));
    let before = won(&game, &Arc::new(before), "?search=rounds");
    let after = won(&game, training.net(), "?search=rounds");
    assert!(after >= 30 && after > before, "{before} and then {after} of 40, {losses:?}");
    let ahead = won(&game, training.net(), "?search=lookahead&depth=2");
    assert!(ahead >= 28, "{ahead} of 40 looking two moves ahead");
}

#[test]
fn a_net_that_knows_likely_moves_learns_to_win() {
    let game = load("breakthrough_4x4");
    let config = TrainConfig { nodes: 16, replay: 4, ..TrainConfig::small() };
    let (training, losses) = trained(&game, &config, 4);
    let after = won(&game, training.net(), "");
    assert!(after >= 34, "{after} of 40, {losses:?}");
    assert!(losses[3] < losses[0], "{losses:?}");
}

#[test]
fn threads_do_not_change_what_is_learnt() {
    let game = load("tic_tac_toe");
    for config in [TrainConfig::thesis(), TrainConfig::thesis_lookahead(), TrainConfig::small()] {
        let weights = [1, 3].map(|threads| {
            let config = TrainConfig { threads, games: 6, nodes: 8, ..config.clone() };
            let (training, _) = trained(&game, &config, 2);
            training.weights().to_bytes(&game, "tic_tac_toe").expect("it can be written")
        });
        assert!(weights[0] == weights[1], "{config:?}");
    }
}

#[test]
fn a_win_at_hand_is_found() {
    // Whatever the net says, searches that know results see that c1 wins.
    let game = load("tic_tac_toe");
    let mut play = Match::new(&game).expect("it begins");
    for name in ["a1", "a2", "b1", "b2"] {
        play.play_named(name).expect("it is legal");
    }
    let shape = tiny(ResidualShape::small(&game).expect("for two"));
    for seed in 0..10 {
        let net = ResidualNet::new(&game, &ResidualWeights::random(shape, seed));
        for (options, rounds) in [("", 64), ("?search=likely&seconds=0.2", 0)] {
            let spec = PlayerSpec::net(options).expect("options");
            let mut agent = spec.create_with_residual(&game, Arc::new(net.clone()), seed);
            let mut task = Task::new(spec.budget_or(Budget::iterations(rounds)));
            let thought = agent.think(&play, &mut task).expect("it has a move");
            assert_eq!(play.written(&thought.steps.0).expect("it is legal"), "c1", "{seed}");
        }
    }
}

#[test]
fn mirrors_lead_to_mirrored_planes() {
    // What is seen in a mirror twice is what there was, if the mirror is its own inverse.
    let game = load("breakthrough");
    let clock = Clock::start(Budget::default(), Stop::new());
    let mirrors = PlaneMirror::all(&game, &clock).expect("it is played");
    assert_eq!(mirrors.len(), 3);
    let shape = game.plane_shape();
    let mut planes = vec![0.0; shape.len()];
    let mut random = generator(1);
    let mut play = Match::new(&game).expect("it begins");
    let mut changed = 0;
    for _ in 0..20 {
        play.play_random(&mut random).expect("it is played");
        play.planes(&mut planes);
        let mut numbers = Vec::new();
        regulus_agents::residual::by_cell(&planes, shape.planes, &mut numbers);
        for mirror in &mirrors {
            let (mut once, mut twice) = (vec![0.0; shape.len()], vec![0.0; shape.len()]);
            mirror.write(&numbers, &mut once);
            mirror.write(&once, &mut twice);
            assert_eq!(numbers, twice);
            changed += usize::from(once != numbers);
        }
    }
    assert!(changed >= 40, "{changed}");
}

#[test]
fn every_search_is_a_player() {
    let game = load("connect_four");
    let shape = tiny(ResidualShape::thesis(&game).expect("for two"));
    let net = Arc::new(ResidualNet::new(&game, &ResidualWeights::random(shape, 1)));
    let kinds = [
        NetSearchKind::Rounds { exploration: 1.0 },
        NetSearchKind::Likely { exploration: 1.0, draws: true },
        NetSearchKind::Lookahead { depth: 3 },
    ];
    for kind in kinds {
        let mut search = regulus_agents::residual::NetSearch::new(&game, Arc::clone(&net), kind, 1);
        let play = Match::new(&game).expect("it begins");
        let clock = Clock::start(Budget::iterations(20), Stop::new());
        let choice = search.choose(&play, &clock).expect("it is played");
        assert_eq!(choice.moves.len(), 7);
        assert!((-1.0..=1.0).contains(&choice.value));
        let likely: f32 = choice.moves.iter().map(|it| it.likely).sum();
        assert!((likely - 1.0).abs() < 1e-3, "{kind:?} {likely}");
    }
}

#[test]
fn looking_ahead_ends_when_it_is_stopped() {
    // Forty moves ahead there is no end to it, so only the switch can end it.
    let game = load("connect_four");
    let shape = tiny(ResidualShape::thesis(&game).expect("for two"));
    let net = Arc::new(ResidualNet::new(&game, &ResidualWeights::random(shape, 1)));
    let spec = PlayerSpec::net("?search=lookahead&depth=40").expect("options");
    let mut agent = spec.create_with_residual(&game, net, 1);
    let play = Match::new(&game).expect("it begins");
    let mut task = Task::new(Budget::default());
    task.stop.stop();
    let thought = agent.think(&play, &mut task).expect("it has a move");
    assert!(play.moves().expect("they are listed").iter().any(|steps| steps == thought.steps.0));
}
