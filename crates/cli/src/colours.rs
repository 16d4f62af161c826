//! What a terminal shows: boards, and the colours of players and pieces.

use std::io::IsTerminal as _;

use regulus_automaton::{Colour, Player};
use regulus_game::{Game, Match, Paint, TextStyle};

use crate::args::Cli;

const FAINT: &str = "\x1b[2m";
const RESET: &str = "\x1b[0m";

const BOLD: &str = "\x1b[1m";

/// What standard output can show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    pub(crate) colour: bool,
    style: TextStyle,
}

impl Screen {
    pub(crate) fn new(cli: &Cli) -> Screen {
        let is_terminal = std::io::stdout().is_terminal();
        let size = console::Term::stdout().size_checked().filter(|_| is_terminal);
        let width = size.map(|(_, columns)| usize::from(columns));
        let colour = cli.color.on(is_terminal);
        let has_figures = colour && speaks_unicode();
        Screen { colour, style: TextStyle { is_ascii: cli.ascii, has_figures, width } }
    }

    /// How many characters fit a line; `None` if standard output is not a terminal.
    pub(crate) fn width(self) -> Option<usize> {
        self.style.width
    }

    /// The board of a play.
    pub(crate) fn board(self, play: &Match) -> String {
        play.draw(self.style, &mut |paint, text| {
            let code = match paint {
                _ if !self.colour => return text.to_owned(),
                Paint::Player(player) => code(play.game(), player),
                Paint::Empty | Paint::Label => FAINT,
                Paint::LastMove => BOLD,
                Paint::Other => return text.to_owned(),
            };
            format!("{code}{text}{RESET}")
        })
    }

    /// A player's name in the colour of its pieces.
    pub(crate) fn player(self, game: &Game, player: Player) -> String {
        let name = &game.player_look(player).name;
        if self.colour { format!("{}{name}{RESET}", code(game, player)) } else { name.clone() }
    }
}

/// Whether the user's language settings say that terminals show all characters.
fn speaks_unicode() -> bool {
    let setting = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(setting).unwrap_or_default();
    let locale = locale.to_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
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
