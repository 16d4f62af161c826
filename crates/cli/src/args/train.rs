//! The command that trains nets.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::{seconds, threads};

#[derive(Debug, Args)]
pub(crate) struct Train {
    /// Path or bundled name
    pub(crate) game: String,

    /// How long to train, in minutes
    #[arg(long, default_value = "10", value_name = "MINUTES", value_parser = seconds)]
    pub(crate) budget: f64,

    /// How many iterations to make in all, instead of a time: the result is the same each time
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) iterations: Option<u64>,

    /// The folder of the run; a run that is there is gone on with
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// The seed of everything
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// How many threads play and learn
    #[arg(long, default_value = "2", value_parser = threads)]
    pub(crate) threads: NonZeroUsize,

    /// Set games, nodes, sums, stray, trace, replay, rounds, settling or mirrors, such as games=500
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
}
