//! Nets as files in the format safetensors. Files are not trusted.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};

use super::{MOST_SUMS, NetInputs, NetWeights};

/// The version of the files. It changes when the same weights would mean something else.
const VERSION: &str = "1";

/// What files are known by: version, game, number of sums and name.
const NOTE: &str = "regulus_net";

/// A file that is longer is not one of ours.
const LONGEST_FILE: u64 = 1 << 30;

/// No weight is larger.
const LARGEST: f32 = 1e4;

/// Why a file is not the net that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadNet(String);

impl BadNet {
    pub(super) fn new(path: &Path, problem: &str) -> BadNet {
        BadNet(format!("{}: {problem}", path.display()))
    }
}

impl fmt::Display for BadNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadNet {}

impl NetWeights {
    /// The bytes of a file with these weights. The same weights give the same bytes.
    ///
    /// # Errors
    ///
    /// If the format cannot hold them.
    pub fn to_bytes(&self, inputs: &NetInputs, name: &str) -> Result<Vec<u8>, BadNet> {
        // One note only: the format does not keep the order of several.
        let about = format!("{VERSION} {:016x} {} {name}", inputs.fingerprint(), self.sums);
        let about = HashMap::from([(NOTE.to_owned(), about)]);
        let lists = self.lists().map(|(name, list)| (name, bytemuck::cast_slice::<f32, u8>(list)));
        let views: Result<Vec<(&str, TensorView<'_>)>, _> = lists
            .iter()
            .map(|(name, bytes)| {
                Ok((*name, TensorView::new(Dtype::F32, vec![bytes.len() / 4], bytes)?))
            })
            .collect();
        let failed = |error: safetensors::SafeTensorError| BadNet(error.to_string());
        safetensors::serialize(views.map_err(failed)?, Some(about)).map_err(failed)
    }

    /// Reads the weights of a net with these inputs from a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no net, or is the net of another game.
    pub fn read(inputs: &NetInputs, path: &Path) -> Result<NetWeights, BadNet> {
        let failed = |error: std::io::Error| BadNet::new(path, &error.to_string());
        let length = std::fs::metadata(path).map_err(failed)?.len();
        if length > LONGEST_FILE {
            return Err(BadNet::new(path, &format!("{length} bytes are too many for a net")));
        }
        let bytes = std::fs::read(path).map_err(failed)?;
        NetWeights::from_bytes(inputs, &bytes).map_err(|problem| BadNet::new(path, &problem.0))
    }

    /// The weights of a net with these inputs that the bytes of a file hold.
    ///
    /// # Errors
    ///
    /// If they are no net, or the net of another game.
    pub fn from_bytes(inputs: &NetInputs, bytes: &[u8]) -> Result<NetWeights, BadNet> {
        let bad = |problem: String| BadNet(problem);
        let (_, head) = SafeTensors::read_metadata(bytes)
            .map_err(|error| bad(format!("this is no net: {error}")))?;
        let about = head.metadata().clone().unwrap_or_default();
        let note = about.get(NOTE).map(String::as_str).unwrap_or_default();
        let mut words = note.splitn(4, ' ');
        let mut word = || words.next().unwrap_or_default();
        let (version, whose, sums, name) = (word(), word(), word(), word());
        if version.is_empty() {
            return Err(bad("these are tensors, but no net of Regulus".to_owned()));
        }
        if version != VERSION {
            return Err(bad(format!(
                "the net has version {version:?}, and this program reads version {VERSION}: train it again"
            )));
        }
        if whose != format!("{:016x}", inputs.fingerprint()) {
            return Err(bad(format!("this is the net of another game, {name:?}")));
        }
        let sums: usize = sums.parse().unwrap_or(0);
        if !(1..=MOST_SUMS).contains(&sums) {
            return Err(bad(format!("a net has 1 to {MOST_SUMS} sums, not {sums}")));
        }
        let tensors = SafeTensors::deserialize(bytes)
            .map_err(|error| bad(format!("this is no net: {error}")))?;
        let mut weights = NetWeights::zero(inputs, sums);
        let names = weights.lists().map(|(name, _)| name);
        for (name, list) in names.into_iter().zip(weights.lists_mut()) {
            let tensor =
                tensors.tensor(name).map_err(|_| bad(format!("the net lacks `{name}`")))?;
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
        let mut weights = NetWeights::zero(&inputs_here, 8);
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
