//! A bundled game as Regulus plays it, by native code.

use regulus_automaton::passes::{self, Config};
use regulus_engine::{Counting, Perft, Playouts, Rules as _, State, perft};
use regulus_jit::Jit;
use regulus_lang::{Source, compile};

use crate::rival::{Outcome, Rival};

/// A game ready to be played.
pub(crate) struct Regulus {
    rules: Jit,
    first: State,
}

impl Regulus {
    pub(crate) fn new(rival: &Rival) -> Regulus {
        let source = Source::new(format!("{}.rbg", rival.game), rival.text);
        let automaton = compile(&source).automaton.expect("bundled games are well-formed");
        let automaton = passes::optimise(automaton, &Config::default());
        let rules = Jit::new(automaton).expect("this machine can be compiled for");
        let first = rules.initial(&mut rules.scratch()).expect("bundled games begin");
        Regulus { rules, first }
    }

    pub(crate) fn playouts(&self, seed: u64) -> impl FnMut() -> Outcome {
        let mut playouts = Playouts::new(&self.rules, seed);
        let mut state = self.first.clone();
        move || {
            state.clone_from(&self.first);
            let moves = playouts.run(&mut state, u64::MAX).expect("bundled games end");
            let first = self.rules.automaton().players.keys().next().expect("there are players");
            Outcome { moves, score: u64::from(self.rules.score(&state, first).unsigned_abs()) }
        }
    }

    pub(crate) fn perft(&self, depth: u32) -> Perft {
        perft(&self.rules, &self.first, depth, Counting::Each, &mut |_, _| {})
            .expect("bundled games do not fail")
    }
}
