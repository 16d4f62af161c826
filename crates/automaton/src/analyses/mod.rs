//! Facts about an automaton, computed from it and never stored in it. One file each.

mod cursor_liveness;
mod decisions;
mod movers;
mod rounds;
mod straightness;

pub use crate::components::components;
pub use cursor_liveness::live_cursor;
pub use decisions::{Decisions, decisions};
pub use movers::{Movers, movers};
pub use rounds::shortest_round;
pub use straightness::{Straightness, WriteCount, straightness};
