//! The nearest name, for the help of "unknown name" diagnostics.

/// Names longer than this are neither compared nor suggested, so that hostile texts stay cheap.
const LONGEST: usize = 40;
/// How many candidates are looked at.
const CANDIDATES: usize = 2_000;

/// The candidate that is most probably meant by a misspelt word; the first of equally good ones.
///
/// # Examples
///
/// ```
/// use regulus_lang::nearest;
///
/// assert_eq!(nearest("dwon", ["up", "down"]), Some("down"));
/// assert_eq!(nearest("castle", ["up", "down"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > LONGEST {
        return None;
    }
    // One slip in a short word, more in longer ones; a word of one letter is too short to guess from.
    let allowed = length.div_ceil(3).min(length.saturating_sub(1));
    candidates
        .into_iter()
        .take(CANDIDATES)
        .filter(|candidate| candidate.len().abs_diff(word.len()) <= allowed && *candidate != word)
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbour, ignoring case.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.to_lowercase().chars().collect();
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for i in 1..=left.len() {
        let mut row = vec![i];
        for j in 1..=right.len() {
            let replaced = above[j - 1] + usize::from(left[i - 1] != right[j - 1]);
            let mut best = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        let names = ["up", "down", "left", "right"];
        assert_eq!(nearest("dwon", names), Some("down"));
        assert_eq!(nearest("lft", names), Some("left"));
        assert_eq!(nearest("Up", names), Some("up"));
        assert_eq!(nearest("castle", names), None);
        assert_eq!(nearest("x", names), None);
    }

    #[test]
    fn distances_count_slips() {
        assert_eq!(distance("whitePawn", "whitepawn"), 0);
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
