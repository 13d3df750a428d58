//! What the search remembers: a tree of moves, each with what came of it.

use crate::rules::Point;

/// How many moves the tree may hold: some thirteen megabytes, and half as much again while it grows.
const MOST_EDGES: usize = 400_000;

/// How many moves a node may have, so that there is room for one more node.
const MOST_OF_A_NODE: usize = 626;

/// How much what is known of a move from other orders of play (AMAF) counts: as much as the move's own results when it
/// has about this many of them.
const AMAF_WORTH: f32 = 1500.0;

/// No node follows yet.
pub(super) const NO_NODE: u32 = u32::MAX;

/// A move in the tree and what came of it, for the side that makes it. Results are from 0, lost, to 1, won.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// Where; `None` is a pass.
    pub(super) point: Option<Point>,
    /// The number and the sum of results, the prior ones included.
    pub(super) visits: f32,
    pub(super) sum: f32,
    /// The same of all playouts in which this side made the move later on (all moves as first).
    pub(super) amaf_visits: f32,
    pub(super) amaf_sum: f32,
    /// How many times it was tried, the prior results left out.
    pub(super) tries: u32,
    /// The sum of the prior results.
    prior_sum: f32,
    /// The node after the move.
    pub(super) node: u32,
}

impl Edge {
    /// A move with prior results: so many of its own and so many from other orders of play, with this mean.
    pub(super) fn new(point: Option<Point>, weight: f32, amaf_weight: f32, mean: f32) -> Edge {
        Edge {
            point,
            visits: weight,
            sum: weight * mean,
            amaf_visits: amaf_weight,
            amaf_sum: amaf_weight * mean,
            tries: 0,
            prior_sum: weight * mean,
            node: NO_NODE,
        }
    }

    /// The mean result, prior ones included.
    fn mean(&self) -> f32 {
        self.sum / self.visits
    }

    /// The mean of what came of it; 0 if it was never tried.
    pub(super) fn outcome(&self) -> f32 {
        (self.sum - self.prior_sum) / self.tries.max(1) as f32
    }

    /// What is expected of the move: its own results, mixed with those of other orders as long as it has few.
    fn promise(&self) -> f32 {
        let amaf =
            self.amaf_visits / (self.amaf_visits + self.visits + self.amaf_visits * self.visits / AMAF_WORTH);
        amaf * self.amaf_sum / self.amaf_visits + (1.0 - amaf) * self.mean()
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    count: u16,
}

/// The tree. A node is a position in it, given by its number; 0 is the root.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

impl Tree {
    /// Whether any node can be added.
    pub(super) fn has_room(&self) -> bool {
        self.edges.len() + MOST_OF_A_NODE <= MOST_EDGES
    }

    /// Adds a node with these moves. `None` if the tree is full.
    pub(super) fn add(&mut self, edges: &mut Vec<Edge>) -> Option<u32> {
        if self.edges.len() + edges.len() > MOST_EDGES {
            return None;
        }
        if self.edges.len() + edges.len() > self.edges.capacity() {
            // By half as much at a time and never beyond what it may hold: WebAssembly gives no memory back.
            let more = (self.edges.len() / 2).max(MOST_OF_A_NODE);
            self.edges.reserve_exact(more.min(MOST_EDGES - self.edges.len()));
        }
        self.nodes.push(Node {
            first: self.edges.len() as u32,
            count: edges.len() as u16,
        });
        self.edges.append(edges);
        Some(self.nodes.len() as u32 - 1)
    }

    /// The moves of a node.
    pub(super) fn edges(&self, node: u32) -> &[Edge] {
        let node = self.nodes[node as usize];
        &self.edges[node.first as usize..][..node.count as usize]
    }

    /// The moves of a node, to be changed.
    pub(super) fn edges_mut(&mut self, node: u32) -> &mut [Edge] {
        let node = self.nodes[node as usize];
        &mut self.edges[node.first as usize..][..node.count as usize]
    }

    /// The most promising move of a node, by its number there.
    pub(super) fn select(&self, node: u32) -> usize {
        let (mut best, mut most) = (0, f32::MIN);
        for (index, edge) in self.edges(node).iter().enumerate() {
            let promise = edge.promise();
            if promise > most {
                (best, most) = (index, promise);
            }
        }
        best
    }
}
