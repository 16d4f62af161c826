//! The client: joins a server and plays there with one of our players until the server closes the connection.

use std::net::{TcpStream, ToSocketAddrs as _};
use std::sync::Arc;
use std::time::Duration;

use regulus_agents::{Agent, Budget, PlayerSpec, Task};
use regulus_automaton::{Id as _, Player};
use regulus_engine::notation;
use regulus_game::{Config, Game, Match, Over};
use regulus_lang::{Language, MAX_SOURCE, Source};

use super::ManagerError;
use super::record::{PlayedMove, name};
use super::wire::{Incoming, MAX_MESSAGE, Outgoing, WireError, after, read_seconds, shown};

/// The part of the deadline that is kept for the way of the move, and for the work of a server that counts it as ours, within
/// these bounds.
const MARGIN_PART: u32 = 5;
const LEAST_MARGIN: Duration = Duration::from_millis(10);
const MOST_MARGIN: Duration = Duration::from_millis(500);
/// The least time to think, however short the deadline.
const LEAST_TIME: Duration = Duration::from_millis(1);

/// How a client plays.
///
/// # Examples
///
/// ```
/// use regulus_arena::manager::ClientConfig;
///
/// let config = ClientConfig::new("uct?iterations=1000".parse()?);
/// assert_eq!(config.player.to_string(), "uct?iterations=1000");
/// # Ok::<(), regulus_agents::BadSpec>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClientConfig {
    /// The player. If it says how long it thinks, it does not think longer; else it takes what the server gives.
    pub player: PlayerSpec,
    /// The seed of its choices.
    pub seed: u64,
    /// How long it thinks about a move if neither it nor the server says so.
    pub unhurried: Duration,
    /// How long the server may take to answer the call, and to take a message.
    pub connect: Duration,
    /// How long the server may be silent.
    pub patience: Duration,
    /// How the game is loaded.
    pub load: Config,
}

impl ClientConfig {
    /// A client with this player, and else with what suits most.
    #[must_use]
    pub fn new(player: PlayerSpec) -> ClientConfig {
        ClientConfig {
            player,
            seed: 1,
            unhurried: Duration::from_secs(1),
            connect: Duration::from_secs(10),
            patience: Duration::from_secs(3600),
            load: Config::default(),
        }
    }
}

/// What happens at a client, for those who watch it.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientEvent<'a> {
    /// The server has said which game is played.
    Joined {
        /// The game.
        game: &'a Arc<Game>,
        /// The player that this client is.
        player: Player,
    },
    /// A move was made, by this or another player.
    Played(&'a PlayedMove),
    /// A game is over, or the server has ended it.
    Over(&'a ClientGame),
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct ClientGame {
    /// The moves of the players.
    pub moves: Vec<PlayedMove>,
    /// How it ended; `None` if the server closed the connection before that.
    pub over: Option<Over>,
}

/// Joins a server, such as `localhost:8989`, and plays until it closes the connection.
///
/// # Errors
///
/// If there is no such server, if it does not speak the protocol, if its game has errors, or if the player fails.
pub fn join(
    address: &str,
    config: &ClientConfig,
    watch: &mut dyn FnMut(&ClientEvent<'_>),
) -> Result<Vec<ClientGame>, ManagerError> {
    let stream = connect(address, config.connect)
        .map_err(|error| ManagerError::Address { address: address.to_owned(), error })?;
    let mut link = Link::new(stream, config)
        .map_err(|error| ManagerError::Address { address: address.to_owned(), error })?;
    let (game, me) = link.introduction()?;
    watch(&ClientEvent::Joined { game: &game, player: me });
    let mut agent = config.player.create(&game, config.seed);
    agent.prepare();
    link.send("ready")?;
    let mut games = Vec::new();
    loop {
        let mut record = ClientGame { moves: Vec::new(), over: None };
        let is_open = link.play(&game, me, agent.as_mut(), &mut record, watch)?;
        if is_open || !record.moves.is_empty() {
            watch(&ClientEvent::Over(&record));
            games.push(record);
        }
        if !is_open {
            return Ok(games);
        }
        agent.forget();
    }
}

/// The first of the addresses of a name that answers.
fn connect(address: &str, within: Duration) -> std::io::Result<TcpStream> {
    let mut problem = std::io::Error::other("the name has no address");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, within) {
            Ok(stream) => return Ok(stream),
            Err(error) => problem = error,
        }
    }
    Err(problem)
}

/// The connection to the server.
struct Link<'a> {
    incoming: Incoming,
    outgoing: Outgoing,
    config: &'a ClientConfig,
}

impl<'a> Link<'a> {
    fn new(stream: TcpStream, config: &'a ClientConfig) -> std::io::Result<Link<'a>> {
        stream.set_nodelay(true)?;
        let incoming = Incoming::new(stream.try_clone()?);
        Ok(Link { incoming, outgoing: Outgoing::new(stream), config })
    }

    /// Learns which game is played, and who this client is.
    fn introduction(&mut self) -> Result<(Arc<Game>, Player), ManagerError> {
        let preparation = self.expect(MAX_MESSAGE, "the time to prepare")?;
        if read_seconds(&preparation).is_none() {
            return Err(bad(format!("sent `{}` as the time to prepare", shown(&preparation))));
        }
        let text = self.expect(MAX_SOURCE, "the game")?;
        let number = self.expect(MAX_MESSAGE, "the number of the player")?;
        let text = String::from_utf8(text).map_err(|_| bad("sent a game that is not text"))?;
        let source = Source::new("the game of the server", text).in_language(Language::Rbg);
        let game = Game::new(source, &self.config.load)?;
        let player = std::str::from_utf8(&number).ok().and_then(|text| text.trim().parse().ok());
        let player = player.filter(|number| (1..=game.player_count()).contains(number));
        let player = player.ok_or_else(|| {
            let count = game.player_count();
            bad(format!("says that we are player `{}` of {count}", shown(&number)))
        })?;
        Ok((game, Player::from_index(player - 1)))
    }

    /// Plays one game; says whether the server goes on.
    fn play(
        &mut self,
        game: &Arc<Game>,
        me: Player,
        agent: &mut dyn Agent,
        record: &mut ClientGame,
        watch: &mut dyn FnMut(&ClientEvent<'_>),
    ) -> Result<bool, ManagerError> {
        let mut play = Match::new(game)?;
        while let Some(player) = play.player() {
            let Some(message) = self.next()? else { return Ok(false) };
            let steps = if player == me {
                let Some(deadline) = read_seconds(&message) else {
                    return Err(bad(format!("sent `{}` as a deadline", shown(&message))));
                };
                let mut task = Task::new(self.budget(deadline));
                let thought = agent.think(&play, &mut task);
                thought.map_err(|error| ManagerError::Player(error.to_string()))?.steps
            } else {
                let text = std::str::from_utf8(&message).ok();
                let steps = text.and_then(notation::parse_exact);
                steps.ok_or_else(|| bad(format!("sent `{}` as a move", shown(&message))))?
            };
            let name = name(&play, &steps.0);
            play.play(&steps.0).map_err(|error| match player == me {
                true => ManagerError::Player(error.to_string()),
                false => bad(format!("sent a move that cannot be made: {error}")),
            })?;
            // A server that is gone is noticed when it is listened to.
            if player == me && self.send(&notation::exact(&steps.0)).is_err() {
                return Ok(false);
            }
            let played = PlayedMove { player, steps, name };
            watch(&ClientEvent::Played(&played));
            record.moves.push(played);
        }
        record.over = play.outcome().over().cloned();
        match self.next()? {
            Some(message) if message == b"reset" => Ok(true),
            Some(message) => {
                Err(bad(format!("sent `{}` though the game is over", shown(&message))))
            }
            None => Ok(false),
        }
    }

    /// How long to think about a move.
    fn budget(&self, deadline: Duration) -> Budget {
        let margin = (deadline / MARGIN_PART).clamp(LEAST_MARGIN, MOST_MARGIN);
        let most = deadline.saturating_sub(margin).max(LEAST_TIME);
        let otherwise = if deadline == Duration::MAX { self.config.unhurried } else { most };
        let budget = self.config.player.budget_or(Budget::time(otherwise));
        Budget { time: Some(budget.time.map_or(most, |time| time.min(most))), ..budget }
    }

    fn send(&mut self, message: &str) -> Result<(), ManagerError> {
        let sent = self.outgoing.send(message, self.config.connect);
        sent.map_err(|error| match error {
            WireError::TimedOut => bad("does not read what it is sent"),
            WireError::Closed | WireError::TooLong => bad("closed the connection"),
        })
    }

    /// The next message of a game; `None` if the server has closed the connection.
    fn next(&mut self) -> Result<Option<Vec<u8>>, ManagerError> {
        match self.incoming.receive(MAX_MESSAGE, Some(after(self.config.patience))) {
            Ok(message) => Ok(Some(message)),
            Err(WireError::Closed) => Ok(None),
            Err(WireError::TooLong) => Err(bad("sent a message that is longer than any move")),
            Err(WireError::TimedOut) => Err(bad("has been silent for too long")),
        }
    }

    /// A message without which no game can begin.
    fn expect(&mut self, limit: usize, what: &str) -> Result<Vec<u8>, ManagerError> {
        let until = Some(after(self.config.patience));
        self.incoming.receive(limit, until).map_err(|error| match error {
            WireError::Closed => bad(format!("closed the connection before it sent {what}")),
            WireError::TooLong => bad(format!("sent more than {limit} bytes as {what}")),
            WireError::TimedOut => bad(format!("did not send {what}")),
        })
    }
}

fn bad(what: impl Into<String>) -> ManagerError {
    ManagerError::BadServer(what.into())
}
