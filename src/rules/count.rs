//! Counting the board at the end of play (G1).

use super::color::{Color, PerColor};
use super::position::Position;
use super::vertex::Point;

/// What an area count finds: who owns each point, and how many points each side has. Komi is not in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AreaCount {
    /// By point index, who owns the point: whose living stone lies on it, or which color alone its region touches. `None`
    /// in a region that touches both colors (dame, and the liberties of a seki) or neither (the empty board).
    pub owners: Vec<Option<Color>>,
    /// The number of points that each color owns: its living stones and its territory.
    pub area: PerColor<u32>,
}

/// Counts by area: living stones, and empty points that touch one color only. Stones of a chain with a stone in
/// `dead` are taken off first, so their points go to whoever surrounds them; empty points in `dead` do not matter.
/// Points touching both colors, or none, count for nobody (G1).
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

#[cfg(test)]
mod tests {
    use super::super::diagram::{listed, played, points, square};
    use super::*;

    /// Counts a diagram without its dead chains; the second diagram says who owns each point.
    #[track_caller]
    fn check(diagram: &str, dead: &str, owners: &str) {
        let position = square(diagram);
        let count = count_area(&position, &points(position.geometry(), dead));
        // A diagram of owners is not always a position, so it is read letter by letter, from the bottom row.
        let rows = owners.split('\n').rev();
        let letters = rows.flat_map(|row| row.chars().filter(|each| !each.is_whitespace()));
        let expected: Vec<Option<Color>> = letters
            .map(|letter| match letter {
                'X' => Some(Color::Black),
                'O' => Some(Color::White),
                _ => None,
            })
            .collect();
        assert_eq!(count.owners, expected);
        let owned = |color| expected.iter().filter(|&&owner| owner == Some(color)).count() as u32;
        assert_eq!(count.area, PerColor::from_fn(owned));
    }

    #[track_caller]
    fn check_area(position: &Position, dead: &str, black: u32, white: u32) {
        let count = count_area(position, &points(position.geometry(), dead));
        assert_eq!(count.area, PerColor { black, white });
    }

    #[test]
    fn g1_an_empty_board_is_nobodys() {
        check_area(&played("9x9", "pass pass").0, "", 0, 0);
        check_area(&played("hex6", "pass pass").0, "", 0, 0);
    }

    #[test]
    fn g1_one_stone_owns_the_whole_board() {
        check_area(&played("9x9", "E5 pass pass").0, "", 81, 0);
        check_area(&played("hex6", "F6 pass pass").0, "", 91, 0);
        check_area(&listed("hex12", "", "M12"), "", 0, 397);
    }

    #[test]
    fn g1_a_closed_border_is_counted_44_to_37() {
        let moves = "E5 F5 E4 F4 E3 F3 E2 F2 E6 F6 E7 F7 E8 F8 E9 F9 D1 E1";
        check_area(&played("9x9", moves).0, "", 44, 37);
    }

    #[test]
    fn g1_a_region_that_touches_both_colors_is_nobodys() {
        let diagram = "
            . X . O .
            . X . O .
            . X . O .
            . X . O .
            . X . O .";
        let owners = "
            X X . O O
            X X . O O
            X X . O O
            X X . O O
            X X . O O";
        check(diagram, "", owners);
    }

    #[test]
    fn g1_dead_stones_and_their_points_are_the_opponents() {
        let diagram = "
            . X O . .
            O X O . X
            . X O . .
            O X O O .
            . X . O .";
        let owners = "
            X X O O O
            X X O O O
            X X O O O
            X X O O O
            X X . O O";
        check(diagram, "A2 A4 E4", owners);
    }

    #[test]
    fn g1_one_stone_names_its_whole_dead_chain() {
        let diagram = "
            . . . X .
            O O . X .
            . O . X .
            . O . X .
            . . . X .";
        let position = square(diagram);
        check_area(&position, "", 10, 4);
        check_area(&position, "B2", 25, 0);
        check_area(&position, "A4 B4 B2", 25, 0);
        check_area(&position, "C3", 10, 4);
    }

    #[test]
    fn g1_dead_chains_of_both_colors_leave_the_board_to_nobody() {
        let position = listed("9x9", "C3", "G7");
        check_area(&position, "C3 G7", 0, 0);
        check_area(&position, "C3", 0, 81);
    }

    #[test]
    fn g1_the_shared_liberties_of_a_seki_are_nobodys() {
        let diagram = "
            . X O . X O .
            X X O . X O O
            . X O X X O .
            . X X O O O .
            . . X O . . .
            . . X O . . .
            . . X O . . .";
        let owners = "
            X X O . X O O
            X X O . X O O
            X X O X X O O
            X X X O O O O
            X X X O O O O
            X X X O O O O
            X X X O O O O";
        check(diagram, "", owners);
    }

    #[test]
    fn g1_territory_on_a_hexagon_follows_its_own_lines() {
        // Only K1, K2 and L2 touch the corner L1: together they close it, and without K2 it is open.
        check_area(&listed("hex6", "K1 K2 L2", "F6"), "", 4, 1);
        check_area(&listed("hex6", "K1 L2", "F6"), "", 2, 1);
    }
}
