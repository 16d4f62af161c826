//! What a residual net says of many positions together, and how its weights have to change so that it says what it should.
//!
//! Computed with a layer's numbers of all positions at a time. Every sum is added up in one order, whatever the number of threads.

use regulus_agents::residual::{
    BlockWeights, LEAST_VARIANCE, LayerWeights, NEIGHBOURS, Panels, PlaneMirror, ResidualShape,
    ResidualWeights, Taps, add_gradient, add_products,
};

use super::examples::Examples;

/// What part of a layer's mean and variance comes from the last batch.
const MOMENTUM: f32 = 0.1;

/// How much the choices and the owners count beside the value.
const CHOICES_COUNT: f32 = 1.0;
const OWNERS_COUNT: f32 = 0.15;

/// With fewer numbers than this, another thread takes longer to start than to help.
const LEAST_FOR_THREADS: usize = 1 << 22;

/// What differs between what a net says and what it should, as means over positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ResidualLoss {
    /// Squared differences of values.
    pub value: f64,
    /// Cross entropy of choices.
    pub choices: f64,
    /// Squared differences of owners.
    pub owners: f64,
}

impl ResidualLoss {
    /// What becomes less by learning: all three, each as much as it counts.
    #[must_use]
    pub fn whole(&self) -> f64 {
        let Self { value, choices, owners } = self;
        value + f64::from(CHOICES_COUNT) * choices + f64::from(OWNERS_COUNT) * owners
    }
}

/// Learns from batches of positions.
pub(crate) struct Descent {
    shape: ResidualShape,
    neighbours: Vec<u32>,
    /// The same with each neighbour in the place of the opposite one.
    opposite: Vec<u32>,
    each: Vec<u32>,
    threads: usize,
}

/// What is kept of a layer on the way forward.
struct Pass {
    /// Its numbers before they become 0 where they are negative.
    made: Vec<f32>,
    /// The numbers with mean 0 and variance 1; empty if they are not normed.
    normed: Vec<f32>,
    /// By what they were divided.
    spread: Vec<f32>,
}

/// What is kept of a block.
struct BlockPass {
    layers: [Pass; 2],
    /// What the second layer saw.
    inner: Vec<f32>,
    /// What the whole board added, and which cell had the largest number.
    board: Option<(Pass, Vec<f32>, Vec<u32>)>,
    /// What the block has made.
    made: Vec<f32>,
}

impl Descent {
    pub(crate) fn new(shape: ResidualShape, threads: usize) -> Descent {
        let neighbours = shape.neighbours();
        let opposite =
            neighbours.chunks_exact(NEIGHBOURS).flat_map(|own| own.iter().rev().copied()).collect();
        let each = (0..shape.cells() as u32).collect();
        Descent { shape, neighbours, opposite, each, threads }
    }

    fn around(&self) -> Taps<'_> {
        Taps { rows: &self.neighbours, each: NEIGHBOURS }
    }

    fn alone(&self) -> Taps<'_> {
        Taps { rows: &self.each, each: 1 }
    }

    /// Adds the gradients of some examples, each seen in a mirror if there is one for it; also counts means and variances. Returns the
    /// sums of the losses.
    pub(crate) fn add(
        &self,
        weights: &mut ResidualWeights,
        gradient: &mut ResidualWeights,
        examples: &Examples,
        chosen: &[usize],
        mirrors: &[Option<&PlaneMirror>],
    ) -> ResidualLoss {
        let size = self.shape.cells() * self.shape.planes;
        let mut input = vec![0.0; chosen.len() * size];
        let boards = input.chunks_exact_mut(size).zip(chosen).enumerate();
        for (number, (board, &index)) in boards {
            let planes = examples.planes(index, size);
            match mirrors.get(number).copied().flatten() {
                Some(mirror) => mirror.write(planes, board),
                None => board.copy_from_slice(planes),
            }
        }
        // Forward.
        let first = self.forward(&mut weights.first, &input, self.around());
        let mut made = rectified(&first.made);
        let mut passes: Vec<BlockPass> = Vec::new();
        let begin = made.clone();
        for block in &mut weights.blocks {
            let pass = self.forward_block(block, &made);
            made.clone_from(&pass.made);
            passes.push(pass);
        }
        // The heads, forward and backward.
        let mut slopes = vec![0.0; made.len()];
        let mut loss = ResidualLoss::default();
        self.value(weights, gradient, &made, &mut slopes, &mut loss, (examples, chosen));
        if self.shape.choices > 0 {
            self.choices(weights, gradient, &made, &mut slopes, &mut loss, (examples, chosen));
            self.owners(weights, gradient, &made, &mut slopes, &mut loss, (examples, chosen));
        }
        // Backward.
        let blocks = weights.blocks.iter().zip(&mut gradient.blocks).enumerate().rev();
        for (number, (block, own)) in blocks {
            let input = match number {
                0 => &begin,
                _ => &passes[number - 1].made,
            };
            slopes = self.backward_block(block, own, &passes[number], input, slopes);
        }
        silence(&mut slopes, &first.made);
        self.backward(&weights.first, &mut gradient.first, &first, &input, self.around(), slopes);
        loss
    }

    fn forward_block(&self, block: &mut BlockWeights, input: &[f32]) -> BlockPass {
        let one = self.forward(&mut block.layers[0], input, self.around());
        let inner = rectified(&one.made);
        let mut two = self.forward(&mut block.layers[1], &inner, self.around());
        let filters = self.shape.filters;
        let board = (!block.board.weights.is_empty()).then(|| {
            let (seen, largest) = over_boards(&inner, filters, self.shape.cells());
            let pass = self.forward(&mut block.board, &seen, WHOLE);
            let boards = two.made.chunks_exact_mut(filters * self.shape.cells());
            for (board, added) in boards.zip(pass.made.chunks_exact(filters)) {
                for row in board.chunks_exact_mut(filters) {
                    row.iter_mut().zip(added).for_each(|(number, added)| *number += added);
                }
            }
            (pass, seen, largest)
        });
        let both = input.iter().zip(&two.made);
        let made = both.map(|(number, other)| (number + other).max(0.0)).collect();
        BlockPass { layers: [one, two], inner, board, made }
    }

    /// Returns the slopes of what the block has seen.
    fn backward_block(
        &self,
        block: &BlockWeights,
        gradient: &mut BlockWeights,
        pass: &BlockPass,
        input: &[f32],
        mut slopes: Vec<f32>,
    ) -> Vec<f32> {
        silence(&mut slopes, &pass.made);
        let [one, two] = &pass.layers;
        let [own_one, own_two] = &mut gradient.layers;
        let around = self.around();
        let mut inner =
            self.backward(&block.layers[1], own_two, two, &pass.inner, around, slopes.clone());
        if let Some((board, seen, largest)) = &pass.board {
            let filters = self.shape.filters;
            let cells = self.shape.cells();
            let mut added = vec![0.0; board.made.len()];
            let boards = slopes.chunks_exact(filters * cells);
            for (added, slopes) in added.chunks_exact_mut(filters).zip(boards) {
                for row in slopes.chunks_exact(filters) {
                    added.iter_mut().zip(row).for_each(|(sum, slope)| *sum += slope);
                }
            }
            let seen = self.backward(&block.board, &mut gradient.board, board, seen, WHOLE, added);
            let boards = inner.chunks_exact_mut(filters * cells);
            let both = seen.chunks_exact(2 * filters).zip(largest.chunks_exact(filters));
            for (inner, (seen, largest)) in boards.zip(both) {
                for row in inner.chunks_exact_mut(filters) {
                    let means = row.iter_mut().zip(seen);
                    means.for_each(|(slope, mean)| *slope += mean / cells as f32);
                }
                for (filter, cell) in largest.iter().enumerate() {
                    inner[*cell as usize * filters + filter] += seen[filters + filter];
                }
            }
        }
        silence(&mut inner, &one.made);
        let mut before = self.backward(&block.layers[0], own_one, one, input, around, inner);
        add_slopes(&mut before, &slopes);
        before
    }

    /// What positions are worth, which is learnt from squared differences.
    fn value(
        &self,
        weights: &mut ResidualWeights,
        gradient: &mut ResidualWeights,
        made: &[f32],
        slopes: &mut [f32],
        loss: &mut ResidualLoss,
        (examples, chosen): (&Examples, &[usize]),
    ) {
        let [cells, hidden, value] = &mut weights.value;
        let one = self.forward(cells, made, self.alone());
        let seen = rectified(&one.made);
        let two = self.forward(hidden, &seen, WHOLE);
        let units = rectified(&two.made);
        let three = self.forward(value, &units, WHOLE);
        let mut errors = Vec::new();
        for (said, &index) in three.made.iter().zip(chosen) {
            let said = said.tanh();
            let error = said - examples.value(index);
            loss.value += f64::from(error * error);
            errors.push(2.0 * error * (1.0 - said * said));
        }
        let [own_cells, own_hidden, own_value] = &mut gradient.value;
        let mut back = self.backward(value, own_value, &three, &units, WHOLE, errors);
        silence(&mut back, &two.made);
        let mut back = self.backward(hidden, own_hidden, &two, &seen, WHOLE, back);
        silence(&mut back, &one.made);
        let back = self.backward(cells, own_cells, &one, made, self.alone(), back);
        add_slopes(slopes, &back);
    }

    /// Which moves are good, which is learnt by cross entropy.
    fn choices(
        &self,
        weights: &mut ResidualWeights,
        gradient: &mut ResidualWeights,
        made: &[f32],
        slopes: &mut [f32],
        loss: &mut ResidualLoss,
        (examples, chosen): (&Examples, &[usize]),
    ) {
        let pass = self.forward(&mut weights.choices, made, self.alone());
        let size = self.shape.cells() * self.shape.choices;
        let mut errors = vec![0.0; pass.made.len()];
        let boards = pass.made.chunks_exact(size).zip(errors.chunks_exact_mut(size));
        for ((said, errors), &index) in boards.zip(chosen) {
            let good: Vec<f32> = examples
                .moves(index)
                .map(|it| it.choices.iter().map(|choice| said[*choice as usize]).sum())
                .collect();
            let largest = good.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let sum: f32 = good.iter().map(|good| (good - largest).exp()).sum();
            for (it, good) in examples.moves(index).zip(&good) {
                let logarithm = good - largest - sum.ln();
                loss.choices -= f64::from(it.likely * logarithm);
                let error = CHOICES_COUNT * (logarithm.exp() - it.likely);
                it.choices.iter().for_each(|choice| errors[*choice as usize] += error);
            }
        }
        let own = &mut gradient.choices;
        let back = self.backward(&weights.choices, own, &pass, made, self.alone(), errors);
        add_slopes(slopes, &back);
    }

    /// Whose cells will be, which is learnt from squared differences.
    fn owners(
        &self,
        weights: &mut ResidualWeights,
        gradient: &mut ResidualWeights,
        made: &[f32],
        slopes: &mut [f32],
        loss: &mut ResidualLoss,
        (examples, chosen): (&Examples, &[usize]),
    ) {
        let pass = self.forward(&mut weights.owner, made, self.alone());
        let cells = self.shape.cells();
        let mut errors = vec![0.0; pass.made.len()];
        let boards = pass.made.chunks_exact(cells).zip(errors.chunks_exact_mut(cells));
        for ((said, errors), &index) in boards.zip(chosen) {
            let owners = examples.owners(index, cells);
            for ((said, owner), error) in said.iter().zip(owners).zip(errors) {
                let said = said.tanh();
                let difference = said - f32::from(*owner);
                loss.owners += f64::from(difference * difference) / cells as f64;
                let factor = OWNERS_COUNT * 2.0 / cells as f32;
                *error = factor * difference * (1.0 - said * said);
            }
        }
        let own = &mut gradient.owner;
        let back = self.backward(&weights.owner, own, &pass, made, self.alone(), errors);
        add_slopes(slopes, &back);
    }

    fn forward(&self, layer: &mut LayerWeights, input: &[f32], taps: Taps<'_>) -> Pass {
        let count = layer.made();
        let channels = layer.weights.len() / count / taps.each;
        let rows = input.len() / channels;
        let mut made = vec![0.0; rows * count];
        let panels = Panels::new(&layer.weights, count);
        self.products(&mut made, count, input, taps, &panels);
        let (mut normed, mut spread) = (Vec::new(), Vec::new());
        if layer.is_normed() {
            spread = norm(layer, &mut made);
            normed.clone_from(&made);
        }
        for row in made.chunks_exact_mut(count) {
            if layer.is_normed() {
                row.iter_mut().zip(&layer.scale).for_each(|(number, scale)| *number *= scale);
            }
            row.iter_mut().zip(&layer.bias).for_each(|(number, bias)| *number += bias);
        }
        Pass { made, normed, spread }
    }

    /// Adds products, on several threads if it is worth it.
    fn products(
        &self,
        result: &mut [f32],
        columns: usize,
        input: &[f32],
        taps: Taps<'_>,
        panels: &Panels,
    ) {
        let rows = result.len() / columns;
        let work = input.len() * taps.each * columns;
        if self.threads <= 1 || work < LEAST_FOR_THREADS {
            return add_products(result, 0, input, taps, panels);
        }
        let each = rows.div_ceil(self.threads).next_multiple_of(4);
        std::thread::scope(|scope| {
            for (number, part) in result.chunks_mut(each * columns).enumerate() {
                scope.spawn(move || add_products(part, number * each, input, taps, panels));
            }
        });
    }

    /// Adds the gradients of a layer; returns the slopes of what it has seen.
    fn backward(
        &self,
        layer: &LayerWeights,
        gradient: &mut LayerWeights,
        pass: &Pass,
        input: &[f32],
        taps: Taps<'_>,
        mut slopes: Vec<f32>,
    ) -> Vec<f32> {
        let count = layer.made();
        let channels = layer.weights.len() / count / taps.each;
        for row in slopes.chunks_exact(count) {
            gradient.bias.iter_mut().zip(row).for_each(|(bias, slope)| *bias += slope);
        }
        if layer.is_normed() {
            unnorm(layer, gradient, pass, &mut slopes);
        }
        let panels = Panels::new(&slopes, count);
        let size = channels * count;
        let by_tap = |(tap, own): (usize, &mut [f32])| {
            add_gradient(own, tap, input, channels, taps, &panels);
        };
        if self.threads <= 1 || input.len() * taps.each * count < LEAST_FOR_THREADS {
            gradient.weights.chunks_exact_mut(size).enumerate().for_each(by_tap);
        } else {
            let mut parts: Vec<_> = gradient.weights.chunks_exact_mut(size).enumerate().collect();
            let most = parts.len().div_ceil(self.threads);
            std::thread::scope(|scope| {
                while !parts.is_empty() {
                    let own = parts.split_off(parts.len().saturating_sub(most));
                    scope.spawn(|| own.into_iter().for_each(by_tap));
                }
            });
        }
        let turned = turned(&layer.weights, taps.each, channels, count);
        let opposite = match taps.each {
            NEIGHBOURS => Taps { rows: &self.opposite, each: NEIGHBOURS },
            _ => taps,
        };
        let mut before = vec![0.0; input.len()];
        let panels = Panels::new(&turned, channels);
        self.products(&mut before, channels, &slopes, opposite, &panels);
        before
    }
}

/// Each board is one row.
const WHOLE: Taps<'static> = Taps { rows: &[0], each: 1 };

/// For each tap the rows of weights as columns.
fn turned(weights: &[f32], taps: usize, channels: usize, count: usize) -> Vec<f32> {
    let mut turned = vec![0.0; weights.len()];
    let size = channels * count;
    for tap in 0..taps {
        let (from, to) = (&weights[tap * size..], &mut turned[tap * size..(tap + 1) * size]);
        for channel in 0..channels {
            for column in 0..count {
                to[column * channels + channel] = from[channel * count + column];
            }
        }
    }
    turned
}

fn rectified(numbers: &[f32]) -> Vec<f32> {
    numbers.iter().map(|number| number.max(0.0)).collect()
}

/// Adds further slopes.
fn add_slopes(slopes: &mut [f32], more: &[f32]) {
    slopes.iter_mut().zip(more).for_each(|(slope, more)| *slope += more);
}

/// Makes slopes 0 where numbers have become 0.
fn silence(slopes: &mut [f32], numbers: &[f32]) {
    for (slope, number) in slopes.iter_mut().zip(numbers) {
        if *number <= 0.0 {
            *slope = 0.0;
        }
    }
}

/// Gives numbers mean 0 and variance 1, counts what they had, and returns by what they were divided.
fn norm(layer: &mut LayerWeights, made: &mut [f32]) -> Vec<f32> {
    let count = layer.made();
    let rows = (made.len() / count) as f32;
    let mut mean = vec![0.0f32; count];
    for row in made.chunks_exact(count) {
        mean.iter_mut().zip(row).for_each(|(mean, number)| *mean += number);
    }
    mean.iter_mut().for_each(|mean| *mean /= rows);
    let mut variance = vec![0.0f32; count];
    for row in made.chunks_exact_mut(count) {
        for ((number, mean), variance) in row.iter_mut().zip(&mean).zip(&mut variance) {
            *number -= mean;
            *variance += *number * *number;
        }
    }
    variance.iter_mut().for_each(|variance| *variance /= rows);
    let spread: Vec<f32> = variance.iter().map(|it| (it + LEAST_VARIANCE).sqrt()).collect();
    for row in made.chunks_exact_mut(count) {
        row.iter_mut().zip(&spread).for_each(|(number, spread)| *number /= spread);
    }
    let unbiased = rows / (rows - 1.0).max(1.0);
    let counted = layer.mean.iter_mut().zip(mean);
    counted.for_each(|(counted, mean)| *counted += MOMENTUM * (mean - *counted));
    let counted = layer.variance.iter_mut().zip(variance);
    counted.for_each(|(counted, it)| *counted += MOMENTUM * (it * unbiased - *counted));
    spread
}

/// Makes the slopes of normed numbers those of the numbers before.
fn unnorm(layer: &LayerWeights, gradient: &mut LayerWeights, pass: &Pass, slopes: &mut [f32]) {
    let count = layer.made();
    let rows = (slopes.len() / count) as f32;
    let (mut sums, mut products) = (vec![0.0f32; count], vec![0.0f32; count]);
    for (row, normed) in slopes.chunks_exact(count).zip(pass.normed.chunks_exact(count)) {
        for (at, (slope, number)) in row.iter().zip(normed).enumerate() {
            sums[at] += slope;
            products[at] += slope * number;
        }
    }
    gradient.scale.iter_mut().zip(&products).for_each(|(own, product)| *own += product);
    for (row, normed) in slopes.chunks_exact_mut(count).zip(pass.normed.chunks_exact(count)) {
        for (at, (slope, number)) in row.iter_mut().zip(normed).enumerate() {
            let common = (sums[at] + number * products[at]) / rows;
            *slope = layer.scale[at] / pass.spread[at] * (*slope - common);
        }
    }
}

/// For each board the means and the largest of each number, and in which cells those are.
fn over_boards(numbers: &[f32], filters: usize, cells: usize) -> (Vec<f32>, Vec<u32>) {
    let (mut seen, mut largest) = (Vec::new(), Vec::new());
    for board in numbers.chunks_exact(filters * cells) {
        seen.extend(regulus_agents::residual::over_board(board, filters));
        let both = &seen[seen.len() - filters..];
        let cell_of = |filter: usize| {
            (0..cells).find(|cell| board[cell * filters + filter] == both[filter]).unwrap_or(0)
        };
        largest.extend((0..filters).map(|filter| cell_of(filter) as u32));
    }
    (seen, largest)
}

#[cfg(test)]
mod tests {
    use rand::RngExt as _;
    use regulus_agents::residual::ResidualNet;
    use regulus_engine::generator;
    use regulus_game::{Config, EngineKind, Game, Match};

    use super::*;

    /// A few random positions with random targets.
    fn examples(game: &std::sync::Arc<Game>, shape: ResidualShape, count: usize) -> Examples {
        let mut random = generator(3);
        let mut examples = Examples::default();
        let mut play = Match::new(game).expect("it begins");
        let mut planes = vec![0.0; game.plane_shape().len()];
        for index in 0..count {
            play.planes(&mut planes);
            if shape.choices > 0 {
                let mut left = 1.0;
                for number in 0..4u32 {
                    let likely = if number == 3 { left } else { left * 0.4 };
                    left -= likely;
                    let most = (shape.cells() * shape.choices) as u32;
                    let choices = [random.random_range(0..most), random.random_range(0..most)];
                    examples.add_move(choices.into_iter(), likely);
                }
                examples.add_owners((0..shape.cells()).map(|cell| cell as i8 % 3 - 1));
            }
            examples.add(|list| regulus_agents::residual::by_cell(&planes, shape.planes, list));
            examples.set_value(index, random.random_range(-1.0..1.0));
            if !play.play_random(&mut random).expect("it is played") {
                play = Match::new(game).expect("it begins");
            }
        }
        examples
    }

    fn total(descent: &Descent, weights: &ResidualWeights, examples: &Examples) -> f64 {
        let chosen: Vec<usize> = (0..examples.len()).collect();
        let mut gradient = ResidualWeights::zero(weights.shape);
        let loss = descent.add(&mut weights.clone(), &mut gradient, examples, &chosen, &[]);
        loss.value + f64::from(CHOICES_COUNT) * loss.choices + f64::from(OWNERS_COUNT) * loss.owners
    }

    #[test]
    fn gradients_are_differences() {
        let config = Config { engine: EngineKind::Plan, ..Config::default() };
        let game = Game::load("tic_tac_toe", &config).expect("it is bundled");
        let small = ResidualShape::small(&game).expect("for two");
        let mut compared = 0;
        for is_normed in [false, true] {
            let choices = if is_normed { 0 } else { small.choices };
            let shape = ResidualShape { filters: 5, blocks: 2, choices, is_normed, ..small };
            let weights = ResidualWeights::random(shape, 7);
            let examples = examples(&game, shape, 6);
            let descent = Descent::new(shape, 1);
            let chosen: Vec<usize> = (0..6).collect();
            let mut gradient = ResidualWeights::zero(shape);
            gradient.layers_mut().into_iter().for_each(|layer| layer.scale.fill(0.0));
            descent.add(&mut weights.clone(), &mut gradient, &examples, &chosen, &[]);
            let layers = weights.layers().len();
            for layer in 0..layers {
                for list in 0..LayerWeights::LEARNT {
                    let count = weights.layers()[layer].1.lists()[list].1.len();
                    for index in (0..count).step_by((count / 5).max(1)) {
                        let moved = |by: f32| {
                            let mut moved = weights.clone();
                            moved.layers_mut()[layer].lists_mut()[list][index] += by;
                            total(&descent, &moved, &examples)
                        };
                        let wanted = (moved(2e-3) - moved(-2e-3)) / 4e-3;
                        let found = gradient.layers()[layer].1.lists()[list].1[index];
                        let found = f64::from(found);
                        // A number that becomes 0 within the step makes the difference inexact.
                        let error = (found - wanted).abs() / (0.05 + wanted.abs());
                        let name = &weights.layers()[layer].0;
                        assert!(error < 0.2, "{name} {list} {index}: {found} {wanted}");
                        compared += usize::from(error < 0.02);
                    }
                }
            }
        }
        assert!(compared > 150, "{compared}");
    }

    #[test]
    fn threads_and_playing_compute_the_same() {
        let config = Config { engine: EngineKind::Plan, ..Config::default() };
        let game = Game::load("breakthrough", &config).expect("it is bundled");
        let shape = ResidualShape::small(&game).expect("for two");
        let weights = ResidualWeights::random(shape, 7);
        let examples = examples(&game, shape, 16);
        let chosen: Vec<usize> = (0..16).collect();
        let gradients = [1, 3].map(|threads| {
            let mut gradient = ResidualWeights::zero(shape);
            let descent = Descent::new(shape, threads);
            descent.add(&mut weights.clone(), &mut gradient, &examples, &chosen, &[]);
            gradient
        });
        assert!(gradients[0] == gradients[1], "threads change the result");
        let play = Match::new(&game).expect("it begins");
        let judged = ResidualNet::new(&game, &weights).judge(&play);
        let mut alone = Examples::default();
        let mut planes = vec![0.0; game.plane_shape().len()];
        play.planes(&mut planes);
        alone.add_owners((0..64).map(|_| 0));
        alone.add(|list| regulus_agents::residual::by_cell(&planes, shape.planes, list));
        let mut gradient = ResidualWeights::zero(shape);
        let loss =
            Descent::new(shape, 1).add(&mut weights.clone(), &mut gradient, &alone, &[0], &[]);
        let said = f64::from(judged.value);
        assert!((loss.value - said * said).abs() < 1e-4, "{} {said}", loss.value);
    }
}
