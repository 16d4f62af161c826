//! `regulus perft`: the size of a game tree.

use std::sync::Arc;
use std::time::Instant;

use regulus_engine::{Counting, Perft, Rules as _, perft, perft_threads};
use regulus_game::Match;
use serde_json::json;

use crate::args;
use crate::failure::Failure;
use crate::load::{Loader, begin};
use crate::output::say;
use crate::progress::Progress;

pub(crate) fn run(loader: &Loader, args: &args::Perft) -> Result<(), Failure> {
    let game = loader.load(&args.game)?;
    let play = begin(&game, args.position.as_deref(), args.seed)?;
    let rules = game.rules();
    let counting = if args.bulk { Counting::Bulk } else { Counting::Each };
    rules.wait();
    let (first, history) = (play.state(), play.history());
    if counting == Counting::Each {
        // Whatever the engine has to compile for counting is done before the clock starts.
        rules.count(first, history, 1, &mut rules.scratch());
    }
    let started = Instant::now();
    let mut progress = Progress::new("counting", loader.json);
    let (total, divided) = if args.divide && args.depth > 0 {
        divide(play, args.depth, counting, &mut progress)?
    } else {
        let mut watch = |done: usize, all: usize| progress.set(done as u64, all as u64);
        let (depth, threads) = (args.depth, args.threads);
        let total = perft_threads(rules, first, history, depth, counting, threads, &mut watch);
        (total.map_err(|fault| game.blame(&fault))?, Vec::new())
    };
    drop(progress);
    let seconds = started.elapsed().as_secs_f64();
    if loader.json {
        let mut result = json!({
            "depth": args.depth,
            "leaves": total.leaves,
            "states": total.states,
            "seconds": seconds,
            "bulk": args.bulk,
            "engine": rules.name(),
        });
        if args.divide {
            let rows =
                divided.iter().map(|(name, part)| json!({ "move": name, "leaves": part.leaves }));
            result["divide"] = rows.collect();
        }
        say!("{result}");
        return Ok(());
    }
    for (name, part) in divided {
        say!("{name}: {}", part.leaves);
    }
    let speed = total.states as f64 / seconds.max(1e-9);
    say!("depth {}: {} leaves, {} states", args.depth, total.leaves, total.states);
    let bulk = if args.bulk { ", last moves only counted" } else { "" };
    say!("{seconds:.3} s, {speed:.0} states/s, engine {}{bulk}", rules.name());
    Ok(())
}

/// Counts below each first move by itself.
fn divide(
    mut play: Match,
    depth: u32,
    counting: Counting,
    progress: &mut Progress,
) -> Result<(Perft, Vec<(String, Perft)>), Failure> {
    let game = Arc::clone(play.game());
    let mut total = Perft { leaves: 0, states: 1 };
    let mut parts = Vec::new();
    let names = play.names()?.to_vec();
    for (index, name) in names.iter().enumerate() {
        play.play_index(index)?;
        let (state, history) = (play.state(), play.history());
        let part = perft(game.rules(), state, history, depth - 1, counting, &mut |_, _| {});
        let part = part.map_err(|fault| game.blame(&fault))?;
        play.undo();
        total.leaves += part.leaves;
        total.states += part.states;
        parts.push((name.clone(), part));
        progress.set(index as u64 + 1, names.len() as u64);
    }
    Ok((total, parts))
}
