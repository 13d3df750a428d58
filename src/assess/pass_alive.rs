//! Chains that live even if their owner passes for ever, and what they enclose (D. B. Benson, "Life in the Game of
//! Go", Information Sciences 10, 1976). It asks only which points touch, so it holds on every board.

use crate::rules::{Color, Point, Position};

/// By point index, the color that owns the point whatever the opponent plays and the owner does not: stones that are
/// alive without condition, and territory of theirs in which the opponent cannot live.
pub fn pass_alive(position: &Position) -> Vec<Option<Color>> {
    let mut owners = vec![None; position.geometry().len()];
    for color in Color::BOTH {
        let benson = Benson::new(position, color);
        for point in benson.owned() {
            owners[point.index()] = Some(color);
        }
    }
    owners
}

/// The chains of one color and the regions that they enclose: points without a stone of that color.
struct Benson<'a> {
    position: &'a Position,
    color: Color,
    /// A stone of each chain.
    chains: Vec<Point>,
    regions: Vec<Region>,
    /// By chain, whether it may still be alive without condition.
    alive: Vec<bool>,
}

struct Region {
    points: Vec<Point>,
    /// The chains around, by index.
    around: Vec<usize>,
    /// Those of them of which every empty point of the region is a liberty.
    vital_to: Vec<usize>,
}

impl Benson<'_> {
    fn new(position: &Position, color: Color) -> Benson<'_> {
        let mut chains: Vec<Point> = position
            .stones_of(color)
            .filter_map(|stone| position.chain_id(stone))
            .collect();
        chains.sort_unstable();
        chains.dedup();
        let mut benson = Benson {
            position,
            color,
            alive: vec![true; chains.len()],
            chains,
            regions: Vec::new(),
        };
        benson.find_regions();
        benson.reduce();
        benson
    }

    /// The chain around a point's neighbour, by index.
    fn chain_at(&self, point: Point) -> Option<usize> {
        let own = self.position.stone(point) == Some(self.color);
        let head = own.then(|| self.position.chain_id(point)).flatten()?;
        self.chains.binary_search(&head).ok()
    }

    fn find_regions(&mut self) {
        let mut seen = vec![false; self.position.geometry().len()];
        for start in self.position.points() {
            if seen[start.index()] || self.position.stone(start) == Some(self.color) {
                continue;
            }
            seen[start.index()] = true;
            let mut points = vec![start];
            let mut visited = 0;
            while let Some(&point) = points.get(visited) {
                visited += 1;
                for &each in self.position.geometry().neighbours(point) {
                    if self.position.stone(each) != Some(self.color)
                        && !std::mem::replace(&mut seen[each.index()], true)
                    {
                        points.push(each);
                    }
                }
            }
            let region = self.region(points);
            self.regions.push(region);
        }
    }

    fn region(&self, points: Vec<Point>) -> Region {
        let around_point = |&point: &Point| {
            self.position
                .geometry()
                .neighbours(point)
                .iter()
                .filter_map(|&each| self.chain_at(each))
        };
        let mut around: Vec<usize> = points.iter().flat_map(around_point).collect();
        around.sort_unstable();
        around.dedup();
        let mut vital_to = around.clone();
        for point in points
            .iter()
            .filter(|&&point| self.position.stone(point).is_none())
        {
            let touched: Vec<usize> = around_point(point).collect();
            vital_to.retain(|chain| touched.contains(chain));
        }
        Region {
            points,
            around,
            vital_to,
        }
    }

    /// Takes away chains with fewer than two regions that are vital to them, and regions with such a chain around, until
    /// nothing changes.
    fn reduce(&mut self) {
        let mut standing = vec![true; self.regions.len()];
        loop {
            let mut vital = vec![0; self.chains.len()];
            let left = self.regions.iter().zip(&standing).filter(|(_, stands)| **stands);
            left.flat_map(|(region, _)| &region.vital_to)
                .for_each(|&chain| vital[chain] += 1);
            let dying = |chain: &usize| self.alive[*chain] && vital[*chain] < 2;
            let dying: Vec<usize> = (0..self.chains.len()).filter(dying).collect();
            if dying.is_empty() {
                return;
            }
            for chain in dying {
                self.alive[chain] = false;
            }
            for (region, stands) in self.regions.iter().zip(&mut standing) {
                *stands &= region.around.iter().all(|&chain| self.alive[chain]);
            }
        }
    }

    fn owned(&self) -> Vec<Point> {
        let living = self.chains.iter().zip(&self.alive).filter(|(_, alive)| **alive);
        let mut owned: Vec<Point> = living
            .flat_map(|(&chain, _)| self.position.chain(chain))
            .collect();
        let territory = self.regions.iter().filter(|region| self.is_territory(region));
        owned.extend(territory.flat_map(|region| &region.points));
        owned
    }

    /// Whether a region has only living chains around and no room for two eyes of the opponent: such an eye would be a
    /// point that touches no stone of this color, and the two would not touch.
    fn is_territory(&self, region: &Region) -> bool {
        if region.around.is_empty() || !region.around.iter().all(|&chain| self.alive[chain]) {
            return false;
        }
        let geometry = self.position.geometry();
        let inner: Vec<Point> = region
            .points
            .iter()
            .copied()
            .filter(|&point| {
                geometry
                    .neighbours(point)
                    .iter()
                    .all(|&each| self.position.stone(each) != Some(self.color))
            })
            .collect();
        inner.iter().all(|&one| {
            inner
                .iter()
                .all(|&other| one == other || geometry.neighbours(one).contains(&other))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::diagram::{listed, names, square};

    #[track_caller]
    fn check(position: &Position, color: Color, expected: &str) {
        let owners = pass_alive(position);
        let owned = position
            .points()
            .filter(|point| owners[point.index()] == Some(color));
        assert_eq!(names(position.geometry(), owned), expected);
    }

    #[test]
    fn two_eyes_live_with_what_they_enclose() {
        let diagram = "
            . X . X O
            X X X X O
            O O O O O
            . . . . .
            . . . . .";
        check(&square(diagram), Color::Black, "A4 B4 C4 D4 A5 B5 C5 D5");
        // White could still be taken from below.
        check(&square(diagram), Color::White, "");
    }

    #[test]
    fn a_false_eye_does_not_live() {
        let diagram = "
            . X . X O
            X O X X O
            O O O O O
            . . . . .
            . . . . .";
        check(&square(diagram), Color::Black, "");
    }

    #[test]
    fn two_chains_live_by_two_eyes_that_both_touch() {
        let diagram = "
            . X O . .
            X O O . .
            X X O . .
            . X O . .
            X O O . .";
        check(&square(diagram), Color::Black, "");
        let diagram = "
            . X X X .
            X O O X O
            X O . X X
            X X X . X
            O . X X .";
        let all = "A1 B1 C1 D1 E1 A2 B2 C2 D2 E2 A3 B3 C3 D3 E3 A4 B4 C4 D4 E4 A5 B5 C5 D5 E5";
        check(&square(diagram), Color::Black, all);
    }

    #[test]
    fn a_big_territory_is_not_an_eye() {
        check(
            &square(". . . . .\n. . . . .\nX X X X X\nO O O O O\n. . . . ."),
            Color::Black,
            "",
        );
    }

    #[test]
    fn stones_without_room_for_two_eyes_are_the_encloser_s() {
        let diagram = "
            . X O . X
            X X O O X
            X X X X X
            . X O O O
            X X O . .";
        check(
            &square(diagram),
            Color::Black,
            "A1 B1 C1 D1 E1 A2 B2 C2 D2 E2 A3 B3 C3 D3 E3 A4 B4 C4 D4 E4 A5 B5 C5 D5 E5",
        );
    }

    #[test]
    fn hexagons_live_by_two_eyes_as_well() {
        // Around the corner F1 and the edge point J1.
        let black = "E2 F2 G1 H1 G2 H2 J2 K1";
        check(
            &listed("hex6", black, "F6"),
            Color::Black,
            "F1 G1 H1 J1 K1 E2 F2 G2 H2 J2",
        );
        check(&listed("hex6", "E2 F2 G1", "F6"), Color::Black, "");
    }
}
