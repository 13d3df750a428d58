//! Who owns what when a playout has ended.

use super::board::FastBoard;
use crate::rules::{Color, PerColor, Point};

/// The owners of all points of a board, and the memory to find them.
#[derive(Clone, Debug)]
pub struct Owners {
    of: Vec<Option<Color>>,
    /// By empty point, the first point of its region.
    region_of: Vec<Option<Point>>,
    seen: Vec<bool>,
    region: Vec<Point>,
}

impl Owners {
    /// No owners yet, for a board with so many points.
    pub fn new(points: usize) -> Owners {
        Owners {
            of: vec![None; points],
            region_of: vec![None; points],
            seen: vec![false; points],
            region: Vec::with_capacity(points),
        }
    }

    /// Finds who owns each point, all stones being alive: stones own their point, and empty regions belong to the only
    /// color that they touch (G1).
    pub fn find(&mut self, board: &FastBoard) {
        for &point in board.terrain().points() {
            self.of[point.index()] = board.stone(point);
            self.region_of[point.index()] = None;
            self.seen[point.index()] = false;
        }
        for &start in board.empty() {
            if !self.seen[start.index()] {
                self.claim(board, start);
            }
        }
    }

    /// Who owns a point, as last found.
    pub fn of(&self, point: Point) -> Option<Color> {
        self.of[point.index()]
    }

    /// A point that stands for the empty region of this one, as last found; `None` for a stone.
    pub fn region_of(&self, point: Point) -> Option<Point> {
        self.region_of[point.index()]
    }

    /// How many more points Black owns than White, as last found.
    pub fn margin(&self) -> i32 {
        let worth = |owner: &Option<Color>| match owner {
            Some(Color::Black) => 1,
            Some(Color::White) => -1,
            None => 0,
        };
        self.of.iter().map(worth).sum()
    }

    fn claim(&mut self, board: &FastBoard, start: Point) {
        self.region.clear();
        self.region.push(start);
        self.seen[start.index()] = true;
        let mut touches = PerColor::<bool>::default();
        let mut visited = 0;
        while let Some(&point) = self.region.get(visited) {
            visited += 1;
            for &each in board.neighbours(point) {
                match board.stone(each) {
                    Some(color) => *touches.get_mut(color) = true,
                    None if !std::mem::replace(&mut self.seen[each.index()], true) => self.region.push(each),
                    None => {}
                }
            }
        }
        let owner = match (touches.black, touches.white) {
            (true, false) => Some(Color::Black),
            (false, true) => Some(Color::White),
            _ => None,
        };
        for point in &self.region {
            self.of[point.index()] = owner;
            self.region_of[point.index()] = self.region.first().copied();
        }
    }
}
