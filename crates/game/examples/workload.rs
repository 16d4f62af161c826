//! A fixed piece of work for one game and engine, whose instructions `cargo xtask instructions` counts.
//!
//! `workload FILE ENGINE playouts GAMES` plays random games with seed 0 and prints how many moves were made and the weighted sum
//! of all scores; `actions` plays the same games and notes the actions. `workload FILE ENGINE perft DEPTH` prints the leaves and states of a tree. Only the functions
//! `play_games`, `note_actions` and `count_tree` are counted, which the task knows by name.

#![expect(clippy::print_stdout, reason = "the answers are for the task that runs this")]

use std::sync::Arc;

use regulus_engine::{Counting, Perft, Playouts, Rules as _, perft};
use regulus_game::{Actions, Config, EngineKind, Game, Match};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, engine, kind, size] = args.as_slice() else {
        panic!("usage: workload FILE ENGINE playouts|actions|perft SIZE");
    };
    let game = load(file, engine);
    let play = Match::new(&game).expect("the game begins");
    let size: u64 = size.parse().expect("a number");
    match kind.as_str() {
        "playouts" => {
            let (moves, score) = play_games(&play, size);
            println!("{moves} {score}");
        }
        "actions" => {
            let (moves, actions) = note_actions(&play, size, game.actions());
            println!("{moves} {actions}");
        }
        "perft" => {
            // What is compiled when the first tree is counted is not part of the work.
            let rules = game.rules();
            rules.count(play.state(), play.history(), 1, &mut rules.scratch());
            let tree = count_tree(&play, u32::try_from(size).expect("a depth"));
            println!("{} {}", tree.leaves, tree.states);
        }
        other => panic!("there is no work {other}"),
    }
}

fn load(file: &str, engine: &str) -> Arc<Game> {
    let kind = match engine {
        "walk" => EngineKind::Walk,
        "plan" => EngineKind::Plan,
        "jit" => EngineKind::Jit,
        other => panic!("there is no engine {other}"),
    };
    let game = Game::load(file, &Config { engine: kind, ..Config::default() });
    let game = game.expect("the game is well-formed");
    assert_eq!(game.rules().name(), engine, "the engine can run the game");
    game
}

#[inline(never)]
fn play_games(play: &Match, games: u64) -> (u64, i64) {
    let rules = play.game().rules();
    let mut playouts = Playouts::new(rules, 0);
    let (mut state, mut history) = (play.state().clone(), play.history().clone());
    let (mut moves, mut score) = (0, 0);
    for _ in 0..games {
        state.clone_from(play.state());
        history.truncate(play.history().len());
        moves += playouts.run(&mut state, &mut history, u64::MAX).expect("the game ends");
        // Weighted, so that it matters who has won.
        let scores = rules.scores(&state).into_iter().map(i64::from);
        score += (1..).zip(scores).map(|(weight, score)| weight * score).sum::<i64>();
    }
    (moves, score)
}

/// Plays the same games and notes the actions of all moves.
#[inline(never)]
fn note_actions(play: &Match, games: u64, actions: &Actions) -> (u64, u64) {
    let mut playouts = Playouts::new(play.game().rules(), 0);
    let (mut state, mut history) = (play.state().clone(), play.history().clone());
    let (mut moves, mut sum) = (0, 0u64);
    let mut noted = Vec::new();
    for _ in 0..games {
        state.clone_from(play.state());
        history.truncate(play.history().len());
        noted.clear();
        let mut note = |player, steps: &_| {
            noted.extend(actions.of(steps).map(|action| (player, action)));
        };
        moves += playouts
            .run_noting(&mut state, &mut history, u64::MAX, &mut note)
            .expect("the game ends");
        sum =
            noted.iter().fold(sum, |sum, (_, action)| sum.wrapping_mul(31).wrapping_add(action.0));
    }
    (moves, sum)
}

#[inline(never)]
fn count_tree(play: &Match, depth: u32) -> Perft {
    let rules = play.game().rules();
    perft(rules, play.state(), play.history(), depth, Counting::Each, &mut |_, _| {})
        .expect("the rules do not fail")
}
