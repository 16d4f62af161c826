//! In which order the moves of a position are tried: those that take much first, then those that were good elsewhere.

use regulus_automaton::Player;
use regulus_engine::{MoveList, State, Step};

use crate::evaluation::{Evaluation, Features};
use crate::move_key::move_key;

/// How many kinds of moves are told apart where it is remembered how good they were.
const REMEMBERED: usize = 1 << 14;

/// What is known about a move before it is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prospect {
    /// Its number in the list.
    pub(super) index: u32,
    pub(super) key: u32,
    /// What the position gains by it.
    pub(super) gain: i32,
    /// By which moves are sorted.
    pub(super) rank: i32,
    /// Whether it takes a piece or promotes one, where such moves are followed.
    pub(super) is_sharp: bool,
}

impl Prospect {
    #[inline]
    fn new(
        (features, evaluation): (&Features, &Evaluation),
        state: &State,
        player: Player,
        index: usize,
        steps: &[Step],
    ) -> Prospect {
        let gain = evaluation.gain(features, state, player, steps);
        let is_sharp = gain.takes && evaluation.follows_captures
            || evaluation.follows_promotions && gain.own > evaluation.unit / 2;
        Prospect { index: index as u32, key: move_key(steps), gain: gain.gain, rank: 0, is_sharp }
    }
}

/// What is noted at a depth of the line that is being looked at.
#[derive(Clone, Debug, Default)]
struct Level {
    prospects: Vec<Prospect>,
    /// Moves that were good in other positions of this depth.
    killers: [u32; 2],
}

/// Sorts the moves at each depth of a search, and learns from which of them were good.
#[derive(Debug)]
pub(super) struct MoveOrder<'a> {
    features: &'a Features,
    evaluation: &'a Evaluation,
    levels: Vec<Level>,
    /// How good moves were by which others were refuted.
    good: Vec<i32>,
}

impl<'a> MoveOrder<'a> {
    /// For a search of at most `depth` moves ahead.
    pub(super) fn new(
        features: &'a Features,
        evaluation: &'a Evaluation,
        depth: usize,
    ) -> MoveOrder<'a> {
        let levels = vec![Level::default(); depth + 1];
        MoveOrder { features, evaluation, levels, good: vec![0; REMEMBERED] }
    }

    /// The moves that are noted at `ply`.
    #[inline]
    pub(super) fn prospects(&self, ply: usize) -> &[Prospect] {
        &self.levels[ply].prospects
    }

    /// Notes one move at `ply`, as if there were no others.
    #[inline]
    pub(super) fn note_only(
        &mut self,
        ply: usize,
        state: &State,
        list: &MoveList,
        player: Player,
        index: usize,
    ) -> Prospect {
        let about = (self.features, self.evaluation);
        let prospect = Prospect::new(about, state, player, index, list.get(index));
        let prospects = &mut self.levels[ply].prospects;
        prospects.clear();
        prospects.push(prospect);
        prospect
    }

    /// Notes all moves at `ply`. If the one with the index `tried` was looked at before, it stands first.
    pub(super) fn note_all(
        &mut self,
        ply: usize,
        state: &State,
        list: &MoveList,
        player: Player,
        tried: Option<usize>,
    ) {
        let MoveOrder { features, evaluation, levels, good } = self;
        let Level { prospects, killers } = &mut levels[ply];
        prospects.clear();
        for (index, steps) in list.iter().enumerate() {
            let mut prospect = Prospect::new((features, evaluation), state, player, index, steps);
            prospect.rank = if prospect.is_sharp && prospect.gain >= 0 {
                (1 << 28) + prospect.gain
            } else if killers.contains(&prospect.key) {
                1 << 27
            } else {
                let known = good[prospect.key as usize % REMEMBERED];
                known.saturating_mul(16).saturating_add(prospect.gain).clamp(-(1 << 26), 1 << 26)
            };
            prospects.push(prospect);
        }
        if let Some(index) = tried {
            prospects.swap(0, index);
        }
    }

    /// Notes the moves at `ply` that take or promote, and no others.
    pub(super) fn note_sharp(
        &mut self,
        ply: usize,
        state: &State,
        list: &MoveList,
        player: Player,
    ) {
        let MoveOrder { features, evaluation, levels, .. } = self;
        let prospects = &mut levels[ply].prospects;
        prospects.clear();
        for (index, steps) in list.iter().enumerate() {
            // Few moves take, and it is soon seen which.
            if !evaluation.follows_promotions && !features.takes(state, player, steps) {
                continue;
            }
            let mut prospect = Prospect::new((features, evaluation), state, player, index, steps);
            if prospect.is_sharp {
                prospect.rank = prospect.gain;
                prospects.push(prospect);
            }
        }
    }

    /// Brings the best of the moves at `ply` that are left to a place, and returns it.
    #[inline]
    pub(super) fn choose_next(&mut self, ply: usize, place: usize) -> Prospect {
        let prospects = &mut self.levels[ply].prospects;
        let mut best = place;
        for other in place + 1..prospects.len() {
            if prospects[other].rank > prospects[best].rank {
                best = other;
            }
        }
        prospects.swap(place, best);
        prospects[place]
    }

    /// Remembers a quiet move that refuted the one before, and that those tried before it did not.
    pub(super) fn praise(&mut self, ply: usize, place: usize, depth: i32) {
        let Level { prospects, killers } = &mut self.levels[ply];
        let key = prospects[place].key;
        if killers[0] != key {
            *killers = [key, killers[0]];
        }
        let bonus = (depth * depth).min(400);
        for (index, prospect) in prospects[..=place].iter().enumerate() {
            if prospect.is_sharp {
                continue;
            }
            let entry = &mut self.good[prospect.key as usize % REMEMBERED];
            let change = if index == place { bonus } else { -bonus };
            *entry += change - *entry * bonus / 16_384;
        }
    }
}
