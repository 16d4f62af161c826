//! One game at one table: who is to move thinks, the clock runs, the rules decide.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::RngExt as _;
use regulus_agents::{Agent, AgentError, Budget, Stop, Task};
use regulus_automaton::Id as _;
use regulus_engine::{Generator, Move, generator};
use regulus_game::{Error, Game, Match};

use crate::record::{End, GameRecord, PlyRecord};

/// What players without clocks may take beyond their time.
const GRACE: Duration = Duration::from_millis(1000);

/// How often an opening is drawn again because the game was over before its end.
const OPENING_TRIES: u32 = 100;

/// Under what conditions games are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// How long players think about a move that do not say so themselves.
    pub budget: Budget,
    /// A clock for the whole game, instead of a time for each move.
    pub clock: Option<GameClock>,
    /// How many random moves come first.
    pub opening: u32,
    /// After how many moves a game is broken off, a draw.
    pub longest: u32,
}

impl Default for Conditions {
    fn default() -> Conditions {
        let budget = Budget::time(Duration::from_millis(100));
        Conditions { budget, clock: None, opening: 2, longest: 2_000 }
    }
}

/// A clock for a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// The time of a player at the beginning.
    pub base: Duration,
    /// What is added after each of the player's moves.
    pub increment: Duration,
}

/// The time of one player.
#[derive(Clone, Copy, Debug)]
struct Remaining {
    clock: GameClock,
    left: Duration,
}

impl Remaining {
    /// How long to think about the next move.
    fn share(self) -> Duration {
        let share = self.left / 25 + self.clock.increment * 3 / 4;
        // Something is left for the way there and back.
        share.min(self.left.mul_f64(0.8))
    }

    /// Takes the time of a move off; says whether any was left.
    fn take(&mut self, time: Duration) -> bool {
        let left = self.left.checked_sub(time);
        self.left = left.unwrap_or_default() + self.clock.increment;
        left.is_some()
    }
}

/// Plays one game. Seat `i` is played by `agents[i]` with `budgets[i]`.
///
/// # Errors
///
/// If there are not as many agents as seats, or the game cannot even begin. What goes wrong later is part of the record.
pub fn play_game(
    game: &Arc<Game>,
    agents: &mut [Box<dyn Agent>],
    budgets: &[Budget],
    conditions: &Conditions,
    seed: u64,
    stop: &Stop,
) -> Result<GameRecord, Error> {
    // Nobody's time runs yet.
    agents.iter_mut().for_each(|agent| agent.prepare());
    let mut generator = generator(seed);
    let (play, opening) = open(game, conditions.opening, &mut generator, seed)?;
    let seats = game.automaton().looks.players.values().map(|look| look.name.clone()).collect();
    let mut table = Table {
        record: GameRecord {
            game: game.source().name().to_owned(),
            number: 0,
            seed,
            seats,
            players: (0..agents.len()).collect(),
            opening: opening.len(),
            plies: opening,
            results: vec![0.5; game.player_count()],
            end: End::Rules,
            reason: String::new(),
        },
        clocks: conditions
            .clock
            .map(|clock| vec![Remaining { clock, left: clock.base }; game.player_count()]),
        play,
    };
    while let Some(player) = table.play.player() {
        let seat = player.index();
        let Some((agent, &budget)) = agents.get_mut(seat).zip(budgets.get(seat)) else {
            return Err(Error::bad_input(format!("seat {} has no player", seat + 1)));
        };
        if table.record.plies.len() >= conditions.longest as usize {
            table.end(End::TooLong, vec![0.5; game.player_count()], || {
                format!("a draw: broken off after {} moves", conditions.longest)
            });
            return Ok(table.record);
        }
        if !table.turn(seat, agent.as_mut(), budget, stop) {
            return Ok(table.record);
        }
    }
    let outcome = table.play.outcome();
    if let Some(over) = outcome.over() {
        table.record.results.clone_from(&over.results);
        table.record.reason = outcome.to_string();
    }
    Ok(table.record)
}

/// A play after a few random moves, and these.
fn open(
    game: &Arc<Game>,
    plies: u32,
    generator: &mut Generator,
    seed: u64,
) -> Result<(Match, Vec<PlyRecord>), Error> {
    for _ in 0..OPENING_TRIES {
        let mut play = Match::seeded(game, seed)?;
        let mut opening = Vec::new();
        for _ in 0..plies {
            let Some(player) = play.player() else { break };
            let moves = play.moves()?;
            let steps = Move::from(moves.get(generator.random_range(0..moves.len())));
            let name = play.written(&steps.0)?;
            play.play(&steps.0)?;
            let (seat, value, time) = (player.index(), None, Duration::ZERO);
            opening.push(PlyRecord { seat, name, value, time });
        }
        if play.player().is_some() {
            return Ok((play, opening));
        }
    }
    // A game that is always over within the opening is played from the beginning.
    Ok((Match::seeded(game, seed)?, Vec::new()))
}

/// A game under way.
struct Table {
    record: GameRecord,
    clocks: Option<Vec<Remaining>>,
    play: Match,
}

impl Table {
    /// One player's turn; says whether the game goes on.
    fn turn(&mut self, seat: usize, agent: &mut dyn Agent, budget: Budget, stop: &Stop) -> bool {
        let clock = self.clocks.as_ref().map(|clocks| clocks[seat]);
        let budget = match clock {
            Some(clock) => Budget { time: Some(clock.share()), ..budget },
            None => budget,
        };
        let mut task = Task { stop: stop.clone(), ..Task::new(budget) };
        let started = Instant::now();
        let thought = agent.think(&self.play, &mut task);
        let time = started.elapsed();
        let in_time = match (&mut self.clocks, budget.time) {
            (Some(clocks), _) => clocks[seat].take(time),
            (None, Some(limit)) => time <= limit + GRACE,
            (None, None) => true,
        };
        let thought = match thought {
            Ok(thought) => thought,
            Err(AgentError::Game(error)) => {
                self.end(End::Fault, vec![0.5; self.record.seats.len()], || error.to_string());
                return false;
            }
            Err(AgentError::Forfeit(reason)) => return self.lose(seat, End::Forfeit, &reason),
        };
        let name = self.play.written(&thought.steps.0);
        let value = thought.report.values.get(seat).copied();
        let value = value.or_else(|| Some(thought.report.candidates.first()?.value));
        match name.and_then(|name| self.play.play(&thought.steps.0).map(|()| name)) {
            Ok(name) => self.record.plies.push(PlyRecord { seat, name, value, time }),
            Err(error) => {
                return self.lose(seat, End::Forfeit, &format!("plays an illegal move ({error})"));
            }
        }
        if !in_time && self.play.player().is_some() {
            return self.lose(seat, End::Time, "oversteps its time");
        }
        true
    }

    /// A player loses and all others win; says that the game does not go on.
    fn lose(&mut self, loser: usize, end: End, why: &str) -> bool {
        let seats = self.record.seats.len();
        let results = (0..seats).map(|seat| if seat == loser { 0.0 } else { 1.0 }).collect();
        let name = self.record.seats[loser].clone();
        self.end(end, results, || format!("{name} loses: {why}"));
        false
    }

    fn end(&mut self, end: End, results: Vec<f64>, reason: impl FnOnce() -> String) {
        self.record.end = end;
        self.record.results = results;
        self.record.reason = reason();
    }
}
