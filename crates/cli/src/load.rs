//! What the global options say about loading and printing; loading itself is done by `regulus_game`.

use std::io::IsTerminal as _;
use std::sync::Arc;

use regulus_engine::Limits;
use regulus_game::{Checked, Config, EngineKind, Game, Lowered, Match};
use regulus_lang::{Diagnostic, Language, Source, render};

use crate::args::{self, Cli};
use crate::colours::Screen;
use crate::failure::Failure;
use crate::output::complain;

/// What the global options say about loading and printing.
#[derive(Debug)]
pub(crate) struct Loader {
    /// Data for programs instead of text for people.
    pub(crate) json: bool,
    /// What standard output can show.
    pub(crate) screen: Screen,
    /// Colours on standard error.
    pub(crate) colour_errors: bool,
    /// How games are loaded.
    pub(crate) config: Config,
    /// The language that games are said to be in.
    language: Option<Language>,
}

impl Loader {
    pub(crate) fn new(cli: &Cli) -> Loader {
        Loader {
            json: cli.json,
            screen: Screen::new(cli),
            colour_errors: cli.color.on(std::io::stderr().is_terminal()),
            config: Config {
                engine: cli.engine.into(),
                without_passes: cli.without_pass.clone(),
                ..Config::default()
            },
            language: cli.language.map(Language::from),
        }
    }

    /// Reads a game and makes it ready to be played; its warnings are shown.
    pub(crate) fn load(&self, name: &str) -> Result<Arc<Game>, Failure> {
        self.game(self.read(name)?)
    }

    /// The same for commands in which players ask for the moves of many positions, so that each request may take less.
    pub(crate) fn load_for_players(&self, name: &str) -> Result<Arc<Game>, Failure> {
        let config = Config { limits: Limits::for_players(), ..self.config.clone() };
        let game = Game::new(self.read(name)?, &config)?;
        self.warn(game.warnings(), game.source());
        Ok(game)
    }

    /// Makes a text ready to be played; its warnings are shown.
    pub(crate) fn game(&self, source: Source) -> Result<Arc<Game>, Failure> {
        let game = Game::new(source, &self.config)?;
        self.warn(game.warnings(), game.source());
        Ok(game)
    }

    /// A play of a game: from a given position, after given moves and then random ones.
    pub(crate) fn play(&self, args: &args::Position) -> Result<Match, Failure> {
        let game = self.load(&args.game)?;
        let mut play = begin(&game, args.position.as_deref(), args.seed)?;
        for name in &args.moves {
            play.play_named(name)?;
        }
        let mut generator = regulus_engine::generator(args.seed);
        for _ in 0..args.random {
            if !play.play_random(&mut generator)? {
                break;
            }
        }
        Ok(play)
    }

    /// The text of a game.
    pub(crate) fn read(&self, name: &str) -> Result<Source, Failure> {
        let source = match name {
            "-" => Game::read_from("-", "standard input", std::io::stdin())?,
            name => Game::read(name)?,
        };
        Ok(match self.language {
            Some(language) => source.in_language(language),
            None => source,
        })
    }

    /// A game as an automaton; its warnings are shown.
    pub(crate) fn lowered(&self, source: Source) -> Result<Lowered, Failure> {
        let lowered = Lowered::new(source)?;
        self.warn(lowered.warnings(), lowered.source());
        Ok(lowered)
    }

    /// Reads and checks a text in its own language.
    pub(crate) fn checked(&self, source: &Source) -> Result<Checked, Failure> {
        Ok(Checked::new(source)?)
    }

    /// Whether an engine is the one that was asked for, or none was.
    pub(crate) fn wants(&self, kind: EngineKind) -> bool {
        self.config.engine == EngineKind::Auto || self.config.engine == kind
    }

    fn warn(&self, warnings: &[Diagnostic], source: &Source) {
        if !warnings.is_empty() && !self.json {
            complain!("{}", render(warnings, source, self.colour_errors));
        }
    }
}

/// A play from a given position, or from the beginning, where a seed says how chance arranges the pieces.
pub(crate) fn begin(game: &Arc<Game>, position: Option<&str>, seed: u64) -> Result<Match, Failure> {
    Ok(match position {
        Some(text) => Match::from_position(game, text)?,
        None => Match::seeded(game, seed)?,
    })
}
