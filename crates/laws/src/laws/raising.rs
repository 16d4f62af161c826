//! An automaton that is written as RBG is the same game.

use rand::RngExt as _;
use regulus_automaton::{Automaton, Player};
use regulus_engine::{
    Counting, History, MoveList, Parts, Rules as _, State, Walk, generator, perft,
};
use regulus_lang::{Source, compile, rbg, render};

use crate::effort::Effort;
use crate::load;

/// Along random games, the rules that [`rbg::raise`] makes of an automaton lead to the same positions as the automaton, each by
/// the same number of moves. Their text is read again, and its trees have the same size.
///
/// The keeper's choices must not matter.
///
/// Returns the number of positions and trees that were compared; 0 if RBG cannot say what the automaton does.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn raising_keeps_the_game(text: &str, seed: u64, effort: &Effort) -> u64 {
    let Some(automaton) = load(text).filter(|a| a.edge_count() <= effort.edges) else { return 0 };
    let Ok(game) = rbg::raise(&automaton) else { return 0 };
    let raised = rbg::lower(&game).expect("raised rules are verified");
    let text = Source::new("raised.rbg", rbg::lower_to_text(&game));
    let compilation = compile(&text);
    let Some(read) = compilation.automaton else {
        let findings = render(&compilation.diagnostics, &text, false);
        panic!("the text is refused:\n{findings}\n{}", text.text());
    };
    let variables = automaton.variables.len();
    let [original, raised, read] =
        [automaton, raised, read].map(|automaton| RaisedGame::new(automaton, effort));
    let mut compared = 0;
    let mut generator = generator(seed);
    let (Some(mut one), Some(mut other)) = (original.begin(), raised.begin()) else { return 0 };
    for ply in 0..effort.states {
        let (Some(mut ones), Some(mut others)) =
            (original.next(&one, variables), raised.next(&other, variables))
        else {
            return compared;
        };
        let keys =
            |found: &[NextPosition]| found.iter().map(|next| next.key.clone()).collect::<Vec<_>>();
        assert!(keys(&ones) == keys(&others), "after {ply} moves:\n{ones:?}\n{others:?}");
        compared += 1;
        if ones.is_empty() {
            break;
        }
        let chosen = generator.random_range(0..ones.len());
        one = ones.swap_remove(chosen).play;
        other = others.swap_remove(chosen).play;
    }
    for depth in 1..=effort.depth {
        let [Some(counted), Some(again)] = [&original, &read].map(|side| side.count(depth)) else {
            break;
        };
        assert_eq!(counted, again, "leaves at depth {depth}");
        compared += 1;
        if counted > effort.states as u64 {
            break;
        }
    }
    compared
}

/// One of the automata.
struct RaisedGame {
    walk: Walk,
}

type Play = (State, History);

/// A position one move away.
#[derive(Debug)]
struct NextPosition {
    key: (Vec<u32>, Vec<i32>, Option<Player>),
    play: Play,
}

impl RaisedGame {
    fn new(automaton: Automaton, effort: &Effort) -> RaisedGame {
        RaisedGame { walk: Walk::with_limits(automaton, effort.limits) }
    }

    fn begin(&self) -> Option<Play> {
        let state = self.walk.initial(&mut self.walk.scratch()).ok()?;
        let history = self.walk.history(&state);
        Some((state, history))
    }

    /// All positions one move away, in the order of what they hold; `None` if a limit is reached.
    fn next(&self, (state, history): &Play, variables: usize) -> Option<Vec<NextPosition>> {
        let (mut scratch, mut moves) = (self.walk.scratch(), MoveList::new());
        self.walk.moves(state, &mut scratch, &mut moves).ok()?;
        let mut found = Vec::new();
        for number in 0..moves.len() {
            let (mut state, mut history) = (state.clone(), history.clone());
            self.walk.apply(&mut state, &mut history, moves.get(number), &mut scratch).ok()?;
            let Parts { pieces, variables: values, mover, .. } = self.walk.referee().parts(&state);
            let pieces = pieces.values().map(|piece| piece.0).collect();
            // The variable behind those of the original is the place in the rules.
            let values = values.values().copied().take(variables).collect();
            found.push(NextPosition { key: (pieces, values, mover), play: (state, history) });
        }
        found.sort_by(|one, other| one.key.cmp(&other.key));
        Some(found)
    }

    fn count(&self, depth: u32) -> Option<u64> {
        let (state, history) = self.begin()?;
        let counted = perft(&self.walk, &state, &history, depth, Counting::Each, &mut |_, _| {});
        counted.ok().map(|counted| counted.leaves)
    }
}
