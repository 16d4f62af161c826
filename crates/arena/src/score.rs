//! What many games say about two players: points, confidence, Elo, and whether to go on (SPRT).

use crate::record::GameRecord;

/// How far from the mean 95 of 100 normally distributed values lie, in standard deviations.
pub(crate) const NORMAL_95: f64 = 1.959_963_985;

/// The points of one contestant against the others.
///
/// # Examples
///
/// ```
/// use regulus_arena::Score;
///
/// let mut score = Score::default();
/// [1.0, 1.0, 0.5, 0.0, 1.0, 1.0, 0.5, 1.0].into_iter().for_each(|points| score.add(points));
/// assert_eq!((score.wins, score.draws, score.losses), (5, 2, 1));
/// assert_eq!(score.mean(), 0.75);
/// let (low, high) = score.interval();
/// assert!(0.4 < low && low < 0.75 && 0.75 < high && high < 1.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Games won alone.
    pub wins: u64,
    /// Games in which the point was shared.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    sum: f64,
    squares: f64,
}

impl Score {
    /// The score of a contestant in some games; those that do not count are left out.
    #[must_use]
    pub fn of<'a>(records: impl IntoIterator<Item = &'a GameRecord>, contestant: usize) -> Score {
        let mut score = Score::default();
        for record in records.into_iter().filter(|record| record.counts()) {
            score.add(record.points_of(contestant));
        }
        score
    }

    /// Adds the points of a game.
    pub fn add(&mut self, points: f64) {
        match points {
            points if points >= 1.0 => self.wins += 1,
            points if points <= 0.0 => self.losses += 1,
            _ => self.draws += 1,
        }
        self.sum += points;
        self.squares += points * points;
    }

    /// How many games there were.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// All points.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.sum
    }

    /// Points for each game; 0.5 if there was none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.sum / self.games() as f64 }
    }

    /// Between which means the true one lies with 95 % confidence. It is Wilson's interval with the variance of the games
    /// themselves, so that draws make it narrower.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let games = self.games() as f64;
        if games == 0.0 {
            return (0.0, 1.0);
        }
        let (mean, z2) = (self.mean(), NORMAL_95 * NORMAL_95);
        // With draws a game tells more than a throw of a coin does.
        let coin = mean * (1.0 - mean);
        let games = if coin > 0.0 && self.draws > 0 {
            games * (coin / self.variance().max(coin / 100.0)).max(1.0)
        } else {
            games
        };
        let centre = (mean + z2 / (2.0 * games)) / (1.0 + z2 / games);
        let spread =
            NORMAL_95 / (1.0 + z2 / games) * (coin / games + z2 / (4.0 * games * games)).sqrt();
        ((centre - spread).max(0.0), (centre + spread).min(1.0))
    }

    fn variance(&self) -> f64 {
        let games = self.games().max(1) as f64;
        (self.squares / games - self.mean() * self.mean()).max(0.0)
    }

    /// By how many Elo points the player is better: the estimate and the interval, infinite where all games were won or lost.
    #[must_use]
    pub fn elo(&self) -> (f64, f64, f64) {
        let (low, high) = self.interval();
        (elo(self.mean()), elo(low), elo(high))
    }
}

/// The difference in Elo points at which a player gets this part of the points.
fn elo(part: f64) -> f64 {
    -400.0 * (1.0 / part - 1.0).log10()
}

/// The part of the points that a player gets who is better by this many Elo points.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A sequential probability ratio test between two differences in strength, in Elo points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The smaller difference.
    pub elo0: f64,
    /// The larger difference.
    pub elo1: f64,
    /// How often to err, either way.
    pub error: f64,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtState {
    /// More games are needed.
    Undecided,
    /// The difference is the smaller one.
    Smaller,
    /// The difference is the larger one.
    Larger,
}

impl Sprt {
    /// The logarithm of how much more likely the larger difference is, by the normal approximation. The variance is taken as if one
    /// more game had been won and one lost: a few games that end alike say little about it.
    #[must_use]
    pub fn log_likelihood_ratio(&self, score: &Score) -> f64 {
        let games = score.games() as f64;
        let mut varied = *score;
        [1.0, 0.0].into_iter().for_each(|points| varied.add(points));
        let (low, high) = (expected(self.elo0), expected(self.elo1));
        games * (high - low) * (2.0 * score.mean() - low - high) / (2.0 * varied.variance())
    }

    /// Whether the games are enough to tell.
    #[must_use]
    pub fn state(&self, score: &Score) -> SprtState {
        let bound = ((1.0 - self.error) / self.error).ln();
        match self.log_likelihood_ratio(score) {
            ratio if ratio >= bound => SprtState::Larger,
            ratio if ratio <= -bound => SprtState::Smaller,
            _ => SprtState::Undecided,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(wins: u32, draws: u32, losses: u32) -> Score {
        let mut score = Score::default();
        (0..wins).for_each(|_| score.add(1.0));
        (0..draws).for_each(|_| score.add(0.5));
        (0..losses).for_each(|_| score.add(0.0));
        score
    }

    #[test]
    fn intervals_are_those_of_wilson() {
        // 81 of 263: published examples of the formula give 0.2553 to 0.3662.
        let (low, high) = score(81, 0, 182).interval();
        assert!((low - 0.2553).abs() < 0.0002 && (high - 0.3662).abs() < 0.0002, "{low} {high}");
        let (low, high) = score(10, 0, 0).interval();
        assert!((low - 0.7225).abs() < 0.001 && high == 1.0, "{low} {high}");
    }

    #[test]
    fn draws_make_the_interval_narrower() {
        let width = |score: Score| score.interval().1 - score.interval().0;
        assert!(width(score(10, 80, 10)) < width(score(50, 0, 50)) / 2.0);
    }

    #[test]
    fn elo_of_three_quarters_is_191() {
        let (estimate, low, high) = score(75, 0, 25).elo();
        assert!((estimate - 190.8).abs() < 0.1 && low < estimate && estimate < high);
    }

    #[test]
    fn a_test_ends_when_the_games_are_clear() {
        let test = Sprt { elo0: 0.0, elo1: 50.0, error: 0.05 };
        assert_eq!(test.state(&score(6, 0, 4)), SprtState::Undecided);
        assert_eq!(test.state(&score(300, 0, 200)), SprtState::Larger);
        assert_eq!(test.state(&score(200, 0, 220)), SprtState::Smaller);
        // Four games that end nearly alike are not enough, many that are all won are.
        let test = Sprt { elo1: 150.0, ..test };
        assert_eq!(test.state(&score(3, 1, 0)), SprtState::Undecided);
        assert_eq!(test.state(&score(20, 0, 0)), SprtState::Larger);
        assert_eq!(test.state(&Score::default()), SprtState::Undecided);
    }
}
