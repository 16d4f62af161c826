//! The clients of a server: a seat for each player, and one thread for each connection that reads what comes.
//!
//! All threads report to one queue of fixed length, so a client that floods fills it, is noticed and cut, and memory stays
//! bounded. The server looks at the queue whenever it waits; so it knows at once who left, also when it is another's turn.

use std::collections::VecDeque;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use regulus_automaton::{Id as _, Player};

use super::record::Misconduct;
use super::wire::{Incoming, MAX_MESSAGE, Outgoing, WireError, after};

/// How many reports wait to be looked at, before connections wait.
const QUEUE: usize = 16;

/// How many messages may come before they are asked for: `ready`, and the first move of a client that does not wait for the
/// deadline.
const MOST_EARLY: usize = 2;

/// What a connection has brought.
type News = (Connection, Result<Arrived, WireError>);

/// A message, and when it came.
#[derive(Debug)]
pub(crate) struct Arrived {
    pub(crate) message: Vec<u8>,
    pub(crate) at: Instant,
}

/// The number of a connection. Another client on the same seat has another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Connection(u64);

/// A client that breaks the protocol.
#[derive(Debug)]
pub(crate) struct Offence {
    pub(crate) player: Player,
    pub(crate) misconduct: Misconduct,
}

/// The clients.
#[derive(Debug)]
pub(crate) struct Seats {
    seats: Vec<Option<Seat>>,
    news: Receiver<News>,
    report: SyncSender<News>,
    connections: u64,
    /// How long a client may take to read a message.
    patience: Duration,
}

#[derive(Debug)]
struct Seat {
    connection: Connection,
    outgoing: Outgoing,
    /// Messages that came before they were asked for.
    early: VecDeque<Arrived>,
}

impl Seats {
    pub(crate) fn new(count: usize, patience: Duration) -> Seats {
        let (report, news) = sync_channel(QUEUE);
        Seats { seats: (0..count).map(|_| None).collect(), news, report, connections: 0, patience }
    }

    /// How many seats are taken.
    pub(crate) fn taken(&self) -> usize {
        self.seats.iter().flatten().count()
    }

    /// Whether every seat is taken.
    pub(crate) fn are_full(&self) -> bool {
        self.seats.iter().all(Option::is_some)
    }

    /// Gives the first free seat to a client.
    pub(crate) fn take(&mut self, stream: TcpStream) -> std::io::Result<Option<Player>> {
        let Some(free) = self.seats.iter().position(Option::is_none) else { return Ok(None) };
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        self.connections += 1;
        let (connection, report) = (Connection(self.connections), self.report.clone());
        let mut incoming = Incoming::new(stream.try_clone()?);
        let read = move || {
            loop {
                let message = incoming.receive(MAX_MESSAGE, None);
                let message = message.map(|message| Arrived { message, at: Instant::now() });
                let is_last = message.is_err();
                if report.send((connection, message)).is_err() || is_last {
                    break;
                }
            }
        };
        std::thread::Builder::new().name("manager client".to_owned()).spawn(read)?;
        let outgoing = Outgoing::new(stream);
        self.seats[free] = Some(Seat { connection, outgoing, early: VecDeque::new() });
        Ok(Some(Player::from_index(free)))
    }

    /// Frees the seats of clients that left or flooded before the game began; says whose.
    pub(crate) fn free_lost(&mut self) -> Vec<Offence> {
        let mut lost = Vec::new();
        while let Ok(news) = self.news.try_recv() {
            if let Some(offence) = self.note(news) {
                self.cut(offence.player);
                lost.push(offence);
            }
        }
        lost
    }

    /// Sends a message to a player.
    pub(crate) fn send(&mut self, player: Player, message: &str) -> Result<(), Offence> {
        let patience = self.patience;
        let Some(seat) = &mut self.seats[player.index()] else {
            return Err(Offence { player, misconduct: Misconduct::Left });
        };
        seat.outgoing.send(message, patience).map_err(|error| {
            let misconduct = match error {
                WireError::TimedOut => Misconduct::Deaf,
                WireError::Closed | WireError::TooLong => Misconduct::Left,
            };
            Offence { player, misconduct }
        })
    }

    /// Waits for a message of a player. Whatever another client does wrong in the meantime is found, too.
    pub(crate) fn receive(&mut self, player: Player, until: Instant) -> Result<Arrived, Offence> {
        loop {
            match &mut self.seats[player.index()] {
                Some(seat) => {
                    if let Some(message) = seat.early.pop_front() {
                        return Ok(message);
                    }
                }
                None => return Err(Offence { player, misconduct: Misconduct::Left }),
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.news.recv_timeout(left) {
                Ok(news) => {
                    if let Some(offence) = self.note(news) {
                        return Err(offence);
                    }
                }
                // The queue has no other end only if there are no seats.
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    return Err(Offence { player, misconduct: Misconduct::Silent });
                }
            }
        }
    }

    /// Ends the connection of a player at once.
    pub(crate) fn cut(&mut self, player: Player) {
        if let Some(seat) = self.seats[player.index()].take() {
            seat.outgoing.cut();
        }
    }

    /// Ends all connections after everything that was sent has been read, or after a while. Closing with bytes unread on our
    /// side would throw away what is still on the way to the client.
    pub(crate) fn close(&mut self, within: Duration) {
        let until = after(within);
        self.seats.iter().flatten().for_each(|seat| seat.outgoing.finish());
        while self.taken() > 0 {
            let left = until.saturating_duration_since(Instant::now());
            let Ok((connection, message)) = self.news.recv_timeout(left) else { break };
            if message.is_err()
                && let Some(player) = self.player(connection)
            {
                self.cut(player);
            }
        }
        (0..self.seats.len()).for_each(|seat| self.cut(Player::from_index(seat)));
    }

    /// Keeps a message until it is asked for; the client's offence, if it is one.
    fn note(&mut self, (connection, message): News) -> Option<Offence> {
        // A client that was cut may still have something in the queue.
        let player = self.player(connection)?;
        let seat = self.seats[player.index()].as_mut()?;
        let misconduct = match message {
            Ok(_) if seat.early.len() >= MOST_EARLY => Misconduct::OutOfTurn,
            Ok(message) => {
                seat.early.push_back(message);
                return None;
            }
            Err(WireError::TooLong) => Misconduct::TooLong,
            Err(WireError::Closed | WireError::TimedOut) => Misconduct::Left,
        };
        Some(Offence { player, misconduct })
    }

    fn player(&self, connection: Connection) -> Option<Player> {
        let mut seats = self.seats.iter();
        let is_it = |seat: &Option<Seat>| seat.as_ref().is_some_and(|s| s.connection == connection);
        seats.position(is_it).map(Player::from_index)
    }
}

impl Drop for Seats {
    /// Threads that read end with their connections.
    fn drop(&mut self) {
        self.seats.iter().flatten().for_each(|seat| seat.outgoing.cut());
    }
}
