//! Who wins a position of connect four when both play as well as possible: alpha-beta on bitboards with a table.
//!
//! Three things make it quick: moves after which the other player wins at once are never tried; moves that make most threats come
//! first, from the centre on; and what can be read off a position without a search is (`limits`).

use crate::bits::each;
use crate::connect_four::{Board, FLOOR, SQUARES, has_four};

/// What a position is worth to the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Worth {
    /// The other player can win.
    Lost,
    /// Nobody can.
    Drawn,
    /// The player to move can win.
    Won,
}

use Worth::{Drawn, Lost, Won};

impl Worth {
    /// The same for the other player.
    pub(crate) fn turned(self) -> Worth {
        match self {
            Lost => Won,
            Drawn => Drawn,
            Won => Lost,
        }
    }
}

/// The squares of the first, third and fifth row.
const ODD_ROWS: u64 = FLOOR * 0b01_0101;

/// How far columns are from the centre, by the first bit of the column: those nearer come first.
const CENTRE_FIRST: [u32; 7] = [3, 2, 4, 1, 5, 0, 6];

/// In positions with fewer free squares, what is known of the next ones is not looked up before they are searched.
const FREE_TO_LOOK_AHEAD: u32 = 12;
/// Positions with fewer free squares are not kept.
const FREE_TO_KEEP: u32 = 8;

/// A solver with its table of positions.
pub(crate) struct Solver {
    table: WorthTable,
    /// How many positions were searched.
    pub(crate) positions: u64,
}

impl Solver {
    /// A solver with 2 to the power of `bits` pairs of positions of 8 bytes each.
    pub(crate) fn new(bits: u32) -> Solver {
        Solver { table: WorthTable::new(bits), positions: 0 }
    }

    /// What a position is worth.
    pub(crate) fn worth(&mut self, board: Board) -> Worth {
        self.within(board, Lost, Won)
    }

    /// Whether the player to move can get as much.
    pub(crate) fn can_get(&mut self, board: Board, least: Worth) -> bool {
        match least {
            Lost => true,
            Drawn => self.within(board, Lost, Drawn) >= Drawn,
            Won => self.within(board, Drawn, Won) >= Won,
        }
    }

    /// The worth if it lies between the two; otherwise a bound on it, on the same side of both.
    fn within(&mut self, board: Board, low: Worth, high: Worth) -> Worth {
        if board.is_won() {
            Lost
        } else if board.landings() & fours(board.mine, board.all) != 0 {
            Won
        } else {
            self.search(board, low, high)
        }
    }

    /// The same where the player to move cannot win at once and nobody has won.
    fn search(&mut self, board: Board, mut low: Worth, mut high: Worth) -> Worth {
        self.positions += 1;
        let moves = safe(board);
        if moves == 0 {
            return if board.all == SQUARES { Drawn } else { Lost };
        }
        let free = SQUARES.count_ones() - board.all.count_ones();
        if free <= 2 {
            return Drawn;
        }
        let (least, most) = limits(board);
        if least >= high || least == most {
            return least;
        }
        if most <= low {
            return most;
        }
        (low, high) = (low.max(least), high.min(most));
        let place = (free >= FREE_TO_KEEP).then(|| WorthTable::key(board));
        if let Some((least, most)) = place.map(|key| self.table.look(key)) {
            if least >= high || least == most {
                return least;
            }
            if most <= low {
                return most;
            }
            (low, high) = (low.max(least), high.min(most));
        }
        let before = self.positions;
        let best = self.best(board, moves, free, low, high);
        if let Some(key) = place {
            let known = if best >= high {
                (best, Won)
            } else if best <= low {
                (Lost, best)
            } else {
                (best, best)
            };
            self.table.keep(key, known, self.positions - before);
        }
        best
    }

    /// The worth of the best of some moves, none of which ends the game.
    fn best(&mut self, board: Board, moves: u64, free: u32, low: Worth, high: Worth) -> Worth {
        if free >= FREE_TO_LOOK_AHEAD {
            for landing in each(moves) {
                let (_, most) = self.table.look(WorthTable::key(board.play(landing)));
                if most.turned() >= high {
                    return most.turned();
                }
            }
        }
        let mut best = Lost;
        for landing in ordered(board, moves) {
            let next = board.play(landing);
            let worth = self.search(next, high.turned(), low.max(best).turned()).turned();
            best = best.max(worth);
            if best >= high {
                break;
            }
        }
        best
    }
}

/// The moves after which the other player does not win at once.
fn safe(board: Board) -> u64 {
    let threats = fours(board.mine ^ board.all, board.all);
    let landings = board.landings();
    let forced = landings & threats;
    let moves = match forced.count_ones() {
        0 => landings,
        1 => forced,
        _ => return 0,
    };
    // Not below a square where the other player wins.
    moves & !(threats >> 1)
}

/// Bounds that need no search.
///
/// 1. Who cannot get four in a line with all free squares besides his own cannot win.
/// 2. Where every column has an even number of free squares, the other player can answer every move in the same column. Then
///    the free squares of odd rows go to the player to move and those of even rows to the other, unless the other does better.
fn limits(board: Board) -> (Worth, Worth) {
    let (mine, theirs) = (board.mine, board.mine ^ board.all);
    let free = SQUARES & !board.all;
    let (mut least, mut most) = (Lost, Won);
    if !has_four(theirs | free) {
        least = Drawn;
    }
    if !has_four(mine | free) {
        most = Drawn;
    }
    // The lowest free square of each column that has one is in an odd row.
    if board.landings() & !ODD_ROWS == 0 && !has_four(mine | free & ODD_ROWS) {
        most = if has_four(theirs | free & !ODD_ROWS) { Lost } else { Drawn };
    }
    (least.min(most), most)
}

/// Moves that make most threats first, then those nearer to the centre.
fn ordered(board: Board, moves: u64) -> impl Iterator<Item = u64> {
    let mut found = [(0_u32, 0_u64); 7];
    let mut count = 0;
    for column in CENTRE_FIRST {
        let landing = moves & 0x3f << (7 * column);
        if landing == 0 {
            continue;
        }
        let threats = fours(board.mine | landing, board.all | landing).count_ones();
        let mut at = count;
        while at > 0 && found[at - 1].0 < threats {
            found[at] = found[at - 1];
            at -= 1;
        }
        found[at] = (threats, landing);
        count += 1;
    }
    found.into_iter().take(count).map(|(_, landing)| landing)
}

/// The free squares with which these discs have four in a line.
fn fours(discs: u64, all: u64) -> u64 {
    // Upwards there is only one way.
    let mut found = discs << 1 & discs << 2 & discs << 3;
    for step in [6, 7, 8] {
        let above = discs << step & discs << (2 * step);
        found |= above & discs << (3 * step);
        found |= above & discs >> step;
        let below = discs >> step & discs >> (2 * step);
        found |= below & discs >> (3 * step);
        found |= below & discs << step;
    }
    found & SQUARES & !all
}

/// Bounds on positions, each in 8 bytes: the position in 49 bits, then the effort, then the bounds. Of each pair of places, the
/// first keeps what took more effort.
struct WorthTable {
    places: Vec<[u64; 2]>,
    shift: u32,
}

/// How many bits the bounds take, and the effort before them.
const BOUND_BITS: u32 = 4;
const EFFORT_BITS: u32 = 6;

impl WorthTable {
    fn new(bits: u32) -> WorthTable {
        WorthTable { places: vec![[0; 2]; 1 << bits], shift: 64 - bits }
    }

    /// A number for a position and its mirror image.
    fn key(board: Board) -> u64 {
        // Above the discs of each column is a bit that says how many there are.
        let key = board.mine + board.all + FLOOR;
        let mirrored = (0..7).fold(0, |mirrored, column| {
            mirrored | (key >> (7 * column) & 0x7f) << (42 - 7 * column)
        });
        key.min(mirrored)
    }

    fn place(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    fn look(&self, key: u64) -> (Worth, Worth) {
        let known = self.places[self.place(key)];
        let found = known.into_iter().find(|entry| entry >> (BOUND_BITS + EFFORT_BITS) == key);
        found.map_or((Lost, Won), |entry| (worth_of(entry >> 2), worth_of(entry)))
    }

    fn keep(&mut self, key: u64, (least, most): (Worth, Worth), effort: u64) {
        let place = self.place(key);
        let effort = u64::from(64 - effort.leading_zeros()).min((1 << EFFORT_BITS) - 1);
        let entry = (key << EFFORT_BITS | effort) << BOUND_BITS | (least as u64) << 2 | most as u64;
        let [first, second] = &mut self.places[place];
        let key_of = |entry: u64| entry >> (BOUND_BITS + EFFORT_BITS);
        let effort_of = |entry: u64| entry >> BOUND_BITS & ((1 << EFFORT_BITS) - 1);
        if key_of(*first) == key || effort_of(*first) <= effort {
            *first = entry;
        } else {
            *second = entry;
        }
    }
}

fn worth_of(bits: u64) -> Worth {
    match bits & 3 {
        0 => Lost,
        1 => Drawn,
        _ => Won,
    }
}
