//! `regulus play`: a game at the terminal, between people and computers in any seats.
//!
//! [`prompt`] is where moves come from, [`order`] what can be typed beside them, [`participant`] who plays, and [`record`]
//! how games are kept in files. What a typed move means is found by [`Match::read_move`].

mod order;
mod participant;
mod prompt;
mod record;

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use regulus_agents::Budget;
use regulus_automaton::{Id as _, Player};
use regulus_describe::Guide;
use regulus_game::{Match, TypedMove, is_plural};
use serde_json::json;

use crate::args;
use crate::commands::moves::in_columns;
use crate::commands::show::{outcome_json, situation};
use crate::failure::{Failure, visible};
use crate::load::{Loader, begin};
use crate::output::{self, say, say_raw, wrapped};

use order::Order;
use participant::{Computer, Opinion, PERSON, Participant, percent};
use prompt::Prompt;
use record::Turn;

/// After this many moves a game that computers play alone is broken off.
const LONGEST_GAME: usize = 10_000;
/// Nor are more legal moves than this listed for it.
const MOST_LISTED: usize = 1 << 23;

/// Who gives hints.
const ADVISER: &str = "auto";

/// More moves than this are not listed when a typed one is not clear.
const MOST_NAMED: usize = 8;

/// How much of a line that was not understood is repeated.
const MOST_REPEATED: usize = 40;

/// How long the lines of a game's rules are where the terminal has no width.
const WIDTH: usize = 100;

/// Back to the beginning of the line, which is wiped.
const CLEAR_LINE: &str = "\r\x1b[K";

pub(crate) fn run(loader: &Loader, args: &args::Play) -> Result<(), Failure> {
    let resumed = args.resume.as_deref().map(record::read).transpose()?;
    let name = args.game.as_ref().or(resumed.as_ref().map(|transcript| &transcript.game));
    let name = name.ok_or_else(|| Failure::usage("which game?"))?;
    let game = loader.load_for_players(name)?;
    let (play, turns) = match &resumed {
        Some(transcript) => record::replay(transcript, &game)?,
        None => (begin(&game, args.position.as_deref(), args.seed)?, Vec::new()),
    };
    let mut prompt = if args.watch { None } else { Some(Prompt::open(loader.json)?) };
    let has_people = prompt.as_ref().is_some_and(|prompt| !prompt.is_at_end());
    let names = participant::chosen(&game, args, resumed.as_ref(), has_people)?;
    let is_alone = !names.iter().any(|name| name == PERSON);
    let seconds = args.seconds.unwrap_or(if is_alone { 0.1 } else { 1.0 });
    let budget = match args.iterations {
        Some(iterations) => Budget::iterations(iterations),
        None => Budget::time(Duration::from_secs_f64(seconds)),
    };
    let mut participants = Vec::new();
    for name in &names {
        participants.push(match name.as_str() {
            PERSON => Participant::Person,
            name => Participant::Computer(Box::new(Computer::new(name, &game, budget, args.seed)?)),
        });
    }
    let position = match &resumed {
        Some(transcript) => transcript.position.clone(),
        None => args.position.as_ref().map(|_| play.position()),
    };
    let mut table = Table {
        loader,
        name: name.clone(),
        position,
        play,
        participants,
        adviser: None,
        budget,
        turns,
        undone: Vec::new(),
        resigned: None,
        is_live: prompt.as_ref().is_some_and(Prompt::is_terminal),
        has_screen: !loader.json && std::io::stdout().is_terminal(),
        is_drawn: false,
        tells: false,
        misread: Vec::new(),
    };
    match &mut prompt {
        Some(prompt) if !is_alone => table.with_people(prompt),
        _ => table.alone(),
    }
}

/// What lies on the table, and who sits around it.
struct Table<'a> {
    loader: &'a Loader,
    /// The game as it was asked for.
    name: String,
    /// The position that the game began with, if it is not the usual one.
    position: Option<String>,
    play: Match,
    participants: Vec<Participant>,
    /// Who gives hints, once one was asked for.
    adviser: Option<Box<Computer>>,
    budget: Budget,
    turns: Vec<Turn>,
    undone: Vec<Turn>,
    resigned: Option<Player>,
    /// Whether there is a person at a terminal.
    is_live: bool,
    /// Whether there is a screen on which to say what is going on.
    has_screen: bool,
    /// Whether the board has been drawn since it changed.
    is_drawn: bool,
    /// Whether computers say what they thought.
    tells: bool,
    /// What was not understood.
    misread: Vec<String>,
}

/// Whether the game goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Ask,
    Leave,
}

impl Table<'_> {
    /// Computers play all sides.
    fn alone(&mut self) -> Result<(), Failure> {
        let quiet = self.loader.json;
        if !quiet {
            self.draw();
        }
        let mut listed = 0;
        while let Some(player) = self.play.player() {
            listed += self.play.moves()?.len();
            if self.turns.len() >= LONGEST_GAME || listed > MOST_LISTED {
                return Err(self.too_long());
            }
            self.computer_moves(player)?;
            if self.has_screen && self.play.player().is_some() {
                say!("");
                self.draw();
            }
        }
        if quiet {
            self.print_json();
        } else if !self.is_drawn {
            say!("");
            self.draw();
        }
        Ok(())
    }

    /// People play some of the sides.
    fn with_people(&mut self, prompt: &mut Prompt) -> Result<(), Failure> {
        let quiet = self.loader.json;
        if !quiet {
            self.greet();
        }
        loop {
            while let Some(player) = self.to_move().filter(|player| !self.is_person(*player)) {
                if self.turns.len() >= LONGEST_GAME {
                    return Err(self.too_long());
                }
                self.computer_moves(player)?;
            }
            if !quiet && !self.is_drawn {
                say!("");
                self.draw();
            }
            let Some(line) = prompt.ask(self.words()?)? else { break };
            if self.answer(line.trim())? == Next::Leave {
                break;
            }
            if quiet && let Some(line) = self.misread.first() {
                return Err(Failure::bad_input(format!("`{line}` is not a legal move")));
            }
        }
        if quiet {
            self.print_json();
        } else if self.is_live {
            self.say_goodbye();
        } else if self.to_move().is_some() && prompt.is_at_end() {
            say!("The input ends here, before the game does.");
        }
        match self.misread.as_slice() {
            [first, rest @ ..] if !prompt.is_terminal() => {
                let more = match rest.len() {
                    0 => String::new(),
                    count => format!(" and {count} more"),
                };
                Err(Failure::bad_input(format!(
                    "not all lines of the input could be played: `{first}`{more}"
                )))
            }
            // At a terminal people see what happens.
            _ => Ok(()),
        }
    }

    fn too_long(&self) -> Failure {
        let moves = self.turns.len();
        Failure::bad_input(format!("the game has not ended after {moves} moves and is broken off"))
    }

    /// Who sits where.
    fn greet(&self) {
        let (mut people, mut computers) = (Vec::new(), Vec::new());
        for player in self.play.game().automaton().players.keys() {
            let name = self.player_name(player);
            match &self.participants[player.index()] {
                Participant::Person => people.push(name),
                computer => {
                    let verb = self.verb(player, ["is", "are"]);
                    computers.push(format!("{name} {verb} {}", computer.name()));
                }
            }
        }
        let computers = match computers.as_slice() {
            [] => String::new(),
            list => format!("; {}", list.join(", ")),
        };
        self.tell(&format!(
            "You are {}{computers}. Type a move, `help` or `rules`.",
            listed(&people, "and")
        ));
    }

    fn say_goodbye(&self) {
        if self.to_move().is_some() && !self.turns.is_empty() {
            say!("You have left the game, which was not over.");
        }
    }

    /// What can be completed now.
    fn words(&self) -> Result<Vec<String>, Failure> {
        let mut words = Order::words();
        if self.is_live && self.to_move().is_some() && self.play.is_named()? {
            words.extend(self.play.names()?.iter().cloned());
        }
        Ok(words)
    }

    /// Does what a line says.
    fn answer(&mut self, line: &str) -> Result<Next, Failure> {
        if line.is_empty() {
            return Ok(Next::Ask);
        }
        if let Some((order, rest)) = Order::read(line) {
            return self.obey(order, rest);
        }
        let meant = match self.to_move() {
            Some(_) => self.play.read_move(line)?,
            None => TypedMove::Illegal(Vec::new()),
        };
        if let (TypedMove::Illegal(_), Some((order, rest))) = (&meant, Order::read_other(line)) {
            return self.obey(order, rest);
        }
        match meant {
            TypedMove::Legal(index) => self.play(index, None)?,
            other => {
                let shown: String = visible(line).chars().take(MOST_REPEATED).collect();
                if !self.loader.json {
                    self.tell(&self.advice(&shown, &other)?);
                }
                self.misread.push(shown);
            }
        }
        Ok(Next::Ask)
    }

    /// What to say about a line that is not one legal move.
    fn advice(&self, line: &str, meant: &TypedMove) -> Result<String, Failure> {
        if self.to_move().is_none() {
            return Ok("The game is over. Type `undo`, `new`, `save FILE` or `quit`.".to_owned());
        }
        let all = self.play.names()?;
        let names =
            |moves: &[usize]| -> Vec<String> { moves.iter().map(|&at| all[at].clone()).collect() };
        Ok(match meant {
            TypedMove::Ambiguous(moves) if moves.len() <= MOST_NAMED => {
                format!("`{line}` is not clear: {}?", listed(&names(moves), "or"))
            }
            TypedMove::Ambiguous(moves) => {
                let some = names(&moves[..MOST_NAMED]).join(", ");
                format!("`{line}` fits {} moves: {some}, … Type more of it.", moves.len())
            }
            TypedMove::Illegal(moves) => {
                let near = match (moves.as_slice(), Order::nearest(line)) {
                    ([], Some(order)) => format!("Did you mean `{order}`?"),
                    ([], None) => "Type `moves` for those that are, or `help`.".to_owned(),
                    (moves, _) => format!("Did you mean {}?", listed(&names(moves), "or")),
                };
                format!("`{line}` is not a legal move. {near}")
            }
            TypedMove::Legal(index) => all[*index].clone(),
        })
    }

    fn obey(&mut self, order: Order, rest: &str) -> Result<Next, Failure> {
        if self.loader.json
            && !matches!(
                order,
                Order::Undo | Order::Redo | Order::Resign | Order::Save | Order::New | Order::Quit
            )
        {
            // There is no place for texts in data.
            return Ok(Next::Ask);
        }
        match order {
            Order::Help => say_raw!("{}", Order::help()),
            Order::Rules => self.say_rules(),
            Order::Moves => self.say_moves(rest)?,
            Order::Board => self.draw(),
            Order::History => self.say_history(),
            Order::Hint => self.hint()?,
            Order::Think => self.think(rest)?,
            Order::Undo => self.undo(),
            Order::Redo => self.redo()?,
            Order::Resign => self.resign(),
            Order::New => self.begin_anew()?,
            Order::Save => self.save(rest),
            Order::Quit => return Ok(Next::Leave),
        }
        Ok(Next::Ask)
    }

    fn say_rules(&self) {
        match Guide::new(self.play.game().source(), &self.loader.config) {
            Ok(guide) => say_raw!("{}", guide.to_text(self.loader.screen.width().unwrap_or(WIDTH))),
            Err(error) => say!("The rules cannot be described: {error}"),
        }
    }

    fn say_moves(&self, beginning: &str) -> Result<(), Failure> {
        if self.to_move().is_none() {
            say!("The game is over.");
            return Ok(());
        }
        let wanted = beginning.to_lowercase();
        let names = self.play.names()?.iter();
        let names: Vec<String> =
            names.filter(|name| name.to_lowercase().starts_with(&wanted)).cloned().collect();
        match names.as_slice() {
            [] => say!("No legal move begins with `{}`.", visible(beginning)),
            names => say_raw!("{}", in_columns(names)),
        }
        Ok(())
    }

    fn say_history(&self) {
        if self.turns.is_empty() {
            say!("No move has been made.");
        }
        for number in 0..self.turns.len() {
            self.say_turn(number);
        }
    }

    /// What the adviser thinks of the position.
    fn advised(&mut self) -> Result<Opinion, Failure> {
        // Two that learn at the same time would only take longer.
        for player in 0..self.participants.len() {
            self.wait_for(Player::from_index(player))?;
        }
        let mut adviser = match self.adviser.take() {
            Some(adviser) => adviser,
            None => Box::new(Computer::new(ADVISER, self.play.game(), self.budget, 1)?),
        };
        if adviser.is_learning() {
            self.status("The computer is learning the game…");
            adviser.wait()?;
        }
        self.status("The computer is thinking…");
        let opinion = adviser
            .think(&self.play, true)
            .and_then(|thought| Ok(adviser.opinion(&self.play, &thought)?));
        self.clear_status();
        self.adviser = Some(adviser);
        opinion
    }

    fn hint(&mut self) -> Result<(), Failure> {
        let Some(player) = self.to_move() else {
            say!("The game is over.");
            return Ok(());
        };
        let opinion = self.advised()?;
        let value = opinion.value.map_or(String::new(), |value| {
            format!(", with which {} can expect {}", self.player_name(player), percent(value))
        });
        self.tell(&format!("The computer would play {}{value}.", opinion.name));
        Ok(())
    }

    /// What computers thought about their last moves, or what one thinks of this position.
    fn think(&mut self, rest: &str) -> Result<(), Failure> {
        match rest {
            "on" => self.tells = true,
            "off" => self.tells = false,
            _ => {}
        }
        if !rest.is_empty() {
            say!(
                "The computer says what it thought {}.",
                if self.tells { "after each of its moves" } else { "when you type `think`" }
            );
            return Ok(());
        }
        let mut is_told = false;
        for player in self.play.game().automaton().players.keys() {
            is_told |= self.say_opinion(player);
        }
        if !is_told && let Some(player) = self.to_move() {
            let opinion = self.advised()?;
            self.tell(&format!(
                "Nobody has thought yet. Instead of {}, the computer would play {}:",
                self.player_name(player),
                opinion.name
            ));
            self.tell(&opinion.words());
        }
        Ok(())
    }

    /// Says what a computer thought about its last move; `false` if there is nothing to say.
    fn say_opinion(&self, player: Player) -> bool {
        let Participant::Computer(computer) = &self.participants[player.index()] else {
            return false;
        };
        let Some(opinion) = &computer.opinion else { return false };
        let (name, verb) = (self.player_name(player), self.verb(player, ["has", "have"]));
        say!("{name} {verb} played {}:", opinion.name);
        self.tell(&opinion.words());
        true
    }

    /// Takes back to a person's last choice, or what a person gave up.
    fn undo(&mut self) {
        if self.resigned.take().is_some() {
            self.is_drawn = false;
            return;
        }
        let is_person = |turn: &Turn| self.participants[turn.player.index()].is_person();
        let Some(back) = self.turns.iter().rposition(is_person) else {
            self.tell("There is nothing to take back.");
            return;
        };
        while self.turns.len() > back
            && let Some(turn) = self.turns.pop()
        {
            self.play.undo();
            self.undone.push(turn);
        }
        self.forget_opinions();
        self.is_drawn = false;
    }

    /// Plays again what was taken back, up to a person's choice.
    fn redo(&mut self) -> Result<(), Failure> {
        if self.undone.is_empty() {
            self.tell("There is nothing to play again.");
            return Ok(());
        }
        while let Some(turn) = self.undone.pop() {
            self.play.redo()?;
            self.turns.push(turn);
            if self.play.player().is_some_and(|player| self.is_person(player)) {
                break;
            }
        }
        self.is_drawn = false;
        Ok(())
    }

    fn resign(&mut self) {
        match self.to_move() {
            Some(player) => {
                self.resigned = Some(player);
                self.is_drawn = false;
            }
            None => self.tell("The game is over."),
        }
    }

    fn begin_anew(&mut self) -> Result<(), Failure> {
        self.play.restart()?;
        self.turns.clear();
        self.undone.clear();
        self.resigned = None;
        self.is_drawn = false;
        for participant in &mut self.participants {
            if let Participant::Computer(computer) = participant {
                computer.forget()?;
            }
        }
        Ok(())
    }

    fn save(&mut self, file: &str) {
        if file.is_empty() {
            self.tell("Where to? `save FILE`");
            return;
        }
        match record::write(file, &self.transcript()) {
            Ok(()) => {
                self.tell(&format!("Saved. `regulus play --resume {file}` goes on from here."))
            }
            Err(problem) => {
                self.tell(&visible(&problem));
                self.misread.push(visible(&format!("save {file}")));
            }
        }
    }

    /// Says something to a person, in lines that fit the terminal.
    fn tell(&self, words: &str) {
        if !self.loader.json {
            let width = self.loader.screen.width().unwrap_or(usize::MAX);
            say!("{}", wrapped(words.trim_end_matches('\n'), width));
        }
    }

    fn forget_opinions(&mut self) {
        for participant in &mut self.participants {
            if let Participant::Computer(computer) = participant {
                computer.opinion = None;
            }
        }
    }

    /// Lets a computer choose and play.
    fn computer_moves(&mut self, player: Player) -> Result<(), Failure> {
        self.wait_for(player)?;
        let verb = self.verb(player, ["is", "are"]);
        self.status(&format!("{} {verb} thinking…", self.player_name(player)));
        let Participant::Computer(computer) = &mut self.participants[player.index()] else {
            return Ok(());
        };
        let started = Instant::now();
        let thought = computer.think(&self.play, false)?;
        let time = started.elapsed();
        let found = self.play.moves()?.find(&thought.steps.0);
        let index = found
            .ok_or_else(|| Failure::bad_input("the computer chose a move that is not legal"))?;
        let opinion = computer.opinion(&self.play, &thought)?;
        let value = opinion.value;
        computer.opinion = Some(opinion);
        self.clear_status();
        self.play(index, Some((value, time)))?;
        if self.tells {
            self.say_opinion(player);
        }
        Ok(())
    }

    /// Waits until a computer is ready to play.
    fn wait_for(&mut self, player: Player) -> Result<(), Failure> {
        let is_learning = match &self.participants[player.index()] {
            Participant::Computer(computer) => computer.is_learning(),
            Participant::Person => false,
        };
        if is_learning {
            let verb = self.verb(player, ["is", "are"]);
            self.status(&format!("{} {verb} still learning the game…", self.player_name(player)));
        }
        match &mut self.participants[player.index()] {
            Participant::Computer(computer) => computer.wait(),
            Participant::Person => Ok(()),
        }
    }

    /// Says what is going on, until it is cleared.
    fn status(&self, words: &str) {
        if self.has_screen {
            say_raw!("{CLEAR_LINE}{words}");
            output::flush();
        }
    }

    fn clear_status(&self) {
        if self.has_screen {
            say_raw!("{CLEAR_LINE}");
        }
    }

    /// Plays a move, with what a computer expected of it and how long it thought.
    fn play(
        &mut self,
        index: usize,
        thought: Option<(Option<f64>, Duration)>,
    ) -> Result<(), Failure> {
        let Some(player) = self.play.player() else { return Ok(()) };
        let steps = self.play.moves()?.get(index).to_vec();
        let turn = Turn {
            player,
            name: self.play.names()?[index].clone(),
            written: self.play.written(&steps)?,
            value: thought.and_then(|(value, _)| value),
            time: thought.map(|(_, time)| time),
        };
        self.play.play_index(index)?;
        self.turns.push(turn);
        self.undone.clear();
        self.is_drawn = false;
        if !self.loader.json {
            self.say_turn(self.turns.len() - 1);
        }
        Ok(())
    }

    /// The player to move; `None` if the game is over.
    fn to_move(&self) -> Option<Player> {
        self.play.player().filter(|_| self.resigned.is_none())
    }

    fn is_person(&self, player: Player) -> bool {
        self.participants[player.index()].is_person()
    }

    fn draw(&mut self) {
        let screen = self.loader.screen;
        self.is_drawn = true;
        say_raw!("{}", screen.board(&self.play));
        let situation = match self.resignation() {
            Some(reason) => format!("the game is over: {reason}"),
            None => situation(&self.play, screen),
        };
        self.tell(&situation);
        if self.is_live && self.to_move().is_none() {
            say!("Type `undo`, `new`, `save FILE` or `quit`.");
        }
        say!("");
    }

    /// How a game ended that someone gave up.
    fn resignation(&self) -> Option<String> {
        let loser = self.resigned?;
        let name = |player: Player| self.play.game().player_look(player).name.clone();
        let players = self.play.game().automaton().players.keys();
        let winners: Vec<Player> = players.filter(|player| *player != loser).collect();
        let wins = match winners.as_slice() {
            [only] => self.verb(*only, ["wins", "win"]),
            _ => "win",
        };
        let winners: Vec<String> = winners.into_iter().map(name).collect();
        let resigns = self.verb(loser, ["resigns", "resign"]);
        Some(format!("{} {wins}: {} {resigns}", listed(&winners, "and"), name(loser)))
    }

    fn say_turn(&self, number: usize) {
        let Turn { player, name, .. } = &self.turns[number];
        say!("{:>3}. {} {name}", number + 1, self.player_name(*player));
    }

    /// A verb that agrees with a player's name.
    fn verb(&self, player: Player, [singular, plural]: [&'static str; 2]) -> &'static str {
        let name = &self.play.game().player_look(player).name;
        if is_plural(name) { plural } else { singular }
    }

    fn player_name(&self, player: Player) -> String {
        self.loader.screen.player(self.play.game(), player)
    }

    fn print_json(&self) {
        let automaton = self.play.game().automaton();
        let moves: Vec<_> = self
            .turns
            .iter()
            .map(|turn| json!({ "player": automaton.players[turn.player], "move": turn.name }))
            .collect();
        let players: Vec<&String> = automaton.players.values().collect();
        let outcome = match self.resignation() {
            Some(reason) => json!({ "results": self.results(), "reason": reason }),
            None => outcome_json(&self.play),
        };
        say!("{}", json!({ "players": players, "moves": moves, "outcome": outcome }));
    }
}

/// Words with commas between them and another word before the last.
fn listed(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn lists_end_with_a_word() {
        let words = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(listed(&words, "or"), "a, b or c");
        assert_eq!(listed(&words[..2], "and"), "a and b");
        assert_eq!(listed(&words[..1], "and"), "a");
    }
}
