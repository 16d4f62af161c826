//! The commands that train nets and list them.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use regulus_learn::Preset;

use super::arena::shard;
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

    /// The folder of the run; a run that is there is gone on with, and keeps its settings
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// The seed of everything: 1, unless the run has another one
    #[arg(long)]
    pub(crate) seed: Option<u64>,

    /// How many threads play and learn
    #[arg(long, default_value = "2", value_parser = threads)]
    pub(crate) threads: NonZeroUsize,

    /// Which net is trained: `fast`, a small one for looking at many positions; `thesis`, the residual net of the ABG report; `small`, a
    /// smaller residual net that also says which moves are good. `fast`, unless the run has another one
    #[arg(long, value_name = "fast|thesis|small")]
    pub(crate) preset: Option<Preset>,

    /// Set something of a run that begins, such as games=500; docs/learning.md lists what can be set
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,

    /// Play only a part of the games, such as 2/4, with a folder that four machines share; the first one also learns
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<(u64, u64)>,
}

#[derive(Debug, Args)]
pub(crate) struct Nets {
    /// Files, folders with nets, and folders with folders of runs
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) places: Vec<PathBuf>,

    /// List the nets of all iterations, not only the best and the newest one of each run
    #[arg(long)]
    pub(crate) all: bool,
}
