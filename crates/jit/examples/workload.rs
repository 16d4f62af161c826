//! A fixed piece of work for one game and engine, whose instructions `cargo xtask instructions` counts.
//!
//! `workload FILE ENGINE playouts GAMES` plays random games with seed 0 and prints how many moves were made and the weighted sum
//! of all scores. `workload FILE ENGINE perft DEPTH` prints the leaves and states of a tree. Only the functions
//! `play_games` and `count_tree` are counted, which the task knows by name.

#![expect(clippy::print_stdout, reason = "the answers are for the task that runs this")]

use regulus_automaton::passes;
use regulus_engine::{Counting, Perft, Playouts, Rules as _, State, perft};
use regulus_jit::{Engine, EngineKind};
use regulus_lang::{Source, compile};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, engine, kind, size] = args.as_slice() else {
        panic!("usage: workload FILE ENGINE playouts|perft SIZE");
    };
    let rules = load(file, engine);
    let first = rules.initial(&mut rules.scratch()).expect("the game begins");
    match kind.as_str() {
        "playouts" => {
            let (moves, score) = play_games(&rules, &first, size.parse().expect("a number"));
            println!("{moves} {score}");
        }
        "perft" => {
            // What is compiled when the first tree is counted is not part of the work.
            rules.count(&first, &rules.history(&first), 1, &mut rules.scratch());
            let tree = count_tree(&rules, &first, size.parse().expect("a number"));
            println!("{} {}", tree.leaves, tree.states);
        }
        other => panic!("there is no work {other}"),
    }
}

fn load(file: &str, engine: &str) -> Engine {
    let kind = match engine {
        "walk" => EngineKind::Walk,
        "plan" => EngineKind::Plan,
        "jit" => EngineKind::Jit,
        other => panic!("there is no engine {other}"),
    };
    let text = std::fs::read_to_string(file).expect("the game can be read");
    let automaton = compile(&Source::new(file, text)).automaton.expect("the game is well-formed");
    let config = regulus_jit::Config { kind, ..regulus_jit::Config::default() };
    let rules = Engine::new(passes::optimise(automaton, &passes::Config::default()), &config);
    assert_eq!(rules.name(), engine, "the engine can run the game");
    rules
}

#[inline(never)]
fn play_games(rules: &Engine, first: &State, games: u64) -> (u64, i64) {
    let mut playouts = Playouts::new(rules, 0);
    let mut state = first.clone();
    let (mut moves, mut score) = (0, 0);
    for _ in 0..games {
        state.clone_from(first);
        let mut history = rules.history(&state);
        moves += playouts.run(&mut state, &mut history, u64::MAX).expect("the game ends");
        // Weighted, so that it matters who has won.
        let scores = rules.scores(&state).into_iter().map(i64::from);
        score += (1..).zip(scores).map(|(weight, score)| weight * score).sum::<i64>();
    }
    (moves, score)
}

#[inline(never)]
fn count_tree(rules: &Engine, first: &State, depth: u32) -> Perft {
    let history = rules.history(first);
    let tree = perft(rules, first, &history, depth, Counting::Each, &mut |_, _| {});
    tree.expect("the rules do not fail")
}
