//! Prints the games of the seeds on the command line: `cargo run -p regulus-generate --example generate -- 1 2 3`.
//! What is odd about them goes to the error stream.

#![expect(clippy::print_stdout, reason = "that is what the example is for")]

use std::process::ExitCode;

use regulus_generate::{Config, generate};

fn main() -> ExitCode {
    let seeds: Result<Vec<u64>, _> = std::env::args().skip(1).map(|word| word.parse()).collect();
    let Ok(seeds) = seeds else {
        eprintln!("seeds are numbers from 0 to {}", u64::MAX);
        return ExitCode::FAILURE;
    };
    let config = Config::default();
    for seed in seeds {
        let game = generate(seed, &config);
        println!("{}", game.text);
        for remark in &game.remarks {
            eprintln!("{}: {remark}", game.name);
        }
    }
    ExitCode::SUCCESS
}
