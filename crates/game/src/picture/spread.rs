//! Where the points of a graph lie that no names or directions place.
//!
//! Points are moved until the distances between them are as close as possible to the numbers of steps between them in the graph
//! (stress majorization). They begin on a circle, in the order of the board, so that the same graph always looks the same.

use std::collections::VecDeque;

use regulus_automaton::{Board, Id as _, IdVec, Square};

use super::geometry::Point;

/// A larger graph stays on its circle.
const MAX_POINTS: usize = 200;
/// How often the points are moved.
const ROUNDS: usize = 120;

/// Whether the directions of a board say where its points lie: each leads the same way from everywhere.
pub(super) fn has_places(board: &Board) -> bool {
    board.directions.keys().all(|direction| {
        let mut ways = board.squares.values().filter_map(|from| {
            let to = &board.squares[from.neighbours[direction]?];
            Some(((to.x - from.x).signum(), (to.y - from.y).signum()))
        });
        ways.next().is_none_or(|first| ways.all(|way| way == first))
    })
}

/// Places for the points, one step apart where they are neighbours, as far as that is possible. The least coordinates are 0.
pub(super) fn spread(board: &Board) -> IdVec<Square, Point> {
    let count = board.squares.len();
    let radius = count as f64 / 6.0;
    let around = |place: usize| {
        let angle = std::f64::consts::TAU * place as f64 / count as f64;
        (radius * angle.sin(), -radius * angle.cos())
    };
    let mut places: Vec<Point> = (0..count).map(around).collect();
    if count <= MAX_POINTS {
        let distances = distances(board);
        for _ in 0..ROUNDS {
            move_closer(&mut places, &distances);
        }
    }
    let least = |value: fn(&Point) -> f64| places.iter().map(value).fold(f64::INFINITY, f64::min);
    let (left, top) = (least(|place| place.0), least(|place| place.1));
    places.into_iter().map(|(x, y)| (x - left, y - top)).collect()
}

/// Moves each point to the mean of where the others would like it to be; near ones count more.
fn move_closer(places: &mut [Point], distances: &[Vec<f64>]) {
    for one in 0..places.len() {
        let (mut x, mut y, mut weights) = (0.0, 0.0, 0.0);
        for other in (0..places.len()).filter(|&other| other != one) {
            let wanted = distances[one][other];
            let (dx, dy) = (places[one].0 - places[other].0, places[one].1 - places[other].1);
            let far = dx.hypot(dy).max(1e-6);
            let weight = 1.0 / (wanted * wanted);
            x += weight * (places[other].0 + wanted * dx / far);
            y += weight * (places[other].1 + wanted * dy / far);
            weights += weight;
        }
        if weights > 0.0 {
            places[one] = (x / weights, y / weights);
        }
    }
}

/// The numbers of steps between all points; those that cannot be reached are a little further than all others.
fn distances(board: &Board) -> Vec<Vec<f64>> {
    let count = board.squares.len();
    let mut neighbours = vec![Vec::new(); count];
    for (from, info) in board.squares.iter() {
        for to in info.neighbours.values().flatten() {
            neighbours[from.index()].push(to.index());
            neighbours[to.index()].push(from.index());
        }
    }
    let from = |start: usize| {
        let mut steps: Vec<Option<u32>> = vec![None; count];
        steps[start] = Some(0);
        let mut open = VecDeque::from([(start, 0)]);
        while let Some((at, far)) = open.pop_front() {
            for &next in &neighbours[at] {
                if steps[next].is_none() {
                    steps[next] = Some(far + 1);
                    open.push_back((next, far + 1));
                }
            }
        }
        steps
    };
    let steps: Vec<Vec<Option<u32>>> = (0..count).map(from).collect();
    let most = steps.iter().flatten().flatten().copied().max().unwrap_or(0);
    let far = |steps: &Option<u32>| f64::from(steps.unwrap_or(most + 1).max(1));
    steps.iter().map(|row| row.iter().map(far).collect()).collect()
}
