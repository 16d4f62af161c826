//! What can be set in a UCI engine.

use std::time::Duration;

use regulus_agents::Kind;

/// What can be set.
pub(super) struct Options {
    pub(super) variant: String,
    pub(super) kind: &'static Kind,
    pub(super) threads: u64,
    pub(super) megabytes: u64,
    pub(super) seed: u64,
    /// The time that is lost on the way to the other side and back.
    pub(super) overhead: Duration,
}

/// A number that can be set.
pub(super) struct Spin {
    pub(super) name: &'static str,
    pub(super) default: u64,
    pub(super) least: u64,
    pub(super) most: u64,
}

/// All numbers that can be set.
pub(super) const SPINS: &[Spin] = &[
    Spin { name: "Threads", default: 1, least: 1, most: 256 },
    Spin { name: "Hash", default: 256, least: 1, most: 1_000_000 },
    Spin { name: "Seed", default: 1, least: 0, most: u32::MAX as u64 },
    Spin { name: "Move Overhead", default: 20, least: 0, most: 5000 },
];
