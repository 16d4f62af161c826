//! `regulus analyze`: what a player thinks of a position, while it thinks.

use std::io::IsTerminal as _;
use std::time::Duration;

use console::Term;
use regulus_agents::{Budget, Report, Task};
use regulus_game::Match;
use serde_json::{Value, json};

use super::engine::player;
use crate::args;
use crate::failure::Failure;
use crate::load::{Loader, begin};
use crate::output::{say, say_raw};

/// How many moves of a line are shown.
const LONGEST_LINE: usize = 8;

pub(crate) fn run(loader: &Loader, args: &args::Analyze) -> Result<(), Failure> {
    let game = loader.load_for_players(&args.game)?;
    let spec = player(&args.player, &game)?;
    let mut play = begin(&game, args.position.as_deref(), args.seed)?;
    for name in &args.moves {
        play.play_named(name)?;
    }
    if play.player().is_none() {
        return Err(Failure::bad_input(format!(
            "there is nothing to think about: {}",
            play.outcome()
        )));
    }
    game.rules().wait();
    let mut agent = spec.create(&game, args.seed);
    agent.prepare();
    if let Some(about) = agent.about().filter(|_| !loader.json) {
        say!("{about}");
    }
    let live = !loader.json && std::io::stdout().is_terminal();
    let mut lines = 0;
    let shown = play.clone();
    let mut problem = None;
    let mut watch = |report: &Report| {
        let said = if loader.json {
            as_json(&shown, report).map(|value| say!("{value}"))
        } else if live {
            as_text(&shown, report, args.lines as usize).map(|text| {
                // Failing to go back only makes the output longer.
                let _ = Term::stdout().clear_last_lines(lines);
                lines = text.lines().count();
                say_raw!("{text}");
            })
        } else {
            Ok(())
        };
        problem = problem.take().or(said.err());
    };
    let budget = spec.budget_or(Budget::time(Duration::from_secs_f64(args.seconds)));
    let mut task = Task { is_analysis: true, watch: Some(&mut watch), ..Task::new(budget) };
    let thought =
        agent.think(&play, &mut task).map_err(|error| Failure::bad_input(error.to_string()))?;
    watch(&thought.report);
    if let Some(problem) = problem {
        return Err(problem);
    }
    if !loader.json && !live {
        say_raw!("{}", as_text(&play, &thought.report, args.lines as usize)?);
    }
    Ok(())
}

fn as_text(play: &Match, report: &Report, lines: usize) -> Result<String, Failure> {
    let mut text = String::new();
    let speed = report.speed().map_or(String::new(), |speed| format!(", {speed:.0}/s"));
    text.push_str(&format!(
        "{} iterations in {:.1} s{speed}, {} moves deep\n",
        report.iterations,
        report.time.as_secs_f64(),
        report.depth
    ));
    if let Some(moves) = report.ends_in {
        let s = if moves == 1 { "" } else { "s" };
        text.push_str(&format!("certain: the game ends in {moves} move{s}\n"));
    }
    if !report.line.is_empty() {
        text.push_str(&format!("expects {}\n", report.line_names(play, LONGEST_LINE)?.join(" ")));
    }
    for candidate in report.candidates.iter().take(lines) {
        let name = play.written(&candidate.steps.0)?;
        text.push_str(&format!(
            "{:6.1} %  {:>10}  {name}\n",
            100.0 * candidate.value,
            candidate.visits
        ));
    }
    Ok(text)
}

fn as_json(play: &Match, report: &Report) -> Result<Value, Failure> {
    let mut moves = Vec::new();
    for candidate in &report.candidates {
        let name = play.written(&candidate.steps.0)?;
        moves.push(json!({ "move": name, "visits": candidate.visits, "value": candidate.value }));
    }
    Ok(json!({
        "iterations": report.iterations, "seconds": report.time.as_secs_f64(), "depth": report.depth,
        "per_second": report.speed(), "values": report.values, "ends_in": report.ends_in, "line": report.line_names(play, LONGEST_LINE)?, "moves": moves,
    }))
}
