//! All engines give the same answers: the same sets of moves, the same states after them, the same hashes, on random
//! games of every bundled game.
//!
//! `REGULUS_ENGINE_STATES` says how many states of each game are compared; a few hundred unless set.

use std::sync::Arc;

use regulus_automaton::passes;
use regulus_engine::{Move, MoveList, Rules, State, generator};
use regulus_jit::{Config, Engine, EngineKind};
use regulus_lang::{Source, compile};

/// The engines by their names; the first is compared with the others.
const ENGINES: [(EngineKind, &str); 3] =
    [(EngineKind::Walk, "walk"), (EngineKind::Plan, "plan"), (EngineKind::Jit, "jit")];

/// Names and texts of the bundled games.
fn games() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games");
    let languages = std::fs::read_dir(folder).expect("the games are there");
    let files = languages.flat_map(|language| {
        std::fs::read_dir(language.expect("readable").path()).expect("a folder for each language")
    });
    let mut games: Vec<(String, String)> = files
        .map(|file| file.expect("readable").path())
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("readable"))
        })
        .collect();
    games.sort();
    games
}

/// The moves of a state in a canonical order.
fn moves(engine: &Engine, state: &State) -> Vec<Move> {
    let mut list = MoveList::new();
    engine.moves(state, &mut engine.scratch(), &mut list).expect("no fault");
    let mut moves: Vec<Move> = list.iter().map(Move::from).collect();
    moves.sort();
    let before = moves.len();
    moves.dedup();
    assert_eq!(moves.len(), before, "{} lists a move twice", engine.name());
    moves
}

#[test]
fn all_engines_agree_on_every_bundled_game() {
    let wanted = std::env::var("REGULUS_ENGINE_STATES").ok().and_then(|n| n.parse().ok());
    let wanted: usize = wanted.unwrap_or(300);
    for (name, text) in games() {
        let automaton = compile(&Source::new(&name, &text)).automaton.expect("no errors");
        let automaton = Arc::new(passes::optimise(automaton, &passes::Config::default()));
        let [walk, plan, jit] = ENGINES.map(|(kind, wanted)| {
            let config = Config { kind, ..Config::default() };
            let engine = Engine::new(Arc::clone(&automaton), &config);
            assert_eq!(engine.name(), wanted, "{name}: {:?}", engine.native_code());
            engine
        });
        let compared = compare(&name, &walk, &[plan, jit], wanted);
        assert!(compared >= wanted, "{name}: only {compared} states");
    }
}

/// Plays random games and compares in every state; returns how many states there were.
fn compare(name: &str, walk: &Engine, others: &[Engine], wanted: usize) -> usize {
    use rand::RngExt as _;
    let mut random = generator(7);
    let mut scratch = walk.scratch();
    let mut compared = 0;
    while compared < wanted {
        let mut state = walk.initial(&mut scratch).expect("no fault");
        let mut history = walk.history(&state);
        for other in others {
            assert_eq!(other.initial(&mut other.scratch()).expect("no fault"), state, "{name}");
        }
        while compared < wanted && walk.player(&state).is_some() {
            let expected = moves(walk, &state);
            for other in others {
                assert_eq!(moves(other, &state), expected, "{name}: {}", other.name());
            }
            compared += 1;
            if expected.is_empty() {
                break;
            }
            let chosen = &expected[random.random_range(0..expected.len())];
            let (mut next, mut next_history) = (state.clone(), history.clone());
            walk.apply(&mut next, &mut next_history, &chosen.0, &mut scratch).expect("no fault");
            for other in others {
                let (mut theirs, mut history) = (state.clone(), history.clone());
                let mut scratch = other.scratch();
                other.apply(&mut theirs, &mut history, &chosen.0, &mut scratch).expect("no fault");
                assert_eq!(theirs, next, "{name}: {} after {chosen:?}", other.name());
                assert_eq!(history, next_history, "{name}: {} after {chosen:?}", other.name());
            }
            (state, history) = (next, next_history);
        }
    }
    compared
}
