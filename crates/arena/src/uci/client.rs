//! A UCI engine as a player: another program, which is not trusted.
//!
//! Whatever it does wrong loses the game and ends it: it does not start, does not answer in time, floods, dies, or plays a move
//! that is not legal.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use regulus_agents::{Agent, AgentError, Budget, Report, Task, Thought};
use regulus_automaton::Id as _;
use regulus_engine::Move;
use regulus_game::{Game, Match};

use super::moves::MoveText;
use super::variants::{VARIANTS, known_elsewhere};
use crate::process::{Program, ProgramError};
use crate::protocol::Patience;

/// How long an engine may think when there is no limit on time.
const LONGEST_THOUGHT: Duration = Duration::from_secs(600);

/// How many lines an engine may write before an answer.
const MAX_LINES: usize = 100_000;

/// How often it is looked whether thinking has to end, while the engine writes nothing.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// How often reports are made.
const BETWEEN_REPORTS: Duration = Duration::from_millis(100);

/// How long an engine may take to end when it is told to.
const GOODBYE_TIME: Duration = Duration::from_millis(100);

/// How many moves of an engine's line are kept.
const LONGEST_LINE: usize = 40;

/// A UCI engine as users name it: `uci:fairy-stockfish?Skill Level=5&Threads=1`.
///
/// Before `?` stands the program with its arguments, between spaces; behind it the engine's options. The names `seconds`,
/// `iterations` and `depth` are no options of the engine but say how long it thinks about a move.
///
/// # Examples
///
/// ```
/// use regulus_arena::uci::UciSpec;
///
/// let spec: UciSpec = "uci:fairy-stockfish?Skill Level=5&Threads=1".parse()?;
/// assert_eq!(spec.options()[0], ("Skill Level".to_owned(), "5".to_owned()));
/// assert_eq!(spec.to_string(), "uci:fairy-stockfish?Skill Level=5&Threads=1");
/// # Ok::<(), regulus_arena::uci::BadUciSpec>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UciSpec {
    text: String,
    words: Vec<String>,
    options: Vec<(String, String)>,
    budget: Budget,
}

/// Why a text names no UCI engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadUciSpec(String);

impl fmt::Display for BadUciSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadUciSpec {}

impl UciSpec {
    /// The name or the path of the program.
    pub(crate) fn program(&self) -> &str {
        self.words.first().map(String::as_str).unwrap_or_default()
    }

    /// What the engine is told to set, in order.
    #[must_use]
    pub fn options(&self) -> &[(String, String)] {
        &self.options
    }

    /// The budget that the text says, or else the given one.
    #[must_use]
    pub fn budget_or(&self, otherwise: Budget) -> Budget {
        if self.budget.is_endless() { otherwise } else { self.budget }
    }
}

impl fmt::Display for UciSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for UciSpec {
    type Err = BadUciSpec;

    fn from_str(text: &str) -> Result<UciSpec, BadUciSpec> {
        let text = text.trim();
        let body = text.strip_prefix("uci:").unwrap_or(text);
        let (command, settings) = body.split_once('?').unwrap_or((body, ""));
        let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() {
            return Err(BadUciSpec("`uci:` lacks the program: `uci:fairy-stockfish`".to_owned()));
        }
        if text.contains(char::is_control) {
            return Err(BadUciSpec("an engine is named in one line".to_owned()));
        }
        let (mut options, mut budget) = (Vec::new(), Budget::default());
        for setting in settings.split('&').filter(|setting| !setting.is_empty()) {
            let (name, value) = setting.split_once('=').ok_or_else(|| {
                BadUciSpec(format!("`{setting}` is not an option: write NAME=VALUE"))
            })?;
            let (name, value) = (name.trim(), value.trim());
            let bad = || BadUciSpec(format!("`{name}` cannot be `{value}`"));
            match name {
                "seconds" => {
                    let seconds = value.parse().ok().filter(|s| (0.001..=86_400.0).contains(s));
                    budget.time = Some(Duration::from_secs_f64(seconds.ok_or_else(bad)?));
                }
                "iterations" => {
                    let count = value.parse().ok().filter(|&count| count > 0);
                    budget.iterations = Some(count.ok_or_else(bad)?);
                }
                "depth" => {
                    let depth = value.parse().ok().filter(|&depth| depth > 0);
                    budget.depth = Some(depth.ok_or_else(bad)?);
                }
                name => options.push((name.to_owned(), value.to_owned())),
            }
        }
        Ok(UciSpec { text: text.to_owned(), words, options, budget })
    }
}

/// A UCI engine that plays a game.
#[derive(Debug)]
pub struct UciPlayer {
    /// `None` once it has failed: it is killed then.
    program: Option<Program>,
    game: Arc<Game>,
    text: MoveText,
    patience: Patience,
    /// The play as far as its moves are written down in `names`.
    known: Option<(Match, Vec<String>)>,
    is_new_game: bool,
}

/// What an engine said about itself.
#[derive(Debug, Default)]
struct Greeting {
    /// The values of `UCI_Variant`; `None` if it has no such option.
    variants: Option<Vec<String>>,
}

impl UciPlayer {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    ///
    /// If it cannot be started, does not answer as it should, or does not know the game.
    pub fn start(
        spec: &UciSpec,
        game: &Arc<Game>,
        patience: Patience,
    ) -> Result<UciPlayer, AgentError> {
        let forfeit_because = |reason: String| AgentError::Forfeit(reason);
        let text = MoveText::new(game).map_err(|unfit| forfeit_because(unfit.to_string()))?;
        let program = Some(Program::start(&spec.words)?);
        let game = Arc::clone(game);
        let mut player =
            UciPlayer { program, game, text, patience, known: None, is_new_game: true };
        player.say("uci")?;
        let greeting = player.greeting()?;
        for (name, value) in &spec.options {
            let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
            player.say(&format!("setoption name {name}{value}"))?;
        }
        let is_variant_given =
            spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("UCI_Variant"));
        if !is_variant_given {
            player.set_variant(&greeting)?;
        }
        player.await_ready()?;
        Ok(player)
    }

    /// Tells it which game is played.
    fn set_variant(&mut self, greeting: &Greeting) -> Result<(), AgentError> {
        let file = self.game.source().name();
        let ours = VARIANTS.iter().find(|variant| {
            let name = regulus_game::bundled::find(variant.game);
            name.is_some_and(|source| source.name() == file)
        });
        let wanted = known_elsewhere(file).or(ours.map(|variant| variant.name));
        let known = wanted.filter(|wanted| match &greeting.variants {
            Some(variants) => variants.iter().any(|variant| variant == wanted),
            None => *wanted == "chess",
        });
        match known {
            Some(_) if greeting.variants.is_none() => Ok(()),
            Some(name) => self.say(&format!("setoption name UCI_Variant value {name}")),
            None => Err(self.fail(format!("does not know the game {file}"))),
        }
    }

    /// What it says about itself, up to `uciok`.
    fn greeting(&mut self) -> Result<Greeting, AgentError> {
        let mut greeting = Greeting::default();
        let deadline = Instant::now() + self.patience.start;
        for _ in 0..MAX_LINES {
            let line = self.hear(deadline)?;
            if line.trim() == "uciok" {
                return Ok(greeting);
            }
            if let Some(rest) = line.trim().strip_prefix("option name UCI_Variant type combo") {
                let mut words = rest.split_whitespace();
                let variants = greeting.variants.get_or_insert_default();
                while let Some(word) = words.next() {
                    if word == "var" {
                        variants.extend(words.next().map(str::to_owned));
                    }
                }
            }
        }
        Err(self.fail("writes too many lines"))
    }

    fn await_ready(&mut self) -> Result<(), AgentError> {
        self.say("isready")?;
        let deadline = Instant::now() + self.patience.start;
        for _ in 0..MAX_LINES {
            if self.hear(deadline)?.trim() == "readyok" {
                return Ok(());
            }
        }
        Err(self.fail("writes too many lines"))
    }

    /// Kills the engine; what it did loses the game.
    fn fail(&mut self, reason: impl fmt::Display) -> AgentError {
        self.program = None;
        AgentError::Forfeit(reason.to_string())
    }

    fn say(&mut self, line: &str) -> Result<(), AgentError> {
        let program = self.program.as_mut().ok_or(ProgramError::Ended);
        let said = program.and_then(|program| program.write_line(line));
        said.map_err(|error| self.fail(error))
    }

    fn hear(&mut self, deadline: Instant) -> Result<String, AgentError> {
        self.try_hear(deadline).map_err(|error| self.fail(error))
    }

    fn try_hear(&mut self, deadline: Instant) -> Result<String, ProgramError> {
        let program = self.program.as_mut().ok_or(ProgramError::Ended)?;
        program.read_line(deadline)
    }

    /// Tells it the position.
    fn tell(&mut self, play: &Match) -> Result<(), AgentError> {
        if std::mem::take(&mut self.is_new_game) {
            self.say("ucinewgame")?;
            self.await_ready()?;
        }
        let known = self.known.take().filter(|(known, _)| {
            known.first_state() == play.first_state() && play.line().starts_with(known.line())
        });
        let (mut known, mut names) = match known {
            Some(known) => known,
            None => (Match::from_state(&self.game, play.first_state().clone())?, Vec::new()),
        };
        for ply in &play.line()[known.line().len()..] {
            let name = self.text.name(&known, &ply.steps.0)?;
            let name = name.ok_or_else(|| {
                AgentError::Forfeit("cannot be told a move that UCI does not know".to_owned())
            })?;
            names.push(name);
            known.play(&ply.steps.0)?;
        }
        let mut line = format!("position {}", self.start_position(play)?);
        if !names.is_empty() {
            line += " moves ";
            line += &names.join(" ");
        }
        self.known = Some((known, names));
        self.say(&line)
    }

    /// How the position is called that the play began with.
    fn start_position(&self, play: &Match) -> Result<String, AgentError> {
        if *play.first_state() == *Match::new(&self.game)?.state() {
            return Ok("startpos".to_owned());
        }
        let first = Match::from_state(&self.game, play.first_state().clone())?;
        if let Some(fen) = first.fen() {
            return Ok(format!("fen {fen}"));
        }
        // Our own texts begin as those of others where every piece is a letter.
        let position = first.position();
        let board = position.split_whitespace().next().unwrap_or_default();
        let is_plain = board.chars().all(|c| c.is_ascii_alphanumeric() || c == '/');
        match first.player() {
            Some(player) if is_plain => {
                let mover = if player.index() == 0 { "w" } else { "b" };
                Ok(format!("fen {board} {mover} - - 0 1"))
            }
            _ => Err(AgentError::Forfeit("cannot be told this position".to_owned())),
        }
    }

    /// Waits for the move; what is said about it meanwhile becomes a report.
    fn answer(&mut self, play: &Match, task: &mut Task<'_>) -> Result<Thought, AgentError> {
        let started = Instant::now();
        let allowed = task.budget.time.unwrap_or(LONGEST_THOUGHT) + self.patience.grace;
        let mut deadline = started + allowed;
        let (mut is_stopped, mut shown) = (false, started);
        let mut report = Report::default();
        for _ in 0..MAX_LINES {
            let line = loop {
                if !is_stopped && task.stop.is_stopped() {
                    is_stopped = true;
                    deadline = deadline.min(Instant::now() + self.patience.grace);
                    self.say("stop")?;
                }
                let next_look = Instant::now() + BETWEEN_LOOKS;
                match self.try_hear(next_look.min(deadline)) {
                    Ok(line) => break line,
                    Err(ProgramError::Late) if Instant::now() < deadline => {}
                    Err(error) => return Err(self.fail(error)),
                }
            };
            let mut words = line.split_whitespace();
            match words.next() {
                Some("bestmove") => {
                    report.time = started.elapsed();
                    return self.chosen(play, words.next().unwrap_or_default(), report);
                }
                Some("info") => {
                    self.note(play, words, &mut report);
                    report.time = started.elapsed();
                    if let Some(watch) = &mut task.watch
                        && shown.elapsed() >= BETWEEN_REPORTS
                    {
                        shown = Instant::now();
                        watch(&report);
                    }
                }
                _ => {}
            }
        }
        Err(self.fail("writes too many lines"))
    }

    /// The move that the engine has chosen.
    fn chosen(
        &mut self,
        play: &Match,
        name: &str,
        mut report: Report,
    ) -> Result<Thought, AgentError> {
        let Some(index) = self.text.find(play, name)? else {
            let name: String = name.chars().take(20).collect();
            return Err(self.fail(format!("plays `{name}`, which is not legal")));
        };
        let steps = Move::from(play.moves()?.get(index));
        if report.line.first() != Some(&steps) {
            report.line = vec![steps.clone()];
        }
        Ok(Thought { steps, report })
    }

    /// Notes what an `info` line says.
    fn note<'l>(
        &self,
        play: &Match,
        mut words: impl Iterator<Item = &'l str>,
        report: &mut Report,
    ) {
        while let Some(word) = words.next() {
            match word {
                "depth" => report.depth = number(words.next()).unwrap_or(report.depth),
                "nodes" => report.iterations = number(words.next()).unwrap_or(report.iterations),
                "score" => {
                    let value = match (words.next(), number::<f64>(words.next())) {
                        (Some("cp"), Some(score)) => 1.0 / (1.0 + 10f64.powf(-score / 400.0)),
                        (Some("mate"), Some(moves)) => f64::from(u8::from(moves > 0.0)),
                        _ => continue,
                    };
                    if let Some(player) = play.player() {
                        report.values = vec![1.0 - value; self.game.player_count()];
                        report.values[player.index()] = value;
                    }
                }
                "pv" => {
                    report.line = self.line(play, &mut words);
                    return;
                }
                // The rest of the line is for people.
                "string" => return,
                _ => {}
            }
        }
    }

    /// The moves with these names, as far as they are legal.
    fn line<'l>(&self, play: &Match, names: &mut impl Iterator<Item = &'l str>) -> Vec<Move> {
        let (mut play, mut line) = (play.from_here(), Vec::new());
        for name in names.take(LONGEST_LINE) {
            let Ok(Some(index)) = self.text.find(&play, name) else { break };
            let Ok(moves) = play.moves() else { break };
            line.push(Move::from(moves.get(index)));
            if play.play_index(index).is_err() {
                break;
            }
        }
        line
    }
}

fn number<T: FromStr>(word: Option<&str>) -> Option<T> {
    word.and_then(|word| word.parse().ok())
}

impl Agent for UciPlayer {
    fn think(&mut self, play: &Match, task: &mut Task<'_>) -> Result<Thought, AgentError> {
        if play.moves()?.is_empty() {
            return Err(AgentError::Forfeit("the game is over".to_owned()));
        }
        self.tell(play)?;
        let Budget { time, iterations, depth } = task.budget;
        let mut go = "go".to_owned();
        if let Some(time) = time {
            go += &format!(" movetime {}", time.as_millis().max(1));
        }
        if let Some(iterations) = iterations {
            go += &format!(" nodes {iterations}");
        }
        if let Some(depth) = depth {
            go += &format!(" depth {depth}");
        }
        if task.budget.is_endless() {
            go += " infinite";
        }
        self.say(&go)?;
        self.answer(play, task)
    }

    fn forget(&mut self) {
        self.is_new_game = true;
        self.known = None;
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        if let Some(program) = &mut self.program {
            // A program that cannot be told is killed without.
            let _ = program.write_line("quit");
            program.say_goodbye(GOODBYE_TIME);
        }
    }
}
