//! Tokens to syntax. A mistake costs the goal, the movement or the section it stands in, not the rest of the text.

use super::ast::{
    Ast, Board, Capture, Description, Goal, GoalKind, Movement, MovementKind, Name, Names, Piece,
    Placed, Promotion, Setup, Square,
};
use super::game::{Amount, Assigner, Effect, Inversion, Symmetries, Who};
use super::lex::{Token, TokenKind};
use crate::cursor::Cursor;
use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::source::Span;
use crate::suggest::nearest;

/// The words of the grammar, which cannot be names; `x` can.
pub(super) const RESERVED: [&str; 57] = [
    "after",
    "all_symmetry",
    "any_piece",
    "any_player",
    "arrive",
    "assigns",
    "at",
    "before",
    "board_size",
    "board_type",
    "by",
    "capture",
    "capturing",
    "clobber",
    "constraints",
    "continue_captures",
    "decision",
    "define",
    "diagonal",
    "displaces",
    "effect",
    "end",
    "eradicate",
    "forward",
    "game",
    "goals",
    "hop",
    "hop_over",
    "inversion",
    "leap",
    "longest",
    "max",
    "min",
    "movement",
    "moving",
    "must_capture",
    "opponent",
    "options",
    "over",
    "planar",
    "player",
    "possesses",
    "promote_rank",
    "promote_to",
    "promoting",
    "random",
    "remove",
    "retrieve",
    "ride",
    "rotation",
    "setup",
    "side",
    "stalemate",
    "symmetry",
    "to",
    "type",
    "vertical_cylinder",
];

/// Where reading goes on after a mistake in one of the parts of a game.
const PARTS: [&str; 4] = ["board_size", "setup", "constraints", "define"];

pub(super) fn parse(tokens: &[Token], sink: &mut Sink) -> Ast {
    let mut parser = Parser { cursor: Cursor::new(tokens, Span::default()), sink };
    let mut ast = Ast::default();
    parser.game(&mut ast);
    ast
}

struct Parser<'a> {
    cursor: Cursor<'a, Token>,
    sink: &'a mut Sink,
}

impl Parser<'_> {
    fn is(&self, symbol: &str) -> bool {
        matches!(self.cursor.peek(), Some(TokenKind::Symbol(found)) if *found == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.cursor.peek(), Some(TokenKind::Word(found)) if found == word)
    }

    fn take(&mut self, symbol: &str) -> Option<Span> {
        self.is(symbol).then(|| self.cursor.advance())
    }

    fn take_word(&mut self, word: &str) -> Option<Span> {
        self.is_word(word).then(|| self.cursor.advance())
    }

    fn expect(&mut self, symbol: &'static str, help: &str) -> Option<Span> {
        let found = self.take(symbol);
        if found.is_none() {
            self.unexpected(&format!("`{symbol}`"), help);
        }
        found
    }

    fn expect_word(&mut self, word: &'static str, help: &str) -> Option<Span> {
        let found = self.take_word(word);
        if found.is_none() {
            self.unexpected(&format!("`{}`", word.to_uppercase()), help);
        }
        found
    }

    /// One of several words.
    fn expect_one<T: Copy>(&mut self, words: &[(&'static str, T)], help: &str) -> Option<T> {
        for (word, value) in words {
            if self.take_word(word).is_some() {
                return Some(*value);
            }
        }
        let names: Vec<String> =
            words.iter().map(|(word, _)| format!("`{}`", word.to_uppercase())).collect();
        self.unexpected(&names.join(" or "), help);
        None
    }

    fn unexpected(&mut self, expected: &str, help: &str) {
        let message = match self.cursor.peek() {
            // Reported where it was found.
            Some(TokenKind::Poison) => return,
            Some(kind) => format!("{} stands where {expected} was expected", kind.describe()),
            None => format!("the text ends where {expected} was expected"),
        };
        // A misspelt word of the grammar is more likely than a name in the wrong place.
        let meant = match self.cursor.peek() {
            Some(TokenKind::Word(word)) if !RESERVED.contains(&word.as_str()) => {
                nearest(word, RESERVED).filter(|word| {
                    let expected = expected.to_lowercase();
                    expected.split('`').any(|part| part == *word)
                })
            }
            _ => None,
        };
        let help = meant.map_or_else(
            || help.to_owned(),
            |word| format!("did you mean `{}`?", word.to_uppercase()),
        );
        let span = self.cursor.place();
        let diagnostic = Diagnostic::error(Code::MetagameUnexpectedToken, span, message);
        self.sink.push(diagnostic.label(format!("expected {expected}")).help(help));
    }

    /// Steps to one of the words, or to the end.
    fn skip_to(&mut self, words: &[&str]) {
        while let Some(kind) = self.cursor.peek() {
            if matches!(kind, TokenKind::Word(word) if words.contains(&word.as_str())) {
                return;
            }
            self.cursor.advance();
        }
    }

    /// Steps behind the next `END word`, or to `END GAME`, or to one of the stops.
    fn skip_behind_end(&mut self, word: &str, stops: &[&str]) {
        loop {
            self.skip_to(&[&["end"], stops].concat());
            if !self.is_word("end") {
                return;
            }
            let before = self.cursor.clone();
            self.cursor.advance();
            if self.is_word("game") || self.is_word("define") && word != "define" {
                self.cursor = before;
                return;
            }
            if self.take_word(word).is_some() {
                return;
            }
        }
    }

    fn number(&mut self, what: &str, help: &str) -> Option<Placed<u32>> {
        let Some(TokenKind::Number(value)) = self.cursor.peek() else {
            self.unexpected(what, help);
            return None;
        };
        Some(Placed { value: *value, span: self.cursor.advance() })
    }

    /// A name; words of the grammar are none.
    fn name(&mut self, what: &str, help: &str) -> Option<Name> {
        let Some(TokenKind::Word(word)) = self.cursor.peek() else {
            self.unexpected(what, help);
            return None;
        };
        let value = word.clone();
        if RESERVED.contains(&value.as_str()) {
            let message = format!("`{value}` is a word of the language and cannot be {what}");
            let span = self.cursor.place();
            let diagnostic = Diagnostic::error(Code::MetagameReservedName, span, message);
            self.sink.push(diagnostic.help("choose another name"));
            return None;
        }
        Some(Placed { value, span: self.cursor.advance() })
    }

    fn game(&mut self, ast: &mut Ast) {
        let help = "a text begins with `GAME name GOALS …` and ends with `END GAME.`";
        if self.expect_word("game", help).is_some() {
            ast.name = self.name("the name of a game", help);
        }
        if !self.is_word("goals") {
            if ast.name.is_some() {
                self.unexpected("`GOALS`", help);
            }
            self.skip_to(&[&["goals"], &PARTS[..]].concat());
        }
        ast.goals_span = self.take_word("goals");
        if ast.goals_span.is_some() {
            let errors = self.sink.errors();
            ast.goals = self.goals();
            ast.has_all_goals = self.sink.errors() == errors;
        }
        if self.is_word("board_size") {
            ast.board = self.board();
            if ast.board.is_none() {
                self.skip_to(&PARTS[1..]);
            }
        } else {
            self.unexpected("`BOARD_SIZE`", "the board comes after the goals");
            self.skip_to(&PARTS);
            if self.is_word("board_size") {
                ast.board = self.board();
            }
        }
        if self.take_word("setup").is_some() {
            ast.setup = self.setup();
        } else if ast.board.is_some() {
            self.unexpected("`SETUP`", "how the pieces are set up comes after the board");
        }
        if ast.setup.is_none() {
            self.skip_to(&PARTS[2..]);
        }
        if self.is_word("constraints") {
            ast.must_capture = self.constraints();
        }
        self.pieces(ast);
        let help = "a text ends with `END GAME.`";
        let ended = self.expect_word("end", help).is_some()
            && self.expect_word("game", help).is_some()
            && self.expect(".", help).is_some();
        if ended && self.cursor.peek().is_some() {
            self.unexpected("the end of the text", "nothing comes after `END GAME.`");
        }
    }

    fn goals(&mut self) -> Vec<Goal> {
        const GOALS: [&str; 3] = ["arrive", "eradicate", "stalemate"];
        let stops = [&GOALS[..], &PARTS[..]].concat();
        let mut goals = Vec::new();
        loop {
            let start = self.cursor.place();
            let kind = if self.take_word("arrive").is_some() {
                let what = self.description();
                what.and_then(|what| {
                    self.expect_word("at", "the squares follow: `AT {(1,8)}`")?;
                    Some(GoalKind::Arrive(what, self.squares()?))
                })
            } else if self.take_word("eradicate").is_some() {
                self.description().map(GoalKind::Eradicate)
            } else if self.take_word("stalemate").is_some() {
                self.who().map(GoalKind::Stalemate)
            } else {
                let at_part = matches!(self.cursor.peek(), Some(TokenKind::Word(word)) if PARTS.contains(&word.as_str()));
                if at_part || self.cursor.peek().is_none() {
                    return goals;
                }
                let help = "a goal begins with `ARRIVE`, `ERADICATE` or `STALEMATE`";
                self.unexpected("`ARRIVE`, `ERADICATE`, `STALEMATE` or `BOARD_SIZE`", help);
                None
            };
            match kind {
                Some(kind) => goals.push(Goal { kind, span: start.to(self.cursor.before()) }),
                None => self.skip_to(&stops),
            }
        }
    }

    fn who(&mut self) -> Option<Who> {
        self.expect_one(
            &[("player", Who::Player), ("opponent", Who::Opponent)],
            "a rule speaks of the player whose rule it is, or of the opponent",
        )
    }

    fn description(&mut self) -> Option<Description> {
        let help = "pieces are described as `[{opponent} any_piece]` or `[any_player {pawn rook}]`";
        self.expect("[", help)?;
        let owner = if self.take_word("any_player").is_some() {
            None
        } else {
            self.expect("{", help)?;
            let who = self.who()?;
            self.expect("}", help)?;
            Some(who)
        };
        let kinds = self.names(help)?;
        self.expect("]", help)?;
        Some(Description { owner, kinds })
    }

    fn names(&mut self, help: &str) -> Option<Names> {
        if self.take_word("any_piece").is_some() {
            return Some(Names::All);
        }
        self.expect("{", help)?;
        let mut names = vec![self.name("the name of a piece", help)?];
        while self.take("}").is_none() {
            // Commas are a slip that is easily made.
            if self.is(",") {
                self.unexpected("a name or `}`", "names in braces have nothing between them");
                self.cursor.advance();
            }
            names.push(self.name("the name of a piece", help)?);
        }
        Some(Names::These(names))
    }

    fn squares(&mut self) -> Option<Vec<Square>> {
        let help = "squares are written `{(1,1) (2,1)}`, file and rank from 1";
        self.expect("{", help)?;
        let mut squares = Vec::new();
        loop {
            squares.push(self.pair("(", ")", help)?);
            if self.take("}").is_some() {
                return Some(squares);
            }
        }
    }

    fn pair(
        &mut self,
        open: &'static str,
        close: &'static str,
        help: &str,
    ) -> Option<Placed<(u32, u32)>> {
        let start = self.expect(open, help)?;
        let x = self.number("a number", help)?;
        self.expect(",", help)?;
        let y = self.number("a number", help)?;
        let end = self.expect(close, help)?;
        Some(Placed { value: (x.value, y.value), span: start.to(end) })
    }

    fn board(&mut self) -> Option<Board> {
        let help = "a board is `BOARD_SIZE 8 BY 8 BOARD_TYPE planar PROMOTE_RANK 8`";
        self.expect_word("board_size", help)?;
        let width = self.number("the number of files", help)?;
        self.expect_word("by", help)?;
        let height = self.number("the number of ranks", help)?;
        self.expect_word("board_type", help)?;
        let types = [("planar", false), ("vertical_cylinder", true)];
        let is_cylinder = self.expect_one(&types, help)?;
        let mut inversion = Inversion::Diagonal;
        if self.take_word("inversion").is_some() {
            let kinds = [("diagonal", Inversion::Diagonal), ("forward", Inversion::Forward)];
            inversion = self.expect_one(&kinds, help)?;
        }
        self.expect_word("promote_rank", help)?;
        let promote_rank = self.number("a rank", help)?;
        Some(Board { width, height, is_cylinder, inversion, promote_rank })
    }

    fn setup(&mut self) -> Option<Setup> {
        if let Some(start) = self.take_word("decision") {
            let help =
                "pieces are assigned as `DECISION player ASSIGNS {pawn} TO {(1,1)} END DECISION`";
            let assigners = [
                ("player", Assigner::Player),
                ("opponent", Assigner::Opponent),
                ("random", Assigner::Random),
            ];
            let by = self.expect_one(&assigners, help)?;
            self.expect_word("assigns", help)?;
            let pieces = self.names(help)?;
            self.expect_word("to", help)?;
            let squares = self.squares()?;
            self.expect_word("end", help)?;
            let end = self.expect_word("decision", help)?;
            return Some(Setup::Assigned { by, pieces, squares, span: start.to(end) });
        }
        let help = "pieces are set up as `pawn AT {(1,2) (2,2)}`";
        let mut all = Vec::new();
        loop {
            let name = self.name("the name of a piece", help)?;
            self.expect_word("at", help)?;
            all.push((name, self.squares()?));
            let at_part = matches!(self.cursor.peek(), Some(TokenKind::Word(word)) if RESERVED.contains(&word.as_str()));
            if at_part || self.cursor.peek().is_none() {
                return Some(Setup::Fixed(all));
            }
        }
    }

    /// The constraints of the whole game.
    fn constraints(&mut self) -> Option<Span> {
        self.cursor.advance();
        let mut must_capture = None;
        loop {
            if self.is_word("must_capture") {
                let first = must_capture.is_none();
                let span = self.cursor.advance();
                self.once(first, "must_capture", span);
                must_capture = Some(span);
            } else if self.is_word("continue_captures") {
                let span = self.cursor.advance();
                let message = "`CONTINUE_CAPTURES` is a constraint of pieces, not of the game";
                let diagnostic = Diagnostic::error(Code::MetagameGlobalContinue, span, message);
                self.sink.push(diagnostic.help("write it into the definitions of the pieces"));
                must_capture = must_capture.or(Some(span));
            } else {
                if must_capture.is_none() {
                    self.unexpected("`MUST_CAPTURE`", "the constraint of a game is `MUST_CAPTURE`");
                }
                return must_capture;
            }
        }
    }

    /// Reports a word that stands twice in a set.
    fn once(&mut self, is_first: bool, word: &str, span: Span) {
        if !is_first {
            let message = format!("`{}` occurs twice", word.to_uppercase());
            let diagnostic = Diagnostic::error(Code::MetagameRepeatedWord, span, message);
            self.sink.push(diagnostic.help("write it once"));
        }
    }

    fn pieces(&mut self, ast: &mut Ast) {
        let help = "the pieces follow: `DEFINE pawn … END DEFINE`";
        if !self.is_word("define") {
            self.unexpected("`DEFINE`", help);
            self.skip_to(&["define"]);
        }
        loop {
            if self.is_word("define") {
                if self.piece(ast).is_none() {
                    self.skip_behind_end("define", &["define"]);
                }
            } else if self.is_word("end") || self.cursor.peek().is_none() {
                return;
            } else {
                self.unexpected("`DEFINE` or `END GAME`", help);
                self.skip_to(&["define", "end"]);
            }
        }
    }

    /// A piece, which is known by its name even if the rest has a mistake.
    fn piece(&mut self, ast: &mut Ast) -> Option<()> {
        let start = self.cursor.advance();
        let help = "a piece is defined as `DEFINE pawn … END DEFINE`";
        let name = self.name("the name of a piece", help)?;
        let mut piece = Piece {
            name,
            moving: Vec::new(),
            capturing: Vec::new(),
            promoting: None,
            must_capture: None,
            continue_captures: None,
            span: start,
        };
        let end = self.powers(&mut piece);
        piece.span = start.to(end.unwrap_or(start));
        ast.pieces.push(piece);
        end.map(|_| ())
    }

    /// What a piece can do; returns the place of the end.
    fn powers(&mut self, piece: &mut Piece) -> Option<Span> {
        if self.take_word("moving").is_some() {
            piece.moving = self.movements();
            self.expect_word("end", "movements end with `END MOVING`")?;
            self.expect_word("moving", "movements end with `END MOVING`")?;
        }
        if self.take_word("capturing").is_some() {
            piece.capturing = self.captures();
            self.expect_word("end", "captures end with `END CAPTURING`")?;
            self.expect_word("capturing", "captures end with `END CAPTURING`")?;
        }
        if self.take_word("promoting").is_some() {
            match self.promotion() {
                Some(promotion) => piece.promoting = Some(promotion),
                None => self.skip_to(&["end", "define"]),
            }
            self.expect_word("end", "the promotion ends with `END PROMOTING`")?;
            self.expect_word("promoting", "the promotion ends with `END PROMOTING`")?;
        }
        if self.take_word("constraints").is_some() {
            loop {
                let (slot, word) = if self.is_word("must_capture") {
                    (&mut piece.must_capture, "must_capture")
                } else if self.is_word("continue_captures") {
                    (&mut piece.continue_captures, "continue_captures")
                } else {
                    break;
                };
                let span = self.cursor.advance();
                let is_first = slot.replace(span).is_none();
                self.once(is_first, word, span);
            }
        }
        let help = "a piece has `MOVING`, `CAPTURING`, `PROMOTING` and `CONSTRAINTS` in this order, \
                    and ends with `END DEFINE`";
        self.expect_word("end", help)?;
        self.expect_word("define", help)
    }

    /// Movements up to a word that begins something else.
    fn movements(&mut self) -> Vec<Movement> {
        let (mut movements, mut is_empty) = (Vec::new(), true);
        loop {
            if self.is_word("movement") {
                is_empty = false;
                match self.movement() {
                    Some(movement) => movements.push(movement),
                    None => self.skip_behind_end("movement", &["movement"]),
                }
            } else {
                if is_empty {
                    let help = "a movement is `MOVEMENT LEAP <1,2> … END MOVEMENT`";
                    self.unexpected("`MOVEMENT`", help);
                }
                return movements;
            }
        }
    }

    fn movement(&mut self) -> Option<Movement> {
        let start = self.cursor.advance();
        let help = "a movement is `MOVEMENT LEAP <1,2> SYMMETRY ALL_SYMMETRY END MOVEMENT`; it can be a \
                    `LEAP`, a `RIDE` or a `HOP`";
        let kind = if self.take_word("leap").is_some() {
            MovementKind::Leap
        } else if self.take_word("ride").is_some() {
            self.ride(help)?
        } else if self.take_word("hop").is_some() {
            self.hop()?
        } else {
            self.unexpected("`LEAP`, `RIDE` or `HOP`", help);
            return None;
        };
        let vector = self.pair("<", ">", "a vector is written `<1,2>`: files, then ranks")?;
        self.expect_word("symmetry", help)?;
        let symmetries = self.symmetries()?;
        self.expect_word("end", help)?;
        let end = self.expect_word("movement", help)?;
        Some(Movement { kind, vector, symmetries, span: start.to(end) })
    }

    fn ride(&mut self, help: &str) -> Option<MovementKind> {
        let mut min = None;
        if self.take_word("min").is_some() {
            min = Some(self.number("a number of leaps", help)?);
        }
        let mut max = None;
        if self.take_word("max").is_some() {
            max = Some(self.number("a number of leaps", help)?);
        }
        let longest = self.take_word("longest");
        Some(MovementKind::Ride { min, max, longest })
    }

    fn hop(&mut self) -> Option<MovementKind> {
        let help = "a hop is `HOP BEFORE [X >= 0] OVER [X = 1] AFTER [X = 0] HOP_OVER [{opponent} any_piece]`";
        self.expect_word("before", help)?;
        let before = self.amount(help)?;
        self.expect_word("over", help)?;
        let over = self.amount(help)?;
        self.expect_word("after", help)?;
        let after = self.amount(help)?;
        self.expect_word("hop_over", help)?;
        let what = self.description()?;
        Some(MovementKind::Hop { before, over, after, what })
    }

    fn amount(&mut self, help: &str) -> Option<Amount> {
        self.expect("[", help)?;
        self.expect_word("x", help)?;
        let amount = if self.take(">=").is_some() {
            Amount::AtLeast
        } else if self.take("<=").is_some() {
            Amount::AtMost
        } else if self.take("=").is_some() {
            Amount::Exactly
        } else {
            self.unexpected("`=`, `>=` or `<=`", help);
            return None;
        };
        let number = self.number("a number", help)?;
        self.expect("]", help)?;
        Some(amount(number.value))
    }

    fn symmetries(&mut self) -> Option<Symmetries> {
        if self.take_word("all_symmetry").is_some() {
            return Some(Symmetries { forward: true, side: true, rotation: true });
        }
        let help = "symmetries are `ALL_SYMMETRY`, or some of `{FORWARD SIDE ROTATION}`";
        self.expect("{", help)?;
        let mut symmetries = Symmetries::default();
        loop {
            let (slot, word) = if self.is_word("forward") {
                (&mut symmetries.forward, "forward")
            } else if self.is_word("side") {
                (&mut symmetries.side, "side")
            } else if self.is_word("rotation") {
                (&mut symmetries.rotation, "rotation")
            } else {
                self.expect("}", help)?;
                return Some(symmetries);
            };
            let is_first = !std::mem::replace(slot, true);
            let span = self.cursor.advance();
            self.once(is_first, word, span);
        }
    }

    fn captures(&mut self) -> Vec<Capture> {
        let (mut captures, mut is_empty) = (Vec::new(), true);
        loop {
            if self.is_word("capture") {
                is_empty = false;
                match self.capture() {
                    Some(capture) => captures.push(capture),
                    None => self.skip_behind_end("capture", &["capture"]),
                }
            } else {
                if is_empty {
                    let help =
                        "a capture is `CAPTURE BY {CLOBBER} TYPE … EFFECT REMOVE … END CAPTURE`";
                    self.unexpected("`CAPTURE`", help);
                }
                return captures;
            }
        }
    }

    fn capture(&mut self) -> Option<Capture> {
        let start = self.cursor.advance();
        let help = "a capture is `CAPTURE BY {CLOBBER} TYPE [{opponent} any_piece] EFFECT REMOVE \
                    MOVEMENT … END MOVEMENT END CAPTURE`; its methods are RETRIEVE, CLOBBER and HOP";
        self.expect_word("by", help)?;
        self.expect("{", help)?;
        let (mut retrieve, mut clobber, mut hop) = (None, None, None);
        loop {
            let (slot, word) = if self.is_word("retrieve") {
                (&mut retrieve, "retrieve")
            } else if self.is_word("clobber") {
                (&mut clobber, "clobber")
            } else if self.is_word("hop") {
                (&mut hop, "hop")
            } else {
                self.expect("}", help)?;
                break;
            };
            let span = self.cursor.advance();
            let is_first = slot.replace(span).is_none();
            self.once(is_first, word, span);
        }
        let head = start.to(self.cursor.before());
        self.expect_word("type", help)?;
        let what = self.description()?;
        self.expect_word("effect", help)?;
        let effect = self.effect()?;
        let movements = self.movements();
        self.expect_word("end", help)?;
        let end = self.expect_word("capture", help)?;
        Some(Capture {
            retrieve: retrieve.is_some(),
            clobber: clobber.is_some(),
            hop,
            what,
            effect,
            movements,
            head,
            span: start.to(end),
        })
    }

    fn effect(&mut self) -> Option<Effect> {
        let help = "the effect is `REMOVE`, `PLAYER POSSESSES` or `OPPONENT POSSESSES`";
        if self.take_word("remove").is_some() {
            return Some(Effect::Remove);
        }
        let words = [("player", Who::Player), ("opponent", Who::Opponent)];
        let who = self.expect_one(&words, help)?;
        if self.is_word("displaces") {
            let span = self.cursor.advance();
            let message = "what `DISPLACES` does is not defined, so it cannot be played";
            let diagnostic = Diagnostic::error(Code::MetagameDisplaces, span, message);
            self.sink.push(diagnostic.help(help));
            return Some(Effect::Possess(who));
        }
        self.expect_word("possesses", help)?;
        Some(Effect::Possess(who))
    }

    fn promotion(&mut self) -> Option<Promotion> {
        let help =
            "a promotion is `PROMOTE_TO queen` or `DECISION player OPTIONS [{player} any_piece]`";
        if self.take_word("promote_to").is_some() {
            return self.name("the name of a piece", help).map(Promotion::To);
        }
        self.expect_word("decision", help)?;
        let who = self.who()?;
        self.expect_word("options", help)?;
        Some(Promotion::Choice(who, self.description()?))
    }
}
