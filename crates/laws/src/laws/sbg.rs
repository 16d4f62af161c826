//! Games in Simplified Boardgames are played as they are defined, and so are their translations into RBG.

use rand::RngExt as _;
use regulus_automaton::Automaton;
use regulus_automaton::passes::{Config, optimise};
use regulus_engine::{Counting, Perft, Rules as _, Walk, generator, perft};
use regulus_lang::{Source, compile, render, sbg};

use crate::effort::Effort;
use crate::sbg_definition::{NoDefinition, Place, SbgDefinition};
use crate::sbg_view::{PositionView, ShownGame};

/// Along random games in Simplified Boardgames, as lowered and as optimised, the `walk` engine shows what an
/// implementation of the definition shows which knows nothing of automata: who is to move, the pieces, the moves as
/// origin and destination, each once, and the scores at the end. So do all positions one move away.
///
/// Returns the number of positions that were compared.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn sbg_is_definition(text: &str, seed: u64, effort: &Effort) -> u64 {
    let Some(automaton) = compiled("game.sbg", text, effort) else { return 0 };
    let mut compared = 0;
    let definition = match SbgDefinition::read(text) {
        Ok(definition) => definition,
        Err(NoDefinition::TooMuch) => return 0,
        Err(NoDefinition::NoGame) => panic!("it compiles, but is no game"),
    };
    let optimised = optimise(automaton.clone(), &Config::default());
    for (title, automaton) in [("as lowered", automaton), ("as optimised", optimised)] {
        let shown = ShownGame::new(title, automaton);
        let mut generator = generator(seed);
        let mut line = Vec::new();
        let (mut position, mut state) = (definition.initial(), shown.initial());
        for _ in 0..effort.states {
            let (view, moves) = shown.view(&state);
            same(title, &PositionView::defined(&definition, &position), &view, &line);
            compared += 1 + moves.len() as u64;
            if moves.is_empty() {
                break;
            }
            let chosen = generator.random_range(0..moves.len());
            let before = (position.clone(), state.clone());
            for (number, (&(from, to), steps)) in moves.iter().enumerate() {
                let next = definition.after(&before.0, from, to);
                let after = shown.after(&before.1, steps);
                line.push((from, to));
                same(
                    title,
                    &PositionView::defined(&definition, &next),
                    &shown.view(&after).0,
                    &line,
                );
                line.pop();
                if number == chosen {
                    (position, state) = (next, after);
                }
            }
            line.extend(moves.keys().nth(chosen));
        }
    }
    compared
}

/// The translation of a game in Simplified Boardgames into RBG compiles. Along random games it shows the same as the game
/// itself, and their trees are equally large.
///
/// Returns the number of positions and trees that were compared.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn sbg_translation_keeps_the_game(text: &str, seed: u64, effort: &Effort) -> u64 {
    let Some(automaton) = compiled("game.sbg", text, effort) else { return 0 };
    let mut compared = 0;
    let (Some(game), _) = sbg::check(&Source::new("game.sbg", text)) else {
        panic!("it compiles, but has no meaning");
    };
    let translation = sbg::to_rbg(&game);
    let source = Source::new("game.rbg", translation);
    let compilation = compile(&source);
    let Some(translated) = compilation.automaton else {
        let findings = render(&compilation.diagnostics, &source, false);
        panic!("the translation is refused:\n{findings}\n{}", source.text());
    };
    if translated.edge_count() > effort.edges {
        return 0;
    }
    let original = ShownGame::new("the game", automaton);
    let translated = ShownGame::new("its translation", translated);
    let mut generator = generator(seed);
    let mut line = Vec::new();
    let mut states = (original.initial(), translated.initial());
    for _ in 0..effort.states {
        let (view, moves) = original.view(&states.0);
        let (translated_view, translated_moves) = translated.view(&states.1);
        same("the translation", &view, &translated_view, &line);
        compared += 1;
        if moves.is_empty() {
            break;
        }
        let Some(pair) = moves.keys().nth(generator.random_range(0..moves.len())) else { break };
        states.0 = original.after(&states.0, &moves[pair]);
        states.1 = translated.after(&states.1, &translated_moves[pair]);
        line.push(*pair);
    }
    for depth in 0..=effort.depth {
        let counted = count(&original.walk, depth);
        assert_eq!(counted, count(&translated.walk, depth), "perft to depth {depth}");
        compared += 1;
        if counted.states > 10 * effort.states as u64 {
            break;
        }
    }
    compared
}

/// The trees of a game in Simplified Boardgames are as large as its definition says: to every depth at which they have at
/// most `leaves` leaves.
///
/// Returns the number of trees that were compared.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn sbg_trees_are_as_defined(text: &str, leaves: u64) -> u64 {
    let Ok(definition) = SbgDefinition::read(text) else { return 0 };
    let Some(automaton) = compiled("game.sbg", text, &Effort::real_game(0, 0)) else { return 0 };
    let walk = Walk::new(optimise(automaton, &Config::default()));
    let mut depth = 0;
    loop {
        let counted = count(&walk, depth).leaves;
        if counted > leaves {
            return depth.into();
        }
        assert_eq!(definition.perft(&definition.initial(), depth), counted, "depth {depth}");
        // Once a tree has no leaves, no deeper one has.
        depth += 1;
        if counted == 0 || depth > DEEPEST {
            return depth.into();
        }
    }
}

/// Games of few moves go on for long.
const DEEPEST: u32 = 60;

/// How many lines of exactly `depth` moves a game in Simplified Boardgames has by its definition; `None` if the text is
/// not such a game, or is too large.
#[must_use]
pub fn sbg_perft(text: &str, depth: u32) -> Option<u64> {
    let definition = SbgDefinition::read(text).ok()?;
    Some(definition.perft(&definition.initial(), depth))
}

/// The automaton of a text in the language of this name, unless it is too large.
fn compiled(name: &str, text: &str, effort: &Effort) -> Option<Automaton> {
    let automaton = compile(&Source::new(name, text)).automaton;
    automaton.filter(|automaton| automaton.edge_count() <= effort.edges)
}

fn count(walk: &Walk, depth: u32) -> Perft {
    let counted = walk.initial(&mut walk.scratch()).and_then(|state| {
        perft(walk, &state, &walk.history(&state), depth, Counting::Each, &mut |_, _| {})
    });
    counted.unwrap_or_else(|fault| panic!("perft to depth {depth}: {fault}"))
}

fn same(title: &str, expected: &PositionView, found: &PositionView, line: &[(Place, Place)]) {
    assert_eq!(expected, found, "{title}, after {line:?}");
}
