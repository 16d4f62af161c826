//! What is odd about a game, found without playing it.
//!
//! A round of an approximation finds where each kind can come from where it may stand already; rounds follow until
//! nothing is new. It errs on one side: pieces are taken to stand wherever they ever could, so what is found impossible
//! is impossible, and what is not may still be. White's view is enough, since black's is its inversion.

use std::fmt;
use std::ops::RangeInclusive;

use crate::print;
use crate::rules::{
    Board, BoardType, Capture, Description, Effect, Goal, Movement, MovementKind, Piece, PieceId,
    Pieces, Promotion, Rules, Setup, Square, Who,
};

/// Something odd about a game. Its `Display` is a sentence without a full stop.
///
/// # Examples
///
/// ```
/// use regulus_generate::{Config, Remark, generate};
///
/// let remarks = generate(3, &Config::default()).remarks;
/// for remark in &remarks {
///     if let Remark::NeverAppears { piece } = remark {
///         assert_eq!(remark.to_string(), format!("no {piece} can ever appear"));
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// A kind is not in the setup, and no promotion that can happen makes one.
    NeverAppears {
        /// Its name.
        piece: String,
    },
    /// A kind can neither move nor capture, wherever it can come.
    NeverMoves {
        /// Its name.
        piece: String,
    },
    /// A kind can move but never capture.
    NeverCaptures {
        /// Its name.
        piece: String,
    },
    /// A capture of a kind never captures, though another one does.
    UselessCapture {
        /// The name of the kind.
        piece: String,
        /// The place of the capture among those of the kind, from 1.
        capture: usize,
    },
    /// No piece that an arrival goal means can reach its square.
    NeverArrives {
        /// The goal as it is written.
        goal: String,
    },
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::NeverAppears { piece } => write!(f, "no {piece} can ever appear"),
            Remark::NeverMoves { piece } => write!(f, "a {piece} can never move or capture"),
            Remark::NeverCaptures { piece } => write!(f, "a {piece} can never capture"),
            Remark::UselessCapture { piece, capture } => {
                write!(f, "capture {capture} of {piece} never captures")
            }
            Remark::NeverArrives { goal } => write!(f, "nothing can achieve {goal}"),
        }
    }
}

/// All remarks about a game.
pub(crate) fn remarks(rules: &Rules) -> Vec<Remark> {
    let ways: Vec<Vec<MovementUse<'_>>> = rules.pieces.iter().map(ways).collect();
    let mut reach = Reach::new(rules);
    while reach.round(&ways) {}
    let mut remarks: Vec<Remark> = rules.ids().flat_map(|id| reach.about(id)).collect();
    let lost = rules.goals.iter().filter(|goal| !reach.can_arrive(goal));
    remarks.extend(lost.map(|goal| Remark::NeverArrives { goal: print::goal(rules, goal) }));
    remarks
}

/// A movement of a kind, alone or in a capture.
struct MovementUse<'a> {
    /// The capture and its place among those of the kind.
    capture: Option<(usize, &'a Capture)>,
    movement: &'a Movement,
    directions: Vec<(i32, i32)>,
}

fn ways(piece: &Piece) -> Vec<MovementUse<'_>> {
    let plain = piece.moving.iter().map(|movement| (None, movement));
    let captures = piece.capturing.iter().enumerate().flat_map(|(place, capture)| {
        capture.movements.iter().map(move |movement| (Some((place, capture)), movement))
    });
    plain
        .chain(captures)
        .map(|(capture, movement)| MovementUse {
            capture,
            movement,
            directions: movement.directions(),
        })
        .collect()
}

/// A set of kinds, one bit each; there are never more than 26.
type Kinds = u32;

struct Reach<'a> {
    rules: &'a Rules,
    /// The kinds of white's pieces that may stand on each square, rank by rank.
    kinds: Vec<Kinds>,
    /// The kinds that can appear on the board.
    appearing: Kinds,
    /// The kinds that may come into a hand, if they appear.
    possessed: Kinds,
    /// The kinds that can make a move that captures nothing.
    moving: Kinds,
    /// Which captures of which kinds are possible.
    capturing: Vec<Vec<bool>>,
    changed: bool,
}

impl<'a> Reach<'a> {
    /// Where pieces may stand at the start.
    fn new(rules: &'a Rules) -> Self {
        let Board { width, height, .. } = rules.board;
        let mut reach = Reach {
            rules,
            kinds: vec![0; (width * height) as usize],
            appearing: 0,
            possessed: 0,
            moving: 0,
            capturing: rules.pieces.iter().map(|p| vec![false; p.capturing.len()]).collect(),
            changed: false,
        };
        match &rules.setup {
            Setup::Fixed(places) => places.iter().for_each(|&(id, at)| reach.add(1 << id.0, at)),
            Setup::Assigned { pieces, squares, .. } => {
                let kinds = pieces.iter().fold(0, |kinds, id| kinds | 1 << id.0);
                squares.iter().for_each(|&at| reach.add(kinds, at));
            }
        }
        reach
    }

    /// Adds what pieces can do from where they may stand; returns whether anything was new.
    fn round(&mut self, ways: &[Vec<MovementUse<'_>>]) -> bool {
        self.changed = false;
        let rules = self.rules;
        for from in rules.board.squares() {
            for (id, ways) in rules.ids().zip(ways) {
                if self.own(from) & (1 << id.0) != 0 {
                    ways.iter().for_each(|way| self.step(id, from, way));
                }
            }
        }
        // Pieces in a hand may be placed on every square.
        let placed = self.possessed & self.appearing;
        rules.board.squares().for_each(|square| self.add(placed, square));
        self.changed
    }

    /// All moves of a piece in one way.
    fn step(&mut self, id: PieceId, from: Square, way: &MovementUse<'_>) {
        for &direction in &way.directions {
            let lengths = self.lengths(way.movement);
            let targets =
                lengths.map_while(|leaps| leap(&self.rules.board, from, direction, leaps));
            let Some((place, capture)) = way.capture else {
                for to in targets {
                    self.moving |= 1 << id.0;
                    self.land(id, to);
                }
                continue;
            };
            let aside = self.captures_aside(capture, way.movement, from, direction);
            for to in targets {
                if aside || (capture.clobber && self.may_stand(&capture.captured, to)) {
                    self.capturing[id.0 as usize][place] = true;
                    if capture.effect != Effect::Remove {
                        self.possessed |= meant(&capture.captured);
                    }
                    self.land(id, to);
                }
            }
        }
    }

    /// Whether a capture along this direction may take something that is not where it lands.
    fn captures_aside(
        &self,
        capture: &Capture,
        movement: &Movement,
        from: Square,
        (dx, dy): (i32, i32),
    ) -> bool {
        let behind = leap(&self.rules.board, from, (-dx, -dy), 1);
        let retrieves = behind.is_some_and(|square| self.may_stand(&capture.captured, square));
        let hops = match &movement.kind {
            MovementKind::Hop { over, hop_over, .. } if *over.range().end() > 0 => {
                let both = meant(hop_over) & meant(&capture.captured);
                both & self.appearing != 0 && owners_meet(hop_over, &capture.captured)
            }
            _ => false,
        };
        (capture.retrieve && retrieves) || (capture.hop && hops)
    }

    /// The numbers of leaps that a movement may make, as far as the board does not limit them.
    fn lengths(&self, movement: &Movement) -> RangeInclusive<u32> {
        let lengths = match &movement.kind {
            MovementKind::Leap => 1..=1,
            MovementKind::Ride { max, .. } => 1..=max.unwrap_or(u32::MAX),
            MovementKind::Hop { before, over, after, hop_over } => {
                if *over.range().start() > 0 && meant(hop_over) & self.appearing == 0 {
                    return RangeInclusive::new(1, 0);
                }
                let counts = [before, over, after].map(|count| count.range());
                let sum = |number: fn(&RangeInclusive<u32>) -> u32| {
                    counts.iter().map(number).fold(1, u32::saturating_add)
                };
                sum(|count| *count.start())..=sum(|count| *count.end())
            }
        };
        // A ring has no end, but no more squares than the board has files.
        let Board { width, height, .. } = self.rules.board;
        let most = lengths.start().saturating_add(width.max(height));
        *lengths.start()..=most.min(*lengths.end())
    }

    /// A piece comes to a square, and promotes there if it is far enough.
    fn land(&mut self, id: PieceId, to: Square) {
        self.add(1 << id.0, to);
        if to.y < self.rules.board.promote_rank {
            return;
        }
        match &self.rules[id].promotion {
            Promotion::To(other) => self.add(1 << other.0, to),
            Promotion::Decision { options, .. } => {
                let kinds = meant(options) & self.every_kind();
                if options.owner != Some(Who::Opponent) {
                    self.add(kinds, to);
                }
                if options.owner != Some(Who::Player) {
                    // Black's pieces on a square are white's on the inverted one.
                    self.add(kinds, self.rules.board.invert(to));
                }
            }
        }
    }

    fn add(&mut self, kinds: Kinds, square: Square) {
        let index = self.index(square);
        self.changed |= self.kinds[index] | kinds != self.kinds[index];
        self.kinds[index] |= kinds;
        self.appearing |= kinds;
    }

    fn about(&self, id: PieceId) -> Vec<Remark> {
        let piece = self.rules[id].name.clone();
        let captures = &self.capturing[id.0 as usize];
        let captures_at_all = captures.contains(&true);
        if self.appearing & (1 << id.0) == 0 {
            vec![Remark::NeverAppears { piece }]
        } else if self.moving & (1 << id.0) == 0 && !captures_at_all {
            vec![Remark::NeverMoves { piece }]
        } else if !captures_at_all {
            vec![Remark::NeverCaptures { piece }]
        } else {
            let useless = (1..).zip(captures).filter(|(_, possible)| !**possible);
            useless
                .map(|(capture, _)| Remark::UselessCapture { piece: piece.clone(), capture })
                .collect()
        }
    }

    fn can_arrive(&self, goal: &Goal) -> bool {
        match goal {
            Goal::Arrive { piece, squares } => {
                squares.iter().any(|&square| self.may_stand(piece, square))
            }
            _ => true,
        }
    }

    /// Whether a described piece may ever stand on a square.
    fn may_stand(&self, description: &Description, square: Square) -> bool {
        let own = self.own(square);
        let others = self.own(self.rules.board.invert(square));
        let there = match description.owner {
            None => own | others,
            Some(Who::Player) => own,
            Some(Who::Opponent) => others,
        };
        there & meant(description) != 0
    }

    fn own(&self, square: Square) -> Kinds {
        self.kinds[self.index(square)]
    }

    fn index(&self, square: Square) -> usize {
        ((square.y - 1) * self.rules.board.width + square.x - 1) as usize
    }

    fn every_kind(&self) -> Kinds {
        (1 << self.rules.pieces.len()) - 1
    }
}

/// The kinds of a description.
fn meant(description: &Description) -> Kinds {
    match &description.pieces {
        Pieces::Any => Kinds::MAX,
        Pieces::Some(list) => list.iter().fold(0, |kinds, id| kinds | 1 << id.0),
    }
}

fn owners_meet(one: &Description, other: &Description) -> bool {
    one.owner.is_none() || other.owner.is_none() || one.owner == other.owner
}

/// The square after some leaps; `None` if it is not on the board.
fn leap(board: &Board, from: Square, (dx, dy): (i32, i32), leaps: u32) -> Option<Square> {
    let along = |start: u32, step: i32| i64::from(start) + i64::from(step) * i64::from(leaps);
    let (mut x, y) = (along(from.x, dx), along(from.y, dy));
    if board.board_type == BoardType::VerticalCylinder {
        x = (x - 1).rem_euclid(i64::from(board.width)) + 1;
    }
    let square = Square { x: u32::try_from(x).ok()?, y: u32::try_from(y).ok()? };
    board.contains(square).then_some(square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Count, Inversion, Symmetries};

    const ONE: PieceId = PieceId(0);
    const TWO: PieceId = PieceId(1);

    fn leaper(direction: (u32, u32)) -> Movement {
        let symmetries = Symmetries { forward: false, side: false, rotation: false };
        Movement { kind: MovementKind::Leap, direction, symmetries }
    }

    fn described(owner: Who, id: PieceId) -> Description {
        Description { owner: Some(owner), pieces: Pieces::Some(vec![id]) }
    }

    fn capture(movement: Movement, captured: Description) -> Capture {
        let movements = vec![movement];
        let effect = Effect::Remove;
        Capture { movements, retrieve: false, clobber: true, hop: false, captured, effect }
    }

    /// A man on (1,1) of a board of 3 by 5 that steps ahead and takes men ahead, and a king that does the same and
    /// that men become on the last rank.
    fn men() -> Rules {
        let piece = |name: &str| Piece {
            name: name.to_owned(),
            moving: vec![leaper((0, 1))],
            capturing: vec![capture(leaper((0, 1)), described(Who::Opponent, ONE))],
            promotion: Promotion::To(TWO),
            must_capture: false,
            continue_captures: false,
        };
        Rules {
            name: "men".to_owned(),
            goals: vec![Goal::Stalemate(Who::Opponent)],
            board: Board {
                width: 3,
                height: 5,
                board_type: BoardType::Planar,
                inversion: Inversion::Forward,
                promote_rank: 5,
            },
            setup: Setup::Fixed(vec![(ONE, Square { x: 1, y: 1 })]),
            must_capture: false,
            pieces: vec![piece("man"), piece("king")],
            placed: 1,
        }
    }

    #[track_caller]
    fn check(rules: &Rules, expected: &[&str]) {
        let found: Vec<String> = remarks(rules).iter().map(Remark::to_string).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn kings_on_the_last_rank_are_stuck() {
        check(&men(), &["a king can never move or capture"]);
    }

    #[test]
    fn kings_need_a_rank_that_men_reach() {
        let mut rules = men();
        rules.board.promote_rank = 6;
        check(&rules, &["no king can ever appear"]);
        let mut rules = men();
        rules.pieces[0].moving = vec![leaper((0, 3))];
        rules.pieces[0].capturing = vec![capture(leaper((0, 3)), described(Who::Opponent, ONE))];
        check(&rules, &["a man can never capture", "no king can ever appear"]);
    }

    #[test]
    fn men_on_other_files_never_meet() {
        let mut rules = men();
        rules.board.inversion = Inversion::Diagonal;
        check(&rules, &["a man can never capture", "a king can never move or capture"]);
        rules.board.board_type = BoardType::VerticalCylinder;
        rules.pieces[0].moving.push(leaper((1, 0)));
        check(&rules, &["a king can never move or capture"]);
    }

    #[test]
    fn promotion_may_give_pieces_to_the_other_side() {
        let mut rules = men();
        let options = described(Who::Opponent, TWO);
        rules.pieces[0].promotion = Promotion::Decision { chooser: Who::Player, options };
        // White's kings now begin on the first rank, where black's men arrive.
        check(&rules, &[]);
    }

    #[test]
    fn pieces_in_hand_come_anywhere() {
        let mut rules = men();
        let wanted = described(Who::Opponent, TWO);
        rules.pieces[0].capturing[0].captured = wanted;
        rules.pieces[0].capturing[0].effect = Effect::Possess(Who::Player);
        // Kings stand on the last rank of their side, where the other's men begin and do not come.
        check(&rules, &["a man can never capture", "a king can never move or capture"]);
        rules.pieces[0].capturing[0].captured = described(Who::Player, TWO);
        rules.pieces[1].capturing[0].captured = described(Who::Opponent, TWO);
        check(&rules, &[]);
    }

    #[test]
    fn methods_need_what_they_capture() {
        let mut rules = men();
        let capture = &mut rules.pieces[0].capturing[0];
        (capture.clobber, capture.hop) = (false, true);
        let never = ["a man can never capture", "a king can never move or capture"];
        check(&rules, &never);
        let hop = |owner| MovementKind::Hop {
            before: Count::at_least(0),
            over: Count::at_least(1),
            after: Count::at_least(0),
            hop_over: described(owner, ONE),
        };
        rules.pieces[0].capturing[0].movements[0].kind = hop(Who::Player);
        check(&rules, &never);
        rules.pieces[0].capturing[0].movements[0].kind = hop(Who::Opponent);
        check(&rules, &never[1..]);
        let second = capture_nothing(&rules);
        rules.pieces[0].capturing.push(second);
        check(&rules, &["capture 2 of man never captures", never[1]]);
    }

    fn capture_nothing(rules: &Rules) -> Capture {
        Capture { hop: false, ..rules.pieces[0].capturing[0].clone() }
    }

    #[test]
    fn goals_need_squares_that_pieces_reach() {
        let mut rules = men();
        let goal = |x, y| Goal::Arrive {
            piece: described(Who::Player, ONE),
            squares: vec![Square { x, y }],
        };
        rules.goals.extend([goal(1, 4), goal(2, 4)]);
        let stuck = "a king can never move or capture";
        check(&rules, &[stuck, "nothing can achieve ARRIVE [{player} {man}] AT {(2,4)}"]);
    }
}
