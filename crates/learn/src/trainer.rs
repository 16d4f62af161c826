//! Learns the weights of a net from positions: gradient descent with Adam's steps.
//!
//! A batch is divided into a fixed number of parts, whose gradients are added up in their order. So the weights do not depend on the
//! number of threads.

use pulp::Arch;
use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use regulus_agents::{NetInputs, NetWeights, SMALL};
use regulus_engine::generator;

use crate::adam::{AdamStep, Moments};
use crate::positions::Positions;

/// How many positions are looked at between two steps, if there are so many.
const BATCH: usize = 1024;

/// Into how many batches the positions are divided at least.
const LEAST_BATCHES: usize = 16;

/// Into how many parts a batch is divided.
const PARTS: usize = 8;

/// Weights to begin with: small random ones.
#[must_use]
pub fn random_weights(inputs: &NetInputs, sums: usize, stages: usize, seed: u64) -> NetWeights {
    let mut random = generator(seed);
    let mut weights = NetWeights::zero(inputs, sums, stages);
    let mut fill = |list: &mut [f32], size: f32| {
        for weight in list {
            *weight = random.random_range(-size..size);
        }
    };
    fill(
        &mut weights.input,
        (1.0 / (inputs.cells() as f32).sqrt()).min(inputs.largest_weight()) * 0.5,
    );
    // All stages begin alike.
    let (hidden, output) = (SMALL * 2 * sums, SMALL);
    fill(&mut weights.hidden[..hidden], (3.0 / (2 * sums) as f32).sqrt());
    fill(&mut weights.output[..output], (3.0 / SMALL as f32).sqrt());
    for stage in 1..stages {
        weights.hidden.copy_within(..hidden, stage * hidden);
        weights.output.copy_within(..output, stage * output);
    }
    weights.input_bias.fill(0.25);
    weights.hidden_bias.fill(0.1);
    weights
}

/// How weights are learnt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lesson {
    pub(crate) seed: u64,
    /// How often each position is looked at.
    pub(crate) rounds: f64,
    /// The length of steps at the beginning and at the end.
    pub(crate) rates: [f32; 2],
    pub(crate) threads: usize,
    /// Whether boards are also looked at as they are in mirrors.
    pub(crate) mirrors: bool,
}

/// A position of a batch: the number of its list, its number there, and in which mirror it is seen, from 1 on.
type Chosen = (u32, u32, usize);

/// What one part of a batch adds.
struct Part {
    gradient: NetWeights,
    loss: f64,
    work: Work,
}

/// Memory to compute with.
#[derive(Default)]
struct Work {
    active: [Vec<u32>; 2],
    sums: Vec<f32>,
    clipped: Vec<f32>,
    slopes: Vec<f32>,
}

/// Learns from positions; returns the mean loss over the last tenth of the batches.
pub(crate) fn learn(
    weights: &mut NetWeights,
    inputs: &NetInputs,
    positions: &[&Positions],
    lesson: Lesson,
) -> f64 {
    let mut order: Vec<(u32, u32)> = Vec::new();
    for (list, positions) in positions.iter().enumerate() {
        order.extend((0..positions.len() as u32).map(|index| (list as u32, index)));
    }
    let wanted = (order.len() as f64 * lesson.rounds) as usize;
    if order.is_empty() {
        return 0.0;
    }
    let size = (order.len() / LEAST_BATCHES).clamp(1, BATCH);
    let batches = (wanted / size).max(1);
    let mut random = generator(lesson.seed);
    let mut parts: Vec<Part> = (0..PARTS)
        .map(|_| Part {
            gradient: NetWeights::zero(inputs, weights.sums, weights.stages),
            loss: 0.0,
            work: Work::default(),
        })
        .collect();
    let mut adam = NetSteps::new(inputs, weights);
    let mut next = order.len();
    let (mut loss, mut counted) = (0.0, 0usize);
    for batch in 0..batches {
        if next + size > order.len() {
            order.shuffle(&mut random);
            next = 0;
        }
        let chosen = &order[next..next + size];
        next += size;
        let mirrors = if lesson.mirrors { inputs.mirrors() } else { 0 };
        let chosen: Vec<Chosen> = chosen
            .iter()
            .map(|&(list, index)| (list, index, random.random_range(0..=mirrors)))
            .collect();
        let seen: &NetWeights = weights;
        let each = |part: &mut Part, chosen: &[Chosen]| {
            Arch::new().dispatch(|| part.add(seen, inputs, positions, chosen));
        };
        let shares = chosen.chunks(size.div_ceil(PARTS));
        if lesson.threads <= 1 {
            parts.iter_mut().zip(shares).for_each(|(part, share)| each(part, share));
        } else {
            let mut pairs: Vec<_> = parts.iter_mut().zip(shares).collect();
            let most = PARTS.div_ceil(lesson.threads);
            std::thread::scope(|scope| {
                for group in pairs.chunks_mut(most) {
                    let each = &each;
                    scope.spawn(move || {
                        group.iter_mut().for_each(|(part, share)| each(part, share))
                    });
                }
            });
        }
        let (first, others) = parts.split_at_mut(1);
        for other in others.iter_mut() {
            let lists = first[0].gradient.lists_mut().into_iter().zip(other.gradient.lists_mut());
            for (sum, list) in lists {
                for (sum, number) in sum.iter_mut().zip(list.iter_mut()) {
                    *sum += *number;
                    *number = 0.0;
                }
            }
        }
        let done = batch as f32 / batches as f32;
        let [begin, end] = lesson.rates;
        let rate = begin * (end / begin).powf(done);
        Arch::new().dispatch(|| adam.step(weights, &mut first[0].gradient, rate, size));
        if batch >= batches - (batches / 10).max(1) {
            loss += parts.iter().map(|part| part.loss).sum::<f64>();
            counted += size;
        }
        parts.iter_mut().for_each(|part| part.loss = 0.0);
    }
    loss / counted.max(1) as f64
}

impl Part {
    /// Adds the gradients of some positions.
    #[inline(always)]
    fn add(
        &mut self,
        weights: &NetWeights,
        inputs: &NetInputs,
        positions: &[&Positions],
        chosen: &[Chosen],
    ) {
        for &(list, index, mirror) in chosen {
            let position = positions[list as usize].get(index as usize);
            let mirror = mirror.checked_sub(1);
            inputs.active(position.cells, position.mover, mirror, &mut self.work.active[0]);
            inputs.active(position.cells, 1 - position.mover, mirror, &mut self.work.active[1]);
            let stage = inputs.stage(self.work.active[0].len(), weights.stages);
            self.add_one(weights, stage, position.target);
        }
    }

    #[inline(always)]
    fn add_one(&mut self, weights: &NetWeights, stage: usize, target: f32) {
        let Part { gradient, loss, work } = self;
        let Work { active, sums, clipped, slopes } = work;
        let size = weights.sums;
        // The weights of this stage.
        let units_at = stage * SMALL..(stage + 1) * SMALL;
        let hidden_at = stage * SMALL * 2 * size..(stage + 1) * SMALL * 2 * size;
        let hidden = &weights.hidden[hidden_at.clone()];
        let hidden_bias = &weights.hidden_bias[units_at.clone()];
        let output = &weights.output[units_at.clone()];
        sums.clear();
        sums.extend_from_slice(&weights.input_bias);
        sums.extend_from_slice(&weights.input_bias);
        let mut result = weights.output_bias[stage];
        for (side, (own, active)) in sums.chunks_exact_mut(size).zip(active.iter()).enumerate() {
            let half = if side == 0 { 0.5 } else { -0.5 };
            for &row in active {
                let row = row as usize;
                result += half * weights.direct[row];
                let row = &weights.input[row * size..(row + 1) * size];
                for (sum, weight) in own.iter_mut().zip(row) {
                    *sum += weight;
                }
            }
        }
        clipped.clear();
        clipped.extend(sums.iter().map(|sum| sum.clamp(0.0, 1.0)));
        let mut units = [0.0f32; SMALL];
        for (unit, row) in hidden.chunks_exact(2 * size).enumerate() {
            units[unit] = hidden_bias[unit] + dot(row, clipped);
            result += output[unit] * units[unit].clamp(0.0, 1.0);
        }
        let expected = 1.0 / (1.0 + (-result).exp());
        let safe = expected.clamp(1e-6, 1.0 - 1e-6);
        *loss -= f64::from(target * safe.ln() + (1.0 - target) * (1.0 - safe).ln());
        // Backwards.
        let error = expected - target;
        gradient.output_bias[stage] += error;
        let hidden_gradient = &mut gradient.hidden[hidden_at];
        let hidden_bias_gradient = &mut gradient.hidden_bias[units_at.clone()];
        let output_gradient = &mut gradient.output[units_at];
        slopes.clear();
        slopes.resize(2 * size, 0.0);
        for (unit, row) in hidden.chunks_exact(2 * size).enumerate() {
            output_gradient[unit] += error * units[unit].clamp(0.0, 1.0);
            if !(0.0..=1.0).contains(&units[unit]) {
                continue;
            }
            let slope = error * output[unit];
            hidden_bias_gradient[unit] += slope;
            let own = &mut hidden_gradient[unit * 2 * size..(unit + 1) * 2 * size];
            for (own, sum) in own.iter_mut().zip(clipped.iter()) {
                *own += slope * sum;
            }
            for (to, weight) in slopes.iter_mut().zip(row) {
                *to += slope * weight;
            }
        }
        for (slope, sum) in slopes.iter_mut().zip(sums.iter()) {
            *slope = if *sum > 0.0 && *sum < 1.0 { *slope } else { 0.0 };
        }
        for (side, (own, active)) in slopes.chunks_exact(size).zip(active.iter()).enumerate() {
            let half = if side == 0 { 0.5 } else { -0.5 };
            for (bias, slope) in gradient.input_bias.iter_mut().zip(own) {
                *bias += slope;
            }
            for &row in active {
                let row = row as usize;
                gradient.direct[row] += half * error;
                let row = &mut gradient.input[row * size..(row + 1) * size];
                for (weight, slope) in row.iter_mut().zip(own) {
                    *weight += slope;
                }
            }
        }
    }
}

/// The sum of products, in lanes, so that it can be computed quickly and always in the same order.
#[inline(always)]
fn dot(one: &[f32], other: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut lanes = [0.0f32; LANES];
    let (ones, others) = (one.chunks_exact(LANES), other.chunks_exact(LANES));
    let rest: f32 = ones.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b).sum();
    for (one, other) in ones.zip(others) {
        for lane in 0..LANES {
            lanes[lane] += one[lane] * other[lane];
        }
    }
    lanes.iter().sum::<f32>() + rest
}

/// Steps for all weights of a net.
struct NetSteps {
    moments: Vec<Moments>,
    count: i32,
    most: f32,
}

impl NetSteps {
    fn new(inputs: &NetInputs, weights: &NetWeights) -> NetSteps {
        let moments = weights.lists().iter().map(|(_, list)| Moments::new(list.len())).collect();
        NetSteps { moments, count: 0, most: inputs.largest_weight() }
    }

    /// Changes weights against a gradient, which is 0 afterwards.
    #[inline(always)]
    fn step(
        &mut self,
        weights: &mut NetWeights,
        gradient: &mut NetWeights,
        rate: f32,
        batch: usize,
    ) {
        self.count += 1;
        let step = AdamStep::new(self.count, rate, batch);
        let lists = weights.lists_mut().into_iter().zip(gradient.lists_mut());
        for (number, ((weights, gradient), moments)) in lists.zip(&mut self.moments).enumerate() {
            // Sums are kept within the bounds of the integers that they become.
            let most = match number {
                0 => self.most,
                3 => 15.0,
                _ => 1e3,
            };
            step.change(weights, gradient, moments, most);
        }
    }
}

#[cfg(test)]
mod tests {
    use regulus_game::{Config, EngineKind, Game, Match};

    use super::*;

    /// Positions of random games, with targets.
    fn positions(game: &std::sync::Arc<Game>, inputs: &NetInputs, seed: u64) -> Positions {
        let mut random = generator(seed);
        let mut play = Match::new(game).expect("it begins");
        let mut positions = Positions::default();
        while let Some(mover) = play.player() {
            let target = random.random_range(0.1..0.9);
            positions.add(mover.0 as usize, target, |cells| {
                inputs.write_cells(play.state(), cells);
            });
            if !play.play_random(&mut random).expect("it is played") {
                break;
            }
        }
        positions
    }

    #[test]
    fn gradients_are_what_small_changes_make() {
        let config = Config { engine: EngineKind::Plan, ..Config::default() };
        let game = Game::load("reversi", &config).expect("it is bundled");
        let inputs = NetInputs::new(&game).expect("for two");
        let positions = positions(&game, &inputs, 1);
        let mut weights = random_weights(&inputs, 6, 3, 1);
        // No sum and no unit is at its bounds, where there is no gradient.
        weights.input_bias.fill(0.5);
        weights.hidden_bias.fill(0.5);
        for list in [&mut weights.input, &mut weights.hidden] {
            list.iter_mut().for_each(|weight| *weight *= 0.2);
        }
        let chosen: Vec<Chosen> = (0..positions.len() as u32)
            .flat_map(|index| (0..=inputs.mirrors()).map(move |mirror| (0, index, mirror)))
            .collect();
        let part = |weights: &NetWeights| {
            let gradient = NetWeights::zero(&inputs, weights.sums, weights.stages);
            let mut part = Part { gradient, loss: 0.0, work: Work::default() };
            part.add(weights, &inputs, &[&positions], &chosen);
            part
        };
        let found = part(&weights).gradient;
        let names = weights.lists().map(|(name, _)| name);
        let mut compared = 0;
        for (list, name) in names.into_iter().enumerate() {
            let count = weights.lists()[list].1.len();
            for at in (0..count).step_by((count / 40).max(1)) {
                const CHANGE: f32 = 0.01;
                let mut loss_with = |change: f32| {
                    let old = weights.lists()[list].1[at];
                    weights.lists_mut()[list][at] = old + change;
                    let loss = part(&weights).loss;
                    weights.lists_mut()[list][at] = old;
                    loss
                };
                let slope = (loss_with(CHANGE) - loss_with(-CHANGE)) / f64::from(2.0 * CHANGE);
                let told = f64::from(found.lists()[list].1[at]);
                let difference = (slope - told).abs();
                assert!(difference < 0.02 + 0.02 * slope.abs(), "{name} {at}: {told}, {slope}");
                compared += usize::from(told != 0.0);
            }
        }
        assert!(compared > 150, "{compared}");
    }

    #[test]
    fn only_the_stages_of_positions_learn() {
        let game = Game::load("reversi", &Config::default()).expect("it is bundled");
        let inputs = NetInputs::new(&game).expect("for two");
        let mut positions = Positions::default();
        // The first position has 4 pieces, and 64 are the most.
        let play = Match::new(&game).expect("it begins");
        positions.add(0, 0.9, |cells| inputs.write_cells(play.state(), cells));
        let before = random_weights(&inputs, 6, 8, 1);
        let mut after = before.clone();
        let lesson = Lesson { seed: 1, rounds: 8.0, rates: [0.01; 2], threads: 1, mirrors: true };
        learn(&mut after, &inputs, &[&positions], lesson);
        assert_eq!([0, 4, 8, 9, 64].map(|pieces| inputs.stage(pieces, 8)), [0, 0, 0, 1, 7]);
        assert_ne!(after.output_bias[0], before.output_bias[0]);
        assert_eq!(after.output_bias[1..], before.output_bias[1..]);
        assert_eq!(after.hidden[6 * 2 * SMALL..], before.hidden[6 * 2 * SMALL..]);
    }
}
