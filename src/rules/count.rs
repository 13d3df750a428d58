//! Counting the board at the end of play (G1).

use super::color::{Color, PerColor};
use super::position::Position;
use super::vertex::Point;

/// What an area count finds: who owns each point, and how many points each side has. Komi is not in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AreaCount {
    /// By point index, who owns the point; `None` for dame and for a region that touches both colors or none.
    pub owners: Vec<Option<Color>>,
    /// The number of points that each color owns: its living stones and its territory.
    pub area: PerColor<u32>,
}

/// Counts by area: living stones, and empty points that touch one color only. Stones of a chain with a stone in
/// `dead` are taken off first, so their points go to whoever surrounds them. Points touching both colors, or
/// none, count for nobody (G1).
pub fn count_area(position: &Position, dead: &[Point]) -> AreaCount {
    let mut stones: Vec<Option<Color>> = position.points().map(|point| position.stone(point)).collect();
    for &point in dead {
        for stone in position.chain(point) {
            stones[stone.index()] = None;
        }
    }
    let mut owners = stones.clone();
    let mut seen: Vec<bool> = stones.iter().map(Option::is_some).collect();
    for start in position.points() {
        if !seen[start.index()] {
            claim_region(position, start, &stones, &mut seen, &mut owners);
        }
    }
    let owned_by = |color| owners.iter().filter(|&&owner| owner == Some(color)).count() as u32;
    AreaCount {
        area: PerColor::from_fn(owned_by),
        owners,
    }
}

/// Walks the region of `start` and gives it to the only color that it touches.
fn claim_region(
    position: &Position,
    start: Point,
    stones: &[Option<Color>],
    seen: &mut [bool],
    owners: &mut [Option<Color>],
) {
    let mut region = vec![start];
    let mut touches = PerColor {
        black: false,
        white: false,
    };
    seen[start.index()] = true;
    let mut visited = 0;
    while let Some(&point) = region.get(visited) {
        visited += 1;
        for &neighbour in position.geometry().neighbours(point) {
            match stones[neighbour.index()] {
                Some(color) => *touches.get_mut(color) = true,
                None if !seen[neighbour.index()] => {
                    seen[neighbour.index()] = true;
                    region.push(neighbour);
                }
                None => {}
            }
        }
    }
    let owner = match (touches.black, touches.white) {
        (true, false) => Some(Color::Black),
        (false, true) => Some(Color::White),
        _ => None,
    };
    for point in region {
        owners[point.index()] = owner;
    }
}
