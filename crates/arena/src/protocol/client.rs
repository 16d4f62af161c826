//! A program from outside as a player.

use std::sync::Arc;
use std::time::{Duration, Instant};

use regulus_agents::{Agent, AgentError, Budget, Report, Task, Thought};
use regulus_engine::Move;
use regulus_game::{Game, Match};

use super::VERSION;
use crate::process::Program;

/// How long a program may think when there is no limit on time.
const LONGEST_THOUGHT: Duration = Duration::from_secs(600);

/// How many lines a program may write before an answer.
const MAX_LINES: usize = 10_000;

/// How long a program may take to end when it is told to.
const GOODBYE_TIME: Duration = Duration::from_millis(100);

/// How long programs are waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// To say hello, or that it is ready.
    pub start: Duration,
    /// What it may take beyond its time for a move.
    pub grace: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { start: Duration::from_secs(30), grace: Duration::from_secs(1) }
    }
}

/// A program that speaks the line protocol.
#[derive(Debug)]
pub struct ProgramPlayer {
    program: Program,
    game: Arc<Game>,
    patience: Patience,
    wants_legal: bool,
    /// The play as far as it was told; `None` before the start.
    told: Option<Match>,
}

impl ProgramPlayer {
    /// Starts a program and greets it.
    ///
    /// # Errors
    ///
    /// If it cannot be started, or does not answer as it should.
    pub fn start(
        words: &[String],
        game: &Arc<Game>,
        patience: Patience,
    ) -> Result<ProgramPlayer, AgentError> {
        let program = Program::start(words)?;
        let game = Arc::clone(game);
        let mut player = ProgramPlayer { program, game, patience, wants_legal: false, told: None };
        player.say(&format!("hello {VERSION}"))?;
        let answer = player.hear("hello ", Instant::now() + patience.start)?;
        let (version, rest) = answer.split_once(' ').unwrap_or((&answer, ""));
        if version != VERSION {
            let message = format!("speaks version `{version}` of the protocol, not {VERSION}");
            return Err(AgentError::Forfeit(message));
        }
        player.wants_legal = rest.ends_with("wants legal");
        Ok(player)
    }

    fn say(&mut self, line: &str) -> Result<(), AgentError> {
        Ok(self.program.write_line(line)?)
    }

    /// What stands behind a word in the next line that begins with it; lines with `info` are passed over.
    fn hear(&mut self, word: &str, deadline: Instant) -> Result<String, AgentError> {
        for _ in 0..MAX_LINES {
            let line = self.program.read_line(deadline)?;
            if let Some(rest) = line.strip_prefix(word) {
                return Ok(rest.trim().to_owned());
            }
            if !line.starts_with("info") && !line.trim().is_empty() {
                let line: String = line.chars().take(60).collect();
                let word = word.trim();
                return Err(AgentError::Forfeit(format!("answers `{line}` instead of `{word}`")));
            }
        }
        Err(AgentError::Forfeit("writes too many lines".to_owned()))
    }

    /// Tells it what kind of game begins.
    fn begin(&mut self, play: &Match) -> Result<Match, AgentError> {
        let game = Arc::clone(&self.game);
        let text = game.source().text();
        self.say(&format!("game {}", game.source().name()))?;
        self.say(&format!("rules {}", text.lines().count()))?;
        // In one piece, since a program may read slowly.
        self.say(&text.lines().collect::<Vec<_>>().join("\n"))?;
        if let Some(player) = play.player() {
            self.say(&format!("seat {}", game.player_look(player).name))?;
        }
        if let Some(seed) = play.seed() {
            self.say(&format!("seed {seed}"))?;
        }
        self.say("start")?;
        self.hear("ready", Instant::now() + self.patience.start)?;
        Ok(Match::from_state(&game, play.first_state().clone())?)
    }

    /// Tells it the moves that it does not know.
    fn tell(&mut self, play: &Match) -> Result<(), AgentError> {
        let known = self.told.take().filter(|told| play.line().starts_with(told.line()));
        let mut told = match known {
            Some(told) => told,
            None => self.begin(play)?,
        };
        let mut lines = Vec::new();
        for ply in &play.line()[told.line().len()..] {
            let seat = &self.game.player_look(ply.player).name;
            lines.push(format!("move {seat} {}", told.written(&ply.steps.0)?));
            told.play(&ply.steps.0)?;
        }
        if !lines.is_empty() {
            self.say(&lines.join("\n"))?;
        }
        self.told = Some(told);
        Ok(())
    }
}

impl Agent for ProgramPlayer {
    fn think(&mut self, play: &Match, task: &mut Task<'_>) -> Result<Thought, AgentError> {
        self.tell(play)?;
        let started = Instant::now();
        if self.wants_legal {
            let moves = play.moves()?;
            let mut lines = vec![format!("legal {}", moves.len())];
            for steps in moves.iter() {
                lines.push(play.written(steps)?);
            }
            self.say(&lines.join("\n"))?;
        }
        let Budget { time, iterations, .. } = task.budget;
        self.say(&match (time, iterations) {
            (Some(time), _) => format!("go seconds {}", time.as_secs_f64()),
            (None, Some(iterations)) => format!("go iterations {iterations}"),
            (None, None) => "go".to_owned(),
        })?;
        let answer = self.hear(
            "move ",
            started + time.map_or(LONGEST_THOUGHT, |time| time + self.patience.grace),
        )?;
        let index = play.find(&answer).map_err(|_| {
            let answer: String = answer.chars().take(60).collect();
            AgentError::Forfeit(format!("plays `{answer}`, which is not legal"))
        })?;
        let steps = Move::from(play.moves()?.get(index));
        let report =
            Report { line: vec![steps.clone()], time: started.elapsed(), ..Report::default() };
        Ok(Thought { steps, report })
    }

    fn forget(&mut self) {
        self.told = None;
    }
}

impl Drop for ProgramPlayer {
    fn drop(&mut self) {
        // A program that cannot be told is killed without.
        let _ = self.program.write_line("quit");
        self.program.say_goodbye(GOODBYE_TIME);
    }
}
