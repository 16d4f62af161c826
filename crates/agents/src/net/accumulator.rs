//! The sums of a net for a position, kept up to date from position to position.

use regulus_engine::State;

use super::Net;
use crate::position_stack::PositionStack;

/// The sums for what the cells of a position hold.
#[derive(Clone, Debug)]
pub(crate) struct Accumulator {
    cells: Vec<u8>,
    /// Those of the first player and then those of the second.
    pub(super) sums: Vec<i16>,
    /// What the inputs add to the result by themselves, for each player.
    pub(super) direct: [i32; 2],
}

impl Accumulator {
    /// Of a position; all its cells are summed up.
    fn new(net: &Net, cells: &[u8]) -> Accumulator {
        let sums = [&net.input_bias[..], &net.input_bias].concat();
        let mut accumulator = Accumulator { cells: cells.to_vec(), sums, direct: [0; 2] };
        for (cell, &kind) in cells.iter().enumerate() {
            accumulator.change(net, cell, None, Some(kind));
        }
        accumulator
    }

    /// Exchanges what a cell holds.
    #[inline]
    fn change(&mut self, net: &Net, cell: usize, old: Option<u8>, new: Option<u8>) {
        let sums = net.sums;
        for (player, own) in self.sums.chunks_exact_mut(sums).enumerate() {
            let row = |kind: Option<u8>| kind.and_then(|kind| net.inputs.row(player, cell, kind));
            let weights = |row: usize| &net.input[row * sums..(row + 1) * sums];
            match (row(old), row(new)) {
                (Some(old), Some(new)) => {
                    self.direct[player] = self.direct[player]
                        .wrapping_add(net.direct[new])
                        .wrapping_sub(net.direct[old]);
                    let both = weights(old).iter().zip(weights(new));
                    for (sum, (old, new)) in own.iter_mut().zip(both) {
                        *sum = sum.wrapping_add(new.wrapping_sub(*old));
                    }
                }
                (Some(old), None) => {
                    self.direct[player] = self.direct[player].wrapping_sub(net.direct[old]);
                    for (sum, old) in own.iter_mut().zip(weights(old)) {
                        *sum = sum.wrapping_sub(*old);
                    }
                }
                (None, Some(new)) => {
                    self.direct[player] = self.direct[player].wrapping_add(net.direct[new]);
                    for (sum, new) in own.iter_mut().zip(weights(new)) {
                        *sum = sum.wrapping_add(*new);
                    }
                }
                (None, None) => {}
            }
        }
    }

    /// Goes to another position: only cells that differ are looked at closely.
    #[inline]
    fn go_to(&mut self, net: &Net, cells: &[u8]) {
        const WORD: usize = 16;
        for start in (0..cells.len()).step_by(WORD) {
            let end = (start + WORD).min(cells.len());
            if self.cells[start..end] == cells[start..end] {
                continue;
            }
            for cell in start..end {
                let (old, new) = (self.cells[cell], cells[cell]);
                if old != new {
                    self.cells[cell] = new;
                    self.change(net, cell, Some(old), Some(new));
                }
            }
        }
    }

    /// Becomes that of another position.
    #[inline]
    fn copy_from(&mut self, other: &Accumulator) {
        self.cells.copy_from_slice(&other.cells);
        self.sums.copy_from_slice(&other.sums);
        self.direct = other.direct;
    }
}

/// Judges positions by a net. It remembers the sums of the positions that it saw last, by how deep in a search they were.
#[derive(Debug)]
pub(crate) struct NetJudge<'a> {
    net: &'a Net,
    places: Vec<Accumulator>,
    cells: Vec<u8>,
}

impl<'a> NetJudge<'a> {
    pub(crate) fn new(net: &'a Net) -> NetJudge<'a> {
        NetJudge { net, places: Vec::new(), cells: Vec::new() }
    }

    /// What a position is worth to the player to move.
    pub(crate) fn value(&mut self, state: &State, mover: usize) -> i32 {
        self.reach(0, state);
        self.net.value(&self.places[0], mover)
    }

    /// What the position at `ply` is worth to the player to move.
    #[inline]
    pub(crate) fn value_at(&mut self, stack: &PositionStack<'_>, ply: usize, mover: usize) -> i32 {
        if ply == 0 {
            return self.value(stack.state(0), mover);
        }
        // Positions after one move have the one before in common.
        self.reach(ply - 1, stack.state(ply - 1));
        if self.places.len() == ply {
            self.places.push(self.places[ply - 1].clone());
        }
        let (before, after) = self.places.split_at_mut(ply);
        after[0].copy_from(&before[ply - 1]);
        self.cells.clear();
        self.net.inputs.write_cells(stack.state(ply), &mut self.cells);
        after[0].go_to(self.net, &self.cells);
        self.net.value(&self.places[ply], mover)
    }

    /// Makes the sums at a place those of a position.
    #[inline]
    fn reach(&mut self, place: usize, state: &State) {
        let NetJudge { net, places, cells } = self;
        cells.clear();
        net.inputs.write_cells(state, cells);
        while places.len() <= place {
            places.push(Accumulator::new(net, cells));
        }
        places[place].go_to(net, cells);
    }
}
