//! Random games: the interpreter and the compiled automaton must play the same.

mod common;

use common::{ComparisonCounts, ComparisonEffort, Incomplete, SeededRandom, lockstep};
use regulus_abg::{Environment, Limits, Registry};
use regulus_lang::Source;
use regulus_laws::{abg_game, bytes};

const EFFORT: ComparisonEffort = ComparisonEffort {
    games: 3,
    plies: 12,
    exact: false,
    limits: Limits { letters: 40, tries: 20_000, stored: 20_000 },
};

fn source(text: &str) -> Source {
    Source::new("random.abg", text)
}

fn is_valid(text: &str) -> bool {
    Environment::load(&source(text), &Registry::new()).is_ok()
}

fn difference(text: &str) -> Option<String> {
    match lockstep(&source(text), &mut SeededRandom::new(1), &EFFORT) {
        Err(Incomplete::Different(difference)) => Some(difference),
        _ => None,
    }
}

/// A smaller text that still shows a difference: stretches of tokens are left out as long as that is so.
fn shrink(text: &str) -> String {
    let shows = |tokens: &[String]| {
        let text = tokens.join(" ");
        is_valid(&text) && difference(&text).is_some()
    };
    let mut tokens: Vec<String> = tokens(text);
    let mut progress = true;
    while progress {
        progress = false;
        let mut at = 0;
        while let Some(&(open, close)) = pairs(&tokens).get(at) {
            let mut fewer = tokens.clone();
            fewer.remove(close);
            fewer.remove(open);
            if shows(&fewer) {
                (tokens, progress) = (fewer, true);
            } else {
                at += 1;
            }
        }
        for length in [60, 30, 20, 14, 10, 8, 7, 6, 5, 4, 3, 2, 1] {
            let mut at = 0;
            while at + length <= tokens.len() {
                let mut fewer = tokens.clone();
                fewer.drain(at..at + length);
                if shows(&fewer) {
                    (tokens, progress) = (fewer, true);
                } else {
                    at += 1;
                }
            }
        }
    }
    tokens.join(" ").replace("; ", ";\n")
}

/// The places of brackets that belong together.
fn pairs(tokens: &[String]) -> Vec<(usize, usize)> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "(" => open.push(at),
            ")" => found.extend(open.pop().map(|start| (start, at))),
            _ => {}
        }
    }
    found
}

fn tokens(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut word = false;
    for character in text.chars() {
        let part = character.is_alphanumeric() || character == '_';
        match found.last_mut() {
            Some(last) if word && part => last.push(character),
            Some(last)
                if "=!<>/".contains(character)
                    && ["=", "!", "<", ">", "/"].contains(&last.as_str()) =>
            {
                last.push(character);
            }
            _ if character.is_whitespace() => {
                word = false;
                continue;
            }
            _ => found.push(character.to_string()),
        }
        word = part;
    }
    found
}

fn compare(seeds: std::ops::Range<u64>) {
    let (mut seen, mut valid, mut large) = (ComparisonCounts::default(), 0_usize, 0);
    for seed in seeds.clone() {
        let text = abg_game(&bytes(seed));
        if !is_valid(&text) {
            continue;
        }
        valid += 1;
        match lockstep(&source(&text), &mut SeededRandom::new(1), &EFFORT) {
            Ok(more) => seen += more,
            Err(Incomplete::TooLarge(_)) => large += 1,
            Err(Incomplete::Different(_)) => {
                let small = shrink(&text);
                let difference = difference(&small).unwrap_or_default();
                panic!("seed {seed}\n{text}\nin short\n\n{small}\n\n{difference}")
            }
        }
    }
    // Most of the effort must not be lost on games that say nothing.
    let all = seeds.count();
    assert!(valid * 2 > all, "{valid} of {all} are valid");
    assert!(seen.states > valid && seen.ends > 0 && seen.moves > seen.states, "{valid}: {seen:?}");
    assert!(
        large * 10 < valid && seen.faults * 10 < 3 * valid,
        "{valid}, {large} too large: {seen:?}"
    );
}

#[test]
fn interpreter_and_automaton_play_the_same() {
    compare(0..400);
}

/// Whatever a text says, the answer is diagnostics, moves or a fault.
#[test]
fn mistakes_do_no_harm() {
    let mut loaded = 0;
    for seed in 0..1500 {
        let mut random = SeededRandom::new(seed);
        let mut tokens = tokens(&abg_game(&bytes(seed / 5)));
        for _ in 0..random.between(1, 3) {
            let (at, other) = (random.below(tokens.len()), random.below(tokens.len()));
            // Mostly something of the same kind, so that some of it means something.
            let kind =
                |at: usize| tokens[at].chars().next().map(|c| (c.is_alphabetic(), c.is_numeric()));
            match random.below(5) {
                0 => drop(tokens.remove(at)),
                1 => tokens.swap(at, other),
                _ if kind(at) == kind(other) => tokens[at] = tokens[other].clone(),
                _ => {}
            }
        }
        let source = source(&tokens.join(" "));
        let environment = Environment::load_with_limits(&source, &Registry::new(), EFFORT.limits);
        let Ok(mut environment) = environment else { continue };
        loaded += 1;
        for _ in 0..6 {
            let Ok(moves) = environment.moves() else { break };
            if moves.is_empty() {
                break;
            }
            let before = environment.state().clone();
            let chosen = random.pick(&moves);
            if environment.play(chosen).is_err() {
                assert_eq!(before, *environment.state(), "a fault leaves everything as it was");
                break;
            }
        }
    }
    assert!(loaded > 200, "{loaded} texts still say something");
}

/// `ABG_SEEDS=1000..2000 cargo test --release -p regulus-abg --test random_games -- --ignored --nocapture`: looks at these seeds,
/// and shows the first differences, each in short.
#[test]
#[ignore = "looks for differences as long as it is told to"]
fn many() {
    let range = std::env::var("ABG_SEEDS").unwrap_or_else(|_| "0..1000".to_owned());
    let (first, last) = range.split_once("..").expect("two numbers");
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let without = std::env::var("ABG_WITHOUT").unwrap_or_default();
    let without: Vec<char> = without.chars().collect();
    let (mut seen, mut counts) = (ComparisonCounts::default(), [0; 4]);
    for seed in number(first)..number(last) {
        let text = abg_game(&bytes(seed));
        if text.contains(without.as_slice()) {
            continue;
        }
        if !is_valid(&text) {
            counts[0] += 1;
            continue;
        }
        match lockstep(&source(&text), &mut SeededRandom::new(1), &EFFORT) {
            Ok(more) => {
                counts[1] += 1;
                seen += more;
            }
            Err(Incomplete::TooLarge(_)) => counts[2] += 1,
            Err(Incomplete::Different(_)) => {
                counts[3] += 1;
                if counts[3] <= 12 {
                    let small = shrink(&text);
                    eprintln!("seed {seed}\n{small}\n{}\n", difference(&small).unwrap_or_default());
                }
            }
        }
    }
    eprintln!("invalid, same, too large, different: {counts:?}; {seen:?}");
}
