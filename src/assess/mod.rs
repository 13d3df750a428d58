//! Life and death at the end of play: which chains are dead (G3, G4).
//!
//! It knows positions and nothing else: no players, no turn, no time. The same position gets the same answer on every
//! machine, since all of its arithmetic is on whole numbers and its chance is seeded by the position. It asks only which
//! points touch, so it judges hexagonal boards as it does square ones.
//!
//! 1. Chains that live whatever happens, and what they enclose, are decided ([`pass_alive`]).
//! 2. From there the position is played to the end some hundreds of times, with each side moving first as often
//!    ([`playout`](crate::playout)).
//! 3. Chains that live and die together get one verdict (`verdict.rs`). Doubtful means alive; how dead a chain must be is the ruleset's
//!    choice ([`Removes`]).
//!
//! One shape is known by heart (`bent_four.rs`).
//!
//! Start reading with [`assess`]. It is no proof: where a fight is not finished, it says what usually comes of it.
//!
//! # Example
//! ```
//! use hoshi::assess::{Status, assess};
//! use hoshi::rules::{Board, Color, PerColor, Position, Setup, Vertex};
//! use hoshi::ruleset::Removes;
//!
//! let board: Board = "5x5".parse()?;
//! let points = |names: &str| -> Option<Vec<_>> {
//!     let points = names.split(' ').map(|name| board.geometry().point(name.parse::<Vertex>().ok()?));
//!     points.collect()
//! };
//! let black = points("C1 C2 C3 C4 C5 D3").ok_or("no such point")?;
//! let white = points("A3").ok_or("no such point")?;
//! let position = Position::from_setup(&Setup { board, stones: PerColor { black, white } })?;
//! let assessment = assess(&position, Removes::Dead);
//! assert_eq!(assessment.dead.white, points("A3").ok_or("no such point")?);
//! assert!(assessment.dead.black.is_empty());
//! assert_eq!(assessment.area, PerColor { black: 25, white: 0 });
//! let lone = assessment.chains.iter().find(|chain| chain.color == Color::White);
//! assert_eq!(lone.map(|chain| chain.status), Some(Status::Dead));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assessor;
mod bent_four;
mod pass_alive;
#[cfg(test)]
mod tests;
mod verdict;

pub use assessor::Assessor;
pub use pass_alive::pass_alive;

use crate::rules::{Color, PerColor, Point, Position};
use crate::ruleset::Removes;

/// What the assessor is called in results.
pub const ENGINE: &str = "hoshi";

/// The version of the judgement. It rises with every change that can change an answer (G4).
pub const VERSION: &str = "2";

/// How a chain stands at the end of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It stays on the board.
    Alive,
    /// It stays on the board beside opposing chains that neither side can capture, sharing liberties with them.
    Seki,
    /// It is taken off before the count.
    Dead,
}

/// The judgement of one chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainStatus {
    /// The chain's color.
    pub color: Color,
    /// Its stones, by rising index.
    pub stones: Vec<Point>,
    /// How it stands.
    pub status: Status,
    /// In how many of 1000 playouts the chain's place remained its color's, on the average of the chains that were judged
    /// with it. 1000 and 0 for what is decided without playouts.
    pub survival: u16,
    /// How much of 1000 speaks for the verdict: 1000 is certain, 500 could as well be otherwise.
    pub certainty: u16,
}

/// The judgement of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// Every chain, by its first stone.
    pub chains: Vec<ChainStatus>,
    /// The stones of the dead chains of each color, by rising index.
    pub dead: PerColor<Vec<Point>>,
    /// The points without a living stone that each color owns (G1), by rising index.
    pub territory: PerColor<Vec<Point>>,
    /// The points without a living stone that nobody owns, by rising index.
    pub neutral: Vec<Point>,
    /// How many points each color has: living stones and territory. Komi is not in it.
    pub area: PerColor<u32>,
    /// How many playouts it took; none when everything is decided without.
    pub playouts: u32,
}

impl Assessment {
    /// How sure the judgement is of its least certain chain, 0 to 1.
    pub fn certainty(&self) -> f64 {
        let least = self.chains.iter().map(|chain| chain.certainty).min();
        f64::from(least.unwrap_or(1000)) / 1000.0
    }
}

/// Judges a position at once, to have these chains taken off. Where other things must not wait, [`Assessor`] does the same in small steps.
pub fn assess(position: &Position, removes: Removes) -> Assessment {
    let mut assessor = Assessor::new(position, removes);
    loop {
        if let Some(assessment) = assessor.work() {
            return assessment;
        }
    }
}
