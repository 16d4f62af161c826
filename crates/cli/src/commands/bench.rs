//! `regulus bench`: the speed of random games.

use std::time::{Duration, Instant};

use regulus_engine::{Playouts, Rules as _};
use serde_json::{Map, json};

use crate::args;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::say;
use crate::position::Position;
use crate::progress::Progress;

pub(crate) fn run(loader: &Loader, args: &args::Bench) -> Result<(), Failure> {
    let loaded = loader.load(&args.game)?;
    let rules = &loaded.rules;
    let first = Position::new(rules).map_err(loaded.blame())?.state;
    let mut playouts = Playouts::new(rules, args.seed);
    let mut progress = Progress::new("playing", loader.json);
    let mut state = first.clone();
    let (mut games, mut states) = (0u64, 0u64);
    let mut scores = vec![0f64; rules.automaton().players.len()];
    let limit = Duration::from_secs_f64(args.seconds);
    let started = Instant::now();
    loop {
        state.clone_from(&first);
        states += playouts.run(&mut state, u64::MAX).map_err(loaded.blame())?;
        games += 1;
        for (sum, player) in scores.iter_mut().zip(rules.automaton().players.keys()) {
            *sum += f64::from(rules.score(&state, player));
        }
        let elapsed = started.elapsed();
        let done = match args.playouts {
            Some(count) => {
                progress.set(games, count);
                games >= count
            }
            None => {
                progress.set(elapsed.as_millis() as u64, limit.as_millis() as u64);
                elapsed >= limit
            }
        };
        if done {
            break;
        }
    }
    let seconds = started.elapsed().as_secs_f64().max(1e-9);
    drop(progress);
    let averages: Vec<f64> = scores.iter().map(|sum| sum / games as f64).collect();
    let depth = states as f64 / games as f64;
    let (games_per_s, states_per_s) = (games as f64 / seconds, states as f64 / seconds);
    let players = rules.automaton().players.values();
    if loader.json {
        let scores: Map<_, _> =
            players.zip(&averages).map(|(name, &score)| (name.clone(), score.into())).collect();
        say!(
            "{}",
            json!({
                "playouts": games,
                "states": states,
                "seconds": seconds,
                "playouts_per_s": games_per_s,
                "states_per_s": states_per_s,
                "average_depth": depth,
                "average_scores": scores,
                "seed": args.seed,
            })
        );
        return Ok(());
    }
    say!("{games} games of {depth:.1} moves on average in {seconds:.2} s");
    say!("{games_per_s:.1} playouts/s, {states_per_s:.0} states/s");
    for (name, score) in players.zip(&averages) {
        say!("{name}: {score:.1} points on average");
    }
    Ok(())
}
