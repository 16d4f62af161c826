//! Plays random games of generated METAGAME rules, and compares the engines with the definition:
//! `metagame FIRST_SEED COUNT PLIES`.

#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use std::panic::catch_unwind;

use regulus_generate::{Config, generate};
use regulus_laws::{MetagameComparison, bytes, metagame_game, metagame_is_definition};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [first, count, plies] = words.as_slice() else {
        return Err("metagame FIRST_SEED COUNT PLIES".into());
    };
    let (first, count, plies): (u64, u64, usize) = (first.parse()?, count.parse()?, plies.parse()?);
    let mut total = MetagameComparison::default();
    let mut broken = 0;
    for seed in first..first.saturating_add(count) {
        // Half of them with parameters of all kinds.
        let text = match seed % 2 {
            0 => generate(seed, &Config::default()).text,
            _ => metagame_game(&bytes(seed)),
        };
        match catch_unwind(|| metagame_is_definition(&text, seed, plies)) {
            Ok(one) => total += one,
            Err(_) => {
                broken += 1;
                println!("seed {seed}: the law is broken");
            }
        }
    }
    println!("{count} games, {total:?}, {broken} broken");
    Ok(())
}
