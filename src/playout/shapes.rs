//! Eye spaces that one move kills or saves (nakade).

use super::board::FastBoard;
use crate::rules::{Color, Point};

/// The largest eye space in which a single move decides.
pub const LARGEST_SHAPE: usize = 6;

/// A few points of one board.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    points: [Point; LARGEST_SHAPE],
    count: usize,
}

impl Shape {
    /// The shape of one point.
    pub fn of(point: Point) -> Shape {
        Shape {
            points: [point; LARGEST_SHAPE],
            count: 1,
        }
    }

    /// The points.
    pub fn points(&self) -> &[Point] {
        &self.points[..self.count]
    }

    /// Adds a point that is not in it, if there is room, and says whether there was.
    pub fn add(&mut self, point: Point) -> bool {
        let fits = self.count < LARGEST_SHAPE;
        if fits {
            self.points[self.count] = point;
            self.count += 1;
        }
        fits
    }

    /// Whether the point is in it.
    pub fn contains(&self, point: Point) -> bool {
        self.points().contains(&point)
    }

    /// The point on which the life of an eye of this shape depends, if there is one: both sides want it.
    ///
    /// These are the known shapes: three in a row or bent; four around one; five crosswise or bulky; six like a rabbit.
    pub fn vital(&self, board: &FastBoard) -> Option<Point> {
        let degree = |point: Point| {
            board
                .neighbours(point)
                .iter()
                .filter(|&&each| self.contains(each))
                .count()
        };
        let joins: usize = self.points().iter().map(|&point| degree(point)).sum::<usize>() / 2;
        let wanted = match (self.count, joins) {
            (3, _) => 2,
            (4, _) => 3,
            (5, 5..) => 3,
            (5, _) => 4,
            (6, 6..) => 4,
            _ => return None,
        };
        let most = self
            .points()
            .iter()
            .copied()
            .max_by_key(|&point| (degree(point), point))?;
        (degree(most) >= wanted).then_some(most)
    }

    /// Whether an eye of this shape, just emptied by a capture, makes one eye at most against the best play.
    pub fn is_killing(&self, board: &FastBoard) -> bool {
        match self.count {
            ..=3 => true,
            4 => self.vital(board).is_some() || self.is_block(board),
            _ => self.vital(board).is_some(),
        }
    }

    /// Whether four points all touch two others: a block of two by two.
    fn is_block(&self, board: &FastBoard) -> bool {
        let degree = |point: Point| {
            board
                .neighbours(point)
                .iter()
                .filter(|&&each| self.contains(each))
                .count()
        };
        self.points().iter().all(|&point| degree(point) >= 2)
    }
}

impl FastBoard {
    /// The empty region of `start`, if it has no more points than a shape can have and touches stones of one color
    /// only; with that color.
    pub fn small_region(&self, start: Point) -> Option<(Shape, Color)> {
        let mut region = Shape::of(start);
        let mut around = None;
        let mut visited = 0;
        while let Some(&point) = region.points().get(visited) {
            visited += 1;
            for &each in self.neighbours(point) {
                match (self.stone(each), around) {
                    (Some(color), None) => around = Some(color),
                    (Some(color), Some(known)) if color != known => return None,
                    (Some(_), _) => {}
                    (None, _) if region.contains(each) => {}
                    (None, _) if region.add(each) => {}
                    (None, _) => return None,
                }
            }
        }
        around.map(|color| (region, color))
    }
}
