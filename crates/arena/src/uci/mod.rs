//! UCI, the protocol between chess programs and the programs that show boards: as an engine ([`serve`]) and as a player that is
//! another program ([`UciPlayer`]).
//!
//! The protocol knows nothing but moves of one man from a square to another, with a letter where a pawn is promoted.
//! [`MoveText`] writes our moves so and finds them again; [`VARIANTS`] lists the bundled games for which that is possible.

mod client;
mod go;
mod moves;
mod server;
mod variants;

pub use client::{BadUciSpec, UciPlayer, UciSpec};
pub use moves::{MoveText, Unfit};
pub use server::{ServeConfig, serve};
pub use variants::{VARIANTS, Variant};
