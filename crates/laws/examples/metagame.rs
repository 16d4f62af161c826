//! Plays random games of generated METAGAME rules and compares the engines with the definition.
//!
//! `cargo run --release -p regulus-laws --example metagame -- FIRST COUNT [PLIES]`

use std::panic::{AssertUnwindSafe, catch_unwind};

use regulus_generate::{Config, Properties, generate};
use regulus_laws::{Compared, metagame_is_definition};

fn main() {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>().expect("a number"));
    let first = numbers.next().unwrap_or(0);
    let count = numbers.next().unwrap_or(100);
    let plies = numbers.next().unwrap_or(60);
    let mut total = Compared::default();
    let mut broken = 0;
    for seed in first..first + count {
        let text = game(seed);
        let result =
            catch_unwind(AssertUnwindSafe(|| metagame_is_definition(&text, seed, plies as usize)));
        match result {
            Ok(one) => {
                total.positions += one.positions;
                total.moves += one.moves;
                total.ended += one.ended;
                total.left += one.left;
                if one.positions == 0 {
                    println!("{seed}: not compiled");
                }
            }
            Err(_) => {
                broken += 1;
                println!("{seed}: BROKEN");
            }
        }
    }
    println!("{count} games, {total:?}, {broken} broken");
}

/// A game with parameters of all kinds.
fn game(seed: u64) -> String {
    let mut config = Config::default();
    let part = |shift: u64| Some(((seed >> shift) % 3) as f64 / 2.0);
    if seed % 2 == 1 {
        config
            .apply(&Properties {
                rule_complexity: part(1),
                decision_complexity: part(2),
                search_complexity: part(3),
                locality: part(4),
                board_size: part(5).map(|size| size / 2.0),
            })
            .expect("properties from 0 to 1");
    }
    generate(seed, &config).text
}
