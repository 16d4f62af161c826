//! The weights of a residual net, and what it looks like.

use rand::RngExt as _;
use regulus_engine::generator;
use regulus_game::Game;

use super::multiply::NO_ROW;

/// How many squares a convolution sees: a square and its eight neighbours.
pub const NEIGHBOURS: usize = 9;

/// How many units the layer before the value has.
pub const VALUE_UNITS: usize = 64;

/// The most numbers that the planes of a game may have, and the most choices of a square.
const MOST_PLANES: usize = 1 << 20;
const MOST_CHOICES: usize = 4096;

/// What a residual net looks like.
///
/// # Examples
///
/// ```
/// use regulus_agents::residual::ResidualShape;
/// use regulus_game::{Config, Game};
///
/// let game = Game::load("breakthrough", &Config::default())?;
/// let shape = ResidualShape::thesis(&game)?;
/// assert_eq!((shape.cells(), shape.filters, shape.blocks), (64, 64, 3));
/// // It only says what positions are worth.
/// assert_eq!(shape.choices, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResidualShape {
    /// How many planes a position has ([`Game::plane_shape`]).
    pub planes: usize,
    /// How many rows of cells there are.
    pub height: usize,
    /// How many columns.
    pub width: usize,
    /// How many numbers each layer has for each cell.
    pub filters: usize,
    /// How many blocks of two layers there are.
    pub blocks: usize,
    /// How many choices of moves belong to each square; 0 if the net does not say which moves are good.
    pub choices: usize,
    /// Whether layers are brought to mean 0 and variance 1 over the positions that are learnt from together.
    pub is_normed: bool,
}

/// Why a game cannot have a residual net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoResidual {
    /// It is not for two players.
    Players(usize),
    /// Its positions have too many numbers.
    Planes(usize),
    /// Its squares have too many choices.
    Choices(usize),
}

impl std::fmt::Display for NoResidual {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoResidual::Players(count) => {
                write!(f, "nets are for games of two players; this one has {count}")
            }
            NoResidual::Planes(count) => write!(
                f,
                "the game is too large for a net: {count} numbers in a position, at most {MOST_PLANES}"
            ),
            NoResidual::Choices(count) => write!(
                f,
                "the game is too large for a net: {count} choices at each square, at most {MOST_CHOICES}"
            ),
        }
    }
}

impl std::error::Error for NoResidual {}

impl ResidualShape {
    /// The net of the ABG report: a layer, three blocks of 64 filters with batch normalization, and a value.
    ///
    /// # Errors
    ///
    /// If the game cannot have such a net.
    pub fn thesis(game: &Game) -> Result<ResidualShape, NoResidual> {
        let planes = game.plane_shape();
        if game.player_count() != 2 {
            return Err(NoResidual::Players(game.player_count()));
        }
        if planes.len() > MOST_PLANES {
            return Err(NoResidual::Planes(planes.len()));
        }
        Ok(ResidualShape {
            planes: planes.planes,
            height: planes.height,
            width: planes.width,
            filters: 64,
            blocks: 3,
            choices: 0,
            is_normed: true,
        })
    }

    /// A smaller net that also says which moves are good and whose the squares will be at the end; without normalization.
    ///
    /// # Errors
    ///
    /// If the game cannot have such a net.
    pub fn small(game: &Game) -> Result<ResidualShape, NoResidual> {
        let squares = game.automaton().board.squares.len().max(1) as u64;
        let choices = (game.actions().count() / squares) as usize;
        if choices > MOST_CHOICES {
            return Err(NoResidual::Choices(choices));
        }
        let thesis = ResidualShape::thesis(game)?;
        Ok(ResidualShape { filters: 32, blocks: 3, choices, is_normed: false, ..thesis })
    }

    /// How many cells there are.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.height * self.width
    }

    /// For each cell itself and its neighbours, row by row, as [`super::multiply::Taps`].
    #[must_use]
    pub fn neighbours(&self) -> Vec<u32> {
        let (height, width) = (self.height as i32, self.width as i32);
        let mut rows = Vec::new();
        for cell in 0..height * width {
            let (y, x) = (cell / width, cell % width);
            for (dy, dx) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dy, dx))) {
                let (y, x) = (y + dy, x + dx);
                let inside = (0..height).contains(&y) && (0..width).contains(&x);
                rows.push(if inside { (y * width + x) as u32 } else { NO_ROW });
            }
        }
        rows
    }
}

/// The weights of a layer: for each number that it sees, a row of weights for those that it makes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerWeights {
    /// The rows.
    pub weights: Vec<f32>,
    /// What is added.
    pub bias: Vec<f32>,
    /// What numbers are multiplied by after they were normed; empty if they are not.
    pub scale: Vec<f32>,
    /// The mean and the variance that were seen while learning, for playing; empty if numbers are not normed.
    pub mean: Vec<f32>,
    /// See `mean`.
    pub variance: Vec<f32>,
}

impl LayerWeights {
    fn zero(seen: usize, made: usize, is_normed: bool) -> LayerWeights {
        let normed = if is_normed { made } else { 0 };
        LayerWeights {
            weights: vec![0.0; seen * made],
            bias: vec![0.0; made],
            scale: vec![1.0; normed],
            mean: vec![0.0; normed],
            variance: vec![1.0; normed],
        }
    }

    /// How many numbers it makes.
    #[must_use]
    pub fn made(&self) -> usize {
        self.bias.len()
    }

    /// Whether numbers are normed.
    #[must_use]
    pub fn is_normed(&self) -> bool {
        !self.scale.is_empty()
    }

    /// Random weights for a layer after which negative numbers become 0.
    fn randomize(&mut self, random: &mut regulus_engine::Generator, gain: f32) {
        let seen = self.weights.len() / self.made().max(1);
        let size = gain * (6.0 / seen as f32).sqrt();
        for weight in &mut self.weights {
            *weight = random.random_range(-1.0f32..1.0) * size;
        }
    }
}

/// The weights of a block: what two layers make is added to what the block sees.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockWeights {
    /// The layers.
    pub layers: [LayerWeights; 2],
    /// What the mean and the largest of the first layer's numbers over the whole board add to the second; nothing if numbers are normed.
    pub board: LayerWeights,
}

/// The weights of a residual net.
///
/// # Examples
///
/// ```
/// use regulus_agents::residual::{ResidualShape, ResidualWeights};
/// use regulus_game::{Config, Game};
///
/// let game = Game::load("tic_tac_toe", &Config::default())?;
/// let weights = ResidualWeights::random(ResidualShape::thesis(&game)?, 1);
/// assert_eq!(weights.blocks.len(), 3);
/// assert_eq!(weights.blocks[0].layers[0].weights.len(), 9 * 64 * 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ResidualWeights {
    /// What the net looks like.
    pub shape: ResidualShape,
    /// The layer that sees the planes.
    pub first: LayerWeights,
    /// The blocks.
    pub blocks: Vec<BlockWeights>,
    /// A number for each cell, all of which the hidden layer of the value sees, and the value itself.
    pub value: [LayerWeights; 3],
    /// How good the choices of each square are; empty if the net does not say.
    pub choices: LayerWeights,
    /// Whose a square will be at the end; empty if the net does not say.
    pub owner: LayerWeights,
}

impl ResidualWeights {
    /// Weights that are all 0.
    #[must_use]
    pub fn zero(shape: ResidualShape) -> ResidualWeights {
        let ResidualShape { filters, is_normed, choices, .. } = shape;
        let layer = |seen| LayerWeights::zero(seen, filters, is_normed);
        let board = match is_normed {
            true => LayerWeights::default(),
            false => LayerWeights::zero(2 * filters, filters, false),
        };
        let inner = || layer(NEIGHBOURS * filters);
        let block = BlockWeights { layers: [inner(), inner()], board };
        let says = |made| match choices {
            0 => LayerWeights::default(),
            _ => LayerWeights::zero(filters, made, false),
        };
        ResidualWeights {
            shape,
            first: layer(NEIGHBOURS * shape.planes),
            blocks: vec![block; shape.blocks],
            value: [
                LayerWeights::zero(filters, 1, is_normed),
                LayerWeights::zero(shape.cells(), VALUE_UNITS, false),
                LayerWeights::zero(VALUE_UNITS, 1, false),
            ],
            choices: says(choices),
            owner: says(1),
        }
    }

    /// Random weights to begin with.
    #[must_use]
    pub fn random(shape: ResidualShape, seed: u64) -> ResidualWeights {
        let mut weights = ResidualWeights::zero(shape);
        let mut random = generator(seed);
        weights.first.randomize(&mut random, 1.0);
        for block in &mut weights.blocks {
            // Without norms blocks begin by changing little, so that numbers do not grow from block to block.
            let gain = if shape.is_normed { 1.0 } else { 0.2 };
            block.layers[0].randomize(&mut random, 1.0);
            block.layers[1].randomize(&mut random, gain);
            block.board.randomize(&mut random, gain);
        }
        let [cells, hidden, value] = &mut weights.value;
        cells.randomize(&mut random, 1.0);
        // A unit that is 0 everywhere learns nothing.
        if !shape.is_normed {
            cells.bias.fill(0.5);
        }
        hidden.randomize(&mut random, 1.0);
        value.randomize(&mut random, 0.4);
        weights.choices.randomize(&mut random, 0.2);
        weights.owner.randomize(&mut random, 0.2);
        weights
    }

    /// The layers with their names, in the order of files.
    pub fn layers(&self) -> Vec<(String, &LayerWeights)> {
        let mut layers = vec![("first".to_owned(), &self.first)];
        for (number, block) in self.blocks.iter().enumerate() {
            layers.push((format!("block{number}.one"), &block.layers[0]));
            layers.push((format!("block{number}.two"), &block.layers[1]));
            layers.push((format!("block{number}.board"), &block.board));
        }
        for (name, layer) in ["cells", "hidden", "out"].into_iter().zip(&self.value) {
            layers.push((format!("value.{name}"), layer));
        }
        layers.push(("choices".to_owned(), &self.choices));
        layers.push(("owner".to_owned(), &self.owner));
        layers.retain(|(_, layer)| !layer.weights.is_empty());
        layers
    }

    /// The same layers, to be changed.
    pub fn layers_mut(&mut self) -> Vec<&mut LayerWeights> {
        let mut layers = vec![&mut self.first];
        for block in &mut self.blocks {
            let [one, two] = &mut block.layers;
            layers.extend([one, two, &mut block.board]);
        }
        layers.extend(&mut self.value);
        layers.extend([&mut self.choices, &mut self.owner]);
        layers.retain(|layer| !layer.weights.is_empty());
        layers
    }
}

impl LayerWeights {
    /// Its lists with their names.
    #[must_use]
    pub fn lists(&self) -> [(&'static str, &Vec<f32>); 5] {
        [
            ("weights", &self.weights),
            ("bias", &self.bias),
            ("scale", &self.scale),
            ("mean", &self.mean),
            ("variance", &self.variance),
        ]
    }

    /// The same lists, to be changed.
    pub fn lists_mut(&mut self) -> [&mut Vec<f32>; 5] {
        let LayerWeights { weights, bias, scale, mean, variance } = self;
        [weights, bias, scale, mean, variance]
    }

    /// How many of the lists are learnt by descent; the others are only counted.
    pub const LEARNT: usize = 3;
}
