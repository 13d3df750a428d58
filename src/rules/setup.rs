//! A start position as one can write it down, with no promise that it can be played on.

use super::color::PerColor;
use super::geometry::Board;
use super::vertex::{Point, Vertex};

/// A board and the stones that lie on it before the first move: from a handicap or a record.
/// [`Position::from_setup`](super::Position::from_setup) says whether it can stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The board.
    pub board: Board,
    /// The stones of each color, in any order: points of this very board.
    pub stones: PerColor<Vec<Point>>,
}

/// Why a setup is not a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// Two stones on one point.
    #[error("{0} is set up twice")]
    Twice(Vertex),
    /// A chain without a liberty; the point is one of its stones.
    #[error("the chain at {0} is set up without a liberty")]
    NoLiberty(Vertex),
}
