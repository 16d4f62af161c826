//! One of the engines, chosen when the game is loaded.

use std::sync::Arc;

use regulus_automaton::{Automaton, Player};
use regulus_engine::plan::{self, Plan};
use regulus_engine::walk::{self, Visitor, Walk};
use regulus_engine::{Fault, History, Limits, MoveList, Perft, Referee, Rules, State, Step};

use crate::background::{CompileJob, CompileThread};
use crate::jit::{self, Jit};
use crate::not_compiled::NotCompiled;

/// Which engine to run a game with.
///
/// # Examples
///
/// ```
/// use regulus_jit::{Config, Engine, EngineKind};
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// for (kind, name) in [(EngineKind::Walk, "walk"), (EngineKind::Plan, "plan")] {
///     let config = Config { kind, ..Config::default() };
///     assert_eq!(Engine::new(automaton.clone(), &config).name(), name);
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineKind {
    /// [`EngineKind::Plan`] at once, and [`EngineKind::Jit`] as soon as it has been compiled in the background. Both list
    /// moves in the same order, so the change cannot be observed.
    #[default]
    Auto,
    /// The definition: edge by edge.
    Walk,
    /// Sets of squares.
    Plan,
    /// Native code.
    Jit,
}

/// How a game is run.
///
/// # Examples
///
/// ```
/// use regulus_engine::{Limits, Rules as _};
/// use regulus_jit::{Config, Engine};
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let limits = Limits { moves: 100, ..Limits::default() };
/// let engine = Engine::new(automaton, &Config { limits, ..Config::default() });
/// assert_eq!(engine.limits().moves, 100);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// By which engine.
    pub kind: EngineKind,
    /// What one request may do at most.
    pub limits: Limits,
    /// Where [`EngineKind::Auto`] compiles. Games that are to share a thread are given clones of one.
    pub thread: CompileThread,
}

/// A game with the engine that runs it. All engines give the same states, moves and hashes; the order of moves is the same
/// for all but [`EngineKind::Walk`], which has its own.
///
/// # Examples
///
/// ```
/// use regulus_engine::Rules as _;
/// use regulus_jit::{Config, Engine, EngineKind};
/// use regulus_lang::{Source, compile};
///
/// let text = "
///     #players = one(1)
///     #pieces = e, x
///     #variables =
///     #board = rectangle(up, down, left, right, [e, e, e])
///     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let config = Config { kind: EngineKind::Plan, ..Config::default() };
/// let rules = Engine::new(automaton, &config);
/// let mut scratch = rules.scratch();
/// let state = rules.initial(&mut scratch)?;
/// assert_eq!(rules.move_count(&state, &mut scratch)?, 3);
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Debug)]
pub struct Engine {
    chosen: Chosen,
    /// Why the engine is a simpler one than was asked for.
    refused: Option<NotCompiled>,
}

#[derive(Debug)]
enum Chosen {
    Walk(Box<Walk>),
    Plan(Arc<Plan>),
    Jit(Box<Jit>),
    Auto(Auto),
}

/// A plan, and the native code that is compiled for it in the background.
#[derive(Debug)]
struct Auto {
    job: Arc<CompileJob>,
    // The thread lives as long as it may be needed.
    _thread: CompileThread,
}

impl Drop for Auto {
    fn drop(&mut self) {
        self.job.stop();
    }
}

/// Whether a game is run by native code.
///
/// # Examples
///
/// ```
/// use regulus_jit::{Config, Engine, EngineKind, NativeCode};
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let config = Config { kind: EngineKind::Plan, ..Config::default() };
/// let engine = Engine::new(automaton, &config);
/// assert_eq!(engine.native_code(), NativeCode::IsNotWanted);
/// assert_eq!(engine.code_size(), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NativeCode<'a> {
    /// It is.
    Runs,
    /// It is being compiled; until then the game is planned.
    IsCompiled,
    /// Another engine was asked for.
    IsNotWanted,
    /// It cannot be, for this reason.
    IsRefused(&'a NotCompiled),
}

/// The engine that answers a request.
enum Runner<'a> {
    Walk(&'a Walk),
    Plan(&'a Plan),
    Jit(&'a Jit),
}

impl Engine {
    /// Prepares a game. One that is too large for the engine asked for is run by a simpler one; [`Engine::native_code`] says
    /// why.
    #[must_use]
    pub fn new(automaton: impl Into<Arc<Automaton>>, config: &Config) -> Engine {
        let automaton = automaton.into();
        let walk = |refused| {
            let walk = Walk::with_limits(Arc::clone(&automaton), config.limits);
            Engine { chosen: Chosen::Walk(Box::new(walk)), refused }
        };
        if config.kind == EngineKind::Walk {
            return walk(None);
        }
        let plan = match Plan::with_limits(Arc::clone(&automaton), config.limits) {
            Ok(plan) => Arc::new(plan),
            Err(reason) => return walk(Some(reason.into())),
        };
        let (chosen, refused) = match config.kind {
            EngineKind::Walk | EngineKind::Plan => (Chosen::Plan(plan), None),
            EngineKind::Jit => match Jit::from_plan(Arc::clone(&plan)) {
                Ok(jit) => (Chosen::Jit(Box::new(jit)), None),
                Err(reason) => (Chosen::Plan(plan), Some(reason)),
            },
            EngineKind::Auto => {
                let thread = config.thread.clone();
                (Chosen::Auto(Auto { job: thread.compile(plan), _thread: thread }), None)
            }
        };
        Engine { chosen, refused }
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

    /// Whether the game is run by native code, and if not, why.
    #[must_use]
    pub fn native_code(&self) -> NativeCode<'_> {
        let done = match &self.chosen {
            Chosen::Auto(auto) => match auto.job.done.get() {
                Some(done) => done.as_ref().err(),
                None => return NativeCode::IsCompiled,
            },
            Chosen::Jit(_) => None,
            Chosen::Walk(_) | Chosen::Plan(_) if self.refused.is_none() => {
                return NativeCode::IsNotWanted;
            }
            Chosen::Walk(_) | Chosen::Plan(_) => self.refused.as_ref(),
        };
        done.map_or(NativeCode::Runs, NativeCode::IsRefused)
    }

    /// How many bytes of native code there are; 0 if there is none.
    #[must_use]
    pub fn code_size(&self) -> usize {
        match self.runner() {
            Runner::Jit(jit) => jit.code_size(),
            Runner::Walk(_) | Runner::Plan(_) => 0,
        }
    }

    /// Waits until nothing is compiled in the background any more. No other method waits.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_jit::{Config, Engine, NativeCode};
    /// # use regulus_lang::{Source, compile};
    ///
    /// # let text = "
    /// #     #players = one(1)
    /// #     #pieces = e, x
    /// #     #variables =
    /// #     #board = rectangle(up, down, left, right, [e, e, e])
    /// #     #rules = ->one right* {e} [x] ->> {}
    /// # ";
    /// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
    /// let engine = Engine::new(automaton, &Config::default());
    /// engine.wait(); // until native code is compiled, or is known to be impossible
    /// assert_ne!(engine.native_code(), NativeCode::IsCompiled);
    /// ```
    pub fn wait(&self) {
        if let Chosen::Auto(auto) = &self.chosen {
            auto.job.done.wait();
        }
    }

    #[inline]
    fn runner(&self) -> Runner<'_> {
        match &self.chosen {
            Chosen::Walk(walk) => Runner::Walk(walk),
            Chosen::Plan(plan) => Runner::Plan(plan),
            Chosen::Jit(jit) => Runner::Jit(jit),
            Chosen::Auto(auto) => match auto.job.done.get() {
                Some(Ok(jit)) => Runner::Jit(jit),
                _ => Runner::Plan(&auto.job.plan),
            },
        }
    }
}

/// Memory for any of the engines.
///
/// # Examples
///
/// ```
/// use regulus_engine::Rules as _;
/// use regulus_jit::{Config, Engine, Scratch};
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let engine = Engine::new(automaton, &Config::default());
/// let mut scratch = Scratch::default(); // as `engine.scratch()`
/// let state = engine.initial(&mut scratch)?;
/// assert_eq!(engine.move_count(&state, &mut scratch)?, 3);
/// engine.wait(); // native code may answer from now on, and the memory is still good for it
/// assert_eq!(engine.move_count(&state, &mut scratch)?, 3);
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
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

    fn referee(&self) -> &Referee {
        match &self.chosen {
            Chosen::Walk(rules) => rules.referee(),
            Chosen::Plan(rules) => rules.referee(),
            Chosen::Jit(rules) => rules.referee(),
            Chosen::Auto(auto) => auto.job.plan.referee(),
        }
    }

    fn run_keeper(&self, state: &mut State, scratch: &mut Scratch) -> Result<(), Fault> {
        delegate!(self, scratch, rules, memory, rules.run_keeper(state, memory))
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

    fn moves_up_to(
        &self,
        state: &State,
        scratch: &mut Scratch,
        most: usize,
        list: &mut MoveList,
    ) -> Result<bool, Fault> {
        delegate!(self, scratch, rules, memory, rules.moves_up_to(state, memory, most, list))
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
        history: &mut History,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
    ) -> Result<u64, Fault> {
        delegate!(self, scratch, rules, memory, rules.playout(state, history, memory, pick, moves))
    }

    fn playout_noting(
        &self,
        state: &mut State,
        history: &mut History,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
        note: &mut dyn FnMut(Player, &[Step]),
    ) -> Result<u64, Fault> {
        delegate!(
            self,
            scratch,
            rules,
            memory,
            rules.playout_noting(state, history, memory, pick, moves, note)
        )
    }

    fn move_count(&self, state: &State, scratch: &mut Scratch) -> Result<u64, Fault> {
        delegate!(self, scratch, rules, memory, rules.move_count(state, memory))
    }

    fn count(
        &self,
        state: &State,
        history: &History,
        depth: u32,
        scratch: &mut Scratch,
    ) -> Option<Perft> {
        delegate!(self, scratch, rules, memory, rules.count(state, history, depth, memory))
    }

    fn is_over(&self, state: &State, scratch: &mut Scratch) -> Result<bool, Fault> {
        delegate!(self, scratch, rules, memory, rules.is_over(state, memory))
    }

    fn apply(
        &self,
        state: &mut State,
        history: &mut History,
        steps: &[Step],
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        delegate!(self, scratch, rules, memory, rules.apply(state, history, steps, memory))
    }
}
