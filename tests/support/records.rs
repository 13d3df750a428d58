//! Game records to replay: our own golden ones, and the shared corpora where they are.
//!
//! Any test, bench or example may include this file with `#[path]`; it needs only `hoshi` and `serde_json`. The
//! shape of a record is written down in `tests/golden/games/README.md`. A record that cannot be read is a panic
//! that names it.

#![allow(dead_code, reason = "whoever includes this file uses a part of it")]

use hoshi::rules::{Board, Color, HalfPoints, MoveError, PerColor, Point, Position, Setup, Vertex};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A game and what the board looks like at its end.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Unique among the records of one file.
    pub id: String,
    /// The board.
    pub board: Board,
    /// What White gets.
    pub komi: HalfPoints,
    /// Black stones that are set up before the first move.
    pub setup_black: Vec<Vertex>,
    /// The moves in order; `None` is a pass.
    pub moves: Vec<(Color, Option<Vertex>)>,
    /// The stones on the board after the last move, in no particular order.
    pub final_stones: PerColor<Vec<Vertex>>,
    /// How many stones each color has captured.
    pub captures: PerColor<u32>,
    /// The area of each color when every stone is alive, without komi.
    pub area_all_alive: Option<PerColor<u32>>,
    /// Plays that are illegal after the last move, and why.
    pub refused: Vec<(Color, Vertex, MoveError)>,
}

impl GameRecord {
    /// The position before the first move.
    pub fn start(&self) -> Position {
        let black = self.setup_black.iter().map(|&vertex| self.point(vertex));
        let stones = PerColor {
            black: black.collect(),
            white: Vec::new(),
        };
        let board = self.board;
        let start = Position::from_setup(&Setup { board, stones });
        start.unwrap_or_else(|error| panic!("{}: {error}", self.id))
    }

    /// The point of the record's board with this name.
    pub fn point(&self, vertex: Vertex) -> Point {
        let point = self.board.geometry().point(vertex);
        point.unwrap_or_else(|| panic!("{}: {} has no {vertex}", self.id, self.board))
    }
}

/// The golden games of this repository.
pub fn golden_games() -> Vec<GameRecord> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/games/made.jsonl");
    load(&path).unwrap_or_else(|| panic!("{} is missing", path.display()))
}

/// Games between people, from the shared corpora; `None` where these are not at hand.
pub fn human_games() -> Option<Vec<GameRecord>> {
    load(&shared_corpora().join("human.jsonl"))
}

/// Games of a program against itself, from the shared corpora; `None` where these are not at hand.
pub fn selfplay_games() -> Option<Vec<GameRecord>> {
    load(&shared_corpora().join("dev/selfplay.jsonl"))
}

/// The records that are kept beside the repository and not in it.
fn shared_corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora")
}

/// The records of a file, one a line; `None` if there is no such file.
fn load(path: &Path) -> Option<Vec<GameRecord>> {
    let text = std::fs::read_to_string(path).ok()?;
    let records = text.lines().enumerate().map(|(index, line)| {
        let value: Value = serde_json::from_str(line)
            .unwrap_or_else(|error| panic!("{}:{}: {error}", path.display(), index + 1));
        record(&value)
    });
    Some(records.collect())
}

fn record(value: &Value) -> GameRecord {
    let id: String = read(&value["id"]);
    let board = match &value["board"] {
        Value::Null => format!("{0}x{0}", value["size"]).parse().expect("a square board"),
        board => read(board),
    };
    let captures = &value["captures"];
    GameRecord {
        board,
        komi: read(&value["komi"]),
        setup_black: read(&value["setup_black"]),
        moves: list(&value["moves"])
            .map(|each| (color(&each[0]), vertex_or_pass(&each[1])))
            .collect(),
        final_stones: final_stones(value, board),
        captures: per_color(captures).unwrap_or_else(|| panic!("{id}: no captures in {captures}")),
        area_all_alive: per_color(&value["area_all_alive"]),
        refused: list(&value["refused"])
            .map(|each| (color(&each[0]), read(&each[1]), reason(&each[2])))
            .collect(),
        id,
    }
}

fn read<T: DeserializeOwned>(value: &Value) -> T {
    T::deserialize(value).unwrap_or_else(|error| panic!("{value}: {error}"))
}

/// The elements of a list, none if there is no list.
fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn color(value: &Value) -> Color {
    match value.as_str() {
        Some("B") => Color::Black,
        Some("W") => Color::White,
        _ => panic!("a color is \"B\" or \"W\", not {value}"),
    }
}

fn vertex_or_pass(value: &Value) -> Option<Vertex> {
    match value.as_str() {
        Some("pass") => None,
        _ => Some(read(value)),
    }
}

fn reason(value: &Value) -> MoveError {
    match value.as_str() {
        Some("occupied") => MoveError::Occupied,
        Some("suicide") => MoveError::Suicide,
        Some("superko") => MoveError::Superko,
        _ => panic!("a play is refused as occupied, suicide or superko, not {value}"),
    }
}

/// A number for each color: the corpora write `{"B", "W"}` or `{"black", "white"}`.
fn per_color(value: &Value) -> Option<PerColor<u32>> {
    let number = |names: [&str; 2]| names.iter().find_map(|name| value[*name].as_u64());
    Some(PerColor {
        black: number(["B", "black"])? as u32,
        white: number(["W", "white"])? as u32,
    })
}

/// The stones at the end: lists of vertices by color, or rows of a square board from the top.
fn final_stones(value: &Value, board: Board) -> PerColor<Vec<Vertex>> {
    if !value["final_stones"].is_null() {
        return PerColor {
            black: read(&value["final_stones"]["black"]),
            white: read(&value["final_stones"]["white"]),
        };
    }
    let rows: Vec<String> = match &value["final_rows"] {
        Value::Null => read(&value["final"]),
        rows => read(rows),
    };
    assert_eq!(rows.len(), board.side() as usize, "{}: rows", value["id"]);
    let of = |letter| {
        let numbered = rows.iter().rev().zip(1..);
        let vertices = numbered.flat_map(|(row, number)| {
            let stones = row.chars().zip(1..).filter(move |&(each, _)| each == letter);
            stones.map(move |(_, column)| Vertex::new(column, number).expect("a point of a square board"))
        });
        vertices.collect()
    };
    PerColor {
        black: of('X'),
        white: of('O'),
    }
}
