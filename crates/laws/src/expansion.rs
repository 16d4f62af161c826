//! Macro expansion, written down a second time: from the language's definition alone, and on text.
//!
//! Every directive is a list of words; a macro call is replaced by the words of its body, in which parameters are replaced
//! by the words of the arguments, which mean what they meant where they were written.

use std::collections::BTreeMap;
use std::rc::Rc;

/// The sections of a game with all macros replaced; `None` if the text is no game, or a very large one.
pub(crate) fn expanded(text: &str) -> Option<String> {
    let words = words(text)?;
    let mut expansion = Expansion { macros: BTreeMap::new(), words_left: 200_000 };
    let mut sections = Vec::new();
    for (order, directive) in words.split(|word| word == "#").skip(1).enumerate() {
        let (name, rest) = directive.split_first()?;
        let equals = directive.iter().position(|word| word == "=")?;
        let body = directive[equals + 1..].to_vec();
        if ["players", "pieces", "variables", "board", "rules"].contains(&name.as_str()) {
            let body = BoundWords { words: body, meanings: Rc::default(), order };
            sections.push(format!("#{name} = {}", expansion.expand(&body)?.join(" ")));
        } else {
            let parameters = rest.iter().take(equals - 1).filter(|word| is_name(word));
            let definition = MacroBody { parameters: parameters.cloned().collect(), body, order };
            expansion.macros.entry(name.clone()).or_default().push(definition);
        }
    }
    Some(sections.join("\n"))
}

struct Expansion {
    macros: BTreeMap<String, Vec<MacroBody>>,
    words_left: usize,
}

#[derive(Clone)]
struct MacroBody {
    parameters: Vec<String>,
    body: Vec<String>,
    /// Which directive it is; visible in later ones.
    order: usize,
}

/// Words with what they mean: parameters, and the macros before a directive.
#[derive(Clone, Default)]
struct BoundWords {
    words: Vec<String>,
    meanings: Rc<BTreeMap<String, BoundWords>>,
    order: usize,
}

impl Expansion {
    fn expand(&mut self, closure: &BoundWords) -> Option<Vec<String>> {
        let mut done: Vec<String> = Vec::new();
        // Where the words begin that a `~` would glue something to.
        let mut start = 0;
        let mut glue = false;
        let mut rest = closure.words.as_slice();
        while let Some(word) = rest.first() {
            if word == "~" {
                glue = true;
                rest = &rest[1..];
                continue;
            }
            let (mut operand, used) = self.operand(closure, rest)?;
            rest = &rest[used..];
            if !glue {
                start = done.len();
            } else if done.len() > start && !operand.is_empty() {
                let first = operand.remove(0);
                let last = done.pop()?;
                // Numbers are glued by value.
                let first = if is_number(&first) { without_zeros(&first) } else { &first };
                done.push(format!("{last}{first}"));
            }
            glue = false;
            self.words_left = self.words_left.checked_sub(operand.len() + 1)?;
            done.extend(operand);
        }
        Some(done)
    }

    /// What the next word stands for, and how many words say so.
    fn operand(&mut self, closure: &BoundWords, words: &[String]) -> Option<(Vec<String>, usize)> {
        let word = &words[0];
        if let Some(meaning) = closure.meanings.get(word) {
            return Some((self.expand(meaning)?, 1));
        }
        let overloads = self.macros.get(word).cloned().unwrap_or_default();
        let visible: Vec<MacroBody> =
            overloads.into_iter().filter(|overload| overload.order < closure.order).collect();
        let Some(first) = visible.first() else { return Some((vec![word.clone()], 1)) };
        if first.parameters.is_empty() {
            let body = first.body.clone();
            let body = BoundWords { words: body, meanings: Rc::default(), order: first.order };
            return Some((self.expand(&body)?, 1));
        }
        let (arguments, used) = arguments(&words[1..])?;
        let called = visible.iter().find(|m| m.parameters.len() == arguments.len())?;
        let arguments = arguments.into_iter().map(|words| BoundWords { words, ..closure.clone() });
        let meanings = Rc::new(called.parameters.iter().cloned().zip(arguments).collect());
        let body = BoundWords { words: called.body.clone(), meanings, order: called.order };
        Some((self.expand(&body)?, used + 1))
    }
}

/// The arguments of a call, and how many words they are with their brackets.
fn arguments(words: &[String]) -> Option<(Vec<Vec<String>>, usize)> {
    let mut arguments = vec![Vec::new()];
    let mut depth = 0;
    for (at, word) in words.iter().enumerate() {
        match word.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            ";" if depth == 1 => {
                arguments.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            // Without a bracket at the beginning it is no call.
            return (at > 0).then_some((arguments, at + 1));
        }
        if at > 0 {
            arguments.last_mut()?.push(word.clone());
        }
    }
    None
}

/// The words of a text, comments left out; `None` if a character belongs to none.
fn words(mut text: &str) -> Option<Vec<String>> {
    const SIGNS: &[&str] = &[
        "->>", "->", "{?", "{!", "{$", "[$", "==", "!=", "<=", ">=", "(", ")", "[", "]", "{", "}",
        "+", "-", "*", "/", "^", "=", "<", ">", "#", "~", ".", ",", ";", ":", "$", "!", "?",
    ];
    let mut words = Vec::new();
    loop {
        text = text.trim_start_matches([' ', '\t', '\r', '\n', '\u{b}', '\u{c}']);
        if let Some(comment) = text.strip_prefix("//") {
            text = comment.split_once('\n').map_or("", |(_, after)| after);
            continue;
        }
        if let Some(comment) = text.strip_prefix("/*") {
            text = comment.split_once("*/")?.1;
            continue;
        }
        let Some(first) = text.chars().next() else { return Some(words) };
        let length = if first.is_ascii_alphabetic() {
            text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len())
        } else if first.is_ascii_digit() {
            text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())
        } else {
            SIGNS.iter().find(|sign| text.starts_with(**sign))?.len()
        };
        let (word, after) = text.split_at(length);
        words.push(word.to_owned());
        text = after;
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

fn without_zeros(number: &str) -> &str {
    let digits = number.trim_start_matches('0');
    if digits.is_empty() { "0" } else { digits }
}
