//! Who sits where in a match.

use std::sync::Arc;

use regulus_agents::PlayerSpec;
use regulus_game::Game;
use serde_json::{Value, json};

use crate::limits;
use crate::nets::NetShelf;
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
    pub(crate) fn wanted(text: &str, client: &str, nets: &NetShelf) -> Result<SeatHolder, Refusal> {
        match text {
            "person" => Ok(SeatHolder::Person(client.to_owned())),
            "free" => Ok(SeatHolder::Free),
            spec => player(spec, nets).map(SeatHolder::Computer),
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
    pub(crate) fn from_text(text: &str, nets: &NetShelf) -> Result<SeatHolder, Refusal> {
        match text.split_once(' ') {
            Some(("person", client)) => Ok(SeatHolder::Person(client.to_owned())),
            _ => SeatHolder::wanted(text, "", nets),
        }
    }

    /// Refuses a computer that cannot play a game.
    pub(crate) fn check(&self, game: &Arc<Game>) -> Result<(), Refusal> {
        let SeatHolder::Computer(spec) = self else { return Ok(()) };
        spec.check(game).map_err(|error| Refusal::bad(error.to_string()))
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

/// A player with options that the server allows. Players with nets are `net:NAME`.
pub(crate) fn player(text: &str, nets: &NetShelf) -> Result<PlayerSpec, Refusal> {
    let spec: PlayerSpec = match text.strip_prefix("net:") {
        Some(net) => nets.player(net)?,
        None => text.parse().map_err(|error| Refusal::bad(format!("{error}, or `person`")))?,
    };
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
            player(&text, &NetShelf::default()).expect("a player");
        }
        // There is none above the highest.
        player("auto?level=11", &NetShelf::default()).unwrap_err();
    }

    #[test]
    fn seats_are_read_again() {
        let nets = NetShelf::default();
        for text in ["person 0123456789abcdef", "free", "uct?iterations=400"] {
            assert_eq!(SeatHolder::from_text(text, &nets).expect("a seat").to_text(), text);
        }
        let refusal = player("auto?learning=2", &nets).unwrap_err();
        assert_eq!(refusal.message, "`learning` is 2; at most 1 is allowed here");
        let refusal = player("uct?threads=8", &nets).unwrap_err();
        assert_eq!(refusal.message, "`threads` is 8; at most 1 is allowed here");
        // Files are not named by clients.
        let refusal = player("net:/etc/hostname", &nets).unwrap_err();
        assert_eq!(refusal.message, "there is no net `/etc/hostname` here");
    }
}
