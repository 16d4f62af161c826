//! How many positions a second nets judge, on one core and in all threads:
//! `cargo run --release -p regulus-agents --example net_speed -- breakthrough 2`.

#![expect(clippy::print_stdout, reason = "an example talks to the person who runs it")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use regulus_agents::residual::{ResidualNet, ResidualShape, ResidualWeights};
use regulus_agents::{Net, NetInputs, NetWeights};
use regulus_engine::generator;
use regulus_game::{Config, Game, Match};

/// How long each is measured.
const TIME: Duration = Duration::from_secs(2);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_else(|| "breakthrough".to_owned());
    let threads: usize = words.next().map_or(Ok(1), |word| word.parse())?;
    let game = Game::load(&name, &Config::default())?;
    // Positions of a random game.
    let mut plays = vec![Match::new(&game)?];
    let mut random = generator(1);
    while plays.len() < 64 {
        let mut next = plays[plays.len() - 1].clone();
        if !next.play_random(&mut random)? {
            next = Match::new(&game)?;
        }
        plays.push(next);
    }
    for (kind, shape) in
        [("thesis", ResidualShape::thesis(&game)?), ("small", ResidualShape::small(&game)?)]
    {
        let net = ResidualNet::new(&game, &ResidualWeights::random(shape, 1));
        let speed = speed(threads, &plays, |play| f64::from(net.judge(play).value));
        let cells = shape.cells() * 9 * shape.filters;
        let products = cells * (shape.planes + 2 * shape.blocks * shape.filters);
        println!(
            "{name}, {kind}, {threads} threads: {speed:.0} positions/s, {:.1} GFLOP/s",
            2.0 * products as f64 * speed / 1e9
        );
    }
    let inputs = Arc::new(NetInputs::new(&game)?);
    let net = Net::new(Arc::clone(&inputs), &NetWeights::zero(&inputs, 128, 8));
    let speed = speed(threads, &plays, |play| net.expectation(play));
    println!("{name}, sums of whole positions, {threads} threads: {speed:.0} positions/s");
    Ok(())
}

/// Positions a second of all threads together.
fn speed(threads: usize, plays: &[Match], judge: impl Fn(&Match) -> f64 + Sync) -> f64 {
    let judge = &judge;
    let work = |plays: Vec<Match>| {
        let (started, mut count) = (Instant::now(), 0u64);
        while started.elapsed() < TIME {
            plays.iter().for_each(|play| {
                std::hint::black_box(judge(play));
            });
            count += plays.len() as u64;
        }
        count as f64 / started.elapsed().as_secs_f64()
    };
    std::thread::scope(|scope| {
        let start = |_| {
            let own = plays.to_vec();
            scope.spawn(move || work(own))
        };
        let all: Vec<_> = (0..threads.max(1)).map(start).collect();
        all.into_iter().map(|thread| thread.join().unwrap_or(0.0)).sum()
    })
}
