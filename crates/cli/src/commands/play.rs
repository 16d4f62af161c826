//! `regulus play`: a game at the terminal.

use std::io::{BufRead as _, IsTerminal as _};
use std::time::Duration;

use regulus_automaton::Player;
use regulus_engine::Rules as _;
use serde_json::json;

use crate::args;
use crate::commands::moves::in_columns;
use crate::commands::show::situation;
use crate::draw;
use crate::failure::Failure;
use crate::load::{Loaded, Loader};
use crate::opponent::{Budget, MonteCarlo};
use crate::output::{self, say, say_raw};
use crate::position::Position;

/// A game without an end is broken off here when nobody watches.
const LONGEST_GAME: usize = 10_000;

/// Back to the beginning of the line, which is wiped.
const CLEAR_LINE: &str = "\r\x1b[K";

const HELP: &str = "  a move's name     plays it; part of a name lists what begins so
  moves  (or ?)     lists the legal moves
  undo              takes back your last move and the answers to it
  board             draws the board again
  hint              asks the computer what it would play
  quit              ends the game";

pub(crate) fn run(loader: &Loader, args: &args::Play) -> Result<(), Failure> {
    let loaded = loader.load(&args.game)?;
    let interactive = !args.watch
        && !loader.json
        && std::io::stdin().is_terminal()
        && std::io::stdout().is_terminal();
    let human =
        if interactive || args.human.is_some() { Some(human(&loaded, args)?) } else { None };
    let seconds = args.seconds.unwrap_or(if interactive { 1.0 } else { 0.1 });
    let budget = match args.playouts {
        Some(playouts) => Budget::Playouts(playouts),
        None => Budget::Time(Duration::from_secs_f64(seconds)),
    };
    let position = Position::new(&loaded.rules).map_err(loaded.blame())?;
    let opponent = MonteCarlo::new(&loaded.rules, budget, args.seed);
    let mut table = Table { loader, loaded: &loaded, args, position, opponent, played: Vec::new() };
    match human {
        Some(human) if interactive => table.against(human),
        _ => table.alone(),
    }
}

/// The player the user is.
fn human(loaded: &Loaded, args: &args::Play) -> Result<Player, Failure> {
    let players = &loaded.rules.automaton().players;
    let Some(name) = &args.human else { return Ok(Player(0)) };
    players.iter().find(|(_, player)| *player == name).map(|(player, _)| player).ok_or_else(|| {
        let names: Vec<&str> = players.values().map(String::as_str).collect();
        Failure::usage(format!("there is no player `{name}`; there are: {}", names.join(", ")))
    })
}

/// What lies on the table.
struct Table<'a> {
    loader: &'a Loader,
    loaded: &'a Loaded,
    args: &'a args::Play,
    position: Position<'a>,
    opponent: MonteCarlo<'a>,
    /// Who played what.
    played: Vec<(Player, String)>,
}

impl Table<'_> {
    /// The computer plays all sides.
    fn alone(&mut self) -> Result<(), Failure> {
        let quiet = self.loader.json;
        if !quiet {
            self.draw();
        }
        while let Some(player) = self.position.player() {
            if self.played.len() >= LONGEST_GAME {
                return Err(Failure::bad_input(format!(
                    "the game has not ended after {LONGEST_GAME} moves and is broken off"
                )));
            }
            let index = self.choose()?;
            self.play(player, index)?;
            if !quiet {
                self.say_last();
            }
        }
        if quiet {
            self.print_json();
        } else {
            self.draw();
        }
        Ok(())
    }

    /// The user plays one side.
    fn against(&mut self, human: Player) -> Result<(), Failure> {
        say!("You are {}. Type a move, or `help`.\n", self.player_name(human));
        self.draw();
        while let Some(player) = self.position.player() {
            if player == human {
                match self.ask()? {
                    Answer::Move(index) => self.play(player, index)?,
                    Answer::TakeBack => {
                        self.take_back(human)?;
                        self.draw();
                        continue;
                    }
                    Answer::Quit => return Ok(()),
                }
            } else {
                say_raw!("{} is thinking…\r", self.player_name(player));
                output::flush();
                let index = self.choose()?;
                say_raw!("{CLEAR_LINE}");
                self.play(player, index)?;
                self.say_last();
            }
            self.draw();
        }
        Ok(())
    }

    fn choose(&mut self) -> Result<usize, Failure> {
        match self.args.opponent {
            args::Opponent::Random => Ok(self.opponent.choose_randomly(&self.position)),
            args::Opponent::MonteCarlo => {
                self.opponent.choose(&self.position).map_err(self.loaded.blame())
            }
        }
    }

    fn play(&mut self, player: Player, index: usize) -> Result<(), Failure> {
        self.played.push((player, self.position.names[index].clone()));
        self.position.play(index).map_err(self.loaded.blame())
    }

    /// Takes back to the user's last choice.
    fn take_back(&mut self, human: Player) -> Result<(), Failure> {
        if !self.played.iter().any(|(player, _)| *player == human) {
            say!("There is nothing to take back.");
            return Ok(());
        }
        while let Some((player, _)) = self.played.pop() {
            self.position.take_back().map_err(self.loaded.blame())?;
            if player == human {
                break;
            }
        }
        Ok(())
    }

    /// Asks until the user has decided.
    fn ask(&mut self) -> Result<Answer, Failure> {
        loop {
            say_raw!("> ");
            output::flush();
            let mut line = Vec::new();
            let read = std::io::stdin().lock().read_until(b'\n', &mut line);
            let read = read.map_err(|error| Failure::bad_input(format!("cannot read: {error}")))?;
            let line = String::from_utf8_lossy(&line);
            if read == 0 {
                say!("");
                return Ok(Answer::Quit);
            }
            match line.trim() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(Answer::Quit),
                "undo" => return Ok(Answer::TakeBack),
                "help" | "h" => say!("{HELP}"),
                "moves" | "?" => say_raw!("{}", in_columns(&self.position.names)),
                "board" => self.draw(),
                "hint" => {
                    let index =
                        self.opponent.choose(&self.position).map_err(self.loaded.blame())?;
                    say!("{}", self.position.names[index]);
                }
                name => match self.position.find(name) {
                    Ok(index) => return Ok(Answer::Move(index)),
                    Err(problem) => say!("{problem}"),
                },
            }
        }
    }

    fn draw(&self) {
        let colour = self.loader.colour;
        say!("{}", draw::board(self.position.rules, &self.position.state, colour));
        say!("{}\n", situation(&self.position, colour));
    }

    fn say_last(&self) {
        if let Some((player, name)) = self.played.last() {
            say!("{:>3}. {} {name}", self.played.len(), self.player_name(*player));
        }
    }

    fn player_name(&self, player: Player) -> String {
        draw::player(self.position.rules.automaton(), player, self.loader.colour)
    }

    fn print_json(&self) {
        let automaton = self.position.rules.automaton();
        let moves: Vec<_> = self
            .played
            .iter()
            .map(|(player, name)| json!({ "player": automaton.players[*player], "move": name }))
            .collect();
        let scores = self.position.rules.scores(&self.position.state);
        let players: Vec<&String> = automaton.players.values().collect();
        say!("{}", json!({ "players": players, "moves": moves, "scores": scores }));
    }
}

/// What the user decided.
enum Answer {
    Move(usize),
    TakeBack,
    Quit,
}
