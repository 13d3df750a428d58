//! Stones on a board as playouts need them: the liberties of every chain at hand, and nothing allocated on a move.

use super::terrain::Terrain;
use crate::rules::{Color, Point, Position};

/// A board to play on fast. It follows the rules of [`Position`] and knows the simple ko instead of superko.
///
/// A chain is a ring of stones (`next`) around a head; the head's entries hold its size, its liberties as a set of
/// bits, and their number.
#[derive(Clone, Debug)]
pub struct FastBoard {
    terrain: &'static Terrain,
    stones: Vec<Option<Color>>,
    head: Vec<Point>,
    next: Vec<Point>,
    size: Vec<u16>,
    liberties: Vec<u16>,
    /// `words` for each head.
    sets: Vec<u64>,
    words: usize,
    empty: Vec<Point>,
    /// Where an empty point stands in `empty`.
    slot: Vec<u16>,
    ko: Option<Point>,
}

/// What a play would lead to, as far as its own chain goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// The liberties that the chain would have: exact up to one; from two on a lower bound that is at least two.
    pub liberties: u16,
    /// How many stones the chain would have.
    pub size: u16,
    /// How many stones it would capture.
    pub captured: u16,
}

impl FastBoard {
    /// A board with the stones of a position, and no ko.
    pub fn new(position: &Position) -> FastBoard {
        let terrain = Terrain::of(position.geometry().board());
        let points = terrain.points();
        let Some(&origin) = points.first() else {
            unreachable!("a board has points")
        };
        let words = points.len().div_ceil(64);
        let mut board = FastBoard {
            terrain,
            stones: vec![None; points.len()],
            head: vec![origin; points.len()],
            next: vec![origin; points.len()],
            size: vec![0; points.len()],
            liberties: vec![0; points.len()],
            sets: vec![0; points.len() * words],
            words,
            empty: points.to_vec(),
            slot: (0..points.len() as u16).collect(),
            ko: None,
        };
        for &point in points {
            if let Some(color) = position.stone(point) {
                board.place(point, color);
            }
        }
        board
    }

    /// Makes this board equal to another of the same terrain, without allocating.
    pub fn copy_from(&mut self, other: &FastBoard) {
        self.terrain = other.terrain;
        self.stones.clone_from(&other.stones);
        self.head.clone_from(&other.head);
        self.next.clone_from(&other.next);
        self.size.clone_from(&other.size);
        self.liberties.clone_from(&other.liberties);
        self.sets.clone_from(&other.sets);
        self.words = other.words;
        self.empty.clone_from(&other.empty);
        self.slot.clone_from(&other.slot);
        self.ko = other.ko;
    }

    /// The board's terrain.
    pub fn terrain(&self) -> &'static Terrain {
        self.terrain
    }

    /// The stone on a point.
    pub fn stone(&self, point: Point) -> Option<Color> {
        self.stones[point.index()]
    }

    /// The empty points, in no particular order.
    pub fn empty(&self) -> &[Point] {
        &self.empty
    }

    /// Where the player to move may not take the ko back.
    pub fn ko(&self) -> Option<Point> {
        self.ko
    }

    /// Forgets the ko, as after a pass.
    pub fn forget_ko(&mut self) {
        self.ko = None;
    }

    /// The points joined to this one.
    pub fn neighbours(&self, point: Point) -> &'static [Point] {
        self.terrain.geometry().neighbours(point)
    }

    /// A point that stands for the whole chain of the stone on `point`. Meaningless for an empty point.
    pub fn head(&self, point: Point) -> Point {
        self.head[point.index()]
    }

    /// How many liberties the chain with this head has.
    pub fn liberties(&self, head: Point) -> u16 {
        self.liberties[head.index()]
    }

    /// How many stones the chain with this head has.
    pub fn size(&self, head: Point) -> u16 {
        self.size[head.index()]
    }

    /// The stones of the chain with this head, the head first.
    pub fn chain(&self, head: Point) -> impl Iterator<Item = Point> + use<'_> {
        std::iter::successors(Some(head), move |stone| {
            let next = self.next[stone.index()];
            (next != head).then_some(next)
        })
    }

    /// The first liberty of the chain with this head, by index.
    pub fn first_liberty(&self, head: Point) -> Option<Point> {
        self.liberties_of(head).next()
    }

    /// The liberties of the chain with this head, by rising index.
    pub fn liberties_of(&self, head: Point) -> impl Iterator<Item = Point> + use<'_> {
        let points = self.terrain.points();
        self.set(head).iter().enumerate().flat_map(move |(index, &word)| {
            let bits = std::iter::successors((word != 0).then_some(word), |word| {
                let rest = word & (word - 1);
                (rest != 0).then_some(rest)
            });
            bits.map(move |word| points[index * 64 + word.trailing_zeros() as usize])
        })
    }

    /// Whether a point is a liberty of the chain with this head.
    pub fn is_liberty(&self, head: Point, point: Point) -> bool {
        let index = point.index();
        self.sets[head.index() * self.words + index / 64] & (1 << (index % 64)) != 0
    }

    /// Whether a play on an empty point is against the rules: suicide, or taking back the ko.
    pub fn is_illegal(&self, point: Point, color: Color) -> bool {
        if self.ko == Some(point) {
            return true;
        }
        !self.neighbours(point).iter().any(|&each| match self.stone(each) {
            None => true,
            Some(stone) if stone == color => self.liberties(self.head(each)) > 1,
            Some(_) => self.liberties(self.head(each)) == 1,
        })
    }

    /// What a play on an empty point would lead to; liberties beyond two are not counted.
    pub fn outlook(&self, point: Point, color: Color) -> Outlook {
        let mut outlook = Outlook {
            liberties: 0,
            size: 1,
            captured: 0,
        };
        // Up to two different liberties are remembered; a third changes nothing.
        let mut first: Option<Point> = None;
        let mut add = |liberty: Point, count: &mut u16| match first {
            None => (first, *count) = (Some(liberty), (*count).max(1)),
            Some(known) if known != liberty => *count = 2,
            Some(_) => {}
        };
        let around = self.neighbours(point);
        for (index, &each) in around.iter().enumerate() {
            let Some(stone) = self.stone(each) else {
                add(each, &mut outlook.liberties);
                continue;
            };
            let head = self.head(each);
            let met = around[..index]
                .iter()
                .any(|&before| self.stone(before).is_some() && self.head(before) == head);
            if stone != color {
                if self.liberties(head) == 1 {
                    add(each, &mut outlook.liberties);
                    outlook.captured += if met { 0 } else { self.size(head) };
                }
            } else if !met {
                outlook.size += self.size(head);
                if self.liberties(head) > 2 {
                    outlook.liberties = 2;
                } else {
                    let others = self.liberties_of(head).filter(|&liberty| liberty != point);
                    others.for_each(|liberty| add(liberty, &mut outlook.liberties));
                }
            }
        }
        if outlook.captured > 1 && outlook.liberties < 2 && self.captures_reach(point, color) {
            outlook.liberties = 2;
        }
        outlook
    }

    /// Makes a legal play and returns how many stones it captures.
    pub fn play(&mut self, point: Point, color: Color) -> u16 {
        let opponent = color.opponent();
        self.place(point, color);
        self.ko = None;
        let (mut captured, mut taken) = (0, point);
        for &each in self.neighbours(point) {
            if self.stone(each) == Some(opponent) && self.liberties(self.head(each)) == 0 {
                captured += self.remove(self.head(each));
                taken = each;
            }
        }
        let head = self.head(point);
        if captured == 1 && self.size(head) == 1 && self.liberties(head) == 1 {
            self.ko = Some(taken);
        }
        captured
    }

    /// Whether the stones that a play captures give its chain a second liberty: they touch other stones of it.
    fn captures_reach(&self, point: Point, color: Color) -> bool {
        let own = |each: Point| {
            each == point
                || self.stone(each) == Some(color)
                    && self
                        .neighbours(point)
                        .iter()
                        .any(|&near| self.stone(near) == Some(color) && self.head(near) == self.head(each))
        };
        let taken = self.neighbours(point).iter().filter(|&&each| {
            self.stone(each) == Some(color.opponent()) && self.liberties(self.head(each)) == 1
        });
        let mut freed = taken
            .flat_map(|&each| self.chain(self.head(each)))
            .filter(|&stone| self.neighbours(stone).iter().any(|&each| own(each)));
        let first = freed.next();
        freed.any(|stone| Some(stone) != first)
    }

    /// Puts a stone down, joins the chains that it touches and takes the liberty from all around.
    fn place(&mut self, point: Point, color: Color) {
        let index = point.index();
        self.drop_empty(point);
        self.stones[index] = Some(color);
        self.head[index] = point;
        self.next[index] = point;
        self.size[index] = 1;
        self.liberties[index] = 0;
        self.sets[index * self.words..][..self.words].fill(0);
        for &each in self.neighbours(point) {
            match self.stone(each) {
                None => self.add_liberty(self.head[index], each),
                Some(stone) => {
                    let head = self.head(each);
                    self.take_liberty(head, point);
                    if stone == color {
                        self.join(self.head[index], head);
                    }
                }
            }
        }
    }

    fn remove(&mut self, head: Point) -> u16 {
        let mut stone = head;
        loop {
            self.stones[stone.index()] = None;
            self.slot[stone.index()] = self.empty.len() as u16;
            self.empty.push(stone);
            for &each in self.neighbours(stone) {
                // Stones of the chain itself that are still there are given it too; their chain is going anyway.
                if self.stone(each).is_some() {
                    self.add_liberty(self.head(each), stone);
                }
            }
            stone = self.next[stone.index()];
            if stone == head {
                return self.size(head);
            }
        }
    }

    fn join(&mut self, one: Point, other: Point) {
        if one == other {
            return;
        }
        let (kept, gone) = if self.size(one) >= self.size(other) {
            (one, other)
        } else {
            (other, one)
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
        self.size[kept.index()] += self.size(gone);
        let (mut count, words) = (0, self.words);
        for word in 0..words {
            let joined = self.sets[kept.index() * words + word] | self.sets[gone.index() * words + word];
            self.sets[kept.index() * words + word] = joined;
            count += joined.count_ones();
        }
        self.liberties[kept.index()] = count as u16;
    }

    fn set(&self, head: Point) -> &[u64] {
        &self.sets[head.index() * self.words..][..self.words]
    }

    fn add_liberty(&mut self, head: Point, point: Point) {
        let (word, bit) = (
            head.index() * self.words + point.index() / 64,
            1 << (point.index() % 64),
        );
        self.liberties[head.index()] += u16::from(self.sets[word] & bit == 0);
        self.sets[word] |= bit;
    }

    fn take_liberty(&mut self, head: Point, point: Point) {
        let (word, bit) = (
            head.index() * self.words + point.index() / 64,
            1 << (point.index() % 64),
        );
        self.liberties[head.index()] -= u16::from(self.sets[word] & bit != 0);
        self.sets[word] &= !bit;
    }

    fn drop_empty(&mut self, point: Point) {
        let slot = self.slot[point.index()];
        self.empty.swap_remove(slot as usize);
        if let Some(&moved) = self.empty.get(slot as usize) {
            self.slot[moved.index()] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::chance::Chance;
    use super::*;
    use crate::rules::{Board, PlayError};

    /// Plays a random game on both boards and compares them after each move.
    fn check_game(board: Board, seed: u64) {
        let mut position = Position::empty(board.geometry());
        let mut fast = FastBoard::new(&position);
        let mut chance = Chance::new(seed);
        let mut color = Color::Black;
        for _ in 0..3 * board.geometry().len() {
            let point = fast.terrain().points()[chance.below(board.geometry().len())];
            let legal = position.prospect(point, color);
            if legal.is_ok() && fast.ko() != Some(point) {
                let outlook = fast.outlook(point, color);
                assert!(!fast.is_illegal(point, color));
                let captured = position.play(point, color).expect("a legal play").len();
                assert_eq!(usize::from(fast.play(point, color)), captured);
                assert_eq!(usize::from(outlook.captured), captured);
                let head = fast.head(point);
                assert_eq!(outlook.size, fast.size(head));
                assert_eq!(
                    outlook.liberties.min(2),
                    fast.liberties(head).min(2),
                    "{board} {seed}"
                );
            } else if legal.err() == Some(PlayError::Suicide) {
                assert!(fast.is_illegal(point, color));
            }
            color = color.opponent();
            check_same(&position, &fast);
        }
    }

    fn check_same(position: &Position, fast: &FastBoard) {
        for point in position.points() {
            assert_eq!(fast.stone(point), position.stone(point));
            if position.stone(point).is_none() {
                assert!(fast.empty().contains(&point));
                continue;
            }
            let liberties: Vec<Point> = fast.liberties_of(fast.head(point)).collect();
            assert_eq!(liberties, position.liberties(point));
            assert_eq!(usize::from(fast.liberties(fast.head(point))), liberties.len());
            assert_eq!(
                fast.chain(fast.head(point)).count(),
                position.chain(point).count()
            );
        }
        assert_eq!(
            fast.empty().len(),
            position
                .points()
                .filter(|&point| position.stone(point).is_none())
                .count()
        );
    }

    #[test]
    fn prop_the_fast_board_follows_the_rules() {
        for (board, games) in [("5x5", 40), ("9x9", 10), ("hex2", 40), ("hex4", 20)] {
            for seed in 0..games {
                check_game(board.parse().expect("a board"), seed);
            }
        }
    }

    #[test]
    fn a_copy_is_equal() {
        let board = Board::square(9).expect("a board");
        let empty = Position::empty(board.geometry());
        let (mut one, mut other) = (FastBoard::new(&empty), FastBoard::new(&empty));
        one.play(one.terrain().points()[40], Color::Black);
        other.copy_from(&one);
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
    }
}
