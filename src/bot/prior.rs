//! What is known of a move without looking ahead.

use super::tree::Edge;
use crate::playout::FastBoard;
use crate::rules::{Color, Point};

/// How many results the prior opinion of a move is worth.
const WEIGHT: f32 = 12.0;

/// How many results from other orders of play it is worth, as a share of the board's points: each playout brings such a
/// result for nearly every point, so on a large board the opinion would be forgotten before anything is tried.
const AMAF_WEIGHT: f32 = 0.25;

/// How many steps away the board's rim is felt.
const RIM_FELT: u8 = 5;

/// What a board's points are worth in themselves.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    /// By point, how many steps it lies from the rim.
    depth: Vec<u8>,
    /// By point, how close to a corner it lies: 0 with all the room around it that the board has, 1 in the corner itself.
    corner: Vec<f32>,
    amaf_weight: f32,
}

impl Lines {
    /// The lines of a board: the rim are the points with fewer neighbours than others.
    pub(super) fn new(board: &FastBoard) -> Lines {
        let points = board.terrain().points();
        let most = points
            .iter()
            .map(|&point| board.neighbours(point).len())
            .max()
            .unwrap_or(0);
        let mut depth = vec![u8::MAX; points.len()];
        let mut reached: Vec<Point> = points
            .iter()
            .copied()
            .filter(|&point| board.neighbours(point).len() < most)
            .collect();
        reached.iter().for_each(|point| depth[point.index()] = 0);
        let mut visited = 0;
        while let Some(&point) = reached.get(visited) {
            visited += 1;
            for &each in board.neighbours(point) {
                if depth[each.index()] == u8::MAX {
                    depth[each.index()] = depth[point.index()] + 1;
                    reached.push(each);
                }
            }
        }
        let room: Vec<f32> = points
            .iter()
            .map(|&point| room_around(board, point) as f32)
            .collect();
        let (least, most) = room.iter().fold((f32::MAX, 0.0_f32), |(least, most), &room| {
            (least.min(room), most.max(room))
        });
        Lines {
            depth,
            corner: room
                .iter()
                .map(|room| (most - room) / (most - least).max(1.0))
                .collect(),
            amaf_weight: WEIGHT.max(AMAF_WEIGHT * points.len() as f32),
        }
    }

    /// The prior opinion of a play. `recent` are the last moves, the latest first.
    pub(super) fn play(&self, board: &FastBoard, point: Point, color: Color, recent: &[Point]) -> Edge {
        let outlook = board.outlook(point, color);
        let mut mean = 0.5;
        if outlook.captured > 0 {
            mean += 0.1 + 0.02 * f32::from(outlook.captured.min(10));
        }
        if outlook.liberties < 2 && outlook.captured == 0 {
            mean -= 0.3;
        }
        mean += self.rescue(board, point, color, outlook.liberties);
        mean += attack(board, point, color);
        mean += match recent.iter().position(|&last| steps(board, last, point) <= 2) {
            Some(0) => 0.08,
            Some(_) => 0.04,
            None => 0.0,
        };
        if is_lonely(board, point) {
            mean += match self.depth[point.index()] {
                0 => -0.4,
                1 => -0.25,
                2 | 3 => 0.08 + 0.15 * self.corner[point.index()],
                _ => 0.0,
            };
        }
        Edge::new(Some(point), WEIGHT, self.amaf_weight, mean.clamp(0.02, 0.95))
    }

    /// The prior opinion of a pass.
    pub(super) fn pass(&self) -> Edge {
        Edge::new(None, WEIGHT, self.amaf_weight, 0.35)
    }

    /// What it is worth to take a chain out of atari.
    fn rescue(&self, board: &FastBoard, point: Point, color: Color, liberties: u16) -> f32 {
        let mut threatened = board
            .neighbours(point)
            .iter()
            .filter(|&&each| board.stone(each) == Some(color) && board.liberties(board.head(each)) == 1);
        match threatened.next() {
            Some(&chain) if liberties > 1 => 0.12 + 0.02 * f32::from(board.size(board.head(chain)).min(10)),
            _ => 0.0,
        }
    }
}

/// How many points lie within the steps at which the rim is felt.
fn room_around(board: &FastBoard, point: Point) -> usize {
    let mut reached = vec![point];
    let mut seen = vec![false; board.terrain().points().len()];
    seen[point.index()] = true;
    let mut begun = 0;
    for _ in 0..RIM_FELT {
        let ended = reached.len();
        for index in begun..ended {
            for &each in board.neighbours(reached[index]) {
                if !std::mem::replace(&mut seen[each.index()], true) {
                    reached.push(each);
                }
            }
        }
        begun = ended;
    }
    reached.len()
}

/// What it is worth to put an opposing chain into atari.
fn attack(board: &FastBoard, point: Point, color: Color) -> f32 {
    let mut attacked = board.neighbours(point).iter().filter(|&&each| {
        board.stone(each) == Some(color.opponent()) && board.liberties(board.head(each)) == 2
    });
    if attacked.next().is_some() { 0.06 } else { 0.0 }
}

/// How many lines lead from one point to another, if at most two; else three.
fn steps(board: &FastBoard, from: Point, to: Point) -> u8 {
    if board.neighbours(from).contains(&to) {
        return 1;
    }
    let near = board.neighbours(from).iter();
    if near.clone().any(|&each| board.neighbours(each).contains(&to)) {
        2
    } else {
        3
    }
}

/// Whether there is no stone within three steps.
fn is_lonely(board: &FastBoard, point: Point) -> bool {
    let two = |from: Point| {
        board.stone(from).is_none()
            && board
                .neighbours(from)
                .iter()
                .all(|&each| board.stone(each).is_none())
    };
    board
        .neighbours(point)
        .iter()
        .all(|&near| two(near) && board.neighbours(near).iter().all(|&each| two(each)))
}
