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

/// How often to sweep over all layers, and how many of the sweeps look to both sides.
const SWEEPS: usize = 16;
const LAST_SWEEPS: usize = 6;

/// An item as it is placed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) extent: Extent,
    /// Whether it is a node, not a label or bend of an arrow.
    pub(super) is_node: bool,
}

/// Where an item would like to stand, and how much it cares.
#[derive(Clone, Copy, Debug)]
struct Wish {
    height: f64,
    weight: f64,
}

/// The heights of all items' centres, the least top being 0; and the greatest bottom.
pub(super) fn heights(
    layers: &IdVec<Layer, Vec<Item>>,
    items: &IdVec<Item, Placed>,
    neighbours: &IdVec<Item, Neighbours>,
) -> (IdVec<Item, f64>, f64) {
    let mut heights: IdVec<Item, f64> = IdVec::filled(0.0, items.len());
    for layer in layers.values() {
        let wishes = vec![Wish { height: 0.0, weight: 1.0 }; layer.len()];
        settle(layer, &wishes, items, &mut heights);
    }
    for sweep in 0..SWEEPS {
        let rightwards = sweep % 2 == 0;
        let both = sweep + LAST_SWEEPS >= SWEEPS;
        let mut pass = |layer: &Vec<Item>| {
            let wish = |&item: &Item| {
                let Neighbours { left, right } = &neighbours[item];
                let left = if rightwards || both { left.as_slice() } else { &[] };
                let right = if rightwards && !both { &[] } else { right.as_slice() };
                wish(item, left.iter().chain(right).copied(), items, &heights)
            };
            let wishes: Vec<Wish> = layer.iter().map(wish).collect();
            settle(layer, &wishes, items, &mut heights);
        };
        if rightwards {
            layers.values().for_each(&mut pass);
        } else {
            layers.values().rev().for_each(&mut pass);
        }
    }
    let top = items.iter().map(|(item, placed)| heights[item] - placed.extent.above);
    let top = top.reduce(f64::min).unwrap_or(0.0);
    heights.values_mut().for_each(|height| *height -= top);
    let bottom = items.iter().map(|(item, placed)| heights[item] + placed.extent.below);
    let bottom = bottom.reduce(f64::max).unwrap_or(0.0);
    (heights, bottom)
}

/// The mean height of neighbours. Lines between bends are kept straight in preference to lines at nodes.
fn wish(
    item: Item,
    neighbours: impl Iterator<Item = Item>,
    items: &IdVec<Item, Placed>,
    heights: &IdVec<Item, f64>,
) -> Wish {
    let mut sum = 0.0;
    let mut weight = 0.0;
    for neighbour in neighbours {
        let pull = match (items[item].is_node, items[neighbour].is_node) {
            (true, true) => 1.0,
            (false, false) => 6.0,
            _ => 2.0,
        };
        sum += pull * heights[neighbour];
        weight += pull;
    }
    if weight == 0.0 {
        return Wish { height: heights[item], weight: 0.1 };
    }
    Wish { height: sum / weight, weight }
}

/// Items that touch each other, by the height of the first.
struct Block {
    wish: Wish,
    items: usize,
}

/// Gives the items of a layer the heights nearest to their wishes.
fn settle(
    layer: &[Item],
    wishes: &[Wish],
    items: &IdVec<Item, Placed>,
    heights: &mut IdVec<Item, f64>,
) {
    // The distance of each item from the first when all touch each other: relative to it, order is all that matters.
    let mut offsets = Vec::with_capacity(layer.len());
    let mut offset = 0.0;
    let mut before: Option<Extent> = None;
    for &item in layer {
        let extent = items[item].extent;
        if let Some(before) = before {
            offset += before.below + GAP + extent.above;
        }
        offsets.push(offset);
        before = Some(extent);
    }
    let mut blocks: Vec<Block> = Vec::new();
    for (wish, offset) in wishes.iter().zip(&offsets) {
        let wish = Wish { height: wish.height - offset, weight: wish.weight };
        let mut block = Block { wish, items: 1 };
        while let Some(above) = blocks.pop_if(|above| above.wish.height > block.wish.height) {
            block = above.joined(&block);
        }
        blocks.push(block);
    }
    let settled =
        blocks.iter().flat_map(|block| std::iter::repeat_n(block.wish.height, block.items));
    for ((&item, offset), height) in layer.iter().zip(&offsets).zip(settled) {
        heights[item] = height + offset;
    }
}

impl Block {
    fn joined(&self, other: &Block) -> Block {
        let weight = self.wish.weight + other.wish.weight;
        let sum = self.wish.weight * self.wish.height + other.wish.weight * other.wish.height;
        Block { wish: Wish { height: sum / weight, weight }, items: self.items + other.items }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Id;

    #[test]
    fn items_that_wish_the_same_place_share_it_evenly() {
        let extent = Extent { width: 1.0, above: 5.0, below: 5.0 };
        let items: IdVec<Item, Placed> = IdVec::filled(Placed { extent, is_node: true }, 3);
        let layer: Vec<Item> = (0..3).map(Item::from_index).collect();
        let mut heights = IdVec::filled(0.0, 3);
        let wish = |height| Wish { height, weight: 1.0 };
        settle(&layer, &[wish(50.0), wish(50.0), wish(200.0)], &items, &mut heights);
        assert_eq!(heights.as_slice(), [40.0, 60.0, 200.0]);
    }
}
