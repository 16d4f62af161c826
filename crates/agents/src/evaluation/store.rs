//! Evaluations that were fitted before: in memory, and on disk if there is a folder for them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use regulus_engine::Rules as _;
use regulus_game::{Game, Match};

use super::features::{Signed, VariableFeature};
use super::fit::{Effort, Fitted, features};
use super::territory::NUMBERS;
use super::{Evaluation, Features, HIGHEST, Weights};
use crate::budget::{Budget, Clock, Stop};
use crate::kept::Kept;

/// The seed of all fits.
const SEED: u64 = 1;

/// The first line of a file. It changes with what fits find, so that older files are not used.
const VERSION: &str = "regulus evaluation 9";

/// A file that is longer is not one of ours.
const LONGEST_FILE: u64 = 16 << 20;

/// A longer evaluation is not kept, and only a bounded number is: those go first that were written first.
const LONGEST_KEPT: usize = 2 << 20;
const MOST_FILES: usize = 1_000;

/// How long may be taken to find the symmetries of a game whose evaluation is there.
const LONGEST_LOAD: Duration = Duration::from_secs(2);

/// Evaluations of bundled games that were learnt for longer. Each follows a line `game FINGERPRINT NAME`.
const LEARNT: &str = include_str!("../learnt.txt");

/// The amount of learning for which those are taken.
const USUAL: u32 = 1;

static FOLDER: OnceLock<PathBuf> = OnceLock::new();

static KEPT: Kept<Arc<Fitted>> = Kept::new(100);

/// Evaluations that are fitted to games are kept in this folder from now on, so that players of games that were played before
/// begin at once. Files there that are damaged are not used. Only the first call counts.
///
/// # Examples
///
/// ```
/// let folder = std::env::temp_dir().join("regulus-evaluations");
/// regulus_agents::keep_evaluations_in(&folder);
/// ```
pub fn keep_evaluations_in(folder: &Path) {
    FOLDER.get_or_init(|| folder.to_owned());
}

/// The evaluation of a game with this amount of learning: as it was fitted before, or fitted now.
pub(crate) fn fitted(game: &Arc<Game>, learning: u32) -> Arc<Fitted> {
    let key = (game.fingerprint(), learning);
    KEPT.get(key, || Arc::new(load_or_fit(game, key)))
}

/// Whether the evaluation of a game is in memory.
pub(crate) fn is_fitted(game: &Game, learning: u32) -> bool {
    KEPT.known((game.fingerprint(), learning)).is_some()
}

/// Learns a game and returns what was found as text, with the line before it that the table of bundled games needs; `None` if the
/// rules fault or there was not enough time.
///
/// # Examples
///
/// ```
/// use regulus_game::{Config, Game};
///
/// let game = Game::load("tic_tac_toe", &Config::default())?;
/// let text = regulus_agents::learn_evaluation(&game, "tic_tac_toe", 0).expect("it can be learnt");
/// assert!(text.starts_with("game ") && text.ends_with("\nend\n"));
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[must_use]
pub fn learn_evaluation(game: &Arc<Game>, name: &str, learning: u32) -> Option<String> {
    let fitted = Fitted::new(&Match::new(game).ok()?, Effort::new(learning), SEED).ok()?;
    let text = write(&fitted.evaluation);
    fitted.is_complete.then(|| format!("game {:016x} {name}\n{text}", game.fingerprint()))
}

/// What was learnt about a bundled game before; `None` if nothing.
fn learnt(game: &Arc<Game>) -> Option<Fitted> {
    let head = format!("game {:016x} ", game.fingerprint());
    let start = match LEARNT.starts_with(&head) {
        true => 0,
        false => LEARNT.find(&format!("\n{head}"))? + 1,
    };
    let text = LEARNT[start..].split_once('\n')?.1;
    let end = text.find("\nend\n")? + "\nend\n".len();
    understand(game, &text[..end])
}

fn load_or_fit(game: &Arc<Game>, (hash, learning): (u64, u32)) -> Fitted {
    if learning == USUAL
        && let Some(known) = learnt(game)
    {
        return known;
    }
    let file = FOLDER.get().map(|folder| folder.join(format!("{hash:016x}-{learning}.txt")));
    if let Some(known) = file.as_deref().and_then(|file| load(game, file)) {
        return known;
    }
    let fit = Match::new(game).and_then(|first| Fitted::new(&first, Effort::new(learning), SEED));
    // Where the rules fault, all positions are the same.
    let fitted = fit.unwrap_or_else(|_| {
        let features = Features::new(game, &[]);
        let evaluation = Evaluation::blank(&features);
        Fitted { features, evaluation, is_complete: false }
    });
    if let Some(file) = file.filter(|_| fitted.is_complete) {
        save(&fitted.evaluation, &file);
    }
    fitted
}

/// Writes an evaluation; if that fails, it is fitted again another time.
fn save(evaluation: &Evaluation, file: &Path) {
    let Some(folder) = file.parent() else { return };
    let text = write(evaluation);
    if text.len() > LONGEST_KEPT {
        return;
    }
    make_room(folder, MOST_FILES);
    let partial = file.with_extension(format!("{}.partial", std::process::id()));
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&partial, text))
        .and_then(|()| std::fs::rename(&partial, file));
    if written.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
}

/// Removes the oldest files of a folder until there are fewer than `most`.
fn make_room(folder: &Path, most: usize) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut files: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            Some((entry.metadata().ok()?.modified().ok()?, entry.path()))
        })
        .collect();
    files.sort();
    let many = (files.len() + 1).saturating_sub(most);
    for (_, file) in &files[..many.min(files.len())] {
        // Another process may have been faster.
        let _ = std::fs::remove_file(file);
    }
}

fn write(evaluation: &Evaluation) -> String {
    let Evaluation {
        pieces,
        squares,
        weights,
        lines,
        has_captures,
        follows_captures,
        follows_promotions,
        must_take,
        uses_mobility,
        territory,
        unit,
        outcome_games: _,
    } = evaluation;
    let mut text = format!("{VERSION}\nsizes {pieces} {squares} {}\n", weights.len());
    let flags = [has_captures, follows_captures, follows_promotions, must_take, uses_mobility];
    let [captures, follows, promotes, must, mobility] = flags.map(|flag| u8::from(*flag));
    let lines = u8::from(!lines.lines.is_empty());
    let territory = u8::from(territory.is_some());
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "rules {captures} {follows} {promotes} {must} {mobility} {lines} {territory} {unit}"
    );
    for weights in weights {
        let mobility: Vec<i32> = weights.mobility.iter().flatten().copied().collect();
        let lists = [&weights.placed, &weights.lines, &weights.material, &weights.turn, &mobility];
        let names = ["placed", "lines", "material", "turn", "mobility"];
        for (name, list) in names.iter().zip(lists) {
            text.push_str(name);
            for number in list {
                let _ = write!(text, " {number}");
            }
            text.push('\n');
        }
        if territory == 1 {
            text.push_str("territory");
            for number in &weights.territory {
                let _ = write!(text, " {number}");
            }
            text.push('\n');
        }
        text.push_str("variables");
        for (variable, weight) in &weights.variables {
            let _ = write!(text, " {} {weight}", variable.at);
        }
        text.push('\n');
    }
    text.push_str("end\n");
    text
}

fn load(game: &Arc<Game>, file: &Path) -> Option<Fitted> {
    if std::fs::metadata(file).ok()?.len() > LONGEST_FILE {
        return None;
    }
    understand(game, &std::fs::read_to_string(file).ok()?)
}

/// The evaluation of a game that a text describes; `None` if it is not one of this game.
fn understand(game: &Arc<Game>, text: &str) -> Option<Fitted> {
    let clock = Clock::start(Budget::time(LONGEST_LOAD), Stop::new());
    let features = features(&Match::new(game).ok()?, SEED, &clock).ok()?;
    read(game, &features, text)
}

/// The evaluation that a text describes; `None` if it is not one of this game, whose features are given.
fn read(game: &Game, features: &Features, text: &str) -> Option<Fitted> {
    let mut lines = text.lines();
    if lines.next()? != VERSION {
        return None;
    }
    let sizes = [features.pieces, features.squares, features.model_count()].map(|size| size as i32);
    if numbers(lines.next()?, "sizes", 3)? != sizes {
        return None;
    }
    let rules = numbers(lines.next()?, "rules", 8)?;
    let features = if rules[5] == 1 { features.clone() } else { features.without_lines() };
    let features = if rules[6] == 1 { features } else { features.with_territory(None) };
    if rules[6] == 1 && features.territory.is_none() {
        return None;
    }
    let mut evaluation = Evaluation::blank(&features);
    evaluation.has_captures = rules[0] == 1;
    evaluation.follows_captures = rules[1] == 1;
    evaluation.follows_promotions = rules[2] == 1;
    evaluation.must_take = rules[3] == 1;
    evaluation.uses_mobility = rules[4] == 1;
    evaluation.unit = rules[7].max(1);
    let (pieces, players) = (features.pieces, features.players);
    for weights in &mut evaluation.weights {
        let mobility;
        *weights = Weights {
            placed: numbers(lines.next()?, "placed", pieces * features.squares)?,
            lines: numbers(lines.next()?, "lines", features.lines.weights)?,
            material: numbers(lines.next()?, "material", pieces)?,
            turn: numbers(lines.next()?, "turn", players)?,
            mobility: {
                mobility = numbers(lines.next()?, "mobility", 2 * players)?;
                mobility.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
            },
            territory: match features.territory {
                Some(_) => numbers(lines.next()?, "territory", NUMBERS)?,
                None => vec![0; NUMBERS],
            },
            variables: variables(game, lines.next()?)?,
        };
    }
    let is_whole = lines.next() == Some("end") && lines.next().is_none();
    is_whole.then_some(Fitted { features, evaluation, is_complete: true })
}

/// The `count` numbers after a word, each within bounds; `None` if there are more or fewer.
fn numbers(line: &str, word: &str, count: usize) -> Option<Vec<i32>> {
    let mut words = line.split(' ');
    if words.next() != Some(word) {
        return None;
    }
    let numbers: Option<Vec<i32>> = words
        .map(|word| word.parse().ok().filter(|number: &i32| number.abs() <= HIGHEST))
        .collect();
    numbers.filter(|numbers| numbers.len() == count)
}

/// The weights of variables, which must be variables of the game.
fn variables(game: &Game, line: &str) -> Option<Vec<(VariableFeature, f32)>> {
    let layout = game.rules().layout();
    let known: Vec<VariableFeature> = game
        .automaton()
        .variables
        .iter()
        .skip(game.player_count())
        .map(|(variable, info)| VariableFeature {
            at: layout.variable_at(variable),
            bound: info.bound,
            weight: Signed::default(),
        })
        .collect();
    let mut words = line.split(' ');
    if words.next() != Some("variables") {
        return None;
    }
    let mut variables = Vec::new();
    while let Some(at) = words.next() {
        let at: usize = at.parse().ok()?;
        let weight: f32 = words.next()?.parse().ok()?;
        let variable = known.iter().find(|variable| variable.at == at)?;
        if !weight.is_finite() || weight.abs() * variable.bound as f32 > HIGHEST as f32 {
            return None;
        }
        variables.push((*variable, weight));
    }
    Some(variables)
}

#[cfg(test)]
mod tests {
    use regulus_game::{Config, EngineKind};

    use super::*;

    fn load_game(name: &str) -> Arc<Game> {
        let config = Config { engine: EngineKind::Plan, ..Config::default() };
        Game::load(name, &config).expect("it is bundled")
    }

    #[test]
    fn what_was_learnt_before_belongs_to_bundled_games_and_can_be_read() {
        let heads = LEARNT.lines().filter_map(|line| line.strip_prefix("game "));
        for head in heads {
            let (_, name) = head.split_once(' ').expect("a fingerprint and a name");
            assert!(learnt(&load_game(name)).is_some(), "{name} has changed: learn it again");
        }
    }

    #[test]
    fn a_folder_has_no_more_files_than_it_may() {
        let folder = std::env::temp_dir().join(format!("regulus-room-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        for number in 0..9 {
            let file = std::fs::File::create(folder.join(format!("{number}.txt"))).expect("a file");
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000 - number);
            file.set_modified(time).expect("a time");
        }
        make_room(&folder, 4);
        let mut left: Vec<_> = std::fs::read_dir(&folder)
            .expect("a folder")
            .map(|entry| entry.expect("a file").file_name())
            .collect();
        left.sort();
        assert_eq!(left, ["0.txt", "1.txt", "2.txt"]);
        std::fs::remove_dir_all(&folder).expect("it is ours");
    }

    #[test]
    fn what_is_written_can_be_read_and_nothing_else() {
        for name in ["tic_tac_toe", "chess", "trio"] {
            let game = load_game(name);
            let features = Features::new(&game, &[]);
            let mut evaluation = Evaluation::blank(&features);
            evaluation.follows_captures = true;
            for (number, weights) in evaluation.weights.iter_mut().enumerate() {
                weights.placed.iter_mut().zip(0..).for_each(|(weight, index)| *weight = index - 7);
                weights.turn[0] = -20 - number as i32;
                weights.variables = features.variables.iter().map(|each| (*each, 0.5)).collect();
            }
            let text = write(&evaluation);
            let again = read(&game, &features, &text).expect("it was written");
            assert_eq!(write(&again.evaluation), text);
            // A file that is cut off, changed, or of another game is not used.
            let lines: Vec<&str> = text.lines().collect();
            assert!(read(&game, &features, &lines[..lines.len() - 1].join("\n")).is_none());
            assert!(read(&game, &features, &text.replacen(" -20", " -20x", 1)).is_none());
            assert!(
                read(&game, &features, &text.replacen("placed -7", "placed 99999999", 1)).is_none()
            );
            assert!(read(&game, &features, &text.replacen("placed -7", "placed", 1)).is_none());
            let other = load_game("breakthrough");
            assert!(read(&other, &Features::new(&other, &[]), &text).is_none());
        }
    }
}
