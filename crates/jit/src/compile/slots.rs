//! The slots of a stage or survey: sets of squares in variables of the function.

use regulus_automaton::Automaton;
use regulus_engine::segment::{Segments, Slot, Stage};

use super::body::Body;
use super::sets::{Set, SetVariable, Sets};
use super::sizes::Sizes;

/// Slots while code for them is written. A slot without a variable is empty.
#[derive(Default)]
pub(super) struct Slots {
    variables: Vec<Option<SetVariable>>,
    sizes: Sizes,
}

impl Slots {
    /// Returns the slots of a stage, all of them empty.
    pub(super) fn of_stage(automaton: &Automaton, segments: &Segments, stage: &Stage) -> Slots {
        Slots {
            variables: vec![None; stage.slots as usize],
            sizes: Sizes::new(automaton, segments, stage),
        }
    }

    /// Returns the given number of slots, all of them empty, of which each may come to hold many squares.
    pub(super) fn wide(count: u32) -> Slots {
        Slots { variables: vec![None; count as usize], sizes: Sizes::wide(count) }
    }

    /// Returns whether a slot is likely to hold quite a number of squares.
    pub(super) fn is_many(&self, slot: Slot) -> bool {
        self.sizes.is_many(slot)
    }

    /// Returns whether a slot is likely to hold very few squares.
    pub(super) fn is_few(&self, slot: Slot) -> bool {
        self.sizes.is_few(slot)
    }

    fn get(&self, slot: Slot, sets: &mut Sets<'_>) -> Set {
        match &self.variables[slot as usize] {
            Some(variable) => sets.read(variable),
            None => sets.empty(),
        }
    }

    fn set(&mut self, slot: Slot, set: &Set, sets: &mut Sets<'_>) {
        let variable = self.variables[slot as usize].get_or_insert_with(|| sets.variable());
        sets.assign(variable, set);
    }

    /// Gives a slot without a variable one, before code that may not be run assigns to it.
    fn begin(&mut self, slot: Slot, sets: &mut Sets<'_>) {
        if self.variables[slot as usize].is_none() {
            let empty = sets.empty();
            self.set(slot, &empty, sets);
        }
    }

    fn add(&mut self, slot: Slot, arrived: &Set, sets: &mut Sets<'_>) {
        let both = match self.variables[slot as usize] {
            Some(_) => {
                let before = self.get(slot, sets);
                sets.or(&before, arrived)
            }
            None => arrived.clone(),
        };
        self.set(slot, &both, sets);
    }
}

impl Body<'_, '_, '_> {
    /// Returns the squares of a slot.
    pub(super) fn get(&mut self, slot: Slot) -> Set {
        self.frame.slots.get(slot, &mut self.sets)
    }

    /// Assigns squares to a slot.
    pub(super) fn set(&mut self, slot: Slot, set: &Set) {
        self.frame.slots.set(slot, set, &mut self.sets);
    }

    /// Makes sure that a slot has a variable, before code that may not be run assigns to it.
    pub(super) fn begin_slot(&mut self, slot: Slot) {
        self.frame.slots.begin(slot, &mut self.sets);
    }

    /// Adds squares to a slot.
    pub(super) fn add(&mut self, slot: Slot, arrived: &Set) {
        self.frame.slots.add(slot, arrived, &mut self.sets);
    }
}
