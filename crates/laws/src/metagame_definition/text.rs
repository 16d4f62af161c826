//! Reads a METAGAME text: words, then the grammar, one function for each of its rules.

use super::{
    Assigner, Capture, Count, Description, EffectRule, Goal, KindIndex, Manner, MetagameDefinition,
    Movement, PieceRules, Promoting, Setup, Square, Who,
};
use std::collections::BTreeSet;

/// The largest number that is read. Products of two of them fit.
const LARGEST: i64 = 1_000_000_000;
/// The most squares of a board.
const MOST_SQUARES: i64 = 10_000;
/// The most kinds of pieces.
const MOST_KINDS: usize = 10_000;

/// The words that cannot be names.
const RESERVED: [&str; 57] = [
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

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// A name or a word of the grammar, in lower case.
    Word(String),
    Number(i64),
    Symbol(&'static str),
}

/// Returns the tokens of a text.
fn tokens(text: &str) -> Result<Vec<Token>, String> {
    const SYMBOLS: [&str; 16] =
        ["->", ">=", "<=", "{", "}", "[", "]", "(", ")", "<", ">", ",", ".", ";", "=", "/"];
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let mut taken = first.len_utf8();
        if first == '%' {
            taken = rest.find('\n').unwrap_or(rest.len());
        } else if first.is_ascii_digit() {
            taken = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..taken].parse().ok().filter(|number| *number <= LARGEST);
            tokens.push(Token::Number(number.ok_or("a number is too large")?));
        } else if first.is_ascii_alphabetic() || first == '_' {
            let ends = |c: char| !c.is_ascii_alphanumeric() && c != '_';
            taken = rest.find(ends).unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..taken].to_ascii_lowercase()));
        } else if !first.is_whitespace() {
            let symbol = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol));
            let symbol = symbol.ok_or_else(|| format!("{first:?} means nothing"))?;
            taken = symbol.len();
            tokens.push(Token::Symbol(symbol));
        }
        rest = &rest[taken..];
    }
    Ok(tokens)
}

/// Returns the names that are defined, in this order: each stands after a `define` that does not stand after `end`.
fn defined(tokens: &[Token]) -> Result<Vec<String>, String> {
    let end = Token::Word("end".to_owned());
    let define = Token::Word("define".to_owned());
    let mut names = Vec::new();
    for triple in tokens.windows(3) {
        if let [before, word, Token::Word(name)] = triple
            && *before != end
            && *word == define
        {
            if names.contains(name) {
                return Err(format!("{name} is defined twice"));
            }
            names.push(name.clone());
        }
    }
    if names.len() > MOST_KINDS { Err("too many kinds of pieces".to_owned()) } else { Ok(names) }
}

struct WordReader {
    tokens: Vec<Token>,
    at: usize,
    kinds: Vec<String>,
}

/// Returns the game that a text defines.
pub(super) fn read(text: &str) -> Result<MetagameDefinition, String> {
    let tokens = tokens(text)?;
    let kinds = defined(&tokens)?;
    let mut reader = WordReader { tokens, at: 0, kinds };
    let definition = reader.game()?;
    check(&definition)?;
    Ok(definition)
}

impl WordReader {
    fn fails<T>(&self, wanted: &str) -> Result<T, String> {
        let found = self.tokens.get(self.at);
        Err(format!("token {}: {wanted} expected, {found:?} found", self.at))
    }

    /// Takes the next token if it is this one; a word or a symbol.
    fn takes(&mut self, text: &str) -> bool {
        let there = match self.tokens.get(self.at) {
            Some(Token::Word(word)) => word == text,
            Some(Token::Symbol(symbol)) => *symbol == text,
            _ => false,
        };
        self.at += usize::from(there);
        there
    }

    /// Takes these tokens, written with blanks between them.
    fn must(&mut self, texts: &str) -> Result<(), String> {
        for text in texts.split(' ') {
            if !self.takes(text) {
                return self.fails(text);
            }
        }
        Ok(())
    }

    fn number(&mut self) -> Result<i64, String> {
        let Some(Token::Number(number)) = self.tokens.get(self.at) else {
            return self.fails("a number");
        };
        self.at += 1;
        Ok(*number)
    }

    fn is_name(&self) -> bool {
        matches!(self.tokens.get(self.at), Some(Token::Word(word)) if !RESERVED.contains(&word.as_str()))
    }

    fn name(&mut self) -> Result<String, String> {
        if !self.is_name() {
            return self.fails("a name");
        }
        let Some(Token::Word(word)) = self.tokens.get(self.at) else {
            return self.fails("a name");
        };
        self.at += 1;
        Ok(word.clone())
    }

    fn kind_name(&mut self) -> Result<KindIndex, String> {
        let name = self.name()?;
        let index = self.kinds.iter().position(|kind| *kind == name);
        let index = index.and_then(|index| KindIndex::try_from(index).ok());
        index.ok_or_else(|| format!("{name} is not defined"))
    }

    /// Takes any of these words, in any order, each at most once. Returns for each whether it is there.
    fn some_of<const N: usize>(&mut self, words: [&str; N]) -> Result<[bool; N], String> {
        let mut there = [false; N];
        while let Some(which) = (0..N).find(|which| self.takes(words[*which])) {
            if there[which] {
                return Err(format!("{} is there twice", words[which]));
            }
            there[which] = true;
        }
        Ok(there)
    }

    fn game(&mut self) -> Result<MetagameDefinition, String> {
        self.must("game")?;
        self.name()?;
        self.must("goals")?;
        let mut goals = vec![self.goal()?];
        while !self.takes("board_size") {
            goals.push(self.goal()?);
        }
        let width = self.number()?;
        self.must("by")?;
        let height = self.number()?;
        self.must("board_type")?;
        let cylinder = self.takes("vertical_cylinder");
        if !cylinder {
            self.must("planar")?;
        }
        let mut inverts_files = true;
        if self.takes("inversion") {
            inverts_files = !self.takes("forward");
            if inverts_files {
                self.must("diagonal")?;
            }
        }
        self.must("promote_rank")?;
        let promote_rank = self.number()?;
        self.must("setup")?;
        let setup = self.setup()?;
        let must_capture = self.takes("constraints");
        if must_capture {
            self.must("must_capture")?;
        }
        let mut kinds = Vec::new();
        while !self.takes("end") {
            kinds.push(self.kind()?);
        }
        self.must("game .")?;
        if self.at < self.tokens.len() {
            return self.fails("the end of the text");
        }
        if kinds.is_empty() {
            return Err("no piece is defined".to_owned());
        }
        Ok(MetagameDefinition {
            width,
            height,
            cylinder,
            inverts_files,
            promote_rank,
            goals,
            setup,
            must_capture,
            names: self.kinds.clone().into(),
            kinds,
            move_limit: super::MOVE_LIMIT,
            most_moves: super::MOST_MOVES,
        })
    }

    fn goal(&mut self) -> Result<Goal, String> {
        if self.takes("arrive") {
            let what = self.description()?;
            self.must("at")?;
            Ok(Goal::Arrive(what, self.squares()?))
        } else if self.takes("eradicate") {
            Ok(Goal::Eradicate(self.description()?))
        } else if self.takes("stalemate") {
            Ok(Goal::Stalemate(self.who()?))
        } else {
            self.fails("a goal")
        }
    }

    fn who(&mut self) -> Result<Who, String> {
        if self.takes("player") {
            Ok(Who::Player)
        } else if self.takes("opponent") {
            Ok(Who::Opponent)
        } else {
            self.fails("player or opponent")
        }
    }

    fn description(&mut self) -> Result<Description, String> {
        self.must("[")?;
        let mut owner = None;
        if !self.takes("any_player") {
            self.must("{")?;
            owner = Some(self.who()?);
            self.must("}")?;
        }
        let kinds = self.names()?.map(|names| names.into_iter().collect());
        self.must("]")?;
        Ok(Description { owner, kinds })
    }

    /// Returns the kinds of a list, `None` for any.
    fn names(&mut self) -> Result<Option<Vec<KindIndex>>, String> {
        if self.takes("any_piece") {
            return Ok(None);
        }
        self.must("{")?;
        let mut names = vec![self.kind_name()?];
        while !self.takes("}") {
            names.push(self.kind_name()?);
        }
        Ok(Some(names))
    }

    fn squares(&mut self) -> Result<Vec<Square>, String> {
        self.must("{")?;
        let mut squares = vec![self.square()?];
        while !self.takes("}") {
            squares.push(self.square()?);
        }
        Ok(squares)
    }

    fn square(&mut self) -> Result<Square, String> {
        self.must("(")?;
        let x = self.number()?;
        self.must(",")?;
        let y = self.number()?;
        self.must(")")?;
        Ok((x, y))
    }

    fn setup(&mut self) -> Result<Setup, String> {
        if self.takes("decision") {
            let assigner = match self.takes("random") {
                true => Assigner::Random,
                false => Assigner::Decides(self.who()?),
            };
            self.must("assigns")?;
            let all = 0..KindIndex::try_from(self.kinds.len()).map_err(|e| e.to_string())?;
            let kinds = self.names()?.unwrap_or_else(|| all.collect());
            self.must("to")?;
            let squares = self.squares()?;
            self.must("end decision")?;
            return Ok(Setup::Assigned { assigner, kinds, squares });
        }
        let mut pieces = Vec::new();
        while pieces.is_empty() || self.is_name() {
            let kind = self.kind_name()?;
            self.must("at")?;
            pieces.extend(self.squares()?.into_iter().map(|square| (square, kind)));
        }
        Ok(Setup::Fixed(pieces))
    }

    fn kind(&mut self) -> Result<PieceRules, String> {
        self.must("define")?;
        let itself = self.kind_name()?;
        let mut moving = Vec::new();
        if self.takes("moving") {
            moving = self.movements()?;
            self.must("end moving")?;
        }
        let mut capturing = Vec::new();
        if self.takes("capturing") {
            self.must("capture")?;
            capturing.push(self.capture()?);
            while self.takes("capture") {
                capturing.push(self.capture()?);
            }
            self.must("end capturing")?;
        }
        let mut promoting = Promoting::To(itself);
        if self.takes("promoting") {
            if self.takes("promote_to") {
                promoting = Promoting::To(self.kind_name()?);
            } else {
                self.must("decision")?;
                let who = self.who()?;
                self.must("options")?;
                promoting = Promoting::Decides(who, self.description()?);
            }
            self.must("end promoting")?;
        }
        let mut constraints = [false, false];
        if self.takes("constraints") {
            constraints = self.some_of(["must_capture", "continue_captures"])?;
        }
        self.must("end define")?;
        let [must_capture, continue_captures] = constraints;
        Ok(PieceRules { moving, capturing, promoting, must_capture, continue_captures })
    }

    fn movements(&mut self) -> Result<Vec<Movement>, String> {
        self.must("movement")?;
        let mut movements = vec![self.movement()?];
        while self.takes("movement") {
            movements.push(self.movement()?);
        }
        Ok(movements)
    }

    /// Reads a movement after its first word.
    fn movement(&mut self) -> Result<Movement, String> {
        let manner = self.manner()?;
        self.must("<")?;
        let dx = self.number()?;
        self.must(",")?;
        let dy = self.number()?;
        self.must("> symmetry")?;
        let mut symmetries = [true; 3];
        if !self.takes("all_symmetry") {
            self.must("{")?;
            symmetries = self.some_of(["forward", "side", "rotation"])?;
            self.must("}")?;
        }
        self.must("end movement")?;
        if (dx, dy) == (0, 0) {
            return Err("a vector is <0,0>".to_owned());
        }
        Ok(Movement { manner, vectors: closure((dx, dy), symmetries) })
    }

    fn manner(&mut self) -> Result<Manner, String> {
        if self.takes("leap") {
            return Ok(Manner::Leap);
        }
        if self.takes("ride") {
            let least = if self.takes("min") { self.number()? } else { 1 };
            let most = if self.takes("max") { Some(self.number()?) } else { None };
            let longest = self.takes("longest");
            if least == 0 || most == Some(0) {
                return Err("a ride of 0 leaps".to_owned());
            }
            return Ok(Manner::Ride { leaps: Count { least, most }, longest });
        }
        self.must("hop before")?;
        let before = self.count()?;
        self.must("over")?;
        let over = self.count()?;
        self.must("after")?;
        let after = self.count()?;
        self.must("hop_over")?;
        Ok(Manner::Hop { before, over, after, hop_over: self.description()? })
    }

    fn count(&mut self) -> Result<Count, String> {
        self.must("[ x")?;
        let count = if self.takes(">=") {
            Count { least: self.number()?, most: None }
        } else if self.takes("<=") {
            Count { least: 0, most: Some(self.number()?) }
        } else {
            self.must("=")?;
            let number = self.number()?;
            Count { least: number, most: Some(number) }
        };
        self.must("]")?;
        Ok(count)
    }

    /// Reads a capture after its first word.
    fn capture(&mut self) -> Result<Capture, String> {
        self.must("by {")?;
        let [retrieve, clobber, hop] = self.some_of(["retrieve", "clobber", "hop"])?;
        self.must("} type")?;
        let what = self.description()?;
        self.must("effect")?;
        let effect = if self.takes("remove") {
            EffectRule::Remove
        } else {
            let who = self.who()?;
            if self.takes("displaces") {
                return Err("displaces has no meaning".to_owned());
            }
            self.must("possesses")?;
            EffectRule::Possesses(who)
        };
        let movements = self.movements()?;
        self.must("end capture")?;
        Ok(Capture { retrieve, clobber, hop, what, effect, movements })
    }
}

/// Returns the vectors that symmetries (forward, side, rotation) make of one, itself included.
fn closure(vector: Square, symmetries: [bool; 3]) -> BTreeSet<Square> {
    let mut vectors = BTreeSet::from([vector]);
    loop {
        let mut more = vectors.clone();
        for &(dx, dy) in &vectors {
            let images = [(dx, -dy), (-dx, dy), (dy, dx)];
            let images = images.into_iter().zip(symmetries);
            more.extend(images.filter(|(_, there)| *there).map(|(image, _)| image));
        }
        if more == vectors {
            return vectors;
        }
        vectors = more;
    }
}

/// Checks what the grammar does not say.
fn check(definition: &MetagameDefinition) -> Result<(), String> {
    let (width, height) = (definition.width, definition.height);
    if width == 0 || height == 0 || width * height > MOST_SQUARES {
        return Err(format!("a board of {width} by {height}"));
    }
    if definition.promote_rank == 0 {
        return Err("the promotion rank is 0".to_owned());
    }
    let (setup, pieces) = match &definition.setup {
        Setup::Fixed(pieces) => (pieces.iter().map(|(square, _)| *square).collect(), pieces.len()),
        Setup::Assigned { kinds, squares, .. } => (squares.clone(), kinds.len()),
    };
    if pieces > setup.len() {
        return Err("more pieces than squares".to_owned());
    }
    let goals = definition.goals.iter().filter_map(|goal| match goal {
        Goal::Arrive(_, squares) => Some(squares),
        _ => None,
    });
    if let Some(square) =
        setup.iter().chain(goals.flatten()).find(|&&square| !definition.on_board(square))
    {
        return Err(format!("{square:?} is off the board"));
    }
    let mut taken = BTreeSet::new();
    for &square in &setup {
        for square in [square, definition.inverted(square)] {
            if !taken.insert(square) {
                return Err(format!("{square:?} is set up twice"));
            }
        }
    }
    Ok(())
}
