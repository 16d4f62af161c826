//! Moves as text, and what the steps of moves mean for it.
//!
//! ```text
//! move      = [promote ";"] ( placement | step {";" step}* [";" promote] ) "."
//! promote   = "promote" square piece
//! placement = piece "(" colour ")" "->" square
//! step      = piece square "->" square {"X" piece square ["/" "(" colour ")"]}*
//! ```
//!
//! There is one spelling of each move, which is written; several are read.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use regulus_automaton::{Modifier, Piece, Square};

use super::game::{BoardRules, Effect, Game, Kind, Place, Promotion, Side};
use super::lex::{Token, TokenKind, lex};
use crate::cursor::Cursor;
use crate::diagnostics::Sink;
use crate::source::{Source, Span};

/// What a step of a move does, as far as the notation says it.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Action, Piece, Square};
/// use regulus_lang::metagame::Side;
/// use regulus_lang::{Source, metagame};
///
/// # let text = "GAME walk GOALS STALEMATE opponent BOARD_SIZE 1 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
/// #     SETUP ant AT {(1,2)} DEFINE ant
/// #     MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING
/// #     CAPTURING CAPTURE BY {clobber} TYPE [{opponent} any_piece] EFFECT remove
/// #         MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END CAPTURE END CAPTURING END DEFINE END GAME.";
/// let (automaton, deeds) = metagame::compile(&Source::new("walk.game", text)).0.expect("no errors");
/// # let content = |square| automaton.board.squares[square].piece;
/// # let edges = || automaton.edges().map(|(_, edge)| edge).filter(|edge| edge.origin.is_some());
/// # let found = |action| edges().filter(move |edge| edge.action == action).filter_map(|edge| edge.modifier);
/// # let lift = found(Action::Put(Piece(0))).next().expect("an ant is lifted");
/// # let end = found(Action::Keeper).next().expect("a move ends");
/// let spell = |steps: &[_]| deeds.spell(Side::White, content, steps.iter().copied());
/// // `Lift` says which piece moves and from where. `End` says where to, so that the step is written.
/// assert_eq!(spell(&[(lift, Square(2))]), ".");
/// assert_eq!(spell(&[(lift, Square(2)), (end, Square(1))]), "white ant (1,2) -> (1,3).");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// The piece that moves is lifted.
    Lift(Side, Kind),
    /// The piece on the square is taken.
    Take(Effect),
    /// The piece on the square is taken, and the step ends this many files and ranks further.
    TakeAndLand(Effect, (i32, i32)),
    /// A step of a capture ends here.
    Land,
    /// A step of a capture ends here, where it takes a piece.
    LandTaking(Effect),
    /// The piece becomes this one.
    Promote(Side, Kind),
    /// The piece that waits for it becomes this one.
    Owed(Side, Kind),
    /// A side places a piece of an owner.
    Place(Side, Side, Kind),
    /// The move ends here.
    End(LandingKind),
    /// Nothing that is said.
    Silent,
}

/// How a piece comes to the square where it stays.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Action, Piece, Square};
/// use regulus_lang::metagame::Side;
/// use regulus_lang::{Source, metagame};
///
/// # let text = "GAME walk GOALS STALEMATE opponent BOARD_SIZE 1 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
/// #     SETUP ant AT {(1,2)} DEFINE ant
/// #     MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING
/// #     CAPTURING CAPTURE BY {clobber} TYPE [{opponent} any_piece] EFFECT remove
/// #         MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END CAPTURE END CAPTURING END DEFINE END GAME.";
/// let (automaton, deeds) = metagame::compile(&Source::new("walk.game", text)).0.expect("no errors");
/// # let content = |square| automaton.board.squares[square].piece;
/// # let edges = || automaton.edges().map(|(_, edge)| edge).filter(|edge| edge.origin.is_some());
/// # let found = |action| edges().filter(move |edge| edge.action == action).filter_map(|edge| edge.modifier);
/// # let lift = found(Action::Put(Piece(0))).next().expect("an ant is lifted");
/// let ends = found(Action::Keeper); // the steps with which moves of an ant end
/// let spelled: Vec<String> =
///     ends.map(|end| deeds.spell(Side::White, content, [(lift, Square(2)), (end, Square(1))])).collect();
/// // The same squares: one end is `Plain`, another is `Clobber`.
/// assert!(spelled.contains(&"white ant (1,2) -> (1,3).".to_owned()));
/// assert!(spelled.contains(&"white ant (1,2) -> (1,3) X black ant (1,3).".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LandingKind {
    /// Without capturing.
    Plain,
    /// It has captured elsewhere.
    Capture,
    /// It takes what stands there.
    Clobber(Effect),
}

/// How the moves of a game are written.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Action, Modifier, Piece, Square};
/// use regulus_lang::metagame::Side;
/// use regulus_lang::{Source, metagame};
///
/// # let text = "GAME walk GOALS STALEMATE opponent BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
/// #     SETUP ant AT {(1,1) (2,1)}
/// #     DEFINE ant MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE END GAME.";
/// let (automaton, deeds) = metagame::compile(&Source::new("walk.game", text)).0.expect("no errors");
/// # let find = |action: Action| -> Modifier {
/// #     let mut edges = automaton.edges().map(|(_, edge)| edge).filter(|edge| edge.origin.is_some());
/// #     edges.find(|edge| edge.action == action).and_then(|edge| edge.modifier).expect("an edge of the ant")
/// # };
/// // An ant is lifted from the first square of the lowest rank, and the move ends above it.
/// let steps = [(find(Action::Put(Piece(0))), Square(9)), (find(Action::Keeper), Square(6))];
/// let content = |square| automaton.board.squares[square].piece;
/// assert_eq!(deeds.spell(Side::White, content, steps), "white ant (1,1) -> (1,2).");
/// ```
#[derive(Clone, Debug)]
pub struct Deeds {
    board: BoardRules,
    kinds: Vec<String>,
    /// What kinds become by themselves.
    becomes: Vec<Option<Kind>>,
    pieces: BTreeMap<Piece, (Side, Kind)>,
    of: BTreeMap<Modifier, Deed>,
}

/// What the steps of a move add up to.
#[derive(Default)]
struct MoveSpelling {
    parts: Vec<String>,
    moving: Option<(Side, Kind)>,
    /// Where the moving piece is.
    at: Place,
    /// Whether a step has begun.
    is_open: bool,
    taken: BTreeMap<Place, ((Side, Kind), Effect)>,
    /// What was changed on the board.
    changed: BTreeMap<Square, Option<(Side, Kind)>>,
    promoted: Option<(Side, Kind)>,
}

impl Deeds {
    pub(super) fn new(game: &Game, pieces: BTreeMap<Piece, (Side, Kind)>) -> Deeds {
        let becomes = |kind: &super::game::PieceType| match kind.promoting {
            Promotion::To(next) => Some(next),
            Promotion::Choice { .. } => None,
        };
        Deeds {
            board: game.board.clone(),
            kinds: game.kinds.iter().map(|kind| kind.name.clone()).collect(),
            becomes: game.kinds.iter().map(becomes).collect(),
            pieces,
            of: BTreeMap::new(),
        }
    }

    pub(super) fn insert(&mut self, modifier: Modifier, deed: Deed) {
        self.of.insert(modifier, deed);
    }

    /// The move that a side makes by these steps, in a position given by what stands on each square.
    #[must_use]
    pub fn spell(
        &self,
        mover: Side,
        content: impl Fn(Square) -> Piece,
        steps: impl IntoIterator<Item = (Modifier, Square)>,
    ) -> String {
        let mut spelling = MoveSpelling::default();
        for (modifier, square) in steps {
            let deed = self.of.get(&modifier).copied().unwrap_or(Deed::Silent);
            let known = spelling.changed.get(&square).copied();
            let here = known.unwrap_or_else(|| self.pieces.get(&content(square)).copied());
            self.spell_step(&mut spelling, mover, deed, square, here);
        }
        format!("{}.", spelling.parts.join("; "))
    }

    fn spell_step(
        &self,
        spelling: &mut MoveSpelling,
        mover: Side,
        deed: Deed,
        square: Square,
        here: Option<(Side, Kind)>,
    ) {
        let place = self.place(square);
        match deed {
            Deed::Silent => {}
            Deed::Owed(side, kind) => {
                spelling.changed.insert(square, Some((side, kind)));
                spelling.parts.push(self.promotion(place, (side, kind)));
            }
            Deed::Place(by, owner, kind) => {
                let piece = self.piece((owner, kind));
                spelling.parts.push(format!("{piece} ({}) -> {}", by.name(), written(place)));
            }
            Deed::Lift(side, kind) => {
                spelling.moving = Some((side, kind));
                spelling.at = place;
                spelling.is_open = true;
                spelling.changed.insert(square, None);
            }
            Deed::Take(effect) => {
                spelling.is_open = true;
                spelling.taken.extend(here.map(|piece| (place, (piece, effect))));
                spelling.changed.insert(square, None);
            }
            Deed::TakeAndLand(effect, leap) => {
                spelling.taken.extend(here.map(|piece| (place, (piece, effect))));
                spelling.changed.insert(square, None);
                if let Some(place) = self.board.step(place, leap) {
                    self.close(spelling, mover, place);
                }
            }
            Deed::Land => self.close(spelling, mover, place),
            Deed::LandTaking(effect) => {
                spelling.taken.extend(here.map(|piece| (place, (piece, effect))));
                spelling.changed.insert(square, None);
                self.close(spelling, mover, place);
            }
            Deed::Promote(side, kind) => spelling.promoted = Some((side, kind)),
            Deed::End(landing) => {
                if let LandingKind::Clobber(effect) = landing {
                    spelling.taken.extend(here.map(|piece| (place, (piece, effect))));
                }
                if spelling.is_open {
                    self.close(spelling, mover, place);
                }
                let Some((side, kind)) = spelling.moving else { return };
                let fixed = self.becomes[kind].filter(|_| self.board.promotes(place, side));
                let promoted = spelling.promoted.or(fixed.map(|kind| (side, kind)));
                if let Some(piece) = promoted.filter(|piece| *piece != (side, kind)) {
                    spelling.parts.push(self.promotion(place, piece));
                }
            }
        }
    }

    /// Writes a step that ends on a square.
    fn close(&self, spelling: &mut MoveSpelling, mover: Side, place: Place) {
        let Some(piece) = spelling.moving else { return };
        let mut text =
            format!("{} {} -> {}", self.piece(piece), written(spelling.at), written(place));
        for (place, (piece, effect)) in std::mem::take(&mut spelling.taken) {
            let _ = write!(text, " X {} {}", self.piece(piece), written(place));
            if let Effect::Possess(who) = effect {
                let _ = write!(text, " / ({})", who.seen_by(mover).name());
            }
        }
        spelling.parts.push(text);
        spelling.at = place;
        spelling.is_open = false;
    }

    fn promotion(&self, place: Place, piece: (Side, Kind)) -> String {
        format!("promote {} {}", written(place), self.piece(piece))
    }

    fn piece(&self, (side, kind): (Side, Kind)) -> String {
        format!("{} {}", side.name(), self.kinds[kind])
    }

    fn place(&self, square: Square) -> Place {
        let (x, y) = (square.0 % self.board.width, square.0 / self.board.width);
        (x + 1, self.board.height - y)
    }
}

fn written((x, y): Place) -> String {
    format!("({x},{y})")
}

/// The one spelling of a move that is written in some other way: with capitals, other spaces, without the period, with
/// several captured pieces behind one `X`, or with a promotion that changes nothing.
///
/// # Errors
///
/// What is wrong with the text.
///
/// # Examples
///
/// ```
/// use regulus_lang::metagame::canonical;
///
/// let text = "White Man (6,2)->(8,4) X Black Man (7,3)";
/// assert_eq!(canonical(text).as_deref(), Ok("white man (6,2) -> (8,4) X black man (7,3)."));
/// assert!(canonical("white man (6,2)").is_err());
/// ```
pub fn canonical(text: &str) -> Result<String, String> {
    let mut sink = Sink::default();
    let tokens = lex(&Source::new("move", text), &mut sink);
    if let Some(finding) = sink.finish().first() {
        return Err(finding.message.clone());
    }
    let mut reader = MoveReader { cursor: Cursor::new(&tokens, Span::default()) };
    reader.read()
}

struct MoveReader<'a> {
    cursor: Cursor<'a, Token>,
}

impl MoveReader<'_> {
    fn take(&mut self, symbol: &str) -> bool {
        let found = matches!(self.cursor.peek(), Some(TokenKind::Symbol(s)) if *s == symbol);
        if found {
            self.cursor.advance();
        }
        found
    }

    fn expect(&mut self, symbol: &str) -> Result<(), String> {
        if self.take(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    fn expected(&self, what: &str) -> String {
        match self.cursor.peek() {
            Some(kind) => format!("{} stands where {what} was expected", kind.describe()),
            None => format!("the move ends where {what} was expected"),
        }
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.cursor.peek(), Some(TokenKind::Word(found)) if found == word)
    }

    fn word(&mut self, what: &str) -> Result<String, String> {
        let Some(TokenKind::Word(word)) = self.cursor.peek() else {
            return Err(self.expected(what));
        };
        let word = word.clone();
        self.cursor.advance();
        Ok(word)
    }

    fn colour(&mut self) -> Result<String, String> {
        if self.is_word("white") || self.is_word("black") {
            self.word("a colour")
        } else {
            Err(self.expected("`white` or `black`"))
        }
    }

    fn piece(&mut self) -> Result<String, String> {
        Ok(format!("{} {}", self.colour()?, self.word("the name of a piece")?))
    }

    fn number(&mut self) -> Result<u32, String> {
        let Some(TokenKind::Number(number)) = self.cursor.peek() else {
            return Err(self.expected("a number"));
        };
        self.cursor.advance();
        Ok(*number)
    }

    fn square(&mut self) -> Result<Place, String> {
        self.expect("(")?;
        let x = self.number()?;
        self.expect(",")?;
        let y = self.number()?;
        self.expect(")")?;
        Ok((x, y))
    }

    /// The square and the piece behind the word `promote`.
    fn promote(&mut self) -> Result<(Place, String), String> {
        self.cursor.advance();
        Ok((self.square()?, self.piece()?))
    }

    fn read(&mut self) -> Result<String, String> {
        let mut parts = Vec::new();
        if self.is_word("promote") {
            let (place, piece) = self.promote()?;
            parts.push(format!("promote {} {piece}", written(place)));
            self.expect(";")?;
        }
        let mut last = None;
        loop {
            if self.is_word("promote") && last.is_some() {
                let (place, piece) = self.promote()?;
                // One that changes nothing is not written.
                if last.as_ref() != Some(&piece) {
                    parts.push(format!("promote {} {piece}", written(place)));
                }
                break;
            }
            let piece = self.piece()?;
            let (text, is_placement) = self.step(&piece)?;
            parts.push(text);
            last = Some(piece);
            if is_placement || !self.take(";") {
                break;
            }
        }
        self.take(".");
        match self.cursor.peek() {
            None => Ok(format!("{}.", parts.join("; "))),
            Some(_) => Err(self.expected("the end of the move")),
        }
    }

    /// A placement or a step, after its piece; and whether it is a placement.
    fn step(&mut self, piece: &str) -> Result<(String, bool), String> {
        self.expect("(")?;
        if self.is_word("white") || self.is_word("black") {
            let colour = self.colour()?;
            self.expect(")")?;
            self.expect("->")?;
            return Ok((format!("{piece} ({colour}) -> {}", written(self.square()?)), true));
        }
        let x = self.number()?;
        self.expect(",")?;
        let y = self.number()?;
        self.expect(")")?;
        self.expect("->")?;
        let to = self.square()?;
        let mut taken: BTreeMap<Place, (String, Option<String>)> = BTreeMap::new();
        while self.is_word("x") {
            self.cursor.advance();
            let mut group = Vec::new();
            loop {
                let piece = self.piece()?;
                group.push((self.square()?, piece));
                if !self.is_word("white") && !self.is_word("black") {
                    break;
                }
            }
            let mut hand = None;
            if self.take("/") {
                self.expect("(")?;
                hand = Some(self.colour()?);
                self.expect(")")?;
            } else if self.take("(") {
                hand = Some(self.colour()?);
                self.expect(")")?;
            }
            taken.extend(group.into_iter().map(|(place, piece)| (place, (piece, hand.clone()))));
        }
        let mut text = format!("{piece} {} -> {}", written((x, y)), written(to));
        for (place, (piece, hand)) in taken {
            let _ = write!(text, " X {piece} {}", written(place));
            if let Some(hand) = hand {
                let _ = write!(text, " / ({hand})");
            }
        }
        Ok((text, false))
    }
}
