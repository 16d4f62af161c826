//! What a phrase says: a class of steps, restricted by operators; and what that costs.
//!
//! docs/descriptions.md lists the operators and says what each means.

use regulus_lang::sbg::{Letter, On};

use crate::words::{BoardSize, WordEnd, WordTree};

/// The most operators of a phrase.
const MAX_OPERATORS: usize = 4;

/// A class of steps with operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    /// Absolute columns and rows of the steps, each class as (x, y); several when classes were joined.
    pub steps: Vec<(u32, u32)>,
    /// How often the step is made.
    pub times: Times,
    /// Where it may go.
    pub heading: Heading,
    /// What stands where it ends.
    pub landing: Landing,
    /// What stands on the way there; only rides have a way.
    pub path: RidePath,
}

/// How often a step is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Times {
    /// Once: a leap.
    Once,
    /// As often as there is room: a ride; so are all below.
    Any,
    /// At most n times.
    Max(u32),
    /// At least n times.
    Min(u32),
    /// From m to n times.
    Between(u32, u32),
    /// Exactly n times.
    Exactly(u32),
    /// 1, 3, 5 times and so on.
    Odd,
    /// 2, 4, 6 times and so on.
    Even,
}

/// Which steps of a class are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Heading {
    /// Forward or backward.
    pub vertical: Option<Vertical>,
    /// To the left or to the right.
    pub horizontal: Option<Horizontal>,
    /// Compared with the way so far.
    pub relative: Option<Relative>,
}

/// Forward or backward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Vertical {
    /// Towards the opponent.
    Forwards,
    /// Towards the own side.
    Backwards,
}

/// To the left or to the right, as white sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Horizontal {
    /// Towards the first column.
    Left,
    /// Towards the last column.
    Right,
}

/// A direction compared with the way from the piece's square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relative {
    /// Farther away.
    Outwards,
    /// Back.
    Inwards,
    /// Across.
    Sideways,
}

/// What a square may hold where a phrase ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Landing {
    /// Nothing.
    pub empty: bool,
    /// An enemy.
    pub enemy: bool,
    /// An own piece.
    pub own: bool,
}

/// What stands on the squares of a ride before its last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RidePath {
    /// Nothing.
    Clear,
    /// Own pieces on all of them.
    OwnPieces,
    /// Enemies on all of them.
    Enemies,
    /// One piece on one of them.
    Hop {
        /// Whose; `None` means either.
        over: Option<On>,
        /// Whether it stands just before the last square.
        right: bool,
    },
}

/// The score of a step: how hard it is to see on the board.
#[must_use]
pub(crate) fn step_score(x: u32, y: u32) -> u64 {
    let to_orthogonal = x.min(y);
    let to_diagonal = x.abs_diff(y);
    1 + u64::from(x.max(y)) + u64::from(to_orthogonal.min(to_diagonal))
}

impl Times {
    /// Costs of its operators.
    fn costs(self) -> &'static [u64] {
        match self {
            Times::Once | Times::Any => &[],
            Times::Max(_) | Times::Min(_) => &[2],
            Times::Between(..) => &[2, 2],
            Times::Exactly(_) => &[3],
            Times::Odd | Times::Even => &[5],
        }
    }

    pub(crate) fn contains(self, count: u32) -> bool {
        match self {
            Times::Once => count == 1,
            Times::Any => true,
            Times::Max(most) => count <= most,
            Times::Min(least) => count >= least,
            Times::Between(least, most) => (least..=most).contains(&count),
            Times::Exactly(times) => count == times,
            Times::Odd => count % 2 == 1,
            Times::Even => count.is_multiple_of(2),
        }
    }
}

impl Heading {
    fn costs(self) -> Vec<u64> {
        let costs =
            [self.vertical.map(|_| 1), self.horizontal.map(|_| 2), self.relative.map(|_| 2)];
        costs.into_iter().flatten().collect()
    }

    /// All headings; those that look back at the way so far only when there is one.
    fn all(after_others: bool) -> Vec<Heading> {
        let verticals = [None, Some(Vertical::Forwards), Some(Vertical::Backwards)];
        let horizontals = [None, Some(Horizontal::Left), Some(Horizontal::Right)];
        let relatives: &[Option<Relative>] = if after_others {
            &[None, Some(Relative::Outwards), Some(Relative::Inwards), Some(Relative::Sideways)]
        } else {
            &[None]
        };
        let mut all = Vec::new();
        for &relative in relatives {
            for vertical in verticals {
                for horizontal in horizontals {
                    all.push(Heading { vertical, horizontal, relative });
                }
            }
        }
        all
    }

    /// Whether a step goes in this direction, made at the displacement `from` from the piece's square.
    pub(crate) fn contains(self, (x, y): (i32, i32), from: (i32, i32)) -> bool {
        let vertical = self.vertical.is_none_or(|vertical| match vertical {
            Vertical::Forwards => y > 0,
            Vertical::Backwards => y < 0,
        });
        let horizontal = self.horizontal.is_none_or(|horizontal| match horizontal {
            Horizontal::Left => x < 0,
            Horizontal::Right => x > 0,
        });
        let product = x * from.0 + y * from.1;
        let relative = self.relative.is_none_or(|relative| match relative {
            Relative::Outwards => product > 0,
            Relative::Inwards => product < 0,
            Relative::Sideways => product == 0,
        });
        vertical && horizontal && relative
    }
}

impl Landing {
    /// All landings.
    const ALL: [Landing; 7] = [
        Landing { empty: true, enemy: true, own: false },
        Landing { empty: true, enemy: false, own: false },
        Landing { empty: false, enemy: true, own: false },
        Landing { empty: true, enemy: false, own: true },
        Landing { empty: true, enemy: true, own: true },
        Landing { empty: false, enemy: false, own: true },
        Landing { empty: false, enemy: true, own: true },
    ];

    /// The landing on exactly this.
    pub(crate) fn of(on: On) -> Landing {
        Landing { empty: on == On::Empty, enemy: on == On::Opponent, own: on == On::Own }
    }

    /// What either allows.
    pub(crate) fn union(self, other: Landing) -> Landing {
        Landing {
            empty: self.empty || other.empty,
            enemy: self.enemy || other.enemy,
            own: self.own || other.own,
        }
    }

    /// Only an enemy (2), without capture (2), own instead (3), own too (3).
    fn costs(self) -> &'static [u64] {
        match (self.empty, self.enemy, self.own) {
            (true, true, false) => &[],
            (true, false, false) | (false, true, false) => &[2],
            (true, false, true) | (true, true, true) => &[3],
            _ => &[2, 3],
        }
    }

    pub(crate) fn contains(self, on: On) -> bool {
        match on {
            On::Empty => self.empty,
            On::Opponent => self.enemy,
            On::Own => self.own,
        }
    }
}

impl RidePath {
    /// All paths.
    const ALL: [RidePath; 9] = [
        RidePath::Clear,
        RidePath::OwnPieces,
        RidePath::Enemies,
        RidePath::Hop { over: None, right: false },
        RidePath::Hop { over: Some(On::Own), right: false },
        RidePath::Hop { over: Some(On::Opponent), right: false },
        RidePath::Hop { over: None, right: true },
        RidePath::Hop { over: Some(On::Own), right: true },
        RidePath::Hop { over: Some(On::Opponent), right: true },
    ];

    fn costs(self) -> &'static [u64] {
        match self {
            RidePath::Clear => &[],
            RidePath::OwnPieces
            | RidePath::Enemies
            | RidePath::Hop { over: None, right: false } => &[3],
            RidePath::Hop { over: Some(_), right: false } => &[4],
            RidePath::Hop { over: None, right: true } => &[3, 2],
            RidePath::Hop { over: Some(_), right: true } => &[4, 2],
        }
    }

    /// Whether the squares of a way may hold these, in their order.
    fn contains(self, way: &[On]) -> bool {
        match self {
            RidePath::Clear => way.iter().all(|on| *on == On::Empty),
            RidePath::OwnPieces => way.iter().all(|on| *on == On::Own),
            RidePath::Enemies => way.iter().all(|on| *on == On::Opponent),
            RidePath::Hop { over, right } => {
                let mut pieces = way.iter().enumerate().filter(|(_, on)| **on != On::Empty);
                let (Some((place, on)), None) = (pieces.next(), pieces.next()) else {
                    return false;
                };
                over.is_none_or(|over| over == *on) && (!right || place + 1 == way.len())
            }
        }
    }

    /// What the next square of a way may hold.
    fn next(self, way: &[On]) -> Vec<On> {
        match self {
            RidePath::Clear => vec![On::Empty],
            RidePath::OwnPieces => vec![On::Own],
            RidePath::Enemies => vec![On::Opponent],
            RidePath::Hop { over, right } => match way.iter().position(|on| *on != On::Empty) {
                Some(_) if right => Vec::new(),
                Some(_) => vec![On::Empty],
                None => {
                    let hurdles = over.map_or(vec![On::Opponent, On::Own], |over| vec![over]);
                    std::iter::once(On::Empty).chain(hurdles).collect()
                }
            },
        }
    }

    /// Whether a ride may end behind this way.
    fn is_complete(self, way: &[On]) -> bool {
        !matches!(self, RidePath::Hop { .. }) || way.iter().any(|on| *on != On::Empty)
    }
}

/// A phrase without its steps and times: what is tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PhrasePattern {
    pub(crate) heading: Heading,
    pub(crate) landing: Landing,
    pub(crate) path: RidePath,
    pub(crate) is_ride: bool,
    pub(crate) cost: u64,
    pub(crate) operators: usize,
}

impl PhrasePattern {
    /// All that leave room for the operators of some times, cheapest first, rides before leaps.
    pub(crate) fn all(after_others: bool) -> Vec<PhrasePattern> {
        let mut all = Vec::new();
        for heading in Heading::all(after_others) {
            for landing in Landing::ALL {
                for (is_ride, path) in RidePath::ALL
                    .map(|path| (true, path))
                    .into_iter()
                    .chain([(false, RidePath::Clear)])
                {
                    let costs: Vec<u64> =
                        [landing.costs(), path.costs(), &heading.costs()].concat();
                    let (cost, operators) = (costs.iter().sum(), costs.len());
                    if operators <= MAX_OPERATORS {
                        all.push(PhrasePattern {
                            heading,
                            landing,
                            path,
                            is_ride,
                            cost,
                            operators,
                        });
                    }
                }
            }
        }
        all.sort_by_key(|pattern| (pattern.cost, pattern.operators, !pattern.is_ride));
        all
    }

    /// What a phrase says besides its steps and times.
    pub(crate) fn of(phrase: &Phrase) -> PhrasePattern {
        let Phrase { heading, landing, path, times, .. } = *phrase;
        PhrasePattern {
            heading,
            landing,
            path,
            is_ride: times != Times::Once,
            cost: 0,
            operators: 0,
        }
    }

    /// Whether a part of a word is one of those meant, however often the step is made.
    pub(crate) fn contains(&self, part: &[Letter], from: (i32, i32)) -> bool {
        let Some((last, way)) = part.split_last() else { return false };
        let contents: Vec<On> = way.iter().map(|letter| letter.on).collect();
        let is_step = (last.x, last.y) != (0, 0);
        (if self.is_ride { is_step } else { way.is_empty() })
            && self.landing.contains(last.on)
            && self.path.contains(&contents)
            && self.path.is_complete(&contents)
            && self.heading.contains((last.x, last.y), from)
    }

    /// The price of the operators together with those of the times; `None` if they are too many.
    pub(crate) fn with_times(&self, times: Times) -> Option<u64> {
        let costs = times.costs();
        (self.operators + costs.len() <= MAX_OPERATORS)
            .then(|| self.cost + costs.iter().sum::<u64>())
    }

    pub(crate) fn phrase(&self, steps: Vec<(u32, u32)>, times: Times) -> Phrase {
        let PhrasePattern { heading, landing, path, .. } = *self;
        Phrase { steps, times, heading, landing, path }
    }
}

/// The steps of a class: all signs of its columns and rows.
pub(crate) fn steps_of((x, y): (u32, u32)) -> Vec<(i32, i32)> {
    // Steps fit the board, so they fit 32 bits.
    let (x, y) = (x as i32, y as i32);
    let mut steps = vec![(x, y), (-x, y), (x, -y), (-x, -y)];
    steps.sort_unstable();
    steps.dedup();
    steps
}

impl Phrase {
    /// How much harder than its bare steps it is to understand.
    fn factor(&self) -> u64 {
        let times: u64 = self.times.costs().iter().sum();
        let heading: u64 = self.heading.costs().iter().sum();
        let landing: u64 = self.landing.costs().iter().sum();
        let path: u64 = self.path.costs().iter().sum();
        1 + times + heading + landing + path
    }

    /// Its score: joined classes count once, as they have the same steps turned.
    #[must_use]
    pub fn score(&self) -> u64 {
        let (x, y) = self.steps[0];
        step_score(x, y).saturating_mul(self.factor())
    }
}

/// A beginning of words: what was read, where that leads, and its node in the tree unless no word begins so.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordPrefix {
    pub(crate) word: Vec<Letter>,
    pub(crate) place: WordEnd,
    pub(crate) node: Option<usize>,
}

impl PhrasePattern {
    /// Calls the function with how often the step is made, and with what was read then, for all that is meant from this
    /// beginning on along one step. What the tree does not know is only reported when it is possible at all.
    pub(crate) fn each(
        &self,
        from: &mut WordPrefix,
        step: (i32, i32),
        tree: &WordTree,
        size: BoardSize,
        function: &mut impl FnMut(u32, &WordPrefix),
    ) {
        if self.heading.contains(step, from.place.at) {
            self.ride(from, step, tree, size, &mut Vec::new(), function);
        }
    }

    fn ride(
        &self,
        from: &mut WordPrefix,
        (x, y): (i32, i32),
        tree: &WordTree,
        size: BoardSize,
        path: &mut Vec<On>,
        function: &mut impl FnMut(u32, &WordPrefix),
    ) {
        if self.path.is_complete(path) {
            for on in [On::Empty, On::Opponent, On::Own] {
                if self.landing.contains(on)
                    && let Some(before) = from.push(Letter { x, y, on }, tree, size)
                {
                    function(path.len() as u32 + 1, from);
                    from.pop(before);
                }
            }
        }
        // A step to nowhere would never leave the board.
        if !self.is_ride || (x, y) == (0, 0) {
            return;
        }
        for on in self.path.next(path) {
            if let Some(before) = from.push(Letter { x, y, on }, tree, size) {
                path.push(on);
                self.ride(from, (x, y), tree, size, path, function);
                path.pop();
                from.pop(before);
            }
        }
    }
}

impl WordPrefix {
    /// Where every word begins.
    pub(crate) fn root() -> WordPrefix {
        WordPrefix { node: Some(WordTree::ROOT), ..WordPrefix::default() }
    }

    /// Reads one more letter, if that is possible; gives what is needed to take it back.
    fn push(
        &mut self,
        letter: Letter,
        tree: &WordTree,
        size: BoardSize,
    ) -> Option<(WordEnd, Option<usize>)> {
        let child = self.node.and_then(|node| tree.child(node, letter));
        let before = (self.place, self.node);
        self.place = match child {
            // Whatever the tree knows is possible.
            Some(_) => self.place.step(letter),
            None => self.place.try_step(&self.word, letter, size)?,
        };
        self.node = child;
        self.word.push(letter);
        Some(before)
    }

    fn pop(&mut self, (place, node): (WordEnd, Option<usize>)) {
        self.word.pop();
        (self.place, self.node) = (place, node);
    }
}
