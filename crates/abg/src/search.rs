//! Legal moves: all words of the rules of the pieces of the player in turn, tried and taken back.
//!
//! As long as no letter changes anything, coming a second time to the same state of the rule's automaton on the same square
//! can find nothing new; so each such stretch, a *level*, remembers where it has been, and stars end.

use std::collections::HashSet;

use regulus_lang::abg::Letter;

use crate::fault::{Fault, TryBudget};
use crate::moves::{Journal, Move, Write};
use crate::rules::{AbgRules, Evaluation};
use crate::state::{Square, State};

/// All legal moves of the player in turn. The state is changed and put back.
pub(crate) fn moves(rules: &AbgRules, state: &mut State) -> Result<Vec<Move>, Fault> {
    let budget = TryBudget::new(rules.limits);
    let mut search = LetterSearch {
        rules,
        state,
        budget: &budget,
        journal: Journal::default(),
        known: HashSet::new(),
        moves: Vec::new(),
        stored: 0,
    };
    for square in 0..search.state.board.len() {
        let piece = usize::from(search.state.board[square]);
        let owned = rules.game.pieces[piece].owners.contains(&search.state.current);
        if owned && rules.game.rules[piece].is_some() {
            search.words(piece, square)?;
        }
    }
    budget.check()?;
    Ok(search.moves)
}

struct LetterSearch<'a> {
    rules: &'a AbgRules,
    state: &'a mut State,
    budget: &'a TryBudget,
    journal: Journal,
    /// What has been found, and what posts have refused.
    known: HashSet<Vec<Write>>,
    moves: Vec<Move>,
    /// How many letters and changes have been stored.
    stored: usize,
}

/// A place in a word: what has been read leads here.
struct WordFrame {
    node: usize,
    square: Square,
    /// The next step of the automaton to be tried.
    next: usize,
    /// The letter that led here.
    letter: Option<Letter>,
    /// What to come back to when this place is left.
    mark: (usize, usize),
    /// Whether a level began here.
    begins: bool,
}

impl LetterSearch<'_> {
    /// Finds the moves of a piece from its square.
    fn words(&mut self, piece: usize, start: Square) -> Result<(), Fault> {
        let Some(rule) = &self.rules.game.rules[piece] else { return Ok(()) };
        let machine = &rule.machines.minimal;
        let mut levels = vec![HashSet::from([(machine.start, start)])];
        let mut frames = vec![WordFrame {
            node: machine.start,
            square: start,
            next: 0,
            letter: None,
            mark: self.journal.mark(),
            begins: false,
        }];
        if machine.accepts[machine.start] {
            self.accept(piece, &frames)?;
        }
        while let Some(frame) = frames.last_mut() {
            let Some((letter, to)) = machine.steps[frame.node].get(frame.next) else {
                self.rules.take_back(frame.mark, self.state, &mut self.journal)?;
                if frame.begins {
                    levels.pop();
                }
                frames.pop();
                continue;
            };
            frame.next += 1;
            let (Some(letter), from) = (letter, frame.square) else { continue };
            if !self.budget.spend() {
                // The state is put back, letter by letter.
                self.rules.take_back((0, 0), self.state, &mut self.journal)?;
                return self.budget.check();
            }
            let Some(this) = self.rules.step(from, letter) else { continue };
            let mark = self.journal.mark();
            if !self.read(piece, letter, from, this)? {
                continue;
            }
            let begins = self.journal.writes.len() > mark.0;
            if begins {
                levels.push(HashSet::new());
            }
            let new = levels.last_mut().is_some_and(|level| level.insert((*to, this)));
            if !new {
                self.rules.take_back(mark, self.state, &mut self.journal)?;
                continue;
            }
            if frames.len() > self.rules.limits.letters {
                self.rules.take_back((0, 0), self.state, &mut self.journal)?;
                let piece = self.rules.game.pieces[piece].name.clone();
                return Err(Fault::EndlessWord { piece, limit: self.rules.limits.letters });
            }
            let frame =
                WordFrame { node: *to, square: this, next: 0, letter: Some(*letter), mark, begins };
            frames.push(frame);
            if machine.accepts[*to] {
                self.accept(piece, &frames)?;
            }
        }
        Ok(())
    }

    /// Reads a letter, if its test and its effect allow.
    fn read(
        &mut self,
        piece: usize,
        letter: &Letter,
        from: Square,
        this: Square,
    ) -> Result<bool, Fault> {
        let evaluation =
            Evaluation { rules: self.rules, state: self.state, stuck: false, budget: self.budget };
        if !evaluation.passes(letter.test, from, this) {
            return Ok(false);
        }
        let Some(effect) = letter.effect else { return Ok(true) };
        let what = (piece, from, this);
        self.rules.act(effect, what, self.state, &mut self.journal, self.budget)
    }

    /// Adds the word that has been read, unless its changes are known already or not allowed.
    fn accept(&mut self, piece: usize, frames: &[WordFrame]) -> Result<(), Fault> {
        if self.known.contains(&self.journal.writes) {
            return Ok(());
        }
        self.stored += frames.len() + self.journal.writes.len();
        let limit = self.rules.limits.stored;
        if self.stored > limit {
            self.rules.take_back((0, 0), self.state, &mut self.journal)?;
            return Err(Fault::TooManyMoves { limit });
        }
        self.known.insert(self.journal.writes.clone());
        if !self.is_allowed() {
            return Ok(());
        }
        self.moves.push(Move {
            piece,
            path: frames.iter().map(|frame| frame.square).collect(),
            word: frames.iter().filter_map(|frame| frame.letter).collect(),
            writes: self.journal.writes.clone(),
        });
        Ok(())
    }

    /// Whether no post of the player matches.
    fn is_allowed(&self) -> bool {
        let evaluation =
            Evaluation { rules: self.rules, state: self.state, stuck: false, budget: self.budget };
        let posts = self.rules.game.posts.iter();
        let mut posts = posts.filter(|post| post.player == self.state.current);
        !posts.any(|post| evaluation.matches_from(&post.rule.machines.minimal, post.piece))
    }
}
