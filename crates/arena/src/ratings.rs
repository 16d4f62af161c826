//! One strength for each contestant from all games (Bradley and Terry).

use crate::record::GameRecord;
use crate::score::NORMAL_95;

/// Elo points for a natural logarithm of the odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// How many games each pair of contestants is supposed to have drawn beforehand, so that one who won every game has a finite
/// rating.
const PRIOR: f64 = 0.2;

/// The strength of a contestant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// In Elo points; the mean of all contestants is 0.
    pub elo: f64,
    /// How far off it may be, with 95 % confidence.
    pub margin: f64,
    /// In how many comparisons with others it took part.
    pub games: u64,
}

/// The ratings of contestants after some games. A game of more than two is as many comparisons as there are pairs.
///
/// # Examples
///
/// ```
/// use regulus_arena::ratings_of_pairs;
///
/// // The first beats the second in 3 of 4 games, in each of 100 rounds.
/// let pairs: Vec<(usize, usize, f64)> = (0..400).map(|game| (0, 1, if game % 4 == 0 { 0.0 } else { 1.0 })).collect();
/// let ratings = ratings_of_pairs(2, &pairs);
/// let difference = ratings[0].elo - ratings[1].elo;
/// assert!((difference - 190.8).abs() < 1.0, "{difference}");
/// ```
#[must_use]
pub fn ratings_of_pairs(contestants: usize, pairs: &[(usize, usize, f64)]) -> Vec<Rating> {
    let mut counts = vec![vec![0.0; contestants]; contestants];
    let mut wins = vec![0.0; contestants];
    let mut games = vec![0; contestants];
    for &(one, other, points) in pairs.iter().filter(|(one, other, _)| one != other) {
        counts[one][other] += 1.0;
        counts[other][one] += 1.0;
        wins[one] += points;
        wins[other] += 1.0 - points;
        games[one] += 1;
        games[other] += 1;
    }
    for one in 0..contestants {
        for other in (0..contestants).filter(|&other| other != one) {
            counts[one][other] += PRIOR;
            wins[one] += PRIOR / 2.0;
        }
    }
    let strengths = fit(&counts, &wins);
    let margins = margins(&counts, &strengths);
    let mean = strengths.iter().sum::<f64>() / contestants.max(1) as f64;
    (0..contestants)
        .map(|index| Rating {
            elo: (strengths[index] - mean) * SCALE,
            margin: margins[index] * SCALE * NORMAL_95,
            games: games[index],
        })
        .collect()
}

/// The comparisons that games make between contestants.
#[must_use]
pub fn pairs_of<'a>(records: impl IntoIterator<Item = &'a GameRecord>) -> Vec<(usize, usize, f64)> {
    let mut pairs = Vec::new();
    for record in records.into_iter().filter(|record| record.counts()) {
        for one in 0..record.players.len() {
            for other in one + 1..record.players.len() {
                let points = match record.results[one].total_cmp(&record.results[other]) {
                    std::cmp::Ordering::Greater => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Less => 0.0,
                };
                pairs.push((record.players[one], record.players[other], points));
            }
        }
    }
    pairs
}

/// The logarithms of the strengths under which the results are likeliest, by Newton's method; the function is concave.
fn fit(counts: &[Vec<f64>], wins: &[f64]) -> Vec<f64> {
    let contestants = wins.len();
    let mut strengths = vec![0.0; contestants];
    for _ in 0..200 {
        let mut gradient: Vec<f64> = wins.to_vec();
        for one in 0..contestants {
            for other in (0..contestants).filter(|&other| other != one) {
                gradient[one] -= counts[one][other] * chance(strengths[one] - strengths[other]);
            }
        }
        let step = solve(information(counts, &strengths), &gradient);
        let longest = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
        // Short steps cannot go too far.
        let factor = if longest > 1.0 { 1.0 / longest } else { 1.0 };
        strengths.iter_mut().zip(&step).for_each(|(strength, part)| *strength += factor * part);
        if longest < 1e-9 {
            break;
        }
    }
    strengths
}

/// How likely a win is at this difference.
fn chance(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// How much the results tell about the strengths. Only differences matter, so their sum is held near 0.
fn information(counts: &[Vec<f64>], strengths: &[f64]) -> Vec<Vec<f64>> {
    let contestants = strengths.len();
    let mut matrix = vec![vec![1.0 / contestants.max(1) as f64; contestants]; contestants];
    for one in 0..contestants {
        for other in (0..contestants).filter(|&other| other != one) {
            let win = chance(strengths[one] - strengths[other]);
            let weight = counts[one][other] * win * (1.0 - win);
            matrix[one][one] += weight;
            matrix[one][other] -= weight;
        }
    }
    matrix
}

/// The standard deviation of each strength.
fn margins(counts: &[Vec<f64>], strengths: &[f64]) -> Vec<f64> {
    let contestants = strengths.len();
    (0..contestants)
        .map(|index| {
            let mut unit = vec![0.0; contestants];
            unit[index] = 1.0;
            let variance = solve(information(counts, strengths), &unit)[index];
            // The part that comes from holding the sum.
            (variance - 1.0 / contestants as f64).max(0.0).sqrt()
        })
        .collect()
}

/// Solves a system of linear equations by elimination with pivots.
fn solve(mut matrix: Vec<Vec<f64>>, right: &[f64]) -> Vec<f64> {
    let size = right.len();
    let mut right = right.to_vec();
    for column in 0..size {
        let pivot = (column..size).max_by(|&one, &other| {
            matrix[one][column].abs().total_cmp(&matrix[other][column].abs())
        });
        let pivot = pivot.unwrap_or(column);
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        if matrix[column][column].abs() < 1e-12 {
            continue;
        }
        let (above, below) = matrix.split_at_mut(column + 1);
        let from = &above[column];
        for (offset, row) in below.iter_mut().enumerate() {
            let factor = row[column] / from[column];
            row.iter_mut().zip(from).for_each(|(value, from)| *value -= factor * from);
            right[column + 1 + offset] -= factor * right[column];
        }
    }
    let mut solution = vec![0.0; size];
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| matrix[row][column] * solution[column]).sum();
        let pivot = matrix[row][row];
        solution[row] = if pivot.abs() < 1e-12 { 0.0 } else { (right[row] - known) / pivot };
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strengths_that_made_the_results_come_back() {
        let truth = [200.0, 50.0, -50.0, -200.0];
        let mut pairs = Vec::new();
        for one in 0..4 {
            for other in one + 1..4 {
                let expected = chance((truth[one] - truth[other]) / SCALE);
                let won = (expected * 10_000.0).round() as usize;
                pairs.extend((0..10_000).map(|game| (one, other, f64::from(game < won))));
            }
        }
        let ratings = ratings_of_pairs(4, &pairs);
        for (rating, truth) in ratings.iter().zip(truth) {
            assert!((rating.elo - truth).abs() < 2.0, "{} and {truth}", rating.elo);
            assert!(rating.margin > 1.0 && rating.margin < 8.0, "{}", rating.margin);
            assert_eq!(rating.games, 30_000);
        }
    }

    #[test]
    fn margins_are_those_of_the_binomial_distribution() {
        // Two equal players: the difference of their ratings has the deviation 2 / sqrt(n) on the scale of logarithms.
        let pairs: Vec<_> = (0..400).map(|game| (0, 1, f64::from(game % 2))).collect();
        let ratings = ratings_of_pairs(2, &pairs);
        // Each rating is half the difference.
        let expected = NORMAL_95 * SCALE * 2.0 / 400f64.sqrt() / 2.0;
        assert!((ratings[0].margin - expected).abs() < 0.1, "{} {expected}", ratings[0].margin);
    }

    #[test]
    fn one_who_wins_every_game_has_a_finite_rating() {
        let ratings = ratings_of_pairs(2, &[(0, 1, 1.0); 50]);
        assert!(ratings[0].elo > 300.0 && ratings[0].elo < 2000.0);
    }
}
