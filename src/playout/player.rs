//! Playing a position to the end.

use super::board::FastBoard;
use super::chance::Chance;
use super::outcome::Owners;
use super::shapes::Shape;
use crate::rules::{Color, PerColor, Point};

/// What playouts of one position have in common, and the memory that they need.
#[derive(Clone, Debug)]
pub struct Player {
    /// By point, whether nobody needs to play there: it is decided.
    closed: Vec<bool>,
    /// By point, the number of its quiet region, or `NO_REGION`.
    quiet: Vec<u16>,
    /// By quiet region, whose it is, and whether the opponent has played there in this playout.
    regions: Vec<(Color, bool)>,
    candidates: Vec<Point>,
    saves: Vec<Point>,
    /// By color and point, what last worked as that color's answer to a stone there.
    replies: PerColor<Vec<Option<Point>>>,
    /// The answers of the last playout: who, to what, and what.
    answers: Vec<(Color, Point, Point)>,
}

const NO_REGION: u16 = u16::MAX;

/// In 256, how often a chain in atari is saved, or one that can be captured is.
const URGENT: u16 = 230;

/// In 256, how often a play is looked for close to the last one first.
const NEARBY: u16 = 64;

impl Player {
    /// A player for playouts from this board. Nobody plays where `closed` says so.
    pub fn new(start: &FastBoard, closed: Vec<bool>) -> Player {
        let mut player = Player {
            quiet: vec![NO_REGION; closed.len()],
            closed,
            regions: Vec::new(),
            candidates: Vec::with_capacity(start.empty().len()),
            saves: Vec::with_capacity(8),
            replies: PerColor::from_fn(|_| vec![None; start.terrain().points().len()]),
            answers: Vec::new(),
        };
        player.find_quiet_regions(start);
        player
    }

    /// Plays until both pass in a row, or for three times as many moves as the board has points, and returns the number
    /// of moves. `last` is the move before.
    pub fn finish(
        &mut self,
        board: &mut FastBoard,
        to_move: Color,
        last: Option<Point>,
        chance: &mut Chance,
    ) -> u32 {
        let limit = 3 * board.terrain().points().len() as u32;
        self.regions
            .iter_mut()
            .for_each(|(_, intruded)| *intruded = false);
        self.answers.clear();
        let (mut color, mut last, mut passes, mut moves) = (to_move, last, 0, 0);
        while passes < 2 && moves < limit {
            let choice = self.choose(board, color, last, chance);
            match choice {
                Some(point) => {
                    self.play(board, point, color);
                    self.answers.extend(last.map(|last| (color, last, point)));
                    passes = 0;
                }
                None => {
                    board.forget_ko();
                    passes += 1;
                }
            }
            last = choice;
            moves += 1;
            color = color.opponent();
        }
        moves
    }

    /// Remembers which answers of the last playout worked, given who owns what at its end: those that won the place of
    /// the stone that they answered, and kept their own. What did not work again is forgotten. (An answer that is judged
    /// by what became of its neighbourhood; after P. Drake, "The Last-Good-Reply Policy for Monte-Carlo Go", 2009.)
    pub fn learn(&mut self, owners: &Owners) {
        for &(color, stone, answer) in &self.answers {
            let reply = &mut self.replies.get_mut(color)[stone.index()];
            if owners.of(stone) == Some(color) && owners.of(answer) == Some(color) {
                *reply = Some(answer);
            } else if *reply == Some(answer) {
                *reply = None;
            }
        }
    }

    fn play(&mut self, board: &mut FastBoard, point: Point, color: Color) {
        board.play(point, color);
        if let Some((owner, intruded)) = self.regions.get_mut(self.quiet[point.index()] as usize) {
            *intruded |= *owner != color;
        }
    }

    /// The next play of `color`; `None` is a pass.
    fn choose(
        &mut self,
        board: &FastBoard,
        color: Color,
        last: Option<Point>,
        chance: &mut Chance,
    ) -> Option<Point> {
        let local = last.and_then(|last| {
            self.known_reply(board, color, last)
                .or_else(|| self.answer(board, color, last, chance))
                .or_else(|| self.nearby(board, color, last, chance))
        });
        local.or_else(|| self.anywhere(board, color, chance))
    }

    fn known_reply(&self, board: &FastBoard, color: Color, last: Point) -> Option<Point> {
        let reply = self.replies.get(color)[last.index()]?;
        (board.stone(reply).is_none() && self.is_sensible(board, reply, color)).then_some(reply)
    }

    /// Now and then a play close to the last one.
    fn nearby(&mut self, board: &FastBoard, color: Color, last: Point, chance: &mut Chance) -> Option<Point> {
        if !chance.one_in_256(NEARBY) {
            return None;
        }
        let around = board.neighbours(last);
        for _ in 0..3 {
            let step = around[chance.below(around.len())];
            let there = board.neighbours(step);
            let index = chance.below(there.len() + 2);
            let point = *there.get(index).unwrap_or(&step);
            if board.stone(point).is_none() && self.is_sensible(board, point, color) {
                return Some(point);
            }
        }
        None
    }

    /// A play that the last one makes urgent: capturing, escaping, or the vital point of an eye space.
    fn answer(&mut self, board: &FastBoard, color: Color, last: Point, chance: &mut Chance) -> Option<Point> {
        self.saves.clear();
        // The stone just played, or one beside it, can be captured.
        self.capture_at(board, color, last);
        for &each in board.neighbours(last) {
            self.capture_at(board, color, each);
            if board.stone(each) == Some(color) && board.liberties(board.head(each)) == 1 {
                self.rescue(board, color, board.head(each));
            }
        }
        if !self.saves.is_empty() && chance.one_in_256(URGENT) {
            return Some(self.saves[chance.below(self.saves.len())]);
        }
        let spaces = board
            .neighbours(last)
            .iter()
            .filter(|each| board.stone(**each).is_none() && !self.closed[each.index()]);
        let mut vital =
            spaces.filter_map(|&each| board.small_region(each).and_then(|(shape, _)| shape.vital(board)));
        vital.find(|&point| self.is_sensible(board, point, color))
    }

    /// Moves that get a chain out of atari: capturing what attacks it, or extending.
    fn rescue(&mut self, board: &FastBoard, color: Color, head: Point) {
        for stone in board.chain(head) {
            for &each in board.neighbours(stone) {
                self.capture_at(board, color, each);
            }
        }
        if let Some(liberty) = board.first_liberty(head) {
            self.save(board, liberty, color, 2);
        }
    }

    /// The move that captures the opposing chain of a stone, if it is in atari.
    fn capture_at(&mut self, board: &FastBoard, color: Color, stone: Point) {
        let in_atari =
            board.stone(stone) == Some(color.opponent()) && board.liberties(board.head(stone)) == 1;
        if in_atari && let Some(liberty) = board.first_liberty(board.head(stone)) {
            self.save(board, liberty, color, 1);
        }
    }

    /// Notes a move if it is legal and leaves so many liberties.
    fn save(&mut self, board: &FastBoard, point: Point, color: Color, liberties: u16) {
        if !self.closed[point.index()]
            && !self.saves.contains(&point)
            && !board.is_illegal(point, color)
            && board.outlook(point, color).liberties >= liberties
        {
            self.saves.push(point);
        }
    }

    /// A sensible play anywhere, each as likely as the other.
    fn anywhere(&mut self, board: &FastBoard, color: Color, chance: &mut Chance) -> Option<Point> {
        self.candidates.clear();
        self.candidates.extend_from_slice(board.empty());
        let mut left = self.candidates.len();
        while left > 0 {
            let index = chance.below(left);
            let point = self.candidates[index];
            if self.is_sensible(board, point, color) {
                return Some(point);
            }
            left -= 1;
            self.candidates.swap(index, left);
        }
        None
    }

    fn is_sensible(&self, board: &FastBoard, point: Point, color: Color) -> bool {
        if self.closed[point.index()]
            || self.is_quiet(point, color)
            || board.is_eye(point, color)
            || board.is_illegal(point, color)
        {
            return false;
        }
        let outlook = board.outlook(point, color);
        outlook.liberties > 1 || outlook.captured > 0 || self.is_sacrifice(board, point, color)
    }

    /// Whether a self-atari is worth it: a single stone thrown in, or stones that leave an eye space which can still be
    /// killed when they are captured, and that threaten to capture at once.
    fn is_sacrifice(&self, board: &FastBoard, point: Point, color: Color) -> bool {
        let mut shape = Shape::of(point);
        for &each in board.neighbours(point) {
            if board.stone(each) == Some(color) && !shape.contains(each) {
                for stone in board.chain(board.head(each)) {
                    if !shape.add(stone) {
                        return false;
                    }
                }
            }
        }
        if shape.points().len() == 1 {
            return true;
        }
        let opponent = color.opponent();
        let threatens = |&each: &Point| {
            let of = |near: &&Point| board.stone(**near) == Some(opponent);
            board.neighbours(each).iter().filter(of).all(|&near| {
                let head = board.head(near);
                board.liberties(head) <= 1 + u16::from(board.is_liberty(head, point))
            })
        };
        // The last liberty lies inside the opponent's eye, too: capturing there must not endanger other own stones.
        let inside = |&each: &Point| {
            let near = board.neighbours(each).iter();
            near.filter(|&&near| board.stone(near).is_none() && near != point)
                .all(|&liberty| {
                    let around = board.neighbours(liberty).iter();
                    around
                        .filter(|&&far| board.stone(far) == Some(color))
                        .all(|&far| shape.contains(far))
                })
        };
        shape.points().iter().all(threatens) && shape.points().iter().all(inside) && shape.is_killing(board)
    }

    /// Whether a point is in the quiet territory of `color`, where it need not play before the opponent does.
    fn is_quiet(&self, point: Point, color: Color) -> bool {
        let region = self.regions.get(self.quiet[point.index()] as usize);
        region.is_some_and(|&(owner, intruded)| owner == color && !intruded)
    }

    fn find_quiet_regions(&mut self, board: &FastBoard) {
        let mut seen = vec![false; self.closed.len()];
        for &start in board.empty() {
            if std::mem::replace(&mut seen[start.index()], true) {
                continue;
            }
            let (mut region, mut visited) = (vec![start], 0);
            let mut touches = PerColor::<bool>::default();
            while let Some(&point) = region.get(visited) {
                visited += 1;
                for &each in board.neighbours(point) {
                    match board.stone(each) {
                        Some(color) => *touches.get_mut(color) = true,
                        None if !std::mem::replace(&mut seen[each.index()], true) => region.push(each),
                        None => {}
                    }
                }
            }
            if touches.black == touches.white {
                continue;
            }
            let owner = if touches.black { Color::Black } else { Color::White };
            for point in region {
                self.quiet[point.index()] = self.regions.len() as u16;
            }
            self.regions.push((owner, false));
        }
    }
}
