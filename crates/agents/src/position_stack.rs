//! The line of positions that a search looks at: moves are made from each, and taken back by going on from an earlier one.

use regulus_automaton::Player;
use regulus_engine::{History, MoveList, Rules as _, State, Step};
use regulus_game::{Error, Game, Match};
use regulus_jit::Scratch;

/// The positions from the first one down to the one that is looked at, by how many moves lead there.
#[derive(Debug)]
pub(crate) struct PositionStack<'a> {
    pub(crate) game: &'a Game,
    scratch: Scratch,
    history: History,
    places: Vec<Place>,
}

/// A position on the way.
#[derive(Debug)]
struct Place {
    state: State,
    /// How long the history is here.
    length: usize,
    list: MoveList,
}

impl<'a> PositionStack<'a> {
    /// Begins at the position of a play.
    pub(crate) fn new(play: &'a Match) -> PositionStack<'a> {
        let game = play.game();
        let first = Place::new(play.state(), play.history().len());
        let history = play.history().clone();
        PositionStack { game, scratch: game.rules().scratch(), history, places: vec![first] }
    }

    /// Begins at another position of the same game.
    pub(crate) fn restart(&mut self, state: &State, history: &History) {
        self.history.clone_from(history);
        self.places[0].state.copy_from(state);
        self.places[0].length = history.len();
    }

    /// The position at `ply`.
    #[inline]
    pub(crate) fn state(&self, ply: usize) -> &State {
        &self.places[ply].state
    }

    /// The moves that were listed at `ply`.
    #[inline]
    pub(crate) fn list(&self, ply: usize) -> &MoveList {
        &self.places[ply].list
    }

    /// The player to move at `ply`; `None` if the keeper is stuck.
    #[inline]
    pub(crate) fn player(&self, ply: usize) -> Option<Player> {
        self.game.rules().player(&self.places[ply].state)
    }

    /// A number for the position at `ply`; positions that have occurred before are told apart where the game does so.
    #[inline]
    pub(crate) fn key(&self, ply: usize) -> u64 {
        let state = &self.places[ply].state;
        let fingerprint = state.fingerprint();
        if !self.game.keeps_history() {
            return fingerprint;
        }
        let count = self.history.count(self.game.rules().referee().position_key(state));
        fingerprint ^ u64::from(count.saturating_sub(1)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Writes the planes of the position at `ply`, which was entered last, with `mover` as the player to move even if the game is over there.
    pub(crate) fn write_planes(&self, ply: usize, mover: Player, planes: &mut [f32]) {
        self.game.write_planes(&self.places[ply].state, &self.history, mover, planes);
    }

    /// Makes a move from the position at `ply`.
    pub(crate) fn enter(&mut self, ply: usize, steps: &[Step]) -> Result<(), Error> {
        self.make_room(ply);
        let PositionStack { game, scratch, history, places } = self;
        let (above, below) = places.split_at_mut(ply + 1);
        above[ply].go_on(game, scratch, history, steps, &mut below[0])
    }

    /// The same for the n-th of the moves that were listed.
    #[inline]
    pub(crate) fn enter_listed(&mut self, ply: usize, index: u32) -> Result<(), Error> {
        self.make_room(ply);
        let PositionStack { game, scratch, history, places } = self;
        let (above, below) = places.split_at_mut(ply + 1);
        let steps = above[ply].list.get(index as usize);
        above[ply].go_on(game, scratch, history, steps, &mut below[0])
    }

    fn make_room(&mut self, ply: usize) {
        if self.places.len() <= ply + 1 {
            let next = Place::new(&self.places[ply].state, 0);
            self.places.push(next);
        }
    }

    /// Lists the legal moves of the position at `ply`; returns their number.
    pub(crate) fn list_moves(&mut self, ply: usize) -> Result<u32, Error> {
        let PositionStack { game, scratch, places, .. } = self;
        let Place { state, list, .. } = &mut places[ply];
        list.clear();
        if game.rules().player(state).is_some() {
            let listed = game.rules().moves(state, scratch, list);
            listed.map_err(|fault| game.blame(&fault))?;
        }
        Ok(list.len() as u32)
    }

    /// Whether the game is over at `ply`.
    pub(crate) fn is_over(&mut self, ply: usize) -> Result<bool, Error> {
        let PositionStack { game, scratch, places, .. } = self;
        let is_over = game.rules().is_over(&places[ply].state, scratch);
        is_over.map_err(|fault| game.blame(&fault))
    }

    /// Plays at most `most` random moves from the position at `ply`; `state` is where that ends. Returns how many were made.
    pub(crate) fn play_out(
        &mut self,
        ply: usize,
        state: &mut State,
        pick: &mut dyn FnMut(u64) -> u64,
        most: u64,
    ) -> Result<u64, Error> {
        let PositionStack { game, scratch, history, places } = self;
        let Place { state: first, length, .. } = &places[ply];
        state.copy_from(first);
        history.truncate(*length);
        let made = game.rules().playout(state, history, scratch, pick, most);
        made.map_err(|fault| game.blame(&fault))
    }
}

impl Place {
    fn new(state: &State, length: usize) -> Place {
        Place { state: state.clone(), length, list: MoveList::new() }
    }

    /// Makes `next` the position after a move from here.
    #[inline]
    fn go_on(
        &self,
        game: &Game,
        scratch: &mut Scratch,
        history: &mut History,
        steps: &[Step],
        next: &mut Place,
    ) -> Result<(), Error> {
        history.truncate(self.length);
        next.state.copy_from(&self.state);
        let applied = game.rules().apply(&mut next.state, history, steps, scratch);
        next.length = history.len();
        applied.map_err(|fault| game.blame(&fault))
    }
}
