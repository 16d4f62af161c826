//! How much a law looks at.

use regulus_automaton::Automaton;
use regulus_automaton::passes::{Config, optimise};
use regulus_engine::Limits;

use crate::load;

/// How much of a game's tree a law looks at, and what the game may ask for.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many edges the automaton may have.
    pub edges: usize,
    /// How many moves deep.
    pub depth: u32,
    /// How many states at most.
    pub states: usize,
    /// What one request to an engine may do. Where a limit is reached the law looks no further.
    pub limits: Limits,
    /// Whether a keeper's choices are known not to matter.
    pub keeper: KeeperChoices,
}

/// What is known of a keeper that has several moves. Engines may take any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeeperChoices {
    /// Its choices do not matter, as in any game made with care.
    Confluent,
    /// They may matter. Laws that compare engines go on only where they do not.
    Unknown,
}

impl Default for Effort {
    /// For random games.
    fn default() -> Effort {
        let limits = Limits {
            writes: 20,
            tries: 20_000,
            stored_steps: 2_000,
            keeper_moves: 50,
            ..Limits::default()
        };
        Effort { edges: 3000, depth: 3, states: 30, limits, keeper: KeeperChoices::Unknown }
    }
}

impl Effort {
    /// For games made by people: their whole tree to this depth, as long as it has no more than that many states.
    #[must_use]
    pub fn real_game(depth: u32, states: usize) -> Effort {
        let (edges, limits) = (usize::MAX, Limits::default());
        Effort { edges, depth, states, limits, keeper: KeeperChoices::Confluent }
    }

    /// For random games, under limits so far away that engines need not count everything.
    #[must_use]
    pub fn ample() -> Effort {
        let usual = Effort::default();
        let limits = Limits { writes: 200, tries: 100_000, keeper_moves: 3_000, ..usual.limits };
        Effort { limits, ..usual }
    }

    /// For random games, under limits that many of them reach; others for every number.
    #[must_use]
    pub fn tight(number: u64) -> Effort {
        let mut number = number as usize;
        let mut pick = |limits: &[usize]| {
            let limit = limits[number % limits.len()];
            number /= limits.len();
            limit
        };
        let limits = Limits {
            writes: pick(&[6, 3, 4, 8, 100]),
            keeper_moves: pick(&[1, 0, 2, 5, 20, 63, 64, 65, 100]) as u64,
            stored_steps: pick(&[1000, 70, 5, 0]),
            tries: pick(&[20_000, 1000, 50, 5]) as u64,
            moves: pick(&[1000, 30, 7, 1]) as u64,
            ..Limits::default()
        };
        Effort { limits, ..Effort::default() }
    }

    /// The automaton of a text as lowered and as optimised, each with its title; an empty list if it is too large.
    pub(crate) fn load_both(&self, text: &str) -> Vec<(&'static str, Automaton)> {
        let Some(lowered) = self.load(text) else { return Vec::new() };
        let optimised = optimise(lowered.clone(), &Config::default());
        vec![("as lowered", lowered), ("as optimised", optimised)]
    }

    /// The automaton of a text, unless it is too large.
    pub(crate) fn load(&self, text: &str) -> Option<Automaton> {
        load(text).filter(|automaton| automaton.edge_count() <= self.edges)
    }

    /// Limits for an engine that is asked only what another one has answered. It may go about its work differently, so
    /// it is allowed more.
    pub(crate) fn generous(&self) -> Limits {
        let Limits { writes, tries, keeper_moves, .. } = self.limits;
        Limits {
            writes: writes.saturating_mul(2),
            tries: tries.saturating_mul(100),
            keeper_moves: keeper_moves.saturating_mul(4),
            ..self.limits
        }
    }
}
