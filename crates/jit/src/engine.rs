//! One of the engines, chosen when the game is loaded.

use std::sync::Arc;

use regulus_automaton::Automaton;
use regulus_engine::plan::{self, Plan};
use regulus_engine::walk::{self, Visitor, Walk};
use regulus_engine::{Fault, Layout, Limits, MoveList, Perft, Rules, State, Step};

use crate::jit::{self, Jit};

/// Which engine to run a game with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineKind {
    /// The engine that is never slow: [`EngineKind::Walk`], until plans are as fast in every game.
    #[default]
    Auto,
    /// The definition: edge by edge.
    Walk,
    /// Sets of squares.
    Plan,
    /// Native code.
    Jit,
}

/// A game with the engine that runs it. All engines give the same states, moves and hashes; the order of moves is
/// each engine's own.
#[derive(Debug)]
pub enum Engine {
    /// Edge by edge.
    Walk(Box<Walk>),
    /// Sets of squares.
    Plan(Box<Plan>),
    /// Native code.
    Jit(Box<Jit>),
}

impl Engine {
    /// Prepares a game; a game that is too large for the engine asked for is walked.
    #[must_use]
    pub fn new(automaton: impl Into<Arc<Automaton>>, kind: EngineKind) -> Engine {
        let automaton = automaton.into();
        let jit = match kind {
            EngineKind::Jit => Jit::new(Arc::clone(&automaton)),
            _ => None,
        };
        if let Some(jit) = jit {
            return Engine::Jit(Box::new(jit));
        }
        let plan = match kind {
            EngineKind::Auto | EngineKind::Walk => None,
            EngineKind::Plan | EngineKind::Jit => Plan::new(Arc::clone(&automaton)),
        };
        match plan {
            Some(plan) => Engine::Plan(Box::new(plan)),
            None => Engine::Walk(Box::new(Walk::new(automaton))),
        }
    }

    /// The engine's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Engine::Walk(_) => "walk",
            Engine::Plan(_) => "plan",
            Engine::Jit(_) => "jit",
        }
    }
}

/// Memory for whichever engine asks.
#[derive(Debug, Default)]
pub struct Scratch {
    walk: Option<walk::Scratch>,
    plan: Option<plan::Scratch>,
    jit: Option<jit::Scratch>,
}

/// Calls a method of the engine with its own memory.
macro_rules! delegate {
    ($engine:ident, $scratch:ident, $rules:ident, $memory:ident, $call:expr) => {
        match $engine {
            Engine::Walk($rules) => {
                let $memory = $scratch.walk.get_or_insert_with(|| $rules.scratch());
                $call
            }
            Engine::Plan($rules) => {
                let $memory = $scratch.plan.get_or_insert_with(|| $rules.scratch());
                $call
            }
            Engine::Jit($rules) => {
                let $memory = $scratch.jit.get_or_insert_with(|| $rules.scratch());
                $call
            }
        }
    };
}

impl Rules for Engine {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch::default()
    }

    fn automaton(&self) -> &Automaton {
        match self {
            Engine::Walk(rules) => rules.automaton(),
            Engine::Plan(rules) => rules.automaton(),
            Engine::Jit(rules) => rules.automaton(),
        }
    }

    fn layout(&self) -> &Layout {
        match self {
            Engine::Walk(rules) => rules.layout(),
            Engine::Plan(rules) => rules.layout(),
            Engine::Jit(rules) => rules.layout(),
        }
    }

    fn limits(&self) -> Limits {
        match self {
            Engine::Walk(rules) => rules.limits(),
            Engine::Plan(rules) => rules.limits(),
            Engine::Jit(rules) => rules.limits(),
        }
    }

    fn initial(&self, scratch: &mut Scratch) -> Result<State, Fault> {
        delegate!(self, scratch, rules, memory, rules.initial(memory))
    }

    fn visit_moves(
        &self,
        state: &State,
        scratch: &mut Scratch,
        visitor: &mut Visitor<'_>,
    ) -> Result<(), Fault> {
        delegate!(self, scratch, rules, memory, rules.visit_moves(state, memory, visitor))
    }

    fn moves(
        &self,
        state: &State,
        scratch: &mut Scratch,
        list: &mut MoveList,
    ) -> Result<(), Fault> {
        delegate!(self, scratch, rules, memory, rules.moves(state, memory, list))
    }

    fn choose(
        &self,
        state: &State,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Fault> {
        delegate!(self, scratch, rules, memory, rules.choose(state, memory, pick, steps))
    }

    fn play_chosen(
        &self,
        state: &mut State,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
    ) -> Result<bool, Fault> {
        delegate!(self, scratch, rules, memory, rules.play_chosen(state, memory, pick))
    }

    fn playout(
        &self,
        state: &mut State,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
    ) -> Result<u64, Fault> {
        delegate!(self, scratch, rules, memory, rules.playout(state, memory, pick, moves))
    }

    fn move_count(&self, state: &State, scratch: &mut Scratch) -> Result<u64, Fault> {
        delegate!(self, scratch, rules, memory, rules.move_count(state, memory))
    }

    fn count(&self, state: &State, depth: u32, scratch: &mut Scratch) -> Option<Perft> {
        delegate!(self, scratch, rules, memory, rules.count(state, depth, memory))
    }

    fn is_over(&self, state: &State, scratch: &mut Scratch) -> Result<bool, Fault> {
        delegate!(self, scratch, rules, memory, rules.is_over(state, memory))
    }

    fn apply(&self, state: &mut State, steps: &[Step], scratch: &mut Scratch) -> Result<(), Fault> {
        delegate!(self, scratch, rules, memory, rules.apply(state, steps, memory))
    }
}
