//! Regular expressions over any alphabet, and the finite automata they become.
//!
//! ```text
//! Regular ─▶ nondeterministic ─▶ deterministic ─▶ minimal
//! ```
//!
//! Shared by the languages in which a piece moves by the words of an expression. Expressions are not trusted: both their
//! written-out size and the work of making them deterministic are bounded, and [`TooLarge`] says which bound was hit.

mod deterministic;
mod machine;
mod minimal;

pub use machine::Machine;

/// The most letters an expression may have when powers are written out.
pub const MAX_LETTERS: u64 = 50_000;
/// The most states of a deterministic automaton.
pub const MAX_STATES: usize = 20_000;
/// How many states of the nondeterministic automaton may be looked at while making it deterministic.
const MAX_WORK: usize = 2_000_000;

/// A regular expression.
///
/// # Examples
///
/// ```
/// use regulus_lang::regular::Regular;
///
/// // a* b
/// let letter = |letter| Regular::Letter(letter);
/// let expression = Regular::Chain(vec![Regular::Star(Box::new(letter('a'))), letter('b')]);
/// assert_eq!(expression.machines().expect("it is small").minimal.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Regular<L> {
    /// The empty word.
    Empty,
    /// One letter.
    Letter(L),
    /// Any one of these; without parts, no word at all.
    Sum(Vec<Regular<L>>),
    /// These one after the other.
    Chain(Vec<Regular<L>>),
    /// This any number of times.
    Star(Box<Regular<L>>),
    /// The expression n times.
    Power(Box<Regular<L>>, u32),
}

/// Why an expression has no automaton.
///
/// # Examples
///
/// ```
/// use regulus_lang::regular::{Regular, TooLarge};
///
/// let huge = Regular::Power(Box::new(Regular::Letter('a')), 1_000_000);
/// assert_eq!(huge.machines().expect_err("too many letters"), TooLarge::Letters);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// It has more than [`MAX_LETTERS`] letters.
    Letters,
    /// Its deterministic automaton has more than [`MAX_STATES`] states, or takes too long to make.
    States,
}

/// An expression with its three automata.
///
/// # Examples
///
/// ```
/// use regulus_lang::regular::Regular;
///
/// let machines = Regular::Letter('a').machines().expect("it is small");
/// let names = machines.stages().map(|(name, _)| name);
/// assert_eq!(names, ["nondeterministic", "deterministic", "minimal"]);
/// ```
#[derive(Clone, Debug)]
pub struct Machines<L> {
    /// As the expression is written, with steps that read nothing.
    pub nondeterministic: Machine<L>,
    /// At most one step for each state and letter.
    pub deterministic: Machine<L>,
    /// The smallest such automaton without states from which no word is completed.
    pub minimal: Machine<L>,
}

impl<L> Machines<L> {
    /// All three with their names, in the order in which they are made.
    #[must_use]
    pub fn stages(&self) -> [(&'static str, &Machine<L>); 3] {
        [
            ("nondeterministic", &self.nondeterministic),
            ("deterministic", &self.deterministic),
            ("minimal", &self.minimal),
        ]
    }
}

impl<L: Clone + Ord> Regular<L> {
    /// How many letters there are when powers are written out.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            // Counted, so that powers of nothing are bounded as well.
            Regular::Empty | Regular::Letter(_) => 1,
            Regular::Sum(parts) | Regular::Chain(parts) => {
                parts.iter().map(Regular::size).fold(1, u64::saturating_add)
            }
            Regular::Star(body) => body.size().saturating_add(1),
            Regular::Power(body, count) => body.size().saturating_mul(u64::from(*count)).max(1),
        }
    }

    /// Whether the empty word belongs to it.
    #[must_use]
    pub fn may_be_empty(&self) -> bool {
        match self {
            Regular::Empty | Regular::Star(_) => true,
            Regular::Letter(_) => false,
            Regular::Sum(parts) => parts.iter().any(Regular::may_be_empty),
            Regular::Chain(parts) => parts.iter().all(Regular::may_be_empty),
            Regular::Power(body, count) => *count == 0 || body.may_be_empty(),
        }
    }

    /// Calls the function on every letter in the order of the text.
    pub fn visit_letters<'a>(&'a self, function: &mut impl FnMut(&'a L)) {
        match self {
            Regular::Empty => {}
            Regular::Letter(letter) => function(letter),
            Regular::Sum(parts) | Regular::Chain(parts) => {
                parts.iter().for_each(|part| part.visit_letters(function));
            }
            Regular::Star(body) | Regular::Power(body, _) => body.visit_letters(function),
        }
    }

    /// The automata of the expression.
    ///
    /// # Errors
    ///
    /// Returns an error if the expression or one of its automata is too large.
    pub fn machines(&self) -> Result<Machines<L>, TooLarge> {
        let nondeterministic = Machine::of(self)?;
        let deterministic = nondeterministic.determinise()?;
        let minimal = deterministic.minimise();
        Ok(Machines { nondeterministic, deterministic, minimal })
    }
}
