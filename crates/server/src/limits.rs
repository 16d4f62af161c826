//! What clients, texts and games may ask for at most.

use crate::refusal::Refusal;

/// The most bytes of a request.
pub const REQUEST_BYTES: usize = 5_000_000;
/// The most bytes of a message on a socket.
pub const MESSAGE_BYTES: usize = 64_000;
/// The most sockets at a time.
pub const SOCKETS: usize = 4_000;
/// The most matches that are kept in memory; others are read from the archive when they are asked for.
pub const LIVE_MATCHES: usize = 4_000;
/// How long the archive keeps a match that no one touches, in days. Older ones are removed when the server starts.
pub const ARCHIVE_DAYS: u64 = 90;
/// The most matches that the archive keeps when the server starts; those go first that were not touched for longest.
pub const ARCHIVE_MATCHES: u64 = 100_000;
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
/// The most megabytes that a computer's memory may be set to; an analysis has as many.
pub const THINKING_MEGABYTES: u64 = 200;
/// The megabytes of a computer that is to move, unless it says otherwise.
pub const USUAL_MEGABYTES: u64 = 50;
/// How many moves are thought about in turn, and how many positions analysed; others wait.
pub const THINKING_AT_A_TIME: usize = 16;
/// The most learning that a player may be set to: 1 is a few seconds.
pub const LEARNING: f64 = 1.0;
/// The longest time that a game is learnt, in seconds.
pub const LEARNING_SECONDS: f64 = 15.0;
/// How many games that are not bundled may wait to be learnt, while one is.
pub const LEARNING_WAITING: usize = 8;
/// Of how many games it is kept what their pieces are worth.
pub const WORTHS_KEPT: usize = 60;
/// The most pictures of what a game's pieces are worth, and the most squares in all of them.
pub const PICTURES: usize = 40;
/// See [`PICTURES`].
pub const PICTURED_SQUARES: usize = 10_000;

/// How much may be asked for: some at once, and then as many as come in a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// At once, after a while without requests.
    pub at_once: f64,
    /// In a second, for longer than a moment.
    pub per_second: f64,
}

/// Messages of a socket; others wait.
pub const MESSAGES: Rate = Rate { at_once: 120.0, per_second: 40.0 };
/// Matches that a client may begin.
pub const MATCHES_OF_CLIENT: Rate = Rate { at_once: 100.0, per_second: 2.0 };
/// Matches that may be begun from an address.
pub const MATCHES_OF_ADDRESS: Rate = Rate { at_once: 3_000.0, per_second: 50.0 };
/// Series that a client may begin.
pub const SERIES_OF_CLIENT: Rate = Rate { at_once: 20.0, per_second: 0.5 };
/// Series that may be begun from an address.
pub const SERIES_OF_ADDRESS: Rate = Rate { at_once: 200.0, per_second: 5.0 };
/// Requests about texts, and for new ones, that may come from an address.
pub const TEXTS_OF_ADDRESS: Rate = Rate { at_once: 1_000.0, per_second: 50.0 };
/// The most clients and addresses whose requests are counted at a time.
pub const RATES_KEPT: usize = 50_000;

/// The most games of a series between computers.
pub const SERIES_GAMES: u32 = 200;
/// The most moves of such a game; one that is longer is cut short.
pub const SERIES_PLIES: usize = 400;
/// How many series are played at a time.
pub const SERIES_AT_A_TIME: usize = 16;
/// How many series are remembered.
pub const SERIES_KEPT: usize = 500;

/// The largest seed: JavaScript can hold it exactly.
pub const LARGEST_SEED: u64 = (1 << 53) - 1;

/// Refuses a seed that is too large.
pub(crate) fn check_seed(seed: Option<u64>) -> Result<(), Refusal> {
    match seed {
        Some(seed) if seed > LARGEST_SEED => {
            Err(Refusal::bad(format!("`seed` is {seed}; at most {LARGEST_SEED} is allowed")))
        }
        _ => Ok(()),
    }
}
