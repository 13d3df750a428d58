//! Random games: the engine against the [referee](super::referee), and what must hold of every position.
//!
//! The games crowd their stones together and, on the smallest boards, run long past the end of a sensible game, so
//! that captures, suicide and superko are daily business; a test here makes sure of that.

use super::color::{Color, PerColor};
use super::count::count_area;
use super::geometry::{Board, Geometry};
use super::history::{History, MoveError};
use super::position::Position;
use super::referee::{self, Referee, Stones};
use super::setup::Setup;
use super::vertex::Point;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use std::collections::BTreeSet;

/// Boards with the number of random games on each and the most turns in a game: more games on the small boards,
/// where more happens in a turn and a turn costs less to check.
const BOARDS: [(&str, u32, usize); 9] = [
    ("hex2", 200, 40),
    ("5x5", 100, 90),
    ("hex3", 80, 70),
    ("7x7", 24, 130),
    ("9x9", 10, 180),
    ("hex6", 10, 180),
    ("19x19", 2, 250),
    // The largest: one game each, for what only large numbers of columns, rows and points bring.
    ("hex12", 1, 120),
    ("25x25", 1, 120),
];

/// One turn of a random game, good on any board.
#[derive(Clone, Debug)]
enum Turn {
    /// Tries a stone: of the color whose turn it is or, rarely, of the other; near the last one or anywhere.
    Try { in_turn: bool, near: bool, pick: u16 },
    /// Takes the last play back.
    TakeBack,
}

fn turns(most: usize) -> impl Strategy<Value = Vec<Turn>> {
    let tried = (prop::bool::weighted(0.9), prop::bool::weighted(0.7), any::<u16>());
    let tried = tried.prop_map(|(in_turn, near, pick)| Turn::Try { in_turn, near, pick });
    prop::collection::vec(
        prop_oneof![24 => tried, 1 => Just(Turn::TakeBack)],
        most / 2..most,
    )
}

/// A game that engine and referee follow side by side.
struct Game {
    geometry: &'static Geometry,
    position: Position,
    history: History,
    referee: Referee,
    /// For each play that stands, the position before it and the stones that had been captured by then.
    earlier: Vec<(Position, PerColor<usize>)>,
    /// The stones that each color has played and captured.
    played: PerColor<usize>,
    captures: PerColor<usize>,
    last: Option<(Point, Color)>,
}

impl Game {
    fn new(board: Board) -> Game {
        let position = Position::empty(board.geometry());
        Game {
            geometry: board.geometry(),
            history: History::new(&position),
            position,
            referee: Referee::new(board.geometry(), Stones::new()),
            earlier: Vec::new(),
            played: PerColor::default(),
            captures: PerColor::default(),
            last: None,
        }
    }

    /// The point and color that a turn tries.
    fn choice(&self, in_turn: bool, near: bool, pick: u16) -> (Point, Color) {
        let (last, turn) = match self.last {
            Some((point, color)) => (Some(point), color.opponent()),
            None => (None, Color::Black),
        };
        let color = if in_turn { turn } else { turn.opponent() };
        let mut around: Vec<Point> = match last.filter(|_| near) {
            Some(last) => self.within_two_lines(last),
            None => Vec::new(),
        };
        around.retain(|&point| self.position.stone(point).is_none());
        if around.is_empty() {
            around = self.geometry.points().collect();
        }
        (around[pick as usize % around.len()], color)
    }

    fn within_two_lines(&self, point: Point) -> Vec<Point> {
        let next = self.geometry.neighbours(point).iter();
        let around: BTreeSet<Point> = next
            .flat_map(|&each| self.geometry.neighbours(each).iter().copied())
            .chain(self.geometry.neighbours(point).iter().copied())
            .collect();
        around.into_iter().collect()
    }

    /// Takes a turn; engine and referee must agree on what comes of it.
    fn take(&mut self, turn: &Turn) {
        match *turn {
            Turn::Try { in_turn, near, pick } => self.attempt(in_turn, near, pick),
            Turn::TakeBack => self.take_back(),
        }
    }

    fn attempt(&mut self, in_turn: bool, near: bool, pick: u16) {
        let (point, color) = self.choice(in_turn, near, pick);
        let before = self.position.clone();
        let captured = self.history.play(&mut self.position, point, color);
        let expected = self.referee.play(point, color);
        let expected = expected.map(|stones| stones.into_iter().collect::<Vec<Point>>());
        assert_eq!(captured, expected.map_err(MoveError::from));
        let Ok(captured) = captured else {
            assert_eq!(self.position, before, "a refusal changes nothing");
            return;
        };
        self.earlier.push((before, self.captures));
        *self.played.get_mut(color) += 1;
        *self.captures.get_mut(color) += captured.len();
        self.last = Some((point, color));
    }

    fn take_back(&mut self) {
        let Some((before, captures)) = self.earlier.pop() else {
            return;
        };
        let gone = before
            .points()
            .find(|&point| before.stone(point).is_none() && self.position.stone(point).is_some());
        let color = gone
            .and_then(|point| self.position.stone(point))
            .expect("a play leaves its stone");
        *self.played.get_mut(color) -= 1;
        self.position = before;
        self.captures = captures;
        self.history.pop();
        self.referee.take_back();
        self.last = None;
    }

    fn stones(&self) -> PerColor<Vec<Point>> {
        PerColor::from_fn(|color| self.position.stones_of(color).collect())
    }
}

/// Plays random games on every board and calls `property` after every turn.
fn check(property: fn(&Game)) {
    for (board, games, most) in BOARDS {
        check_games(board, games, most, |board, turns| {
            let mut game = Game::new(board);
            for turn in turns {
                game.take(turn);
                property(&game);
            }
        });
    }
}

fn check_games(board: &str, games: u32, most: usize, property: impl Fn(Board, &[Turn])) {
    let config = Config {
        cases: games,
        failure_persistence: None,
        ..Config::default()
    };
    let parsed: Board = board.parse().expect("a board");
    let outcome = TestRunner::new(config).run(&turns(most), |turns| {
        property(parsed, &turns);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{board}: {failure}"));
}

#[test]
fn prop_engine_and_referee_agree_on_the_legality_of_every_play_and_why() {
    check(|game| {
        for color in Color::BOTH {
            let mut forbidden = Vec::new();
            for point in game.geometry.points() {
                let judged = game.history.legal(&game.position, point, color).map(drop);
                assert_eq!(
                    judged,
                    game.referee
                        .judge(point, color)
                        .map(drop)
                        .map_err(MoveError::from)
                );
                if let Err(why @ (MoveError::Suicide | MoveError::Superko)) = judged {
                    forbidden.push((point, why));
                }
            }
            assert_eq!(game.history.forbidden(&game.position, color), forbidden, "B6");
        }
    });
}

#[test]
fn prop_engine_and_referee_agree_on_stones_chains_and_liberties() {
    check(|game| {
        let stones = game.referee.stones();
        for point in game.geometry.points() {
            assert_eq!(game.position.stone(point), stones.get(&point).copied());
            let chain: BTreeSet<Point> = game.position.chain(point).collect();
            assert_eq!(chain, referee::chain(game.geometry, stones, point));
            let ids = chain.iter().map(|&stone| game.position.chain_id(stone));
            assert!(ids.eq(chain.iter().map(|_| game.position.chain_id(point))));
            let liberties: BTreeSet<Point> = game.position.liberties(point).into_iter().collect();
            assert_eq!(liberties, referee::liberties(game.geometry, stones, point));
            assert_ne!(
                liberties.is_empty(),
                stones.contains_key(&point),
                "every chain has a liberty"
            );
        }
    });
}

#[test]
fn prop_a_position_equals_a_fresh_one_with_the_same_stones() {
    check(|game| {
        let setup = Setup {
            board: game.geometry.board(),
            stones: game.stones(),
        };
        let fresh = Position::from_setup(&setup).expect("every chain has a liberty");
        assert_eq!(game.position, fresh);
        assert_eq!(game.position.hash(), fresh.hash());
    });
}

#[test]
fn prop_stones_and_captures_add_up() {
    check(|game| {
        let left = |color: Color| game.played.get(color) - game.captures.get(color.opponent());
        assert_eq!(game.stones().map(Vec::len), PerColor::from_fn(left));
    });
}

#[test]
fn prop_engine_and_referee_agree_on_the_area_whatever_is_dead() {
    for (board, games, most) in BOARDS {
        check_games(board, games, most, |board, turns| {
            let mut game = Game::new(board);
            turns.iter().for_each(|turn| game.take(turn));
            // The turns choose the dead stones too: none, then one more chain at a time.
            let mut dead = Vec::new();
            for turn in turns.iter().take(6) {
                check_area(&game, &dead);
                if let &Turn::Try { pick, .. } = turn {
                    let stones: Vec<Point> = game.referee.stones().keys().copied().collect();
                    dead.extend(stones.get(pick as usize % stones.len().max(1)));
                }
            }
        });
    }
}

fn check_area(game: &Game, dead: &[Point]) {
    let count = count_area(&game.position, dead);
    let owners = game.referee.owners(dead);
    for point in game.geometry.points() {
        assert_eq!(count.owners[point.index()], owners.get(&point).copied());
    }
    let owned = |color| owners.values().filter(|&&owner| owner == color).count() as u32;
    assert_eq!(count.area, PerColor::from_fn(owned));
}

#[test]
fn prop_a_takeback_restores_the_history_exactly() {
    for (board, games, most) in BOARDS {
        check_games(board, games, most, |board, turns| {
            let mut game = Game::new(board);
            let mut histories = vec![game.history.clone()];
            for turn in turns {
                game.take(turn);
                histories.truncate(game.history.len());
                if histories.len() < game.history.len() {
                    histories.push(game.history.clone());
                }
                assert_eq!(histories.last(), Some(&game.history));
            }
            while let Some(expected) = histories.pop() {
                assert_eq!(game.history, expected);
                game.take_back();
            }
        });
    }
}

#[test]
fn prop_symmetry_commutes_with_play() {
    for (board, games, most) in BOARDS {
        check_games(board, games, most, |board, turns| {
            for image in [turned, mirrored] {
                let mut game = Game::new(board);
                let mut other = Game::new(board);
                for turn in turns {
                    let &Turn::Try { in_turn, near, pick } = turn else {
                        continue;
                    };
                    let (point, color) = game.choice(in_turn, near, pick);
                    let captured = game.history.play(&mut game.position, point, color);
                    let there = image(game.geometry, point);
                    let captured_there = other.history.play(&mut other.position, there, color);
                    let images = captured.map(|stones| all_images(game.geometry, image, stones));
                    assert_eq!(images, captured_there);
                    game.last = images.ok().map(|_| (point, color)).or(game.last);
                }
                for color in Color::BOTH {
                    let stones = game.position.stones_of(color).collect();
                    let there: Vec<Point> = other.position.stones_of(color).collect();
                    assert_eq!(all_images(game.geometry, image, stones), there);
                }
            }
        });
    }
}

type Image = fn(&Geometry, Point) -> Point;

fn all_images(geometry: &Geometry, image: Image, points: Vec<Point>) -> Vec<Point> {
    let mut images: Vec<Point> = points.into_iter().map(|point| image(geometry, point)).collect();
    images.sort_unstable();
    images
}

/// The point where a quarter turn of a square, or a sixth of a hexagon, takes a point.
fn turned(geometry: &Geometry, point: Point) -> Point {
    let (column, row, side) = coordinates(geometry, point);
    match geometry.board() {
        Board::Square(_) => at(geometry, side + 1 - row, column),
        Board::Hexagonal(_) => at(geometry, 2 * side - row, column + row - side),
    }
}

/// The point across the diagonal, where column and row change places.
fn mirrored(geometry: &Geometry, point: Point) -> Point {
    let (column, row, _) = coordinates(geometry, point);
    at(geometry, row, column)
}

fn coordinates(geometry: &Geometry, point: Point) -> (u8, u8, u8) {
    let vertex = geometry.vertex(point);
    (vertex.column(), vertex.row(), geometry.board().side())
}

fn at(geometry: &Geometry, column: u8, row: u8) -> Point {
    geometry
        .point_at(column, row)
        .expect("a symmetry keeps points on the board")
}

#[test]
fn random_games_reach_superko_suicide_and_captures_of_several_stones() {
    for board in ["hex2", "5x5"] {
        let mut runner = TestRunner::deterministic();
        let (mut superkos, mut suicides, mut captures) = (0, 0, 0);
        for _ in 0..20 {
            let turns = turns(90)
                .new_tree(&mut runner)
                .expect("no turn is filtered out")
                .current();
            let mut game = Game::new(board.parse().expect("a board"));
            for turn in &turns {
                let before = game.stones().map(Vec::len);
                game.take(turn);
                let of = |color| game.history.forbidden(&game.position, color);
                for (_, why) in Color::BOTH.into_iter().flat_map(of) {
                    superkos += usize::from(why == MoveError::Superko);
                    suicides += usize::from(why == MoveError::Suicide);
                }
                let after = game.stones().map(Vec::len);
                let fewer = |color| after.get(color) + 1 < *before.get(color);
                captures +=
                    usize::from(!matches!(turn, Turn::TakeBack) && Color::BOTH.into_iter().any(fewer));
            }
        }
        assert!(superkos > 20, "{board}: {superkos} points forbidden by superko");
        assert!(suicides > 20, "{board}: {suicides} points forbidden as suicide");
        assert!(captures > 20, "{board}: {captures} captures of several stones");
    }
}
