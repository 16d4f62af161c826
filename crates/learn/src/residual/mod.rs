//! Residual nets that learn from games against themselves.

mod descent;
mod examples;
mod learner;
mod lessons;
mod self_play;
mod thesis;
mod training;

pub use descent::ResidualLoss;
pub use examples::Examples;
pub(crate) use learner::ResidualLearner;
pub use thesis::{ThesisAgent, ThesisRow, ThesisScore, thesis_iterations, thesis_rows};
pub use training::ResidualTraining;
