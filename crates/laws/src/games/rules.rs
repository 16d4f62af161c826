//! Random rules. Everything is written with spaces between tokens, and everything that takes a suffix in brackets.

use super::{MacroParameter, NameScope, Signature};
use crate::choices::Choices;

/// Writes rules that use the names of a scope.
pub(super) struct RuleWriter<'c, 'b> {
    choices: &'c mut Choices<'b>,
    scope: &'c NameScope,
    /// Whether the move may end here; never inside look-aheads and macros.
    switches: bool,
    /// How many more macros and powers may be used; in each other they grow fast.
    growth: usize,
}

/// How deep rules are nested at most.
const DEPTH: usize = 3;

impl<'c, 'b> RuleWriter<'c, 'b> {
    pub(super) fn new(choices: &'c mut Choices<'b>, scope: &'c NameScope) -> RuleWriter<'c, 'b> {
        RuleWriter { choices, scope, switches: false, growth: 2 }
    }

    /// The whole rules.
    pub(super) fn rules(&mut self) -> String {
        self.growth = 6;
        if self.choices.one_in(5) {
            self.switches = true;
            let wild = self.sum(DEPTH);
            return format!("{} ( {wild} )* {}", self.switch(), self.switch());
        }
        let opening = if self.choices.one_in(3) { self.write() } else { String::new() };
        let players = self.scope.players.clone();
        let turns: Vec<String> = players.iter().map(|player| self.turn(player)).collect();
        format!("{opening} ( {} )*", turns.join(" "))
    }

    /// The body of a macro, with brackets or without.
    pub(super) fn macro_body(&mut self) -> String {
        let body = self.sum(DEPTH - 1);
        if self.choices.one_in(3) { body } else { format!("( {body} )") }
    }

    /// What a player may do, and what the keeper does then.
    fn turn(&mut self, player: &str) -> String {
        let anywhere = match self.choices.below(3) {
            0 => None,
            _ => self.scope.macros.iter().find(|m| m.name == "any").map(|any| any.name.clone()),
        };
        let body = match self.choices.below(7) {
            0 => self.chain(DEPTH),
            5 => self.transport(),
            1 => format!("( {} )", self.sum(DEPTH)),
            2 => format!("( {} + {} )", self.sum(DEPTH - 1), self.on()),
            3 => format!("{} {} ( {} + {} )", self.on(), self.off(), self.chain(1), self.shift()),
            6 => format!("( {} + {} )", self.transport(), self.transport()),
            _ => format!("( {} + {} + . )", self.sum(DEPTH - 1), self.chain(1)),
        };
        let keeper = match self.choices.below(4) {
            0 | 1 => String::new(),
            2 => format!("->> {}", self.keeper()),
            _ => format!("->> {} ->> {}", self.keeper(), self.keeper()),
        };
        let first = if self.choices.one_in(6) { self.write() } else { String::new() };
        format!("->{player} {first} {} {body} {keeper}", anywhere.unwrap_or_default())
    }

    /// A piece is lifted and put elsewhere, and afterwards something must hold somewhere or nowhere.
    fn transport(&mut self) -> String {
        let (piece, left) = (self.piece(), self.piece());
        let way = if self.choices.below(2) == 0 { self.walk() } else { self.shift() };
        let (last, to) = (self.shift(), self.on());
        let put = if self.choices.one_in(4) { self.off() } else { format!("[{piece}]") };
        let sign = *self.choices.pick(&["!", "!", "?"]);
        let (anywhere, on) = (self.walk_anywhere(), self.on());
        let attack = match self.choices.below(3) {
            0 => self.shift(),
            1 => format!("{} {}", self.walk(), self.shift()),
            _ => format!("( {} {} + {} )", self.walk(), self.shift(), self.shift()),
        };
        let (sees, end) =
            (self.on(), if self.choices.one_in(4) { self.write() } else { String::new() });
        format!(
            "{{{piece}}} [{left}] {way} {last} {to} {put} {{{sign} {anywhere} {on} {attack} {sees} }} {end}"
        )
    }

    /// A walk over all of the board, where there is one.
    fn walk_anywhere(&mut self) -> String {
        let any = self.scope.macros.iter().find(|m| m.name == "any").map(|any| any.name.clone());
        any.unwrap_or_else(|| self.walk())
    }

    /// A stretch of the keeper; sometimes it has a choice or repeats itself.
    fn keeper(&mut self) -> String {
        match self.choices.below(5) {
            0 => self.write(),
            1 => {
                let (condition, write) = (self.comparison(), self.write());
                format!("( {condition} {write} + {{! {condition} }} )")
            }
            2 => {
                let (from, to) = (self.on(), self.off());
                let walk = self.walk();
                format!("( {walk} {from} {to} ->> )* {{! {walk} {from} }}")
            }
            3 => {
                let comparison = self.comparison();
                format!("( {comparison} + {{! {comparison} }} ->> {{}} )")
            }
            _ => self.chain(1),
        }
    }

    fn sum(&mut self, depth: usize) -> String {
        let count = *self.choices.pick(&[1, 2, 1, 3]);
        let parts: Vec<String> = (0..count).map(|_| self.chain(depth)).collect();
        parts.join(" + ")
    }

    fn chain(&mut self, depth: usize) -> String {
        let count = *self.choices.pick(if depth == 0 { &[1, 2] } else { &[2, 1, 3, 2, 1, 4] });
        let parts: Vec<String> = (0..count).map(|_| self.item(depth)).collect();
        parts.join(" ")
    }

    fn item(&mut self, depth: usize) -> String {
        let nested = usize::from(depth > 0);
        match self.choices.weighted(&[6, 5, 6, 1, 2, 3 * nested, 4 * nested, 2 * nested, 4, 2]) {
            0 => self.shift(),
            1 => self.on(),
            2 => self.write(),
            3 => ".".to_owned(),
            4 => self.comparison(),
            5 => self.look_ahead(depth - 1),
            6 => self.star(depth - 1),
            7 => self.group(depth - 1),
            8 => self.call(depth),
            _ if self.switches => self.switch(),
            _ => self.parameter(),
        }
    }

    /// Brackets, and perhaps a power.
    fn group(&mut self, depth: usize) -> String {
        let power = self.choices.below(2) > 0 && self.growth > 0;
        self.growth -= usize::from(power);
        let sum = self.sum(depth);
        if power { format!("( {sum} )^{}", self.number()) } else { format!("( {sum} )") }
    }

    fn shift(&mut self) -> String {
        if self.scope.directions.is_empty() {
            return self.on();
        }
        self.choices.pick(&self.scope.directions).clone()
    }

    /// A walk over some of the board.
    fn walk(&mut self) -> String {
        match self.choices.below(4) {
            0 => format!("{}*", self.shift()),
            1 => format!("( {} + {} )*", self.shift(), self.shift()),
            2 => format!("( {} + {} )*", self.on(), self.shift()),
            _ => format!("( {} {} )*", self.shift(), self.on()),
        }
    }

    fn piece(&mut self) -> String {
        let number = self.choices.below(2);
        match self.choices.below(24) {
            20 => format!("piece({number})"),
            21 => format!("join(p; {number})"),
            22 => format!("join(; p{number})"),
            23 => format!("join(p{number}; )"),
            _ => self.choices.pick(&self.scope.pieces).clone(),
        }
    }

    fn pieces(&mut self, count: usize) -> String {
        let pieces: Vec<String> = (0..count).map(|_| self.piece()).collect();
        pieces.join(", ")
    }

    fn on(&mut self) -> String {
        match self.choices.below(17) {
            16 => format!("around({{; }}; {})", self.pieces(2)),
            15 => "{}".to_owned(),
            14 => format!("{{{}}}", self.scope.pieces.join(", ")),
            count => format!("{{{}}}", self.pieces([1, 2, 3][count % 3])),
        }
    }

    fn off(&mut self) -> String {
        let count = *self.choices.pick(&[1, 1, 1, 2]);
        format!("[{}]", self.pieces(count))
    }

    fn write(&mut self) -> String {
        if self.choices.below(2) == 0 { self.off() } else { self.assignment() }
    }

    fn assignment(&mut self) -> String {
        let count = *self.choices.pick(&[1, 1, 2]);
        let parts: Vec<String> = (0..count)
            .map(|_| {
                let variable = self.variable();
                match self.choices.below(3) {
                    0 => format!("{variable} = {variable}+1"),
                    1 => format!("{variable} = {}", self.choices.below(3)),
                    _ => format!("{variable} = {}", self.value(2)),
                }
            })
            .collect();
        format!("[$ {}]", parts.join(", "))
    }

    fn comparison(&mut self) -> String {
        let relation = *self.choices.pick(&["<=", "==", "!=", "<", ">=", ">", "<=", "!="]);
        format!("{{$ {} {relation} {} }}", self.value(3), self.value(1))
    }

    fn variable(&mut self) -> String {
        let scope = self.scope;
        let list = if self.choices.one_in(3) || scope.variables.is_empty() {
            &scope.players
        } else {
            &scope.variables
        };
        self.choices.pick(list).clone()
    }

    fn value(&mut self, depth: usize) -> String {
        let nested = usize::from(depth > 0);
        match self.choices.weighted(&[3, 4, 2, 3 * nested, nested, nested]) {
            0 if self.choices.one_in(12) => "2147483647".to_owned(),
            0 => self.choices.below(4).to_string(),
            1 => self.variable(),
            2 => self.piece(),
            3 => {
                let operator = *self.choices.pick(&["+", "-", "*", "/"]);
                format!("{} {operator} {}", self.value(depth - 1), self.value(depth - 1))
            }
            4 => format!("( {} )", self.value(depth - 1)),
            // Below zero, and not a whole number.
            _ => format!("( {} - 5 ) / 2", self.value(depth - 1)),
        }
    }

    fn number(&mut self) -> String {
        match self.scope.numbers.last() {
            Some(parameter) if self.choices.below(2) == 0 => parameter.clone(),
            _ => self.choices.between(1, 3).to_string(),
        }
    }

    fn look_ahead(&mut self, depth: usize) -> String {
        let switches = std::mem::replace(&mut self.switches, false);
        let sign = *self.choices.pick(&["?", "!"]);
        let body = self.sum(depth);
        self.switches = switches;
        format!("{{{sign} {body} }}")
    }

    /// Any number of times: walks, and writes that use something up or do not.
    fn star(&mut self, depth: usize) -> String {
        match self.choices.below(4) {
            0 => self.walk(),
            1 => {
                let variable = self.variable();
                format!("( [$ {variable} = {variable}+1] {} )*", self.chain(depth))
            }
            2 => format!("( {} {} {} )*", self.on(), self.off(), self.shift()),
            _ => format!("( {} )*", self.sum(depth)),
        }
    }

    /// A macro with its arguments.
    fn call(&mut self, depth: usize) -> String {
        let scope = self.scope;
        if scope.macros.is_empty() || self.growth == 0 {
            return self.shift();
        }
        self.growth -= 1;
        let Signature { name, parameters } = self.choices.pick(&scope.macros);
        if parameters.is_empty() {
            return name.clone();
        }
        let arguments: Vec<String> =
            parameters.iter().map(|&parameter| self.argument(parameter, depth)).collect();
        format!("{name}({})", arguments.join("; "))
    }

    fn argument(&mut self, parameter: MacroParameter, depth: usize) -> String {
        match parameter {
            MacroParameter::Piece => self.piece(),
            MacroParameter::Direction => self.shift(),
            MacroParameter::Variable => self.variable(),
            MacroParameter::Number => self.number(),
            MacroParameter::Suffix => (*self.choices.pick(&["0", "1", "01"])).to_owned(),
            MacroParameter::Step => {
                let (switches, growth) = (self.switches, self.growth);
                (self.switches, self.growth) = (false, 0);
                let step = self.chain(depth.saturating_sub(1));
                (self.switches, self.growth) = (switches, growth);
                step
            }
        }
    }

    /// A parameter that stands for a part of the rules.
    fn parameter(&mut self) -> String {
        match self.scope.steps.last() {
            Some(parameter) => parameter.clone(),
            None => self.on(),
        }
    }

    fn switch(&mut self) -> String {
        if self.choices.one_in(3) {
            return "->>".to_owned();
        }
        format!("->{}", self.choices.pick(&self.scope.players))
    }
}
