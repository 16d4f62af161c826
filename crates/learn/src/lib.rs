//! Learning to play a game from its rules alone.
//!
//! A [`Training`] plays games against itself, learns from them what positions are worth, and goes on with what it has learnt. The net
//! is one of [`regulus_agents`], where it is also played with: a small one with sums or a [`residual`] one, as the [`Preset`] says.
//!
//! ```text
//! play ─▶ games-0007-1-of-1.bin ─▶ gather ─▶ learn ─▶ net-0007.safetensors ─▶ measure ─▶ metrics.jsonl ─▶ report.html
//! ```
//!
//! An iteration is done when its line is in `metrics.jsonl`. Everything before is made again after a kill, and comes out the same.

mod adam;
mod config;
mod error;
mod experience;
mod folder;
mod games;
mod learner;
mod metrics;
mod nets;
mod parts;
mod plot;
mod positions;
mod progress;
mod report;
pub mod residual;
mod run;
mod run_config;
mod self_play;
mod strength;
mod sums;
mod trainer;

pub use config::{
    BadSetting, LearningSearch, LearningTarget, Preset, SETTINGS, Setting, Shard, TrainConfig,
};
pub use error::TrainError;
pub use metrics::{Iteration, Strength};
pub use nets::{FoundNet, NetList, find_nets};
pub use positions::Positions;
pub use progress::{TrainProgress, Watch};
pub use run::Training;
pub use trainer::random_weights;
