//! Straightness: a static bound on the number of writes between two switches, computed from the bottom up.
//!
//! For every part of the rules four counts are kept, each of them absent when no such path exists; the four variants
//! differ only in what switches, dots and look-aheads count as.

pub use regulus_automaton::analyses::{Straightness, WriteCount};

use super::checked::{Checked, Leaf, Step};

/// The bounds of a game.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, rbg};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// let (game, _) = rbg::check(&Source::new("solo.rbg", text));
/// let straightness = rbg::straightness(&game.expect("no errors"));
/// println!("{straightness:?}");
/// ```
#[must_use]
pub fn straightness(game: &Checked) -> Straightness {
    let strict = |variant| measure(&game.rules, variant);
    Straightness {
        applicational: strict(PathKind::Applicational).greatest(),
        main: strict(PathKind::Main).greatest(),
        moves: strict(PathKind::Moves).inner,
        semimoves: strict(PathKind::Semimoves).inner,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PathKind {
    Applicational,
    Main,
    Moves,
    Semimoves,
}

/// The greatest counts through a part of the rules.
#[derive(Clone, Copy)]
struct Paths {
    /// From a switch inside to the next.
    inner: WriteCount,
    /// From the last switch to the end.
    open: WriteCount,
    /// From the beginning to the first switch.
    close: WriteCount,
    /// From the beginning to the end, without any switch.
    through: WriteCount,
}

/// For paths of this kind, one after the other, any number of times.
fn repeated(count: WriteCount) -> WriteCount {
    match count {
        WriteCount::None | WriteCount::ZERO => WriteCount::ZERO,
        _ => WriteCount::Unbounded,
    }
}

impl Paths {
    const NONE: Paths = Paths {
        inner: WriteCount::None,
        open: WriteCount::None,
        close: WriteCount::None,
        through: WriteCount::None,
    };
    const STILL: Paths = Paths { through: WriteCount::ZERO, ..Paths::NONE };
    const WRITE: Paths = Paths { through: WriteCount::Finite(1), ..Paths::NONE };
    const SWITCH: Paths = Paths { open: WriteCount::ZERO, close: WriteCount::ZERO, ..Paths::NONE };
    /// Ends a segment of interest but begins none.
    const END: Paths = Paths { close: WriteCount::ZERO, ..Paths::NONE };

    fn greatest(self) -> WriteCount {
        self.inner.max(self.open).max(self.close).max(self.through)
    }

    fn or(self, other: Paths) -> Paths {
        Paths {
            inner: self.inner.max(other.inner),
            open: self.open.max(other.open),
            close: self.close.max(other.close),
            through: self.through.max(other.through),
        }
    }

    fn then(self, next: Paths) -> Paths {
        Paths {
            inner: self.inner.max(next.inner).max(self.open.plus(next.close)),
            open: self.open.plus(next.through).max(next.open),
            close: self.through.plus(next.close).max(self.close),
            through: self.through.plus(next.through),
        }
    }

    fn repeated(self) -> Paths {
        let through = repeated(self.through);
        Paths {
            inner: self.inner.max(self.open.plus(through).plus(self.close)),
            open: self.open.plus(through),
            close: self.close.plus(through),
            through,
        }
    }
}

fn measure(step: &Step, variant: PathKind) -> Paths {
    let inner = |step: &Step| measure(step, variant);
    match step {
        Step::Sum(parts) => parts.iter().map(inner).fold(Paths::NONE, Paths::or),
        Step::Chain(parts) => parts.iter().map(inner).fold(Paths::STILL, Paths::then),
        Step::Star(body, _) => inner(body).repeated(),
        Step::Power(body, count) => {
            let body = inner(body);
            (1..*count).fold(body, |paths, _| paths.then(body))
        }
        Step::Look { body, .. } if variant == PathKind::Applicational => {
            let body = inner(body);
            Paths { close: body.close.max(body.through), ..Paths::STILL }
        }
        Step::Look { .. } => Paths::STILL,
        Step::Leaf(leaf, _) => match leaf {
            Leaf::Shift(_) | Leaf::On(_) | Leaf::Compare(..) => Paths::STILL,
            Leaf::Off(_) | Leaf::Assign(..) => Paths::WRITE,
            Leaf::Turn(_) => Paths::SWITCH,
            Leaf::Keeper => match variant {
                PathKind::Applicational | PathKind::Main => Paths::SWITCH,
                PathKind::Moves | PathKind::Semimoves => Paths::END,
            },
            Leaf::Dot if variant == PathKind::Semimoves => Paths::SWITCH,
            Leaf::Dot => Paths::STILL,
        },
    }
}
