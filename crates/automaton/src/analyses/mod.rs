//! Facts about an automaton, computed from it and never stored in it. One file each.

mod cursor_liveness;
mod movers;
mod rounds;

pub use crate::components::components;
pub use cursor_liveness::live_cursor;
pub use movers::{Movers, movers};
pub use rounds::shortest_round;
