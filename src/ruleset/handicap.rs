//! What a weaker player may get, and who that is.

use super::Ruleset;
use crate::rules::{Board, Color, Point, fixed_handicap};
use serde::Serialize;

/// The handicap that a table may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "stones", rename_all = "snake_case")]
pub enum HandicapRule {
    /// Even games only.
    None,
    /// Black stones set up on fixed points before White's first move (H1). A handicap of 1, where it is offered, sets
    /// up nothing: Black moves first, with the komi of a handicap game (H2).
    SetUp {
        /// The smallest handicap that is offered.
        least: u8,
    },
    /// Black's first moves, so many in a row, wherever they are legal (H4).
    Moves {
        /// The most stones.
        most: u8,
    },
}

/// Who receives the handicap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HandicapFor {
    /// Whoever plays Black.
    Black,
    /// A player who is named, in a game against a specific opponent; he then plays Black (H5).
    NamedPlayer,
}

impl Ruleset {
    /// The handicaps that may be asked for on a board, 0 (even) first.
    pub fn handicaps(&self, board: Board) -> Vec<u8> {
        let offered = |&stones: &u8| match self.handicap {
            HandicapRule::None => false,
            HandicapRule::SetUp { least } => {
                least <= stones && (stones == 1 || fixed_handicap(board, stones).is_some())
            }
            HandicapRule::Moves { most } => stones <= most,
        };
        std::iter::once(0).chain((1..=u8::MAX).filter(offered)).collect()
    }

    /// The black stones that lie on the board before the first move.
    pub fn setup(&self, board: Board, handicap: u8) -> Vec<Point> {
        match self.handicap {
            HandicapRule::SetUp { .. } => fixed_handicap(board, handicap).unwrap_or_default(),
            HandicapRule::None | HandicapRule::Moves { .. } => Vec::new(),
        }
    }

    /// How many moves Black makes in a row before White's first.
    pub fn opening_stones(&self, handicap: u8) -> u8 {
        match self.handicap {
            HandicapRule::Moves { .. } => handicap,
            HandicapRule::None | HandicapRule::SetUp { .. } => 0,
        }
    }

    /// Who moves first: Black, or White after stones that were set up.
    pub fn first_to_move(&self, handicap: u8) -> Color {
        match self.handicap {
            HandicapRule::SetUp { .. } if handicap > 1 => Color::White,
            HandicapRule::SetUp { .. } | HandicapRule::None | HandicapRule::Moves { .. } => Color::Black,
        }
    }
}
