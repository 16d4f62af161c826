//! What a game in Simplified Boardgames means, written down a second time: slowly, from the language's definition alone.
//!
//! It reads the text by itself and follows the regular expressions as they are written; it knows no automata, and shares
//! nothing with the front-end or the engines. A board is a map from places to letters, every position is a value of its
//! own, and nothing is cut but repetitions of a star that find nothing new.
//!
//! Where the definition leaves something open, this is how it is read:
//!
//! 1. A move is its origin and its destination, whichever word leads there. The empty word is a move that stays.
//! 2. What ends a game is looked at after every move, in this order: a goal of the piece that moved; a number of the
//!    opponent's pieces, who loses; a number of the mover's own, who loses; the limit of moves. If none of them does, and
//!    the next player has no move, that player loses.
//! 3. Before the first move only a limit of 0 and having no move end it.

mod text;

use std::collections::{BTreeMap, BTreeSet};

/// A square by column and row, counted from the lower left.
pub(crate) type Place = (i64, i64);

/// Who owns a piece: capitals are white's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SbgSide {
    White,
    Black,
}

/// What a word says of a square it visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SquareContent {
    Empty,
    Opponent,
    Own,
}

/// A regular expression over steps.
#[derive(Clone, Debug, PartialEq, Eq)]
enum StepExpression {
    Letter(i64, i64, SquareContent),
    Sum(Vec<StepExpression>),
    Chain(Vec<StepExpression>),
    Power(Box<StepExpression>, u64),
    Star(Box<StepExpression>),
}

/// A game as its text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SbgDefinition {
    width: i64,
    height: i64,
    /// The pieces at the beginning; empty squares are not listed.
    pieces: BTreeMap<Place, char>,
    /// By capital letter.
    rules: BTreeMap<char, StepExpression>,
    limit: u64,
    /// `#`: a side that has exactly this number of a piece loses.
    losing: Vec<(char, u64)>,
    /// `@`: who moves such a piece to such a place wins.
    winning: Vec<(char, Vec<Place>)>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SbgOutcome {
    Won(SbgSide),
    Drawn,
}

/// A position: what is on the board, who is to move, and how many moves have been made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SbgPosition {
    pub(crate) pieces: BTreeMap<Place, char>,
    pub(crate) side: SbgSide,
    made: u64,
    /// Present when the game is over.
    pub(crate) outcome: Option<SbgOutcome>,
}

/// Why there is no definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoDefinition {
    /// The text is not in the language.
    NoGame,
    /// There could be too much to look at.
    TooMuch,
}

/// How many letters may have to be followed for one piece, at worst.
const WORK: u64 = 1_000_000;
/// How deep brackets may be nested.
const NESTING: usize = 100;

impl SbgSide {
    pub(crate) fn of(piece: char) -> SbgSide {
        if piece.is_ascii_uppercase() { SbgSide::White } else { SbgSide::Black }
    }

    pub(crate) fn other(self) -> SbgSide {
        match self {
            SbgSide::White => SbgSide::Black,
            SbgSide::Black => SbgSide::White,
        }
    }
}

impl SbgDefinition {
    /// The game that a text defines.
    pub(crate) fn read(text: &str) -> Result<SbgDefinition, NoDefinition> {
        if text::nesting(text) > NESTING {
            return Err(NoDefinition::TooMuch);
        }
        let definition = text::read(text).ok_or(NoDefinition::NoGame)?;
        let squares = definition.width.unsigned_abs() * definition.height.unsigned_abs();
        let most = definition.rules.values().map(|rule| rule.work(squares)).max();
        if most.is_some_and(|work| work > WORK) {
            Err(NoDefinition::TooMuch)
        } else {
            Ok(definition)
        }
    }

    /// The position in which white begins.
    pub(crate) fn initial(&self) -> SbgPosition {
        let pieces = self.pieces.clone();
        let begin = SbgPosition { pieces, side: SbgSide::White, made: 0, outcome: None };
        let outcome = match self.limit {
            0 => Some(SbgOutcome::Drawn),
            _ => self.stuck(&begin),
        };
        SbgPosition { outcome, ..begin }
    }

    /// All moves of the side to move, each as its origin and its destination; an empty set if the game is over.
    pub(crate) fn moves(&self, position: &SbgPosition) -> BTreeSet<(Place, Place)> {
        if position.outcome.is_some() { BTreeSet::new() } else { self.all_moves(position) }
    }

    fn all_moves(&self, position: &SbgPosition) -> BTreeSet<(Place, Place)> {
        let mut moves = BTreeSet::new();
        for (&origin, &piece) in &position.pieces {
            if SbgSide::of(piece) != position.side {
                continue;
            }
            if let Some(rule) = self.rules.get(&piece.to_ascii_uppercase()) {
                let ends = self.ends(rule, &BTreeSet::from([origin]), position);
                moves.extend(ends.into_iter().map(|destination| (origin, destination)));
            }
        }
        moves
    }

    /// Where the words of an expression end that begin at one of these places. The board is as it was before the move, so
    /// nothing but the place matters, and the words of a star have ended everywhere they can when another round of them
    /// ends nowhere new.
    fn ends(
        &self,
        words: &StepExpression,
        from: &BTreeSet<Place>,
        position: &SbgPosition,
    ) -> BTreeSet<Place> {
        match words {
            StepExpression::Letter(columns, rows, on) => {
                let rows = if position.side == SbgSide::White { *rows } else { -*rows };
                let places = from.iter().map(|&(x, y)| (x + columns, y + rows));
                places
                    .filter(|&place| self.is_on_board(place) && content(position, place) == *on)
                    .collect()
            }
            StepExpression::Sum(parts) => {
                parts.iter().flat_map(|part| self.ends(part, from, position)).collect()
            }
            StepExpression::Chain(parts) => {
                parts.iter().fold(from.clone(), |from, part| self.ends(part, &from, position))
            }
            StepExpression::Power(body, count) => {
                (0..*count).fold(from.clone(), |from, _| self.ends(body, &from, position))
            }
            StepExpression::Star(body) => {
                let mut all = from.clone();
                loop {
                    let known = all.len();
                    all.extend(self.ends(body, &all, position));
                    if all.len() == known {
                        return all;
                    }
                }
            }
        }
    }

    fn is_on_board(&self, (x, y): Place) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y)
    }

    /// The position after a move, which must be one of the legal ones.
    pub(crate) fn after(
        &self,
        position: &SbgPosition,
        origin: Place,
        destination: Place,
    ) -> SbgPosition {
        let mut pieces = position.pieces.clone();
        let moved = pieces.remove(&origin);
        pieces.extend(moved.map(|piece| (destination, piece)));
        let (mover, made) = (position.side, position.made + 1);
        let next = SbgPosition { pieces, side: mover.other(), made, outcome: None };
        let outcome = self.ended(&next, mover, destination).or_else(|| self.stuck(&next));
        SbgPosition { outcome, ..next }
    }

    /// How a move has ended the game, if it has.
    fn ended(
        &self,
        position: &SbgPosition,
        mover: SbgSide,
        destination: Place,
    ) -> Option<SbgOutcome> {
        let moved = position.pieces.get(&destination);
        let arrives = |(piece, places): &(char, Vec<Place>)| {
            Some(piece) == moved && places.contains(&destination)
        };
        let opponent = mover.other();
        if self.winning.iter().any(arrives) || self.has_losing_number(position, opponent) {
            Some(SbgOutcome::Won(mover))
        } else if self.has_losing_number(position, mover) {
            Some(SbgOutcome::Won(opponent))
        } else if position.made >= self.limit {
            Some(SbgOutcome::Drawn)
        } else {
            None
        }
    }

    fn has_losing_number(&self, position: &SbgPosition, side: SbgSide) -> bool {
        let count = |piece: char| position.pieces.values().filter(|&&held| held == piece).count();
        let mut goals = self.losing.iter().filter(|(piece, _)| SbgSide::of(*piece) == side);
        goals.any(|&(piece, number)| count(piece) as u64 == number)
    }

    /// The end of a game whose next player has no move.
    fn stuck(&self, position: &SbgPosition) -> Option<SbgOutcome> {
        let stuck = self.all_moves(position).is_empty();
        stuck.then_some(SbgOutcome::Won(position.side.other()))
    }

    /// How many lines of exactly `depth` moves there are.
    pub(crate) fn perft(&self, position: &SbgPosition, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves(position).into_iter();
        moves.map(|(from, to)| self.perft(&self.after(position, from, to), depth - 1)).sum()
    }
}

/// What a square holds, as the player to move sees it.
fn content(position: &SbgPosition, place: Place) -> SquareContent {
    match position.pieces.get(&place) {
        None => SquareContent::Empty,
        Some(&piece) if SbgSide::of(piece) == position.side => SquareContent::Own,
        Some(_) => SquareContent::Opponent,
    }
}

impl StepExpression {
    /// How many letters may have to be followed, at worst: every round of a star adds a square or is the last.
    fn work(&self, squares: u64) -> u64 {
        let sum = |parts: &[StepExpression]| {
            parts.iter().fold(1, |sum: u64, part| sum.saturating_add(part.work(squares)))
        };
        match self {
            StepExpression::Letter(..) => 1,
            StepExpression::Sum(parts) | StepExpression::Chain(parts) => sum(parts),
            StepExpression::Power(body, count) => {
                count.saturating_add(1).saturating_mul(body.work(squares))
            }
            StepExpression::Star(body) => squares.saturating_mul(body.work(squares)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game on a board of these rows.
    fn game(rows: &[&str], pieces: &str, goals: &str) -> SbgDefinition {
        let rows_text: String = rows.iter().map(|row| format!("|{row}|\n")).collect();
        let (width, height) = (rows[0].len(), rows.len());
        let text = format!(
            "<<a game>> <BOARD> {width} {height} {rows_text} <PIECES> {pieces} <GOALS> {goals}"
        );
        SbgDefinition::read(&text).expect("a game")
    }

    /// The destinations of the first player's only piece that has a rule, on a board of one row.
    fn destinations(row: &str, rule: &str) -> Vec<i64> {
        let game = game(&[row], &format!("A {rule} &"), "9&");
        game.moves(&game.initial()).into_iter().map(|(_, (x, _))| x).collect()
    }

    /// Plays moves; returns how the game stands.
    fn outcome(game: &SbgDefinition, moves: &[(Place, Place)]) -> Option<SbgOutcome> {
        let mut position = game.initial();
        for &(from, to) in moves {
            assert!(game.moves(&position).contains(&(from, to)), "{from:?} to {to:?}");
            position = game.after(&position, from, to);
        }
        position.outcome
    }

    #[test]
    fn expressions_mean_their_words() {
        assert_eq!(destinations("A...", "(1,0,e)^*"), [0, 1, 2, 3]);
        assert_eq!(destinations("A...", "(1,0,e)(1,0,e)^*"), [1, 2, 3]);
        assert_eq!(destinations("A...", "(1,0,e)^2 + (1,0,e)^3"), [2, 3]);
        assert_eq!(destinations("A...", "(1,0,e)^0"), [0]);
        assert_eq!(destinations("A....", "((1,0,e)(1,0,e))^*(1,0,e)"), [1, 3]);
        assert_eq!(destinations("A....", "(1,0,e) + (1,0,e)(2,0,e)"), [1, 3]);
        assert_eq!(destinations("A....", "((1,0,e) + (1,0,e)(2,0,e))^*"), [0, 1, 2, 3, 4]);
        assert_eq!(destinations("A....", "(((1,0,e)^*)^*(2,0,e))^1"), [2, 3, 4]);
    }

    #[test]
    fn squares_are_as_they_were_before_the_move() {
        assert_eq!(destinations("BAb.", "(-1,0,w) + (1,0,p) + (2,0,e)"), [0, 2, 3]);
        assert_eq!(destinations("BAb.", "(1,0,p)(-1,0,w)"), [1]);
        assert_eq!(destinations("BAb.", "(1,0,p)(-1,0,e) + (0,0,e) + (0,0,p)"), []);
        assert_eq!(destinations("BAb.", "(0,0,w)"), [1]);
        assert_eq!(destinations("BAb.", "(-2,0,e) + (2,0,e)^2 + (0,1,e)"), []);
        // Outside is nowhere, not even on the way.
        assert_eq!(destinations("BAb.", "(0,1,e)(0,-1,w) + (3,0,e)(-2,0,p)"), []);
    }

    #[test]
    fn black_sees_the_board_upside_down() {
        let game = game(&[".a", "..", "A."], "A (1,1,e) + (0,1,e) + (-1,1,e) &", "9&");
        assert_eq!(
            game.moves(&game.initial()),
            BTreeSet::from([((0, 0), (0, 1)), ((0, 0), (1, 1))])
        );
        let next = game.after(&game.initial(), (0, 0), (1, 1));
        assert_eq!(game.moves(&next), BTreeSet::from([((1, 2), (0, 1))]));
    }

    #[test]
    fn goals_come_in_their_order() {
        let rule = "A (1,0,p) + (1,0,w) + (-1,0,p) + (-1,0,w) &";
        let (white, black) =
            (Some(SbgOutcome::Won(SbgSide::White)), Some(SbgOutcome::Won(SbgSide::Black)));
        let takes = [((0, 0), (1, 0))];
        // Reaching a square wins, even with a number that loses.
        assert_eq!(outcome(&game(&["AAa"], rule, "9& #A 1 & @A 1 0 &"), &takes), white);
        // Only the piece that moved, and only its own squares.
        assert_eq!(outcome(&game(&["AAa"], rule, "9& @A 0 0, 2 0 & @a 1 0 &"), &takes), None);
        // The opponent's number comes before one's own, also when nothing of his was taken.
        assert_eq!(outcome(&game(&["AAa"], rule, "9& #A 1 & #a 1 &"), &takes), white);
        assert_eq!(outcome(&game(&["AAa"], rule, "9& #A 1 &"), &takes), black);
        assert_eq!(outcome(&game(&["AAa"], rule, "9& #B 0 &"), &takes), black);
        assert_eq!(outcome(&game(&["AAa"], rule, "9& #b 0 &"), &takes), white);
        assert_eq!(outcome(&game(&["AAa"], rule, "1& #A 1 &"), &takes), black);
        assert_eq!(outcome(&game(&["AAa"], rule, "1&"), &takes), Some(SbgOutcome::Drawn));
        assert_eq!(outcome(&game(&["AAa"], rule, "2& #A 2 &"), &takes), None);
        // The limit comes before having no move.
        assert_eq!(outcome(&game(&["Aa"], rule, "1&"), &takes), Some(SbgOutcome::Drawn));
        assert_eq!(outcome(&game(&["Aa"], rule, "2&"), &takes), white);
    }

    #[test]
    fn before_the_first_move_only_the_limit_and_having_no_move_end_the_game() {
        let rule = "A (1,0,e) &";
        assert_eq!(outcome(&game(&["A."], rule, "0&"), &[]), Some(SbgOutcome::Drawn));
        assert_eq!(outcome(&game(&["a."], rule, "0&"), &[]), Some(SbgOutcome::Drawn));
        assert_eq!(outcome(&game(&["a."], rule, "1&"), &[]), Some(SbgOutcome::Won(SbgSide::Black)));
        assert_eq!(outcome(&game(&["A."], rule, "1& #A 1 & #a 0 & @A 0 0 &"), &[]), None);
    }

    #[test]
    fn a_move_may_stay() {
        let game = game(&["Aa"], "A (0,0,w) &", "3& @a 1 0 &");
        let stay = |x| ((x, 0), (x, 0));
        assert_eq!(game.after(&game.initial(), (0, 0), (0, 0)).pieces, game.pieces);
        assert_eq!(outcome(&game, &[stay(0)]), None);
        assert_eq!(outcome(&game, &[stay(0), stay(1)]), Some(SbgOutcome::Won(SbgSide::Black)));
        assert_eq!([0, 1, 2, 3].map(|depth| game.perft(&game.initial(), depth)), [1, 1, 1, 0]);
    }

    #[test]
    fn too_much_is_refused() {
        let read = |rule: &str| {
            let text = format!("<<a>><BOARD>2 1|A.|<PIECES>A {rule}&<GOALS>1&");
            SbgDefinition::read(&text).err()
        };
        assert_eq!(read("(1,0,e)^1000"), None);
        assert_eq!(read("(1,0,e)^99999999"), Some(NoDefinition::TooMuch));
        assert_eq!(read("((((1,0,e)^999)^999)^0)^*"), Some(NoDefinition::TooMuch));
    }
}
