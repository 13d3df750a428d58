//! A second, slow and obvious set of rules, against which the fast ones are tested.
//!
//! It shares nothing with [`Position`](super::Position), [`History`](super::History) and the count but the board
//! and the names of points and colors: a board is a map from points to colors, every question is answered by a
//! flood fill, superko by a look through the list of all earlier boards.

use super::color::{Color, PerColor};
use super::geometry::Geometry;
use super::history::MoveError;
use super::vertex::Point;
use std::collections::{BTreeMap, BTreeSet};

/// The stones on a board; points that are not in the map are empty.
pub(super) type Stones = BTreeMap<Point, Color>;

/// Why the referee refuses a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Occupied,
    Suicide,
    Superko,
}

/// The engine's word for it.
impl From<Refusal> for MoveError {
    fn from(refusal: Refusal) -> MoveError {
        match refusal {
            Refusal::Occupied => MoveError::Occupied,
            Refusal::Suicide => MoveError::Suicide,
            Refusal::Superko => MoveError::Superko,
        }
    }
}

/// The referee of one game: the boards that there have been, the present one last.
#[derive(Clone, Debug)]
pub(super) struct Referee {
    geometry: &'static Geometry,
    boards: Vec<Stones>,
}

impl Referee {
    /// The referee of a game that starts with these stones.
    pub(super) fn new(geometry: &'static Geometry, start: Stones) -> Referee {
        Referee {
            geometry,
            boards: vec![start],
        }
    }

    /// The stones that lie on the board now.
    pub(super) fn stones(&self) -> &Stones {
        self.boards.last().expect("a game has a start")
    }

    /// The board after a play and the stones that it captures, or why it is illegal.
    pub(super) fn judge(&self, point: Point, color: Color) -> Result<(Stones, BTreeSet<Point>), Refusal> {
        let mut after = self.stones().clone();
        if after.contains_key(&point) {
            return Err(Refusal::Occupied);
        }
        after.insert(point, color);
        let mut captured = BTreeSet::new();
        for &neighbour in self.geometry.neighbours(point) {
            let opposing = after.get(&neighbour) == Some(&color.opponent());
            if opposing && liberties(self.geometry, &after, neighbour).is_empty() {
                captured.extend(chain(self.geometry, &after, neighbour));
            }
        }
        after.retain(|stone, _| !captured.contains(stone));
        if liberties(self.geometry, &after, point).is_empty() {
            return Err(Refusal::Suicide);
        }
        if self.boards.contains(&after) {
            return Err(Refusal::Superko);
        }
        Ok((after, captured))
    }

    /// Makes a play and returns the captured stones.
    pub(super) fn play(&mut self, point: Point, color: Color) -> Result<BTreeSet<Point>, Refusal> {
        let (after, captured) = self.judge(point, color)?;
        self.boards.push(after);
        Ok(captured)
    }

    /// Takes the last play back.
    pub(super) fn take_back(&mut self) {
        if self.boards.len() > 1 {
            self.boards.pop();
        }
    }

    /// Who owns each point once the chains with a stone in `dead` are off the board (G1): points of nobody are not
    /// in the map.
    pub(super) fn owners(&self, dead: &[Point]) -> Stones {
        let mut living = self.stones().clone();
        for &stone in dead {
            let gone = chain(self.geometry, self.stones(), stone);
            living.retain(|point, _| !gone.contains(point));
        }
        let mut owners = living.clone();
        for point in self.geometry.points().filter(|point| !living.contains_key(point)) {
            let region = connected(self.geometry, &living, point);
            let around = region.iter().flat_map(|&each| self.geometry.neighbours(each));
            let colors: Vec<Color> = around.filter_map(|each| living.get(each).copied()).collect();
            for color in Color::BOTH {
                if colors.contains(&color) && !colors.contains(&color.opponent()) {
                    owners.insert(point, color);
                }
            }
        }
        owners
    }
}

/// The chain of a stone; nothing for an empty point.
pub(super) fn chain(geometry: &Geometry, stones: &Stones, stone: Point) -> BTreeSet<Point> {
    match stones.contains_key(&stone) {
        true => connected(geometry, stones, stone),
        false => BTreeSet::new(),
    }
}

/// The liberties of the chain of a stone.
pub(super) fn liberties(geometry: &Geometry, stones: &Stones, stone: Point) -> BTreeSet<Point> {
    let around = chain(geometry, stones, stone);
    let around = around.iter().flat_map(|&each| geometry.neighbours(each)).copied();
    around.filter(|each| !stones.contains_key(each)).collect()
}

/// The points that lines join to this one through points with the same color, or through empty ones.
fn connected(geometry: &Geometry, stones: &Stones, start: Point) -> BTreeSet<Point> {
    let mut found = BTreeSet::from([start]);
    let mut waiting = vec![start];
    while let Some(point) = waiting.pop() {
        for &neighbour in geometry.neighbours(point) {
            if stones.get(&neighbour) == stones.get(&start) && found.insert(neighbour) {
                waiting.push(neighbour);
            }
        }
    }
    found
}

#[path = "../../tests/support/records.rs"]
mod records;

#[test]
fn the_referee_ends_every_golden_game_as_it_is_written() {
    for record in records::golden_games() {
        let (id, geometry) = (&record.id, record.board.geometry());
        let setup = record
            .setup_black
            .iter()
            .map(|&vertex| (record.point(vertex), Color::Black));
        let mut referee = Referee::new(geometry, setup.collect());
        let mut captures = PerColor::<u32>::default();
        for &(color, vertex) in &record.moves {
            let Some(vertex) = vertex else { continue };
            let captured = referee.play(record.point(vertex), color);
            *captures.get_mut(color) += captured.expect("a legal play").len() as u32;
        }
        assert_eq!(captures, record.captures, "{id}");
        let mut expected = Stones::new();
        for color in Color::BOTH {
            let vertices = record.final_stones.get(color).iter();
            expected.extend(vertices.map(|&vertex| (record.point(vertex), color)));
        }
        assert_eq!(referee.stones(), &expected, "{id}");
        let owners = referee.owners(&[]);
        let owned = |color| owners.values().filter(|&&owner| owner == color).count() as u32;
        assert_eq!(Some(PerColor::from_fn(owned)), record.area_all_alive, "{id}");
        for &(color, vertex, why) in &record.refused {
            let refusal = referee.judge(record.point(vertex), color).err();
            assert_eq!(refusal.map(MoveError::from), Some(why), "{id}: {color} {vertex}");
        }
    }
}
