//! Numbers for moves.

use regulus_engine::Step;

/// A number for a move, or for the beginning of one: the same wherever it can be made, and seldom that of another.
#[inline]
pub(crate) fn move_key(steps: &[Step]) -> u32 {
    steps.iter().fold(0x811c_9dc5, |key, step| {
        let key = (key ^ step.modifier.0.wrapping_mul(0x9e37_79b1)).wrapping_mul(0x85eb_ca6b);
        (key ^ (key >> 15) ^ step.square.0.wrapping_mul(0xc2b2_ae35)).wrapping_mul(0x27d4_eb2f)
    })
}
