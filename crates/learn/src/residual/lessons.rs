//! Batches of examples and the steps after them.

use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use regulus_agents::residual::{LayerWeights, PlaneMirror, ResidualWeights};
use regulus_engine::generator;

use super::descent::{Descent, ResidualLoss};
use super::examples::Examples;
use crate::adam::{AdamStep, Moments};

/// No weight is larger.
const MOST: f32 = 1e3;

/// What part of a weight is lost in a step, times the rate.
const DECAY: f32 = 1e-3;

/// How weights are learnt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResidualLesson {
    pub(crate) seed: u64,
    /// How often each example is looked at.
    pub(crate) rounds: f64,
    pub(crate) batch: usize,
    /// The length of steps.
    pub(crate) rate: f32,
    pub(crate) threads: usize,
}

/// Learns from examples, each seen as it is or in a mirror; returns the mean loss over the last quarter of the batches.
pub(crate) fn learn_examples(
    weights: &mut ResidualWeights,
    lists: &[&Examples],
    mirrors: &[PlaneMirror],
    lesson: ResidualLesson,
) -> ResidualLoss {
    let descent = Descent::new(weights.shape, lesson.threads);
    let mut gradient = ResidualWeights::zero(weights.shape);
    gradient.layers_mut().into_iter().for_each(|layer| layer.scale.fill(0.0));
    let mut moments: Vec<Moments> = Vec::new();
    for (_, layer) in weights.layers() {
        let learnt = layer.lists().into_iter().take(LayerWeights::LEARNT);
        moments.extend(learnt.map(|(_, list)| Moments::new(list.len())));
    }
    // Examples by the number of their list and their number in it.
    let numbers =
        |(list, examples): (usize, &&Examples)| (0..examples.len()).map(move |n| (list, n));
    let mut order: Vec<(usize, usize)> = lists.iter().enumerate().flat_map(numbers).collect();
    let batch = lesson.batch.min(order.len()).max(1);
    let wanted = (order.len() as f64 * lesson.rounds) as usize / batch;
    let places: Vec<usize> = (0..batch).collect();
    let mut random = generator(lesson.seed);
    let mut next = order.len();
    let (mut all, mut counted) = (ResidualLoss::default(), 0usize);
    for number in 0..wanted {
        if next + batch > order.len() {
            order.shuffle(&mut random);
            next = 0;
        }
        let chosen = &order[next..next + batch];
        next += batch;
        let seen: Vec<Option<&PlaneMirror>> = chosen
            .iter()
            .map(|_| random.random_range(0..=mirrors.len()).checked_sub(1).map(|at| &mirrors[at]))
            .collect();
        let mut examples = Examples::default();
        chosen.iter().for_each(|&(list, number)| examples.add_from(lists[list], number));
        let loss = descent.add(weights, &mut gradient, &examples, &places, &seen);
        let step = AdamStep::new(number as i32 + 1, lesson.rate, batch);
        let layers = weights.layers_mut().into_iter().zip(gradient.layers_mut());
        let mut own = moments.iter_mut();
        for (layer, gradient) in layers {
            let lost = 1.0 - lesson.rate * DECAY;
            layer.weights.iter_mut().for_each(|weight| *weight *= lost);
            let lists = layer.lists_mut().into_iter().zip(gradient.lists_mut());
            for ((list, gradient), moments) in
                lists.take(LayerWeights::LEARNT).zip(own.by_ref().take(LayerWeights::LEARNT))
            {
                step.change(list, gradient, moments, MOST);
            }
        }
        if number >= wanted - wanted.div_ceil(4) {
            all.value += loss.value;
            all.choices += loss.choices;
            all.owners += loss.owners;
            counted += batch;
        }
    }
    let count = counted.max(1) as f64;
    ResidualLoss {
        value: all.value / count,
        choices: all.choices / count,
        owners: all.owners / count,
    }
}
