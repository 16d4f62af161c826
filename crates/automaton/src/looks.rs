//! What people are told about a game: owners, names and drawings of pieces, colours of players, names of rows and columns.
//!
//! Nothing here changes how a game is played. Front-ends fill it in from what their language declares, so that no later
//! stage has to guess from names.

use crate::ids::{IdVec, Piece, Player, Variable};

/// What people are told about the pieces, players and squares of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// One entry for each piece.
    pub pieces: IdVec<Piece, PieceLook>,
    /// One entry for each player.
    pub players: IdVec<Player, PlayerLook>,
    /// The names of the columns from the left; empty if the language gives none.
    pub columns: Vec<String>,
    /// The names of the rows from the top; empty if the language gives none.
    pub rows: Vec<String>,
    /// The pieces that players hold in their hands.
    pub hands: Vec<Hand>,
    /// The variables that people are told of.
    pub counters: Vec<Counter>,
    /// The sides of the board that belong to players.
    pub sides: Vec<Side>,
    /// How the board is drawn; `None` if the language does not say.
    pub surface: Option<Surface>,
}

/// Pieces of one kind that their owner holds beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hand {
    /// The variable that counts them.
    pub variable: Variable,
    /// What they are.
    pub piece: Piece,
}

/// A variable that people are told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The variable.
    pub variable: Variable,
    /// What it counts, for people.
    pub name: String,
}

/// A side of the board that belongs to a player, as in hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The player.
    pub player: Player,
    /// Which side it is.
    pub border: Border,
}

/// What people are told about a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceLook {
    /// The player it belongs to, if any.
    pub owner: Option<Player>,
    /// Whether it stands for an empty square.
    pub is_empty: bool,
    /// One to three characters for terminals. Different pieces may share a symbol.
    pub symbol: String,
    /// Its name for people, such as "white knight".
    pub name: String,
    /// How it is drawn.
    pub kind: PieceKind,
}

/// What people are told about a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerLook {
    /// The name for people.
    pub name: String,
    /// The colour in which the player's pieces are drawn.
    pub colour: Colour,
}

impl PieceLook {
    /// The look of a piece of which only the name is known.
    #[must_use]
    pub fn plain(name: &str) -> PieceLook {
        PieceLook {
            owner: None,
            is_empty: false,
            symbol: name.chars().take(3).collect(),
            name: name.to_owned(),
            kind: PieceKind::Token,
        }
    }
}

impl PlayerLook {
    /// The look of a player of whom only the name and the place in the order are known.
    #[must_use]
    pub fn plain(name: &str, player: Player) -> PlayerLook {
        let colour = Colour::ALL[player.0 as usize % Colour::ALL.len()];
        PlayerLook { name: name.to_owned(), colour }
    }
}

/// Defines an enumeration whose members have a word in the text form.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[doc = $doc:literal])* $member:ident $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[doc = $doc])* $member,)* }

        impl $name {
            /// All members.
            pub const ALL: &[$name] = &[$($name::$member),*];

            /// The word for it in the text form.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $($name::$member => $word,)* }
            }

            /// The member with this word; `None` if there is none.
            #[must_use]
            pub fn from_word(word: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|member| member.word() == word)
            }
        }
    };
}

words! {
    /// One of the four sides of a board. On a slanted board of hexagons, left and right are the slanted ones.
    Border {
        /// The upper side.
        Top "top",
        /// The lower side.
        Bottom "bottom",
        /// The left side.
        Left "left",
        /// The right side.
        Right "right",
    }
}

words! {
    /// How a rectangular board is drawn.
    Surface {
        /// Squares of two tones, as for chess.
        Chequered "chequered",
        /// Squares of one tone with lines between them.
        Plain "plain",
        /// Lines with the pieces where they cross, as for go.
        Lines "lines",
    }
}

words! {
    /// How a piece is drawn.
    PieceKind {
        /// A chess pawn.
        Pawn "pawn",
        /// A chess knight.
        Knight "knight",
        /// A chess bishop.
        Bishop "bishop",
        /// A chess rook.
        Rook "rook",
        /// A chess queen.
        Queen "queen",
        /// A chess king.
        King "king",
        /// A flat disc, as a man of draughts.
        Man "man",
        /// A crowned disc, as a king of draughts.
        Crowned "crowned",
        /// A stone, as in go.
        Stone "stone",
        /// A wedge that points forward, as in shogi.
        Wedge "wedge",
        /// A square that is blocked, as by an arrow of amazons.
        Blocked "blocked",
        /// A wall.
        Wall "wall",
        /// A disc with the letters of the symbol.
        Token "token",
    }
}

words! {
    /// A colour for drawing; the first ones are given to players whose names are no colours, in their order.
    Colour {
        /// White.
        White "white",
        /// Black.
        Black "black",
        /// Red.
        Red "red",
        /// Blue.
        Blue "blue",
        /// Green.
        Green "green",
        /// Yellow.
        Yellow "yellow",
        /// Orange.
        Orange "orange",
        /// Purple.
        Purple "purple",
        /// Brown.
        Brown "brown",
        /// Grey.
        Grey "grey",
        /// Gold.
        Gold "gold",
        /// Silver.
        Silver "silver",
    }
}
