//! Komi, scores and margins: whole and half points, exactly.

use serde::{Deserialize, Serialize};
use std::{fmt, ops};

/// A number of points in steps of one half, stored as the number of halves. On the wire a JSON number: `6.5`, `7`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HalfPoints(i32);

impl HalfPoints {
    /// No points.
    pub const ZERO: HalfPoints = HalfPoints(0);

    /// So many halves: 13 is six and a half points.
    pub const fn from_halves(halves: i32) -> HalfPoints {
        HalfPoints(halves)
    }

    /// So many whole points.
    pub const fn from_points(points: i32) -> HalfPoints {
        HalfPoints(2 * points)
    }

    /// The number of halves.
    pub const fn halves(self) -> i32 {
        self.0
    }

    /// The same number without its sign.
    pub const fn abs(self) -> HalfPoints {
        HalfPoints(self.0.abs())
    }
}

impl ops::Add for HalfPoints {
    type Output = HalfPoints;

    fn add(self, other: HalfPoints) -> HalfPoints {
        HalfPoints(self.0 + other.0)
    }
}

impl ops::Sub for HalfPoints {
    type Output = HalfPoints;

    fn sub(self, other: HalfPoints) -> HalfPoints {
        HalfPoints(self.0 - other.0)
    }
}

/// `6.5`, `7`, `-0.5`: as komi and margins are written.
impl fmt::Display for HalfPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let fraction = if self.0 % 2 == 0 { "" } else { ".5" };
        write!(f, "{sign}{}{fraction}", self.0.unsigned_abs() / 2)
    }
}

impl Serialize for HalfPoints {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 % 2 {
            0 => serializer.serialize_i32(self.0 / 2),
            _ => serializer.serialize_f64(self.0 as f64 / 2.0),
        }
    }
}

impl<'de> Deserialize<'de> for HalfPoints {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<HalfPoints, D::Error> {
        let halves = f64::deserialize(deserializer)? * 2.0;
        let exact = halves.fract() == 0.0 && halves.abs() <= 1e6;
        match exact {
            true => Ok(HalfPoints(halves as i32)),
            false => Err(serde::de::Error::custom(
                "expected a multiple of 0.5 within 500000",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_written_and_read_exactly() {
        for (halves, text) in [
            (13, "6.5"),
            (14, "7"),
            (0, "0"),
            (-1, "-0.5"),
            (-199, "-99.5"),
            (1, "0.5"),
        ] {
            let points = HalfPoints::from_halves(halves);
            assert_eq!(points.to_string(), text);
            assert_eq!(serde_json::to_string(&points).expect("serialises"), text);
            assert_eq!(serde_json::from_str::<HalfPoints>(text).expect("reads"), points);
        }
    }

    #[test]
    fn other_fractions_and_huge_numbers_are_refused() {
        for text in ["6.25", "0.1", "1e300", "500000.5", "\"6.5\"", "null", "true"] {
            assert!(serde_json::from_str::<HalfPoints>(text).is_err(), "{text}");
        }
    }
}
