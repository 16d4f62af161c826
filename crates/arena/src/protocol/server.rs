//! A built-in player as a program: the other side of the protocol.

use std::io::{BufRead, Write};
use std::sync::Arc;
use std::time::Duration;

use regulus_agents::{Agent, Budget, PlayerSpec, Task};
use regulus_automaton::Id as _;
use regulus_game::{Error, Game, Match};

use super::VERSION;
use crate::lines::{Line, read_line};

/// The longest line that is read.
const MAX_LINE: usize = 1 << 20;

/// How many lines of rules are skipped at most.
const MAX_RULES: usize = 1_000_000;

/// Answers the arena's lines until it says `quit` or there are no more.
///
/// # Errors
///
/// If nothing can be read or written any more. What the lines say wrong is answered with `error` and the reason.
///
/// # Examples
///
/// ```
/// use regulus_agents::Budget;
/// use regulus_arena::protocol;
/// use regulus_game::{Config, Game};
///
/// let game = Game::load("tic_tac_toe", &Config::default()).expect("it is bundled");
/// let spec = "uct".parse().expect("a player");
/// let (said, mut answers) = ("hello 1\nstart\nmove crosses b2\ngo iterations 100\nquit\n", Vec::new());
/// protocol::serve(&game, &spec, 1, said.as_bytes(), &mut answers)?;
/// let answers = String::from_utf8_lossy(&answers);
/// assert!(answers.contains("ready\n") && answers.contains("\nmove "), "{answers}");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn serve(
    game: &Arc<Game>,
    spec: &PlayerSpec,
    seed: u64,
    mut input: impl BufRead,
    mut output: impl Write,
) -> std::io::Result<()> {
    let mut session =
        Session { game, spec, agent: spec.create(game, seed), play: None, chance: None, skip: 0 };
    loop {
        let line = match read_line(&mut input, MAX_LINE)? {
            Line::Text(line) => line,
            Line::TooLong => {
                writeln!(output, "error a line has more than {MAX_LINE} bytes")?;
                output.flush()?;
                continue;
            }
            Line::End => break,
        };
        let line = line.trim_end();
        if session.skip > 0 {
            session.skip -= 1;
            continue;
        }
        if line == "quit" {
            break;
        }
        match session.answer(line) {
            Ok(answer) => output.write_all(answer.as_bytes())?,
            Err(problem) => writeln!(output, "error {}", problem.replace('\n', " "))?,
        }
        output.flush()?;
    }
    Ok(())
}

/// A game that is played over the protocol.
struct Session<'a> {
    game: &'a Arc<Game>,
    spec: &'a PlayerSpec,
    agent: Box<dyn Agent>,
    play: Option<Match>,
    /// What chance arranges the pieces by.
    chance: Option<u64>,
    /// How many lines to pass over: rules that are known, lists that are not needed.
    skip: usize,
}

impl Session<'_> {
    fn answer(&mut self, line: &str) -> Result<String, String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let said = |error: Error| error.to_string();
        match word {
            "" | "game" | "seat" | "over" => {}
            "hello" => return Ok(format!("hello {VERSION} regulus {}\n", self.spec)),
            "rules" => self.skip = count(rest)?,
            "legal" if !rest.is_empty() => self.skip = count(rest)?,
            "seed" => {
                self.chance = Some(rest.parse().map_err(|_| format!("`{rest}` is not a seed"))?)
            }
            "start" => {
                let play = match self.chance.take() {
                    Some(seed) => Match::seeded(self.game, seed),
                    None => Match::new(self.game),
                };
                self.play = Some(play.map_err(said)?);
                self.agent.forget();
                self.game.rules().wait();
                self.agent.prepare();
                return Ok("ready\n".to_owned());
            }
            "move" => {
                let name = rest.split_once(' ').map_or(rest, |(_, name)| name);
                self.play()?.play_named(name).map_err(said)?;
            }
            "legal" => {
                let play = self.play()?;
                let moves = play.moves().map_err(said)?;
                let mut answer = format!("legal {}\n", moves.len());
                for steps in moves.iter() {
                    answer.push_str(&play.written(steps).map_err(said)?);
                    answer.push('\n');
                }
                return Ok(answer);
            }
            "status" => {
                let play = self.play()?;
                return Ok(match play.outcome().over() {
                    None => format!("status {}\n", play.outcome()),
                    Some(over) => format!("status over {:?} {over}\n", over.results),
                });
            }
            "go" => return self.go(rest),
            _ => return Err(format!("`{word}` means nothing here")),
        }
        Ok(String::new())
    }

    fn play(&mut self) -> Result<&mut Match, String> {
        self.play.as_mut().ok_or_else(|| "say `start` first".to_owned())
    }

    fn go(&mut self, rest: &str) -> Result<String, String> {
        let budget = match rest.split_once(' ') {
            Some(("seconds", number)) => {
                let seconds: Option<f64> = number.parse().ok();
                let seconds = seconds.filter(|seconds| (0.0..=86_400.0).contains(seconds));
                let seconds =
                    seconds.ok_or_else(|| format!("`{number}` is not a time in seconds"))?;
                Budget::time(Duration::from_secs_f64(seconds))
            }
            Some(("iterations", number)) => Budget::iterations(count(number)? as u64),
            _ => Budget::time(Duration::from_secs(1)),
        };
        let budget = self.spec.budget_or(budget);
        let Some(play) = &self.play else { return Err("say `start` first".to_owned()) };
        let Some(player) = play.player() else {
            return Err(format!("the game is over: {}", play.outcome()));
        };
        let thought =
            self.agent.think(play, &mut Task::new(budget)).map_err(|error| error.to_string())?;
        let name = play.written(&thought.steps.0).map_err(|error| error.to_string())?;
        let report = &thought.report;
        let value = report.values.get(player.index());
        let value = value.map_or(String::new(), |value| format!(" value {value:.3}"));
        let (iterations, seconds) = (report.iterations, report.time.as_secs_f64());
        Ok(format!("info iterations {iterations} seconds {seconds:.3}{value}\nmove {name}\n"))
    }
}

fn count(text: &str) -> Result<usize, String> {
    let count: Option<usize> = text.parse().ok();
    count
        .filter(|&count| count <= MAX_RULES)
        .ok_or_else(|| format!("`{text}` is not a number up to {MAX_RULES}"))
}
