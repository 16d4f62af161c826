//! The powers of a piece, sorted by how they are said.
//!
//! Whatever Simplified Boardgames can say becomes words, so that it is described and scored as there: leaps, rides, hops
//! over one piece, and captures of whatever stands where a move ends. The rest are [`Special`] ways.

use std::collections::BTreeSet;

use regulus_lang::metagame::{
    Amount, Capture, Description, Effect, Game, Kind, Movement, PieceType, Side, StepKind, Who,
};
use regulus_lang::sbg::{Letter, On};

use crate::phrase::Landing;
use crate::words::BoardSize;

/// The largest side of a board on which rides are unfolded; nothing new comes beyond it, unless rides have limits.
const MAX_SIDE: u32 = 32;
/// The most letters of all words of a piece.
const MAX_LETTERS: usize = 300_000;

/// A piece whose moves are too many, or have limits too far away, to be unfolded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooManyMoves;

impl std::fmt::Display for TooManyMoves {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Moves in too many ways, or too far, to be described")
    }
}

/// All that a piece can do, except promote.
#[derive(Debug, Default)]
pub(crate) struct Powers {
    /// Moves, and captures where they end that have the effect below.
    pub(crate) plain: MoveWays,
    /// What the captures among them take and what becomes of it; `None` if there are none.
    pub(crate) taking: Option<CaptureRule>,
    /// The other captures.
    pub(crate) captures: Vec<CaptureGroup>,
    /// Whether a capture is written down that can never happen.
    pub(crate) is_idle: bool,
}

/// Ways to move.
#[derive(Debug, Default)]
pub(crate) struct MoveWays {
    /// As words of Simplified Boardgames.
    pub(crate) words: BTreeSet<Vec<Letter>>,
    /// What has no words there.
    pub(crate) specials: Vec<Special>,
}

/// A way to move along some directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Special {
    pub(crate) step: StepKind,
    pub(crate) directions: BTreeSet<(i32, i32)>,
    /// What may stand where it ends.
    pub(crate) landing: Landing,
}

/// Which kinds are captured, all if none are given, and what becomes of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CaptureRule {
    pub(crate) kinds: Option<BTreeSet<Kind>>,
    pub(crate) effect: Effect,
}

/// Captures by the same methods, of the same pieces, with the same effect.
#[derive(Debug)]
pub(crate) struct CaptureGroup {
    pub(crate) methods: Methods,
    pub(crate) what: Description,
    pub(crate) effect: Effect,
    pub(crate) ways: MoveWays,
}

/// Which pieces a capture reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Methods {
    /// Where it ends.
    pub(crate) clobber: bool,
    /// What it hops over.
    pub(crate) hop: bool,
    /// One step behind where it begins.
    pub(crate) retrieve: bool,
}

impl Powers {
    /// The powers of a kind of piece.
    pub(crate) fn new(game: &Game, piece: &PieceType) -> Result<Powers, TooManyMoves> {
        let mut unfolding = Unfolding::new(game, piece);
        let mut powers = Powers::default();
        for movement in &piece.moving {
            unfolding.add(&mut powers.plain, movement, Landing::of(On::Empty), false)?;
        }
        let taken: Vec<Taken> = piece
            .capturing
            .iter()
            .flat_map(|capture| capture.movements.iter().map(move |by| (capture, by)))
            .map(|(capture, by)| Taken::new(game, capture, by))
            .collect();
        powers.is_idle = taken.iter().any(|taken| taken.methods == Methods::NONE);
        powers.taking = plain_taking(&taken);
        for taken in taken.iter().filter(|taken| taken.methods != Methods::NONE) {
            let landing = taken.landing();
            if taken.methods == Methods::CLOBBER && powers.taking == Some(taken.taking()) {
                unfolding.add(&mut powers.plain, taken.movement, landing, false)?;
                continue;
            }
            let same = powers.captures.iter_mut().find(|known| {
                known.methods == taken.methods
                    && known.what == taken.what
                    && known.effect == taken.effect
            });
            let captures = match same {
                Some(captures) => captures,
                None => {
                    powers.captures.push(taken.captures());
                    powers.captures.last_mut().expect("one was pushed")
                }
            };
            let takes_path = taken.methods.hop;
            unfolding.add(&mut captures.ways, taken.movement, landing, takes_path)?;
        }
        Ok(powers)
    }
}

impl Powers {
    /// Whether any of its captures can happen.
    pub(crate) fn can_capture(&self) -> bool {
        self.taking.is_some() || !self.captures.is_empty()
    }
}

impl Methods {
    const NONE: Methods = Methods { clobber: false, hop: false, retrieve: false };
    pub(crate) const CLOBBER: Methods = Methods { clobber: true, ..Methods::NONE };
}

/// The captures that are said together with moves: those that leave nothing to explain, or else the first.
fn plain_taking(taken: &[Taken]) -> Option<CaptureRule> {
    let mut plain = taken.iter().filter(|taken| taken.methods == Methods::CLOBBER);
    let usual = CaptureRule { kinds: None, effect: Effect::Remove };
    let first = plain.clone().next()?.taking();
    Some(if plain.any(|taken| taken.taking() == usual) { usual } else { first })
}

/// A movement of a capture, and what it can really take.
struct Taken<'a> {
    methods: Methods,
    what: Description,
    effect: Effect,
    movement: &'a Movement,
}

impl<'a> Taken<'a> {
    fn new(game: &Game, capture: &Capture, movement: &'a Movement) -> Taken<'a> {
        let hops_over_prey = match &movement.step {
            StepKind::Hop { what, .. } => have_common(game, what, &capture.what),
            StepKind::Leap | StepKind::Ride { .. } => false,
        };
        Taken {
            methods: Methods {
                clobber: capture.clobber,
                hop: capture.hop && hops_over_prey,
                retrieve: capture.retrieve,
            },
            what: Description { owner: capture.what.owner, kinds: some_kinds(game, &capture.what) },
            effect: capture.effect,
            movement,
        }
    }

    fn taking(&self) -> CaptureRule {
        CaptureRule { kinds: self.what.kinds.clone(), effect: self.effect }
    }

    fn captures(&self) -> CaptureGroup {
        let Taken { methods, what, effect, .. } = self;
        CaptureGroup {
            methods: *methods,
            what: what.clone(),
            effect: *effect,
            ways: MoveWays::default(),
        }
    }

    /// What may stand where it ends.
    fn landing(&self) -> Landing {
        Landing {
            // Something else must be taken, then.
            empty: self.methods.hop || self.methods.retrieve,
            enemy: self.methods.clobber && self.what.owner != Some(Who::Player),
            own: self.methods.clobber && self.what.owner != Some(Who::Opponent),
        }
    }
}

/// The kinds of a description, unless it has all.
fn some_kinds(game: &Game, what: &Description) -> Option<BTreeSet<Kind>> {
    what.kinds.clone().filter(|kinds| kinds.len() < game.kinds.len())
}

fn have_common(game: &Game, one: &Description, other: &Description) -> bool {
    let others: BTreeSet<(Side, Kind)> = game.described(other, Side::White).collect();
    game.described(one, Side::White).any(|piece| others.contains(&piece))
}

/// Makes words of movements, as long as they are not too many.
struct Unfolding<'a> {
    game: &'a Game,
    size: BoardSize,
    /// Whether the board is so large that a limit of a ride could be overlooked.
    is_cut: bool,
    letters: usize,
}

/// The board on which the words of a piece are described.
pub(crate) fn board_of(game: &Game, piece: &PieceType) -> BoardSize {
    let captures = piece.capturing.iter().flat_map(|capture| &capture.movements);
    let vectors = piece.moving.iter().chain(captures).map(|by| by.vector.0.max(by.vector.1));
    let longest = vectors.max().unwrap_or(1);
    let board = &game.board;
    // Around a cylinder a ride may go on; that it is back where it began needs no words.
    let width = if board.is_cylinder { board.width.max(board.height) + 1 } else { board.width };
    let most = MAX_SIDE.max(longest.saturating_mul(3));
    BoardSize { width: width.min(most), height: board.height.min(most) }
}

impl<'a> Unfolding<'a> {
    fn new(game: &'a Game, piece: &PieceType) -> Unfolding<'a> {
        let size = board_of(game, piece);
        let is_cut = size.width < game.board.width || size.height < game.board.height;
        Unfolding { game, size, is_cut, letters: 0 }
    }

    /// Adds a movement that ends on what is allowed; `takes_path` if hopping takes pieces, which no word says.
    fn add(
        &mut self,
        ways: &mut MoveWays,
        movement: &Movement,
        landing: Landing,
        takes_path: bool,
    ) -> Result<(), TooManyMoves> {
        let directions = movement.directions(&self.game.board, Side::White);
        let directions: BTreeSet<(i32, i32)> = directions.into_iter().collect();
        let is_cylinder = self.game.board.is_cylinder;
        match &movement.step {
            StepKind::Leap => self.ride(ways, &directions, (1, 1), landing),
            // A capturing ride ends at the first piece anyway; only the empty squares before it are a choice.
            StepKind::Ride { min, max, longest } if !longest || is_cylinder || !landing.empty => {
                self.ride(ways, &directions, (min.unwrap_or(1), max.unwrap_or(u32::MAX)), landing)
            }
            StepKind::Hop { before, over, after, what }
                if !takes_path
                    && !is_cylinder
                    && is_plain_hop(self.game, [before, over, after], what) =>
            {
                let right = simple(*after) == Amount::Exactly(0);
                self.hop(ways, &directions, what.owner, right, landing)
            }
            step => {
                self.add_special(ways, step, directions, landing);
                Ok(())
            }
        }
    }

    fn add_special(
        &self,
        ways: &mut MoveWays,
        step: &StepKind,
        mut directions: BTreeSet<(i32, i32)>,
        landing: Landing,
    ) {
        if matches!(step, StepKind::Ride { min: Some(min), max: Some(max), .. } if min > max) {
            return;
        }
        let least = least_leaps(step);
        directions.retain(|&direction| self.fits(direction, least));
        if directions.is_empty() {
            return;
        }
        let step = match step {
            StepKind::Hop { before, over, after, what } => {
                let what = Description { owner: what.owner, kinds: some_kinds(self.game, what) };
                let [before, over, after] = [before, over, after].map(|amount| simple(*amount));
                StepKind::Hop { before, over, after, what }
            }
            step => step.clone(),
        };
        let same = ways.specials.iter_mut().find(|known| known.step == step);
        match same {
            Some(known) if known.directions == directions => {
                known.landing = known.landing.union(landing);
            }
            Some(known) if known.landing == landing => known.directions.extend(directions),
            _ => ways.specials.push(Special { step, directions, landing }),
        }
    }

    fn fits(&self, (x, y): (i32, i32), leaps: u64) -> bool {
        let fits = |step: i32, side: u32| {
            u64::from(step.unsigned_abs()).saturating_mul(leaps) < u64::from(side)
        };
        fits(x, self.size.width) && fits(y, self.size.height)
    }

    fn ride(
        &mut self,
        ways: &mut MoveWays,
        directions: &BTreeSet<(i32, i32)>,
        (min, max): (u32, u32),
        landing: Landing,
    ) -> Result<(), TooManyMoves> {
        let is_far = |limit: u32| limit != u32::MAX && limit >= MAX_SIDE / 2;
        if self.is_cut && (is_far(min) || is_far(max)) {
            return Err(TooManyMoves);
        }
        for &(x, y) in directions {
            let mut word = Vec::new();
            let mut leaps = 1;
            while leaps <= max && self.fits((x, y), u64::from(leaps)) {
                if leaps >= min {
                    self.end(ways, &word, (x, y), landing)?;
                }
                word.push(Letter { x, y, on: On::Empty });
                leaps += 1;
            }
        }
        Ok(())
    }

    /// Hops over one piece, with empty squares before it, and behind it unless it is hopped over right before the end.
    fn hop(
        &mut self,
        ways: &mut MoveWays,
        directions: &BTreeSet<(i32, i32)>,
        owner: Option<Who>,
        right: bool,
        landing: Landing,
    ) -> Result<(), TooManyMoves> {
        let hurdles: &[On] = match owner {
            None => &[On::Opponent, On::Own],
            Some(Who::Player) => &[On::Own],
            Some(Who::Opponent) => &[On::Opponent],
        };
        for &(x, y) in directions {
            let empty = Letter { x, y, on: On::Empty };
            let mut before = 0;
            while self.fits((x, y), before + 2) {
                for &on in hurdles {
                    let mut word = vec![empty; before as usize];
                    word.push(Letter { x, y, on });
                    while self.fits((x, y), word.len() as u64 + 1) {
                        self.end(ways, &word, (x, y), landing)?;
                        if right {
                            break;
                        }
                        word.push(empty);
                    }
                }
                before += 1;
            }
        }
        Ok(())
    }

    /// Adds a word for each way to end behind a beginning.
    fn end(
        &mut self,
        ways: &mut MoveWays,
        word: &[Letter],
        (x, y): (i32, i32),
        landing: Landing,
    ) -> Result<(), TooManyMoves> {
        for on in [On::Empty, On::Opponent, On::Own] {
            if landing.contains(on) {
                self.letters += word.len() + 1;
                if self.letters > MAX_LETTERS {
                    return Err(TooManyMoves);
                }
                let mut word = word.to_vec();
                word.push(Letter { x, y, on });
                ways.words.insert(word);
            }
        }
        Ok(())
    }
}

/// Whether a hop is one that phrases know.
fn is_plain_hop(game: &Game, [before, over, after]: [&Amount; 3], what: &Description) -> bool {
    let any = Amount::AtLeast(0);
    *before == any
        && *over == Amount::Exactly(1)
        && (*after == any || simple(*after) == Amount::Exactly(0))
        && some_kinds(game, what).is_none()
}

/// Of two amounts that mean the same, the one that is said.
fn simple(amount: Amount) -> Amount {
    if amount == Amount::AtMost(0) { Amount::Exactly(0) } else { amount }
}

/// The least number of leaps of a movement.
fn least_leaps(step: &StepKind) -> u64 {
    let least = |amount: &Amount| match amount {
        Amount::Exactly(n) | Amount::AtLeast(n) => u64::from(*n),
        Amount::AtMost(_) => 0,
    };
    match step {
        StepKind::Leap => 1,
        StepKind::Ride { min, .. } => u64::from(min.unwrap_or(1)),
        StepKind::Hop { before, over, after, .. } => least(before) + least(over) + least(after) + 1,
    }
}
