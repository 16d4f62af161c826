//! Names as RBG writes them: letters and digits, all different.

use std::collections::BTreeSet;

/// The longest name, before it is made different from others.
const MAX_LENGTH: usize = 40;

/// Words that mean something else in RBG.
const RESERVED: [&str; 3] = ["rectangle", "hexagon", "cuboid"];

/// Names as RBG writes them: letters and digits, all different.
#[derive(Default)]
pub(super) struct FreshNames(pub(super) BTreeSet<String>);

impl FreshNames {
    /// A name like the given one.
    pub(super) fn fresh(&mut self, name: &str) -> String {
        unused(&mut self.0, &letters(name))
    }
}

/// A name with nothing but letters and digits.
pub(super) fn letters(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut wanted = String::new();
    for word in words {
        let (first, rest) = word.split_at(1);
        wanted +=
            if wanted.is_empty() { first.to_owned() } else { first.to_ascii_uppercase() }.as_str();
        wanted += rest;
    }
    if !wanted.starts_with(|c: char| c.is_ascii_alphabetic()) {
        wanted.insert(0, 'n');
    }
    wanted.truncate(MAX_LENGTH);
    wanted
}

/// A name that is not taken, and is from now on.
pub(super) fn unused(names: &mut BTreeSet<String>, name: &str) -> String {
    let numbered = (2..).map(|number| format!("{name}x{number}"));
    let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
    let free = candidates.find(|name| !names.contains(name) && !RESERVED.contains(&name.as_str()));
    let free = free.unwrap_or_default();
    names.insert(free.clone());
    free
}
