//! Who sits at the table: people and computers.

use std::sync::Arc;
use std::thread::JoinHandle;

use regulus_agents::{Agent, Budget, PlayerSpec, Report, Task, Thought};
use regulus_arena::{Contestant, Transcript};
use regulus_automaton::{Id as _, Player};
use regulus_engine::Move;
use regulus_game::{Error, Game, Match};

use crate::args;
use crate::failure::Failure;
use crate::output::say;

/// What a person is called in lists of players and in transcripts.
pub(super) const PERSON: &str = "person";
/// The word for the computer as the other options say.
const COMPUTER: &str = "computer";
/// How well the computer plays unless told.
const LEVEL: u8 = 5;

/// How many moves of a line are shown, and how many that were considered.
const LONGEST_LINE: usize = 6;
const MOST_CONSIDERED: usize = 5;

/// Someone who plays.
pub(super) enum Participant {
    Person,
    Computer(Box<Computer>),
}

impl Participant {
    pub(super) fn name(&self) -> String {
        match self {
            Participant::Person => PERSON.to_owned(),
            Participant::Computer(computer) => computer.contestant.to_string(),
        }
    }

    pub(super) fn is_person(&self) -> bool {
        matches!(self, Participant::Person)
    }
}

/// What was asked for: a name for each player of the game.
pub(super) fn chosen(
    game: &Game,
    args: &args::Play,
    resumed: Option<&Transcript>,
    has_people: bool,
) -> Result<Vec<String>, Failure> {
    let level = args.level.unwrap_or(LEVEL);
    let computer = args.opponent.clone().unwrap_or_else(|| format!("auto?level={level}"));
    let count = game.player_count();
    if !args.players.is_empty() {
        if args.players.len() != count {
            let given = args.players.len();
            return Err(Failure::usage(format!(
                "the game has {count} players, and {given} are given: `--players {}`",
                vec![PERSON; count].join(",")
            )));
        }
        let name = |name: &String| match name.trim() {
            COMPUTER => computer.clone(),
            name => name.to_owned(),
        };
        return Ok(args.players.iter().map(name).collect());
    }
    let own = match &args.human {
        Some(name) => Some(named(game, name)?),
        None => None,
    };
    let seats = game.automaton().looks.players.iter();
    Ok(seats
        .map(|(player, look)| match (resumed, own) {
            _ if own == Some(player) => PERSON.to_owned(),
            _ if args.watch => computer.clone(),
            (Some(transcript), _) => {
                let sat = transcript.players.iter().find(|(seat, _)| *seat == look.name);
                let name = sat.map_or("", |(_, name)| name.as_str());
                if name == PERSON && own.is_none() {
                    return PERSON.to_owned();
                }
                let is_told = args.level.is_some() || args.opponent.is_some();
                if !is_told && name.parse::<PlayerSpec>().is_ok() {
                    return name.to_owned();
                }
                // A file does not say which programs are started here.
                if !is_told && name.parse::<Contestant>().is_ok() {
                    say!(
                        "{} was `{name}`, which `--players` can ask for; it is {computer} now.",
                        look.name
                    );
                }
                computer.clone()
            }
            (None, None) if has_people && player.index() == 0 => PERSON.to_owned(),
            _ => computer.clone(),
        })
        .collect())
}

/// The player of a game with this name.
fn named(game: &Game, name: &str) -> Result<Player, Failure> {
    let looks = &game.automaton().looks.players;
    let shown = || looks.iter().find(|(_, look)| look.name == name).map(|(player, _)| player);
    game.player(name).or_else(shown).ok_or_else(|| {
        let names: Vec<&str> = looks.values().map(|look| look.name.as_str()).collect();
        Failure::usage(format!("there is no player `{name}`; there are: {}", names.join(", ")))
    })
}

/// A computer at the table.
pub(super) struct Computer {
    contestant: Contestant,
    budget: Budget,
    mind: Mind,
    /// What it thought about its last move.
    pub(super) opinion: Option<Opinion>,
}

/// A player that gets ready in the background, since that may take seconds.
enum Mind {
    Learning(JoinHandle<Box<dyn Agent>>),
    Ready(Box<dyn Agent>),
    Lost,
}

impl Computer {
    /// A player as it was named, which begins to learn the game.
    pub(super) fn new(
        name: &str,
        game: &Arc<Game>,
        budget: Budget,
        seed: u64,
    ) -> Result<Computer, Failure> {
        let contestant: Contestant =
            name.parse().map_err(|error| Failure::usage(format!("{error}")))?;
        contestant.check(game).map_err(|error| Failure::bad_input(error.to_string()))?;
        let agent = contestant.create(game, seed);
        let mut agent = agent.map_err(|error| Failure::bad_input(error.to_string()))?;
        let learning = std::thread::Builder::new().name("learning".to_owned()).spawn(move || {
            agent.prepare();
            agent
        });
        let learning = learning
            .map_err(|error| Failure::bad_input(format!("cannot start a thread: {error}")))?;
        let budget = contestant.budget_or(budget);
        Ok(Computer { contestant, budget, mind: Mind::Learning(learning), opinion: None })
    }

    /// Whether it is still getting ready.
    pub(super) fn is_learning(&self) -> bool {
        matches!(&self.mind, Mind::Learning(thread) if !thread.is_finished())
    }

    /// Waits until it is ready.
    pub(super) fn wait(&mut self) -> Result<(), Failure> {
        self.agent().map(|_| ())
    }

    fn agent(&mut self) -> Result<&mut Box<dyn Agent>, Failure> {
        if matches!(self.mind, Mind::Learning(_))
            && let Mind::Learning(thread) = std::mem::replace(&mut self.mind, Mind::Lost)
            && let Ok(agent) = thread.join()
        {
            self.mind = Mind::Ready(agent);
        }
        match &mut self.mind {
            Mind::Ready(agent) => Ok(agent),
            _ => Err(Failure::bad_input("the player broke down while it learnt the game")),
        }
    }

    /// Chooses a move.
    pub(super) fn think(&mut self, play: &Match, is_analysis: bool) -> Result<Thought, Failure> {
        let budget = self.budget;
        let mut task = Task { is_analysis, ..Task::new(budget) };
        let thought = self.agent()?.think(play, &mut task);
        thought.map_err(|error| Failure::bad_input(error.to_string()))
    }

    /// What a thought means, in words.
    pub(super) fn opinion(&self, play: &Match, thought: &Thought) -> Result<Opinion, Error> {
        let about = match &self.mind {
            Mind::Ready(agent) => agent.about(),
            _ => None,
        };
        Opinion::new(play, thought, about)
    }

    /// Another game begins.
    pub(super) fn forget(&mut self) -> Result<(), Failure> {
        self.opinion = None;
        self.agent()?.forget();
        Ok(())
    }
}

/// What a computer thought, in the words of the position it thought about.
pub(super) struct Opinion {
    /// The move that it chose.
    pub(super) name: String,
    /// What it expects for itself, from 0 to 1; `None` if it does not say.
    pub(super) value: Option<f64>,
    line: Vec<String>,
    /// Moves with what it expects of them.
    considered: Vec<(String, f64)>,
    effort: Option<String>,
    /// How it plays the game.
    about: Option<String>,
}

impl Opinion {
    fn new(play: &Match, thought: &Thought, about: Option<String>) -> Result<Opinion, Error> {
        let Thought { steps, report } = thought;
        let player = play.player().map_or(0, |player| player.index());
        let candidates = report.candidates.iter().take(MOST_CONSIDERED);
        let value = report.values.get(player).copied();
        let mut considered = Vec::new();
        for candidate in candidates {
            considered.push((short_name(play, &candidate.steps)?, candidate.value));
        }
        Ok(Opinion {
            name: short_name(play, steps)?,
            value: value.or_else(|| Some(report.candidates.first()?.value)),
            line: short_line(play, report)?,
            considered,
            effort: effort(report),
            about,
        })
    }

    /// What was thought, in a few lines of which each begins with a space.
    pub(super) fn words(&self) -> String {
        let mut text = String::new();
        match self.value {
            Some(value) => text.push_str(&format!("  expects {}\n", percent(value))),
            None if self.line.len() < 2 => text.push_str("  says nothing about this move\n"),
            None => {}
        }
        if self.line.len() > 1 {
            text.push_str(&format!("  expects the moves {}\n", self.line.join(" ")));
        }
        if self.considered.len() > 1 {
            let listed = self.considered.iter();
            let listed: Vec<String> =
                listed.map(|(name, value)| format!("{name} {}", percent(*value))).collect();
            text.push_str(&format!("  compares {}\n", listed.join(", ")));
        }
        if let Some(effort) = &self.effort {
            text.push_str(&format!("  {effort}\n"));
        }
        if let Some(about) = &self.about {
            text.push_str(&format!("  plays as {about}\n"));
        }
        text
    }
}

/// A part of the points that can be won.
pub(super) fn percent(value: f64) -> String {
    format!("{:.0} %", 100.0 * value)
}

/// The short name of a legal move.
fn short_name(play: &Match, steps: &Move) -> Result<String, Error> {
    let index = if play.is_named()? { play.moves()?.find(&steps.0) } else { None };
    match index {
        Some(index) => Ok(play.names()?[index].clone()),
        None => play.written(&steps.0),
    }
}

/// The short names of the moves that are expected.
fn short_line(play: &Match, report: &Report) -> Result<Vec<String>, Error> {
    let mut play = play.from_here();
    let mut names = Vec::new();
    for steps in report.line.iter().take(LONGEST_LINE) {
        names.push(short_name(&play, steps)?);
        play.play(&steps.0)?;
    }
    Ok(names)
}

fn effort(report: &Report) -> Option<String> {
    (report.iterations > 0).then(|| {
        format!(
            "has looked at {} positions or games, {} moves ahead, in {:.1} s",
            report.iterations,
            report.depth,
            report.time.as_secs_f64()
        )
    })
}
