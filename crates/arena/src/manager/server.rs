//! The server: waits for clients, tells them the game, and passes their moves on.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant};

use regulus_automaton::{Id as _, Player};
use regulus_engine::{Step, notation};
use regulus_game::{Checked, Game, Match};
use regulus_lang::{Language, MAX_SOURCE, rbg};

use super::ManagerError;
use super::record::{Ending, Misconduct, PlayedMove, ServedGame, name};
use super::seats::{Arrived, Offence, Seats};
use super::wire::{after, shown, write_seconds};

/// How often the server looks for clients while it waits for them.
const LOOK: Duration = Duration::from_millis(5);
/// How long clients may take to close their side at the end.
const FAREWELL: Duration = Duration::from_secs(2);

/// What a server allows.
///
/// # Examples
///
/// ```
/// use regulus_arena::manager::ServerConfig;
///
/// let ten_games = ServerConfig { games: 10, ..ServerConfig::default() };
/// assert_eq!(ten_games.deadline.as_secs(), 10);
/// ```
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// How many games are played.
    pub games: u64,
    /// How long a player may think about a move. A later move is accepted and counted.
    pub deadline: Duration,
    /// How long clients may take to get ready. A later `ready` is accepted and counted.
    pub preparation: Duration,
    /// How long after the deadline a client has lost, and how long it may take to read a message.
    pub grace: Duration,
    /// How long the server waits for clients to join.
    pub wait: Duration,
    /// A game is broken off after this many moves.
    pub longest: usize,
}

impl Default for ServerConfig {
    fn default() -> ServerConfig {
        ServerConfig {
            games: 1,
            deadline: Duration::from_secs(10),
            preparation: Duration::from_secs(10),
            grace: Duration::from_secs(5),
            wait: Duration::from_secs(600),
            longest: 10_000,
        }
    }
}

/// What happens at a server, for those who watch it.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServerEvent<'a> {
    /// A client has joined.
    Joined {
        /// The player it is.
        player: Player,
        /// Where it comes from.
        address: SocketAddr,
    },
    /// A client has left, or was cut, before the others were there.
    Lost {
        /// The player it was.
        player: Player,
        /// What it did.
        misconduct: Misconduct,
    },
    /// A client is ready.
    Ready(Player),
    /// A move was made.
    Played(&'a PlayedMove),
    /// A game is over.
    Over(&'a ServedGame),
}

/// A server for one game; it listens from the moment it is made.
#[derive(Debug)]
pub struct Server {
    game: Arc<Game>,
    text: String,
    listener: TcpListener,
    address: SocketAddr,
    config: ServerConfig,
}

impl Server {
    /// Listens at an address, such as `127.0.0.1:8989`; port 0 is any free port. The game must be in RBG: clients get its text
    /// as it is, or without macros where these make the names of players, whose order is then uncertain to other programs.
    ///
    /// # Errors
    ///
    /// If the address cannot be used, or the game is in another language.
    pub fn bind(
        game: Arc<Game>,
        address: &str,
        config: ServerConfig,
    ) -> Result<Server, ManagerError> {
        let text = text_for_clients(&game)?;
        let bad = |error| ManagerError::Address { address: address.to_owned(), error };
        let listener = TcpListener::bind(address).map_err(bad)?;
        listener.set_nonblocking(true).map_err(bad)?;
        let address = listener.local_addr().map_err(bad)?;
        Ok(Server { game, text, listener, address, config })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The text that clients get.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Waits for clients and plays the games. A client that breaks the protocol loses its game, and no further game is
    /// played.
    ///
    /// # Errors
    ///
    /// If not enough clients join in time, or the rules fault.
    pub fn run(
        self,
        watch: &mut dyn FnMut(&ServerEvent<'_>),
    ) -> Result<Vec<ServedGame>, ManagerError> {
        let Server { game, text, listener, config, .. } = self;
        let seats = gather(&listener, game.player_count(), &config, watch)?;
        // Clients that come now are refused.
        drop(listener);
        let players: Vec<Player> = game.automaton().players.keys().collect();
        let late_ready = vec![false; players.len()];
        let mut table = Table { game: &game, config: &config, players, seats, late_ready, watch };
        let mut records = Vec::new();
        if let Err(offence) = table.prepare(&text) {
            records.push(table.no_game(offence));
        }
        while (records.len() as u64) < config.games
            && records.last().is_none_or(|record| matches!(record.ending, Ending::Over(_)))
        {
            records.push(table.play()?);
        }
        table.seats.close(FAREWELL);
        Ok(records)
    }
}

/// Waits until every player has a client.
fn gather(
    listener: &TcpListener,
    needed: usize,
    config: &ServerConfig,
    watch: &mut dyn FnMut(&ServerEvent<'_>),
) -> Result<Seats, ManagerError> {
    let mut seats = Seats::new(needed, config.grace);
    let started = Instant::now();
    while !seats.are_full() {
        match listener.accept() {
            Ok((stream, address)) => {
                // A client that is gone before it has a seat is none.
                if let Ok(Some(player)) = seats.take(stream) {
                    watch(&ServerEvent::Joined { player, address });
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(LOOK),
            // What goes wrong with one connection does not matter to the others.
            Err(_) => std::thread::sleep(LOOK),
        }
        for Offence { player, misconduct } in seats.free_lost() {
            watch(&ServerEvent::Lost { player, misconduct });
        }
        if !seats.are_full() && started.elapsed() >= config.wait {
            let (joined, waited) = (seats.taken(), config.wait);
            return Err(ManagerError::TooFewClients { joined, needed, waited });
        }
    }
    Ok(seats)
}

/// Everyone who has joined, and what is played.
struct Table<'a> {
    game: &'a Arc<Game>,
    config: &'a ServerConfig,
    players: Vec<Player>,
    seats: Seats,
    late_ready: Vec<bool>,
    watch: &'a mut dyn FnMut(&ServerEvent<'_>),
}

impl Table<'_> {
    /// Tells the clients what is played, and waits until they are ready.
    fn prepare(&mut self, text: &str) -> Result<(), Offence> {
        let mut sent = Vec::new();
        for &player in &self.players {
            // The first one can be ready before the last one is told.
            sent.push(Instant::now());
            self.seats.send(player, &write_seconds(self.config.preparation))?;
            self.seats.send(player, text)?;
            self.seats.send(player, &(player.index() + 1).to_string())?;
        }
        let last = after(self.config.preparation.saturating_add(self.config.grace));
        for &player in &self.players {
            let Arrived { message, at } = self.seats.receive(player, last)?;
            if message != b"ready" {
                let misconduct = Misconduct::BadReady(shown(&message));
                return Err(Offence { player, misconduct });
            }
            self.late_ready[player.index()] =
                at.saturating_duration_since(sent[player.index()]) > self.config.preparation;
            (self.watch)(&ServerEvent::Ready(player));
        }
        Ok(())
    }

    /// The record of a game that could not begin.
    fn no_game(&mut self, offence: Offence) -> ServedGame {
        let record = ServedGame {
            moves: Vec::new(),
            ending: self.forfeit(offence),
            time: Duration::ZERO,
            choices: None,
            late_moves: vec![0; self.players.len()],
            late_ready: self.late_ready.clone(),
        };
        (self.watch)(&ServerEvent::Over(&record));
        record
    }

    /// Plays one game.
    fn play(&mut self) -> Result<ServedGame, ManagerError> {
        let started = Instant::now();
        let mut play = Match::new(self.game)?;
        let (mut moves, mut late_moves) = (Vec::new(), vec![0; self.players.len()]);
        let mut choices = Some(0);
        let ending = loop {
            choices = add_choices(choices, &play);
            let Some(player) = play.player() else {
                self.reset();
                let over = play.outcome().over().cloned();
                break over.map_or(Ending::BrokenOff, Ending::Over);
            };
            if moves.len() >= self.config.longest {
                break Ending::BrokenOff;
            }
            match self.turn(&mut play, player, &mut late_moves)? {
                Ok(played) => {
                    (self.watch)(&ServerEvent::Played(&played));
                    moves.push(played);
                }
                Err(offence) => break self.forfeit(offence),
            }
        };
        let (time, late_ready) = (started.elapsed(), self.late_ready.clone());
        let record = ServedGame { moves, ending, time, choices, late_moves, late_ready };
        (self.watch)(&ServerEvent::Over(&record));
        Ok(record)
    }

    /// Asks a player for a move, makes it and tells the others.
    fn turn(
        &mut self,
        play: &mut Match,
        player: Player,
        late_moves: &mut [u32],
    ) -> Result<Result<PlayedMove, Offence>, ManagerError> {
        let asked = Instant::now();
        let deadline = self.config.deadline;
        let sent = self.seats.send(player, &write_seconds(deadline));
        let answer = sent.and_then(|()| {
            self.seats.receive(player, after(deadline.saturating_add(self.config.grace)))
        });
        let Arrived { message, at } = match answer {
            Ok(arrived) => arrived,
            Err(offence) => return Ok(Err(offence)),
        };
        if at.saturating_duration_since(asked) > deadline {
            late_moves[player.index()] += 1;
        }
        let text = std::str::from_utf8(&message).ok();
        let Some(steps) = text.and_then(notation::parse_exact) else {
            let misconduct = Misconduct::Garbage(shown(&message));
            return Ok(Err(Offence { player, misconduct }));
        };
        if !is_legal(play, &steps.0) {
            let misconduct = Misconduct::Illegal(shown(&message));
            return Ok(Err(Offence { player, misconduct }));
        }
        let name = name(play, &steps.0);
        play.play(&steps.0)?;
        let played = PlayedMove { player, steps, name };
        let told = self.tell_others(player, &played.wire());
        match told {
            // A game that is over is decided, even if clients have left in the meantime.
            Err(offence) if play.player().is_some() => Ok(Err(offence)),
            _ => Ok(Ok(played)),
        }
    }

    fn tell_others(&mut self, mover: Player, message: &str) -> Result<(), Offence> {
        let others = self.players.iter().copied().filter(|&player| player != mover);
        // All are told even if one does not listen.
        let told: Vec<_> = others.map(|player| self.seats.send(player, message)).collect();
        told.into_iter().collect()
    }

    /// Says that the game is over; who cannot be told is found out in the next game.
    fn reset(&mut self) {
        for &player in &self.players {
            if self.seats.send(player, "reset").is_err() {
                self.seats.cut(player);
            }
        }
    }

    /// Cuts the client that has lost so.
    fn forfeit(&mut self, Offence { player, misconduct }: Offence) -> Ending {
        self.seats.cut(player);
        let name = self.game.player_look(player).name.clone();
        Ending::Forfeit { player, name, misconduct }
    }
}

/// Adds the number of legal moves; once there are too many, it is not known.
fn add_choices(choices: Option<u64>, play: &Match) -> Option<u64> {
    let count = play.moves().ok()?.len();
    choices?.checked_add(count as u64)
}

/// Whether a move is legal.
fn is_legal(play: &Match, steps: &[Step]) -> bool {
    match play.moves() {
        Ok(moves) => moves.find(steps).is_some(),
        // Too many to list, but one can be tried.
        Err(_) => play.clone().play(steps).is_ok(),
    }
}

/// The text that clients get.
fn text_for_clients(game: &Game) -> Result<String, ManagerError> {
    let (source, name) = (game.source(), game.source().name());
    let refused = |why: &str| ManagerError::NoText(format!("{name} {why}"));
    if !matches!(Language::of(source), Ok(Language::Rbg)) {
        return Err(refused("is not RBG, the only language that clients understand"));
    }
    let players: Vec<&str> = game.automaton().players.values().map(String::as_str).collect();
    if has_plain_players(source.text(), &players) && !source.text().contains('\0') {
        return Ok(source.text().to_owned());
    }
    let Checked::Rbg(checked) = Checked::new(source)? else { return Err(refused("is not RBG")) };
    let text = rbg::lower_to_text(&checked);
    if text.len() > MAX_SOURCE {
        return Err(refused("is too long without its macros, which make the names of players"));
    }
    Ok(text)
}

/// Whether the players stand in the text one after the other, so that every program numbers them alike. Programs of the field
/// sort them by where their names stand, and one takes the list apart without knowing macros.
fn has_plain_players(text: &str, names: &[&str]) -> bool {
    let text = without_comments(text);
    let sections =
        text.split('#').filter_map(|section| section.trim_start().strip_prefix("players"));
    let mut lists = sections.filter_map(|section| section.trim_start().strip_prefix('='));
    let (Some(list), None) = (lists.next(), lists.next()) else { return false };
    let listed = list.split(',').map(|item| item.split('(').next().unwrap_or("").trim());
    listed.eq(names.iter().copied())
}

/// A text with a blank for each comment.
fn without_comments(text: &str) -> String {
    let (mut kept, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, comment)) = rest.split_once('/') {
        kept.push_str(before);
        let (opening, end) = match comment.as_bytes().first() {
            Some(b'/') => (1, "\n"),
            Some(b'*') => (1, "*/"),
            _ => {
                kept.push('/');
                rest = comment;
                continue;
            }
        };
        kept.push(' ');
        rest = comment[opening..].split_once(end).map_or("", |(_, rest)| rest);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_plain_unless_macros_make_them() {
        let names = ["white", "black"];
        for text in [
            "#players = white(100), black(100) #pieces = e",
            "// #players = other(1)\n#a = x/y\n# players=white (1)/* first */,\n black(1) // second\n\n#board",
        ] {
            assert!(has_plain_players(text, &names), "{text}");
        }
        for text in
            ["#two = white(1), black(1) #players = two", "#players = black(1), white(1)", ""]
        {
            assert!(!has_plain_players(text, &names), "{text}");
        }
    }
}
