//! Points and moves: a point of one board (`Point`), and the name that a person reads and writes (`Vertex`).

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The letters of columns, left to right. `I` is left out, as on every Go board's rim (B1, B2).
const COLUMN_LETTERS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// A point of a board, as an index into its [`Geometry`](super::Geometry): `0..geometry.len()`.
///
/// Only a geometry makes points, so a point always lies on the board that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(pub(super) u16);

impl Point {
    /// The index of the point, for tables with an entry a point.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a player does on his turn: a stone, or a pass (B7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A stone on a point.
    Play(Point),
    /// No stone.
    Pass,
}

/// The name of a point: a column's letter and a row's number, `D4`. Whether a board has such a point is the
/// geometry's to say. On the wire it is that string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vertex {
    column: u8,
    row: u8,
}

/// A text that cannot be the name of a point on any board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a point is a letter from A to Z and a number from 1 to 99, like \"D4\"")]
pub struct VertexError;

impl Vertex {
    /// The vertex of a column and a row, both counted from 1 at the lower left. `None` beyond `Z99`.
    pub fn new(column: u8, row: u8) -> Option<Vertex> {
        let in_range = (1..=COLUMN_LETTERS.len() as u8).contains(&column) && (1..=99).contains(&row);
        in_range.then_some(Vertex { column, row })
    }

    /// The column, from 1 at the left.
    pub fn column(self) -> u8 {
        self.column
    }

    /// The row, from 1 at the bottom.
    pub fn row(self) -> u8 {
        self.row
    }
}

impl fmt::Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}",
            COLUMN_LETTERS[self.column as usize - 1] as char,
            self.row
        )
    }
}

impl FromStr for Vertex {
    type Err = VertexError;

    fn from_str(text: &str) -> Result<Vertex, VertexError> {
        let (&letter, digits) = text.as_bytes().split_first().ok_or(VertexError)?;
        let column = COLUMN_LETTERS
            .iter()
            .position(|&each| each == letter)
            .ok_or(VertexError)?;
        let plain_number = !digits.starts_with(b"0") && digits.iter().all(u8::is_ascii_digit);
        let row = plain_number
            .then(|| text[1..].parse().ok())
            .flatten()
            .ok_or(VertexError)?;
        Vertex::new(column as u8 + 1, row).ok_or(VertexError)
    }
}

impl Serialize for Vertex {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Vertex {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vertex, D::Error> {
        struct FromText;
        impl serde::de::Visitor<'_> for FromText {
            type Value = Vertex;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a point, like \"D4\"")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Vertex, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(FromText)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_skip_the_letter_i_and_read_back() {
        let vertex = Vertex::new(9, 10).expect("J10");
        assert_eq!(vertex.to_string(), "J10");
        assert_eq!("J10".parse(), Ok(vertex));
        assert_eq!(serde_json::to_string(&vertex).expect("serialises"), "\"J10\"");
        assert_eq!(
            serde_json::from_str::<Vertex>("\"Z25\"").expect("reads"),
            Vertex::new(25, 25).expect("Z25")
        );
    }

    #[test]
    fn what_is_no_name_of_a_point_is_refused() {
        for text in [
            "", "D", "4", "I5", "d4", "D0", "D04", "D+4", "D4 ", "D100", "DD4", "é4", "D４", "pass", "D-1",
        ] {
            assert_eq!(text.parse::<Vertex>(), Err(VertexError), "{text:?}");
        }
    }
}
