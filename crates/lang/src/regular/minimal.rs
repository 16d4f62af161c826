//! Deterministic to minimal: states that cannot be told apart are joined.
//!
//! Refines a partition of the states and one of the steps in turn, which takes time near linear in the steps (Valmari
//! and Lehtinen's form of Hopcroft's algorithm, made for automata that lack steps).

use super::machine::Machine;

impl<L: Clone + Ord> Machine<L> {
    /// The smallest deterministic automaton of the same words, without states from which no word is completed; its
    /// states are numbered as they are reached from the start. This automaton must be deterministic.
    pub(super) fn minimise(&self) -> Machine<L> {
        let alive = self.alive();
        let mut steps: Vec<(&L, usize, usize)> = Vec::new();
        for from in (0..self.len()).filter(|&state| alive[state]) {
            let leaving = self.letters(from).filter(|(_, to)| alive[*to]);
            steps.extend(leaving.map(|(letter, to)| (letter, from, to)));
        }
        steps.sort_unstable();
        let blocks = refine(self, &steps);

        // The blocks in the order in which they are reached.
        let mut numbers: Vec<Option<usize>> = vec![None; blocks.count()];
        let mut result = Machine { start: 0, accepts: Vec::new(), steps: Vec::new() };
        let mut members = vec![self.start];
        numbers[blocks.of[self.start]] = Some(result.add());
        let mut next = 0;
        while let Some(&member) = members.get(next) {
            result.accepts[next] = self.accepts[member];
            for (letter, to) in self.letters(member).filter(|(_, to)| alive[*to]) {
                let number = *numbers[blocks.of[to]].get_or_insert_with(|| {
                    members.push(to);
                    result.add()
                });
                result.steps[next].push((Some(letter.clone()), number));
            }
            next += 1;
        }
        result
    }

    /// Whether a word is completed from each state; the start counts as alive.
    fn alive(&self) -> Vec<bool> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.len()];
        for (from, steps) in self.steps.iter().enumerate() {
            steps.iter().for_each(|(_, to)| before[*to].push(from));
        }
        let mut alive = self.accepts.clone();
        let mut work: Vec<usize> = (0..self.len()).filter(|&state| alive[state]).collect();
        while let Some(state) = work.pop() {
            for &from in &before[state] {
                if !std::mem::replace(&mut alive[from], true) {
                    work.push(from);
                }
            }
        }
        alive[self.start] = true;
        alive
    }
}

/// The coarsest partition of the states that acceptance and steps (sorted by letter) respect.
fn refine<L: Ord>(machine: &Machine<L>, steps: &[(&L, usize, usize)]) -> StatePartition {
    let states = machine.steps.len();
    let mut entering: Vec<Vec<usize>> = vec![Vec::new(); states];
    for (step, (_, _, to)) in steps.iter().enumerate() {
        entering[*to].push(step);
    }
    let mut blocks = StatePartition::new(states);
    (0..states).filter(|&state| machine.accepts[state]).for_each(|state| blocks.mark(state));
    blocks.split();
    let mut cords = StatePartition::new(steps.len());
    let mut first = 0;
    for alike in steps.chunk_by(|a, b| a.0 == b.0) {
        // Each letter's steps in turn become a set of their own.
        (first..first + alike.len()).for_each(|step| cords.mark(step));
        cords.split();
        first += alike.len();
    }
    let (mut next_block, mut next_cord) = (1, 0);
    while next_cord < cords.count() {
        for index in cords.range(next_cord) {
            blocks.mark(steps[cords.elements[index]].1);
        }
        blocks.split();
        next_cord += 1;
        while next_block < blocks.count() {
            for index in blocks.range(next_block) {
                entering[blocks.elements[index]].iter().for_each(|&step| cords.mark(step));
            }
            cords.split();
            next_block += 1;
        }
    }
    blocks
}

/// A partition of numbers whose sets can be split by marking some of their elements.
struct StatePartition {
    /// The elements, those of a set together and its marked ones first.
    elements: Vec<usize>,
    place: Vec<usize>,
    /// The set of each element.
    of: Vec<usize>,
    /// Where each set begins, and ends, among the elements.
    first: Vec<usize>,
    past: Vec<usize>,
    marked: Vec<usize>,
    touched: Vec<usize>,
}

impl StatePartition {
    fn new(count: usize) -> StatePartition {
        let sets = usize::from(count > 0);
        StatePartition {
            elements: (0..count).collect(),
            place: (0..count).collect(),
            of: vec![0; count],
            first: vec![0; sets],
            past: vec![count; sets],
            marked: vec![0; sets],
            touched: Vec::new(),
        }
    }

    fn count(&self) -> usize {
        self.first.len()
    }

    fn range(&self, set: usize) -> std::ops::Range<usize> {
        self.first[set]..self.past[set]
    }

    fn mark(&mut self, element: usize) {
        let set = self.of[element];
        let (from, to) = (self.place[element], self.first[set] + self.marked[set]);
        if from < to {
            return;
        }
        let other = self.elements[to];
        (self.elements[from], self.elements[to]) = (other, element);
        (self.place[other], self.place[element]) = (from, to);
        if self.marked[set] == 0 {
            self.touched.push(set);
        }
        self.marked[set] += 1;
    }

    /// Makes the marked, or the unmarked, elements of each touched set a set of their own, whichever are fewer.
    fn split(&mut self) {
        while let Some(set) = self.touched.pop() {
            let middle = self.first[set] + self.marked[set];
            self.marked[set] = 0;
            if middle == self.past[set] {
                continue;
            }
            let new = self.count();
            if middle - self.first[set] <= self.past[set] - middle {
                self.first.push(self.first[set]);
                self.past.push(middle);
                self.first[set] = middle;
            } else {
                self.first.push(middle);
                self.past.push(self.past[set]);
                self.past[set] = middle;
            }
            self.marked.push(0);
            for index in self.range(new) {
                self.of[self.elements[index]] = new;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Regular::{self, Chain, Letter, Star, Sum};

    fn minimal(expression: &Regular<char>) -> (usize, usize) {
        let machine = expression.machines().expect("small").minimal;
        (machine.len(), machine.step_count())
    }

    #[test]
    fn states_that_cannot_be_told_apart_are_joined() {
        // aa* + a*b: begin, after a, after b.
        let a = || Letter('a');
        let ride = Sum(vec![
            Chain(vec![a(), Star(Box::new(a()))]),
            Chain(vec![Star(Box::new(a())), Letter('b')]),
        ]);
        assert_eq!(minimal(&ride), (3, 4));
        // (a+b)*a(a+b)(a+b): the classical example that grows with every letter that follows.
        let any = || Sum(vec![a(), Letter('b')]);
        let third = Chain(vec![Star(Box::new(any())), a(), any(), any()]);
        assert_eq!(minimal(&third), (8, 16));
    }

    #[test]
    fn words_that_cannot_be_completed_leave_nothing() {
        let none = Chain(vec![Letter('a'), Sum(vec![])]);
        assert_eq!(minimal(&none), (1, 0));
        assert_eq!(minimal(&Regular::Empty), (1, 0));
        assert_eq!(minimal(&Star(Box::new(Regular::Empty))), (1, 0));
    }

    #[test]
    fn powers_are_chains() {
        let power = Regular::Power(Box::new(Letter('a')), 5);
        assert_eq!(minimal(&power), (6, 5));
        assert_eq!(minimal(&Regular::Power(Box::new(Letter('a')), 0)), (1, 0));
    }

    #[test]
    fn too_large_is_said() {
        use super::super::TooLarge;
        let long = Regular::Power(Box::new(Letter('a')), 1_000_000);
        assert_eq!(long.machines().map(|_| ()), Err(TooLarge::Letters));
        // The 20th letter from the end is an a: a million states.
        let any = Sum(vec![Letter('a'), Letter('b')]);
        let wide = Chain(vec![
            Star(Box::new(any.clone())),
            Letter('a'),
            Regular::Power(Box::new(any), 20),
        ]);
        assert_eq!(wide.machines().map(|_| ()), Err(TooLarge::States));
    }
}
