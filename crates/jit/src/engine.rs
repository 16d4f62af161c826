//! One of the engines, chosen when the game is loaded.

use std::sync::{Arc, OnceLock};

use regulus_automaton::Automaton;
use regulus_engine::plan::{self, Plan};
use regulus_engine::walk::{self, Visitor, Walk};
use regulus_engine::{Fault, Layout, Limits, MoveList, Perft, Rules, State, Step};

use crate::jit::{self, Jit};

/// Which engine to run a game with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineKind {
    /// [`EngineKind::Plan`] at once, and [`EngineKind::Jit`] as soon as it has been compiled in the background. Both list
    /// moves in the same order, so nobody notices.
    #[default]
    Auto,
    /// The definition: edge by edge.
    Walk,
    /// Sets of squares.
    Plan,
    /// Native code.
    Jit,
}

/// A game with the engine that runs it. All engines give the same states, moves and hashes; the order of moves is the same
/// for all but [`EngineKind::Walk`], which has its own.
#[derive(Debug)]
pub enum Engine {
    /// Edge by edge.
    Walk(Box<Walk>),
    /// Sets of squares.
    Plan(Arc<Plan>),
    /// Native code.
    Jit(Box<Jit>),
    /// Sets of squares until there is native code.
    Auto(Auto),
}

/// A plan, and the native code that is compiled for it in the background.
#[derive(Debug)]
pub struct Auto {
    plan: Arc<Plan>,
    /// Empty while compiling; nothing in it when the game cannot be compiled.
    jit: Arc<OnceLock<Option<Jit>>>,
}

/// The engine that answers a request.
enum Runner<'a> {
    Walk(&'a Walk),
    Plan(&'a Plan),
    Jit(&'a Jit),
}

impl Auto {
    fn new(plan: Plan) -> Auto {
        let (plan, jit) = (Arc::new(plan), Arc::new(OnceLock::new()));
        let (plan_there, jit_there) = (Arc::clone(&plan), Arc::clone(&jit));
        let compile = move || {
            jit_there.get_or_init(|| Jit::from_plan(plan_there));
        };
        // Where there can be no thread there is no native code.
        if std::thread::Builder::new().name("compile".to_owned()).spawn(compile).is_err() {
            jit.get_or_init(|| None);
        }
        Auto { plan, jit }
    }

    fn runner(&self) -> Runner<'_> {
        let jit = match self.jit.get() {
            None if !self.plan.is_light() => self.jit.wait(),
            None => &None,
            Some(jit) => jit,
        };
        jit.as_ref().map_or(Runner::Plan(&self.plan), Runner::Jit)
    }
}

impl Engine {
    /// Prepares a game. One that is too large for the engine asked for is run by a simpler one.
    #[must_use]
    pub fn new(automaton: impl Into<Arc<Automaton>>, kind: EngineKind) -> Engine {
        let automaton = automaton.into();
        let plan = match kind {
            EngineKind::Walk => None,
            _ => Plan::new(Arc::clone(&automaton)),
        };
        let Some(plan) = plan else { return Engine::Walk(Box::new(Walk::new(automaton))) };
        match kind {
            EngineKind::Auto => Engine::Auto(Auto::new(plan)),
            EngineKind::Jit => {
                let plan = Arc::new(plan);
                match Jit::from_plan(Arc::clone(&plan)) {
                    Some(jit) => Engine::Jit(Box::new(jit)),
                    None => Engine::Plan(plan),
                }
            }
            EngineKind::Walk | EngineKind::Plan => Engine::Plan(Arc::new(plan)),
        }
    }

    /// The name of the engine that answers requests now.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.runner() {
            Runner::Walk(_) => "walk",
            Runner::Plan(_) => "plan",
            Runner::Jit(_) => "jit",
        }
    }

    /// Waits until nothing is compiled in the background any more.
    pub fn wait(&self) {
        if let Engine::Auto(auto) = self {
            auto.jit.wait();
        }
    }

    #[inline]
    fn runner(&self) -> Runner<'_> {
        match self {
            Engine::Walk(walk) => Runner::Walk(walk),
            Engine::Plan(plan) => Runner::Plan(plan),
            Engine::Jit(jit) => Runner::Jit(jit),
            Engine::Auto(auto) => auto.runner(),
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
        match $engine.runner() {
            Runner::Walk($rules) => {
                let $memory = $scratch.walk.get_or_insert_with(|| $rules.scratch());
                $call
            }
            Runner::Plan($rules) => {
                let $memory = $scratch.plan.get_or_insert_with(|| $rules.scratch());
                $call
            }
            Runner::Jit($rules) => {
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
            Engine::Auto(auto) => auto.plan.automaton(),
        }
    }

    fn layout(&self) -> &Layout {
        match self {
            Engine::Walk(rules) => rules.layout(),
            Engine::Plan(rules) => rules.layout(),
            Engine::Jit(rules) => rules.layout(),
            Engine::Auto(auto) => auto.plan.layout(),
        }
    }

    fn limits(&self) -> Limits {
        match self {
            Engine::Walk(rules) => rules.limits(),
            Engine::Plan(rules) => rules.limits(),
            Engine::Jit(rules) => rules.limits(),
            Engine::Auto(auto) => auto.plan.limits(),
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
