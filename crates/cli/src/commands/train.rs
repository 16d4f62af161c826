//! `regulus train`: learns a game by playing against itself.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use regulus_agents::Stop;
use regulus_learn::{TrainConfig, Training};

use crate::args;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::say;

pub(crate) fn run(loader: &Loader, args: &args::Train) -> Result<(), Failure> {
    let started = Instant::now();
    let game = loader.load(&args.game)?;
    game.rules().wait();
    let mut config =
        TrainConfig { seed: args.seed, threads: args.threads.get(), ..TrainConfig::fast() };
    for setting in &args.set {
        let failed = || Failure::bad_input(format!("cannot set `{setting}`"));
        let (name, value) = setting.split_once('=').ok_or_else(failed)?;
        let number: f64 = value.parse().map_err(|_| failed())?;
        match name {
            "sums" => config.sums = number as usize,
            "games" => config.games = number as u64,
            "nodes" => config.nodes = number as u64,
            "stray" => config.stray = number,
            "trace" => config.trace = number as f32,
            "replay" => config.replay = number as usize,
            "rounds" => config.rounds = number,
            "settling" => config.settling = number > 0.0,
            "mirrors" => config.mirrors = number > 0.0,
            _ => return Err(failed()),
        }
    }
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}-net", args.game)));
    let failed = |error: regulus_learn::TrainError| Failure::bad_input(error.to_string());
    let mut training = Training::new(&game, &args.game, config, &folder).map_err(failed)?;
    let stop = Stop::new();
    let budget = Duration::from_secs_f64(args.budget * 60.0);
    let most = args.iterations.unwrap_or(u64::MAX);
    while training.done() < most && (args.iterations.is_some() || started.elapsed() < budget) {
        let Some(iteration) = training.iterate(&stop).map_err(failed)? else { break };
        let [playing, learning] = iteration.time.map(|time| time.as_secs_f64());
        say!(
            "{:>4}  loss {:.4}  {} games, {} positions ({:.0}/s), {:.0} moves, first player {:.0} %  learning {:.1} s  {:.0} s",
            iteration.number,
            iteration.loss,
            iteration.games,
            iteration.positions,
            iteration.positions as f64 / playing,
            iteration.length,
            100.0 * iteration.first,
            learning,
            started.elapsed().as_secs_f64()
        );
    }
    say!("{}", training.net_file(training.done()).display());
    Ok(())
}
