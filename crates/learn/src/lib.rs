//! Learning to play a game from its rules alone.
//!
//! A [`Training`] plays games against itself, learns from them what positions are worth, and goes on with what it has learnt. The net
//! is one of [`regulus_agents`], where it is also played with.

mod adam;
mod config;
mod games;
mod positions;
pub mod residual;
mod run;
mod self_play;
mod trainer;

pub use config::{LearningTarget, TrainConfig};
pub use positions::Positions;
pub use run::{Iteration, TrainError, Training};
pub use trainer::random_weights;
