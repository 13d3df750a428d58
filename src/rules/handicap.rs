//! Handicap stones that are set up before the first move (H1).

use super::geometry::Board;
use super::vertex::{Point, Vertex};

/// The points of `stones` fixed handicap stones, by the table of the GTP 2 specification (section 4.1.1, "Fixed
/// Handicap Placement"): 2 to 9 on square boards of odd side from 9, 2 to 4 on those of even side from 8 and on
/// 7x7. `None` where that table offers none.
pub fn fixed_handicap(board: Board, stones: u8) -> Option<Vec<Point>> {
    let Board::Square(_) = board else { return None };
    let side = board.side();
    let most = match side {
        ..7 => 0,
        7 => 4,
        _ if side.is_multiple_of(2) => 4,
        _ => 9,
    };
    if !(2..=most).contains(&stones) {
        return None;
    }
    let edge = if side < 13 { 3 } else { 4 };
    let (low, high, middle) = (edge, side + 1 - edge, side / 2 + 1);
    let corners = [(low, low), (high, high), (low, high), (high, low)];
    let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
    let center = (middle, middle);
    let mut points = corners[..stones.min(4) as usize].to_vec();
    points.extend(&sides[..(stones.saturating_sub(4) / 2 * 2) as usize]);
    if stones > 4 && stones % 2 == 1 {
        points.push(center);
    }
    let geometry = board.geometry();
    points
        .into_iter()
        .map(|(column, row)| geometry.point(Vertex::new(column, row)?))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(board: &str, stones: u8) -> Option<String> {
        let board: Board = board.parse().expect("a board");
        let points = fixed_handicap(board, stones)?;
        let names: Vec<String> = points
            .iter()
            .map(|&point| board.geometry().vertex(point).to_string())
            .collect();
        Some(names.join(" "))
    }

    #[test]
    fn h1_the_pattern_is_gtps() {
        assert_eq!(placed("19x19", 2).as_deref(), Some("D4 Q16"));
        assert_eq!(placed("19x19", 3).as_deref(), Some("D4 Q16 D16"));
        assert_eq!(placed("19x19", 4).as_deref(), Some("D4 Q16 D16 Q4"));
        assert_eq!(placed("19x19", 5).as_deref(), Some("D4 Q16 D16 Q4 K10"));
        assert_eq!(placed("19x19", 6).as_deref(), Some("D4 Q16 D16 Q4 D10 Q10"));
        assert_eq!(placed("19x19", 7).as_deref(), Some("D4 Q16 D16 Q4 D10 Q10 K10"));
        assert_eq!(
            placed("19x19", 8).as_deref(),
            Some("D4 Q16 D16 Q4 D10 Q10 K4 K16")
        );
        assert_eq!(
            placed("19x19", 9).as_deref(),
            Some("D4 Q16 D16 Q4 D10 Q10 K4 K16 K10")
        );
        assert_eq!(placed("9x9", 5).as_deref(), Some("C3 G7 C7 G3 E5"));
        assert_eq!(placed("13x13", 2).as_deref(), Some("D4 K10"));
    }

    #[test]
    fn h1_every_handicap_stone_lies_on_a_star_as_far_as_the_board_has_them() {
        for board in (7..=25).filter_map(Board::square) {
            let geometry = board.geometry();
            let corners = fixed_handicap(board, 4).expect("every board from 7x7 has four");
            for point in corners {
                assert!(geometry.is_star(point), "{board}: {}", geometry.vertex(point));
            }
            let all = fixed_handicap(board, 9).unwrap_or_default();
            if board.side() >= 15 {
                assert!(all.into_iter().all(|point| geometry.is_star(point)), "{board}");
            }
        }
    }

    #[test]
    fn h1_boards_outside_the_table_offer_none() {
        assert_eq!(placed("9x9", 1), None);
        assert_eq!(placed("19x19", 10), None);
        assert_eq!(placed("7x7", 5), None);
        assert!(placed("7x7", 4).is_some());
        assert_eq!(placed("8x8", 5), None);
        assert!(placed("8x8", 4).is_some());
        assert_eq!(placed("6x6", 2), None);
        assert_eq!(placed("hex6", 2), None);
    }
}
