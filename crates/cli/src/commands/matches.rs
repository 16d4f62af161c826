//! `regulus match`: games between players, and what they say about them.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use regulus_agents::Budget;
use regulus_arena::{
    Conditions, Contest, Contestant, Fixture, GameClock, GameRecord, Keeper, Schedule, Score, Sprt,
    SprtState, Transcript,
};
use regulus_game::{Error, Game};
use serde_json::{Value, json};

use crate::args;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::say;
use crate::progress::Progress;

/// How often a sequential test may err, either way.
const SPRT_ERROR: f64 = 0.05;

pub(crate) fn run(loader: &Loader, args: &args::Match) -> Result<(), Failure> {
    let game = loader.load_for_players(&args.game)?;
    let players = contestants(&args.players)?;
    if players.len() != game.player_count() {
        let (wanted, given) = (game.player_count(), players.len());
        return Err(Failure::usage(format!(
            "{} has {wanted} players, and {given} are given: `--players A,B`",
            args.game
        )));
    }
    for player in &players {
        player.check(&game).map_err(|error| Failure::bad_input(error.to_string()))?;
    }
    let sprt = args.sprt.map(|(elo0, elo1)| Sprt { elo0, elo1, error: SPRT_ERROR });
    if let Some(folder) = &args.transcripts {
        make_folder(folder)?;
    }
    let schedule = Schedule::single(players.len(), args.games, args.conditions.seed);
    let contest = Contest::new(vec![Arc::clone(&game)], players, conditions(&args.conditions));
    let mut table = Table {
        args,
        sprt,
        progress: Progress::new("playing", loader.json),
        score: Score::default(),
        records: Vec::new(),
    };
    contest.play(schedule.fixtures(), args.conditions.threads.get(), &mut table)?;
    let Table { mut records, .. } = table;
    records.sort_by_key(|record| record.number);
    report(loader, args, &game, &records, sprt);
    Ok(())
}

/// Keeps the records, shows how far it is, and ends early when a test is decided.
struct Table<'a> {
    args: &'a args::Match,
    sprt: Option<Sprt>,
    progress: Progress,
    /// That of the first player.
    score: Score,
    records: Vec<GameRecord>,
}

impl Keeper for Table<'_> {
    fn claim(&mut self, _: &Fixture) -> Result<bool, Error> {
        Ok(true)
    }

    fn keep(&mut self, record: GameRecord) -> Result<bool, Error> {
        if record.counts() {
            self.score.add(record.points_of(0));
        }
        if let Some(folder) = &self.args.transcripts {
            save(folder, &record, &self.args.players)?;
        }
        self.records.push(record);
        self.progress.set(self.records.len() as u64, self.args.games);
        let is_open = |sprt: Sprt| sprt.state(&self.score) == SprtState::Undecided;
        Ok(self.sprt.is_none_or(is_open))
    }
}

/// The players that are named.
pub(crate) fn contestants(names: &[String]) -> Result<Vec<Contestant>, Failure> {
    let parse = |name: &String| {
        let contestant: Contestant =
            name.parse().map_err(|error| Failure::usage(format!("{error}")))?;
        contestant.find_program().map_err(|error| Failure::bad_input(error.to_string()))?;
        Ok(contestant)
    };
    names.iter().map(parse).collect()
}

/// The conditions that the command line says.
pub(crate) fn conditions(args: &args::Conditions) -> Conditions {
    let duration = Duration::from_secs_f64;
    let clock = args.clock.map(|(base, increment)| GameClock {
        base: duration(base),
        increment: duration(increment),
    });
    let budget = match args.iterations {
        Some(iterations) => Budget::iterations(iterations),
        None => Budget::time(duration(args.seconds)),
    };
    Conditions { budget, clock, opening: args.opening, longest: args.longest }
}

fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::bad_input(format!("cannot make {}: {error}", folder.display())))
}

/// Writes the transcript of a game into a folder.
fn save(folder: &Path, record: &GameRecord, players: &[String]) -> Result<(), Error> {
    let file = folder.join(format!("game_{:06}.txt", record.number + 1));
    let text = Transcript::of(record, players).to_string();
    std::fs::write(&file, text)
        .map_err(|error| Error::bad_input(format!("cannot write {}: {error}", file.display())))
}

fn report(
    loader: &Loader,
    args: &args::Match,
    game: &Arc<Game>,
    records: &[GameRecord],
    sprt: Option<Sprt>,
) {
    let scores: Vec<Score> =
        (0..args.players.len()).map(|player| Score::of(records, player)).collect();
    let verdict = sprt.zip(scores.first()).map(|(sprt, score)| sprt_words(sprt, score));
    if loader.json {
        let player = |(name, score): (&String, &Score)| {
            let ((low, high), (elo, elo_low, elo_high)) = (score.interval(), score.elo());
            json!({
                "player": name, "points": score.points(), "won": score.wins, "drawn": score.draws,
                "lost": score.losses, "mean": score.mean(), "mean_interval": [low, high],
                "elo": finite(elo), "elo_interval": [finite(elo_low), finite(elo_high)],
            })
        };
        let players: Vec<Value> = args.players.iter().zip(&scores).map(player).collect();
        let games: Vec<Value> =
            records.iter().map(|record| record_json(record, &args.players)).collect();
        say!(
            "{}",
            json!({ "game": game.source().name(), "players": players, "games": games, "sprt": verdict })
        );
        return;
    }
    say!("{}, {} games, seed {}\n", args.game, records.len(), args.conditions.seed);
    let width = args.players.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    say!("{:width$}  points   won drawn  lost   part of the points    Elo difference", "player");
    for (name, score) in args.players.iter().zip(&scores) {
        let (low, high) = score.interval();
        let (elo, elo_low, elo_high) = score.elo();
        say!(
            "{name:width$}  {:6.1} {:5} {:5} {:5}   {:5.1} % ({:.1} to {:.1})   {} ({} to {})",
            score.points(),
            score.wins,
            score.draws,
            score.losses,
            100.0 * score.mean(),
            100.0 * low,
            100.0 * high,
            signed(elo),
            signed(elo_low),
            signed(elo_high),
        );
    }
    if let Some(verdict) = verdict {
        say!("\n{verdict}");
    }
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for record in records {
        match reasons.iter_mut().find(|(reason, _)| *reason == record.reason) {
            Some((_, count)) => *count += 1,
            None => reasons.push((&record.reason, 1)),
        }
    }
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    say!("\nhow games ended:");
    for (reason, count) in reasons.iter().take(8) {
        say!("{count:6}  {reason}");
    }
}

/// What a sequential test says.
fn sprt_words(sprt: Sprt, score: &Score) -> String {
    let ratio = sprt.log_likelihood_ratio(score);
    let Sprt { elo0, elo1, .. } = sprt;
    match sprt.state(score) {
        SprtState::Larger => format!(
            "the test says {elo1:+} Elo rather than {elo0:+} (log-likelihood ratio {ratio:.2})"
        ),
        SprtState::Smaller => format!(
            "the test says {elo0:+} Elo rather than {elo1:+} (log-likelihood ratio {ratio:.2})"
        ),
        SprtState::Undecided => format!(
            "the test between {elo0:+} and {elo1:+} Elo is undecided (log-likelihood ratio {ratio:.2})"
        ),
    }
}

fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

fn signed(elo: f64) -> String {
    match elo {
        elo if elo == f64::INFINITY => "+∞".to_owned(),
        elo if elo == f64::NEG_INFINITY => "-∞".to_owned(),
        elo => format!("{elo:+.0}"),
    }
}

/// A game for programs.
pub(crate) fn record_json(record: &GameRecord, players: &[String]) -> Value {
    let player =
        |(seat, player): (&String, &usize)| json!({ "seat": seat, "player": players.get(*player) });
    let moves: Vec<Value> = record
        .plies
        .iter()
        .map(|ply| {
            json!({ "player": record.seats[ply.seat], "move": ply.name, "value": ply.value, "seconds": ply.time.as_secs_f64() })
        })
        .collect();
    json!({
        "game": record.game, "number": record.number, "seed": record.seed,
        "players": record.seats.iter().zip(&record.players).map(player).collect::<Vec<_>>(),
        "opening": record.opening, "moves": moves, "results": record.results,
        "end": record.end.name(), "reason": record.reason,
    })
}
