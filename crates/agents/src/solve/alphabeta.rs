//! Solves by alpha-beta search, deeper and deeper until every line has ended.

use regulus_automaton::Player;
use regulus_engine::Move;
use regulus_game::Match;

use super::{Solution, SolveProgress, SolveTask, Unsolved};
use crate::alphabeta::{Halt, NEARLY_WON, PositionTable, Searcher, WON};
use crate::budget::Clock;
use crate::evaluation::fitted;

/// How many moves ahead are looked at most.
const DEEPEST: i32 = 100;

pub(super) fn solve(
    play: &Match,
    clock: &Clock,
    task: &mut SolveTask<'_>,
) -> Result<Solution, Unsolved> {
    // The evaluation says which moves are tried first, not more.
    let fitted = fitted(play.game(), 0);
    let mut table = PositionTable::new(task.bytes);
    let mut positions = 0;
    let mut order: Vec<Vec<regulus_engine::Step>> = Vec::new();
    for depth in 1..=DEEPEST {
        table.grow_old();
        let mut searcher = Searcher::new(play, &fitted.features, &fitted.evaluation, &table, clock);
        searcher.is_exact = true;
        searcher.limit_nodes(
            task.budget.iterations.map_or(u64::MAX, |most| most.saturating_sub(positions).max(2)),
        );
        let mut search = || {
            let mut moves = searcher.root_moves()?;
            moves.sort_by_key(|root| {
                order.iter().position(|steps| *steps == root.steps).unwrap_or(usize::MAX)
            });
            let score = searcher.search_root(&mut moves, depth, (-WON, WON))?;
            Ok((score, moves))
        };
        let found = search();
        positions += searcher.nodes;
        if let Some(watch) = &mut task.watch {
            watch(SolveProgress { positions, depth: depth as usize });
        }
        let (score, moves) = match found {
            Ok(found) => found,
            Err(Halt::Over) => return Err(Unsolved::Stopped(positions)),
            Err(Halt::Fault(error)) => return Err(Unsolved::Game(error)),
        };
        order = moves.iter().map(|root| root.steps.clone()).collect();
        if score.abs() >= NEARLY_WON || !searcher.has_judged {
            let line = match searcher.line(DEEPEST as usize) {
                Ok(line) => line.into_iter().map(Move).collect(),
                Err(_) => Vec::new(),
            };
            let own = if score >= NEARLY_WON {
                1.0
            } else if score <= -NEARLY_WON {
                0.0
            } else {
                0.5 + f64::from(score) / f64::from(WON) / 2.0
            };
            let is_first = play.player() == Some(Player(0));
            let results = if is_first { [own, 1.0 - own] } else { [1.0 - own, own] };
            return Ok(Solution { results, line, positions, time: clock.elapsed() });
        }
    }
    Err(Unsolved::TooLong(DEEPEST as usize))
}
