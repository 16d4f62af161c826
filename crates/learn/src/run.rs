//! A run of training: games, learning, comparison with the best net before, again and again, in a folder that can be gone on with.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use regulus_agents::{AgentError, Net, NetInputs, NetWeights, NoNet, Stop};
use regulus_game::Game;

use crate::config::TrainConfig;
use crate::games::seed_of;
use crate::positions::Positions;
use crate::self_play::play_games;
use crate::trainer::{Lesson, learn, random_weights};

/// What an iteration has brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// Its number, from 1.
    pub number: u64,
    /// How many games were played.
    pub games: u64,
    /// How many positions there are of them.
    pub positions: u64,
    /// The mean number of moves of a game.
    pub length: f64,
    /// The part of the points that the first player got.
    pub first: f64,
    /// The mean error of the net on the positions it was learning from.
    pub loss: f64,
    /// How long playing and learning took.
    pub time: [Duration; 2],
}

/// Why a run ends early.
#[derive(Debug)]
pub enum TrainError {
    /// The game cannot have a net.
    Game(NoNet),
    /// A game could not be played.
    Play(AgentError),
    /// A file could not be read or written.
    File(PathBuf, io::Error),
    /// A file is not what it should be.
    Net(regulus_agents::BadNet),
}

impl std::fmt::Display for TrainError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TrainError::Game(error) => error.fmt(f),
            TrainError::Play(error) => error.fmt(f),
            TrainError::File(path, error) => write!(f, "{}: {error}", path.display()),
            TrainError::Net(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TrainError {}

/// A run of training.
#[derive(Debug)]
pub struct Training {
    game: Arc<Game>,
    name: String,
    inputs: Arc<NetInputs>,
    config: TrainConfig,
    folder: PathBuf,
    weights: NetWeights,
    net: Option<Arc<Net>>,
    /// The positions of the last iterations.
    replay: Vec<Positions>,
    done: u64,
}

impl Training {
    /// Begins a run in a folder, or goes on with the one that is there.
    ///
    /// # Errors
    ///
    /// If the game cannot have a net, or the folder cannot be used.
    pub fn new(
        game: &Arc<Game>,
        name: &str,
        config: TrainConfig,
        folder: &Path,
    ) -> Result<Training, TrainError> {
        let inputs = Arc::new(NetInputs::new(game).map_err(TrainError::Game)?);
        let weights = random_weights(&inputs, config.sums, config.seed);
        let mut training = Training {
            game: Arc::clone(game),
            name: name.to_owned(),
            inputs,
            config,
            folder: folder.to_owned(),
            weights,
            net: None,
            replay: Vec::new(),
            done: 0,
        };
        fs::create_dir_all(folder).map_err(|error| TrainError::File(folder.to_owned(), error))?;
        training.resume()?;
        Ok(training)
    }

    /// Reads the last iteration that was finished.
    fn resume(&mut self) -> Result<(), TrainError> {
        while self.net_file(self.done + 1).is_file() {
            self.done += 1;
        }
        if self.done == 0 {
            return Ok(());
        }
        let path = self.net_file(self.done);
        self.weights = NetWeights::read(&self.inputs, &path).map_err(TrainError::Net)?;
        self.config.sums = self.weights.sums;
        self.net = Some(Arc::new(Net::new(Arc::clone(&self.inputs), &self.weights)));
        let first = self.done.saturating_sub(self.config.replay as u64) + 1;
        for number in first..=self.done {
            let path = self.positions_file(number);
            let read = fs::File::open(&path)
                .and_then(|file| Positions::read(io::BufReader::new(file), self.inputs.cells()));
            self.replay.push(read.map_err(|error| TrainError::File(path, error))?);
        }
        Ok(())
    }

    /// How many iterations are done.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Where the net of an iteration is.
    #[must_use]
    pub fn net_file(&self, number: u64) -> PathBuf {
        self.folder.join(format!("net-{number:04}.safetensors"))
    }

    fn positions_file(&self, number: u64) -> PathBuf {
        self.folder.join(format!("positions-{number:04}.bin"))
    }

    /// Plays and learns once more; `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If a game cannot be played, or a file cannot be written.
    pub fn iterate(&mut self, stop: &Stop) -> Result<Option<Iteration>, TrainError> {
        let number = self.done + 1;
        let started = Instant::now();
        let played =
            play_games(&self.game, &self.inputs, self.net.as_ref(), &self.config, number, stop);
        let (positions, count) = played.map_err(TrainError::Play)?;
        let playing = started.elapsed();
        if stop.is_stopped() {
            return Ok(None);
        }
        let found = positions.len() as u64;
        let path = self.positions_file(number);
        self.write(&path, |file| positions.write(file))?;
        self.replay.push(positions);
        if self.replay.len() > self.config.replay {
            self.replay.remove(0);
            let old = number - self.config.replay as u64;
            // It is not needed any more; if it stays, nothing is wrong.
            let _ = fs::remove_file(self.positions_file(old));
        }
        let started = Instant::now();
        let lesson = Lesson {
            seed: seed_of(self.config.seed, number, u64::MAX),
            rounds: self.config.rounds,
            rates: self.config.rates,
            threads: self.config.threads,
            mirrors: self.config.mirrors,
        };
        let replay: Vec<&Positions> = self.replay.iter().collect();
        let loss = learn(&mut self.weights, &self.inputs, &replay, lesson);
        self.net = Some(Arc::new(Net::new(Arc::clone(&self.inputs), &self.weights)));
        let bytes = self.weights.to_bytes(&self.inputs, &self.name).map_err(TrainError::Net)?;
        self.write(&self.net_file(number), |mut file| io::Write::write_all(&mut file, &bytes))?;
        self.done = number;
        Ok(Some(Iteration {
            number,
            games: count.games,
            positions: found,
            length: count.moves as f64 / count.games.max(1) as f64,
            first: count.first / count.games.max(1) as f64,
            loss,
            time: [playing, started.elapsed()],
        }))
    }

    /// Writes a file as a whole or not at all.
    fn write(
        &self,
        path: &Path,
        write: impl FnOnce(&mut io::BufWriter<fs::File>) -> io::Result<()>,
    ) -> Result<(), TrainError> {
        let partial = path.with_extension("partial");
        let written = fs::File::create(&partial).and_then(|file| {
            let mut file = io::BufWriter::new(file);
            write(&mut file)?;
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.sync_all()?;
            fs::rename(&partial, path)
        });
        written.map_err(|error| TrainError::File(path.to_owned(), error))
    }
}
