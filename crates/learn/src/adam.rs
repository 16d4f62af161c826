//! Steps whose lengths depend on how much a weight's gradient varies (Adam).

/// How fast earlier gradients are forgotten.
const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;

/// What is remembered of the gradients of a list of weights.
#[derive(Clone, Debug)]
pub(crate) struct Moments {
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Moments {
    pub(crate) fn new(count: usize) -> Moments {
        Moments { first: vec![0.0; count], second: vec![0.0; count] }
    }
}

/// A step for all lists of weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AdamStep {
    rate: f32,
    /// By how many positions the gradients are divided.
    batch: f32,
    /// What part of the moments the gradients seen so far make up.
    first_left: f32,
    second_left: f32,
}

impl AdamStep {
    /// The step with a number, from 1 on.
    pub(crate) fn new(number: i32, rate: f32, batch: usize) -> AdamStep {
        AdamStep {
            rate,
            batch: batch as f32,
            first_left: 1.0 - FIRST.powi(number),
            second_left: 1.0 - SECOND.powi(number),
        }
    }

    /// Changes weights against their gradient, which is 0 afterwards; they stay within `most`.
    #[inline(always)]
    pub(crate) fn change(
        self,
        weights: &mut [f32],
        gradient: &mut [f32],
        moments: &mut Moments,
        most: f32,
    ) {
        let Moments { first, second } = moments;
        let both = weights.iter_mut().zip(gradient);
        for ((weight, gradient), (first, second)) in both.zip(first.iter_mut().zip(second)) {
            let slope = *gradient / self.batch;
            *gradient = 0.0;
            *first = FIRST * *first + (1.0 - FIRST) * slope;
            *second = SECOND * *second + (1.0 - SECOND) * slope * slope;
            let change = (*first / self.first_left) / ((*second / self.second_left).sqrt() + 1e-8);
            *weight = (*weight - self.rate * change).clamp(-most, most);
        }
    }
}
