//! `regulus train`: learns a game by playing against itself.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use regulus_agents::Stop;
use regulus_learn::{
    BadSetting, Iteration, Preset, Shard, Strength, TrainConfig, TrainError, TrainProgress,
    Training,
};
use serde_json::{Value, json};

use crate::args;
use crate::failure::Failure;
use crate::interrupt::stop_when_told;
use crate::load::Loader;
use crate::output::{complain, say};
use crate::progress::Progress;

/// After how long it is told that others are waited for, and after how long that they may not be there at all.
const TELL_WAITING: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(60)];

/// How often a folder without a run is looked at.
const GLANCE: Duration = Duration::from_millis(200);

pub(crate) fn run(loader: &Loader, args: &args::Train) -> Result<(), Failure> {
    let started = Instant::now();
    let game = loader.load_for_players(&args.game)?;
    game.rules().wait();
    // The name of a file may be a path.
    let name = Path::new(&args.game).file_stem().unwrap_or_default().to_string_lossy();
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}-net")));
    let stop = stop_when_told();
    let mut live = Live {
        args,
        json: loader.json,
        started,
        stop,
        stage: "",
        progress: Progress::new("", loader.json),
        told: 0,
    };
    let Some(config) = config(args, &folder, &mut live)? else {
        return Err(Failure::bad_input(format!(
            "{}: no run has begun there; start the first shard, `--shard 1/…`",
            folder.display()
        )));
    };
    let mut training = Training::new(&game, &name, config, &folder).map_err(failed)?;
    while training.done() < args.iterations.unwrap_or(u64::MAX) && !live.is_over() {
        let stop = live.stop.clone();
        let iterated = training.iterate(&stop, &mut |progress| live.show(progress));
        let Some(iteration) = iterated.map_err(failed)? else { break };
        live.tell(&iteration);
    }
    live.clear();
    training.write_report().map_err(failed)?;
    conclude(&live, &training);
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
fn failed(error: TrainError) -> Failure {
    Failure::bad_input(error.to_string())
}

/// The settings: those of the run that is there, if there is one, and what was given. `None` if one was waited for in vain.
fn config(
    args: &args::Train,
    folder: &Path,
    live: &mut Live<'_>,
) -> Result<Option<TrainConfig>, Failure> {
    let shard = args.shard.map_or(Shard::WHOLE, |(index, count)| Shard { index, count });
    let began = Instant::now();
    let there = loop {
        let there = Training::config_of(folder).map_err(failed)?;
        if there.is_some() || shard.leads() {
            break there;
        }
        live.show(TrainProgress::Waiting { missing: vec![1], time: began.elapsed() });
        if live.stop.is_stopped() {
            return Ok(None);
        }
        std::thread::sleep(GLANCE);
    };
    let preset = args.preset.or(there.as_ref().map(|there| there.preset)).unwrap_or(Preset::Fast);
    // A run with another preset is refused later, with the reason.
    let there = there.filter(|there| there.preset == preset);
    let begun = there.unwrap_or_else(|| TrainConfig::of(preset));
    let mut config = TrainConfig { shard, threads: args.threads.get(), ..begun };
    let refused = |error: BadSetting| Failure::usage(error.to_string());
    for setting in &args.set {
        let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
        config.set(name, value).map_err(refused)?;
    }
    config.seed = args.seed.unwrap_or(config.seed);
    Ok(Some(config))
}

/// What is shown while a run goes on.
struct Live<'a> {
    args: &'a args::Train,
    json: bool,
    started: Instant,
    stop: Stop,
    /// What the progress bar is about.
    stage: &'static str,
    progress: Progress,
    /// How often it was told that others are waited for.
    told: usize,
}

impl Live<'_> {
    /// Whether the time is up, or the run was stopped.
    fn is_over(&self) -> bool {
        let time_is_up = self.started.elapsed() >= self.args.budget;
        self.stop.is_stopped() || (self.args.iterations.is_none() && time_is_up)
    }

    fn show(&mut self, progress: TrainProgress) {
        match progress {
            TrainProgress::Playing { done, all } => self.advance("playing", done, all),
            TrainProgress::Learning => self.clear(),
            TrainProgress::Measuring { done, all } => self.advance("measuring", done, all),
            TrainProgress::Waiting { missing, time } => {
                self.wait(&missing, time);
                // Other machines may never come.
                if self.is_over() {
                    self.stop.stop();
                }
            }
        }
    }

    fn advance(&mut self, stage: &'static str, done: u64, all: u64) {
        if self.stage != stage {
            self.progress = Progress::new(stage, self.json);
            self.stage = stage;
        }
        self.progress.set(done, all);
    }

    /// Shows nothing.
    fn clear(&mut self) {
        self.progress = Progress::new("", self.json);
        (self.stage, self.told) = ("", 0);
    }

    /// Tells whom it waits for.
    fn wait(&mut self, missing: &[u64], time: Duration) {
        if self.stage != "waiting" {
            self.clear();
            self.stage = "waiting";
        }
        let Some(next) = TELL_WAITING.get(self.told).filter(|next| time >= **next) else { return };
        let count = self.args.shard.map_or(1, |(_, count)| count);
        let numbers: Vec<String> = missing.iter().map(ToString::to_string).collect();
        let shards = if missing.len() == 1 { "shard" } else { "shards" };
        let shards = format!("{shards} {} of {count}", numbers.join(", "));
        if *next == TELL_WAITING[0] {
            complain!("waiting for {shards}\n");
        } else {
            complain!(
                "still waiting for {shards}, for a minute now: start what does not run; Ctrl-C ends the waiting\n"
            );
        }
        self.told += 1;
    }

    /// Tells what an iteration has brought.
    fn tell(&mut self, iteration: &Iteration) {
        self.clear();
        let [playing, learning, measuring] = iteration.time.map(|time| time.as_secs_f64());
        if self.json {
            let mut line = iteration.json();
            line["seconds"] =
                json!({ "playing": playing, "learning": learning, "measuring": measuring });
            say!("{line}");
            return;
        }
        let speed = match playing {
            0.0 => String::new(),
            playing => format!(" ({:.0}/s)", iteration.positions as f64 / playing),
        };
        say!(
            "{:>4}  loss {:.4}  {} games, {} positions{speed}, {:.0} moves, first player {:.0} %  {:.0} s{}",
            iteration.number,
            iteration.loss,
            iteration.games,
            iteration.positions,
            iteration.length,
            100.0 * iteration.first,
            self.started.elapsed().as_secs_f64(),
            strength_words(iteration)
        );
    }
}

/// What was measured: `  alphabeta 55 % (34 to 74)  uct 80 % (58 to 92)  net-0004 60 % (39 to 78): now the best`.
fn strength_words(iteration: &Iteration) -> String {
    let part = |strength: &Strength| {
        let (low, high) = strength.score.interval();
        let percents = [strength.score.mean(), low, high].map(|part| 100.0 * part);
        let [mean, low, high] = percents;
        format!("  {} {mean:.0} % ({low:.0} to {high:.0})", strength.opponent())
    };
    let mut words: String = iteration.strength.iter().map(part).collect();
    if let Some(gate) = &iteration.gate {
        let verdict =
            if iteration.best == iteration.number { "now the best" } else { "not better" };
        words.push_str(&format!("{}: {verdict}", part(gate)));
    }
    words
}

/// Says where the nets are, and how to play with them.
fn conclude(live: &Live<'_>, training: &Training) {
    let is_stopped = live.stop.is_stopped();
    let (done, best) = (training.done(), training.best_file());
    let net = |number: u64, path: &Path| -> Value {
        json!({ "iteration": number, "path": path.display().to_string() })
    };
    if live.json {
        let best = training.best().map(|number| net(number, &best));
        let newest = training.best().map(|_| net(done, &training.net_file(done)));
        say!("{}", json!({ "stopped": is_stopped, "best": best, "newest": newest }));
        return;
    }
    if is_stopped {
        say!("stopped; the same command goes on");
    }
    let Some(number) = training.best() else { return };
    if number != done {
        say!("newest net: {}", training.net_file(done).display());
    }
    say!("best net: {} (iteration {number})", best.display());
    let opponent = quoted(&format!("net:{}", best.display()));
    say!("play against it: regulus play {} --opponent {opponent}", quoted(&live.args.game));
}

/// A word as shells read it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=".contains(c);
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
