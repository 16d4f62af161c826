//! Nets as files in the format safetensors. Files are not trusted.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};

use super::{MOST_STAGES, MOST_SUMS, NetInputs, NetWeights};

/// The version of the files. It changes when the same weights would mean something else.
const VERSION: &str = "2";

/// What files are known by: version, game, numbers of sums and of stages, and name.
const NOTE: &str = "regulus_net";

/// A file that is longer is not one of ours.
const LONGEST_FILE: u64 = 1 << 30;

/// No weight is larger.
const LARGEST: f32 = 1e4;

/// Why a file is not the net that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadNet(String);

impl BadNet {
    /// What is wrong with bytes whose file is not known.
    pub(crate) fn of(problem: &str) -> BadNet {
        BadNet(problem.to_owned())
    }

    pub(crate) fn new(path: &Path, problem: &str) -> BadNet {
        BadNet(format!("{}: {problem}", path.display()))
    }
}

impl fmt::Display for BadNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadNet {}

/// The bytes of a file with a note and lists of numbers. The same lists give the same bytes.
pub(crate) fn write_lists(
    kind: &str,
    note: String,
    lists: &[(String, &[f32])],
) -> Result<Vec<u8>, BadNet> {
    // One note only: the format does not keep the order of several.
    let about = HashMap::from([(kind.to_owned(), note)]);
    let views: Result<Vec<(&str, TensorView<'_>)>, _> = lists
        .iter()
        .map(|(name, list)| {
            let bytes = bytemuck::cast_slice::<f32, u8>(list);
            Ok((name.as_str(), TensorView::new(Dtype::F32, vec![list.len()], bytes)?))
        })
        .collect();
    let failed = |error: safetensors::SafeTensorError| BadNet(error.to_string());
    safetensors::serialize(views.map_err(failed)?, Some(about)).map_err(failed)
}

/// The bytes of a file that may be a net.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, BadNet> {
    let failed = |error: std::io::Error| BadNet::new(path, &error.to_string());
    let length = std::fs::metadata(path).map_err(failed)?.len();
    if length > LONGEST_FILE {
        return Err(BadNet::new(path, &format!("{length} bytes are too many for a net")));
    }
    std::fs::read(path).map_err(failed)
}

/// What the note of a kind says, if the file has one; `None` if it is not of that kind.
pub(crate) fn read_note(bytes: &[u8], kind: &str) -> Result<Option<String>, BadNet> {
    let (_, head) = SafeTensors::read_metadata(bytes)
        .map_err(|error| BadNet(format!("this is no net: {error}")))?;
    Ok(head.metadata().as_ref().and_then(|about| about.get(kind)).cloned())
}

/// Whether bytes are a net of the game with a number, by their note.
pub(crate) fn is_for(bytes: &[u8], game: u64) -> bool {
    let note = read_note(bytes, NOTE).ok().flatten();
    note.is_some_and(|note| check_note(&note, VERSION, game, 2).is_ok())
}

/// Checks the words that every note begins with, version and game, and returns the next `count` words and the name.
pub(crate) fn check_note(
    note: &str,
    version: &str,
    game: u64,
    count: usize,
) -> Result<(Vec<usize>, String), BadNet> {
    let mut words = note.splitn(count + 3, ' ');
    let mut word = || words.next().unwrap_or_default();
    let (own, whose) = (word(), word());
    let numbers: Vec<&str> = (0..count).map(|_| word()).collect();
    let name = word().to_owned();
    if own != version {
        return Err(BadNet(format!(
            "the net has version {own:?}, and this program reads version {version}: train it again"
        )));
    }
    if whose != format!("{game:016x}") {
        return Err(BadNet(format!("this is the net of another game, {name:?}")));
    }
    Ok((numbers.iter().map(|number| number.parse().unwrap_or(usize::MAX)).collect(), name))
}

/// Reads lists of known lengths from the bytes of a file.
pub(crate) fn read_lists(bytes: &[u8], lists: Vec<(String, &mut Vec<f32>)>) -> Result<(), BadNet> {
    let bad = |problem: String| BadNet(problem);
    let tensors =
        SafeTensors::deserialize(bytes).map_err(|error| bad(format!("this is no net: {error}")))?;
    for (name, list) in lists {
        let tensor = tensors.tensor(&name).map_err(|_| bad(format!("the net lacks `{name}`")))?;
        if tensor.dtype() != Dtype::F32 || tensor.shape() != [list.len()] {
            return Err(bad(format!(
                "`{name}` has the shape {:?} where {} numbers are needed",
                tensor.shape(),
                list.len()
            )));
        }
        for (weight, bytes) in list.iter_mut().zip(tensor.data().chunks_exact(4)) {
            *weight = f32::from_le_bytes(bytes.try_into().expect("four bytes"));
            if weight.is_nan() || weight.abs() > LARGEST {
                return Err(bad(format!("`{name}` has a weight of {weight}")));
            }
        }
    }
    Ok(())
}

impl NetWeights {
    /// The bytes of a file with these weights. The same weights give the same bytes.
    ///
    /// # Errors
    ///
    /// If the format cannot hold them.
    pub fn to_bytes(&self, inputs: &NetInputs, name: &str) -> Result<Vec<u8>, BadNet> {
        let (sums, stages) = (self.sums, self.stages);
        let note = format!("{VERSION} {:016x} {sums} {stages} {name}", inputs.fingerprint());
        let lists = self.lists().map(|(name, list)| (name.to_owned(), list));
        write_lists(NOTE, note, &lists)
    }

    /// Reads the weights of a net with these inputs from a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no net, or is the net of another game.
    pub fn read(inputs: &NetInputs, path: &Path) -> Result<NetWeights, BadNet> {
        let bytes = read_bytes(path)?;
        NetWeights::from_bytes(inputs, &bytes).map_err(|problem| BadNet::new(path, &problem.0))
    }

    /// The weights of a net with these inputs that the bytes of a file hold.
    ///
    /// # Errors
    ///
    /// If they are no net, or the net of another game.
    pub fn from_bytes(inputs: &NetInputs, bytes: &[u8]) -> Result<NetWeights, BadNet> {
        let Some(note) = read_note(bytes, NOTE)? else {
            return Err(BadNet("these are tensors, but no net of Regulus".to_owned()));
        };
        let (numbers, _) = check_note(&note, VERSION, inputs.fingerprint(), 2)?;
        let (sums, stages) = (numbers[0], numbers[1]);
        if !(1..=MOST_SUMS).contains(&sums) {
            return Err(BadNet(format!("a net has 1 to {MOST_SUMS} sums, not {sums}")));
        }
        if !(1..=MOST_STAGES).contains(&stages) {
            return Err(BadNet(format!("a net has 1 to {MOST_STAGES} stages, not {stages}")));
        }
        let mut weights = NetWeights::zero(inputs, sums, stages);
        let names = weights.lists().map(|(name, _)| name.to_owned());
        read_lists(bytes, names.into_iter().zip(weights.lists_mut()).collect())?;
        Ok(weights)
    }
}

#[cfg(test)]
mod tests {
    use regulus_game::{Config, EngineKind, Game};

    use super::*;

    fn inputs(name: &str) -> NetInputs {
        let config = Config { engine: EngineKind::Plan, ..Config::default() };
        NetInputs::new(&Game::load(name, &config).expect("it is bundled")).expect("for two")
    }

    #[test]
    fn what_is_written_can_be_read_and_nothing_else() {
        let inputs_here = inputs("tic_tac_toe");
        let mut weights = NetWeights::zero(&inputs_here, 8, 2);
        weights.lists_mut().into_iter().for_each(|list| list.fill(0.5));
        let bytes = weights.to_bytes(&inputs_here, "tic_tac_toe").expect("it can be written");
        assert_eq!(NetWeights::from_bytes(&inputs_here, &bytes), Ok(weights.clone()));
        let refused = |inputs: &NetInputs, bytes: &[u8], reason: &str| {
            let error = NetWeights::from_bytes(inputs, bytes).expect_err(reason).to_string();
            assert!(error.contains(reason), "{error}");
        };
        refused(&inputs("connect_four"), &bytes, "another game, \"tic_tac_toe\"");
        refused(&inputs_here, b"", "this is no net");
        refused(&inputs_here, &bytes[..bytes.len() - 1], "this is no net");
        weights.hidden.pop();
        let shorter = weights.to_bytes(&inputs_here, "").expect("it can be written");
        refused(&inputs_here, &shorter, "`hidden` has the shape");
        weights.hidden.push(f32::NAN);
        let odd = weights.to_bytes(&inputs_here, "").expect("it can be written");
        refused(&inputs_here, &odd, "a weight of NaN");
        // Whatever is changed, it is read or refused.
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x15;
            let _ = NetWeights::from_bytes(&inputs_here, &changed);
        }
    }
}
