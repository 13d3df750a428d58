//! Stones on a board: chains, captures, suicide. It knows no turn and no history; superko is [`History`]'s.
//!
//! Chains are kept incrementally, so that a play costs in proportion to the chains that it touches. A chain is a
//! ring of stones (`next`) around a head, and the head's entry counts the chain's *pseudo-liberties*: for each of
//! its stones each empty neighbour, so that a liberty shared by two stones counts twice. The count is zero exactly
//! when the chain has no liberty, needs no set of points to keep, and says whether a play takes the last liberty:
//! it does when as many lines join the point to the chain as the chain has pseudo-liberties.
//!
//! [`History`]: super::History

use super::color::Color;
use super::geometry::{Geometry, MAX_NEIGHBOURS};
use super::setup::{Setup, SetupError};
use super::vertex::Point;
use super::zobrist;

/// Stones on a board, every chain with at least one liberty.
///
/// Two positions are equal when the same stones lie on the same board: what positional superko asks (B5).
#[derive(Clone, Debug)]
pub struct Position {
    geometry: &'static Geometry,
    stones: Vec<Option<Color>>,
    /// For a stone's point, the head of its chain.
    head: Vec<Point>,
    /// For a stone's point, the next stone of its chain, around to the first.
    next: Vec<Point>,
    /// For a head's point, its chain. Other entries are stale.
    chains: Vec<Chain>,
    placement: Placement,
    hash: u64,
}

/// Why a stone may not be played at all, whatever came before (B4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// A stone lies there.
    #[error("the point is occupied")]
    Occupied,
    /// The stone would capture nothing and leave its own chain without a liberty.
    #[error("the play would leave its own chain without a liberty")]
    Suicide,
}

/// A legal play that has not been made: what it would change.
#[derive(Clone, Copy, Debug)]
pub struct Prospect {
    point: Point,
    color: Color,
    captured: HeadList,
    /// The hash of the position that the play would make.
    pub hash: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    pseudo_liberties: u16,
    size: u16,
    hash: u64,
}

/// Heads of up to six chains around a point, each with the number of lines that join it to the point.
#[derive(Clone, Copy, Debug)]
struct HeadList {
    heads: [(Point, u16); MAX_NEIGHBOURS],
    count: usize,
}

impl HeadList {
    const EMPTY: HeadList = HeadList {
        heads: [(Point(0), 0); MAX_NEIGHBOURS],
        count: 0,
    };

    fn add(&mut self, head: Point) {
        match self.heads[..self.count]
            .iter_mut()
            .find(|(known, _)| *known == head)
        {
            Some((_, lines)) => *lines += 1,
            None => {
                self.heads[self.count] = (head, 1);
                self.count += 1;
            }
        }
    }

    fn iter(&self) -> impl Iterator<Item = (Point, u16)> + use<'_> {
        self.heads[..self.count].iter().copied()
    }
}

/// The stones as two bit sets, the least form of a position that can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    /// Black's bits, then as many words of White's.
    words: Vec<u64>,
}

impl Placement {
    fn empty(points: usize) -> Placement {
        Placement {
            words: vec![0; 2 * points.div_ceil(64)],
        }
    }

    fn flip(&mut self, point: Point, color: Color) {
        let half = match color {
            Color::Black => 0,
            Color::White => self.words.len() / 2,
        };
        self.words[half + point.index() / 64] ^= 1 << (point.index() % 64);
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.geometry.board() == other.geometry.board() && self.placement == other.placement
    }
}

impl Eq for Position {}

impl Position {
    /// The empty board.
    pub fn empty(geometry: &'static Geometry) -> Position {
        let points = geometry.len();
        Position {
            geometry,
            stones: vec![None; points],
            head: vec![Point(0); points],
            next: vec![Point(0); points],
            chains: vec![Chain::default(); points],
            placement: Placement::empty(points),
            hash: 0,
        }
    }

    /// The position with these stones.
    ///
    /// # Errors
    /// When a point is named twice or a chain has no liberty: such a board cannot come up in play.
    pub fn from_setup(setup: &Setup) -> Result<Position, SetupError> {
        let mut position = Position::empty(setup.board.geometry());
        for color in Color::BOTH {
            for &point in setup.stones.get(color) {
                if position.stone(point).is_some() {
                    return Err(SetupError::Twice(position.geometry.vertex(point)));
                }
                position.place(point, color);
            }
        }
        let starved = position.points().find(|&point| {
            position.stones[point.index()].is_some()
                && position.chains[position.head[point.index()].index()].pseudo_liberties == 0
        });
        match starved {
            Some(point) => Err(SetupError::NoLiberty(position.geometry.vertex(point))),
            None => Ok(position),
        }
    }

    /// The board under the stones.
    pub fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    /// The stone on a point.
    pub fn stone(&self, point: Point) -> Option<Color> {
        self.stones[point.index()]
    }

    /// Every point of the board, by rising index.
    pub fn points(&self) -> impl DoubleEndedIterator<Item = Point> + ExactSizeIterator + use<> {
        self.geometry.points()
    }

    /// The points with stones of one color, by rising index.
    pub fn stones_of(&self, color: Color) -> impl Iterator<Item = Point> + use<'_> {
        self.points()
            .filter(move |&point| self.stone(point) == Some(color))
    }

    /// The chain of the stone on a point, that stone first; empty for an empty point.
    pub fn chain(&self, point: Point) -> impl Iterator<Item = Point> + use<'_> {
        let first = self.stone(point).map(|_| point);
        std::iter::successors(first, move |stone| {
            let next = self.next[stone.index()];
            (next != point).then_some(next)
        })
    }

    /// A point that stands for the whole chain of the stone on `point`: equal for two stones exactly when they
    /// are of one chain, until the next play. `None` for an empty point.
    pub fn chain_id(&self, point: Point) -> Option<Point> {
        self.stone(point).map(|_| self.head[point.index()])
    }

    /// The liberties of the chain of the stone on a point, each once, in no particular order.
    pub fn liberties(&self, point: Point) -> Vec<Point> {
        let around = self
            .chain(point)
            .flat_map(|stone| self.geometry.neighbours(stone).iter().copied());
        let mut liberties: Vec<Point> = around.filter(|&each| self.stone(each).is_none()).collect();
        liberties.sort_unstable();
        liberties.dedup();
        liberties
    }

    /// A number for the placement of stones. Equal positions of one board have equal hashes; different ones
    /// nearly always different hashes.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    pub(super) fn placement(&self) -> &Placement {
        &self.placement
    }

    /// What a play would do, if it is legal apart from superko (B4: first captures, then suicide).
    ///
    /// # Errors
    /// [`PlayError::Occupied`], then [`PlayError::Suicide`].
    pub fn prospect(&self, point: Point, color: Color) -> Result<Prospect, PlayError> {
        if self.stone(point).is_some() {
            return Err(PlayError::Occupied);
        }
        let (mut own, mut opposing) = (HeadList::EMPTY, HeadList::EMPTY);
        let mut breathes = false;
        for &neighbour in self.geometry.neighbours(point) {
            let head = self.head[neighbour.index()];
            match self.stones[neighbour.index()] {
                None => breathes = true,
                Some(stone) if stone == color => own.add(head),
                Some(_) => opposing.add(head),
            }
        }
        let liberties = |head: Point| self.chains[head.index()].pseudo_liberties;
        let mut captured = HeadList::EMPTY;
        let mut hash = self.hash ^ zobrist::key(point, color);
        for (head, lines) in opposing.iter().filter(|&(head, lines)| liberties(head) == lines) {
            captured.heads[captured.count] = (head, lines);
            captured.count += 1;
            hash ^= self.chains[head.index()].hash;
        }
        if !breathes && captured.count == 0 && own.iter().all(|(head, lines)| liberties(head) == lines) {
            return Err(PlayError::Suicide);
        }
        Ok(Prospect {
            point,
            color,
            captured,
            hash,
        })
    }

    /// Makes a play and returns the captured stones, by rising index.
    ///
    /// # Errors
    /// As [`prospect`](Position::prospect); then nothing has changed.
    pub fn play(&mut self, point: Point, color: Color) -> Result<Vec<Point>, PlayError> {
        let prospect = self.prospect(point, color)?;
        Ok(self.carry_out(&prospect))
    }

    /// Makes the play of a prospect of this very position and returns the captured stones, by rising index.
    pub fn carry_out(&mut self, prospect: &Prospect) -> Vec<Point> {
        let mut captured = Vec::new();
        for (head, _) in prospect.captured.iter() {
            self.remove_chain(head, &mut captured);
        }
        captured.sort_unstable();
        self.place(prospect.point, prospect.color);
        debug_assert_eq!(self.hash, prospect.hash);
        captured
    }

    /// The stones as they would lie after a prospect of this position, without making it.
    pub(super) fn placement_after(&self, prospect: &Prospect) -> Placement {
        let mut after = self.placement.clone();
        after.flip(prospect.point, prospect.color);
        for (head, _) in prospect.captured.iter() {
            for stone in self.chain(head) {
                after.flip(stone, prospect.color.opponent());
            }
        }
        after
    }

    /// Puts a stone on an empty point, joins the chains that it touches and takes the liberty from all around.
    fn place(&mut self, point: Point, color: Color) {
        self.stones[point.index()] = Some(color);
        self.placement.flip(point, color);
        let key = zobrist::key(point, color);
        self.hash ^= key;
        self.head[point.index()] = point;
        self.next[point.index()] = point;
        self.chains[point.index()] = Chain {
            pseudo_liberties: 0,
            size: 1,
            hash: key,
        };
        for &neighbour in self.geometry.neighbours(point) {
            match self.stones[neighbour.index()] {
                None => self.chains[self.head[point.index()].index()].pseudo_liberties += 1,
                Some(stone) => {
                    self.chains[self.head[neighbour.index()].index()].pseudo_liberties -= 1;
                    if stone == color {
                        self.join(self.head[point.index()], self.head[neighbour.index()]);
                    }
                }
            }
        }
    }

    /// Makes one chain of two, given by their heads; the larger keeps its head.
    fn join(&mut self, one: Point, other: Point) {
        if one == other {
            return;
        }
        let (kept, gone) = match self.chains[one.index()].size >= self.chains[other.index()].size {
            true => (one, other),
            false => (other, one),
        };
        let mut stone = gone;
        loop {
            self.head[stone.index()] = kept;
            stone = self.next[stone.index()];
            if stone == gone {
                break;
            }
        }
        self.next.swap(kept.index(), gone.index());
        let gone = self.chains[gone.index()];
        let kept = &mut self.chains[kept.index()];
        kept.pseudo_liberties += gone.pseudo_liberties;
        kept.size += gone.size;
        kept.hash ^= gone.hash;
    }

    fn remove_chain(&mut self, head: Point, captured: &mut Vec<Point>) {
        self.hash ^= self.chains[head.index()].hash;
        let mut stone = head;
        loop {
            if let Some(color) = self.stones[stone.index()].take() {
                self.placement.flip(stone, color);
            }
            captured.push(stone);
            for &neighbour in self.geometry.neighbours(stone) {
                if self.stones[neighbour.index()].is_some() {
                    // Stones of the chain itself that are still there are counted too; their chain is going anyway.
                    self.chains[self.head[neighbour.index()].index()].pseudo_liberties += 1;
                }
            }
            stone = self.next[stone.index()];
            if stone == head {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests;
