//! Residual nets: deep networks of convolutions that judge positions given as planes, and which moves are good.
//!
//! They say more than the small nets of [`crate::Net`] and take a thousand times as long. [`ResidualWeights`] are learnt; a
//! [`ResidualNet`] plays with them.

mod file;
mod mirrors;
mod multiply;
mod net;
mod player;
mod search;
mod weights;

pub use mirrors::PlaneMirror;
pub use multiply::{NO_ROW, Panels, Taps, add_gradient, add_products};
pub use net::{
    LEAST_VARIANCE, ResidualJudgement, ResidualNet, by_cell, cells_of_squares, over_board,
};
pub(crate) use player::ResidualPlayer;
pub use search::{NetChoice, NetMove, NetSearch, NetSearchKind};
pub use weights::{
    BlockWeights, LayerWeights, NEIGHBOURS, NoResidual, ResidualShape, ResidualWeights, VALUE_UNITS,
};
