//! How long games take to load, from the text to the engine `plan`: `cargo run --release -p regulus-game --example loading -- FILE…`.
//!
//! `regulus generate metagame --count 250 -o games` makes files to load. One thread, one game after the other; what the clock says
//! is what it takes only where nothing else runs.

#![expect(clippy::print_stdout, reason = "it is a program that prints")]

use std::time::Instant;

use regulus_game::{Config, EngineKind, Game};

fn main() -> Result<(), regulus_game::Error> {
    let config = Config { engine: EngineKind::Plan, ..Config::default() };
    let mut times = Vec::new();
    for file in std::env::args().skip(1) {
        let source = Game::read(&file)?;
        let started = Instant::now();
        let game = Game::new(source, &config)?;
        times.push((started.elapsed().as_secs_f64() * 1000.0, file));
        drop(game);
    }
    times.sort_by(|one, other| one.0.total_cmp(&other.0));
    let at = |part: f64| &times[((times.len() - 1) as f64 * part) as usize];
    if !times.is_empty() {
        println!("{} games, milliseconds", times.len());
        println!("median {:.1}, nine of ten below {:.1}", at(0.5).0, at(0.9).0);
        println!("slowest {:.1}: {}", at(1.0).0, at(1.0).1);
    }
    Ok(())
}
