//! Computers that think about the position of a match.

use std::sync::Arc;
use std::time::Duration;

use regulus_agents::{
    Agent, AgentError, Budget, PlayerSpec, Report, Stop, Task, Thought, can_be_learnt,
};
use regulus_automaton::Id as _;
use regulus_game::{Game, Match};
use serde_json::json;

use super::{LiveMatch, MatchTable, SeatHolder, seats};
use crate::limits;
use crate::refusal::Refusal;
use crate::think::{JobProgress, SLICE, ThinkLine};
use crate::view;

/// The player that moves where a person sits and asks for it.
const HELPER: &str = "auto?level=8";

/// How long a player thinks about a move whose options do not say.
const USUAL: Duration = Duration::from_secs(1);

/// How long a player thinks at most that cannot be interrupted.
const LONGEST_IN_ONE: Duration = Duration::from_secs(3);

/// A player that uses less than this part of its slice has nothing more to find: the move is forced, the result certain, or its
/// level reached.
const ENOUGH: f64 = 0.9;

/// A computer that is to move.
#[derive(Debug)]
pub(super) struct SeatThinking {
    pub(super) seat: usize,
    pub(super) stop: Stop,
    /// Tells jobs of earlier positions from this one.
    ticket: u64,
    /// Whether the game is learnt before.
    is_learning: bool,
}

/// The analysis of whatever position is shown.
#[derive(Debug)]
pub(super) struct Analysis {
    spec: PlayerSpec,
    stop: Stop,
    ticket: u64,
    /// The position that is being analysed; `None` at first.
    node: Option<usize>,
    /// Whether the game is learnt before.
    is_learning: bool,
}

impl Analysis {
    pub(super) fn new(spec: PlayerSpec) -> Analysis {
        Analysis { spec, stop: Stop::new(), ticket: 0, node: None, is_learning: false }
    }
}

impl MatchTable {
    /// Breaks off thinking; nothing is played.
    pub(super) fn stop_thinking(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.stop.stop();
        }
    }

    /// Whether a player learns the game now, for a move or an analysis.
    pub(super) fn is_learning(&self) -> bool {
        self.thinking.as_ref().is_some_and(|thinking| thinking.is_learning)
            || self.analysis.as_ref().is_some_and(|analysis| analysis.is_learning)
    }

    /// Notes that a job learns the game, or does so no more; returns whether it is wanted.
    fn set_learning(&mut self, job: &ThinkJob, is_learning: bool) -> bool {
        let now = match job.seat {
            Some(_) => self.thinking.as_mut().map(|now| (now.ticket, &mut now.is_learning)),
            None => self.analysis.as_mut().map(|now| (now.ticket, &mut now.is_learning)),
        };
        match now {
            Some((ticket, noted)) if ticket == job.ticket => {
                *noted = is_learning;
                true
            }
            _ => false,
        }
    }

    /// A number that no job has had.
    fn next_ticket(&mut self) -> u64 {
        self.tickets += 1;
        self.tickets
    }

    pub(super) fn stop_analysis(&mut self) {
        if let Some(analysis) = self.analysis.take() {
            analysis.stop.stop();
        }
    }
}

/// Thinking about one position, a slice at a time.
struct ThinkJob {
    live: Arc<LiveMatch>,
    play: Match,
    node: usize,
    /// Who thinks, as users write it.
    player: String,
    agent: Box<dyn Agent>,
    budget: Budget,
    /// Whether it goes on from where it was when it is asked again.
    can_be_sliced: bool,
    stop: Stop,
    ticket: u64,
    /// `None` for an analysis.
    seat: Option<usize>,
    iterations: u64,
    time: Duration,
}

impl LiveMatch {
    /// Lets a computer think if one is to move, someone is looking, and the match was not stopped at an earlier position.
    pub(super) fn go_on(self: &Arc<Self>, table: &mut MatchTable) {
        self.analyse_again(table);
        let is_computer = table
            .play
            .player()
            .is_some_and(|player| matches!(table.seats[player.index()], SeatHolder::Computer(_)));
        if is_computer && table.goes_on && table.viewers > 0 && table.thinking.is_none() {
            if let Err(refusal) = self.think(table) {
                table.notice = Some(refusal.message);
            }
            self.announce(table);
        }
    }

    /// Has computers learn the game that are not to move yet, so that no one waits for it later.
    pub(super) fn learn_early(&self, table: &MatchTable) {
        if table.thinking.is_some() {
            return;
        }
        let agents = table.seats.iter().filter_map(|seat| match seat {
            SeatHolder::Computer(spec) if can_learn(spec, &self.game) => {
                Some(spec.create(&self.game, 0))
            }
            SeatHolder::Computer(_) | SeatHolder::Person(_) | SeatHolder::Free => None,
        });
        let unprepared = agents.into_iter().find(|agent| !agent.is_prepared());
        if let Some(mut agent) = unprepared {
            let is_untrusted = self.reference.is_untrusted();
            // If there is no room for it now, it is tried again when it is to move.
            let _ = self.thinkers.tutor.learn(&self.game, is_untrusted, move || agent.prepare());
        }
    }

    /// Lets a computer think about the position and play.
    pub(super) fn think(self: &Arc<Self>, table: &mut MatchTable) -> Result<(), Refusal> {
        let Some(player) = table.play.player() else {
            return Err(Refusal::bad("the game is over"));
        };
        let seat = player.index();
        let spec = match &table.seats[seat] {
            SeatHolder::Computer(spec) => spec.clone(),
            SeatHolder::Person(_) | SeatHolder::Free => seats::player(HELPER, self.nets())?,
        };
        let (stop, ticket) = (Stop::new(), table.next_ticket());
        table.notice = None;
        let thinking = SeatThinking { seat, stop: stop.clone(), ticket, is_learning: false };
        table.thinking = Some(thinking);
        let longest = Duration::from_secs_f64(limits::THINKING_SECONDS);
        let started = self.start(table, &spec, Some(seat), stop, ticket, longest);
        if started.is_err() {
            table.thinking = None;
        }
        started
    }

    /// Analyses the position that is shown now, if an analysis is wanted.
    pub(super) fn analyse_again(self: &Arc<Self>, table: &mut MatchTable) {
        let (ticket, node) = (table.next_ticket(), table.node);
        let is_over = table.play.player().is_none();
        let Some(analysis) = &mut table.analysis else { return };
        if analysis.node == Some(node) {
            return;
        }
        analysis.stop.stop();
        (analysis.stop, analysis.ticket, analysis.node) = (Stop::new(), ticket, Some(node));
        let (spec, stop) = (analysis.spec.clone(), analysis.stop.clone());
        analysis.is_learning = false;
        if is_over {
            return;
        }
        let longest = Duration::from_secs_f64(limits::ANALYSIS_SECONDS);
        if let Err(refusal) = self.start(table, &spec, None, stop, ticket, longest) {
            table.stop_analysis();
            table.notice = Some(refusal.message);
        }
    }

    fn start(
        self: &Arc<Self>,
        table: &mut MatchTable,
        spec: &PlayerSpec,
        seat: Option<usize>,
        stop: Stop,
        ticket: u64,
        longest: Duration,
    ) -> Result<(), Refusal> {
        let can_be_sliced = spec.kind().goes_on;
        let mut budget = match seat {
            Some(_) => spec.budget_or(Budget::time(USUAL)),
            None => Budget::default(),
        };
        let longest = if can_be_sliced { longest } else { longest.min(LONGEST_IN_ONE) };
        budget.time = Some(budget.time.map_or(longest, |time| time.min(longest)));
        let megabytes = match seat {
            Some(_) => limits::USUAL_MEGABYTES,
            None => limits::THINKING_MEGABYTES,
        };
        let job = ThinkJob {
            live: Arc::clone(self),
            play: table.play.clone(),
            node: table.node,
            player: spec.to_string(),
            agent: spec.with_memory(megabytes).create(&self.game, rand::random()),
            budget,
            can_be_sliced,
            stop,
            ticket,
            seat,
            iterations: 0,
            time: Duration::ZERO,
        };
        if job.agent.is_prepared() {
            job.begin();
            return Ok(());
        }
        if !can_learn(spec, &self.game) {
            let name = spec.kind().name;
            return Err(Refusal::unplayable(format!("the game is too large for {name} to learn")));
        }
        table.set_learning(&job, true);
        let is_untrusted = self.reference.is_untrusted();
        self.thinkers.tutor.learn(&self.game, is_untrusted, move || job.learn())
    }

    /// Whether a job is about what is thought about now.
    fn is_wanted(&self, job: &ThinkJob) -> bool {
        let table = self.table();
        match job.seat {
            Some(_) => table.thinking.as_ref().is_some_and(|now| now.ticket == job.ticket),
            None => table.analysis.as_ref().is_some_and(|now| now.ticket == job.ticket),
        }
    }

    /// Plays the move that a computer has chosen, unless it was broken off.
    fn finish(self: &Arc<Self>, job: &ThinkJob, thought: Result<Thought, AgentError>) {
        let mut table = self.table();
        if table.thinking.as_ref().is_none_or(|thinking| thinking.ticket != job.ticket) {
            return;
        }
        table.thinking = None;
        let done = match thought {
            Ok(thought) => {
                let value = job.seat.and_then(|seat| thought.report.values.get(seat).copied());
                self.make(&mut table, &thought.steps.0, value)
            }
            Err(AgentError::Game(error)) => Err(error.into()),
            Err(AgentError::Forfeit(reason)) => Err(Refusal::bad(reason)),
        };
        if let Err(refusal) = done {
            table.notice = Some(refusal.message);
            self.announce(&mut table);
        }
    }
}

/// Whether a player can be prepared for a game: what `auto` does with games that are too large is its own matter.
fn can_learn(spec: &PlayerSpec, game: &Game) -> bool {
    spec.kind().name == "auto" || can_be_learnt(game)
}

impl ThinkJob {
    /// Learns the game, and then begins to think.
    fn learn(mut self) {
        if !self.live.is_wanted(&self) {
            return;
        }
        self.agent.prepare();
        let live = Arc::clone(&self.live);
        let mut table = live.table();
        if table.set_learning(&self, false) {
            live.announce(&mut table);
            drop(table);
            self.begin();
        }
    }

    /// Gets in line to think.
    fn begin(mut self) {
        let line = if self.seat.is_some() { ThinkLine::Moves } else { ThinkLine::Analyses };
        let pool = self.live.thinkers.pool.clone();
        pool.add(line, move || self.work());
    }

    /// Thinks for a slice, and plays when the budget is used up.
    fn work(&mut self) -> JobProgress {
        if !self.live.is_wanted(self) {
            return JobProgress::Done;
        }
        let left = |most: Option<Duration>| {
            most.map_or(Duration::MAX, |most| most.saturating_sub(self.time))
        };
        let time = left(self.budget.time);
        let slice = Budget {
            time: Some(if self.can_be_sliced { time.min(SLICE) } else { time }),
            iterations: self
                .budget
                .iterations
                .map(|most| most.saturating_sub(self.iterations).max(1)),
            depth: None,
        };
        let mut task = Task::new(slice);
        (task.stop, task.is_analysis) = (self.stop.clone(), self.seat.is_none());
        let thought = self.agent.think(&self.play, &mut task);
        if let Ok(thought) = &thought {
            self.iterations += thought.report.iterations;
            self.time += thought.report.time;
            self.tell(&thought.report);
        }
        let is_over = !self.can_be_sliced
            || thought.is_err()
            || self.stop.is_stopped()
            || self.budget.time.is_some_and(|most| self.time >= most)
            || self.budget.iterations.is_some_and(|most| self.iterations >= most)
            || matches!(&thought, Ok(thought) if thought.report.time < slice.time.unwrap_or_default().mul_f64(ENOUGH));
        match self.seat {
            Some(_) if is_over => {
                let live = Arc::clone(&self.live);
                live.finish(self, thought);
                JobProgress::Done
            }
            None if is_over => JobProgress::Done,
            _ => JobProgress::Again,
        }
    }

    /// Tells everyone who looks at the match what was found so far.
    fn tell(&self, report: &Report) {
        let mut whole = report.clone();
        (whole.iterations, whole.time) = (self.iterations, self.time);
        // A report that cannot be told is left out; the move comes all the same.
        if let Ok(mut told) = view::evaluation(&self.play, &whole) {
            told["node"] = json!(self.node);
            told["seat"] = json!(self.seat);
            told["player"] = json!(self.player);
            told["about"] = json!(self.agent.about());
            self.live.evaluation.send_replace(Some(told.to_string().into()));
        }
    }
}
