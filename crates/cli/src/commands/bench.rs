//! `regulus bench`: the speed of random games; with `--suite` that of everything, see `suite`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use regulus_engine::{History, Playouts, Rules as _, State};
use regulus_game::Game;
use regulus_jit::Engine;
use serde_json::{Map, json};

use crate::args;
use crate::commands::suite;
use crate::failure::Failure;
use crate::load::{Loader, begin};
use crate::output::say;
use crate::progress::Progress;

/// How long the last game may go on when time is out.
const PATIENCE: Duration = Duration::from_secs(20);

/// In how much time the moves between two looks at the clock should be made.
const QUICK: Duration = Duration::from_millis(100);

/// How many moves are made between two looks at the clock, for the progress bar.
const MOVES_BETWEEN_LOOKS: u64 = 128;

/// How long games are played unless told.
const SECONDS: f64 = 5.0;

/// A random game longer than this is taken to be endless.
pub(crate) const LONGEST_GAME: u64 = 1_000_000;

pub(crate) fn run(loader: &Loader, args: &args::Bench) -> Result<(), Failure> {
    if args.suite {
        return suite::run(loader, args);
    }
    let [game] = args.games.as_slice() else {
        return Err(Failure::usage("only `--suite` measures several games"));
    };
    let game = loader.load(game)?;
    let first = begin(&game, args.position.as_deref(), args.seed)?;
    // What is compiled in the background is not measured.
    game.rules().wait();
    let bench = Bench {
        game: &game,
        args,
        first: (first.state().clone(), first.history().clone()),
        limit: Duration::from_secs_f64(args.seconds.unwrap_or(SECONDS)),
        started: Instant::now(),
        next: AtomicU64::new(0),
        progress: Mutex::new(Progress::new("playing", loader.json)),
    };
    let total = bench.run()?;
    let seconds = bench.started.elapsed().as_secs_f64().max(1e-9);
    drop(bench);
    report(loader, args, &game, &total, seconds);
    Ok(())
}

/// Random games under way.
struct Bench<'a> {
    game: &'a Game,
    args: &'a args::Bench,
    first: (State, History),
    limit: Duration,
    started: Instant,
    /// The number of the next game.
    next: AtomicU64,
    progress: Mutex<Progress>,
}

/// What the games of one thread, or of all, add up to.
#[derive(Default)]
struct Total {
    games: u64,
    states: u64,
    scores: Vec<i64>,
}

impl Bench<'_> {
    fn run(&self) -> Result<Total, Failure> {
        let mut total = Total::default();
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..self.args.threads.get()).map(|_| scope.spawn(|| self.play())).collect();
            for thread in threads {
                match thread.join() {
                    Ok(part) => total.add(&part?),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok(total)
        })
    }

    /// Plays games until enough have been played, by this thread and others.
    fn play(&self) -> Result<Total, Failure> {
        let rules = self.game.rules();
        let players = &rules.automaton().players;
        let mut total = Total { scores: vec![0; players.len()], ..Total::default() };
        let mut playouts = Playouts::new(rules, self.args.seed);
        let mut play = self.first.clone();
        let mut next_look = 0;
        // How many moves are made in a row: one, until they are known to be quick.
        let mut pace = 1;
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            // A game may have no moves at all, so games count too.
            let looks = total.states + total.games >= next_look;
            let enough = match self.args.playouts {
                Some(count) => number >= count,
                None => looks && self.started.elapsed() >= self.limit && total.games > 0,
            };
            if enough {
                return Ok(total);
            }
            play.0.clone_from(&self.first.0);
            play.1.truncate(self.first.1.len());
            playouts.start_game(self.args.seed, number);
            let moves = self.finish(&mut playouts, &mut play, &mut pace)?;
            total.games += 1;
            total.states += moves;
            for (sum, player) in total.scores.iter_mut().zip(players.keys()) {
                *sum += i64::from(rules.score(&play.0, player));
            }
            if looks {
                self.show_progress(number + 1);
                next_look = total.states + total.games + MOVES_BETWEEN_LOOKS;
            }
        }
    }

    /// Plays a game to its end and says how long it was. The last game is finished though time is out, so that long
    /// games are not counted for less than short ones; but it has only [`PATIENCE`] for that.
    fn finish(
        &self,
        playouts: &mut Playouts<'_, Engine>,
        (state, history): &mut (State, History),
        pace: &mut u64,
    ) -> Result<u64, Failure> {
        let mut moves = 0;
        loop {
            let began = Instant::now();
            let made = playouts.run(state, history, *pace);
            let made = made.map_err(|fault| self.game.blame(&fault))?;
            moves += made;
            if made < *pace {
                return Ok(moves);
            }
            let is_quick = began.elapsed() < QUICK;
            *pace = if is_quick { (*pace * 2).min(MOVES_BETWEEN_LOOKS) } else { 1 };
            self.show_progress(0);
            if moves > LONGEST_GAME {
                return Err(endless());
            }
            if self.args.playouts.is_none() && self.started.elapsed() > self.limit + PATIENCE {
                return Err(Failure::bad_input(format!(
                    "time is out, and the last random game has not ended after {moves} moves; \
                     give a number of games with --playouts to wait for it"
                )));
            }
        }
    }

    fn show_progress(&self, games: u64) {
        if let Ok(mut progress) = self.progress.try_lock() {
            match self.args.playouts {
                Some(count) => {
                    let done = games.max(progress.position());
                    progress.set(done, count);
                }
                None => {
                    let elapsed = self.started.elapsed().min(self.limit);
                    progress.set(elapsed.as_millis() as u64, self.limit.as_millis() as u64);
                }
            }
        }
    }
}

/// A random game was too long.
pub(crate) fn endless() -> Failure {
    Failure::bad_input(format!(
        "a random game has not ended after {LONGEST_GAME} moves; has it an end at all?"
    ))
}

impl Total {
    fn add(&mut self, part: &Total) {
        self.games += part.games;
        self.states += part.states;
        self.scores.resize(part.scores.len(), 0);
        for (sum, score) in self.scores.iter_mut().zip(&part.scores) {
            *sum += score;
        }
    }
}

fn report(loader: &Loader, args: &args::Bench, game: &Game, total: &Total, seconds: f64) {
    let Total { games, states, scores } = total;
    let (games_f, states_f) = (*games as f64, *states as f64);
    let averages: Vec<f64> = scores.iter().map(|&sum| sum as f64 / games_f).collect();
    let depth = states_f / games_f;
    let (games_per_s, states_per_s) = (games_f / seconds, states_f / seconds);
    let players = game.automaton().players.values();
    if loader.json {
        let scores: Map<_, _> =
            players.zip(&averages).map(|(name, &score)| (name.clone(), score.into())).collect();
        say!(
            "{}",
            json!({
                "playouts": games,
                "states": states,
                "seconds": seconds,
                "playouts_per_s": games_per_s,
                "states_per_s": states_per_s,
                "average_depth": depth,
                "average_scores": scores,
                "seed": args.seed,
                "threads": args.threads,
                "engine": game.rules().name(),
            })
        );
        return;
    }
    say!("{games} games of {depth:.1} moves on average in {seconds:.2} s");
    say!("{games_per_s:.1} playouts/s, {states_per_s:.0} states/s, engine {}", game.rules().name());
    for (name, score) in players.zip(&averages) {
        say!("{name}: {score:.1} points on average");
    }
}
