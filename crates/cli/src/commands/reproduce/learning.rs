//! What nets have learnt that are trained as in the report on ABG: games against random moves, before and after.

use std::time::Duration;

use regulus_agents::Stop;
use regulus_learn::residual::{ThesisAgent, ThesisRow, thesis_iterations, thesis_rows};

use super::published::{LEARNT, LearntAgent, THESIS};
use super::side_by_side::{FigureColumn, FigureRow, Origin, SideBySide, Spelling, TablePart};
use crate::args;
use crate::failure::Failure;
use crate::load::Loader;
use crate::progress::Progress;

/// How often the experiment is made, each time from other random weights.
const SEEDS: [&str; 3] = ["1st seed", "2nd seed", "3rd seed"];

/// Who plays against random moves.
const AGENTS: [(LearntAgent, ThesisAgent); 3] = [
    (LearntAgent::Random, ThesisAgent::Random),
    (LearntAgent::Mcts, ThesisAgent::Rounds),
    (LearntAgent::Minimax, ThesisAgent::Lookahead),
];

/// Table 4 of the report.
pub(super) fn run(loader: &Loader, args: &args::Reproduce) -> Result<SideBySide, Failure> {
    let game = loader.load_for_players("breakthrough_4x4")?;
    game.rules().wait();
    let threads = args.threads.get();
    let all = (SEEDS.len() * (AGENTS.len() - 1)) as u64 * thesis_iterations();
    let mut progress = Progress::new("learning", loader.json);
    let mut done = 0;
    let mut found: Vec<(LearntAgent, usize, ThesisRow)> = Vec::new();
    let mut times = Vec::new();
    for (number, _) in SEEDS.iter().enumerate() {
        for (name, agent) in AGENTS {
            let started = std::time::Instant::now();
            let seed = args.seed + number as u64;
            let rows = thesis_rows(&game, agent, seed, threads, &Stop::new(), &mut |_| {
                done += 1;
                progress.set(done, all);
            });
            let rows = rows.map_err(|error| Failure::bad_input(error.to_string()))?;
            found.extend(rows.into_iter().map(|row| (name, number, row)));
            times.push((name, started.elapsed()));
        }
    }
    let here = |agent: LearntAgent, is_trained: bool, is_first: bool, number: usize| {
        let is_row = |row: &ThesisRow| row.is_trained == is_trained && row.is_first == is_first;
        let row = found.iter().find(|(name, n, row)| *name == agent && *n == number && is_row(row));
        row.map(|(_, _, row)| row.score)
    };
    let rows = LEARNT.iter().map(|row| {
        let scores = [0, 1, 2].map(|number| here(row.agent, row.is_trained, row.is_first, number));
        let won = scores.map(|score| score.map(|score| score.won as f64));
        let drawn: u64 = scores.iter().flatten().map(|score| score.drawn).sum();
        let printed = row.score.map(|count| Some(f64::from(count)));
        let figures = printed.into_iter().chain(won).chain([Some(drawn as f64)]).collect();
        FigureRow { game: row.name, figures, note: None }
    });
    let column = |origin, name| FigureColumn { origin, name, spelling: Spelling::Plain };
    let columns = ["won", "drawn", "lost"].map(|name| column(Origin::Published, name));
    let own = SEEDS.map(|name| column(Origin::Here, name));
    let longest = |agent: LearntAgent| -> Duration {
        let times = times.iter().filter(|(name, _)| *name == agent).map(|(_, time)| *time);
        times.max().unwrap_or_default()
    };
    let [rounds, ahead] = [LearntAgent::Mcts, LearntAgent::Minimax].map(longest);
    Ok(SideBySide {
        source: THESIS,
        parts: vec![TablePart {
            title: "games of 50, 4×4 breakthrough against random moves: won here in three runs, and drawn in all",
            columns: columns.into_iter().chain(own).chain([column(Origin::Here, "drawn")]).collect(),
            rows: rows.collect(),
        }],
        notes: vec![
            format!(
                "Here a run of MCTS with its four tournaments took {:.0} s at most and one of minimax {:.0} s, on {threads} threads; \
                 the report tells of 5 and 35 minutes of training with a graphics card.",
                rounds.as_secs_f64(),
                ahead.as_secs_f64()
            ),
            "10 iterations of 20 games, 50 rounds or four moves ahead, and three iterations that are learnt from, as in the report. \
             docs/learning.md says what was chosen where the report says nothing."
                .to_owned(),
        ],
    })
}
