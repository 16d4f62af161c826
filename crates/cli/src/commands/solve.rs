//! `regulus solve`: who wins when both players play as well as possible.

use std::time::Duration;

use regulus_agents::{
    Budget, Replay, Report, Solution, SolveMethod, SolveProgress, SolveTask, Unsolved, replay,
    solve,
};
use regulus_game::Match;
use serde_json::{Value, json};

use crate::args;
use crate::failure::Failure;
use crate::load::{Loader, begin};
use crate::output::say;
use crate::progress::Progress;

/// How many moves of a line are shown.
const LONGEST_LINE: usize = 400;

pub(crate) fn run(loader: &Loader, args: &args::Solve) -> Result<(), Failure> {
    let game = loader.load_for_players(&args.game)?;
    let mut play = begin(&game, args.position.as_deref(), args.seed)?;
    for name in &args.moves {
        play.play_named(name)?;
    }
    game.rules().wait();
    let methods = args.method.map_or(SolveMethod::ALL.to_vec(), |method| vec![method]);
    let mut solutions: Vec<(SolveMethod, Solution)> = Vec::new();
    for method in methods {
        let solution =
            with_progress(loader, args, method.name(), |task| solve(&play, method, task))?;
        solutions.push((method, solution));
    }
    if let [(_, one), (_, other)] = solutions.as_slice()
        && one.results != other.results
    {
        return Err(Failure::bad_input(format!(
            "the methods do not agree: {:?} and {:?}; this is an error in Regulus",
            one.results, other.results
        )));
    }
    let Some((_, first)) = solutions.first() else { return Ok(()) };
    let longest =
        solutions.iter().map(|(_, solution)| &solution.line).max_by_key(|line| line.len());
    let line = Report { line: longest.cloned().unwrap_or_default(), ..Report::default() };
    let line = line.line_names(&play, LONGEST_LINE)?;
    let replays = match args.replay {
        true => with_progress(loader, args, "replay", |task| replay(&play, first, task))?,
        false => Vec::new(),
    };
    if let Some(broken) = replays.iter().find(|replay| !replay.holds) {
        let name = &play.game().player_look(broken.player).name;
        return Err(Failure::bad_input(format!(
            "there is a reply to {name} after which the result is not kept; this is an error in Regulus"
        )));
    }
    if loader.json {
        say!("{}", as_json(first, &solutions, &line, &replays));
        return Ok(());
    }
    say!("{}", value(&play, first));
    if !line.is_empty() {
        say!("for example {}", line.join(" "));
    }
    for (method, solution) in &solutions {
        let seconds = solution.time.as_secs_f64();
        say!("{}: {} positions in {seconds:.2} s", method.name(), solution.positions);
    }
    for Replay { player, positions, ends, .. } in &replays {
        let name = &play.game().player_look(*player).name;
        say!(
            "replay: {name} keeps the result against every reply, in {positions} positions and {ends} ends"
        );
    }
    Ok(())
}

/// Does something that takes long, and shows how far it is.
fn with_progress<T>(
    loader: &Loader,
    args: &args::Solve,
    name: &'static str,
    work: impl FnOnce(SolveTask<'_>) -> Result<T, Unsolved>,
) -> Result<T, Failure> {
    let mut progress = Progress::endless(name, "positions", loader.json);
    let mut watch = |now: SolveProgress| progress.set(now.positions, now.positions);
    let task = SolveTask {
        budget: Budget { time: args.seconds.map(Duration::from_secs_f64), ..Budget::default() },
        bytes: args.megabytes as usize * 1_000_000,
        watch: Some(&mut watch),
        ..SolveTask::default()
    };
    let done = work(task);
    drop(progress);
    done.map_err(|error| Failure::bad_input(error.to_string()))
}

/// Who wins, in words.
fn value(play: &Match, solution: &Solution) -> String {
    let name = |player| play.game().player_look(regulus_automaton::Player(player)).name.as_str();
    let [one, other] = solution.results;
    if one > other {
        format!("{} can win", name(0))
    } else if other > one {
        format!("{} can win", name(1))
    } else {
        "it is a draw if both play well".to_owned()
    }
}

fn as_json(
    first: &Solution,
    solutions: &[(SolveMethod, Solution)],
    line: &[String],
    replays: &[Replay],
) -> Value {
    let replay = |replay: &Replay| {
        let Replay { player, positions, ends, holds } = replay;
        json!({ "player": player.0, "positions": positions, "ends": ends, "holds": holds })
    };
    let replays: Vec<Value> = replays.iter().map(replay).collect();
    let method = |(method, solution): &(SolveMethod, Solution)| {
        json!({
            "method": method.name(),
            "positions": solution.positions,
            "seconds": solution.time.as_secs_f64(),
        })
    };
    let methods: Vec<Value> = solutions.iter().map(method).collect();
    json!({ "results": first.results, "line": line, "methods": methods, "replays": replays })
}
