//! Go on hexagonal boards.

use crate::harness::{Client, Game, points, server};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

/// The points of a board, by name, each with its neighbours.
fn neighbours(board: &Value) -> HashMap<&str, HashSet<&str>> {
    let all = board["points"].as_array().into_iter().flatten();
    all.map(|point| {
        let around = point["neighbours"].as_array().into_iter().flatten();
        (
            point["name"].as_str().expect("a name"),
            around.filter_map(Value::as_str).collect(),
        )
    })
    .collect()
}

#[test]
fn b2_traps_6_the_geometry_of_every_hexagonal_board() {
    let nobody = Client::new(server());
    for (board, side, cells) in [("hex6", 6, 91), ("hex8", 8, 169), ("hex12", 12, 397)] {
        let geometry = nobody.get(&format!("/api/v1/boards/{board}")).ok(200);
        assert_eq!(geometry["board"], board);
        let around = neighbours(&geometry);
        assert_eq!(around.len(), cells);
        let with = |count: usize| around.values().filter(|each| each.len() == count).count();
        assert_eq!(
            (with(3), with(4)),
            (6, 6 * (side - 2)),
            "corners and edges of {board}"
        );
        assert_eq!(with(6), cells - 6 - 6 * (side - 2));
        for (name, each) in &around {
            assert!(
                each.iter().all(|other| around[other].contains(name)),
                "{board} {name}"
            );
        }
        let stars = geometry["points"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|point| point["star"] == true);
        assert_eq!(stars.count(), 7);
    }
}

#[test]
fn b2_a_cell_touches_along_the_rows_and_columns_and_one_diagonal_only() {
    let geometry = Client::new(server()).get("/api/v1/boards/hex6").ok(200);
    let around = neighbours(&geometry);
    let expected: HashSet<&str> = ["E6", "G6", "F5", "F7", "G5", "E7"].into();
    assert_eq!(around["F6"], expected);
    let centre = geometry["points"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|point| point["name"] == "F6");
    let centre = centre.expect("the centre");
    assert_eq!(centre["x"], 9.0);
    assert!((centre["y"].as_f64().expect("a number") - 6.0 * 0.75_f64.sqrt()).abs() < 1e-9);
    assert_eq!(centre["star"], true);
}

#[test]
fn b1_the_geometry_of_square_boards() {
    let nobody = Client::new(server());
    for (board, cells, stars) in [
        ("9x9", 81, 5),
        ("13x13", 169, 5),
        ("19x19", 361, 9),
        ("5x5", 25, 1),
        ("25x25", 625, 9),
    ] {
        let geometry = nobody.get(&format!("/api/v1/boards/{board}")).ok(200);
        let around = neighbours(&geometry);
        assert_eq!(around.len(), cells);
        assert_eq!(around.values().filter(|each| each.len() == 2).count(), 4);
        let points = geometry["points"].as_array().into_iter().flatten();
        assert_eq!(
            points.filter(|point| point["star"] == true).count(),
            stars,
            "{board}"
        );
    }
    let all = nobody.get("/api/v1/boards/9x9").ok(200);
    assert!(neighbours(&all).keys().all(|name| !name.starts_with('I')));
    for unknown in ["hex7", "4x4", "26x26", "9x13", "nonsense", "hex6%00"] {
        nobody
            .get(&format!("/api/v1/boards/{unknown}"))
            .problem(404, "not_found");
    }
}

#[test]
fn a_hexagonal_game_is_played_captured_and_counted() {
    let game = Game::start(server(), &json!({"ruleset": "hex"}));
    let start = game.snapshot();
    assert_eq!((&start["board"], &start["komi"]), (&json!("hex6"), &json!(6.5)));
    let mut black = game.black.connect(&game.table);
    let mut white = game.white.connect(&game.table);

    // The six cells around the centre capture it; White plays on an edge meanwhile.
    let geometry = Client::new(server()).get("/api/v1/boards/hex6").ok(200);
    let cells = neighbours(&geometry);
    let mut replies = ["F6", "A6", "A7", "A8", "A9"].into_iter();
    let mut turn = 0;
    for point in &cells["F6"] {
        black.play(point, turn);
        let played = white.wait_until("Black's stone", |frame| {
            frame["kind"] == "played" && frame["color"] == "black"
        });
        let Some(reply) = replies.next() else {
            assert_eq!(points(&played["captured"]), ["F6"]);
            assert_eq!(played["forbidden"], json!([{"point": "F6", "why": "suicide"}]));
            break;
        };
        assert_eq!(points(&played["captured"]), [""; 0]);
        white.play(reply, turn + 1);
        black.wait_until("the reply", |frame| {
            frame["kind"] == "played" && frame["color"] == "white"
        });
        turn += 2;
    }
    white.play("F6", turn + 1);
    assert_eq!(white.wait_for("refused")["code"], "suicide");
    white.play("A1", turn + 1);
    assert_eq!(white.wait_for("refused")["code"], "off_board");
    white.pass(turn + 1);
    black.wait_for_event("passed");
    black.pass(turn + 2);
    let result = &white.wait_for_event("finished")["result"];
    assert_eq!(result["score"]["komi"], 6.5);
    assert_eq!(result["score"]["prisoners"]["black"]["captured"], 1);
    // Black's six stones and the centre; White's four in the corner; the rest touches both.
    assert_eq!(
        (&result["score"]["black"], &result["score"]["white"]),
        (&json!(7), &json!(4))
    );
    assert_eq!(result["sgf"], "W+3.5");
}

#[test]
fn traps_5_one_stone_owns_the_whole_hexagon() {
    let game = Game::start(server(), &json!({"ruleset": "hex"}));
    game.play(0, "F6 pass pass");
    let result = game.result();
    assert_eq!(
        (&result["score"]["black"], &result["score"]["white"]),
        (&json!(91), &json!(0))
    );
    assert_eq!(result["sgf"], "B+84.5");
}
