//! Algorithm 1 of the paper: words are described by phrases, greedily, cheapest operators first.
//!
//! The longest word that is not described yet is split into parts of the same step. For each part a class and operators
//! are looked for such that everything they mean, after everything the phrases before mean, is a word of the piece,
//! described before or not. What has more than three parts, or what nothing fits, is listed word by word.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use regulus_lang::sbg::{Letter, On};

use crate::phrase::{
    Heading, Landing, Phrase, PhrasePattern, Relative, Times, WordPrefix, step_score, steps_of,
};
use crate::words::{BoardSize, WordTree};

/// The most parts of a word that phrases are looked for.
const MAX_PARTS: usize = 3;
/// How many steps are tried for one piece; then the rest of its words is listed.
const MAX_WORK: usize = 20_000_000;

/// Words that are described together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// How.
    pub saying: Saying,
    /// How hard that is to learn.
    pub score: u64,
}

/// How words are described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saying {
    /// One phrase for each part.
    Phrases(Vec<Phrase>),
    /// One word as it is.
    Listed(Vec<Letter>),
}

/// Describes all words, given in ascending order.
pub(crate) fn describe(words: &[Vec<Letter>], size: BoardSize) -> Vec<Component> {
    let tree = WordTree::new(words);
    let mut finder = PhraseFinder {
        tree: &tree,
        size,
        patterns: [false, true].map(PhrasePattern::all),
        work: 0,
    };
    let mut described = vec![false; words.len()];
    let mut found: Vec<FoundPhrases> = Vec::new();
    let mut listed = Vec::new();
    let mut order: Vec<usize> = (0..words.len()).collect();
    order.sort_by_key(|&word| Reverse(words[word].len()));
    for word in order {
        if described[word] {
            continue;
        }
        let parts = parts(&words[word]);
        // Staying is said plainly, however it is written.
        let stays = place_of(&words[word]) == (0, 0);
        let phrases = if stays || parts.len() > MAX_PARTS {
            None
        } else {
            finder.find(&parts, &[WordPrefix::root()]).filter(|(_, meant)| meant.contains(&word))
        };
        match phrases {
            Some((phrases, meant)) => {
                meant.iter().for_each(|&word| described[word] = true);
                found.push(FoundPhrases { phrases, words: meant });
            }
            None => {
                described[word] = true;
                let score = words[word].iter().map(|letter| score_of(*letter));
                let score = score.fold(1, u64::saturating_mul);
                listed.push(Component { saying: Saying::Listed(words[word].clone()), score });
            }
        }
    }
    let mut components: Vec<Component> = join_complements(found)
        .into_iter()
        .map(|FoundPhrases { phrases, words }| {
            let score = phrases.iter().map(Phrase::score).fold(1, u64::saturating_mul);
            let phrases = finder.without_implied_limits(phrases, &words);
            let phrases = finder.with_relative_headings(phrases, &words);
            Component { saying: Saying::Phrases(phrases), score }
        })
        .collect();
    components.append(&mut listed);
    components
}

/// Phrases, and the numbers of the words they mean.
struct FoundPhrases {
    phrases: Vec<Phrase>,
    words: Vec<usize>,
}

/// A part of the repairing run: descriptions that differ only in what one of their squares may hold become one, where
/// that is not harder to learn.
fn join_complements(found: Vec<FoundPhrases>) -> Vec<FoundPhrases> {
    let mut joined: Vec<FoundPhrases> = Vec::new();
    for mut new in found {
        // What was joined may fit another.
        while let Some((place, phrases)) = joined
            .iter()
            .enumerate()
            .find_map(|(place, old)| Some((place, complement(&old.phrases, &new.phrases)?)))
        {
            let old = joined.remove(place);
            new.phrases = phrases;
            new.words.extend(old.words);
        }
        joined.push(new);
    }
    for found in &mut joined {
        found.words.sort_unstable();
        found.words.dedup();
    }
    joined
}

/// Two descriptions as one, if they differ in one landing only and together are not harder to learn.
fn complement(one: &[Phrase], other: &[Phrase]) -> Option<Vec<Phrase>> {
    if one.len() != other.len() {
        return None;
    }
    let mut different = one.iter().zip(other).enumerate().filter(|(_, (a, b))| a != b);
    let (Some((place, (a, b))), None) = (different.next(), different.next()) else {
        return None;
    };
    let landing = a.landing.union(b.landing);
    let phrase = Phrase { landing, ..a.clone() };
    if phrase != (Phrase { landing, ..b.clone() }) || phrase.score() > a.score() + b.score() {
        return None;
    }
    let mut phrases = one.to_vec();
    phrases[place] = phrase;
    Some(phrases)
}

/// Where a word leads.
fn place_of(word: &[Letter]) -> (i32, i32) {
    word.iter().fold((0, 0), |(x, y), letter| (x + letter.x, y + letter.y))
}

fn score_of(letter: Letter) -> u64 {
    step_score(letter.x.unsigned_abs(), letter.y.unsigned_abs())
}

/// A word split where its step changes.
fn parts(word: &[Letter]) -> Vec<&[Letter]> {
    word.chunk_by(|a, b| (a.x, a.y) == (b.x, b.y)).collect()
}

struct PhraseFinder<'a> {
    tree: &'a WordTree,
    size: BoardSize,
    /// For the first part of a word, and for the others.
    patterns: [Vec<PhrasePattern>; 2],
    work: usize,
}

/// A phrase to be tried; the cheapest comes first.
struct Attempt {
    /// Of its operators; or of those of the same phrase with more times, if they cost more.
    cost: u64,
    /// Rides before leaps and joined classes before others, as they are made.
    number: usize,
    pattern: PhrasePattern,
    classes: Vec<(u32, u32)>,
    times: Times,
}

impl PhraseFinder<'_> {
    /// Phrases for these parts after any of the beginnings, the last of which is that of the word itself, and the words
    /// that are meant.
    fn find(
        &mut self,
        parts: &[&[Letter]],
        beginnings: &[WordPrefix],
    ) -> Option<(Vec<Phrase>, Vec<usize>)> {
        let (part, rest) = parts.split_first()?;
        let own = beginnings.last()?;
        let after_others = !own.word.is_empty();
        let from = own.place.at;
        let class = (part[0].x.unsigned_abs(), part[0].y.unsigned_abs());
        let patterns = self.patterns[usize::from(after_others)].clone();
        let mut patterns =
            patterns.into_iter().filter(|pattern| pattern.contains(part, from)).peekable();
        let mut options: BinaryHeap<Reverse<Attempt>> = BinaryHeap::new();
        let mut number = 0;
        loop {
            let next = patterns.peek().map(|pattern| pattern.cost);
            let cheapest = options.peek().map(|Reverse(option)| option.cost);
            match (next, cheapest) {
                (Some(next), cheapest) if cheapest.is_none_or(|cheapest| next <= cheapest) => {
                    let pattern = patterns.next()?;
                    for classes in classes(class, &pattern, after_others) {
                        let mut widest = 0;
                        for times in self.times(
                            &pattern,
                            &classes,
                            part.len() as u32,
                            beginnings,
                            rest.is_empty(),
                        ) {
                            if let Some(cost) = pattern.with_times(times) {
                                // What means more comes first, even if it costs more.
                                widest = cost.max(widest);
                                let classes = classes.clone();
                                options.push(Reverse(Attempt {
                                    cost: widest,
                                    number,
                                    pattern,
                                    classes,
                                    times,
                                }));
                                number += 1;
                            }
                        }
                    }
                }
                (_, Some(_)) => {
                    let Reverse(option) = options.pop()?;
                    if let Some(found) = self.try_option(option, part, rest, beginnings) {
                        return Some(found);
                    }
                }
                (_, None) => return None,
            }
            if self.work > MAX_WORK {
                return None;
            }
        }
    }

    fn try_option(
        &mut self,
        option: Attempt,
        part: &[Letter],
        rest: &[&[Letter]],
        beginnings: &[WordPrefix],
    ) -> Option<(Vec<Phrase>, Vec<usize>)> {
        let Attempt { pattern, classes, times, .. } = option;
        let mut next = self.meant(&pattern, &classes, times, beginnings);
        let (mut phrases, words) = if rest.is_empty() {
            let nodes = next.iter().filter_map(|beginning| beginning.node);
            (Vec::new(), nodes.filter_map(|node| self.tree.word(node)).collect())
        } else {
            // That of the word itself becomes the last.
            let own = [&beginnings.last()?.word, part].concat();
            let place = next.iter().position(|beginning| beginning.word == own)?;
            let last = next.len() - 1;
            next.swap(place, last);
            self.find(rest, &next)?
        };
        phrases.insert(0, pattern.phrase(classes, times));
        Some((phrases, words))
    }

    /// Everything that a phrase means after any of the beginnings.
    fn meant(
        &mut self,
        pattern: &PhrasePattern,
        classes: &[(u32, u32)],
        times: Times,
        beginnings: &[WordPrefix],
    ) -> Vec<WordPrefix> {
        let mut meant = Vec::new();
        for beginning in beginnings {
            let mut beginning = beginning.clone();
            for step in classes.iter().flat_map(|class| steps_of(*class)) {
                pattern.each(&mut beginning, step, self.tree, self.size, &mut |count, word| {
                    self.work += 1;
                    if times.contains(count) {
                        meant.push(word.clone());
                    }
                });
            }
        }
        meant
    }

    /// How often the steps of a pattern may be made so that all that is meant are words, or begin words: the ways to say
    /// it that allow the given count.
    fn times(
        &mut self,
        pattern: &PhrasePattern,
        classes: &[(u32, u32)],
        count: u32,
        beginnings: &[WordPrefix],
        is_last: bool,
    ) -> Vec<Times> {
        // A ride leaves a square with every step, and the board after that many.
        let longest = self.size.width.max(self.size.height) as usize;
        let mut allowed = vec![true; longest.max(count as usize) + 1];
        let mut most = 0;
        let mut used: Vec<(i32, i32)> = Vec::new();
        for beginning in beginnings {
            if !allowed[count as usize] || self.work > MAX_WORK {
                return Vec::new();
            }
            let mut beginning = beginning.clone();
            for step in classes.iter().flat_map(|class| steps_of(*class)) {
                pattern.each(&mut beginning, step, self.tree, self.size, &mut |count, word| {
                    self.work += 1;
                    most = most.max(count);
                    if used.last() != Some(&step) {
                        used.push(step);
                    }
                    let known =
                        word.node.is_some_and(|node| !is_last || self.tree.word(node).is_some());
                    allowed[count as usize] &= known;
                });
            }
        }
        allowed.truncate(most as usize + 1);
        if !allowed.get(count as usize).is_some_and(|allowed| *allowed) {
            return Vec::new();
        }
        // A class of which nothing is meant would only confuse.
        let is_used = |class: &(u32, u32)| steps_of(*class).iter().any(|step| used.contains(step));
        if !classes.iter().all(is_used) {
            return Vec::new();
        }
        if !pattern.is_ride {
            return vec![Times::Once];
        }
        // What can be done only once is a leap.
        if most == 1 {
            return Vec::new();
        }
        times(&allowed, count)
    }

    /// Leaves out what is true anyway: upper limits beyond which later phrases find no room, and contents that a square
    /// never has because the piece itself stands there.
    fn without_implied_limits(&mut self, mut phrases: Vec<Phrase>, words: &[usize]) -> Vec<Phrase> {
        for place in 0..phrases.len().saturating_sub(1) {
            let phrase = phrases[place].clone();
            let times = match phrase.times {
                Times::Max(_) => Times::Any,
                Times::Between(least, _) => Times::Min(least),
                times => times,
            };
            let unlimited = Phrase { times, ..phrase.clone() };
            let on_itself = Phrase { landing: Landing::of(On::Own), ..phrase.clone() };
            for simpler in [unlimited, on_itself] {
                let before = std::mem::replace(&mut phrases[place], simpler);
                if before != phrases[place] && self.words_of(&phrases).as_deref() != Some(words) {
                    phrases[place] = before;
                }
            }
        }
        phrases
    }

    /// Says of later phrases how they go on rather than where, if that means the same.
    fn with_relative_headings(&mut self, mut phrases: Vec<Phrase>, words: &[usize]) -> Vec<Phrase> {
        for place in 1..phrases.len() {
            let heading = phrases[place].heading;
            if heading == Heading::default() || heading.relative.is_some() {
                continue;
            }
            for relative in [Relative::Outwards, Relative::Inwards, Relative::Sideways] {
                phrases[place].heading = Heading { relative: Some(relative), ..Heading::default() };
                if self.words_of(&phrases).as_deref() == Some(words) {
                    break;
                }
                phrases[place].heading = heading;
            }
        }
        phrases
    }

    /// The numbers of the words that phrases mean, ascending; `None` if they mean others.
    fn words_of(&mut self, phrases: &[Phrase]) -> Option<Vec<usize>> {
        let mut beginnings = vec![WordPrefix::root()];
        for phrase in phrases {
            let pattern = PhrasePattern::of(phrase);
            beginnings = self.meant(&pattern, &phrase.steps, phrase.times, &beginnings);
        }
        let numbers = beginnings.iter().map(|word| self.tree.word(word.node?));
        let mut numbers = numbers.collect::<Option<Vec<usize>>>()?;
        numbers.sort_unstable();
        numbers.dedup();
        Some(numbers)
    }
}

/// The classes that a pattern is tried with. The leap that ends a longer move is tried in both orientations at once.
fn classes(
    (x, y): (u32, u32),
    pattern: &PhrasePattern,
    after_others: bool,
) -> Vec<Vec<(u32, u32)>> {
    let mut classes = Vec::new();
    if after_others && !pattern.is_ride && x != y {
        classes.push(vec![(x.min(y), x.max(y)), (x.max(y), x.min(y))]);
    }
    classes.push(vec![(x, y)]);
    classes
}

/// The ways to say which counts are meant, the narrowest last; `allowed` lists them from 0, and the given one is among
/// them.
fn times(allowed: &[bool], count: u32) -> Vec<Times> {
    let most = allowed.len() as u32 - 1;
    let all =
        |mut counts: Box<dyn Iterator<Item = u32>>| counts.all(|count| allowed[count as usize]);
    if all(Box::new(1..=most)) {
        return vec![Times::Any];
    }
    let low = (1..count).rev().take_while(|&count| allowed[count as usize]).last().unwrap_or(count);
    let high =
        (count + 1..=most).take_while(|&count| allowed[count as usize]).last().unwrap_or(count);
    let mut times = Vec::new();
    if low == 1 && high > 1 {
        times.push(Times::Max(high));
    } else if high == most && low < most {
        times.push(Times::Min(low));
    } else if low < high {
        times.push(Times::Between(low, high));
    }
    let alternate = |first: u32| all(Box::new((first..=most).step_by(2)));
    if count % 2 == 1 && most >= 3 && alternate(1) {
        times.push(Times::Odd);
    }
    if count.is_multiple_of(2) && most >= 4 && alternate(2) {
        times.push(Times::Even);
    }
    if count > 1 {
        times.push(Times::Exactly(count));
    }
    times
}

impl PartialEq for Attempt {
    fn eq(&self, other: &Self) -> bool {
        (self.cost, self.number) == (other.cost, other.number)
    }
}

impl Eq for Attempt {}

impl PartialOrd for Attempt {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Attempt {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.cost, self.number).cmp(&(other.cost, other.number))
    }
}
