//! What playouts know of a board beyond its [`Geometry`]: the points across.

use crate::rules::{Board, Geometry, Point};
use std::sync::OnceLock;

/// The most points that can lie across from a point: four, on square boards.
const MOST_ACROSS: usize = 4;

/// A geometry with the points that lie *across* from each point: not joined to it, but to two of its neighbours that
/// do not touch each other. On a square board these are the diagonal points. On a hexagonal one there are none: two
/// neighbours of a point that share a neighbour further out touch each other.
#[derive(Debug)]
pub struct Terrain {
    geometry: &'static Geometry,
    points: Vec<Point>,
    across: Vec<([Point; MOST_ACROSS], u8)>,
}

impl Terrain {
    /// The terrain of a board. Built at the first use and kept.
    pub fn of(board: Board) -> &'static Terrain {
        static SQUARES: [OnceLock<Terrain>; 26] = [const { OnceLock::new() }; 26];
        static HEXAGONS: [OnceLock<Terrain>; 13] = [const { OnceLock::new() }; 13];
        let shelf: &'static [OnceLock<Terrain>] = match board {
            Board::Square(_) => &SQUARES,
            Board::Hexagonal(_) => &HEXAGONS,
        };
        shelf[board.side() as usize].get_or_init(|| Terrain::new(board.geometry()))
    }

    fn new(geometry: &'static Geometry) -> Terrain {
        Terrain {
            geometry,
            points: geometry.points().collect(),
            across: geometry
                .points()
                .map(|point| find_across(geometry, point))
                .collect(),
        }
    }

    /// The board's points and neighbours.
    pub fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    /// Every point by its index.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The points that lie across from this one.
    pub fn across(&self, point: Point) -> &[Point] {
        let (points, count) = &self.across[point.index()];
        &points[..*count as usize]
    }
}

fn find_across(geometry: &Geometry, point: Point) -> ([Point; MOST_ACROSS], u8) {
    let around = geometry.neighbours(point);
    let (mut found, mut count) = ([point; MOST_ACROSS], 0);
    for (index, &one) in around.iter().enumerate() {
        for &other in &around[index + 1..] {
            if geometry.neighbours(one).contains(&other) {
                continue;
            }
            let joined = |each: &&Point| {
                let apart = **each != point && !around.contains(each);
                apart && geometry.neighbours(other).contains(each)
            };
            if let Some(&across) = geometry.neighbours(one).iter().find(joined) {
                found[count] = across;
                count += 1;
            }
        }
    }
    (found, count as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(board: &str, name: &str) -> usize {
        let terrain = Terrain::of(board.parse().expect("a board"));
        let vertex = name.parse().expect("a name");
        terrain
            .across(terrain.geometry().point(vertex).expect("a point"))
            .len()
    }

    #[test]
    fn on_a_square_the_diagonals_lie_across() {
        assert_eq!(count("9x9", "E5"), 4);
        assert_eq!(count("9x9", "A5"), 2);
        assert_eq!(count("9x9", "J9"), 1);
        let terrain = Terrain::of(Board::square(9).expect("a board"));
        for &point in terrain.points() {
            let place = |point| terrain.geometry().place(point);
            for &across in terrain.across(point) {
                let (here, there) = (place(point), place(across));
                assert_eq!(((here.x - there.x).abs(), (here.y - there.y).abs()), (1.0, 1.0));
                assert!(terrain.across(across).contains(&point));
            }
        }
    }

    #[test]
    fn on_a_hexagon_nothing_lies_across() {
        let terrain = Terrain::of(Board::hexagonal(6).expect("a board"));
        assert!(
            terrain
                .points()
                .iter()
                .all(|&point| terrain.across(point).is_empty())
        );
    }
}
