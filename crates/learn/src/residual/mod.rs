//! Residual nets that learn from games against themselves.

mod descent;
mod examples;
mod lessons;
mod self_play;
mod thesis;
mod training;

pub use descent::ResidualLoss;
pub use examples::Examples;
pub use thesis::{ThesisAgent, ThesisRow, ThesisScore, thesis_iterations, thesis_rows};
pub use training::{ResidualConfig, ResidualTraining};
