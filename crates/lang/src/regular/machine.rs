//! A finite automaton, and how an expression becomes one.

use super::{MAX_LETTERS, Regular, TooLarge};

/// A finite automaton; steps without a letter read nothing.
///
/// # Examples
///
/// ```
/// use regulus_lang::regular::Regular;
///
/// let machine = Regular::Letter('a').machines().expect("it is small").minimal;
/// let steps: Vec<(&char, usize)> = machine.letters(machine.start).collect();
/// assert_eq!(*steps[0].0, 'a');
/// assert!(machine.accepts[steps[0].1]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine<L> {
    /// Where reading begins.
    pub start: usize,
    /// For every state, whether a word may end there.
    pub accepts: Vec<bool>,
    /// For every state, its steps: what they read and where they lead.
    pub steps: Vec<Vec<(Option<L>, usize)>>,
}

impl<L: Clone + Ord> Machine<L> {
    /// How many states there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are no states; never the case for an automaton of an expression.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// How many steps there are.
    #[must_use]
    pub fn step_count(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }

    /// The steps of a state that read a letter.
    pub fn letters(&self, state: usize) -> impl Iterator<Item = (&L, usize)> {
        self.steps[state].iter().filter_map(|(letter, to)| letter.as_ref().map(|l| (l, *to)))
    }

    /// The automaton of an expression, as it is written.
    pub(super) fn of(expression: &Regular<L>) -> Result<Machine<L>, TooLarge> {
        if expression.size() > MAX_LETTERS {
            return Err(TooLarge::Letters);
        }
        let mut machine = Machine { start: 0, accepts: Vec::new(), steps: Vec::new() };
        let (start, end) = (machine.add(), machine.add());
        machine.accepts[end] = true;
        machine.build(expression, start, end);
        Ok(machine)
    }

    pub(super) fn add(&mut self) -> usize {
        self.accepts.push(false);
        self.steps.push(Vec::new());
        self.steps.len() - 1
    }

    /// Adds all ways of an expression between two states.
    fn build(&mut self, expression: &Regular<L>, from: usize, to: usize) {
        match expression {
            Regular::Empty => self.steps[from].push((None, to)),
            Regular::Letter(letter) => self.steps[from].push((Some(letter.clone()), to)),
            Regular::Sum(parts) => parts.iter().for_each(|part| self.build(part, from, to)),
            Regular::Chain(parts) => self.chain(parts.iter(), from, to),
            Regular::Power(body, count) => {
                self.chain((0..*count).map(|_| body.as_ref()), from, to);
            }
            Regular::Star(body) => {
                // A state of its own, so that repeating cannot lead into what surrounds the star.
                let hub = self.add();
                self.steps[from].push((None, hub));
                self.build(body, hub, hub);
                self.steps[hub].push((None, to));
            }
        }
    }

    fn chain<'a>(
        &mut self,
        mut parts: impl ExactSizeIterator<Item = &'a Regular<L>>,
        from: usize,
        to: usize,
    ) where
        L: 'a,
    {
        if parts.len() == 0 {
            return self.steps[from].push((None, to));
        }
        let mut at = from;
        while let Some(part) = parts.next() {
            let next = if parts.len() == 0 { to } else { self.add() };
            self.build(part, at, next);
            at = next;
        }
    }
}
