//! Why a run of training ends early.

use std::fmt;
use std::io;
use std::path::PathBuf;

use regulus_agents::residual::NoResidual;
use regulus_agents::{AgentError, BadNet, NoNet};

/// Why a run ends early.
#[derive(Debug)]
#[non_exhaustive]
pub enum TrainError {
    /// The game cannot have a net.
    Game(NoNet),
    /// The game cannot have a residual net.
    Residual(NoResidual),
    /// A game could not be played.
    Play(AgentError),
    /// A file could not be read or written.
    File(PathBuf, io::Error),
    /// A file is not what it should be.
    Net(BadNet),
    /// A file or folder is there, but not as a run leaves it: what is wrong and what to do.
    Folder(PathBuf, String),
    /// The folder has the run of another game.
    OtherGame {
        /// The folder.
        folder: PathBuf,
        /// The name of the game there.
        there: String,
        /// The name of the game that was given.
        given: String,
    },
    /// The run has another setting.
    OtherSetting {
        /// The folder.
        folder: PathBuf,
        /// The name of the setting.
        name: &'static str,
        /// What it is there.
        there: String,
        /// What was given.
        given: String,
    },
    /// Another process trains in the folder.
    Busy(PathBuf),
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrainError::Game(error) => error.fmt(f),
            TrainError::Residual(error) => error.fmt(f),
            TrainError::Play(error) => error.fmt(f),
            TrainError::File(path, error) => write!(f, "{}: {error}", path.display()),
            TrainError::Net(error) => error.fmt(f),
            TrainError::Folder(path, problem) => write!(f, "{}: {problem}", path.display()),
            TrainError::OtherGame { folder, there, given } if there == given => write!(
                f,
                "{}: the run there is of another game of the name `{there}`, or the game was changed since; choose another folder",
                folder.display()
            ),
            TrainError::OtherGame { folder, there, given } => write!(
                f,
                "{}: the run there is of another game, `{there}` and not `{given}`; choose another folder",
                folder.display()
            ),
            TrainError::OtherSetting { folder, name, there, given } => write!(
                f,
                "{}: the run there has {name}={there}, and {name}={given} was given; a run keeps its settings: leave this one out, \
                 or choose another folder",
                folder.display()
            ),
            TrainError::Busy(folder) => write!(
                f,
                "{}: another process trains there; wait until it ends, or choose another folder",
                folder.display()
            ),
        }
    }
}

impl std::error::Error for TrainError {}
