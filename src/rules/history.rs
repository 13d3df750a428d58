//! Every whole-board position of a game, for positional superko (B5).

use super::color::Color;
use super::position::{PlayError, Position, Prospect};
use super::vertex::Point;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// All positions that have been on the board in one game, the start included, oldest first.
///
/// A position is looked up by its hash and then compared stone by stone, so that two positions that happen to share
/// a hash are never taken for one another.
#[derive(Clone, Debug)]
pub struct History {
    /// For a hash, the latest position that has it.
    latest: HashMap<u64, u32, BuildHasherDefault<Unhashed>>,
    /// For each position its hash, and the one before it that has the same.
    hashes: Vec<(u64, Option<u32>)>,
    /// The stones of each position, one after the other, `stride` words each.
    words: Vec<u64>,
    stride: usize,
}

/// Why a play is illegal in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// A stone lies there.
    #[error("the point is occupied")]
    Occupied,
    /// It would capture nothing and leave its own chain without a liberty.
    #[error("the play would leave its own chain without a liberty")]
    Suicide,
    /// It would recreate an earlier whole-board position.
    #[error("the play would recreate an earlier position of this game")]
    Superko,
}

impl From<PlayError> for MoveError {
    fn from(error: PlayError) -> MoveError {
        match error {
            PlayError::Occupied => MoveError::Occupied,
            PlayError::Suicide => MoveError::Suicide,
        }
    }
}

/// The keys are hashes already.
#[derive(Clone, Copy, Debug, Default)]
struct Unhashed(u64);

impl Hasher for Unhashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        // Only `write_u64` is ever called; this is right all the same.
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ byte as u64;
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl History {
    /// The history of a game that starts from `start`.
    pub fn new(start: &Position) -> History {
        let mut history = History {
            latest: HashMap::default(),
            hashes: Vec::new(),
            words: Vec::new(),
            stride: start.placement().words().len(),
        };
        history.push(start);
        history
    }

    /// How many positions there have been, the start included. Passes add none.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Adds the position that a play has just made.
    pub fn push(&mut self, position: &Position) {
        debug_assert_eq!(self.stride, position.placement().words().len());
        let index = self.hashes.len() as u32;
        let before = self.latest.insert(position.hash(), index);
        self.hashes.push((position.hash(), before));
        self.words.extend_from_slice(position.placement().words());
    }

    /// Forgets the newest position, as a takeback does. The start is never forgotten.
    pub fn pop(&mut self) {
        if self.len() == 1 {
            return;
        }
        let Some((hash, before)) = self.hashes.pop() else {
            return;
        };
        self.words.truncate(self.words.len() - self.stride);
        match before {
            Some(index) => self.latest.insert(hash, index),
            None => self.latest.remove(&hash),
        };
    }

    /// What a play would do, if it is legal: on an empty point, no suicide, no superko, tested in that order (B8).
    ///
    /// # Errors
    /// The first of the reasons that holds.
    pub fn legal(&self, position: &Position, point: Point, color: Color) -> Result<Prospect, MoveError> {
        let prospect = position.prospect(point, color)?;
        match self.repeats(position, &prospect) {
            true => Err(MoveError::Superko),
            false => Ok(prospect),
        }
    }

    /// Makes a play in a game: on the position and in the history. Returns the captured stones, by rising index.
    ///
    /// # Errors
    /// As [`legal`](History::legal); then nothing has changed.
    pub fn play(
        &mut self,
        position: &mut Position,
        point: Point,
        color: Color,
    ) -> Result<Vec<Point>, MoveError> {
        let prospect = self.legal(position, point, color)?;
        let captured = position.carry_out(&prospect);
        self.push(position);
        Ok(captured)
    }

    /// The empty points where `color` may not play now, by rising index, each with why (B6).
    pub fn forbidden(&self, position: &Position, color: Color) -> Vec<(Point, MoveError)> {
        let empty = position.points().filter(|&point| position.stone(point).is_none());
        empty
            .filter_map(|point| Some((point, self.legal(position, point, color).err()?)))
            .collect()
    }

    fn repeats(&self, position: &Position, prospect: &Prospect) -> bool {
        let Some(&latest) = self.latest.get(&prospect.hash) else {
            return false;
        };
        let after = position.placement_after(prospect);
        let mut candidates = std::iter::successors(Some(latest), |&index| self.hashes[index as usize].1);
        candidates.any(|index| self.words_of(index) == after.words())
    }

    fn words_of(&self, index: u32) -> &[u64] {
        &self.words[index as usize * self.stride..][..self.stride]
    }
}
