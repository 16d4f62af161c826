//! A move that a person puts together on the board.
//!
//! Rules may begin two moves alike: a king is taken up to step or to castle, and a person cannot see which. So choices that look the
//! same are one choice, and all moves that fit are followed until a later choice tells them apart.

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{Id as _, Piece, Square};
use regulus_engine::Step;
use regulus_game::{ActionNumber, Building, Choice, Match};
use serde_json::{Value, json};

use crate::refusal::Refusal;

/// Choices that look the same are kept apart if more moves than this would have to be followed at once.
const MOST_WAYS: usize = 16;

/// A move after some choices.
#[derive(Debug)]
pub(super) struct Picking<'a> {
    play: &'a Match,
    /// The beginnings of moves that fit; at least one.
    ways: Vec<Way<'a>>,
}

/// The beginning of a move, with the numbers of its choices.
#[derive(Debug)]
struct Way<'a> {
    actions: Vec<ActionNumber>,
    building: Building<'a>,
}

impl<'a> Way<'a> {
    fn new(play: &'a Match, actions: Vec<ActionNumber>) -> Result<Way<'a>, Refusal> {
        let mut building = Building::new(play)?;
        for &action in &actions {
            building.choose(action)?;
        }
        Ok(Way { actions, building })
    }
}

/// What a person sees of a choice.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Look {
    square: Square,
    piece: Option<Piece>,
    text: String,
}

impl Look {
    fn new(building: &Building<'_>, choice: &Choice) -> Look {
        let (square, piece) = (choice.square(), building.piece_put(choice));
        Look { square, piece, text: building.describe(choice) }
    }
}

/// A choice of one of the ways, by the number of the way.
type Member = (usize, ActionNumber);

impl<'a> Picking<'a> {
    /// Follows the choices with these numbers, and those that look the same.
    pub(super) fn new(play: &'a Match, actions: &[u64]) -> Result<Picking<'a>, Refusal> {
        let mut picking = Picking { play, ways: vec![Way::new(play, Vec::new())?] };
        for &action in actions {
            picking.choose(ActionNumber(action))?;
        }
        Ok(picking)
    }

    fn choose(&mut self, action: ActionNumber) -> Result<(), Refusal> {
        let entries = self.entries();
        let entry =
            entries.iter().find(|(_, members)| members.iter().any(|(_, known)| *known == action));
        let Some((_, members)) = entry else {
            let number = action.0;
            return Err(Refusal::bad(format!("the move cannot go on with action {number}")));
        };
        let ways = members.iter().map(|&(way, action)| {
            let mut actions = self.ways[way].actions.clone();
            actions.push(action);
            Way::new(self.play, actions)
        });
        self.ways = ways.collect::<Result<_, _>>()?;
        Ok(())
    }

    /// What can be chosen next: each with all choices of the ways that it stands for. No choice belongs to two of them, and
    /// neither does a number.
    fn entries(&self) -> Vec<(Look, Vec<Member>)> {
        // In the order of the rules, which name a queen before a knight.
        let mut looks: Vec<(Look, Vec<Member>)> = Vec::new();
        let mut numbers: BTreeMap<Look, usize> = BTreeMap::new();
        for (number, way) in self.ways.iter().enumerate() {
            for choice in way.building.choices() {
                let look = Look::new(&way.building, choice);
                let at = *numbers.entry(look.clone()).or_insert(looks.len());
                if at == looks.len() {
                    looks.push((look, Vec::new()));
                }
                looks[at].1.push((number, choice.action));
            }
        }
        let mut entries: Vec<(Look, Vec<Member>)> = Vec::new();
        let mut place: BTreeMap<ActionNumber, usize> = BTreeMap::new();
        for (look, members) in looks {
            let apart = members.len() > MOST_WAYS;
            let new = entries.len();
            for member in members {
                let (_, action) = member;
                // The same number may look different on two ways; it is one choice all the same.
                let at = if apart { entries.len() } else { new };
                let at = *place.entry(action).or_insert(at);
                if at == entries.len() {
                    entries.push((look.clone(), Vec::new()));
                }
                entries[at].1.push(member);
            }
        }
        entries
    }

    /// The steps of the move that was chosen, if there is no more to choose and no other move fits.
    pub(super) fn whole(&self) -> Option<&[Step]> {
        let has_begun = self.ways.iter().all(|way| !way.actions.is_empty());
        let is_over = self.ways.iter().all(|way| way.building.choices().is_empty());
        self.complete().filter(|_| has_begun && is_over)
    }

    /// The steps of the move that may end here, whether or not it could go on, if no other move fits.
    pub(super) fn complete(&self) -> Option<&[Step]> {
        match self.ways.as_slice() {
            [way] if way.building.is_complete() => Some(way.building.steps()),
            _ => None,
        }
    }

    /// What the move can go on with, as a message.
    pub(super) fn to_json(&self) -> Result<Value, Refusal> {
        let entries = self.entries();
        let choices: Vec<Value> = entries
            .iter()
            .filter_map(|(look, members)| {
                let (_, action) = members.first()?;
                Some(json!({
                    "action": action.0,
                    "square": look.square.index(),
                    "piece": look.piece.map(|piece| piece.index()),
                    "text": look.text,
                }))
            })
            .collect();
        let squares = entries.iter().map(|(look, _)| look.square).collect();
        let board = self.ways[0].building.board();
        Ok(json!({
            "type": "choices",
            "pieces": board.values().map(|piece| piece.index()).collect::<Vec<_>>(),
            "choices": choices,
            "complete": self.complete().is_some(),
            "landings": self.landings(&squares)?,
        }))
    }

    /// The squares where moves that fit end, with the names of these moves: a person may press there at once. Left out are
    /// squares where the next choice is, a move that has a button since it may end here, and everything before the first
    /// choice and where there are too many moves.
    fn landings(&self, choices: &BTreeSet<Square>) -> Result<Vec<Value>, Refusal> {
        let has_begun = self.ways.iter().all(|way| !way.actions.is_empty());
        if !has_begun || !self.play.is_named()? {
            return Ok(Vec::new());
        }
        let (moves, names) = (self.play.moves()?, self.play.names()?);
        let mut landings: BTreeMap<Square, Vec<&str>> = BTreeMap::new();
        for (steps, name) in moves.iter().zip(names) {
            let Some(last) = steps.last() else { continue };
            let fits = |way: &Way<'_>| match steps.strip_prefix(way.building.steps()) {
                Some([]) => self.ways.len() > 1,
                Some(_) => !choices.contains(&last.square),
                None => false,
            };
            if self.ways.iter().any(fits) {
                landings.entry(last.square).or_default().push(name);
            }
        }
        let landing = |(square, moves): (Square, Vec<&str>)| json!({ "square": square.index(), "moves": moves });
        Ok(landings.into_iter().map(landing).collect())
    }
}
