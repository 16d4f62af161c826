//! Code for ways at fixed distances, which are computed for all squares at once.

use regulus_engine::segment::{Leg, Spread};

use super::body::Body;
use super::sets::Set;
use crate::tables::set_words;

impl Body<'_, '_, '_> {
    /// The squares that some way of a spread leads to.
    pub(super) fn spread(&mut self, spread: &Spread, squares: &Set) -> Option<Set> {
        let mut reached = self.sets.empty();
        for way in &spread.ways {
            let there = self.go(way, squares)?;
            reached = self.sets.or(&reached, &there);
        }
        Some(reached)
    }

    /// The squares from which some way leads to acceptance.
    pub(super) fn sure(&mut self, ways: &[Vec<Leg>], squares: &Set) -> Option<Set> {
        let mut sure = self.sets.empty();
        for way in ways {
            let distance: i32 = way.iter().map(|leg| leg.distance).sum();
            let there = self.go(way, squares)?;
            let back = self.sets.shifted(&there, -distance);
            sure = self.sets.or(&sure, &back);
        }
        Some(sure)
    }

    fn go(&mut self, way: &[Leg], squares: &Set) -> Option<Set> {
        let mut set = squares.clone();
        for leg in way {
            if let Some(from) = leg.from {
                let from = set_words(&self.segments().square_sets[from as usize], self.sets.words);
                set = self.sets.and_mask(&set, &from);
            }
            set = self.sets.shifted(&set, leg.distance);
            if let Some(guard) = leg.guard {
                set = self.keep_on(&set, guard);
            }
            if let Some(pair) = leg.condition {
                let holds = self.holds(pair, None)?;
                let condition = self.sets.ones_if(holds);
                set = self.sets.when(&set, condition);
            }
        }
        Some(set)
    }
}
