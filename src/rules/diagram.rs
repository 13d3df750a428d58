//! Positions as tests write them: diagrams of square boards, lists of vertices for any board, lists of moves.

use super::color::{Color, PerColor};
use super::geometry::{Board, Geometry};
use super::history::History;
use super::position::Position;
use super::setup::Setup;
use super::vertex::{Move, Point};

/// The setup of a square diagram: the top row first, `X` Black, `O` White, `.` empty; other blanks do not matter.
#[track_caller]
pub(crate) fn setup(diagram: &str) -> Setup {
    let rows: Vec<Vec<char>> = diagram
        .lines()
        .map(|line| line.chars().filter(|each| !each.is_whitespace()).collect())
        .filter(|row: &Vec<char>| !row.is_empty())
        .collect();
    let board = Board::square(rows.len() as u8).expect("a diagram has 5 to 25 rows");
    let mut stones = PerColor::<Vec<Point>>::default();
    for (row, letters) in rows.iter().rev().enumerate() {
        assert_eq!(
            letters.len(),
            rows.len(),
            "row {} is not as long as the board",
            row + 1
        );
        for (column, letter) in letters.iter().enumerate() {
            let point = board.geometry().point_at(column as u8 + 1, row as u8 + 1);
            let point = point.expect("a square has a point in every row and column");
            match letter {
                'X' => stones.black.push(point),
                'O' => stones.white.push(point),
                '.' => {}
                other => panic!("a diagram is made of X, O and ., not {other}"),
            }
        }
    }
    Setup { board, stones }
}

/// The position of a square diagram.
#[track_caller]
pub(crate) fn square(diagram: &str) -> Position {
    Position::from_setup(&setup(diagram)).expect("the diagram is a position")
}

/// The position of a board by the vertices of its stones, `A1 B2`. For hexagonal boards, which have no diagram.
#[track_caller]
pub(crate) fn listed(board: &str, black: &str, white: &str) -> Position {
    let board: Board = board.parse().expect("a board");
    let stones = PerColor {
        black: points(board.geometry(), black),
        white: points(board.geometry(), white),
    };
    Position::from_setup(&Setup { board, stones }).expect("the stones are a position")
}

/// The diagram of a position on a square board, one row a line, as [`square`] reads it.
pub(crate) fn draw(position: &Position) -> String {
    let geometry = position.geometry();
    let letter = |column, row| match geometry.point_at(column, row).map(|point| position.stone(point)) {
        Some(Some(Color::Black)) => "X",
        Some(Some(Color::White)) => "O",
        _ => ".",
    };
    let line = |row| {
        let letters: Vec<&str> = (1..=geometry.columns())
            .map(|column| letter(column, row))
            .collect();
        letters.join(" ")
    };
    (1..=geometry.rows())
        .rev()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}

/// The point with this name.
#[track_caller]
pub(crate) fn point(geometry: &Geometry, name: &str) -> Point {
    let vertex = name.parse().expect("the name of a point");
    geometry
        .point(vertex)
        .unwrap_or_else(|| panic!("{} has no {name}", geometry.board()))
}

/// The points with these names, separated by blanks.
#[track_caller]
pub(crate) fn points(geometry: &Geometry, names: &str) -> Vec<Point> {
    names
        .split_whitespace()
        .map(|name| point(geometry, name))
        .collect()
}

/// The names of points in the given order, separated by blanks.
pub(crate) fn names(geometry: &Geometry, points: impl IntoIterator<Item = Point>) -> String {
    let names: Vec<String> = points
        .into_iter()
        .map(|point| geometry.vertex(point).to_string())
        .collect();
    names.join(" ")
}

/// Moves by name, separated by blanks, Black first and strictly in turn; `pass` is a move.
#[track_caller]
pub(crate) fn moves(geometry: &Geometry, names: &str) -> Vec<(Color, Move)> {
    let turns = Color::BOTH.into_iter().cycle();
    let made = names.split_whitespace().map(|name| match name {
        "pass" => Move::Pass,
        _ => Move::Play(point(geometry, name)),
    });
    turns.zip(made).collect()
}

/// The position and the history after these moves on an empty board; each must be legal.
#[track_caller]
pub(crate) fn played(board: &str, names: &str) -> (Position, History) {
    let board: Board = board.parse().expect("a board");
    let mut position = Position::empty(board.geometry());
    let mut history = History::new(&position);
    for (color, made) in moves(board.geometry(), names) {
        if let Move::Play(point) = made {
            let outcome = history.play(&mut position, point, color);
            outcome.unwrap_or_else(|error| panic!("{color} {}: {error}", board.geometry().vertex(point)));
        }
    }
    (position, history)
}

#[test]
fn a_diagram_reads_back_as_it_was_drawn() {
    let drawn = "\
X . . . O
. . . . .
. . X . .
. . . . .
O . . . .";
    let position = square(drawn);
    assert_eq!(draw(&position), drawn);
    assert_eq!(
        names(position.geometry(), position.stones_of(Color::Black)),
        "C3 A5"
    );
    assert_eq!(position, listed("5x5", "A5 C3", "A1 E5"));
}
