//! A game under way: its state, its legal moves with their names, and the way back.

use regulus_automaton::Player;
use regulus_engine::notation::parse_exact;
use regulus_engine::{Fault, MoveList, Notation, Playouts, Rules, State, UndoStack};
use regulus_jit::{Engine, Scratch};
use regulus_lang::nearest;

use crate::failure::Failure;
use crate::load::Loaded;

/// A game under way.
#[derive(Debug)]
pub(crate) struct Position<'a> {
    pub(crate) rules: &'a Engine,
    pub(crate) state: State,
    pub(crate) moves: MoveList,
    /// The names of the moves, in the same order.
    pub(crate) names: Vec<String>,
    notation: Notation,
    scratch: Scratch,
    undo: UndoStack,
}

impl<'a> Position<'a> {
    /// The first position.
    pub(crate) fn new(rules: &'a Engine) -> Result<Position<'a>, Fault> {
        let mut scratch = rules.scratch();
        let state = rules.initial(&mut scratch)?;
        let notation = Notation::new(rules.automaton());
        let (moves, undo) = (MoveList::new(), UndoStack::new());
        let mut position =
            Position { rules, state, moves, names: Vec::new(), notation, scratch, undo };
        position.list_moves()?;
        Ok(position)
    }

    /// The position after some given moves and then some random ones.
    pub(crate) fn after(
        loaded: &'a Loaded,
        moves: &[String],
        random: u64,
        seed: u64,
    ) -> Result<Position<'a>, Failure> {
        let mut position = Position::new(&loaded.rules).map_err(loaded.blame())?;
        for name in moves {
            let index = position.find(name).map_err(Failure::bad_input)?;
            position.play(index).map_err(loaded.blame())?;
        }
        let mut playouts = Playouts::new(&loaded.rules, seed);
        playouts.run(&mut position.state, random).map_err(loaded.blame())?;
        position.list_moves().map_err(loaded.blame())?;
        Ok(position)
    }

    /// The player who chooses, as long as there is a choice.
    pub(crate) fn player(&self) -> Option<Player> {
        self.rules.player(&self.state).filter(|_| !self.moves.is_empty())
    }

    /// The number of the move with this name, short or exact; or what to say when there is none.
    pub(crate) fn find(&self, name: &str) -> Result<usize, String> {
        let wanted = name.trim();
        if let Some(index) = self.names.iter().position(|name| name == wanted) {
            return Ok(index);
        }
        if let Some(exact) = parse_exact(wanted.trim_matches(['(', ')']))
            && let Some(index) = self.moves.iter().position(|steps| steps == exact.0)
        {
            return Ok(index);
        }
        let begins: Vec<&str> =
            self.names.iter().map(String::as_str).filter(|name| name.starts_with(wanted)).collect();
        let advice = match begins.as_slice() {
            _ if self.moves.is_empty() => "the game is over".to_owned(),
            [] => match nearest(wanted, self.names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "there are {} legal moves, such as `{}`",
                    self.names.len(),
                    self.names[0]
                ),
            },
            names => {
                let more = if names.len() > 8 { ", …" } else { "" };
                format!(
                    "legal moves that begin so: {}{more}",
                    names[..names.len().min(8)].join(", ")
                )
            }
        };
        Err(format!("`{wanted}` is not a legal move; {advice}"))
    }

    /// Plays a move of the list.
    pub(crate) fn play(&mut self, index: usize) -> Result<(), Fault> {
        self.undo.save(&self.state);
        self.rules.apply(&mut self.state, self.moves.get(index), &mut self.scratch)?;
        self.list_moves()
    }

    /// Takes back one move; says whether there was one.
    pub(crate) fn take_back(&mut self) -> Result<bool, Fault> {
        let done = self.undo.undo(&mut self.state);
        self.list_moves()?;
        Ok(done)
    }

    fn list_moves(&mut self) -> Result<(), Fault> {
        self.moves.clear();
        if self.rules.player(&self.state).is_some() {
            self.rules.moves(&self.state, &mut self.scratch, &mut self.moves)?;
        }
        self.names = self.notation.name_moves(&self.moves);
        Ok(())
    }
}
