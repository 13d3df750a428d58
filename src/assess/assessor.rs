//! Gathering the evidence: playouts of a position, in steps.

use super::pass_alive::pass_alive;
use super::verdict::{Evidence, judge};
use super::{Assessment, Status};
use crate::playout::{Chance, FastBoard, Owners, Player};
use crate::rules::{Color, Point, Position};
use crate::ruleset::Removes;

/// The most playouts of a position. Beyond, the shares hardly move.
const MOST_PLAYOUTS: u32 = 800;

/// How many moves the playouts of a position may have together, for each point of the board. It bounds the time for
/// positions with much open space.
const MOVES_A_POINT: u32 = 500;

/// How many moves make a step: some ten milliseconds in WebAssembly.
const MOVES_A_STEP: u32 = 12_000;

/// A judgement in the making.
#[derive(Clone, Debug)]
pub struct Assessor {
    position: Position,
    removes: Removes,
    /// By point, who owns it without condition.
    settled: Vec<Option<Color>>,
    /// The chains on which there is something to find out.
    open: Vec<Evidence>,
    start: FastBoard,
    board: FastBoard,
    player: Player,
    owners: Owners,
    chance: Chance,
    playouts: u32,
    moves: u32,
    /// By point, whether the chain with this head ended the last playout in seki.
    in_seki: Vec<bool>,
}

impl Assessor {
    /// Begins to judge a position, to have these chains taken off.
    pub fn new(position: &Position, removes: Removes) -> Assessor {
        let settled = pass_alive(position);
        let start = FastBoard::new(position);
        let points = settled.len();
        let first = |&point: &Point| {
            position.chain(point).all(|stone| stone >= point) && position.stone(point).is_some()
        };
        let open = position
            .points()
            .filter(first)
            .filter(|point| settled[point.index()].is_none());
        Assessor {
            open: open
                .filter_map(|stone| Some(Evidence::new(stone, position.stone(stone)?)))
                .collect(),
            position: position.clone(),
            removes,
            player: Player::new(&start, settled.iter().map(Option::is_some).collect()),
            settled,
            board: start.clone(),
            start,
            owners: Owners::new(points),
            chance: Chance::new(position.hash()),
            playouts: 0,
            moves: 0,
            in_seki: vec![false; points],
        }
    }

    /// Does a step of the work, some ten milliseconds of it, and returns the judgement when it was the last. Asked again
    /// after that, it returns the same.
    pub fn work(&mut self) -> Option<Assessment> {
        let pause = self.moves + MOVES_A_STEP;
        while !self.is_done() {
            if self.moves >= pause {
                return None;
            }
            self.play_out();
        }
        Some(judge(
            &self.position,
            self.removes,
            &self.settled,
            &self.open,
            self.playouts,
        ))
    }

    fn is_done(&self) -> bool {
        let most = MOVES_A_POINT * self.settled.len() as u32;
        // An even number, so that both sides have moved first as often.
        let fair = self.playouts.is_multiple_of(2);
        self.open.is_empty() || fair && (self.playouts >= MOST_PLAYOUTS || self.moves >= most)
    }

    fn play_out(&mut self) {
        let to_move = if self.playouts.is_multiple_of(2) {
            Color::Black
        } else {
            Color::White
        };
        self.board.copy_from(&self.start);
        self.player.begin();
        self.moves += self
            .player
            .finish(&mut self.board, to_move, None, &mut self.chance);
        self.owners.find(&self.board);
        self.player.learn(&self.owners);
        self.mark_seki();
        for evidence in &mut self.open {
            let survives = self.owners.of(evidence.stone) == Some(evidence.color);
            let stands = self.board.stone(evidence.stone) == Some(evidence.color);
            let seki = survives && stands && self.in_seki[self.board.head(evidence.stone).index()];
            evidence.add(
                self.playouts,
                match (survives, seki) {
                    (false, _) => Status::Dead,
                    (true, false) => Status::Alive,
                    (true, true) => Status::Seki,
                },
            );
        }
        self.playouts += 1;
    }

    /// Marks the chains that ended in seki: beside points that are nobody's, and with one eye at most.
    fn mark_seki(&mut self) {
        self.in_seki.fill(false);
        for &point in self.board.empty() {
            if self.owners.of(point).is_none() {
                for &each in self.board.neighbours(point) {
                    if self.board.stone(each).is_some() && !self.has_two_eyes(self.board.head(each)) {
                        self.in_seki[self.board.head(each).index()] = true;
                    }
                }
            }
        }
    }

    /// Whether a chain touches two regions that are its color's.
    fn has_two_eyes(&self, head: Point) -> bool {
        let own = |liberty: &Point| self.owners.of(*liberty) == self.board.stone(head);
        let mut eyes = self
            .board
            .liberties_of(head)
            .filter(own)
            .map(|liberty| self.owners.region_of(liberty));
        let first = eyes.next();
        eyes.any(|eye| Some(eye) != first)
    }
}
