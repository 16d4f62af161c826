//! `regulus generate`: new games.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use regulus_automaton::Player;
use regulus_engine::{Playouts, Rules as _};
use regulus_game::{Config, EngineKind, Game, Match, Outcome};
use regulus_generate::{Config as Parameters, Generated, Properties, generate, seed_of};
use regulus_lang::Source;
use serde_json::json;

use crate::args;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, say_raw};
use crate::progress::Progress;

/// How many random games say whether a game can be played.
const GAMES: u64 = 40;
/// Random games of a game that can be played have at least this many moves on average, and at most that many.
const LENGTH: (f64, f64) = (10.0, 250.0);
/// How many moves a position has on average, at least and at most.
const BRANCHING: (f64, f64) = (2.0, 200.0);
/// The least part of the games that each player wins.
const WINS: f64 = 0.1;
/// How many games are made for each one that is wanted before it is given up.
const TRIES: u64 = 1_000;

/// Why a game is not worth playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reject {
    NotRead,
    OverAtOnce,
    TooManyMoves,
    TooShort,
    TooLong,
    FewChoices,
    ManyChoices,
    MostlyDrawn,
    OneSided,
}

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reject::NotRead => "too large to be loaded",
            Reject::OverAtOnce => "over before the first move",
            Reject::TooManyMoves => "positions with too many moves",
            Reject::TooShort => "games too short",
            Reject::TooLong => "games too long",
            Reject::FewChoices => "too few moves to choose from",
            Reject::ManyChoices => "too many moves to choose from",
            Reject::MostlyDrawn => "mostly drawn",
            Reject::OneSided => "one player hardly ever wins",
        })
    }
}

pub(crate) fn run(loader: &Loader, args: &args::Generate) -> Result<(), Failure> {
    let args::Generator::Metagame = args.generator;
    let parameters = parameters(args)?;
    if let Some(folder) = &args.output {
        fs::create_dir_all(folder)
            .map_err(|error| Failure::bad_input(format!("{}: {error}", folder.display())))?;
    }
    let mut progress = Progress::new("generating", loader.json);
    let mut rejected: BTreeMap<Reject, u64> = BTreeMap::new();
    let (mut made, mut index) = (0, 0);
    while made < args.count {
        if index >= args.count.saturating_mul(TRIES) {
            return Err(Failure::bad_input(format!(
                "only {made} of {index} games can be played: {}",
                summary(&rejected)
            )));
        }
        let game = generate(seed_of(args.seed, index), &parameters);
        index += 1;
        if args.playable
            && let Err(reason) = is_playable(&game)
        {
            *rejected.entry(reason).or_default() += 1;
            continue;
        }
        made += 1;
        progress.set(made, args.count);
        progress.aside(|| write(loader, args.output.as_deref(), &game))?;
    }
    drop(progress);
    if args.playable && !loader.json {
        let total: u64 = rejected.values().sum();
        if total > 0 {
            eprintln!("{total} of {index} games were rejected: {}", summary(&rejected));
        }
    }
    Ok(())
}

fn summary(rejected: &BTreeMap<Reject, u64>) -> String {
    let parts = rejected.iter().map(|(reason, count)| format!("{count} {reason}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// The parameters that the files and options give.
fn parameters(args: &args::Generate) -> Result<Parameters, Failure> {
    let properties = Properties {
        rule_complexity: args.rule_complexity,
        decision_complexity: args.decision_complexity,
        search_complexity: args.search_complexity,
        locality: args.locality,
        board_size: args.board_size,
    };
    let text = match &args.config {
        Some(path) => fs::read_to_string(path)
            .map_err(|error| Failure::bad_input(format!("{}: {error}", path.display())))?,
        None => String::new(),
    };
    Parameters::from_toml_with(&text, &properties).map_err(|error| {
        let place = args.config.as_ref().map(|path| format!("{}: ", path.display()));
        Failure::bad_input(format!("{}{error}", place.unwrap_or_default()))
    })
}

/// Writes a game into the folder, or prints it.
fn write(loader: &Loader, folder: Option<&Path>, game: &Generated) -> Result<(), Failure> {
    let remarks: Vec<String> = game.remarks.iter().map(ToString::to_string).collect();
    let Some(folder) = folder else {
        if loader.json {
            let seed = game.seed.to_string();
            say!(
                "{}",
                json!({ "name": game.name, "seed": seed, "text": game.text, "remarks": remarks })
            );
        } else {
            say_raw!("{}", game.text);
            remarks.iter().for_each(|remark| say!("% {remark}"));
        }
        return Ok(());
    };
    let path = folder.join(format!("{}.game", game.name));
    let mut text = game.text.clone();
    remarks.iter().for_each(|remark| text.push_str(&format!("% {remark}\n")));
    fs::write(&path, text)
        .map_err(|error| Failure::bad_input(format!("{}: {error}", path.display())))?;
    if loader.json {
        say!(
            "{}",
            json!({ "name": game.name, "seed": game.seed.to_string(), "file": path, "remarks": remarks })
        );
    } else {
        say!("{}", path.display());
    }
    Ok(())
}

/// Plays random games, and says why the game is not worth more.
pub(crate) fn is_playable(game: &Generated) -> Result<(), Reject> {
    let config = Config { engine: EngineKind::Plan, ..Config::default() };
    let source = Source::new(format!("{}.game", game.name), game.text.as_str());
    let game = Game::new(source, &config).map_err(|_| Reject::NotRead)?;
    let mut play = Match::seeded(&game, 0).map_err(|_| Reject::TooManyMoves)?;
    if matches!(play.outcome(), Outcome::Over(_)) {
        return Err(Reject::OverAtOnce);
    }
    let rules = game.rules();
    let mut playouts = Playouts::new(rules, 0);
    let (mut moves, mut wins) = (0, [0_u64; 2]);
    for number in 0..GAMES {
        if game.has_chance() {
            play = Match::seeded(&game, number).map_err(|_| Reject::TooManyMoves)?;
        }
        let (mut state, mut history) = (play.state().clone(), play.history().clone());
        playouts.start_game(0, number);
        let made = playouts.run(&mut state, &mut history, 10_000);
        moves += made.map_err(|_| Reject::TooManyMoves)?;
        let scores = [0, 1].map(|player| rules.score(&state, Player(player)));
        wins[0] += u64::from(scores[0] > scores[1]);
        wins[1] += u64::from(scores[1] > scores[0]);
    }
    let length = moves as f64 / GAMES as f64;
    let decided = (wins[0] + wins[1]) as f64 / GAMES as f64;
    let least = wins[0].min(wins[1]) as f64 / GAMES as f64;
    let branching = branching(&game).map_err(|_| Reject::TooManyMoves)?;
    let checks = [
        (length < LENGTH.0, Reject::TooShort),
        (length > LENGTH.1, Reject::TooLong),
        (branching < BRANCHING.0, Reject::FewChoices),
        (branching > BRANCHING.1, Reject::ManyChoices),
        (decided < 0.5, Reject::MostlyDrawn),
        (least < WINS, Reject::OneSided),
    ];
    match checks.into_iter().find(|(fails, _)| *fails) {
        Some((_, reason)) => Err(reason),
        None => Ok(()),
    }
}

/// How many moves the positions of a random game have on average.
fn branching(game: &std::sync::Arc<Game>) -> Result<f64, regulus_game::Error> {
    let mut play = Match::new(game)?;
    let mut generator = regulus_engine::generator(1);
    let (mut positions, mut moves) = (0_u32, 0_usize);
    while play.player().is_some() && positions < 200 {
        moves += play.moves()?.len();
        positions += 1;
        if !play.play_random(&mut generator)? {
            break;
        }
    }
    Ok(moves as f64 / f64::from(positions.max(1)))
}
