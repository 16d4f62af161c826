//! Solving: both methods against plain minimax, which remembers nothing and leaves nothing out.

use std::sync::Arc;

use regulus_agents::{Budget, Solution, SolveMethod, SolveTask, Unsolved, replay, solve};
use regulus_automaton::{Id as _, Player};
use regulus_engine::generator;
use regulus_game::{Config, EngineKind, Game, Match};

fn load(name: &str) -> Arc<Game> {
    let config = Config { engine: EngineKind::Plan, ..Config::default() };
    Game::load(name, &config).expect("it is bundled")
}

/// What the first player gets when both play as well as possible.
fn minimax(play: &mut Match) -> f64 {
    let moves: Vec<_> = match play.player() {
        Some(_) => play.moves().expect("listed").iter().map(<[_]>::to_vec).collect(),
        None => Vec::new(),
    };
    if moves.is_empty() {
        let result = |player| play.game().result(play.state(), Player(player));
        return (1.0 + result(0) - result(1)) / 2.0;
    }
    let is_first = play.player().is_some_and(|player| player.index() == 0);
    let mut best = if is_first { 0.0f64 } else { 1.0 };
    for steps in moves {
        play.play(&steps).expect("it is legal");
        let value = minimax(play);
        play.undo();
        best = if is_first { best.max(value) } else { best.min(value) };
    }
    best
}

#[test]
fn both_methods_find_what_minimax_finds() {
    let mut compared = 0;
    let mut values = std::collections::BTreeSet::new();
    for (name, opening) in [("tic_tac_toe", 3), ("breakthrough_4x4", 8)] {
        let game = load(name);
        for seed in 0..12 {
            let mut play = Match::new(&game).expect("it begins");
            let mut random = generator(seed);
            for _ in 0..opening {
                play.play_random(&mut random).expect("it can be played");
            }
            if play.outcome().over().is_some() {
                continue;
            }
            let expected = minimax(&mut play.clone());
            for method in SolveMethod::ALL {
                let task = SolveTask { bytes: 1 << 20, ..SolveTask::default() };
                let solution = solve(&play, method, task).expect("it is small");
                assert_eq!(
                    solution.results,
                    [expected, 1.0 - expected],
                    "{name} {seed} {method:?}"
                );
                // The line is legal, and ends as it says if it goes to the end.
                let mut end = play.clone();
                for steps in &solution.line {
                    end.play(&steps.0).expect("it is legal");
                }
                if let Some(over) = end.outcome().over() {
                    assert_eq!(over.results, solution.results, "{name} {seed} {method:?}");
                }
                compared += 1;
            }
            values.insert((expected * 2.0) as i32);
        }
    }
    assert!(compared >= 30, "{compared}");
    assert_eq!(values.len(), 3, "wins, draws and losses were compared");
}

#[test]
fn what_was_solved_is_kept_against_every_reply() {
    // A win has the moves of one player, a draw those of both.
    for (name, results, players) in
        [("breakthrough_4x4", [1.0, 0.0], 1), ("tic_tac_toe", [0.5, 0.5], 2)]
    {
        let play = Match::new(&load(name)).expect("it begins");
        let task = || SolveTask { bytes: 1 << 20, ..SolveTask::default() };
        let solution = solve(&play, SolveMethod::AlphaBeta, task()).expect("it is small");
        assert_eq!(solution.results, results, "{name}");
        let replays = replay(&play, &solution, task()).expect("it is small");
        assert_eq!(replays.len(), players, "{name}");
        for found in replays {
            assert!(found.holds && found.positions >= 20 && found.ends >= 20, "{found:?}");
        }
        // Nobody can keep more than there is.
        let wrong = Solution { results: [1.0 - results[0], results[0]], ..solution };
        let wrong = if players == 2 { Solution { results: [1.0, 0.0], ..wrong } } else { wrong };
        let replays = replay(&play, &wrong, task()).expect("it is small");
        assert!(replays.iter().all(|found| !found.holds), "{name}");
    }
}

#[test]
fn a_proof_holds_against_every_reply() {
    // White wins: after each reply there is a move again that keeps the win.
    let game = load("breakthrough_4x4");
    let mut open = vec![Match::new(&game).expect("it begins")];
    let mut met = 0;
    while let Some(mut play) = open.pop() {
        let task = SolveTask { bytes: 1 << 16, ..SolveTask::default() };
        let solution = solve(&play, SolveMethod::ProofNumbers, task).expect("it is small");
        assert_eq!(solution.results, [1.0, 0.0]);
        play.play(&solution.line[0].0).expect("it is legal");
        let replies: Vec<_> = match play.outcome().over() {
            Some(over) => {
                assert_eq!(over.results, [1.0, 0.0]);
                continue;
            }
            None => play.moves().expect("listed").iter().map(<[_]>::to_vec).collect(),
        };
        for reply in replies.into_iter().take(3) {
            let mut next = play.clone();
            next.play(&reply).expect("it is legal");
            if let Some(over) = next.outcome().over() {
                assert_eq!(over.results, [1.0, 0.0]);
            } else {
                open.push(next);
            }
            met += 1;
        }
    }
    assert!(met >= 20, "{met}");
}

#[test]
fn what_cannot_be_solved_is_told() {
    let solved = |name: &str, budget| {
        let play = Match::new(&load(name)).expect("it begins");
        let task = SolveTask { budget, bytes: 1 << 20, ..SolveTask::default() };
        solve(&play, SolveMethod::ProofNumbers, task)
    };
    assert!(matches!(solved("trio", Budget::default()), Err(Unsolved::Players(3))));
    assert!(matches!(solved("chess", Budget::iterations(1000)), Err(Unsolved::Stopped(1000))));
}
