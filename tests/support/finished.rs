//! Finished positions with the right answer, from the shared corpora: which chains are dead.
//!
//! Any test, bench or example may include this file with `#[path]`; it needs only `hoshi` and `serde_json`.

#![allow(dead_code, reason = "whoever includes this file uses a part of it")]

use hoshi::rules::{Board, PerColor, Point, Position, Setup, Vertex};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A position at the end of a game and the answer.
pub struct Finished {
    /// Unique in the corpora.
    pub id: String,
    /// Where it is from, `gnugo` or a set of Online-Go's tests, with the size of the board.
    pub group: String,
    /// The position.
    pub position: Position,
    /// A stone of each chain on which there is an answer.
    pub chains: Vec<Point>,
    /// The stones that the answer calls dead.
    pub dead: BTreeSet<Point>,
}

/// All positions that are at hand; `None` where the corpora are not.
pub fn finished() -> Option<Vec<Finished>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora/dev");
    let labels: BTreeMap<String, Value> = lines(directory.join("labels.jsonl"))?
        .into_iter()
        .map(|label| (text(&label["id"]), label))
        .collect();
    let ogs = lines(directory.join("ogs.jsonl"))?.into_iter().map(|value| {
        let group = ogs_group(&value);
        finished_one(&value, group, ["rows", "expected_dead"], &labels)
    });
    let selfplay = lines(directory.join("selfplay.jsonl"))?
        .into_iter()
        .map(|value| finished_one(&value, "gnugo".to_owned(), ["final", "gnugo_dead"], &labels));
    Some(ogs.chain(selfplay).collect())
}

fn ogs_group(value: &Value) -> String {
    let id = text(&value["id"]);
    match id.strip_prefix("ogs-") {
        Some(rest) if rest.starts_with("goban") => "goban".to_owned(),
        Some(rest) => rest.split('-').take(2).collect::<Vec<_>>().join("-"),
        None => panic!("{id}: not of Online-Go"),
    }
}

fn finished_one(
    value: &Value,
    source: String,
    fields: [&str; 2],
    labels: &BTreeMap<String, Value>,
) -> Finished {
    let id = text(&value["id"]);
    let rows: Vec<String> = strings(&value[fields[0]]);
    let board = Board::square(rows.len() as u8).unwrap_or_else(|| panic!("{id}: no square board"));
    let of = |letter| {
        let numbered = rows.iter().rev().zip(1..);
        let points = numbered.flat_map(|(row, number)| {
            let stones = row.chars().zip(1..).filter(move |&(each, _)| each == letter);
            stones.map(move |(_, column)| board.geometry().point_at(column, number).expect("a point"))
        });
        points.collect()
    };
    let stones = PerColor {
        black: of('X'),
        white: of('O'),
    };
    let position =
        Position::from_setup(&Setup { board, stones }).unwrap_or_else(|error| panic!("{id}: {error}"));
    let points = |names: &Value| -> BTreeSet<Point> {
        let vertices = strings(names)
            .into_iter()
            .map(|name| name.parse::<Vertex>().expect("a vertex"));
        vertices
            .map(|vertex| board.geometry().point(vertex).expect("a point"))
            .collect()
    };
    let mut doubtful = points(&labels[&id]["uncertain"]);
    doubtful.extend(points(&value["any_stones"]));
    let head = |&point: &Point| position.chain_id(point) == Some(point);
    let clear = |&point: &Point| !position.chain(point).any(|stone| doubtful.contains(&stone));
    Finished {
        group: format!("{source} {board}"),
        chains: position.points().filter(head).filter(clear).collect(),
        dead: points(&value[fields[1]]),
        position,
        id,
    }
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("{value} is no text"))
        .to_owned()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(text).collect()
}

fn lines(path: PathBuf) -> Option<Vec<Value>> {
    let content = std::fs::read_to_string(&path).ok()?;
    let values = content
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
    Some(values.collect())
}
