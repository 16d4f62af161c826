//! The line protocol between the arena and players that are programs; `docs/protocol.md` describes it.
//!
//! | the arena says | the player answers |
//! | --- | --- |
//! | `hello 1` | `hello 1 NAME`, and `wants legal` behind it if it wants to be told the legal moves |
//! | `game NAME` | |
//! | `rules COUNT`, and that many lines | |
//! | `seat NAME` | |
//! | `seed NUMBER` | |
//! | `start` | `ready` |
//! | `move SEAT MOVE`, for every move, the player's own too | |
//! | `legal COUNT`, and that many lines with a move each | |
//! | `go seconds 0.2`, `go iterations 1000` | `move MOVE`, `info …` before it as often as it likes |
//! | `over RESULTS` | |
//! | `quit` | it ends |

mod client;
mod server;

pub use client::{Patience, ProgramPlayer};
pub use server::serve;

/// The version of the protocol.
const VERSION: &str = "1";
