//! Eyes: points that a player does not fill.

use super::board::FastBoard;
use crate::rules::{Color, Point};

impl FastBoard {
    /// Whether an empty point is an eye of `color` that is worth keeping: all its neighbours are of that color, and
    /// either they are one chain, or the opponent does not hold enough of the points across to make it false: one at
    /// the rim, two inside.
    ///
    /// On a hexagonal board the neighbours of a point touch one another in a row, so that they always are one chain.
    pub fn is_eye(&self, point: Point, color: Color) -> bool {
        let around = self.neighbours(point);
        if !around.iter().all(|&each| self.stone(each) == Some(color)) {
            return false;
        }
        let head = around.first().map(|&each| self.head(each));
        if around.iter().all(|&each| Some(self.head(each)) == head) {
            return true;
        }
        let across = self.terrain().across(point);
        let held = across
            .iter()
            .filter(|&&each| self.stone(each) == Some(color.opponent()));
        held.count() < if across.len() < 4 { 1 } else { 2 }
    }
}
