//! Points in time and lengths of time, both in whole milliseconds.

use serde::{Deserialize, Serialize};
use std::ops;
use std::time::Duration;

/// A point in time: milliseconds since 1970-01-01 UTC, leap seconds not counted. On the wire that number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(i64);

/// A length of time in milliseconds. On the wire that number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(i64);

impl Timestamp {
    /// The time so many milliseconds after the start of 1970.
    pub const fn from_millis(millis: i64) -> Timestamp {
        Timestamp(millis)
    }

    /// Milliseconds since the start of 1970.
    pub const fn as_millis(self) -> i64 {
        self.0
    }
}

impl Millis {
    /// No time at all.
    pub const ZERO: Millis = Millis(0);

    /// So many milliseconds.
    pub const fn new(millis: i64) -> Millis {
        Millis(millis)
    }

    /// So many seconds.
    pub const fn from_secs(secs: i64) -> Millis {
        Millis(secs * 1000)
    }

    /// The number of milliseconds.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The length as the standard library has it; one below zero is zero there.
    pub fn to_duration(self) -> Duration {
        Duration::from_millis(self.0.max(0).unsigned_abs())
    }
}

impl ops::Add<Millis> for Timestamp {
    type Output = Timestamp;

    fn add(self, length: Millis) -> Timestamp {
        Timestamp(self.0.saturating_add(length.0))
    }
}

impl ops::Sub for Timestamp {
    type Output = Millis;

    fn sub(self, earlier: Timestamp) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }
}

impl ops::Add for Millis {
    type Output = Millis;

    fn add(self, other: Millis) -> Millis {
        Millis(self.0.saturating_add(other.0))
    }
}

impl ops::Sub for Millis {
    type Output = Millis;

    fn sub(self, other: Millis) -> Millis {
        Millis(self.0.saturating_sub(other.0))
    }
}

/// So many times the length.
impl ops::Mul<u32> for Millis {
    type Output = Millis;

    fn mul(self, times: u32) -> Millis {
        Millis(self.0.saturating_mul(i64::from(times)))
    }
}

impl From<Millis> for i64 {
    fn from(length: Millis) -> i64 {
        length.0
    }
}
