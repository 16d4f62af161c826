//! How games are loaded.

use regulus_automaton::passes::{self, PASSES};
use regulus_engine::Limits;
use regulus_jit::{self as jit, CompileThread, EngineKind};

use crate::error::Error;

/// How games are loaded and run. The default suits everyone who does not measure or look for bugs.
///
/// # Examples
///
/// ```
/// use regulus_game::{Config, EngineKind, Game};
///
/// let config = Config { engine: EngineKind::Plan, ..Config::default() };
/// let game = Game::load("hex", &config)?;
/// assert_eq!(game.rules().name(), "plan");
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The engine that runs games.
    pub engine: EngineKind,
    /// What one request may do at most.
    pub limits: Limits,
    /// The thread on which [`EngineKind::Auto`] compiles. Games loaded with clones of one configuration share it.
    pub thread: CompileThread,
    /// The optimising passes to leave out, by name; `all` leaves out every pass.
    pub without_passes: Vec<String>,
}

impl Config {
    pub(crate) fn engine(&self) -> jit::Config {
        jit::Config { kind: self.engine, limits: self.limits, thread: self.thread.clone() }
    }

    /// The passes to run.
    pub(crate) fn passes(&self) -> Result<passes::Config, Error> {
        let mut without = self.without_passes.clone();
        let is_unknown = |name: &&String| *name != "all" && PASSES.iter().all(|p| p.name != **name);
        if let Some(unknown) = without.iter().find(is_unknown) {
            let names: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
            let names = names.join(", ");
            return Err(Error::usage(format!(
                "there is no pass `{unknown}`; there are: {names}, all"
            )));
        }
        if without.iter().any(|name| name == "all") {
            without = PASSES.iter().map(|pass| pass.name.to_owned()).collect();
        }
        Ok(passes::Config { without })
    }
}
