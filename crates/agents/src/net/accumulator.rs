//! The sums of a net for a position, kept up to date from position to position.

use pulp::Arch;
use regulus_engine::State;

use super::Net;
use super::dots::{Dots, Portable};
use crate::position_stack::PositionStack;

/// The sums for what the cells of a position hold.
#[derive(Clone, Debug)]
pub(crate) struct Accumulator {
    cells: Vec<u8>,
    /// Those of the first player and then those of the second.
    pub(super) sums: Vec<i16>,
    /// What the inputs add to the result by themselves, for each player.
    pub(super) direct: [i32; 2],
    /// How many cells hold what counts.
    pub(super) filled: usize,
}

impl Accumulator {
    /// Of a position; all its cells are summed up.
    fn new(net: &Net, cells: &[u8]) -> Accumulator {
        let sums = [&net.input_bias[..], &net.input_bias].concat();
        let mut accumulator =
            Accumulator { cells: cells.to_vec(), sums, direct: [0; 2], filled: 0 };
        for (cell, &kind) in cells.iter().enumerate() {
            accumulator.change(net, cell, None, Some(kind));
        }
        accumulator
    }

    /// Exchanges what a cell holds.
    #[inline(always)]
    fn change(&mut self, net: &Net, cell: usize, old: Option<u8>, new: Option<u8>) {
        let sums = net.sums;
        let counts =
            |kind: Option<u8>| kind.is_some_and(|kind| net.inputs.row(0, cell, kind).is_some());
        self.filled = self.filled + usize::from(counts(new)) - usize::from(counts(old));
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
    #[inline(always)]
    fn go_to(&mut self, net: &Net, cells: &[u8]) {
        const WORD: usize = 16;
        for (word, new) in cells.chunks(WORD).enumerate() {
            let start = word * WORD;
            if self.cells[start..start + new.len()] == *new {
                continue;
            }
            for (cell, &new) in (start..).zip(new) {
                let old = std::mem::replace(&mut self.cells[cell], new);
                if old != new {
                    self.change(net, cell, Some(old), Some(new));
                }
            }
        }
    }

    /// Becomes that of another position.
    #[inline(always)]
    fn copy_from(&mut self, other: &Accumulator) {
        self.cells.copy_from_slice(&other.cells);
        self.sums.copy_from_slice(&other.sums);
        self.direct = other.direct;
        self.filled = other.filled;
    }
}

/// Judges positions by a net. It remembers the sums of the positions that it saw last, by how deep in a search they were.
#[derive(Debug)]
pub(crate) struct NetJudge<'a> {
    net: &'a Net,
    arch: Arch,
    places: Vec<Accumulator>,
    cells: Vec<u8>,
}

impl<'a> NetJudge<'a> {
    pub(crate) fn new(net: &'a Net) -> NetJudge<'a> {
        NetJudge { net, arch: Arch::new(), places: Vec::new(), cells: Vec::new() }
    }

    /// What a position is worth to the player to move.
    pub(crate) fn value(&mut self, state: &State, mover: usize) -> i32 {
        self.reach(0, state);
        self.net.value(&self.places[0], mover, Portable)
    }

    /// What the position at `ply` is worth to the player to move.
    #[inline]
    pub(crate) fn value_at(&mut self, stack: &PositionStack<'_>, ply: usize, mover: usize) -> i32 {
        // With the widest instructions that the machine has; the numbers are whole, so the result is the same.
        match self.arch {
            #[cfg(target_arch = "x86_64")]
            Arch::V4(simd) => simd.vectorize(
                #[inline(always)]
                || self.find_value(stack, ply, mover, simd),
            ),
            #[cfg(target_arch = "x86_64")]
            Arch::V3(simd) => simd.vectorize(
                #[inline(always)]
                || self.find_value(stack, ply, mover, simd),
            ),
            arch => arch.dispatch(
                #[inline(always)]
                || self.find_value(stack, ply, mover, Portable),
            ),
        }
    }

    #[inline(always)]
    fn find_value(
        &mut self,
        stack: &PositionStack<'_>,
        ply: usize,
        mover: usize,
        way: impl Dots,
    ) -> i32 {
        if ply == 0 {
            self.reach(0, stack.state(0));
            return self.net.value(&self.places[0], mover, way);
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
        self.net.value(&self.places[ply], mover, way)
    }

    /// Makes the sums at a place those of a position.
    #[inline(always)]
    fn reach(&mut self, place: usize, state: &State) {
        let NetJudge { net, places, cells, .. } = self;
        cells.clear();
        net.inputs.write_cells(state, cells);
        while places.len() <= place {
            places.push(Accumulator::new(net, cells));
        }
        places[place].go_to(net, cells);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::RngExt as _;
    use regulus_engine::generator;
    use regulus_game::{Config, EngineKind, Game, Match};

    use super::super::{NetInputs, NetWeights};
    use super::*;

    /// A net with random weights.
    fn net(game: &Arc<Game>) -> Net {
        let inputs = Arc::new(NetInputs::new(game).expect("a game for two"));
        let mut weights = NetWeights::zero(&inputs, 24, 3);
        let mut random = generator(1);
        for list in weights.lists_mut() {
            list.iter_mut().for_each(|weight| *weight = random.random_range(-0.4..0.4));
        }
        Net::new(inputs, &weights)
    }

    fn load(name: &str) -> Arc<Game> {
        let config = Config { engine: EngineKind::Plan, ..Config::default() };
        Game::load(name, &config).expect("it is bundled")
    }

    #[test]
    fn sums_that_were_kept_up_to_date_are_those_of_the_position() {
        // The long tests say how many.
        let least: usize = std::env::var("REGULUS_NET_POSITIONS")
            .map_or(Ok(1_000), |it| it.parse())
            .expect("a number");
        let mut compared = 0;
        let names = ["breakthrough", "chess", "animal_shogi", "nine_mens_morris", "metagame_chess"];
        for (number, name) in names.into_iter().enumerate() {
            let game = load(name);
            let net = net(&game);
            let mut random = generator(2);
            let mut judge = NetJudge::new(&net);
            let wanted = least * (number + 1) / names.len();
            for seed in 0.. {
                if compared > wanted {
                    break;
                }
                let mut play = Match::seeded(&game, seed).expect("it begins");
                while play.line().len() < 60 && play.play_random(&mut random).expect("it is played")
                {
                    let mover = play.player().map_or(0, |player| player.0 as usize);
                    let kept = judge.value(play.state(), mover);
                    assert_eq!(kept, NetJudge::new(&net).value(play.state(), mover), "{name}");
                    compared += 1;
                }
            }
        }
        assert!(compared > least, "{compared}");
    }

    #[test]
    fn exchanged_players_are_worth_the_same() {
        // The first position is the same for both, up to who is to move.
        let game = load("breakthrough");
        let net = net(&game);
        let play = Match::new(&game).expect("it begins");
        let mut judge = NetJudge::new(&net);
        assert_eq!(judge.value(play.state(), 0), judge.value(play.state(), 1));
    }
}
