//! The order of items within their layers, so that few lines cross: sweeps to and fro, each item at the mean position
//! of its neighbours, and the best order met is kept.

use super::graph::{GraphLayer, Item};
use crate::ids::{Id, IdVec};

/// How often to sweep.
const SWEEPS: usize = 8;

/// Neighbours in the layer before and in the layer after.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbours {
    pub(super) before: Vec<Item>,
    pub(super) after: Vec<Item>,
}

/// Orders the items of all layers.
pub(super) fn order(
    layers: &mut IdVec<GraphLayer, Vec<Item>>,
    neighbours: &IdVec<Item, Neighbours>,
) {
    let mut positions = IdVec::filled(0, neighbours.len());
    layers.values().for_each(|layer| number(layer, &mut positions));
    let mut best = layers.clone();
    let mut fewest = crossings(layers, neighbours, &positions);
    for sweep in 0..SWEEPS {
        if fewest == 0 {
            break;
        }
        let forwards = sweep % 2 == 0;
        for index in 0..layers.len() {
            let index = if forwards { index } else { layers.len() - 1 - index };
            let layer = &mut layers[GraphLayer::from_index(index)];
            sort(layer, &positions, |item| {
                let neighbours = &neighbours[item];
                if forwards { &neighbours.before } else { &neighbours.after }
            });
            number(layer, &mut positions);
        }
        let found = crossings(layers, neighbours, &positions);
        if found < fewest {
            fewest = found;
            best.clone_from(layers);
        }
    }
    *layers = best;
}

fn number(layer: &[Item], positions: &mut IdVec<Item, u32>) {
    for (position, &item) in (0..).zip(layer) {
        positions[item] = position;
    }
}

/// Sorts a layer by the mean position of neighbours; an item without any keeps its own.
fn sort<'n>(
    layer: &mut [Item],
    positions: &IdVec<Item, u32>,
    neighbours: impl Fn(Item) -> &'n [Item],
) {
    let mean = |item: Item| {
        let neighbours = neighbours(item);
        if neighbours.is_empty() {
            return f64::from(positions[item]);
        }
        let sum: f64 = neighbours.iter().map(|&item| f64::from(positions[item])).sum();
        sum / neighbours.len() as f64
    };
    let mut keyed: Vec<(f64, Item)> = layer.iter().map(|&item| (mean(item), item)).collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (place, (_, item)) in layer.iter_mut().zip(keyed) {
        *place = item;
    }
}

/// How many pairs of lines cross.
fn crossings(
    layers: &IdVec<GraphLayer, Vec<Item>>,
    neighbours: &IdVec<Item, Neighbours>,
    positions: &IdVec<Item, u32>,
) -> u64 {
    let mut crossings = 0;
    for (layer, items) in layers.iter() {
        let width = layers.get(layer.next()).map_or(0, Vec::len);
        let mut ends = Counts::new(width);
        for &item in items {
            let mut targets: Vec<u32> =
                neighbours[item].after.iter().map(|&item| positions[item]).collect();
            targets.sort_unstable();
            // Lines of one item do not cross each other, so all are counted before any is added.
            crossings += targets.iter().map(|&target| ends.above(target)).sum::<u64>();
            targets.iter().for_each(|&target| ends.add(target));
        }
    }
    crossings
}

/// Counts per position, with sums over ranges: a Fenwick tree.
struct Counts {
    sums: Vec<u64>,
    total: u64,
}

impl Counts {
    fn new(len: usize) -> Counts {
        Counts { sums: vec![0; len + 1], total: 0 }
    }

    fn add(&mut self, position: u32) {
        self.total += 1;
        let mut index = position as usize + 1;
        while index < self.sums.len() {
            self.sums[index] += 1;
            index += index & index.wrapping_neg();
        }
    }

    /// How many were added at greater positions.
    fn above(&self, position: u32) -> u64 {
        let mut index = position as usize + 1;
        let mut up_to = 0;
        while index > 0 {
            up_to += self.sums[index];
            index &= index - 1;
        }
        self.total - up_to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(indices: &[usize]) -> Vec<Item> {
        indices.iter().map(|&index| Item::from_index(index)).collect()
    }

    #[test]
    fn crossed_lines_are_uncrossed() {
        // 0 – 3 and 1 – 2 cross; 0 – 2 does not matter.
        let mut layers: IdVec<GraphLayer, Vec<Item>> = vec![items(&[0, 1]), items(&[2, 3])].into();
        let neighbours: IdVec<Item, Neighbours> = vec![
            Neighbours { before: items(&[]), after: items(&[3]) },
            Neighbours { before: items(&[]), after: items(&[2]) },
            Neighbours { before: items(&[1]), after: items(&[]) },
            Neighbours { before: items(&[0]), after: items(&[]) },
        ]
        .into();
        let positions: IdVec<Item, u32> = vec![0, 1, 0, 1].into();
        assert_eq!(crossings(&layers, &neighbours, &positions), 1);
        order(&mut layers, &neighbours);
        assert_eq!(layers.as_slice(), [items(&[0, 1]), items(&[3, 2])]);
    }
}
