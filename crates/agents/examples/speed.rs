//! How fast the player `uct` is beside plain random games: `cargo run --release -p regulus-agents --example speed -- GAME…`.
//!
//! For each game, in turn nine times: random games from the first position, and iterations of `uct`, in a second of one
//! thread; then both with two threads. The median ratios are printed; the last is how much of the scaling of random games
//! `uct` reaches.

#![expect(clippy::print_stdout, reason = "it is a program that prints")]

use std::time::{Duration, Instant};

use regulus_agents::{Budget, PlayerSpec, Task};
use regulus_engine::Playouts;
use regulus_game::{Config, Game, Match};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    println!("game, raw/s, uct/s, uct:raw, raw 2:1, uct 2:1, scaling");
    for name in &names {
        let game = Game::load(name, &Config::default())?;
        game.rules().wait();
        let play = Match::new(&game)?;
        let mut rows: Vec<[f64; 4]> = Vec::new();
        for _ in 0..9 {
            rows.push([raw(&play, 1), uct(&play, 1)?, raw(&play, 2), uct(&play, 2)?]);
        }
        let median = |value: fn(&[f64; 4]) -> f64| {
            let mut values: Vec<f64> = rows.iter().map(value).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        let [raw, uct] = [median(|row| row[0]), median(|row| row[1])];
        let tree = median(|row| row[1] / row[0]);
        let [raw_two, uct_two] = [median(|row| row[2] / row[0]), median(|row| row[3] / row[1])];
        let scaling = median(|row| row[3] / row[1] * row[0] / row[2]);
        println!("{name}, {raw:.0}, {uct:.0}, {tree:.2}, {raw_two:.2}, {uct_two:.2}, {scaling:.2}");
    }
    Ok(())
}

/// Random games in a second.
fn raw(play: &Match, threads: u64) -> f64 {
    let rules = play.game().rules();
    let started = Instant::now();
    let (first, history) = (play.state(), play.history());
    let work = |thread: u64| {
        let mut playouts = Playouts::new(rules, thread);
        let (mut state, mut now) = (first.clone(), history.clone());
        let mut games = 0u32;
        while started.elapsed() < Duration::from_secs(1) {
            for _ in 0..16 {
                state.copy_from(first);
                now.truncate(history.len());
                games += u32::from(playouts.run(&mut state, &mut now, 5_000).is_ok());
            }
        }
        f64::from(games) / started.elapsed().as_secs_f64()
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).sum()
    })
}

/// Iterations of `uct` in a second.
fn uct(play: &Match, threads: u64) -> Result<f64, Box<dyn std::error::Error>> {
    let spec: PlayerSpec = format!("uct?threads={threads}").parse()?;
    let mut agent = spec.create(play.game(), 1);
    let thought = agent.think(play, &mut Task::new(Budget::time(Duration::from_secs(1))))?;
    Ok(thought.report.speed().unwrap_or_default())
}
