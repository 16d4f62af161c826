//! The places of items across the drawing: as near to their neighbours' as order and space allow.
//!
//! A layer at a time, every item wishes to stand at the mean place of its neighbours. The places that satisfy these
//! wishes best, in the sense of least squares, under the order and the distances of the layer are found exactly and in
//! linear time by pooling: an item that would come too near to the one before forms a block with it. At the end chains
//! of items are straightened.

use super::graph::{Extent, GraphLayer, Item};
use super::order::Neighbours;
use crate::ids::IdVec;

/// The least distance between items of a layer.
const GAP: f64 = 10.0;

/// How often to sweep over all layers, and how many of the sweeps look to both sides.
const SWEEPS: usize = 16;
const LAST_SWEEPS: usize = 6;
/// How often to straighten chains: one may give way to another.
const STRAIGHTENINGS: usize = 2;

/// An item as it is placed.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayoutItem {
    pub(super) extent: Extent,
    /// Whether it is a node, not a label or bend of an arrow.
    pub(super) is_node: bool,
}

/// Where an item would like to stand, and how much it cares.
#[derive(Clone, Copy, Debug)]
struct Wish {
    place: f64,
    weight: f64,
}

/// The places of all items across the drawing.
pub(super) fn places(
    layers: &IdVec<GraphLayer, Vec<Item>>,
    items: &IdVec<Item, LayoutItem>,
    neighbours: &IdVec<Item, Neighbours>,
) -> IdVec<Item, f64> {
    let mut places: IdVec<Item, f64> = IdVec::filled(0.0, items.len());
    for layer in layers.values() {
        let wishes = vec![Wish { place: 0.0, weight: 1.0 }; layer.len()];
        settle(layer, &wishes, items, &mut places);
    }
    for sweep in 0..SWEEPS {
        let forwards = sweep % 2 == 0;
        let both = sweep + LAST_SWEEPS >= SWEEPS;
        let mut pass = |layer: &Vec<Item>| {
            let wish = |&item: &Item| {
                let Neighbours { before, after } = &neighbours[item];
                let before = if forwards || both { before.as_slice() } else { &[] };
                let after = if forwards && !both { &[] } else { after.as_slice() };
                wish(item, before.iter().chain(after).copied(), items, &places)
            };
            let wishes: Vec<Wish> = layer.iter().map(wish).collect();
            settle(layer, &wishes, items, &mut places);
        };
        if forwards {
            layers.values().for_each(&mut pass);
        } else {
            layers.values().rev().for_each(&mut pass);
        }
    }
    straighten(layers, items, neighbours, &mut places);
    places
}

/// The mean place of neighbours. Lines between bends are kept straight in preference to lines at nodes.
fn wish(
    item: Item,
    neighbours: impl Iterator<Item = Item>,
    items: &IdVec<Item, LayoutItem>,
    places: &IdVec<Item, f64>,
) -> Wish {
    let mut sum = 0.0;
    let mut weight = 0.0;
    for neighbour in neighbours {
        let pull = match (items[item].is_node, items[neighbour].is_node) {
            (true, true) => 1.0,
            (false, false) => 6.0,
            _ => 2.0,
        };
        sum += pull * places[neighbour];
        weight += pull;
    }
    if weight == 0.0 {
        return Wish { place: places[item], weight: 0.1 };
    }
    Wish { place: sum / weight, weight }
}

/// The least distance between two items that follow each other in a layer.
fn distance(items: &IdVec<Item, LayoutItem>, first: Item, second: Item) -> f64 {
    items[first].extent.after + GAP + items[second].extent.before
}

/// Items that touch each other, by the place of the first.
struct ItemBlock {
    wish: Wish,
    items: usize,
}

/// Gives the items of a layer the places nearest to their wishes.
fn settle(
    layer: &[Item],
    wishes: &[Wish],
    items: &IdVec<Item, LayoutItem>,
    places: &mut IdVec<Item, f64>,
) {
    // The distance of each item from the first when all touch each other: relative to it, order is all that matters.
    let mut offsets = Vec::with_capacity(layer.len());
    let mut offset = 0.0;
    for (index, &item) in layer.iter().enumerate() {
        if index > 0 {
            offset += distance(items, layer[index - 1], item);
        }
        offsets.push(offset);
    }
    let mut blocks: Vec<ItemBlock> = Vec::new();
    for (wish, offset) in wishes.iter().zip(&offsets) {
        let wish = Wish { place: wish.place - offset, weight: wish.weight };
        let mut block = ItemBlock { wish, items: 1 };
        while let Some(before) = blocks.pop_if(|before| before.wish.place > block.wish.place) {
            block = before.joined(&block);
        }
        blocks.push(block);
    }
    let settled =
        blocks.iter().flat_map(|block| std::iter::repeat_n(block.wish.place, block.items));
    for ((&item, offset), place) in layer.iter().zip(&offsets).zip(settled) {
        places[item] = place + offset;
    }
}

impl ItemBlock {
    fn joined(&self, other: &ItemBlock) -> ItemBlock {
        let weight = self.wish.weight + other.wish.weight;
        let sum = self.wish.weight * self.wish.place + other.wish.weight * other.wish.place;
        ItemBlock { wish: Wish { place: sum / weight, weight }, items: self.items + other.items }
    }
}

/// Straightens chains: items that each have at most one neighbour before and one after. Nothing else moves; a chain is
/// cut into as few straight runs as the room between its neighbours allows.
fn straighten(
    layers: &IdVec<GraphLayer, Vec<Item>>,
    items: &IdVec<Item, LayoutItem>,
    neighbours: &IdVec<Item, Neighbours>,
    places: &mut IdVec<Item, f64>,
) {
    let mut beside = IdVec::filled((None, None), items.len());
    for layer in layers.values() {
        for pair in layer.windows(2) {
            beside[pair[0]].1 = Some(pair[1]);
            beside[pair[1]].0 = Some(pair[0]);
        }
    }
    let mut chains = chains(neighbours);
    chains.sort_by_key(|chain| std::cmp::Reverse(chain.len()));
    let mut straightener = Straightener { items, neighbours, beside, places };
    for _ in 0..STRAIGHTENINGS {
        chains.iter().for_each(|chain| straightener.straighten(chain));
    }
}

fn chains(neighbours: &IdVec<Item, Neighbours>) -> Vec<Vec<Item>> {
    let links = |item: Item| {
        let Neighbours { before, after } = &neighbours[item];
        before.len() <= 1 && after.len() <= 1
    };
    let begins = |item: Item| !neighbours[item].before.iter().any(|&before| links(before));
    let firsts = neighbours.keys().filter(|&item| links(item) && begins(item));
    let next = |&item: &Item| neighbours[item].after.first().copied().filter(|&item| links(item));
    firsts.map(|first| std::iter::successors(Some(first), next).collect()).collect()
}

struct Straightener<'a> {
    items: &'a IdVec<Item, LayoutItem>,
    neighbours: &'a IdVec<Item, Neighbours>,
    /// The items beside each in its layer.
    beside: IdVec<Item, (Option<Item>, Option<Item>)>,
    places: &'a mut IdVec<Item, f64>,
}

impl Straightener<'_> {
    fn straighten(&mut self, chain: &[Item]) {
        let mut rest = chain;
        while !rest.is_empty() {
            let (run, room) = self.run(rest);
            let (straight, others) = rest.split_at(run);
            let place = self.place(straight, room);
            straight.iter().for_each(|&item| self.places[item] = place);
            rest = others;
        }
    }

    /// How many of the items can stand in a line, and the room they have in common.
    fn run(&self, items: &[Item]) -> (usize, (f64, f64)) {
        let mut room = (f64::NEG_INFINITY, f64::INFINITY);
        for (index, &item) in items.iter().enumerate() {
            let own = self.room(item);
            let common = (room.0.max(own.0), room.1.min(own.1));
            // The room of a single item holds its present place, but for rounding.
            if index > 0 && common.0 > common.1 {
                return (index, room);
            }
            room = common;
        }
        (items.len(), room)
    }

    /// From where to where an item could be moved.
    fn room(&self, item: Item) -> (f64, f64) {
        let (before, after) = self.beside[item];
        let least = before.map(|before| self.places[before] + distance(self.items, before, item));
        let greatest = after.map(|after| self.places[after] - distance(self.items, item, after));
        (least.unwrap_or(f64::NEG_INFINITY), greatest.unwrap_or(f64::INFINITY))
    }

    /// Where a run should stand: in line with what comes before or after it, first with the one that has fewer lines
    /// on this side; else between them.
    fn place(&self, run: &[Item], room: (f64, f64)) -> f64 {
        let before = run.first().and_then(|&first| self.neighbours[first].before.first());
        let after = run.last().and_then(|&last| self.neighbours[last].after.first());
        let mut lines: Vec<(usize, f64)> = Vec::new();
        lines.extend(before.map(|&item| (self.neighbours[item].after.len(), self.places[item])));
        lines.extend(after.map(|&item| (self.neighbours[item].before.len(), self.places[item])));
        lines.sort_by_key(|(branches, _)| *branches);
        let places: Vec<f64> = if lines.is_empty() {
            run.iter().map(|&item| self.places[item]).collect()
        } else {
            lines.into_iter().map(|(_, place)| place).collect()
        };
        let in_line = places.iter().copied().find(|place| (room.0..=room.1).contains(place));
        in_line.unwrap_or_else(|| {
            let mean = places.iter().sum::<f64>() / places.len() as f64;
            mean.min(room.1).max(room.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Id;

    fn three() -> (Vec<Item>, IdVec<Item, LayoutItem>) {
        let extent = Extent { along: 1.0, before: 5.0, after: 5.0 };
        let items = IdVec::filled(LayoutItem { extent, is_node: true }, 3);
        ((0..3).map(Item::from_index).collect(), items)
    }

    #[test]
    fn items_that_wish_the_same_place_share_it_evenly() {
        let (layer, items) = three();
        let mut places = IdVec::filled(0.0, 3);
        let wish = |place| Wish { place, weight: 1.0 };
        settle(&layer, &[wish(50.0), wish(50.0), wish(200.0)], &items, &mut places);
        assert_eq!(places.as_slice(), [40.0, 60.0, 200.0]);
    }

    #[test]
    fn chains_become_straight_where_there_is_room() {
        let (chain, items) = three();
        let layers: IdVec<GraphLayer, Vec<Item>> = chain.iter().map(|&item| vec![item]).collect();
        let neighbours: IdVec<Item, Neighbours> = vec![
            Neighbours { before: Vec::new(), after: vec![chain[1]] },
            Neighbours { before: vec![chain[0]], after: vec![chain[2]] },
            Neighbours { before: vec![chain[1]], after: Vec::new() },
        ]
        .into();
        assert_eq!(chains(&neighbours), std::slice::from_ref(&chain));
        let mut places: IdVec<Item, f64> = vec![1.0, 7.0, 4.0].into();
        straighten(&layers, &items, &neighbours, &mut places);
        assert_eq!(places.as_slice(), [1.0, 1.0, 1.0]);
    }
}
