//! What a game of METAGAME (symmetric chess-like games) means, written down a second time: slowly, from the
//! specification of the language alone.
//!
//! It reads the text by itself, and shares nothing with the front-end or the engines. Every position is a value of its own;
//! movements are lists of paths, captures are sets of squares, and a move is its text with the position it leads to.
//!
//! Numbers such as D7 are those of the decisions in the specification.
//!
//! # Examples
//!
//! ```
//! use regulus_laws::metagame_definition::MetagameDefinition;
//!
//! let game = MetagameDefinition::read(
//!     "GAME race GOALS arrive [{player} any_piece] AT {(1,4)} stalemate opponent
//!      BOARD_SIZE 2 BY 4 BOARD_TYPE planar PROMOTE_RANK 4 SETUP man AT {(1,1)}
//!      DEFINE man
//!        MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING
//!      END DEFINE
//!      END GAME.",
//! )?;
//! let begin = game.begin(&[]);
//! let moves = game.moves(&begin).expect("there is one move");
//! assert_eq!(moves[0].0, "white man (1,1) -> (1,2).");
//! assert_eq!(game.perft(6, &[]).expect("there are few moves"), [1, 1, 1, 1, 1, 0]);
//! # Ok::<(), String>(())
//! ```

mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// A square by file and rank, both counted from 1; also a vector.
pub type Square = (i64, i64);

/// The number of a kind, in order of definition.
type KindIndex = u16;

/// After how many turns a game is drawn, if nothing else is said.
const MOVE_LIMIT: u64 = 500;
/// How many moves and steps are looked for in one position, if nothing else is said.
const MOST_MOVES: usize = 100_000;

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// The player who begins, at the low ranks.
    White,
    /// The other player.
    Black,
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Piece {
    owner: Colour,
    kind: KindIndex,
}

/// A player as rules name him: the one whose rule it is, or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Player,
    Opponent,
}

/// Some pieces, as a player describes them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Description {
    /// `None` for any player.
    owner: Option<Who>,
    /// `None` for any kind.
    kinds: Option<BTreeSet<KindIndex>>,
}

/// How many of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    least: i64,
    /// `None` if there is no limit.
    most: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Manner {
    Leap,
    Ride { leaps: Count, longest: bool },
    Hop { before: Count, over: Count, after: Count, hop_over: Description },
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Movement {
    manner: Manner,
    /// White's vectors: the symmetric closure.
    vectors: BTreeSet<Square>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Effect {
    Remove,
    Possesses(Colour),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EffectRule {
    Remove,
    Possesses(Who),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Capture {
    retrieve: bool,
    clobber: bool,
    hop: bool,
    what: Description,
    effect: EffectRule,
    movements: Vec<Movement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Promoting {
    To(KindIndex),
    Decides(Who, Description),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct PieceRules {
    moving: Vec<Movement>,
    capturing: Vec<Capture>,
    promoting: Promoting,
    must_capture: bool,
    continue_captures: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Goal {
    Arrive(Description, Vec<Square>),
    Eradicate(Description),
    Stalemate(Who),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Assigner {
    Decides(Who),
    Random,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Setup {
    Fixed(Vec<(Square, KindIndex)>),
    Assigned { assigner: Assigner, kinds: Vec<KindIndex>, squares: Vec<Square> },
}

/// A game as its text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetagameDefinition {
    width: i64,
    height: i64,
    cylinder: bool,
    /// Whether the inversion turns files round, as it does ranks.
    inverts_files: bool,
    promote_rank: i64,
    goals: Vec<Goal>,
    setup: Setup,
    must_capture: bool,
    /// By kind.
    names: Arc<[String]>,
    /// In the order of `names`.
    kinds: Vec<PieceRules>,
    /// After how many turns a game is drawn.
    pub move_limit: u64,
    /// How many moves, and steps of captures on the way to them, [`MetagameDefinition::moves`] looks for before it gives
    /// up.
    pub most_moves: usize,
}

/// What is compared when positions repeat: all but the number of turns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    board: Board,
    /// How many pieces a player holds: by player, then by kind. During a setup by the opponent they are the other's.
    hands: [Vec<usize>; 2],
    to_move: Colour,
    /// Where a piece stands whose promotion is owed by the player to move.
    waiting: Option<Square>,
    setting_up: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Board {
    width: i64,
    height: i64,
    /// Rank by rank.
    cells: Vec<Option<Piece>>,
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MetagamePosition {
    names: Arc<[String]>,
    key: Key,
    turns: u64,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MetagameOutcome {
    /// `None` in a draw.
    pub winner: Option<Colour>,
    /// Why it ended.
    pub reason: EndReason,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// Goals were achieved, not all of them by stalemate.
    Goal,
    /// Goals were achieved, all of them by stalemate.
    Stalemate,
    /// The player to move has no move, and no goal is about that.
    NoMove,
    /// The limit of turns is reached.
    MoveLimit,
    /// The position is there for the third time.
    Repetition,
}

/// There are more moves in a position than are looked for. There are some, in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

/// A way of a movement: where it ends and which pieces it hops over.
struct MovementEnd {
    to: Square,
    hopped: Vec<Square>,
}

/// A use of a capturing power.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct CaptureUse {
    to: Square,
    captured: BTreeSet<Square>,
    effect: Effect,
}

/// The moves that were found.
struct FoundMoves {
    moves: BTreeMap<String, MetagamePosition>,
    /// How much more may be found.
    left: usize,
}

impl Colour {
    /// Returns the other player.
    #[must_use]
    pub fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    fn index(self) -> usize {
        match self {
            Colour::White => 0,
            Colour::Black => 1,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::White => "white",
            Colour::Black => "black",
        })
    }
}

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too many moves in a position")
    }
}

impl std::error::Error for TooMany {}

impl Who {
    /// Returns the player who is meant in a rule of this one.
    fn seen_by(self, player: Colour) -> Colour {
        match self {
            Who::Player => player,
            Who::Opponent => player.other(),
        }
    }
}

impl Description {
    /// Returns whether a piece is meant, in a rule of this player.
    fn describes(&self, player: Colour, piece: Piece) -> bool {
        let owner = self.owner.is_none_or(|who| who.seen_by(player) == piece.owner);
        let kind = self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&piece.kind));
        owner && kind
    }
}

impl Board {
    fn empty(width: i64, height: i64) -> Board {
        let mut cells = Vec::new();
        for _ in 0..width * height {
            cells.push(None);
        }
        Board { width, height, cells }
    }

    fn has(&self, (x, y): Square) -> bool {
        (1..=self.width).contains(&x) && (1..=self.height).contains(&y)
    }

    /// Returns where a square of the board is in `cells`; a place behind them for all others.
    fn cell(&self, (x, y): Square) -> usize {
        let cell = if self.has((x, y)) { (y - 1) * self.width + x - 1 } else { i64::MAX };
        usize::try_from(cell).unwrap_or(usize::MAX)
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.cells.get(self.cell(square)).copied().flatten()
    }

    fn put(&mut self, square: Square, piece: Option<Piece>) {
        let cell = self.cell(square);
        self.cells[cell] = piece;
    }

    fn is_empty(&self, square: Square) -> bool {
        self.at(square).is_none()
    }

    fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let (width, height) = (self.width, self.height);
        (1..=height).flat_map(move |y| (1..=width).map(move |x| (x, y)))
    }

    fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        self.squares().filter_map(|square| Some((square, self.at(square)?)))
    }
}

impl MetagamePosition {
    /// Returns the owner and the kind of the piece on a square; `None` if it is empty or off the board.
    #[must_use]
    pub fn piece_at(&self, x: i64, y: i64) -> Option<(Colour, &str)> {
        let piece = self.key.board.at((x, y))?;
        Some((piece.owner, &self.names[usize::from(piece.kind)]))
    }

    /// Returns how many pieces of a kind a player holds, to be placed by him. During a setup by the opponent they are pieces
    /// of the other player, otherwise his own.
    #[must_use]
    pub fn hand(&self, player: Colour, kind: &str) -> usize {
        let index = self.names.iter().position(|name| name == kind);
        index.map_or(0, |index| self.key.hands[player.index()][index])
    }

    /// Returns the player to move.
    #[must_use]
    pub fn to_move(&self) -> Colour {
        self.key.to_move
    }

    /// Returns where a piece stands whose promotion the player to move owes; `None` if he owes none.
    #[must_use]
    pub fn waiting(&self) -> Option<Square> {
        self.key.waiting
    }

    /// Returns whether players are still setting up their pieces.
    #[must_use]
    pub fn is_setup(&self) -> bool {
        self.key.setting_up
    }

    /// Returns how many turns were played.
    #[must_use]
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Returns what must be equal for a repetition.
    #[must_use]
    pub fn key(&self) -> Key {
        self.key.clone()
    }

    fn written(&self, piece: Piece) -> String {
        format!("{} {}", piece.owner, self.names[usize::from(piece.kind)])
    }

    fn pass_turn(&mut self) {
        self.key.to_move = self.key.to_move.other();
        self.turns += 1;
    }
}

fn written((x, y): Square) -> String {
    format!("({x},{y})")
}

impl FoundMoves {
    fn count(&mut self) -> Result<(), TooMany> {
        self.left = self.left.checked_sub(1).ok_or(TooMany)?;
        Ok(())
    }

    /// Adds a move. The text of a move says all: two moves with the same text lead to the same position.
    fn add(&mut self, text: &str, position: MetagamePosition) -> Result<(), TooMany> {
        self.count()?;
        let text = format!("{text}.");
        if let Some(same) = self.moves.get(&text) {
            assert!(*same == position, "{text} leads to two positions");
        }
        self.moves.insert(text, position);
        Ok(())
    }
}

/// Reading a game and beginning to play it.
impl MetagameDefinition {
    /// Returns the game that a text defines, or what is wrong with the text.
    pub fn read(text: &str) -> Result<MetagameDefinition, String> {
        text::read(text)
    }

    /// Returns the number of files.
    #[must_use]
    pub fn width(&self) -> i64 {
        self.width
    }

    /// Returns the number of ranks.
    #[must_use]
    pub fn height(&self) -> i64 {
        self.height
    }

    /// Returns the names of the kinds, in order of definition.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Returns the number of pieces and the number of squares of a random setup; `None` if the setup is not random.
    #[must_use]
    pub fn random_setup(&self) -> Option<(usize, usize)> {
        match &self.setup {
            Setup::Assigned { assigner: Assigner::Random, kinds, squares } => {
                Some((kinds.len(), squares.len()))
            }
            _ => None,
        }
    }

    /// Returns the arrangement of a random setup, as [`MetagameDefinition::begin`] takes it, that has on the squares
    /// what `kind_at` says of file and rank; `None` if there is no such arrangement. It is empty if the setup is not
    /// random.
    pub fn arrangement(&self, kind_at: impl Fn(i64, i64) -> Option<String>) -> Option<Vec<usize>> {
        let Setup::Assigned { assigner: Assigner::Random, kinds, squares } = &self.setup else {
            return Some(Vec::new());
        };
        let mut found: Vec<Option<String>> =
            squares.iter().map(|square| kind_at(square.0, square.1)).collect();
        let places = kinds.iter().map(|&kind| {
            let name = &self.names[usize::from(kind)];
            let place = found.iter().position(|found| found.as_ref() == Some(name))?;
            found[place] = None;
            Some(place)
        });
        let places: Option<Vec<usize>> = places.collect();
        places.filter(|_| found.iter().all(Option::is_none))
    }

    /// Returns the initial position. In a random setup white's piece `i` stands on `squares[arrangement[i]]`, where pieces and
    /// squares are in the order of the text, and black's on its inversion; in others the arrangement is ignored.
    ///
    /// # Panics
    ///
    /// Panics if the arrangement of a random setup does not name a square of its own for every piece.
    #[must_use]
    pub fn begin(&self, arrangement: &[usize]) -> MetagamePosition {
        let mut begin = self.nothing();
        match &self.setup {
            Setup::Fixed(pieces) => {
                for &(square, kind) in pieces {
                    self.set_for_both(&mut begin, square, kind);
                }
            }
            Setup::Assigned { assigner: Assigner::Random, kinds, squares } => {
                let different: BTreeSet<usize> = arrangement.iter().copied().collect();
                assert_eq!(arrangement.len(), kinds.len(), "a place for every piece");
                assert_eq!(different.len(), kinds.len(), "a place of its own");
                for (&kind, &place) in kinds.iter().zip(arrangement) {
                    self.set_for_both(&mut begin, squares[place], kind);
                }
            }
            Setup::Assigned { kinds, .. } => {
                begin.key.setting_up = true;
                for &kind in kinds {
                    begin.key.hands[0][usize::from(kind)] += 1;
                    begin.key.hands[1][usize::from(kind)] += 1;
                }
            }
        }
        begin
    }

    /// Returns a position in which these pieces stand on the board, with these in hand, no turns played, and nothing
    /// owed; what is wrong with it otherwise.
    pub fn position(
        &self,
        to_move: Colour,
        pieces: &[(Square, Colour, &str)],
        hands: &[(Colour, &str)],
    ) -> Result<MetagamePosition, String> {
        let index = |kind: &str| {
            let index = self.names.iter().position(|name| name == kind);
            index.ok_or_else(|| format!("{kind} is not defined"))
        };
        let mut position = self.nothing();
        position.key.to_move = to_move;
        for &(square, owner, kind) in pieces {
            if !self.on_board(square) {
                return Err(format!("{square:?} is off the board"));
            }
            let kind = KindIndex::try_from(index(kind)?).map_err(|error| error.to_string())?;
            position.key.board.put(square, Some(Piece { owner, kind }));
        }
        for &(player, kind) in hands {
            position.key.hands[player.index()][index(kind)?] += 1;
        }
        Ok(position)
    }

    fn nothing(&self) -> MetagamePosition {
        let none = vec![0; self.names.len()];
        let key = Key {
            board: Board::empty(self.width, self.height),
            hands: [none.clone(), none],
            to_move: Colour::White,
            waiting: None,
            setting_up: false,
        };
        MetagamePosition { names: Arc::clone(&self.names), key, turns: 0 }
    }

    fn set_for_both(&self, position: &mut MetagamePosition, square: Square, kind: KindIndex) {
        for owner in [Colour::White, Colour::Black] {
            let square = self.square_of(owner, square);
            position.key.board.put(square, Some(Piece { owner, kind }));
        }
    }
}

/// Boards, squares and vectors.
impl MetagameDefinition {
    fn on_board(&self, (x, y): Square) -> bool {
        (1..=self.width).contains(&x) && (1..=self.height).contains(&y)
    }

    fn inverted(&self, (x, y): Square) -> Square {
        (if self.inverts_files { self.width + 1 - x } else { x }, self.height + 1 - y)
    }

    /// Returns the square that a player's rule means.
    fn square_of(&self, player: Colour, square: Square) -> Square {
        match player {
            Colour::White => square,
            Colour::Black => self.inverted(square),
        }
    }

    /// Returns the vector that a player's rule means (D5: closed already).
    fn vector_of(&self, player: Colour, (dx, dy): Square) -> Square {
        match player {
            Colour::White => (dx, dy),
            Colour::Black => (if self.inverts_files { -dx } else { dx }, -dy),
        }
    }

    /// Returns where some leaps along a vector end; `None` off the board. Negative numbers are leaps backwards.
    fn leaps(&self, (x, y): Square, (dx, dy): Square, number: i64) -> Option<Square> {
        let (x, y) = (x + number * dx, y + number * dy);
        let x = if self.cylinder { (x - 1).rem_euclid(self.width) + 1 } else { x };
        Some((x, y)).filter(|&square| self.on_board(square))
    }

    /// Returns after how many leaps a piece is back where it was, if it can be; otherwise a number of leaps that always leave
    /// the board.
    fn lap(&self, (dx, dy): Square) -> i64 {
        if self.cylinder && dy == 0 {
            let returns = |leaps: &i64| (leaps * dx) % self.width == 0;
            (1..self.width).find(returns).unwrap_or(self.width)
        } else {
            self.width.max(self.height)
        }
    }

    fn promotes_at(&self, player: Colour, (_, y): Square) -> bool {
        match player {
            Colour::White => y >= self.promote_rank,
            Colour::Black => y <= self.height + 1 - self.promote_rank,
        }
    }
}

/// Movements and captures. The board is without the moving piece (D7).
impl MetagameDefinition {
    /// Returns each number n that a count allows for which the n squares after this one are as asked for.
    ///
    /// A count without limit ends after a lap (D8, D12). A run of more than a lap asks for nothing new, and ends where the run
    /// ends that is shorter by a lap; so a lap more than the least is enough.
    fn runs(
        &self,
        from: Square,
        vector: Square,
        count: Count,
        asked: impl Fn(Square) -> bool,
    ) -> Vec<i64> {
        let lap = self.lap(vector);
        let most = count.most.unwrap_or(lap).min(count.least + lap);
        let is_asked = |leaps| self.leaps(from, vector, leaps).is_some_and(&asked);
        (count.least..=most).filter(|&number| (1..=number.min(lap)).all(is_asked)).collect()
    }

    /// Returns the ways of a movement along one vector, shorter ones first.
    fn paths(
        &self,
        board: &Board,
        player: Colour,
        manner: &Manner,
        vector: Square,
        from: Square,
    ) -> Vec<MovementEnd> {
        let is_empty = |square| board.is_empty(square);
        let mut paths = Vec::new();
        match manner {
            Manner::Leap => {
                let to = self.leaps(from, vector, 1);
                paths.extend(to.map(|to| MovementEnd { to, hopped: Vec::new() }));
            }
            Manner::Ride { leaps, .. } => {
                // One leap more than there are empty squares on the way. Without a limit the last leap of a lap is the last.
                let most = leaps.most.unwrap_or(self.lap(vector)) - 1;
                let on_the_way = Count { least: leaps.least - 1, most: Some(most) };
                for number in self.runs(from, vector, on_the_way, is_empty) {
                    let to = self.leaps(from, vector, number + 1);
                    paths.extend(to.map(|to| MovementEnd { to, hopped: Vec::new() }));
                }
            }
            Manner::Hop { before, over, after, hop_over } => {
                let is_hopped = |square: Square| {
                    board.at(square).is_some_and(|piece| hop_over.describes(player, piece))
                };
                for before in self.runs(from, vector, *before, is_empty) {
                    let Some(start) = self.leaps(from, vector, before) else { continue };
                    for over in self.runs(start, vector, *over, is_hopped) {
                        let hopped =
                            (1..=over).filter_map(|leaps| self.leaps(start, vector, leaps));
                        let hopped: Vec<Square> = hopped.collect();
                        let Some(start) = self.leaps(start, vector, over) else { continue };
                        for after in self.runs(start, vector, *after, is_empty) {
                            let to = self.leaps(start, vector, after + 1);
                            paths.extend(to.map(|to| MovementEnd { to, hopped: hopped.clone() }));
                        }
                    }
                }
            }
        }
        paths
    }

    /// Returns what `legal` makes of the ways of a movement, along one vector after another, with that vector. Of longest rides
    /// only the longest that are legal are there (D9), but on a cylinder all (D10).
    fn uses<T>(
        &self,
        board: &Board,
        player: Colour,
        movement: &Movement,
        from: Square,
        legal: impl Fn(&MovementEnd, Square) -> Option<T>,
    ) -> Vec<T> {
        let longest = matches!(movement.manner, Manner::Ride { longest: true, .. });
        let mut uses = Vec::new();
        for &vector in &movement.vectors {
            let vector = self.vector_of(player, vector);
            let paths = self.paths(board, player, &movement.manner, vector, from);
            let mut along: Vec<T> = paths.iter().filter_map(|path| legal(path, vector)).collect();
            if longest && !self.cylinder {
                along = along.into_iter().last().into_iter().collect();
            }
            uses.extend(along);
        }
        uses
    }

    /// Returns where a piece can move without capturing.
    fn destinations(&self, board: &Board, piece: Piece, from: Square) -> BTreeSet<Square> {
        let mut destinations = BTreeSet::new();
        for movement in &self.kinds[usize::from(piece.kind)].moving {
            destinations.extend(self.uses(board, piece.owner, movement, from, |path, _| {
                Some(path.to).filter(|&to| board.is_empty(to))
            }));
        }
        destinations
    }

    /// Returns how a piece can capture, in one step.
    fn steps(&self, board: &Board, piece: Piece, from: Square) -> BTreeSet<CaptureUse> {
        let mut steps = BTreeSet::new();
        for capture in &self.kinds[usize::from(piece.kind)].capturing {
            let is_prey = |square: &Square| {
                board.at(*square).is_some_and(|prey| capture.what.describes(piece.owner, prey))
            };
            let effect = match capture.effect {
                EffectRule::Remove => Effect::Remove,
                EffectRule::Possesses(who) => Effect::Possesses(who.seen_by(piece.owner)),
            };
            let legal = |path: &MovementEnd, vector: Square| {
                let clobbers = capture.clobber && is_prey(&path.to);
                let mut captured = BTreeSet::new();
                if clobbers {
                    captured.insert(path.to);
                }
                if capture.retrieve {
                    captured.extend(self.leaps(from, vector, -1).filter(is_prey));
                }
                if capture.hop {
                    captured.extend(path.hopped.iter().copied().filter(is_prey));
                }
                let has_room = board.is_empty(path.to) || clobbers;
                (has_room && !captured.is_empty()).then_some(CaptureUse {
                    to: path.to,
                    captured,
                    effect,
                })
            };
            for movement in &capture.movements {
                steps.extend(self.uses(board, piece.owner, movement, from, legal));
            }
        }
        steps
    }
}

/// Moves.
impl MetagameDefinition {
    /// Returns all moves of the player to move as the rules of moving say, each as its text and the position it leads to, sorted
    /// by text. Whether the game is over is not looked at.
    pub fn moves(
        &self,
        position: &MetagamePosition,
    ) -> Result<Vec<(String, MetagamePosition)>, TooMany> {
        let mut found = FoundMoves { moves: BTreeMap::new(), left: self.most_moves };
        if position.key.setting_up {
            self.setup_moves(position, &mut found)?;
        } else if let Some(square) = position.key.waiting {
            for choice in self.owed_choices(position, square) {
                let mut promoted = position.clone();
                promoted.key.waiting = None;
                promoted.key.board.put(square, Some(choice));
                let text = format!("promote {} {}; ", written(square), position.written(choice));
                self.main_moves(&promoted, &text, &mut found)?;
            }
        } else {
            self.main_moves(position, "", &mut found)?;
        }
        Ok(found.moves.into_iter().collect())
    }

    fn setup_moves(
        &self,
        position: &MetagamePosition,
        found: &mut FoundMoves,
    ) -> Result<(), TooMany> {
        let Setup::Assigned { assigner: Assigner::Decides(who), squares, .. } = &self.setup else {
            return Ok(());
        };
        let placing = position.key.to_move;
        let owner = who.seen_by(placing);
        for kind in self.held(position, placing) {
            for &square in squares {
                let square = self.square_of(owner, square);
                if !position.key.board.is_empty(square) {
                    continue;
                }
                let piece = Piece { owner, kind };
                let mut after = placed(position, piece, square);
                let is_over = after.key.hands.iter().flatten().all(|&number| number == 0);
                after.key.setting_up = !is_over;
                found.add(&placement(position, piece, square), after)?;
            }
        }
        Ok(())
    }

    /// Returns the kinds that a player has in hand.
    fn held(&self, position: &MetagamePosition, player: Colour) -> Vec<KindIndex> {
        let hand = &position.key.hands[player.index()];
        self.all_kinds().filter(|&kind| hand[usize::from(kind)] > 0).collect()
    }

    fn all_kinds(&self) -> impl Iterator<Item = KindIndex> + use<> {
        (0..).take(self.kinds.len())
    }

    /// Adds placements and transfers, with a text before theirs, in a position in which no promotion is owed.
    fn main_moves(
        &self,
        position: &MetagamePosition,
        before: &str,
        found: &mut FoundMoves,
    ) -> Result<(), TooMany> {
        let player = position.key.to_move;
        let board = &position.key.board;
        for kind in self.held(position, player) {
            for square in board.squares().filter(|&square| board.is_empty(square)) {
                let piece = Piece { owner: player, kind };
                let text = format!("{before}{}", placement(position, piece, square));
                found.add(&text, placed(position, piece, square))?;
            }
        }
        // What each piece can do when it is in hand.
        let mut own = Vec::new();
        for (from, piece) in board.pieces().filter(|(_, piece)| piece.owner == player) {
            let mut lifted = position.clone();
            lifted.key.board.put(from, None);
            let captures = !self.steps(&lifted.key.board, piece, from).is_empty();
            own.push((from, piece, lifted, captures));
        }
        let anything_captures = own.iter().any(|(_, _, _, captures)| *captures);
        for (from, piece, lifted, captures) in own {
            let local = self.kinds[usize::from(piece.kind)].must_capture;
            let compelled = self.must_capture && anything_captures || local && captures;
            if !compelled {
                for to in self.destinations(&lifted.key.board, piece, from) {
                    let text = format!("{before}{}", transfer(position, piece, from, to));
                    self.finish(&lifted, piece, to, &text, found)?;
                }
            }
            self.chains(&lifted, piece, from, before, found)?;
        }
        Ok(())
    }

    /// Adds all captures of a piece in hand that begin on this square, with a text before theirs.
    fn chains(
        &self,
        lifted: &MetagamePosition,
        piece: Piece,
        from: Square,
        before: &str,
        found: &mut FoundMoves,
    ) -> Result<(), TooMany> {
        let kind = &self.kinds[usize::from(piece.kind)];
        let compelled = self.must_capture || kind.must_capture;
        for step in self.steps(&lifted.key.board, piece, from) {
            found.count()?;
            let mut text = format!("{before}{}", transfer(lifted, piece, from, step.to));
            let mut after = lifted.clone();
            for &square in &step.captured {
                let Some(prey) = lifted.key.board.at(square) else { continue };
                after.key.board.put(square, None);
                text += &format!(" X {} {}", lifted.written(prey), written(square));
                if let Effect::Possesses(player) = step.effect {
                    after.key.hands[player.index()][usize::from(prey.kind)] += 1;
                    text += &format!(" / ({player})");
                }
            }
            let goes_on =
                kind.continue_captures && !self.steps(&after.key.board, piece, step.to).is_empty();
            if !(goes_on && compelled) {
                self.finish(&after, piece, step.to, &text, found)?;
            }
            if goes_on {
                self.chains(&after, piece, step.to, &format!("{text}; "), found)?;
            }
        }
        Ok(())
    }

    /// Adds the moves that end when a piece in hand is put down on this square: one for each promotion.
    fn finish(
        &self,
        lifted: &MetagamePosition,
        piece: Piece,
        to: Square,
        text: &str,
        found: &mut FoundMoves,
    ) -> Result<(), TooMany> {
        let mut choices = vec![piece];
        let mut waits = false;
        if self.promotes_at(piece.owner, to) {
            match &self.kinds[usize::from(piece.kind)].promoting {
                Promoting::To(kind) => choices = vec![Piece { kind: *kind, ..piece }],
                Promoting::Decides(Who::Player, options) => {
                    choices = self.described(options, piece.owner);
                }
                Promoting::Decides(Who::Opponent, _) => waits = true,
            }
        }
        for choice in choices {
            let mut after = lifted.clone();
            after.key.board.put(to, Some(choice));
            after.key.waiting = waits.then_some(to);
            after.pass_turn();
            if choice == piece {
                found.add(text, after)?;
            } else {
                let promote = format!("promote {} {}", written(to), lifted.written(choice));
                found.add(&format!("{text}; {promote}"), after)?;
            }
        }
        Ok(())
    }

    /// Returns what a piece can become whose promotion is owed: as its owner, who has moved it, describes (D28).
    fn owed_choices(&self, position: &MetagamePosition, square: Square) -> Vec<Piece> {
        let Some(piece) = position.key.board.at(square) else { return Vec::new() };
        match &self.kinds[usize::from(piece.kind)].promoting {
            Promoting::Decides(_, options) => self.described(options, piece.owner),
            Promoting::To(kind) => vec![Piece { kind: *kind, ..piece }],
        }
    }

    /// Returns the pieces that a player's rule describes.
    fn described(&self, description: &Description, player: Colour) -> Vec<Piece> {
        let owners = [Colour::White, Colour::Black].into_iter();
        let pieces =
            owners.flat_map(|owner| self.all_kinds().map(move |kind| Piece { owner, kind }));
        pieces.filter(|&piece| description.describes(player, piece)).collect()
    }
}

/// Returns the text of a placement, without a period.
fn placement(position: &MetagamePosition, piece: Piece, to: Square) -> String {
    format!("{} ({}) -> {}", position.written(piece), position.key.to_move, written(to))
}

/// Returns the position after a placement.
fn placed(position: &MetagamePosition, piece: Piece, to: Square) -> MetagamePosition {
    let mut after = position.clone();
    after.key.hands[position.key.to_move.index()][usize::from(piece.kind)] -= 1;
    after.key.board.put(to, Some(piece));
    after.pass_turn();
    after
}

/// Returns the text of a step that captures nothing, without a period.
fn transfer(position: &MetagamePosition, piece: Piece, from: Square, to: Square) -> String {
    format!("{} {} -> {}", position.written(piece), written(from), written(to))
}

/// The end of a game.
impl MetagameDefinition {
    /// Returns how the game has ended in a position; `None` if it goes on. The history holds the keys of all positions so far,
    /// this one included.
    #[must_use]
    pub fn outcome(&self, position: &MetagamePosition, history: &[Key]) -> Option<MetagameOutcome> {
        let is_stuck = self.moves(position).is_ok_and(|moves| moves.is_empty());
        self.outcome_if(position, is_stuck, history)
    }

    fn outcome_if(
        &self,
        position: &MetagamePosition,
        is_stuck: bool,
        history: &[Key],
    ) -> Option<MetagameOutcome> {
        let achieved = |player: Colour| {
            let goals = self.goals.iter();
            goals.filter(move |goal| self.achieved(position, is_stuck, goal, player))
        };
        let by_both: Vec<&Goal> = achieved(Colour::White).chain(achieved(Colour::Black)).collect();
        if !by_both.is_empty() {
            let winner = match [Colour::White, Colour::Black].map(|p| achieved(p).count() > 0) {
                [true, false] => Some(Colour::White),
                [false, true] => Some(Colour::Black),
                _ => None,
            };
            let by_stalemate = by_both.iter().all(|goal| matches!(goal, Goal::Stalemate(_)));
            let reason = if by_stalemate { EndReason::Stalemate } else { EndReason::Goal };
            return Some(MetagameOutcome { winner, reason });
        }
        let times = history.iter().filter(|key| **key == position.key).count();
        let draws = [
            (is_stuck, EndReason::NoMove),
            (position.turns >= self.move_limit, EndReason::MoveLimit),
            (times >= 3, EndReason::Repetition),
        ];
        let draw = draws.into_iter().find(|(is_drawn, _)| *is_drawn);
        draw.map(|(_, reason)| MetagameOutcome { winner: None, reason })
    }

    /// Returns whether a player has achieved a goal.
    fn achieved(
        &self,
        position: &MetagamePosition,
        is_stuck: bool,
        goal: &Goal,
        player: Colour,
    ) -> bool {
        let board = &position.key.board;
        match goal {
            Goal::Arrive(what, squares) => squares.iter().any(|&square| {
                let piece = board.at(self.square_of(player, square));
                piece.is_some_and(|piece| what.describes(player, piece))
            }),
            Goal::Eradicate(what) => {
                !position.key.setting_up
                    && !board.pieces().any(|(_, piece)| what.describes(player, piece))
            }
            Goal::Stalemate(who) => is_stuck && position.key.to_move == who.seen_by(player),
        }
    }

    /// Returns the number of sequences of 1, 2, … legal moves from the initial position, up to a depth.
    pub fn perft(&self, depth: usize, arrangement: &[usize]) -> Result<Vec<u64>, TooMany> {
        let begin = self.begin(arrangement);
        let mut leaves = vec![0; depth];
        self.count_leaves(&begin, &mut vec![begin.key()], &mut leaves)?;
        Ok(leaves)
    }

    fn count_leaves(
        &self,
        position: &MetagamePosition,
        history: &mut Vec<Key>,
        leaves: &mut [u64],
    ) -> Result<(), TooMany> {
        let Some((here, deeper)) = leaves.split_first_mut() else { return Ok(()) };
        let moves = self.moves(position)?;
        if self.outcome_if(position, moves.is_empty(), history).is_some() {
            return Ok(());
        }
        for (_, next) in moves {
            *here += 1;
            if !deeper.is_empty() {
                history.push(next.key());
                self.count_leaves(&next, history, deeper)?;
                history.pop();
            }
        }
        Ok(())
    }
}
