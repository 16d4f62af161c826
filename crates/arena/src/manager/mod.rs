//! The protocol of the RBG game manager: a server that lets programs play over TCP, and a client that joins such a server.
//!
//! Both speak it byte for byte as the original manager does, so either side may be a program of the field. A message is text
//! that ends with a NUL byte:
//!
//! | from | message | when |
//! | --- | --- | --- |
//! | server | seconds to prepare, the text of the game, the player's number from 1 | once, when all clients have joined |
//! | client | `ready` | once |
//! | server | seconds to move | to the player whose turn it is |
//! | client | the move | |
//! | server | the move | to all others |
//! | server | `reset` | to all when a game is over; the next one begins at once |
//!
//! A move is pairs of square and modifier, `1 3 2 4`, as [`regulus_engine::notation::exact`] spells it: squares are counted
//! in the order of the board, modifiers in the order of the text without macros. Neither side is told results or errors; every
//! client follows the game by itself.
//!
//! [`Server`] trusts no client: messages are bounded in length and number, everything has a time limit, and who breaks the
//! protocol loses the game ([`Misconduct`]). [`join`] trusts no server: the text is bounded and checked as any other.
//!
//! ```
//! use regulus_agents::PlayerSpec;
//! use regulus_arena::manager::{ClientConfig, Ending, Server, ServerConfig, join};
//! use regulus_game::{Config, Game};
//!
//! let game = Game::load("tic_tac_toe", &Config::default())?;
//! let server = Server::bind(game, "127.0.0.1:0", ServerConfig::default())?;
//! let address = server.address().to_string();
//! let records = std::thread::scope(|scope| {
//!     for seed in [1, 2] {
//!         let address = &address;
//!         scope.spawn(move || {
//!             let player: PlayerSpec = "random".parse().expect("there is such a player");
//!             join(address, &ClientConfig { seed, ..ClientConfig::new(player) }, &mut |_| ())
//!         });
//!     }
//!     server.run(&mut |_| ())
//! })?;
//! assert!(matches!(records[0].ending, Ending::Over(_)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod client;
mod record;
mod seats;
mod server;
mod wire;

use std::fmt;
use std::time::Duration;

pub use client::{ClientConfig, ClientEvent, ClientGame, join};
pub use record::{Ending, Misconduct, PlayedMove, ServedGame};
pub use server::{Server, ServerConfig, ServerEvent};

/// Why no game could be served or joined.
#[derive(Debug)]
#[non_exhaustive]
pub enum ManagerError {
    /// An address cannot be used.
    Address {
        /// The address.
        address: String,
        /// Why.
        error: std::io::Error,
    },
    /// Not enough clients joined in time.
    TooFewClients {
        /// How many were there at the end.
        joined: usize,
        /// How many the game needs.
        needed: usize,
        /// How long the server waited.
        waited: Duration,
    },
    /// There is no text of the game that clients understand: why.
    NoText(String),
    /// The game is bad or cannot be played.
    Game(regulus_game::Error),
    /// The server does not speak the protocol: what it did.
    BadServer(String),
    /// The player of this client failed: how.
    Player(String),
}

impl From<regulus_game::Error> for ManagerError {
    fn from(error: regulus_game::Error) -> ManagerError {
        ManagerError::Game(error)
    }
}

impl fmt::Display for ManagerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ManagerError::Address { address, error } => write!(f, "cannot use {address}: {error}"),
            ManagerError::TooFewClients { joined, needed, waited } => {
                let seconds = waited.as_secs_f64();
                write!(f, "{joined} of {needed} clients joined within {seconds} seconds")
            }
            ManagerError::NoText(why) => f.write_str(why),
            ManagerError::Game(error) => error.fmt(f),
            ManagerError::BadServer(what) => write!(f, "the server {what}"),
            ManagerError::Player(what) => write!(f, "the player failed: {what}"),
        }
    }
}

impl std::error::Error for ManagerError {}
