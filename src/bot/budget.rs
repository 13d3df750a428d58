//! How much the computer thinks.

/// How strong the computer plays: how much work it puts into a move (A1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// For people who have just learned the rules.
    Easy,
    /// In between.
    Normal,
    /// As well as it can within a few seconds.
    Hard,
}

/// Boards with more points than 9x9 get more work, up to twice as much: their playouts are longer.
const POINTS_OF_THE_LEAST: usize = 81;

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 3] = [Level::Easy, Level::Normal, Level::Hard];

    /// The level's name: on the wire and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Normal => "normal",
            Level::Hard => "hard",
        }
    }

    /// The level with this name.
    pub fn by_name(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }

    /// How many moves of playouts go into one move of the game, on a board with so many points. A million take some
    /// 0.4 s natively and twice that in WebAssembly.
    pub fn moves(self, points: usize) -> u32 {
        let on_the_least: u32 = match self {
            Level::Easy => 40_000,
            Level::Normal => 250_000,
            Level::Hard => 1_600_000,
        };
        let scale = points.clamp(POINTS_OF_THE_LEAST, 2 * POINTS_OF_THE_LEAST) as u64;
        (u64::from(on_the_least) * scale / POINTS_OF_THE_LEAST as u64) as u32
    }
}
