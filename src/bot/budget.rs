//! How much the computer thinks.

use crate::game::Level;

/// Boards with more points than 9x9 get more work, up to twice as much: their playouts are longer.
const POINTS_OF_THE_LEAST: usize = 81;

impl Level {
    /// The level with this name.
    pub fn by_name(name: &str) -> Option<Level> {
        Level::EVERY.into_iter().find(|level| level.name() == name)
    }

    /// How many moves of playouts go into one move of the game, on a board with so many points. A million take some
    /// 0.4 s natively and twice that in WebAssembly.
    pub fn moves(self, points: usize) -> u32 {
        let on_the_least: u32 = match self {
            Level::Easy => 20_000,
            Level::Normal => 150_000,
            Level::Hard => 1_200_000,
        };
        let scale = points.clamp(POINTS_OF_THE_LEAST, 2 * POINTS_OF_THE_LEAST) as u64;
        (u64::from(on_the_least) * scale / POINTS_OF_THE_LEAST as u64) as u32
    }
}
