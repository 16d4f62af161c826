//! The colours of players and pieces in a terminal.

use regulus_automaton::{Colour, Player};
use regulus_game::{Game, Match, Paint};

const FAINT: &str = "\x1b[2m";
const RESET: &str = "\x1b[0m";

/// The board of a play, in colours if asked for.
pub(crate) fn board(play: &Match, colour: bool) -> String {
    if !colour {
        return play.board();
    }
    play.draw(&mut |paint, text| match paint {
        Paint::Player(player) => format!("{}{text}{RESET}", code(play.game(), player)),
        Paint::Empty => format!("{FAINT}{text}{RESET}"),
        Paint::Other => text.to_owned(),
    })
}

/// A player's name in the colour of its pieces.
pub(crate) fn player(game: &Game, player: Player, colour: bool) -> String {
    let name = &game.player_look(player).name;
    if colour { format!("{}{name}{RESET}", code(game, player)) } else { name.clone() }
}

/// The colours of terminals are fewer than those of games; white and black are told from the background by others.
fn code(game: &Game, player: Player) -> &'static str {
    match game.player_look(player).colour {
        Colour::White | Colour::Silver => "\x1b[1;36m",
        Colour::Black | Colour::Purple | Colour::Brown => "\x1b[1;35m",
        Colour::Red | Colour::Orange => "\x1b[1;31m",
        Colour::Blue | Colour::Grey => "\x1b[1;34m",
        Colour::Green => "\x1b[1;32m",
        Colour::Yellow | Colour::Gold => "\x1b[1;33m",
    }
}
