//! A game to an automaton, from the minimal automata of its sentences.
//!
//! Effects happen letter by letter. The usual one moves the piece; a word of many such letters would write two squares for each. So
//! a piece is *lifted* with its first step and put down where its word ends, or where something looks at the whole board;
//! in between the automaton only walks. A square that it leaves on the way and that was not empty is emptied.
//!
//! ```text
//! ->white ─ any square ─ {wRook} ─▶ [empty] ─ walk and test ─▶ [wRook] ─ {! post} ─ ->> ─ conditions ─ ->black
//! ```
//!
//! Integers that depend on the board become branches: the automaton compares what it can compare and decides the rest by
//! tests. Before a player is in control the scores are what they will be if there is no legal move.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use regulus_automaton::{
    Action, Automaton, Board, Draft, Edge, Expression, Modifier, Node, Operator, Origin,
    PatternInfo, Piece, PieceSet, Player, Reason, Register, Relation, SquareSet, Table, Variable,
    VariableInfo, WalkTable,
};

use super::check::folded;
use super::game::{Content, Effect, Game, Letter, Operation, Outcome, Rule, Step, Test, Value};
use crate::{pragma, rectangle};

/// What the winner gets.
const WIN: i64 = 100;
/// How far variables may go, when not only known numbers are assigned to them.
const REACH: i64 = 1_000_000;
/// The most nodes of an automaton.
const MAX_NODES: usize = 200_000;

/// Why a game has no automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotLowered {
    /// It uses conditions or effects that programs provide.
    External,
    /// It needs more than a million steps.
    TooLarge,
    /// The lowering broke the automaton's rules; a bug.
    Internal(String),
}

impl std::fmt::Display for NotLowered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotLowered::External => {
                f.write_str("conditions and effects that programs provide cannot be compiled")
            }
            NotLowered::TooLarge => write!(f, "the rules need more than {MAX_NODES} steps"),
            NotLowered::Internal(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for NotLowered {}

/// The game as a verified automaton.
///
/// # Errors
///
/// When there is none.
pub fn lower(game: &Game) -> Result<Automaton, NotLowered> {
    let draft = Lowering::new(game)?.finish()?;
    draft.verify().map_err(|violations| NotLowered::Internal(violations.to_string()))
}

/// In whose turn, and from where, a value is computed.
#[derive(Clone, Copy)]
struct Context {
    current: usize,
    stuck: bool,
    /// The step of the letter, if there is one.
    step: (i32, i32),
}

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

struct Lowering<'a> {
    game: &'a Game,
    draft: Draft,
    modifiers: u32,
    in_pattern: bool,
    anywhere: Table,
    /// What is added to each variable so that it is never negative.
    offsets: Vec<i64>,
    /// The first of the variables that hold scores assigned by effects, if any does.
    scores: Option<usize>,
    /// Remembers the square of a letter while an effect is elsewhere.
    register: Option<Register>,
    patterns: HashMap<(usize, usize), regulus_automaton::Pattern>,
    /// Where the game is over, by the reason.
    over: BTreeMap<Reason, Node>,
    posts_read_variables: bool,
    is_too_large: bool,
}

impl<'a> Lowering<'a> {
    fn new(game: &'a Game) -> Result<Lowering<'a>, NotLowered> {
        let external = game.tests.iter().any(|test| matches!(test, Test::External(_)))
            || game.effects.iter().any(|effect| matches!(effect, Effect::External(_)));
        if external {
            return Err(NotLowered::External);
        }
        let players = game.players.iter();
        let players: Vec<VariableInfo> =
            players.map(|name| VariableInfo { name: name.clone(), bound: WIN as i32 }).collect();
        let (mut variables, mut offsets) = (Vec::new(), Vec::new());
        for (index, (name, initial)) in game.variables.iter().enumerate() {
            let (low, high) = range(game, index, *initial);
            offsets.push(-low);
            // The automaton's variables begin at 0; the name says what is added to this one.
            let name = if low < 0 { format!("{name}+{}", -low) } else { name.clone() };
            variables.push(VariableInfo { name, bound: (high - low) as i32 });
        }
        let steps = || {
            game.effects.iter().filter_map(|effect| match effect {
                Effect::Steps(steps) => Some(steps.iter()),
                Effect::External(_) => None,
            })
        };
        let scored = steps().flatten().any(|step| matches!(step, Step::Score(..)));
        let scores = scored.then_some(players.len() + variables.len());
        if scored {
            let name = |player: &String| format!("{player}.score");
            variables.extend(
                game.players
                    .iter()
                    .map(|player| VariableInfo { name: name(player), bound: WIN as i32 }),
            );
        }
        let pieces = game.pieces.iter().map(|piece| piece.name.clone()).collect();
        let mut draft = Draft::new(players, variables, pieces, board(game));
        let squares = draft.board.squares.keys().collect();
        let anywhere = draft.tables.push(WalkTable::Everywhere(squares));
        draft.looks = game.looks.clone();
        draft.endings.stuck.clone_from(&game.stuck);
        let elsewhere = |step: &Step| match step {
            Step::Board(x, y, ..) => affine(x, Axis::X).is_none() || affine(y, Axis::Y).is_none(),
            _ => false,
        };
        let register =
            steps().flatten().any(elsewhere).then(|| draft.registers.push("square".to_owned()));
        Ok(Lowering {
            game,
            draft,
            modifiers: 0,
            in_pattern: false,
            anywhere,
            offsets,
            scores,
            register,
            patterns: HashMap::new(),
            over: BTreeMap::new(),
            posts_read_variables: posts_read_variables(game),
            is_too_large: false,
        })
    }

    fn finish(mut self) -> Result<Draft, NotLowered> {
        let mut at = self.draft.start;
        for (index, (_, initial)) in self.game.variables.iter().enumerate() {
            let value = initial + self.offsets[index];
            if value != 0 {
                at = self.then(at, Action::Assign(self.variable(index), constant(value)), None);
            }
        }
        let turns: Vec<Node> = self.game.players.iter().map(|_| self.draft.add_node()).collect();
        self.edge(at, Action::Skip, turns[0], None);
        for player in 0..turns.len() {
            let next = turns[(player + 1) % turns.len()];
            self.turn(player, turns[player], next);
        }
        if self.is_too_large {
            return Err(NotLowered::TooLarge);
        }
        if let Some(history) = &self.game.history {
            pragma::add_history(&mut self.draft, history);
        }
        Ok(self.draft)
    }

    fn variable(&self, index: usize) -> Variable {
        Variable((self.game.players.len() + index) as u32)
    }

    fn piece(&self, number: usize) -> Piece {
        Piece(number as u32)
    }

    fn edge(&mut self, from: Node, action: Action, target: Node, origin: Option<Origin>) {
        if self.is_full() {
            return;
        }
        let modifier = (action.is_modifier() && !self.in_pattern).then(|| {
            self.modifiers += 1;
            Modifier(self.modifiers)
        });
        self.draft.add_edge(from, Edge { action, modifier, target, origin });
    }

    /// Whether there are so many nodes that nothing more is added.
    fn is_full(&mut self) -> bool {
        self.is_too_large |= self.draft.nodes.len() > MAX_NODES;
        self.is_too_large
    }

    /// An edge to a new node.
    fn then(&mut self, from: Node, action: Action, origin: Option<Origin>) -> Node {
        let target = self.draft.add_node();
        self.edge(from, action, target, origin);
        target
    }

    /// A walk over so many columns and rows.
    fn shift(&mut self, from: Node, (x, y): (i32, i32), origin: Option<Origin>) -> Node {
        let ways = rectangle::way(x, y);
        ways.fold(from, |at, direction| self.then(at, Action::Shift(direction), origin))
    }

    // ---- Turns ----

    fn turn(&mut self, player: usize, from: Node, next: Node) {
        let chooses = self.draft.add_node();
        let ready = self.stuck_scores(player, from);
        self.edge(ready, Action::Turn(Player(player as u32)), chooses, None);
        let anywhere = self.then(chooses, Action::Walk(self.anywhere), None);
        let moved = self.draft.add_node();
        let posts = self.posts(player);
        let done = self.draft.add_node();
        for piece in 0..self.game.pieces.len() {
            if let Some(rule) = &self.game.rules[piece]
                && self.game.pieces[piece].owners.contains(&player)
            {
                self.word(player, piece, rule, anywhere, done, &posts, moved);
            }
        }
        let legal = self.checked(&posts, done);
        self.edge(legal, Action::Keeper, moved, None);
        self.after_move(player, moved, next);
    }

    /// The patterns that must not match after a player's move; equal ones for several pieces are one.
    fn posts(&mut self, player: usize) -> Vec<(regulus_automaton::Pattern, Origin)> {
        let mut groups: Vec<(Vec<usize>, &Rule)> = Vec::new();
        for post in self.game.posts.iter().filter(|post| post.player == player) {
            match groups.iter_mut().find(|(_, rule)| rule.expression == post.rule.expression) {
                Some((pieces, _)) => pieces.push(post.piece),
                None => groups.push((vec![post.piece], &post.rule)),
            }
        }
        let mut patterns = Vec::new();
        for (pieces, rule) in groups {
            patterns.push((self.pattern(player, &pieces, rule), rule.origin));
        }
        patterns
    }

    /// Goes on where no post condition matches.
    fn checked(&mut self, posts: &[(regulus_automaton::Pattern, Origin)], from: Node) -> Node {
        let mut at = from;
        for (pattern, origin) in posts {
            at = self.then(at, Action::CheckNot(*pattern), Some(*origin));
        }
        at
    }

    /// All moves of a piece, from any square to `done`, or where the keeper may put the piece down, to `moved`.
    #[expect(
        clippy::too_many_arguments,
        reason = "where a word begins, and the two ways in which it may end"
    )]
    fn word(
        &mut self,
        player: usize,
        piece: usize,
        rule: &Rule,
        from: Node,
        done: Node,
        posts: &[(regulus_automaton::Pattern, Origin)],
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

    fn empty(&self) -> Piece {
        self.piece(self.game.empty.unwrap_or(0))
    }

    /// Whether a letter can be read with the piece in the air: it moves the piece first, and its test looks at no other
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

    /// Whether a letter of a rule is only a test.
    fn does_nothing(&self, letter: &Letter) -> bool {
        let effect = letter.effect.map(|effect| &self.game.effects[effect]);
        matches!(effect, Some(Effect::Steps(steps)) if steps.is_empty())
    }

    fn context(&self, current: usize, letter: &Letter) -> Context {
        Context { current, stuck: false, step: (letter.x, letter.y) }
    }

    /// The condition of a letter in somebody's turn.
    fn test(&self, letter: &Letter, context: Context) -> Value {
        match &self.game.tests[letter.test] {
            Test::Value(value) => specialised(value, context),
            Test::External(_) => Value::Number(0),
        }
    }

    /// Goes where a letter leads, if its condition holds there; gives that, in somebody's turn, and where to go on.
    fn tested(&mut self, word: &Word<'_>, letter: &Letter, from: Node) -> (Context, Value, Node) {
        let context = self.context(word.player, letter);
        let at = self.shift(from, (letter.x, letter.y), Some(word.rule.origin));
        let test = self.test(letter, context);
        let passed = self.draft.add_node();
        self.branch(&test, context, at, Some(passed), None);
        (context, test, passed)
    }

    /// Letters read with the piece in the air.
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

    /// The rest of a letter behind its test: what it puts here, and the steps that follow.
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

    /// How many of the last steps can be left to the keeper: they cannot fail, and nothing looks at what they change
    /// before the move is over.
    fn later(&self, steps: &[Step], no_posts: bool) -> usize {
        let waits = |step: &&Step| match step {
            Step::Move => false,
            Step::Board(..) => no_posts && self.replacement(step).is_some(),
            Step::Variable(variable, value, _) => match value {
                // As the turn decides, it may be another than those that the range was made of.
                Value::Number(number) => {
                    let bound = self.draft.variables[self.variable(*variable)].bound;
                    (0..=i64::from(bound)).contains(&(number + self.offsets[*variable]))
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

    /// The end of a word: what is still put here, the post conditions, and what the keeper does then.
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

    /// Letters read with the piece on the board.
    fn looks(&mut self, word: &mut Word<'_>, letters: &[(Letter, usize)], from: Node) {
        for (letter, to) in letters {
            let (context, _, passed) = self.tested(word, letter, from);
            let steps = self.steps(letter, context);
            self.finish_letter(word, (&steps, None), context, passed, *to);
        }
    }

    /// The effect of a letter, in somebody's turn.
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

    /// Whether a square that passes a test is empty.
    fn implies_empty(&self, test: &Value) -> bool {
        match test {
            Value::Holds(Content::Empty) => true,
            Value::Holds(Content::Piece(piece)) => self.game.empty == Some(*piece),
            Value::Binary(Operation::And, a, b) => self.implies_empty(a) || self.implies_empty(b),
            _ => false,
        }
    }

    /// The piece that a step puts on the letter's own square.
    fn replacement(&self, step: &Step) -> Option<Piece> {
        let Step::Board(x, y, Value::Number(number), _) = step else { return None };
        let here = affine(x, Axis::X) == Some(0) && affine(y, Axis::Y) == Some(0);
        here.then(|| usize::try_from(*number).ok().map(|number| self.piece(number)))?
    }

    // ---- Effects ----

    /// The steps of an effect, one after the other; the cursor is on the letter's square before and after.
    fn effect(&mut self, steps: &[Step], piece: usize, context: Context, from: Node) -> Node {
        let mut at = from;
        for step in steps {
            at = match step {
                Step::Move => {
                    let (x, y) = context.step;
                    let (empty, piece) = (self.empty(), self.piece(piece));
                    if (x, y) != (0, 0) {
                        at = self.shift(at, (-x, -y), None);
                        at = self.then(at, Action::Put(empty), None);
                        at = self.shift(at, (x, y), None);
                    }
                    self.then(at, Action::Put(piece), None)
                }
                Step::Board(x, y, value, origin) => {
                    self.put(x, y, &specialised(value, context), context, at, Some(*origin))
                }
                Step::Variable(variable, value, origin) => {
                    let offset = self.offsets[*variable];
                    let variable = self.variable(*variable);
                    self.assign(
                        variable,
                        offset,
                        &specialised(value, context),
                        context,
                        at,
                        Some(*origin),
                    )
                }
                Step::Score(player, value, origin) => {
                    let variable = Variable((self.scores.unwrap_or(0) + player) as u32);
                    self.assign(
                        variable,
                        0,
                        &specialised(value, context),
                        context,
                        at,
                        Some(*origin),
                    )
                }
            };
        }
        at
    }

    fn assign(
        &mut self,
        variable: Variable,
        offset: i64,
        value: &Value,
        context: Context,
        from: Node,
        origin: Option<Origin>,
    ) -> Node {
        let done = self.draft.add_node();
        self.cases(value, context, from, &mut |lowering, value, at| {
            if let Some(expression) = lowering.arithmetic(value, context) {
                let sum = Expression::binary(Operator::Add, expression, constant(offset));
                let sum = if offset == 0 {
                    lowering.arithmetic(value, context).unwrap_or(sum)
                } else {
                    sum
                };
                lowering.edge(at, Action::Assign(variable, sum), done, origin);
            }
        });
        done
    }

    fn put(
        &mut self,
        x: &Value,
        y: &Value,
        value: &Value,
        context: Context,
        from: Node,
        origin: Option<Origin>,
    ) -> Node {
        let (x, y) = (specialised(x, context), specialised(y, context));
        let done = self.draft.add_node();
        self.cases(value, context, from, &mut |lowering, value, at| {
            let Value::Number(number) = value else {
                // A piece by an unknown number: whichever it is.
                for piece in 0..lowering.game.pieces.len() {
                    let same = Value::Binary(
                        Operation::Equal,
                        Box::new(value.clone()),
                        Box::new(Value::Number(piece as i64)),
                    );
                    let chosen = lowering.draft.add_node();
                    lowering.branch(&same, context, at, Some(chosen), None);
                    lowering.put_piece(&x, &y, piece, context, chosen, done, origin);
                }
                return;
            };
            if let Ok(piece) = usize::try_from(*number)
                && piece < lowering.game.pieces.len()
            {
                lowering.put_piece(&x, &y, piece, context, at, done, origin);
            }
        });
        done
    }

    #[expect(clippy::too_many_arguments, reason = "what is put where, between two nodes")]
    fn put_piece(
        &mut self,
        x: &Value,
        y: &Value,
        piece: usize,
        context: Context,
        from: Node,
        done: Node,
        origin: Option<Origin>,
    ) {
        let piece = self.piece(piece);
        let place = (affine(x, Axis::X), affine(y, Axis::Y));
        if let (Some(x), Some(y)) = place {
            let at = self.shift(from, (x, y), origin);
            let put = self.then(at, Action::Put(piece), origin);
            let back = self.shift(put, (-x, -y), origin);
            return self.edge(back, Action::Skip, done, origin);
        }
        let Some(register) = self.register else { return };
        let saved = self.then(from, Action::Save(register), origin);
        let both = Value::Board(Box::new(x.clone()), Box::new(y.clone()));
        self.cases_of_place(&both, context, saved, &mut |lowering, x, y, at| {
            let jumped = lowering.then(at, Action::Jump(x, y), origin);
            let put = lowering.then(jumped, Action::Put(piece), origin);
            lowering.edge(put, Action::Recall(register), done, origin);
        });
    }

    // ---- Values ----

    /// Branches until nothing in a value depends on the board, and goes on with each of the values that remain.
    fn cases(
        &mut self,
        value: &Value,
        context: Context,
        from: Node,
        function: &mut dyn FnMut(&mut Self, &Value, Node),
    ) {
        if self.is_full() {
            return;
        }
        match unknown_part(value) {
            None => function(self, value, from),
            Some(Value::Board(x, y)) => {
                let part = Value::Board(x.clone(), y.clone());
                for piece in -1..self.game.pieces.len() as i64 {
                    let known = Value::Number(piece);
                    let same = Value::Binary(
                        Operation::Equal,
                        Box::new(part.clone()),
                        Box::new(known.clone()),
                    );
                    let at = self.draft.add_node();
                    self.branch(&same, context, from, Some(at), None);
                    let value = folded(&replaced(value, &part, &known));
                    self.cases(&value, context, at, function);
                }
            }
            Some(Value::Choose(condition, first, second)) => {
                let part = Value::Choose(condition.clone(), first.clone(), second.clone());
                let (yes, no) = (self.draft.add_node(), self.draft.add_node());
                self.branch(&condition.clone(), context, from, Some(yes), Some(no));
                for (chosen, at) in [(first.clone(), yes), (second.clone(), no)] {
                    let value = folded(&replaced(value, &part, &chosen));
                    self.cases(&value, context, at, function);
                }
            }
            Some(part) => {
                let part = part.clone();
                let (yes, no) = (self.draft.add_node(), self.draft.add_node());
                self.branch(&part, context, from, Some(yes), Some(no));
                for (number, at) in [(1, yes), (0, no)] {
                    let value = folded(&replaced(value, &part, &Value::Number(number)));
                    self.cases(&value, context, at, function);
                }
            }
        }
    }

    /// The coordinates of a square as expressions the automaton knows, by cases.
    fn cases_of_place(
        &mut self,
        place: &Value,
        context: Context,
        from: Node,
        function: &mut dyn FnMut(&mut Self, Expression, Expression, Node),
    ) {
        let Value::Board(x, y) = place else { return };
        let (x, y) = (x.clone(), y.clone());
        self.cases(&x, context, from, &mut |lowering, x, at| {
            let x = x.clone();
            let y = y.clone();
            lowering.cases(&y, context, at, &mut |lowering, y, at| {
                if let (Some(x), Some(y)) =
                    (lowering.arithmetic(&x, context), lowering.arithmetic(y, context))
                {
                    // The automaton counts rows from the top.
                    let top = constant(i64::from(lowering.game.height) - 1);
                    let y = Expression::binary(Operator::Subtract, top, y);
                    function(lowering, x, y, at);
                }
            });
        });
    }

    /// A value as an expression of the automaton, when nothing in it depends on the board.
    fn arithmetic(&self, value: &Value, context: Context) -> Option<Expression> {
        let column = || Expression::Column(Register::CURSOR);
        // Rows are counted from the bottom here.
        let row = || {
            let top = constant(i64::from(self.game.height) - 1);
            Expression::binary(Operator::Subtract, top, Expression::Row(Register::CURSOR))
        };
        let minus = |value: Expression, step: i32| {
            Expression::binary(Operator::Subtract, value, constant(i64::from(step)))
        };
        Some(match value {
            Value::Number(number) => Expression::Constant(i32::try_from(*number).ok()?),
            Value::Variable(variable) => {
                let read = Expression::Variable(self.variable(*variable));
                match self.offsets[*variable] {
                    0 => read,
                    offset => Expression::binary(Operator::Subtract, read, constant(offset)),
                }
            }
            Value::Score(player) => match self.scores {
                Some(first) => Expression::Variable(Variable((first + player) as u32)),
                None => Expression::Constant(0),
            },
            Value::ThisX => column(),
            Value::ThisY => row(),
            Value::FromX => minus(column(), context.step.0),
            Value::FromY => minus(row(), context.step.1),
            Value::Count(piece) => Expression::Count(self.piece(*piece)),
            Value::Negate(inner) => {
                let inner = self.arithmetic(inner, context)?;
                Expression::binary(Operator::Subtract, constant(0), inner)
            }
            Value::Binary(operation, left, right) => {
                let (left, right) =
                    (self.arithmetic(left, context)?, self.arithmetic(right, context)?);
                let operator = match operation {
                    Operation::Add => Operator::Add,
                    Operation::Subtract => Operator::Subtract,
                    Operation::Multiply => Operator::Multiply,
                    Operation::Divide => Operator::Divide,
                    Operation::Modulo => {
                        let whole =
                            Expression::binary(Operator::Divide, left.clone(), right.clone());
                        let whole = Expression::binary(Operator::Multiply, whole, right);
                        return Some(Expression::binary(Operator::Subtract, left, whole));
                    }
                    _ => return None,
                };
                Expression::binary(operator, left, right)
            }
            _ => return None,
        })
    }

    /// Goes on at `yes` where the value is not 0, and at `no` where it is.
    fn branch(
        &mut self,
        value: &Value,
        context: Context,
        from: Node,
        yes: Option<Node>,
        no: Option<Node>,
    ) {
        if self.is_full() {
            return;
        }
        if let Some([true_on, false_on]) = self.squares(value, context) {
            let all = self.draft.board.squares.len();
            for (squares, to) in [(true_on, yes), (false_on, no)] {
                let Some(to) = to.filter(|_| !squares.is_empty()) else { continue };
                let action = if squares.len() == all { Action::Skip } else { Action::At(squares) };
                self.edge(from, action, to, None);
            }
            return;
        }
        match value {
            Value::Not(inner) => self.branch(inner, context, from, no, yes),
            Value::Binary(Operation::And, left, right) => {
                let both = self.draft.add_node();
                self.branch(left, context, from, Some(both), no);
                self.branch(right, context, both, yes, no);
                // What is false is false, even beside something that cannot be computed.
                if may_fail(left) {
                    self.branch(right, context, from, None, no);
                }
            }
            Value::Binary(Operation::Or, left, right) => {
                let neither = self.draft.add_node();
                self.branch(left, context, from, yes, Some(neither));
                self.branch(right, context, neither, yes, no);
                if may_fail(left) {
                    self.branch(right, context, from, yes, None);
                }
            }
            Value::Choose(condition, first, second) => {
                let (one, other) = (self.draft.add_node(), self.draft.add_node());
                self.branch(condition, context, from, Some(one), Some(other));
                self.branch(first, context, one, yes, no);
                self.branch(second, context, other, yes, no);
            }
            Value::Holds(content) => {
                let set = self.holds(*content, context);
                let pieces = self.draft.pieces.keys();
                let others: PieceSet = pieces.filter(|piece| !set.contains(*piece)).collect();
                self.both(from, Action::On(set), Action::On(others), yes, no);
            }
            Value::Match(number) => {
                let found = &self.game.patterns[*number];
                let pattern = match self.patterns.get(&(*number, context.current)) {
                    Some(pattern) => *pattern,
                    None => {
                        let pattern = self.pattern(context.current, &found.from, &found.rule);
                        self.patterns.insert((*number, context.current), pattern);
                        pattern
                    }
                };
                self.both(from, Action::Check(pattern), Action::CheckNot(pattern), yes, no);
            }
            Value::Binary(operation, left, right) => {
                self.compare(*operation, left, right, value, context, from, yes, no);
            }
            Value::Board(..) => {
                let truth = Value::Binary(
                    Operation::NotEqual,
                    Box::new(value.clone()),
                    Box::new(Value::Number(0)),
                );
                self.branch(&truth, context, from, yes, no);
            }
            _ => self.not_zero(value, context, from, yes, no),
        }
    }

    /// Branches on arithmetic: whether it is zero.
    fn not_zero(
        &mut self,
        value: &Value,
        context: Context,
        from: Node,
        yes: Option<Node>,
        no: Option<Node>,
    ) {
        let Some(expression) = self.arithmetic(value, context) else {
            return self.by_cases(value, context, from, yes, no);
        };
        let test = |relation| Action::Compare(expression.clone(), relation, constant(0));
        self.both(from, test(Relation::NotEqual), test(Relation::Equal), yes, no);
    }

    fn by_cases(
        &mut self,
        value: &Value,
        context: Context,
        from: Node,
        yes: Option<Node>,
        no: Option<Node>,
    ) {
        self.cases(value, context, from, &mut |lowering, value, at| {
            lowering.branch(value, context, at, yes, no);
        });
    }

    #[expect(clippy::too_many_arguments, reason = "a comparison, and where it leads")]
    fn compare(
        &mut self,
        operation: Operation,
        left: &Value,
        right: &Value,
        whole: &Value,
        context: Context,
        from: Node,
        yes: Option<Node>,
        no: Option<Node>,
    ) {
        // A square and a piece, in any order.
        let square = match (left, right) {
            (Value::Board(..), Value::Number(number)) => Some((left, *number)),
            (Value::Number(number), Value::Board(..)) => Some((right, *number)),
            _ => None,
        };
        if let (Some((place, number)), Operation::Equal | Operation::NotEqual) = (square, operation)
        {
            if number < -1 {
                let (to, other) = (no, yes);
                let to = if operation == Operation::Equal { to } else { other };
                return self.both(from, Action::Skip, Action::Skip, to, None);
            }
            let pattern = self.square_pattern(place, number, context);
            let (yes, no) = if operation == Operation::Equal { (yes, no) } else { (no, yes) };
            // Outside the board is where no square is.
            return match number {
                -1 => self.both(from, Action::CheckNot(pattern), Action::Check(pattern), yes, no),
                _ => self.both(from, Action::Check(pattern), Action::CheckNot(pattern), yes, no),
            };
        }
        let relation = match operation {
            Operation::Equal => (Relation::Equal, Relation::NotEqual),
            Operation::NotEqual => (Relation::NotEqual, Relation::Equal),
            Operation::Less => (Relation::Less, Relation::GreaterOrEqual),
            Operation::LessOrEqual => (Relation::LessOrEqual, Relation::Greater),
            Operation::Greater => (Relation::Greater, Relation::LessOrEqual),
            Operation::GreaterOrEqual => (Relation::GreaterOrEqual, Relation::Less),
            _ => return self.not_zero(whole, context, from, yes, no),
        };
        if let (Some(left), Some(right)) =
            (self.arithmetic(left, context), self.arithmetic(right, context))
        {
            let test = |relation| Action::Compare(left.clone(), relation, right.clone());
            return self.both(from, test(relation.0), test(relation.1), yes, no);
        }
        self.by_cases(whole, context, from, yes, no);
    }

    fn both(
        &mut self,
        from: Node,
        if_yes: Action,
        if_no: Action,
        yes: Option<Node>,
        no: Option<Node>,
    ) {
        if let Some(yes) = yes {
            self.edge(from, if_yes, yes, None);
        }
        if let Some(no) = no {
            self.edge(from, if_no, no, None);
        }
    }

    /// The squares where a value is not 0, and those where it is, when it depends on nothing but the square; where it
    /// cannot be computed it is neither.
    fn squares(&self, value: &Value, context: Context) -> Option<[SquareSet; 2]> {
        let mut only_place = true;
        value.visit(&mut |part| {
            only_place &= matches!(
                part,
                Value::Number(_)
                    | Value::ThisX
                    | Value::ThisY
                    | Value::FromX
                    | Value::FromY
                    | Value::Negate(_)
                    | Value::Not(_)
                    | Value::Binary(..)
                    | Value::Choose(..)
            );
        });
        if !only_place {
            return None;
        }
        let mut sets = [SquareSet::new(), SquareSet::new()];
        for (square, info) in self.draft.board.squares.iter() {
            let here = (i64::from(info.x), i64::from(self.game.height) - 1 - i64::from(info.y));
            if let Some(value) = at_place(value, here, context) {
                sets[usize::from(value == 0)].insert(square);
            }
        }
        Some(sets)
    }

    fn holds(&self, content: Content, context: Context) -> PieceSet {
        let game = self.game;
        let fits = |number: usize| match content {
            Content::Empty => game.empty == Some(number),
            Content::Piece(piece) => piece == number,
            Content::Opponent => {
                let owners = &game.pieces[number].owners;
                !owners.is_empty() && !owners.contains(&context.current)
            }
        };
        (0..game.pieces.len())
            .filter(|number| fits(*number))
            .map(|number| self.piece(number))
            .collect()
    }

    // ---- Patterns ----

    /// Builds the inside of a pattern.
    fn inside(&mut self, build: impl FnOnce(&mut Self, Node, Node)) -> regulus_automaton::Pattern {
        let outside = std::mem::replace(&mut self.in_pattern, true);
        let (start, accept) = (self.draft.add_node(), self.draft.add_node());
        build(self, start, accept);
        self.in_pattern = outside;
        self.draft.patterns.push(PatternInfo { start, accept })
    }

    /// A pattern that succeeds where a square holds a piece; for -1, where there is such a square.
    fn square_pattern(
        &mut self,
        place: &Value,
        number: i64,
        context: Context,
    ) -> regulus_automaton::Pattern {
        let place = specialised(place, context);
        self.inside(|lowering, start, accept| {
            if let Value::Board(x, y) = &place
                && let (Some(x), Some(y)) = (affine(x, Axis::X), affine(y, Axis::Y))
            {
                let at = lowering.shift(start, (x, y), None);
                return lowering.holds_number(at, number, accept);
            }
            lowering.cases_of_place(&place, context, start, &mut |lowering, x, y, at| {
                let jumped = lowering.then(at, Action::Jump(x, y), None);
                lowering.holds_number(jumped, number, accept);
            });
        })
    }

    fn holds_number(&mut self, from: Node, number: i64, to: Node) {
        match usize::try_from(number) {
            Ok(piece) if piece < self.game.pieces.len() => {
                let set = PieceSet::from_iter([self.piece(piece)]);
                self.edge(from, Action::On(set), to, None);
            }
            // Such a piece is nowhere.
            Ok(_) => {}
            Err(_) => self.edge(from, Action::Skip, to, None),
        }
    }

    /// A pattern that looks for a sentence, from here or from everywhere where one of these pieces is.
    fn pattern(
        &mut self,
        current: usize,
        from: &[usize],
        rule: &Rule,
    ) -> regulus_automaton::Pattern {
        let origin = Some(rule.origin);
        self.inside(|lowering, start, accept| {
            let mut at = start;
            if !from.is_empty() {
                let set = from.iter().map(|piece| lowering.piece(*piece)).collect();
                at = lowering.then(at, Action::Walk(lowering.anywhere), origin);
                at = lowering.then(at, Action::On(set), origin);
            }
            let machine = &rule.machines.minimal;
            let states: Vec<Node> = (0..machine.len()).map(|_| lowering.draft.add_node()).collect();
            lowering.edge(at, Action::Skip, states[machine.start], origin);
            for (state, &node) in states.iter().enumerate() {
                if machine.accepts[state] {
                    lowering.edge(node, Action::Skip, accept, origin);
                }
                for (letter, to) in machine.letters(state) {
                    let context = lowering.context(current, letter);
                    let at = lowering.shift(node, (letter.x, letter.y), origin);
                    let test = lowering.test(letter, context);
                    lowering.branch(&test, context, at, Some(states[to]), None);
                }
            }
        })
    }

    // ---- How games end ----

    /// What happens after a player's move: a condition may end the game; otherwise it is the next player's turn.
    fn after_move(&mut self, player: usize, from: Node, next: Node) {
        let context = Context { current: player, stuck: false, step: (0, 0) };
        self.conditions(context, from, &|_| true, &mut |lowering, scores, at, origin, reason| {
            match scores {
                Some(scores) => {
                    let at = lowering.final_scores(&scores, at, origin);
                    let over = lowering.over(reason);
                    lowering.edge(at, Action::Keeper, over, origin);
                }
                None => lowering.edge(at, Action::Skip, next, None),
            }
        });
    }

    /// Where the game is over for a reason.
    fn over(&mut self, reason: Option<Reason>) -> Node {
        let Some(reason) = reason else { return self.draft.add_node() };
        let draft = &mut self.draft;
        *self.over.entry(reason).or_insert_with_key(|reason| {
            let over = draft.add_node();
            draft.endings.at.insert(over, reason.clone());
            over
        })
    }

    /// Sets the scores to what they are if a player has no legal move; gives where to go on.
    fn stuck_scores(&mut self, player: usize, from: Node) -> Node {
        let context = Context { current: player, stuck: true, step: (0, 0) };
        let ready = self.draft.add_node();
        let mentions = |value: &Value| value.mentions_stuck();
        self.conditions(context, from, &mentions, &mut |lowering, scores, at, origin, _| {
            let at = match (scores, lowering.scores) {
                (Some(scores), _) => lowering.final_scores(&scores, at, origin),
                (None, None) => {
                    let share = vec![WIN / 2; lowering.game.players.len()];
                    lowering.final_scores(&share, at, origin)
                }
                // What effects have assigned counts when nothing else does.
                (None, Some(first)) => {
                    let mut at = at;
                    for player in 0..lowering.game.players.len() {
                        let value = Expression::Variable(Variable((first + player) as u32));
                        at = lowering.then(
                            at,
                            Action::Assign(Variable(player as u32), value),
                            origin,
                        );
                    }
                    at
                }
            };
            lowering.edge(at, Action::Skip, ready, origin);
        });
        ready
    }

    /// Looks at the conditions in their order, victories together, and goes on with the scores of what holds.
    fn conditions(
        &mut self,
        context: Context,
        from: Node,
        counts: &dyn Fn(&Value) -> bool,
        function: &mut Ending<'_, Self>,
    ) {
        /// More winners at once are not told apart.
        const MAX_WINNERS: usize = 6;
        /// How many different sets of winners there may be.
        const MAX_SETS: usize = 4096;
        let players = self.game.players.len();
        // Who has won already, and the words for it: those of the first condition that held.
        let mut open: BTreeMap<(BTreeSet<usize>, Option<Reason>), Node> =
            BTreeMap::from([((BTreeSet::new(), None), from)]);
        for condition in &self.game.conditions {
            if !counts(&condition.when) {
                continue;
            }
            let when = specialised(&condition.when, context);
            if when == Value::Number(0) {
                continue;
            }
            let origin = Some(condition.origin);
            let may_fail = may_fail(&when);
            // Where a player cannot move, one text says why.
            let words = (!context.stuck).then(|| self.game.reason(condition));
            let mut next: BTreeMap<(BTreeSet<usize>, Option<Reason>), Node> = BTreeMap::new();
            for ((winners, reason), at) in std::mem::take(&mut open) {
                self.is_too_large |= next.len() > MAX_SETS;
                if self.is_full() {
                    return;
                }
                let mut join = |lowering: &mut Self, winners: BTreeSet<usize>, reason| {
                    *next.entry((winners, reason)).or_insert_with(|| lowering.draft.add_node())
                };
                match &condition.outcome {
                    Outcome::Victory(player) if winners.len() < MAX_WINNERS => {
                        let mut more = winners.clone();
                        more.insert(*player);
                        let no = join(self, winners, reason.clone());
                        let yes = join(self, more, reason.or_else(|| words.clone()));
                        self.decide(&when, may_fail, context, at, yes, no);
                    }
                    // Somebody has won already.
                    _ if !winners.is_empty() => {
                        let no = join(self, winners, reason);
                        self.edge(at, Action::Skip, no, origin);
                    }
                    outcome => {
                        let no = join(self, winners, reason);
                        let yes = self.draft.add_node();
                        self.decide(&when, may_fail, context, at, yes, no);
                        let scores = match outcome {
                            Outcome::Scores(given) => {
                                let mut scores = vec![0; players];
                                given.iter().for_each(|(player, score)| scores[*player] = *score);
                                scores
                            }
                            _ => vec![WIN / 2; players],
                        };
                        function(self, Some(scores), yes, origin, words.clone());
                    }
                }
            }
            open = next;
        }
        for ((winners, reason), at) in open {
            let share = |player: usize| {
                if winners.contains(&player) { WIN / winners.len() as i64 } else { 0 }
            };
            let scores = (!winners.is_empty()).then(|| (0..players).map(share).collect());
            function(self, scores, at, None, reason);
        }
    }

    /// Branches on a condition; one that cannot be computed does not hold.
    fn decide(
        &mut self,
        when: &Value,
        may_fail: bool,
        context: Context,
        from: Node,
        yes: Node,
        no: Node,
    ) {
        if !may_fail {
            return self.branch(when, context, from, Some(yes), Some(no));
        }
        let pattern = self.inside(|lowering, start, accept| {
            lowering.branch(when, context, start, Some(accept), None);
        });
        self.both(from, Action::Check(pattern), Action::CheckNot(pattern), Some(yes), Some(no));
    }

    fn final_scores(&mut self, scores: &[i64], from: Node, origin: Option<Origin>) -> Node {
        let mut at = from;
        for (player, score) in scores.iter().enumerate() {
            at = self.then(at, Action::Assign(Variable(player as u32), constant(*score)), origin);
        }
        at
    }
}

/// What to do at the end of conditions: the scores, if any condition holds, where it was decided by what, and
/// the reason in words.
type Ending<'a, L> = dyn FnMut(&mut L, Option<Vec<i64>>, Node, Option<Origin>, Option<Reason>) + 'a;

/// What remains to be done at the end of a word: a piece to be put there, and steps for the keeper.
type Rest = (Option<Piece>, Vec<Step>);

/// How far a letter goes: columns and rows.
type Shift = (i32, i32);

/// The nodes of one piece's words.
struct Word<'a> {
    player: usize,
    piece: usize,
    rule: &'a Rule,
    nodes: BTreeMap<(usize, Mode), Node>,
    work: Vec<(usize, Mode, Node)>,
    /// The ends of words by what is still put and done there.
    endings: HashMap<Rest, Node>,
    /// Where letters have passed their tests, by their step and the state they lead to, and by what they do.
    letters: HashMap<(Shift, usize, Rest), Node>,
    done: Node,
    posts: &'a [(regulus_automaton::Pattern, Origin)],
    moved: Node,
}

/// Whether words that lead to this state end there.
fn ends_here(rule: &Rule, state: usize) -> bool {
    let machine = &rule.machines.minimal;
    machine.accepts[state] && machine.steps[state].is_empty()
}

impl Word<'_> {
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    X,
    Y,
}

/// How far a coordinate is from that of the letter's square, when that is known beforehand.
fn affine(value: &Value, axis: Axis) -> Option<i32> {
    match (value, axis) {
        (Value::ThisX, Axis::X) | (Value::ThisY, Axis::Y) => Some(0),
        (Value::Binary(operation, left, right), _) => {
            match (operation, left.as_ref(), right.as_ref()) {
                (Operation::Add, base, Value::Number(number))
                | (Operation::Add, Value::Number(number), base) => {
                    affine(base, axis)?.checked_add(i32::try_from(*number).ok()?)
                }
                (Operation::Subtract, base, Value::Number(number)) => {
                    affine(base, axis)?.checked_sub(i32::try_from(*number).ok()?)
                }
                _ => None,
            }
        }
        _ => None,
    }
    .filter(|distance| distance.abs() < 10_000)
}

/// A value in somebody's turn.
fn specialised(value: &Value, context: Context) -> Value {
    let back = |value: Value, step: i32| match step {
        0 => value,
        _ => Value::Binary(
            Operation::Add,
            Box::new(value),
            Box::new(Value::Number(-i64::from(step))),
        ),
    };
    let known = [
        (Value::Current, Value::Number(context.current as i64)),
        (Value::Stuck, Value::Number(i64::from(context.stuck))),
        (Value::FromX, back(Value::ThisX, context.step.0)),
        (Value::FromY, back(Value::ThisY, context.step.1)),
    ];
    let mut value = value.clone();
    for (part, by) in known {
        value = replaced(&value, &part, &by);
    }
    folded(&value)
}

/// A value with a part replaced wherever it occurs.
fn replaced(value: &Value, part: &Value, by: &Value) -> Value {
    if value == part {
        return by.clone();
    }
    let inner = |value: &Value| Box::new(replaced(value, part, by));
    match value {
        Value::Board(x, y) => Value::Board(inner(x), inner(y)),
        Value::Negate(a) => Value::Negate(inner(a)),
        Value::Not(a) => Value::Not(inner(a)),
        Value::Binary(operation, a, b) => Value::Binary(*operation, inner(a), inner(b)),
        Value::Choose(a, b, c) => Value::Choose(inner(a), inner(b), inner(c)),
        other => other.clone(),
    }
}

/// A part that only tests can decide.
fn unknown_part(value: &Value) -> Option<&Value> {
    match value {
        Value::Number(_)
        | Value::Variable(_)
        | Value::Score(_)
        | Value::ThisX
        | Value::ThisY
        | Value::FromX
        | Value::FromY
        | Value::Count(_) => None,
        Value::Negate(a) => unknown_part(a),
        Value::Board(x, y) => unknown_part(x).or_else(|| unknown_part(y)).or(Some(value)),
        Value::Binary(
            Operation::Add
            | Operation::Subtract
            | Operation::Multiply
            | Operation::Divide
            | Operation::Modulo,
            a,
            b,
        ) => unknown_part(a).or_else(|| unknown_part(b)),
        Value::Binary(Operation::And | Operation::Or, ..) => Some(value),
        Value::Binary(_, a, b) => unknown_part(a).or_else(|| unknown_part(b)).or(Some(value)),
        // Decided as a whole, since one side may be enough.
        Value::Choose(..) | Value::Not(_) => Some(value),
        Value::Holds(_) | Value::Current | Value::Stuck | Value::Match(_) => Some(value),
    }
}

/// Whether a value cannot be computed in some states: something is divided, or grows with every product.
fn may_fail(value: &Value) -> bool {
    let mut risky = false;
    value.visit(&mut |part| {
        risky |= matches!(
            part,
            Value::Binary(Operation::Divide | Operation::Modulo | Operation::Multiply, ..)
        );
    });
    risky
}

/// The value on a known square, when it depends on nothing else.
fn at_place(value: &Value, here: (i64, i64), context: Context) -> Option<i64> {
    let part = |value: &Value| at_place(value, here, context);
    Some(match value {
        Value::Number(number) => *number,
        Value::ThisX => here.0,
        Value::ThisY => here.1,
        Value::FromX => here.0 - i64::from(context.step.0),
        Value::FromY => here.1 - i64::from(context.step.1),
        Value::Negate(a) => part(a)?.checked_neg()?,
        Value::Not(a) => i64::from(part(a)? == 0),
        Value::Choose(a, b, c) => {
            if part(a)? != 0 {
                part(b)?
            } else {
                part(c)?
            }
        }
        Value::Binary(operation, a, b) => match (operation, part(a), part(b)) {
            (Operation::And, Some(0), _) | (Operation::And, _, Some(0)) => 0,
            (Operation::Or, Some(a), _) if a != 0 => 1,
            (Operation::Or, _, Some(b)) if b != 0 => 1,
            (operation, a, b) => operation.apply(a?, b?)?,
        },
        _ => return None,
    })
}

/// The least and the greatest value of a variable.
pub(super) fn range(game: &Game, variable: usize, initial: i64) -> (i64, i64) {
    let (mut low, mut high) = (initial.min(0), initial.max(0));
    for effect in &game.effects {
        let Effect::Steps(steps) = effect else { continue };
        for step in steps {
            match step {
                Step::Variable(number, Value::Number(value), _) if *number == variable => {
                    (low, high) = (low.min(*value), high.max(*value));
                }
                Step::Variable(number, ..) if *number == variable => {
                    high = high.max(REACH);
                }
                _ => {}
            }
        }
    }
    // At least one value besides the first, so that the variable is one.
    (low, high.max(low + 1))
}

/// Whether a post condition may read variables; what patterns within it read is not looked at any closer.
fn posts_read_variables(game: &Game) -> bool {
    let mut reads = false;
    for post in &game.posts {
        post.rule.expression.visit_letters(&mut |letter| {
            if let Test::Value(value) = &game.tests[letter.test] {
                value.visit(&mut |part| {
                    reads |= matches!(part, Value::Variable(_) | Value::Score(_) | Value::Match(_));
                });
            }
        });
    }
    reads
}

fn constant(number: i64) -> Expression {
    Expression::Constant(i32::try_from(number).unwrap_or(i32::MAX))
}

fn board(game: &Game) -> Board {
    let pieces = game.board.iter().map(|piece| Piece(*piece as u32));
    rectangle::board(game.width, game.height, rectangle::Edges::Plane, pieces)
}
