//! What a run tells while it works.

use std::time::Duration;

/// What is done at present in an iteration.
#[derive(Clone, Debug, PartialEq)]
pub enum TrainProgress {
    /// Games against itself are played.
    Playing {
        /// How many are over.
        done: u64,
        /// How many are played here.
        all: u64,
    },
    /// The net learns from them.
    Learning,
    /// Games against opponents are played.
    Measuring {
        /// How many are over.
        done: u64,
        /// How many there are.
        all: u64,
    },
    /// Nothing is done here until other machines have finished their parts.
    Waiting {
        /// The shards that are waited for.
        missing: Vec<u64>,
        /// How long that has lasted.
        time: Duration,
    },
}

/// Is told what is done.
pub type Watch<'a> = dyn FnMut(TrainProgress) + Send + 'a;
