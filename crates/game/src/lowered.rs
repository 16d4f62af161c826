//! A game as its language has it: checked, lowered and perhaps optimised, but not yet run.

use std::sync::Arc;

use regulus_automaton::{Automaton, passes};
use regulus_lang::{Compilation, Diagnostic, Language, Source, abg, compile, metagame, rbg, sbg};

use crate::actions::Actions;
use crate::config::Config;
use crate::error::Error;
use crate::game::Game;

/// A game between its text and its engine: what is drawn, measured and compared. To play it, use [`Game`].
///
/// # Examples
///
/// ```
/// use regulus_game::{Config, Lowered, bundled};
///
/// let source = bundled::find("hex").expect("it is bundled");
/// let game = Lowered::new(source)?;
/// let before = game.size();
/// let game = game.optimised(&Config::default())?;
/// assert!(game.size().nodes < before.nodes);
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lowered {
    pub(crate) source: Source,
    pub(crate) automaton: Arc<Automaton>,
    pub(crate) actions: Actions,
    /// As it was lowered, before any pass.
    pub(crate) first_size: Size,
    pub(crate) warnings: Vec<Diagnostic>,
    /// How the language writes moves, if it says so.
    pub(crate) deeds: Option<metagame::Deeds>,
}

/// How large an automaton is.
///
/// # Examples
///
/// ```
/// use regulus_game::{Config, Game};
///
/// let game = Game::load("hex", &Config::default())?;
/// assert!(game.size().nodes < game.size_as_lowered().nodes); // passes make it smaller
/// assert!(game.size().to_string().contains(" nodes, "));
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Places in the rules.
    pub nodes: usize,
    /// Actions between them.
    pub edges: usize,
    /// Sub-automata of checks.
    pub patterns: usize,
    /// Walks computed beforehand.
    pub tables: usize,
}

/// A game as its own language has it.
///
/// # Examples
///
/// ```
/// use regulus_game::{Checked, bundled};
///
/// let source = bundled::find("gardner").expect("it is bundled");
/// let Checked::Sbg(game) = Checked::new(&source)? else { panic!("it is in SBG") };
/// assert_eq!(game.name, "Gardner");
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum Checked {
    /// Regular Boardgames.
    Rbg(rbg::Checked),
    /// Simplified Boardgames.
    Sbg(sbg::Game),
    /// Abstract Boardgames.
    Abg(abg::Game),
    /// METAGAME.
    Metagame(metagame::Game),
}

impl Lowered {
    /// Checks a text and lowers it to an automaton.
    ///
    /// # Errors
    ///
    /// The findings, if there are errors among them.
    pub fn new(source: Source) -> Result<Lowered, Error> {
        let Compilation { automaton, diagnostics: warnings, deeds } = compile(&source);
        let Some(automaton) = automaton else { return Err(Error::bad_game(warnings, &source)) };
        let (actions, first_size) = (Actions::new(&automaton), Size::of(&automaton));
        let automaton = Arc::new(automaton);
        Ok(Lowered { source, automaton, actions, first_size, warnings, deeds })
    }

    /// Runs the passes that are not left out.
    ///
    /// # Errors
    ///
    /// If a pass is to be left out that does not exist.
    pub fn optimised(self, config: &Config) -> Result<Lowered, Error> {
        let automaton = Arc::unwrap_or_clone(self.automaton);
        let automaton = passes::optimise(automaton, &config.passes()?);
        Ok(Lowered { automaton: Arc::new(automaton), ..self })
    }

    /// The game ready to be played, with the automaton as it is now.
    #[must_use]
    pub fn ready(&self, config: &Config) -> Arc<Game> {
        Arc::new(Game::from_lowered(self.clone(), config))
    }

    /// The text.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The automaton as it is now.
    #[must_use]
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The findings that are not errors.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// How large the automaton is now.
    #[must_use]
    pub fn size(&self) -> Size {
        Size::of(&self.automaton)
    }
}

impl Size {
    pub(crate) fn of(automaton: &Automaton) -> Size {
        Size {
            nodes: automaton.nodes.len(),
            edges: automaton.edge_count(),
            patterns: automaton.patterns.len(),
            tables: automaton.tables.len(),
        }
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Size { nodes, edges, patterns, tables } = self;
        write!(f, "{nodes} nodes, {edges} edges, {patterns} patterns, {tables} tables")
    }
}

impl Checked {
    /// Reads and checks a text in its own language, without lowering it.
    ///
    /// # Errors
    ///
    /// The findings, if there are errors among them.
    pub fn new(source: &Source) -> Result<Checked, Error> {
        let language = Language::of(source);
        let language = language.map_err(|unknown| Error::bad_game(vec![*unknown], source))?;
        let (checked, diagnostics) = match language {
            Language::Rbg => {
                let (game, diagnostics) = rbg::check(source);
                (game.map(Checked::Rbg), diagnostics)
            }
            Language::Sbg => {
                let (game, diagnostics) = sbg::check(source);
                (game.map(Checked::Sbg), diagnostics)
            }
            Language::Abg => {
                let (game, diagnostics) = abg::check(source, &abg::Externals::default());
                (game.map(Checked::Abg), diagnostics)
            }
            Language::Metagame => {
                let (game, diagnostics) = metagame::check(source);
                (game.map(Checked::Metagame), diagnostics)
            }
        };
        checked.ok_or_else(|| Error::bad_game(diagnostics, source))
    }
}
