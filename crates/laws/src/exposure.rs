//! The keeper made visible: the same automaton with a player in the keeper's place.
//!
//! Engines run the keeper by themselves and may take any of its moves. Here they are moves like all others, so that one
//! can see whether it matters which is taken, and compare automata whatever their keepers do.

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{Action, Automaton, Edge, Modifier, Player};
use regulus_engine::{History, Limits, MoveList, Rules, State, Step, Walk};

/// A game whose keeper is a player.
#[derive(Debug)]
pub(crate) struct Exposure {
    walk: Walk,
    /// The modifiers after which the keeper is in control.
    keepers: BTreeSet<Modifier>,
}

/// Where a game is, the keeper's part done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SettledState {
    pub(crate) state: State,
    /// The keeper has no move, and the game is over.
    stuck: bool,
}

/// How many moves of the keeper are looked at.
const MOVES: usize = 100;

impl Exposure {
    pub(crate) fn new(automaton: &Automaton, limits: Limits) -> Exposure {
        let mut keepers = BTreeSet::new();
        let mut draft = automaton.clone().into_draft();
        let modifiers = draft.edges().filter_map(|(_, edge)| edge.modifier.map(|m| m.0));
        let first = Modifier(modifiers.max().map_or(0, |last| last + 1));
        for edge in draft.nodes.values_mut().flatten() {
            if edge.action == Action::Keeper {
                edge.action = Action::Turn(Player(0));
                keepers.extend(edge.modifier);
            }
        }
        let start = draft.add_node();
        let begin = Edge::new(Action::Turn(Player(0)), draft.start);
        draft.add_edge(start, Edge { modifier: Some(first), ..begin });
        draft.start = start;
        // The keeper's positions would count too.
        draft.repetition = None;
        keepers.insert(first);
        let automaton = draft.verify().expect("a player in the keeper's place is no violation");
        Exposure { walk: Walk::with_limits(automaton, limits), keepers }
    }

    pub(crate) fn automaton(&self) -> &Automaton {
        self.walk.automaton()
    }

    /// The first state in which the keeper has done its part; `None` if its choices matter or do not end.
    pub(crate) fn initial(&self) -> Option<SettledState> {
        let state = self.walk.initial(&mut self.walk.scratch()).ok()?;
        Settling::new(self).settle(&state)
    }

    /// The state after a player's move and the keeper's part after it; `None` if the keeper's choices matter.
    pub(crate) fn after(&self, before: &SettledState, steps: &[Step]) -> Option<SettledState> {
        self.after_noting_choices(before, steps).map(|(settled, _)| settled)
    }

    /// The same, and whether the keeper has a choice on the way.
    pub(crate) fn after_noting_choices(
        &self,
        before: &SettledState,
        steps: &[Step],
    ) -> Option<(SettledState, bool)> {
        let mut settling = Settling::new(self);
        let mut state = before.state.clone();
        let history = &mut History::new();
        self.walk.apply(&mut state, history, steps, &mut settling.scratch).ok()?;
        let settled = settling.settle_after(state, steps)?;
        Some((settled, settling.has_choice))
    }
}

/// Follows every choice of the keeper.
struct Settling<'a> {
    exposure: &'a Exposure,
    scratch: <Walk as Rules>::Scratch,
    /// Where the keeper was; `None` while its moves from there are being followed.
    seen: BTreeMap<Vec<u8>, Option<SettledState>>,
    moves_left: usize,
    /// Whether there has been more than one move.
    has_choice: bool,
}

impl<'a> Settling<'a> {
    fn new(exposure: &'a Exposure) -> Settling<'a> {
        let scratch = exposure.walk.scratch();
        Settling { exposure, scratch, seen: BTreeMap::new(), moves_left: MOVES, has_choice: false }
    }

    fn settle_after(&mut self, state: State, steps: &[Step]) -> Option<SettledState> {
        if self.exposure.keepers.contains(&steps.last()?.modifier) {
            self.settle(&state)
        } else {
            Some(SettledState { state, stuck: false })
        }
    }

    /// Where the keeper gets to from here, whatever it does; `None` if it gets to different places or comes back.
    fn settle(&mut self, state: &State) -> Option<SettledState> {
        if let Some(known) = self.seen.get(state.bytes()) {
            return known.clone();
        }
        self.seen.insert(state.bytes().to_vec(), None);
        let walk = &self.exposure.walk;
        let mut list = MoveList::new();
        walk.moves(state, &mut self.scratch, &mut list).ok()?;
        self.moves_left = self.moves_left.checked_sub(list.len())?;
        self.has_choice |= list.len() > 1;
        let mut end = None;
        for steps in list.iter() {
            let mut next = state.clone();
            walk.apply(&mut next, &mut History::new(), steps, &mut self.scratch).ok()?;
            let settled = self.settle_after(next, steps)?;
            if *end.get_or_insert_with(|| settled.clone()) != settled {
                return None;
            }
        }
        let end = end.unwrap_or(SettledState { state: state.clone(), stuck: true });
        self.seen.insert(state.bytes().to_vec(), Some(end.clone()));
        Some(end)
    }
}
