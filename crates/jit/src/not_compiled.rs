//! Why a game is not run by native code.

use regulus_engine::NotPlanned;

/// Why a game is not run by native code. Everything but the speed is as if it were.
///
/// # Examples
///
/// ```
/// use regulus_engine::Limits;
/// use regulus_jit::{Jit, NotCompiled};
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let limits = Limits { writes: 1, ..Limits::default() };
/// let reason = Jit::with_limits(automaton, limits).expect_err("moves have more writes");
/// assert!(matches!(reason, NotCompiled::NotPlanned(_)));
/// println!("not compiled: {reason}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotCompiled {
    /// There is no segment program to compile.
    NotPlanned(NotPlanned),
    /// Something in the rules has no native form.
    Rules,
    /// The code would be too large.
    TooLarge {
        /// How many instructions are allowed.
        allowed: usize,
    },
    /// What is computed between two writes may take too long; native code would not stop in time.
    TooSlow {
        /// How many operations on sets of squares are allowed.
        allowed: u64,
    },
    /// Calls within each other may take too much stack.
    TooDeep {
        /// How many bytes are allowed.
        allowed: usize,
    },
    /// Code cannot be made for, or placed on, this machine; with the reason.
    Machine(String),
    /// The game was dropped before the code was ready.
    Stopped,
    /// The compiler failed; this is a bug.
    Failed,
}

impl NotCompiled {
    /// The machine refuses.
    #[expect(clippy::needless_pass_by_value, reason = "errors are mapped to it by name")]
    pub(crate) fn machine(reason: impl ToString) -> NotCompiled {
        NotCompiled::Machine(reason.to_string())
    }
}

impl From<NotPlanned> for NotCompiled {
    fn from(reason: NotPlanned) -> NotCompiled {
        NotCompiled::NotPlanned(reason)
    }
}

impl std::fmt::Display for NotCompiled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotCompiled::NotPlanned(reason) => reason.fmt(f),
            NotCompiled::Rules => f.write_str("a part of the rules has no native form"),
            NotCompiled::TooLarge { allowed } => {
                write!(f, "the code would have more than {allowed} instructions")
            }
            NotCompiled::TooSlow { allowed } => {
                write!(f, "between two writes there may be more than {allowed} operations")
            }
            NotCompiled::TooDeep { allowed } => {
                write!(f, "patterns within each other may take more than {allowed} bytes of stack")
            }
            NotCompiled::Machine(reason) => {
                write!(f, "this machine does not run native code: {reason}")
            }
            NotCompiled::Stopped => f.write_str("the compilation was stopped"),
            NotCompiled::Failed => f.write_str("the compiler failed, which is a bug of Regulus"),
        }
    }
}

impl std::error::Error for NotCompiled {}
