//! The player `alphabeta`: looks as many moves ahead as there is time for, and judges what it sees there by an evaluation that
//! was fitted to the game.
//!
//! Principal variation search with iterative deepening; positions that were seen are kept in a table; good replies are tried
//! first; late moves are looked at with less depth; at the end, moves that take or promote are followed until it is quiet.
//! Among more than two players, the others are taken to play together against the one who thinks.

mod ordering;
mod search;
mod table;

use std::sync::Arc;
use std::time::Duration;

use regulus_automaton::Player;
use regulus_engine::{Move, State};
use regulus_game::{Game, Match, Ply};

use crate::agent::{Agent, AgentError, Task, Thought, choices};
use crate::budget::{Budget, Clock, Stop};
use crate::evaluation::{EvaluationKind, Fitted, expected, is_fitted};
use crate::net::{Net, shipped};
use crate::report::{BETWEEN_REPORTS, Candidate, Report, shared};

pub(crate) use search::{
    EFFORT_OF_POSITION, Halt, NEARLY_WON, RootMove, SearchParts, Searcher, WON,
};
pub(crate) use table::PositionTable;

/// How long the line of a report can be.
const LONGEST_LINE: usize = 20;

/// How deep a search goes at most.
const MOST_DEPTH: i32 = 100;

/// Of how many moves an analysis finds what they are worth; of the others only that they are worth less.
const ANALYSED: usize = 4;

/// What can be set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AlphaBetaOptions {
    pub(crate) threads: usize,
    /// By what positions are judged.
    pub(crate) evaluation: EvaluationKind,
    /// How much is learnt about the game before it is played.
    pub(crate) learning: u32,
    /// How much memory the table takes.
    pub(crate) bytes: usize,
    /// What is done beside plain looking ahead.
    pub(crate) parts: SearchParts,
}

pub(crate) struct AlphaBeta {
    options: AlphaBetaOptions,
    game: Arc<Game>,
    fitted: Option<Arc<Fitted>>,
    /// Judges positions instead of the evaluation.
    net: Option<Arc<Net>>,
    table: Option<PositionTable>,
    paused: Option<Paused>,
}

/// Where the last search ended, so that it goes on from there if it is asked about the same position again.
struct Paused {
    /// What the play began with, and its moves.
    first: State,
    line: Vec<Ply>,
    moves: Vec<RootMove>,
    score: i32,
    depth: i32,
    compared: i32,
    shortest: i32,
    report: Report,
}

impl Paused {
    fn is_at(&self, play: &Match) -> bool {
        self.line == play.line() && self.first == *play.first_state()
    }
}

impl std::fmt::Debug for AlphaBeta {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AlphaBeta").field("options", &self.options).finish_non_exhaustive()
    }
}

impl AlphaBeta {
    pub(crate) fn new(game: &Arc<Game>, options: AlphaBetaOptions) -> AlphaBeta {
        let game = Arc::clone(game);
        AlphaBeta { options, game, fitted: None, net: None, table: None, paused: None }
    }

    /// The same, judging positions by a net of the game.
    pub(crate) fn with_net(self, net: Arc<Net>) -> AlphaBeta {
        AlphaBeta { net: Some(net), ..self }
    }
}

impl Agent for AlphaBeta {
    fn think(&mut self, play: &Match, task: &mut Task<'_>) -> Result<Thought, AgentError> {
        let (player, legal) = choices(play)?;
        self.prepare();
        let clock = Clock::start(task.budget, task.stop.clone());
        let AlphaBeta { options, fitted, net, table, paused, .. } = self;
        let paused = std::mem::take(paused).filter(|paused| paused.is_at(play));
        let Some(Fitted { features, evaluation, .. }) = fitted.as_deref() else {
            return Err(AgentError::Forfeit("there is no evaluation".to_owned()));
        };
        let net = net.as_deref().map(|net| (net, net.slope(&self.game, evaluation)));
        let table = table.get_or_insert_with(|| PositionTable::new(options.bytes));
        if paused.is_none() {
            table.grow_old();
        }
        let only = || {
            let steps = Move::from(legal.get(0));
            Thought { report: Report { line: vec![steps.clone()], ..Report::default() }, steps }
        };
        if legal.len() == 1 && !task.is_analysis {
            return Ok(only());
        }
        let Budget { iterations, depth, .. } = task.budget;
        let mut searcher = Searcher::new(play, features, evaluation, table, &clock);
        let most = iterations.unwrap_or(u64::MAX);
        searcher.limit_nodes(most.max(2));
        searcher.judge_by(net);
        searcher.parts = options.parts;
        let unit = searcher.unit();
        let mut search = match paused {
            Some(Paused { moves, score, depth, compared, shortest, report, .. }) => {
                Deepening { searcher, moves, score, unit, depth, compared, shortest, report }
            }
            None => match searcher.root_moves() {
                Ok(moves) => Deepening::new(searcher, moves, unit),
                Err(Halt::Over) => return Ok(only()),
                Err(Halt::Fault(error)) => return Err(error.into()),
            },
        };
        let most = depth.map_or(MOST_DEPTH, |depth| depth as i32);
        // The other threads fill the table.
        let done = Stop::new();
        let helpers_clock = Clock::start(Budget::default(), done.clone());
        std::thread::scope(|scope| {
            for number in 1..options.threads {
                let mut helper = Searcher::new(play, features, evaluation, table, &helpers_clock);
                helper.parts = options.parts;
                helper.judge_by(net);
                scope.spawn(move || {
                    let mut searcher = helper;
                    let Ok(moves) = searcher.root_moves() else { return };
                    let mut search = Deepening::new(searcher, moves, unit);
                    // Half of them are one move ahead.
                    let ahead = number as i32 % 2;
                    for depth in 1..=most {
                        if search.deepen((depth + ahead).min(most)).is_err() {
                            return;
                        }
                    }
                });
            }
            let found = search.run(player, most, &clock, task);
            done.stop();
            found
        })?;
        let Deepening { moves, score, depth, compared, shortest, report, .. } = search;
        let thought = Thought { steps: report.line[0].clone(), report: report.clone() };
        let (first, line) = (play.first_state().clone(), play.line().to_vec());
        self.paused = Some(Paused { first, line, moves, score, depth, compared, shortest, report });
        Ok(thought)
    }

    fn prepare(&mut self) {
        let AlphaBetaOptions { evaluation, learning, .. } = self.options;
        if self.net.is_none() && self.fitted.is_none() && evaluation == EvaluationKind::Net {
            self.net = shipped(&self.game);
        }
        let fitted = self.fitted.get_or_insert_with(|| evaluation.of(&self.game, learning));
        if let Some(net) = &self.net {
            // The net keeps it, so that no time to think is spent on it.
            net.slope(&self.game, &fitted.evaluation);
        }
    }

    fn is_prepared(&self) -> bool {
        let AlphaBetaOptions { evaluation, learning, .. } = self.options;
        self.fitted.is_some()
            || !matches!(evaluation, EvaluationKind::Fitted | EvaluationKind::Net)
            || is_fitted(&self.game, learning)
    }

    fn forget(&mut self) {
        (self.table, self.paused) = (None, None);
    }
}

/// A search that goes deeper and deeper, on one thread.
struct Deepening<'a> {
    searcher: Searcher<'a>,
    /// The moves at the root, the best first.
    moves: Vec<RootMove>,
    score: i32,
    /// What an average piece is worth.
    unit: i32,
    /// The last depth that was searched, and the last one at which moves were compared for an analysis.
    depth: i32,
    compared: i32,
    /// The last score for which a shorter way to win was looked for.
    shortest: i32,
    /// What was found.
    report: Report,
}

impl<'a> Deepening<'a> {
    fn new(searcher: Searcher<'a>, moves: Vec<RootMove>, unit: i32) -> Deepening<'a> {
        let report = Report::default();
        Deepening { searcher, moves, score: 0, unit, depth: 0, compared: 0, shortest: 0, report }
    }
}

impl Deepening<'_> {
    /// Goes deeper until the budget is used up or the result is certain.
    fn run(
        &mut self,
        player: Player,
        most: i32,
        clock: &Clock,
        task: &mut Task<'_>,
    ) -> Result<(), AgentError> {
        let mut last = Duration::ZERO;
        loop {
            let searched = self.step(player, most, task.is_analysis);
            match searched {
                Ok(true) => {}
                // What was looked at in time counts.
                Ok(false) | Err(Halt::Over) => break,
                Err(Halt::Fault(error)) => return Err(error.into()),
            }
            if let Some(watch) = &mut task.watch
                && (self.depth == 1 || clock.elapsed() >= last + BETWEEN_REPORTS)
            {
                last = clock.elapsed();
                self.finish(last, task.is_analysis)?;
                watch(&self.report);
            }
            if clock.is_late() {
                break;
            }
        }
        self.shorten(player)?;
        self.finish(clock.elapsed(), task.is_analysis)
    }

    /// Looks one move deeper, or compares the moves at the depth that was reached; `false` if nothing is left to be found.
    fn step(&mut self, player: Player, most: i32, is_analysis: bool) -> Result<bool, Halt> {
        if is_analysis && self.compared < self.depth {
            self.compare(self.depth)?;
            self.compared = self.depth;
            self.note(player);
            return Ok(true);
        }
        if self.depth >= most || self.is_certain(self.depth) {
            return Ok(false);
        }
        self.deepen(self.depth + 1)?;
        self.depth += 1;
        // What the other moves are worth would be unknown for a moment.
        if !is_analysis || self.report.candidates.is_empty() {
            self.note(player);
        }
        Ok(true)
    }

    /// Looks for a shorter way to win than the one that was found: a search that looks at late moves with less depth may have
    /// passed over one.
    fn shorten(&mut self, player: Player) -> Result<(), AgentError> {
        if self.score < NEARLY_WON || self.score == self.shortest {
            return Ok(());
        }
        self.shortest = self.score;
        let mut moves = self.moves.clone();
        for depth in 1..WON - self.score {
            match self.searcher.search_exactly(&mut moves, depth) {
                Ok(score) if score >= NEARLY_WON => {
                    (self.moves, self.score, self.shortest) = (moves, score, score);
                    self.note(player);
                    break;
                }
                Ok(_) => {}
                Err(Halt::Over) => break,
                Err(Halt::Fault(error)) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Whether going deeper than this would change nothing.
    fn is_certain(&self, depth: i32) -> bool {
        self.score.abs() >= NEARLY_WON && WON - self.score.abs() <= depth
    }

    /// Finds out what the best moves after the first are worth.
    fn compare(&mut self, depth: i32) -> Result<(), Halt> {
        let count = self.moves.len();
        for known in 1..ANALYSED.min(count) {
            self.searcher.search_next(&mut self.moves[known..], depth, count as u32)?;
        }
        // Looked at as closely as the best move, another may be better.
        self.moves[..ANALYSED.min(count)].sort_by_key(|found| -found.score);
        self.score = self.moves[0].score;
        Ok(())
    }

    /// Looks one move deeper, first with a narrow window around what was found before.
    fn deepen(&mut self, depth: i32) -> Result<(), Halt> {
        let Deepening { searcher, moves, score, unit, .. } = self;
        if depth < 4 || score.abs() >= NEARLY_WON {
            *score = searcher.search_root(moves, depth, (-WON, WON))?;
            return Ok(());
        }
        let mut width = (*unit).max(16);
        let (mut low, mut high) = (*score - width, *score + width);
        loop {
            let found = searcher.search_root(moves, depth, (low.max(-WON), high.min(WON)))?;
            width = width.saturating_mul(3);
            if found <= low && low > -WON {
                low = score.saturating_sub(width);
            } else if found >= high && high < WON {
                high = score.saturating_add(width);
            } else {
                *score = found;
                return Ok(());
            }
        }
    }

    /// Notes what was found at a depth.
    fn note(&mut self, player: Player) {
        let report = &mut self.report;
        report.depth = self.depth as u32;
        report.candidates = self
            .moves
            .iter()
            .map(|found| Candidate {
                steps: Move(found.steps.clone()),
                visits: found.nodes,
                value: expectation(found.score),
                is_bound: found.is_bound,
            })
            .collect();
        report.values = shared(expectation(self.score), player, self.searcher.player_count());
        report.ends_in = moves_to_end(self.score);
    }

    /// Adds the line that begins with the best move, and how much was looked at.
    fn finish(&mut self, time: Duration, is_analysis: bool) -> Result<(), AgentError> {
        let report = &mut self.report;
        let best = Move(self.moves[0].steps.clone());
        report.iterations = self.searcher.nodes;
        report.time = time;
        // A move that was found to be better is told when it was compared with the others.
        if let Some(told) =
            report.candidates.first().filter(|told| is_analysis && told.steps != best)
        {
            if report.line.first() != Some(&told.steps) {
                report.line = vec![told.steps.clone()];
            }
            return Ok(());
        }
        report.line = match self.searcher.line(LONGEST_LINE) {
            Ok(line) => line.into_iter().map(Move).collect(),
            Err(Halt::Over) => Vec::new(),
            Err(Halt::Fault(error)) => return Err(error.into()),
        };
        if report.line.first() != Some(&best) {
            report.line = vec![best];
        }
        Ok(())
    }
}

/// In how many moves a game ends whose result is certain; `None` if it is not certain.
fn moves_to_end(score: i32) -> Option<u32> {
    let left = WON - score.abs();
    (score.abs() >= NEARLY_WON).then_some(left.max(0) as u32)
}

/// The result that can be expected with a score, from 0 to 1.
pub(crate) fn expectation(score: i32) -> f64 {
    if score.abs() >= crate::evaluation::HIGHEST {
        0.5 + f64::from(score) / f64::from(WON) / 2.0
    } else {
        expected(score)
    }
}
