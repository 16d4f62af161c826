//! The colours of drawings, the same in every format.

use crate::ids::Id;
use crate::sketch::{Actor, ArrowRole};

/// The paper.
pub(crate) const PAPER: &str = "#ffffff";
/// Texts that belong to no arrow.
pub(crate) const INK: &str = "#33363b";
/// What must not be overlooked.
pub(crate) const NOTE: &str = "#b3263a";
/// Frames and stubs.
pub(crate) const FAINT: &str = "#b9bbc0";
/// The ground of the legend.
pub(crate) const GROUND: &str = "#f5f6f8";

/// How many players have a colour of their own; then colours repeat.
pub(crate) const PLAYER_COLOURS: u32 = 6;

/// A line colour and the lighter one it encloses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colours {
    pub(crate) line: &'static str,
    pub(crate) fill: &'static str,
}

const PLAIN: Colours = Colours { line: "#6b7079", fill: "#ffffff" };
const WALK: Colours = Colours { line: "#0e7a6e", fill: "#d5efeb" };
const WRITE: Colours = Colours { line: "#b3263a", fill: "#fbe3e6" };
const KEEPER: Colours = Colours { line: "#5c4f38", fill: "#ebe5d6" };
const PLAYERS: [Colours; PLAYER_COLOURS as usize] = [
    Colours { line: "#2f6db5", fill: "#d8e8fa" },
    Colours { line: "#c0721a", fill: "#fde6c8" },
    Colours { line: "#348046", fill: "#d9f0dc" },
    Colours { line: "#7a4fb0", fill: "#e9def6" },
    Colours { line: "#b0437f", fill: "#f8dfec" },
    Colours { line: "#8a5a3c", fill: "#f0e0d4" },
];

/// The colours of a node; `actor` is who acts in it, if anyone does.
pub(crate) fn of_node(actor: Option<Actor>) -> Colours {
    actor.map_or(PLAIN, of_actor)
}

/// The colours of an arrow.
pub(crate) fn of_role(role: ArrowRole) -> Colours {
    match role {
        ArrowRole::Test => PLAIN,
        ArrowRole::Walk => WALK,
        ArrowRole::Write => WRITE,
        ArrowRole::Control(actor) => of_actor(actor),
    }
}

/// The colours of a player or the keeper.
pub(crate) fn of_actor(actor: Actor) -> Colours {
    match actor {
        Actor::Keeper => KEEPER,
        Actor::Player(player) => PLAYERS[player.index() % PLAYERS.len()],
    }
}
