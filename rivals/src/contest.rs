//! Rival and Regulus in turn: what they answer is asserted, how fast they are is printed.

use std::time::Duration;

use regulus_engine::{Perft, generator};

use crate::clock::Clock;
use crate::regulus::Regulus;
use crate::rival::{Outcome, Rival};

const FIGURES: &str = include_str!("../../testdata/perft.csv");
const ROUNDS: u64 = 3;

/// How many random moves are made between two looks at the clock, which take some time themselves.
const MOVES_BETWEEN_LOOKS: u64 = 100_000;
/// How many random games are played in a quick check.
const QUICK_GAMES: u64 = 4000;
/// A tree of more leaves is not counted in a quick check.
const QUICK_LEAVES: u64 = 300_000;

/// By how much averages of random games may differ: a part of their length, and points.
const LENGTH_TOLERANCE: f64 = 0.03;
const SCORE_TOLERANCE: f64 = 3.0;

/// What random games add up to.
#[derive(Clone, Copy, Default)]
struct Tally {
    games: u64,
    moves: u64,
    score: u64,
}

impl Tally {
    fn add(&mut self, outcome: Outcome) {
        self.games += 1;
        self.moves += outcome.moves;
        self.score += outcome.score;
    }

    fn join(&mut self, other: Tally) {
        self.games += other.games;
        self.moves += other.moves;
        self.score += other.score;
    }

    fn length(self) -> f64 {
        self.moves as f64 / self.games as f64
    }

    fn average_score(self) -> f64 {
        self.score as f64 / self.games as f64
    }
}

/// Asserts that a rival and Regulus give the same answers.
pub(crate) fn check(rival: &Rival) {
    let regulus = Regulus::new(rival);
    for (depth, figure) in figures(rival.game).filter(|(_, perft)| perft.leaves <= QUICK_LEAVES) {
        assert_eq!((rival.perft)(depth), figure, "{} of {}", rival.by, rival.game);
        assert_eq!(regulus.perft(depth), figure, "{}", rival.game);
    }
    let mut generator = generator(1);
    let mut playouts = regulus.playouts(1);
    let (mut theirs, mut ours) = (Tally::default(), Tally::default());
    for _ in 0..QUICK_GAMES {
        theirs.add((rival.playout)(&mut generator));
        ours.add(playouts());
    }
    assert_like(rival, theirs, ours);
    println!("{}: {} and Regulus agree", rival.game, rival.by);
}

/// Measures all; each run takes about `seconds`.
pub(crate) fn run(rivals: &[Rival], seconds: f64) {
    println!("states/s; the ratio is Regulus to rival, the median of {ROUNDS} rounds\n");
    println!("{:14}{:11}{:9}{:>13}{:>13}{:>8}", "game", "rival", "", "rival", "Regulus", "ratio");
    for rival in rivals {
        measure(rival, Duration::from_secs_f64(seconds));
    }
}

fn measure(rival: &Rival, limit: Duration) {
    let regulus = Regulus::new(rival);
    // What Regulus compiles when it first counts is not measured.
    regulus.perft(1);
    let (mut theirs, mut ours) = (Tally::default(), Tally::default());
    let mut rounds = Vec::new();
    for seed in 0..ROUNDS {
        let mut generator = generator(seed);
        let their_speed = play(limit, || (rival.playout)(&mut generator), &mut theirs);
        let our_speed = play(limit, regulus.playouts(seed), &mut ours);
        rounds.push((their_speed, our_speed));
    }
    assert_like(rival, theirs, ours);
    report(rival, "playouts", &rounds);
    println!(
        "{:25}games of {:.1} and {:.1} moves, {:.1} and {:.1} points for who begins",
        "",
        theirs.length(),
        ours.length(),
        theirs.average_score(),
        ours.average_score(),
    );
    let figure = figures(rival.game).find(|&(depth, _)| depth == rival.depth);
    let (depth, figure) = figure.expect("there is a figure for the depth");
    let rounds: Vec<_> = (0..ROUNDS)
        .map(|_| {
            let their_speed = count(limit, figure, || (rival.perft)(depth));
            (their_speed, count(limit, figure, || regulus.perft(depth)))
        })
        .collect();
    report(rival, &format!("perft {depth}"), &rounds);
}

/// Plays for some time; says how many states there were in a second.
fn play(limit: Duration, mut playout: impl FnMut() -> Outcome, total: &mut Tally) -> f64 {
    let mut tally = Tally::default();
    let started = Clock::start();
    while started.elapsed() < limit {
        let next_look = tally.moves + MOVES_BETWEEN_LOOKS;
        while tally.moves < next_look {
            tally.add(playout());
        }
    }
    let speed = tally.moves as f64 / started.elapsed().as_secs_f64();
    total.join(tally);
    speed
}

/// Counts a tree again and again for some time; says how many states there were in a second.
fn count(limit: Duration, figure: Perft, perft: impl Fn() -> Perft) -> f64 {
    let mut states = 0;
    let started = Clock::start();
    while started.elapsed() < limit {
        let counted = perft();
        assert_eq!(counted, figure);
        states += counted.states;
    }
    states as f64 / started.elapsed().as_secs_f64()
}

fn report(rival: &Rival, what: &str, rounds: &[(f64, f64)]) {
    let theirs = median(rounds.iter().map(|&(theirs, _)| theirs));
    let ours = median(rounds.iter().map(|&(_, ours)| ours));
    let ratio = median(rounds.iter().map(|&(theirs, ours)| ours / theirs));
    println!("{:14}{:11}{what:9}{theirs:13.0}{ours:13.0}{ratio:8.3}", rival.game, rival.by);
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The known sizes of a game's tree, with their depths.
fn figures(game: &str) -> impl Iterator<Item = (u32, Perft)> {
    FIGURES.lines().filter_map(move |line| {
        let mut fields = line.split(',');
        (fields.next() == Some(game)).then_some(())?;
        let depth = fields.next()?.parse().ok()?;
        let leaves = fields.next()?.parse().ok()?;
        Some((depth, Perft { leaves, states: fields.next()?.parse().ok()? }))
    })
}

fn assert_like(rival: &Rival, theirs: Tally, ours: Tally) {
    let (game, by) = (rival.game, rival.by);
    let (length, score) = (theirs.length(), theirs.average_score());
    let (our_length, our_score) = (ours.length(), ours.average_score());
    assert!(
        (our_length / length - 1.0).abs() < LENGTH_TOLERANCE,
        "{game}: games of {length:.1} moves by {by}, of {our_length:.1} by Regulus",
    );
    assert!(
        (our_score - score).abs() < SCORE_TOLERANCE,
        "{game}: {score:.1} points on average by {by}, {our_score:.1} by Regulus",
    );
}
