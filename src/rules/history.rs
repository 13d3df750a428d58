//! Every whole-board position of a game, for positional superko (B5).

use super::color::Color;
use super::position::{PlayError, Position, Prospect};
use super::vertex::Point;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// All positions that have been on the board in one game, the start included, oldest first.
///
/// A position is looked up by its hash and then compared stone by stone, so that two positions that happen to share
/// a hash are never taken for one another. Two histories are equal when they have the same positions in the same
/// order.
#[derive(Clone, Debug, PartialEq, Eq)]
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

#[cfg(test)]
mod tests {
    use super::super::diagram::{names, played, point, points, square};
    use super::*;
    use Color::{Black, White};

    /// Whether `color` may play a point after these moves: nothing, or why not.
    #[track_caller]
    fn check(board: &str, moves: &str, color: Color, name: &str, expected: Result<&str, MoveError>) {
        let (mut position, mut history) = played(board, moves);
        let (before, earlier) = (position.clone(), history.clone());
        let point = point(position.geometry(), name);
        let captured = history.play(&mut position, point, color);
        let captured = captured.map(|stones| names(position.geometry(), stones));
        assert_eq!(captured.as_deref(), expected.as_ref().map(|names| *names));
        if expected.is_err() {
            assert_eq!(
                (position, history),
                (before, earlier),
                "a refusal changes nothing"
            );
        }
    }

    /// White has just taken the ko at E5.
    const KO: &str = "D6 E6 C5 F5 D4 E4 E5 D5";

    #[test]
    fn b5_a_ko_may_not_be_retaken_at_once() {
        check("9x9", KO, Black, "E5", Err(MoveError::Superko));
    }

    #[test]
    fn b5_a_ko_may_be_retaken_after_an_exchange_elsewhere() {
        check("9x9", &format!("{KO} A9 A1"), Black, "E5", Ok("D5"));
    }

    #[test]
    fn b5_passes_make_no_position_and_open_no_ko() {
        let (_, history) = played("9x9", KO);
        let (_, passed) = played("9x9", &format!("{KO} pass pass"));
        assert_eq!(passed, history);
        check(
            "9x9",
            &format!("{KO} pass pass"),
            Black,
            "E5",
            Err(MoveError::Superko),
        );
    }

    #[test]
    fn b5_retaking_two_stones_with_one_is_superko_though_no_simple_ko() {
        let moves = "A8 B6 B7 B5 A6 A4 J1 B4 A5 A7";
        check("9x9", moves, Black, "A6", Err(MoveError::Superko));
    }

    #[test]
    fn b5_a_snapback_is_no_ko() {
        let moves = "A3 A2 B3 B2 C3 C2 D2 C1 D1 J9 B1 A1";
        check("9x9", moves, Black, "B1", Ok("A1 C1 A2 B2 C2"));
    }

    #[test]
    fn b5_the_starting_stones_count_as_a_position() {
        let mut position = square(
            "
            . . . . .
            . X O . .
            X O . O .
            . X O . .
            . . . . .",
        );
        let mut history = History::new(&position);
        let geometry = position.geometry();
        let taken = history.play(&mut position, point(geometry, "C3"), Black);
        assert_eq!(taken, Ok(points(geometry, "B3")));
        let back = history.legal(&position, point(geometry, "B3"), White);
        assert_eq!(back.err(), Some(MoveError::Superko));
    }

    #[test]
    fn b5_no_position_is_too_old_to_be_repeated() {
        let mut position = square(
            "
            . X O . . X O . .
            X O . O X O . O .
            . X O . . X O . .
            . X O . . X O . .
            X O . O X O . O .
            . X O . . X O . .
            . X O . . X O . .
            X O . O X O . O .
            . X O . . X O . .",
        );
        let geometry = position.geometry();
        let mut history = History::new(&position);
        // Six kos have 64 positions, and a Gray code visits each once by taking one ko at a time.
        let kos = ["B8 C8", "F8 G8", "B5 C5", "F5 G5", "B2 C2", "F2 G2"].map(|ko| points(geometry, ko));
        let mut take = |ko: &[Point]| match position.stone(ko[0]) {
            Some(_) => history.play(&mut position, ko[1], Black),
            None => history.play(&mut position, ko[0], White),
        };
        for step in 1..64u32 {
            assert!(take(&kos[step.trailing_zeros() as usize]).is_ok(), "step {step}");
        }
        assert_eq!(take(&kos[5]), Err(MoveError::Superko), "the start, 63 plays ago");
    }

    #[test]
    fn b5_positions_that_share_a_hash_are_told_apart() {
        let (before_ko, _) = played("9x9", "D6 E6 C5 F5 D4 E4 E5");
        let (position, mut history) = played("9x9", KO);
        let retake = point(position.geometry(), "E5");
        let superko = |history: &History| history.legal(&position, retake, Black).err();
        // A newer entry with the same hash and, forged, one stone more hides nothing.
        history.push(&before_ko);
        let newest = history.words.len() - history.stride;
        history.words[newest] ^= 1;
        assert_eq!(superko(&history), Some(MoveError::Superko));
        history.pop();
        assert_eq!(superko(&history), Some(MoveError::Superko));
        // Alone, an entry with the same hash and other stones forbids nothing.
        let earlier = history.words.len() - 2 * history.stride;
        history.words[earlier] ^= 1;
        assert_eq!(superko(&history), None);
    }

    #[test]
    fn b4_suicide_is_tested_before_superko() {
        check("9x9", "A2 A1 B1", White, "A1", Err(MoveError::Suicide));
    }

    #[test]
    fn b8_occupied_is_tested_before_all_else() {
        check("9x9", KO, Black, "D5", Err(MoveError::Occupied));
    }

    #[test]
    fn b5_a_takeback_forgets_the_position_that_it_takes_back() {
        let (before, mut history) = played("9x9", "D6 E6 C5 F5 D4 E4 E5");
        let start = history.clone();
        let mut position = before.clone();
        let take = point(position.geometry(), "D5");
        history
            .play(&mut position, take, White)
            .expect("White takes the ko");
        history.pop();
        assert_eq!(history, start);
        assert!(history.legal(&before, take, White).is_ok(), "the same play again");
    }

    #[test]
    fn b5_the_start_cannot_be_taken_back() {
        let (_, mut history) = played("9x9", "");
        history.pop();
        assert_eq!(history.len(), 1);
    }

    #[test]
    fn b6_the_forbidden_points_come_with_their_reasons() {
        let (position, history) = played("9x9", "A2 A1 B1 J9 D6 E6 C5 F5 D4 E4 E5 D5");
        let geometry = position.geometry();
        let of = |color| history.forbidden(&position, color);
        assert_eq!(of(Black), [(point(geometry, "E5"), MoveError::Superko)]);
        assert_eq!(of(White), [(point(geometry, "A1"), MoveError::Suicide)]);
    }

    #[test]
    fn b5_a_hexagon_has_superko_though_no_ko() {
        // Two neighbouring cells always have a third in common, so a stone that takes one stone is never alone and
        // cannot be retaken by one; longer cycles there are.
        let moves = "C1 B3 B1 C2 B2 A3 pass A2 C1 B2 B1";
        check("hex2", moves, White, "B3", Err(MoveError::Superko));
        check("hex2", moves, White, "C2", Ok(""));
    }
}
