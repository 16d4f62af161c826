//! `regulus tournament`, `records` and `merge`: many games of many players, kept in a file.

use std::path::Path;
use std::sync::Arc;

use regulus_arena::{Contest, Fixture, GameRecord, Keeper, Schedule, Setup, Standings, Store};
use regulus_game::{Error, Game};
use regulus_generate::{Config as Parameters, generate, seed_of};
use regulus_lang::Source;
use serde_json::{Value, json};

use crate::args;
use crate::commands::generate::is_playable;
use crate::commands::matches::{conditions, contestants, record_json};
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{self, say, say_raw};
use crate::progress::Progress;

/// How many generated games are tried for each that can be played.
const TRIES: u64 = 1_000;

pub(crate) fn run(loader: &Loader, args: &args::Tournament) -> Result<(), Failure> {
    let players = contestants(&args.players)?;
    if players.len() < 2 {
        return Err(Failure::usage("a tournament needs two players or more: `--players A,B,C`"));
    }
    let games = games(loader, args)?;
    let seats: Vec<usize> = games.iter().map(|game| game.player_count()).collect();
    let seed = args.conditions.seed;
    let schedule = match args.gauntlet {
        true => Schedule::gauntlet(&seats, players.len(), args.openings, seed),
        false => Schedule::round_robin(&seats, players.len(), args.openings, seed),
    };
    let fixtures = schedule.fixtures().len() as u64;
    let schedule = match args.shard {
        Some((index, count)) => schedule.shard(index - 1, count),
        None => schedule,
    };
    let setup = Setup { text: setup_text(args, &games), players: args.players.clone(), fixtures };
    let contest = Contest::new(games, players, conditions(&args.conditions));
    let threads = args.conditions.threads.get();
    let mut table = Table {
        store: None,
        records: Vec::new(),
        progress: Progress::new("playing", loader.json),
        done: 0,
        all: schedule.fixtures().len() as u64,
    };
    if let Some(path) = &args.records {
        if path.exists() && !args.resume {
            let path = path.display();
            return Err(Failure::bad_input(format!("{path} exists; `--resume` goes on with it")));
        }
        table.store = Some(Store::open(path, &setup)?);
    }
    contest.play(schedule.fixtures(), threads, &mut table)?;
    let Table { store, mut records, progress, .. } = table;
    drop(progress);
    if let Some(store) = store {
        records = all_records(&store)?;
    }
    records.sort_by_key(|record| record.number);
    let standings = Standings::new(setup.players.clone(), &records);
    report(loader, &standings, &setup, args.report.as_deref(), None)
}

/// The games that are named or generated.
fn games(loader: &Loader, args: &args::Tournament) -> Result<Vec<Arc<Game>>, Failure> {
    let mut games = Vec::new();
    for name in &args.games {
        games.push(loader.load_for_players(name)?);
    }
    if args.generate.is_some() {
        let parameters = Parameters::default();
        let mut index = 0;
        let wanted = games.len() as u64 + args.count;
        while (games.len() as u64) < wanted && index < args.count * TRIES {
            let game = generate(seed_of(args.conditions.seed, index), &parameters);
            index += 1;
            if is_playable(&game).is_ok() {
                let source = Source::new(format!("{}.game", game.name), &game.text);
                games.push(Game::new(source, &loader.config)?);
            }
        }
    }
    match games.is_empty() {
        true => Err(Failure::usage("which games? `--games chess,hex`, or `--generate metagame`")),
        false => Ok(games),
    }
}

/// All that decides what happens in the games.
fn setup_text(args: &args::Tournament, games: &[Arc<Game>]) -> String {
    let mut lines = Vec::new();
    for game in games {
        let source = game.source();
        lines.push(format!("game {} {:016x}", source.name(), digest(source.text())));
    }
    lines.extend(args.players.iter().map(|player| format!("player {player}")));
    let conditions = &args.conditions;
    lines.push(format!("openings {}", args.openings));
    lines.push(format!("gauntlet {}", args.gauntlet));
    lines.push(match (conditions.clock, conditions.iterations) {
        (Some((base, increment)), _) => format!("clock {base}+{increment}"),
        (None, Some(iterations)) => format!("iterations {iterations}"),
        (None, None) => format!("seconds {}", conditions.seconds),
    });
    lines.push(format!("opening {}", conditions.opening));
    lines.push(format!("longest {}", conditions.longest));
    lines.push(format!("seed {}", conditions.seed));
    lines.join("\n")
}

/// A number that tells texts apart, the same on every machine (FNV-1a).
fn digest(text: &str) -> u64 {
    let step = |digest: u64, byte: u8| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Keeps records in a file or in memory, and shows how far it is.
struct Table {
    store: Option<Store>,
    records: Vec<GameRecord>,
    progress: Progress,
    done: u64,
    all: u64,
}

impl Table {
    fn count(&mut self) {
        self.done += 1;
        self.progress.set(self.done, self.all);
    }
}

impl Keeper for Table {
    fn claim(&mut self, fixture: &Fixture) -> Result<bool, Error> {
        let is_free = match &mut self.store {
            Some(store) => store.claim(fixture)?,
            None => true,
        };
        if !is_free {
            self.count();
        }
        Ok(is_free)
    }

    fn keep(&mut self, record: GameRecord) -> Result<bool, Error> {
        match &mut self.store {
            Some(store) => store.keep(record)?,
            None => self.records.keep(record)?,
        };
        self.count();
        Ok(true)
    }
}

fn all_records(store: &Store) -> Result<Vec<GameRecord>, Failure> {
    let mut records = Vec::new();
    store.visit(&mut |record| {
        records.push(record);
        Ok(())
    })?;
    Ok(records)
}

/// `regulus records`: what a file of records says.
pub(crate) fn records(loader: &Loader, args: &args::Records) -> Result<(), Failure> {
    let (store, setup) = Store::open_existing(&args.file)?;
    let records = all_records(&store)?;
    let players = &setup.players;
    if let Some(format) = args.export {
        let mut text = String::new();
        match format {
            args::ExportFormat::Json => {
                for record in &records {
                    text.push_str(&record_json(record, players).to_string());
                    text.push('\n');
                }
            }
            args::ExportFormat::Csv => {
                text.push_str("number,game,seed,players,results,end,reason,opening,moves\n");
                for record in &records {
                    text.push_str(&csv_line(record, players));
                }
            }
        }
        match &args.output {
            Some(path) => output::write_file(path, &text)?,
            None => say_raw!("{text}"),
        }
        return Ok(());
    }
    let standings = Standings::new(players.clone(), &records);
    report(loader, &standings, &setup, args.output.as_deref(), Some(&args.file))
}

fn csv_line(record: &GameRecord, players: &[String]) -> String {
    let quote = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let names: Vec<&str> = record
        .players
        .iter()
        .filter_map(|&player| players.get(player))
        .map(String::as_str)
        .collect();
    let results: Vec<String> = record.results.iter().map(ToString::to_string).collect();
    let moves: Vec<&str> = record.plies.iter().map(|ply| ply.name.as_str()).collect();
    let cells = [
        record.number.to_string(),
        quote(&record.game),
        record.seed.to_string(),
        quote(&names.join(" | ")),
        quote(&results.join(" ")),
        record.end.name().to_owned(),
        quote(&record.reason),
        record.opening.to_string(),
        quote(&moves.join(" | ")),
    ];
    format!("{}\n", cells.join(","))
}

/// `regulus merge`: the records of several files in one.
pub(crate) fn merge(loader: &Loader, args: &args::Merge) -> Result<(), Failure> {
    let Some(first) = args.files.first() else {
        return Err(Failure::usage("which files are to be merged?"));
    };
    let (_, setup) = Store::open_existing(first)?;
    let mut store = Store::open(&args.output, &setup)?;
    let mut new = 0;
    for file in &args.files {
        new += store.merge(file)?;
    }
    let count = store.count()?;
    if loader.json {
        say!("{}", json!({ "new": new, "games": count, "of": setup.fixtures }));
    } else {
        say!("{new} games added; {} has {count} of {}", args.output.display(), setup.fixtures);
    }
    Ok(())
}

/// Shows the standings, and writes them to a file if one is named.
fn report(
    loader: &Loader,
    standings: &Standings,
    setup: &Setup,
    file: Option<&Path>,
    about: Option<&Path>,
) -> Result<(), Failure> {
    let title =
        about.map_or("Tournament".to_owned(), |path| format!("Records of {}", path.display()));
    if let Some(file) = file {
        let text = match file.extension().and_then(|ending| ending.to_str()) {
            Some("md") => standings.markdown(&title),
            Some("html") => standings.html(&title),
            _ => {
                let file = file.display();
                return Err(Failure::usage(format!("{file}: a report is written to .md or .html")));
            }
        };
        output::write_file(file, &text)?;
    }
    if loader.json {
        let player = |&player: &usize| -> Value {
            let (name, rating, score) = standings.of(player);
            json!({
                "player": name, "elo": rating.elo, "margin": rating.margin, "points": score.points(),
                "won": score.wins, "drawn": score.draws, "lost": score.losses,
            })
        };
        let players: Vec<Value> = standings.order().iter().map(player).collect();
        say!("{}", json!({ "games": standings.games(), "of": setup.fixtures, "players": players }));
        return Ok(());
    }
    say!("{} of {} games\n", standings.games(), setup.fixtures);
    let width = setup.players.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    say!("    {:width$}          Elo   points    won drawn  lost", "player");
    for (place, player) in standings.order().into_iter().enumerate() {
        let (name, rating, score) = standings.of(player);
        say!(
            "{:2}  {name:width$}  {:+5.0} ± {:<4.0}  {:5.1} %  {:5} {:5} {:5}",
            place + 1,
            rating.elo,
            rating.margin,
            100.0 * score.mean(),
            score.wins,
            score.draws,
            score.losses
        );
    }
    Ok(())
}
