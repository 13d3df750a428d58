//! Boards and points as text.

use crate::rules::{Color, Geometry, Point, Position};

/// The board with its columns and rows, a line each; rows of a hexagonal board are shifted as they are drawn (B2).
pub(super) fn board(position: &Position) -> String {
    let geometry = position.geometry();
    let columns: Vec<String> = (1..=geometry.columns())
        .map(|column| letter(geometry, column))
        .collect();
    let mut lines = vec![format!("\n    {}", columns.join(" "))];
    for row in (1..=geometry.rows()).rev() {
        let of = |column| geometry.point_at(column, row);
        let cells: Vec<&str> = (1..=geometry.columns())
            .map(|column| of(column).map_or(" ", |point| mark(position, point)))
            .collect();
        let line = format!("{row:3} {}{}", shift(geometry, row), cells.join(" "));
        lines.push(line.trim_end().to_owned());
    }
    lines.join("\n")
}

/// How far a row is shifted to the right: by half a cell for each row below it, on boards whose rows are so drawn.
fn shift(geometry: &Geometry, row: u8) -> String {
    let x = |point: Option<Point>| {
        point.map_or(0.0, |point| {
            geometry.place(point).x - f64::from(geometry.vertex(point).column())
        })
    };
    let shifted = x((1..=geometry.columns()).find_map(|column| geometry.point_at(column, row)));
    " ".repeat((2.0 * shifted) as usize)
}

fn letter(geometry: &Geometry, column: u8) -> String {
    let point = (1..=geometry.rows()).find_map(|row| geometry.point_at(column, row));
    let name = point.map_or(String::new(), |point| geometry.vertex(point).to_string());
    name.chars().take(1).collect()
}

fn mark(position: &Position, point: Point) -> &'static str {
    match position.stone(point) {
        Some(Color::Black) => "X",
        Some(Color::White) => "O",
        None if position.geometry().is_star(point) => "+",
        None => ".",
    }
}

/// The names of points, separated by blanks.
pub(super) fn points(geometry: &Geometry, points: &[Point]) -> String {
    let names: Vec<String> = points
        .iter()
        .map(|&point| geometry.vertex(point).to_string())
        .collect();
    names.join(" ")
}
