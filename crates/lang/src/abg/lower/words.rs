//! The moves of one piece: the words of its sentence, read letter by letter.
//!
//! Effects happen letter by letter. The usual one moves the piece; a word of many such letters would write two squares for each. So
//! a piece is *lifted* with its first step and put down where its word ends, or where something looks at the whole board;
//! in between the automaton only walks. A square that it leaves on the way and that was not empty is emptied.

use std::collections::{BTreeMap, HashMap};

use regulus_automaton::{Action, Node, Piece, PieceSet};

use super::branches::BranchPoint;
use super::turns::PostPattern;
use super::values::{Axis, affine, specialised};
use super::{Context, Lowering};
use crate::abg::game::{Content, Effect, Letter, Operation, Rule, Step, Value};

/// How a piece stands while its word is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Mode {
    /// On the cursor's square, as the state says.
    Standing,
    /// As before, but only for letters that look at the whole board.
    PutDown,
    /// In the air; the square below it is empty.
    LiftedOverEmpty,
    /// In the air; the square below it must be emptied.
    LiftedOverPiece,
}

/// The nodes of one piece's words.
struct Word<'a> {
    player: usize,
    piece: usize,
    rule: &'a Rule,
    /// The nodes so far, by the state of the machine and how the piece stands.
    nodes: BTreeMap<(usize, Mode), Node>,
    /// The nodes that have no edges yet.
    work: Vec<(usize, Mode, Node)>,
    /// The ends of words by what is still put and done there.
    endings: HashMap<Rest, Node>,
    /// Where letters have passed their tests, by their step and the state they lead to, and by what they do.
    letters: HashMap<(Shift, usize, Rest), Node>,
    /// Where words end with the post conditions and the end of the move still to come.
    done: Node,
    posts: &'a [PostPattern],
    /// Where words end whose move is over.
    moved: Node,
}

/// What remains to be done at the end of a word: a piece to be put there, and steps for the keeper.
type Rest = (Option<Piece>, Vec<Step>);

/// How far a letter goes: columns and rows.
type Shift = (i32, i32);

impl Word<'_> {
    /// Returns the node of a state, which is added if it is new.
    fn node(&mut self, lowering: &mut Lowering<'_>, state: usize, mode: Mode) -> Node {
        if let Some(node) = self.nodes.get(&(state, mode)) {
            return *node;
        }
        let node = lowering.draft.add_node();
        self.nodes.insert((state, mode), node);
        self.work.push((state, mode, node));
        node
    }
}

impl Lowering<'_> {
    /// Adds all moves of a piece, from any square to `done`, or where the keeper may put the piece down, to `moved`.
    #[expect(
        clippy::too_many_arguments,
        reason = "where a word begins, and the two ways in which it may end"
    )]
    pub(super) fn word(
        &mut self,
        player: usize,
        piece: usize,
        rule: &Rule,
        from: Node,
        done: Node,
        posts: &[PostPattern],
        moved: Node,
    ) {
        let origin = Some(rule.origin);
        let found = self.then(from, Action::On(PieceSet::from_iter([self.piece(piece)])), origin);
        let mut word = Word {
            player,
            piece,
            rule,
            nodes: BTreeMap::new(),
            work: Vec::new(),
            endings: HashMap::new(),
            letters: HashMap::new(),
            done,
            posts,
            moved,
        };
        let start = word.node(self, rule.machines.minimal.start, Mode::Standing);
        self.edge(found, Action::Skip, start, origin);
        while let Some((state, mode, node)) = word.work.pop() {
            self.state(&mut word, state, mode, node);
        }
    }

    /// Adds the edges of one node.
    fn state(&mut self, word: &mut Word<'_>, state: usize, mode: Mode, node: Node) {
        let machine = &word.rule.machines.minimal;
        let origin = Some(word.rule.origin);
        let letters: Vec<(Letter, usize)> =
            machine.letters(state).map(|(l, to)| (*l, to)).collect();
        let (walks, looks): (Vec<_>, Vec<_>) =
            letters.into_iter().partition(|(letter, _)| self.is_walk(letter, word.player));
        // A word that goes on with tests alone is the same move, so both end with the piece put down.
        let ends_put_down =
            machine.accepts[state] && looks.iter().any(|(letter, _)| self.does_nothing(letter));
        match mode {
            Mode::Standing => {
                if machine.accepts[state] {
                    self.edge(node, Action::Skip, word.done, origin);
                }
                if !walks.is_empty() {
                    // The state itself may end a word here only as it stands, so a node of its own.
                    let lifted = self.draft.add_node();
                    let empty = self.empty();
                    self.edge(node, Action::Put(empty), lifted, origin);
                    self.walks(word, &walks, lifted);
                }
                self.looks(word, &looks, node);
            }
            Mode::PutDown => {
                if ends_put_down {
                    self.edge(node, Action::Skip, word.done, origin);
                }
                self.looks(word, &looks, node);
            }
            Mode::LiftedOverEmpty | Mode::LiftedOverPiece => {
                if machine.accepts[state] && !ends_put_down {
                    let ending = self.ending(word, Some(self.piece(word.piece)), &[]);
                    self.edge(node, Action::Skip, ending, origin);
                }
                if !looks.is_empty() {
                    let down = word.node(self, state, Mode::PutDown);
                    let piece = self.piece(word.piece);
                    self.edge(node, Action::Put(piece), down, origin);
                }
                if !walks.is_empty() {
                    let mut at = node;
                    if mode == Mode::LiftedOverPiece {
                        let empty = self.empty();
                        at = self.then(at, Action::Put(empty), origin);
                    }
                    self.walks(word, &walks, at);
                }
            }
        }
    }

    /// Returns whether a letter can be read with the piece in the air: it moves the piece first, and its test looks at no other
    /// square than the one it leads to.
    fn is_walk(&self, letter: &Letter, player: usize) -> bool {
        let moves = match letter.effect.map(|effect| &self.game.effects[effect]) {
            Some(Effect::Steps(steps)) => steps.first() == Some(&Step::Move),
            _ => false,
        };
        let test = self.test(letter, self.context(player, letter));
        let mut looks = false;
        test.visit(&mut |part| {
            looks |= matches!(part, Value::Board(..) | Value::Match(_) | Value::Count(_));
        });
        moves && !looks && (letter.x, letter.y) != (0, 0)
    }

    /// Returns whether a letter of a rule is only a test.
    fn does_nothing(&self, letter: &Letter) -> bool {
        let effect = letter.effect.map(|effect| &self.game.effects[effect]);
        matches!(effect, Some(Effect::Steps(steps)) if steps.is_empty())
    }

    /// Goes where a letter leads, if its condition holds there; returns the context, the condition in it, and the node behind.
    fn tested(&mut self, word: &Word<'_>, letter: &Letter, from: Node) -> (Context, Value, Node) {
        let context = self.context(word.player, letter);
        let at = self.shift(from, (letter.x, letter.y), Some(word.rule.origin));
        let test = self.test(letter, context);
        let passed = self.draft.add_node();
        self.branch(&test, BranchPoint::only_if(context, at, passed));
        (context, test, passed)
    }

    /// Adds letters that are read with the piece in the air.
    fn walks(&mut self, word: &mut Word<'_>, letters: &[(Letter, usize)], from: Node) {
        let origin = Some(word.rule.origin);
        for (letter, to) in letters {
            let (context, test, passed) = self.tested(word, letter, from);
            let steps = self.steps(letter, context);
            let ends = ends_here(word.rule, *to);
            if steps.len() == 1 && !ends {
                let empty = self.implies_empty(&test);
                let mode = if empty { Mode::LiftedOverEmpty } else { Mode::LiftedOverPiece };
                let next = word.node(self, *to, mode);
                self.edge(passed, Action::Skip, next, origin);
                continue;
            }
            // What is put down here at once need not be the piece itself.
            let replacement = steps.get(1).and_then(|step| self.replacement(step));
            let rest = &steps[if replacement.is_some() { 2 } else { 1 }..];
            let put = replacement.unwrap_or(self.piece(word.piece));
            self.finish_letter(word, (rest, Some(put)), context, passed, *to);
        }
    }

    /// Adds letters that are read with the piece on the board.
    fn looks(&mut self, word: &mut Word<'_>, letters: &[(Letter, usize)], from: Node) {
        for (letter, to) in letters {
            let (context, _, passed) = self.tested(word, letter, from);
            let steps = self.steps(letter, context);
            self.finish_letter(word, (&steps, None), context, passed, *to);
        }
    }

    /// Adds the rest of a letter behind its test: what it puts here, and the steps that follow.
    fn finish_letter(
        &mut self,
        word: &mut Word<'_>,
        (steps, put): (&[Step], Option<Piece>),
        context: Context,
        from: Node,
        to: usize,
    ) {
        let origin = Some(word.rule.origin);
        // Letters that differ only in what they test do the same, and are one move.
        let deed = (context.step, to, (put, steps.to_vec()));
        if let Some(node) = word.letters.get(&deed) {
            return self.edge(from, Action::Skip, *node, origin);
        }
        let from = self.then(from, Action::Skip, origin);
        word.letters.insert(deed, from);
        if !ends_here(word.rule, to) {
            let at = put.map_or(from, |piece| self.then(from, Action::Put(piece), origin));
            let at = self.effect(steps, word.piece, context, at);
            let next = word.node(self, to, Mode::Standing);
            return self.edge(at, Action::Skip, next, origin);
        }
        let later = self.later(steps, word.posts.is_empty());
        let (now, later) = steps.split_at(steps.len() - later);
        if now.is_empty() {
            let ending = self.ending(word, put, later);
            return self.edge(from, Action::Skip, ending, origin);
        }
        let at = put.map_or(from, |piece| self.then(from, Action::Put(piece), origin));
        let at = self.effect(now, word.piece, context, at);
        let ending = self.ending(word, None, later);
        self.edge(at, Action::Skip, ending, origin);
    }

    /// Returns the number of last steps that can be left to the keeper: they cannot fail, and what they change is not
    /// looked at before the move is over.
    fn later(&self, steps: &[Step], no_posts: bool) -> usize {
        let waits = |step: &&Step| match step {
            Step::Move => false,
            Step::Board(..) => no_posts && self.replacement(step).is_some(),
            Step::Variable(variable, value, _) => match value {
                // As the turn decides, it may be another than those that the range was made of.
                Value::Number(number) => {
                    let bound = self.draft.variables[self.variables.variable(*variable)].bound;
                    (0..=i64::from(bound)).contains(&(number + self.variables.offset(*variable)))
                }
                // Below what is known to be its limit.
                Value::ThisX | Value::ThisY => true,
                // A count, far from its limit.
                Value::Binary(Operation::Add, count, one) => {
                    **count == Value::Variable(*variable) && **one == Value::Number(1)
                }
                _ => false,
            },
            Step::Score(..) => false,
        };
        if self.posts_read_variables { 0 } else { steps.iter().rev().take_while(waits).count() }
    }

    /// Returns the end of a word: what is still put here, the post conditions, and what the keeper does then.
    fn ending(&mut self, word: &mut Word<'_>, put: Option<Piece>, later: &[Step]) -> Node {
        if put.is_none() && later.is_empty() {
            return word.done;
        }
        let key = (put, later.to_vec());
        if let Some(node) = word.endings.get(&key) {
            return *node;
        }
        let origin = Some(word.rule.origin);
        let node = self.draft.add_node();
        word.endings.insert(key, node);
        let context = Context { current: word.player, stuck: false, step: (0, 0) };
        let puts = |lowering: &mut Self, from: Node| {
            put.map_or(from, |piece| lowering.then(from, Action::Put(piece), origin))
        };
        let mut at = node;
        if !word.posts.is_empty() {
            at = puts(self, at);
            at = self.checked(word.posts, at);
        }
        at = self.then(at, Action::Keeper, origin);
        if word.posts.is_empty() {
            at = puts(self, at);
        }
        at = self.effect(later, word.piece, context, at);
        self.edge(at, Action::Skip, word.moved, origin);
        node
    }

    /// Returns the effect of a letter in the turn of a player.
    fn steps(&self, letter: &Letter, context: Context) -> Vec<Step> {
        let Some(Effect::Steps(steps)) = letter.effect.map(|effect| &self.game.effects[effect])
        else {
            return Vec::new();
        };
        let steps = steps.iter().map(|step| match step {
            Step::Move => Step::Move,
            Step::Board(x, y, piece, origin) => Step::Board(
                specialised(x, context),
                specialised(y, context),
                specialised(piece, context),
                *origin,
            ),
            Step::Variable(variable, value, origin) => {
                Step::Variable(*variable, specialised(value, context), *origin)
            }
            Step::Score(player, value, origin) => {
                Step::Score(*player, specialised(value, context), *origin)
            }
        });
        steps.collect()
    }

    /// Returns whether a square that passes a test is empty.
    fn implies_empty(&self, test: &Value) -> bool {
        match test {
            Value::Holds(Content::Empty) => true,
            Value::Holds(Content::Piece(piece)) => self.game.empty == Some(*piece),
            Value::Binary(Operation::And, a, b) => self.implies_empty(a) || self.implies_empty(b),
            _ => false,
        }
    }

    /// Returns the piece that a step puts on the letter's own square; `None` if it does something else.
    fn replacement(&self, step: &Step) -> Option<Piece> {
        let Step::Board(x, y, Value::Number(number), _) = step else { return None };
        let here = affine(x, Axis::X) == Some(0) && affine(y, Axis::Y) == Some(0);
        here.then(|| usize::try_from(*number).ok().map(|number| self.piece(number)))?
    }
}

/// Returns whether words that lead to this state end there.
fn ends_here(rule: &Rule, state: usize) -> bool {
    let machine = &rule.machines.minimal;
    machine.accepts[state] && machine.steps[state].is_empty()
}
