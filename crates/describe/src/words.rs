//! The words of a rule on a board: what is described.
//!
//! ```text
//! minimal automaton ─▶ words without loops ─▶ those that fit the board and do not contradict themselves ─▶ tree
//! ```

use std::collections::HashSet;

use regulus_lang::regular::Machine;
use regulus_lang::sbg::{Game, Letter, On};

/// The most words of a rule that are described.
pub const MAX_WORDS: usize = 20_000;
/// How many steps are tried to find them.
const MAX_WORK: usize = 4_000_000;

/// A board's width and height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardSize {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl BoardSize {
    /// The size of a game's board.
    #[must_use]
    pub fn of(game: &Game) -> BoardSize {
        BoardSize { width: game.width, height: game.height }
    }
}

/// A rule with more words than are described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyWords;

impl std::fmt::Display for TooManyWords {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Moves in more than {MAX_WORDS} ways, which is too much to describe")
    }
}

impl std::error::Error for TooManyWords {}

/// Where a word has led, and how much of the board it covers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WordEnd {
    /// The displacement from the beginning.
    pub(crate) at: (i32, i32),
    /// The least and the greatest column and row.
    columns: (i32, i32),
    rows: (i32, i32),
}

impl WordEnd {
    /// The place after one more letter.
    pub(crate) fn step(self, letter: Letter) -> WordEnd {
        let at = (self.at.0 + letter.x, self.at.1 + letter.y);
        let reach = |(low, high): (i32, i32), to: i32| (low.min(to), high.max(to));
        WordEnd { at, columns: reach(self.columns, at.0), rows: reach(self.rows, at.1) }
    }

    fn fits(self, size: BoardSize) -> bool {
        let fits = |(low, high): (i32, i32), size: u32| high.abs_diff(low) < size;
        fits(self.columns, size.width) && fits(self.rows, size.height)
    }

    /// The place after one more letter than `word`; `None` if that leaves the board or contradicts the word.
    pub(crate) fn try_step(
        self,
        word: &[Letter],
        letter: Letter,
        size: BoardSize,
    ) -> Option<WordEnd> {
        let next = self.step(letter);
        let mut at = (0, 0);
        let agrees = |place: (i32, i32), on: On| place != next.at || on == letter.on;
        let mut possible = next.fits(size) && agrees(at, On::Own);
        for before in word {
            at = (at.0 + before.x, at.1 + before.y);
            possible &= agrees(at, before.on);
        }
        possible.then_some(next)
    }
}

/// The words of a rule on a board, in ascending order.
pub(crate) fn unfold(
    machine: &Machine<Letter>,
    size: BoardSize,
) -> Result<Vec<Vec<Letter>>, TooManyWords> {
    let mut search = WordUnfolding {
        machine,
        size,
        taken: HashSet::new(),
        word: Vec::new(),
        words: Vec::new(),
        work: 0,
    };
    search.visit(machine.start, WordEnd::default())?;
    search.words.sort_unstable();
    Ok(search.words)
}

struct WordUnfolding<'a> {
    machine: &'a Machine<Letter>,
    size: BoardSize,
    /// The states and squares of the word so far.
    taken: HashSet<(usize, (i32, i32))>,
    word: Vec<Letter>,
    words: Vec<Vec<Letter>>,
    work: usize,
}

impl WordUnfolding<'_> {
    fn visit(&mut self, state: usize, place: WordEnd) -> Result<(), TooManyWords> {
        /// Longer words would not be understood by readers, and would exceed a thread's stack.
        const MAX_LENGTH: usize = 500;
        if !self.taken.insert((state, place.at)) {
            return Ok(());
        }
        if self.machine.accepts[state] {
            self.words.push(self.word.clone());
        }
        if self.words.len() > MAX_WORDS || self.word.len() > MAX_LENGTH {
            return Err(TooManyWords);
        }
        let machine = self.machine;
        for (letter, to) in machine.letters(state) {
            self.work += 1 + self.word.len() / 8;
            if self.work > MAX_WORK {
                return Err(TooManyWords);
            }
            if let Some(place) = place.try_step(&self.word, *letter, self.size) {
                self.word.push(*letter);
                self.visit(to, place)?;
                self.word.pop();
            }
        }
        self.taken.remove(&(state, place.at));
        Ok(())
    }
}

/// Words as a tree of their beginnings.
#[derive(Debug)]
pub(crate) struct WordTree {
    nodes: Vec<TreeNode>,
}

#[derive(Debug, Default)]
struct TreeNode {
    /// Sorted by letter.
    children: Vec<(Letter, usize)>,
    /// The word that ends here.
    word: Option<usize>,
}

impl WordTree {
    /// The empty beginning.
    pub(crate) const ROOT: usize = 0;

    /// The tree of words in ascending order, each once.
    pub(crate) fn new(words: &[Vec<Letter>]) -> WordTree {
        let mut tree = WordTree { nodes: vec![TreeNode::default()] };
        for (number, word) in words.iter().enumerate() {
            let mut at = WordTree::ROOT;
            for &letter in word {
                // In ascending order a new child is the last.
                at = match tree.nodes[at].children.last() {
                    Some(&(last, child)) if last == letter => child,
                    _ => {
                        tree.nodes.push(TreeNode::default());
                        let child = tree.nodes.len() - 1;
                        tree.nodes[at].children.push((letter, child));
                        child
                    }
                };
            }
            tree.nodes[at].word = Some(number);
        }
        tree
    }

    pub(crate) fn child(&self, node: usize, letter: Letter) -> Option<usize> {
        let children = &self.nodes[node].children;
        let place = children.binary_search_by_key(&letter, |(letter, _)| *letter).ok()?;
        Some(children[place].1)
    }

    /// The number of the word that ends here.
    pub(crate) fn word(&self, node: usize) -> Option<usize> {
        self.nodes[node].word
    }
}
