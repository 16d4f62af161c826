//! Trying a law on many texts, and making sure that it had something to say about them.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::cell::Cell;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};

use regulus_laws::{NativeAnswers, Repetitions, bytes};

/// What a law must at least have compared, so that it cannot pass by saying nothing. The numbers are about half of what it
/// compares, or nearly all of it where that does not vary.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Least {
    /// Texts of which it compared anything.
    pub(crate) texts: u64,
    /// Comparisons on all texts together.
    pub(crate) comparisons: u64,
}

/// At least this many texts and comparisons.
pub(crate) fn least(texts: u64, comparisons: u64) -> Least {
    Least { texts, comparisons }
}

/// What a law has compared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LawCounts {
    texts: u64,
    comparisons: u64,
}

impl LawCounts {
    pub(crate) fn add(&mut self, comparisons: u64) {
        self.texts += u64::from(comparisons > 0);
        self.comparisons += comparisons;
    }

    /// Panics if it was less than it must be.
    pub(crate) fn must_be(self, what: &str, least: Least) {
        let LawCounts { texts, comparisons } = self;
        eprintln!("{what}: compared {texts} texts, {comparisons} comparisons; {least:?}");
        let enough = texts >= least.texts && comparisons >= least.comparisons;
        assert!(enough, "{what}: compared {self:?} instead of {least:?}");
    }
}

/// Tries a law on the texts that a generator makes of `count` seeds, from 0 or `REGULUS_FIRST_SEED` on; shows the text that
/// breaks it.
pub(crate) fn check(
    count: u64,
    generate: impl Fn(&[u8]) -> String,
    law: impl Fn(&str, u64) -> u64,
    least: Least,
) {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let rounds = number("REGULUS_LAWS_ROUNDS").unwrap_or(1);
    let first = number("REGULUS_FIRST_SEED").unwrap_or(0);
    let mut compared = LawCounts::default();
    for seed in first..first + count * rounds {
        let text = generate(&bytes(seed));
        match catch_unwind(AssertUnwindSafe(|| law(&text, seed))) {
            Ok(comparisons) => compared.add(comparisons),
            Err(broken) => {
                eprintln!("the law is broken by seed {seed}:\n{text}");
                resume_unwind(broken);
            }
        }
    }
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    compared.must_be(&format!("{test}, {count} texts"), least);
}

/// Tries a law about native code, which must have been compiled for `percent` of the automata.
pub(crate) fn check_native(
    count: u64,
    generate: impl Fn(&[u8]) -> String,
    law: impl Fn(&str, u64) -> NativeAnswers,
    percent: u64,
    least: Least,
) {
    let sum = Cell::new(NativeAnswers::default());
    let least =
        if cfg!(target_arch = "x86_64") { least } else { Least { texts: 0, comparisons: 0 } };
    check(count, generate, |text, seed| add(&sum, law(text, seed)), least);
    must_be_compiled(sum.get(), percent);
}

/// Adds what a law about native code has compared; returns the number of comparisons.
pub(crate) fn add(sum: &Cell<NativeAnswers>, answers: NativeAnswers) -> u64 {
    let mut all = sum.get();
    all += answers;
    sum.set(all);
    answers.comparisons
}

/// On machines that native code can be made for, it must have been made for `percent` of the automata.
pub(crate) fn must_be_compiled(answers: NativeAnswers, percent: u64) {
    eprintln!("{answers:?}, at least {percent} percent are compiled");
    if cfg!(target_arch = "x86_64") {
        let NativeAnswers { planned, compiled, .. } = answers;
        assert!(planned > 0 && compiled * 100 >= planned * percent, "{answers:?}");
    }
}

/// Tries the law about repetition, which must have compared, and seen, at least `least`.
pub(crate) fn check_repetition(
    count: u64,
    generate: impl Fn(&[u8]) -> String,
    law: impl Fn(&str, u64) -> Repetitions,
    least: Repetitions,
) {
    let sum = Cell::new(Repetitions::default());
    let counted = |text: &str, seed| {
        let (mut all, more) = (sum.get(), law(text, seed));
        all += more;
        sum.set(all);
        more.comparisons
    };
    check(count, generate, counted, Least { texts: 1, comparisons: least.comparisons });
    let Repetitions { comparisons, games, trees } = sum.get();
    eprintln!("{:?}, {least:?}", sum.get());
    let enough = comparisons >= least.comparisons && games >= least.games && trees >= least.trees;
    assert!(enough, "{:?} instead of {least:?}", sum.get());
}

/// The languages in which games come with Regulus, with the number of games there are at least.
const LANGUAGES: [(&str, usize); 4] = [("rbg", 19), ("sbg", 15), ("abg", 8), ("metagame", 14)];

/// The files of the games in a language.
pub(crate) fn games(language: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(language);
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the folder of games")
        .map(|entry| entry.expect("a game").path())
        .collect();
    files.sort();
    let least = LANGUAGES.iter().find(|(name, _)| *name == language).map_or(1, |(_, least)| *least);
    assert!(files.len() >= least, "the games are there");
    files
}

/// Tries a law on all games in a language. It must make at least `on_each` comparisons on each of them, and `on_all` on
/// all together.
pub(crate) fn check_games(language: &str, law: impl Fn(&str) -> u64, on_each: u64, on_all: u64) {
    let (mut compared, files) = (LawCounts::default(), games(language));
    for file in &files {
        // Shown when a test fails: the last one named is to blame.
        eprintln!("{}", file.display());
        let comparisons = law(&fs::read_to_string(file).expect("a text"));
        assert!(comparisons >= on_each, "{comparisons} comparisons, not {on_each}: {file:?}");
        compared.add(comparisons);
    }
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    compared.must_be(&format!("{test}, {language}"), least(files.len() as u64, on_all));
}
