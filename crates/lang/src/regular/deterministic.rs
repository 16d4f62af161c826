//! Nondeterministic to deterministic: states become sets of states.

use std::collections::{BTreeMap, HashMap};

use super::machine::Machine;
use super::{MAX_STATES, MAX_WORK, TooLarge};

impl<L: Clone + Ord> Machine<L> {
    /// An automaton of the same words with at most one step for each state and letter, and none that reads nothing.
    pub(super) fn determinise(&self) -> Result<Machine<L>, TooLarge> {
        let mut closure =
            EpsilonClosure { machine: self, seen: vec![0; self.len()], round: 0, work: 0 };
        let mut result = Machine { start: 0, accepts: Vec::new(), steps: Vec::new() };
        let first = closure.of(vec![self.start])?;
        let mut numbers: HashMap<Vec<usize>, usize> = HashMap::new();
        let mut sets = vec![first.clone()];
        numbers.insert(first, result.add());
        let mut next = 0;
        while next < sets.len() {
            let set = std::mem::take(&mut sets[next]);
            result.accepts[next] = set.iter().any(|&state| self.accepts[state]);
            let mut targets: BTreeMap<&L, Vec<usize>> = BTreeMap::new();
            for &state in &set {
                for (letter, to) in self.letters(state) {
                    targets.entry(letter).or_default().push(to);
                }
            }
            for (letter, targets) in targets {
                let set = closure.of(targets)?;
                let to = match numbers.get(&set) {
                    Some(&number) => number,
                    None if numbers.len() == MAX_STATES => return Err(TooLarge::States),
                    None => {
                        let number = result.add();
                        sets.push(set.clone());
                        numbers.insert(set, number);
                        number
                    }
                };
                result.steps[next].push((Some(letter.clone()), to));
            }
            next += 1;
        }
        Ok(result)
    }
}

/// Finds what is reached without reading.
struct EpsilonClosure<'a, L> {
    machine: &'a Machine<L>,
    /// The round in which a state was last reached.
    seen: Vec<usize>,
    round: usize,
    work: usize,
}

impl<L: Clone + Ord> EpsilonClosure<'_, L> {
    /// The states reached from these without reading, in ascending order.
    fn of(&mut self, mut states: Vec<usize>) -> Result<Vec<usize>, TooLarge> {
        self.round += 1;
        self.work += states.len();
        states.retain(|&state| std::mem::replace(&mut self.seen[state], self.round) != self.round);
        let mut next = 0;
        while next < states.len() {
            for (letter, to) in &self.machine.steps[states[next]] {
                self.work += 1;
                if letter.is_none() && self.seen[*to] != self.round {
                    self.seen[*to] = self.round;
                    states.push(*to);
                }
            }
            next += 1;
        }
        if self.work > MAX_WORK {
            return Err(TooLarge::States);
        }
        states.sort_unstable();
        Ok(states)
    }
}
