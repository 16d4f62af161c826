//! Games between computers that are played in the background: which player is better, or what a game is like.
//!
//! Every opening of two random moves is played from every seat. A series is kept in memory only.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use regulus_agents::{Agent, AgentError, Budget, PlayerSpec, Stop, Task};
use regulus_arena::Score;
use regulus_automaton::Id as _;
use regulus_engine::splitmix;
use regulus_game::{Game, Match};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::extract::{object, whole};
use crate::library::GameReference;
use crate::limits;
use crate::live::player;
use crate::nets::NetShelf;
use crate::refusal::Refusal;
use crate::think::{JobProgress, SLICE, ThinkLine};
use crate::tutor::Thinkers;

/// How many random moves every game begins with.
const OPENING: usize = 2;

/// What a player may do for a move whose options do not say.
const USUAL_ITERATIONS: u64 = 400;

/// How long a player thinks about a move at most.
const LONGEST: Duration = Duration::from_millis(500);

/// What a client asks for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeriesRequest {
    #[serde(deserialize_with = "object")]
    pub(crate) game: GameReference,
    players: Vec<String>,
    #[serde(deserialize_with = "whole")]
    games: u32,
    pub(crate) client: String,
}

/// All series, by their names.
#[derive(Debug, Default)]
pub(crate) struct SeriesShelf {
    all: Mutex<HashMap<String, Arc<Series>>>,
}

/// Games between the same players.
#[derive(Debug)]
pub(crate) struct Series {
    pub(crate) id: String,
    /// The client who wants it.
    host: String,
    began: Instant,
    players: Vec<PlayerSpec>,
    games: u32,
    stop: Stop,
    table: Mutex<SeriesTable>,
}

/// How far it is.
#[derive(Debug, Default)]
struct SeriesTable {
    /// The points of each player.
    scores: Vec<Score>,
    /// The points of each seat.
    seats: Vec<f64>,
    results: Vec<SeriesResult>,
    /// In how many positions the legal moves were counted, and how many there were.
    positions: u64,
    moves: u64,
    is_over: bool,
    /// Whether players learn the game before.
    is_learning: bool,
    /// Why it ended early.
    notice: Option<String>,
}

/// How a game ended.
#[derive(Debug)]
struct SeriesResult {
    /// The player on each seat.
    players: Vec<usize>,
    results: Vec<f64>,
    plies: usize,
    reason: String,
}

impl SeriesShelf {
    /// Starts a series; the one that the client had before ends.
    pub(crate) fn start(
        &self,
        id: String,
        request: SeriesRequest,
        game: Arc<Game>,
        thinkers: &Thinkers,
    ) -> Result<Arc<Series>, Refusal> {
        let SeriesRequest { game: reference, players, games, client: host } = request;
        let (wanted, given) = (game.player_count(), players.len());
        if wanted != given {
            return Err(Refusal::bad(format!(
                "the game has {wanted} players, but {given} are given"
            )));
        }
        let most = limits::SERIES_GAMES;
        if !(1..=most).contains(&games) {
            return Err(Refusal::bad(format!("`games` is {games}; it can be from 1 to {most}")));
        }
        let read = |text: &String| {
            let spec = player(text, &thinkers.nets)?;
            spec.check(&game).map_err(|error| Refusal::bad(error.to_string()))?;
            Ok(spec)
        };
        let players = players.iter().map(read).collect::<Result<Vec<_>, Refusal>>()?;
        let series = Arc::new(Series {
            id,
            host,
            began: Instant::now(),
            table: Mutex::new(SeriesTable {
                scores: vec![Score::default(); wanted],
                seats: vec![0.0; wanted],
                ..SeriesTable::default()
            }),
            players,
            games,
            stop: Stop::new(),
        });
        self.insert(&series)?;
        let mut job = SeriesJob { series: Arc::clone(&series), game, playing: None };
        let mut agents = job.agents(0);
        if agents.iter().all(|agent| agent.is_prepared()) {
            thinkers.pool.add(ThinkLine::Series, move || job.work());
            return Ok(series);
        }
        series.table().is_learning = true;
        let (pool, game) = (thinkers.pool.clone(), Arc::clone(&job.game));
        let learnt = thinkers.tutor.learn(&game, reference.is_untrusted(), move || {
            if !job.series.stop.is_stopped() {
                agents.iter_mut().for_each(|agent| agent.prepare());
            }
            job.series.table().is_learning = false;
            pool.add(ThinkLine::Series, move || job.work());
        });
        if learnt.is_err() {
            series.stop.stop();
            series.table().is_over = true;
        }
        learnt.map(|()| series)
    }

    fn insert(&self, series: &Arc<Series>) -> Result<(), Refusal> {
        let mut all = self.all();
        for other in all.values().filter(|other| other.host == series.host) {
            other.stop.stop();
        }
        let is_open = |other: &&Arc<Series>| !other.stop.is_stopped() && !other.table().is_over;
        let most = limits::SERIES_AT_A_TIME;
        if all.values().filter(is_open).count() >= most {
            return Err(Refusal::busy(format!(
                "{most} series are being played, and no more fit; try again later"
            )));
        }
        if all.len() >= limits::SERIES_KEPT {
            let oldest = all.values().filter(|other| !is_open(other)).min_by_key(|one| one.began);
            if let Some(id) = oldest.map(|oldest| oldest.id.clone()) {
                all.remove(&id);
            }
        }
        all.insert(series.id.clone(), Arc::clone(series));
        Ok(())
    }

    /// A series by its name.
    pub(crate) fn find(&self, id: &str) -> Result<Arc<Series>, Refusal> {
        let missing = || Refusal::missing("there is no such series; it may have been long ago");
        self.all().get(id).cloned().ok_or_else(missing)
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Arc<Series>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Series {
    fn table(&self) -> MutexGuard<'_, SeriesTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends it after the move that is being thought about.
    pub(crate) fn end(&self, client: &str) -> Result<(), Refusal> {
        if self.host != client {
            return Err(Refusal::forbidden("only who started a series can end it"));
        }
        self.stop.stop();
        Ok(())
    }

    /// How far it is, for a client.
    pub(crate) fn to_json(&self) -> Value {
        let table = self.table();
        let score = |(player, score): (&PlayerSpec, &Score)| {
            let (low, high) = score.interval();
            json!({
                "player": player.to_string(),
                "wins": score.wins, "draws": score.draws, "losses": score.losses,
                "points": score.points(), "low": low, "high": high,
            })
        };
        let scores: Vec<Value> = self.players.iter().zip(&table.scores).map(score).collect();
        let played = table.results.len();
        let plies = || table.results.iter().map(|result| result.plies);
        let drawn = table.results.iter().filter(|result| {
            let first = result.results.first();
            result.results.iter().all(|points| Some(points) == first)
        });
        let result = |result: &SeriesResult| {
            json!({
                "players": result.players, "results": result.results,
                "plies": result.plies, "reason": result.reason,
            })
        };
        json!({
            "id": self.id,
            "games": self.games,
            "played": played,
            "over": table.is_over,
            "learning": table.is_learning,
            "scores": scores,
            "seats": table.seats,
            "drawn": drawn.count(),
            "plies": {
                "mean": plies().sum::<usize>() as f64 / played.max(1) as f64,
                "least": plies().min(), "most": plies().max(),
            },
            "choices": table.moves as f64 / table.positions.max(1) as f64,
            "results": table.results.iter().map(result).collect::<Vec<_>>(),
            "notice": table.notice,
        })
    }
}

/// What plays a series, a slice at a time.
struct SeriesJob {
    series: Arc<Series>,
    game: Arc<Game>,
    playing: Option<SeriesGame>,
}

/// The game of a series that is being played.
struct SeriesGame {
    play: Match,
    /// The player on each seat.
    players: Vec<usize>,
    agents: Vec<Box<dyn Agent>>,
    /// Who plays the first moves.
    opener: Box<dyn Agent>,
    /// In how many positions the moves were counted, and how many there were.
    positions: u64,
    moves: u64,
}

impl SeriesJob {
    fn work(&mut self) -> JobProgress {
        let began = Instant::now();
        while began.elapsed() < SLICE {
            match self.step() {
                Ok(JobProgress::Again) => {}
                Ok(JobProgress::Done) => {
                    self.series.table().is_over = true;
                    return JobProgress::Done;
                }
                Err(refusal) => {
                    let mut table = self.series.table();
                    table.is_over = true;
                    table.notice = Some(refusal.message);
                    return JobProgress::Done;
                }
            }
        }
        JobProgress::Again
    }

    /// Makes a move, begins a game or ends one.
    fn step(&mut self) -> Result<JobProgress, Refusal> {
        if self.series.stop.is_stopped() {
            return Ok(JobProgress::Done);
        }
        let Some(playing) = &mut self.playing else {
            let number = self.series.table().results.len();
            if number >= self.series.games as usize {
                return Ok(JobProgress::Done);
            }
            self.playing = Some(self.begin(number)?);
            return Ok(JobProgress::Again);
        };
        let is_long = playing.play.line().len() >= limits::SERIES_PLIES;
        if playing.play.player().is_some() && !is_long {
            playing.make_move(&self.series)?;
        } else if let Some(playing) = self.playing.take() {
            self.series.table().add(playing);
        }
        Ok(JobProgress::Again)
    }

    /// The players, in the order in which they were given.
    fn agents(&self, seed: u64) -> Vec<Box<dyn Agent>> {
        let megabytes = limits::USUAL_MEGABYTES;
        let create = |player: &PlayerSpec| player.with_memory(megabytes).create(&self.game, seed);
        self.series.players.iter().map(create).collect()
    }

    /// Begins a game: every opening from every seat.
    fn begin(&self, number: usize) -> Result<SeriesGame, Refusal> {
        let count = self.series.players.len();
        let (opening, shift) = ((number / count) as u64, number % count);
        let seed = splitmix::finalise(opening + 1);
        let play = if self.game.has_chance() {
            Match::seeded(&self.game, seed)?
        } else {
            Match::new(&self.game)?
        };
        let players: Vec<usize> = (0..count).map(|seat| (seat + shift) % count).collect();
        let mut agents: Vec<Option<Box<dyn Agent>>> =
            self.agents(seed).into_iter().map(Some).collect();
        Ok(SeriesGame {
            play,
            agents: players.iter().filter_map(|&number| agents[number].take()).collect(),
            players,
            opener: player("random", &NetShelf::default())?.create(&self.game, seed),
            positions: 0,
            moves: 0,
        })
    }
}

impl SeriesGame {
    fn make_move(&mut self, series: &Series) -> Result<(), Refusal> {
        let Some(player) = self.play.player() else { return Ok(()) };
        if self.play.is_named()? {
            self.positions += 1;
            self.moves += self.play.moves()?.len() as u64;
        }
        let number = self.players[player.index()];
        let spec = &series.players[number];
        // Levels have their own bounds.
        let has_level = spec.given("level").is_some();
        let iterations = (!has_level).then_some(USUAL_ITERATIONS);
        let mut budget = spec.budget_or(Budget { iterations, ..Budget::default() });
        budget.time = Some(budget.time.map_or(LONGEST, |time| time.min(LONGEST)));
        let agent = if self.play.line().len() < OPENING {
            &mut self.opener
        } else {
            &mut self.agents[player.index()]
        };
        let mut task = Task::new(budget);
        task.stop = series.stop.clone();
        let thought = agent.think(&self.play, &mut task).map_err(|error| match error {
            AgentError::Game(error) => error.into(),
            AgentError::Forfeit(reason) => Refusal::bad(reason),
        })?;
        self.play.play(&thought.steps.0)?;
        Ok(())
    }
}

impl SeriesTable {
    /// Adds a game that is over, or was cut short.
    fn add(&mut self, played: SeriesGame) {
        let SeriesGame { play, players, positions, moves, .. } = played;
        let (results, reason) = match play.outcome().over() {
            Some(over) => (over.results.clone(), over.to_string()),
            None => {
                let most = limits::SERIES_PLIES;
                let even = vec![1.0 / players.len() as f64; players.len()];
                (even, format!("cut short after {most} moves"))
            }
        };
        for (seat, &player) in players.iter().enumerate() {
            self.scores[player].add(results[seat]);
            self.seats[seat] += results[seat];
        }
        self.positions += positions;
        self.moves += moves;
        self.results.push(SeriesResult { players, results, plies: play.line().len(), reason });
    }
}
