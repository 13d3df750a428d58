//! The rules of Go on any board: geometry, positions, legality, superko, handicap, counting.
//!
//! Nothing here knows players, clocks or time, reads no clock and draws no random number. Start reading with
//! [`Geometry`], then [`Position`], then [`History`].
//!
//! # Words
//! - **point**: where lines meet, or a cell of a hexagonal board.
//! - **chain**: stones of one color joined along lines. **liberty**: an empty neighbour of a chain. **atari**: a
//!   chain with exactly one liberty.
//! - **capture**: removing a chain that has no liberty left. **prisoner**: a stone so removed, or removed as dead
//!   at the end. **suicide**: a play that leaves its own chain without a liberty.
//! - **superko**: here *positional*: no play may recreate an earlier whole-board position, whoever moved.
//! - **region**: empty points joined along lines. **territory**: a region that touches one color only. **area**:
//!   living stones and territory. **dame**: empty points that are nobody's. **seki**: chains that live together
//!   because neither side can capture first.
//! - **komi**: points that White has from the start. **jigo**: a tied score.
//!
//! Sources of the words: KataGo's rules page and Sensei's Library.
//!
//! # Example
//! A ko: White takes it, and Black may not take it back at once.
//! ```
//! use hoshi::rules::{Board, Color, History, MoveError, Position, Vertex};
//!
//! let board: Board = "9x9".parse()?;
//! let point = |name: &str| board.geometry().point(name.parse::<Vertex>().ok()?);
//! let mut position = Position::empty(board.geometry());
//! let mut history = History::new(&position);
//! let moves = ["D6", "E6", "C5", "F5", "D4", "E4", "E5", "D5"];
//! for (name, color) in moves.into_iter().zip(Color::BOTH.into_iter().cycle()) {
//!     history.play(&mut position, point(name).ok_or("no such point")?, color)?;
//! }
//! let e5 = point("E5").ok_or("no such point")?;
//! assert_eq!(position.stone(e5), None);
//! assert_eq!(history.play(&mut position, e5, Color::Black), Err(MoveError::Superko));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod color;
mod count;
mod geometry;
mod half_points;
mod handicap;
mod history;
mod position;
mod setup;
mod vertex;
mod zobrist;

#[cfg(test)]
pub(crate) mod diagram;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod referee;

pub use color::{Color, PerColor};
pub use count::{AreaCount, count_area};
pub use geometry::{Board, BoardError, Geometry, MAX_NEIGHBOURS, Place};
pub use half_points::HalfPoints;
pub use handicap::fixed_handicap;
pub use history::{History, MoveError};
pub use position::{PlayError, Position, Prospect};
pub use setup::{Setup, SetupError};
pub use vertex::{Move, Point, Vertex, VertexError};
