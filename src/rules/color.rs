//! The two colors, and a pair of values, one for each.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The color of a stone and of the player who plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Color {
    /// Plays first in an even game.
    Black,
    /// Has the komi.
    White,
}

impl Color {
    /// Both colors, Black first.
    pub const BOTH: [Color; 2] = [Color::Black, Color::White];

    /// The other color.
    pub fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// `B` or `W`, as SGF and results write it.
    pub fn letter(self) -> char {
        match self {
            Color::Black => 'B',
            Color::White => 'W',
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}

/// One value for each color; on the wire `{"black": …, "white": …}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PerColor<T> {
    /// Black's.
    pub black: T,
    /// White's.
    pub white: T,
}

impl<T> PerColor<T> {
    /// The pair that holds `value(color)` for each color.
    pub fn from_fn(mut value: impl FnMut(Color) -> T) -> PerColor<T> {
        PerColor {
            black: value(Color::Black),
            white: value(Color::White),
        }
    }

    /// The value of one color.
    pub fn get(&self, color: Color) -> &T {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// The value of one color, to be changed.
    pub fn get_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }

    /// The pair of `f` of each value.
    pub fn map<U>(&self, mut f: impl FnMut(&T) -> U) -> PerColor<U> {
        PerColor {
            black: f(&self.black),
            white: f(&self.white),
        }
    }
}
