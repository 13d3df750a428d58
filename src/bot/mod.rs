//! The computer: a player for every board and every ruleset (A1, A2).
//!
//! It searches a tree of moves whose leaves are judged by playing on to the end ([`playout`](crate::playout)). It knows
//! no clock: its levels are budgets of work, counted in moves of playouts, so that a game with a given seed can be
//! repeated on any machine. It never awaits anything: [`Search::work`] does a small step, and whoever runs it lets
//! others have their turn between two steps.
//!
//! Start reading with [`Search`]; then `tree.rs` (what is remembered), `simulate.rs` (one look into the future),
//! `prior.rs` (what is known of a move without looking), `decide.rs` (what to do in the end).

mod budget;
mod decide;
mod prior;
mod search;
mod simulate;
#[cfg(test)]
mod tests;
mod tree;

pub use crate::game::Level;
pub use search::Search;

use crate::rules::{Color, HalfPoints, History, Move, Point, Position};
use crate::ruleset::Removes;

/// What the computer wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A stone on a point, which is legal.
    Play(Point),
    /// A pass, which is legal.
    Pass,
    /// To give up.
    Resign,
}

/// A game as the computer sees it on its turn.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The stones.
    pub position: &'a Position,
    /// All positions so far, for superko.
    pub history: &'a History,
    /// Whose turn it is: the computer's.
    pub to_move: Color,
    /// What White has besides his area when it is counted: komi and whatever else. A count of territory and prisoners in
    /// which a pass costs a prisoner comes to the same (G2).
    pub komi: HalfPoints,
    /// The move before, if there was one since the game began or was resumed.
    pub last: Option<Move>,
    /// Whether only White's pass can be the last one (G2).
    pub white_passes_last: bool,
    /// How many stones Black has still to play in a row, this one included, before which nobody may pass (H4); 0 in all
    /// other games.
    pub opening_stones: u8,
    /// What two passes would lead to.
    pub ending: Ending,
}

/// What happens to dead stones when play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// These chains are taken off (G3), or whatever the players agree on (G8).
    DeadStonesGo(Removes),
    /// All stones count as alive, so that dead ones have to be captured first (G8, after a resumption).
    AllStonesStay,
}
