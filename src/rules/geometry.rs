//! Boards as data: a list of points with names, places, neighbours and stars (B1, B2).
//!
//! Everything above this file works on points and neighbours and cannot tell a square board from a hexagonal
//! one. The two kinds differ only in the functions here that fill the table.

use super::vertex::{Point, Vertex};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr, sync::OnceLock};

/// The largest number of neighbours a point has on any board: six, inside a hexagonal one.
pub const MAX_NEIGHBOURS: usize = 6;

const SQUARE_SIDES: std::ops::RangeInclusive<u8> = 5..=25;
const HEXAGON_SIDES: std::ops::RangeInclusive<u8> = 2..=12;

/// Which board: on the wire its name, `19x19` or `hex6`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Board {
    /// A square board with this many points a side, 5 to 25.
    Square(BoardSide),
    /// A hexagonal board with this many cells a side, 2 to 12.
    Hexagonal(BoardSide),
}

/// The side of a [`Board`], checked against its kind when the board was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardSide(u8);

/// A text that names no board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a board is \"5x5\" to \"25x25\" or \"hex2\" to \"hex12\"")]
pub struct BoardError;

impl Board {
    /// The square board with `side` lines, if there is one.
    pub fn square(side: u8) -> Option<Board> {
        SQUARE_SIDES
            .contains(&side)
            .then_some(Board::Square(BoardSide(side)))
    }

    /// The hexagonal board with `side` cells a side, if there is one.
    pub fn hexagonal(side: u8) -> Option<Board> {
        HEXAGON_SIDES
            .contains(&side)
            .then_some(Board::Hexagonal(BoardSide(side)))
    }

    /// The number of points or cells along one side.
    pub fn side(self) -> u8 {
        match self {
            Board::Square(side) | Board::Hexagonal(side) => side.0,
        }
    }

    /// The points of the board. Built at the first use and kept, so that positions can share it.
    pub fn geometry(self) -> &'static Geometry {
        static SQUARES: [OnceLock<Geometry>; 26] = [const { OnceLock::new() }; 26];
        static HEXAGONS: [OnceLock<Geometry>; 13] = [const { OnceLock::new() }; 13];
        let shelf: &'static [OnceLock<Geometry>] = match self {
            Board::Square(_) => &SQUARES,
            Board::Hexagonal(_) => &HEXAGONS,
        };
        shelf[self.side() as usize].get_or_init(|| Geometry::new(self))
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Board::Square(side) => write!(f, "{0}x{0}", side.0),
            Board::Hexagonal(side) => write!(f, "hex{}", side.0),
        }
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Board, BoardError> {
        let number = |digits: &str| -> Option<u8> {
            let plain = !digits.starts_with('0') && digits.bytes().all(|each| each.is_ascii_digit());
            plain.then(|| digits.parse().ok()).flatten()
        };
        match (text.strip_prefix("hex"), text.split_once('x')) {
            (Some(side), _) => number(side).and_then(Board::hexagonal),
            (None, Some((columns, rows))) if columns == rows => number(columns).and_then(Board::square),
            _ => None,
        }
        .ok_or(BoardError)
    }
}

impl Serialize for Board {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Board, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The points of one board, in rows from the bottom, each row from the left.
#[derive(Debug)]
pub struct Geometry {
    board: Board,
    vertices: Vec<Vertex>,
    places: Vec<Place>,
    stars: Vec<bool>,
    neighbours: Vec<Neighbours>,
    /// The point of each (column, row), both from 1; row by row, `columns` entries each.
    by_vertex: Vec<Option<Point>>,
    columns: u8,
    rows: u8,
}

/// Where a point is drawn: x to the right, y up, neighbours one unit apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Place {
    /// To the right.
    pub x: f64,
    /// Up.
    pub y: f64,
}

#[derive(Clone, Copy, Debug)]
struct Neighbours {
    points: [Point; MAX_NEIGHBOURS],
    count: u8,
}

/// What distinguishes a kind of board from another; only used to fill a [`Geometry`].
struct Layout {
    columns: u8,
    rows: u8,
    exists: fn(side: i32, column: i32, row: i32) -> bool,
    steps: &'static [(i32, i32)],
    place: fn(column: f64, row: f64) -> Place,
    stars: Vec<(i32, i32)>,
}

impl Geometry {
    fn new(board: Board) -> Geometry {
        let side = board.side() as i32;
        let layout = match board {
            Board::Square(_) => square_layout(side),
            Board::Hexagonal(_) => hexagonal_layout(side),
        };
        let mut geometry = Geometry {
            board,
            vertices: Vec::new(),
            places: Vec::new(),
            stars: Vec::new(),
            neighbours: Vec::new(),
            by_vertex: vec![None; layout.columns as usize * layout.rows as usize],
            columns: layout.columns,
            rows: layout.rows,
        };
        for row in 1..=layout.rows {
            for column in 1..=layout.columns {
                let (c, r) = (column as i32, row as i32);
                let Some(vertex) = Vertex::new(column, row).filter(|_| (layout.exists)(side, c, r)) else {
                    continue;
                };
                let point = Point(geometry.vertices.len() as u16);
                geometry.by_vertex[(row as usize - 1) * layout.columns as usize + column as usize - 1] =
                    Some(point);
                geometry.vertices.push(vertex);
                geometry.places.push((layout.place)(column as f64, row as f64));
                geometry.stars.push(layout.stars.contains(&(c, r)));
            }
        }
        geometry.neighbours = geometry
            .points()
            .map(|point| geometry.find_neighbours(point, layout.steps))
            .collect();
        geometry
    }

    fn find_neighbours(&self, point: Point, steps: &[(i32, i32)]) -> Neighbours {
        let vertex = self.vertex(point);
        let mut found = Neighbours {
            points: [point; MAX_NEIGHBOURS],
            count: 0,
        };
        for (columns, rows) in steps {
            let column = u8::try_from(vertex.column() as i32 + columns).ok();
            let row = u8::try_from(vertex.row() as i32 + rows).ok();
            let neighbour = column
                .zip(row)
                .and_then(|(column, row)| self.point_at(column, row));
            if let Some(neighbour) = neighbour {
                found.points[found.count as usize] = neighbour;
                found.count += 1;
            }
        }
        found
    }

    /// Which board this is.
    pub fn board(&self) -> Board {
        self.board
    }

    /// How many points the board has. Never zero.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.vertices.len()
    }

    /// How many columns have a letter of their own.
    pub fn columns(&self) -> u8 {
        self.columns
    }

    /// How many rows have a number of their own.
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// Every point, by rising index.
    pub fn points(&self) -> impl DoubleEndedIterator<Item = Point> + ExactSizeIterator + use<> {
        (0..self.vertices.len() as u16).map(Point)
    }

    /// The points joined to this one by a line: at most [`MAX_NEIGHBOURS`].
    pub fn neighbours(&self, point: Point) -> &[Point] {
        let neighbours = &self.neighbours[point.index()];
        &neighbours.points[..neighbours.count as usize]
    }

    /// The point with this name, if the board has it.
    pub fn point(&self, vertex: Vertex) -> Option<Point> {
        self.point_at(vertex.column(), vertex.row())
    }

    /// The point in a column and a row, both counted from 1 at the lower left, if the board has it.
    pub fn point_at(&self, column: u8, row: u8) -> Option<Point> {
        let on_grid = (1..=self.columns).contains(&column) && (1..=self.rows).contains(&row);
        on_grid
            .then(|| self.by_vertex[(row as usize - 1) * self.columns as usize + column as usize - 1])
            .flatten()
    }

    /// The name of a point.
    pub fn vertex(&self, point: Point) -> Vertex {
        self.vertices[point.index()]
    }

    /// Where the point is drawn.
    pub fn place(&self, point: Point) -> Place {
        self.places[point.index()]
    }

    /// Whether the point is marked with a star (hoshi).
    pub fn is_star(&self, point: Point) -> bool {
        self.stars[point.index()]
    }
}

fn square_layout(side: i32) -> Layout {
    Layout {
        columns: side as u8,
        rows: side as u8,
        exists: |side, column, row| (1..=side).contains(&column) && (1..=side).contains(&row),
        steps: &[(-1, 0), (1, 0), (0, -1), (0, 1)],
        place: |column, row| Place { x: column, y: row },
        stars: square_stars(side),
    }
}

/// The usual star points: on the third line up to 12x12 and on the fourth beyond, as handicap stones lie (H1); the
/// centre on odd boards; the middles of the sides where they stand apart, from 15x15.
fn square_stars(side: i32) -> Vec<(i32, i32)> {
    if side < 7 {
        return if side % 2 == 1 {
            vec![(side / 2 + 1, side / 2 + 1)]
        } else {
            Vec::new()
        };
    }
    let edge = if side <= 12 { 3 } else { 4 };
    let (low, high, middle) = (edge, side + 1 - edge, side / 2 + 1);
    let mut stars = vec![(low, low), (low, high), (high, low), (high, high)];
    if side % 2 == 1 {
        stars.push((middle, middle));
        if side >= 15 {
            stars.extend([(low, middle), (high, middle), (middle, low), (middle, high)]);
        }
    }
    stars
}

fn hexagonal_layout(side: i32) -> Layout {
    let across = (2 * side - 1) as u8;
    Layout {
        columns: across,
        rows: across,
        exists: |side, column, row| {
            let (on_line, across) = (side + 1..=3 * side - 1, 1..=2 * side - 1);
            on_line.contains(&(column + row)) && across.contains(&column) && across.contains(&row)
        },
        steps: &[(-1, 0), (1, 0), (0, -1), (0, 1), (1, -1), (-1, 1)],
        place: |column, row| Place {
            x: column + row / 2.0,
            y: row * 3f64.sqrt() / 2.0,
        },
        stars: hexagonal_stars(side),
    }
}

/// The centre and the cells on the six spokes to the corners, at distance 3, 4 and 8 on sides 6, 8 and 12 (B2).
/// Sides that no ruleset plays take a distance in proportion.
fn hexagonal_stars(side: i32) -> Vec<(i32, i32)> {
    let distance = match side {
        6 => 3,
        8 => 4,
        12 => 8,
        _ => side / 2,
    };
    let spokes = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];
    spokes
        .map(|(columns, rows)| (side + columns * distance, side + rows * distance))
        .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn geometry(board: &str) -> &'static Geometry {
        board.parse::<Board>().expect("a board").geometry()
    }

    fn stars(board: &str) -> String {
        let geometry = geometry(board);
        let names = geometry.points().filter(|&point| geometry.is_star(point));
        names
            .map(|point| geometry.vertex(point).to_string())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn b1_square_boards_name_their_corners_and_stars() {
        let geometry = geometry("19x19");
        assert_eq!(geometry.len(), 361);
        assert_eq!(geometry.vertex(Point(0)).to_string(), "A1");
        assert_eq!(geometry.vertex(Point(360)).to_string(), "T19");
        assert_eq!(stars("9x9"), "C3 G3 E5 C7 G7");
        assert_eq!(stars("13x13"), "D4 K4 G7 D10 K10");
        assert_eq!(stars("19x19"), "D4 K4 Q4 D10 K10 Q10 D16 K16 Q16");
    }

    #[test]
    fn b2_hexagons_have_the_right_cells_and_degrees() {
        for (board, cells, side) in [
            ("hex6", 91, 6),
            ("hex8", 169, 8),
            ("hex12", 397, 12),
            ("hex2", 7, 2),
        ] {
            let geometry = geometry(board);
            let of_degree = |degree| {
                geometry
                    .points()
                    .filter(|&p| geometry.neighbours(p).len() == degree)
                    .count()
            };
            assert_eq!(geometry.len(), cells, "{board}");
            assert_eq!(of_degree(3), 6, "{board}: corners");
            assert_eq!(of_degree(4), 6 * (side - 2), "{board}: edges");
            assert_eq!(of_degree(6), cells - 6 * (side - 1), "{board}: inside");
        }
    }

    #[test]
    fn b2_a_cell_touches_its_six_neighbours_and_never_the_seventh_or_eighth() {
        let geometry = geometry("hex6");
        let name = |text: &str| geometry.point(text.parse().expect("a name")).expect("a cell");
        let mut around: Vec<String> = geometry
            .neighbours(name("F6"))
            .iter()
            .map(|&p| geometry.vertex(p).to_string())
            .collect();
        around.sort();
        assert_eq!(around, ["E6", "E7", "F5", "F7", "G5", "G6"]);
        assert!(!geometry.neighbours(name("F6")).contains(&name("G7")));
        assert!(!geometry.neighbours(name("F6")).contains(&name("E5")));
    }

    #[test]
    fn b2_a_hexagon_lacks_the_two_corners_of_its_grid() {
        let geometry = geometry("hex12");
        assert_eq!(geometry.columns(), 23);
        assert!(geometry.point_at(1, 1).is_none());
        assert!(geometry.point_at(23, 23).is_none());
        assert_eq!(
            geometry
                .point_at(23, 1)
                .map(|p| geometry.vertex(p).to_string())
                .as_deref(),
            Some("X1")
        );
        assert_eq!(stars("hex6"), "F3 J3 C6 F6 J6 C9 F9");
    }

    #[test]
    fn neighbours_are_mutual_and_one_unit_apart_on_every_board() {
        let squares = SQUARE_SIDES.filter_map(Board::square);
        for board in squares.chain(HEXAGON_SIDES.filter_map(Board::hexagonal)) {
            let geometry = board.geometry();
            for point in geometry.points() {
                assert_eq!(geometry.point(geometry.vertex(point)), Some(point));
                for &neighbour in geometry.neighbours(point) {
                    assert!(geometry.neighbours(neighbour).contains(&point));
                    let (a, b) = (geometry.place(point), geometry.place(neighbour));
                    assert!(((a.x - b.x).hypot(a.y - b.y) - 1.0).abs() < 1e-9, "{board}");
                }
            }
        }
    }

    #[test]
    fn only_real_boards_have_a_name() {
        for text in [
            "", "x", "9", "9x", "4x4", "26x26", "9x13", "09x09", "+9x+9", "hex", "hex1", "hex13", "hex06",
            "HEX6",
        ] {
            assert_eq!(text.parse::<Board>(), Err(BoardError), "{text:?}");
        }
        for text in ["5x5", "25x25", "hex2", "hex12"] {
            assert_eq!(
                text.parse::<Board>().map(|board| board.to_string()).as_deref(),
                Ok(text)
            );
        }
    }
}
