//! From the name of a game to its rules.

use std::io::{IsTerminal as _, Read as _};
use std::path::Path;

use regulus_automaton::Automaton;
use regulus_automaton::passes::{self, PASSES};
use regulus_engine::Fault;
use regulus_jit::{Engine, EngineKind};
use regulus_lang::{Compilation, Language, MAX_SOURCE, Source, abg, compile, rbg, render, sbg};

use crate::args::Cli;
use crate::bundled;
use crate::failure::Failure;
use crate::output::complain;

/// What the global options say about loading and printing.
#[derive(Debug)]
pub(crate) struct Loader {
    /// Data for programs instead of text for people.
    pub(crate) json: bool,
    /// Colours on standard output.
    pub(crate) colour: bool,
    /// Colours on standard error.
    pub(crate) colour_errors: bool,
    passes: passes::Config,
    engine: EngineKind,
}

/// A game ready to be played, with the text it comes from.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) source: Source,
    pub(crate) rules: Engine,
}

/// A game as its own language has it.
pub(crate) enum Checked {
    Rbg(rbg::Checked),
    Sbg(sbg::Game),
    Abg(abg::Game),
}

impl Loaded {
    /// Turns a fault of the rules into a message with its place in the text.
    pub(crate) fn blame(&self) -> impl Fn(Fault) -> Failure + '_ {
        |fault| Failure::fault(&fault, &self.source)
    }
}

impl Loader {
    pub(crate) fn new(cli: &Cli) -> Result<Loader, Failure> {
        let mut without = cli.without_pass.clone();
        for name in &without {
            if name != "all" && PASSES.iter().all(|pass| pass.name != name) {
                let names: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
                return Err(Failure::usage(format!(
                    "there is no pass `{name}`; there are: {}, all",
                    names.join(", ")
                )));
            }
        }
        if without.iter().any(|name| name == "all") {
            without = PASSES.iter().map(|pass| pass.name.to_owned()).collect();
        }
        Ok(Loader {
            json: cli.json,
            colour: cli.color.on(std::io::stdout().is_terminal()),
            colour_errors: cli.color.on(std::io::stderr().is_terminal()),
            passes: passes::Config { without },
            engine: cli.engine.into(),
        })
    }

    /// Reads, compiles and prepares a game; its warnings are shown.
    pub(crate) fn load(&self, name: &str) -> Result<Loaded, Failure> {
        let source = self.read(name)?;
        let automaton = self.optimise(self.automaton(&source)?);
        Ok(Loaded { rules: self.engine(automaton), source })
    }

    /// The text of a game.
    pub(crate) fn read(&self, name: &str) -> Result<Source, Failure> {
        if name == "-" {
            return read_text("standard input", std::io::stdin())
                .map(|text| Source::new("-", text));
        }
        if let Ok(file) = std::fs::File::open(name)
            && !Path::new(name).is_dir()
        {
            return read_text(name, file).map(|text| Source::new(name, text));
        }
        match bundled::find(name) {
            Some((file, text)) => Ok(Source::new(file, text)),
            None => Err(Failure::bad_input(not_found(name))),
        }
    }

    /// Compiles a text; warnings are shown, errors are the failure.
    pub(crate) fn automaton(&self, source: &Source) -> Result<Automaton, Failure> {
        let Compilation { automaton, diagnostics } = compile(source);
        let Some(automaton) = automaton else {
            return Err(Failure::bad_game(diagnostics, source));
        };
        if !diagnostics.is_empty() && !self.json {
            complain!("{}", render(&diagnostics, source, self.colour_errors));
        }
        Ok(automaton)
    }

    /// Reads and checks a text in its own language.
    pub(crate) fn checked(&self, source: &Source) -> Result<Checked, Failure> {
        let language = Language::of(source);
        let language = language.map_err(|unknown| Failure::bad_game(vec![unknown], source))?;
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
        };
        checked.ok_or_else(|| Failure::bad_game(diagnostics, source))
    }

    /// Prepares a game for the engine that was asked for.
    pub(crate) fn engine(&self, automaton: Automaton) -> Engine {
        Engine::new(automaton, self.engine)
    }

    /// Whether an engine is the one that was asked for, or none was.
    pub(crate) fn wants(&self, kind: EngineKind) -> bool {
        self.engine == EngineKind::Auto || self.engine == kind
    }

    /// Runs the passes that were not left out.
    pub(crate) fn optimise(&self, automaton: Automaton) -> Automaton {
        passes::optimise(automaton, &self.passes)
    }
}

fn read_text(name: &str, reader: impl std::io::Read) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    // One byte more than is allowed, so that the front-end sees and says that there is more.
    let read = reader.take(MAX_SOURCE as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::bad_input(format!("cannot read {name}: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::bad_input(format!("{name} is not text: byte {at} does not belong to UTF-8"))
    })
}

fn not_found(name: &str) -> String {
    let problem = match std::fs::metadata(name) {
        Ok(found) if found.is_dir() => format!("`{name}` is a folder, not a game"),
        Ok(_) => format!("the file `{name}` cannot be read"),
        Err(_) => format!("there is no file and no bundled game `{name}`"),
    };
    let advice = match bundled::like(name) {
        Some(like) => format!("did you mean `{like}`?"),
        None => "`regulus games` lists the bundled games".to_owned(),
    };
    format!("{problem}; {advice}")
}
