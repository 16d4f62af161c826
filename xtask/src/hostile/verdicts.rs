//! Whether the engines say the same of a text.
//!
//! Engines that answer give the same answer. What `plan` or `jit` refuses, `walk` refuses too, with the same message. A slower engine may
//! give up a search that takes it too long, where a faster one answers.

use super::process::{Ended, FinishedRun};
use super::{ENGINES, MOVES, PERFT_1};

/// The commands whose answers are compared.
const COMPARED: [&str; 2] = [MOVES, PERFT_1];

/// The faults that only say how much work an engine would have had.
const EFFORT: [&str; 2] = ["run-endless-search", "run-too-large-search"];

/// The runs of one text that are compared.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    runs: Vec<(&'static str, &'static str, FinishedRun)>,
}

impl Verdicts {
    pub(super) fn add(&mut self, command: &'static str, engine: &'static str, run: FinishedRun) {
        if COMPARED.contains(&command) {
            self.runs.push((command, engine, run));
        }
    }

    /// The run of a command with an engine, if there was one.
    pub(super) fn run(&self, command: &str, engine: &str) -> Option<&FinishedRun> {
        let found = self.runs.iter().find(|(c, e, _)| (*c, *e) == (command, engine));
        found.map(|(_, _, run)| run)
    }

    /// What engines do not agree about, in words: one line for each command.
    pub(super) fn differences(&self) -> Vec<String> {
        COMPARED.iter().filter_map(|command| self.difference(command)).collect()
    }

    fn difference(&self, command: &str) -> Option<String> {
        let mut groups: Vec<(EngineAnswer, Vec<&str>)> = Vec::new();
        for engine in ENGINES {
            let answer = self.run(command, engine).and_then(|run| EngineAnswer::of(command, run));
            let Some(answer) = answer else { continue };
            match groups.iter_mut().find(|(other, _)| *other == answer) {
                Some((_, engines)) => engines.push(engine),
                None => groups.push((answer, vec![engine])),
            }
        }
        groups.retain(|(answer, engines)| {
            let slow = [vec!["walk"], vec!["walk", "plan"]];
            !(matches!(answer, EngineAnswer::Effort(_)) && slow.contains(engines))
        });
        if groups.len() < 2 {
            return None;
        }
        let id = groups[0].0.id();
        let what = if id.is_some() && groups.iter().all(|(answer, _)| answer.id() == id) {
            "words differ"
        } else {
            "answers differ"
        };
        let words: Vec<String> = groups.iter().map(|(answer, _)| answer.words()).collect();
        let same = words.iter().map(|other| common(&words[0], other)).min().unwrap_or(0);
        let sides = groups.iter().zip(&words).map(|((_, engines), words)| {
            // Some words in front of the difference tell where it is.
            let shown: String = words.chars().skip(same.saturating_sub(30)).take(160).collect();
            format!("\n        {}: {shown}", engines.join(", "))
        });
        Some(format!("{command}: {what}:{}", sides.collect::<String>()))
    }
}

/// How many characters two texts have in common at the beginning.
fn common(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count()
}

/// What an engine says of a text.
#[derive(Debug, PartialEq, Eq)]
enum EngineAnswer {
    /// A fingerprint of the moves.
    Moves(u64),
    /// Leaves and states.
    Tree(Option<u64>, Option<u64>),
    Refusal(String),
    /// A refusal that is only about work.
    Effort(String),
}

impl EngineAnswer {
    /// None if the run did not come to an end by itself, which is a problem of its own.
    fn of(command: &str, run: &FinishedRun) -> Option<EngineAnswer> {
        match run.ended {
            Ended::Status(0) if command == PERFT_1 => {
                Some(EngineAnswer::Tree(leaves(run), number(run, "\"states\":")))
            }
            Ended::Status(0) => Some(EngineAnswer::Moves(run.output.fingerprint)),
            Ended::Status(_) if run.output.is_whole() => {
                // Engines may name themselves.
                let mut message = run.output.text() + &run.errors.text();
                for engine in ENGINES {
                    message = message.replace(&format!("`{engine}`"), "`ENGINE`");
                }
                let is_effort = EFFORT.iter().any(|id| message.contains(&format!("\"{id}\"")));
                Some(if is_effort {
                    EngineAnswer::Effort(message)
                } else {
                    EngineAnswer::Refusal(message)
                })
            }
            _ => None,
        }
    }

    /// The stable name of the reason to refuse a text.
    fn id(&self) -> Option<&str> {
        match self {
            EngineAnswer::Refusal(message) | EngineAnswer::Effort(message) => {
                message.split("\"error\":{\"id\":\"").nth(1)?.split('"').next()
            }
            _ => None,
        }
    }

    fn words(&self) -> String {
        match self {
            EngineAnswer::Moves(fingerprint) => format!("moves {fingerprint:x}"),
            EngineAnswer::Tree(leaves, states) => {
                format!("{} leaves, {} states", leaves.unwrap_or(0), states.unwrap_or(0))
            }
            EngineAnswer::Refusal(message) | EngineAnswer::Effort(message) => {
                message.trim().to_owned()
            }
        }
    }
}

/// The leaves that `perft --json` counted.
pub(super) fn leaves(run: &FinishedRun) -> Option<u64> {
    number(run, "\"leaves\":")
}

fn number(run: &FinishedRun, key: &str) -> Option<u64> {
    let text = run.output.text();
    let digits = text.split(key).nth(1)?;
    digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
