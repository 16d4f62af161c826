//! Measures Regulus against programs written for one game each: `cargo xtask rivals`.
//!
//! For each game the rival and Regulus' native code take turns, three times each, in one thread: random games for some
//! seconds, then perft. All answers are asserted. `--quick` only asserts.
//!
//! `referee` holds an exact solution against players: `cargo xtask referee`.

mod bits;
mod breakthrough;
mod chess;
mod clock;
mod connect_four;
mod contest;
mod referee;
mod regulus;
mod rival;

use std::process::ExitCode;

use rival::Rival;

const RIVALS: [Rival; 3] = [chess::RIVAL, breakthrough::RIVAL, connect_four::RIVAL];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--quick"] => {
            RIVALS.iter().for_each(contest::check);
            referee::check();
        }
        ["referee", options @ ..] => {
            if let Err(problem) = referee::run(options) {
                eprintln!("{problem}");
                return ExitCode::FAILURE;
            }
        }
        [] => contest::run(&RIVALS, 2.0),
        [seconds] if seconds.parse().is_ok_and(|seconds: f64| seconds > 0.0) => {
            contest::run(&RIVALS, seconds.parse().unwrap_or(2.0));
        }
        _ => {
            eprintln!(
                "regulus-rivals [SECONDS]   how long each random games and perft run (2 unless told)"
            );
            eprintln!("regulus-rivals --quick     only whether the answers agree");
            eprintln!("{}", referee::HELP);
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
