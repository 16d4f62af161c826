//! What clients, texts and games may ask for at most.

use regulus_engine::Limits;

/// The most bytes of a request.
pub const REQUEST_BYTES: usize = 5_000_000;
/// The most bytes of a message on a socket.
pub const MESSAGE_BYTES: usize = 64_000;
/// The most sockets at a time.
pub const SOCKETS: usize = 4_000;
/// The most matches that are kept in memory; others are read from the archive when they are asked for.
pub const LIVE_MATCHES: usize = 4_000;
/// The most positions of the tree of a match.
pub const NODES: usize = 5_000;
/// The most squares of a game that is played on the page.
pub const SQUARES: usize = 1_600;
/// The most players of a match.
pub const SEATS: usize = 12;
/// How many texts are compiled at a time, and how many requests of games that are not bundled are answered.
pub const TEXTS_AT_A_TIME: usize = 2;
/// How many requests wait for that.
pub const TEXTS_WAITING: usize = 64;
/// How many games stay loaded.
pub const LOADED_GAMES: usize = 200;
/// The longest time that a computer thinks about a move, in seconds.
pub const THINKING_SECONDS: f64 = 20.0;
/// The longest time that a position is analysed, in seconds.
pub const ANALYSIS_SECONDS: f64 = 120.0;
/// The most megabytes that a computer's tree may take.
pub const THINKING_MEGABYTES: u64 = 200;
/// How many messages a socket may send in a second, for longer than a moment.
pub const MESSAGES_PER_SECOND: f64 = 40.0;
/// How many it may send at once.
pub const MESSAGES_AT_ONCE: f64 = 120.0;

/// The most games of a series between computers.
pub const SERIES_GAMES: u32 = 200;
/// The most moves of such a game; one that is longer is cut short.
pub const SERIES_PLIES: usize = 400;
/// How many series are played at a time.
pub const SERIES_AT_A_TIME: usize = 16;
/// How many series are remembered.
pub const SERIES_KEPT: usize = 500;

/// The largest seed that is drawn: JavaScript can hold it exactly.
pub const LARGEST_SEED: u64 = (1 << 53) - 1;

/// What one request to an engine may do. Less than elsewhere, since others are waiting: a game that needs more for a single
/// position cannot be played on the page.
#[must_use]
pub fn engine() -> Limits {
    Limits {
        moves: 1 << 20,
        stored_steps: 1 << 21,
        keeper_moves: 1 << 16,
        tries: 1 << 24,
        memory: 1 << 26,
        ..Limits::default()
    }
}
