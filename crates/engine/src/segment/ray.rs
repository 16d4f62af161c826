//! Lines of squares that a step repeated leads along.

use regulus_automaton::{Id, Square};

/// For every square the line that starts behind it, where lines go through squares in ascending, or all in descending,
/// order: so the first square of a kind on a line is its lowest, or highest.
///
/// # Examples
///
/// ```
/// use regulus_automaton::Square;
/// use regulus_engine::segment::Segments;
/// use regulus_lang::{Source, compile};
///
/// let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
///     #board = rectangle(up, down, left, right, [x, e, e])
///     #rules = ->one [e] (right {e})* [x] ->> {}
/// ";
/// let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let ray = &Segments::new(&automaton).expect("a small game").rays[0];
/// assert_eq!(ray.lines, [vec![Square(1), Square(2)], vec![Square(2)], vec![]]);
/// assert!(ray.ascends);
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Ray {
    /// The squares behind each square, in order.
    pub lines: Vec<Vec<Square>>,
    /// Whether lines go through squares in ascending order.
    pub ascends: bool,
}

impl Ray {
    /// The lines of a step, given where it leads from each square; `None` if some line is not in order.
    pub(crate) fn new(step: &[Option<Square>]) -> Option<Ray> {
        let leads = |(from, to): (usize, &Option<Square>)| to.map(|to| (from, to.index()));
        let pairs: Vec<(usize, usize)> = step.iter().enumerate().filter_map(leads).collect();
        let ascends = pairs.iter().all(|(from, to)| from < to);
        if !ascends && !pairs.iter().all(|(from, to)| from > to) {
            return None;
        }
        let follow = |start: usize| {
            // In order, so never longer than the board.
            std::iter::successors(step[start], |square| step[square.index()]).collect()
        };
        Some(Ray { lines: (0..step.len()).map(follow).collect(), ascends })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_must_be_in_order() {
        let to = |square: u32| Some(Square(square));
        let ray = Ray::new(&[to(1), to(2), None]).expect("in order");
        assert_eq!(ray.lines, [vec![Square(1), Square(2)], vec![Square(2)], vec![]]);
        assert!(ray.ascends);
        assert!(!Ray::new(&[None, to(0), to(1)]).expect("in order").ascends);
        assert_eq!(Ray::new(&[to(1), to(2), to(0)]), None);
    }
}
