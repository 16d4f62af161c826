//! `regulus bench`: the speed of random games.

use std::time::{Duration, Instant};

use regulus_engine::{Playouts, Rules as _};
use serde_json::{Map, json};

use crate::args;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::say;
use crate::progress::Progress;

/// How many moves are made between two looks at the clock.
const MOVES_BETWEEN_LOOKS: u64 = 1_000;

/// A random game longer than this is taken to be endless.
const LONGEST_GAME: u64 = 1_000_000;

pub(crate) fn run(loader: &Loader, args: &args::Bench) -> Result<(), Failure> {
    let loaded = loader.load(&args.game)?;
    let rules = &loaded.rules;
    let first = rules.initial(&mut rules.scratch()).map_err(loaded.blame())?;
    let mut playouts = Playouts::new(rules, args.seed);
    let mut progress = Progress::new("playing", loader.json);
    let mut state = first.clone();
    let (mut games, mut states) = (0u64, 0u64);
    let mut scores = vec![0f64; rules.automaton().players.len()];
    let limit = Duration::from_secs_f64(args.seconds);
    let started = Instant::now();
    let out_of_time = || args.playouts.is_none() && started.elapsed() >= limit;
    loop {
        state.clone_from(&first);
        let mut moves = 0;
        // The clock is looked at within games too: a game may have no end.
        while !out_of_time() || games == 0 {
            let made = playouts.run(&mut state, MOVES_BETWEEN_LOOKS).map_err(loaded.blame())?;
            moves += made;
            if made < MOVES_BETWEEN_LOOKS {
                states += moves;
                games += 1;
                for (sum, player) in scores.iter_mut().zip(rules.automaton().players.keys()) {
                    *sum += f64::from(rules.score(&state, player));
                }
                break;
            }
            if moves > LONGEST_GAME {
                return Err(Failure::bad_input(format!(
                    "a random game has not ended after {LONGEST_GAME} moves; has it an end at all?"
                )));
            }
        }
        match args.playouts {
            Some(count) => progress.set(games, count),
            None => progress.set(started.elapsed().as_millis() as u64, limit.as_millis() as u64),
        }
        if args.playouts.is_some_and(|count| games >= count) || out_of_time() {
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
