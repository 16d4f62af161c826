//! Which nets there are in folders, and what is known of them.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use safetensors::SafeTensors;

use crate::error::TrainError;
use crate::folder::{RunFolder, number_of};
use crate::metrics::{Iteration, Metrics};

/// A file that is longer is not one of ours.
const LONGEST_FILE: u64 = 1 << 30;

/// What files of nets with sums are known by: version, game, numbers of sums and of stages, name of the game.
const NOTE: &str = "regulus_net";

/// What files of residual nets are known by: version, game, planes, height, width, filters, blocks, choices, whether it is normed,
/// name of the game.
const RESIDUAL_NOTE: &str = "regulus_residual_net";

/// A net in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundNet {
    /// The file.
    pub path: PathBuf,
    /// The name of the game in the file.
    pub game: String,
    /// The number of the game: [`Game::fingerprint`](regulus_game::Game::fingerprint).
    pub fingerprint: u64,
    /// How large it is, in words: `128 sums × 8 stages`, `64 filters × 5 blocks`.
    pub shape: String,
    /// After how many iterations it was written; `None` if it is not in the folder of a run.
    pub iteration: Option<u64>,
    /// The last iteration up to it in which strength was measured.
    pub measured: Option<Iteration>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct NetList {
    /// The nets, in the order of their paths within each place.
    pub nets: Vec<FoundNet>,
    /// What could not be read.
    pub problems: Vec<TrainError>,
}

/// Looks for nets: files are looked at, and in folders the nets, and those of the runs one level deep. Of a run these are the best and
/// the newest one, or all with `all`.
///
/// # Examples
///
/// ```
/// use regulus_learn::find_nets;
///
/// let nowhere = std::env::temp_dir().join("no-such-folder-of-regulus");
/// let list = find_nets(&[nowhere], false);
/// assert!(list.nets.is_empty());
/// assert_eq!(list.problems.len(), 1);
/// ```
#[must_use]
pub fn find_nets(places: &[PathBuf], all: bool) -> NetList {
    let mut list = NetList::default();
    for place in places {
        if place.is_dir() {
            list.add_folder(place, all);
            for folder in sorted(place).into_iter().filter(|path| path.is_dir()) {
                list.add_folder(&folder, all);
            }
        } else {
            list.add_file(place);
        }
    }
    list
}

/// What is in a folder, by name; nothing if it cannot be read.
fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn is_net(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "safetensors") && path.is_file()
}

/// The iteration in the name of a file of a run.
fn iteration_of(path: &Path) -> Option<u64> {
    number_of(path.file_stem()?.to_str()?.strip_prefix("net-")?)
}

impl NetList {
    fn add_folder(&mut self, folder: &Path, all: bool) {
        let mut nets: Vec<PathBuf> =
            sorted(folder).into_iter().filter(|path| is_net(path)).collect();
        if !all && RunFolder::new(folder).config().is_file() {
            let newest = nets.iter().filter_map(|net| iteration_of(net)).max();
            nets.retain(|net| iteration_of(net).is_none_or(|number| Some(number) == newest));
        }
        nets.iter().for_each(|net| self.add_file(net));
    }

    fn add_file(&mut self, path: &Path) {
        match read_net(path) {
            Ok(net) => self.nets.push(net),
            Err(problem) => self.problems.push(problem),
        }
    }
}

/// Reads what a file says of its net, and what the run that wrote it says.
fn read_net(path: &Path) -> Result<FoundNet, TrainError> {
    let failed = |error| TrainError::File(path.to_owned(), error);
    let bad = |problem: String| TrainError::Folder(path.to_owned(), problem);
    let length = fs::metadata(path).map_err(failed)?.len();
    if length > LONGEST_FILE {
        return Err(bad(format!("{length} bytes are too many for a net")));
    }
    let bytes = fs::read(path).map_err(failed)?;
    let (_, head) = SafeTensors::read_metadata(&bytes)
        .map_err(|error| bad(format!("this is no net: {error}")))?;
    SafeTensors::deserialize(&bytes).map_err(|error| bad(format!("this is no net: {error}")))?;
    let notes = head.metadata().clone().unwrap_or_default();
    let Some(Note { game, fingerprint, shape }) = read_note(&notes) else {
        return Err(bad("these are tensors, but no net of Regulus".to_owned()));
    };
    let (iteration, iterations) = told_by_run(path);
    let up_to = iteration.unwrap_or(0);
    let mut before = iterations.iter().filter(|it| it.number <= up_to).rev();
    Ok(FoundNet {
        path: path.to_owned(),
        game,
        fingerprint,
        shape,
        iteration,
        measured: before.find(|it| !it.strength.is_empty()).cloned(),
    })
}

/// What a net says of itself.
struct Note {
    game: String,
    fingerprint: u64,
    shape: String,
}

/// Reads the note of a net of either kind; `None` if there is none, or it is damaged.
fn read_note(notes: &HashMap<String, String>) -> Option<Note> {
    let (note, numbers) = match notes.get(NOTE) {
        Some(note) => (note, 2),
        None => (notes.get(RESIDUAL_NOTE)?, 7),
    };
    let words: Vec<&str> = note.splitn(numbers + 3, ' ').collect();
    let game = (*words.get(numbers + 2)?).to_owned();
    let fingerprint = u64::from_str_radix(words[1], 16).ok()?;
    let shape: Option<Vec<u64>> =
        words[2..numbers + 2].iter().map(|word| word.parse().ok()).collect();
    let shape = match shape?.as_slice() {
        [sums, stages] => format!("{sums} sums × {stages} stages"),
        [_, _, _, filters, blocks, ..] => format!("{filters} filters × {blocks} blocks"),
        _ => return None,
    };
    Some(Note { game, fingerprint, shape })
}

/// The iteration of a net and all iterations of its run; nothing if it is not in the folder of a run.
fn told_by_run(path: &Path) -> (Option<u64>, Vec<Iteration>) {
    let folder = RunFolder::new(path.parent().unwrap_or(Path::new("")));
    if !folder.config().is_file() {
        return (None, Vec::new());
    }
    let metrics = Metrics::read(&folder).unwrap_or_default();
    let is_best = path.file_name() == folder.best().file_name();
    let iteration = if is_best { metrics.best() } else { iteration_of(path) };
    (iteration, metrics.iterations().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_both_kinds_are_read_and_others_are_not() {
        let read = |kind: &str, note: &str| {
            read_note(&HashMap::from([(kind.to_owned(), note.to_owned())]))
                .map(|note| (note.game, note.fingerprint, note.shape))
        };
        let found = |game: &str, shape: &str| Some((game.to_owned(), 255, shape.to_owned()));
        assert_eq!(
            read(NOTE, "2 00000000000000ff 16 4 my game"),
            found("my game", "16 sums × 4 stages")
        );
        assert_eq!(
            read(RESIDUAL_NOTE, "1 00000000000000ff 4 8 8 64 5 0 1 chess"),
            found("chess", "64 filters × 5 blocks")
        );
        for note in ["", "1", "1 xyz 16 chess", "1 ff many 1 chess"] {
            assert_eq!((read(NOTE, note), read(RESIDUAL_NOTE, note)), (None, None), "{note}");
        }
        assert_eq!(read("something", "1 ff 16 chess"), None);
    }
}
