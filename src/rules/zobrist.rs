//! Keys for hashing positions: one 64-bit number for each point and color, the same on every machine and in every
//! version: the assessor and the computer's search draw their random numbers from a position's hash, and must say the
//! same of the same position wherever it is asked (G4). Of A. Zobrist, "A New Hashing Method with Application for Game
//! Playing", 1970.

use super::color::Color;
use super::vertex::Point;

/// More than any board has: 25x25 is 625 points.
const POINTS: usize = 640;

/// By point, Black's key and White's.
static KEYS: [[u64; 2]; POINTS] = {
    let mut keys = [[0; 2]; POINTS];
    let mut point = 0;
    while point < POINTS {
        keys[point] = [mix(2 * point as u64), mix(2 * point as u64 + 1)];
        point += 1;
    }
    keys
};

/// The key of a stone. The hash of a position is the exclusive or of its stones' keys.
pub(super) fn key(point: Point, color: Color) -> u64 {
    KEYS[point.index()][color as usize]
}

/// The output of the SplitMix64 generator for its `n`-th step from zero (G. Steele and others, "Fast Splittable
/// Pseudorandom Number Generators", 2014).
const fn mix(n: u64) -> u64 {
    let mut z = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
