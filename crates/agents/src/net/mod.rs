//! Small networks that judge positions: what stands where, summed up by many units, which change little from move to move.
//!
//! The cells of a position (its squares, and its variables in steps) are looked at with the eyes of both players. For each of
//! them a list of sums, the [`Accumulator`], adds a row of weights for what each cell holds; when a move changes a few cells, only their
//! rows are exchanged. Two small layers make one number of both lists, those of the player to move first. What counts at the beginning of a
//! game may not count at its end: these layers have weights of their own for each *stage*, which the number of pieces on the board tells.
//!
//! Weights are learnt as [`NetWeights`] and written to files; a [`Net`] has them as small integers, to play with.

mod accumulator;
mod dots;
pub(crate) mod file;
mod inputs;
mod shipped;

use std::sync::{Arc, OnceLock};

use regulus_automaton::Id as _;
use regulus_engine::Rules as _;
use regulus_game::{Game, Match};

pub(crate) use accumulator::{Accumulator, NetJudge};
use dots::{Dots, PairWeights, in_pairs};
pub use file::BadNet;
pub use inputs::{NetInputs, NoNet};
pub(crate) use shipped::{has_shipped, shipped};

use crate::budget::{Budget, Clock, Stop};
use crate::evaluation::{Evaluation, HIGHEST, Mobility, SCALE, positions};

/// How many units the layer behind the sums has.
pub const SMALL: usize = 16;

/// The largest number of sums for a player.
const MOST_SUMS: usize = 1024;

/// The largest number of stages.
const MOST_STAGES: usize = 64;

/// How many units the number 1 is, in sums and in the weights behind them.
const SUM_UNIT: f32 = 255.0;
const WEIGHT_UNIT: f32 = 64.0;

/// The largest weight behind the sums.
const LARGEST_WEIGHT: f32 = 16.0;

/// The positions of random games on which a net is compared with the fitted evaluation.
const SLOPE_SEED: u64 = 2;
const SLOPE_POSITIONS: usize = 200;

/// The smallest slope of a net: what random games say below that is taken to be chance.
const LEAST_SLOPE: f64 = 0.25;

/// The weights of a net, as they are learnt.
///
/// # Examples
///
/// ```
/// use regulus_agents::{NetInputs, NetWeights};
/// use regulus_game::{Config, Game};
///
/// let game = Game::load("breakthrough", &Config::default())?;
/// let inputs = NetInputs::new(&game)?;
/// // White and black pawns on 64 squares; both players look at them in the same way.
/// assert_eq!(inputs.rows(), 128);
/// let weights = NetWeights::zero(&inputs, 32, 1);
/// assert_eq!(weights.input.len(), 128 * 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NetWeights {
    /// How many sums there are for each player.
    pub sums: usize,
    /// How many stages of a game are told apart.
    pub stages: usize,
    /// A row of `sums` weights for each input.
    pub input: Vec<f32>,
    /// What sums begin with.
    pub input_bias: Vec<f32>,
    /// What each input adds to the result by itself.
    pub direct: Vec<f32>,
    /// For each stage and each of the [`SMALL`] units, weights of the sums of the player to move and then of the other.
    pub hidden: Vec<f32>,
    /// What the units begin with, in each stage.
    pub hidden_bias: Vec<f32>,
    /// The weights of the units, in each stage.
    pub output: Vec<f32>,
    /// What the result begins with, in each stage.
    pub output_bias: Vec<f32>,
}

impl NetWeights {
    /// Weights that are all 0.
    #[must_use]
    pub fn zero(inputs: &NetInputs, sums: usize, stages: usize) -> NetWeights {
        NetWeights {
            sums,
            stages,
            input: vec![0.0; inputs.rows() * sums],
            input_bias: vec![0.0; sums],
            direct: vec![0.0; inputs.rows()],
            hidden: vec![0.0; stages * SMALL * 2 * sums],
            hidden_bias: vec![0.0; stages * SMALL],
            output: vec![0.0; stages * SMALL],
            output_bias: vec![0.0; stages],
        }
    }

    /// The lists with their names, in the order of files.
    #[must_use]
    pub fn lists(&self) -> [(&'static str, &[f32]); 7] {
        [
            ("input", &self.input),
            ("input_bias", &self.input_bias),
            ("direct", &self.direct),
            ("hidden", &self.hidden),
            ("hidden_bias", &self.hidden_bias),
            ("output", &self.output),
            ("output_bias", &self.output_bias),
        ]
    }

    /// The lists, to be changed.
    pub fn lists_mut(&mut self) -> [&mut Vec<f32>; 7] {
        [
            &mut self.input,
            &mut self.input_bias,
            &mut self.direct,
            &mut self.hidden,
            &mut self.hidden_bias,
            &mut self.output,
            &mut self.output_bias,
        ]
    }
}

/// A net to play with.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use regulus_agents::{Net, NetInputs, NetWeights};
/// use regulus_game::{Config, Game, Match};
///
/// let game = Game::load("breakthrough", &Config::default())?;
/// let inputs = Arc::new(NetInputs::new(&game)?);
/// let mut weights = NetWeights::zero(&inputs, 16, 1);
/// weights.output_bias[0] = 1.0;
/// let net = Net::new(inputs, &weights);
/// // What the player to move can expect.
/// let expected = net.expectation(&Match::new(&game)?);
/// assert!((expected - 0.731).abs() < 0.001);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Net {
    inputs: Arc<NetInputs>,
    sums: usize,
    input: Vec<i16>,
    input_bias: Vec<i16>,
    direct: Vec<i32>,
    stages: Vec<StageWeights>,
    /// How much its values change where those of the fitted evaluation change by one; found when it is needed first.
    slope: OnceLock<f64>,
}

/// The weights behind the sums, in one stage of a game.
#[derive(Clone, Debug)]
struct StageWeights {
    /// For each pair of sums that follow each other, those of the player to move first, the weights of all units.
    hidden: Vec<PairWeights>,
    hidden_bias: [f32; SMALL],
    output: [f32; SMALL],
    output_bias: f32,
}

impl Net {
    /// The net with these weights, which must be for these inputs.
    ///
    /// # Panics
    ///
    /// If there are more or fewer weights than the inputs need.
    #[must_use]
    pub fn new(inputs: Arc<NetInputs>, weights: &NetWeights) -> Net {
        let sums = weights.sums;
        let expected = NetWeights::zero(&inputs, sums, weights.stages);
        for ((name, list), (_, wanted)) in weights.lists().into_iter().zip(expected.lists()) {
            assert_eq!(list.len(), wanted.len(), "weights of the list `{name}`");
        }
        let whole = |list: &[f32], unit: f32, most: f32| -> Vec<i16> {
            list.iter().map(|weight| (weight.clamp(-most, most) * unit).round() as i16).collect()
        };
        let small = |list: &[f32], stage: usize| -> [f32; SMALL] {
            std::array::from_fn(|unit| list[stage * SMALL + unit])
        };
        let direct = weights.direct.iter();
        let hidden = whole(&weights.hidden, WEIGHT_UNIT, LARGEST_WEIGHT);
        let stages = hidden.chunks_exact(SMALL * 2 * sums).enumerate();
        let stages = stages.map(|(stage, hidden)| StageWeights {
            hidden: in_pairs(hidden, sums),
            hidden_bias: small(&weights.hidden_bias, stage),
            output: small(&weights.output, stage),
            output_bias: weights.output_bias[stage],
        });
        let most = inputs.largest_weight();
        Net {
            sums,
            input: whole(&weights.input, SUM_UNIT, most),
            input_bias: whole(&weights.input_bias, SUM_UNIT, most),
            direct: direct.map(|weight| (f64::from(*weight) * SCALE).round() as i32).collect(),
            stages: stages.collect(),
            slope: OnceLock::new(),
            inputs,
        }
    }

    /// Reads the net of a game from a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no net, or is the net of another game.
    pub fn read(game: &Arc<Game>, path: &std::path::Path) -> Result<Net, BadNet> {
        let inputs = NetInputs::new(game).map_err(|error| BadNet::new(path, &error.to_string()))?;
        let weights = NetWeights::read(&inputs, path)?;
        Ok(Net::new(Arc::new(inputs), &weights))
    }

    /// What it sees of a position.
    #[must_use]
    pub fn inputs(&self) -> &Arc<NetInputs> {
        &self.inputs
    }

    /// The result that the player to move can expect, from 0 to 1.
    #[must_use]
    pub fn expectation(&self, play: &Match) -> f64 {
        let mut judge = NetJudge::new(self);
        crate::evaluation::expected(
            judge.value(play.state(), play.player().map_or(0, |p| p.0 as usize)),
        )
    }

    /// How steep its values are: by how much they change where those of `evaluation` change by one, in positions of random games.
    /// Gains that the evaluation knows are multiplied by it.
    pub(crate) fn slope(&self, game: &Arc<Game>, evaluation: &Evaluation) -> f64 {
        *self.slope.get_or_init(|| {
            let clock = Clock::start(Budget::default(), Stop::new());
            let positions = Match::new(game)
                .and_then(|play| positions(&play, SLOPE_SEED, SLOPE_POSITIONS, &clock));
            let (mut judge, layout) = (NetJudge::new(self), game.rules().layout());
            let (mut products, mut squares) = (0.0, 0.0);
            // Where rules fault, the first search says so.
            for state in positions.unwrap_or_default() {
                let Some(mover) = game.rules().player(&state) else { continue };
                let fitted = evaluation.value(layout, &state, mover, Mobility::default());
                let (value, fitted) = (judge.value(&state, mover.index()), f64::from(fitted));
                products += f64::from(value) * fitted;
                squares += fitted * fitted;
            }
            let slope = if squares > 0.0 { products / squares } else { 1.0 };
            slope.clamp(LEAST_SLOPE, 1.0 / LEAST_SLOPE)
        })
    }

    /// What a position with these sums is worth to the player to move, in thousandths of the logistic scale.
    #[inline(always)]
    fn value(&self, accumulator: &Accumulator, mover: usize, way: impl Dots) -> i32 {
        let (first, second) = accumulator.sums.split_at(self.sums);
        let (own, other) = if mover == 0 { (first, second) } else { (second, first) };
        let stage = &self.stages[self.inputs.stage(accumulator.filled, self.stages.len())];
        let pairs = self.sums.div_ceil(2);
        let (of_own, of_other) = stage.hidden.split_at(pairs);
        let mut dots = [0i32; SMALL];
        way.add(&mut dots, own, of_own);
        way.add(&mut dots, other, of_other);
        let mut result = stage.output_bias;
        for (unit, dot) in dots.into_iter().enumerate() {
            let active = dot as f32 / (SUM_UNIT * WEIGHT_UNIT) + stage.hidden_bias[unit];
            result += stage.output[unit] * active.clamp(0.0, 1.0);
        }
        let [first, second] = accumulator.direct;
        let direct =
            if mover == 0 { first.wrapping_sub(second) } else { second.wrapping_sub(first) };
        let value = (result * SCALE as f32) as i32;
        value.saturating_add(direct / 2).clamp(-HIGHEST, HIGHEST)
    }
}
