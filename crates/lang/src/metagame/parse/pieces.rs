//! Definitions of pieces: movements, captures, promotions and constraints.

use super::Parser;
use crate::diagnostics::{Code, Diagnostic};
use crate::metagame::ast::{Ast, Capture, Movement, MovementKind, Piece, Promotion};
use crate::metagame::game::{Amount, Effect, Symmetries, Who};
use crate::source::Span;

impl Parser<'_> {
    pub(super) fn pieces(&mut self, ast: &mut Ast) {
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
