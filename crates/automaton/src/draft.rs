//! A game as data: [`Draft`] can be changed freely, [`Automaton`] is a draft the verifier has passed.

use std::ops::Deref;

use crate::action::Action;
use crate::board::Board;
use crate::endings::{Endings, Repetition};
use crate::ids::{
    IdVec, Modifier, Node, Pattern, Piece, Player, Register, Square, Table, Variable,
};
use crate::looks::{Looks, PieceLook, PlayerLook};
use crate::verify::{self, Violations};

/// A game that may break any rule of the verifier; what front-ends and passes work on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The players in their declared order, by name.
    pub players: IdVec<Player, String>,
    /// The variables; the first ones are the players' scores, in the players' order and under their names.
    pub variables: IdVec<Variable, VariableInfo>,
    /// The pieces by name.
    pub pieces: IdVec<Piece, String>,
    /// The square registers by name; the first is the cursor.
    pub registers: IdVec<Register, String>,
    /// The board with its initial pieces.
    pub board: Board,
    /// Lists of squares, all of one length, whose initial pieces chance exchanges before a play begins: lists are permuted,
    /// and the pieces of a list go to the squares of another in their order. Empty for most games.
    pub shuffle: Vec<Vec<Square>>,
    /// The walks that were computed beforehand.
    pub tables: IdVec<Table, WalkTable>,
    /// The sub-automata of checks.
    pub patterns: IdVec<Pattern, PatternInfo>,
    /// The outgoing edges of every node; their order has no meaning but is kept.
    pub nodes: IdVec<Node, Vec<Edge>>,
    /// Where the keeper begins.
    pub start: Node,
    /// What people are told about pieces and players.
    pub looks: Looks,
    /// Why games end, in words.
    pub endings: Endings,
    /// Whether positions that come again end the game.
    pub repetition: Option<Repetition>,
}

/// A bounded integer variable; it is 0 at the beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableInfo {
    /// Its name in the source text.
    pub name: String,
    /// Its greatest value; the least is 0.
    pub bound: i32,
}

/// A sub-automaton: a check succeeds when some path leads from `start` to `accept`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternInfo {
    /// Where the pattern begins.
    pub start: Node,
    /// Where it has succeeded.
    pub accept: Node,
}

/// An arrow of the automaton.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// What is executed along it.
    pub action: Action,
    /// Its identity within a move: present on writes and control outside patterns. Edges that share a modifier do the
    /// same thing.
    pub modifier: Option<Modifier>,
    /// Where it leads.
    pub target: Node,
    /// The text it comes from.
    pub origin: Option<Origin>,
}

/// A byte range of the source text, for messages at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

/// For every square the squares a walk may lead to, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WalkTable {
    /// The same from everywhere, so the cursor before it does not matter.
    Everywhere(Vec<Square>),
    /// A list of its own for every square.
    PerSquare(Vec<Vec<Square>>),
}

impl WalkTable {
    /// The squares the walk leads to from this one.
    #[must_use]
    pub fn targets(&self, from: Square) -> &[Square] {
        match self {
            WalkTable::Everywhere(targets) => targets,
            WalkTable::PerSquare(rows) => &rows[from.0 as usize],
        }
    }
}

impl Edge {
    /// An edge that is not recorded in moves.
    #[must_use]
    pub fn new(action: Action, target: Node) -> Edge {
        Edge { action, modifier: None, target, origin: None }
    }
}

impl Draft {
    /// A draft without rules: one node, where the game is over at once.
    ///
    /// The scores become the first variables; `variables` are the further ones.
    #[must_use]
    pub fn new(
        players: Vec<VariableInfo>,
        variables: Vec<VariableInfo>,
        pieces: Vec<String>,
        board: Board,
    ) -> Draft {
        let named = players.iter().zip(0..).map(|(info, at)| (&info.name, Player(at)));
        let looks = Looks {
            pieces: pieces.iter().map(|name| PieceLook::plain(name)).collect(),
            players: named.map(|(name, player)| PlayerLook::plain(name, player)).collect(),
            ..Looks::default()
        };
        Draft {
            players: players.iter().map(|player| player.name.clone()).collect(),
            variables: players.into_iter().chain(variables).collect(),
            pieces: pieces.into(),
            registers: vec!["cursor".to_owned()].into(),
            board,
            shuffle: Vec::new(),
            tables: IdVec::new(),
            patterns: IdVec::new(),
            nodes: vec![Vec::new()].into(),
            start: Node(0),
            looks,
            endings: Endings::default(),
            repetition: None,
        }
    }

    /// Adds a node without edges.
    pub fn add_node(&mut self) -> Node {
        self.nodes.push(Vec::new())
    }

    /// Adds an edge.
    pub fn add_edge(&mut self, from: Node, edge: Edge) {
        self.nodes[from].push(edge);
    }

    /// All edges with the nodes they start from.
    pub fn edges(&self) -> impl Iterator<Item = (Node, &Edge)> + Clone {
        self.nodes.iter().flat_map(|(node, edges)| edges.iter().map(move |edge| (node, edge)))
    }

    /// How many edges there are.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.nodes.values().map(Vec::len).sum()
    }

    /// Makes sure that every invariant holds.
    ///
    /// # Errors
    ///
    /// All violated invariants.
    pub fn verify(self) -> Result<Automaton, Violations> {
        verify::verify(&self)?;
        Ok(Automaton { draft: self })
    }
}

/// A verified game: every index is in range and every invariant of [`crate::verify`] holds. Immutable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    draft: Draft,
}

impl Automaton {
    /// The data, to be changed and verified again.
    #[must_use]
    pub fn into_draft(self) -> Draft {
        self.draft
    }
}

impl Deref for Automaton {
    type Target = Draft;

    fn deref(&self) -> &Draft {
        &self.draft
    }
}
