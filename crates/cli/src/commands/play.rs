//! `regulus play`: a game at the terminal.

use std::io::{BufRead as _, IsTerminal as _};
use std::time::Duration;

use regulus_agents::{Agent, Budget, PlayerSpec, Task};
use regulus_automaton::Player;
use regulus_game::{Game, Match};
use serde_json::json;

use crate::args;
use crate::commands::moves::in_columns;
use crate::commands::show::{outcome_json, situation};
use crate::failure::Failure;
use crate::load::{Loader, begin};
use crate::output::{self, say, say_raw};

/// After this many moves a game that the computer plays alone is broken off.
const LONGEST_GAME: usize = 10_000;
/// Nor are more legal moves than this listed for it.
const MOST_LISTED: usize = 1 << 23;

/// Back to the beginning of the line, which is wiped.
const CLEAR_LINE: &str = "\r\x1b[K";

const HELP: &str = "  a move's name     plays it; part of a name lists what begins so
  moves  (or ?)     lists the legal moves
  undo              takes back your last move and the answers to it
  board             draws the board again
  hint              asks the computer what it would play
  quit              ends the game";

pub(crate) fn run(loader: &Loader, args: &args::Play) -> Result<(), Failure> {
    let game = loader.load(&args.game)?;
    let interactive = !args.watch
        && !loader.json
        && std::io::stdin().is_terminal()
        && std::io::stdout().is_terminal();
    let human = if interactive || args.human.is_some() { Some(human(&game, args)?) } else { None };
    let seconds = args.seconds.unwrap_or(if interactive { 1.0 } else { 0.1 });
    let spec: PlayerSpec =
        args.opponent.parse().map_err(|error| Failure::usage(format!("{error}")))?;
    let budget = spec.budget_or(match args.iterations {
        Some(iterations) => Budget::iterations(iterations),
        None => Budget::time(Duration::from_secs_f64(seconds)),
    });
    let play = begin(&game, args.position.as_deref(), args.seed)?;
    let opponent = spec.create(&game, args.seed);
    let mut table = Table { loader, play, opponent, budget, played: Vec::new() };
    match human {
        Some(human) if interactive => table.against(human),
        _ => table.alone(),
    }
}

/// The player the user is.
fn human(game: &Game, args: &args::Play) -> Result<Player, Failure> {
    let Some(name) = &args.human else { return Ok(Player(0)) };
    game.player(name).ok_or_else(|| {
        let names = game.automaton().players.as_slice().join(", ");
        Failure::usage(format!("there is no player `{name}`; there are: {names}"))
    })
}

/// What lies on the table.
struct Table<'a> {
    loader: &'a Loader,
    play: Match,
    opponent: Box<dyn Agent>,
    budget: Budget,
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
        let mut listed = 0;
        while let Some(player) = self.play.player() {
            listed += self.play.moves()?.len();
            if self.played.len() >= LONGEST_GAME || listed > MOST_LISTED {
                return Err(Failure::bad_input(format!(
                    "the game has not ended after {} moves and is broken off",
                    self.played.len()
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
        while let Some(player) = self.play.player() {
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

    /// The number of the move that the computer would play.
    fn choose(&mut self) -> Result<usize, Failure> {
        let thought = self.opponent.think(&self.play, &mut Task::new(self.budget));
        let steps = thought.map_err(|error| Failure::bad_input(error.to_string()))?.steps;
        let index = self.play.moves()?.find(&steps.0);
        index.ok_or_else(|| Failure::bad_input("the computer chose a move that is not legal"))
    }

    fn play(&mut self, player: Player, index: usize) -> Result<(), Failure> {
        let name = self.play.names()?[index].clone();
        self.play.play_index(index)?;
        self.played.push((player, name));
        Ok(())
    }

    /// Takes back to the user's last choice.
    fn take_back(&mut self, human: Player) -> Result<(), Failure> {
        if !self.played.iter().any(|(player, _)| *player == human) {
            say!("There is nothing to take back.");
            return Ok(());
        }
        while let Some((player, _)) = self.played.pop() {
            self.play.undo();
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
                "moves" | "?" => say_raw!("{}", in_columns(self.play.names()?)),
                "board" => self.draw(),
                "hint" => {
                    let index = self.choose()?;
                    say!("{}", self.play.names()?[index]);
                }
                name => match self.play.find(name) {
                    Ok(index) => return Ok(Answer::Move(index)),
                    Err(problem) => say!("{problem}"),
                },
            }
        }
    }

    fn draw(&self) {
        let screen = self.loader.screen;
        say!("{}", screen.board(&self.play));
        say!("{}\n", situation(&self.play, screen));
    }

    fn say_last(&self) {
        if let Some((player, name)) = self.played.last() {
            say!("{:>3}. {} {name}", self.played.len(), self.player_name(*player));
        }
    }

    fn player_name(&self, player: Player) -> String {
        self.loader.screen.player(self.play.game(), player)
    }

    fn print_json(&self) {
        let automaton = self.play.game().automaton();
        let moves: Vec<_> = self
            .played
            .iter()
            .map(|(player, name)| json!({ "player": automaton.players[*player], "move": name }))
            .collect();
        let players: Vec<&String> = automaton.players.values().collect();
        let outcome = outcome_json(&self.play);
        say!("{}", json!({ "players": players, "moves": moves, "outcome": outcome }));
    }
}

/// What the user decided.
enum Answer {
    Move(usize),
    TakeBack,
    Quit,
}
