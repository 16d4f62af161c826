//! Sums of products of matrices, with the widest instructions that the machine has.
//!
//! A row of the result is a sum of rows of weights, one for each number of the rows that it is made of: with nine rows, those of
//! a square and its neighbours, that is a convolution; with one, a layer where each unit sees all before it. Each number of the result
//! is added up in one fixed order and is rounded once for each product, so every machine finds the same.

use pulp::{Arch, Simd, WithSimd};

/// The number of a row that is not there: a neighbour outside the board, which counts as 0.
pub const NO_ROW: u32 = u32::MAX;

/// How many rows of the result are computed together.
const ROWS: usize = 4;

/// Which rows of a matrix each row of the result is made of.
#[derive(Clone, Copy, Debug)]
pub struct Taps<'a> {
    /// By row of the first board, `each` numbers of rows of that board, or [`NO_ROW`].
    pub rows: &'a [u32],
    /// How many rows there are for each.
    pub each: usize,
}

impl Taps<'_> {
    /// How many rows a board has.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.rows.len() / self.each
    }

    /// The row that is the `tap`-th for a row, where boards follow each other; `None` if it is not there.
    #[inline(always)]
    fn row(&self, row: usize, tap: usize) -> Option<usize> {
        let cells = self.cells();
        let (board, cell) = (row / cells, row % cells);
        let from = self.rows[cell * self.each + tap];
        (from != NO_ROW).then(|| board * cells + from as usize)
    }
}

/// Weights in the order in which they are used: by groups of columns, and by rows within each.
#[derive(Clone, Debug, Default)]
pub struct Panels {
    numbers: Vec<f32>,
    /// How many rows and columns there are.
    rows: usize,
    columns: usize,
    /// How many columns a group has, and how many vectors that is.
    width: usize,
    vectors: usize,
}

impl Panels {
    /// The weights of a matrix with this number of columns, given row by row.
    #[must_use]
    pub fn new(matrix: &[f32], columns: usize) -> Panels {
        let mut panels = Panels::default();
        panels.fill(matrix, columns);
        panels
    }

    /// Takes the weights of another matrix.
    pub fn fill(&mut self, matrix: &[f32], columns: usize) {
        let lanes = Arch::new().dispatch(Lanes);
        // As many sums at once as there are registers for, and no more than are needed.
        let most = if lanes >= 16 { 4 } else { 2 };
        let vectors = columns.div_ceil(lanes).next_power_of_two().min(most);
        let width = lanes * vectors;
        let rows = matrix.len() / columns.max(1);
        self.numbers.clear();
        for first in (0..columns).step_by(width) {
            let used = width.min(columns - first);
            for row in matrix.chunks_exact(columns) {
                self.numbers.extend_from_slice(&row[first..first + used]);
                self.numbers.extend(std::iter::repeat_n(0.0, width - used));
            }
        }
        (self.rows, self.columns, self.width, self.vectors) = (rows, columns, width, vectors);
    }
}

/// How many numbers a vector has on this machine.
struct Lanes;

impl WithSimd for Lanes {
    type Output = usize;

    fn with_simd<S: Simd>(self, _: S) -> usize {
        S::F32_LANES
    }
}

/// Adds products to rows that follow each other, the first of which has the number `first` in the whole matrix: to each the sum, over its
/// taps and their numbers, of number times row of weights.
///
/// # Panics
///
/// If the matrices do not fit together.
pub fn add_products(
    result: &mut [f32],
    first: usize,
    input: &[f32],
    taps: Taps<'_>,
    weights: &Panels,
) {
    let channels = weights.rows / taps.each;
    assert_eq!(channels * taps.each, weights.rows, "rows of weights");
    assert_eq!(result.len() % weights.columns, 0, "columns of the result");
    Arch::new().dispatch(AddProducts { result, first, input, channels, taps, weights });
}

struct AddProducts<'a> {
    result: &'a mut [f32],
    first: usize,
    input: &'a [f32],
    channels: usize,
    taps: Taps<'a>,
    weights: &'a Panels,
}

impl WithSimd for AddProducts<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.weights.vectors {
            1 => self.run::<S, 1>(simd),
            2 => self.run::<S, 2>(simd),
            _ => self.run::<S, 4>(simd),
        }
    }
}

impl AddProducts<'_> {
    #[inline(always)]
    fn run<S: Simd, const VECTORS: usize>(self, simd: S) {
        let AddProducts { result, first, input, channels, taps, weights } = self;
        let (columns, width) = (weights.columns, weights.width);
        let nothing = vec![0.0; channels];
        let panel_size = weights.rows * width;
        for (block, rows) in result.chunks_mut(ROWS * columns).enumerate() {
            let count = rows.len() / columns;
            let from = |tap: usize| -> [&[f32]; ROWS] {
                std::array::from_fn(|at| {
                    let row = first + block * ROWS + at;
                    let row = if at < count { taps.row(row, tap) } else { None };
                    row.map_or(&nothing[..], |row| &input[row * channels..(row + 1) * channels])
                })
            };
            for (group, panel) in weights.numbers.chunks_exact(panel_size).enumerate() {
                let mut sums = [[simd.splat_f32s(0.0); VECTORS]; ROWS];
                for (tap, panel) in panel.chunks_exact(channels * width).enumerate() {
                    let (panel, _) = S::as_simd_f32s(panel);
                    add_rows(simd, from(tap), panel.as_chunks().0, &mut sums);
                }
                let begin = group * width;
                let used = width.min(columns - begin);
                for (row, sums) in rows.chunks_exact_mut(columns).zip(sums) {
                    let row = &mut row[begin..begin + used];
                    add_sums(simd, row, &sums);
                }
            }
        }
    }
}

/// Adds to each row of sums its numbers times the rows of weights.
#[inline(always)]
fn add_rows<S: Simd, const VECTORS: usize>(
    simd: S,
    numbers: [&[f32]; ROWS],
    weights: &[[S::f32s; VECTORS]],
    sums: &mut [[S::f32s; VECTORS]; ROWS],
) {
    let [n0, n1, n2, n3] = numbers;
    let each = weights.iter().zip(n0).zip(n1).zip(n2).zip(n3);
    // A copy stays in registers.
    let mut own = *sums;
    for ((((weights, n0), n1), n2), n3) in each {
        let numbers = [*n0, *n1, *n2, *n3].map(|number| simd.splat_f32s(number));
        for (sums, number) in own.iter_mut().zip(numbers) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum = simd.mul_add_f32s(number, *weight, *sum);
            }
        }
    }
    *sums = own;
}

/// Adds sums to a row, which may be shorter.
#[inline(always)]
fn add_sums<S: Simd, const VECTORS: usize>(simd: S, row: &mut [f32], sums: &[S::f32s; VECTORS]) {
    let (whole, rest) = S::as_mut_simd_f32s(row);
    let full = whole.len();
    for (to, sum) in whole.iter_mut().zip(sums) {
        *to = simd.add_f32s(*to, *sum);
    }
    if let Some(sum) = sums.get(full).filter(|_| !rest.is_empty()) {
        let mut numbers = [0.0f32; 64];
        let (place, _) = S::as_mut_simd_f32s(&mut numbers);
        place[0] = *sum;
        for (to, number) in rest.iter_mut().zip(numbers) {
            *to += number;
        }
    }
}

/// Adds to the gradient of weights, as they are given to [`Panels::new`], what the slopes of the result say, of the tap with a number:
/// for each row of slopes, each number of the row that it was made of times the slopes.
///
/// # Panics
///
/// If the matrices do not fit together.
pub fn add_gradient(
    gradient: &mut [f32],
    tap: usize,
    input: &[f32],
    channels: usize,
    taps: Taps<'_>,
    slopes: &Panels,
) {
    assert_eq!(gradient.len(), channels * slopes.columns, "weights of a tap");
    Arch::new().dispatch(AddGradient { gradient, tap, input, channels, taps, slopes });
}

struct AddGradient<'a> {
    gradient: &'a mut [f32],
    tap: usize,
    input: &'a [f32],
    channels: usize,
    taps: Taps<'a>,
    slopes: &'a Panels,
}

impl WithSimd for AddGradient<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.slopes.vectors {
            1 => self.run::<S, 1>(simd),
            2 => self.run::<S, 2>(simd),
            _ => self.run::<S, 4>(simd),
        }
    }
}

impl AddGradient<'_> {
    #[inline(always)]
    fn run<S: Simd, const VECTORS: usize>(self, simd: S) {
        let AddGradient { gradient, tap, input, channels, taps, slopes } = self;
        let (columns, width) = (slopes.columns, slopes.width);
        // Where the numbers of each row of slopes are.
        let rows: Vec<usize> = (0..slopes.rows)
            .map(|row| taps.row(row, tap).map_or(usize::MAX, |row| row * channels))
            .collect();
        for (block, own) in gradient.chunks_mut(ROWS * columns).enumerate() {
            let count = own.len() / columns;
            let panels = slopes.numbers.chunks_exact(slopes.rows * width);
            for (group, panel) in panels.enumerate() {
                let mut sums = [[simd.splat_f32s(0.0); VECTORS]; ROWS];
                let (panel, _) = S::as_simd_f32s(panel);
                for (slopes, &row) in panel.as_chunks::<VECTORS>().0.iter().zip(&rows) {
                    if row == usize::MAX {
                        continue;
                    }
                    let begin = row + block * ROWS;
                    let numbers: [f32; ROWS] =
                        match input.get(begin..begin + ROWS) {
                            Some(numbers) if count == ROWS => std::array::from_fn(|at| numbers[at]),
                            _ => std::array::from_fn(|at| {
                                if at < count { input[begin + at] } else { 0.0 }
                            }),
                        };
                    for (sums, number) in sums.iter_mut().zip(numbers) {
                        let number = simd.splat_f32s(number);
                        for (sum, slope) in sums.iter_mut().zip(slopes) {
                            *sum = simd.mul_add_f32s(number, *slope, *sum);
                        }
                    }
                }
                let begin = group * width;
                let used = width.min(columns - begin);
                for (row, sums) in own.chunks_exact_mut(columns).zip(sums) {
                    add_sums(simd, &mut row[begin..begin + used], &sums);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt as _;
    use regulus_engine::generator;

    use super::*;

    /// A matrix of random numbers.
    fn random(count: usize, seed: u64) -> Vec<f32> {
        let mut random = generator(seed);
        (0..count).map(|_| random.random_range(-1.0..1.0)).collect()
    }

    #[test]
    fn products_are_those_of_the_definition() {
        // Boards of three cells in a row; a cell sees the one before, itself and the one behind.
        let rows = [NO_ROW, 0, 1, 0, 1, 2, 1, 2, NO_ROW];
        let taps = Taps { rows: &rows, each: 3 };
        for (boards, channels, columns) in [(1, 1, 1), (2, 5, 7), (3, 64, 64), (4, 17, 80)] {
            let input = random(boards * 3 * channels, 1);
            let weights = random(3 * channels * columns, 2);
            let mut result = random(boards * 3 * columns, 3);
            let mut wanted = result.clone();
            for row in 0..boards * 3 {
                for (tap, from) in (0..3).filter_map(|tap| Some((tap, taps.row(row, tap)?))) {
                    for channel in 0..channels {
                        for column in 0..columns {
                            wanted[row * columns + column] += input[from * channels + channel]
                                * weights[(tap * channels + channel) * columns + column];
                        }
                    }
                }
            }
            let panels = Panels::new(&weights, columns);
            // In two parts, as two threads compute it.
            let half = (boards * 3 / 2) * columns;
            let (above, below) = result.split_at_mut(half);
            add_products(above, 0, &input, taps, &panels);
            add_products(below, boards * 3 / 2, &input, taps, &panels);
            for (found, wanted) in result.iter().zip(&wanted) {
                assert!((found - wanted).abs() < 1e-3, "{found} {wanted}");
            }
        }
    }

    #[test]
    fn gradients_are_those_of_the_definition() {
        let rows = [NO_ROW, 0, 1, 0, 1, 2, 1, 2, NO_ROW];
        let taps = Taps { rows: &rows, each: 3 };
        for (boards, channels, columns) in [(1, 1, 1), (2, 5, 7), (3, 64, 64), (4, 17, 80)] {
            let input = random(boards * 3 * channels, 1);
            let slopes = random(boards * 3 * columns, 2);
            for tap in 0..3 {
                let mut gradient = random(channels * columns, 3);
                let mut wanted = gradient.clone();
                for row in 0..boards * 3 {
                    let Some(from) = taps.row(row, tap) else { continue };
                    for channel in 0..channels {
                        for column in 0..columns {
                            wanted[channel * columns + column] +=
                                input[from * channels + channel] * slopes[row * columns + column];
                        }
                    }
                }
                let panels = Panels::new(&slopes, columns);
                add_gradient(&mut gradient, tap, &input, channels, taps, &panels);
                for (found, wanted) in gradient.iter().zip(&wanted) {
                    assert!((found - wanted).abs() < 1e-3, "{found} {wanted}");
                }
            }
        }
    }
}
