//! Players as users name them, built in or from outside.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use regulus_agents::{Agent, AgentError, Budget, PlayerSpec};
use regulus_game::Game;

use crate::protocol::{Patience, ProgramPlayer};
use crate::uci::{UciPlayer, UciSpec};

/// A player in a match: a built-in kind with options, or a program from outside.
///
/// # Examples
///
/// ```
/// use regulus_arena::Contestant;
///
/// let player: Contestant = "uct?iterations=500".parse()?;
/// assert_eq!(player.to_string(), "uct?iterations=500");
/// assert!("no such player".parse::<Contestant>().is_err());
/// # Ok::<(), regulus_arena::BadContestant>(())
/// ```
#[derive(Clone, Debug)]
pub struct Contestant {
    text: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    BuiltIn(PlayerSpec),
    /// A program that speaks the line protocol, with its arguments.
    Program(Vec<String>),
    /// A program that speaks UCI.
    Uci(UciSpec),
}

/// Why a text names no player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadContestant(String);

impl fmt::Display for BadContestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadContestant {}

impl Contestant {
    /// A player of this kind for a game.
    ///
    /// # Errors
    ///
    /// If a program from outside cannot be started.
    pub fn create(&self, game: &Arc<Game>, seed: u64) -> Result<Box<dyn Agent>, AgentError> {
        match &self.kind {
            Kind::BuiltIn(spec) => Ok(spec.create(game, seed)),
            Kind::Program(words) => {
                Ok(Box::new(ProgramPlayer::start(words, game, Patience::default())?))
            }
            Kind::Uci(spec) => Ok(Box::new(UciPlayer::start(spec, game, Patience::default())?)),
        }
    }

    /// Whether the program of a player from outside is there, so that a match with one that is not can be refused at once.
    ///
    /// # Errors
    ///
    /// If there is no file with its name, nor one on the path.
    pub fn find_program(&self) -> Result<(), BadContestant> {
        let name = match &self.kind {
            Kind::BuiltIn(_) => return Ok(()),
            Kind::Program(words) => words.first().map(String::as_str).unwrap_or_default(),
            Kind::Uci(spec) => spec.program(),
        };
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let is_there = if Path::new(name).components().count() > 1 {
            Path::new(name).is_file()
        } else {
            std::env::split_paths(&folders).any(|folder| folder.join(name).is_file())
        };
        match is_there {
            true => Ok(()),
            false => Err(BadContestant(format!(
                "there is no program `{name}` for the player `{}`: install it, or give its path",
                self.text
            ))),
        }
    }

    /// Whether it can play a game: a net must be there and be one of this game.
    ///
    /// # Errors
    ///
    /// If not, with the reason.
    pub fn check(&self, game: &Arc<Game>) -> Result<(), BadContestant> {
        match &self.kind {
            Kind::BuiltIn(spec) => {
                spec.check(game).map_err(|error| BadContestant(error.to_string()))
            }
            Kind::Program(_) | Kind::Uci(_) => Ok(()),
        }
    }

    /// The budget that its options say, or else the given one.
    #[must_use]
    pub fn budget_or(&self, otherwise: Budget) -> Budget {
        match &self.kind {
            Kind::BuiltIn(spec) => spec.budget_or(otherwise),
            Kind::Program(_) => otherwise,
            Kind::Uci(spec) => spec.budget_or(otherwise),
        }
    }
}

impl FromStr for Contestant {
    type Err = BadContestant;

    fn from_str(text: &str) -> Result<Contestant, BadContestant> {
        let text = text.trim();
        if let Some(command) = text.strip_prefix("program:") {
            let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
            if words.is_empty() {
                return Err(BadContestant(
                    "`program:` lacks the program: `program:./player`".to_owned(),
                ));
            }
            return Ok(Contestant { text: text.to_owned(), kind: Kind::Program(words) });
        }
        if text.starts_with("uci:") {
            let spec = text
                .parse()
                .map_err(|error: crate::uci::BadUciSpec| BadContestant(error.to_string()))?;
            return Ok(Contestant { text: text.to_owned(), kind: Kind::Uci(spec) });
        }
        let spec = PlayerSpec::read(text).map_err(|error| {
            let programs = "programs are `program:COMMAND` and, if they speak UCI, `uci:PROGRAM`";
            BadContestant(format!("{error}; {programs}"))
        })?;
        Ok(Contestant { text: text.to_owned(), kind: Kind::BuiltIn(spec) })
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
