//! What a program adds to texts: conditions, effects, terminal conditions and variables, by name.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use regulus_lang::abg::Externals;

use crate::view::{Change, View};

type Memo = Arc<dyn Any + Send + Sync>;
type Act = Arc<dyn Fn(&mut Change<'_>) -> Memo + Send + Sync>;
type TakeBack = Arc<dyn Fn(&mut Change<'_>, &Memo) + Send + Sync>;
pub(crate) type Predicate = Arc<dyn Fn(&View<'_>) -> bool + Send + Sync>;
pub(crate) type Terminal = Arc<dyn Fn(&View<'_>) -> Option<Vec<i64>> + Send + Sync>;

/// An effect and its anti-effect.
#[derive(Clone)]
pub(crate) struct ExternalEffect {
    pub(crate) apply: Act,
    pub(crate) undo: TakeBack,
}

/// Functions of a program that texts may name.
///
/// Names that the language or a text defines win over registered ones. Functions must depend on nothing but the view they are
/// given, since moves are looked for by trying them and taking them back.
///
/// # Examples
///
/// ```
/// use regulus_abg::Registry;
///
/// let mut registry = Registry::new();
/// registry.predicate("LowestUnoccupied", |view| {
///     view.this().is_some_and(|(x, y)| {
///         view.holds("empty") && (y == 0 || view.piece_at(x, y - 1) != Some("empty"))
///     })
/// });
/// registry.variable("drops", 0);
/// registry.effect(
///     "Count",
///     |change| {
///         let before = change.view().variable("drops").unwrap_or(0);
///         change.set("drops", before + 1);
///         before
///     },
///     |change, before| {
///         change.set("drops", *before);
///     },
/// );
/// registry.terminal("enough", |view| (view.variable("drops") == Some(9)).then(|| vec![50, 50]));
/// ```
#[derive(Clone, Default)]
pub struct Registry {
    pub(crate) predicates: BTreeMap<String, Predicate>,
    pub(crate) effects: BTreeMap<String, ExternalEffect>,
    pub(crate) terminals: Vec<(String, Terminal)>,
    pub(crate) variables: Vec<(String, i64)>,
}

impl Registry {
    /// A registry without anything, enough for texts that say everything themselves.
    #[must_use]
    pub fn new() -> Registry {
        Registry::default()
    }

    /// A condition of letters; replaces one of the same name.
    pub fn predicate(
        &mut self,
        name: &str,
        holds: impl Fn(&View<'_>) -> bool + Send + Sync + 'static,
    ) -> &mut Registry {
        self.predicates.insert(name.to_owned(), Arc::new(holds));
        self
    }

    /// An effect of letters with its anti-effect; replaces one of the same name.
    ///
    /// The effect returns what the anti-effect needs to put everything back. Where debug assertions are on, states are compared,
    /// and an anti-effect that does not is a [`Fault`](crate::Fault). An effect called `Default` is that of letters without one.
    pub fn effect<U: Send + Sync + 'static>(
        &mut self,
        name: &str,
        apply: impl Fn(&mut Change<'_>) -> U + Send + Sync + 'static,
        undo: impl Fn(&mut Change<'_>, &U) + Send + Sync + 'static,
    ) -> &mut Registry {
        let effect = ExternalEffect {
            apply: Arc::new(move |change| Arc::new(apply(change))),
            undo: Arc::new(move |change, memo| {
                // It is what `apply` has returned.
                if let Some(memo) = memo.downcast_ref::<U>() {
                    undo(change, memo);
                }
            }),
        };
        self.effects.insert(name.to_owned(), effect);
        self
    }

    /// A terminal condition: the scores when the game is over. It is asked after every move, when the conditions of the text have
    /// not ended the game, and when a player has no move. Players without a score get nothing.
    pub fn terminal(
        &mut self,
        name: &str,
        scores: impl Fn(&View<'_>) -> Option<Vec<i64>> + Send + Sync + 'static,
    ) -> &mut Registry {
        self.terminals.retain(|(known, _)| known != name);
        self.terminals.push((name.to_owned(), Arc::new(scores)));
        self
    }

    /// A variable with its value at the beginning, for functions to read and write. One of the text of the same name is used instead.
    pub fn variable(&mut self, name: &str, value: i64) -> &mut Registry {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value));
        self
    }

    /// The names that texts may use.
    #[must_use]
    pub fn externals(&self) -> Externals {
        Externals {
            predicates: self.predicates.keys().cloned().collect(),
            effects: self.effects.keys().cloned().collect(),
            terminals: self.terminals.iter().map(|(name, _)| name.clone()).collect(),
        }
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terminals: Vec<&String> = self.terminals.iter().map(|(name, _)| name).collect();
        f.debug_struct("Registry")
            .field("predicates", &self.predicates.keys())
            .field("effects", &self.effects.keys())
            .field("terminals", &terminals)
            .field("variables", &self.variables)
            .finish()
    }
}
