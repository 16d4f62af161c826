//! Who sits where in a match.

use regulus_agents::PlayerSpec;
use serde_json::{Value, json};

use crate::limits;
use crate::refusal::Refusal;

/// Who plays for a player of the game.
#[derive(Clone, Debug)]
pub(crate) enum SeatHolder {
    /// The client with this secret.
    Person(String),
    /// A person who is not there yet.
    Free,
    /// The program.
    Computer(PlayerSpec),
}

impl SeatHolder {
    /// What a client asks for: `person`, meaning itself, `free`, or a player with options.
    pub(crate) fn wanted(text: &str, client: &str) -> Result<SeatHolder, Refusal> {
        match text {
            "person" => Ok(SeatHolder::Person(client.to_owned())),
            "free" => Ok(SeatHolder::Free),
            spec => player(spec).map(SeatHolder::Computer),
        }
    }

    /// The seat as it is kept.
    pub(crate) fn to_text(&self) -> String {
        match self {
            SeatHolder::Person(client) => format!("person {client}"),
            SeatHolder::Free => "free".to_owned(),
            SeatHolder::Computer(spec) => spec.to_string(),
        }
    }

    /// A seat that was kept.
    pub(crate) fn from_text(text: &str) -> Result<SeatHolder, Refusal> {
        match text.split_once(' ') {
            Some(("person", client)) => Ok(SeatHolder::Person(client.to_owned())),
            _ => SeatHolder::wanted(text, ""),
        }
    }

    pub(crate) fn is_held_by(&self, client: &str) -> bool {
        matches!(self, SeatHolder::Person(holder) if holder == client)
    }

    /// Who plays: `person`, or a player with options.
    pub(crate) fn player(&self) -> String {
        match self {
            SeatHolder::Person(_) | SeatHolder::Free => "person".to_owned(),
            SeatHolder::Computer(spec) => spec.to_string(),
        }
    }

    /// The seat as a client is told of it.
    pub(crate) fn to_json(&self, client: &str) -> Value {
        let free = matches!(self, SeatHolder::Free);
        json!({ "player": self.player(), "mine": self.is_held_by(client), "free": free })
    }
}

/// A player with options that the server allows.
pub(crate) fn player(text: &str) -> Result<PlayerSpec, Refusal> {
    let spec: PlayerSpec =
        text.parse().map_err(|error| Refusal::bad(format!("{error}, or `person`")))?;
    let most = [
        ("threads", 1.0),
        ("memory", limits::THINKING_MEGABYTES as f64),
        ("seconds", limits::THINKING_SECONDS),
        ("learning", limits::LEARNING),
    ];
    for (option, most) in most {
        if let Some(given) = spec.given(option).filter(|given| *given > most) {
            return Err(Refusal::bad(format!(
                "`{option}` is {given}; at most {most} is allowed here"
            )));
        }
    }
    Ok(spec)
}

/// A player that takes no more memory than the server allows, also if its options do not say.
pub(crate) fn within_memory(spec: &PlayerSpec, megabytes: u64) -> PlayerSpec {
    let has_option = spec.kind().options.iter().any(|option| option.name == "memory");
    if !has_option || spec.given("memory").is_some() {
        return spec.clone();
    }
    let text = spec.to_string();
    let sign = if text.contains('?') { '&' } else { '?' };
    // A player with one more option that it has is a player.
    format!("{text}{sign}memory={megabytes}").parse().unwrap_or(spec.clone())
}

/// A name for each level of `auto`.
const LEVELS: [&str; 10] = [
    "beginner",
    "learner",
    "casual",
    "regular",
    "club player",
    "strong club player",
    "expert",
    "master",
    "grandmaster",
    "as strong as it can",
];

/// The levels that the page offers: their names and players.
pub(crate) fn levels() -> impl Iterator<Item = (&'static str, String)> {
    (1..).zip(LEVELS).map(|(level, name)| (name, format!("auto?level={level}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_players() {
        for (_, text) in levels() {
            player(&text).expect("a player");
        }
        // There is none above the highest.
        player("auto?level=11").unwrap_err();
    }

    #[test]
    fn seats_are_read_again() {
        for text in ["person 0123456789abcdef", "free", "uct?iterations=400"] {
            assert_eq!(SeatHolder::from_text(text).expect("a seat").to_text(), text);
        }
        for (text, bounded) in [
            ("random", "random"),
            ("uct", "uct?memory=40"),
            ("auto?level=4", "auto?level=4&memory=40"),
            ("uct?memory=70", "uct?memory=70"),
        ] {
            assert_eq!(within_memory(&player(text).expect("a player"), 40).to_string(), bounded);
        }
        let refusal = player("auto?learning=2").unwrap_err();
        assert_eq!(refusal.message, "`learning` is 2; at most 1 is allowed here");
        let refusal = player("uct?threads=8").unwrap_err();
        assert_eq!(refusal.message, "`threads` is 8; at most 1 is allowed here");
    }
}
