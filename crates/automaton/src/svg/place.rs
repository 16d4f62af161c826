//! The heights of items: as near to their neighbours' as the order and the space they need allow.
//!
//! A layer at a time, every item wishes to stand at the mean height of its neighbours. The heights that satisfy these
//! wishes best, in the sense of least squares, under the order and the distances of the layer are found exactly and in
//! linear time by pooling: an item that would come too near to the one before forms a block with it.

use super::graph::{Extent, Item, Layer};
use super::order::Neighbours;
use crate::ids::IdVec;

/// The least distance between items of a layer.
const GAP: f64 = 10.0;

/// How often to sweep over all layers.
const SWEEPS: usize = 14;

/// An item as it is placed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) extent: Extent,
    /// Bends and labels are straightened in preference to nodes.
    pub(super) is_node: bool,
}

/// The heights of all items' centres, the least top being 0; also the total height.
pub(super) fn heights(
    layers: &IdVec<Layer, Vec<Item>>,
    items: &IdVec<Item, Placed>,
    neighbours: &IdVec<Item, Neighbours>,
) -> (IdVec<Item, f64>, f64) {
    let mut heights: IdVec<Item, f64> = IdVec::filled(0.0, items.len());
    for layer in layers.values() {
        let wishes = vec![(0.0, 1.0); layer.len()];
        settle(layer, &wishes, items, &mut heights);
    }
    for sweep in 0..SWEEPS {
        let settled: Vec<&Vec<Item>> = if sweep % 2 == 0 {
            layers.values().collect()
        } else {
            layers.values().rev().collect()
        };
        // The last sweeps weigh both sides against each other.
        let both = sweep + 4 >= SWEEPS;
        for layer in settled {
            let sides = Sides { left: both || sweep % 2 == 0, right: both || sweep % 2 == 1 };
            let wishes: Vec<(f64, f64)> =
                layer.iter().map(|&item| wish(item, sides, items, neighbours, &heights)).collect();
            settle(layer, &wishes, items, &mut heights);
        }
    }
    let edge = |(item, placed): (Item, &Placed), sign: f64, space: f64| {
        let _ = placed;
        heights[item] + sign * space
    };
    let top = items.iter().map(|entry| edge(entry, -1.0, entry.1.extent.above)).fold(0.0, f64::min);
    let bottom = items.iter().map(|entry| edge(entry, 1.0, entry.1.extent.below)).fold(0.0, f64::max);
    heights.values_mut().for_each(|height| *height -= top);
    (heights, bottom - top)
}
