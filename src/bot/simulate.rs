//! One look into the future: down the tree, on to the end by a playout, and back with what came of it.

use super::Ending;
use super::search::Search;
use super::tree::{Edge, NO_NODE};
use crate::rules::{Color, HalfPoints, Move, Point};

/// A move gets a node of its own when it has been tried this often.
const TRIES_TO_EXPAND: u32 = 3;

/// How much of a result is by how much it was won or lost, and not that it was.
const MARGIN_SHARE: f32 = 0.04;

/// How the simulation stands.
struct Walk {
    color: Color,
    opening_stones: u8,
    passes: u8,
    /// The last plays, the latest first.
    recent: [Option<Point>; 2],
}

impl Search {
    /// Runs one simulation from the root.
    pub(super) fn simulate(&mut self) {
        self.simulate_after(None);
    }

    /// Runs one simulation from the root whose first move is given by its number there, or the most promising one.
    pub(super) fn simulate_after(&mut self, first: Option<usize>) {
        self.board.copy_from(&self.start);
        self.player.begin();
        self.path.clear();
        let mut walk = Walk {
            color: self.to_move,
            opening_stones: self.opening_stones,
            passes: u8::from(self.last == Some(Move::Pass)),
            recent: [self.last_play(), None],
        };
        let mut node = 0;
        let mut forced = first;
        while !self.is_over(&walk) {
            let index = forced.take().unwrap_or_else(|| self.tree.select(node));
            self.path.push((node, index));
            self.advance(&mut walk, self.tree.edges(node)[index].point);
            node = match self.next_node(node, index, &walk) {
                Some(next) => next,
                None => break,
            };
        }
        if !(self.is_over(&walk) && self.ending == Ending::AllStonesStay) {
            self.play_out(walk);
        }
        self.owners.find(&self.board);
        self.player.learn(&self.owners);
        self.remember();
    }

    /// Whether the passes have ended the play. Whoever is to move next has not made the last one.
    fn is_over(&self, walk: &Walk) -> bool {
        walk.passes >= 2 && (walk.color == Color::Black || !self.white_passes_last)
    }

    fn last_play(&self) -> Option<Point> {
        match self.last {
            Some(Move::Play(point)) => Some(point),
            Some(Move::Pass) | None => None,
        }
    }

    fn advance(&mut self, walk: &mut Walk, point: Option<Point>) {
        match point {
            Some(point) => {
                self.player.play(&mut self.board, point, walk.color);
                walk.passes = 0;
                walk.recent = [Some(point), walk.recent[0]];
            }
            None => {
                self.board.forget_ko();
                walk.passes += 1;
            }
        }
        walk.opening_stones = walk.opening_stones.saturating_sub(1);
        if walk.opening_stones == 0 {
            walk.color = walk.color.opponent();
        } else {
            self.board.forget_ko();
        }
        self.moves += 1;
    }

    /// The node after a move; a new one when the move has been tried often enough and the tree has room.
    fn next_node(&mut self, node: u32, index: usize, walk: &Walk) -> Option<u32> {
        let edge = &self.tree.edges(node)[index];
        if edge.node != NO_NODE {
            return Some(edge.node);
        }
        if edge.tries < TRIES_TO_EXPAND || self.is_over(walk) || !self.tree.has_room() {
            return None;
        }
        let mut edges = self.candidates_after(walk);
        let added = self.tree.add(&mut edges)?;
        self.tree.edges_mut(node)[index].node = added;
        Some(added)
    }

    /// The moves to be considered at the root.
    pub(super) fn candidates(&self, color: Color, may_pass: bool) -> Vec<Edge> {
        self.edges(color, may_pass, &[self.last_play(), None])
    }

    fn candidates_after(&self, walk: &Walk) -> Vec<Edge> {
        let mut edges = self.edges(walk.color, walk.opening_stones == 0, &walk.recent);
        if edges.is_empty() {
            edges.push(self.lines.pass());
        }
        edges
    }

    fn edges(&self, color: Color, may_pass: bool, recent: &[Option<Point>; 2]) -> Vec<Edge> {
        let recent: Vec<Point> = recent.iter().flatten().copied().collect();
        let plays = self
            .board
            .empty()
            .iter()
            .filter(|&&point| self.player.is_worth_a_try(&self.board, point, color));
        let mut edges: Vec<Edge> = plays
            .map(|&point| self.lines.play(&self.board, point, color, &recent))
            .collect();
        if may_pass {
            edges.push(self.lines.pass());
        }
        edges
    }

    fn play_out(&mut self, walk: Walk) {
        let (mut color, mut last) = (walk.color, walk.recent[0].filter(|_| walk.passes == 0));
        for _ in 0..walk.opening_stones {
            if let Some(point) = self.player.choose(&self.board, color, last, &mut self.chance) {
                self.player.play(&mut self.board, point, color);
                self.board.forget_ko();
                last = Some(point);
            }
        }
        if walk.opening_stones > 0 {
            color = color.opponent();
        }
        self.moves += self.player.finish(&mut self.board, color, last, &mut self.chance);
    }

    /// Carries the result back to all moves of the path, and to those that the same side made later on.
    fn remember(&mut self) {
        let margin = HalfPoints::from_points(self.owners.margin()) - self.komi;
        self.simulations += 1;
        self.margins += i64::from(margin.halves());
        if let Some(&(_, first)) = self.path.first() {
            self.margins_after[first] += i64::from(margin.halves());
        }
        for (owned, &point) in self.ownership.iter_mut().zip(self.start.terrain().points()) {
            *owned += match self.owners.of(point) {
                Some(Color::Black) => 1,
                Some(Color::White) => -1,
                None => 0,
            };
        }
        self.first_at.fill(None);
        for &(color, point) in self.player.played().iter().rev() {
            self.first_at[point.index()] = Some(color);
        }
        let black = result(margin, self.ownership.len());
        let mut opening = self.opening_stones;
        let mut color = self.to_move;
        self.results += if color == Color::Black { black } else { 1.0 - black };
        for &(node, index) in &self.path {
            let result = if color == Color::Black { black } else { 1.0 - black };
            let edges = self.tree.edges_mut(node);
            for edge in edges.iter_mut() {
                if edge
                    .point
                    .is_some_and(|point| self.first_at[point.index()] == Some(color))
                {
                    edge.amaf_visits += 1.0;
                    edge.amaf_sum += result;
                }
            }
            let edge = &mut edges[index];
            edge.visits += 1.0;
            edge.sum += result;
            edge.tries += 1;
            opening = opening.saturating_sub(1);
            if opening == 0 {
                color = color.opponent();
            }
        }
    }
}

/// A result for Black from his margin: won or lost, and a little for the size.
fn result(margin: HalfPoints, points: usize) -> f32 {
    let won = match margin.cmp(&HalfPoints::ZERO) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    };
    let size = (margin.halves() as f32 / (2 * points) as f32).clamp(-1.0, 1.0);
    (1.0 - MARGIN_SHARE) * won + MARGIN_SHARE * (0.5 + 0.5 * size)
}
