//! How much of a file is read before it is refused. Reading needs memory in proportion to the file and no stack.

/// The largest file: ten times the longest commented games.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;

/// The deepest nesting of variations. Editors that start a variation at every move nest as deep as a game is long.
pub const MAX_DEPTH: usize = 10_000;

/// The most nodes in one file, by their semicolons; those of variations and of every game count.
pub const MAX_NODES: usize = 200_000;

/// The most games in one file.
pub const MAX_GAMES: usize = 1_000;

/// The most points that the lists of one game may name, set-up stones and territory. A rectangle of seven letters names
/// hundreds, so that a file could name far more than it has bytes. No game comes near: this is 1,600 full boards.
pub const MAX_POINTS: usize = 1_000_000;

/// The most warnings kept for one game; there are far fewer kinds.
pub(super) const MAX_WARNINGS: usize = 100;
