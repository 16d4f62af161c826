//! A run of training: games, learning, measuring, again and again, in a folder that can be gone on with.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use regulus_agents::Stop;
use regulus_game::Game;
use serde_json::json;

use crate::config::{Shard, TrainConfig};
use crate::error::TrainError;
use crate::experience::Experience;
use crate::folder::RunFolder;
use crate::games::GameCount;
use crate::learner::{Learner, new_learner};
use crate::metrics::{Iteration, Metrics};
use crate::parts::{PartKey, read_all, write_part};
use crate::progress::{TrainProgress, Watch};
use crate::report::write_report;
use crate::run_config::RunConfig;
use crate::strength::{Measurement, measure};

/// How often the files of other shards are looked for.
const GLANCE: Duration = Duration::from_millis(100);

/// A run of training.
///
/// # Examples
///
/// ```
/// use regulus_agents::Stop;
/// use regulus_game::{Config, Game};
/// use regulus_learn::{TrainConfig, Training};
///
/// let game = Game::load("tic_tac_toe", &Config::default())?;
/// let config = TrainConfig { games: 4, nodes: 4, sums: 4, measure: 0, ..TrainConfig::fast() };
/// let folder = std::env::temp_dir().join(format!("regulus-example-{}", std::process::id()));
/// let mut training = Training::new(&game, "tic_tac_toe", config, &folder)?;
/// let iteration = training.iterate(&Stop::new(), &mut |_| ())?.expect("nobody stops it");
/// assert_eq!((iteration.number, iteration.games), (1, 4));
/// assert!(training.best_file().is_file());
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Training {
    game: Arc<Game>,
    folder: RunFolder,
    run: RunConfig,
    learner: Box<dyn Learner>,
    /// What the last iterations have shown.
    replay: Vec<Experience>,
    metrics: Metrics,
    /// Open as long as the folder belongs to this process.
    _lock: Option<File>,
}

impl Training {
    /// The settings of the run in a folder; `None` if no run has begun there.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn config_of(folder: &Path) -> Result<Option<TrainConfig>, TrainError> {
        Ok(RunConfig::read(&RunFolder::new(folder))?.map(|run| run.config))
    }

    /// Begins a run in a folder, or goes on with the one that is there. Only the first shard begins one.
    ///
    /// # Errors
    ///
    /// If the game cannot have a net, the folder cannot be used, or the run there is of another game or has other settings.
    pub fn new(
        game: &Arc<Game>,
        name: &str,
        config: TrainConfig,
        folder: &Path,
    ) -> Result<Training, TrainError> {
        let learner = new_learner(game, &config)?;
        let folder = RunFolder::new(folder);
        let leads = config.shard.leads();
        if leads {
            folder.make()?;
        }
        let lock = if leads { Some(folder.lock()?) } else { None };
        let run = match RunConfig::read(&folder)? {
            Some(there) => {
                there.check(&folder, game, name, &config)?;
                RunConfig { config, ..there }
            }
            None => begin(&folder, RunConfig::new(game, name, config))?,
        };
        let (replay, metrics) = (Vec::new(), Metrics::default());
        let game = Arc::clone(game);
        let mut training = Training { game, folder, run, learner, replay, metrics, _lock: lock };
        training.resume()?;
        Ok(training)
    }

    /// Goes back to the last iteration that is done.
    fn resume(&mut self) -> Result<(), TrainError> {
        let config = &self.run.config;
        self.metrics = Metrics::read(&self.folder)?;
        self.replay.clear();
        let done = self.metrics.done();
        if done == 0 {
            self.learner.reset(config);
        } else {
            self.learner.load(&self.folder.net(done))?;
        }
        if !config.shard.leads() {
            return Ok(());
        }
        self.folder.clean(done, config.replay as u64)?;
        for number in done.saturating_sub(config.replay as u64) + 1..=done {
            let path = self.folder.positions(number);
            let kind = self.learner.kind();
            let read = File::open(&path).and_then(|file| kind.read(std::io::BufReader::new(file)));
            self.replay.push(read.map_err(|error| TrainError::File(path, error))?);
        }
        self.write_best()
    }

    /// How many iterations are done.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.metrics.done()
    }

    /// All iterations that are done.
    #[must_use]
    pub fn iterations(&self) -> &[Iteration] {
        self.metrics.iterations()
    }

    /// Where the net of an iteration is.
    #[must_use]
    pub fn net_file(&self, number: u64) -> PathBuf {
        self.folder.net(number)
    }

    /// Where the best net so far is, once an iteration is done.
    #[must_use]
    pub fn best_file(&self) -> PathBuf {
        self.folder.best()
    }

    /// Which iteration has the best net so far; `None` if none is done.
    #[must_use]
    pub fn best(&self) -> Option<u64> {
        self.metrics.best()
    }

    /// Plays and learns once more, and tells `watch` what it does; `None` if it was stopped, which takes effect after the games that are
    /// under way.
    ///
    /// # Errors
    ///
    /// If a game cannot be played, or a file cannot be written.
    pub fn iterate(
        &mut self,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Iteration>, TrainError> {
        let attempted = self.attempt(stop, watch);
        if matches!(attempted, Ok(Some(_))) {
            return attempted;
        }
        // What was learnt in an iteration that did not come to its end is forgotten.
        let resumed = self.resume();
        attempted.and_then(|nothing| resumed.map(|()| nothing))
    }

    fn attempt(
        &mut self,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Iteration>, TrainError> {
        let number = self.done() + 1;
        let started = Instant::now();
        let was_played = self.folder.games(number, self.run.config.shard).is_file();
        if !self.play(number, stop, watch)? {
            return Ok(None);
        }
        if !self.run.config.shard.leads() {
            return self.follow(number, stop, watch);
        }
        let Some((experience, count)) = self.gather(number, stop, watch)? else { return Ok(None) };
        let playing = started.elapsed();
        watch(TrainProgress::Learning);
        let found = experience.len() as u64;
        let loss = self.learn(number, experience)?;
        let learning = started.elapsed() - playing;
        let Some(measured) = self.measure(number, stop, watch)? else { return Ok(None) };
        let games = count.games.max(1) as f64;
        let iteration = Iteration {
            number,
            games: count.games,
            positions: found,
            length: count.moves as f64 / games,
            first: count.first / games,
            loss,
            best: self.best_after(number, &measured),
            strength: measured.strength,
            gate: measured.gate,
            time: [
                if was_played { Duration::ZERO } else { playing },
                learning,
                started.elapsed() - playing - learning,
            ],
        };
        self.finish(&iteration).map(Some)
    }

    fn key(&self, iteration: u64, shard: Shard) -> PartKey {
        let (fingerprint, seed) = (self.run.fingerprint, self.run.config.seed);
        PartKey { fingerprint, seed, iteration, shard }
    }

    /// Plays the games of this shard, if that is not done yet; `false` if it was stopped.
    fn play(&self, number: u64, stop: &Stop, watch: &mut Watch<'_>) -> Result<bool, TrainError> {
        let config = &self.run.config;
        let key = self.key(number, config.shard);
        if self.folder.games(number, config.shard).is_file() {
            return Ok(!stop.is_stopped());
        }
        let played = self.learner.play(config, number, stop, watch);
        let Some(games) = played.map_err(TrainError::Play)? else { return Ok(false) };
        write_part(&self.folder, key, self.learner.kind(), games)?;
        Ok(true)
    }

    /// Waits until something is there, or rather nothing is missing any more; `false` if it was stopped.
    fn wait(
        &self,
        stop: &Stop,
        watch: &mut Watch<'_>,
        missing: impl Fn(&Training) -> Result<Vec<u64>, TrainError>,
    ) -> Result<bool, TrainError> {
        let started = Instant::now();
        loop {
            let missing = missing(self)?;
            if missing.is_empty() {
                return Ok(true);
            }
            watch(TrainProgress::Waiting { missing, time: started.elapsed() });
            if stop.is_stopped() {
                return Ok(false);
            }
            std::thread::sleep(GLANCE);
        }
    }

    /// The positions of the games of all shards; waits for those of others. `None` if it was stopped.
    fn gather(
        &self,
        number: u64,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Result<Option<(Experience, GameCount)>, TrainError> {
        let config = &self.run.config;
        let count = config.shard.count;
        let missing = |training: &Training| {
            let is_missing = |index: &u64| {
                !training.folder.games(number, Shard { index: *index, count }).is_file()
            };
            Ok((1..=count).filter(is_missing).collect())
        };
        if !self.wait(stop, watch, missing)? || stop.is_stopped() {
            return Ok(None);
        }
        let key = self.key(number, config.shard);
        read_all(&self.folder, key, config, self.learner.kind()).map(Some)
    }

    /// Learns from what this iteration and the last ones have shown; writes it and the net. Returns the loss.
    fn learn(&mut self, number: u64, experience: Experience) -> Result<f64, TrainError> {
        self.folder.write(&self.folder.positions(number), |file| experience.write(file))?;
        self.replay.push(experience);
        let config = &self.run.config;
        if self.replay.len() > config.replay {
            self.replay.remove(0);
        }
        let loss = self.learner.learn(&self.replay, config, number);
        let bytes = self.learner.bytes(&self.run.game)?;
        self.folder.write_bytes(&self.folder.net(number), &bytes)?;
        Ok(loss)
    }

    /// Measures the newest net, if it is time to; `None` if it was stopped.
    fn measure(
        &self,
        number: u64,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Measurement>, TrainError> {
        let config = &self.run.config;
        if !number.is_multiple_of(config.measure) {
            return Ok(Some(Measurement { strength: Vec::new(), gate: None }));
        }
        let best = match self.best() {
            Some(best) => Some((best, self.learner.with_weights(&self.folder.net(best))?)),
            None => None,
        };
        measure(&self.game, self.learner.as_ref(), config, number, best, stop, watch)
            .map_err(TrainError::Play)
    }

    /// Which net is the best one after an iteration: the newest, until nets are compared, and then who got at least half of the points.
    fn best_after(&self, number: u64, measured: &Measurement) -> u64 {
        let was_measured = self.iterations().iter().any(|before| !before.strength.is_empty());
        match (&measured.gate, self.best()) {
            (Some(gate), Some(best)) if gate.score.mean() < 0.5 => best,
            (None, Some(best)) if was_measured => best,
            _ => number,
        }
    }

    /// Writes that an iteration is done, and removes what is not needed any more.
    fn finish(&mut self, iteration: &Iteration) -> Result<Iteration, TrainError> {
        let told = self.metrics.add(iteration);
        self.metrics.write(&self.folder)?;
        if told.best == told.number {
            self.write_best()?;
        }
        self.folder.clean(told.number, self.run.config.replay as u64)?;
        let [playing, learning, measuring] = told.time.map(|time| time.as_secs_f64());
        let times = json!({
            "iteration": told.number, "playing": playing, "learning": learning, "measuring": measuring,
        });
        self.folder.add_times(&format!("{times}\n"))?;
        if !told.strength.is_empty() {
            self.write_report()?;
        }
        Ok(told)
    }

    /// Makes sure that the file of the best net is what the metrics say.
    fn write_best(&self) -> Result<(), TrainError> {
        let Some(best) = self.best() else { return Ok(()) };
        let path = self.folder.net(best);
        let bytes = fs::read(&path).map_err(|error| TrainError::File(path, error))?;
        let path = self.folder.best();
        if fs::read(&path).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        self.folder.write_bytes(&path, &bytes)
    }

    /// Writes `report.html` and the plots. It is done after every measurement; a program does it once more when it ends. Nothing is
    /// written by shards other than the first.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn write_report(&self) -> Result<(), TrainError> {
        if self.run.config.shard.leads() {
            write_report(&self.folder, &self.run, self.iterations())?;
        }
        Ok(())
    }

    /// Waits until the first shard has done an iteration, and goes on from there; `None` if it was stopped.
    fn follow(
        &mut self,
        number: u64,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Iteration>, TrainError> {
        let missing = |training: &Training| {
            let done = Metrics::read(&training.folder)?.done();
            Ok(if done < number { vec![1] } else { Vec::new() })
        };
        if !self.wait(stop, watch, missing)? {
            return Ok(None);
        }
        // If they were played again just when they were learnt from, nobody removes them but us.
        let own = self.folder.games(number, self.run.config.shard);
        let _ = fs::remove_file(own);
        self.resume()?;
        Ok(self.iterations().get(number as usize - 1).cloned())
    }
}

/// Begins a run in a folder.
fn begin(folder: &RunFolder, run: RunConfig) -> Result<RunConfig, TrainError> {
    let path = folder.path().to_owned();
    if !run.config.shard.leads() {
        let problem = "no run has begun there; the first shard begins it";
        return Err(TrainError::Folder(path, problem.to_owned()));
    }
    if folder.net(1).exists() || folder.metrics().exists() {
        let problem = "there are nets, but no config.json that says how they were made; choose another folder";
        return Err(TrainError::Folder(path, problem.to_owned()));
    }
    folder.write_bytes(&folder.config(), run.text().as_bytes())?;
    Ok(run)
}
