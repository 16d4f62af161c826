//! Games that are loaded and dropped leave nothing behind: no threads, no memory.
//!
//! `REGULUS_LOADS` says how many games are loaded; 60 unless set.

#![cfg(target_os = "linux")]
#![expect(clippy::print_stdout, reason = "the figures are shown to those who ask for them")]

mod common;

use common::number;
use regulus_game::{CompileThread, Config, Game, Match, bundled};

/// A figure of this process.
fn status(name: &str) -> usize {
    let text = std::fs::read_to_string("/proc/self/status").expect("there is a proc file system");
    let line = text.lines().find(|line| line.starts_with(name)).expect("it is listed");
    line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).expect("a number")
}

/// The number of threads. One that has been joined may still be counted for a moment, so it is asked again while there are
/// more than expected.
fn threads_now(expected: usize) -> usize {
    let mut counts = (0..10_000).map(|_| {
        std::thread::yield_now();
        status("Threads:")
    });
    counts.find(|&count| count <= expected).unwrap_or_else(|| status("Threads:"))
}

// One test, since it counts the threads of the process.
#[test]
fn games_that_are_dropped_leave_nothing_behind() {
    let loads = number("REGULUS_LOADS", 60);
    let names: Vec<&str> = bundled::names().collect();
    let threads = status("Threads:");
    let mut after_first = 0;
    for number in 0..loads {
        let config = Config::default();
        let game = Game::load(names[number % names.len()], &config).expect("well-formed");
        // Most are dropped while they are compiled, some when they are.
        if number % 7 == 0 {
            game.rules().wait();
        }
        let mut play = Match::new(&game).expect("the game begins");
        let _ = play.play_random(&mut regulus_engine::generator(1)).expect("no fault");
        drop((play, game, config));
        assert_eq!(threads_now(threads), threads, "after {number} games");
        // Memory is looked at when every game has been loaded once.
        if number + 1 == names.len() {
            after_first = status("VmRSS:");
        }
    }
    let last = status("VmRSS:");
    println!(
        "{loads} games: {threads} threads, {after_first} kB after the first round, {last} kB at the end"
    );
    assert!(last < after_first + after_first / 2 + 50_000, "{after_first} kB, then {last} kB");

    // Games that share a thread: one for all of them, and none when the last is gone.
    let config = Config { thread: CompileThread::new(), ..Config::default() };
    let games: Vec<_> =
        names.iter().map(|name| Game::load(name, &config).expect("well-formed")).collect();
    assert_eq!(threads_now(threads + 1), threads + 1);
    drop(games);
    assert_eq!(threads_now(threads + 1), threads + 1, "the owner may load more");
    drop(config);
    assert_eq!(threads_now(threads), threads);
}
