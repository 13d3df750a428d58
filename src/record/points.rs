//! SGF's names for points: two letters, the column from the left and the row from the top (SGF FF[4], "Go").
//!
//! A hexagonal board is written on the grid of its columns and rows (B2), as if it were a square of side 2n-1: `aa` is
//! column A in the top row. The cells that the grid has and the hexagon lacks are off the board.

use crate::rules::{Board, Geometry, Point};

/// The largest square board on which `tt` is a pass, as it was before FF[4]; beyond it `tt` is a point.
const LARGEST_WITH_TT: u8 = 19;

/// A corner of a point list or a move: column and row, both from 1, the row from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    column: u8,
    row: u8,
}

/// The points of one entry of a point list, `aa` or `aa:cc`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rectangle {
    /// The points, row by row from the top.
    pub points: Vec<Point>,
    /// Whether the corners were other than upper left and lower right.
    pub reversed: bool,
}

impl Corner {
    /// Two letters, `a` to `z` for 1 to 26 and `A` to `Z` for 27 to 52.
    fn read(text: &str) -> Option<Corner> {
        let number = |letter: u8| match letter {
            b'a'..=b'z' => Some(letter - b'a' + 1),
            b'A'..=b'Z' => Some(letter - b'A' + 27),
            _ => None,
        };
        match *text.as_bytes() {
            [column, row] => Some(Corner {
                column: number(column)?,
                row: number(row)?,
            }),
            _ => None,
        }
    }

    fn point(self, geometry: &Geometry) -> Option<Point> {
        let row = (geometry.rows() + 1).checked_sub(self.row)?;
        geometry.point_at(self.column, row)
    }
}

/// Whether a move's value is a pass on this board.
pub(super) fn is_pass(text: &str, board: Board) -> bool {
    let small_square = matches!(board, Board::Square(_)) && board.side() <= LARGEST_WITH_TT;
    text.is_empty() || (text == "tt" && small_square)
}

/// The point with this name, if the board has it.
pub(super) fn read_point(text: &str, geometry: &Geometry) -> Option<Point> {
    Corner::read(text)?.point(geometry)
}

/// The points of an entry of a point list. `None` when one of them is off the board.
pub(super) fn read_rectangle(text: &str, geometry: &Geometry) -> Option<Rectangle> {
    let (from, to) = text.split_once(':').unwrap_or((text, text));
    let (from, to) = (Corner::read(from)?, Corner::read(to)?);
    let columns = from.column.min(to.column)..=from.column.max(to.column);
    let rows = from.row.min(to.row)..=from.row.max(to.row);
    let corners = rows.flat_map(|row| columns.clone().map(move |column| Corner { column, row }));
    Some(Rectangle {
        points: corners
            .map(|corner| corner.point(geometry))
            .collect::<Option<_>>()?,
        reversed: from.column > to.column || from.row > to.row,
    })
}

/// The two letters of a point.
pub(super) fn write_point(point: Point, geometry: &Geometry) -> String {
    let vertex = geometry.vertex(point);
    // No board has more than 26 columns or rows.
    let letter = |number: u8| (b'a' + number - 1) as char;
    [
        letter(vertex.column()),
        letter(geometry.rows() + 1 - vertex.row()),
    ]
    .iter()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn geometry(board: &str) -> &'static Geometry {
        board.parse::<Board>().expect("a board").geometry()
    }

    fn names(entry: &str, board: &str) -> Option<String> {
        let geometry = geometry(board);
        let rectangle = read_rectangle(entry, geometry)?;
        let names: Vec<String> = rectangle
            .points
            .iter()
            .map(|&point| geometry.vertex(point).to_string())
            .collect();
        Some(names.join(" "))
    }

    #[test]
    fn rows_are_counted_from_the_top() {
        assert_eq!(names("aa", "19x19").as_deref(), Some("A19"));
        assert_eq!(names("dp", "19x19").as_deref(), Some("D4"));
        assert_eq!(names("ia", "9x9").as_deref(), Some("J9"));
        assert_eq!(names("ga:gc", "19x19").as_deref(), Some("G19 G18 G17"));
        assert_eq!(names("bb:aa", "9x9").as_deref(), Some("A9 B9 A8 B8"));
    }

    #[test]
    fn points_off_the_board_have_no_point() {
        for text in [
            "jj", "zz", "EE", "tt", "aj", "a", "aaa", "", "é", "aa:zz", "aa:", "1a",
        ] {
            assert_eq!(names(text, "9x9"), None, "{text:?}");
        }
        assert_eq!(names("aa", "hex6").as_deref(), Some("A11"));
        assert_eq!(
            names("ka", "hex6"),
            None,
            "the grid's upper right corner is no cell"
        );
    }

    #[test]
    fn tt_is_a_pass_on_squares_up_to_nineteen() {
        let board = |name: &str| name.parse::<Board>().expect("a board");
        assert!(is_pass("tt", board("9x9")) && is_pass("tt", board("19x19")));
        assert!(!is_pass("tt", board("20x20")) && !is_pass("tt", board("hex12")));
        assert!(is_pass("", board("hex12")) && !is_pass("zz", board("9x9")));
    }

    #[test]
    fn every_point_of_every_kind_of_board_reads_back() {
        for board in ["5x5", "25x25", "hex2", "hex12"] {
            let geometry = geometry(board);
            for point in geometry.points() {
                assert_eq!(read_point(&write_point(point, geometry), geometry), Some(point));
            }
        }
    }
}
