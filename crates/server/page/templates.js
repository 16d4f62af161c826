// Short games to begin with, one for each language.

/** @type {{title: string, language: string, text: string}[]} */
export const TEMPLATES = [
  {
    title: "RBG: a row that loses",
    language: "rbg",
    text: `// Last Line, a short game to change as you like.
//
// Both players write crosses on a board of four by three squares, in turn.
// Whoever completes three crosses in a row, a column or a diagonal loses.

//! name cross: x
//! kind stone: x

#players = first(100), second(100)
#pieces = e, x
#variables =
#board = rectangle(up, down, left, right,
    [e, e, e, e]
    [e, e, e, e]
    [e, e, e, e])

// From anywhere to any square.
#any = ((up* + down*)(left* + right*))

// Three crosses on a line through the square where the last one was written.
#along(back; forth) = (back)* {x} forth {x} forth {x}
#line =
    ( along(left; right)
    + along(up; down)
    + along(up left; down right)
    + along(up right; down left) )

#turn(me; rival) =
    ->me any {e} [x]
    ->> ( {! line}
        + {? line} [$ me=0, rival=100]
          //! end: {loser} made three in a row
          ->> {} )

#rules = [$ first=50, second=50] ( turn(first; second) turn(second; first) )*
`,
  },
  {
    title: "SBG: couriers",
    language: "sbg",
    text: `// Courier, a short game to change as you like.
//
// Each side has four guards and a courier. A guard steps forward, straight or
// diagonally, and takes straight ahead or sideways. A courier runs sideways as
// far as the way is free, and takes there; it steps forward and back. Whoever
// brings his courier to the far row wins; so does whoever takes the other one.

<<Courier>>

<BOARD>
5 6
|..c..|
|gg.gg|
|.....|
|.....|
|GG.GG|
|..C..|

<PIECES>
// G - guard
G (0,1,e) + (0,1,p) + (1,0,p) + (-1,0,p) + (1,1,e) + (-1,1,e) &

// C - courier
C (1,0,e)^*((1,0,e)+(1,0,p)) + (-1,0,e)^*((-1,0,e)+(-1,0,p)) + (0,1,e) + (0,-1,e) &

<GOALS>
120 &
@C 0 5, 1 5, 2 5, 3 5, 4 5 &
@c 0 0, 1 0, 2 0, 3 0, 4 0 &
#C 0 &
#c 0 &
`,
  },
  {
    title: "ABG: boats",
    language: "abg",
    text: `# Ferry, a short game to change as you like.
#
# A boat goes along a column as far as the way is free, or one square sideways.
# It takes by going onto a boat of the other side. Whoever has a boat in the
# last row of the other side wins; so does whoever leaves the other without a
# move.

players = white, black;
pieces = empty, wBoat(white), bBoat(black);

#! name white boat: wBoat
#! name black boat: bBoat
#! kind man: wBoat, bBoat

macro step(dx, dy) = [dx, dy, Empty] | [dx, dy, Opponent];
macro row(dy) = [0, dy, Empty]* step(0, dy);
macro boat() = row(1) | row(-1) | step(1, 0) | step(-1, 0);

function Row(y) { return this.y == y };
function whiteArrived() = from wBoat [0, 0, Row(5)];
function blackArrived() = from bBoat [0, 0, Row(0)];

#! {winner} has crossed the river
victory white { return whiteArrived() };
#! {winner} has crossed the river
victory black { return blackArrived() };
victory white { return stuck and current == black };
victory black { return stuck and current == white };

rule wBoat = boat();
rule bBoat = boat();

board_size = 5, 6;
board = empty, empty, empty, empty, empty,
        bBoat, bBoat, bBoat, bBoat, bBoat,
        empty, empty, empty, empty, empty,
        empty, empty, empty, empty, empty,
        wBoat, wBoat, wBoat, wBoat, wBoat,
        empty, empty, empty, empty, empty;
`,
  },
  {
    title: "METAGAME: herons and frogs",
    language: "metagame",
    text: `% Heron, a short game to change as you like.
%
% A heron leaps like a knight, a frog steps one square in any direction. Frogs
% take what they reach; herons only move. On the last rank a frog becomes a
% heron. Whoever leaves the other without a frog, or without a move, wins.

GAME heron

GOALS
  STALEMATE opponent
  ERADICATE [{opponent} {frog}]

BOARD_SIZE 6 BY 6
BOARD_TYPE planar
PROMOTE_RANK 6

SETUP
  heron AT {(2,1) (5,1)}
  frog AT {(1,2) (3,2) (4,2) (6,2)}

DEFINE heron
  MOVING
    MOVEMENT LEAP <1,2> SYMMETRY all_symmetry END MOVEMENT
  END MOVING
  PROMOTING PROMOTE_TO heron END PROMOTING
END DEFINE

DEFINE frog
  MOVING
    MOVEMENT LEAP <0,1> SYMMETRY all_symmetry END MOVEMENT
    MOVEMENT LEAP <1,1> SYMMETRY all_symmetry END MOVEMENT
  END MOVING
  CAPTURING
    CAPTURE BY {clobber}
      TYPE [{opponent} any_piece]
      EFFECT remove
      MOVEMENT LEAP <0,1> SYMMETRY all_symmetry END MOVEMENT
      MOVEMENT LEAP <1,1> SYMMETRY all_symmetry END MOVEMENT
    END CAPTURE
  END CAPTURING
  PROMOTING PROMOTE_TO heron END PROMOTING
END DEFINE

END GAME.
`,
  },
];
