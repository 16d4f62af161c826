//! A residual net that judges positions.

use std::sync::Arc;

use regulus_game::{Game, Match};

use super::multiply::{Panels, Taps, add_products};
use super::weights::{LayerWeights, NEIGHBOURS, ResidualShape, ResidualWeights};

/// What is added to variances, so that nothing is divided by 0.
pub const LEAST_VARIANCE: f32 = 1e-5;

/// A layer as it is played with: what was learnt about mean and variance has become part of its weights.
#[derive(Clone, Debug)]
struct Layer {
    weights: Panels,
    bias: Vec<f32>,
}

impl Layer {
    fn new(layer: &LayerWeights) -> Layer {
        let made = layer.made();
        let mut weights = layer.weights.clone();
        let mut bias = layer.bias.clone();
        if layer.is_normed() {
            let spread = layer.variance.iter().map(|variance| (variance + LEAST_VARIANCE).sqrt());
            let factors: Vec<f32> = layer.scale.iter().zip(spread).map(|(a, b)| a / b).collect();
            for row in weights.chunks_exact_mut(made) {
                row.iter_mut().zip(&factors).for_each(|(weight, factor)| *weight *= factor);
            }
            let means = layer.mean.iter().zip(&factors);
            bias.iter_mut().zip(means).for_each(|(bias, (mean, factor))| *bias -= mean * factor);
        }
        Layer { weights: Panels::new(&weights, made.max(1)), bias }
    }

    /// Computes its numbers of all cells.
    fn run(&self, input: &[f32], taps: Taps<'_>, result: &mut Vec<f32>) {
        result.clear();
        for _ in 0..taps.cells() {
            result.extend_from_slice(&self.bias);
        }
        add_products(result, 0, input, taps, &self.weights);
    }
}

/// Makes negative numbers 0.
fn rectify(numbers: &mut [f32]) {
    numbers.iter_mut().for_each(|number| *number = number.max(0.0));
}

/// The mean and the largest of each number over all cells: first all means, then all largest ones.
pub fn over_board(numbers: &[f32], filters: usize) -> Vec<f32> {
    let mut both = vec![0.0f32; 2 * filters];
    let (means, largest) = both.split_at_mut(filters);
    largest.fill(f32::NEG_INFINITY);
    for row in numbers.chunks_exact(filters) {
        for ((mean, most), number) in means.iter_mut().zip(largest.iter_mut()).zip(row) {
            *mean += number;
            *most = most.max(*number);
        }
    }
    let cells = (numbers.len() / filters) as f32;
    means.iter_mut().for_each(|mean| *mean /= cells);
    both
}

/// A residual net to play with.
///
/// # Examples
///
/// ```
/// use regulus_agents::residual::{ResidualNet, ResidualShape, ResidualWeights};
/// use regulus_game::{Config, Game, Match};
///
/// let game = Game::load("breakthrough", &Config::default())?;
/// let weights = ResidualWeights::random(ResidualShape::thesis(&game)?, 1);
/// let net = ResidualNet::new(&game, &weights);
/// let judged = net.judge(&Match::new(&game)?);
/// assert!((-1.0..=1.0).contains(&judged.value));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ResidualNet {
    shape: ResidualShape,
    neighbours: Vec<u32>,
    first: Layer,
    blocks: Vec<([Layer; 2], Option<Layer>)>,
    value: [Layer; 3],
    choices: Option<Layer>,
    /// The cell of each square.
    cells: Vec<u32>,
}

/// What a residual net says of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResidualJudgement {
    /// What the player to move can expect, from -1 to 1.
    pub value: f32,
    /// By square and choice, how good it is: the exponentials of the sums over a move's choices are to each other as
    /// the moves are likely. Empty if the net does not say.
    pub choices: Vec<f32>,
}

/// Memory to compute with.
#[derive(Debug, Default)]
pub(crate) struct ResidualMemory {
    planes: Vec<f32>,
    input: Vec<f32>,
    numbers: [Vec<f32>; 3],
}

impl ResidualNet {
    /// The net with these weights, which must be for the game.
    #[must_use]
    pub fn new(game: &Arc<Game>, weights: &ResidualWeights) -> ResidualNet {
        let shape = weights.shape;
        let maybe = |layer: &LayerWeights| (!layer.weights.is_empty()).then(|| Layer::new(layer));
        let block = |block: &super::weights::BlockWeights| {
            (block.layers.each_ref().map(Layer::new), maybe(&block.board))
        };
        ResidualNet {
            shape,
            neighbours: shape.neighbours(),
            first: Layer::new(&weights.first),
            blocks: weights.blocks.iter().map(block).collect(),
            value: weights.value.each_ref().map(Layer::new),
            choices: maybe(&weights.choices),
            cells: cells_of_squares(game),
        }
    }

    /// What it looks like.
    #[must_use]
    pub fn shape(&self) -> ResidualShape {
        self.shape
    }

    /// What it says of the position of a play.
    #[must_use]
    pub fn judge(&self, play: &Match) -> ResidualJudgement {
        self.judge_with(&mut ResidualMemory::default(), |planes| play.planes(planes))
    }

    /// What it says of a position whose planes are written by `write`.
    pub(crate) fn judge_with(
        &self,
        memory: &mut ResidualMemory,
        write: impl FnOnce(&mut [f32]),
    ) -> ResidualJudgement {
        let ResidualShape { planes, filters, .. } = self.shape;
        let cells = self.shape.cells();
        memory.planes.resize(planes * cells, 0.0);
        write(&mut memory.planes);
        memory.input.clear();
        by_cell(&memory.planes, planes, &mut memory.input);
        let taps = Taps { rows: &self.neighbours, each: NEIGHBOURS };
        let ResidualMemory { input, numbers: [own, one, two], .. } = memory;
        self.first.run(input, taps, own);
        rectify(own);
        for ([first, second], board) in &self.blocks {
            first.run(own, taps, one);
            rectify(one);
            second.run(one, taps, two);
            if let Some(board) = board {
                let mut added = board.bias.clone();
                let seen = over_board(one, filters);
                add_products(&mut added, 0, &seen, Taps { rows: &[0], each: 1 }, &board.weights);
                for row in two.chunks_exact_mut(filters) {
                    row.iter_mut().zip(&added).for_each(|(number, added)| *number += added);
                }
            }
            for (number, other) in own.iter_mut().zip(two.iter()) {
                *number = (*number + other).max(0.0);
            }
        }
        let each: Vec<u32> = (0..cells as u32).collect();
        let alone = Taps { rows: &each, each: 1 };
        let whole = Taps { rows: &[0], each: 1 };
        let [of_cells, hidden, value] = &self.value;
        of_cells.run(own, alone, one);
        rectify(one);
        hidden.run(one, whole, two);
        rectify(two);
        value.run(two, whole, one);
        let value = one[0].tanh();
        let mut choices = Vec::new();
        if let Some(layer) = &self.choices {
            layer.run(own, alone, one);
            let of_square = |&cell: &u32| {
                let cell = cell as usize * self.shape.choices;
                &one[cell..cell + self.shape.choices]
            };
            choices.extend(self.cells.iter().flat_map(of_square));
        }
        ResidualJudgement { value, choices }
    }

    /// How good a move is by what a judgement says of its choices, to be compared with other moves of the position.
    pub(crate) fn goodness(
        &self,
        game: &Game,
        judgement: &ResidualJudgement,
        steps: &[regulus_engine::Step],
    ) -> f32 {
        let squares = self.cells.len() as u64;
        let of_choice = |number: regulus_game::ActionNumber| {
            let (choice, square) = (number.0 / squares, number.0 % squares);
            judgement.choices[square as usize * self.shape.choices + choice as usize]
        };
        game.actions().of(steps).map(of_choice).sum()
    }
}

/// The cell of each square: squares lie as in the planes of positions.
#[must_use]
pub fn cells_of_squares(game: &Game) -> Vec<u32> {
    let width = game.grid().width();
    let squares = game.automaton().board.squares.keys();
    let place = |square| {
        let (x, y) = game.grid().place(square);
        (y * width + x) as u32
    };
    squares.map(place).collect()
}

/// Adds planes to a list in another order: all numbers of a cell follow each other.
pub fn by_cell(planes: &[f32], count: usize, numbers: &mut Vec<f32>) {
    let cells = planes.len() / count;
    for cell in 0..cells {
        numbers.extend((0..count).map(|plane| planes[plane * cells + cell]));
    }
}
