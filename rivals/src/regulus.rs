//! A bundled game as Regulus plays it, by native code.

use std::sync::Arc;

use regulus_engine::{Counting, History, Perft, Playouts, Rules as _, State, perft};
use regulus_game::{Config, EngineKind, Game, Match};

use crate::rival::{Outcome, Rival};

/// A game ready to be played.
pub(crate) struct Regulus {
    game: Arc<Game>,
    first: State,
    history: History,
}

impl Regulus {
    pub(crate) fn new(rival: &Rival) -> Regulus {
        let config = Config { engine: EngineKind::Jit, ..Config::default() };
        let game = Game::load(rival.game, &config).expect("bundled games are well-formed");
        assert_eq!(game.rules().name(), "jit", "this machine can be compiled for");
        let play = Match::new(&game).expect("bundled games begin");
        let (first, history) = (play.state().clone(), play.history().clone());
        Regulus { game, first, history }
    }

    pub(crate) fn playouts(&self, seed: u64) -> impl FnMut() -> Outcome {
        let rules = self.game.rules();
        let mut playouts = Playouts::new(rules, seed);
        let (mut state, mut history) = (self.first.clone(), self.history.clone());
        move || {
            state.clone_from(&self.first);
            history.truncate(self.history.len());
            let moves =
                playouts.run(&mut state, &mut history, u64::MAX).expect("bundled games end");
            let first = rules.automaton().players.keys().next().expect("there are players");
            Outcome { moves, score: u64::from(rules.score(&state, first).unsigned_abs()) }
        }
    }

    pub(crate) fn perft(&self, depth: u32) -> Perft {
        let rules = self.game.rules();
        perft(rules, &self.first, &self.history, depth, Counting::Each, &mut |_, _| {})
            .expect("bundled games do not fail")
    }
}
