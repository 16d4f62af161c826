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
    let game = loader.load_for_players(&args.game)?;
    game.rules().wait();
    // The name of a file may be a path.
    let name = std::path::Path::new(&args.game).file_stem().unwrap_or_default().to_string_lossy();
    let mut config =
        TrainConfig { seed: args.seed, threads: args.threads.get(), ..TrainConfig::fast() };
    for setting in &args.set {
        set(&mut config, setting)?;
    }
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}-net")));
    let failed = |error: regulus_learn::TrainError| Failure::bad_input(error.to_string());
    let mut training = Training::new(&game, &name, config, &folder).map_err(failed)?;
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

/// Sets something of a run, as in `games=500`.
fn set(config: &mut TrainConfig, setting: &str) -> Result<(), Failure> {
    let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
    let number: Option<f64> = value.parse().ok();
    let within = |least: f64, most: f64| {
        let number = number.filter(|number| (least..=most).contains(number));
        let range = format!("`{name}` cannot be `{value}`; it is a number from {least} to {most}");
        number.ok_or_else(|| Failure::usage(range))
    };
    match name {
        "sums" => config.sums = within(1.0, 1024.0)? as usize,
        "games" => config.games = within(1.0, 1e6)? as u64,
        "nodes" => config.nodes = within(2.0, 1e9)? as u64,
        "stray" => config.stray = within(0.0, 1.0)?,
        "trace" => config.trace = within(0.0, 1.0)? as f32,
        "replay" => config.replay = within(1.0, 1000.0)? as usize,
        "rounds" => config.rounds = within(0.01, 1000.0)?,
        "settling" => config.settling = within(0.0, 1.0)? > 0.0,
        "mirrors" => config.mirrors = within(0.0, 1.0)? > 0.0,
        _ => {
            let names = "games, nodes, sums, stray, trace, replay, rounds, settling and mirrors";
            return Err(Failure::usage(format!(
                "there is no `{name}` to be set; there are {names}"
            )));
        }
    }
    Ok(())
}
