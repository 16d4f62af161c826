//! Who plays whom, in which game, from which opening.

use crate::contest::mix;

/// A game that is to be played. What happens in it depends on nothing else, for players limited by iterations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number in the schedule.
    pub number: u64,
    /// The number of the game.
    pub game: usize,
    /// The numbers of the contestants by seat.
    pub players: Vec<usize>,
    /// What the opening is drawn from.
    pub opening: u64,
    /// What the players draw from.
    pub seed: u64,
}

/// A list of fixtures.
///
/// # Examples
///
/// ```
/// use regulus_arena::Schedule;
///
/// // Two games of two seats, three contestants, five openings, each from both seats.
/// let schedule = Schedule::round_robin(&[2, 2], 3, 5, 1);
/// assert_eq!(schedule.fixtures().len(), 2 * 3 * 5 * 2);
/// let shard = schedule.clone().shard(0, 4);
/// assert_eq!(shard.fixtures().len(), 15);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    fixtures: Vec<Fixture>,
    seed: u64,
}

impl Schedule {
    /// A number of games of one kind between as many contestants as it has seats; they move on by one seat from game to game,
    /// and the opening changes when all have had every seat.
    #[must_use]
    pub fn single(seats: usize, games: u64, seed: u64) -> Schedule {
        let mut schedule = Schedule { fixtures: Vec::new(), seed };
        let players: Vec<usize> = (0..seats).collect();
        for game in 0..games {
            let round = game / seats.max(1) as u64;
            schedule.add(0, &players, game as usize % seats.max(1), round);
        }
        schedule
    }

    /// Every contestant against every other in every game. `seats` has the number of seats of each game.
    #[must_use]
    pub fn round_robin(seats: &[usize], contestants: usize, openings: u64, seed: u64) -> Schedule {
        Schedule::of_groups(seats, openings, seed, |seats| groups(contestants, seats))
    }

    /// The first contestant against every other, in every game.
    #[must_use]
    pub fn gauntlet(seats: &[usize], contestants: usize, openings: u64, seed: u64) -> Schedule {
        Schedule::of_groups(seats, openings, seed, |seats| {
            let mut all = groups(contestants, seats);
            all.retain(|group| group.contains(&0));
            all
        })
    }

    fn of_groups(
        seats: &[usize],
        openings: u64,
        seed: u64,
        groups: impl Fn(usize) -> Vec<Vec<usize>>,
    ) -> Schedule {
        let mut schedule = Schedule { fixtures: Vec::new(), seed };
        for (game, &seats) in seats.iter().enumerate() {
            for group in groups(seats) {
                for round in 0..openings {
                    (0..seats).for_each(|shift| schedule.add(game, &group, shift, round));
                }
            }
        }
        schedule
    }

    fn add(&mut self, game: usize, players: &[usize], shift: usize, round: u64) {
        let number = self.fixtures.len() as u64;
        let mut players = players.to_vec();
        players.rotate_left(shift);
        let opening = mix(mix(self.seed, game as u64), round);
        let seed = mix(!self.seed, number);
        self.fixtures.push(Fixture { number, game, players, opening, seed });
    }

    /// Every n-th fixture, beginning with the given one: a part that another machine can play.
    #[must_use]
    pub fn shard(mut self, index: u64, count: u64) -> Schedule {
        self.fixtures.retain(|fixture| fixture.number % count.max(1) == index);
        self
    }

    /// The fixtures.
    #[must_use]
    pub fn fixtures(&self) -> &[Fixture] {
        &self.fixtures
    }
}

/// All choices of `size` contestants, in order; where there are too few, they play several seats.
fn groups(contestants: usize, size: usize) -> Vec<Vec<usize>> {
    if contestants < size {
        return vec![(0..size).map(|seat| seat % contestants.max(1)).collect()];
    }
    let mut groups = vec![Vec::new()];
    for _ in 0..size {
        let longer = |group: &Vec<usize>| {
            let first = group.last().map_or(0, |last| last + 1);
            let group = group.clone();
            (first..contestants).map(move |next| group.iter().copied().chain([next]).collect())
        };
        groups = groups.iter().flat_map(longer).collect();
    }
    groups
}
