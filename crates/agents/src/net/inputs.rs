//! What a net sees of a position.

use std::time::Duration;

use regulus_automaton::{Id as _, Piece, Variable};
use regulus_engine::{Rules as _, State};
use regulus_game::{Error, Game, Match};

use crate::budget::{Budget, Clock, Stop};
use crate::evaluation::{Symmetry, positions, symmetries};

/// The number of a row that is not there, since a cell holds nothing that counts.
const NO_ROW: u32 = u32::MAX;

/// A variable with a larger bound is seen in this many steps.
const STEPS: i32 = 8;
const FEW: i32 = 15;

/// How long may be taken to find the symmetries of a game.
const LONGEST: Duration = Duration::from_secs(60);

/// The seed of the positions on which symmetries are tried, and their number.
const SEED: u64 = 1;
const POSITIONS: usize = 16;

/// The most rows that a net may have.
const MOST_ROWS: usize = 200_000;

/// What a net sees of the positions of a game for two players: cells, each of which holds one of some kinds of content. The squares are cells that
/// hold pieces, the variables that are not scores are cells that hold numbers.
///
/// If the players can be exchanged, both look at the board in the same way and share all weights.
///
/// # Examples
///
/// ```
/// use regulus_agents::NetInputs;
/// use regulus_game::{Config, Game};
///
/// let game = Game::load("breakthrough", &Config::default())?;
/// let inputs = NetInputs::new(&game)?;
/// // A row of weights for each square with an own piece, and for each with a foreign one.
/// assert_eq!((inputs.cells(), inputs.rows()), (64, 128));
/// // Left and right can be exchanged.
/// assert_eq!(inputs.mirrors(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NetInputs {
    fingerprint: u64,
    squares: usize,
    variables: Vec<VariableCell>,
    /// The number of the first kind of content of each cell.
    first: Vec<u32>,
    /// By the player who looks: the row of each kind of content.
    rows: [Vec<u32>; 2],
    count: usize,
    /// How many pieces there can be, as far as was seen.
    most_pieces: usize,
    /// For each reflection or rotation and each player: the row that takes the place of a row.
    mirrors: Vec<[Vec<u32>; 2]>,
}

/// A variable that is seen.
#[derive(Clone, Copy, Debug)]
struct VariableCell {
    variable: Variable,
    at: usize,
    bound: i32,
}

impl VariableCell {
    /// How many kinds of content there are.
    fn kinds(&self) -> usize {
        if self.bound <= FEW { self.bound as usize + 1 } else { STEPS as usize + 1 }
    }

    /// The kind of content in a state.
    fn kind(&self, state: &State) -> u8 {
        let bytes = state.bytes()[self.at..self.at + 4].try_into().expect("four bytes");
        let value = i32::from_le_bytes(bytes).clamp(0, self.bound);
        let kind = match self.bound <= FEW {
            true => value,
            false => (i64::from(value) * i64::from(STEPS) / i64::from(self.bound)) as i32,
        };
        kind as u8
    }
}

/// Why a game cannot have a net.
#[derive(Clone, Debug)]
pub enum NoNet {
    /// The rules fault.
    Game(Error),
    /// It is not for two players.
    Players(usize),
    /// It has too many pieces and squares.
    Size(usize),
}

impl std::fmt::Display for NoNet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoNet::Game(error) => error.fmt(f),
            NoNet::Players(count) => {
                write!(f, "nets are for games of two players; this one has {count}")
            }
            NoNet::Size(rows) => {
                write!(f, "the game is too large for a net: {rows} inputs, at most {MOST_ROWS}")
            }
        }
    }
}

impl std::error::Error for NoNet {}

impl NetInputs {
    /// The inputs for a game.
    ///
    /// # Errors
    ///
    /// If the game is not for two players, is too large, or its rules fault.
    pub fn new(game: &std::sync::Arc<Game>) -> Result<NetInputs, NoNet> {
        let automaton = game.automaton();
        if automaton.players.len() != 2 {
            return Err(NoNet::Players(automaton.players.len()));
        }
        let layout = game.rules().layout();
        let variables: Vec<VariableCell> = automaton
            .variables
            .iter()
            .skip(2)
            .filter(|(_, info)| info.bound > 0)
            .map(|(variable, info)| VariableCell {
                variable,
                at: layout.variable_at(variable),
                bound: info.bound,
            })
            .collect();
        let (squares, pieces) = (automaton.board.squares.len(), automaton.pieces.len());
        let mut first = Vec::new();
        let mut kinds = 0;
        for count in
            std::iter::repeat_n(pieces, squares).chain(variables.iter().map(VariableCell::kinds))
        {
            first.push(kinds as u32);
            kinds += count;
        }
        if kinds > MOST_ROWS {
            return Err(NoNet::Size(kinds));
        }
        let play = Match::new(game).map_err(NoNet::Game)?;
        let clock = Clock::start(Budget::time(LONGEST), Stop::new());
        let positions = positions(&play, SEED, POSITIONS, &clock).map_err(NoNet::Game)?;
        let symmetries = symmetries(game, &positions, &clock);
        let image = |symmetry: &Symmetry| -> Vec<u32> {
            let mut image = vec![0; kinds];
            for square in automaton.board.squares.keys() {
                for piece in automaton.pieces.keys() {
                    let (other, there) = (symmetry.pieces[piece], symmetry.squares[square]);
                    image[square.index() * pieces + piece.index()] =
                        (there.index() * pieces + other.index()) as u32;
                }
            }
            for (number, cell) in variables.iter().enumerate() {
                let other = symmetry.variables[cell.variable];
                let other =
                    variables.iter().position(|it| it.variable == other && it.bound == cell.bound);
                let (from, to) =
                    (first[squares + number], first[squares + other.unwrap_or(number)]);
                for kind in 0..cell.kinds() as u32 {
                    image[(from + kind) as usize] = to + kind;
                }
            }
            image
        };
        // What is empty needs no weights.
        let mut counts = vec![true; kinds];
        for square in 0..squares {
            for (piece, look) in automaton.looks.pieces.iter() {
                counts[square * pieces + piece.index()] = !look.is_empty;
            }
        }
        let mut count = 0;
        let mut numbered = |counts: &[bool]| -> Vec<u32> {
            let mut fresh = |counts: &bool| {
                count += u32::from(*counts);
                if *counts { count - 1 } else { NO_ROW }
            };
            counts.iter().map(&mut fresh).collect()
        };
        let own = numbered(&counts);
        let others = match symmetries.iter().find(|symmetry| !symmetry.keeps_players()) {
            Some(exchange) => image(exchange).iter().map(|&kind| own[kind as usize]).collect(),
            None => numbered(&counts),
        };
        let count = count as usize;
        // Where pieces are only taken there are never more than at the beginning.
        let pieces_of = |state: &State| {
            let looks = &automaton.looks.pieces;
            state.bytes()[..squares].iter().filter(|&&it| !looks[Piece(it.into())].is_empty).count()
        };
        let first_count = pieces_of(play.state());
        let most_seen = positions.iter().map(pieces_of).max().unwrap_or(0);
        let most_pieces = if most_seen > first_count { squares } else { first_count };
        let rows = [own, others];
        let mirror = |symmetry: &Symmetry| {
            let image = image(symmetry);
            [0, 1].map(|player| {
                let rows: &Vec<u32> = &rows[player];
                let mut mirror: Vec<u32> = (0..count as u32).collect();
                for (kind, &row) in rows.iter().enumerate() {
                    let other = rows[image[kind] as usize];
                    if row != NO_ROW && other != NO_ROW {
                        mirror[row as usize] = other;
                    }
                }
                mirror
            })
        };
        let mirrors = symmetries.iter().filter(|it| it.keeps_players()).map(mirror).collect();
        let fingerprint = game.fingerprint();
        Ok(NetInputs { fingerprint, squares, variables, first, rows, count, most_pieces, mirrors })
    }

    /// The number of the game that they are for.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// How many cells there are.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.first.len()
    }

    /// How many rows of weights there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.count
    }

    /// In how many other ways the board can be laid on itself.
    #[must_use]
    pub fn mirrors(&self) -> usize {
        self.mirrors.len()
    }

    /// The largest weight of an input, so that sums stay within their bounds.
    #[must_use]
    pub fn largest_weight(&self) -> f32 {
        (128.0 / (self.cells() + 1) as f32).min(2.0)
    }

    /// How many cells hold what counts.
    #[must_use]
    pub fn filled(&self, cells: &[u8]) -> usize {
        let counts = |(cell, &kind): (usize, &u8)| self.row(0, cell, kind).is_some();
        cells.iter().enumerate().filter(|&it| counts(it)).count()
    }

    /// Which of `stages` a game is in when `filled` cells hold what counts: the more pieces there are, the higher.
    #[inline]
    #[must_use]
    pub fn stage(&self, filled: usize, stages: usize) -> usize {
        let pieces = filled.saturating_sub(self.variables.len());
        (pieces * stages / (self.most_pieces + 1)).min(stages - 1)
    }

    /// Adds what the cells of a position hold to a list.
    pub fn write_cells(&self, state: &State, cells: &mut Vec<u8>) {
        cells.extend_from_slice(&state.bytes()[..self.squares]);
        cells.extend(self.variables.iter().map(|variable| variable.kind(state)));
    }

    /// Puts the rows that count for a player into a list, where the board is laid on itself in the way with a number, if one is given.
    pub fn active(
        &self,
        cells: &[u8],
        player: usize,
        mirror: Option<usize>,
        active: &mut Vec<u32>,
    ) {
        active.clear();
        let rows = &self.rows[player];
        let found = cells
            .iter()
            .zip(&self.first)
            .map(|(&kind, &first)| rows[first as usize + usize::from(kind)]);
        let found = found.filter(|&row| row != NO_ROW);
        match mirror {
            Some(number) => {
                let mirror = &self.mirrors[number][player];
                active.extend(found.map(|row| mirror[row as usize]));
            }
            None => active.extend(found),
        }
    }

    /// The row for what a cell holds; `None` if it does not count.
    #[inline]
    pub(super) fn row(&self, player: usize, cell: usize, kind: u8) -> Option<usize> {
        let row = self.rows[player][self.first[cell] as usize + usize::from(kind)];
        (row != NO_ROW).then_some(row as usize)
    }
}
