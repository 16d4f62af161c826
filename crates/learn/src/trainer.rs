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
pub fn random_weights(inputs: &NetInputs, sums: usize, seed: u64) -> NetWeights {
    let mut random = generator(seed);
    let mut weights = NetWeights::zero(inputs, sums);
    let mut fill = |list: &mut [f32], size: f32| {
        for weight in list {
            *weight = random.random_range(-size..size);
        }
    };
    fill(
        &mut weights.input,
        (1.0 / (inputs.cells() as f32).sqrt()).min(inputs.largest_weight()) * 0.5,
    );
    fill(&mut weights.hidden, (3.0 / (2 * sums) as f32).sqrt());
    fill(&mut weights.output, (3.0 / SMALL as f32).sqrt());
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
            gradient: NetWeights::zero(inputs, weights.sums),
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
            self.add_one(weights, position.target);
        }
    }

    #[inline(always)]
    fn add_one(&mut self, weights: &NetWeights, target: f32) {
        let Part { gradient, loss, work } = self;
        let Work { active, sums, clipped, slopes } = work;
        let size = weights.sums;
        sums.clear();
        sums.extend_from_slice(&weights.input_bias);
        sums.extend_from_slice(&weights.input_bias);
        let mut result = weights.output_bias[0];
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
        for (unit, row) in weights.hidden.chunks_exact(2 * size).enumerate() {
            units[unit] = weights.hidden_bias[unit] + dot(row, clipped);
            result += weights.output[unit] * units[unit].clamp(0.0, 1.0);
        }
        let expected = 1.0 / (1.0 + (-result).exp());
        let safe = expected.clamp(1e-6, 1.0 - 1e-6);
        *loss -= f64::from(target * safe.ln() + (1.0 - target) * (1.0 - safe).ln());
        // Backwards.
        let error = expected - target;
        gradient.output_bias[0] += error;
        slopes.clear();
        slopes.resize(2 * size, 0.0);
        for (unit, row) in weights.hidden.chunks_exact(2 * size).enumerate() {
            gradient.output[unit] += error * units[unit].clamp(0.0, 1.0);
            if !(0.0..=1.0).contains(&units[unit]) {
                continue;
            }
            let slope = error * weights.output[unit];
            gradient.hidden_bias[unit] += slope;
            let own = &mut gradient.hidden[unit * 2 * size..(unit + 1) * 2 * size];
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
